"""Chamäleon Schach for people: positions as JSON and text, moves as text, a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stammtisch.core import fields
from stammtisch.core.errors import BadPosition
from stammtisch.core.game import Game, GameSpec, Json, State
from stammtisch.core.kernel import OVER, Record
from stammtisch.games.chameleon import INFO, notation
from stammtisch.games.chameleon.board import (
    COLOUR,
    COLOUR_NAMES,
    COLOURS,
    GONE,
    KNIGHT,
    LEAST,
    PAWNS,
    PLAYERS,
    ROLE,
    ROLES,
    SIZE,
    TURN_ORDER,
)
from stammtisch.games.chameleon.counting import positions
from stammtisch.games.chameleon.features import PLANES
from stammtisch.games.chameleon.kernel import KERNEL
from stammtisch.games.chameleon.mind import MINDS
from stammtisch.games.chameleon.rules import (
    ACTIONS,
    MOST_MOVES,
    clear,
    finish,
    put,
    set_limits,
    set_turn,
)


class Chameleon(Game):
    info = INFO
    kernel = KERNEL
    position_keys = ("limits", "pawns")
    optional_keys = ("ply",)
    minds = MINDS

    def describe(self) -> GameSpec:
        return GameSpec(
            seats=PLAYERS,
            sides=tuple((colour,) for colour in self.line_up),
            hidden=False,
            chance=False,
            score_range=(0.0, 1.0),
            score_sum=1.0,
            observation_shape=(PLANES, SIZE, SIZE),
            observation_range=(0.0, 1.0),
            max_actions=MOST_MOVES,
            numbers=ACTIONS,
        )

    @property
    def line_up(self) -> tuple[int, ...]:
        """The colours that play."""
        return tuple(COLOURS.index(letter) for letter in str(self.options["players"]))

    def write_options(self, record: Record) -> None:
        record.line_up = sum(1 << colour for colour in self.line_up)
        record.max_plies = self.options["max_plies"] or 0

    def parse_position(self, text: str, seed: int | None = None) -> State:
        """The state of a position such as ``3-5,3-6 R Rr33 Yy46``, or of one in JSON."""
        if text.lstrip().startswith("{"):
            return super().parse_position(text, seed)
        return self.from_json(notation.read_position(text), seed)

    def format_position(self, state: State) -> str:
        """The text that :meth:`parse_position` reads."""
        position = state.to_json()
        return notation.write_position(position["limits"], int(state.record.turn), position["pawns"])

    # --- positions ------------------------------------------------------------------------------------------

    def from_json(self, position: Mapping[str, Any], seed: int | None = None) -> State:
        """As for every game; of a finished one the winner may also be given as the player, as in the rules."""
        if isinstance(position, Mapping) and isinstance(position.get("pawns"), list):
            owners = [pawn[0] for pawn in position["pawns"] if isinstance(pawn, list) and pawn]
            if type(position.get("player")) is int and owners and set(map(str, owners)) == {str(position["player"])}:
                position = {**position, "player": None}
        return super().from_json(position, seed)

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        clear(record)
        limits = fields.integers(position, "limits", 4, 0, SIZE - 1)
        for pawn in fields.items(position, "pawns", None):
            self._put(record, pawn)
        set_limits(record, *limits)
        problems = self.problems(record)
        if problems:
            field, _, text = problems[0].partition(": ")
            raise BadPosition(field, text)
        record.ply = self._ply(position)
        finish(record, 0)
        if record.ply and record.over and position.get("player") is not None:
            raise BadPosition("player", f"null: after {record.ply} moves the game is over")
        if not record.over:
            set_turn(record, self._turn(position, record))

    def _put(self, record: Record, pawn: Any) -> None:
        if not isinstance(pawn, list) or len(pawn) != 4:
            raise BadPosition("pawns", f"each is [player, knight colour, row, column], not {pawn!r}")
        player, k, row, column = fields.integers({"pawns": pawn}, "pawns", 4, 0, SIZE - 1)
        if player >= PLAYERS or k >= 4:
            raise BadPosition("pawns", f"{pawn}: players and knight colours are 0 (red) to 3 (blue)")
        if player not in self.line_up:
            raise BadPosition("pawns", f"{pawn}: {COLOUR_NAMES[player]} does not play in {self.options['players']}")
        if record.square[4 * player + k] != GONE:
            raise BadPosition("pawns", f"{pawn}: this pawn of {COLOUR_NAMES[player]} is there twice")
        if record.board[SIZE * row + column]:
            raise BadPosition("pawns", f"two pawns stand on {row}{column}")
        put(record, 4 * player + k, SIZE * row + column)

    def _ply(self, position: Mapping[str, Any]) -> int:
        if "ply" not in position:
            return 0
        limit = self.options["max_plies"]
        if limit is None:
            raise BadPosition("ply", "moves are counted only if max_plies limits them")
        return fields.integer(position, "ply", 0, int(limit))

    def _turn(self, position: Mapping[str, Any], record: Record) -> int:
        if position.get("player") is None:
            raise BadPosition("player", "who is to move: 0 (red), 1 (green), 2 (yellow) or 3 (blue)")
        player = fields.integer(position, "player", 0, PLAYERS - 1)
        if not record.alive[player]:
            raise BadPosition("player", f"{COLOUR_NAMES[player]} is to move but has no pawn")
        return player

    def problems(self, record: Record) -> list[str]:
        alive = [colour for colour in range(PLAYERS) if record.alive[colour]]
        if not alive:
            return ["pawns: nobody is alive; at least two players need pawns"]
        found = []
        limits = [int(line) for line in record.limits]
        lines = {"rows": (limits[:2], record.in_row), "columns": (limits[2:], record.in_column)}
        for name, ((low, high), pawns) in lines.items():
            if high - low + 1 < LEAST:
                found.append(f"limits: {name} {low}-{high} are fewer than {LEAST}")
            elif any(pawns[line] for line in range(SIZE) if not low <= line <= high):
                found.append(f"pawns: a pawn stands outside the {name} {low}-{high}")
            elif len(alive) == 1 and high - low + 1 > LEAST and not (pawns[low] and pawns[high]):
                found.append(f"pawns: only {COLOUR_NAMES[alive[0]]} is alive; at least two players need pawns")
        if len(alive) > 1 and (limits[1] - limits[0], limits[3] - limits[2]) == (2, 2):
            row, column = limits[0] + 1, limits[2] + 1
            pawn = int(record.board[SIZE * row + column]) - 1
            if pawn >= 0 and ROLE[pawn & 3, SIZE * row + column] == KNIGHT:
                found.append(f"pawns: the knight on {row}{column} is stuck in the centre of 3x3 and leaves the game")
        return found

    def decode(self, record: Record) -> Json:
        pawns = [[pawn >> 2, pawn & 3, *divmod(int(record.square[pawn]), SIZE)] for pawn in _alive(record)]
        counted = {} if self.options["max_plies"] is None else {"ply": int(record.ply)}
        return {
            "phase": "over" if self.kernel.player(record) == OVER else "play",
            "limits": [int(line) for line in record.limits],
            "pawns": pawns,
            **counted,
        }

    def count_positions(self) -> int:
        return positions(len(self.line_up))

    def seat_name(self, seat: int) -> str:
        return f"{COLOUR_NAMES[seat].capitalize()} (seat {seat})"

    # --- moves and pictures ------------------------------------------------------------------------------------

    def parse(self, text: str) -> int:
        return notation.read_move(text)

    def format(self, action: int) -> str:
        return notation.write_move(action)

    def draw(self, position: Json) -> str:
        lines = "".join(text for text, _ in self.paint(position)).splitlines()
        return "\n".join(line.rstrip() for line in lines)

    def paint(self, position: Json) -> list[tuple[str, str]]:
        """Every square in play with the letter of its colour; a pawn as player, knight colour and figure."""
        min_row, max_row, min_column, max_column = position["limits"]
        pawns = {(row, column): (player, k) for player, k, row, column in position["pawns"]}
        columns = range(min_column, max_column + 1)
        pieces = [("   " + "".join(f"{column:^6}" for column in columns).rstrip() + "\n", "")]
        for row in range(min_row, max_row + 1):
            pieces.append((f"{row}  ", ""))
            for column in columns:
                colour = int(COLOUR[SIZE * row + column])
                figure = _figure(pawns.get((row, column)), row, column)
                pieces.append((f"{COLOURS[colour].lower()}{figure} ", _STYLES[colour]))
            pieces.append(("\n", ""))
        pieces.append(("\n", ""))
        for player in (player for player in TURN_ORDER if player in self.line_up):
            pieces.append((self._player_line(position, player) + "\n", ""))
        pieces.append((LEGEND, ""))
        limit = self.options["max_plies"]
        return pieces if limit is None else [*pieces, (f"\nMove {position['ply']} of {limit} at most.", "")]

    def _player_line(self, position: Json, player: int) -> str:
        mine = [(k, row, column) for owner, k, row, column in position["pawns"] if owner == player]
        pawns = [f"{_pawn(player, k)} {ROLES[ROLE[k, SIZE * row + column]]} {row}{column}" for k, row, column in mine]
        mark = ">" if position["player"] == player else " "
        return f"{mark} {COLOUR_NAMES[player]:7}{', '.join(pawns) or 'out'}"

    def comment(self, state: State, action: int) -> str:
        """The new role, what was captured or removed, who is out, how the board shrank."""
        before, after = state.record, state.copy()
        after.apply(action)
        moved = int(before.board[action >> 6]) - 1
        found = []
        if after.record.square[moved] != GONE:
            found.append(f"now a {ROLES[ROLE[moved & 3, action & 63]]}")
        for pawn in _alive(before):
            if after.record.square[pawn] == GONE:
                captured = int(before.square[pawn]) == action & 63 and pawn != moved
                what = "takes {}" if captured else "{}, a knight stuck in the centre, leaves the game"
                found.append(what.format(_pawn(pawn >> 2, pawn & 3)))
        for player in self.line_up:
            if before.alive[player] and not after.record.alive[player]:
                found.append(f"{COLOUR_NAMES[player]} is out")
        if before.limits.tolist() != after.record.limits.tolist():
            first, last, left, right = after.record.limits
            found.append(f"the board shrinks to rows {first}-{last}, columns {left}-{right}")
        return ", ".join(found)


LEGEND = "A knight on its own colour; from there round r, g, y, b: queen, bishop, rook."
_STYLES = ("white on #a02c2c", "white on #23733a", "black on #e6c84b", "white on #2c5aa0")


def _alive(record: Record) -> list[int]:
    return [pawn for pawn in range(PAWNS) if record.square[pawn] != GONE]


def _pawn(player: int, k: int) -> str:
    """A pawn by its name in positions: the player's letter, then that of the knight colour."""
    return f"{COLOURS[player]}{COLOURS[k].lower()}"


def _figure(pawn: tuple[int, int] | None, row: int, column: int) -> str:
    if pawn is None:
        return "    "
    player, k = pawn
    return f" {_pawn(player, k)}{'♞♛♝♜'[ROLE[k, SIZE * row + column]]}"
