// The printed board: track, start and goal fields, and the plates in the corners with homes and what everybody has.

import { html } from "/web/vendor/preact-htm.js";
import { SIZE, line } from "./geometry.js";
import { Backs, Die, Faces, Sign, Tokens } from "./pieces.js";

function Fields({ geo, view, t }) {
  const starts = new Map(geo.seats.map((_, seat) => [geo.start(seat), seat]));
  const r = geo.unit * 0.4;
  return Array.from({ length: geo.around }, (_, number) => {
    const { x, y } = geo.field(number), owner = starts.get(number);
    if (owner === undefined)
      return html`<g key=${number}><circle class="field" cx=${x} cy=${y} r=${r} />
        ${number % 5 === 0 && html`<text class="number" x=${x} y=${y + geo.unit * 0.1} font-size=${geo.unit * 0.28}>${number}</text>`}</g>`;
    const held = view.options.start_block && view.pins[owner].includes(String(number)) && view.fresh?.[owner] !== false;
    return html`<g key=${number} class="seat-${owner}">
      <title>${t("start.of", { seat: t(`seat.${owner}`) })}</title>
      ${held && html`<circle class="held" cx=${x} cy=${y} r=${geo.unit * 0.5} />`}
      <circle class="field start" cx=${x} cy=${y} r=${r * 1.08} />
      <${Sign} seat=${owner} x=${x} y=${y} size=${geo.unit * 0.17} /></g>`;
  });
}

function Goals({ geo }) {
  return geo.seats.map((_, seat) => html`<g class="seat-${seat}">
    ${[0, 1, 2, 3].map(depth => {
      const { x, y } = geo.goal(seat, depth), size = geo.unit * geo.goalScale;
      return html`<circle class="field goal" cx=${x} cy=${y} r=${size * 0.38} /><${Sign} seat=${seat} x=${x} y=${y} size=${size * 0.15} cls="faint" />`;
    })}</g>`);
}

// The driving direction, where the middle of the board is free.
function Compass({ geo }) {
  const radius = Math.min(geo.half * 1.414 - 0.95, geo.reach - 5.2) * geo.unit, middle = SIZE / 2;
  if (radius < 1.2 * geo.unit) return null;
  const on = turn => [middle + radius * Math.cos(turn), middle + radius * Math.sin(turn)].map(n => n.toFixed(1)).join(" ");
  return html`<g class="compass" stroke-width=${geo.unit * 0.12}>${[0, 1, 2, 3].map(quarter => {
    const from = quarter * Math.PI / 2 + 0.2, to = from + 1.1, tip = to + 0.08;
    return html`<path d="M${on(from)}A${radius} ${radius} 0 0 1 ${on(to)}" />
      <path d="M-.3 -.25L0 0L-.3 .25" stroke-width=".12" transform="translate(${on(tip)}) rotate(${tip * 180 / Math.PI + 90}) scale(${geo.unit})" />`;
  })}</g>`;
}

const shorten = (name, most) => name.length > most ? `${name.slice(0, most - 1)}…` : name;

function Belongings({ view, seat, geo, throws, fall, own }) {
  const quarter = geo.arm(seat), { q } = geo.plate(quarter);
  const slot = geo.inPlate(quarter, 81, 36);
  if (own) return null;
  if (view.tokens) {
    const place = i => geo.inPlate(quarter, 71 + 18 * (i % 2), 14 + 22 * Math.floor(i / 2));
    const upright = geo.plate(quarter).top ? i => place([4, 5, 2, 3, 0, 1][i]) : place;
    const mirrored = geo.plate(quarter).left ? upright : i => upright(i ^ 1);
    return html`<${Tokens} counts=${view.tokens[seat]} place=${mirrored} size=${q * 18.5} />`;
  }
  if (view.hands?.[seat].length && view.hands[seat].every(Boolean))
    return html`<${Faces} cards=${view.hands[seat]} x=${slot.x} y=${slot.y} size=${q * 36} />`;
  if (view.hands) return html`<${Backs} count=${view.hands[seat].length} x=${slot.x} y=${slot.y - 4 * q} size=${q * 36} />`;
  if (view.player === seat) return html`<${Die} value=${view.die} x=${slot.x} y=${slot.y} size=${q * 31} fall=${fall} />`;
  return throws[seat] ? html`<${Die} value=${throws[seat]} x=${slot.x} y=${slot.y} size=${q * 19} cls="old" />` : null;
}

