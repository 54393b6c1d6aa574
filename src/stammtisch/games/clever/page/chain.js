// What a sheet is worth, and what one more entry would set off: shown before it is chosen, judged by the server.
import {
  AREAS, AREA_OF, BLUE_LINES, BLUE_POINTS, BONUS, COLUMN_POINTS, FACTORS, GREEN_POINTS, TRACK, YELLOW, YELLOW_LINES,
} from "./facts.js";

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const crossed = (sheet, cell) => YELLOW[cell] === 0 || sheet.yellow.includes(cell);

export function lineDone(sheet, line) {
  const has = line.spot[0] === "y" ? (cell) => crossed(sheet, cell) : (cell) => sheet.blue.includes(cell);
  return line.cells.every(has);
}

export function areaPoints(sheet, prototype) {
  const columns = YELLOW_LINES.filter((line) => line.spot[1] === "c" || (prototype && line.spot[1] === "r"));
  return {
    yellow: sum(columns.map((line) => (lineDone(sheet, line) ? COLUMN_POINTS[+line.spot[2]] : 0))),
    blue: BLUE_POINTS[sheet.blue.length],
    green: GREEN_POINTS[sheet.green],
    orange: sum(sheet.orange.map((n, i) => n * FACTORS[i])),
    purple: sum(sheet.purple),
  };
}

/** The points of the areas, the worth of a fox, and the total. */
export function count(sheet, prototype) {
  const areas = areaPoints(sheet, prototype);
  const fox = Math.min(...AREAS.map((area) => areas[area]));
  return { areas, fox, total: sum(AREAS.map((area) => areas[area])) + sheet.foxes * fox };
}

export const filled = (sheet, area) => (area === "green" ? sheet.green : sheet[area].length);

/** The sheet with one more entry, the bonuses it earns, and the places where they are printed. */
function enter(sheet, cell, number, prototype) {
  const area = AREA_OF[cell[0]], n = +cell.slice(1);
  if (area === "yellow" || area === "blue") {
    const after = { ...sheet, [area]: [...sheet[area], n] };
    const lines = (area === "yellow" ? YELLOW_LINES : BLUE_LINES).filter((line) => line.cells.includes(n) && lineDone(after, line));
    const earned = prototype ? [] : lines.filter((line) => line.bonus).map((line) => line.bonus);
    return { after, earned, spots: lines.filter((line) => !prototype || line.spot !== "yd").map((line) => line.spot) };
  }
  const after = { ...sheet, [area]: area === "green" ? sheet.green + 1 : [...sheet[area], number] };
  const bonus = BONUS[area][n - 1];
  return { after, earned: bonus ? [bonus] : [], spots: bonus ? [cell] : [] };
}

/** Where a bonus goes by itself: the cell and the number; null where the player chooses. */
function forced(sheet, bonus) {
  const [area, sign] = bonus.split("_");
  if (!["green", "orange", "purple"].includes(area)) return null;
  return { cell: `${area[0]}${filled(sheet, area) + 1}`, number: sign === "x" ? null : +sign };
}

const isFull = (sheet, area) => filled(sheet, area) === (area === "yellow" ? 12 : TRACK);

/**
 * What an entry brings: its points, then bonus after bonus as far as they lead without a choice.
 * steps: {bonus, points (null: nothing is entered), lost}; ghosts: cells that get filled on the way.
 */
export function preview(sheet, cell, number, prototype) {
  const worth = (s) => sum(Object.values(areaPoints(s, prototype)));
  const first = enter(sheet, cell, number, prototype);
  const found = { points: worth(first.after) - worth(sheet), more: 0, steps: [], ghosts: [], spots: [...first.spots] };
  let now = first.after;
  const open = [...first.earned];
  while (open.length) {
    const bonus = open.shift(), area = bonus.split("_")[0];
    const lost = AREAS.includes(area) && isFull(now, area);
    const next = lost ? null : forced(now, bonus);
    if (!next) {
      found.steps.push({ bonus, points: null, lost });
      continue;
    }
    const entry = enter(now, next.cell, next.number, prototype);
    const points = worth(entry.after) - worth(now);
    found.steps.push({ bonus, points, lost: false });
    found.ghosts.push({ cell: next.cell, text: next.number });
    found.spots.push(...entry.spots);
    found.more += points;
    open.unshift(...entry.earned);
    now = entry.after;
  }
  return found;
}
