"""Games are played by the rules, from seats, and faults are judged."""

import time
from typing import Any, ClassVar

import pytest

import stammtisch as st
from stammtisch.agents.base import Agent, Budget, Choice
from stammtisch.agents.catalog import agent
from stammtisch.arena import referee as referee_module
from stammtisch.arena.match import Limits, Match, match
from stammtisch.arena.outcome import points
from stammtisch.arena.referee import Fault, GameResult, Referee, _judge
from stammtisch.core.game import Game, Seat
from stammtisch.core.rng import Rng
from toys import Climb, Pig, Treelet, Whistlet
from toys.players import player

GAMES = [Treelet(), Pig(players=4), Whistlet(), Climb()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.name)
def test_a_game_goes_as_it_would_by_hand(game: Game) -> None:
    plan = match(game, "mixed", seed=3, make=player)
    for deal in range(5):
        (result,) = Referee(plan).play(0, deal).games
        state, decisions = plan.start(0, deal), 0
        dice = plan.randomness(0, deal, 0)
        while state.player is not None:
            seat = state.player
            state.apply(player("mixed", game).choose(state.seat(seat), dice[seat]).action)
            decisions += 1
        assert result.scores == tuple(state.scores()) and result.decisions == decisions


def spied(plan: Match) -> list[tuple[Seat, Any]]:
    """What the agents of a game got to see, after their warm-up."""
    referee = Referee(plan)
    referee.play(0, 0)
    Spy.seen = []
    referee.play(0, 0)
    return Spy.seen


def test_agents_get_seats_and_nothing_they_may_not_know() -> None:
    plan = match(Whistlet(), "spy", seed=3, make=lambda name, game: Spy())
    state = plan.start(0, 0)
    for seat, view in spied(plan):
        honest = state.seat(seat.index)
        assert type(seat) is Seat and view == honest.view()
        assert seat._known.bytes() == honest._known.bytes()  # the real cards are nowhere in it
        assert (seat._known.rng == honest._known.rng).all()
        state.apply(seat.actions()[0])
    assert state.over


class Spy(Agent):
    seen: ClassVar[list[tuple[Seat, Any]]] = []

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        self.seen.append((seat, seat.view()))
        return Choice(seat.actions()[0])


def test_a_seat_that_was_kept_does_not_learn_what_happens_later() -> None:
    plan = match(Whistlet(), "spy", seed=3, make=lambda name, game: Spy())
    assert all(seat.view() == view for seat, view in spied(plan))


def test_every_seat_of_every_game_has_an_agent_of_its_own() -> None:
    """Whatever an agent remembers cannot be from another seat, another game or the same deal played before."""
    made: list[Agent] = []

    def make(name: str, game: Game) -> Agent:
        made.append(agent("random", game))
        return made[-1]

    referee = Referee(match(Whistlet(), "a", "b", seed=3, make=make))
    for deal in range(3):
        referee.play(0, deal)
    warm_up, games = 2, 3 * 2
    assert len(made) == len(set(map(id, made))) == warm_up + 4 * games


def one_game(*names: str, turn: int = 0, game: Game | None = None, **settings: Any) -> tuple[GameResult, list[float]]:
    chosen = game or st.game("tictactoe")
    result = Referee(match(chosen, *names, seed=3, make=player, **settings)).play(0, 0).games[turn]
    return result, points(result, chosen.spec)


@pytest.mark.parametrize(
    ("habit", "kind", "text"),
    [
        ("crash", "crash", "RuntimeError: out of ideas"),
        ("exit", "crash", "SystemExit: 3"),
        ("illegal", "illegal", "is not one of the legal ones"),
        ("nothing", "illegal", "NoneType instead of a Choice"),
        ("text", "illegal", "str instead of an action code"),
        ("huge", "illegal", "too large"),
        ("mute", "crash", "Mute"),
        ("address", "crash", "RuntimeError: at 0x..."),
        ("odd", "crash", "RuntimeError: a\u2028b\ud800"),
    ],
)
def test_who_misbehaves_loses(habit: str, kind: str, text: str) -> None:
    for turn in (0, 1):
        result, won = one_game(habit, "first", turn=turn)
        assert result.fault is not None
        assert (result.fault.kind, result.fault.seat) == (kind, turn) and text in result.fault.text
        assert won == ([0, 1] if turn == 0 else [1, 0]) == list(result.scores)


