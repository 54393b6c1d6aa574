// The stones in a row; a click on one of the last three takes it and all behind it.

import { html } from "/web/vendor/preact-htm.js";

export function Board({ view, moves, play, t }) {
  const stones = Array.from({ length: view.stones }, (_, i) => {
    const move = String(view.stones - i);
    const legal = (moves ?? []).some((one) => one.move === move);
    return html`<button type="button" key=${i} data-move=${legal ? move : undefined} disabled=${!legal} aria-label=${t("take", { n: move })} onClick=${() => play(move)}></button>`;
  });
  return html`<div class="nim" role="group" aria-label=${t("board")}>${stones}</div>`;
}

export const say = ({ move }, { t }) => t("say", { n: move });
