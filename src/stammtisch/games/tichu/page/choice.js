// What is half chosen: selected cards and what the table says of them, gifts, and the size of the board.

import { useEffect, useLayoutEffect, useRef, useState } from "/web/vendor/preact-htm.js";
import { cardsOf, figureOf, sameCards } from "./words.js";

/** A state that is dropped as soon as `key` is another one. */
function useKeyed(key, empty) {
  const [kept, keep] = useState({ key, value: empty });
  const value = kept.key === key ? kept.value : empty;
  return [value, (next) => keep({ key, value: next })];
}

const NOTHING = [];
const NO_GIFTS = [null, null, null];

/** Selected cards: they stay while the own hand stays as it is, also when others play. */
export function useSelection(view, hand) {
  return useKeyed(`${view.round} ${view.phase === "grand"} ${hand.join(" ")}`, NOTHING);
}

/** Three cards to give: to the right, to the partner, to the left; and the place that is filled next. */
export function useGifts(view, hand) {
  const [gifts, setGifts] = useKeyed(`${view.round} ${view.phase} ${hand.join(" ")}`, NO_GIFTS);
  const [wanted, setWanted] = useState(2);
  const next = gifts[wanted] === null ? wanted : [2, 1, 0].find((slot) => gifts[slot] === null) ?? null;
  const put = (card, slot) => {
    if (slot === null) return;
    setGifts(gifts.map((held, i) => (i === slot ? card : held === card ? null : held)));
  };
  const take = (slot) => {
    setGifts(gifts.map((held, i) => (i === slot ? null : held)));
    setWanted(slot);
  };
  return { gifts, next, put, take, want: setWanted };
}

/** The table's answer to `text`, null until it is there; nothing is asked for an empty text. */
export function useAsked(ask, text, stamp) {
  const [answer, setAnswer] = useState(null);
  useEffect(() => {
    if (!text) return undefined;
    let wanted = true;
    ask(text)
      .then((found) => wanted && setAnswer({ ...found, text, stamp }))
      .catch(() => {});
    return () => {
      wanted = false;
    };
  }, [text, stamp]);
  return answer && answer.text === text && answer.stamp === stamp ? answer : null;
}

/** The legal moves made of exactly the selected cards, or why there is none. */
export function useAnswer({ moves, ask, view }, chosen) {
  const listed = (moves ?? NOTHING).map((one) => one.move).filter((move) => sameCards(cardsOf(move), chosen));
  const known = chosen.length > 0 && listed.length > 0;
  const asked = useAsked(ask, known ? "" : chosen.join(" "), view);
  if (!chosen.length) return null;
  return known ? { moves: listed, why: null } : asked;
}

/** The cards that go with the selection into some legal move; null when all may. */
export function usableCards(moves, chosen) {
  const plays = (moves ?? NOTHING).map((one) => cardsOf(one.move)).filter((cards) => cards.length);
  if (!plays.length) return null;
  const fitting = plays.filter((cards) => chosen.every((card) => cards.includes(card)));
  return fitting.length ? new Set(fitting.flat()) : null;
}

/** Legal combinations of several cards, one entry for those of equal kind, length and rank. */
export function suggestions(moves, leads) {
  const found = new Map();
  for (const { move } of moves ?? NOTHING) {
    if (cardsOf(move).length < 2) continue;
    const { kind, length, rank } = figureOf(move);
    const key = `${kind} ${length} ${rank}`;
    if (!found.has(key)) found.set(key, { key, kind, length, rank, plays: [] });
    found.get(key).plays.push(move);
  }
  const sets = new Set(); // the same cards are offered once, as the strongest that they can be
  const joker = (play) => Number(play.includes("Ph"));
  const late = (one) => (one.kind === "bomb" ? 2 : joker(one.plays[0]));
  const all = [...found.values()];
  for (const one of all) one.plays.sort((a, b) => joker(a) - joker(b));
  const once = (one) => {
    const cards = cardsOf(one.plays[0]).sort().join(" ");
    return !sets.has(cards) && Boolean(sets.add(cards));
  };
  all.sort((a, b) => late(a) - late(b) || b.rank - a.rank);
  return all.filter(once).sort((a, b) => late(a) - late(b) || a.rank - b.rank || (leads ? b.length - a.length : 0));
}

/** Play at most one move per position, however fast the clicks come. */
export function useOnce(play, view) {
  const sent = useRef({ view: null, time: 0 });
  return (move) => {
    const now = performance.now();
    if (sent.current.view === view && now - sent.current.time < 1500) return;
    sent.current = { view, time: now };
    play(move);
  };
}

/** The width of the board and the height of the window. */
export function useSize(ref) {
  const [size, setSize] = useState([0, 0]);
  useLayoutEffect(() => {
    const measure = () => setSize([ref.current.clientWidth, innerHeight]);
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(ref.current);
    addEventListener("resize", measure);
    return () => {
      watcher.disconnect();
      removeEventListener("resize", measure);
    };
  }, []);
  return size;
}

/** Seconds left until `deadline`, counted down; null without one. */
export function useCountdown(deadline) {
  const [, tick] = useState(0);
  const start = useRef({ deadline: null, total: 1 });
  useEffect(() => {
    if (deadline === null) return undefined;
    const timer = setInterval(() => tick((n) => n + 1), 100);
    return () => clearInterval(timer);
  }, [deadline]);
  if (deadline === null || deadline === undefined) return null;
  const left = Math.max(0, deadline - performance.now());
  if (start.current.deadline !== deadline) start.current = { deadline, total: Math.max(1, left) };
  return { seconds: Math.ceil(left / 1000), share: left / start.current.total };
}