def test_who_takes_longer_than_the_budget_loses() -> None:
    result, won = one_game("late", "first", limits=Limits(grace=0.05))
    assert result.fault is not None and result.fault.kind == "stall" and won == [0, 1]
    assert result.fault.text == "more than 60 ms for one decision"
    result, _ = one_game("late", "first", limits=Limits(grace=60, stall=0.05))
    assert result.fault is None
    result, won = one_game("slow", "first", limits=Limits(stall=0.05))
    assert result.fault is not None and won == [0, 1]


def test_what_is_slow_only_once_is_no_fault() -> None:
    """Loading and compiling happen in a warm-up, outside of all games."""
    slow_once = iter([0.3])

    class Loading(Agent):
        def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
            time.sleep(next(slow_once, 0.0))
            return Choice(seat.actions()[0])

    plan = match("tictactoe", "x", seed=1, make=lambda name, game: Loading(), limits=Limits(stall=0.1))
    assert Referee(plan).play(0, 0).games[0].fault is None


def test_the_others_share_what_a_faulty_side_loses() -> None:
    result, won = one_game("crash", "first", game=Pig(players=4))
    guilty = {side for side, entrant in enumerate(result.sides) if entrant == 0}
    assert result.fault is not None and result.fault.seat in guilty
    assert [share > 0 for share in won] == [side not in guilty for side in range(4)]
    assert sum(won) == pytest.approx(1)
    assert [score > 0 for score in result.scores] == [share > 0 for share in won]
    result, won = one_game("crash", "first", game=Whistlet())
    assert won == [0, 1] and result.scores == (0, 1, 0, 1)  # the partner goes down with it
    result, won = one_game("crash", game=Climb())
    assert result.fault is not None and result.scores == (0.0,)
    result, won = one_game("crash", game=Pig(players=3))
    assert result.fault is not None and won[result.fault.seat] == 0 and sum(won) == pytest.approx(1)


def test_endless_games_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "MAX_MOVES", 2)
    result, won = one_game("first", "last")
    assert result.broken_off and result.decisions == 2 and won == [0.5, 0.5]


def test_results_survive_being_written_down() -> None:
    for names in (("first", "last"), ("crash", "first")):
        result, _ = one_game(*names)
        assert GameResult.from_json(result.to_json()) == result


def test_thinking_times_are_counted_without_the_warm_up() -> None:
    referee = Referee(match("tictactoe", "first", "last", seed=1, make=player))
    deals = [referee.play(0, deal) for deal in range(3)]
    decisions = sum(game.decisions for deal in deals for game in deal.games)
    assert sum(spent.decisions for spent in referee.times.values()) == decisions
    assert all(0 < spent.longest <= spent.seconds for spent in referee.times.values())


def test_a_crash_shows_its_traceback_once(capsys: pytest.CaptureFixture[str]) -> None:
    referee_module._told.clear()
    one_game("crash", "first")
    one_game("crash", "first")
    assert capsys.readouterr().err.count("in misbehave") == 1


def test_who_is_out_of_the_game_gets_nothing_by_a_fault_of_somebody_else() -> None:
    """Green and yellow have no pawns left when blue crashes: red alone is alive and wins."""
    game = st.game("chameleon")
    state = game.parse_position("0-7,0-7 B Rr00 Rg74 Br24")
    result = _judge(state, (0, 1, 0, 1), 7, Fault(3, "crash", "oops"))
    assert result.scores == (1.0, 0.0, 0.0, 0.0)
    assert points(result, game.spec) == [1.0, 0.0, 0.0, 0.0]
    several = _judge(game.parse_position("0-7,0-7 B Rr00 Rg74 Br24 Gr77"), (0, 1, 2, 3), 7, Fault(3, "crash", "oops"))
    assert several.scores == (0.5, 0.5, 0.0, 0.0)
    assert points(several, game.spec) == [0.5, 0.5, 0.0, 0.0]
