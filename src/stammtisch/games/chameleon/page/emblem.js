// The picture of Chamäleon Schach in the lobby: two pawns on coloured squares.

import { pin } from "/web/emblem.js";
import { html } from "/web/vendor/preact-htm.js";

export const Emblem = () => html`
  ${Array.from({ length: 16 }, (_, i) => html`<rect x=${20 + (i % 4) * 14} y=${12 + Math.floor(i / 4) * 14} width="14" height="14" fill=${`var(--seat-${(i + (i >> 2)) % 4})`} opacity="0.55" />`)}
  <rect x="20" y="12" width="56" height="56" fill="none" stroke="var(--ink)" stroke-width="1.6" />
  ${pin(41, 48, 0, 1.3)} ${pin(62, 31, 3, 1.3)}`;
