/** Everything that is drawn: the four roles, the signs of the four colours, pawns. */

import { html } from "/web/vendor/preact-htm.js";

/** Each role in a box of 100 by 100: its outline, and lines that are cut out of it. */
const FIGURES = [
  {
    shape:
      "M73 76C76 47 69 27 50 20L46 9 38 20C28 26 25 37 16 49 13 54 16 61 22 62 25 63 28 61 30 58 35 57 41 57 46 51" +
      " 45 61 33 65 31 76ZM25 80H77V90H25Z",
    cuts: "M39 34L40 35M56 29C65 38 67 50 66 66",
  },
  {
    shape:
      "M17 35L30 66H70L83 35 68 49 67 25 56 45 50 19 44 45 33 25 32 49ZM31 70H69V76H31ZM25 80H75V90H25Z" +
      ["12 31", "28 20", "45 14", "62 20", "78 31"].map((pearl) => `M${pearl}a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z`).join(""),
    cuts: "",
  },
  {
    shape:
      "M50 21C36 31 29 43 29 53 29 61 34 66 40 68H60C66 66 71 61 71 53 71 43 64 31 50 21ZM36 71H64V77H36Z" +
      "M24 80H76V90H24ZM44 14a6 6 0 1 0 12 0a6 6 0 1 0-12 0Z",
    cuts: "M50 40V58M41 49H59",
  },
  {
    shape: "M25 14H38V22H44V14H56V22H62V14H75V34L67 41V63L74 70V76H26V70L33 63V41L25 34ZM22 80H78V90H22Z",
    cuts: "M36 42H64",
  },
];

/** Heart, clover, star, drop: so that no colour has to be told by its hue. Boxes of 20 by 20 around 0,0. */
const SIGNS = [
  "M0 8C-5 4-9 1-9-3.5A4.6 4.6 0 0 1 0-4.5 4.6 4.6 0 0 1 9-3.5C9 1 5 4 0 8Z",
  "M-1.4 9L-.7 2.5A4.3 4.3 0 1 1-3.6-3 4.3 4.3 0 1 1 3.6-3 4.3 4.3 0 1 1 .7 2.5L1.4 9Z",
  "M0-9.5L2.6-3.2 9.2-2.8 4.1 1.4 5.8 8 0 4.3-5.8 8-4.1 1.4-9.2-2.8-2.6-3.2Z",
  "M0-9.5C3-4.5 6.6-.8 6.6 3A6.6 6.6 0 0 1-6.6 3C-6.6-.8-3-4.5 0-9.5Z",
];

/** The outline of each player's pawns, again so that hue is never alone. */
const TOKENS = [
  "M-40 0A40 40 0 1 1 40 0 40 40 0 1 1-40 0Z",
  "M-37-23Q-37-37-23-37H23Q37-37 37-23V23Q37 37 23 37H-23Q-37 37-37 23Z",
  "M-5-42Q0-45 5-42L34-25Q39-22 39-17V17Q39 22 34 25L5 42Q0 45-5 42L-34 25Q-39 22-39 17V-17Q-39-22-34-25Z",
  "M-30-37H30Q38-37 38-29V2Q38 26 5 41 0 43-5 41-38 26-38 2V-29Q-38-37-30-37Z",
];

/** A role, centred on 0,0 and `size` wide. */
export function Figure({ role, size }) {
  const { shape, cuts } = FIGURES[role];
  return html`<g class="figure" transform="scale(${size / 100}) translate(-50 -51)">
    <path class="shape" d=${shape} />
    <path class="cuts" d=${cuts} />
  </g>`;
}

/** The sign of a colour, centred on 0,0. */
export function Sign({ colour, size }) {
  return html`<path class="sign" transform="scale(${size / 20})" d=${SIGNS[colour]} />`;
}

/** A square in miniature: the colour on which a pawn is a knight. */
export function Badge({ colour, size }) {
  const half = size / 2;
  return html`<g class="badge colour-${colour}">
    <rect x=${-half} y=${-half} width=${size} height=${size} rx=${size / 5} />
    <${Sign} colour=${colour} size=${size * 0.68} />
  </g>`;
}

/** A player's shape without a figure. */
export function Token({ owner }) {
  const outline = TOKENS[owner];
  return html`<path class="token" d=${outline} /><path class="gloss" transform="scale(.87)" d=${outline} />`;
}

/** A pawn in its present role, centred on 0,0, about 84 wide. */
export function Pawn({ owner, knight, role }) {
  return html`<g class="pawn-body seat-${owner}">
    <${Token} owner=${owner} />
    <g class="turning" key=${role} transform="translate(-3 -4)"><${Figure} role=${role} size="60" /></g>
    <g transform="translate(26 26)"><${Badge} colour=${knight} size="27" /></g>
  </g>`;
}
