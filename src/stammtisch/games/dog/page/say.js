// Moves in words.

import { cardName } from "./cards.js";
import { readMove, sentHome, ways } from "./moves.js";

export function placeName(text, t) {
  if (text === "H") return t("place.home");
  return text[0] === "G" ? t("place.goal", { n: +text[1] + 1 }) : text;
}

function deed(use, comment, { t }) {
  const steps = ways(comment), [first] = steps;
  const route = first && { from: placeName(first.from, t), to: placeName(first.to, t) };
  const card = use.card && cardName(use.card, t);
  if (use.kind === "out" || first?.from === "H") return card ? t("say.out.card", { card }) : t("say.out");
  if (use.kind === "swap") return steps.length > 1 ? t("say.swap", route) : t("say.swap.plain");
  if (use.kind === "split") return t("say.split", { ways: steps.map(step => `${placeName(step.from, t)} → ${placeName(step.to, t)}`).join(", ") });
  const key = use.kind === "part" ? "say.part" : use.steps < 0 ? "say.back" : use.steps ? "say.steps" : "say.move";
  const values = { n: Math.abs(use.steps ?? 0), ...route };
  return route ? t(key, values) : t(`${key}.plain`, { n: values.n, pin: (use.pin ?? 0) + 1 });
}

function victims(comment, { t, players }) {
  const seats = sentHome(comment);
  if (!seats.length) return "";
  const names = [...new Set(seats)].map(seat => players?.[seat]?.name || t(`seat.${seat}`));
  return t(seats.length > 1 ? "say.hits.many" : "say.hits", { n: seats.length, names: names.join(", ") });
}

/** @type {import("/web/board.js").Say} */
export function say(event, props) {
  const { t } = props, { move, comment } = event;
  if (!move) return t("say.hidden");
  const use = readMove(move);
  if (use.kind === "pass" || use.kind === "fold") return t(`say.${use.kind}`);
  if (use.kind === "give") return t("say.give", { card: cardName(use.card, t) });
  const joker = use.card === "JOKER" && use.kind !== "out" ? t("say.joker") : "";
  return joker + deed(use, comment, props) + victims(comment, props);
}
