// What stands beside the board: players, moves, hints, chat, and what the host arranges.

import { html, useEffect, useRef, useState } from "./vendor/preact-htm.js";
import { Clock } from "./absence.js";
import { Graph } from "./graph.js";
import { estimate, points } from "./outcome.js";
import { prefs, setPrefs } from "./prefs.js";
import { has, t } from "./texts.js";

export const levelName = (offer, agent) => {
  const found = offer.levels.find((level) => level.agent === agent);
  return found ? t(`level.${found.level}`) : agent;
};

/** The colour of a seat; where people play in teams, one sign for each team. */
function Dot({ seat, sides }) {
  const team = sides.some((side) => side.length > 1) ? sides.findIndex((side) => side.includes(seat)) % 2 : 0;
  return html`<span class=${team ? "dot second" : "dot"} style=${{ background: `var(--seat-${seat % 4})` }}></span>`;
}

export function Players({ offer, table, game, say, late = false, send = null }) {
  const turns = !game || game.over ? [] : game.choosing?.seats ?? [game.view.player];
  const counted = game && (game.over || game.scores.some((score) => Math.abs(score) > 1)); // chances to win are no points
  const mayAsk = late && (table.you.seat !== null || table.you.host);
  const seatName = (seat) => (say.has(`seat.${seat}`) ? say(`seat.${seat}`) : "");
  return html`
    <ul class="players" aria-label=${t("players")}>
      ${table.seats.map((one, seat) => {
        if (one.kind === "empty") return null;
        const about = [seatName(seat), one.kind === "bot" && levelName(offer, one.agent), one.away && t("away"), one.kind === "open" && t("open_seat")];
        return html`
          <li class=${turns.includes(seat) ? "turn" : ""} data-seat=${seat}>
            <${Dot} seat=${seat} sides=${table.sides} />
            <span class="whose">
              <span class="who">${one.name || "…"}${table.you.seat === seat && html` <em>(${t("you")})</em>`}</span>
              <small>${about.filter(Boolean).join(" · ")}</small>
            </span>
            ${counted && html`<b class="score">${points(game.scores[seat])}</b>`}
            ${mayAsk && turns.includes(seat) && one.kind === "person" && !one.away && seat !== table.you.seat &&
            html`<button class="small ask-bot" data-nudge=${seat} onClick=${() => send({ type: "nudge", seat })}>${t("nudge")}${one.nudges > 0 ? ` (${one.nudges})` : ""}</button>`}
            ${turns.includes(seat) && html`<span class="turn-mark" title=${t("thinks")}>●</span>`}
          </li>`;
      })}
    </ul>
    ${table.watching.length > 0 && html`<p class="muted small">${t("watching")}: ${table.watching.join(", ")}</p>`}`;
}

/** One line of the list of events, as text. */
export function describe(event, props, say, t_game) {
  const names = props.players.map((player) => player.name);
  if (event.kind === "move") {
    const words = event.move === null ? t("event.hidden") : say(event, { ...props, t: t_game });
    return `${names[event.seat]}: ${words}`;
  }
  if (event.kind === "chat") return `${event.name}: ${event.text}`;
  if (event.kind === "sat") return t("event.sat", event);
  return has(`event.${event.kind}`) ? t(`event.${event.kind}`, event) : event.kind;
}

/** Events as lines: several who did the same one after the other share one. */
function lines(events, words, players) {
  const found = [];
  for (const event of events) {
    const text = words(event);
    const own = event.kind === "move" ? `${players[event.seat].name}: ` : "";
    const deed = text.slice(own.length);
    const before = found.at(-1);
    if (own && before?.deed === deed && !before.seats.includes(event.seat)) {
      before.seats.push(event.seat);
      before.text = `${before.seats.map((seat) => players[seat].name).join(", ")}: ${deed}`;
    } else found.push({ event, text, deed: own ? deed : null, seats: own ? [event.seat] : [] });
  }
  return found;
}

export function Story({ events, props, say, texts, sides = [] }) {
  const list = useRef(null);
  const near = useRef(true);
  const put = useRef(0); // where we have scrolled to ourselves
  useEffect(() => {
    if (!near.current || !list.current) return;
    list.current.scrollTop = list.current.scrollHeight;
    put.current = list.current.scrollTop;
  }, [events.length]);
  const scrolled = ({ target }) => {
    if (target.scrollTop !== put.current) near.current = target.scrollHeight - target.scrollTop - target.clientHeight < 40;
  };
  const shown = lines(events.slice(-300), (event) => describe(event, props, say, texts), props.players);
  return html`
    <ol class="story" ref=${list} onScroll=${scrolled} tabindex="0" aria-label=${t("story")}>
      ${shown.map(({ event, seats, text }, i) => html`<li key=${i} class=${event.kind}>${seats.map((seat) => html`<${Dot} seat=${seat} sides=${sides} /> `)}${text}</li>`)}
    </ol>`;
}

