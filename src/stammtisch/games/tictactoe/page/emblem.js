// The picture of Tic-Tac-Toe in the lobby.

import { html } from "/web/vendor/preact-htm.js";

export const Emblem = () => html`
  <path d="M38 12v56M58 12v56M20 30h56M20 50h56" stroke="var(--ink)" stroke-width="2.4" stroke-linecap="round" />
  <path d="M23 15l12 12M35 15L23 27M61 53l12 12M73 53L61 65" stroke="var(--seat-0)" stroke-width="4" stroke-linecap="round" />
  <circle cx="48" cy="40" r="7" fill="none" stroke="var(--seat-3)" stroke-width="4" />`;
