"""What the strongest agent thinks: hints during a game, and a look back at every move of a finished one."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from stammtisch.agents.catalog import usual_adviser
from stammtisch.core.game import Json, Seat, State
from stammtisch.core.record import GameRecord
from stammtisch.table.protocol import Refused
from stammtisch.table.store import Store
from stammtisch.table.thinking import Asker, Request, Thinkers

HINT_MS = 1500.0
LOOK_BACK_MS = 150.0
SECOND_LOOK = 5  # times as long is thought again about what looks like a slip
GRADES = ("inaccuracy", "mistake", "blunder")
MOST_CANDIDATES = 8


async def hint(seat: Seat, thinkers: Thinkers, asker: Asker) -> Json:
    """The moves that the adviser prefers for a seat, best first, with what it expects of them."""
    adviser = usual_adviser(seat.game.info)
    thought = await thinkers.think(Request.of(seat, adviser, HINT_MS, explain=True, asker=asker), urgent=False)
    return {"agent": adviser, "candidates": thought.candidates[:MOST_CANDIDATES]}


def loss_of(values: Mapping[str, float | None], best: str, played: str) -> float | None:
    """What a move gives away against the best one; None where the adviser has no value for one of them.

    >>> loss_of({"a": 0.6, "b": 0.45}, "a", "b"), loss_of({"a": 0.6}, "a", "b"), loss_of({"a": 0.4, "b": 0.5}, "a", "b")
    (0.15, None, 0.0)
    """
    top, own = values.get(best), values.get(played)
    return None if top is None or own is None else max(0.0, round(top - own, 6))


def grade_of(loss: float | None, slips: Sequence[float]) -> str | None:
    """How bad that is.

    >>> [grade_of(loss, (0.05, 0.1, 0.2)) for loss in (None, 0.04, 0.05, 0.15, 0.9)]
    [None, None, 'inaccuracy', 'mistake', 'blunder']
    """
    reached = [grade for grade, least in zip(GRADES, slips, strict=True) if loss is not None and loss >= least]
    return reached[-1] if reached else None


class LookingBack:
    """Analyses of finished games, one after the other, when the bots leave time."""

    def __init__(self, store: Store, thinkers: Thinkers, most: int) -> None:
        self._store = store
        self._thinkers = thinkers
        self._most = most  # at the same time
        self._running: dict[str, tuple[asyncio.Task[None], Json]] = {}

    def ask(self, id: str) -> Json:
        """How far the analysis of a game is; it is begun if it is not there: ``{total, rows}``, a row per move.

        A row is null where there was nothing to choose; else it has the seat, the best move and its value, the
        value of the move that was played (null if the agent did not consider it), what that loses, its grade (one of
        GRADES or null) and the candidates.
        """
        kept = self._store.analysis(id)
        if kept is not None:
            return kept
        if id not in self._running:
            found = self._store.game(id)
            if found is None:
                raise Refused("unknown_record")
            if len(self._running) >= self._most:
                raise Refused("too_many_questions")
            record = GameRecord.from_json(found)
            progress: Json = {"total": len(record.moves), "rows": []}
            task = asyncio.create_task(self._run(id, record, progress))
            task.add_done_callback(lambda _: self._running.pop(id, None))
            self._running[id] = (task, progress)
        return self._running[id][1]

    async def _run(self, id: str, record: GameRecord, progress: Json) -> None:
        states = await asyncio.to_thread(lambda: list(record.states()))
        rows: list[Any] = progress["rows"]
        for state, move in zip(states, record.moves, strict=False):
            seat = state.player
            moves = state.moves()
            if seat is None or len(moves) < 2 or move not in moves:
                rows.append(None)
                continue
            row = await self._judge(id, state, seat, move, LOOK_BACK_MS)
            if row["grade"] is not None:  # an estimate is noisy: what looks like a slip is looked at longer
                row = await self._judge(id, state, seat, move, SECOND_LOOK * LOOK_BACK_MS)
            rows.append(row)
        with suppress(sqlite3.Error):  # then it is made anew when it is asked for again
            await self._store.keep_analysis(id, progress)

    async def _judge(self, id: str, state: State, seat: int, move: str, ms: float) -> Json:
        info = state.game.info
        request = Request.of(state.seat(seat), usual_adviser(info), ms, explain=True, asker=Asker(f"game {id}"))
        thought = await self._thinkers.think(request, urgent=False)
        values = {one["move"]: one["value"] for one in thought.candidates}
        best = state.game.format(thought.action)
        loss = loss_of(values, best, move)
        row = {"seat": seat, "best": best, "value": values.get(best), "played": values.get(move), "loss": loss}
        return {**row, "grade": grade_of(loss, info.slips), "candidates": thought.candidates[:MOST_CANDIDATES]}

    async def stop(self) -> None:
        tasks = [task for task, _ in self._running.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
