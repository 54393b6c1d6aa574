// Moves as the board needs them: which card, which pin, where to. What is legal is in the list of moves; where a move
// leads is in its comment ("12 to 17, sends a pin of Player 1 home").

export function mover(view) {
  const seat = view.player;
  const done = view.options.teams && view.pins[seat]?.every(place => place[0] === "G");
  return done ? (seat + 2) % 4 : seat;
}

export function cardOf(move) {
  const parts = move.split(":");
  return parts.length > 1 && parts[0][0] !== "p" ? parts[1] : null;
}

export function ways(comment) {
  return [...(comment || "").matchAll(/(out|G?\d+) to (G?\d+)/g)].map(([, from, to]) => ({ from: from === "out" ? "H" : from, to }));
}

export const sentHome = comment => [...(comment || "").matchAll(/sends a pin of Player (\d) home/g)].map(found => +found[1]);

export function readMove(move) {
  const [kind, card, rest, last] = move.split(":");
  if (kind === "pass" || kind === "fold") return { move, kind };
  if (kind === "give") return { move, kind, card };
  if (kind === "start") return { move, kind: "out", card, as: "out", pin: +rest[1] };
  if (kind === "move") return { move, kind: "step", card, as: last, pin: +rest[1], steps: +last };
  if (kind === "swap") return { move, kind, card, as: "SWAP", pin: +rest[1], other: last.slice(1) };
  if (kind === "seven" && last) return { move, kind: "part", card, as: "7", pin: +rest[1], steps: +last };
  if (kind === "seven") return { move, kind: "split", card, as: "7", parts: rest.split(",").map(Number) };
  return { move, kind: "step", card: card ?? null, as: card ?? null, pin: +kind[1], steps: card ? +card : null };
}

// Where so many steps lead; only for moves that come without a comment. Compared with the rules in tests/page.
function guess(view, geo, seat, pin, steps) {
  const from = view.pins[seat][pin], { around } = geo;
  if (from === "H") return String(geo.start(seat));
  if (from[0] === "G") return `G${Math.min(3, +from[1] + steps)}`;
  const gone = (+from - geo.start(seat) + around) % around;
  const length = view.options.must_traverse_start ? (view.fresh && !view.fresh[seat] && gone === 0 ? 0 : around) : around - 1;
  const depth = gone + steps - length - 1;
  const barred = view.options.jump_in_goal ? [depth] : [0, 1, 2, 3].slice(0, depth + 1);
  const free = depth >= 0 && depth < 4 && !barred.some(place => view.pins[seat].includes(`G${place}`));
  return free ? `G${depth}` : String((+from + steps + around) % around);
}

function target(view, geo, seat, pin, steps, comment) {
  const from = view.pins[seat][pin];
  return ways(comment).find(step => step.from === from)?.to ?? guess(view, geo, seat, pin, steps);
}

// One use of a card, token or throw; a seven that is divided in one move has a target for each pin.
export function readUse(view, geo, { move, comment }) {
  const use = readMove(move), seat = mover(view);
  if (use.kind === "split") {
    const targets = use.parts.map((steps, pin) => steps ? target(view, geo, seat, pin, steps, comment) : null);
    return { ...use, seat, targets };
  }
  if (use.kind === "swap") return { ...use, seat, from: view.pins[seat][use.pin], target: `P${use.other}` };
  if (use.pin === undefined) return use;
  const from = view.pins[seat][use.pin], kind = from === "H" ? "out" : use.kind;
  return { ...use, kind, seat, from, target: target(view, geo, seat, use.pin, use.steps ?? view.die ?? 0, comment) };
}

export function otherPin(target) {
  const [seat, pin] = target.slice(1).split(".").map(Number);
  return { seat, pin };
}

export function pinsOn(view, field) {
  const found = [];
  view.pins.forEach((pins, seat) => pins.forEach((place, pin) => place === field && found.push({ seat, pin })));
  return found;
}
