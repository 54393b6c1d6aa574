// A table: the board, and beside it players, hints, the story of the game and the chat.

import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { useBoard } from "./board.js";
import { Connection } from "./net.js";
import { verdict } from "./outcome.js";
import { Absence, AtTheTable, ClockLeft } from "./absence.js";
import { Chat, describe, FairDeal, Hints, MoveList, Pace, Players, Seating, Story } from "./panels.js";
import { prefs } from "./prefs.js";
import { RulesDialog } from "./rules.js";
import { sound } from "./sound.js";
import { t } from "./texts.js";

const UNANSWERED_MS = 700;

function useTable(code) {
  const [shown, setShown] = useState({ state: null, events: [], online: false, closed: null });
  const [refusal, setRefusal] = useState(null);
  const connection = useRef(null);
  useEffect(() => {
    connection.current = new Connection(code, (news) => {
      setShown(news);
      setRefusal(null);
    }, setRefusal);
    return () => connection.current.close();
  }, [code]);
  return { ...shown, refusal, connection: connection.current };
}

/**
 * Whether a move has been sent for this state and nothing has come of it for a while: others may be asked first.
 * @returns {[boolean, () => void]}
 */
function useSent(state, refusal) {
  const [sent, setSent] = useState(null);
  const timer = useRef(null);
  useEffect(() => {
    clearTimeout(timer.current);
    setSent(null);
    return () => clearTimeout(timer.current);
  }, [state, refusal]);
  const send = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSent(state), UNANSWERED_MS);
  };
  return [sent !== null && sent === state, send];
}

/**
 * Whether somebody who has chosen, where several do at the same time, is about to choose anew.
 * @returns {[boolean, (on: boolean) => void]}
 */
function useChanging(game) {
  const choosing = game?.choosing?.chosen ? game.fingerprint + game.choosing.chosen.move : null;
  const [changing, setChanging] = useState(null);
  return [choosing !== null && changing === choosing, (on) => setChanging(on ? choosing : null)];
}

/** Whether whoever is to move has taken so long that the others may ask for a bot. */
function useLate(state) {
  const [, redraw] = useState(0);
  const left = state ? state.patience - performance.now() : null;
  useEffect(() => {
    if (left === null || left <= 0) return undefined;
    const timer = setTimeout(() => redraw((n) => n + 1), left + 50);
    return () => clearTimeout(timer);
  }, [state?.patience]);
  return left !== null && left <= 0;
}

/** How many still choose, in words. */
function whoChooses({ left }) {
  return left > 0 ? t(left > 1 ? "choosing.left" : "choosing.last", { n: left }) : t("choosing.soon");
}

function Chosen({ props, say, change }) {
  const { chosen } = props.choosing;
  return html`
    <div class="chosen-bar panel" data-chosen=${chosen.move}>
      <span>${t("chosen", { move: say({ seat: props.seat, ...chosen }, props) })} <b>${props.waiting}</b></span>
      <button class="small" data-change onClick=${change}>${t("change")}</button>
    </div>`;
}

/** A move that is played only when it is said twice, for who wants it so. */
function Confirm({ move, props, say, yes, no }) {
  const comment = props.moves?.find((one) => one.move === move)?.comment ?? "";
  return html`
    <div class="chosen-bar panel" role="alertdialog" aria-label=${t("confirm.ask")}>
      <span>${t("confirm.ask")} <b>${say({ seat: props.seat, move, comment }, props)}</b></span>
      <span class="row"><button class="main" data-yes onClick=${yes}>${t("confirm.yes")}</button><button data-no onClick=${no}>${t("confirm.no")}</button></span>
    </div>`;
}

