// A small picture for every game in the lobby, drawn by the game itself in 96 x 80; and what several of them draw with.

import { html, useEffect, useState } from "./vendor/preact-htm.js";

export const card = (x, y, turn, inner) => html`
  <g transform=${`rotate(${turn} ${x + 14} ${y + 20})`}>
    <rect x=${x} y=${y} width="28" height="40" rx="4" fill="var(--card)" stroke="var(--ink)" stroke-width="1.6" />${inner}
  </g>`;

export const die = (x, y, size, fill, pips) => html`
  <rect x=${x} y=${y} width=${size} height=${size} rx=${size / 5} fill=${fill} stroke="var(--ink)" stroke-width="1.6" />
  ${pips.map(([dx, dy]) => html`<circle cx=${x + dx * size} cy=${y + dy * size} r=${size / 10} fill=${fill === "var(--card)" ? "var(--card-ink)" : "#fff"} />`)}`;

export const pin = (x, y, seat, size = 1) => html`
  <g transform=${`translate(${x} ${y}) scale(${size})`}>
    <path d="M-7 10Q-6 1 -3 -3A5.4 5.4 0 1 1 3 -3Q6 1 7 10Z" fill=${`var(--seat-${seat})`} stroke="var(--ink)" stroke-width="1.6" />
  </g>`;

export const FIVE = [[0.26, 0.26], [0.74, 0.26], [0.5, 0.5], [0.26, 0.74], [0.74, 0.74]];
export const THREE = [[0.26, 0.26], [0.5, 0.5], [0.74, 0.74]];

/** A game without a picture shows its first letter. */
const Letter = ({ title }) => html`
  <circle cx="48" cy="40" r="29" fill="var(--card)" stroke="var(--ink)" stroke-width="2.4" />
  <text x="48" y="52" text-anchor="middle" font-size="34" font-weight="700" fill="var(--card-ink)">${title[0]}</text>`;

export function Emblem({ offer }) {
  const own = offer.files.includes("emblem.js");
  const [found, setFound] = useState({ Picture: own ? null : Letter });
  useEffect(() => {
    if (own) import(`/web/games/${offer.name}/emblem.js`).then((module) => setFound({ Picture: module.Emblem }));
  }, [offer]);
  return html`<svg class="emblem" viewBox="0 0 96 80" aria-hidden="true">${found.Picture && html`<${found.Picture} name=${offer.name} title=${offer.title} />`}</svg>`;
}
