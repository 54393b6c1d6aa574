// What the board of the pin games shows of a move: laid beside its scripts by the test.

import { layout, way } from "./geometry.js";
import { mover, readUse } from "./moves.js";

export function shown(view, move) {
  const geo = layout(view.options, 0), use = readUse(view, geo, move);
  const targets = [0, 1, 2, 3].map((pin) => (use.targets ? use.targets[pin] : use.pin === pin ? use.target : null) ?? null);
  const fields = targets.map((target, pin) => {
    if (target === null || target[0] === "P") return null;
    const from = view.pins[use.seat][pin];
    return way(geo, view.options, use.seat, from, target, use.steps < 0);
  });
  return { mover: mover(view), use, targets, fields, start: geo.start(mover(view)) };
}

/** The points of all fields of the track and all places in the goals, rounded. */
export function places(options) {
  const geo = layout(options, 0), round = ({ x, y }) => `${Math.round(x)} ${Math.round(y)}`;
  const fields = Array.from({ length: geo.around }, (_, i) => round(geo.field(i)));
  return [...fields, ...geo.seats.flatMap((_, seat) => [0, 1, 2, 3].map((depth) => round(geo.goal(seat, depth))))];
}