export function Chat({ send }) {
  const [text, setText] = useState("");
  const submit = (e) => {
    e.preventDefault();
    if (text.trim()) send({ type: "chat", text });
    setText("");
  };
  return html`
    <form class="chat" onSubmit=${submit}>
      <input type="text" maxlength="300" aria-label=${t("chat")} placeholder=${t("chat")} value=${text} onInput=${(e) => setText(e.target.value)} />
      <button>${t("send")}</button>
    </form>`;
}

/** All legal moves as buttons: the way without a board. */
export function MoveList({ moves, play, mark, say, props }) {
  if (!moves?.length) return null;
  return html`
    <details class="move-list">
      <summary>${t("all_moves", { n: moves.length })}</summary>
      <div class="move-buttons">
        ${moves.map(
          ({ move, comment }) => html`
            <button class="small" data-listed=${move} onClick=${() => play(move)} onMouseEnter=${() => mark(move)} onMouseLeave=${() => mark(null)} onFocus=${() => mark(move)} onBlur=${() => mark(null)}>
              ${say({ seat: props.seat, move, comment }, props)}
            </button>`
        )}
      </div>
    </details>`;
}

/** On a phone the board may have been scrolled away from what is marked on it. */
function showBoard() {
  const board = document.querySelector(".board-box");
  const { top, bottom } = board.getBoundingClientRect();
  const below = document.querySelector("aside.side").getBoundingClientRect().top >= bottom;
  if (below && top < 0) board.scrollIntoView({ behavior: prefs.motion ? "smooth" : "auto" });
}

/** What the adviser thinks of the moves, its choice first, the others by value, as bars; also used when looking back. */
export function Candidates({ candidates, mark, say, props }) {
  const values = candidates.map((one) => one.value).filter((value) => value !== null);
  const low = Math.min(...values);
  const spread = Math.max(...values) - low;
  const share = (one) => (one.value === null ? one.share ?? 1 : spread ? (one.value - low) / spread : 1);
  const words = (one) => say({ seat: props.seat, move: one.move, comment: one.comment }, props);
  const [chosen, ...rest] = candidates;
  const ordered = [...(chosen ? [chosen] : []), ...rest.sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity))];
  const different = ordered.filter((one, i) => ordered.findIndex((other) => words(other) === words(one)) === i);
  return html`
    <ol class="candidates">
      ${different.map(
        (one) => html`
          <li>
            <button class="small" data-candidate=${one.move} onClick=${showBoard} onPointerEnter=${() => mark(one.move)} onPointerLeave=${(e) => e.pointerType === "mouse" && mark(null)} onFocus=${() => mark(one.move)} onBlur=${() => mark(null)}>
              <span class="bar" style=${{ width: `${Math.round(100 * share(one))}%` }}></span>
              <span class="candidate">${words(one)}</span>
              <b>${one.value === null ? "" : estimate(one.value, props.unit)}</b>
            </button>
          </li>`
      )}
    </ol>`;
}

/** A hint on demand; with the estimate switched on, one for each of your turns and a line over the game. */
export function Hints({ connection, state, mark, say, props, key_of_turn }) {
  const [hint, setHint] = useState(null);
  const [line, setLine] = useState([]);
  const turn = useRef(null);
  const ask = async () => {
    turn.current = key_of_turn;
    setHint({ busy: true });
    const answer = await connection.ask({ type: "hint" });
    if (turn.current !== key_of_turn) return;
    setHint(answer.candidates ? answer : { why: answer.why });
    const value = answer.candidates?.[0]?.value;
    if (value !== undefined && value !== null) setLine((before) => [...before.filter(([n]) => n !== state.n), [state.n, value]]);
  };
  const mine = state.game?.view.player === props.seat && !state.game.over;
  useEffect(() => {
    turn.current = null;
    setHint(null);
    mark(null);
    if (mine && prefs.estimate && state.table.hints) ask();
  }, [key_of_turn]);
  useEffect(() => setLine([]), [state.game?.fingerprint]);
  if (!state.table.hints || props.seat === null) return null;
  return html`
    <div class="hints">
      <div class="row">
        <button disabled=${!mine || hint?.busy} onClick=${ask} data-hint>${t(hint?.busy ? "thinking" : "hint")}</button>
        <label class="switch small"><input type="checkbox" checked=${prefs.estimate} onChange=${(e) => setPrefs({ estimate: e.target.checked })} /> <span>${t("estimate")}</span></label>
      </div>
      ${hint?.why && html`<p class="muted small">${t(`refused.${hint.why}`)}</p>`}
      ${hint?.candidates && html`<${Candidates} candidates=${hint.candidates} mark=${mark} say=${say} props=${props} />`}
      ${line.length > 1 && html`<${Graph} lines=${[{ seat: props.seat, points: line }]} total=${state.n} unit=${props.unit} label=${t("estimate_over_game")} />`}
    </div>`;
}

/** What is played by other rules than usual, in words. */
function chosenOptions(offer, table, say) {
  return offer.options
    .filter(({ name, default: usual }) => name in table.options && table.options[name] !== usual && name !== "players" && say.has(`option.${name}`))
    .map(({ name, type }) => {
      const value = table.options[name];
      if (type === "bool") return `${say(`option.${name}`)}: ${t(value ? "yes" : "no")}`;
      const word = say.has(`option.${name}.${value}`) ? say(`option.${name}.${value}`) : value ?? t("none");
      return `${say(`option.${name}`)}: ${word}`;
    });
}

