// Moves as text, taken apart, and told in words.
import { AREA_OF, DICE, DIE_AREA, YELLOW, isPrototype } from "./facts.js";

const ENTRY = /^(\+?)([WYBGOP])>([ybgop]\d+)$/;
const BONUS = /^\*(\w+)>(\w+)$/;

/** {text, kind: "die" | "extra" | "bonus" | "decline" | "word", source: a die or a bonus, cell} */
export function parse(text) {
  const entry = ENTRY.exec(text ?? "");
  if (entry) return { text, kind: entry[1] ? "extra" : "die", source: entry[2], cell: entry[3] };
  const bonus = BONUS.exec(text ?? "");
  if (bonus && bonus[2] === "none") return { text, kind: "decline", source: bonus[1], cell: null };
  if (bonus) return { text, kind: "bonus", source: bonus[1], cell: bonus[2] };
  return { text, kind: "word", source: null, cell: null };
}

/** All entries that can be made, one for each die or bonus and cell. In the prototype any die of the number will do. */
export function entriesOf(moves, view) {
  const entries = moves.map((one) => ({ ...parse(one.move), comment: one.comment })).filter((one) => one.cell);
  if (!isPrototype(view)) return entries;
  return entries.flatMap((one) => diceOfCell(view, one.cell).map((source) => ({ ...one, source })));
}

export const diceOfCell = (view, cell) => DICE.filter((die) => view.dice[die] === YELLOW[+cell.slice(1)]);

/** What an entry writes: the face of the die, or the number of the bonus. */
export function numberOf(entry, view) {
  return entry.kind === "bonus" ? +entry.source.split("_")[1] || 6 : view.dice[entry.source];
}

const GONE = /((?:[WYBGOP] )+)to the tray/;

/** The dice that an entry sends to the tray. */
export function lostDice(entry, view) {
  if (entry.kind !== "die" || view.phase !== "active" || isPrototype(view)) return [];
  const pool = DICE.filter((die) => view.place[die] === "pool" && die !== entry.source);
  return view.roll === 3 ? pool : (GONE.exec(entry.comment)?.[1].trim().split(" ") ?? []);
}

export function cellName(cell, t) {
  const area = AREA_OF[cell[0]], n = +cell.slice(1);
  if (area === "yellow") return t("cell.yellow", { n: YELLOW[n], row: Math.floor(n / 4) + 1 });
  return area === "blue" ? t("cell.blue", { n }) : t("cell.track", { area: t(`area.${area}`), n });
}

/** What happened, from the comment of the move: points, bonuses, dice on the tray. */
function gains(comment, t) {
  return (comment || "").split(", ").filter(Boolean).map((part) => {
    const points = /^(\d+) points?$/.exec(part), gone = GONE.exec(part);
    if (points) return t(points[1] === "1" ? "say.point" : "say.points", { n: points[1] });
    if (gone) return t("say.gone", { dice: gone[1].trim().split(" ").map((die) => t(`die.${DIE_AREA[die]}`)).join(", ") });
    const own = { "a fox": "fox", "a re-roll": "reroll", "a +1": "extra" }[part];
    return t("say.earns", { bonus: t(`bonus.${own ?? part.replace(" ", "_")}`) });
  });
}

/** A move in words, for the list of moves and for screen readers. */
/** @type {import("/web/board.js").Say} */
export function say(event, { t, view }) {
  const move = parse(event.move);
  if (move.kind === "word") return t(["reroll", "pass", "end"].includes(move.text) ? `say.${move.text}` : "say.hidden");
  if (move.kind === "decline") return t("say.decline", { bonus: t(`bonus.${move.source}`) });
  const place = cellName(move.cell, t);
  const values = { place, bonus: t(`bonus.${move.source}`), die: t(`the.${DIE_AREA[move.source]}`) };
  const what = t(view && isPrototype(view) ? "say.cross" : `say.${move.kind}`, values);
  const more = gains(event.comment, t);
  return more.length ? `${what} (${more.join("; ")})` : what;
}
