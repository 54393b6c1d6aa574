// The sheets of the others, small; and the result when the game is over.
import { html } from "/web/vendor/preact-htm.js";
import { count, filled } from "./chain.js";
import { AREAS, TRACK, YELLOW, isPrototype } from "./facts.js";
import { Bonus, Emblem } from "./icons.js";

const RATINGS = [281, 260, 240, 220, 200, 180, 160, 140];

/** Everybody's sheet as a small picture; a click opens it large. */
export function Others({ view, players, shown, open, t }) {
  return html`<nav class="others" aria-label=${t("others")}>${view.sheets.map((sheet, seat) => {
    const { total } = count(sheet, false), name = players[seat]?.name ?? "";
    const state = `${seat === shown ? "shown" : ""} ${view.player === seat ? "turn" : ""}`;
    return html`<button type="button" key=${seat} data-sheet=${seat} class=${`other ${state}`}
      aria-pressed=${String(seat === shown)} aria-label=${t("others.open", { name, n: total })} onClick=${() => open(seat)}>
      <${Mini} sheet=${sheet} /><span class="who">${name}</span><b>${total}</b></button>`;
  })}</nav>`;
}

function Mini({ sheet }) {
  const dot = (area, x, y, full) => html`<rect class=${`dot area-${area} ${full ? "full" : ""}`} x=${x} y=${y} width="5" height="5" rx="1.2" />`;
  return html`<svg class="mini-sheet" viewBox="0 0 66 46" aria-hidden="true">
    ${YELLOW.map((n, i) => dot("yellow", 6 * (i % 4), 6 * Math.floor(i / 4), !n || sheet.yellow.includes(i)))}
    ${Array.from({ length: 11 }, (_, i) => i + 2).map((n) => dot("blue", 42 + 6 * ((n - 1) % 4), 6 * Math.floor((n - 1) / 4), sheet.blue.includes(n)))}
    ${["green", "orange", "purple"].map((area, row) => Array.from({ length: TRACK }, (_, i) => dot(area, 6 * i, 27 + 6.5 * row, i < filled(sheet, area))))}
  </svg>`;
}

/** The points by area with the foxes, and who has won. */
export function Result({ view, players, scores, t }) {
  const prototype = isPrototype(view), counts = view.sheets.map((sheet) => count(sheet, prototype)), several = counts.length > 1;
  const best = Math.max(...scores), won = players.filter((_, seat) => scores[seat] === best).map((one) => one.name);
  const areas = prototype ? ["yellow"] : AREAS;
  const headline = several ? t(won.length > 1 ? "result.shared" : "result.won", { names: won.join(", ") }) : t("result.points", { n: counts[0].total });
  const row = (head, cell) => html`<tr><th scope="row"><span>${head}</span></th>${counts.map((one, i) => html`<td key=${i}>${cell(one, view.sheets[i].foxes)}</td>`)}</tr>`;
  const winner = (seat) => (scores[seat] === best ? "best" : "");
  return html`<section class="result" aria-label=${t("result")}>
    <h3>${headline}</h3>${!several && !prototype && html`<p class="rating">${t(`rating.${rating(counts[0].total)}`)}</p>`}
    <table>
      ${several && html`<thead><tr><td></td>${players.map((one, i) => html`<th key=${i} scope="col" class=${winner(i)}>${one.name}</th>`)}</tr></thead>`}
      <tbody>
        ${areas.map((area) => row(html`<${Emblem} area=${area} />${t(`area.${area}`)}`, (one) => one.areas[area]))}
        ${!prototype && row(html`<${Bonus} bonus="fox" t=${t} />${t("result.foxes")}`, (one, foxes) => html`<small>${foxes} × ${one.fox} =</small> ${foxes * one.fox}`)}
      </tbody>
      <tfoot><tr><th scope="row">${t("total")}</th>${counts.map((one, i) => html`<td key=${i} class=${winner(i)}>${one.total}</td>`)}</tr></tfoot>
    </table>
  </section>`;
}

const rating = (points) => RATINGS.find((least) => points >= least) ?? 0;
