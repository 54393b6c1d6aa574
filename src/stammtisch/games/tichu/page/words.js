// Cards, combinations and moves in words of the viewer's language.

const VALUES = { B: 11, D: 12, K: 13, A: 14 };
const SPECIAL_VALUES = { Hu: 0, Ma: 1, Dr: 15, Ph: 16 };
const CARD = /^(?:[SBGR](?:10|[2-9BDKA])|Hu|Ma|Ph|Dr)$/;

export const isSpecial = (card) => card in SPECIAL_VALUES;

export function valueOf(card) {
  if (isSpecial(card)) return SPECIAL_VALUES[card];
  const text = card.slice(1);
  return VALUES[text] ?? Number(text);
}

/** The cards of a play such as "S5 B5 S9 B9 Ph=5"; empty for every other move. */
export function cardsOf(move) {
  const cards = (move ?? "").replace(/=\d+$/, "").split(" ");
  return cards.every((card) => CARD.test(card)) ? cards : [];
}

export const sameCards = (one, other) => one.length === other.length && one.every((card) => other.includes(card));

/** What a play is: kind, length and rank. It only names what the rules have let pass. */
export function figureOf(move) {
  const cards = cardsOf(move);
  const values = cards.filter((card) => card !== "Ph").map(valueOf);
  const top = Math.max(...values);
  const meant = Number(/=(\d+)$/.exec(move)?.[1] ?? 0);
  const different = new Set(values).size;
  const made = (kind, rank) => ({ kind, rank, length: cards.length });
  if (cards.length === 1) return made("single", valueOf(cards[0]));
  if (different === 1) return made({ 2: "pair", 3: "triple" }[cards.length] ?? "bomb", top);
  if (different === values.length && cards.length > 4) return streetOf(cards, values, top, meant, made);
  if (different === 2 && cards.length === 5) return made("fullhouse", tripleOf(values, top, meant));
  return made("stair", top);
}

function streetOf(cards, values, top, meant, made) {
  const oneSuit = cards.every((card) => !isSpecial(card) && card[0] === cards[0][0]);
  if (oneSuit) return made("bomb", top);
  const lengthens = cards.includes("Ph") && top - Math.min(...values) + 1 === values.length;
  return made("street", meant || (lengthens && top < 14 ? top + 1 : top));
}

function tripleOf(values, top, meant) {
  const threefold = values.find((value) => values.filter((other) => other === value).length === 3);
  return threefold ?? (meant || top);
}

/** A number with a true minus sign. */
export const numberText = (number) => String(number).replace("-", "−");

export const letterOf = (value, t) => (value > 10 ? t(`letter.${value}`) : String(value));
export const rankWord = (value, t) => (value > 10 ? t(`rank.${value}`) : String(value));
const rankWords = (value, t) => (value > 10 ? t(`ranks.${value}`) : t("ranks.number", { rank: value }));

export function cardWords(card, t) {
  if (isSpecial(card)) return t(`card.${card}`);
  return t("card.suited", { suit: t(`suit.${card[0]}`), rank: rankWord(valueOf(card), t) });
}

/** What a play is; `style` "chip" for the short form. */
export function figureWords(move, t, style = "figure") {
  const cards = cardsOf(move);
  if (cards.length === 1) return cardWords(cards[0], t);
  const { kind, length, rank } = figureOf(move);
  const name = kind === "bomb" ? (length === 4 ? "four" : "flush") : kind;
  const values = { length, pairs: length / 2, rank: rankWord(rank, t), ranks: rankWords(rank, t), letter: letterOf(rank, t) };
  return t(`${style}.${name}`, values);
}

/** What lies on the table, in words; a lone Phoenix with the half rank that it has there. */
export function trickWords(trick, move, t) {
  if (trick.cards.length === 1 && trick.cards[0] === "Ph") {
    return t("figure.phoenix", { rank: rankWord(Math.floor(trick.rank), t) });
  }
  return figureWords(move, t);
}

const KIND_NAMES = { "full house": "fullhouse", stairs: "stair", straight: "street" };

/** The sentence for the code with which the table refuses a selection. */
export function whyWords(answer, t) {
  const values = { ...answer, ...answer.values };
  const kind = KIND_NAMES[values.kind] ?? values.kind;
  const long = ["stair", "street"].includes(kind) && values.length;
  return t(`why.${answer.why}`, {
    kind: long ? t("kind.long", { kind: t(`kind.${kind}`), length: values.length }) : t(`kind.${kind}`),
    rank: values.rank ? rankWord(Number(values.rank), t) : "",
  });
}

/** One sentence about a move; the page puts the player's name before it. */
/** @type {import("/web/board.js").Say} */
export function say(event, { t, players }) {
  const { move, comment } = event;
  if (!move) return t("say.hidden");
  const [word, ...rest] = move.split(" ");
  if (word === "pass" && comment === "keeps the bomb") return t("say.keep");
  if (["pass", "grand", "no", "tichu"].includes(word)) return t(`say.${word}`);
  if (word === "wish") return rest[0] === "none" ? t("say.nowish") : t("say.wish", { rank: rankWord(Number(rest[0]), t) });
  if (word === "dragon") return t("say.dragon", { name: players[Number(rest[0])].name });
  if (word === "schupf") {
    const [right, partner, left] = rest.map((card) => cardWords(card, t));
    return t("say.schupf", { left, partner, right });
  }
  const text = figureWords(move, t);
  return / is out$/.test(comment ?? "") ? t("say.out", { play: text }) : text;
}
