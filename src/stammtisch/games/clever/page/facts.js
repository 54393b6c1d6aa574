// What is printed on the sheet: numbers, points, and which bonus stands where.

export const DICE = ["W", "Y", "B", "G", "O", "P"];
export const AREAS = ["yellow", "blue", "green", "orange", "purple"];
export const AREA_OF = { y: "yellow", b: "blue", g: "green", o: "orange", p: "purple" };
export const DIE_AREA = { W: "white", Y: "yellow", B: "blue", G: "green", O: "orange", P: "purple" };
export const TRACK = 11;

export const YELLOW = [3, 6, 5, 0, 2, 1, 0, 5, 1, 0, 2, 4, 0, 3, 4, 6]; // 0: a printed cross
export const COLUMN_POINTS = [10, 14, 16, 20];
export const BLUE_POINTS = [0, 1, 2, 4, 7, 11, 16, 22, 29, 37, 46, 56];
export const GREEN_LEAST = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6];
export const GREEN_POINTS = [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66];
export const FACTORS = [1, 1, 1, 2, 1, 1, 2, 1, 2, 1, 3];

export const BONUS = {
  yellowRows: ["blue_x", "orange_4", "green_x", "fox"],
  diagonal: "extra",
  blueRows: ["orange_5", "yellow_x", "fox"],
  blueColumns: ["reroll", "green_x", "purple_6", "extra"],
  green: [null, null, null, "extra", null, "blue_x", "fox", null, "purple_6", "reroll", null],
  orange: [null, null, "reroll", null, "yellow_x", "extra", null, "fox", null, "purple_6", null],
  purple: [null, null, "reroll", "blue_x", "extra", "yellow_x", "fox", "reroll", "green_x", "orange_6", "extra"],
};
export const ROUND_BONUS = ["reroll", "extra", "reroll", "black", null, null];

const PROTOTYPE_ROUNDS = 10;
const ROUNDS = [0, 6, 6, 5, 4];

export const isPrototype = (view) => view.options.rules === "prototype";
export const roundsOf = (view) => (isPrototype(view) ? PROTOTYPE_ROUNDS : ROUNDS[view.sheets.length]);

/** The lines of cells that earn something when they are full: where the reward is printed, its cells, the bonus. */
export const YELLOW_LINES = [
  ...BONUS.yellowRows.map((bonus, row) => ({ spot: `yr${row}`, cells: [0, 1, 2, 3].map((c) => 4 * row + c), bonus })),
  ...COLUMN_POINTS.map((points, c) => ({ spot: `yc${c}`, cells: [0, 1, 2, 3].map((row) => 4 * row + c), bonus: null })),
  { spot: "yd", cells: [0, 5, 10, 15], bonus: BONUS.diagonal },
];
export const BLUE_LINES = [
  ...BONUS.blueRows.map((bonus, row) => ({ spot: `br${row}`, cells: blueCells((n) => Math.floor((n - 1) / 4) === row), bonus })),
  ...BONUS.blueColumns.map((bonus, c) => ({ spot: `bc${c}`, cells: blueCells((n) => (n - 1) % 4 === c), bonus })),
];

function blueCells(test) {
  return [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].filter(test);
}
