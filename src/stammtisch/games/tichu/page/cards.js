// The cards, drawn: a hundred wide, a hundred and forty high.

import { html } from "/web/vendor/preact-htm.js";
import { cardWords, isSpecial, letterOf, valueOf } from "./words.js";

/* The four signs in a box of 24. */
const SIGNS = {
  S: html`<path d="M12 .8 14.2 4.6V14H9.8V4.6Z" /><path d="M5.6 13.4h12.8v2.7H5.6z" /><path d="M10.8 16h2.4v4h-2.4z" /><circle cx="12" cy="21.4" r="2" />`,
  B: html`<path d="M11.4.5h1.2v2.6c2 2.3 4.7 3.8 8.2 4.3l-1.3 2.2h-15L3.2 7.4c3.5-.5 6.2-2 8.2-4.3Z" /><path d="M7 10.2h10v2.2c1.5 1.7 3.5 2.8 6 3.3l-1.3 2.2H2.3L1 15.7c2.5-.5 4.5-1.6 6-3.3Z" /><path fill-rule="evenodd" d="M5.5 18.7h13V23h-13zM10.3 23v-2a1.7 1.7 0 0 1 3.4 0v2Z" />`,
  G: html`<path fill-rule="evenodd" d="M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22Zm0 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 1.6a6.4 6.4 0 1 1 0 12.8 6.4 6.4 0 0 1 0-12.8Zm-2.3 4.1v4.6h4.6V9.7Z" />`,
  R: html`<path d="m12 .8 3.2 7.5 8.2.7-6.2 5.4 1.9 8L12 18.2 4.9 22.4l1.9-8L.6 9l8.2-.7Z" />`,
};

/* The four that break the rules, in a box of 100. */
const DRAWINGS = {
  Ma: html`
    <rect x="26" y="12" width="56" height="78" rx="8" fill="#2f7a55" />
    <rect x="20" y="8" width="56" height="78" rx="8" fill="#fffdf4" stroke="#5c4a2a" stroke-width="3" />
    <circle cx="48" cy="47" r="22" fill="none" stroke="#2f7a55" stroke-width="5" />
    <circle cx="48" cy="47" r="14" fill="#b3312a" />
    ${[0, 60, 120, 180, 240, 300].map((turn) => html`<ellipse cx="48" cy="39" rx="2.6" ry="5.5" fill="#fffdf4" transform=${`rotate(${turn} 48 47)`} />`)}`,
  Hu: html`
    <path d="M26 30C10 24 4 44 9 68c8 4 17-2 19-16Z" fill="#6d4526" />
    <path d="M74 30c16-6 22 14 17 38-8 4-17-2-19-16Z" fill="#6d4526" />
    <path d="M50 14c20 0 29 14 28 32-1 22-12 42-28 42S23 68 22 46C21 28 30 14 50 14Z" fill="#c08a52" />
    <path d="M50 14c6 0 8 14 7 30 9 4 14 12 12 24-2 12-9 20-19 20s-17-8-19-20c-2-12 3-20 12-24-1-16 1-30 7-30Z" fill="#f3e3c9" />
    <circle cx="34" cy="42" r="4.5" fill="#2a1c10" /><circle cx="66" cy="42" r="4.5" fill="#2a1c10" />
    <path d="M41 58h18c2 7-4 12-9 12s-11-5-9-12Z" fill="#2a1c10" />
    <path d="M50 70v6m-11 0c4 5 9 5 11 0 2 5 7 5 11 0" fill="none" stroke="#2a1c10" stroke-width="3" stroke-linecap="round" />`,
  Ph: html`
    <path d="M46 56C30 54 10 44 4 16c10 10 20 10 30 8-4 4-8 6-12 6 8 4 18 6 26 12Z" fill="#d8621a" />
    <path d="M54 56c16-2 36-12 42-40-10 10-20 10-30 8 4 4 8 6 12 6-8 4-18 6-26 12Z" fill="#d8621a" />
    <path d="M46 58C34 62 20 60 12 48c12 4 24 2 34-2Zm8 0c12 4 26 2 34-10-12 4-24 2-34-2Z" fill="#efa12b" />
    <path d="M48 62c-2 14-14 20-24 34 16-4 22-12 26-20 4 8 10 16 26 20-10-14-22-20-24-34Z" fill="#efa12b" />
    <path d="M48 62c0 14-4 22-1 36h6c3-14-1-22-1-36Z" fill="#b3312a" />
    <path d="M50 22c7 0 9 6 8 12-1 8 3 14 0 24-1 6-4 10-8 10s-7-4-8-10c-3-10 1-16 0-24-1-6 1-12 8-12Z" fill="#b3312a" />
    <path d="M50 24 44 6l5 8 1-12 1 12 5-8Z" fill="#efa12b" />
    <path d="m47 36 3 7 3-7Z" fill="#f8d98a" /><circle cx="46.5" cy="31" r="1.8" fill="#fff6e0" /><circle cx="53.5" cy="31" r="1.8" fill="#fff6e0" />`,
  Dr: html`
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">
      <path d="M14 78c4 16 26 20 44 14 24-8 26-30 4-34-24-4-34-12-26-26 4-7 12-9 20-9" stroke="#1c5a41" stroke-width="17" />
      <path d="M14 78c4 16 26 20 44 14 24-8 26-30 4-34-24-4-34-12-26-26 4-7 12-9 20-9" stroke="#37946b" stroke-width="11" />
      <path d="M22 90c10 6 24 5 35 0 20-9 20-24 2-28-22-4-36-14-30-28" stroke="#f0d79a" stroke-width="3" stroke-dasharray="1 6" />
    </g>
    <path d="M14 82 2 66l8 2 2-10 8 12Z" fill="#b3312a" />
    <path d="m30 26-10-6 2 11-9 3 10 6Zm-2 28-11 2 7 8-4 9 11-4Zm52 6 10-6-1 11 9 4-10 5Z" fill="#b3312a" />
    <path d="M46 14c10-7 24-6 32 1l16 7c3 6-1 11-8 11l-16 1c3 4 9 5 15 4-4 8-16 10-26 5-10-4-16-12-16-19Z" fill="#37946b" stroke="#1c5a41" stroke-width="3" />
    <path d="M54 12C50 4 42 2 34 4c6 2 8 6 9 12Zm12-2C64 2 58-1 52 0c4 3 5 6 5 11Z" fill="#efa12b" />
    <circle cx="66" cy="21" r="4" fill="#fff6e0" /><circle cx="67.5" cy="21" r="2" fill="#2a1c10" />
    <path d="M86 34c6 2 8 8 6 15M80 35c3 3 4 9 1 14" fill="none" stroke="#b3312a" stroke-width="2.6" stroke-linecap="round" />`,
};