/** What every board gets, made of the newest state. */
function boardProps(state, events, connection, texts, onSend, changing) {
  const { table, game } = state;
  const settled = Boolean(game.choosing?.chosen) && !changing;
  const seat = table.you.seat;
  const taken = table.seats.findIndex((one) => one.kind !== "empty");
  const newest = events.findLastIndex((event) => event.kind === "move" || event.kind === "undo");
  const n = events[newest]?.kind === "move" ? newest : -1;
  const started = events.findLastIndex((event) => event.kind === "start");
  return {
    view: game.view,
    seat,
    facing: seat ?? taken,
    players: table.seats.map(({ name, kind, away }) => ({ name, kind, away })),
    moves: settled ? [] : game.moves,
    choosing: game.choosing,
    waiting: game.choosing ? whoChooses(game.choosing) : game.over && !game.complete ? t("result.ended") : null,
    settled,
    calls: game.calls,
    scores: game.scores,
    sheet: game.sheet,
    last: n > started ? { n, ...events[n] } : null,
    deadline: state.deadline,
    play: (move) => {
      connection.play(move);
      onSend();
    },
    ask: (text) => connection.ask({ type: "ask", text }),
    t: texts,
    lang: prefs.lang,
    animate: prefs.motion,
  };
}

function status({ state, online }, sent, mine) {
  const { table, game } = state;
  if (!online) return t("offline");
  if (state.preparing && !mine) return t("first_time");
  if (!game || game.over) return "";
  const turn = game.view.player;
  if (game.choosing && !mine) return whoChooses(game.choosing);
  if (turn === table.you.seat) return t(sent ? "move_sent" : "your_turn");
  return t("turn_of", { name: table.seats[turn]?.name ?? "" });
}

function Ending({ state, connection }) {
  const { table, game } = state;
  const names = table.seats.map((one) => one.name);
  return html`
    <div class="ending panel" role="status">
      <h2>${game.complete ? verdict(game.scores, table.sides, names, table.you.seat) : t("result.ended")}</h2>
      <div class="row">
        ${table.you.host && html`<button class="main" data-again onClick=${() => connection.send({ type: "again" })}>${t("again")}</button>`}
        ${game.record && html`<a class="button" data-look-back href=${`/game/${game.record}`}>${t("look_back")}</a>`}
        <a class="button" href="/">${t("other_game")}</a>
      </div>
    </div>`;
}

/** Whether others are at the table, so that seats may be changed between two games. */
const isShared = (table) => table.watching.length > 0 || table.seats.filter((one) => one.kind === "person").length > 1;

function useAnnouncements(events, props, board, mine) {
  const [said, setSaid] = useState("");
  const seen = useRef(null);
  useEffect(() => {
    if (seen.current !== null && events.length > seen.current && props) {
      const fresh = events.slice(seen.current);
      setSaid(fresh.map((event) => describe(event, props, board.say, board.t)).join(". ") + (mine ? `. ${t("your_turn")}` : ""));
      if (fresh.some((event) => event.kind === "move")) sound("move");
    }
    seen.current = events.length;
  }, [events.length, Boolean(props)]);
  useEffect(() => {
    if (mine) sound("turn");
    document.title = mine ? `● ${t("your_turn")}` : `${board?.t.has("title") ? `${board.t("title")} · ` : ""}Stammtisch`;
  }, [mine, board]);
  return said;
}

