"""A player in a process of its own, in any language: JSON lines over its standard input and output.

The messages are described in ``docs/bots.md``. Whatever the program does is its own fault and nobody else's: it may
end, hang, print without end or name moves that are none; each of these is an error with a sentence, and the process is
gone.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib.metadata import version
from typing import IO, Any

from stammtisch.agents.base import Agent, Budget, Candidate, Choice, decision
from stammtisch.core.errors import BadMove, BadOption, StammtischError, brief, shown
from stammtisch.core.game import Game, Json, Seat
from stammtisch.core.rng import Rng, next32

PROTOCOL = 1
START_SECONDS = 30.0  # from its start to its hello
PATIENCE_SECONDS = 2.0  # beyond its time for a move: what pipes and a busy machine may add
END_SECONDS = 1.0  # to say goodbye
LONGEST_LINE = 1 << 16  # letters
MOST_LINES = 1000  # between two answers, of whatever else it prints
LAST_WORDS = 2000  # letters of what it writes to standard error, for whoever looks for the reason
_BIND = """
import ctypes, os, signal, sys
ctypes.CDLL(None).prctl(1, signal.SIGKILL, 0, 0, 0)
signal.signal(signal.SIGINT, signal.SIG_IGN)
if os.getppid() == int(sys.argv[1]):
    os.execvp(sys.argv[2], sys.argv[2:])
"""


class BotFault(StammtischError):
    """Somebody's program did not play by the protocol."""


class Outside(Agent):
    """The agent ``outside:command=PROGRAM WITH ITS ARGUMENTS``."""

    hears = True

    def __init__(self, game: Game, command: str, ms: float = 1000.0) -> None:
        self.game = game
        self.ms: float = ms
        self.program = Program(command)
        self.turns = 0
        self.introduced: int | None = None  # as the player of this seat
        hello = {"protocol": PROTOCOL, "program": f"stammtisch {version('stammtisch')}", "game": game.info.name}
        try:
            self.program.tell("hello", **hello)
            answer = self.program.answer("hello", START_SECONDS)
            if answer.get("protocol") != PROTOCOL:
                raise self.program.fault(f"speaks protocol {brief(answer.get('protocol'))}, this is {PROTOCOL}")
        except BaseException:
            self.program.end()
            raise
        self.name = shown(answer.get("name", command))[:60]

    def choose(self, seat: Seat, rng: Rng, budget: Budget | None = None) -> Choice:
        actions = decision(seat)
        ms = self.ms if budget is None or budget.ms is None else budget.ms
        self._introduce(seat.index)
        self.turns += 1
        texts = [self.game.format(action) for action in actions]
        luck = int(next32(rng))
        self.program.tell("turn", id=self.turns, moves=texts, ms=ms, seed=luck, view=seat.view())
        answer = self.program.answer("move", ms / 1000 + PATIENCE_SECONDS, self.turns)
        move = answer.get("move")
        if move in texts:
            action = actions[texts.index(move)]
        elif isinstance(move, str):
            action = self._meant(move)
        else:
            raise self.program.fault(f"answered the move {brief(move)}, which is no text")
        value = answer.get("value")
        known = float(value) if isinstance(value, int | float) and abs(value) < 1e300 else None
        return Choice(action, [Candidate(action, known)])

    def hear(self, seat: int, by: int, move: str | None) -> None:
        self._introduce(seat)
        self.program.tell("event", seat=by, move=move)

    def close(self, scores: list[float] | None = None) -> None:
        if not self.program.over:
            with suppress(BotFault):
                self.program.tell("end", scores=scores)
        self.program.end()

    def _introduce(self, seat: int) -> None:
        if self.introduced != seat:
            self.introduced = seat
            spec = self.game.spec
            options = dict(self.game.options)
            self.program.tell("begin", seat=seat, seats=spec.seats, sides=spec.sides, options=options)

    def _meant(self, move: str) -> int:
        """A move in other words than ours; the rules say whether it is legal."""
        try:
            return self.game.parse(move)
        except BadMove as error:
            raise self.program.fault(f"answered no move: {shown(str(error))[:200]}") from None


