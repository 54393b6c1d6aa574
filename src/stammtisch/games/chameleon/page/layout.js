/** The printed board and how it lies before the viewer. A square is its name in moves: row and column, such as "46". */

export const SIZE = 8;
export const SEATS = [0, 1, 2, 3];
export const TURN_ORDER = [0, 3, 2, 1];
export const ROLES = ["knight", "queen", "bishop", "rook"];
export const LETTERS = "RGYB";

const PRINTED = ["BRBYGRBY", "RGRBYGRB", "GYRGRBBY", "YBGYGRYG", "BRYBRBGR", "RGGYBYRB", "GYBRGYBY", "RGYBRGYG"];
const LINES = [...Array(SIZE).keys()];

export const SQUARES = LINES.flatMap((row) => LINES.map((column) => `${row}${column}`));

export function colourOf(square) {
  return LETTERS.indexOf(PRINTED[square[0]][square[1]]);
}

/** What a pawn with this knight colour is on a colour; the roles go round red, green, yellow, blue. */
export function roleOn(knight, colour) {
  return (colour - knight + 4) % 4;
}

/** The knight colour of a pawn that has this role on a colour. */
export function knightOf(role, colour) {
  return (colour - role + 4) % 4;
}

/** The pawns of a position with names for their parts. */
export function readPawns(view) {
  return view.pawns.map(([owner, knight, row, column]) => {
    const square = `${row}${column}`;
    return { id: `${owner}${knight}`, owner, knight, square, role: roleOn(knight, colourOf(square)) };
  });
}

export function inLimits(square, [top, bottom, left, right]) {
  return square[0] >= top && square[0] <= bottom && square[1] >= left && square[1] <= right;
}

/** Where a square lies, as row and column on the screen, when the side of `facing` is at the bottom. */
export function seen(square, facing) {
  const [row, column] = [Number(square[0]), Number(square[1])];
  const far = SIZE - 1;
  return [[row, column], [column, far - row], [far - row, far - column], [far - column, row]][facing];
}

/** The square at a row and column of the screen, or null beside the board. */
export function squareAt(row, column, facing) {
  if (Math.min(row, column) < 0 || Math.max(row, column) >= SIZE) return null;
  const [r, c] = seen(`${row}${column}`, (4 - facing) % 4);
  return `${r}${c}`;
}

/** The side of the screen where a player sits: 0 bottom, 1 right, 2 top, 3 left. */
export function sideOf(seat, facing) {
  return (seat - facing + 4) % 4;
}
