"""A table: the game that is played at it, and what each of its guests is shown. No network, no clock.

Who is asked something that the others must not know of (throw a bomb?) is asked while the game waits: all at once,
though by the rules one after the other. Others see the seat that would go on. Where they would see by it that it does
not go on (somebody passes as the last one), the move is ``pending``: it counts when the time to step in is over, and
that there is such a time follows from what everybody knows, never from whether somebody is asked.

Where the rules let several decide at the same time (State.together), each sees the own turn. Their choices wait here,
can be changed, and are played one after the other, in the order of the rules, when the last one has chosen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from stammtisch.core.errors import BadMove, IllegalMove, StammtischError
from stammtisch.core.game import NOBODYS_RNG, Json, State
from stammtisch.core.record import GameRecord, Recorder
from stammtisch.table import deal
from stammtisch.table.history import WATCHING, Counts, seat_of_audience
from stammtisch.table.opponents import usual_level
from stammtisch.table.pages import drawn
from stammtisch.table.protocol import MOST_MOVES, Refused
from stammtisch.table.seating import Arrangement, Guest, Place, Seating, read_kept
from stammtisch.table.store import Kept


@dataclass
class Asking:
    """Who is asked without the others' knowledge, each with the position that it sees; what follows if none acts."""

    states: dict[int, State]
    future: State


@dataclass
class Shown:
    """What was worked out of the present position, once for all pages and messages."""

    wholes: dict[int, tuple[State, Json]] = field(default_factory=dict)  # by the identity of the state beside it
    views: dict[str, Json] = field(default_factory=dict)
    moves: dict[str, tuple[list[Json] | None, list[str]]] = field(default_factory=dict)
    asking: Asking | None = None
    together: dict[int, State] | None = None


