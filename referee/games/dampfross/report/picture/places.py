"""Cities, junctions, specials and their names; names keep clear of discs, of each other and, where they can, of track."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from referee.core.hexes import Hex
from referee.core.picture.drawing import Circle, Point, Polygon, Shape, Style, Text
from referee.core.picture.placing import Box, Clutter, box_at, text_width
from referee.games.dampfross.board.railmap import RailMap, Station
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.palette import CompanyLook
from referee.games.dampfross.report.picture.paper import middle
from referee.games.dampfross.report.picture.track import tag

RADIUS, MINOR_RADIUS = 29, 23
_NAME, _JUNCTION_NAME, _SPECIAL, _FLAG = 34, 24, 22, 22
_TAKEN = 100  # weight of what must not be covered
_PASSES = 3
_KEYS_WIDE, _KEYS_HIGH, _KEY_ROWS = 5, 3, 30  # on a disc: characters in one line, lines, the height of all


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plate:
    """What is written beside a place: its name, below it the flags of the companies at home there."""

    at: Point
    radius: int
    name: str
    size: int
    flags: tuple[CompanyLook, ...] = ()

    def extent(self) -> tuple[int, int]:
        """Width and height."""
        flags = sum(_flag_width(look) + 6 for look in self.flags)
        width = max(text_width(self.name, self.size, bold=True), flags)
        return width, self.size + (_FLAG + 10 if self.flags else 0)


def home_terminals(board: RailMap) -> frozenset[Hex]:
    """Return the cities of a map where some number of companies may start."""
    return frozenset(label for hexes in board.homes.values() for label in worth_a_ring(board, hexes))


def worth_a_ring(board: RailMap, homes: Collection[Hex]) -> Collection[Hex]:
    """Return *homes*, or none where every city may be one: a ring would say nothing."""
    return homes if len(homes) < len(board.stations) else ()


def discs(board: RailMap, starts: frozenset[Hex]) -> Iterator[Shape]:
    """Yield junctions, special destinations and cities with their keys, those of *starts* with a double ring."""
    for label, words in _special_words(board).items():
        (x, y) = middle(label)
        yield Text(at=(x, y + 47), text=words, size=_SPECIAL, fill=palette.BORDER, bold=True, halo=True)
    for junction in board.junctions:
        x, y = middle(junction.hex)
        corners = ((x - 13, y), (x, y - 13), (x + 13, y), (x, y + 13))
        yield Polygon(points=corners, style=Style(fill=palette.WHITE, stroke=palette.INK, width=5), title=junction.name)
    for station in board.stations:
        home = station.hex in starts
        yield from disc(middle(station.hex), station.keys, home=home, minor=station.minor, title=station.name)


def disc(at: Point, keys: tuple[int, ...], *, home: bool, minor: bool = False, title: str = "") -> Iterator[Shape]:
    """Yield a city; a minor town is smaller and grey."""
    if minor:
        style = Style(fill=palette.HOME_RING if home else palette.MINOR, stroke=palette.INK, width=3)
        yield Circle(at=at, radius=MINOR_RADIUS, style=style, title=title)
    else:
        fill = palette.HOME_RING if home else palette.WHITE
        yield Circle(at=at, radius=RADIUS, style=Style(fill=fill, stroke=palette.INK, width=5), title=title)
    if home and not minor:
        yield Circle(at=at, radius=RADIUS - 7, style=Style(fill=palette.WHITE, stroke=palette.INK, width=2))
    lines = key_lines(keys)
    size = (22 if minor else 27) if len(lines[0]) <= 2 and len(lines) == 1 else 15 if home or minor else 17
    size = min(size, _KEY_ROWS // len(lines) - 2 * home)
    top = at[1] - size * (len(lines) - 1) // 2 + size * 36 // 100
    for row, words in enumerate(lines):
        yield Text(at=(at[0], top + size * row), text=words, size=size, fill=palette.INK, bold=True)


def key_lines(keys: tuple[int, ...]) -> tuple[str, ...]:
    """Return a city's keys as on its disc, line by line: ``15``, ``12-14``, ``21+25``; three lines at the most."""
    runs: list[list[int]] = []
    for before, key in pairwise((0, *keys)):
        if runs and key == before + 1:
            runs[-1].append(key)
        else:
            runs.append([key])
    words = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    if len("+".join(words)) <= _KEYS_WIDE:
        return ("+".join(words),)
    return tuple(words) if len(words) <= _KEYS_HIGH else (*words[: _KEYS_HIGH - 1], f"…{words[-1]}")


