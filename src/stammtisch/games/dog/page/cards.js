// The cards of DOG, drawn: a big value, and a sign for what a special card can do.

import { html } from "/web/vendor/preact-htm.js";
import { prefs } from "/web/prefs.js";

const TINTS = { 7: "hot", SWAP: "swap", JOKER: "joker", 4: "both", "1/11": "out", 13: "out" };
const FLAME = "M32 16C38 27 49 33 47 49C46 61 39 68 32 68C24 68 17 61 17 50C17 43 21 38 24 33C25 39 27 41 30 42C28 33 29 24 32 16Z";
const STAR = [0, 1, 2, 3, 4].map(i => {
  const point = (radius, turn) => [32 + radius * Math.sin(turn), 47 - radius * Math.cos(turn)].map(n => n.toFixed(1)).join(" ");
  return `${i ? "L" : "M"}${point(21, i * 1.2566)}L${point(9, i * 1.2566 + 0.6283)}`;
}).join("") + "Z";

// The letters of the printed game, where somebody prefers them.
const LETTERS = { en: { "1/11": "A", 13: "K", 12: "Q", SWAP: "J" }, de: { "1/11": "A", 13: "K", 12: "D", SWAP: "B" } };
const letterOf = card => (prefs.printed ? LETTERS[prefs.lang === "de" ? "de" : "en"][card] : undefined);

function Middle({ card }) {
  const letter = letterOf(card);
  if (letter && card !== "SWAP")
    return html`<text class="value" x="32" y=${card === "12" ? 59 : 53}>${letter}</text>${card !== "12" && html`<${Out} />`}`;
  if (card === "JOKER") return html`<path class="tint" d=${STAR} /><circle class="eye" cx="32" cy="47" r="5" />`;
  if (card === "SWAP")
    return html`<path class="arrow" d="M16 40C20 28 40 26 46 36M46 36L47.5 26M46 36L37 33.5" />
      <path class="arrow" d="M48 54C44 66 24 68 18 58M18 58L16.5 68M18 58L27 60.5" />`;
  if (card === "1/11")
    return html`<text class="value small" x="19" y="45">1</text>
      <path class="bar" d="M35 29L26 54" /><text class="value small" x="42" y="56">11</text><${Out} />`;
  return html`${card === "7" && html`<path class="flame" d=${FLAME} />`}
    <text class="value" x="32" y=${card === "4" || card === "13" ? 53 : 59}>${card}</text>
    ${card === "13" && html`<${Out} />`}
    ${card === "4" && html`<path class="arrow thin" d="M29 65H14M14 65L19 61M14 65L19 69M35 65H50M50 65L45 61M50 65L45 69" />`}`;
}

// A pin leaves its home.
const Out = () => html`<path class="arrow thin" d="M22 78V69H42V78M32 79V63M32 63L27.5 67.5M32 63L36.5 67.5" />`;

export function CardFace({ card, ...size }) {
  const corner = letterOf(card) ?? { JOKER: "★", SWAP: "⇄" }[card] ?? card;
  return html`<svg class="face tint-${TINTS[card] ?? "plain"}" viewBox="0 0 64 92" aria-hidden="true" ...${size}>
    <rect class="paper" x="1" y="1" width="62" height="90" rx="7" />
    <rect class="frame" x="4.5" y="4.5" width="55" height="83" rx="4.5" />
    <text class="corner" x="9" y="19">${corner}</text>
    ${TINTS[card] !== "out" && html`<text class="corner" x="9" y="19" transform="rotate(180 32 46)">${corner}</text>`}
    <${Middle} card=${card} />
  </svg>`;
}

export function CardBack() {
  return html`<svg class="face" viewBox="0 0 64 92" aria-hidden="true">
    <rect class="paper" x="1" y="1" width="62" height="90" rx="7" />
    <rect class="back" x="5" y="5" width="54" height="82" rx="4.5" />
    <path class="weave" d="M32 18L50 46L32 74L14 46ZM32 30L42 46L32 62L22 46Z" />
  </svg>`;
}

export function cardName(card, t) {
  if (letterOf(card)) return t(`card.print.${card}`);
  return card === "JOKER" || card === "SWAP" ? t(`card.${card}`) : card;
}
