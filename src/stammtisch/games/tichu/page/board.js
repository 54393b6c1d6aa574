// The table: three others around it, the trick in the middle, the own hand and the question of the moment below.

import { html, useEffect, useRef, useState } from "/web/vendor/preact-htm.js";
import { useFocus } from "/web/focus.js";
import { usableCards, useAnswer, useAsked, useGifts, useOnce, useSelection, useSize } from "./choice.js";
import { Hand, QuietHand } from "./hand.js";
import { BombQuestion, DragonChoice, Give, Grand, Move, Playing, Suggestions, WishChoice } from "./panel.js";
import { LastTrick, Look, Sheet } from "./notes.js";
import { Result, useResult } from "./round.js";
import { OwnLine, Plate, Score } from "./seats.js";
import { Received, Slots, Trick, Wish, giftsFor } from "./trick.js";
import { cardsOf, figureWords, rankWord, trickWords, whyWords } from "./words.js";

export { say } from "./words.js";

/** @param {import("/web/board.js").BoardProps} props */
export function Board(props) {
  const { view, seat, facing, moves, animate, marked, last, t } = props;
  const root = useRef(null);
  const [width] = useSize(root); // drawn anew when the window gets lower, too
  const narrow = width < 620;
  const teams = [facing % 2, 1 - (facing % 2)];
  const mine = seat !== null && view.player === seat && (moves === null || moves.length > 0);
  const play = useOnce(props.play, view);
  const result = useResult(view, last);
  const hand = useOwnHand({ ...props, play, mine });
  const shown = marked?.startsWith("schupf ") ? marked.split(" ").slice(1) : cardsOf(marked);
  useKeys(root, hand);
  const [looked, look] = useState(null);
  const phase = mine ? view.phase : "wait", gifts = hand.gifts.gifts;
  const watch = useFocus(root, [nextThing(phase, gifts)], [phase, hand.cards.join(" "), gifts.join(" ")]);
  const around = [3, 2, 1].map((i) => (facing + i) % 4);
  return html`<div ref=${root} class=${`tichu ${narrow ? "narrow" : "wide"} ${animate ? "" : "still"}`} ...${watch}>
    <div class="table">
      <${Score} teams=${teams} props=${props} />
      <${Look} look=${look} props=${props} />
      ${around.map((other) => html`<${Plate} key=${other} seat=${other} marked=${shown} props=${props} />`)}
      <div class="middle">
        <${Wish} wish=${view.phase === "over" ? 0 : view.wish} t=${t} />
        <${Middle} hand=${hand} result=${result} teams=${teams} mine=${mine} props=${props} />
      </div>
      <div class="own">
        <${OwnLine} props=${props}>
          ${hand.news.length > 0 && html`<${Received} gifts=${hand.news} onClose=${hand.seen} t=${t} />`}
        <//>
        ${width > 0 && html`<${OwnHand} hand=${hand} mine=${mine} shown=${shown} width=${width - (narrow ? 20 : 48)} props=${props} />`}
      </div>
    </div>
    ${looked === "sheet" && html`<${Sheet} teams=${teams} close=${() => look(null)} props=${props} />`}
    ${looked === "trick" && html`<${LastTrick} close=${() => look(null)} props=${props} />`}
    ${seat !== null && html`<${Panel} hand=${hand} mine=${mine} play=${play} narrow=${narrow} props=${props} />`}
  </div>`;
}

