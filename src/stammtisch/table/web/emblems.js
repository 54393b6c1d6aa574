// A small picture for every game in the lobby.

import { html } from "./vendor/preact-htm.js";

const card = (x, y, turn, inner) => html`
  <g transform=${`rotate(${turn} ${x + 14} ${y + 20})`}>
    <rect x=${x} y=${y} width="28" height="40" rx="4" fill="var(--card)" stroke="var(--ink)" stroke-width="1.6" />${inner}
  </g>`;

const die = (x, y, size, fill, pips) => html`
  <rect x=${x} y=${y} width=${size} height=${size} rx=${size / 5} fill=${fill} stroke="var(--ink)" stroke-width="1.6" />
  ${pips.map(([dx, dy]) => html`<circle cx=${x + dx * size} cy=${y + dy * size} r=${size / 10} fill=${fill === "var(--card)" ? "var(--card-ink)" : "#fff"} />`)}`;

const pin = (x, y, seat, size = 1) => html`
  <g transform=${`translate(${x} ${y}) scale(${size})`}>
    <path d="M-7 10Q-6 1 -3 -3A5.4 5.4 0 1 1 3 -3Q6 1 7 10Z" fill=${`var(--seat-${seat})`} stroke="var(--ink)" stroke-width="1.6" />
  </g>`;

const FIVE = [[0.26, 0.26], [0.74, 0.26], [0.5, 0.5], [0.26, 0.74], [0.74, 0.74]];
const THREE = [[0.26, 0.26], [0.5, 0.5], [0.74, 0.74]];

const ring = (n, r) => Array.from({ length: n }, (_, i) => [48 + r * Math.cos((2 * Math.PI * i) / n), 40 + r * Math.sin((2 * Math.PI * i) / n)]);

const PICTURES = {
  tichu: () => html`
    ${card(20, 20, -22, html`<circle cx="34" cy="40" r="7" fill="var(--seat-1)" />`)}
    ${card(34, 15, 0, html`<path d="M48 22l4 9 9 1-7 6 2 10-8-5-8 5 2-10-7-6 9-1z" fill="var(--seat-0)" />`)}
    ${card(48, 20, 22, html`<path d="M62 28c9 6 3 12 7 18-8 2-14-1-14-8 0-5 4-5 7-10z" fill="var(--seat-2)" stroke="var(--card-ink)" />`)}`,
  clever: () => html`
    ${die(16, 14, 26, "var(--seat-2)", THREE)} ${die(52, 12, 26, "var(--seat-3)", FIVE)}
    ${die(34, 44, 26, "var(--seat-1)", THREE)} ${die(66, 44, 22, "#8a4fa3", [[0.5, 0.5]])} ${die(8, 46, 20, "#e07b2c", FIVE)}`,
  chameleon: () => html`
    ${Array.from({ length: 16 }, (_, i) => html`<rect x=${20 + (i % 4) * 14} y=${12 + Math.floor(i / 4) * 14} width="14" height="14" fill=${`var(--seat-${(i + (i >> 2)) % 4})`} opacity="0.55" />`)}
    <rect x="20" y="12" width="56" height="56" fill="none" stroke="var(--ink)" stroke-width="1.6" />
    ${pin(41, 48, 0, 1.3)} ${pin(62, 31, 3, 1.3)}`,
  madn: () => html`
    ${ring(16, 30).map(([x, y], i) => html`<circle cx=${x} cy=${y} r="4.6" fill=${i % 4 ? "var(--card)" : `var(--seat-${i / 4})`} stroke="var(--ink)" stroke-width="1.4" />`)}
    ${die(37, 29, 22, "var(--card)", FIVE)} ${pin(78, 34, 0, 0.9)}`,
  dmadn: () => html`
    ${ring(16, 30).map(([x, y], i) => html`<circle cx=${x} cy=${y} r="4.6" fill=${i % 4 ? "var(--card)" : `var(--seat-${i / 4})`} stroke="var(--ink)" stroke-width="1.4" />`)}
    ${[1, 2, 3].map((n) => html`<circle cx=${32 + (n - 1) * 16} cy="40" r="7.5" fill="var(--accent)" /><text x=${32 + (n - 1) * 16} y="44" text-anchor="middle" font-size="11" font-weight="700" fill="var(--accent-ink)">${n}</text>`)}`,
  dog: () => html`
    ${ring(16, 30).map(([x, y], i) => html`<circle cx=${x} cy=${y} r="4.6" fill=${i % 4 ? "var(--card)" : `var(--seat-${i / 4})`} stroke="var(--ink)" stroke-width="1.4" />`)}
    ${card(34, 20, -8, html`<text x="48" y="47" text-anchor="middle" font-size="20" font-weight="700" fill="var(--card-ink)">7</text>`)} ${pin(72, 58, 3, 0.9)}`,
  tictactoe: () => html`
    <path d="M38 12v56M58 12v56M20 30h56M20 50h56" stroke="var(--ink)" stroke-width="2.4" stroke-linecap="round" />
    <path d="M23 15l12 12M35 15L23 27M61 53l12 12M73 53L61 65" stroke="var(--seat-0)" stroke-width="4" stroke-linecap="round" />
    <circle cx="48" cy="40" r="7" fill="none" stroke="var(--seat-3)" stroke-width="4" />`,
};

export function Emblem({ name }) {
  return html`<svg class="emblem" viewBox="0 0 96 80" aria-hidden="true">${(PICTURES[name] ?? PICTURES.tictactoe)()}</svg>`;
}
