"""Places: cities with their keys, junctions and the ends of specials as signs inside their hex, and the names beside them.

Names keep clear of discs and of each other, and stay where they are from turn to turn. So they cannot go round track that is laid
later; they keep off the ways by which it leaves a city instead.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product

from referee.core import Hex, Numbers, Texts, Value, distance, neighbours
from referee.core.picture import INK, WHITE, Circle, Point, Polygon, Shapes, Style, Text
from referee.core.picture.legend import Look, Looks
from referee.core.picture.shapes import (
    Box,
    Obstacles,
    between,
    beyond,
    box_at,
    centre_text,
    name_in,
    rectangle,
    text_width,
    transform,
)

from ...board import RailMap, Station
from . import COLOURS, OUTLINES
from .ground import NAME, SIGN, letters, middle
from .track import row_of_tags, row_width

RADIUS, MINOR_RADIUS = 41, 31
RING = 6  # width of the ring of a home terminal
KEYS_WIDE, KEYS_HIGH = 5, 3  # characters in one tag, tags

_SPECIAL, _EVERY = 26, 5  # size; hexes from one large sign of a special to the next
_ONE, _MINOR, _DOT = 50, 36, 12  # sizes of a key, of the dot of a city with several
_JUNCTION_NAME = 28

Half = tuple[int, int]  # of width and height


class Plate(Value):
    """What is written beside a place: its name; below it stand the flags of companies that are at home there."""

    at: Point
    half: Half
    name: str
    size: int
    flag: int = 0  # size of its keys and of a company's acronym below it
    has_room: bool = False  # for that
    keys: Looks = ()  # beside it, if it has several

    @property
    def is_lesser(self) -> bool:
        """Whether it is a junction's, which only a large picture shows."""
        return self.size == _JUNCTION_NAME


def signs(board: RailMap, starts: Collection[Hex]) -> Shapes:
    """Yield junctions, cities with their keys, those of *starts* with a ring, and special destinations."""
    for junction in board.junctions:
        yield from junction_sign(middle(junction.hex), junction.name)
    for station in board.stations:
        home = station.hex in starts
        yield from disc(middle(station.hex), station.keys, home=home, minor=station.minor, title=station.name)
    busy, said = {plate.at for plate in _plates(board)}, list[tuple[Hex, str]]()
    for label, words in special_words(board).items():  # every few hexes one that can be read on a screen
        if middle(label) not in busy and all(words != other or distance(label, at) >= _EVERY for at, other in said):
            said.append((label, words))
            yield centre_text(middle(label), words, letters(board, SIGN), COLOURS["border"]).but(halo=True)


def specials(board: RailMap) -> Shapes:
    """Yield small signs of special destinations. Rivers and lines run below one: it stands on a piece of white."""
    for label, words in special_words(board).items():
        x, y = middle(label)
        half = text_width(words, _SPECIAL) // 2 + 3
        yield Polygon(rectangle((x - half, y + 31, x + half, y + 49)), Style(WHITE, opacity=85))
        yield Text((x, y + 48), words, _SPECIAL, COLOURS["border"], bold=True)


def junction_sign(at: Point, title: str = "") -> Iterator[Polygon]:
    """Yield the sign of a junction."""
    yield Polygon(transform(OUTLINES["junction"], at), Style(WHITE, INK, 5), title)


def disc(at: Point, keys: Numbers, *, home: bool, minor: bool = False, title: str = "") -> Shapes:
    """Yield a city with its key, or a dot where it has several, which stand beside its name; a minor town is smaller and grey."""
    radius = _radius(keys, minor=minor)
    if home:
        yield Circle(at, radius + RING, Style(COLOURS["home-ring"], INK, 4), title)
    edge = Style(COLOURS["minor"] if minor else WHITE, INK, 3 if minor or home else 5)
    yield Circle(at, radius, edge, "" if home else title)
    if len(keys) > 1:
        yield Circle(at, _DOT, Style(INK))
    else:
        yield centre_text(at, str(*keys), _MINOR if minor else _ONE)


def key_lines(keys: Numbers) -> Texts:
    """Return a city's keys, tag by tag: ``15``, ``12-14``, ``21+25``; three tags at the most."""
    runs: list[list[int]] = []
    for before, key in pairwise((0, *keys)):
        if runs and key == before + 1:
            runs[-1].append(key)
        else:
            runs.append([key])
    words = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    if len("+".join(words)) <= KEYS_WIDE:
        return ("+".join(words),)
    return tuple(words) if len(words) <= KEYS_HIGH else (*words[: KEYS_HIGH - 1], f"…{words[-1]}")


def sign_boxes(board: RailMap) -> Iterator[Box]:
    """Yield what names must not cover: the discs, the junctions' signs, the ends of specials."""
    for plate in _plates(board):
        wide, high = plate.half
        yield box_at(plate.at, 2 * wide + 6, 2 * high + 6)
    for label, words in special_words(board).items():
        x, y = middle(label)
        yield box_at((x, y + 42), text_width(words, _SPECIAL), _SPECIAL)