/** All that the viewer is about to do with the own cards. */
function useOwnHand(props) {
  const { view, seat, moves, calls, ask, play, mine } = props;
  const cards = seat === null ? [] : view.hands[seat];
  const [chosen, choose] = useSelection(view, cards);
  const gifts = useGifts(view, cards);
  const [seenIn, setSeenIn] = useState(0);
  const [hurried, setHurried] = useState(null);
  const [eager, setEager] = useState("");
  const playing = seat !== null && ["play", "bomb"].includes(view.phase);
  const answer = useAnswer(props, playing ? chosen : []);
  const listed = (move) => Boolean(moves?.some((one) => one.move === move));
  const unlisted = mine && moves === null;
  const pass = useAsked(ask, unlisted && view.phase === "play" ? "pass" : "", view);
  const mayCall = unlisted && !view.announced[seat] && !view.has_played[seat];
  const tichu = useAsked(ask, mayCall && !calls?.length ? "tichu" : "", view);
  const mayPass = mine && (listed("pass") || Boolean(pass?.moves?.includes("pass")));
  const call = (mine && (listed("tichu") || tichu?.moves?.includes("tichu")) ? "tichu" : null) ?? calls?.[0] ?? null;
  const trick = view.trick ? `${view.round} ${view.tricks.length}` : null;
  const [outOf, setOutOf] = useState(null); // the trick that is passed to its end
  const passing = trick !== null && outOf === trick;
  useEffect(() => {
    if (passing && mayPass && view.phase === "play") play("pass");
  }, [passing, mayPass, view]);
  const received = seat !== null && !view.has_played[seat] && seenIn !== view.round ? giftsFor(seat, props) : [];
  const schupfing = mine && view.phase === "schupf";

  const pick = (card) => {
    setHurried(null);
    if (schupfing) gifts.put(card, gifts.next);
    else if (playing) choose(chosen.includes(card) ? chosen.filter((other) => other !== card) : [...chosen, card]);
  };
  const submit = () => {
    if (!mine) return;
    if (schupfing) {
      if (gifts.gifts.every(Boolean)) play(`schupf ${gifts.gifts.join(" ")}`);
    } else if (answer?.moves.length === 1) play(answer.moves[0]);
    else if (!chosen.length) setHurried(view);
    else if (!answer) setEager(chosen.join(" "));
  };
  useEffect(() => {
    // Enter came before the table's answer
    if (eager && answer && eager === chosen.join(" ")) submit();
    if (answer) setEager("");
  }, [answer]);
  const enter = (card) => (schupfing ? !gifts.gifts.every(Boolean) : !chosen.length) ? pick(card) : submit();
  const twice = async (card) => {
    if (!mine || !playing || chosen.length) return;
    const found = moves ? listed(card) : (await ask(card)).moves.includes(card);
    if (found) play(card);
  };
  const drop = (card, x, y) => {
    const target = document.elementsFromPoint(x, y).find((one) => one.matches(".tichu .slot, .tichu .plate"));
    if (!(target instanceof HTMLElement)) return;
    const { slot, seat: other } = target.dataset;
    gifts.put(card, Number(slot ?? (Number(other) - seat + 3) % 4));
  };
  return {
    cards, chosen, choose, gifts, answer, mayPass, call, playing, schupfing, pick, submit, enter, twice, drop, play,
    passing,
    mayStayOut: playing && trick !== null && view.phase === "play" && view.hands[seat].length > 0 && view.trick.owner !== seat,
    stayOut: (on) => setOutOf(on ? trick : null),
    hurry: hurried === view && !chosen.length,
    news: received,
    seen: () => setSeenIn(view.round),
  };
}

