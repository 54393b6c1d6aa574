"""A match as one HTML page that needs nothing else: tables, pictures, and how to check every number."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape

from stammtisch.arena.store import Played, RunNotes
from stammtisch.arena.tables import TextTable, sentences, tables
from stammtisch.core.game import Json

_STYLE = """
:root { color-scheme: light dark; --ink: #22312b; --paper: #fbfaf6; --line: #d9ddd6; --soft: #5f6d66; --good: #1f7a5a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebe6; --paper: #161d1a; --line: #33403a; --soft: #9aa8a0; --good: #58c49b; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto;
  max-width: 60rem; padding: 2rem 1rem 4rem; }
h1 { font-size: 1.8rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .5rem; }
p.lead { color: var(--soft); margin: .3rem 0 0; } p.said { border-left: 4px solid var(--good); padding: .3rem .8rem; }
div.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .9rem .35rem 0; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } th { font-weight: 600; color: var(--soft); }
img { max-width: 100%; background: white; border-radius: 8px; } code { overflow-wrap: anywhere; }
"""
_CAPTIONS = {
    "ladder": "Rating ladder",
    "scores": "Scores",
    "thinking-time": "Strength against thinking time",
    "curve": "Strength against an option",
}


def page(numbers: Json, matches: Sequence[Played], notes: RunNotes, pictures: Mapping[str, bytes]) -> str:
    """The whole page."""
    title = matches[0].match.games[0].info.title
    names = list(dict.fromkeys(name for played in matches for name in played.match.entrants))
    parts = [f"<h1>{escape(title)}</h1>", f"<p class=lead>{escape(' · '.join(names))}</p>"]
    parts += [f"<p class=said>{escape(text)}</p>" for text in sentences(numbers)]
    first, *others = tables(numbers, notes.milliseconds())
    parts.append(html_table(first))
    parts += [f"<h2>{_CAPTIONS[name]}</h2>{html_picture(_CAPTIONS[name], one)}" for name, one in pictures.items()]
    parts += [html_table(one) for one in others]
    parts.append("<h2>How it was played</h2>")
    parts += [f"<p>{escape(text)}</p>" for text in conditions(numbers, matches)]
    parts += [f"<p>{escape(run['date'])}: <code>{escape(run['command'])}</code></p>" for run in notes.runs]
    return document(f"{title}: {' · '.join(names)}", parts)


def document(title: str, parts: Sequence[str]) -> str:
    """A page of the house around its parts."""
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n{body}\n</html>\n"
    )


def html_picture(caption: str, picture: bytes) -> str:
    """A PNG inside the page."""
    return f'<img alt="{escape(caption)}" src="data:image/png;base64,{base64.b64encode(picture).decode()}">'


def conditions(numbers: Json, matches: Sequence[Played]) -> list[str]:
    """In words, what decided the results."""
    judged = {
        "wins": "A point per game, shared where several win.",
        "score": "Judged by score; who was at fault gets the worst score of the match, the others the mean.",
    }[numbers["by"]]
    said = [
        "Every deal is played once per agent of the table, everybody moved on by one place each time, so that all"
        f" play the same seats with the same cards, dice and opening. {judged}"
        " Intervals are 95 %, by bootstrap over deals; those of ratings come from the scatter of the deals."
    ]
    for played in matches:
        match = played.match
        about = [f"Seed {match.seed}, {len(played.deals):,} deals", f"{match.header()['program']}"]
        if any(match.openings):
            about.append(f"openings of {', '.join(str(moves) for moves in match.openings)} random moves")
        said.append("; ".join(about) + ".")
    return said


def html_table(table: TextTable) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.head)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    return f"<h2>{escape(table.title)}</h2><div class=wide><table><tr>{head}</tr>{rows}</table></div>"
