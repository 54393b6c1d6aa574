"""madn, dmadn and dog for people: options and rule sets, positions as JSON, moves as text, a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from stammtisch.core.errors import BadOption
from stammtisch.core.game import Game, GameSpec, Json, State
from stammtisch.core.info import check_options
from stammtisch.core.kernel import Record, Records
from stammtisch.core.rng import Rng
from stammtisch.games.dog import DMADN, DOG, MADN, PRESETS, features, layout, notation, picture, policy, rules
from stammtisch.games.dog.board import HOME, PINS, SEATS
from stammtisch.games.dog.cards import ACTIONS, DMADN_PASS, MADN_PASS
from stammtisch.games.dog.kernel import KERNEL
from stammtisch.games.dog.mind import MINDS

SPECIAL_CARDS = ("joker", "hot_7", "swap", "neg_4")
_NOT_SWITCHES = ("rules", "seats", "max_steps", "special_cards")
_CODES = {rules.MADN: MADN_PASS + 1, rules.DMADN: DMADN_PASS + 1, rules.DOG: ACTIONS}


class DogState(State):
    """A position of dog, where partners exchange cards at the same time."""

    __slots__ = ()

    def together(self) -> dict[int, State]:
        record = self.record
        order = [(int(record.turn) + i) % SEATS for i in range(SEATS) if record.phase == rules.GIFTS]
        found: dict[int, State] = {seat: self.copy() for seat in order if not record.gifts[seat]}
        for seat, state in found.items():
            state.record.turn = seat
        return found if len(found) > 1 else {}


class PinGame(Game):
    """What the three games have in common."""

    kernel = KERNEL
    minds = MINDS
    playout_limit = 8  # two rounds
    variant: ClassVar[int]

    def __init__(self, /, **options: Any) -> None:
        super().__init__(**self._with_preset(options))

    def _with_preset(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Add what the rule set says; what is given by name stays."""
        options = dict(given)
        if isinstance(options.get("seats"), list | tuple):
            options["seats"] = "".join(str(seat) for seat in options["seats"])
        preset = PRESETS[self.info.name].get(str(options.get("rules", "seed")), {})
        if options.get("players", SEATS) != SEATS:
            preset = {name: value for name, value in preset.items() if name != "teams"}
        options = {**preset, **options}
        if options.get("special_cards") is False:
            options |= dict.fromkeys(SPECIAL_CARDS, False)
        return options

    def from_json(self, position: Mapping[str, Any], seed: int | None = None) -> State:
        """As for every game; a rule set named in the position sets all switches that the position does not name."""
        given = position.get("options") if isinstance(position, Mapping) else None
        if isinstance(given, Mapping):
            options = self._with_preset(given)
            if "rules" in given:
                options = check_options(options, self.info.options, f"of {self.info.name}")
            elif options.get("players", SEATS) != SEATS:
                options.setdefault("teams", False)  # a rule set's teams are for four
            position = {**position, "options": options}
        return super().from_json(position, seed)

    @property
    def players(self) -> int:
        return int(self.options["players"] or 0)

    @property
    def seats(self) -> tuple[int, ...]:
        """The corners of the board where the players sit."""
        line_up = self.options["seats"]
        return tuple(range(self.players)) if line_up is None else tuple(int(seat) for seat in str(line_up))

    def describe(self) -> GameSpec:
        players, teams = self.players, bool(self.options["teams"])
        if teams and players != SEATS:
            raise BadOption(f"option teams=true: teams need {SEATS} players, not {players}")
        if len(self.seats) != players:
            raise BadOption(f"option seats={self.options['seats']}: {players} players need {players} seats")
        width = SEATS * int(self.options["distance"] or 0) + SEATS * PINS
        return GameSpec(
            seats=players,
            sides=((0, 2), (1, 3)) if teams else tuple((player,) for player in range(players)),
            hidden=self.info.hidden,
            chance=self.info.chance,
            score_range=(0.0, 1.0),
            score_sum=2.0 if teams else 1.0,
            observation_shape=(features.planes(self.variant, players), width),
            observation_range=(0.0, 8.0),
            max_actions=_CODES[self.variant],
            numbers=_CODES[self.variant],
        )

    def write_options(self, record: Record) -> None:
        record.variant = self.variant
        for player, seat in enumerate(self.seats):
            record.start[player] = seat * int(self.options["distance"] or 0)
        for name, value in self.options.items():
            if name not in _NOT_SWITCHES:
                record[name] = int(value or 0)
        record.max_steps = self.options["max_steps"] or 0

    def encode(self, position: Mapping[str, Any], record: Record) -> None:
        layout.read_position(position, record)

    def decode(self, record: Record) -> Json:
        return layout.write_position(record)

    def parse(self, text: str) -> int:
        return notation.read_move(self.variant, text)

    def format(self, action: int) -> str:
        return notation.write_move(self.variant, action)

    def draw(self, position: Json) -> str:
        return picture.draw(position, self.seats, int(self.options["distance"] or 0))

    def paint(self, position: Json) -> list[tuple[str, str]]:
        return picture.paint(position, self.seats, int(self.options["distance"] or 0))

    def seat_name(self, seat: int) -> str:
        return f"Player {seat}"

    def comment(self, state: State, action: int) -> str:
        """Where the pins go, and whose go home."""
        action = state.legal(action)
        if not policy.moves_pins(state.record, action):
            return ""
        record, owner = state.record, int(rules.mover(state.record, state.record.pins))
        pins = record.pins.copy()
        rules.move_pins(record, pins, owner, action)
        moved, sent_home = [], []
        for player in range(self.players):
            for before, after in zip(record.pins[player].tolist(), pins[player].tolist(), strict=True):
                if before != after and after == HOME:
                    sent_home.append(f"sends a pin of {self.seat_name(player)} home")
                elif before != after:
                    ways = [notation.write_place(record, player, place) for place in (before, after)]
                    moved.append(" to ".join(ways).replace("H to", "out to"))
        return ", ".join(moved + sent_home)


class Madn(PinGame):
    info = MADN
    variant = rules.MADN
    playout_limit = 16  # one round changes little
    position_keys = ("pins", "die")
    optional_keys = ("starter", "fresh", "steps")
    chance_keys = ("die",)


class Dmadn(PinGame):
    info = DMADN
    variant = rules.DMADN
    position_keys = ("pins",)
    optional_keys = ("starter", "fresh", "steps", "tokens")


class Dog(PinGame):
    info = DOG
    variant = rules.DOG
    position_keys = ("pins", "hands")
    optional_keys = (
        "starter",
        "fresh",
        "steps",
        "deck",
        "gifts",
        "deal",
        "played",
        "folded",
        "given",
        "dropped",
        "left",
        "seven",
    )
    chance_keys = ("hands", "deck")

    def state(self, records: Records, rng: Rng) -> DogState:
        return DogState(self, records, rng)

    def hide(self, position: Json, seat: int | None) -> Json:
        return layout.hide(position, seat)
