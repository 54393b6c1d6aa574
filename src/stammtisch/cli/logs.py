"""Logs of BrettspielWelt: check, show, make, write, import, report, dataset."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stammtisch.cli.app import AsJson, announce_compiling, app, check_place, new_console, print_table, say
from stammtisch.core.errors import BadOption, StammtischError, json_text

if TYPE_CHECKING:
    from rich.progress import Progress

logs = typer.Typer(
    help="Tichu logs of BrettspielWelt: from a folder of games to knowledge and training data.", no_args_is_help=True
)
app.add_typer(logs, name="logs")

Paths = Annotated[
    list[Path],
    typer.Argument(metavar="PATH...", help="Files .tch, folders of them, zips; folders are read to the ground."),
]
WorkerCount = Annotated[
    int | None, typer.Option("--workers", min=1, help="Processes side by side; without it, one per core.")
]


@contextmanager
def progress_bar(unit: str) -> Iterator[Progress]:
    """A bar on standard error with the rate per second and the time left."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{{task.fields[rate]}} {unit}/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=new_console(stderr=True), transient=True) as progress:
        yield progress


@logs.command("check", epilog="Example: stammtisch logs check 2007.zip --json")
def check_logs(
    path: Paths,
    listed: Annotated[int, typer.Option("--list", min=0, help="So many findings are listed one by one.")] = 20,
    workers: WorkerCount = None,
    as_json: AsJson = False,
) -> None:
    """Replay every round by the rules: files, rounds, clean rounds, and how often each finding was made."""
    from stammtisch.logs.check import Tally, check
    from stammtisch.logs.read.sources import find
    from stammtisch.work.pool import pool

    announce_compiling()
    total = sum(1 for one in path for _ in find(one))
    with progress_bar("files") as progress:
        task = progress.add_task("Checking", total=total, rate="...")

        def tell(so_far: Tally) -> None:
            speed = progress.tasks[0].speed
            progress.update(task, completed=so_far.files, rate=f"{speed:,.0f}" if speed else "...")

        with pool(workers if total > 1 else 1) as chosen:
            found = check((place for one in path for place in find(one)), chosen, listed, tell)
    if as_json:
        print(json_text(found.to_json()))
        return
    say(f"{found.files:,} files, {found.rounds:,} rounds, {found.clean_rounds:,} of them clean")
    _say_nothing_found(found.files)
    if found.findings:
        print_table(("finding", "number"), [(name, f"{n:,}") for name, n in found.findings.items()], numbers=True)
    for one in found.listed:
        say(one)
    if (rest := sum(found.findings.values()) - len(found.listed)) > 0:
        say(f"... and {rest:,} more: --list {len(found.listed) + rest} shows all")


@logs.command("show", epilog="Example: stammtisch logs show 300357.tch --round 3")
def show_logs(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A file .tch, a folder of them or a zip.")],
    number: Annotated[int | None, typer.Option("--round", min=0, help="Only this round of each game, from 0.")] = None,
) -> None:
    """Print the rounds of logs as JSON: names, hands, gifts, calls, wish, dragon, score and all plays."""
    from stammtisch.logs.read.parse import parse
    from stammtisch.logs.read.sources import read

    announce_compiling()
    separator = "["
    for source in read(path):
        if source.problem:
            say(f"stammtisch: {source.path} {source.problem}", stderr=True)
        parsed = parse([source])
        for row in range(len(parsed.rounds)):
            if number is None or parsed.rounds[row]["index"] == number:
                print(separator, json_text(parsed.round_data(row).to_json()), sep="\n", end="")
                separator = ","
    print("\n]" if separator == "," else "[]")


@logs.command("make", epilog="Example: stammtisch logs make --games 1000 --agents heuristic --seed 1 --out made.zip")
def make_logs(
    games: Annotated[int, typer.Option(min=1, help="Games to play.")],
    out: Annotated[Path, typer.Option(help="A zip, or a folder that is made if needed; logs are YYYYMM/NUMBER.tch.")],
    agents: Annotated[str, typer.Option(help="One agent for all seats, two for the teams, or four.")] = "heuristic",
    seed: Annotated[int, typer.Option(min=0, help="Makes the games repeatable.")] = 1,
    month: Annotated[str, typer.Option(metavar="YYYYMM", help="The month that the games are filed under.")] = "200701",
    workers: WorkerCount = None,
    as_json: AsJson = False,
) -> None:
    """Let agents play games and write them as logs: corpora of any size."""
    from stammtisch.logs.write.making import GAMES_PER_TASK, make, read_agents
    from stammtisch.work.pool import pool

    if not re.fullmatch(r"(19|20)\d\d(0[1-9]|1[0-2])", month):
        raise BadOption(f"--month {month}: year and month as YYYYMM, such as 200701")
    if out.exists() and out.is_dir() == (out.suffix.lower() == ".zip"):
        raise StammtischError(f"{out}: name a folder, or a zip that ends in .zip")
    seats = read_agents(agents)
    announce_compiling()
    with progress_bar("games") as progress:
        task = progress.add_task("Playing", total=games, rate="...")

        def tell(done: int) -> None:
            speed = progress.tasks[0].speed
            progress.update(task, completed=done, rate=f"{speed:,.0f}" if speed else "...")

        with pool(workers if games > GAMES_PER_TASK else 1) as chosen:
            size = make(seats, games, seed, out, chosen, month, tell)
    report: dict[str, Any] = {"games": games, "bytes": size, "out": str(out), "agents": list(seats), "seed": seed}
    say(json.dumps(report) if as_json else f"{games:,} games, {size:,} bytes of logs, in {out}")