class Table(Seating):
    """Methods raise Refused where something is not possible, and change nothing then."""

    def __init__(self, code: str, arrangement: Arrangement, counts: Counts | None = None) -> None:
        super().__init__(code, arrangement, counts or {})
        self.seed = ""
        self.record_id: str | None = None
        self.recorder: Recorder | None = None
        self.began: float | None = None  # when the present decision did, in seconds since 1970; told from outside
        self.heard = 0  # moves of the game that everybody knows of
        self.replayed = 0  # entries of a kept journal that this table was made of
        self.pending: tuple[int, int] | None = None  # the seat and its move, which counts when nobody steps in
        self.declined: set[int] = set()  # who has been asked in this position and does nothing
        self.sheet: list[Json] = []  # where a game is played in rounds: what is noted of each, and the scores after it
        self.chosen: dict[int, int] = {}  # by seat, where several decide at the same time and some still have to
        self._asked: dict[int, int] = {}  # the seats whose turn it is, as they see it; how much each had heard then
        self._movers: list[int] = []  # whose the moves of the running game are
        self._steps = 0  # moves that bots may make though their pace is None
        self._shown = Shown()

    # --- the course of the game -----------------------------------------------------------------------------

    def start(self, person: str) -> None:
        """The host begins, or begins again; seats that are still open get bots."""
        self._only_host(person)
        self._only_between_games()
        for place in self.places.values():
            if place.kind == "open":
                place.kind, place.agent = "bot", usual_level(self.game.info).agent
        self.seed = deal.new_seed()
        entry: Json = {"kind": "start", "fingerprint": deal.fingerprint(self.seed), "players": self.player_names()}
        entry["open"] = self.arrangement.open_cards and self._only_bots()
        self.history.enter(entry)
        self._begin(entry)

    def step(self, person: str) -> None:
        """Let the bots, which wait, make one move."""
        self._only_host(person)
        self._steps = 1

    def _begin(self, entry: Json) -> None:
        self.recorder, self._movers = Recorder(self._first_state(), entry["players"]), []
        self.open = entry["open"]
        self.stage = "playing"
        self.record_id = None
        self.heard += 1
        self._asked, self.pending, self.declined, self.chosen = {}, None, set(), {}
        self.nudges, self.ending, self.sheet = {}, [], []
        self._look_anew(None)

    def _first_state(self) -> State:
        given = self.arrangement.start
        return deal.deal(self.game, self.seed) if given is None else self.game.from_json(given, int(self.seed, 16))

    @property
    def state(self) -> State | None:
        return None if self.recorder is None else self.recorder.state

    @property
    def decider(self) -> int | None:
        """The seat that decides now by the rules."""
        return None if self.recorder is None or self.stage != "playing" else self.recorder.state.player

    @property
    def next_seat(self) -> int | None:
        """The seat that decides now as far as everybody knows."""
        return None if self.recorder is None or self.stage != "playing" else self._shown_player(WATCHING)

    @property
    def bots_may_move(self) -> bool:
        return self.arrangement.pace is not None or self._steps > 0

    # --- questions that the others do not know of -----------------------------------------------------------

    def _unheard(self, state: State) -> str | None:
        """The move of the seat that decides that nobody would hear of, where nobody else knows that it is asked."""
        if self.open or not self.game.spec.hidden or state.over:
            return None
        whole = self._whole(state)
        view = self.game.hide(whole, None)
        if all(view[key] == whole[key] for key in ("player", "phase")):
            return None
        unheard = (action for action in state.actions() if state.told(action, None) is None)
        return next(map(self.game.format, unheard), None)

    def _asking(self) -> Asking:
        if self._shown.asking is None:
            assert self.recorder is not None
            state, states = self.recorder.state, {}
            if self.pending is not None:
                state = _after(state, self.pending[1])
            while (unheard := self._unheard(state)) is not None:
                assert state.player is not None
                states[state.player] = state
                state = _after(state, self.game.parse(unheard))
            self._shown.asking = Asking(states, state)
        return self._shown.asking

    def asked(self) -> dict[int, State]:
        """Who is asked now without the others' knowledge and has not answered; each with the position that it sees."""
        if self.recorder is None or self.stage != "playing":
            return {}
        return {seat: state for seat, state in self._asking().states.items() if seat not in self.declined}

    def future(self) -> State:
        """The position if nobody steps in."""
        return self._asking().future

    @property
    def closing(self) -> bool:
        """Whether the game goes on by itself when the time to step in is over."""
        if self.pending is not None:
            return True
        if not self._asking().states:
            return False
        return self.future().player != self.next_seat  # a position from which a game began

    def might_step_in(self, action: int | None = None) -> list[int]:
        """The seats that might be asked now, or after an action that ends something, for all that everybody knows."""
        if self.open or self.recorder is None or self.stage != "playing":
            return []
        return self.recorder.state.might_step_in(action)

    def let_be(self, seats: Iterable[int]) -> None:
        """These do nothing, for their time is over."""
        self.declined |= set(seats)
        self._settle()

    def close(self) -> None:
        """The time to step in is over: what was pending counts."""
        if self.pending is not None:
            (seat, action), self.pending = self.pending, None
            self._play(seat, action)
        self._let_all_be()

    def _settle(self) -> None:
        """By the rules one is asked after the other: who has answered already, as soon as it is the seat's turn."""
        while self.pending is None and self.decider in self.declined and self._unheard_now() is not None:
            self._let_one_be()
        self._look_anew(None)

    def _unheard_now(self) -> str | None:
        return None if self.decider is None or self.state is None else self._unheard(self.state)

    def _let_all_be(self) -> None:
        while self._unheard_now() is not None:
            self._let_one_be()

    def _let_one_be(self) -> None:
        seat, unheard = self.decider, self._unheard_now()
        assert seat is not None
        assert unheard is not None
        self._play(seat, self.game.parse(unheard))

    def _step_in(self, seat: int, action: int) -> None:
        if self.pending is not None:
            (mover, pending), self.pending = self.pending, None
            self._play(mover, pending)
        while self.decider != seat:
            self._let_one_be()
        self._play(seat, action)

    def _answer(self, seat: int, known: State, action: int) -> None:
        """Of somebody who is asked."""
        if known.told(action, None) is None:
            self.let_be([seat])
        else:
            self._step_in(seat, action)

    # --- several who decide at the same time ----------------------------------------------------------------

    def together(self) -> dict[int, State]:
        """Who decides at the same time now, in the order of the rules; each with the position that it sees."""
        if self.recorder is None or self.stage != "playing":
            return {}
        if self._shown.together is None:
            self._shown.together = self.recorder.state.together()
        return self._shown.together

    def _choose(self, seat: int, action: int) -> None:
        """It counts when the last one has chosen, and can be changed until then."""
        self.chosen[seat] = action
        order = list(self.together())
        if self.chosen.keys() >= set(order):
            chosen, self.chosen, self._steps = self.chosen, {}, 0
            for one in order:
                self._play(one, chosen[one])

    def _choosing_for(self, audience: str) -> Json | None:
        """How many people still have to choose, and what this seat has chosen. When bots have, is nobody's business."""
        together = self.together()
        if not together:
            return None
        seat = seat_of_audience(audience)
        left = sum(one not in self.chosen and self.bot_at(one) is None for one in together)
        own = None if seat is None else self.chosen.get(seat)
        if seat is None or own is None:
            return {"seats": list(together), "left": left, "chosen": None}
        known = self.seen(audience).seat(seat).sample(NOBODYS_RNG.copy())
        chosen = {"move": self.game.format(own), "comment": self.game.comment(known, own)}
        return {"seats": list(together), "left": left, "chosen": chosen}

    # --- moves ----------------------------------------------------------------------------------------------

    def move(self, person: str, text: str, at: int) -> None:
        """A person plays. ``at`` is how much the page had heard: a move for an earlier turn is refused.

        Judged is what the seat may know. If another one is asked something meanwhile, it was too slow with its answer.
        """
        seat = self.seat_of(person)
        if seat is None:
            raise Refused("not_seated")
        if self.recorder is None or self.stage != "playing":
            raise Refused("no_game")
        try:
            action = self.game.parse(text)
        except BadMove as error:
            raise Refused("not_a_move", str(error)) from None
        seen, known = self.seen(str(seat)), self.asked().get(seat)
        if known is not None or seat in self.together() or (self.closing and seat == self.next_seat):
            action = _as_call(seen, seat, action)
        if action in self.recorder.state.calls(seat):
            self._play(seat, action)
            return
        if seat not in self._asked:
            raise Refused("not_your_turn")
        if at < self._asked[seat]:
            raise Refused("stale")
        if action not in (seen if known is not None else seen.seat(seat)).actions():
            raise Refused("illegal", f"{text} is not legal now")
        if known is not None:
            self._answer(seat, known, action)
        elif seat in self.together():
            self._choose(seat, action)
        elif not self.closing:  # else the seat has played already: its move is pending
            self._go_on(seat, action)

    def bot_move(self, seat: int, action: int) -> None:
        """A bot plays for a seat that decides or is asked."""
        known = self.asked().get(seat)
        if self.bot_at(seat) is None or self.recorder is None or self.stage != "playing":
            raise Refused("illegal")
        if known is not None:
            if action not in known.actions():
                raise Refused("illegal")
            self._answer(seat, known, _as_call(known, seat, action))
            return
        if seat in self.together():
            self._bot_choice(seat, self.together()[seat], action)
            return
        if seat != self.next_seat or self.closing or action not in self.future().actions():
            raise Refused("illegal")
        if self.arrangement.pace is None:
            self._steps = 0
        self._go_on(seat, action)

    def _bot_choice(self, seat: int, known: State, action: int) -> None:
        if action not in known.actions() or seat in self.chosen:
            raise Refused("illegal")
        call = _as_call(known, seat, action)
        if call in known.calls(seat):
            self._play(seat, call)
        else:
            self._choose(seat, action)

    def _go_on(self, seat: int, action: int) -> None:
        """The seat whose turn it is plays; who was asked meanwhile was too slow."""
        self._let_all_be()
        if self.might_step_in(action):
            self.pending, self.declined = (seat, action), set()
            self._look_anew(None)
        else:
            self._play(seat, action)

    def _play(self, seat: int, action: int) -> None:
        assert self.recorder is not None
        before = self.recorder.state.copy()
        entry = self._describe_move(before, seat, action)
        try:
            self.recorder.play(entry["move"])
        except IllegalMove as error:
            raise Refused("illegal", str(error)) from None
        self._follow(entry, before)
        if self.recorder.state.over:
            self._finish()

    def _describe_move(self, state: State, seat: int, action: int) -> Json:
        """The journal's entry of a move that is about to be played: who will be told what."""
        entry: Json = {"kind": "move", "seat": seat, "move": self.game.format(action)}
        entry["comment"] = self.game.comment(state, action) if action in state.actions() else ""
        if self.game.spec.hidden and not self.open:
            told = {name: state.told(action, seat_of_audience(name)) for name in self.streams}
            secret = told[WATCHING] is None and self._unheard(state) is not None
            entry["told"] = told
            entry["unheard"] = [name for name in told if told[name] is None and secret]
        return entry

    def _follow(self, entry: Json, before: State) -> None:
        """After a move: who sees and hears what."""
        if not entry.get("unheard"):
            self.heard += 1
            self.nudges = {}
            if self.game.parse(entry["move"]) in before.actions():  # and no call out of turn
                self.declined = set()
        self._movers.append(entry["seat"])
        self._note_round(before)
        self.history.enter(entry)
        self._look_anew(entry["seat"])

    def _note_round(self, before: State) -> None:
        assert self.recorder is not None
        keys, scores = self.game.info.sheet, self.recorder.state.scores()
        if keys and scores != before.scores():
            seen = before.view(None)
            self.sheet.append({**{key: seen[key] for key in keys}, "scores": scores})

    def _look_anew(self, mover: int | None) -> None:
        """After anything that changes who decides; somebody's call does not end the turn of who is thinking."""
        self._shown = Shown()
        deciding = [seat for seat in self.places if self._shown_player(str(seat)) == seat]
        since = {seat: self.streams[str(seat)].n for seat in deciding}
        self._asked = since | {seat: at for seat, at in self._asked.items() if seat in since and seat != mover}

    def _finish(self) -> None:
        assert self.recorder is not None
        self.stage, self.ending, self.nudges = "over", [], {}
        self.history.enter({"kind": "end", "scores": self.recorder.state.scores(), "seed": self.seed})

    def agree_to_end(self, person: str) -> None:
        """Somebody wants to end the game as it is: it ends, without a result, when all players who are here want it."""
        if self.stage != "playing":
            raise Refused("no_game")
        people = self.people_playing()
        if person not in people and (people or person != self.host):
            raise Refused("not_seated")
        if person in self.ending:
            return
        self.ending.append(person)
        self.history.enter({"kind": "wants_end", "name": self.guests[person].name})
        if set(people) <= set(self.ending):
            self.pending, self.declined, self.chosen = None, set(), {}
            self._finish()
            self._shown = Shown()

    # --- taking back ----------------------------------------------------------------------------------------

    def _undoable(self, person: str) -> int | None:
        """How many moves lead back to the own last decision; None where others would notice, or something came to
        light since: dice, a deal, or in a game with hidden cards anything at all.
        """
        seat, recorder = self.seat_of(person), self.recorder
        if seat is None or recorder is None or self.stage != "playing" or self.together():
            return None
        if [place.person for place in self.places.values() if place.person is not None] != [person]:
            return None
        own = [at for at, mover in enumerate(self._movers) if mover == seat]
        first = own[-1] if own else len(recorder.moves)
        revealed = self.game.spec.hidden or any(after >= first for after in recorder.chance)
        return None if not own or revealed else len(recorder.moves) - first

    def undo(self, person: str) -> None:
        """Alone against bots: back to the own last decision."""
        back = self._undoable(person)
        if back is None:
            raise Refused("no_undo")
        self._take_back(back)
        self.history.enter({"kind": "undo", "name": self.guests[person].name, "back": back})
        self._look_anew(None)

    def _take_back(self, back: int) -> None:
        """Played again from the beginning, with the same chance."""
        assert self.recorder is not None
        moves, self._movers = self.recorder.moves[:-back], self._movers[:-back]
        self.recorder = Recorder(self._first_state(), self.recorder.players)
        for move in moves:
            self.recorder.play(move)
        self.heard += 1
        self.nudges, self.sheet = {}, []
        self._look_anew(None)

    def waited_for(self) -> list[int]:
        alone = self.next_seat
        return list(self.together()) or ([] if alone is None else [alone])

    def record(self) -> GameRecord:
        """The game so far, with what proves that its deal was fair."""
        assert self.recorder is not None
        given = {} if self.arrangement.start is None else {"from_position": True}
        return self.recorder.record(table=self.code, seed=self.seed, fingerprint=deal.fingerprint(self.seed), **given)

    # --- what guests see ------------------------------------------------------------------------------------

    def seen(self, audience: str) -> State:
        """The position that these listeners are at."""
        assert self.recorder is not None
        seat = seat_of_audience(audience)
        if seat is None:
            return self.recorder.state
        return self.asked().get(seat) or self.together().get(seat) or self.recorder.state

    def view(self, audience: str) -> Json:
        """The position as these listeners may see it."""
        if audience not in self._shown.views:
            whole = self._whole(self.seen(audience))
            self._shown.views[audience] = whole if self.open else self.game.hide(whole, seat_of_audience(audience))
        return self._shown.views[audience]

    def _whole(self, state: State) -> Json:
        if id(state) not in self._shown.wholes:
            self._shown.wholes[id(state)] = (state, state.to_json())
        return self._shown.wholes[id(state)][1]

    def _shown_player(self, audience: str) -> int | None:
        """Who decides, as far as these listeners know."""
        differs = self.game.spec.hidden or bool(self.together())
        player: int | None = self.view(audience)["player"] if differs else self.decider
        return player

    def game_for(self, audience: str) -> Json | None:
        """The running or finished game for a page: position, legal moves, scores."""
        if self.recorder is None:
            return None
        place = None if audience == WATCHING else self.places[int(audience)]
        undo = place is not None and place.person is not None and self._undoable(place.person) is not None
        if self.stage == "playing" and audience not in self._shown.moves:
            self._shown.moves[audience] = self._moves_for(audience)
        moves, calls = self._shown.moves[audience] if self.stage == "playing" else ([], [])
        state = self.seen(audience)
        return {
            "view": drawn(self.game.info, self.game.draw, self.view(audience)),
            "moves": moves,
            "calls": calls,
            "choosing": self._choosing_for(audience),
            "sheet": self.sheet,
            "undo": undo,
            "scores": state.scores(),
            "over": self.stage == "over",
            "complete": state.over,
            "remark": self.game.remark(state) if state.over else "",
            "fingerprint": deal.fingerprint(self.seed),
            "seed": self.seed if self.stage == "over" else None,
            "record": self.record_id if self.stage == "over" else None,
        }

    def _moves_for(self, audience: str) -> tuple[list[Json] | None, list[str]]:
        """What a seat may play, None where that is too much to list, and what it may call out of turn."""
        state, seat = self.seen(audience), seat_of_audience(audience)
        if seat is None:
            return [], []
        calls = [self.game.format(action) for action in state.calls(seat)]
        if self._shown_player(audience) != seat:
            return [], calls
        known = state.seat(seat).sample(NOBODYS_RNG.copy())
        actions = known.actions() if known.player == seat else []
        if len(actions) > MOST_MOVES:
            return None, calls
        return [{"move": self.game.format(a), "comment": self.game.comment(known, a)} for a in actions], calls

    # --- keeping --------------------------------------------------------------------------------------------

    def to_row(self) -> Json:
        """All that is not in the journal."""
        return {
            "arrangement": vars(self.arrangement).copy(),
            "places": {str(seat): vars(place).copy() for seat, place in self.places.items()},
            "guests": {person: vars(guest).copy() for person, guest in self.guests.items()},
            "host": self.host,
            "stage": self.stage,
            "seed": self.seed,
            "record": self.record_id,
            "pending": None if self.pending is None else [self.pending[0], self.game.format(self.pending[1])],
            "declined": sorted(self.declined),
            "chosen": {str(seat): self.game.format(action) for seat, action in self.chosen.items()},
            "nudges": {str(seat): votes for seat, votes in self.nudges.items()},
            "ending": self.ending,
            "began": self.began,
            "length": len(self.journal),
            "streams": {audience: list(counts) for audience, counts in self.history.counts().items()},
        }

    @classmethod
    def from_row(cls, code: str, kept: Kept) -> Table:
        """The table as it was: the running game is played again from its seed.

        Where the journal has a gap, or is against the rules, the table is what came before, and says so.
        """
        row, journal = kept.row, kept.journal
        _check_row(row)
        table = cls(code, read_kept(Arrangement, row["arrangement"]), row.get("streams"))
        table.places |= {int(seat): read_kept(Place, place) for seat, place in row["places"].items()}
        table.guests = {person: read_kept(Guest, guest) for person, guest in row["guests"].items()}
        table.host, table.seed = row["host"], row["seed"]
        table.replayed = table._replay(journal)
        played = table.recorder is not None or row["stage"] == "gathering"
        if kept.whole and played and table.replayed == len(journal):
            table.stage, table.record_id = row["stage"], row["record"]
            if table.stage == "playing" and row.get("pending") is not None:
                table.pending = (row["pending"][0], table.game.parse(row["pending"][1]))
            table.declined = set(row.get("declined", ()))
            table.nudges = {int(seat): votes for seat, votes in row.get("nudges", {}).items()}
            table.ending, table.began = list(row.get("ending", ())), row.get("began")
            table.chosen = {int(seat): table.game.parse(move) for seat, move in row.get("chosen", {}).items()}
            if table.recorder is not None:
                table._look_anew(None)
        else:
            table.stage = "gathering" if table.recorder is None else "over" if table.recorder.state.over else "playing"
            table.history.enter({"kind": "gap"})
        return table

    def _replay(self, journal: list[Json]) -> int:
        """How much of the journal could be played again."""
        starts = [at for at, entry in enumerate(journal) if entry["kind"] == "start"]
        begun = len(journal)
        if starts and journal[starts[-1]]["fingerprint"] == deal.fingerprint(self.seed):
            begun = starts[-1]  # else this game has ended, and the one that followed it is lost
        for at, entry in enumerate(journal):
            try:
                if at > begun and entry["kind"] == "move":
                    assert self.recorder is not None
                    before = self.recorder.state.copy()
                    self.recorder.play(entry["move"])
                    self._follow(entry, before)
                elif at > begun and entry["kind"] == "undo":
                    self._take_back(entry["back"])
                    self.history.enter(entry)
                    self._look_anew(None)
                else:
                    self.history.enter(entry)
                if at == begun:
                    self._begin(entry)
            except (StammtischError, KeyError, TypeError, ValueError):
                return at
        return len(journal)