class Program:
    """Somebody's running program. Nothing it does makes us wait longer than we said, or keep more than a little."""

    def __init__(self, command: str) -> None:
        self.command = command
        try:
            words = shlex.split(command, posix=os.name == "posix")
        except ValueError as error:
            raise BadOption(f"command={command}: {error}") from None
        if not words:
            raise BadOption("command=: the program to start, with its arguments")
        if shutil.which(words[0]) is None:
            raise BotFault(f"bot '{shown(command)}' cannot be started: there is no program {shown(words[0])}")
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen([*_bound_to_us(), *words], stdin=pipe, stdout=pipe, stderr=pipe)
        except (OSError, ValueError) as error:
            raise BotFault(f"bot '{shown(command)}' cannot be started: {shown(str(error))}") from None
        self._lines: queue.Queue[bytes | None] = queue.Queue(64)  # a program that prints more has to wait
        self._mail: queue.Queue[bytes | None] = queue.Queue()
        self._words = b""
        self.over = False
        for work in (self._read, self._write, self._listen):
            threading.Thread(target=work, daemon=True).start()

    def tell(self, kind: str, **message: Any) -> None:
        """Send a message; a program that does not read is noticed when it is to answer."""
        if self.over:
            raise self.fault("has ended")
        self._mail.put(json.dumps({"type": kind, **message}, separators=(",", ":")).encode() + b"\n")

    def answer(self, kind: str, seconds: float, number: int | None = None) -> Json:
        """The next message of this kind (and with this id), or a BotFault that says what came instead."""
        until = time.monotonic() + seconds
        for _ in range(MOST_LINES):
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise self.fault(f"gave no answer within {1000 * seconds:,.0f} ms", end=True) from None
            if line is None:
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(END_SECONDS)
                raise self.fault(f"ended by itself (exit code {self._process.poll()})", end=True)
            if len(line) > LONGEST_LINE:
                raise self.fault(f"printed a line of more than {LONGEST_LINE:,} letters", end=True)
            if not line.strip():
                continue
            message = self._message(line)
            if message.get("type") == kind and message.get("id") == number:
                return message
        raise self.fault(f"printed {MOST_LINES:,} lines and no answer", end=True)

    def _message(self, line: bytes) -> Json:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise self.fault(f"printed what is no JSON object: {shown(line[:80].decode(errors='replace'))}", end=True)
        return message

    def fault(self, what: str, end: bool = False) -> BotFault:
        """A sentence about the program, with the last it wrote to standard error."""
        if end:
            self.end()
        words = shown(self._words.decode(errors="replace").strip(), lines=True).splitlines()
        last = f"; its last words: {words[-1][-200:]}" if words else ""
        return BotFault(f"bot '{shown(self.command)}' {what}{last}")

    def end(self) -> bool:
        """Close its input and, where that does not end it, end it; whether it went by itself."""
        if self.over:
            return True
        self.over = True
        self._mail.put(None)
        with suppress(queue.Empty):
            while True:
                self._lines.get_nowait()
        try:
            self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return False
        return True

    def _read(self) -> None:
        """Lines of its standard output, never more than a few of them at once."""
        output: IO[bytes] = self._process.stdout  # type: ignore[assignment]
        with suppress(OSError, ValueError), output:
            while not self.over:
                line = output.readline(LONGEST_LINE + 1)
                if not line or len(line) > LONGEST_LINE:
                    break
                self._lines.put(line)
            else:
                line = b""
            if len(line) > LONGEST_LINE:
                self._lines.put(line)
        self._lines.put(None)

    def _write(self) -> None:
        into: IO[bytes] = self._process.stdin  # type: ignore[assignment]
        with suppress(OSError, ValueError), into:
            while (line := self._mail.get()) is not None:
                into.write(line)
                into.flush()

    def _listen(self) -> None:
        """The end of what it writes to standard error."""
        source: IO[bytes] = self._process.stderr  # type: ignore[assignment]
        with suppress(OSError, ValueError), source:
            while some := source.read1(4096):  # type: ignore[attr-defined]
                self._words = (self._words + some)[-LAST_WORDS:]


def _bound_to_us() -> list[str]:
    """What comes before the command: the kernel shall end the program with us, and Ctrl-C is not for it.

    Linux ends a child with the thread that started it, so only where that is the main one. Other systems close the
    program's input, which ends all that read it.
    """
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        return []
    return [sys.executable, "-I", "-S", "-c", _BIND, str(os.getpid())]
