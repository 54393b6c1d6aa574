// The middle of the table: the trick that lies there, who has passed, the wish, the cards to give.

import { html } from "/web/vendor/preact-htm.js";
import { Card, Row } from "./cards.js";
import { sideOf } from "./seats.js";
import { cardWords, cardsOf, letterOf, numberText, rankWord, trickWords } from "./words.js";

/** The seats that have passed since the last play. */
function passers(view) {
  if (!view.trick) return [];
  const others = [1, 2, 3].map((i) => (view.trick.owner + i) % 4).filter((seat) => view.hands[seat].length);
  return others.slice(0, view.passes);
}

export function Trick({ props }) {
  const { view, facing, t, players } = props;
  const lies = view.trick !== null;
  const number = view.tricks.length;
  const plays = view.tricks[number - 1] ?? (lies ? [[view.trick.owner, view.trick.cards.join(" ")]] : []);
  const newest = new Map(plays.map(([seat, move], i) => [seat, { move, i }]));
  const passed = passers(view);
  return html`<div class=${lies ? "trick" : "trick taken"}>
    ${[0, 1, 2, 3].map((i) => {
      const seat = (facing + i) % 4;
      const play = newest.get(seat);
      const top = play && play.i === plays.length - 1;
      return html`<div key=${seat} class=${`spot ${sideOf(seat, facing)} ${top ? "best" : ""} ${passed.includes(seat) ? "has-passed" : ""}`}>
        ${play && html`<span key=${`${number} ${play.i}`} class="play" title=${players[seat].name}><${Row} cards=${cardsOf(play.move)} t=${t} /></span>`}
        ${passed.includes(seat) && html`<span class="passed">${t("passed")}</span>`}
      </div>`;
    })}
    <div class="centre"><${Centre} plays=${plays} props=${props} /></div>
  </div>`;
}

function Centre({ plays, props }) {
  const { view, seat: own, t, players } = props;
  const name = (seat) => players[seat].name;
  const tell = (key, seat, other) => {
    const who = seat === own ? ".you" : other === own ? ".toyou" : "";
    return html`<span>${t(key + who, { name: name(seat), other: other === undefined ? "" : name(other) })}</span>`;
  };
  if (view.trick) {
    const [seat, move] = plays[plays.length - 1];
    return html`<strong>${trickWords(view.trick, move, t)}</strong>${tell("trick.by", seat)}
      <span class="worth">${t("trick.points", { points: numberText(view.trick.points) })}</span>`;
  }
  if (view.phase !== "play") return null;
  if (!plays.length) return view.starter === null ? html`<span>${t("trick.none")}</span>` : tell("trick.first", view.starter);
  const [seat, move] = plays[plays.length - 1];
  if (move === "Hu") return tell("trick.dog", seat, view.player);
  if (move === "Dr" && view.dragon !== null) return tell("trick.given", seat, view.dragon);
  return tell("trick.taken", seat);
}

/** The open wish, large enough that nobody overlooks it. */
export function Wish({ wish, t }) {
  if (!wish) return null;
  return html`<div class="wish" role="note" aria-label=${t("wish.open", { rank: rankWord(wish, t) })} title=${t("wish.help")}>
    <span>${t("wish.word")}</span><b>${letterOf(wish, t)}</b>
  </div>`;
}

const ARROWS = { right: "M3 8h9M8 3.5 12.5 8 8 12.5", top: "M8 13V4M3.5 8 8 3.5 12.5 8", left: "M13 8H4M8 3.5 3.5 8 8 12.5" };

export function Arrow({ side }) {
  return html`<svg class="arrow" viewBox="0 0 16 16" aria-hidden="true"><path d=${ARROWS[side]} /></svg>`;
}

const SLOT_SIDES = ["right", "top", "left"];

/** Three places for the cards to give; drawn from left to right as the players sit. */
export function Slots({ choice, given, props }) {
  const { facing, players, marked, t } = props;
  const cards = given ?? choice.gifts;
  const hints = marked?.startsWith("schupf ") ? marked.split(" ").slice(1) : [];
  return html`<div class="slots">
    ${[2, 1, 0].map((slot) => {
      const name = players[(facing + 1 + slot) % 4].name;
      const card = cards[slot];
      const active = !given && choice.next === slot;
      const label = card ? t("slot.full", { name, card: cardWords(card, t) }) : t("slot.empty", { name });
      return html`<div key=${slot} class="slot-box">
        <span class="slot-name"><${Arrow} side=${SLOT_SIDES[slot]} />${name}</span>
        <button type="button" class=${`slot ${active ? "active" : ""}`} data-slot=${slot} disabled=${Boolean(given)} aria-label=${label}
          onClick=${() => (card ? choice.take(slot) : choice.want(slot))}>
          ${card ? html`<${Card} card=${card} t=${t} />` : hints[slot] ? html`<span class="ghost"><${Card} card=${hints[slot]} t=${t} /></span>` : html`<span>${t(slot === 1 ? "slot.partner" : "slot.opponent")}</span>`}
        </button>
      </div>`;
    })}
  </div>`;
}

/** Cards that came from the others, until they are seen or the first card is played. */
export function Received({ gifts, onClose, t }) {
  return html`<div class="received" role="note">
    <span>${t("received")}</span>
    ${gifts.map(({ card, side, name }) => html`<span key=${card} class="gift" title=${t("received.from", { card: cardWords(card, t), name })}><${Arrow} side=${side} /><${Card} card=${card} t=${t} /><span class="from">${name}</span></span>`)}
    <button type="button" class="close" data-action="close" aria-label=${t("received.close")} onClick=${onClose}>${t("received.ok")}</button>
  </div>`;
}

/** What came to a seat, in the order left, partner, right; empty before everybody has given. */
export function giftsFor(seat, { view, players, facing }) {
  if (seat === null || view.phase === "grand" || view.phase === "schupf") return [];
  return [3, 2, 1].flatMap((i) => {
    const giver = (seat + i) % 4;
    const card = view.schupfed[giver]?.[3 - i];
    return card ? [{ card, side: sideOf(giver, facing), name: players[giver].name }] : [];
  });
}
