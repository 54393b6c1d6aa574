"""Who is better: arena, sprt, rate, report."""

from __future__ import annotations

import json
import os
import shlex
import signal
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from stammtisch.agents.catalog import agents_of, find, full_name
from stammtisch.cli.app import (
    AsJson,
    GameName,
    Options,
    Players,
    Plots,
    Seed,
    app,
    check_folder,
    check_place,
    game_info,
    new_console,
    print_table,
    say,
    variants_of,
    write_pictures,
)
from stammtisch.core.errors import BadOption, StammtischError, UnsuitableAgent
from stammtisch.core.info import GameInfo

if TYPE_CHECKING:
    from stammtisch.arena.match import By, Limits, Match, Table
    from stammtisch.core.game import Game

Rounds = Annotated[
    int | None,
    typer.Option(min=1, help="Deals; each is played once per agent of a table. Without it, 100 (rate: 50 per pair)."),
]
Opening = Annotated[
    int | None,
    typer.Option(min=0, help="Random moves before the agents take over; without it, one per seat if deals are alike."),
]
Ms = Annotated[
    float | None, typer.Option(min=1, help="Milliseconds per decision, for everybody whose name sets no limit.")
]
Iterations = Annotated[
    int | None, typer.Option(min=1, help="Iterations per decision, for everybody who counts them and sets no limit.")
]
WorkerCount = Annotated[
    int | None, typer.Option("--workers", min=1, help="Games played side by side; without it, one per core.")
]
Out = Annotated[Path | None, typer.Option(help="The match file; without it, one in your data folder.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the match of this command that was interrupted.")]
Grace = Annotated[float, typer.Option(min=0, help="Seconds beyond its time budget after which an agent loses.")]
Stall = Annotated[float, typer.Option(min=0.1, help="Seconds per decision for agents without a time budget.")]
Memory = Annotated[
    float, typer.Option(min=0, help="Megabytes that a worker may use for its agents; 0: as many as there are.")
]
JudgedBy = Annotated[
    str | None,
    typer.Option("--by", metavar="score|wins", help="What games are judged by; without it, as their scores suggest."),
]
Html = Annotated[Path | None, typer.Option(help="Write the report as an HTML page.")]
Anchor = Annotated[str | None, typer.Option(help="The agent whose rating is zero; without it, the average is.")]
Curve = Annotated[
    str | None, typer.Option(metavar="OPTION", help="Also plot strength against this option of the agents.")
]


@dataclass(frozen=True)
class _Wished:
    """What is to be told of a match, and where."""

    html: Path | None
    plots: Path | None
    as_json: bool
    by: By | None
    anchor: str | None = None
    curve: str | None = None


