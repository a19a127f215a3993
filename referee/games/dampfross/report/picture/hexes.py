"""Hexes: their ground and signs, the shores, and the labels that name them."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.hexes import Hex, neighbours
from referee.core.picture.drawing import Line, Polygon, Shape, Style, Text
from referee.core.picture.placing import Box
from referee.games.dampfross.board.railmap import MOUNTAIN, RailMap
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.areas import area_tints
from referee.games.dampfross.report.picture.layout import middle, outline

# The symbols stand in the right corner of a hex, where no track runs: it can still be read under six lines.
_PEAKS = ((11, 15), (26, -15), (32, -2), (36, -9), (48, 15))
_WAVES = ((-26, 0), (-13, -8), (0, 0), (13, -8), (26, 0))
_LABEL_SIZE = 23


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


def shores(board: RailMap) -> Iterator[Shape]:
    """Yield the shores: hex-sides with no ground beyond."""
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


def sign_boxes(board: RailMap) -> Iterator[Box]:
    """Yield boxes that cover the signs of mountains and lakes."""
    for label, kind in board.ground.items():
        if kind == MOUNTAIN:
            x, y = middle(label)
            yield x + 11, y - 15, x + 48, y + 15
    for label, kind in board.water.items():
        if kind == "o":
            x, y = middle(label)
            yield x - 40, y - 40, x + 40, y + 40
