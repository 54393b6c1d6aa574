// What lies on the board: signs of the seats, pins, the die, tokens and the backs of cards.

import { html } from "/web/vendor/preact-htm.js";

// Every seat has a sign of its own besides its colour: triangle, square, ring, cross.
const SIGNS = [
  "M0 -1.05L1 .8H-1Z",
  "M-.85 -.85H.85V.85H-.85Z",
  "M0 -1A1 1 0 1 1 0 1A1 1 0 1 1 0 -1ZM0 -.45A.45 .45 0 1 0 0 .45A.45 .45 0 1 0 0 -.45Z",
  "M-.36 -1H.36V-.36H1V.36H.36V1H-.36V.36H-1V-.36H-.36Z",
];

export function Sign({ seat, x = 0, y = 0, size, cls = "" }) {
  return html`<path class="sign ${cls}" d=${SIGNS[seat]} transform="translate(${x} ${y}) scale(${size})" />`;
}

const PAWN = "M-.34 .31C-.34 .44 .34 .44 .34 .31C.33 .2 .17 .16 .1 -.12L-.1 -.12C-.17 .16 -.33 .2 -.34 .31Z";

export function Pin({ seat, marble, partner, unit }) {
  return html`<g class="body seat-${seat}" transform="scale(${unit})">
    <ellipse class="shade" cx=".04" cy=${marble ? 0.1 : 0.34} rx=".39" ry=${marble ? 0.36 : 0.15} />
    ${partner && html`<ellipse class="partner" cy=${marble ? 0 : 0.31} rx=${marble ? 0.45 : 0.42} ry=${marble ? 0.45 : 0.17} />`}
    ${!marble && html`<path class="paint" d=${PAWN} /><path class="shine" d=${PAWN} />`}
    <circle class="paint" cy=${marble ? 0 : -0.25} r=${marble ? 0.37 : 0.27} />
    <circle class="shine" cy=${marble ? 0 : -0.25} r=${marble ? 0.37 : 0.27} />
    <${Sign} seat=${seat} y=${marble ? 0 : -0.25} size=${marble ? 0.18 : 0.15} />
  </g>`;
}

export function Label({ text, x, y, unit }) {
  return html`<g class="label" transform="translate(${x} ${y}) scale(${unit})"><circle r=".25" /><text y=".1" font-size=".3">${text}</text></g>`;
}

const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

export function Die({ value, x, y, size, fall, cls = "" }) {
  return html`<g class="die ${cls}" transform="translate(${x} ${y}) scale(${size / 100})">
    <g class=${fall ? "falling" : ""} key=${fall}>
      <rect class="shade" x="-46" y="-42" width="96" height="96" rx="20" />
      <rect class="cube" x="-48" y="-48" width="96" height="96" rx="20" />
      ${PIPS[value].map(spot => html`<circle class="pip" cx=${(spot % 3 - 1) * 26} cy=${(Math.floor(spot / 3) - 1) * 26} r="9.5" />`)}
    </g>
  </g>`;
}

// The tokens of somebody else: six values, a dot for each that is left.
export function Tokens({ counts, place, size }) {
  return counts.map((count, i) => {
    const { x, y } = place(i);
    return html`<g class="token ${count ? "" : "spent"}" transform="translate(${x} ${y}) scale(${size / 20})">
      <circle r="7.6" cy="-2" />
      <text y="1.9">${i + 1}</text>
      ${[0, 1, 2, 3].map(dot => html`<circle class=${dot < count ? "left" : "gone"} cx=${(dot - 1.5) * 4} cy="8.6" r="1.45" />`)}
    </g>`;
  });
}

export function Backs({ count, x, y, size }) {
  const fan = Array.from({ length: count }, (_, i) => i - (count - 1) / 2);
  return html`<g class="backs" transform="translate(${x} ${y}) scale(${size / 34})">
    ${fan.map(i => html`<g transform="translate(${i * 3.4} ${Math.abs(i) * 0.5}) rotate(${i * 5})">
      <rect class="back" x="-6.5" y="-10" width="13" height="20" rx="2" /><path class="weave" d="M0 -6L3.6 0L0 6L-3.6 0Z" />
    </g>`)}
    <text y="21">${count}</text>
  </g>`;
}

// The cards of somebody else where all are open: two in a row.
export function Faces({ cards, x, y, size }) {
  const rows = Math.ceil(cards.length / 2);
  return html`<g class="faces" transform="translate(${x} ${y}) scale(${size / 34})">
    ${cards.map((card, i) => html`<g transform="translate(${(i % 2) * 15 - 7.5} ${(Math.floor(i / 2) - (rows - 1) / 2) * 12})">
      <rect x="-7" y="-5.5" width="14" height="11" rx="2" /><text y="2.8">${SHORT[card] ?? card}</text></g>`)}
  </g>`;
}

const SHORT = { JOKER: "★", SWAP: "⇄", "1/11": "1·11" };
