"""A terminal that shows what is printed and never obeys it: names in files may hold anything."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from stammtisch.core.errors import shown


class PlainConsole(Console):
    """Colours and bars are Rich's own; in texts, whatever a terminal would take for a command is an escape."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable():
                yield segment
            else:
                yield segment._replace(text=shown(segment.text, lines=True))