/** P passes and arrows reach for the hand wherever the focus is, unless somebody writes. */
function useKeys(root, hand) {
  const now = useRef(hand);
  now.current = hand;
  useEffect(() => {
    const onKey = (event) => {
      const free = event.target === document.body || root.current?.contains(event.target);
      if (!free || event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
      if (event.key.toLowerCase() === "p" && now.current.mayPass) now.current.play("pass");
      if (event.target === document.body && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
        root.current.querySelector(".hand [tabindex='0']")?.focus();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}

/** Where the keyboard goes on: at the answers to a question, else in the hand. */
function nextThing(phase, gifts) {
  const asked = ["grand", "wish", "dragon", "bomb"].includes(phase) || (phase === "schupf" && gifts.every(Boolean));
  return asked ? ".choices .buttons button, .wishes button" : ".hand [tabindex='0']";
}

const cardsOfGift = (move) => (move.startsWith("schupf ") ? move.split(" ").slice(1) : []);

function Middle({ hand, result, teams, mine, props }) {
  const { view, seat, facing, marked } = props;
  const told = marked?.startsWith("schupf ") && view.player === facing;
  const chosen = props.settled ? cardsOfGift(props.choosing.chosen.move) : null;
  const given = seat !== null && view.phase === "schupf" ? view.schupfed[seat] ?? chosen : null;
  if (view.phase === "schupf" && (mine || told || (given && !result))) {
    return html`<${Slots} choice=${hand.gifts} given=${mine || told ? null : given} props=${props} />`;
  }
  if (result) return html`<${Result} result=${result} teams=${teams} props=${props} />`;
  return html`<${Trick} props=${props} />`;
}

function OwnHand({ hand, mine, shown, width, props }) {
  const { view, seat, facing, moves, t } = props;
  if (seat === null || view.phase === "over") {
    return html`<${QuietHand} hand=${view.hands[facing]} marked=${shown} width=${width} t=${t} />`;
  }
  const aside = hand.schupfing ? hand.gifts.gifts : props.settled ? cardsOfGift(props.choosing.chosen.move) : [];
  const left = hand.cards.filter((card) => !aside.includes(card));
  const usable = mine && hand.playing ? usableCards(moves, hand.chosen) : null;
  return html`<${Hand} hand=${left} chosen=${hand.chosen} usable=${usable} marked=${shown} news=${hand.news.map((gift) => gift.card)} width=${width}
    onPick=${hand.pick} onPlay=${hand.enter} onTwice=${hand.twice} onDrop=${hand.schupfing ? hand.drop : null} t=${t} />`;
}

function Panel({ hand, mine, play, narrow, props }) {
  const { view, moves, t, marked } = props;
  const phase = mine ? view.phase : "wait";
  const turn = mine && ["play", "bomb"].includes(view.phase);
  return html`<div class=${mine ? "panel asks" : "panel"}>
    <p class=${hand.answer?.why && mine ? "message no" : "message"} role="status" aria-live="polite">${message(hand, mine, props)}</p>
    <div class="choices">
      ${hand.call && html`<${Move} move=${hand.call} marked=${marked} play=${play} kind="call-button" title=${t("tichu.help")}>${t("tichu.call")}<//>`}
      ${phase === "grand" && html`<${Grand} props=${props} play=${play} />`}
      ${phase === "schupf" && html`<${Give} props=${props} choice=${hand.gifts} play=${play} />`}
      ${phase === "wish" && html`<${WishChoice} props=${props} play=${play} />`}
      ${phase === "dragon" && html`<${DragonChoice} props=${props} play=${play} />`}
      ${phase === "bomb" && html`<${BombQuestion} props=${props} play=${play} />`}
      ${(phase === "play" || (!mine && hand.playing)) && html`<${Playing} props=${props} answer=${mine ? hand.answer : null} chosen=${hand.chosen} mayPass=${hand.mayPass} mine=${mine} play=${play} onSubmit=${hand.submit} onClear=${() => hand.choose([])} />`}
      ${hand.mayStayOut && html`<label class="stay-out"><input type="checkbox" data-stay-out checked=${hand.passing} onChange=${(event) => hand.stayOut(event.target.checked)} /> ${t("pass.trick")}</label>`}
    </div>
    ${turn && moves && view.phase === "play" && html`<${Suggestions} props=${props} chosen=${hand.chosen} most=${narrow ? 4 : 7} onChoose=${hand.choose} />`}
  </div>`;
}

function message(hand, mine, props) {
  const { view, t } = props;
  if (view.phase === "over") return t("state.over");
  if (hand.playing && hand.chosen.length && hand.answer) return selected(hand, t);
  if (hand.hurry) return t("why.nothing_selected");
  return mine ? question(hand, props) : waiting(props);
}

function selected({ answer }, t) {
  if (answer.moves.length > 1) return t("state.several");
  if (answer.moves.length === 1) return figureWords(answer.moves[0], t);
  return whyWords(answer, t);
}

function question(hand, { view, moves, t }) {
  const { phase, trick, wish } = view;
  if (phase !== "play") return t(`ask.${phase}`);
  const forced = wish && moves && trick && !hand.mayPass ? "state.mustwish" : null;
  if (forced) return t(forced, { rank: rankWord(wish, t) });
  if (!trick) return t(wish ? "state.leadwish" : "state.lead", { rank: wish ? rankWord(wish, t) : "" });
  const plays = view.tricks[view.tricks.length - 1] ?? [];
  const figure = trickWords(trick, plays[plays.length - 1]?.[1] ?? trick.cards.join(" "), t);
  const can = moves === null || moves.some((one) => cardsOf(one.move).length);
  return t(can ? "state.beat" : "state.cannot", { figure });
}

function waiting({ view, seat, players, waiting: others, t }) {
  if (others) return others;
  if (view.player === null) return "";
  if (view.player === seat) return t("wait.moment"); // the others are being heard first
  return t(`wait.${view.phase}`, { name: players[view.player].name });
}
