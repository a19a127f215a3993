"""Cities, junctions and the ends of specials, as signs inside their hex; keys have lettering as large as a town's name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from referee.core.hexes import Hex
from referee.core.picture.drawing import Circle, Point, Polygon, Shape, Style, Text
from referee.core.picture.placing import Box, box_at, text_width
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.layout import middle

RADIUS, MINOR_RADIUS = 29, 23
RING = 6  # width of the ring of a home terminal
KEYS_WIDE, KEYS_HIGH = 5, 3  # characters in one line, lines

_SPECIAL = 22
_ONE, _MINOR, _LINE, _LINES = 31, 26, 28, (24, 21)  # sizes of keys: a single one, of one line, of two lines and three
_BEVEL = ((0, 10), (1, 6), (3, 3), (6, 1), (10, 0))  # a quarter of a circle, in tenths of its radius, from the corner

Half = tuple[int, int]  # of width and height


def discs(board: RailMap, starts: frozenset[Hex]) -> Iterator[Shape]:
    """Yield junctions, cities with their keys, those of *starts* with a ring, and special destinations.

    Rivers and lines run below the sign of a special: it stands on a piece of white.
    """
    for junction in board.junctions:
        yield junction_sign(middle(junction.hex), junction.name)
    for station in board.stations:
        home = station.hex in starts
        yield from disc(middle(station.hex), station.keys, home=home, minor=station.minor, title=station.name)
    for label, words in special_words(board).items():
        (x, y), half = middle(label), text_width(words, _SPECIAL, bold=True) // 2 + 3
        corners = ((x - half, y + 31), (x + half, y + 31), (x + half, y + 49), (x - half, y + 49))
        yield Polygon(points=corners, style=Style(fill=palette.WHITE, opacity=85))
        yield Text(at=(x, y + 48), text=words, size=_SPECIAL, fill=palette.BORDER, bold=True)


def junction_sign(at: Point, title: str = "") -> Polygon:
    """Return the sign of a junction."""
    x, y = at
    corners = ((x - 13, y), (x, y - 13), (x + 13, y), (x, y + 13))
    return Polygon(points=corners, style=Style(fill=palette.WHITE, stroke=palette.INK, width=5), title=title)


def disc(at: Point, keys: tuple[int, ...], *, home: bool, minor: bool = False, title: str = "") -> Iterator[Shape]:
    """Yield a city: as wide as its keys are long; a minor town is smaller and grey."""
    lines = key_lines(keys)
    half = _half(lines, minor=minor)
    edge = Style(fill=palette.MINOR if minor else palette.WHITE, stroke=palette.INK, width=3 if minor or home else 5)
    if home:
        ring = Style(fill=palette.HOME_RING, stroke=palette.INK, width=4)
        yield _plate(at, (half[0] + RING, half[1] + RING), ring, title)
    yield _plate(at, half, edge, "" if home else title)
    size = _size(lines, minor=minor)
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
    if len("+".join(words)) <= KEYS_WIDE:
        return ("+".join(words),)
    return tuple(words) if len(words) <= KEYS_HIGH else (*words[: KEYS_HIGH - 1], f"…{words[-1]}")


def place_boxes(board: RailMap) -> Iterator[Box]:
    """Yield what names must not cover: the discs, the junctions' signs, the ends of specials."""
    for station in board.stations:
        yield _box(middle(station.hex), extent(station.keys, minor=station.minor))
    for junction in board.junctions:
        yield _box(middle(junction.hex), (15, 15))
    for label, words in special_words(board).items():
        x, y = middle(label)
        yield box_at(x, y + 42, text_width(words, _SPECIAL, bold=True), _SPECIAL)


def extent(keys: tuple[int, ...], *, minor: bool = False) -> Half:
    """Return half of the width and height that a city's disc takes, with a ring that it may have."""
    wide, high = _half(key_lines(keys), minor=minor)
    return wide + RING, high + RING


def special_words(board: RailMap) -> dict[Hex, str]:
    """Return what is written in the ends of specials: ``@3+4`` for the ends of both."""
    ends: dict[Hex, list[int]] = {}
    for special in board.specials:
        for label in special.hexes:
            ends.setdefault(label, []).append(special.number)
    return {label: f"@{'+'.join(map(str, numbers))}" for label, numbers in ends.items()}


def _size(lines: tuple[str, ...], *, minor: bool) -> int:
    if len(lines) > 1:
        return _LINES[len(lines) - 2]
    return _LINE if len(lines[0]) > 2 else _MINOR if minor else _ONE


def _half(lines: tuple[str, ...], *, minor: bool) -> Half:
    if len(lines) == 1 and len(lines[0]) <= 2:
        return (MINOR_RADIUS, MINOR_RADIUS) if minor else (RADIUS, RADIUS)
    size = _size(lines, minor=minor)
    wide = max(text_width(words, size, bold=True) for words in lines)
    return wide // 2 + 3, (size * len(lines)) // 2 + (8 if len(lines) == 1 else 5)


def _plate(at: Point, half: Half, style: Style, title: str) -> Shape:
    """Return a disc, or where keys are longer a plate with round ends."""
    (x, y), (wide, high) = at, half
    if wide == high:
        return Circle(at=at, radius=wide, style=style, title=title)
    radius = min(wide, high)
    upper = [(x + side * (wide - radius * dx // 10), y - high + radius * dy // 10) for side, dx, dy in _ends()]
    lower = [(px, 2 * y - py) for px, py in reversed(upper)]
    return Polygon(points=(*upper, *lower), style=style, title=title)


def _ends() -> Iterator[tuple[int, int, int]]:
    """Yield the upper edge of a plate from left to right: side, and how far in from its corner."""
    for dx, dy in _BEVEL:
        yield -1, dx, dy
    for dx, dy in reversed(_BEVEL):
        yield 1, dx, dy


def _box(at: Point, half: Half) -> Box:
    return at[0] - half[0] - 3, at[1] - half[1] - 3, at[0] + half[0] + 3, at[1] + half[1] + 3
