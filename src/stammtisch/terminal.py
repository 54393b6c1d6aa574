"""The table in the terminal: play a game against agents, step through a recorded one."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from stammtisch.agents.base import Agent, Budget, Choice, told_to, who_hears
from stammtisch.core import record as records
from stammtisch.core.errors import BadMove, IllegalMove, StammtischError
from stammtisch.core.game import Game, Json
from stammtisch.core.places import data_home
from stammtisch.core.record import GameRecord, Recorder
from stammtisch.core.rng import Rng

HELP = "a move, or: moves (all legal ones) · hint · board · position (as JSON) · quit (the game is kept) · help"


def program() -> str:
    """How this program is called here, for commands that people are told to type."""
    return "stammtisch" if shutil.which("stammtisch") else sys.argv[0]


def ask(prompt: str) -> str:
    """A line from the person; EOFError where nobody can answer."""
    try:
        return input(prompt)
    except RuntimeError:  # standard input is closed
        raise EOFError from None


def finished_games() -> Path:
    """The file that finished games are added to unless another is named."""
    return data_home() / "games.jsonl"


def kept_games(name: str) -> list[Path]:
    """The games of this name that were left before their end, the latest last; one file each."""
    return sorted((data_home() / "unfinished").glob(f"{name}-*.json"))


class TerminalTable:
    """One person and the agents of the other seats; the adviser is asked for hints."""

    def __init__(
        self,
        console: Console,
        recorder: Recorder,
        agents: Mapping[int, Agent],
        person: int,
        adviser: Agent,
        rng: Rng,
        resumed: Path | None = None,
    ) -> None:
        self.console = console
        self.recorder = recorder
        self.agents = agents
        self.rng = rng
        self.resumed = resumed  # the file this game was kept in
        self.person = person
        self.adviser = adviser

    def play(self, save_to: Path) -> None:
        """Play to the end, or until the person leaves; either way nothing is lost."""
        try:
            self._play()
        except (EOFError, KeyboardInterrupt):
            self._leave()
            return
        except StammtischError:  # an agent that cannot go on
            self._leave()
            raise
        finally:
            over = self.recorder.state.over
            for one in self.agents.values():
                one.close(self.recorder.state.scores() if over else None)
        self._show_end()
        if self._keep(save_to):
            self.console.print(f"[dim]Saved. Look at it again with: {program()} replay {save_to}[/dim]", soft_wrap=True)

    def _keep(self, place: Path) -> bool:
        """Write the game down; where that is impossible, print it, so that it is not lost."""
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            records.append(place, self.recorder.record())
        except OSError as error:
            self.console.print(f"[yellow]{escape(f'The game cannot be saved: {error}')}[/yellow]", soft_wrap=True)
            self.console.print(json.dumps(self.recorder.record().to_json()), soft_wrap=True, markup=False)
            return False
        if self.resumed and self.resumed != place:
            self.resumed.unlink(missing_ok=True)
        return True

    @property
    def _game(self) -> Game:
        return self.recorder.state.game

    def _play(self) -> None:
        state = self.recorder.state
        while state.player is not None:
            seat = state.player
            if seat == self.person:
                self._person_moves()
                continue
            with self.console.status(f"{escape(self.recorder.players[seat])} thinks ..."):
                choice = self.agents[seat].choose(state.seat(seat), self.rng)
            self._tell(choice.action)
            self._announce(choice.action, f"{self._game.seat_name(seat)}, {self.recorder.players[seat]},")
            self.recorder.apply(choice.action)

    def _tell(self, action: int) -> None:
        """Tell the agents that want to hear it what is about to be played."""
        state = self.recorder.state
        for seat, one in who_hears(self.agents).items():
            learns, move = told_to(state, action, seat)
            if learns and state.player is not None:
                one.hear(seat, state.player, move)

    def _announce(self, action: int, who: str) -> None:
        """Say what the person may know of a move that is about to be played."""
        state = self.recorder.state
        move = state.told(action, self.person)
        deed = "has chosen"
        if move is None and state.view(self.person)["player"] != state.player:
            return  # a question that the person must not even know of
        if move is not None:
            comment = self._game.comment(state, action)
            deed = f"plays [bold]{escape(move)}[/bold]{escape(f' · {comment}' if comment else '')}"
        self.console.print(f"{escape(who)} {deed}", highlight=False)

    def _person_moves(self) -> None:
        seat = self.recorder.state.seat(self.person)
        self._show(seat.view())
        while True:
            answer = ask(f"{self._game.seat_name(self.person)}, your move (or help): ").strip()
            if answer in ("quit", "exit", "q"):
                raise EOFError
            if answer in ("", "help", "?"):
                self.console.print(HELP)
            elif answer == "moves":
                self._list_moves()
            elif answer == "board":
                self._show(seat.view())
            elif answer == "position":
                self.console.print(json.dumps(seat.view()), soft_wrap=True, markup=False, highlight=False)
            elif answer == "hint":
                self._hint()
            elif self._try(answer):
                return

    def _show(self, position: Json) -> None:
        self.console.print()
        self.console.print(picture(self._game, position))
        self.console.print()

    def _list_moves(self) -> None:
        """The legal moves; one line each where there is something to say about them."""
        state = self.recorder.state
        comments = {action: self._game.comment(state, action) for action in state.actions()}
        moves = [f"{self._game.format(action)}  {comment}".rstrip() for action, comment in comments.items()]
        text = "\n".join(moves) if any(comments.values()) else " ".join(moves)
        self.console.print(text, highlight=False, markup=False)

    def _try(self, move: str) -> bool:
        try:
            action = self._game.parse(move)
            if action in self.recorder.state.actions():
                self._tell(action)
                if self._game.comment(self.recorder.state, action):
                    self._announce(action, f"{self._game.seat_name(self.person)}, you,")
            self.recorder.play(move)
        except (BadMove, IllegalMove) as error:
            self.console.print(f"[yellow]{escape(str(error))}[/yellow]", soft_wrap=True)
            return False
        return True

    def _hint(self) -> None:
        with self.console.status("Thinking about your move ..."):
            choice = self.adviser.choose(self.recorder.state.seat(self.person), self.rng, Budget(explain=True))
        self.console.print(candidates_table(self._game, choice, 5))

    def _leave(self) -> None:
        self.console.print()
        if not self.recorder.moves:
            self.console.print("Bye.")
            return
        name = self._game.info.name
        place = data_home() / "unfinished" / f"{name}-{datetime.now(UTC):%Y%m%dT%H%M%S%f}.json"
        if self._keep(place):
            self.console.print(f"The game is kept. Go on with: {program()} play {name} --resume")

    def _show_end(self) -> None:
        state = self.recorder.state
        scores = state.scores()
        self._show(state.to_json())
        table = Table("seat", "player", "score")
        for seat in self._game.spec.taken:
            table.add_row(self._game.seat_name(seat), escape(self.recorder.players[seat]), points(scores[seat]))
        self.console.print(table)
        for text in (self._game.remark(state), self._verdict(scores)):
            if text:
                self.console.print(text, highlight=False, markup=False)

    def _verdict(self, scores: list[float]) -> str:
        spec = self._game.spec
        if len(spec.sides) == 1:
            return ""
        sides = [max(scores[seat] for seat in side) for side in spec.sides]
        mine, winners = sides[spec.side_of[self.person]], sides.count(max(sides))
        if mine < max(sides):
            return "You lose."
        return "You win!" if winners == 1 else "A draw." if winners == len(sides) else "You share the win."


def points(score: float) -> str:
    """A score with at most two decimals, and none that are zero."""
    return f"{score:.2f}".rstrip("0").rstrip(".")


def picture(game: Game, position: Json) -> Text:
    """The position in colours, where the terminal has them."""
    return Text.assemble(*game.paint(position), no_wrap=True)


def candidates_table(game: Game, choice: Choice, most: int) -> Table:
    """What an agent thinks of the moves, best first, with bars."""
    shown = choice.analysis[:most]
    rated = any(candidate.value is not None for candidate in shown)
    weighted = any(candidate.share is not None for candidate in shown)
    table = Table("move", *(["value"] if rated else []), *(["preference", ""] if weighted else []))
    for candidate in shown:
        value = "" if candidate.value is None else f"{candidate.value:.3f}"
        share = candidate.share or 0.0
        table.add_row(
            escape(game.format(candidate.action)),
            *([value] if rated else []),
            *([f"{share:.0%}", "█" * round(20 * share)] if weighted else []),
        )
    return table


class Replay:
    """Steps through a record: Enter onwards, b back, a number to jump, q to leave."""

    def __init__(self, console: Console, record: GameRecord) -> None:
        self.console = console
        self.record = record
        self.states = list(record.states())

    def show(self, number: int) -> None:
        """The position after ``number`` moves."""
        moves = self.record.moves
        players = self.record.players
        if number == 0:
            self.console.print(f"[bold]Start[/bold] · {escape(' - '.join(player for player in players if player))}")
        else:
            seat = self.states[number - 1].player or 0
            who = players[seat] if seat < len(players) else "?"
            name = self.states[0].game.seat_name(seat)
            self.console.print(
                f"[bold]Move {number} of {len(moves)}[/bold] · {escape(name)}, {escape(who)}, plays"
                f" [bold]{escape(moves[number - 1])}[/bold]"
            )
            chance = self.record.chance.get(number - 1)
            if chance:
                self.console.print(escape(f"chance: {chance}"), highlight=False)
        self.console.print(picture(self.states[number].game, self.states[number].to_json()))
        if number == len(moves):
            result = self.record.result
            taken = self.states[0].game.spec.taken
            ending = "Not finished."
            if result is not None:
                ending = f"Result: {' : '.join(points(result[seat]) for seat in taken)}"
            self.console.print(ending)
        self.console.print()

    def show_all(self) -> None:
        for number in range(len(self.states)):
            self.show(number)

    def step(self) -> None:
        number, last = 0, len(self.states) - 1
        while True:
            self.show(number)
            try:
                answer = ask(f"{number}/{last}  Enter: next, b: back, 0-{last}: jump, q: quit ").strip()
            except (EOFError, KeyboardInterrupt):
                return
            if answer == "q" or (answer == "" and number == last):
                return
            if answer.isascii() and answer.isdigit():
                number = min(int(answer[:9]), last)
            else:
                number = max(0, number - 1) if answer == "b" else min(last, number + 1)
