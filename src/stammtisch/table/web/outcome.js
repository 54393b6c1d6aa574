// Who has won, in words.

import { prefs } from "./prefs.js";
import { t } from "./texts.js";

/** Points as people count them: decimals behind whole points only break ties; those of a chance to win count. */
export const points = (score) =>
  Math.abs(score) > 1 ? String(Math.trunc(score)) : score.toLocaleString(prefs.lang, { maximumFractionDigits: 2 });

/** What a search expects, with its unit: per cent of a chance to win, or points. */
export function estimate(value, unit = "chance") {
  if (unit === "chance") return t("value.chance", { n: Math.round(100 * value) });
  const n = Number(value.toFixed(Math.abs(value) < 10 ? 1 : 0)).toLocaleString(prefs.lang);
  return t("value.points", { n });
}

/** How well somebody has decided, in per cent: 100 where nothing was lost, nothing for a decision that is a blunder. */
export function accuracy(rows, seat, slips) {
  const losses = rows.filter((row) => row?.seat === seat && row.loss !== null && row.loss !== undefined).map((row) => row.loss);
  return losses.length ? Math.round((100 * losses.reduce((sum, loss) => sum + 1 - Math.min(1, loss / slips[2]), 0)) / losses.length) : null;
}

/** The sides with the best score, as lists of seats. */
export function winners(scores, sides) {
  const of = (side) => Math.max(...side.map((seat) => scores[seat]));
  const best = Math.max(...sides.map(of));
  return sides.filter((side) => of(side) === best);
}

/** One sentence for somebody on a seat (null: a spectator) about a game that is over. */
export function verdict(scores, sides, names, seat) {
  if (sides.length === 1) return t("result.points", { points: points(scores[sides[0][0]]) });
  const best = winners(scores, sides);
  if (best.length === sides.length) return t("result.draw");
  const won = best.some((side) => side.includes(seat));
  if (seat !== null && won) return t(best.length > 1 ? "result.share" : "result.win");
  const who = best.map((side) => side.map((one) => names[one]).join(" & ")).join(", ");
  return seat === null ? t("result.won", { who }) : t("result.lose", { who });
}
