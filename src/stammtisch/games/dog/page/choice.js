// What is half chosen (a card, what it stands for, a pin, a target, parts of a seven) and what can be clicked next.

export const NOTHING = { card: null, as: null, pin: null, target: null, parts: {} };

const only = values => values.size === 1 ? [...values][0] : null;
const partial = use => use.kind === "split" || use.kind === "part";
const movesPin = (use, pin) => use.kind === "split" ? use.parts[pin] > 0 : use.pin === pin;

// A divided seven, pin by pin: each slice stands for all divisions that go on from what is chosen.
function slices(splits, chosen) {
  const open = splits.filter(use => Object.entries(chosen).every(([pin, steps]) => use.parts[pin] === steps));
  const found = new Map();
  for (const use of open)
    use.parts.forEach((steps, pin) => {
      if (!steps || pin in chosen) return;
      const key = `${pin}.${steps}`;
      if (!found.has(key))
        found.set(key, { kind: "slice", card: use.card, as: "7", seat: use.seat, pin, steps, target: use.targets[pin], splits: [] });
      found.get(key).splits.push(use);
    });
  return [...found.values()];
}

// Pins at home are all the same, so bringing out any of them is one choice.
function distinct(uses) {
  const found = new Map();
  for (const use of uses) {
    const key = [use.card, use.as, use.target, use.kind === "out" ? "home" : use.pin].join("|");
    if (!found.has(key)) found.set(key, use);
  }
  return [...found.values()];
}

export function choices(uses, chosen) {
  const plays = uses.filter(use => use.seat !== undefined);
  const card = chosen.card ?? only(new Set(plays.map(use => use.card)));
  const needsCard = plays.some(use => use.card !== null);
  const settled = !needsCard || card !== null;
  const ofCard = settled ? plays.filter(use => use.card === card) : plays;
  const fitting = chosen.pin === null ? ofCard : ofCard.filter(use => movesPin(use, chosen.pin));
  const kinds = new Set((settled ? fitting : []).map(use => use.as));
  const as = chosen.as ?? only(kinds);
  let open = as === null || !settled ? ofCard : ofCard.filter(use => use.as === as);
  const dividing = settled && open.length > 0 && open.every(use => use.kind === "split");
  if (dividing) open = slices(open, chosen.parts);

  const pins = new Set();
  for (const use of open) (use.parts ?? [0, 1, 2, 3]).forEach((_, pin) => movesPin(use, pin) && pins.add(pin));
  const simple = open.filter(use => as === "7" || !partial(use));
  const direct = settled ? simple : simple.filter(use => use.card !== "JOKER");
  const first = distinct(direct);
  const pin = chosen.pin ?? (settled && new Set(first.map(use => use.kind === "out" ? "home" : use.pin)).size === 1 ? first[0].pin : null);
  const shown = pin !== null ? distinct(direct.filter(use => use.pin === pin)) : settled && first.length <= 12 ? first : [];

  const targets = new Map();
  for (const use of shown) targets.set(use.target, [...(targets.get(use.target) ?? []), use]);
  const usable = new Set(plays.filter(use => chosen.pin === null || movesPin(use, chosen.pin))
    .filter(use => chosen.target === null || use.target === chosen.target).map(use => use.card));
  return { plays, card, as, pin, pins, open, targets, usable, kinds, settled, dividing };
}

// What a click on a pin would play at once, if nothing is left to choose.
export function soleUse(state, pin) {
  const uses = state.open.filter(use => movesPin(use, pin));
  return state.settled && uses.length === 1 && uses[0].kind !== "split" ? uses[0] : null;
}

// One of the uses of a target, if the choice among them does not matter.
export function soleAt(state, target, wanted) {
  const uses = distinct((state.targets.get(target) ?? []).filter(use => wanted === null || use.card === wanted));
  return uses.length === 1 ? uses[0] : null;
}

export const stepsChosen = chosen => Object.values(chosen.parts).reduce((sum, steps) => sum + steps, 0);