def extent(station: Station) -> Half:
    """Return half of the width and height of a city's disc, with a ring that it may have."""
    radius = _radius(station.keys, minor=station.minor) + RING
    return radius, radius


def _radius(keys: Numbers, *, minor: bool) -> int:
    return MINOR_RADIUS if minor or len(keys) > 1 else RADIUS


def special_words(board: RailMap) -> dict[Hex, str]:
    """Return what is written in the ends of specials: ``@3+4`` for the ends of both."""
    ends: dict[Hex, list[int]] = {}
    for special in board.specials:
        for label in special.hexes:
            ends.setdefault(label, []).append(special.number)
    return {label: f"@{'+'.join(map(str, numbers))}" for label, numbers in ends.items()}


def home_terminals(board: RailMap) -> frozenset[Hex]:
    """Return the cities of a map where some number of companies may start."""
    return frozenset(label for hexes in board.homes.values() for label in worth_a_ring(board, hexes))


def worth_a_ring(board: RailMap, homes: Collection[Hex]) -> Collection[Hex]:
    """Return *homes*, or none where every city may be one: a ring would say nothing."""
    return homes if len(homes) < len(board.stations) else ()


@lru_cache(maxsize=8)
def _plates(board: RailMap) -> tuple[Plate, ...]:
    homes = home_terminals(board)
    size, flag = letters(board, NAME), letters(board, SIGN)
    cities = (
        Plate(
            at=middle(each.hex),
            half=extent(each),
            name=each.name.upper() if each.hex in homes else each.name,
            size=size * 9 // 10 if each.hex in homes else size,
            flag=flag,
            has_room=each.hex in homes,
            keys=tuple(Look(code=words, name="", colour="") for words in key_lines(each.keys) if len(each.keys) > 1),
        )
        for each in board.stations
    )
    junctions = (
        Plate(
            at=middle(each.hex),
            half=(15, 15),
            name=f"{each.name} +{each.bonus}" if each.bonus else each.name,
            size=_JUNCTION_NAME,
        )
        for each in board.junctions
    )
    return (*cities, *junctions)


def name_boxes(board: RailMap, edge: Box, obstacles: Obstacles) -> Mapping[Plate, Box]:
    """Return where the names of a board stand, inside an *edge*."""
    return obstacles.settle({plate: _candidates(plate, edge) for plate in _plates(board)})


def ways_out(board: RailMap) -> Iterator[Box]:
    """Yield boxes on the ways by which track leaves the cities."""
    for station in board.stations:
        for other in neighbours(station.hex):
            if other in board.ground:
                yield box_at(between(middle(station.hex), middle(other)), 40, 40)


def name_shapes(plate: Plate, spot: Box) -> Shapes:
    """Yield a name in its place, beside it its keys."""
    left, top, right, bottom = spot
    behind = right - row_width(plate.keys, plate.flag)
    yield name_in((left, top, behind, bottom), plate.name, plate.size).but(serif=True)
    yield from row_of_tags(plate.keys, plate.flag, (behind + 18, top + plate.size // 8))


def flag_shapes(plate: Plate, spot: Box, flags: Sequence[Look], edge: int, obstacles: Obstacles) -> Shapes:
    """Yield the companies at home in a place, many of them in two rows, below or above its name: where they cover least, left of
    an *edge*.
    """
    left, top, right, _ = spot
    rows = (flags[::2], flags[1::2]) if flags[3:] else (flags,)
    width, high = max(row_width(row, plate.flag) for row in rows), plate.flag + 9
    obstacles.remove(spot)
    obstacles.add((left, top, right, top + plate.size))
    corners = product(
        (top + plate.size + 3, top - high * len(rows)), (left, right - width, (left + right - width) // 2)
    )
    boxes = ((x, y, x + width, y + high * len(rows)) for y, x in corners if x + width <= edge)
    if box := obstacles.place(enumerate(boxes), weight=1_000):
        for n, row in enumerate(rows):
            yield from row_of_tags(row, plate.flag, (box[0], box[1] + high * n), filled=True)


def _candidates(plate: Plate, edge: Box) -> list[tuple[int, Box]]:
    """Return boxes around a place; right and left are liked a little better than askew."""
    width = text_width(plate.name, plate.size, serif=True) + row_width(plate.keys, plate.flag)
    height = plate.size + (plate.flag + 10) * plate.has_room
    boxes = ((left, top, left + width, top + height) for left, top in _corners(plate, width, height))
    return sorted((beyond(box, edge) * 10_000 + liking * 150, box) for liking, box in enumerate(boxes))


def _corners(plate: Plate, width: int, height: int) -> Iterator[Point]:
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
