"""How players have fared over the rounds, as a drawing: a line for each, its code and last amount behind it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.core.picture.drawing import Drawing, Line, Shape, Style, Text, pen
from referee.core.picture.shades import INK, WHITE
from referee.core.picture.shapes import strokes
from referee.core.values import Value

GRID = "#cfc9b8"

_WIDTH, _HEIGHT = 1000, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 80, 850, 70, 380
_STEPS = (5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
_TAG = 26  # height of what stands at the end of a line


class Course(Value):
    """A player's ``amounts``, the same number for each player, the last one of the round that is over; ``styles`` of his line."""

    code: str
    amounts: tuple[int, ...]
    styles: tuple[Style, ...]


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


def _ends(levels: dict[Course, int]) -> Iterator[Shape]:
    """Yield each player's code and amount behind his line, one below the other where lines end close together."""
    free = _TOP - _TAG
    for each in sorted(levels, key=lambda one: levels[one]):
        y = max(levels[each], free + _TAG)
        free = y
        yield Line(((_RIGHT, levels[each]), (_RIGHT + 16, y)), pen(INK, 1))
        yield Text((_RIGHT + 22, y + 8), f"{each.code} {each.amounts[-1]}", 22, INK, "start", bold=True)
