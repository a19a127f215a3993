"""Rivers: how each kind is drawn, where it winds, and its name along it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from math import isqrt

from referee.core.hexes import Side
from referee.core.picture.drawing import Line, Point, Shape, Style, Text
from referee.core.picture.placing import Box, Clutter, box_at, text_width
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.crossings import edge_of

_WIND = (0, 5, 7, 5, 0, -5, -7, -5, 0)  # how far aside a river winds on its way along a hex-side
_NAME = 22
RIVER_STYLES: dict[str, tuple[Style, ...]] = {
    "river": (Style(stroke=palette.RIVER, width=8),),
    "wide": (Style(stroke=palette.BANK, width=19), Style(stroke=palette.SEA, width=10)),
    "closed": (Style(stroke=palette.BANK, width=19), Style(stroke=palette.WHITE, width=9, dash=(4, 10))),
}


def rivers(board: RailMap) -> Iterator[Shape]:
    """Yield the rivers: what costs 2, what costs 4 (double banks), what is closed (barred)."""
    for kind, styles in RIVER_STYLES.items():
        for style in styles:
            for crossing in _sides_of_kind(board, kind):
                yield Line(points=meander(*edge_of(crossing)), style=style)


def meander(start: Point, end: Point) -> tuple[Point, ...]:
    """Return a winding line between two points: no company's line winds, so that a river is known without its colour."""
    (x1, y1), (x2, y2) = start, end
    dx, dy, steps = x2 - x1, y2 - y1, len(_WIND) - 1
    length = max(1, isqrt(dx * dx + dy * dy))
    return tuple(
        (x1 + dx * n // steps - dy * aside // length, y1 + dy * n // steps + dx * aside // length)
        for n, aside in enumerate(_WIND)
    )


def _sides_of_kind(board: RailMap, kind: str) -> tuple[Side, ...]:
    every = (crossing for river in board.river_lines for crossing in river.sides)
    return tuple(crossing for crossing in every if river_kind(board, crossing) == kind)


def river_kind(board: RailMap, crossing: Side) -> str:
    """Return ``river``, ``wide`` or ``closed``."""
    if crossing in board.closed or crossing not in board.rivers:  # closed but for a bridge
        return "closed"
    return "wide" if board.rivers[crossing] > 2 else "river"


def river_boxes(board: RailMap) -> Iterator[Box]:
    """Yield boxes that cover the rivers."""
    for river in board.river_lines:
        for crossing in river.sides:
            (x1, y1), (x2, y2) = edge_of(crossing)
            yield min(x1, x2) - 5, min(y1, y2) - 5, max(x1, x2) + 5, max(y1, y2) + 5


def river_names(board: RailMap, clutter: Clutter) -> Iterator[Text]:
    """Yield each river's name once, near the middle of its course and where least is covered."""
    for river in board.river_lines:
        width = text_width(river.name, _NAME)
        best: tuple[int, Box] | None = None
        for n, crossing in enumerate(river.sides):
            (x1, y1), (x2, y2) = edge_of(crossing)
            astray = abs(2 * n - len(river.sides)) * 300
            for dx, dy in ((0, -22), (0, 22), (width // 2 + 16, 0), (-width // 2 - 16, 0)):
                box = box_at((x1 + x2) // 2 + dx, (y1 + y2) // 2 + dy, width, _NAME)
                if best is not None and astray > best[0]:
                    continue
                rated = (clutter.cost(box, sys.maxsize if best is None else best[0] - astray) + astray, box)
                best = rated if best is None or rated < best else best
        if best is not None:
            left, _, right, bottom = best[1]
            clutter.add(best[1], 60)
            yield Text(
                at=((left + right) // 2, bottom - 5),
                text=river.name,
                size=_NAME,
                fill=palette.BANK,
                italic=True,
                halo=True,
            )