export function TableRoom({ code, offers, go }) {
  const shown = useTable(code);
  const { state, events, closed, refusal, connection } = shown;
  const offer = offers.find((one) => one.name === state?.table.game);
  const board = useBoard(offer);
  const [marked, setMarked] = useState(null);
  const [rules, setRules] = useState(false);
  const ready = state && board;
  const [sent, onSend] = useSent(state, refusal);
  const [changing, setChanging] = useChanging(state?.game);
  const onPlay = () => {
    setChanging(false);
    onSend();
  };
  const [wished, setWished] = useState(null); // a move that is still to be confirmed, and for which position
  const props = ready && state.game ? { ...boardProps(state, events, connection, board.t, onPlay, changing), unit: offer.unit } : null;
  const playNow = props?.play;
  if (props && prefs.confirm) props.play = (move) => setWished({ move, state });
  const decides = Boolean(props) && props.seat !== null && props.view.player === props.seat && !props.settled;
  const mine = decides && !state.game.over && !sent;
  const late = useLate(state);
  const said = useAnnouncements(events, props, board, mine);
  const turnKey = useMemo(() => (mine ? `${state.n} ${JSON.stringify(state.game.moves?.length)}` : "-"), [mine, state?.n]);
  useEffect(() => {
    if (state && prefs.name && prefs.name !== state.table.you.name) connection.send({ type: "name", name: prefs.name });
  }, [prefs.name]);
  useEffect(() => {
    const lost = refusal && setTimeout(() => connection.tell({}), 4000);
    return () => clearTimeout(lost);
  }, [refusal]);

  if (closed) return html`<div class="panel notice"><p>${t(`closed.${closed}`)}</p><a class="button" href="/">${t("to_lobby")}</a></div>`;
  if (!ready) return html`<p class="loading">${t("getting_ready")}</p>`;
  const send = (message) => connection.send(message);
  const { table, game } = state;
  const { Board } = board;
  const title = board.t.has("title") ? board.t("title") : offer.title;
  return html`
    <div class="table-room" data-n=${state.n}>
      <div class="table-head">
        <h1>${title}</h1>
        <p class=${`status ${mine ? "to-move" : ""}`} data-status>${status(shown, sent, mine)}</p>
        <${ClockLeft} until=${game?.over ? null : state.clock} />
        <span class="grow"></span>
        ${game?.undo && html`<button class="plain" data-undo onClick=${() => send({ type: "undo" })}>${t("undo")}</button>`}
        <button class="plain" data-rules onClick=${() => setRules(true)}>${t("rules")}</button>
        <button class="plain" onClick=${() => { send({ type: "leave" }); go("/"); }}>${t("leave")}</button>
      </div>
      <div class="table-main">
        <div class="board-box" data-over=${game?.over ?? false}>
          ${game?.over && html`<${Ending} state=${state} connection=${connection} go=${go} />`}
          <${Absence} table=${table} send=${send} />
          ${wished?.state === state && html`<${Confirm} move=${wished.move} props=${props} say=${board.say} yes=${() => { setWished(null); playNow(wished.move); }} no=${() => setWished(null)} />`}
          ${props?.settled && html`<${Chosen} props=${props} say=${board.say} change=${() => setChanging(true)} />`}
          ${props ? html`<${Board} ...${props} marked=${marked} />` : html`<${Seating} offer=${offer} table=${table} send=${send} title=${title} say=${board.t} />`}
          ${game?.over && isShared(table) && html`<${Seating} offer=${offer} table=${table} send=${send} title=${title} say=${board.t} />`}
        </div>
        <aside class="side">
          ${refusal && html`<p class="problem" role="alert" data-refused=${refusal.why}>${t(`refused.${refusal.why}`)}</p>`}
          <${Players} offer=${offer} table=${table} game=${game} say=${board.t} late=${late} send=${send} />
          ${props && html`<${Hints} connection=${connection} state=${state} mark=${setMarked} say=${board.say} props=${props} key_of_turn=${turnKey} />`}
          ${props && html`<${MoveList} moves=${props.moves} play=${props.play} mark=${setMarked} say=${board.say} props=${props} />`}
          <${Pace} table=${table} send=${send} />
          <${AtTheTable} table=${table} send=${send} />
          <${Story} events=${events} props=${props ?? { players: table.seats }} say=${board.say} texts=${board.t} sides=${table.sides} />
          <${Chat} send=${send} />
          ${game && offer.chance && html`<${FairDeal} game=${game} />`}
        </aside>
      </div>
      <div class="sr-only" aria-live="polite">${said}</div>
      ${rules && html`<${RulesDialog} offer=${offer} close=${() => setRules(false)} />`}
    </div>`;
}