@app.command(epilog="Example: stammtisch arena tictactoe mcts:iterations=100 random --rounds 200")
def arena(
    context: typer.Context,
    game: GameName,
    agent: Annotated[list[str], typer.Argument(metavar="AGENT...", help="One (by itself), two or more agents.")],
    rounds: Rounds = None,
    games: Annotated[int | None, typer.Option(min=1, help="Games instead of deals, rounded up to whole deals.")] = None,
    players: Players = None,
    option: Options = None,
    opening: Opening = None,
    ms: Ms = None,
    iterations: Iterations = None,
    seed: Seed = None,
    workers: WorkerCount = None,
    out: Out = None,
    resume: Resume = False,
    grace: Grace = 2.0,
    stall: Stall = 60.0,
    memory: Memory = 4096.0,
    by: JudgedBy = None,
    html: Html = None,
    plots: Plots = None,
    as_json: AsJson = False,
) -> None:
    """Let agents play a match on the same deals from all seats, and say how sure the result is."""
    from stammtisch.arena.match import Limits, Table

    wished = _wished(html, plots, as_json, by)
    variants = variants_of(game, option, players)
    if rounds is not None and games is not None:
        raise BadOption("give --rounds or --games, not both")
    names = _names(game_info(game), agent, ms, iterations)
    together = len(names) * len(variants)
    number = rounds or (100 if games is None else -(-games // together))
    tables = tuple(Table(tuple(range(len(names))), variant) for variant in range(len(variants)))
    match = _match(variants, names, tables, seed, opening, Limits(grace, stall, memory))
    _play_and_report(context, match, number, workers, out, resume, seed, wished)


@app.command(epilog="Example: stammtisch sprt tictactoe mcts:iterations=200 mcts:iterations=50 --elo1 50")
def sprt(
    context: typer.Context,
    game: GameName,
    first: Annotated[str, typer.Argument(metavar="AGENT", help="Is this agent stronger ...")],
    second: Annotated[str, typer.Argument(metavar="AGENT", help="... than this one?")],
    elo0: Annotated[float, typer.Option(help="H0: the first agent is so much stronger.")] = 0.0,
    elo1: Annotated[float, typer.Option(help="H1: the first agent is so much stronger.")] = 30.0,
    alpha: Annotated[float, typer.Option(help="Probability of accepting H1 where H0 is true.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Probability of accepting H0 where H1 is true.")] = 0.05,
    rounds: Annotated[int, typer.Option(min=1, help="Deals after which to give up.")] = 20_000,
    option: Options = None,
    opening: Opening = None,
    ms: Ms = None,
    iterations: Iterations = None,
    seed: Seed = None,
    workers: WorkerCount = None,
    out: Out = None,
    resume: Resume = False,
    grace: Grace = 2.0,
    stall: Stall = 60.0,
    memory: Memory = 4096.0,
    by: JudgedBy = None,
    html: Html = None,
    plots: Plots = None,
    as_json: AsJson = False,
) -> None:
    """Let two agents play until it is clear whether the first is stronger (sequential test on deals)."""
    from stammtisch.arena.match import Limits, Table
    from stammtisch.arena.sprt import Sprt

    wished = _wished(html, plots, as_json, by)
    try:
        test = Sprt(elo0, elo1, alpha, beta).settings
    except ValueError as error:
        raise BadOption(str(error)) from None
    variants = variants_of(game, option, None)
    names = _names(game_info(game), [first, second], ms, iterations)
    limits = Limits(grace, stall, memory)
    match = _match(variants, names, (Table((0, 1)),), seed, opening, limits, sprt=test, by=by)
    _play_and_report(context, match, rounds, workers, out, resume, seed, wished)


@app.command(epilog="Example: stammtisch rate tictactoe --all --iterations 100 --rounds 50")
def rate(
    context: typer.Context,
    game: GameName,
    agent: Annotated[list[str] | None, typer.Argument(metavar="[AGENT]...", help="Agents to rate.")] = None,
    all_of_them: Annotated[bool, typer.Option("--all", help="Every installed agent that plays this game.")] = False,
    against: Annotated[
        list[str] | None, typer.Option(help="Play only against this agent, not each other; may be repeated.")
    ] = None,
    rounds: Rounds = None,
    players: Players = None,
    option: Options = None,
    opening: Opening = None,
    ms: Ms = None,
    iterations: Iterations = None,
    seed: Seed = None,
    workers: WorkerCount = None,
    anchor: Anchor = None,
    out: Out = None,
    resume: Resume = False,
    grace: Grace = 2.0,
    stall: Stall = 60.0,
    memory: Memory = 4096.0,
    by: JudgedBy = None,
    html: Html = None,
    plots: Plots = None,
    curve: Curve = None,
    as_json: AsJson = False,
) -> None:
    """Let agents play a round robin and rate them, with 95 % intervals and a cross table."""
    from stammtisch.arena.match import Limits, Table, pairs

    wished = _wished(html, plots, as_json, by, anchor, curve)
    info = game_info(game)
    named = list(agent or [])
    if all_of_them:
        named += [name for name, one in agents_of(info).items() if one.complete]
    opponents = _names(info, against or [], ms, iterations)
    names = [name for name in dict.fromkeys(_names(info, named, ms, iterations)) if name not in opponents] + opponents
    if len(names) < 2:
        raise StammtischError("name two agents or more, or --all")
    if anchor is not None and anchor not in names:
        anchor = _names(info, [anchor], ms, iterations)[0]
    if anchor is not None and anchor not in names:
        raise BadOption(f"--anchor {anchor} does not play; these do: {', '.join(names)}")
    variants = variants_of(game, option, players)
    solo = all(len(one.spec.sides) == 1 for one in variants)
    if solo and (anchor or curve):
        raise BadOption(f"{game} is played alone and rated by its score: without --anchor and --curve")
    if curve is not None:
        from stammtisch.arena.plots import check_curve

        check_curve(names, curve)
    tables = pairs(len(names), len(variants), len(opponents))
    if solo:
        tables = tuple(Table(tuple(range(len(names))), variant) for variant in range(len(variants)))
    kind = "match" if solo else "ratings"
    match = _match(variants, names, tables, seed, opening, Limits(grace, stall, memory), kind)
    _play_and_report(context, match, rounds or 50, workers, out, resume, seed, replace(wished, anchor=anchor))


@app.command(epilog="Example: stammtisch report match.jsonl --html match.html --plots pictures")
def report(
    file: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="Match files; without, your last match.")
    ] = None,
    anchor: Anchor = None,
    by: JudgedBy = None,
    html: Html = None,
    plots: Plots = None,
    curve: Curve = None,
    as_json: AsJson = False,
) -> None:
    """Compute all numbers of a match anew from its file; of several files, the ratings of all who played."""
    wished = _wished(html, plots, as_json, by, anchor, curve)
    kept = _kept()
    if not file and not kept:
        raise StammtischError("there is no match of yours yet; name a match file")
    _report(file or kept[-1:], wished)


