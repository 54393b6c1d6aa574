"""All positions of a finished game, worked out once for everybody who looks back at it."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections import OrderedDict

from stammtisch.core.game import Json
from stammtisch.core.record import GameRecord
from stammtisch.table.lobby import Lobby
from stammtisch.table.pages import drawn
from stammtisch.table.protocol import Refused

MOST_BYTES = 64 * 2**20  # of positions that are kept, packed: some thousand games


class Positions:
    """The games that were asked for last. They are not on disk: another version may write positions differently."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0
        self._working: dict[str, asyncio.Task[bytes]] = {}

    async def of(self, id: str) -> Json:
        if id not in self._kept:
            if id not in self._working:
                self._working[id] = asyncio.create_task(self._work_out(id))
                self._working[id].add_done_callback(lambda _: self._working.pop(id, None))
            packed = await asyncio.shield(self._working[id])
        else:
            self._kept.move_to_end(id)
            packed = self._kept[id]
        return await asyncio.to_thread(_unpacked, packed)

    async def _work_out(self, id: str) -> bytes:
        found = self._lobby.store.game(id)
        if found is None:
            raise Refused("unknown_record")
        record = GameRecord.from_json(found)
        await self._lobby.prepare(record.header["game"])
        packed = await asyncio.to_thread(_packed, record)
        self._kept[id] = packed
        self._size += len(packed)
        while self._size > MOST_BYTES and len(self._kept) > 1:
            self._size -= len(self._kept.popitem(last=False)[1])
        return packed


def _packed(record: GameRecord) -> bytes:
    return zlib.compress(json.dumps(all_positions(record)).encode(), 1)


def _unpacked(packed: bytes) -> Json:
    found: Json = json.loads(zlib.decompress(packed))
    return found


def all_positions(record: GameRecord) -> Json:
    """Every position, with what was played in it and by whom."""
    states = list(record.states())
    game = states[0].game
    rows = []
    for number, state in enumerate(states):
        row: Json = {"view": drawn(game.info, game.draw, state.to_json()), "scores": state.scores()}
        if number < len(record.moves):
            action = game.parse(record.moves[number])
            listed = action in state.actions()
            row |= {"move": record.moves[number], "comment": game.comment(state, action) if listed else ""}
            callers: list[int] = [seat for seat in game.spec.taken if action in state.calls(seat)]
            row["seat"] = state.player if listed or not callers else callers[0]
        rows.append(row)
    sides = [list(side) for side in game.spec.sides]
    return {"record": record.to_json(), "positions": rows, "sides": sides, "remark": game.remark(states[-1])}
