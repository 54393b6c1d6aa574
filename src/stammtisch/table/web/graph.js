// A line for every side: what it expected to get, over the moves of a game.

import { html } from "./vendor/preact-htm.js";
import { estimate } from "./outcome.js";

const WIDTH = 600;
const HEIGHT = 110;

/** `lines`: [{seat, name, points: [[move, value], ...]}]; `marks`: moves to mark; `at`: the move that is shown; `jump(move)`. */
export function Graph({ lines, total, marks = [], at = null, jump = null, label, unit = "chance" }) {
  const values = lines.flatMap((line) => line.points.map(([, value]) => value));
  if (!values.length) return null;
  const chances = unit === "chance";
  const low = chances ? 0 : Math.min(...values);
  const high = chances ? 1 : Math.max(...values, low + 1e-9);
  const x = (move) => (total ? (WIDTH * move) / total : 0);
  const y = (value) => HEIGHT - 8 - ((HEIGHT - 16) * (value - low)) / (high - low);
  const click = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    jump?.(Math.round(((event.clientX - box.left) / box.width) * total));
  };
  return html`<div class="graph-box">
    <small class="graph-high">${estimate(high, unit)}</small><small class="graph-low">${estimate(low, unit)}</small>
    <svg class="graph" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${label} onClick=${click}>
      ${low < 0 && high > 0 && html`<path d=${`M0 ${y(0)}H${WIDTH}`} class="graph-zero" />`}
      ${lines.map((line) => html`<path class="graph-line" stroke=${`var(--seat-${line.seat % 4})`} d=${line.points.map(([move, value], i) => `${i ? "L" : "M"}${x(move).toFixed(1)} ${y(value).toFixed(1)}`).join("")} />`)}
      ${marks.map((move) => html`<path class="graph-mark" d=${`M${x(move)} 0v9`} />`)}
      ${at !== null && html`<path class="graph-at" d=${`M${x(at)} 0V${HEIGHT}`} />`}
    </svg>
    ${lines.length > 1 && html`<p class="graph-names small">${lines.map((line) => html`<span><i class="dot" style=${{ background: `var(--seat-${line.seat % 4})` }}></i> ${line.name}</span>`)}</p>`}
  </div>`;
}
