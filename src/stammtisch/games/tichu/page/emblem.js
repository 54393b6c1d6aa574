// Tichu's picture in the lobby: three cards.

import { card } from "/web/emblem.js";
import { html } from "/web/vendor/preact-htm.js";

export const Emblem = () => html`
  ${card(20, 20, -22, html`<circle cx="34" cy="40" r="7" fill="var(--seat-1)" />`)}
  ${card(34, 15, 0, html`<path d="M48 22l4 9 9 1-7 6 2 10-8-5-8 5 2-10-7-6 9-1z" fill="var(--seat-0)" />`)}
  ${card(48, 20, 22, html`<path d="M62 28c9 6 3 12 7 18-8 2-14-1-14-8 0-5 4-5 7-10z" fill="var(--seat-2)" stroke="var(--card-ink)" />`)}`;