function Plate({ geo, view, seat, players, partner, throws, fall, own, choosing, t }) {
  const turn = choosing ? choosing.seats.includes(seat) : view.player === seat;
  const quarter = geo.arm(seat), { x, y, side, q, left } = geo.plate(quarter);
  const player = players[seat], label = geo.inPlate(quarter, 7, 82), sub = geo.inPlate(quarter, 7, 92.5);
  const name = player?.name || t(`seat.${seat}`), edge = left ? "start" : "end", away = left ? 1 : -1;
  const done = view.pins[seat].every(place => place[0] === "G");
  const gave = view.phase === "exchange" && view.hands[seat].length < view.deal;
  const note = [partner && t("partner"), done && t("finished"), gave && t("has.given")].filter(Boolean).join(" · ");
  return html`<g class="plate seat-${seat} ${turn ? "turn" : ""} ${player?.away ? "away" : ""}">
    <rect x=${x} y=${y} width=${side} height=${side} rx=${7 * q} />
    ${[0, 1, 2, 3].map(pin => {
      const spot = geo.home(seat, pin);
      return html`<circle class="field house" cx=${spot.x} cy=${spot.y} r=${geo.unit * spot.scale * 0.42} />`;
    })}
    <${Sign} seat=${seat} x=${label.x + away * 4.5 * q} y=${label.y} size=${4.4 * q} />
    <text class="name" x=${label.x + away * 13 * q} y=${label.y + 3.4 * q} font-size=${9.6 * q} text-anchor=${edge}>${shorten(name, 14)}</text>
    ${note && html`<text class="note" x=${sub.x + away * 13 * q} y=${sub.y + 2 * q} font-size=${7 * q} text-anchor=${edge}>${note}</text>`}
    <${Belongings} ...${{ view, seat, geo, throws, fall, own }} />
  </g>`;
}

export function Plan(props) {
  const { geo, view, seat, facing, t } = props;
  const beside = seat ?? view.player ?? facing; // whose cards lie beside the board
  const partnerOf = view.options.teams && seat !== null ? (seat + 2) % 4 : null;
  const entry = geo.seats.map((_, owner) => {
    const from = view.options.must_traverse_start ? geo.start(owner) : (geo.start(owner) - 1 + geo.around) % geo.around;
    const outer = geo.field(from), inner = geo.goal(owner, 0);
    return line([{ x: (outer.x + inner.x) / 2, y: (outer.y + inner.y) / 2 }, geo.goal(owner, 3)]);
  });
  return html`<rect class="paper" x="2" y="2" width=${SIZE - 4} height=${SIZE - 4} rx="34" />
    <g class="lane" stroke-width=${geo.unit * 0.94}>
      ${entry.map((d, owner) => html`<path class="entry seat-${owner}" d=${d} stroke-width=${geo.unit * 1.06 * geo.goalScale} />`)}
      <path class="ribbon" d="${line(geo.bends)}Z" />
      <path class="thread" d="${line(geo.bends)}Z" stroke-width=${geo.unit * 0.07} />
    </g>
    <${Compass} geo=${geo} />
    <${Fields} ...${{ geo, view, t }} />
    <${Goals} geo=${geo} />
    ${geo.seats.map((_, owner) => html`<${Plate} key=${owner} ...${props} seat=${owner}
      partner=${owner === partnerOf} own=${owner === beside && !!(view.tokens || view.hands)} />`)}`;
}