def _check_row(row: Json) -> None:
    """ValueError where a kept row holds what no version has written; the journal is checked by playing it."""
    counts = row.get("streams") or {}
    right = isinstance(counts, dict) and all(
        isinstance(pair, list) and len(pair) == 2 and all(type(one) is int and one >= 0 for one in pair)
        for pair in counts.values()
    )
    right = right and row["stage"] in ("gathering", "playing", "over") and isinstance(row["seed"], str)
    right = right and (row["host"] is None or row["host"] in row["guests"])
    right = right and all(isinstance(one, int) for one in row.get("declined", ()))
    pending = row.get("pending") or [0, ""]
    right = right and isinstance(pending, list) and [type(one) for one in pending] == [int, str]
    for place in row["places"].values():
        right = right and place["kind"] in ("open", "person", "bot")
        right = right and (place["kind"] != "person" or place["person"] in row["guests"])
        right = right and (place["kind"] != "bot" or isinstance(place["agent"], str))
    for guest in row["guests"].values():
        right = right and isinstance(guest.get("name", ""), str) and isinstance(guest.get("here", True), bool)
    pace = row["arrangement"].get("pace", 0)
    if not right or not (pace is None or (type(pace) is int and pace >= 0)):
        raise ValueError("a row that nobody has written")


def _as_call(state: State, seat: int, action: int) -> int:
    """Who is asked without the others' knowledge and says what could be said at any time, says it in that form."""
    if action in state.actions():
        after = _after(state, action).bytes()
        return next((call for call in state.calls(seat) if _after(state, call).bytes() == after), action)
    return action


def _after(state: State, action: int) -> State:
    after = state.copy()
    after.apply(action)
    return after
