// A player's sheet: five areas, the round track, what is in store, and the points.
import { html } from "/web/vendor/preact-htm.js";
import { count, filled, lineDone } from "./chain.js";
import {
  BLUE_LINES, BLUE_POINTS, BONUS, COLUMN_POINTS, FACTORS, GREEN_LEAST, GREEN_POINTS, ROUND_BONUS, TRACK, YELLOW, YELLOW_LINES,
  isPrototype, roundsOf,
} from "./facts.js";
import { Bonus, Cross, Emblem } from "./icons.js";
import { cellName } from "./moves.js";

/** Nothing to do, nothing to show: the sheet of somebody else. */
export const QUIET = { targets: new Map(), ghosts: new Map(), spots: new Set(), chosen: null };

export function Sheet({ sheet, view, live, title, t }) {
  const prototype = isPrototype(view), points = count(sheet, prototype);
  const all = { sheet, live, t, prototype, points: points.areas };
  return html`<section class=${`sheet ${prototype ? "prototype" : ""}`} aria-label=${title}>
    <header class="sheet-head"><${Rounds} view=${view} t=${t} /><${Store} sheet=${sheet} points=${points} prototype=${prototype} t=${t} /></header>
    <${Yellow} ...${all} />
    ${!prototype && html`<${Blue} ...${all} /><${Green} ...${all} /><${Orange} ...${all} /><${Purple} ...${all} />`}
  </section>`;
}

function Rounds({ view, t }) {
  const prototype = isPrototype(view), over = view.phase === "over";
  return html`<ol class="rounds" aria-label=${t("rounds")}>${Array.from({ length: roundsOf(view) }, (_, i) => {
    const state = i + 1 < view.round || over ? "past" : i + 1 === view.round ? "now" : "";
    const bonus = prototype ? null : ROUND_BONUS[i];
    return html`<li key=${i} class=${state} aria-current=${state === "now" ? "step" : null}>
      <span>${i + 1}</span>${bonus && html`<${Bonus} bonus=${bonus} t=${t} />`}</li>`;
  })}</ol>`;
}

function Store({ sheet, points, prototype, t }) {
  const stock = [["reroll", sheet.rerolls], ["extra", sheet.extras], ["fox", sheet.foxes]];
  return html`<div class="store">
    ${!prototype && stock.map(([bonus, n]) => html`<span key=${bonus} class=${`stock ${n ? "" : "none"}`} title=${t(`stock.${bonus}`, { n, fox: points.fox })}>
      <${Bonus} bonus=${bonus} t=${t} /><b>${n}</b>${bonus === "fox" && n > 0 && html`<small>× ${points.fox}</small>`}</span>`)}
    <span class="total" title=${t("total.help")}><small>${t("total")}</small><b>${points.total}</b></span>
  </div>`;
}

function Area({ area, points, t, children, prototype }) {
  return html`<section class=${`area area-${area}`} aria-label=${t("area.points", { area: t(`area.${area}`), n: points[area] })}>
    <h3><${Emblem} area=${area} /><span class="name">${t(`area.${area}`)}</span>
      <span class="hint">${t(prototype ? "hint.prototype" : `hint.${area}`)}</span><b class="points">${points[area]}</b></h3>
    ${children}</section>`;
}

/** One cell. `label` stands in it while it is free, `entry` (a number, or true for a cross) when it is filled. */
function Cell({ cell, label, corner, entry, live, t }) {
  const target = live.targets.get(cell), ghost = live.ghosts.has(cell), full = entry !== null;
  const classes = ["cell", full && "full", target && "target", target?.soft && "soft", live.chosen === cell && "chosen", live.marked === cell && "marked",
    live.fresh === cell && "fresh", ghost && !full && "ghost"].filter(Boolean).join(" ");
  const shown = full ? entry : ghost ? live.ghosts.get(cell) ?? true : null;
  const inside = shown === null ? html`<span class="label">${label}</span>` : shown === true ? html`<${Cross} />` : html`<span class="number">${shown}</span>`;
  return html`<button type="button" class=${classes} disabled=${!target} data-cell=${cell} data-move=${target?.move ?? null}
    aria-label=${cellWords(cell, entry, target, t)} aria-pressed=${live.chosen === cell ? "true" : null}
    onClick=${target && (() => live.onCell(cell))} onMouseEnter=${target && (() => live.onOver(cell))} onMouseLeave=${target && (() => live.onOver(null))}
    onFocus=${target && (() => live.onOver(cell))} onBlur=${target && (() => live.onOver(null))}>
    ${corner && html`<span class="corner">${corner}</span>`}${inside}${target?.gain && html`<${Gain} gain=${target.gain} t=${t} />`}</button>`;
}

function cellWords(cell, entry, target, t) {
  const state = entry === null ? t("cell.free") : entry === true ? t("cell.crossed") : t("cell.number", { n: entry });
  return [`${cellName(cell, t)}: ${state}`, ...(target?.gain ? [gainWords(target.gain, t)] : [])].join(", ");
}

export function gainWords(gain, t) {
  return [t("gain.points", { n: gain.points + gain.more }), ...gain.steps.map((step) => t(`bonus.${step.bonus}`))].join(", ");
}

/** On the cell itself: the points, and the first bonuses. */
function Gain({ gain, t }) {
  const points = gain.points + gain.more;
  if (!points && !gain.steps.length) return null;
  return html`<span class="gain" aria-hidden="true">${points > 0 && html`<b>+${points}</b>`}
    ${gain.steps.slice(0, 3).map((step, i) => html`<${Bonus} key=${i} bonus=${step.bonus} t=${t} class=${step.lost ? "lost" : ""} />`)}</span>`;
}

