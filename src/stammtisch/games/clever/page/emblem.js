// The picture of Ganz schön clever in the lobby: dice in its colours.

import { die, FIVE, THREE } from "/web/emblem.js";
import { html } from "/web/vendor/preact-htm.js";

export const Emblem = () => html`
  ${die(16, 14, 26, "var(--seat-2)", THREE)} ${die(52, 12, 26, "var(--seat-3)", FIVE)}
  ${die(34, 44, 26, "var(--seat-1)", THREE)} ${die(66, 44, 22, "#8a4fa3", [[0.5, 0.5]])} ${die(8, 46, 20, "#e07b2c", FIVE)}`;
