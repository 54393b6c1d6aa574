"""How slips are judged: by what each decision loses, and longer where it seems to lose something."""

import asyncio
from typing import Any

import pytest

import stammtisch as st
from stammtisch.core.record import Recorder
from stammtisch.table.analysis import LOOK_BACK_MS, LookingBack
from stammtisch.table.settings import Settings
from stammtisch.table.store import Store
from stammtisch.table.thinking import Request, Thinkers, Thought
from table.house import knowledge


class TwoMinds(Thinkers):
    """Thinks well of square 8 at first; on a second look at square 0, or at nothing in particular."""

    def __init__(self, second: float) -> None:
        super().__init__(0, 1.0)
        self.second, self.looks = second, 0

    async def think(self, request: Request, urgent: bool = True) -> Thought:
        seat = knowledge(request)
        longer = request.ms is not None and request.ms > LOOK_BACK_MS
        self.looks += longer
        values = dict.fromkeys(seat.actions(), 0.5)
        best = max(values)
        values[best] += self.second if longer else 0.15
        rows = [{"move": seat.game.format(a), "comment": "", "value": v, "share": None} for a, v in values.items()]
        return Thought(best, rows)


@pytest.mark.parametrize(("second", "grade"), [(0.0, None), (0.07, "inaccuracy"), (0.3, "blunder")])
def test_what_looks_like_a_slip_is_thought_over_again(tmp_path: Any, second: float, grade: str | None) -> None:
    recorder = Recorder(st.game("tictactoe").new(seed=1), ["Anna", "Ben"])
    for move in ("0", "3", "1", "4", "2"):
        recorder.play(move)

    async def judge() -> tuple[list[Any], int]:
        thinkers = TwoMinds(second)
        back = LookingBack(Store(Settings(database=tmp_path / "table.sqlite").database, None), thinkers, 1)
        rows: list[Any] = []
        await back._run("x", recorder.record(), {"total": 5, "rows": rows})
        return rows, thinkers.looks

    rows, looks = asyncio.run(judge())
    assert looks == 5  # every move looked like a mistake at first
    assert [row["grade"] for row in rows] == [grade] * 5
    assert rows[0]["loss"] == pytest.approx(second)
