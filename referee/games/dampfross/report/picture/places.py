"""The names of cities and junctions. They keep clear of discs and of each other, and stay where they are from turn to turn.

So they cannot go round track that is laid later; they keep off the ways by which it leaves a city instead.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from functools import lru_cache

from referee.core.hexes import Hex, neighbours
from referee.core.picture.drawing import Point, Shape, Text
from referee.core.picture.placing import Box, Clutter, box_at, text_width
from referee.core.values import Value
from referee.games.dampfross.board.railmap import RailMap, Station
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.discs import Half, extent
from referee.games.dampfross.report.picture.layout import middle
from referee.games.dampfross.report.picture.palette import CompanyLook
from referee.games.dampfross.report.picture.track import tag

_NAME, _JUNCTION_NAME, _FLAG = 32, 24, 22
_TAKEN = 100  # weight of what must not be covered
_PASSES = 3
_BOARDS = 8  # whose names' places are kept

Taken = tuple[tuple[Box, int], ...]  # what names keep clear of, each with its weight


class Plate(Value):
    """What is written beside a place: its name, and below it room for the flags of companies that are at home there."""

    at: Point
    half: Half
    name: str
    size: int
    flagged: bool = False

    def extent(self) -> tuple[int, int]:
        """Width and height."""
        return text_width(self.name, self.size, bold=True), self.size + (_FLAG + 10 if self.flagged else 0)


def home_terminals(board: RailMap) -> frozenset[Hex]:
    """Return the cities of a map where some number of companies may start."""
    return frozenset(label for hexes in board.homes.values() for label in worth_a_ring(board, hexes))


def worth_a_ring(board: RailMap, homes: Collection[Hex]) -> Collection[Hex]:
    """Return *homes*, or none where every city may be one: a ring would say nothing."""
    return homes if len(homes) < len(board.stations) else ()


@lru_cache(maxsize=_BOARDS)
def spots(board: RailMap, edge: Box, taken: Taken) -> tuple[tuple[Plate, Box], ...]:
    """Return where the names of a board stand. Each takes the spot that covers least; then all move once more, knowing the
    others, while one does. *taken*: what they keep clear of, with its weight.
    """
    clutter = Clutter()
    for box, weight in taken:
        clutter.add(box, weight)
    homes = home_terminals(board)
    plates = [_station_plate(station, station.hex in homes) for station in board.stations]
    plates += [
        Plate(at=middle(junction.hex), half=(15, 15), name=junction.name, size=_JUNCTION_NAME)
        for junction in board.junctions
    ]
    found: list[Box | None] = [None] * len(plates)
    for _ in range(_PASSES):
        stood = list(found)
        for n, plate in enumerate(plates):
            before = found[n]
            if before is not None:
                clutter.remove(before, _TAKEN)
            found[n] = best = _best_spot(plate, clutter, edge)
            clutter.add(best, _TAKEN)
        if found == stood:
            break
    return tuple((plate, spot) for plate, spot in zip(plates, found, strict=True) if spot is not None)


def ways_out(board: RailMap) -> Iterator[Box]:
    """Yield boxes on the ways by which track leaves the cities."""
    for station in board.stations:
        x, y = middle(station.hex)
        for other in neighbours(station.hex):
            if other in board.ground:
                beyond_x, beyond_y = middle(other)
                yield box_at((x + beyond_x) // 2, (y + beyond_y) // 2, 40, 40)


def written(plate: Plate, spot: Box, flags: tuple[CompanyLook, ...]) -> Iterator[Shape]:
    """Yield a name in its place, below it the companies that are at home there."""
    left, top, right, _ = spot
    x = (left + right) // 2
    at = (x, top + plate.size * 86 // 100)
    yield Text(at=at, text=plate.name, size=plate.size, fill=palette.INK, bold=True, halo=True)
    start = _row_start(plate, spot, sum(_flag_width(look) + 6 for look in flags))
    for look in flags:
        width = _flag_width(look)
        box = (start, top + plate.size + 3, start + width, top + plate.size + 9 + _FLAG)
        yield from tag(box, look.code, palette.ink_of(look), palette.INK, _FLAG)
        start += width + 6


def _row_start(plate: Plate, spot: Box, width: int) -> int:
    """Return where a row of flags begins: below the name, and away from the disc where it is longer than the name."""
    left, _, right, _ = spot
    if left >= plate.at[0]:
        return left
    return right - width if right <= plate.at[0] else (left + right - width) // 2


def _station_plate(station: Station, home: bool) -> Plate:
    half = extent(station.keys, minor=station.minor)
    return Plate(at=middle(station.hex), half=half, name=station.name, size=_NAME, flagged=home)


def _best_spot(plate: Plate, clutter: Clutter, edge: Box) -> Box:
    """Return the box beside a place where least is covered; right and left are liked a little better than askew."""
    width, height = plate.extent()
    best: tuple[int, Box] | None = None
    for liking, (left, top) in enumerate(_spots(plate, width, height)):
        box = (left, top, left + width, top + height)
        outside = (
            max(0, edge[0] - box[0]) + max(0, box[2] - edge[2]) + max(0, edge[1] - box[1]) + max(0, box[3] - edge[3])
        )
        aside = outside * 10_000 + liking * 150
        if best is not None and aside > best[0]:
            continue
        rated = (clutter.cost(box, sys.maxsize if best is None else best[0] - aside) + aside, box)
        best = rated if best is None or rated < best else best
    assert best is not None
    return best[1]


def _spots(plate: Plate, width: int, height: int) -> Iterator[Point]:
    """Yield upper left corners all around the disc."""
    (x, y), (reach, rise) = plate.at, (plate.half[0] + 6, plate.half[1] + 6)
    near = min(reach, rise) * 7 // 10
    yield from ((x + reach, y - height // 2), (x - reach - width, y - height // 2))
    yield from ((x - width // 2, y - rise - height), (x - width // 2, y + rise))
    for dy in (-near - height // 2, near - height // 2, -near - height, near):
        yield from ((x + reach - rise + near, y + dy), (x - reach + rise - near - width, y + dy))
    for dy in (-rise - height, rise):
        yield from ((x - width // 4, y + dy), (x - width * 3 // 4, y + dy), (x, y + dy), (x - width, y + dy))
    for dy in (5 - height, -height, 0):  # the first of them lies clear of the names of the hexes beside
        yield from ((x + reach, y + dy), (x - reach - width, y + dy))
    for dy in (-rise - height - 18, rise + 18):
        yield x - width // 2, y + dy


def _flag_width(look: CompanyLook) -> int:
    return text_width(look.code, _FLAG, bold=True) + 12