/** A crown of one, two or three points marks jack, queen and king, a ring the ace. */
const COURTS = {
  11: html`<path d="m32 50 7-13 7 5 4-16 4 16 7-5 7 13Z" />`,
  12: html`<path d="M34 50 32 30l11 9 7-13 7 13 11-9-2 20Z" />`,
  13: html`<path d="M32 50 26 28l12 9 3-13 9 11 9-11 3 13 12-9-6 22Z" /><path d="M32 53h36v4H32z" />`,
};

function Suited({ card, t }) {
  const value = valueOf(card);
  const letter = letterOf(value, t);
  const court = COURTS[value];
  const size = court ? 36 : 42;
  const corner = html`
    <text x="7" y="33" class=${letter.length > 1 ? "index two" : "index"}>${letter}</text>
    <svg x="8" y="39" width="22" height="22" viewBox="0 0 24 24">${SIGNS[card[0]]}</svg>`;
  return html`<g class=${`suit-${card[0]}`}>
    ${corner}
    <g class="far" transform="rotate(180 50 70)">${corner}</g>
    ${value === 14 && html`<circle cx="54" cy="70" r="31" class="ring" />`}
    ${court && html`<g class="crown" transform="translate(4 4)">${court}</g>`}
    <svg x=${54 - size / 2} y=${(court ? 84 : 70) - size / 2} width=${size} height=${size} viewBox="0 0 24 24">${SIGNS[card[0]]}</svg>
  </g>`;
}

function Special({ card }) {
  return html`<g class=${`special-${card}`}>
    ${card === "Ma" && html`<text x="8" y="33" class="index">1</text>`}
    <svg x="5" y=${card === "Ma" ? 38 : 8} width="31" height="31" viewBox="-2 -2 104 104">${DRAWINGS[card]}</svg>
    <svg x="21" y="46" width="74" height="74" viewBox="-2 -2 104 104">${DRAWINGS[card]}</svg>
  </g>`;
}

/** The face of a card; `card` null is a back. */
export function Card({ card, t }) {
  if (!card) return html`<span class="card back" aria-hidden="true"></span>`;
  return html`<svg class="card" viewBox="0 0 100 140" role="img" aria-label=${cardWords(card, t)}>
    <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
    ${isSpecial(card) ? html`<${Special} card=${card} />` : html`<${Suited} card=${card} t=${t} />`}
  </svg>`;
}

/** Cards side by side, closer when there is little room. */
export function Row({ cards, t, marked = [] }) {
  return html`<span class="row-of-cards">
    ${cards.map((card, i) => html`<span key=${card ?? i} class=${marked.includes(card) ? "place marked" : "place"}><${Card} card=${card} t=${t} /></span>`)}
  </span>`;
}
