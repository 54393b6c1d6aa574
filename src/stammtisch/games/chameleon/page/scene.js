/** The layers of the picture, from the wood up to the invisible squares that take clicks and keys. */

import { html } from "/web/vendor/preact-htm.js";
import { Figure, Pawn, Sign } from "./figures.js";
import { SEATS, SIZE, SQUARES, colourOf, inLimits, roleOn, seen, sideOf, squareAt } from "./layout.js";
import { squareLabel } from "./words.js";

const RIM = 38;
const STEP = 100;
export const WIDTH = SIZE * STEP + 2 * RIM;

/** The corner of a square on the picture. */
function corner(square, facing) {
  const [row, column] = seen(square, facing);
  return [RIM + column * STEP, RIM + row * STEP];
}

function centre(square, facing) {
  return corner(square, facing).map((edge) => edge + STEP / 2);
}

/** The square under a point of the picture, or null. */
/** @param {number[]} at */
export function squareUnder([x, y], facing) {
  return squareAt(Math.floor((y - RIM) / STEP), Math.floor((x - RIM) / STEP), facing);
}

/** Row digits are written "4·" and column digits "·6", as they come in a square's name on a turned board too. */
export function Rim({ facing, line_up, alive }) {
  const turned = facing % 2 === 1;
  const labels = [...Array(SIZE).keys()].flatMap((line) => {
    const beside = squareAt(line, 0, facing);
    const below = squareAt(SIZE - 1, line, facing);
    const middle = RIM + line * STEP + STEP / 2;
    return [
      html`<text x=${RIM / 2 + 3} y=${middle}>${turned ? `·${beside[1]}` : `${beside[0]}·`}</text>`,
      html`<text x=${middle} y=${WIDTH - RIM / 2 - 3}>${turned ? `${below[0]}·` : `·${below[1]}`}</text>`,
    ];
  });
  return html`<g class="rim" aria-hidden="true">
    <rect class="wood" x="0" y="0" width=${WIDTH} height=${WIDTH} rx="16" />
    ${SEATS.filter((seat) => line_up.includes(seat)).map(
      (seat) => html`<rect
        class="home seat-${seat} ${alive.includes(seat) ? "" : "out"}"
        x=${RIM} y=${WIDTH - 10} width=${SIZE * STEP} height="6" rx="3"
        transform="rotate(${-90 * sideOf(seat, facing)} ${WIDTH / 2} ${WIDTH / 2})"
      />`,
    )}
    <g class="coordinates">${labels}</g>
  </g>`;
}

/** The printed squares; those outside `limits` are gone, those outside `next` would go with the move in question. */
export function Ground({ facing, limits, next }) {
  return html`<g class="ground" aria-hidden="true">
    ${SQUARES.map((square) => {
      const [x, y] = corner(square, facing);
      const colour = colourOf(square);
      const gone = !inLimits(square, limits);
      const going = !gone && next && !inLimits(square, next);
      return html`<g key=${square} class="field colour-${colour} ${gone ? "gone" : ""} ${going ? "going" : ""}">
        <rect class="hole" x=${x} y=${y} width=${STEP} height=${STEP} />
        <g class="tile">
          <rect x=${x + 1} y=${y + 1} width=${STEP - 2} height=${STEP - 2} rx="7" />
          <g transform="translate(${x + 15} ${y + 15})"><${Sign} colour=${colour} size="17" /></g>
        </g>
        <path class="hatch" d=${`M${x + 8} ${y + 8}l84 84m0-84l-84 84`} />
      </g>`;
    })}
  </g>`;
}

/** The frame around the squares that are still in play. */
export function Fence({ facing, limits: [top, bottom, left, right] }) {
  const corners = [corner(`${top}${left}`, facing), corner(`${bottom}${right}`, facing)];
  const [x, y] = [0, 1].map((axis) => Math.min(corners[0][axis], corners[1][axis]));
  const [width, height] = [0, 1].map((axis) => Math.abs(corners[0][axis] - corners[1][axis]) + STEP);
  return html`<rect class="fence" x=${x - 2} y=${y - 2} width=${width + 4} height=${height + 4} rx="9" />`;
}

