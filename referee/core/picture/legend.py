"""What stands beside a board: a legend of its signs and lines in words that fit, and the chart of how players have fared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from .. import Numbers, Value
from . import (
    INK,
    SHADES,
    WHITE,
    Drawing,
    Line,
    Point,
    Polygon,
    Shape,
    Shapes,
    Style,
    Styles,
    Text,
    Translate,
    pen,
)
from .shapes import Box, Obstacles, rectangle, size_that_fits, strokes, text_width, truncate

Draw = Callable[[Point], Iterable[Shape]]  # what makes a sign around a point

SIZE = 30
CARTOUCHE = "#fbf7e9"
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


Looks = tuple[Look, ...]  # in the order of play


class Row(NamedTuple):
    """A line of a legend."""

    words: str
    draw: Draw


def column(rows: Iterable[Row], at: Point, step: int, width: int, beside: int, size: int = SIZE) -> Shapes:
    """Yield rows one below another, each with its words *beside* its sign, in a *width*."""
    x, y = at
    for row in rows:
        yield from row.draw((x, y))
        yield words_at((x + beside, y), row.words, width, size)
        y += step


def chips(at: Point, told: Iterable[tuple[Sequence[Style], str]], end: int, size: int = SIZE) -> Shapes:
    """Yield pieces of lines, each with its words behind it, in a row; an ellipsis where no more fit before its *end*."""
    x, y = at
    for styles, words in told:
        width, behind = text_width(words, size), _PIECE + max(style.width for style in styles) // 2 + _GAP
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
    return Text((width // 2, 84), words, size, INK, bold=True, serif=True)


def empty_corner(area: Box, sizes: Iterable[Point], inset: int, taken: Obstacles) -> Box | None:
    """Return where the first of some sizes has room in a corner of an area where nothing is *taken*, None where none has."""
    left, top, right, bottom = area
    for wide, high in sizes:
        for y in (top + inset, bottom - inset - high):
            for x in (left + inset, right - inset - wide):
                if not taken.conflict(box := (x, y, x + wide, y + high), 0):
                    return box
    return None


def frame(box: Box, size: int, title: str, words: str) -> Shapes:
    """Yield a cartouche with a title, and below it what is shown; seven times the *size* of its letters high is its head."""
    left, top, right, bottom = box
    for inset, width in ((0, 5), (12, 2)):
        edge = rectangle((left + inset, top + inset, right - inset, bottom - inset))
        yield Polygon(edge, Style(CARTOUCHE, INK, width))
    mid, name = (left + right) // 2, title.upper()
    large = size_that_fits(name, range(4 * size, size, -4), right - left - 120, bold=True)
    yield Text((mid, top + 4 * size), name, large, INK, serif=True)
    yield Text((mid, top + 11 * size // 2), words, size * 11 // 10, INK, italic=True, serif=True)


def description(looks: Iterable[Look], translate: Translate) -> str:
    """Return the players or companies of a picture for those who cannot see it."""
    return ", ".join(f"{' '.join(filter(None, (look.code, look.name)))} ({translate(look.colour)})" for look in looks)


# How players have fared over the rounds, as a drawing: a line for each, its code and last amount behind it.

GRID = "#cfc9b8"

_WIDTH, _HEIGHT = 1000, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 850, 70, 380
_STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
_TAG = 26  # height of what stands at the end of a line


class Course(Value):
    """A player's ``amounts``, the same number for each player, the last one of the round that is over; ``styles`` of the line."""

    code: str
    amounts: Numbers
    styles: Styles


def draw_chart(title: str, courses: Sequence[Course], last: int) -> Drawing | None:
    """Return the chart to round *last*; None before there are two rounds to be joined by a line."""
    count = max((len(each.amounts) for each in courses), default=0)
    if count < 2:
        return None
    every = [amount for each in courses for amount in each.amounts]
    low, high, step = _scale(min(0, *every), max(every))
    xs = tuple(_LEFT + (_RIGHT - _LEFT) * n // (count - 1) for n in range(count))

    def level(amount: int) -> int:
        return _BOTTOM - (_BOTTOM - _TOP) * (amount - low) // (high - low)

    shapes: list[Shape] = [Text((_WIDTH // 2, 42), title, 30, INK, bold=True)]
    for amount in range(low, high + 1, step):
        y = level(amount)
        shapes.append(Line(((_LEFT, y), (_RIGHT, y)), pen(GRID if amount else INK, 2)))
        shapes.append(Text((_LEFT - 12, y + 8), str(amount), 22, INK, "end"))
    for n, x in enumerate(xs):
        shapes.append(Text((x, _BOTTOM + 36), str(last - count + 1 + n), 22, INK))
    for each in courses:
        shapes += strokes([tuple(zip(xs, map(level, each.amounts), strict=True))], each.styles)
    shapes += _ends({each: level(each.amounts[-1]) for each in courses})
    return Drawing(width=_WIDTH, height=_HEIGHT, background=WHITE, parts=tuple(shapes), title=title)


def _scale(least: int, most: int) -> tuple[int, int, int]:
    """Return the lowest and highest line, and the step between lines: six at the most."""
    span = max(1, most - least)
    step = next((step for step in _STEPS if span <= 6 * step), span)
    return least // step * step, max(-(-most // step) * step, least // step * step + step), step


def _ends(levels: dict[Course, int]) -> Shapes:
    """Yield each player's code and amount behind their line, one below the other where lines end close together."""
    free = _TOP - _TAG
    for each in sorted(levels, key=lambda one: levels[one]):
        y = max(levels[each], free + _TAG)
        free = y
        yield Line(((_RIGHT, levels[each]), (_RIGHT + 16, y)), pen(INK, 1))
        yield Text((_RIGHT + 22, y + 8), f"{each.code} {each.amounts[-1]}", 22, INK, "start", bold=True)