/** Who plays together with a seat, in words. */
function partnersOf(seat, { sides, seats }) {
  const others = (sides.find((side) => side.includes(seat)) ?? []).filter((one) => one !== seat);
  return others.length ? t("with", { names: others.map((one) => seats[one].name || t("seat_number", { n: one + 1 })).join(", ") }) : "";
}

/** Before a game: what is played, who sits where; the host puts bots on seats and begins. */
export function Seating({ offer, table, send, title, say }) {
  const choose = (seat) => (e) => send({ type: "arrange", seat, agent: e.target.value === "open" ? null : e.target.value });
  const { host, seat: mine } = table.you;
  const open = table.seats.filter((one) => one.kind === "open").length;
  return html`
    <div class="seating panel">
      <h2>${title}: ${t("gathering")}</h2>
      ${chosenOptions(offer, table, say).length > 0 && html`<p class="muted small">${chosenOptions(offer, table, say).join(" · ")}</p>`}
      <label class="row">${t("your_name")} <input type="text" maxlength="24" value=${prefs.name} placeholder=${t("guest")} onChange=${(e) => setPrefs({ name: e.target.value.trim() })} data-own-name /></label>
      <${Share} />
      <ul>
        ${table.seats.map((one, seat) => {
          if (one.kind === "empty") return null;
          return html`
            <li data-seat=${seat}>
              <${Dot} seat=${seat} sides=${table.sides} />
              <span class="who">${one.name || t("open_seat")}${mine === seat ? ` (${t("you")})` : ""} <small class="muted">${partnersOf(seat, table)}</small></span>
              ${host && one.kind !== "person" &&
              html`<select aria-label=${t("who_sits", { seat: seat + 1 })} onChange=${choose(seat)}>
                <option value="open" selected=${one.kind === "open"}>${t("open_seat")}</option>
                ${offer.levels.map((level) => html`<option value=${level.agent} selected=${one.agent === level.agent}>${t(`level.${level.level}`)}</option>`)}
              </select>`}
              ${(one.kind !== "person" || one.away) && html`<button class="small" data-sit=${seat} onClick=${() => send({ type: "sit", seat })}>${t("sit_here")}</button>`}
              ${host && seat + 1 < table.seats.length && table.seats[seat + 1].kind !== "empty" &&
              html`<button class="small plain" title=${t("swap")} aria-label=${t("swap")} onClick=${() => send({ type: "swap", seat, other: seat + 1 })}>⇅</button>`}
            </li>`;
        })}
      </ul>
      ${host ? html`<${Clock} table=${table} send=${send} />` : html`<p class="muted small">${t("clock")}: ${t(`clock.${table.clock}`)}</p>`}
      <div class="row">
        ${host ? html`<button class="main" data-start onClick=${() => send({ type: "start" })}>${t(open ? "start_with_bots" : "start")}</button>` : html`<p>${t("host_starts")}</p>`}
        ${mine !== null && html`<button onClick=${() => send({ type: "stand" })}>${t("stand_up")}</button>`}
      </div>
    </div>`;
}

function Share() {
  const [copied, setCopied] = useState(false);
  const local = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const link = useRef(null);
  const copy = async () => {
    link.current.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(location.href);
    else document.execCommand("copy"); // over plain http browsers offer nothing newer
    setCopied(true);
  };
  return html`
    <div class="share">
      <label>${t("link")} <input ref=${link} readonly value=${location.href} onFocus=${(e) => e.target.select()} data-link /></label>
      <button onClick=${copy}>${t(copied ? "copied" : "copy")}</button>
      <p class="room-code">${t("room_code")} <b data-code>${location.pathname.split("/")[2]}</b></p>
      ${local && html`<small class="muted">${t("local_only")}</small>`}
    </div>`;
}

const PACES = [["pause", null], ["slow", 2000], ["normal", 700], ["fast", 150], ["at_once", 0]];

/** How fast bots play. */
export function Pace({ table, send }) {
  if (!table.you.host || !table.seats.some((one) => one.kind === "bot")) return null;
  return html`
    <div class="row pace">
      <label>${t("pace")}
        <select onChange=${(e) => send({ type: "pace", ms: PACES[e.target.selectedIndex][1] })} data-pace>
          ${PACES.map(([name, ms]) => html`<option selected=${ms === table.pace}>${t(`pace.${name}`)}</option>`)}
        </select>
      </label>
      ${table.pace === null && html`<button class="small" data-step onClick=${() => send({ type: "step" })}>${t("step")}</button>`}
    </div>`;
}

/** The deal's fingerprint, and after the game the seed that proves it. */
export function FairDeal({ game }) {
  return html`
    <details class="fair small">
      <summary>${t("fair_deal")}</summary>
      <p>${t("fair_deal.text")}</p>
      <p>SHA-256: <code data-fingerprint>${game.fingerprint}</code></p>
      ${game.seed && html`<p>${t("seed")}: <code data-seed>${game.seed}</code></p>`}
    </details>`;
}
