// A finished game: step through it, see where it was won and lost, and try another move from any position.

import { html, useEffect, useMemo, useRef, useState } from "./vendor/preact-htm.js";
import { useBoard } from "./board.js";
import { Graph } from "./graph.js";
import { call } from "./net.js";
import { accuracy, estimate, verdict } from "./outcome.js";
import { Candidates } from "./panels.js";
import { prefs } from "./prefs.js";
import { t } from "./texts.js";

/** What was judged as a slip: [{n, loss, grade}], in the order of the game. */
const mistakes = (rows) => rows.flatMap((row, n) => (row?.grade ? [{ n, loss: row.loss, grade: row.grade }] : []));

const GRADES = ["inaccuracy", "mistake", "blunder"];

/** How everybody has decided: per cent, and how many slips of each kind. */
function Judged({ rows, names, slips }) {
  const counted = names.flatMap((name, seat) => {
    const percent = accuracy(rows, seat, slips);
    return percent === null ? [] : [{ name, percent, slips: GRADES.map((grade) => rows.filter((row) => row?.seat === seat && row.grade === grade).length) }];
  });
  return html`<table class="judged small">
    <thead><tr><th></th><th scope="col">${t("accuracy")}</th>${GRADES.map((grade) => html`<th scope="col" class=${grade}>${t(`grade.${grade}`)}</th>`)}</tr></thead>
    <tbody>${counted.map((one) => html`<tr><th scope="row">${one.name}</th><td>${one.percent} %</td>${one.slips.map((n) => html`<td>${n}</td>`)}</tr>`)}</tbody>
  </table>`;
}

function lines(rows, sides, names) {
  return sides.map((side) => ({
    seat: side[0],
    name: side.map((seat) => names[seat]).join(" & "),
    points: rows.flatMap((row, n) => (row && row.value !== null && side.includes(row.seat) ? [[n, row.value]] : [])),
  }));
}

function useAnalysis(id, wanted) {
  const [analysis, setAnalysis] = useState(null);
  useEffect(() => {
    if (!wanted) return undefined;
    let timer = null;
    const look = async () => {
      const found = await call(`/api/records/${id}/analysis`);
      setAnalysis(found);
      if (found.rows.length < found.total) timer = setTimeout(look, 700);
    };
    look();
    return () => clearTimeout(timer);
  }, [id, wanted]);
  return analysis;
}

function Steps({ at, last, setAt }) {
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return undefined;
    if (at >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => setAt(at + 1), 800);
    return () => clearTimeout(timer);
  }, [playing, at]);
  return html`
    <div class="steps">
      <button aria-label=${t("to_start")} onClick=${() => setAt(0)}>|◀</button>
      <button aria-label=${t("step_back")} data-back onClick=${() => setAt(Math.max(0, at - 1))}>◀</button>
      <button aria-label=${t(playing ? "pause" : "run")} onClick=${() => setPlaying(!playing)}>${playing ? "⏸" : "▶▶"}</button>
      <button aria-label=${t("step_on")} data-next onClick=${() => setAt(Math.min(last, at + 1))}>▶</button>
      <button aria-label=${t("to_end")} onClick=${() => setAt(last)}>▶|</button>
      <input type="range" min="0" max=${last} value=${at} aria-label=${t("move_number")} data-slider onInput=${(e) => setAt(Number(e.target.value))} />
      <output>${at} / ${last}</output>
    </div>`;
}

/** The move that an address names, such as /game/abc?move=12. */
const moveOfAddress = () => Math.max(0, Math.trunc(Number(new URLSearchParams(location.search).get("move"))) || 0);

