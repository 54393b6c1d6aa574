// The table of the three pin games: by die, by tokens, by cards.

import { html, useEffect, useMemo, useRef, useState } from "/web/vendor/preact-htm.js";
import { useFocus } from "/web/focus.js";
import { NOTHING, choices, soleAt, soleUse } from "./choice.js";
import { SIZE, layout } from "./geometry.js";
import { useMotion } from "./motion.js";
import { cardOf, mover, readUse, ways } from "./moves.js";
import { Arrows, Ghosts, HintCard, Pins } from "./pins.js";
import { Panel } from "./panel.js";
import { Plan } from "./plan.js";
import { useDrag } from "./drag.js";

export { say } from "./say.js";

const PASS_AFTER = 1300;

// Only for the eye: what everybody threw last, and the card on top of the pile.
function useMemory(view, last) {
  const memory = useRef({ n: null, throws: {}, top: {}, view: null }), kept = memory.current, n = last?.n ?? 0;
  if (kept.n === n) return kept;
  if (kept.view && n === kept.n + 1 && kept.view.die) kept.throws = { ...kept.throws, [kept.view.player]: kept.view.die };
  const card = last?.move && !last.move.startsWith("give") ? cardOf(last.move) : null;
  if (card) kept.top = { card, n };
  if (view.played && !view.played.length) kept.top = {};
  return Object.assign(kept, { n, view });
}

function usePlay(play, key) {
  const sent = useRef({ key: null, time: 0 });
  return move => {
    const now = performance.now();
    if (sent.current.key === key && now - sent.current.time < 800) return; // a double click
    sent.current = { key, time: now };
    play(move);
  };
}

// A throw that moves nothing is passed on by itself, after a look at the die.
function usePass(moves, view, play, key) {
  useEffect(() => {
    if (!view.die || moves?.length !== 1 || moves[0].move !== "pass") return undefined;
    const timer = setTimeout(() => play("pass"), PASS_AFTER);
    return () => clearTimeout(timer);
  }, [key]);
}

function handlers(state, chosen, update, play) {
  const commit = use => {
    if (use.kind !== "slice") return play(use.move);
    const parts = { ...chosen.parts, [use.pin]: use.steps };
    const whole = use.splits.find(split => split.parts.every((steps, pin) => steps === (parts[pin] ?? 0)));
    return whole ? play(whole.move) : update({ ...chosen, card: state.card, as: "7", pin: null, parts });
  };
  const pickTarget = key => {
    const plain = chosen.card === null && !state.settled ? null : state.card;
    const use = soleAt(state, key, plain);
    return use ? commit(use) : update({ ...chosen, target: key });
  };
  const pickPin = pin => {
    const use = soleUse(state, pin);
    if (use) return commit(use);
    return update({ ...chosen, pin: chosen.pin === pin ? null : pin, target: null });
  };
  const pickCard = card => {
    if (chosen.card === card) return update(NOTHING);
    const fits = state.plays.filter(use => use.card === card && use.pin === chosen.pin && (chosen.target ?? use.target) === use.target);
    if (chosen.pin !== null && fits.length === 1 && state.usable.has(card)) return commit(fits[0]);
    return update({ ...NOTHING, card, pin: chosen.pin !== null && state.usable.has(card) ? chosen.pin : null });
  };
  const pickKind = as => {
    const fits = state.plays.filter(use => use.card === state.card && use.as === as && use.pin === chosen.pin);
    if (chosen.pin !== null && fits.length === 1) return commit(fits[0]);
    return update({ ...chosen, card: state.card, as: chosen.as === as ? null : as, target: null, parts: {} });
  };
  return { commit, pickTarget, pickPin, pickCard, pickKind, clear: () => update(NOTHING) };
}

function markedUse(marked, view, geo, moves) {
  if (!marked || view.player === null) return null;
  const known = moves?.find(({ move }) => move === marked);
  return readUse(view, geo, known ?? { move: marked, comment: "" });
}

function lastPlaces(last, view, geo) {
  if (!last?.move || view.phase === "exchange") return [];
  const owners = [last.seat, (last.seat + 2) % 4].filter(seat => view.pins[seat]);
  return ways(last.comment).flatMap(({ from, to }) => [from, to].map(place => {
    if (place === "H") return null;
    const seat = owners.find(owner => place[0] !== "G" || view.pins[owner].includes(place)) ?? last.seat;
    return geo.place(seat, 0, place);
  })).filter(Boolean);
}

/** @param {import("/web/board.js").BoardProps} props */
export function Board(props) {
  const { view, seat, facing, moves, last, marked, animate, t } = props;
  const svg = useRef(null), root = useRef(null);
  const key = JSON.stringify([last?.n, view.player, view.phase, view.left, view.die, view.pins, view.hands]);
  const geo = useMemo(() => layout(view.options, facing ?? 0), [JSON.stringify(view.options), facing]);
  const uses = useMemo(() => (moves ?? []).map(move => readUse(view, geo, move)), [key, moves, geo]);
  const [held, setHeld] = useState({ key, ...NOTHING });
  const [hover, setHover] = useState(null);
  const chosen = held.key === key ? held : NOTHING;
  const state = choices(uses, chosen);
  const play = usePlay(props.play, key), memory = useMemory(view, last);
  const act = handlers(state, chosen, next => setHeld({ ...next, key }), play);
  const drag = useDrag(svg, geo, view, state, { key, begin: pin => setHeld({ ...chosen, pin, target: null, key }), drop: act.pickTarget });
  useMotion(svg, geo, view, last, animate);
  usePass(moves, view, play, key);
  const watch = useFocus(root, moves?.length ? [".act, .card.can, .chip-token.can, .pin.can"] : [], [key]);

  const hint = markedUse(marked, view, geo, moves);
  const owner = view.player === null ? null : mover(view);
  const shared = { ...props, facing: facing ?? 0, geo, state, chosen, owner, hover, setHover, drag, hint, ...act, play };
  const escape = event => event.key === "Escape" && act.clear();
  const game = view.tokens ? "dmadn" : view.hands ? "dog" : "madn";
  return html`<div class="dog plays-${game} ${animate ? "" : "still"}" ref=${root} onKeyDown=${escape} ...${watch}>
    <div class="table"><div class="area">
      <svg ref=${svg} class="plan ${drag.live ? "dragging" : ""}" viewBox="0 0 ${SIZE} ${SIZE}" 
        role="group" aria-label=${t("title")} ...${drag.listeners}>
        <defs><radialGradient id="dog-shine" cx="35%" cy="28%" r="75%">
          <stop offset="0" stop-color="#fff" stop-opacity=".55" /><stop offset=".45" stop-color="#fff" stop-opacity=".06" />
          <stop offset="1" stop-color="#000" stop-opacity=".26" /></radialGradient></defs>
        <${Plan} ...${shared} throws=${memory.throws} fall=${last?.n ?? "first"} />
        ${lastPlaces(last, view, geo).map(({ x, y }) => html`<circle class="trace" cx=${x} cy=${y} r=${geo.unit * 0.47} />`)}
        <${Arrows} ...${shared} />
        <${Pins} ...${shared} />
        <${Ghosts} ...${shared} />
        <${HintCard} ...${shared} />
      </svg></div>
      <${Panel} ...${shared} marked=${hint?.card ?? null} top=${{ ...memory.top, seat }} />
    </div></div>`;
}
