"""What is written reads back as what was played, and is written again to the same bytes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import stammtisch as st
from logs.judging import ROUND, judged, real_sources
from stammtisch.core.errors import StammtischError
from stammtisch.core.mind import pick
from stammtisch.core.record import GameRecord, Recorder
from stammtisch.core.rng import stream
from stammtisch.games.tichu.cards import read_cards, write_cards
from stammtisch.games.tichu.combinations import LOWER
from stammtisch.games.tichu.figures import plays_of
from stammtisch.logs.judge.replay import replay
from stammtisch.logs.read.parse import parse
from stammtisch.logs.rounds import PLAY
from stammtisch.logs.write.games import nickname, write_record, write_replayed
from stammtisch.logs.write.making import Task, play_task, read_agents


@pytest.mark.parametrize(("agents", "games"), [("heuristic", 25), ("random", 6), ("heuristic,random", 15)])
def test_write_read_write_is_the_identity_on_made_games(agents: str, games: int) -> None:
    logs = play_task(Task(read_agents(agents), seed=3, first=0, games=games))
    result = judged(*logs)
    assert len(result.judged) > games and (result.judged["code"] == 0).all()
    assert [write_replayed(result, file) for file in range(games)] == logs


def test_real_games_are_written_with_the_same_plays() -> None:
    sources = list(real_sources())
    result = replay(parse(sources))
    again = judged(*(write_replayed(result, file) for file in range(len(sources))))
    assert (again.judged["code"] == 0).all()
    assert (again.actions == result.actions).all() and (again.human == result.human).all()
    for field in ("grand", "start", "given", "tichu", "bombs", "wish", "dragon", "score"):
        assert (again.parsed.rounds[field] == result.parsed.rounds[field]).all()


def test_the_made_up_round_is_written_line_by_line_as_described() -> None:
    written = write_replayed(judged(ROUND), 0).decode()
    for mine, theirs in zip(written.splitlines(), ROUND.splitlines(), strict=True):
        assert sorted(mine.split(" ")) == sorted(theirs.split(" "))  # suits of one value have no fixed order


_BUFFER = np.empty(4096, dtype=np.int64)


def record_of(seed: int, **options: object) -> GameRecord:
    game = st.game("tichu", **options)
    recorder = Recorder(game.new(seed=seed), ["Anna B.", "ismcts:ms=5", "ç", "anna-2"])
    rng = stream(seed)
    while not recorder.state.over:
        recorder.apply(int(pick(game.mind()[0], recorder.state.record, _BUFFER, rng)))
    return recorder.record()


def test_a_recorded_game_is_written_with_its_scores() -> None:
    record = record_of(5, target=300)
    result = judged(write_record(record))
    assert (result.judged["code"] == 0).all()
    assert record.result is not None
    assert list(result.games[0].total) == [record.result[0], record.result[1]]
    assert result.parsed.round_data(0).player_names == ["Anna-B.", "ismcts-ms-5", "ç", "anna-2"]


def test_calls_out_of_turn_and_unfinished_rounds() -> None:
    whole = record_of(6, rounds=1)
    moves = [*whole.moves[:4], "tichu 2", *whole.moves[4:]]
    called = GameRecord(whole.header, whole.options, whole.players, whole.start, moves)
    assert judged(write_record(called)).judged[0].tichu[2] == -1
    cut = GameRecord(whole.header, whole.options, whole.players, whole.start, whole.moves[:20])
    assert write_record(cut) == b""


def test_records_that_cannot_be_logs_are_refused() -> None:
    other = Recorder(st.game("tictactoe").new(seed=1), ["a", "b"]).record()
    with pytest.raises(StammtischError, match="a log is of tichu"):
        write_record(other)
    whole = record_of(6, rounds=1)
    late = list(whole.states())[10].to_json()
    with pytest.raises(StammtischError, match="begins within a round"):
        write_record(GameRecord(whole.header, whole.options, whole.players, late, whole.moves[10:]))


@given(some.text(max_size=30))
def test_a_nickname_has_nothing_that_means_something_in_a_log(name: str) -> None:
    assert not set(nickname(name)) & set(" :()\n\r\t\0")


# --- the Phoenix ---------------------------------------------------------------------------------------------

PRINTED = [  # what is played, as a log prints it; lower where two readings are possible and the lower is meant
    ("S8 B7 R6 R5 Ph B3", False),
    ("Ph SD SB R10 B9 B8", False),
    ("SD SB R10 B9 B8 Ph", True),
    ("RA SK SD GB B10 B9 Ph", False),
    ("Ph S5 B4 S3 G2 Ma", False),
    ("S5 S4 S3 Ph Ma", False),
    ("BK SK Ph BD", False),
    ("Ph R10 B9 S9 R8 B8", False),
    ("Ph GK", False),
    ("Ph BA SA", False),
    ("Ph GK SK G2 B2", False),
    ("GK SK Ph G2 B2", True),
    ("Ph GA R4 G4 B4", False),
    ("R4 G4 B4 Ph G3", False),
    ("R9 B8 G7 S6 S5", False),
]


def lead(printed: str, lower: bool) -> str:
    """The log of a round that begins with these cards, everybody's others dealt anyhow, played on by rules of thumb."""
    cards = read_cards(printed.split())
    rest = [name for name in write_cards((1 << 56) - 1 & ~cards) if name != "Ma"]
    mahjong = [] if "Ma" in printed else ["Ma"]
    hands = [[*printed.split(), *mahjong]]
    hands[0] += [rest.pop(0) for _ in range(14 - len(hands[0]))]
    hands += [rest[i * 14 : i * 14 + 14] for i in range(3)]
    game = st.game("tichu", rounds=1)
    spare = [
        [name for name in hand if not cards >> read_cards([name]).bit_length() - 1 & 1 and name != "Ma"]
        for hand in hands
    ]
    start = [list(hand) for hand in hands]
    gifts = [spare[0][:3], spare[1][:3], spare[2][:3], spare[3][:3]]
    position = {
        "hands": [hand[:8] for hand in start],
        "undealt": [hand[8:] for hand in start],
        "phase": "grand",
        "player": 0,
    }
    recorder = Recorder(game.from_json(position, seed=1), ["a", "b", "c", "d"])
    for move in ["no"] * 4 + [" ".join(["schupf", *three]) for three in gifts]:
        recorder.play(move)
    play = plays_of(cards)[-1 if lower else 0]
    assert bool(play & LOWER) == lower
    recorder.apply(play)
    rng = stream(1)
    while not recorder.state.over:
        recorder.apply(int(pick(game.mind()[0], recorder.state.record, _BUFFER, rng)))
    return write_record(recorder.record()).decode()


