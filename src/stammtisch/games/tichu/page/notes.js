// What people look up at the table: the last trick, and the sheet of all rounds.

import { html, useEffect, useRef } from "/web/vendor/preact-htm.js";
import { Row } from "./cards.js";
import { Call, Team, teamName } from "./seats.js";
import { cardsOf, numberText } from "./words.js";

/** The last trick that somebody has taken in this round, or null. */
const lastTrick = (view) => view.tricks[view.tricks.length - (view.trick ? 2 : 1)] ?? null;

/** Two small buttons at the edge of the table. */
export function Look({ look, props }) {
  const { view, sheet, t } = props;
  const taken = view.phase !== "over" && lastTrick(view) !== null;
  return html`<div class="look">
    ${sheet && html`<button type="button" data-look="sheet" onClick=${() => look("sheet")}>${t("sheet")}</button>`}
    ${taken && html`<button type="button" data-look="trick" onClick=${() => look("trick")}>${t("trick.last")}</button>`}
  </div>`;
}

function Dialog({ title, close, t, children }) {
  const box = useRef(null);
  useEffect(() => box.current.showModal(), []);
  return html`<dialog ref=${box} class="notes" aria-label=${title} onClose=${close} onClick=${(event) => event.target === box.current && box.current.close()}>
    <form method="dialog"><h3>${title}</h3><button type="submit" class="close" data-action="close">${t("notes.close")}</button></form>
    ${children}
  </dialog>`;
}

export function LastTrick({ close, props }) {
  const { view, players, t } = props;
  const plays = lastTrick(view) ?? [];
  return html`<${Dialog} title=${t("trick.last")} close=${close} t=${t}>
    <ol>${plays.map(([seat, move], i) => html`<li key=${i} class=${i === plays.length - 1 ? "best" : ""}><span class="name"><${Team} team=${seat % 2} />${players[seat].name}</span><${Row} cards=${cardsOf(move)} t=${t} /></li>`)}</ol>
  <//>`;
}

/** A line for every round: calls, what it brought, how it then stood. */
export function Sheet({ teams, close, props }) {
  const { sheet, players, t } = props;
  const scores = (row, team) => (row ? row.scores[team] : 0);
  const gain = (n, team) => scores(sheet[n], team) - scores(sheet[n - 1], team);
  const signed = (number) => (number > 0 ? `+${number}` : numberText(number));
  return html`<${Dialog} title=${t("sheet")} close=${close} t=${t}>
    <table>
      <thead><tr><th scope="col">${t("sheet.round")}</th><th scope="col">${t("sheet.calls")}</th>${teams.map((team) => html`<th scope="col"><${Team} team=${team} /> ${teamName(team, props)}</th>`)}</tr></thead>
      <tbody>${sheet.map((row, n) => html`<tr key=${n}><th scope="row">${row.round}</th>
        <td>${row.announced.map((call, seat) => call > 0 && html`<span class=${row.out[0] === seat ? "kept" : "broken"}>${row.out[0] === seat ? "✓" : "✗"} <${Call} call=${call} t=${t} /> ${players[seat].name}</span>`)}</td>
        ${teams.map((team) => html`<td>${signed(gain(n, team))} <b>${numberText(row.scores[team])}</b></td>`)}</tr>`)}</tbody>
    </table>
    ${sheet.length === 0 && html`<p>${t("sheet.empty")}</p>`}
  <//>`;
}