export function Replay({ id, offers, go }) {
  const [game, setGame] = useState(null);
  const [problem, setProblem] = useState(null);
  const [at, setAt] = useState(moveOfAddress);
  const [copied, setCopied] = useState(false);
  const [jumped, setJumped] = useState(null);
  const [marked, setMarked] = useState(null);
  const [wanted, setWanted] = useState(false);
  const analysis = useAnalysis(id, wanted);
  const offer = offers.find((one) => one.name === game?.record.header.game);
  const board = useBoard(offer);
  const list = useRef(null);
  useEffect(() => {
    const show = (found) => {
      setAt((wished) => Math.min(wished, found.positions.length - 1));
      setGame(found);
    };
    call(`/api/records/${id}/positions`).then(show, (error) => setProblem(error.why));
  }, [id]);
  const found = useMemo(() => (analysis ? mistakes(analysis.rows) : []), [analysis?.rows.length]);
  useEffect(() => {
    const now = list.current?.querySelector(".now");
    if (!now) return; // the list scrolls, never the page
    const { offsetTop: top, offsetHeight: height } = now, { scrollTop, clientHeight } = list.current;
    if (top < scrollTop || top + height > scrollTop + clientHeight) list.current.scrollTop = top - clientHeight / 2;
  }, [at, Boolean(board)]);
  if (problem) return html`<div class="panel notice"><p>${t(`refused.${problem}`)}</p><a class="button" href="/">${t("to_lobby")}</a></div>`;
  if (!game || !board) return html`<p class="loading">…</p>`;
  const { Board, say } = board;
  const names = game.record.players.map((name) => name.replace(/ \(.*\)$/, ""));
  const players = names.map((name) => ({ name, kind: name ? "bot" : "empty", away: false }));
  const here = game.positions[at];
  const before = at ? game.positions[at - 1] : null;
  const last = before && { n: at, seat: before.seat, move: before.move, comment: before.comment };
  const facing = Math.max(0, names.findIndex(Boolean));
  const props = { view: here.view, seat: null, facing, players, moves: [], calls: [], scores: here.scores, last, deadline: null, play() {}, ask: async () => ({ moves: [], why: null }), t: board.t, lang: prefs.lang, animate: prefs.motion };
  const row = analysis?.rows[at];
  const slip = found.find((one) => one.n === at);
  const best = row?.candidates.find((one) => one.move === row.best);
  const whatIf = async () => {
    const agents = game.record.players.map((name) => name.match(/ \((.*)\)$/)?.[1]);
    const agent = agents.find((one) => offer.levels.some((level) => level.agent === one)) ?? offer.usual;
    const wish = { from: { game: id, at }, seats: "solo", seat: here.view.player, agent, name: prefs.name || t("guest"), start: true };
    const { code } = await call("/api/tables", wish);
    go(`/table/${code}`);
  };
  const playAgain = async () => {
    const agents = game.record.players.map((name) => name.match(/ \((.*)\)$/)?.[1]);
    const agent = agents.find((one) => offer.levels.some((level) => level.agent === one)) ?? offer.usual;
    const wish = { game: offer.name, options: game.record.options, seats: "solo", agent, name: prefs.name || t("guest"), start: true };
    go(`/table/${(await call("/api/tables", wish)).code}`);
  };
  const copyLink = async () => {
    const link = `${location.origin}/game/${id}?move=${at}`;
    history.replaceState(null, "", `/game/${id}?move=${at}`);
    if (navigator.clipboard) await navigator.clipboard.writeText(link).catch(() => {}); // else it is in the address
    setCopied(at);
  };
  const after = jumped === at ? at : at - 1; // the first jump may stay where it is
  const jumpTo = (next) => {
    if (next === undefined) return;
    setAt(next.n);
    setJumped(next.n);
  };
  return html`
    <div class="table-room looking-back">
      <div class="table-head"><h1>${board.t("title")}</h1><p class="status">${game.record.result ? verdict(game.record.result, game.sides, names, null) : t("result.ended")}</p></div>
      <div class="table-main">
        <div class="board-box">
          <${Board} ...${props} marked=${marked ?? here.move ?? null} />
          <${Steps} at=${at} last=${game.positions.length - 1} setAt=${setAt} />
        </div>
        <aside class="side">
          <div class="row">
            <button class="main" disabled=${wanted} data-analyse onClick=${() => setWanted(true)}>${t("analyse")}</button>
            <button disabled=${here.view.player === null} data-what-if onClick=${whatIf}>${t("what_if")}</button>
          </div>
          ${analysis && analysis.rows.length < analysis.total && html`<progress max=${analysis.total} value=${analysis.rows.length}>${analysis.rows.length}</progress>`}
          ${analysis &&
          html`
            <${Graph} lines=${lines(analysis.rows, game.sides, names)} total=${analysis.total} unit=${offer.unit} marks=${found.map((one) => one.n)} at=${at} jump=${setAt} label=${t("estimate_over_game")} />
            <div class="row">
              <button class="small" disabled=${!found.some((one) => one.n < at)} data-mistake-before onClick=${() => jumpTo(found.findLast((one) => one.n < at))}>◀ ${t("mistake")}</button>
              <button class="small" disabled=${!found.some((one) => one.n > after)} data-mistake onClick=${() => jumpTo(found.find((one) => one.n > after))}>${t("mistake")} ▶</button>
            </div>
            ${row && html`<p class="small">${t("better", { move: say({ seat: row.seat, move: row.best, comment: best?.comment ?? "" }, { ...props, seat: row.seat }) })} ${slip && html`<b class=${slip.grade}>${t(`grade.${slip.grade}`)}:</b> ${t("loses", { loss: estimate(slip.loss, offer.unit) })}`}</p>
              <${Candidates} candidates=${row.candidates} mark=${setMarked} say=${say} props=${{ ...props, seat: row.seat, unit: offer.unit }} />`}
            <${Judged} rows=${analysis.rows} names=${names} slips=${offer.slips} />`}
          <ol class="story moves" ref=${list}>
            ${game.positions.slice(0, -1).map(
              (one, n) => html`
                <li class=${`${n === at ? "now" : ""} ${found.find((m) => m.n === n)?.grade ?? ""}`}>
                  <button class="plain small" onClick=${() => setAt(n)}>${names[one.seat]}: ${say({ seat: one.seat, move: one.move, comment: one.comment }, props)}</button>
                </li>`
            )}
          </ol>
          <div class="row after">
            <button class="small" data-copy-move onClick=${copyLink}>${t(copied === at ? "copied" : "copy_move")}</button>
            <button class="small" data-play-again onClick=${playAgain}>${t("again")}</button>
            <a class="button small" data-other-game href="/">${t("other_game")}</a>
          <a class="button small" download=${`${offer.name}-${id}.json`} href=${`/api/records/${id}`}>${t("download")}</a>
          </div>
        </aside>
      </div>
    </div>`;
}
