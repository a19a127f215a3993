"""Hexes and their labels, mountains, lakes, shores, borders, rivers, names of areas."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from math import isqrt

from referee.core.hexes import Hex, Side, neighbours, parse_hex, side
from referee.core.picture.drawing import Line, Point, Polygon, Shape, Style, Text
from referee.core.picture.placing import Box, Clutter, box_at, text_width
from referee.games.dampfross.board.railmap import MOUNTAIN, RailMap
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.crossings import edge_of
from referee.games.dampfross.report.picture.paper import middle, outline

# The symbols stand in the right corner of a hex, where no track runs: it can still be read under six lines.
_PEAKS = ((11, 15), (26, -15), (32, -2), (36, -9), (48, 15))
_WAVES = ((-26, 0), (-13, -8), (0, 0), (13, -8), (26, 0))
_WIND = (0, 5, 7, 5, 0, -5, -7, -5, 0)  # how far aside a river winds on its way along a hex-side
_LABEL_SIZE = 23
_RIVER_NAME, _AREA_NAME = 22, 54
_ROOM = 6  # hexes


def land(board: RailMap) -> Iterator[Shape]:
    """Yield the ground: hexes by area, water, mountains."""
    for label, kind in sorted(board.water.items(), key=lambda item: middle(item[0])):
        if kind == "o":
            yield Polygon(points=outline(label), style=Style(fill=palette.LAKE), title=board.hex_name(label))
        elif kind == "-":
            yield Polygon(points=outline(label), style=Style(fill=palette.OUTSIDE))
    for label, kind in sorted(board.water.items(), key=lambda item: middle(item[0])):
        if kind == "o":
            yield from waves(middle(label))
    tints = area_tints(board)
    for fill in (*dict.fromkeys(tints.values()), palette.HILL):
        style = Style(fill=fill, stroke=palette.GRID, width=2)
        for label, kind in board.ground.items():
            if (palette.HILL if kind == MOUNTAIN else tints[board.area[label]]) == fill:
                yield Polygon(points=outline(label), style=style, title=board.hex_name(label))
    for label, kind in board.ground.items():
        if kind == MOUNTAIN:
            yield peaks(middle(label))


def peaks(at: tuple[int, int]) -> Polygon:
    """Return the sign of a mountain hex around the hex's centre."""
    return Polygon(points=tuple((at[0] + x, at[1] + y) for x, y in _PEAKS), style=Style(fill=palette.PEAK))


def waves(at: tuple[int, int]) -> Iterator[Line]:
    """Yield the sign of a lake hex."""
    for dy in (-12, 14):
        points = tuple((at[0] + x, at[1] + y + dy) for x, y in _WAVES)
        yield Line(points=points, style=Style(stroke=palette.BANK, width=3))


def area_tints(board: RailMap) -> dict[str, str]:
    """Return the paper colour of each area's plains: foreign ones are greyer."""
    homes = [letter for letter in board.areas if letter in board.home_areas]
    others = [letter for letter in board.areas if letter not in board.home_areas]
    tints = {letter: palette.HOME_TINTS[n % len(palette.HOME_TINTS)] for n, letter in enumerate(homes)}
    return tints | {letter: palette.FOREIGN_TINTS[n % len(palette.FOREIGN_TINTS)] for n, letter in enumerate(others)}


def edges(board: RailMap) -> Iterator[Shape]:
    """Yield shores, then borders between areas."""
    shore = Style(stroke=palette.SHORE, width=5)
    for label in board.ground:
        x, y = middle(label)
        corners = outline(label)
        inside = {middle(other) for other in neighbours(label) if other in board.ground}
        for n in range(6):
            one, other = corners[n], corners[(n + 1) % 6]
            beyond = (one[0] + other[0] - x, one[1] + other[1] - y)
            if beyond not in inside:
                yield Line(points=(one, other), style=shore)
    borders = tuple(_borders(board))
    for style in (Style(stroke=palette.WHITE, width=9), Style(stroke=palette.BORDER, width=5, dash=(15, 9))):
        for crossing in borders:
            yield Line(points=edge_of(crossing), style=style)


def _borders(board: RailMap) -> Iterator[Side]:
    for label, letter in board.area.items():
        for other in neighbours(label):
            if other > label and other in board.area and board.area[other] != letter:
                yield side(label, other)


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


