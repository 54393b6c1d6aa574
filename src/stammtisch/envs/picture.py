"""A position as a learner's environment shows it: as text, as SVG, and as pixels (extra ``lab``).

All three are the picture that the terminal draws, which every game has.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from rich.style import Style

from stammtisch.core.errors import MissingExtra
from stammtisch.core.game import State

RenderMode = Literal["human", "ansi", "svg", "rgb_array"]
MODES = list(get_args(RenderMode))
SIZE, WIDTH, HEIGHT, EDGE = 16, 10, 22, 12  # of a letter, in pixels, and the margin around the picture
PAPER, INK = (250, 250, 246), (28, 28, 30)
Colour = tuple[int, int, int]
Piece = tuple[int, int, str, Colour, "Colour | None"]  # row, column, text, its colour and what is behind it


def render(state: State, mode: RenderMode | None) -> str | NDArray[np.uint8] | None:
    """The position in this form; ``human`` prints it."""
    if mode == "human":
        print(state.text())
    elif mode == "ansi":
        return state.text()
    elif mode == "svg":
        return as_svg(state)
    elif mode == "rgb_array":
        return as_pixels(state)
    return None


def as_svg(state: State) -> str:
    """The picture as SVG; no fonts but those of the reader."""
    pieces = list(_pieces(state))
    width, height = _extent(pieces)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="monospace"'
        f' font-size="{SIZE}"><rect width="{width}" height="{height}" fill="{_web(PAPER)}"/>'
    ]
    for row, column, text, colour, behind in pieces:
        x, y, size = EDGE + WIDTH * column, EDGE + HEIGHT * row, WIDTH * len(text)
        if behind is not None:
            lines.append(f'<rect x="{x}" y="{y}" width="{size}" height="{HEIGHT}" fill="{_web(behind)}"/>')
        lines.append(
            f'<text x="{x}" y="{y + SIZE}" fill="{_web(colour)}" textLength="{size}" xml:space="preserve">'
            f"{escape(text)}</text>"
        )
    return "\n".join([*lines, "</svg>"])


def as_pixels(state: State) -> NDArray[np.uint8]:
    """The picture as rows of pixels in red, green and blue."""
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise MissingExtra("pictures in pixels need") from None
    pieces = list(_pieces(state))
    picture = Image.new("RGB", _extent(pieces), PAPER)
    pen = ImageDraw.Draw(picture)
    for row, column, text, colour, behind in pieces:
        x, y = EDGE + WIDTH * column, EDGE + HEIGHT * row
        if behind is not None:
            pen.rectangle((x, y, x + WIDTH * len(text), y + HEIGHT), fill=behind)
        for i, letter in enumerate(text):  # each in its column, however wide the font has it
            pen.text((x + WIDTH * i, y), letter, fill=colour, font=_font())
    return np.asarray(picture, dtype=np.uint8).copy()


@cache
def _font() -> Any:
    """The letters of matplotlib, which comes with the same extra."""
    from matplotlib.font_manager import findfont
    from PIL import ImageFont

    return ImageFont.truetype(findfont("DejaVu Sans Mono"), SIZE)


def _pieces(state: State) -> Iterator[Piece]:
    """The painted position cut at the ends of its lines."""
    row = column = 0
    for text, style in state.game.paint(state.to_json()):
        made = Style.parse(style)
        colour, behind = _colour(made.color), _colour(made.bgcolor)
        for i, part in enumerate(text.split("\n")):
            if i:
                row, column = row + 1, 0
            if part:
                yield row, column, part, colour or INK, behind
            column += len(part)


def _colour(named: Any) -> Colour | None:
    return tuple(named.get_truecolor()) if named is not None and not named.is_default else None


def _extent(pieces: list[Piece]) -> tuple[int, int]:
    rows = max((row for row, *_ in pieces), default=0) + 1
    columns = max((column + len(text) for _, column, text, *_ in pieces), default=1)
    return 2 * EDGE + WIDTH * columns, 2 * EDGE + HEIGHT * rows


def _web(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
