import { html, useRef, useState } from "/web/vendor/preact-htm.js";
import { LETTERS, SEATS, colourOf, readPawns, roleOn, seen, squareAt } from "./layout.js";
import { Legend, Players } from "./legend.js";
import { Arrow, Chosen, Fence, Ground, LastMove, Leaving, Rim, Standing, Target, Touch } from "./scene.js";
import { WIDTH, squareUnder } from "./scene.js";
import { inWords, outcome, pawnLabel } from "./words.js";

export { say } from "./words.js";

const DRAG_STARTS = 7; // pixels; less is a click with a shaking hand
const PATIENCE = 1500; // milliseconds after which a dropped pawn goes back if the server did not take the move

/** A pawn as it would be on another square. */
function landed(pawn, square) {
  return { ...pawn, square, role: roleOn(pawn.knight, colourOf(square)) };
}

function same({ owner, knight }) {
  return (pawn) => pawn.owner === owner && pawn.knight === knight;
}

/** Legal moves by the square they leave: a map of square -> (square reached -> {move, comment}). */
function groupMoves(moves) {
  const from = new Map();
  for (const one of moves ?? []) {
    const [start, end] = one.move.split(">");
    if (!from.has(start)) from.set(start, new Map());
    from.get(start).set(end, one);
  }
  return from;
}

/** The pawns that left with the newest change of the position, for a moment of farewell. */
function useGone(pawns, position) {
  const memory = useRef({ position, pawns, gone: [] });
  if (memory.current.position !== position) {
    const alive = new Set(pawns.map((pawn) => pawn.id));
    memory.current = { position, pawns, gone: memory.current.pawns.filter((pawn) => !alive.has(pawn.id)) };
  }
  return memory.current.gone;
}

/** What is half chosen. It belongs to one position and is forgotten with it. */
function useChoice(position) {
  const nothing = { position, selected: null, drag: null, dropped: null };
  const [state, setState] = useState(nothing);
  const current = state.position === position ? state : nothing;
  const choose = (change) => setState({ ...current, ...change });
  const giveBack = (move) => setState((now) => (now.position === position && now.dropped === move ? nothing : now));
  return { choice: current, choose, giveBack, remembered: state };
}

/** The square under the mouse or the focus; a resting hand does not count any more when the position has changed. */
function useLook(position) {
  const [state, setState] = useState({ position, square: null });
  const current = state.position === position ? state.square : null;
  return [current, (square) => square !== current && setState({ position, square })];
}

function winnersOf(view, scores) {
  return view.phase === "over" ? SEATS.filter((seat) => scores?.[seat] > 0) : [];
}