def labels(board: RailMap) -> Iterator[Text]:
    """Yield the names of the hexes: all letters, left of the track that leaves to the north, then all numbers, right of it.

    Neighbours of one look share a group of the SVG: it has half the size so.
    """
    named = [(middle(label), board.hex_name(label)) for label in board.ground]
    split = [(at, name.rstrip("0123456789"), name) for at, name in named]
    for (x, y), letters, _ in split:
        yield Text(at=(x - 5, y - 31), text=letters, size=_LABEL_SIZE, fill=palette.LABEL, anchor="end", halo=True)
    for (x, y), letters, name in split:
        number = name[len(letters) :]
        yield Text(at=(x + 5, y - 31), text=number, size=_LABEL_SIZE, fill=palette.LABEL, anchor="start", halo=True)


def label_box(label: Hex) -> Box:
    """Return where a hex's name stands."""
    x, y = middle(label)
    return x - 38, y - 48, x + 38, y - 28


def river_boxes(board: RailMap) -> Iterator[Box]:
    """Yield boxes that cover the rivers and the signs of mountains and lakes."""
    for river in board.river_lines:
        for crossing in river.sides:
            (x1, y1), (x2, y2) = edge_of(crossing)
            yield min(x1, x2) - 5, min(y1, y2) - 5, max(x1, x2) + 5, max(y1, y2) + 5
    for label, kind in board.ground.items():
        if kind == MOUNTAIN:
            x, y = middle(label)
            yield x + 11, y - 15, x + 48, y + 15
    for label, kind in board.water.items():
        if kind == "o":
            x, y = middle(label)
            yield x - 40, y - 40, x + 40, y + 40


def river_names(board: RailMap, clutter: Clutter) -> Iterator[Text]:
    """Yield each river's name once, near the middle of its course and where least is covered."""
    for river in board.river_lines:
        width = text_width(river.name, _RIVER_NAME)
        best: tuple[int, Box] | None = None
        for n, crossing in enumerate(river.sides):
            (x1, y1), (x2, y2) = edge_of(crossing)
            astray = abs(2 * n - len(river.sides)) * 300
            for dx, dy in ((0, -22), (0, 22), (width // 2 + 16, 0), (-width // 2 - 16, 0)):
                box = box_at((x1 + x2) // 2 + dx, (y1 + y2) // 2 + dy, width, _RIVER_NAME)
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
                size=_RIVER_NAME,
                fill=palette.BANK,
                italic=True,
                halo=True,
            )


def named_on_map(board: RailMap) -> tuple[str, ...]:
    """Return the foreign areas with room for their name on their own ground; the others stand in the legend."""
    hexes = Counter(board.area.values())
    return tuple(letter for letter in board.areas if letter not in board.home_areas and hexes[letter] >= _ROOM)


def foreign_names(board: RailMap, clutter: Clutter) -> Iterator[Text]:
    """Yield the names of the foreign areas, large and pale, over their own ground."""
    for letter in named_on_map(board):
        title = board.areas[letter]
        hexes = [label for label in board.ground if board.area[label] == letter]
        _, (left, _, right, bottom), size = min(_area_box(label, title, clutter, hexes) for label in hexes)
        at = ((left + right) // 2, bottom - size // 5)
        yield Text(at=at, text=title, size=size, fill=palette.AREA_NAME, bold=True, italic=True, halo=True)


def _area_box(label: Hex, title: str, clutter: Clutter, hexes: list[Hex]) -> tuple[int, Box, int]:
    """Return (cost, box, size) of an area's name around a hex: what it covers, what sticks out, how far off the middle."""
    size = min(_AREA_NAME, 26 + len(hexes))
    x, y = middle(label)
    box = box_at(x, y, text_width(title, size, bold=True), size)
    own = {parse_hex(other) for other in hexes}
    column, row = parse_hex(label)
    reach = (box[2] - box[0]) // 2 // 90 + 1
    outside = sum((column + dx, row + dy) not in own for dx in range(-reach, reach + 1) for dy in (-1, 0, 1))
    mid_x = sum(middle(other)[0] for other in hexes) // len(hexes)
    mid_y = sum(middle(other)[1] for other in hexes) // len(hexes)
    return clutter.cost(box) // 4 + outside * 20_000 + (abs(x - mid_x) + abs(y - mid_y)) * 10, box, size