/** The place where a bonus or the points of a line are printed. */
function Spot({ spot, done, live, children, class: extra = "" }) {
  return html`<span class=${`spot ${extra} ${done ? "done" : ""} ${live.spots.has(spot) ? "lit" : ""}`}>${children}</span>`;
}

function Yellow({ sheet, live, t, points, prototype }) {
  const lines = Object.fromEntries(YELLOW_LINES.map((line) => [line.spot, { ...line, done: lineDone(sheet, line) }]));
  const end = (row) => html`<${Spot} spot=${`yr${row}`} done=${lines[`yr${row}`].done} live=${live} class=${prototype ? "worth" : "row-end"}>
    ${prototype ? COLUMN_POINTS[row] : html`<${Bonus} bonus=${BONUS.yellowRows[row]} t=${t} />`}<//>`;
  return html`<${Area} area="yellow" points=${points} t=${t} prototype=${prototype}><div class="grid">
    ${YELLOW.map((number, i) => html`${number
      ? html`<${Cell} key=${i} cell=${`y${i}`} label=${number} entry=${sheet.yellow.includes(i) ? true : null} live=${live} t=${t} />`
      : html`<span class="cell printed" role="img" aria-label=${t("cell.printed")}><${Cross} /></span>`}${i % 4 === 3 && end((i - 3) / 4)}`)}
    ${COLUMN_POINTS.map((worth, c) => html`<${Spot} spot=${`yc${c}`} done=${lines[`yc${c}`].done} live=${live} class="worth">${worth}<//>`)}
    ${prototype ? html`<span></span>` : html`<${Spot} spot="yd" done=${lines.yd.done} live=${live} class="diagonal"><${Bonus} bonus=${BONUS.diagonal} t=${t} /><//>`}
  </div><//>`;
}

function Blue({ sheet, live, t, points }) {
  const done = Object.fromEntries(BLUE_LINES.map((line) => [line.spot, lineDone(sheet, line)]));
  const places = Array.from({ length: 12 }, (_, i) => i + 1), crosses = sheet.blue.length;
  const end = (spot, bonus, place) => html`<${Spot} spot=${spot} done=${done[spot]} live=${live} class=${place}><${Bonus} bonus=${bonus} t=${t} /><//>`;
  const rung = (n, i) => html`<li key=${i} class=${i + 1 === crosses ? "now" : i + 1 < crosses ? "past" : ""}>${n}</li>`;
  return html`<${Area} area="blue" points=${points} t=${t}>
    <ol class="ladder" aria-hidden="true">${BLUE_POINTS.slice(1).map(rung)}</ol>
    <div class="grid">
      ${places.map((n) => html`${n === 1
        ? html`<span class="formula" aria-hidden="true"><i class="mini die-B"></i>+<i class="mini die-W"></i></span>`
        : html`<${Cell} key=${n} cell=${`b${n}`} label=${n} entry=${sheet.blue.includes(n) ? true : null} live=${live} t=${t} />`}
        ${n % 4 === 0 && end(`br${n / 4 - 1}`, BONUS.blueRows[n / 4 - 1], "row-end")}`)}
      ${BONUS.blueColumns.map((bonus, c) => end(`bc${c}`, bonus, "column-end"))}
    </div><//>`;
}

/** A row of eleven cells with the bonuses below. */
function Track({ area, sheet, live, t, points, label, corner, entry }) {
  const cells = Array.from({ length: TRACK }, (_, i) => i), count = filled(sheet, area), name = (i) => `${area[0]}${i + 1}`;
  const cell = (i) => html`<${Cell} key=${name(i)} cell=${name(i)} label=${label(i)} corner=${corner?.(i)} entry=${i < count ? entry(i) : null} live=${live} t=${t} />`;
  const below = (i) => html`<${Spot} key=${`below ${i}`} spot=${name(i)} done=${i < count} live=${live} class="below">
    ${BONUS[area][i] && html`<${Bonus} bonus=${BONUS[area][i]} t=${t} />`}<//>`;
  return html`<${Area} area=${area} points=${points} t=${t}><div class="track">${cells.map(cell)}${cells.map(below)}</div><//>`;
}

const Green = (props) => html`<${Track} area="green" ...${props} label=${(i) => html`<small>≥</small>${GREEN_LEAST[i]}`}
  corner=${(i) => GREEN_POINTS[i + 1]} entry=${() => true} />`;

const Orange = (props) => html`<${Track} area="orange" ...${props} label=${(i) => (FACTORS[i] > 1 ? html`<small>×</small>${FACTORS[i]}` : "")}
  corner=${(i) => (FACTORS[i] > 1 && i < props.sheet.orange.length ? `×${FACTORS[i]}` : null)} entry=${(i) => props.sheet.orange[i]} />`;

function Purple(props) {
  const numbers = props.sheet.purple, last = numbers[numbers.length - 1] ?? 0;
  const label = (i) => {
    if (i !== numbers.length) return i ? html`<small class="rise">‹</small>` : "";
    return last % 6 ? html`<small>></small>${last}` : html`<small class="any">${props.t("any")}</small>`;
  };
  return html`<${Track} area="purple" ...${props} label=${label} entry=${(i) => numbers[i]} />`;
}