function Frame({ name, square, facing }) {
  const [x, y] = corner(square, facing);
  return html`<rect class=${name} x=${x + 5} y=${y + 5} width=${STEP - 10} height=${STEP - 10} rx="6" />`;
}

export function Chosen({ square, facing }) {
  return html`<${Frame} name="chosen" square=${square} facing=${facing} />`;
}

/** The last move: a dashed frame where the pawn came from, a full one where it went. */
export function LastMove({ move, facing }) {
  const [from, to] = move.split(">");
  return html`<g class="last" aria-hidden="true">
    <${Frame} name="from" square=${from} facing=${facing} /><${Frame} name="to" square=${to} facing=${facing} />
  </g>`;
}

/** A pawn on its square, or at a point while it is dragged. */
export function Standing({ pawn, facing, at, state }) {
  const [x, y] = at ?? centre(pawn.square, facing);
  return html`<g class="standing ${state}" style=${{ transform: `translate(${x}px, ${y}px)` }}>
    <g class="lift"><${Pawn} ...${pawn} /></g>
  </g>`;
}

const CLAWS = "M-43-24V-43H-24M24 43H43V24M-43 24V43H-24M24-43H43V-24";

/** A legal target: what the pawn would be there; a ring and a corner instead of the middle if it takes somebody. */
export function Target({ facing, square, role, takes, lost, looked }) {
  const [x, y] = centre(square, facing);
  const [dx, dy] = takes ? [27, -27] : [0, 0];
  return html`<g class="target ${takes ? "takes" : ""} ${looked ? "looked" : ""}" transform="translate(${x} ${y})">
    ${takes && html`<path class="claws casing" d=${CLAWS} /><path class="claws" d=${CLAWS} />`}
    <g transform="translate(${dx} ${dy})">
      <circle r=${takes ? 20 : 29} />
      <${Figure} role=${role} size=${takes ? 29 : 42} />
      ${lost && html`<path class="lost" transform="scale(${takes ? 0.65 : 1})" d="M-22-22L22 22M22-22L-22 22" />`}
    </g>
  </g>`;
}

/** A cross over a pawn that would leave the game although nobody takes it. */
export function Leaving({ facing, square }) {
  const [x, y] = centre(square, facing);
  return html`<path class="leaving" transform="translate(${x} ${y})" d="M-34-34L34 34M34-34L-34 34" />`;
}

/** An arrow for a move that somebody points at, with what the pawn becomes. */
export function Arrow({ move, pawn, facing }) {
  const [from, to] = move.split(">");
  const [[x1, y1], [x2, y2]] = [centre(from, facing), centre(to, facing)];
  const length = Math.hypot(x2 - x1, y2 - y1);
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const tip = length - 18;
  return html`<g class="arrow" aria-hidden="true">
    <path transform="translate(${x1} ${y1}) rotate(${angle})"
      d=${`M20-7H${tip - 26}V-21L${tip} 0 ${tip - 26} 21V7H20Q13 0 20-7Z`} />
    ${pawn && html`<g transform="translate(${x2 + 27} ${y2 - 27})">
      <circle r="21" /><${Figure} role=${roleOn(pawn.knight, colourOf(to))} size="30" />
    </g>`}
  </g>`;
}

/** What takes clicks, keys and the focus: every square in play, in reading order. */
export function Touch({ facing, limits, pawns, targets, movable, selected, t }) {
  const reading = SQUARES.map((_, n) => squareAt(Math.floor(n / SIZE), n % SIZE, facing));
  return reading.filter((square) => inLimits(square, limits)).map((square) => {
    const [x, y] = corner(square, facing);
    const target = targets.get(square);
    const active = Boolean(target) || movable.has(square);
    const pawn = pawns.find((one) => one.square === square);
    return html`<rect key=${square} class="touch ${target ? "aim" : movable.has(square) ? "grab" : ""}"
      data-square=${square} data-move=${target?.move} x=${x} y=${y} width=${STEP} height=${STEP} rx="8"
      role=${active ? "button" : "img"} tabindex=${active ? 0 : -1} aria-label=${squareLabel(square, pawn, target, t)}
      aria-pressed=${movable.has(square) ? String(square === selected) : undefined} />`;
  });
}