def _names(info: GameInfo, names: list[str], ms: float | None, iterations: int | None) -> list[str]:
    """The agents' names with the budget in them: whatever is reported under a name has played like that."""
    return [full_name(name, info, ms=ms, iterations=iterations) for name in names]


def _match(
    variants: list[Game],
    names: list[str],
    tables: tuple[Table, ...],
    seed: int | None,
    opening: int | None,
    limits: Limits,
    kind: str = "match",
    sprt: dict[str, float] | None = None,
    by: str | None = None,
) -> Match:
    from stammtisch.agents.catalog import agent as make_agent
    from stammtisch.arena.match import Match
    from stammtisch.arena.outcome import usual_judging
    from stammtisch.core.rng import fresh_seed

    ours = [name for name in names if find(name.partition(":")[0], variants[0].info).loader.startswith("stammtisch.")]
    for variant in variants:
        for name in ours:  # whoever cannot play says so now; what others do is watched from the beginning
            try:
                make_agent(name, variant)
            except StammtischError:
                raise
            except Exception as error:
                raise UnsuitableAgent(f"agent '{name}' cannot be made: {type(error).__name__}: {error}") from error
    chosen = fresh_seed() if seed is None else seed
    judged = "wins" if sprt is None else by or usual_judging(variants)
    match = Match(tuple(variants), tuple(names), tables, chosen, opening, limits, sprt, kind, by=cast("By", judged))
    for table in range(len(tables)):
        match.start(table, 0)  # an opening that is too long shows now
    return match


def _play_and_report(
    context: typer.Context,
    match: Match,
    rounds: int,
    workers: int | None,
    out: Path | None,
    resume: bool,
    seed: int | None,
    wished: _Wished,
) -> None:
    """Play the match into a file, with a progress bar; what was played before an interruption is kept."""
    from stammtisch.arena.progress import Progress
    from stammtisch.arena.run import run

    check_place(out)
    path, match = _place(match, out, resume, seed)
    command = shlex.join(["stammtisch", *(context.obj or [])])
    console = new_console(stderr=True)
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: nothing is lost
    try:
        with Progress(console, rounds * len(match.tables)) as progress:
            run(match, rounds, path, workers or os.cpu_count() or 1, progress, command)
    except KeyboardInterrupt:
        console.print(f"Interrupted. The same command with --resume goes on; kept in {path}", soft_wrap=True)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    try:
        _report([path], wished)
    except (StammtischError, OSError) as error:
        raise StammtischError(f"{error}; the match is kept in {path}") from None
    if not wished.as_json:
        say(f"Kept: {path}")


