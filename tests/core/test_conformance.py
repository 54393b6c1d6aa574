"""The checker passes good games and finds what is wrong with bad ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stammtisch as st
from stammtisch.core import fields
from stammtisch.core.compiling import compiled
from stammtisch.core.conformance import check
from stammtisch.core.game import Game, GameSpec, Json, State
from stammtisch.core.kernel import Actions, Kernel, Record, Records, Vector
from stammtisch.core.promises import PROMISES
from stammtisch.core.rng import Rng, below, next32, shuffle
from stammtisch.games.tictactoe import kernel as ttt
from stammtisch.games.tictactoe.game import TicTacToe
from toys import (
    PENNIES_FUNCTIONS,
    PENNIES_STATE,
    PIG_FUNCTIONS,
    PIG_STATE,
    WHIST_FUNCTIONS,
    WHIST_STATE,
    Pennies,
    Pig,
    Treelet,
    Whistlet,
    pig_apply,
    whist_suit,
)


@pytest.mark.parametrize(
    "game",
    [
        st.game("tictactoe"),
        Treelet(),
        Pig(players=2),
        Pig(players=4, target=12),
        Whistlet(),
        Whistlet(deals=1),
        Pennies(),
    ],
    ids=repr,
)
def test_good_games_pass(game: Game) -> None:
    report = check(game, games=10)
    assert report.ok, str(report)
    assert all(outcome.times > 0 for outcome in report.outcomes)


# --- ten broken games (and some more) --------------------------------------------------------------------


def kernel(state: np.dtype[Any], functions: dict[str, Any], **broken: Any) -> Kernel:
    return Kernel(state=state, **{**functions, **broken})


TTT_FUNCTIONS = {
    field.name: getattr(ttt.KERNEL, field.name) for field in dataclasses.fields(ttt.KERNEL) if field.name != "state"
}


def ttt_kernel(mark: str, **broken: Any) -> Kernel:
    """Tictactoe with some functions replaced; the extra field keeps it apart from the real one."""
    return Kernel(state=np.dtype([*ttt.STATE.descr, (mark, np.int8)]), **{**TTT_FUNCTIONS, **broken})


@compiled
def offers_occupied_squares(state: Record, out: Actions) -> int:
    if ttt.player(state) < 0:
        return 0
    for square in range(ttt.SQUARES):
        out[square] = square
    return ttt.SQUARES


class WrongMask(TicTacToe):
    kernel = ttt_kernel("wrong_mask", legal_actions=offers_occupied_squares)


@compiled
def descending(state: Record, out: Actions) -> int:
    n = ttt.legal_actions(state, out)
    for i in range(n // 2):
        out[i], out[n - 1 - i] = out[n - 1 - i], out[i]
    return n


class UnsortedActions(TicTacToe):
    kernel = ttt_kernel("unsorted", legal_actions=descending)


class AliasingCopy(TicTacToe):
    kernel = ttt_kernel("aliasing")

    class Aliasing(State):
        def copy(self) -> State:
            return self.game.state(self._records, self.rng.copy())

    def state(self, records: Records, rng: Rng) -> State:
        return self.Aliasing(self, records, rng)


class AcceptsIllegal(TicTacToe):
    kernel = ttt_kernel("accepts")

    class Careless(State):
        def apply(self, action: int) -> None:
            self.game.format(action)
            self.game.kernel.apply(self.record, action, self.rng)

    def state(self, records: Records, rng: Rng) -> State:
        return self.Careless(self, records, rng)


@compiled
def counts_marks(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    ttt.observe(state, seat, out)
    out[0] = state.marks[seat]


class ObservationOutOfBounds(TicTacToe):
    kernel = ttt_kernel("bounds", observe=counts_marks)


@compiled
def forgets_an_element(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    last = out[17]
    ttt.observe(state, seat, out)
    out[17] = last


class ObservationNotWritten(TicTacToe):
    kernel = ttt_kernel("unwritten", observe=forgets_an_element)


@compiled
def rewards_taking_part(state: Record, out: Vector) -> None:
    ttt.scores(state, out)
    for seat in range(2):
        out[seat] = min(1.0, out[seat] + 0.25)


class ScoresNotConserved(TicTacToe):
    kernel = ttt_kernel("scores", scores=rewards_taking_part)


class ParseFormatMismatch(TicTacToe):
    kernel = ttt_kernel("parse")

    def format(self, action: int) -> str:
        return str(8 - int(super().format(action)))


@compiled
def asks_a_global_generator(state: Record, action: int, rng: Rng) -> None:
    pig_apply(state, action, rng)
    state.die = np.random.randint(1, 7)


class NondeterministicApply(Pig):
    kernel = kernel(PIG_STATE, PIG_FUNCTIONS, apply=asks_a_global_generator)


FATE_STATE = np.dtype([*PIG_STATE.descr, ("fate", np.int64, 4)])


@compiled
def stores_a_generator(state: Record, rng: Rng) -> None:
    for i in range(4):
        state.fate[i] = next32(rng)


@compiled
def uses_the_stored_generator(state: Record, action: int, rng: Rng) -> None:
    pig_apply(state, action, state.fate)


class RngInsideTheState(Pig):
    kernel = kernel(FATE_STATE, PIG_FUNCTIONS, new_game=stores_a_generator, apply=uses_the_stored_generator)
    position_keys = (*Pig.position_keys, "fate")

    def encode(self, position: Any, record: Record) -> None:
        super().encode(position, record)
        record.fate[:] = position["fate"]

    def decode(self, record: Record) -> Json:
        return {**super().decode(record), "fate": [int(word) for word in record.fate]}


class LeakingView(Whistlet):
    kernel = kernel(WHIST_STATE, WHIST_FUNCTIONS)

    def hide(self, position: Json, seat: int | None) -> Json:
        return position


@compiled
def shows_the_partners_hand(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    for card in range(12):
        out[card] = state.hands[seat] >> card & 1
        out[12 + card] = state.hands[(seat + 2) % 4] >> card & 1


class LeakingObservation(Whistlet):
    kernel = kernel(WHIST_STATE, WHIST_FUNCTIONS, observe=shows_the_partners_hand)


whist_legal_actions, whist_player = WHIST_FUNCTIONS["legal_actions"], WHIST_FUNCTIONS["player"]


@compiled
def looks_into_the_next_hand(state: Record, out: Actions) -> int:
    n = whist_legal_actions(state, out)
    return n - 1 if n > 1 and state.hands[(whist_player(state) + 1) % 4] & 1 else n


class LeakingActions(Whistlet):
    kernel = kernel(WHIST_STATE, WHIST_FUNCTIONS, legal_actions=looks_into_the_next_hand)


@compiled
def swaps_two_hands(state: Record, seat: int, rng: Rng) -> None:
    a, b = (seat + 1) % 4, (seat + 3) % 4
    if below(rng, 2) and state.seen == 0:
        state.hands[a], state.hands[b] = state.hands[b], state.hands[a]


class PeekingSample(Whistlet):
    kernel = kernel(WHIST_STATE, WHIST_FUNCTIONS, determinize=swaps_two_hands)


@compiled
def deals_from_the_whole_deck(state: Record, seat: int, rng: Rng) -> None:
    cards = np.arange(12)
    shuffle(rng, cards, 12)
    for other in range(4):
        if other != seat:
            state.hands[other] = 1 << cards[other]


class ImpossibleSample(Whistlet):
    kernel = kernel(WHIST_STATE, WHIST_FUNCTIONS, determinize=deals_from_the_whole_deck)


@compiled
def hides_nothing(state: Record, seat: int, rng: Rng) -> None:
    whist_suit(0)


class NothingSampled(Whistlet):
    kernel = kernel(WHIST_STATE, WHIST_FUNCTIONS, determinize=hides_nothing)


class ForgottenField(Pig):
    kernel = kernel(PIG_STATE, PIG_FUNCTIONS)
    position_keys = ("totals", "pot")
    chance_keys = ("pot", "player")

    def encode(self, position: Any, record: Record) -> None:
        super().encode({**position, "die": 0}, record)

    def decode(self, record: Record) -> Json:
        return {key: value for key, value in super().decode(record).items() if key != "die"}


class UnrecordedChance(Pig):
    chance_keys = ("die",)


class UndeclaredChance(Pig):
    def describe(self) -> GameSpec:
        return dataclasses.replace(super().describe(), chance=False)


class CrashingDraw(TicTacToe):
    kernel = ttt_kernel("crash")

    def decode(self, record: Record) -> Json:
        raise ZeroDivisionError("oops")


@compiled
def counts_up(state: Record, out: Actions) -> int:
    for i in range(40):
        out[i] = i
    return 40


class TooManyActions(TicTacToe):
    kernel = ttt_kernel("many", legal_actions=counts_up)


class ForgetsToHideTheMove(Pennies):
    kernel = kernel(PENNIES_STATE, {key: value for key, value in PENNIES_FUNCTIONS.items() if key != "conceals"})


@compiled
def conceals_everything(state: Record, seat: int) -> bool:
    return True


class HidesOpenMoves(Whistlet):
    kernel = kernel(WHIST_STATE, WHIST_FUNCTIONS, conceals=conceals_everything)


class CarelessParse(TicTacToe):
    kernel = ttt_kernel("careless")

    def parse(self, text: str) -> int:
        return int(text)


class CarelessEncode(Pig):
    def encode(self, position: Any, record: Record) -> None:
        record.totals[: self.spec.seats] = position["totals"]
        record.pot, record.die, record.turn = position["pot"], position["die"], position["player"] or 0


@compiled
def changes_nothing(state: Record, action: int, rng: Rng) -> None:
    state.turn = 1 - state.turn


class Endless(TicTacToe):
    kernel = ttt_kernel("endless", apply=changes_nothing)


@compiled
def cannot_be_compiled(state: Record, seat: int, out: NDArray[np.float32]) -> None:
    out[0] = state.no_such_field


class DoesNotCompile(TicTacToe):
    kernel = ttt_kernel("compile", observe=cannot_be_compiled)


class TogetherButInTurn(Pennies):
    def state(self, records: Records, rng: Rng) -> State:
        return _InTurn(self, records, rng)


class _InTurn(State):
    __slots__ = ()

    def together(self) -> dict[int, State]:
        return {0: self.copy(), 1: self.copy()} if self.player == 0 else {}


TEN = [
    (WrongMask, "possible", "offers a move it should not"),
    (AliasingCopy, "copies", "copy the record"),
    (LeakingView, "secrecy", "hide"),
    (UnsortedActions, "actions", "ascending order"),
    (NondeterministicApply, "determinism", "no global generator"),
    (ObservationOutOfBounds, "observation", "widen the range"),
    (ScoresNotConserved, "conservation", "correct scores"),
    (ParseFormatMismatch, "notation", "inverse of format"),
    (AcceptsIllegal, "refusal", "before touching the record"),
    (RngInsideTheState, "no fate", "from the rng argument"),
]
MORE = [
    (ObservationNotWritten, "observation", "write all"),
    (LeakingObservation, "secrecy", "observe"),
    (LeakingActions, "secrecy", "actions"),
    (PeekingSample, "sampling", "depend only on what the seat knows"),
    (ImpossibleSample, "sampling", "overwrite every hidden field"),
    (NothingSampled, "hidden part", "determinize"),
    (ForgottenField, "positions", "every field of the record"),
    (TooManyActions, "actions", "at most max_actions"),
    (ForgetsToHideTheMove, "hidden moves", "conceals"),
    (HidesOpenMoves, "open moves", "conceals"),
    (CarelessParse, "bad input", "core/fields.py"),
    (CarelessEncode, "bad input", "core/fields.py"),
    (Endless, "ending", "let the rules end every game"),
    (DoesNotCompile, "batch", "numba cannot compile"),
    (UnrecordedChance, "records", "chance_keys"),
    (UndeclaredChance, "chance", "declare chance"),
    (TogetherButInTurn, "together", "itself as the player"),
]


@pytest.mark.parametrize(("broken", "promise", "advice"), TEN + MORE, ids=lambda value: getattr(value, "__name__", ""))
def test_a_broken_game_is_caught_and_told_what_to_repair(broken: Callable[[], Game], promise: str, advice: str) -> None:
    report = check(broken(), games=8, uncompiled=False, max_moves=300)
    assert not report.ok
    found = {outcome.name: outcome for outcome in report.failures}
    assert promise in found, str(report)
    outcome = found[promise]
    assert advice in outcome.repair
    assert outcome.failure and outcome.where and "seed=" in outcome.where
    assert "repair: " in str(report)


def test_the_promise_that_fails_is_the_one_that_is_broken() -> None:
    """A single mistake should not drown in findings about everything else."""
    for broken, promise, _ in TEN:
        names = [outcome.name for outcome in check(broken(), games=8, uncompiled=False, max_moves=300).failures]
        assert promise in names and len(names) <= 6, (broken, names)


def test_a_crash_inside_the_game_is_a_finding_too() -> None:
    report = check(CrashingDraw(), games=2, uncompiled=False)
    assert report.failures[0].name == "play"
    assert (report.failures[0].failure or "").startswith("raised ZeroDivisionError: oops (test_conformance.py, line ")


def test_reports_are_json() -> None:
    report = check(WrongMask(), games=3, uncompiled=False).to_json()
    assert report["ok"] is False
    assert {c["name"] for c in report["checks"]} == {"play", *(p.name for p in PROMISES)}


def test_uncompiled_and_compiled_games_are_compared() -> None:
    report = check(Pig(), games=2)
    assert report.ok, str(report)


class RunsOnlyCompiled(Pig):
    """Counts throws in an attribute: the second process does not know of them."""

    def decode(self, record: Record) -> Json:
        import numba

        return {**super().decode(record), "die": int(record.die) + 6 * (not numba.config.DISABLE_JIT)}

    def encode(self, position: Any, record: Record) -> None:
        super().encode({**position, "die": fields.integer(position, "die", 0, 12) - 6}, record)


def test_a_difference_between_compiled_and_uncompiled_is_found() -> None:
    report = check(RunsOnlyCompiled(), games=2)
    assert [outcome.name for outcome in report.failures] == ["compilation"], str(report)