@logs.command("write", epilog="Example: stammtisch logs write games.jsonl --out tichu-logs")
def write_logs(
    records: Annotated[Path, typer.Argument(metavar="RECORDS", help="A file of records of tichu games.")],
    out: Annotated[Path, typer.Option(help="The folder for the logs, made if needed: 1.tch, 2.tch and so on.")],
) -> None:
    """Write recorded games as logs, the finished rounds of each."""
    from stammtisch.core.record import read
    from stammtisch.logs.write.games import write_record

    announce_compiling()
    if out.exists() and not out.is_dir():
        raise StammtischError(f"{out} is a file; name a folder for the logs")
    written = 0
    for number, record in enumerate(read(records), start=1):
        log = write_record(record)
        out.mkdir(parents=True, exist_ok=True)
        (out / f"{number}.tch").write_bytes(log)
        written += 1
    say(f"{written:,} logs in {out}")


Db = Annotated[Path | None, typer.Option("--db", metavar="FILE", help="The database: one DuckDB file.")]
OnRay = Annotated[bool, typer.Option("--ray", help="Work on a Ray cluster (extra 'cluster') instead of processes.")]


@logs.command("import", epilog="Example: stammtisch logs import 2007.zip 2008.zip --db tichu.duckdb")
def import_command(
    path: Paths,
    db: Annotated[Path, typer.Option("--db", metavar="FILE", help="The database, made if needed: one DuckDB file.")],
    moves: Annotated[
        bool, typer.Option("--moves", help="Keep every move too: then datasets can be made from the database alone.")
    ] = False,
    workers: WorkerCount = None,
    ray: OnRay = False,
    as_json: AsJson = False,
) -> None:
    """Add logs to a database: games, rounds, players, findings. What is there already is left out."""
    check_place(db)
    from stammtisch.logs.keep.database import Database
    from stammtisch.logs.keep.importing import Tally, import_logs
    from stammtisch.logs.read.sources import check_paths, number_of_logs
    from stammtisch.work.pool import pool

    check_paths(path)
    announce_compiling()
    total = number_of_logs(path)
    with Database(db, writable=True) as database, progress_bar("files") as progress:
        task = progress.add_task("Importing", total=total, rate="...")

        def tell(so_far: Tally) -> None:
            speed = progress.tasks[0].speed
            done = so_far.known + so_far.added + so_far.replaced + len(so_far.failures)
            progress.update(task, completed=done, rate=f"{speed:,.0f}" if speed else "...")

        with pool(workers if total > 1 else 1, ray) as chosen:
            found = import_logs(path, database, chosen, moves, tell)
    if as_json:
        print(json_text(found.to_json()))
        return
    say(
        f"{found.files:,} files: {found.known:,} known, {found.added:,} added, {found.replaced:,} replaced,"
        f" {found.doubles:,} with the same content as another, {len(found.failures):,} not readable;"
        f" {found.games:,} games and {found.rounds:,} rounds into {db}"
    )
    _say_nothing_found(found.files)
    _say_failures(found.failures)


def _say_nothing_found(files: int) -> None:
    if not files:
        say("stammtisch: there is no log, a file that ends in .tch, at these paths", stderr=True)


def _say_failures(failures: list[tuple[str, str]]) -> None:
    for name, reason in failures:
        say(f"stammtisch: {name} {reason}", stderr=True)


