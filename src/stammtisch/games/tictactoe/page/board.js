import { html } from "/web/vendor/preact-htm.js";

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const MARKS = ["X", "O"];

/** Three equal marks in a row, or undefined. */
function winningLine(board) {
  return LINES.find(([a, b, c]) => board[a] !== "." && board[a] === board[b] && board[a] === board[c]);
}

/** One mark as a drawing; pathLength lets the style draw every stroke in the same time. */
function Mark({ mark, kind = "" }) {
  const strokes = mark === "X" ? ["M26 26L74 74", "M74 26L26 74"] : ["M50 23a27 27 0 1 1-.01 0"];
  return html`<svg class="mark ${mark.toLowerCase()} ${kind}" viewBox="0 0 100 100" aria-hidden="true">
    ${strokes.map((d) => html`<path d=${d} pathLength="1" />`)}
  </svg>`;
}

function place(t, square) {
  return t("place", { row: Math.floor(square / 3) + 1, column: (square % 3) + 1 });
}

/** A square. It stays focusable when it is taken, so that the keyboard does not lose its place. */
function Square({ square, props, winning }) {
  const { view, moves, last, marked, play, t } = props;
  const mark = view.board[square];
  const move = String(square);
  const legal = Boolean(moves?.some((m) => m.move === move));
  const label = `${place(t, square)}: ${mark === "." ? t("free") : mark}`;
  const classes = ["square", legal && "legal", winning && "winning", last?.move === move && mark !== "." && "last"];
  return html`<button
    type="button" class=${classes.filter(Boolean).join(" ")} data-square=${square} data-move=${legal ? move : undefined}
    aria-label=${label} aria-disabled=${String(!legal)} tabindex=${legal ? 0 : -1} onClick=${() => legal && play(move)}
  >
    ${mark !== "." && html`<${Mark} mark=${mark} />`}
    ${mark === "." && (legal || marked === move) &&
    html`<${Mark} mark=${MARKS[view.player]} kind=${marked === move ? "ghost shown" : "ghost"} />`}
  </button>`;
}

/** The arrow keys go from square to square. */
function walk(event) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  const here = event.target.closest("[data-square]");
  if (!step || !here) return;
  const [row, column] = [Math.floor(here.dataset.square / 3) + step[0], (here.dataset.square % 3) + step[1]];
  event.preventDefault();
  if (row >= 0 && row < 3 && column >= 0 && column < 3)
    event.currentTarget.querySelector(`[data-square="${3 * row + column}"]`).focus();
}

function status({ view, seat, players, t }, line) {
  if (line) {
    const winner = MARKS.indexOf(view.board[line[0]]);
    return winner === seat ? t("you-win") : t("wins", { name: players[winner].name, mark: MARKS[winner] });
  }
  if (view.player === null) return t("draw");
  if (view.player === seat) return t("your-turn", { mark: MARKS[seat] });
  return t("their-turn", { name: players[view.player].name, mark: MARKS[view.player] });
}

/** @param {import("/web/board.js").BoardProps} props */
export function Board(props) {
  const line = winningLine(props.view.board);
  return html`<div class="tictactoe ${props.animate ? "" : "calm"}">
    <div class="grid" role="group" aria-label=${props.t("board")} onKeyDown=${walk}>
      ${[...props.view.board].map(
        (_, square) => html`<${Square} key=${square} square=${square} props=${props} winning=${line?.includes(square)} />`,
      )}
    </div>
    <p class="status">${status(props, line)}</p>
  </div>`;
}

/** @type {import("/web/board.js").Say} */
export function say(event, { t }) {
  if (event.move === null) return t("hidden");
  return t("say", { mark: MARKS[event.seat], place: place(t, Number(event.move)) });
}
