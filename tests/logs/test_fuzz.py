"""Whatever is in a file, the reader and the replay come to an end and say where something is wrong."""

from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as some

from logs.judging import REAL, ROUND, judged
from stammtisch.logs.findings import sentences

LINES = [line for path in REAL[:6] for line in path.read_bytes().split(b"\n")]
WORDS = [
    *(b"Ergebnis: ", b"Wunsch:", b"Tichu: ", b"(0)", b"(3)x", b" passt.", b": ", b" gibt: ", b" - ", b"Ph ", b"Dr "),
    *(b"Hu ", b"Ma ", b"R10 ", b"-100", b"\n", b"\r\n", b"\0", b"BOMBE: ", b"Drache an: ", b"Schupfen:", b"\xff\xfe"),
    *(b"---------------Gr.Tichukarten------------------\n", b"---------------Rundenverlauf------------------\n"),
]


def survives(*logs: bytes) -> None:
    result = judged(*logs)
    for finding, text in zip(result.findings, sentences(result), strict=True):
        source = result.parsed.sources[finding["file"]].data
        assert 0 <= finding["line"] <= source.count(b"\n") + 1 and text
    rounds = result.parsed.rounds
    assert (result.games["clean_rounds"] <= result.games["rounds"]).all() and len(rounds) == result.games[
        "rounds"
    ].sum()
    for number in range(len(rounds)):
        result.parsed.round_data(number)


@given(some.binary(max_size=400))
def test_any_bytes(data: bytes) -> None:
    survives(data, ROUND.encode() + data, data + ROUND.encode())


@given(some.lists(some.sampled_from(LINES), max_size=60), some.lists(some.sampled_from(WORDS), max_size=20))
@example([], [b"---------------Gr.Tichukarten------------------\n"] * 5)
def test_any_lines_and_words_of_logs(lines: list[bytes], words: list[bytes]) -> None:
    survives(b"\n".join(lines), b"".join(words), b"\n".join(lines) + b"\n" + b"".join(words))


@settings(max_examples=150)
@given(some.integers(0, 1 << 30))
def test_damaged_real_logs(seed: int) -> None:
    dice = Random(seed)
    survives(*(damaged(dice, path.read_bytes()[:6000]) for path in dice.sample(REAL, 3)))


def damaged(dice: Random, data: bytes) -> bytes:
    """A log with some bytes changed, lines lost, doubled, moved, words swapped, or its end cut off."""
    lines = data.split(b"\n")
    for _ in range(dice.randrange(1, 6)):
        i, j = dice.randrange(len(lines)), dice.randrange(len(lines))
        what = dice.randrange(6)
        if what == 0:
            del lines[i : i + dice.randrange(1, 4)]
        elif what == 1:
            lines.insert(i, lines[j])
        elif what == 2:
            lines[i], lines[j] = lines[j], lines[i]
        elif what == 3 and lines[i]:
            at = dice.randrange(len(lines[i]))
            lines[i] = lines[i][:at] + bytes([dice.randrange(256)]) + lines[i][at + 1 :]
        elif what == 4:
            words = lines[i].split(b" ")
            dice.shuffle(words)
            lines[i] = b" ".join(words)
        else:
            lines[i] = lines[i] + dice.choice(WORDS)
        lines = lines or [b""]
    whole = b"\n".join(lines)
    return whole[: dice.randrange(len(whole) + 1)] if dice.random() < 0.2 else whole
