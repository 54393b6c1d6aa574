// Everything on the board that moves or can be clicked: pins, the places where they can go, arrows.

import { html } from "/web/vendor/preact-htm.js";
import { CardFace, cardName } from "./cards.js";
import { soleAt, soleUse } from "./choice.js";
import { targetPoint } from "./drag.js";
import { line, way } from "./geometry.js";
import { pinsOn } from "./moves.js";
import { Label, Pin } from "./pieces.js";
import { placeName } from "./say.js";

const pressed = action => event => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  action();
};

const corner = ({ unit }) => ({ x: unit * 0.36, y: -unit * 0.36, unit });

const shift = ({ x, y, scale = 1 }) => `translate(${x} ${y}) scale(${scale})`;

// What a click on a pin does: choose it as mine, or as the other one of a swap; null: nothing.
function role(props, seat, pin) {
  const { state, owner, moves, pickPin, pickTarget } = props, target = `P${seat}.${pin}`;
  if (!moves?.length) return null;
  if (state.targets.has(target)) return { kind: "other", act: () => pickTarget(target), sole: soleAt(state, target, state.card) };
  if (seat === owner && state.pins.has(pin)) return { kind: "own", act: () => pickPin(pin), sole: soleUse(state, pin) };
  return null;
}

function OnePin(props) {
  const { view, geo, seat: viewer, place, owner, pin, chosen, state, drag, setHover, hint, t } = props, seat = props.of;
  const can = role(props, seat, pin), own = can?.kind === "own";
  const picked = seat === owner && props.moves?.length && (own ? chosen.pin : state.pin) === pin;
  const dragged = drag.live && seat === owner && drag.live.pin === pin ? { x: drag.live.x, y: drag.live.y } : null;
  const names = { seat: t(`seat.${seat}`), n: pin + 1, place: placeName(place, t) };
  const click = () => drag.wasDrag() || can.act();
  const active = can && {
    role: "button", tabindex: "0", "aria-pressed": picked ? "true" : "false", onClick: click, onKeyDown: pressed(can.act),
    "data-move": can.sole?.move, onFocus: () => setHover(`${seat}.${pin}`), onBlur: () => setHover(null),
    onPointerEnter: () => setHover(`${seat}.${pin}`), onPointerLeave: () => setHover(null),
    onPointerDown: own ? event => drag.press(event, pin) : undefined,
  };
  const partner = view.options.teams && viewer !== null && seat === (viewer + 2) % 4;
  const marked = hint && ((hint.seat === seat && (hint.pin === pin || hint.parts?.[pin])) || hint.other === `${seat}.${pin}`);
  const moved = seat === owner && pin in chosen.parts;
  const signs = [moved && "moved", own && "can", can && !own && "other", picked && "picked", marked && "hint", dragged && "held"];
  return html`<g class=${["pin", ...signs].filter(Boolean).join(" ")} data-pin="${seat}.${pin}"
    transform=${shift(dragged ?? geo.place(seat, pin, place))} tabindex="-1" aria-label=${t("pin", names)} ...${active}>
    <circle class="touch" r=${geo.unit * 0.5} />
    ${can && html`<circle class="glow" r=${geo.unit * 0.47} />`}
    <${Pin} seat=${seat} marble=${!!view.hands} partner=${partner} unit=${geo.unit} />
  </g>`;
}

export function Pins(props) {
  const { view, geo } = props, all = [];
  view.pins.forEach((pins, of) => pins.forEach((place, pin) => all.push({ of, pin, place, y: geo.place(of, pin, place).y })));
  all.sort((a, b) => a.y - b.y);
  return all.map(one => html`<${OnePin} key="${one.of}.${one.pin}" ...${props} ...${one} />`);
}

function hits(use, view, geo, parts) {
  if (use.kind === "swap" || use.target[0] === "P") return false;
  const burning = use.kind === "slice" || use.kind === "part", from = view.pins[use.seat][use.pin];
  const fields = burning ? way(geo, view.options, use.seat, from, use.target) : [use.target];
  const stays = ({ seat, pin }) => seat !== use.seat || (pin !== use.pin && !(pin in parts));
  return fields.some(field => field[0] !== "G" && pinsOn(view, field).some(stays));
}

function Ghost({ uses, target, props }) {
  const { view, geo, state, chosen, pickTarget, setHover, t } = props, [use] = uses;
  const spot = targetPoint(geo, view, use.seat, target), free = target[0] === "G" || !pinsOn(view, target).length;
  const hit = uses.some(one => hits(one, view, geo, chosen.parts)), sole = soleAt(state, target, state.settled ? state.card : null);
  const part = use.kind === "slice" || use.kind === "part";
  const label = part ? use.steps : use.kind === "step" && use.as ? use.as.replace("-", "−") : null;
  const act = () => pickTarget(target), point = () => setHover(target), leave = () => setHover(null);
  return html`<g class="ghost ${hit ? "hits" : ""} ${chosen.target === target ? "picked" : ""}" transform=${shift(spot)}
    role="button" tabindex="0" data-square=${target} data-move=${sole?.move ?? null}
    aria-label=${t(hit ? "target.hit" : "target", { place: placeName(target, t) })}
    onClick=${act} onKeyDown=${pressed(act)} onPointerEnter=${point} onPointerLeave=${leave} onFocus=${point} onBlur=${leave}>
    <circle class="touch" r=${geo.unit * 0.5} />
    ${free && html`<g class="shape"><${Pin} seat=${use.seat} marble=${!!view.hands} unit=${geo.unit * 0.92} /></g>`}
    <circle class="rim" r=${geo.unit * 0.45} />
    ${label && html`<${Label} text=${label} ...${corner(geo)} />`}
  </g>`;
}

