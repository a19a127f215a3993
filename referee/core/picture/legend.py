"""A legend: what each sign and each line on a board means, in words that fit beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from referee.core.picture.drawing import Point, Shape, Style, Text, Translate
from referee.core.picture.labels import size_that_fits, text_width, truncate
from referee.core.picture.shades import INK, SHADES
from referee.core.picture.shapes import strokes
from referee.core.values import Value

Draw = Callable[[Point], Iterable[Shape]]  # what makes a sign around a point

SIZE = 30
_PIECE, _GAP, _APART = 80, 15, 45  # of a piece of line: its length, what is free before its words and behind them


class Look(Value):
    """A player or company as a board shows it: code, full name, a colour word; who leads it, and what it has."""

    code: str
    name: str
    colour: str
    person: str = ""
    balance: int | None = None

    @property
    def ink(self) -> str:
        """Its shade; black for a colour word that we do not know."""
        return SHADES.get(self.colour, INK)

    def words(self, translate: Translate) -> str:
        """Its name and colour."""
        colour = translate(self.colour)
        return f"{self.name} ({colour})" if self.name else colour


class Row(NamedTuple):
    """A line of a legend: it stands there *when* the board has such a thing."""

    words: str
    draw: Draw
    when: bool = True


def column(rows: Iterable[Row], at: Point, step: int, width: int, beside: int, size: int = SIZE) -> Iterator[Shape]:
    """Yield rows one below another, each with its words *beside* its sign, in a *width*."""
    x, y = at
    for row in rows:
        yield from row.draw((x, y))
        yield words_at((x + beside, y), row.words, width, size)
        y += step


def chips(at: Point, told: Iterable[tuple[Sequence[Style], str]], end: int, size: int = SIZE) -> Iterator[Shape]:
    """Yield pieces of lines, each with its words behind it, in a row; an ellipsis where no more fit before its *end*."""
    x, y = at
    for styles, words in told:
        width, behind = text_width(words, size, bold=True), _PIECE + max(style.width for style in styles) // 2 + _GAP
        if x + behind + width > end:
            yield words_at((x, y), "…", 60)
            return
        yield from strokes([((x, y), (x + _PIECE, y))], styles)
        yield Text((x + behind, y + size * 37 // 100), words, size, INK, "start", bold=True)
        x += behind + width + _APART


def words_at(at: Point, words: str, width: int, size: int = SIZE) -> Text:
    """Return words that fit into a width: smaller where they are long, cut where they are very long."""
    size = size_that_fits(words, range(size, size * 2 // 3 - 1, -3), width)
    return Text((at[0], at[1] + size * 37 // 100), truncate(words, size, width), size, INK, "start")


def heading(words: str, width: int) -> Text:
    """Return the heading of a picture, smaller where it is long."""
    size = size_that_fits(words, range(72, 21, -4), width - 120, bold=True)
    return Text((width // 2, 100), words, size, INK, bold=True)


def description(looks: Iterable[Look], translate: Translate) -> str:
    """Return the players or companies of a picture for those who cannot see it."""
    return ", ".join(f"{' '.join(filter(None, (look.code, look.name)))} ({translate(look.colour)})" for look in looks)
