// Ganz schön clever: choose a die, see what every place would bring, enter it.
import { html, useEffect, useRef, useState } from "/web/vendor/preact-htm.js";
import { useFocus } from "/web/focus.js";
import { preview } from "./chain.js";
import { isPrototype } from "./facts.js";
import { Table } from "./dice.js";
import { Bonus } from "./icons.js";
import { diceOfCell, entriesOf, lostDice, numberOf, parse, say } from "./moves.js";
import { Others, Result } from "./others.js";
import { Actions, Choices, Pending, Phase, taskWords } from "./panel.js";
import { QUIET, Sheet } from "./sheet.js";

export { say };

const MOST_CHOICES = { die: 8, extra: 8, bonus: 3 }; // more are shown on the sheet alone
const FEW = 7; // targets that may all glow
const NEXT = [".choices button", ".pending button[aria-pressed=false]", ".cell.target", ".die.usable", ".action"];
const TWICE = 600; // ms in which a second click on the same position counts as the first

/** @param {import("/web/board.js").BoardProps} props */
export function Board(props) {
  const { view, seat, players, moves, play, last, marked, animate, t } = props;
  const home = seat ?? view.player ?? props.facing ?? 0, over = view.phase === "over";
  const mine = !over && seat !== null && view.player === seat && (moves ?? []).length > 0;
  const here = signature(view);
  const [half, setHalf] = useState({});
  const [peek, setPeek] = useState(null);
  const [pointed, setPointed] = useState(null);
  const [opened, setOpened] = useState(null);
  const root = useRef(null), sent = useRef({});
  const shown = opened ?? home;

  const legal = mine ? moves : [];
  const entries = entriesOf(legal, view).map((one) => withGain(one, view));
  const sources = [...new Set(entries.map((one) => one.source))];
  const pick = pickOf(half, here, sources);
  const aim = pick.source ?? (pick.cell ? null : peek);
  const hint = marked ? parse(marked) : null;

  useEffect(() => { if (mine) setOpened(null); }, [mine]);
  useEffect(() => { setPeek(null); setPointed(null); }, [here]);
  const watch = useFocus(root, NEXT, [here, mine, half]);
  useEffect(() => { if (opened !== null) bringIn(root.current, ".paper", animate); }, [opened]);
  useEffect(() => { if (over && last) bringIn(root.current, ".result", animate); }, [over]);
  useEffect(() => showTargets(root.current, mine && pick.source, animate), [here, pick.source, mine]);

  const choose = (next) => { setHalf({ at: here, ...next }); setPointed(null); };
  const send = (text) => {
    if (sent.current.at === here && Date.now() - sent.current.time < TWICE) return;
    sent.current = { at: here, time: Date.now() };
    setPeek(null);
    play(text);
  };
  const onCell = (cell) => {
    const fits = entries.filter((one) => one.cell === cell && (!pick.source || one.source === pick.source));
    if (fits.length && (pick.source || (fits.length === 1 && (fits[0].kind === "bonus" || pick.cell === cell)))) send(fits[0].text);
    else choose(pick.cell === cell ? {} : { cell });
  };
  const onSource = (source) => {
    const fit = pick.cell && entries.find((one) => one.cell === pick.cell && one.source === source);
    setPeek(null);
    if (fit) send(fit.text);
    else choose(half.at === here && half.source === source ? {} : { source });
  };
  const onDrop = (die, element) => {
    const cell = element?.closest("[data-cell]")?.dataset.cell;
    const fit = entries.find((one) => one.source === die && one.cell === cell);
    if (fit) send(fit.text);
  };
  const options = entries.filter((one) => (pick.source ? one.source === pick.source : pick.cell && one.cell === pick.cell));
  const focus = pointed && entries.find((one) => one.cell === pointed.cell && one.source === (pointed.source ?? aim ?? one.source));
  const dicePlay = mine && view.sheets[seat].pending.length === 0;
  const bonusTask = mine && !dicePlay && pick.source;
  const task = over ? "" : taskWords({ view, mine, players, t, pick, sources, entries });
  const gone = aimLoss(entries, focus?.source ?? aim, view);

  const hand = {
    active: dicePlay && entries.length > 0, usable: new Set(dicePlay ? sources : []),
    fitting: new Set((pick.cell ? options : entries).map((one) => one.source)),
    chosen: dicePlay ? pick.source ?? null : null, leaving: new Set(gone), marked: markedDie(hint, view),
    moveOf: (die) => (pick.cell && options.find((one) => one.source === die)?.text) || null,
    onDie: onSource, onPeek: setPeek, onLift: (source) => choose({ source }), onDrop,
  };
  const live = {
    ...(shown === home ? liveSheet({ entries, pick, aim, focus, onCell, onOver: (cell) => setPointed(cell && { cell }) }) : QUIET),
    marked: view.player === shown ? hint?.cell : null, fresh: last?.seat === shown ? parse(last.move).cell : null,
  };
  const facing = (n) => players[n]?.name ?? "";

  return html`<div class=${`clever ${animate ? "moving" : ""}`} ref=${root} ...${watch}
    onKeyDown=${(event) => { if (event.key === "Escape") { choose({}); setOpened(null); } }}>
    <div class="frame">
      ${over ? html`<${Result} view=${view} players=${players} scores=${props.scores} t=${t} />` : html`<div class=${`table ${mine ? "mine" : ""}`}>
        <p class="task"><${Phase} view=${view} players=${players} t=${t} />
          <span class="todo" role="status">${bonusTask && html`<${Bonus} bonus=${pick.source} t=${t} />`}${task}</span></p>
        <${Table} view=${view} last=${last} animate=${animate} hand=${hand} t=${t} />
        ${mine && !dicePlay && sources.length > 1 && html`<${Pending} sources=${sources} pick=${pick} marked=${hint} onSource=${onSource} t=${t} />`}
        ${mine && html`<${Actions} moves=${legal} view=${view} marked=${hint} send=${send} t=${t} />`}
      </div>`}
      ${options.length > 0 && options.length <= MOST_CHOICES[options[0].kind] && html`<${Choices} options=${options} byDie=${!pick.source}
        lost=${pick.source ? gone : []} dice=${view.dice} marked=${hint} send=${send} t=${t} onOver=${(cell, source) => setPointed(cell && { cell, source })} />`}
      ${shown !== home && html`<p class="visiting"><span>${t("others.visiting", { name: facing(shown) })}</span>
        <button type="button" class="action" data-sheet=${home} onClick=${() => setOpened(null)}>${t("others.back")}</button></p>`}
      <div class=${`paper ${shown === home ? "" : "visited"} ${live.targets.size > FEW ? "many" : ""}`}>
        <${Sheet} sheet=${view.sheets[shown]} view=${view} live=${live} title=${t("sheet", { name: facing(shown) })} t=${t} />
      </div>
      ${view.sheets.length > 1 && html`<${Others} view=${view} players=${players} shown=${shown} t=${t}
        open=${(n) => setOpened(n === home ? null : n)} />`}
    </div></div>`;
}