function Chosen({ props }) {
  const { view, geo, chosen, state } = props;
  return Object.entries(chosen.parts).map(([pin, steps]) => {
    const split = state.open[0]?.splits[0];
    const spot = split && geo.place(split.seat, +pin, split.targets[pin]);
    return spot && html`<g class="fixed" transform=${shift(spot)}>
      <${Pin} seat=${split.seat} marble=${!!view.hands} unit=${geo.unit * 0.92} />
      <${Label} text=${steps} ...${corner(geo)} /></g>`;
  });
}

// Before a pin is chosen, a click on an own pin chooses it, even if another one could land there and send it home.
export function Ghosts(props) {
  const { state, moves, view, owner } = props;
  if (!moves?.length) return null;
  const taken = target => state.pin === null && target[0] !== "G"
    && pinsOn(view, target).some(({ seat, pin }) => seat === owner && state.pins.has(pin));
  const places = [...state.targets].filter(([target]) => target[0] !== "P" && !taken(target));
  return html`<${Chosen} props=${props} />${places.map(([target, uses]) => html`<${Ghost} key=${target} ...${{ target, uses, props }} />`)}`;
}

function route({ geo, view }, use, pin = use.pin, target = use.target) {
  const from = view.pins[use.seat][pin], first = geo.place(use.seat, pin, from);
  if (target[0] === "P") return [first, targetPoint(geo, view, use.seat, target)];
  const backwards = use.steps < 0;
  return [first, ...way(geo, view.options, use.seat, from, target, backwards).map(text => geo.place(use.seat, pin, text))];
}

function Arrow({ points, unit, cls, both }) {
  const end = points[points.length - 1], before = points[points.length - 2] ?? end;
  const angle = Math.atan2(end.y - before.y, end.x - before.x) * 180 / Math.PI;
  const head = ({ x, y }, turn) => html`<path class="head" d="M0 0L-.42 -.26L-.3 0L-.42 .26Z"
    transform="translate(${x} ${y}) rotate(${turn}) scale(${unit})" />`;
  return html`<g class="arrow ${cls}"><path d=${line(points)} stroke-width=${unit * 0.16} />
    ${head(end, angle)}${both && head(points[0], angle + 180)}</g>`;
}

const SHORT = { out: "↑", SWAP: "⇄" };

// The card of a marked move, on the plate of the player who would play it.
export function HintCard({ hint, geo, view, t }) {
  if (!hint?.card || hint.kind === "give" || !view.hands) return null;
  const quarter = geo.arm(view.player), { x, y } = geo.inPlate(quarter, 80, 36), scale = geo.plate(quarter).q * 0.55;
  const use = hint.as && hint.as !== hint.card ? SHORT[hint.as] ?? hint.as.replace("-", "−") : null;
  return html`<g class="hint-card" transform="translate(${x} ${y}) scale(${scale}) translate(-32 -46)" role="img" aria-label=${cardName(hint.card, t)}>
    <${CardFace} card=${hint.card} width="64" height="92" />
    ${use && html`<${Label} text=${use} x="56" y="8" unit="72" />`}</g>`;
}

// The uses to draw arrows for: of the target under the mouse, else of the pin, if they are few.
function pointedAt({ state, moves, hover }) {
  if (!moves?.length) return [];
  const shown = [...state.targets.values()].flat();
  const exact = shown.filter(use => use.target === hover || use.target === `P${hover}`);
  if (exact.length) return exact.slice(0, 1);
  const ofPin = shown.filter(use => `${use.seat}.${use.pin}` === hover || (use.pin === state.pin && use.kind !== "out"));
  return ofPin.length <= 2 ? ofPin : [];
}

export function Arrows(props) {
  const { geo, hint } = props, arrows = [];
  for (const use of hint ? [] : pointedAt(props)) arrows.push({ points: route(props, use), cls: "thin", both: use.kind === "swap" });
  if (hint?.seat !== undefined) {
    const pins = hint.parts ? [0, 1, 2, 3].filter(pin => hint.parts[pin]) : [hint.pin];
    for (const pin of pins)
      arrows.push({ points: route(props, hint, pin, hint.targets?.[pin] ?? hint.target), cls: "marked", both: hint.kind === "swap" });
  }
  return html`${arrows.map(arrow => html`<${Arrow} ...${arrow} unit=${geo.unit} />`)}`;
}
