"""Values for madn, dmadn and dog: TD(lambda) on afterstates, from games that the learner plays with itself.

An afterstate is what the player on turn sees when he has acted and nothing was thrown, dealt or taken up since. The
first games are played by the rules of thumb and teach only who won. Then the network plays greedily, and the value of
every afterstate is moved towards the lambda-return

    G(t) = E(t) + lambda * (G(t + 1) - V(t + 1)),    G(the end) = V(the end) = the outcome,

where E(t) is what the best action at the next decision is worth, and V(t + 1) what it is worth as it came. Where chance
is a die, E(t) is the mean over all throws (``all_throws``): so no luck of the dice is learned, however long the return
is. Some games begin with random moves and some moves are random; behind one, G(t) = E(t), so that it is always the
greedy player that is learned. The learning rate falls to zero, and a running mean of the weights plays.

One side against another with open cards makes one chain of afterstates, seen by who moves next; otherwise every seat
has a chain of its own decisions, and now and then a position in which somebody else has acted is learned as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stammtisch.agents.dog.net import (
    Net,
    Weights,
    best_of,
    chance,
    new_mind,
    new_net,
    read_net,
    teach,
    two_sides,
    viewer,
)
from stammtisch.agents.dog.sight import PAIRS, ROWS, SLOTS, SLOTS_OF, see
from stammtisch.core.compiling import compiled
from stammtisch.core.errors import BadOption
from stammtisch.core.kernel import Actions, Record, Records, Vector
from stammtisch.core.mind import pick
from stammtisch.core.registry import game
from stammtisch.core.rng import Rng, below, shuffle, stream, streams, uniform
from stammtisch.games.dog import PRESETS
from stammtisch.games.dog.board import SEATS
from stammtisch.games.dog.legal import legal_actions
from stammtisch.games.dog.mind import HAND
from stammtisch.games.dog.policy import decide, same_side
from stammtisch.games.dog.rules import ENDED, MADN, VALUES, apply, new_game, place, scores, throw
from stammtisch.learning.adam import adam, warm
from stammtisch.learning.learner import EVALUATION, LAST_SEED
from stammtisch.learning.selfplay import SelfPlay
from stammtisch.learning.settings import MANY, setting

GAMES = ("madn", "dmadn", "dog")
ROOM = 1200  # afterstates of a game, on average, before it is no longer noted
USUAL = 80  # answers of an afterstate, on average
LONGEST = 1200  # decisions of a game that may be endless; then it is a draw
TABLES = {"teams": ("0123",), "each": ("01", "02", "012", "0123")}


MOST_ACTIONS = 1024
GREEDY, SLIP, ASIDE = range(3)  # how an afterstate came about
TURNED = SEATS  # added to the number of a chain: seen by the other side


@dataclass(frozen=True)
class Config:
    """What a run of the learner is made of."""

    game: str = setting("madn", "that is learned", choices=GAMES)
    rules: str = setting("seed", "rule set of the game", choices=("seed", "braendi", "schmidt"))
    sides: str = setting("teams", "two teams of two, or two to four players each for himself", choices=tuple(TABLES))
    start: str = setting("", "a network to begin with: one of the package or a file of your own")
    games: int = setting(100_000, "games in total", 1, MANY)
    school: int = setting(3000, "of them the first, played by the rules of thumb", 0, MANY)
    games_per_step: int = setting(200, "games played between two rounds of learning", 1, 100_000)
    epochs: int = setting(1, "how often each afterstate is learned from", 1, 1000)
    batch: int = setting(256, "afterstates per update", 1, MANY)
    rate: float = setting(1e-3, "of Adam at the start", 1e-9, 1.0)
    last_rate: float = setting(1e-5, "of Adam at the end; it falls by half a cosine", 0.0, 1.0)
    trace: float = setting(0.8, "lambda: 0 trusts the next decision's value, 1 the outcome", 0.0, 1.0)
    all_throws: bool = setting(False, "all throws of the die count at every decision, not the one that fell")
    opening: int = setting(0, "at most so many random moves at the start of a game", 0, 1000)
    explore: float = setting(0.01, "share of random moves after that", 0.0, 1.0)
    aside: float = setting(0.1, "how often a position in which another seat has acted is learned", 0.0, 1.0)
    averaging: float = setting(0.998, "how much of the averaged weights every update keeps", 0.0, 0.999_999)
    wide: int = setting(64, "units of the first layer", 1, 4096)
    narrow: int = setting(32, "units of the second layer", 1, 4096)
    evaluation_games: int = setting(1000, "games of every look at its strength", 2, 10**7)
    evaluation_opening: int = setting(0, "random moves at the start of these", 0, 1000)
    seed: int = setting(1, "of all luck", 0, LAST_SEED)


class Notes(NamedTuple):
    """The afterstates of some games: their answers one after the other, and what is to be learned of each."""

    answers: NDArray[np.int16]
    ends: Actions  # of the answers of every afterstate
    chains: NDArray[np.int8]
    kinds: NDArray[np.int8]
    values: Vector  # of the afterstate, as its chain counts
    before: Vector  # what the decision that led there was worth
    targets: Weights


class PinsLearner(SelfPlay):
    """A run: ``step`` plays and learns, ``arrays`` is all that has to be kept to go on exactly as if never stopped."""

    summary = "What every position is worth once one has acted: TD(lambda) from games with itself"
    config_class = Config
    games = GAMES

    def __init__(self, config: Config) -> None:
        self.config = config
        net = new_net(config.wide, config.narrow, config.seed)
        if config.start:
            net = Net(*(weights.copy() for weights in read_net(config.start)))
        self.net, self.first, self.second, self._slope = net, _zeros(net), _zeros(net), _zeros(net)
        self.mean = Net(*(weights.copy() for weights in net))
        self.rng = stream(config.seed)
        self.counts = np.zeros(2, dtype=np.int64)  # games played, updates made
        self._mind = new_mind(net)
        self._blanks = blanks(config)
        self._notes = _new_notes(ROOM * config.games_per_step)

    def step(self) -> dict[str, float]:
        """Play some games and learn from them; the run's numbers."""
        config, notes = self.config, self._notes
        school = self.done < config.school
        teach(self._mind[0], self.mean)
        chances = (1.0 if school else config.trace, config.explore, config.aside)
        noted, decisions = play_and_note(
            self._mind,
            self._blanks,
            self.rng,
            config.games_per_step,
            (school, config.all_throws),
            config.opening,
            chances,
            notes,
        )
        losses = learn(
            notes,
            noted,
            (self.net, self.first, self.second, self._slope, self.mean),
            self.counts,
            self.rng,
            config.epochs,
            min(config.batch, noted),
            self.rate,
            config.averaging,
        )
        self.counts[0] += config.games_per_step
        return {"loss": losses, "decisions": decisions / config.games_per_step, "rate": self.rate}

    def evaluate(self, games: int | None = None, first_seed: int = EVALUATION) -> NDArray[np.float64]:
        """Results of the averaged network against the rules of thumb; every game is played from all seats."""
        found = np.empty(games or self.config.evaluation_games)
        teach(self._mind[0], self.mean)
        places = seats_of(self._blanks)
        rngs = streams(first_seed, len(found) // len(places) + 1)
        compete(self._mind, HAND.blank(), self._blanks, places, rngs, self.config.evaluation_opening, found)
        return found

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything that changes during the run."""
        parts = {"net": self.net, "first": self.first, "second": self.second, "mean": self.mean}
        kept = {f"{part}.{name}": array for part, net in parts.items() for name, array in net._asdict().items()}
        return {**kept, "rng": self.rng, "counts": self.counts}

    def network(self) -> dict[str, NDArray[Any]]:
        """The averaged weights."""
        return dict(self.mean._asdict())


def blanks(config: Config) -> Records:
    """Empty boards, one for each line-up that is played."""
    if config.rules not in PRESETS[config.game]:
        raise BadOption(f"rules={config.rules}: {config.game} has {', '.join(PRESETS[config.game])}")
    options = {"rules": config.rules, "teams": config.sides == "teams"}
    line_ups = TABLES[config.sides]
    made = np.concatenate([game(config.game, players=len(seats), seats=seats, **options).blank() for seats in line_ups])
    made["max_steps"][made["max_steps"] > 0] = LONGEST
    return made


def seats_of(boards: Records) -> NDArray[np.int64]:
    """All seats from which a game can be won: the board, and a seat of each side."""
    sides = [2 if board["teams"] else int(board["players"]) for board in boards]
    return np.array([(board, seat) for board, n in enumerate(sides) for seat in range(n)])


def _zeros(net: Net) -> Net:
    return Net(*(np.zeros_like(weights) for weights in net))


def _new_notes(most: int) -> Notes:
    return Notes(
        answers=np.empty(most * USUAL, dtype=np.int16),
        ends=np.zeros(most + 1, dtype=np.int64),
        chains=np.empty(most, dtype=np.int8),
        kinds=np.empty(most, dtype=np.int8),
        values=np.empty(most),
        before=np.empty(most),
        targets=np.empty(most, dtype=np.float32),
    )


# --- playing ------------------------------------------------------------------------------------------------


@compiled
def play_and_note(
    minds: Records,
    boards: Records,
    rng: Rng,
    games: int,
    ways: tuple[bool, bool],
    opening: int,
    chances: tuple[float, float, float],
    notes: Notes,
) -> tuple[int, int]:
    """Play some games; note every afterstate with its target. How many were noted, and decisions made.

    ``ways``: whether the rules of thumb play, whether all throws count. ``chances``: lambda, slips, asides.
    """
    (school, all_throws), (trace, explore, aside) = ways, chances
    mind, states = minds[0], boards[:1].copy()
    looks = states.copy()
    state, look = states[0], looks[0]
    actions, worths = np.empty(MOST_ACTIONS, dtype=np.int64), np.empty(MOST_ACTIONS)
    outcome, back = np.empty(SEATS), np.empty(SEATS)
    noted, decisions = 0, 0
    for _ in range(games):
        states[0] = boards[below(rng, len(boards))]
        new_game(state, rng)
        one_chain, first = two_sides(state), noted
        at_random = below(rng, opening + 1)
        last, value = -1, 0.0
        while state.phase != ENDED:
            me = int(state.turn)
            decisions += 1
            n = legal_actions(state, actions)
            kind, value, known = GREEDY, 0.0, not school and at_random == 0
            chosen = 0
            if known:
                chosen, value = _decide(mind, state, looks, actions, n, worths, all_throws)
            elif school and at_random == 0:
                looks[0] = state
                action = decide(look, actions, rng)
                n = legal_actions(state, actions)
                while actions[chosen] != action:
                    chosen += 1
            if at_random > 0 or (n > 1 and uniform(rng) < explore):
                chosen, kind = below(rng, n), GREEDY if school else SLIP
            looks[0] = state
            place(look, actions[chosen])
            at_random = max(0, at_random - 1)
            last = -1
            if look.phase == ENDED and known:
                last = 0 if one_chain else me
                if one_chain and not same_side(state, me, 0):
                    value = 1.0 - value
            elif look.phase != ENDED and at_random == 0:
                noted = _note(mind, look, me, kind, value, school, notes, noted)
            apply(state, actions[chosen], rng)
            if not one_chain and at_random == 0 and state.phase != ENDED and uniform(rng) < aside:
                other = (me + 1 + below(rng, int(state.players) - 1)) % int(state.players)
                noted = _note(mind, state, other, ASIDE, 0.0, school, notes, noted)
        scores(state, outcome)
        for seat in range(SEATS):
            back[seat] = outcome[seat]
        if last >= 0:
            back[last] = value
        for k in range(noted - 1, first - 1, -1):
            chain, turned = notes.chains[k] % TURNED, notes.chains[k] >= TURNED
            target = back[chain]
            notes.targets[k] = 1.0 - target if turned else target
            if notes.kinds[k] != ASIDE:
                more = target - notes.values[k] if notes.kinds[k] == GREEDY else 0.0
                back[chain] = min(max(notes.before[k] + trace * more, 0.0), 1.0)
    return noted, decisions


@compiled
def _decide(
    mind: Record, state: Record, looks: Records, actions: Actions, n: int, worths: Vector, all_throws: bool
) -> tuple[int, float]:
    """The best action, and what the decision is worth: with this throw, or with all that could have fallen."""
    chosen = best_of(mind, state, actions, n, worths)
    value = worths[chosen]
    if all_throws and state.variant == MADN:
        other = np.empty(MOST_ACTIONS, dtype=np.int64)
        looks[0] = state
        look, mean = looks[0], 0.0
        for which in range(VALUES):
            probability = throw(look, which)
            if which + 1 == state.die:
                mean += probability * value
            else:
                found = best_of(mind, look, other, legal_actions(look, other), worths)
                mean += probability * worths[found]
        value = mean
    return chosen, value


@compiled
def _note(
    mind: Record,
    state: Record,
    seat: int,
    kind: int,
    before: float,
    school: bool,
    notes: Notes,
    noted: int,
) -> int:
    """Note a position as the seat is to see it; how many there are now. What finds no room is left out."""
    end = notes.ends[noted]
    if noted == len(notes.values) or end + SLOTS + PAIRS > len(notes.answers):
        return noted
    view = viewer(state, seat)
    value, pairs = 0.0, 0
    if school:
        pairs = see(mind, state, view)
    else:
        value = chance(mind, state, view)
        pairs = mind.n_pairs[0]
    for slot in range(SLOTS_OF[state.variant]):
        if mind.new_slots[slot]:
            notes.answers[end] = mind.new_slots[slot]
            end += 1
    for k in range(pairs):
        notes.answers[end] = mind.new_pairs[k]
        end += 1
    chain = seat
    if two_sides(state):
        chain = 0
        if not same_side(state, view, 0):
            chain, value = TURNED, 1.0 - value
        if not same_side(state, seat, 0):
            before = 1.0 - before
    notes.ends[noted + 1] = end
    notes.chains[noted], notes.kinds[noted] = chain, kind
    notes.values[noted], notes.before[noted] = (0.0, 0.0) if school else (value, before)
    return noted + 1


@compiled
def compete(
    minds: Records, others: Records, boards: Records, places: Actions, rngs: Rng, opening: int, out: Vector
) -> None:
    """Games of a mind on one side against another mind on all others, with the same luck from all seats; its scores."""
    mind, other, states = minds[0], others[0], boards[:1].copy()
    state, actions, outcome = states[0], np.empty(MOST_ACTIONS, dtype=np.int64), np.empty(SEATS)
    for number in range(len(out)):
        which, seat = places[number % len(places)]
        states[0] = boards[which]
        rng = rngs[number // len(places)].copy()
        new_game(state, rng)
        moves = 0
        while state.phase != ENDED:
            if moves < opening:
                action = actions[below(rng, legal_actions(state, actions))]
            elif same_side(state, int(state.turn), seat):
                action = pick(mind, state, actions, rng)
            else:
                action = pick(other, state, actions, rng)
            apply(state, action, rng)
            moves += 1
        scores(state, outcome)
        out[number] = outcome[seat]


# --- learning -----------------------------------------------------------------------------------------------


@compiled
def learn(
    notes: Notes,
    noted: int,
    nets: tuple[Net, Net, Net, Net, Net],
    counts: Actions,
    rng: Rng,
    epochs: int,
    batch: int,
    rate: float,
    averaging: float,
) -> float:
    """Fit the network to the targets by Adam, in random order; the mean cross-entropy before.

    ``nets``: the weights, their first and second moments, room for a gradient, and the running mean.
    """
    net, first, second, gradient, mean = nets
    order, touched = np.arange(noted), np.zeros(ROWS, dtype=np.bool_)
    loss, seen = 0.0, 0
    for epoch in range(epochs):
        shuffle(rng, order, noted)
        for start in range(0, noted - batch + 1, batch):
            found = add_gradient(
                notes.answers, notes.ends, notes.targets, order[start : start + batch], net, gradient, touched
            )
            if epoch == 0:
                loss += found
                seen += batch
            counts[1] += 1
            step = rate * warm(counts[1])
            for row in range(ROWS):
                if touched[row]:
                    adam(net.rows[row], first.rows[row], second.rows[row], gradient.rows[row], step)
                    touched[row] = False
            for i in range(len(net.middle)):
                adam(net.middle[i], first.middle[i], second.middle[i], gradient.middle[i], step)
            adam(net.middle_bias, first.middle_bias, second.middle_bias, gradient.middle_bias, step)
            adam(net.last, first.last, second.last, gradient.last, step)
            adam(net.last_bias, first.last_bias, second.last_bias, gradient.last_bias, step)
            if counts[1] % 10 == 0:
                _follow(mean, net, np.float32(1.0 - averaging**10))
    return loss / max(1, seen)


@compiled
def _follow(mean: Net, net: Net, share: np.float32) -> None:
    """Move the averaged weights towards the present ones."""
    for row in range(len(net.rows)):
        for i in range(net.rows.shape[1]):
            mean.rows[row, i] += share * (net.rows[row, i] - mean.rows[row, i])
    for row in range(len(net.middle)):
        for i in range(net.middle.shape[1]):
            mean.middle[row, i] += share * (net.middle[row, i] - mean.middle[row, i])
    for i in range(len(net.last)):
        mean.middle_bias[i] += share * (net.middle_bias[i] - mean.middle_bias[i])
        mean.last[i] += share * (net.last[i] - mean.last[i])
    mean.last_bias[0] += share * (net.last_bias[0] - mean.last_bias[0])


@compiled
def add_gradient(
    answers: NDArray[np.int16],
    ends: Actions,
    targets: Weights,
    here: Actions,
    net: Net,
    gradient: Net,
    touched: NDArray[np.bool_],
) -> float:
    """Add the gradient of the mean cross-entropy of these afterstates; the sum of their losses."""
    wide, narrow = net.middle.shape
    across = net.middle.T.copy()
    one, two = np.empty(wide, dtype=np.float32), np.empty(narrow, dtype=np.float32)
    back_one, back_two = np.empty(wide, dtype=np.float32), np.empty(narrow, dtype=np.float32)
    loss, part, nothing = 0.0, np.float32(1.0 / len(here)), np.float32(0.0)
    for k in here:
        target = targets[k]
        one[:] = nothing
        for at in range(ends[k], ends[k + 1]):
            weights = net.rows[answers[at]]
            for i in range(wide):
                one[i] += weights[i]
        two[:] = net.middle_bias
        for i in range(wide):
            strength = one[i]
            if strength > nothing:
                weights = net.middle[i]
                for j in range(narrow):
                    two[j] += strength * weights[j]
        total = net.last_bias[0]
        for j in range(narrow):
            total += max(two[j], nothing) * net.last[j]
        loss += max(total, nothing) - total * target + np.log1p(np.exp(-abs(total)))
        slope = part * (np.float32(1.0 / (1.0 + np.exp(-total))) - target)
        gradient.last_bias[0] += slope
        back_one[:] = nothing
        for j in range(narrow):
            back_two[j] = nothing
            if two[j] > nothing:
                gradient.last[j] += slope * two[j]
                its = slope * net.last[j]
                back_two[j] = its
                gradient.middle_bias[j] += its
                weights = across[j]
                for i in range(wide):
                    back_one[i] += its * weights[i]
        for i in range(wide):
            strength = one[i]
            if strength > nothing:
                weights = gradient.middle[i]
                for j in range(narrow):
                    weights[j] += strength * back_two[j]
            else:
                back_one[i] = nothing
        for at in range(ends[k], ends[k + 1]):
            row = answers[at]
            touched[row] = True
            weights = gradient.rows[row]
            for i in range(wide):
                weights[i] += back_one[i]
    return loss
