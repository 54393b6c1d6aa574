// The board of a game that has none of its own: the position as text, and the moves as buttons.

import { html } from "/web/vendor/preact-htm.js";

/** @param {import("/web/board.js").BoardProps} props */
export function Board({ view, moves, play }) {
  const { game, options, player, phase, picture, ...rest } = view;
  return html`
    <div class="any">
      <pre>${picture ?? JSON.stringify(rest, null, 1)}</pre>
      <div class="any-moves">
        ${(moves || []).map(({ move, comment }) => html`<button data-move=${move} title=${comment} onClick=${() => play(move)}>${move}</button>`)}
      </div>
    </div>`;
}

/** @type {import("/web/board.js").Say} */
export const say = ({ move, comment }) => [move, comment].filter(Boolean).join(" · ");