@pytest.mark.parametrize(("printed", "lower"), PRINTED, ids=[one[0] for one in PRINTED])
def test_the_phoenix_is_printed_where_it_stands_and_read_as_it_was_meant(printed: str, lower: bool) -> None:
    log = lead(printed, lower)
    assert f"(0)a: {printed} \n" in log
    result = judged(log)
    assert result.judged[0].code == 0
    assert bool(result.judged[0].phoenix_low) == lower
    assert write_replayed(result, 0).decode() == log


def test_a_phoenix_printed_high_is_meant_low_where_only_that_lets_the_next_play_be() -> None:
    game = st.game("tichu", rounds=1)
    hands = [
        "GK SK Ph B2 G2 Ma S4 B4 G4 S5 B5 G6 S6 B6",
        "B8 R8 S3 B3 R3 S7 B7 G7 S9 B9 G9 S10 B10 G10",
    ]
    mine = [text.split() for text in hands]
    rest = [name for name in write_cards((1 << 56) - 1) if name not in mine[0] + mine[1]]
    dealt = [*mine, rest[:14], rest[14:]]
    position = {
        "hands": [hand[:8] for hand in dealt],
        "undealt": [hand[8:] for hand in dealt],
        "phase": "grand",
        "player": 0,
    }
    recorder = Recorder(game.from_json(position, seed=1), ["a", "b", "c", "d"])
    gifts = ["S4 B4 G4", "S10 B10 G10", " ".join(dealt[2][-3:]), " ".join(dealt[3][-3:])]
    for move in [*["no"] * 4, *(f"schupf {three}" for three in gifts), "GK SK Ph B2 G2=2", "B8 R8 S3 B3 R3"]:
        while recorder.state.to_json()["phase"] == "bomb":
            recorder.play("pass")
        recorder.play(move)
    rng = stream(1)
    while not recorder.state.over:
        recorder.apply(int(pick(game.mind()[0], recorder.state.record, _BUFFER, rng)))
    log = write_record(recorder.record()).decode()
    assert "GK SK Ph G2 B2 " in log
    high = log.replace("GK SK Ph G2 B2 ", "Ph GK SK G2 B2 ")
    result = judged(high)
    assert result.judged[0].code == 0 and result.judged[0].phoenix_low == 1
    assert result.parsed.events[0].kind == PLAY and result.parsed.events[0].phoenix == 0
