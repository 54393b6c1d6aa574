// Signs drawn by us: every area has a shape of its own, so that nothing depends on colour alone.
import { html } from "/web/vendor/preact-htm.js";

const SUN = Array.from({ length: 20 }, (_, i) => {
  const r = i % 2 ? 9.6 : 12.4, a = (Math.PI * i) / 10;
  return `${i ? "L" : "M"}${(r * Math.sin(a)).toFixed(1)},${(-r * Math.cos(a)).toFixed(1)}`;
}).join("") + "Z";
const SHAPES = {
  yellow: SUN,
  blue: "M0,-12.5 C3.5,-7 10.5,-3 10.5,3 A10.5,9.5 0 0 1 -10.5,3 C-10.5,-3 -3.5,-7 0,-12.5Z",
  green: "M-11,-11 H0 A11,11 0 0 1 11,0 V11 H0 A11,11 0 0 1 -11,0 Z",
  orange: "M0,-11.5 A11.5,11.5 0 1 1 -0.1,-11.5Z",
  purple: "M-6.5,-11 H6.5 L12.5,0 L6.5,11 H-6.5 L-12.5,0 Z",
  black: "M-11,-7 A4,4 0 0 1 -7,-11 H7 A4,4 0 0 1 11,-7 V7 A4,4 0 0 1 7,11 H-7 A4,4 0 0 1 -11,7 Z",
};
const CROSS = "M-5.2,-4.8 C-2,-2.4 2.6,2.4 5.2,5 M5.4,-5 C2,-1.6 -2.2,2 -5.2,5.2";

export function Emblem({ area }) {
  return html`<svg class="emblem area-${area}" viewBox="-13 -13 26 26" aria-hidden="true"><path class="shape" d=${SHAPES[area]} /></svg>`;
}

/** A bonus: its sign, and in words for who cannot see it. */
export function Bonus({ bonus, t, class: extra = "" }) {
  const words = t(`bonus.${bonus}`), [area, sign] = bonus.split("_");
  return html`<svg class=${`bonus area-${area} ${extra}`} viewBox="-13 -13 26 26" role="img" aria-label=${words}>
    <title>${words}</title>${picture(bonus, area, sign)}</svg>`;
}

function picture(bonus, area, sign) {
  if (bonus === "fox") return fox();
  if (bonus === "reroll") return html`<path class="shape" d=${SHAPES.black} />
    <path class="line" d="M6,-2.5 A6.3,6.3 0 1 0 6.2,2.4" /><path class="solid" d="M7.6,-6.8 V-0.6 H1.6 Z" />`;
  if (bonus === "extra") return html`<path class="shape" d=${SHAPES.orange} /><text class="sign" y="0.5">+1</text>`;
  if (bonus === "black") return html`<path class="shape" d=${SHAPES.black} /><path class="line" d=${CROSS} transform="translate(-4.6 0) scale(0.66)" />
    <text class="sign small" x="5.2" y="0.5">6</text>`;
  const down = area === "blue" ? 2 : 0;
  return html`<path class="shape" d=${SHAPES[area]} />
    ${sign === "x" ? html`<path class="line" d=${CROSS} transform=${`translate(0 ${down})`} />` : html`<text class="sign" y=${down + 0.5}>${sign}</text>`}`;
}

const fox = () => html`<path class="fox-fur" d="M-11.5,-11.5 L-4,-6.5 H4 L11.5,-11.5 L11,0.5 L0,12 L-11,0.5 Z" />
  <path class="fox-cheek" d="M-11,0.5 L-3.4,2.2 L0,12 Z M11,0.5 L3.4,2.2 L0,12 Z" />
  <circle class="fox-eye" cx="-4.4" cy="-1.6" r="1.5" /><circle class="fox-eye" cx="4.4" cy="-1.6" r="1.5" /><circle class="fox-eye" cx="0" cy="10.4" r="1.7" />`;

/** The pen's cross in a cell. */
export const Cross = () => html`<svg class="cross" viewBox="-8 -8 16 16" aria-hidden="true"><path d=${CROSS} /></svg>`;

const PIPS = { 1: [4], 2: [2, 6], 3: [2, 4, 6], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

/** The picture of a die; blank before it is rolled. */
export function Face({ die, face }) {
  return html`<svg class="face die-${die}" viewBox="0 0 48 48" aria-hidden="true">
    <rect class="body" x="2" y="2" width="44" height="44" rx="11" /><rect class="shine" x="5" y="4.5" width="38" height="20" rx="9" />
    ${(PIPS[face] ?? []).map((at) => html`<circle class="pip" cx=${12.5 + 11.5 * (at % 3)} cy=${12.5 + 11.5 * Math.floor(at / 3)} r="4.3" />`)}</svg>`;
}
