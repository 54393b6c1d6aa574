/** Moves in words. What a move does is in the server's comment: "now a queen, takes Gr, the board shrinks to ...". */

import { LETTERS, ROLES, SEATS, colourOf, knightOf, roleOn } from "./layout.js";

const COLOUR_WORDS = ["red", "green", "yellow", "blue"];

function pawnNamed(letters) {
  return { owner: LETTERS.indexOf(letters[0]), knight: LETTERS.indexOf(letters[1].toUpperCase()) };
}

/** A move and its comment as data; `role` and `becomes` are undefined when the comment does not tell. */
export function outcome(move, comment) {
  const [from, to] = move.split(">");
  const stuck = [...comment.matchAll(/([RGYB][rgyb]), a knight stuck/g)].map((found) => pawnNamed(found[1]));
  const word = /now an? (\w+)/.exec(comment)?.[1];
  const lost = !word && stuck.length > 0;
  const becomes = word ? ROLES.indexOf(word) : lost ? 0 : undefined;
  const knight = becomes === undefined ? undefined : knightOf(becomes, colourOf(to));
  const taken = /takes ([RGYB][rgyb])/.exec(comment)?.[1];
  const limits = /rows (\d)-(\d), columns (\d)-(\d)/.exec(comment)?.slice(1).map(Number);
  return {
    from,
    to,
    role: knight === undefined ? undefined : roleOn(knight, colourOf(from)),
    becomes,
    lost,
    taken: taken && pawnNamed(taken),
    stuck: lost ? [] : stuck,
    out: SEATS.filter((seat) => comment.includes(`${COLOUR_WORDS[seat]} is out`)),
    limits,
  };
}

/** What happens beside the step itself: roles, stuck knights, players who are out, the board. */
function consequences(told, t) {
  const words = [];
  if (told.lost) words.push(t("say.lost"));
  else if (told.becomes !== undefined)
    words.push(t(told.becomes === told.role ? "say.stays" : "say.becomes", { role: t(`a.${told.becomes}`) }));
  for (const { owner } of told.stuck) words.push(t("say.stuck", { colour: t(`seat.${owner}`) }));
  for (const seat of told.out) words.push(t("say.out", { colour: t(`seat.${seat}`) }));
  if (told.limits) {
    const [top, bottom, left, right] = told.limits;
    words.push(t("say.shrinks", { rows: bottom - top + 1, columns: right - left + 1 }));
  }
  return words;
}

export function inWords(move, comment, t) {
  const told = outcome(move, comment ?? "");
  const role = told.role === undefined ? t("pawn") : t(`role.${told.role}`);
  const values = { role, from: told.from, to: told.to, colour: told.taken && t(`seat.${told.taken.owner}`) };
  return [t(told.taken ? "say.takes" : "say.moves", values), ...consequences(told, t)].join(", ");
}

/** @type {import("/web/board.js").Say} */
export function say(event, { t }) {
  return event.move === null ? t("say.hidden") : inWords(event.move, event.comment, t);
}

/** A square for somebody who cannot see it. */
export function squareLabel(square, pawn, target, t) {
  const where = t("label.square", { square, colour: t(`colour.${colourOf(square)}`) });
  if (target) return `${where}: ${inWords(target.move, target.comment, t)}`;
  return pawn ? `${where}: ${pawnLabel(pawn, t)}` : where;
}

export function pawnLabel({ owner, knight, role }, t) {
  const words = { colour: t(`seat.${owner}`), role: t(`role.${role}`), knight: t(`colour.${knight}`) };
  return t("label.pawn", words);
}
