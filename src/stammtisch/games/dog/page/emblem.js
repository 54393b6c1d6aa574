// The pictures of the three pin games in the lobby: the track, and what moves the pins.

import { card, die, FIVE, pin } from "/web/emblem.js";
import { html } from "/web/vendor/preact-htm.js";

const TRACK = Array.from({ length: 16 }, (_, i) => [48 + 30 * Math.cos((2 * Math.PI * i) / 16), 40 + 30 * Math.sin((2 * Math.PI * i) / 16)]);

const INSIDE = {
  madn: () => html`${die(37, 29, 22, "var(--card)", FIVE)} ${pin(78, 34, 0, 0.9)}`,
  dmadn: () => html`
    ${[1, 2, 3].map((n) => html`<circle cx=${16 + n * 16} cy="40" r="7.5" fill="var(--accent)" /><text x=${16 + n * 16} y="44" text-anchor="middle" font-size="11" font-weight="700" fill="var(--accent-ink)">${n}</text>`)}`,
  dog: () => html`
    ${card(34, 20, -8, html`<text x="48" y="47" text-anchor="middle" font-size="20" font-weight="700" fill="var(--card-ink)">7</text>`)} ${pin(72, 58, 3, 0.9)}`,
};

export const Emblem = ({ name }) => html`
  ${TRACK.map(([x, y], i) => html`<circle cx=${x} cy=${y} r="4.6" fill=${i % 4 ? "var(--card)" : `var(--seat-${i / 4})`} stroke="var(--ink)" stroke-width="1.4" />`)}
  ${INSIDE[name]()}`;
