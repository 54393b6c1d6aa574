// Beside the board: what to do now, the own cards or tokens, what a card may stand for, and the piles.

import { html } from "/web/vendor/preact-htm.js";
import { CardBack, CardFace, cardName } from "./cards.js";
import { stepsChosen } from "./choice.js";
import { prefs, setPrefs } from "/web/prefs.js";
import { Sign } from "./pieces.js";

const KINDS = ["out", "1", "2", "3", "4", "-4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "SWAP"];

function names(seats, { players, t }) {
  return seats.map(seat => players[seat]?.name || t(`seat.${seat}`)).join(t("and"));
}

function result({ view, scores, seat, players, t }) {
  const best = Math.max(...scores), winners = scores.flatMap((score, i) => score === best ? [i] : []);
  if (winners.length === view.pins.length) return t("over.draw");
  return winners.includes(seat) ? t("over.you") : t(winners.length > 1 ? "over.team" : "over.one", { name: names(winners, { players, t }) });
}

export function prompt(props, state, chosen) {
  const { view, moves, t } = props;
  if (view.player === null) return result(props);
  if (moves === null) return t("ask.list");
  if (!moves.length && props.waiting) return props.waiting;
  if (!moves.length) return t(view.phase === "exchange" ? "wait.give" : "wait.turn", { name: names([view.player], props) });
  const kinds = new Set(moves.map(({ move }) => move.split(":")[0]));
  if (kinds.has("give")) return t("ask.give", { name: names([(view.player + 2) % 4], props) });
  if (kinds.has("fold")) return t("ask.fold");
  if (kinds.has("pass")) return view.tokens ? t("ask.pass.tokens") : t("ask.pass", { n: view.die });
  const left = view.phase === "seven" ? view.left : state.dividing ? 7 - stepsChosen(chosen) : 0;
  if (left) return t(left === 1 ? "ask.seven.one" : "ask.seven", { n: left });
  if (view.die) return t("ask.pin.die", { n: view.die });
  if (!state.settled) return t((chosen.pin === null ? "ask.first" : "ask.card") + (view.tokens ? ".tokens" : ""));
  if (state.as === "SWAP") return t(state.pin === null ? "ask.swap" : "ask.swap.other");
  if (state.pin === null) return t("ask.pin");
  return t(state.targets.size > 1 || !state.targets.size ? "ask.target" : "ask.confirm");
}

function SevenSteps({ left }) {
  return html`<div class="seven" aria-hidden="true">${[1, 2, 3, 4, 5, 6, 7].map(i => html`<span class=${i <= left ? "open" : ""} />`)}</div>`;
}

function Hand({ view, owner, moves, state, chosen, pickCard, play, marked, t }) {
  const hand = view.hands[owner], giving = (moves ?? []).map(({ move }) => move).filter(move => move.startsWith("give:"));
  const gifts = new Map(giving.map(move => [move.slice(5), move]));
  const seen = {};
  return html`<div class="hand" role="group" aria-label=${t("hand")}>${hand.map(card => {
    if (card === null) return html`<span class="card"><${CardBack} /></span>`;
    const copy = seen[card] = (seen[card] ?? -1) + 1, gift = gifts.get(card);
    const can = gift || (state.usable.has(card) && view.phase !== "seven"), picked = chosen.card === card && copy === 0;
    return html`<button type="button" class="card ${can ? "can" : ""} ${picked ? "picked" : ""} ${marked === card && copy === 0 ? "hint" : ""}"
      key="${card}.${copy}" data-card=${card} data-move=${gift} disabled=${!can} aria-pressed=${picked} title=${t(`card.${card}.help`)}
      aria-label=${t(gift ? "give.card" : "play.card", { card: cardName(card, t) })}
      onClick=${() => gift ? play(gift) : pickCard(card)}><${CardFace} card=${card} /></button>`;
  })}${!hand.length && html`<p class="empty">${t("hand.empty")}</p>`}</div>`;
}

function TokenRow({ view, owner, state, chosen, pickCard, marked, t }) {
  return html`<div class="tokens seat-${owner}" role="group" aria-label=${t("tokens")}>${view.tokens[owner].map((count, i) => {
    const value = String(i + 1), can = state.usable.has(value), picked = chosen.card === value;
    return html`<button type="button" key=${value} data-token=${value} disabled=${!can} aria-pressed=${picked}
      class="chip-token ${can ? "can" : ""} ${picked ? "picked" : ""} ${marked === value ? "hint" : ""}"
      aria-label=${t("play.token", { n: value, left: count })} onClick=${() => pickCard(value)}>
      <span class="disc">${value}</span><span class="dots">${[0, 1, 2, 3].map(dot => html`<i class=${dot < count ? "left" : ""} />`)}</span></button>`;
  })}</div>`;
}

function Piles({ view, top, t }) {
  const gift = top.seat === null ? null : view.gifts[top.seat] ?? view.given[top.seat];
  const got = top.seat === null ? null : view.given[(top.seat + 2) % 4];
  return html`<div class="piles">
    <div class="pile"><span class="card">${top.card ? html`<${CardFace} key=${top.n} card=${top.card} />` : html`<span class="blank" />`}</span>
      <small>${t("discard", { n: view.played.length })}</small></div>
    <div class="deals"><small>${t("deal")}</small>
      <ol>${[6, 5, 4, 3, 2].map(size => size === view.deal ? html`<li class="now" aria-current="true">${size}</li>` : html`<li>${size}</li>`)}</ol>
      <button type="button" class="names" data-printed=${String(prefs.printed)} onClick=${() => setPrefs({ printed: !prefs.printed })}>${t(prefs.printed ? "cards.numbers" : "cards.printed")}</button>
      ${gift && html`<small>${t("gave", { card: cardName(gift, t) })}</small>`}
      ${got && html`<small>${t("got", { card: cardName(got, t) })}</small>`}
    </div></div>`;
}

function Kinds({ state, chosen, pickKind, t }) {
  if (!state.settled || state.kinds.size < 2) return null;
  return html`<div class="kinds" role="group" aria-label=${t("stands.for")}>
    ${state.card === "JOKER" && html`<small>${t("stands.for")}</small>`}
    ${KINDS.filter(kind => state.kinds.has(kind)).map(kind => html`<button type="button" key=${kind} data-as=${kind}
      class=${chosen.as === kind ? "picked" : ""} aria-pressed=${chosen.as === kind} onClick=${() => pickKind(kind)}>
      ${/\d/.test(kind) ? kind.replace("-", "−") : t(`as.${kind}`)}</button>`)}
  </div>`;
}

export function Panel(props) {
  const { view, seat, facing, moves, state, chosen, clear, play, t } = props;
  const owner = seat ?? view.player ?? facing, mine = moves?.length > 0;
  const plain = (moves ?? []).filter(({ move }) => move === "pass" || move === "fold");
  const left = view.phase === "seven" ? view.left : mine && state.dividing ? 7 - stepsChosen(chosen) : 0;
  const begun = chosen.card !== null || chosen.pin !== null || stepsChosen(chosen) > 0;
  const helping = mine && state.plays[0] && state.plays[0].seat !== view.player;
  const help = state.settled && mine && state.kinds.size < 2 && view.hands && state.card && t(`card.${state.card}.help`);
  return html`<div class="side">
    <p class="prompt ${mine ? "mine" : ""}" aria-live="polite">
      <svg class="seat-${view.player ?? owner}" viewBox="-1.5 -1.5 3 3" aria-hidden="true"><${Sign} seat=${view.player ?? owner} size="1.1" /></svg>
      <span>${prompt(props, state, chosen)}${helping ? ` ${t("helping")}` : ""}</span></p>
    ${left > 0 && html`<${SevenSteps} left=${left} />`}
    ${view.hands && html`<${Hand} ...${props} owner=${owner} />`}
    ${view.tokens && html`<${TokenRow} ...${props} owner=${owner} />`}
    ${help && html`<p class="help">${help}</p>`}
    <${Kinds} ...${props} />
    <div class="acts">
      ${plain.map(({ move }) => html`<button type="button" class="act" data-move=${move} onClick=${() => play(move)}>${t(`act.${move}`)}</button>`)}
      ${mine && begun && html`<button type="button" class="act quiet" data-act="clear" onClick=${clear}>${t("act.clear")}</button>`}
    </div>
    ${view.hands && html`<${Piles} ...${props} />`}
  </div>`;
}
