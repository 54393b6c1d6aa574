// Where everything lies: a cross-shaped track of four equal quarters, turned so that one seat is at the bottom.
// Lengths are in cells around the middle of the board (y downwards) until `at` makes drawing units of them.

export const SIZE = 1000;
const MARGIN = 0.38;

/** @param {number[]} at */
function turned([x, y], quarters) {
  for (let i = 0; i < quarters; i++) [x, y] = [-y, x];
  return [x, y];
}

// A quarter runs along the end of an arm, up its side to the inner corner and out to the end of the next arm.
function onQuarter(step, reach, half) {
  if (step <= 2 * half) return [half - step, reach];
  if (step <= reach + half) return [-half, reach - (step - 2 * half)];
  return [-half - (step - reach - half), half];
}

export function corners(options) {
  return options.seats ? [...String(options.seats)].map(Number) : [0, 1, 2, 3].slice(0, options.players);
}

export function layout(options, facing) {
  const distance = options.distance, around = 4 * distance, reach = distance / 2;
  const odd = distance % 2 / 2; // an odd quarter has arms an even number of fields wide
  const half = Math.max(1, Math.floor(reach * 0.36)) + odd;
  const unit = SIZE / (2 * reach + 1 + 2 * MARGIN);
  const goalColumn = odd;
  const startColumn = options.must_traverse_start ? goalColumn : goalColumn - 1;
  const goalPitch = odd ? 1 : Math.min(1, (reach - 0.6) / 4);
  const seats = corners(options), bottom = seats[facing] ?? 0;
  const arm = seat => (seats[seat] - bottom + 4) % 4;
  const at = (/** @type {number[]} */ [x, y]) => ({ x: SIZE / 2 + x * unit, y: SIZE / 2 + y * unit });

  function field(number) {
    const step = (number - bottom * distance + half - startColumn + 2 * around) % around;
    return at(turned(onQuarter(step % distance, reach, half), Math.floor(step / distance)));
  }
  const goal = (seat, depth) => ({ ...at(turned([goalColumn, reach - goalPitch * (depth + 1)], arm(seat))), scale: goalPitch });

  // The plate of a seat: the free corner that its pins drive along first.
  function plate(quarter) {
    const near = Math.max(13, 0.2 * unit), side = SIZE / 2 - near - (half + 0.62) * unit, far = SIZE - near - side;
    const left = quarter < 2, top = quarter === 1 || quarter === 2;
    return { x: left ? near : far, y: top ? near : far, side, left, top, q: side / 100 };
  }
  function inPlate(quarter, x, y) {
    const box = plate(quarter);
    return { x: box.x + (box.left ? x : 100 - x) * box.q, y: box.y + (box.top ? 100 - y : y) * box.q };
  }
  const homePitch = 29;
  function home(seat, pin) {
    const spot = inPlate(arm(seat), 21 + homePitch * (pin % 2), 22 + homePitch * (pin >> 1));
    return { ...spot, scale: Math.min(1.6, homePitch * plate(0).q / unit * 0.98) };
  }
  function place(seat, pin, text) {
    if (text === "H") return home(seat, pin);
    return text[0] === "G" ? goal(seat, +text[1]) : field(+text);
  }
  const bends = [];
  for (let quarter = 0; quarter < 4; quarter++)
    for (const step of [0, 2 * half, reach + half]) bends.push(at(turned(onQuarter(step, reach, half), quarter)));

  return {
    unit, around, distance, seats, half, reach, arm, field, goal, home, place, plate, inPlate, bends,
    start: seat => seats[seat] * distance,
    goalScale: goalPitch,
  };
}

// The places that a pin comes through on its way, itself not among them.
export function way(geo, options, seat, from, to, backwards = false) {
  const start = geo.start(seat), places = [];
  if (from === "H") return [to];
  let depth = from[0] === "G" ? +from[1] : -1;
  const last = to[0] === "G" ? +to[1] : -1;
  if (depth < 0) {
    const end = last < 0 ? +to : options.must_traverse_start ? start : (start - 1 + geo.around) % geo.around;
    const step = backwards ? geo.around - 1 : 1;
    for (let number = +from; number !== end;) {
      number = (number + step) % geo.around;
      places.push(String(number));
    }
  }
  while (depth < last) places.push(`G${++depth}`);
  return places;
}

export const line = points => points.map(({ x, y }, i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