/** Half-made choices count only as long as this stays the same. */
function signature({ player, round, phase, roll, active, dice, place, extra_used, sheets }) {
  return JSON.stringify([player, round, phase, roll, active, dice, place, extra_used, sheets]);
}

/** What is half chosen; where there is only one die or bonus to choose, it is chosen. */
function pickOf(half, here, sources) {
  if (half.at === here && half.cell) return { cell: half.cell };
  if (half.at === here && sources.includes(half.source)) return { source: half.source };
  return sources.length === 1 ? { source: sources[0] } : {};
}

function withGain(entry, view) {
  const number = numberOf(entry, view);
  return { ...entry, number, gain: preview(view.sheets[view.player], entry.cell, number, isPrototype(view)) };
}

function aimLoss(entries, source, view) {
  const entry = source && entries.find((one) => one.source === source);
  return entry ? lostDice(entry, view) : [];
}

function markedDie(hint, view) {
  if (!hint || !["die", "extra"].includes(hint.kind)) return null;
  return isPrototype(view) ? diceOfCell(view, hint.cell)[0] : hint.source;
}

/** What the sheet shows beyond what is written on it: places to choose, and what the one pointed at would set off. */
function liveSheet({ entries, pick, aim, focus, onCell, onOver }) {
  const targets = new Map();
  for (const one of entries) {
    if (aim ? one.source !== aim : targets.has(one.cell)) continue;
    const alone = aim || entries.filter((other) => other.cell === one.cell).length === 1;
    const plays = pick.source || (alone && (one.kind === "bonus" || one.cell === pick.cell));
    targets.set(one.cell, { move: plays ? one.text : null, gain: alone ? one.gain : null, soft: !aim && one.cell !== pick.cell });
  }
  return {
    targets, chosen: pick.cell ?? null, onCell, onOver,
    ghosts: new Map(focus ? focus.gain.ghosts.map((ghost) => [ghost.cell, ghost.text]) : []),
    spots: new Set(focus ? focus.gain.spots : []),
  };
}

/** Scroll to the top of a part that has just changed, where it is out of sight. */
function bringIn(root, css, animate) {
  const part = root.querySelector(css);
  if (part.getBoundingClientRect().top < 0) part.scrollIntoView({ block: "start", behavior: animate ? "smooth" : "auto" });
}

/** On a phone the places may be out of sight: scroll to the first, unless one can be seen or chosen from the list. */
function showTargets(root, chosen, animate) {
  const targets = chosen ? [...root.querySelectorAll(".cell.target[data-move]")] : [];
  if (!targets.length || root.querySelector(".choices")) return;
  const table = root.querySelector(".table"), covered = getComputedStyle(table).position === "sticky" ? table.offsetHeight : 0;
  const seen = (cell) => { const box = cell.getBoundingClientRect(); return box.top >= covered && box.bottom <= innerHeight; };
  if (!targets.some(seen)) targets[0].scrollIntoView({ block: "center", behavior: animate ? "smooth" : "auto" });
}
