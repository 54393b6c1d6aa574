// The result of a round. The next deal is there at once, so the board remembers the position before it.

import { html, useRef } from "/web/vendor/preact-htm.js";
import { cardsOf, numberText } from "./words.js";
import { Team, teamName } from "./seats.js";

/** The result to show now, or null. */
export function useResult(view, last) {
  const memory = useRef({ view: null, result: null });
  const kept = memory.current;
  if (kept.view !== view) {
    kept.result = nextResult(kept, view, last);
    kept.view = view;
  }
  return kept.result;
}

function nextResult({ view: before, result }, view, last) {
  const over = view.phase === "over";
  if (before && (view.round === before.round + 1 || (over && before.phase !== "over"))) return sumUp(before, view, last);
  if (over) return result ?? sumUp(null, view, null);
  const between = view.phase === "grand" || view.phase === "schupf";
  return between && result && result.round + 1 === view.round ? result : null;
}

function sumUp(before, view, last) {
  const over = view.phase === "over";
  const out = over ? view.out : finishers(before, last);
  const announced = over ? view.announced : before.announced;
  const gains = before ? [0, 1].map((team) => view.score[team] - before.score[team]) : null;
  const complete = out.length === 3 || (out.length === 2 && (out[0] ^ out[1]) === 2);
  const calls = announced.flatMap((call, seat) => (call ? [{ seat, call, won: seat === out[0] }] : []));
  return {
    round: over ? view.round : before.round,
    score: view.score,
    over,
    gains,
    out: complete ? out : [],
    calls: complete ? calls : [],
    double: complete && (out[0] ^ out[1]) === 2,
  };
}

function finishers(before, last) {
  const ended = last && cardsOf(last.move).length > 0 && !before.out.includes(last.seat);
  return ended ? [...before.out, last.seat] : before.out;
}

const signed = (number) => (number > 0 ? `+${number}` : numberText(number));
const worth = (call) => (call.won ? 100 : -100) * call.call;

export function Result({ result, teams, props }) {
  const { t, players } = props;
  const { gains, calls, out, score, over } = result;
  const called = (team) => calls.filter((call) => call.seat % 2 === team).reduce((sum, call) => sum + worth(call), 0);
  const line = (name, values, kind = "") => html`<tr class=${kind}><th scope="row">${name}</th>${values.map((value) => html`<td>${value}</td>`)}</tr>`;
  return html`<section class="result" aria-label=${t("result.round", { round: result.round })}>
    <h3>${over ? verdict(score, teams, props) : t("result.round", { round: result.round })}</h3>
    ${out.length > 0 && html`<p>${t("result.out", { names: out.map((seat, i) => `${i + 1}. ${players[seat].name}`).join("   ") })}</p>`}
    <table>
      <thead><tr><td></td>${teams.map((team) => html`<th scope="col"><${Team} team=${team} /> ${teamName(team, props)}</th>`)}</tr></thead>
      <tbody>
        ${gains && out.length > 0 && line(t(result.double ? "result.double" : "result.cards"), teams.map((team) => signed(gains[team] - called(team))))}
        ${gains && calls.map((call) => line(callWords(call, props), teams.map((team) => (call.seat % 2 === team ? signed(worth(call)) : ""))))}
        ${gains && line(t("result.sum"), teams.map((team) => signed(gains[team])), "sum")}
        ${line(t("result.score"), teams.map((team) => numberText(score[team])), "total")}
      </tbody>
    </table>
  </section>`;
}

function callWords({ seat, call, won }, { t, players }) {
  return t(won ? "result.won" : "result.lost", { call: t(`call.${call}`), name: players[seat].name });
}

function verdict(score, teams, props) {
  const { t, seat } = props;
  if (score[0] === score[1]) return t("result.draw");
  const winner = score[0] > score[1] ? 0 : 1;
  if (seat !== null) return t(winner === teams[0] ? "result.youwin" : "result.youlose");
  return t("result.wins", { team: teamName(winner, props) });
}