def _place(match: Match, out: Path | None, resume: bool, seed: int | None) -> tuple[Path, Match]:
    """The match file, and the match with the seed it was begun with."""
    from stammtisch.arena.store import read_header

    if not resume:
        if out is not None and out.exists():
            raise StammtischError(f"{out} exists: --resume goes on with it, another name begins anew")
        return out or _new_place(match.games[0].info.name), match
    for path in [out] if out is not None else reversed(_kept(match.games[0].info.name)):
        if not path.exists():
            raise StammtischError(f"{path} does not exist: there is nothing to resume")
        header = read_header(path)
        begun = match if seed is not None else replace(match, seed=header.get("seed", match.seed))
        if out is not None or header == begun.header():
            return path, begun
    raise StammtischError("none of your matches was played with these settings: there is nothing to resume")


def _home() -> Path:
    from stammtisch.core.places import data_home

    return data_home() / "arena"


def _kept(game: str = "") -> list[Path]:
    """The matches in the data folder, the last one last."""
    files = _home().glob(f"{game}-*.jsonl" if game else "*.jsonl")
    return sorted(files, key=lambda path: path.stat().st_mtime)


def _new_place(game: str) -> Path:
    _home().mkdir(parents=True, exist_ok=True)
    stem, number = f"{game}-{datetime.now():%Y%m%d-%H%M%S}", 1
    while (path := _home() / f"{stem}{'' if number == 1 else f'-{number}'}.jsonl").exists():
        number += 1
    return path


def _report(paths: list[Path], wished: _Wished) -> None:
    """Compute the numbers from the files and print them; write the page and the pictures."""
    from stammtisch.arena.store import RunNotes, read
    from stammtisch.arena.summary import summary
    from stammtisch.arena.tables import heading, sentences, tables

    matches = [read(path) for path in paths]
    notes = RunNotes.together(RunNotes.read(path) for path in paths)
    numbers = summary(matches, wished.anchor, ratings=wished.curve is not None, by=wished.by)
    html, plots, pictures = wished.html, wished.plots, dict[str, bytes]()
    if html or plots:
        from stammtisch.arena.plots import plots as draw

        pictures = draw(numbers, matches, notes.milliseconds(), wished.curve)
    drawn = write_pictures(plots, pictures) if plots else []
    if html is not None:
        from stammtisch.arena.page import page

        html.write_text(page(numbers, matches, notes, pictures), encoding="utf-8")
    if wished.as_json:
        print(json.dumps(numbers))
        return
    say(heading(matches))
    for table in tables(numbers, notes.milliseconds()):
        say(table.title)
        print_table(table.head, table.rows, numbers=True)
    for sentence in sentences(numbers):
        say(sentence)
    written = [str(path) for path in (html, *drawn) if path]
    if written:
        say(f"Written: {', '.join(written)}")


def _wished(
    html: Path | None,
    plots: Path | None,
    as_json: bool,
    by: str | None,
    anchor: str | None = None,
    curve: str | None = None,
) -> _Wished:
    """Whatever would be in the way of the report is said before the match, not after it."""
    check_place(html)
    check_folder(plots)
    if by not in (None, "wins", "score"):
        raise BadOption(f"--by {by}: score or wins")
    if curve and not (html or plots):
        raise BadOption("--curve draws a picture: name a place for it with --plots or --html")
    if html or plots:
        import stammtisch.arena.plots  # noqa: F401
    return _Wished(html, plots, as_json, cast("By | None", by), anchor, curve)