def place_boxes(board: RailMap) -> Iterator[Box]:
    """Yield what names must not cover: the discs, the junctions' signs, the ends of specials."""
    for station in board.stations:
        yield _square(middle(station.hex), RADIUS + 3)
    for junction in board.junctions:
        yield _square(middle(junction.hex), 15)
    for label, words in _special_words(board).items():
        x, y = middle(label)
        yield box_at(x, y + 39, text_width(words, _SPECIAL, bold=True), _SPECIAL)


def names(
    board: RailMap, homes: Mapping[str, Hex], companies: tuple[CompanyLook, ...], clutter: Clutter, edge: Box
) -> Iterator[Shape]:
    """Yield the names. Each takes the spot that covers least; then all move once more, knowing the others, while one does."""
    plates = [_station_plate(station, homes, companies) for station in board.stations]
    plates += [
        _Plate(at=middle(junction.hex), radius=15, name=junction.name, size=_JUNCTION_NAME)
        for junction in board.junctions
    ]
    spots: list[Box | None] = [None] * len(plates)
    for _ in range(_PASSES):
        stood = list(spots)
        for n, plate in enumerate(plates):
            before = spots[n]
            if before is not None:
                clutter.remove(before, _TAKEN)
            spots[n] = best = _best_spot(plate, clutter, edge)
            clutter.add(best, _TAKEN)
        if spots == stood:
            break
    for plate, spot in zip(plates, spots, strict=True):
        if spot is not None:
            yield from _written(plate, spot)


def _station_plate(station: Station, homes: Mapping[str, Hex], companies: tuple[CompanyLook, ...]) -> _Plate:
    flags = tuple(look for look in companies if homes.get(look.code) == station.hex)
    return _Plate(at=middle(station.hex), radius=RADIUS, name=station.name, size=_NAME, flags=flags)


def _best_spot(plate: _Plate, clutter: Clutter, edge: Box) -> Box:
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


def _spots(plate: _Plate, width: int, height: int) -> Iterator[Point]:
    """Yield upper left corners all around the disc."""
    (x, y), reach = plate.at, plate.radius + 6
    near = reach * 7 // 10
    yield from ((x + reach, y - height // 2), (x - reach - width, y - height // 2))
    yield from ((x - width // 2, y - reach - height), (x - width // 2, y + reach))
    for dy in (-near - height // 2, near - height // 2, -near - height, near):
        yield from ((x + near, y + dy), (x - near - width, y + dy))
    for dy in (-reach - height, reach):
        yield from ((x - width // 4, y + dy), (x - width * 3 // 4, y + dy), (x, y + dy), (x - width, y + dy))
    for dy in (5 - height, -height, 0):  # the first of them lies clear of the names of the hexes beside
        yield from ((x + reach, y + dy), (x - reach - width, y + dy))
    for dy in (-reach - height - 18, reach + 18):
        yield x - width // 2, y + dy


def _written(plate: _Plate, spot: Box) -> Iterator[Shape]:
    left, top, right, _ = spot
    x = (left + right) // 2
    at = (x, top + plate.size * 86 // 100)
    yield Text(at=at, text=plate.name, size=plate.size, fill=palette.INK, bold=True, halo=True)
    start = x - sum(_flag_width(look) + 6 for look in plate.flags) // 2
    for look in plate.flags:
        width = _flag_width(look)
        box = (start, top + plate.size + 3, start + width, top + plate.size + 9 + _FLAG)
        yield from tag(box, look.code, palette.ink_of(look), palette.INK, _FLAG)
        start += width + 6


def _flag_width(look: CompanyLook) -> int:
    return text_width(look.code, _FLAG, bold=True) + 12


def _special_words(board: RailMap) -> dict[Hex, str]:
    """Return what is written in the ends of specials: ``@3+4`` for the ends of both."""
    ends: dict[Hex, list[int]] = {}
    for special in board.specials:
        for label in special.hexes:
            ends.setdefault(label, []).append(special.number)
    return {label: f"@{'+'.join(map(str, numbers))}" for label, numbers in ends.items()}


def _square(at: Point, half: int) -> Box:
    return at[0] - half, at[1] - half, at[0] + half, at[1] + half