@logs.command("report", epilog="Example: stammtisch logs report --db tichu.duckdb --html report.html")
def report_command(
    db: Annotated[Path, typer.Option("--db", metavar="FILE", help="The database that 'logs import' made.")],
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page with tables and pictures.")] = None,
    shown: Annotated[int, typer.Option("--players", min=1, help="So many players in each list.")] = 20,
    least_rounds: Annotated[
        int, typer.Option(min=1, help="Rounds that a player needs to be among the best by score difference.")
    ] = 100,
    as_json: AsJson = False,
) -> None:
    """Say what is in a database: counts, spread, balance, options, breaches of the rules, the best players."""
    check_place(html)
    from stammtisch.logs.count.report import page, report, tables
    from stammtisch.logs.keep.database import Database

    with new_console(stderr=True).status("Counting ..."), Database(db) as database:
        found = report(database, shown, least_rounds)
        if html is not None:
            from stammtisch.logs.count.plots import pictures

            drawn = pictures(found.shapes, found.best, found.numbers["by_year"])
            html.write_text(page(found.numbers, drawn, db.name), encoding="utf-8")
    if as_json:
        print(json_text(found.numbers))
        return
    for table in tables(found.numbers):
        say(table.title)
        print_table(table.head, table.rows, numbers=True)
    if html is not None:
        say(f"Written: {html}")


@logs.command("dataset", epilog="Example: stammtisch logs dataset 2007.zip --out tichu.h5 --years 2007-2010")
def dataset_command(
    out: Annotated[Path, typer.Option(metavar="FILE.h5", help="The dataset: one HDF5 file.")],
    path: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH...]", help="Logs; without them the moves in the database are taken."),
    ] = None,
    db: Db = None,
    decisions: Annotated[
        str, typer.Option(help="Which decisions, with commas between them.")
    ] = "announce,schupf,play,wish,dragon",
    any_round: Annotated[bool, typer.Option("--any-round", help="Also rounds with findings.")] = False,
    years: Annotated[str | None, typer.Option(metavar="FIRST-LAST", help="Only games of these years.")] = None,
    min_elo: Annotated[float | None, typer.Option(help="Only decisions of players rated so high (needs --db).")] = None,
    min_rounds: Annotated[int, typer.Option(min=0, help="Only of players with so many rounds (needs --db).")] = 0,
    best: Annotated[
        float | None, typer.Option(metavar="PERCENT", help="Only of the best by score difference (needs --db).")
    ] = None,
    forced: Annotated[bool, typer.Option("--forced/--no-forced", help="Plays and passes without a choice.")] = True,
    balance: Annotated[
        float | None, typer.Option(metavar="TIMES", help="Thin out classes with more than so many even shares.")
    ] = None,
    split: Annotated[
        str, typer.Option(metavar="A,B,C", help="Per cent of the games for training, validation, test.")
    ] = "90,5,5",
    seed: Annotated[int, typer.Option(min=0, help="Of thinning out.")] = 1,
    workers: WorkerCount = None,
    ray: OnRay = False,
    as_json: AsJson = False,
) -> None:
    """Make training data: what each seat saw, what it chose and how it ended, split by game."""
    check_place(out)
    from stammtisch.logs.learn.building import Built, build
    from stammtisch.logs.learn.material import chosen_players, from_database, from_logs
    from stammtisch.logs.learn.pieces import Piece
    from stammtisch.logs.learn.recipe import read_recipe
    from stammtisch.logs.read.sources import check_paths, number_of_logs
    from stammtisch.work.pool import pool

    if path is None and db is None:
        raise BadOption("name logs, or a database with --db")
    check_paths(path or [])
    recipe = read_recipe(decisions, not any_round, years, forced, balance, split, seed)
    announce_compiling()
    with ExitStack() as stack:
        database = None
        if db is not None:
            from stammtisch.logs.keep.database import Database

            database = stack.enter_context(Database(db))
        recipe = chosen_players(recipe, database, min_elo, min_rounds, best)
        total = number_of_logs(path) if path else database.row("SELECT count(*) FROM games")[0] if database else 0
        progress = stack.enter_context(progress_bar("games"))
        task = progress.add_task("Building", total=total, rate="...")

        def tell(piece: Piece, so_far: Built) -> None:
            speed = progress.tasks[0].speed
            progress.update(task, completed=so_far.files, rate=f"{speed:,.0f}" if speed else "...")

        chosen = stack.enter_context(pool(workers if total > 1 else 1, ray))
        if path:
            pieces = from_logs(path, recipe, chosen)
        else:
            assert database is not None
            pieces = from_database(database, recipe, chosen)
        built = build(pieces, recipe, out, {}, tell)
    if as_json:
        print(json_text(built.to_json()))
        return
    say(f"{built.files:,} games, {built.rounds:,} rounds in {out}")
    if not built.rounds:
        say("stammtisch: the dataset is empty; no round fits the filters", stderr=True)
    head = ("part", *built.rows["train"])
    print_table(head, [(part, *(f"{n:,}" for n in rows.values())) for part, rows in built.rows.items()], numbers=True)
    _say_failures(built.failures)
