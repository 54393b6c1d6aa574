// The own hand: a fan on a wide board, two rows on a narrow one.

import { html, useRef, useState } from "/web/vendor/preact-htm.js";
import { Card } from "./cards.js";
import { cardWords } from "./words.js";

const RATIO = 1.4;
const DRAG_FROM = 8; // pixels that make a press a drag

/** Where each card lies: x, y, angle; and how large the cards and the whole hand are. */
export function fan(n, width, height) {
  const rows = width < 620 && n > 8 ? 2 : 1;
  const inRow = Math.ceil(n / rows);
  const size = width < 620 ? Math.min(76, width / 5.6) : Math.min(104, width / 9.1, Math.max(56, height * 0.105));
  const step = Math.min((width - size - 4) / Math.max(1, inRow - 1), size * (rows > 1 || width < 620 ? 0.95 : 0.62));
  const bend = width < 620 && n > 5 ? 0 : Math.min(1.5, 20 / Math.max(1, n));
  const places = Array.from({ length: n }, (_, i) => {
    const row = Math.floor(i / inRow);
    const here = row < rows - 1 ? inRow : n - inRow * (rows - 1);
    const off = (i % inRow) - (here - 1) / 2;
    return { x: width / 2 + off * step - size / 2, y: row * size * RATIO * 0.78 + off * off * bend * 0.42, angle: off * bend };
  });
  const depth = Math.max(0, ...places.map((place) => place.y));
  return { places, size, height: depth + size * RATIO };
}

function useDrag(onDrop) {
  const press = useRef(null);
  const [drag, setDrag] = useState(null);
  const down = (card) => (event) => {
    if (event.button) return;
    press.current = { card, x: event.clientX, y: event.clientY, moved: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event) => {
    const start = press.current;
    if (!start || !event.buttons) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (!start.moved && Math.hypot(x, y) < DRAG_FROM) return;
    start.moved = true;
    setDrag({ card: start.card, x, y });
  };
  const up = (event) => {
    const start = press.current;
    if (start?.moved) onDrop(start.card, event.clientX, event.clientY);
    setTimeout(cancel); // the click that follows a drag must still find it
  };
  const cancel = () => {
    press.current = null;
    setDrag(null);
  };
  const dragged = () => Boolean(press.current?.moved);
  return { drag, dragged, handlers: (card) => ({ onPointerDown: down(card), onPointerMove: move, onPointerUp: up, onPointerCancel: cancel }) };
}

/**
 * `onPick(card)` is a click or Space, `onPlay(card)` Enter, `onTwice(card)` a double click;
 * `onDrop(card, x, y)` ends a drag and is given only where cards can be dragged.
 */
export function Hand({ hand, chosen, usable, marked, news, width, onPick, onPlay, onTwice, onDrop, t }) {
  const [at, setAt] = useState(0);
  const box = useRef(null);
  const { drag, dragged, handlers } = useDrag(onDrop);
  const { places, size, height } = fan(hand.length, width, window.innerHeight);
  const focused = Math.min(at, hand.length - 1);
  const go = (i) => {
    const next = (i + hand.length) % hand.length;
    setAt(next);
    box.current.querySelectorAll("[data-card]")[next].focus();
  };
  const onKey = (event, card, i) => {
    const keys = { ArrowLeft: () => go(i - 1), ArrowRight: () => go(i + 1), ArrowUp: () => go(i - 1), ArrowDown: () => go(i + 1) };
    Object.assign(keys, { Home: () => go(0), End: () => go(hand.length - 1), " ": () => onPick(card), Enter: () => onPlay(card) });
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  };
  return html`<div ref=${box} class=${onDrop ? "hand draggable" : "hand"} role="group" aria-label=${t("hand")} style=${{ height: `${height}px`, "--size": `${size}px` }}>
    ${hand.map((card, i) => {
      const { x, y, angle } = places[i];
      const picked = chosen.includes(card);
      const moved = drag?.card === card ? drag : null;
      const state = [picked && "picked", usable && !usable.has(card) && "dim", marked.includes(card) && "marked", moved && "dragged"].filter(Boolean).join(" ");
      const transform = `translate(${x + (moved?.x ?? 0)}px, ${y + (moved?.y ?? 0)}px) rotate(${moved ? 0 : angle}deg)`;
      return html`<button type="button" key=${card} class=${`held ${state}`} style=${{ transform, zIndex: moved ? 60 : i }}
        data-card=${card} aria-pressed=${picked} aria-label=${cardWords(card, t)} tabindex=${i === focused ? 0 : -1}
        ...${onDrop ? handlers(card) : {}} onFocus=${() => setAt(i)} onKeyDown=${(event) => onKey(event, card, i)}
        onClick=${() => !dragged() && onPick(card)} onDblClick=${() => onTwice(card)}>
        <span class="lift"><${Card} card=${card} t=${t} />${news.includes(card) && html`<i class="new" aria-hidden="true"></i>`}</span>
      </button>`;
    })}
  </div>`;
}

/** A hand that only lies there: backs, or faces in a replay. */
export function QuietHand({ hand, marked, width, t }) {
  const { places, size, height } = fan(hand.length, width, window.innerHeight);
  return html`<div class="hand" style=${{ height: `${height}px`, "--size": `${size}px` }}>
    ${hand.map((card, i) => html`<span key=${card ?? i} class=${marked.includes(card) ? "held marked" : "held"} style=${{ transform: `translate(${places[i].x}px, ${places[i].y}px) rotate(${places[i].angle}deg)`, zIndex: i }}>
      <span class="lift"><${Card} card=${card} t=${t} /></span></span>`)}
  </div>`;
}
