// What can be done now: one question at a time, under the hand.

import { html } from "/web/vendor/preact-htm.js";
import { Row } from "./cards.js";
import { suggestions, useCountdown } from "./choice.js";
import { Arrow } from "./trick.js";
import { sideOf } from "./seats.js";
import { cardsOf, figureWords, letterOf, numberText, rankWord, sameCards } from "./words.js";

/** A button that plays a move. */
export function Move({ move, kind = "", marked, play, label, title, children }) {
  return html`<button type="button" class=${`action ${kind} ${marked === move ? "marked" : ""}`} data-move=${move} aria-label=${label} title=${title} onClick=${() => play(move)}>${children}</button>`;
}

export function Grand({ props, play }) {
  const { t, marked } = props;
  return html`<div class="buttons">
    <${Move} move="no" marked=${marked} play=${play} kind="main">${t("grand.no")}<//>
    <${Move} move="grand" marked=${marked} play=${play} kind="call-button">${t("grand.yes")}<//>
  </div>`;
}

export function WishChoice({ props, play }) {
  const { moves, t, marked } = props;
  const wishes = moves.filter((one) => one.move.startsWith("wish "));
  const ranks = wishes.filter((one) => one.move !== "wish none");
  const none = wishes.length > ranks.length;
  return html`<div class="wishes" role="group" aria-label=${t("wish.ask")}>
    ${ranks.map(({ move }) => {
      const value = Number(move.split(" ")[1]);
      return html`<${Move} key=${move} move=${move} marked=${marked} play=${play} kind="rank" label=${rankWord(value, t)}>${letterOf(value, t)}<//>`;
    })}
    ${none && html`<${Move} move="wish none" marked=${marked} play=${play} kind="none">${t("wish.none")}<//>`}
  </div>`;
}

export function DragonChoice({ props, play }) {
  const { moves, t, marked, players, view, facing } = props;
  const gifts = moves.filter((one) => one.move.startsWith("dragon "));
  const leftFirst = [...gifts].sort((a, b) => seatOf(b, facing) - seatOf(a, facing));
  return html`<div class="buttons">
    ${leftFirst.map(({ move }) => {
      const seat = Number(move.split(" ")[1]);
      return html`<${Move} key=${move} move=${move} marked=${marked} play=${play} kind="main">
        <${Arrow} side=${sideOf(seat, facing)} /> ${t("dragon.to", { name: players[seat].name, n: view.hands[seat].length, points: numberText(view.points[seat]) })}<//>`;
    })}
  </div>`;
}

const seatOf = (one, facing) => (Number(one.move.split(" ")[1]) - facing + 4) % 4;

/** Throw a bomb? The bar runs down; who lets it run out keeps the bomb. */
export function BombQuestion({ props, play }) {
  const { moves, t, marked, deadline } = props;
  const left = useCountdown(deadline);
  const bombs = moves.filter((one) => cardsOf(one.move).length);
  return html`<div class="bomb-question">
    ${left && html`<div class="clock" role="timer" aria-label=${t("bomb.seconds", { n: left.seconds })}><i style=${{ width: `${100 * left.share}%` }}></i></div>`}
    <div class="buttons">
      <${Move} move="pass" marked=${marked} play=${play}>${t("bomb.keep")}<//>
      ${bombs.map(({ move }) => html`<${Move} key=${move} move=${move} marked=${marked} play=${play} kind="bomb" label=${`${t("bomb.throw")} ${figureWords(move, t)}`}>
        <${Row} cards=${cardsOf(move)} t=${t} /> ${t("bomb.throw")}<//>`)}
    </div>
  </div>`;
}

export function Give({ props, choice, play }) {
  const { t } = props;
  const [right, partner, left] = choice.gifts;
  const ready = choice.gifts.every(Boolean);
  const move = `schupf ${right} ${partner} ${left}`;
  return html`<div class="buttons">
    <button type="button" class="action main" data-action="give" data-move=${ready ? move : null} disabled=${!ready} onClick=${() => play(move)}>${t("schupf.give")}</button>
  </div>`;
}

/** Play and pass; several buttons where the selected cards can mean several things. */
export function Playing({ props, answer, chosen, mayPass, mine, play, onSubmit, onClear }) {
  const { t, marked, moves } = props;
  const several = (answer?.moves.length ?? 0) > 1;
  const can = mine && (moves === null || moves.some((one) => cardsOf(one.move).length));
  const ready = answer?.moves.length === 1;
  return html`<div class="buttons">
    <button type="button" class=${`action ${can ? "" : "main"} ${marked === "pass" ? "marked" : ""}`} data-move="pass" disabled=${!mayPass} onClick=${() => play("pass")}>${t("pass")}</button>
    ${several
      ? answer.moves.map((move) => html`<${Move} key=${move} move=${move} marked=${marked} play=${play} kind="main">${t("play.as", { figure: figureWords(move, t) })}<//>`)
      : html`<button type="button" class=${ready ? "action main" : "action"} data-action="play" data-move=${ready ? answer.moves[0] : null} disabled=${!can || Boolean(answer && !ready)} onClick=${onSubmit}>${t("play")}</button>`}
    <button type="button" class="action quiet" data-action="clear" disabled=${!chosen.length} onClick=${onClear}>${t("clear")}</button>
  </div>`;
}

/** Legal combinations as chips: a click selects, another click the next one of equal rank. */
export function Suggestions({ props, chosen, most, onChoose }) {
  const { moves, view, t } = props;
  const found = suggestions(moves, view.trick === null).slice(0, most);
  const choose = ({ plays }) => {
    const now = plays.findIndex((move) => sameCards(cardsOf(move), chosen));
    onChoose(cardsOf(plays[(now + 1) % plays.length]));
  };
  return html`<div class="chips" role="group" aria-label=${t("suggested")}>
    ${found.map((one) => {
      const on = one.plays.some((move) => sameCards(cardsOf(move), chosen));
      return html`<button type="button" key=${one.key} class=${`chip ${one.kind === "bomb" ? "bomb" : ""}`} aria-pressed=${on} data-suggest=${one.plays[0]} onClick=${() => choose(one)}>${figureWords(one.plays[0], t, "chip")}</button>`;
    })}
  </div>`;
}
