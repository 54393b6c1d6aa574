// Short animations of what has just happened; the new position is already there, they only lead up to it.

import { useLayoutEffect, useRef } from "/web/vendor/preact-htm.js";
import { way } from "./geometry.js";

function changes(before, after) {
  const found = [];
  after.forEach((pins, seat) => pins.forEach((to, pin) => {
    const from = before[seat]?.[pin];
    if (from !== undefined && from !== to) found.push({ seat, pin, from, to });
  }));
  return found;
}

function points(geo, options, move, { seat, pin, from, to }) {
  const first = geo.place(seat, pin, from);
  if (to === "H" || move.startsWith("swap")) return [first, geo.place(seat, pin, to)];
  return [first, ...way(geo, options, seat, from, to, move.endsWith(":-4")).map(text => geo.place(seat, pin, text))];
}

const shift = ({ x, y, scale = 1 }) => `translate(${x}px, ${y}px) scale(${scale})`;

function burst(svg, { x, y }, unit, delay, quick) {
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  for (const [name, value] of Object.entries({ class: "burst", cx: x, cy: y, r: unit * 0.5 })) ring.setAttribute(name, value);
  svg.append(ring);
  const frames = [{ opacity: 0, r: `${unit * 0.2}px` }, { opacity: 1, r: `${unit * 0.5}px` }, { opacity: 0, r: `${unit * 0.95}px` }];
  ring.animate(frames, { duration: 2 * quick, delay, fill: "backwards" }).onfinish = () => ring.remove();
}

export function useMotion(svg, geo, view, last, animate) {
  const before = useRef(null);
  useLayoutEffect(() => {
    const old = before.current, now = { n: last?.n ?? null, pins: view.pins, geo };
    before.current = now;
    const quick = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--quick")) || 0;
    if (!old || !animate || !quick || !last?.move || (old.n !== null && now.n !== old.n + 1)) return;
    const moved = changes(old.pins, view.pins), driven = moved.filter(({ to }) => to !== "H");
    let arrival = 0;
    for (const change of [...driven, ...moved.filter(({ to }) => to === "H")]) {
      const element = svg.current?.querySelector(`[data-pin="${change.seat}.${change.pin}"]`);
      const frames = points(geo, view.options, last.move, change).map(point => ({ transform: shift(point) }));
      const hit = change.to === "H", duration = quick * (hit ? 1.6 : 0.9 + 0.17 * frames.length);
      element?.animate(frames, { duration, delay: hit ? arrival : 0, fill: "backwards", easing: "ease-in-out" });
      if (hit) burst(svg.current, geo.place(change.seat, change.pin, change.from), geo.unit, Math.max(0, arrival - quick / 2), quick);
      else arrival = Math.max(arrival, duration * 0.85);
    }
  }, [last?.n, view.pins]);
}