function playerName({ players, t }, seat) {
  const [colour, name] = [t(`seat.${seat}`), players[seat]?.name];
  return name ? t("name", { colour, name }) : colour;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** One line under the players: what to do, or what the viewer looks at. */
function statusText(props, { winners, selected, target, looked }) {
  const { view, seat, t } = props;
  if (winners.length === 1 && winners[0] === seat) return t("status.you-win");
  if (winners.length === 1) return t("status.wins", { name: playerName(props, winners[0]) });
  if (winners.length > 1) return t("status.shared", { names: winners.map((one) => t(`seat.${one}`)).join(", ") });
  if (view.player === null) return t("status.over");
  if (target) return capital(inWords(target.move, target.comment, t));
  if (looked && looked !== selected) return pawnLabel(looked, t);
  if (selected) return t("status.target", { role: t(`role.${selected.role}`) });
  return view.player === seat ? t("status.choose") : t("status.wait", { name: playerName(props, view.player) });
}

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Puts the focus on the next square in the direction of an arrow key. */
function walk(event, square, facing) {
  const [row, column] = seen(square, facing);
  const [down, right] = ARROWS[event.key];
  event.currentTarget.querySelector(`[data-square="${squareAt(row + down, column + right, facing)}"]`)?.focus();
}

function pointIn(svg, event) {
  const box = svg.getBoundingClientRect();
  return [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * WIDTH];
}

/** Clicks, drags and keys on the picture, by way of the square they happen on. */
function useHands({ facing, play }, from, { choice, choose, giveBack }, look) {
  const press = useRef(null);
  const swallow = useRef(false);
  const targets = from.get(choice.selected);
  const squareOf = (event) => event.target.closest("[data-square]")?.dataset.square ?? null;

  function touch(square) {
    const target = targets?.get(square);
    if (target) play(target.move);
    choose({ selected: !target && from.has(square) && square !== choice.selected ? square : null });
  }

  function drop(event) {
    const square = squareUnder(pointIn(event.currentTarget, event), facing);
    const target = from.get(choice.drag.square)?.get(square);
    swallow.current = true;
    setTimeout(() => (swallow.current = false));
    if (!target) return choose({ drag: null });
    choose({ selected: null, drag: null, dropped: target.move });
    setTimeout(() => giveBack(target.move), PATIENCE);
    play(target.move);
  }

  return {
    onClick: (event) => !swallow.current && touch(squareOf(event)),
    onPointerDown: (event) => {
      const square = squareOf(event);
      press.current = event.button === 0 && from.has(square) ? { square, x: event.clientX, y: event.clientY } : null;
    },
    onPointerMove: (event) => {
      const svg = event.currentTarget;
      if (event.buttons === 0) press.current = null;
      const start = press.current;
      if (start && !choice.drag && Math.hypot(event.clientX - start.x, event.clientY - start.y) < DRAG_STARTS) return;
      if (start) {
        svg.setPointerCapture(event.pointerId);
        const at = pointIn(svg, event);
        look(squareUnder(at, facing));
        choose({ selected: start.square, drag: { square: start.square, at } });
      } else if (event.pointerType === "mouse") look(squareOf(event));
    },
    // The style touch-action does not reach into a drawing everywhere: without this a finger would scroll the page.
    onTouchMove: (event) => press.current && event.cancelable && event.preventDefault(),
    onPointerUp: (event) => {
      press.current = null;
      if (choice.drag) drop(event);
    },
    onPointerCancel: () => {
      press.current = null;
      choose({ drag: null });
    },
    onPointerLeave: () => look(null),
    onfocusin: (event) => event.target.matches(":focus-visible") && look(squareOf(event)),
    onfocusout: (event) => !event.currentTarget.contains(event.relatedTarget) && look(null),
    onKeyDown: (event) => {
      const square = squareOf(event);
      if (event.key === "Escape") return choose({ selected: null, drag: null });
      if (!square || !(event.key in ARROWS || event.key === "Enter" || event.key === " ")) return;
      event.preventDefault();
      if (event.key in ARROWS) walk(event, square, facing);
      else touch(square);
    },
  };
}

/** @param {import("/web/board.js").BoardProps} props */
export function Board(props) {
  const { view, facing, moves, last, marked, scores, animate, t } = props;
  const position = JSON.stringify([view.pawns, view.limits, view.player]);
  const pawns = readPawns(view);
  const gone = useGone(pawns, position);
  const hand = useChoice(position);
  const { choice, remembered } = hand;
  const [lookedAt, look] = useLook(position);
  const from = groupMoves(moves);
  const hands = useHands(props, from, hand, look);

  const on = (square) => pawns.find((pawn) => pawn.square === square);
  const selected = on(choice.selected);
  const targets = from.get(choice.selected) ?? new Map();
  const target = targets.get(lookedAt);
  const told = target && outcome(target.move, target.comment);
  const looked = target ? undefined : on(lookedAt);
  const shown = selected ?? looked;
  const ground = lookedAt ?? shown?.square;
  const line_up = [...view.options.players].map((letter) => LETTERS.indexOf(letter));
  const limit = view.options.max_plies;
  const winners = winnersOf(view, scores);
  const dropped = remembered.dropped?.split(">") ?? [];
  const flying = choice.drag
    ? { pawn: target ? landed(selected, lookedAt) : selected, at: choice.drag.at }
    : choice.dropped && { pawn: landed(on(dropped[0]), dropped[1]) };

  function stateOf(pawn) {
    if (choice.drag?.square === pawn.square || (choice.dropped && dropped[0] === pawn.square)) return "lifted";
    if (remembered.dropped === last?.move && dropped[1] === pawn.square) return "still";
    if (choice.selected === pawn.square) return "selected";
    return `${from.has(pawn.square) ? "ready" : ""} ${last?.move?.endsWith(`>${pawn.square}`) ? "arrived" : ""}`;
  }

  return html`<div class="chameleon ${animate ? "" : "calm"}">
    <div class="table">
      <${Players} ...${{ view, facing, line_up, pawns, winners, t, players: props.players }} />
      <svg
        class="board ${choice.drag ? "dragging" : ""}" viewBox="0 0 ${WIDTH} ${WIDTH}"
        role="group" aria-label=${t("board")} ...${hands}
      >
        <${Rim} facing=${facing} line_up=${line_up} alive=${pawns.map((pawn) => pawn.owner)} />
        <${Ground} facing=${facing} limits=${view.limits} next=${told?.limits} />
        <${Fence} facing=${facing} limits=${view.limits} />
        ${last?.move && html`<${LastMove} move=${last.move} facing=${facing} />`}
        ${selected && html`<${Chosen} square=${selected.square} facing=${facing} />`}
        <g class="pawns" aria-hidden="true">
          ${animate &&
          gone.map((pawn) => html`<${Standing} key=${`gone ${pawn.id}`} ...${{ pawn, facing, state: "gone" }} />`)}
          ${pawns.map((pawn) => html`<${Standing} key=${pawn.id} ...${{ pawn, facing, state: stateOf(pawn) }} />`)}
        </g>
        <g class="targets" aria-hidden="true">
          ${selected && [...targets].map(([square, { move, comment }]) => html`<${Target}
            key=${move} facing=${facing} square=${square} role=${landed(selected, square).role}
            takes=${Boolean(on(square))} lost=${outcome(move, comment).lost} looked=${square === lookedAt} />`)}
          ${told?.stuck.map((pawn) => html`<${Leaving} facing=${facing} square=${pawns.find(same(pawn)).square} />`)}
        </g>
        ${marked && html`<${Arrow} move=${marked} pawn=${on(marked.split(">")[0])} facing=${facing} />`}
        ${flying && html`<${Standing} ...${flying} facing=${facing} state="flying" />`}
        <${Touch} ...${{ facing, limits: view.limits, pawns, targets, movable: from, selected: choice.selected, t }} />
      </svg>
      <p class="status">${statusText(props, { winners, selected, target, looked })}</p>
      <div class="help">
        <${Legend} owner=${shown?.owner ?? facing} knight=${shown?.knight} colour=${ground && colourOf(ground)} t=${t} />
        ${limit && html`<p class="count">${t("count", { n: view.ply, max: limit })}</p>`}
      </div>
    </div>
  </div>`;
}
