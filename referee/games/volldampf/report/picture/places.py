"""Cities, their names, the cubes that lie on them, and the ground they stand on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import isqrt

from referee.core.picture.drawing import Circle, Point, Polygon, Shape, Style, Text, pen
from referee.core.picture.labels import Box, beyond, box_at, text_width
from referee.core.picture.shades import INK, WHITE, ink_on
from referee.core.picture.shapes import centred, name_in, rectangle, strokes
from referee.games.volldampf.board.board import CUBE_COLOURS, HOME_COLOURS, Board, City
from referee.games.volldampf.report.picture import palette, signs
from referee.games.volldampf.report.picture.scene import RADIUS, Scene, Sheet

Extents = tuple[tuple[int, int], ...]  # width and height of each way to lay a name and its cubes

_NAME, _ID, _COUNT = 31, 21, 25
_LINE = _NAME + 2  # height of a name
_GAP = 13  # between cubes
_SINGLE = 6  # cubes that are shown one by one; more are counted
_CLEAR = 14  # between a name and the income track
_OUTSIDE = 1_000_000  # weight of each unit beyond that: worse than a covered name
_STEPS = 7  # to either side, in which a name is tried along a disc
_FAR = (0, 10, 22, 36, 52, 70)  # how far off a disc it is tried
_IN_ROW = 150  # dislike of cubes that stand behind the name, not below it
_NEAR = 600  # how near another city must be for a name to be taken for its
_CLEARLY = 40  # how much nearer to its own city a name should stand
_STRANGE = 20_000  # the dislike of where it does not
_MARGIN = 96  # ground around a home city or link


def ground(board: Board, sheet: Sheet) -> Iterator[Shape]:
    """Yield the country: everything near a home city, or near links between home cities."""
    homes = [city.id for city in board.cities if city.is_home]
    links = [(link.a, link.b) for link in board.links if link.a in homes and link.b in homes]
    faces = _faces(links)
    for paint, margin in ((palette.BORDER, _MARGIN + 5), (palette.HOME, _MARGIN)):
        for code in homes:
            yield Circle(sheet.spots[code], margin, Style(fill=paint))
        yield from strokes(((sheet.spots[one], sheet.spots[other]) for one, other in links), [pen(paint, 2 * margin)])
        for face in faces:
            yield Polygon(tuple(sheet.spots[code] for code in face), Style(fill=paint))


def _faces(links: list[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """Return the rings of three and of four home cities: what lies inside is ground, too."""
    around: dict[str, set[str]] = {}
    for one, other in links:
        around.setdefault(one, set()).add(other)
        around.setdefault(other, set()).add(one)
    threes = tuple(
        ring
        for ring in combinations(sorted(around), 3)
        if all(other in around[one] for one, other in combinations(ring, 2))
    )
    fours = tuple(
        (one, two, other, four)
        for one, other in combinations(sorted(around), 2)
        for two, four in combinations(sorted(around[one] & around[other]), 2)
    )
    return threes + fours


def discs(board: Board, sheet: Sheet) -> Iterator[Shape]:
    """Yield the cities: discs at home, squares abroad; violet and yellow ones have a second ring."""
    for city in board.cities:
        yield from disc(sheet.spots[city.id], city.colour, city.id, title=city.name)


def disc(at: Point, colour: str, words: str, title: str = "") -> Iterator[Shape]:
    """Yield a city of a colour."""
    paint, home = palette.CUBE_PAINT[colour], colour in HOME_COLOURS
    rings = [(RADIUS, Style(fill=paint, stroke=INK, width=5))]
    if colour in ("violet", "yellow"):
        rings.append((RADIUS - 7, pen(WHITE if home else INK, 4)))
    for n, (radius, style) in enumerate(rings):
        told = "" if n else title
        side = 2 * radius - 6
        yield Circle(at, radius, style, told) if home else Polygon(rectangle(box_at(at, side, side)), style, told)
    yield centred(at, words, _ID, ink_on(paint))


def disc_boxes(sheet: Sheet) -> Iterator[Box]:
    """Yield what symbols and names must not cover."""
    return (box_at(at, 2 * RADIUS + 8, 2 * RADIUS + 8) for at in sheet.spots.values())


def candidates(scene: Scene, sheet: Sheet) -> dict[str, tuple[tuple[int, Box], ...]]:
    """Return where each city's name and cubes may stand."""
    found = {}
    for city in scene.board.cities:
        at = sheet.spots[city.id]
        near = tuple(other for other in sheet.spots.values() if other != at and _gap(at, (*other, *other)) < _NEAR)
        found[city.id] = _around(at, extents(scene, city), near, sheet.inside)
    return found


def name_of(city: City) -> str:
    """Return what is written beside a city: abroad with its country."""
    return city.name if city.is_home or not city.country else f"{city.name} ({city.country})"


def extents(scene: Scene, city: City) -> Extents:
    """Return width and height of a city's name with its cubes below, and of both in a row; of a name alone the one."""
    cubes = scene.cubes.get(city.id, ())
    name, lying = text_width(name_of(city), _NAME, bold=True), _cubes_width(cubes)
    if not cubes:
        return ((name, _LINE),)
    return (max(name, lying), _LINE + signs.CUBE + 14), (name + _GAP + lying, _LINE + 2)


def _cubes_width(cubes: tuple[str, ...]) -> int:
    if len(cubes) <= _SINGLE:
        return len(cubes) * (signs.CUBE + _GAP)
    counts = Counter(cubes)
    return sum(signs.CUBE + 12 + text_width(f"×{count}", _COUNT, bold=True) + 8 for count in counts.values())


def names(scene: Scene, spots: Mapping[str, Box]) -> Iterator[Shape]:
    """Yield the cities' names with their cubes below, or behind them."""
    for city in scene.board.cities:
        left, top, right, bottom = spots[city.id]
        cubes, words = scene.cubes.get(city.id, ()), name_of(city)
        wide = text_width(words, _NAME, bold=True)
        in_row = bool(cubes) and bottom - top < _LINE + signs.CUBE
        end = left + wide if in_row else right
        yield name_in((left, top, end, bottom), words, _NAME, italic=not city.is_home)
        below = ((left + right) // 2 - _cubes_width(cubes) // 2, top + _LINE + 9)
        yield from _cubes((end + _GAP, top + 8) if in_row else below, cubes)


def _cubes(at: Point, cubes: tuple[str, ...]) -> Iterator[Shape]:
    """Yield cubes in a row, one by one or counted by colours; *at*: the upper left corner of the first one's front."""
    x, y = at
    if len(cubes) <= _SINGLE:
        for n, colour in enumerate(cubes):
            yield from signs.cube((x + n * (signs.CUBE + _GAP), y), colour)
        return
    for colour in CUBE_COLOURS:
        if count := cubes.count(colour):
            words = f"×{count}"
            yield from signs.cube((x, y), colour)
            x += signs.CUBE + 12
            yield Text((x, y + signs.CUBE - 4), words, _COUNT, INK, "start", bold=True, halo=True)
            x += text_width(words, _COUNT, bold=True) + 8


@lru_cache(maxsize=256)
def _around(at: Point, extents: Extents, near: tuple[Point, ...], edge: Box) -> tuple[tuple[int, Box], ...]:
    """Return boxes around a city: near by and straight beside is liked better, nearer to another city not at all."""
    (x, y), (left, top, right, bottom) = at, edge
    inside = left + _CLEAR, top + _CLEAR, right - _CLEAR, bottom - _CLEAR
    found = []
    for dislike, moved in _boxes(extents):
        box = (x + moved[0], y + moved[1], x + moved[2], y + moved[3])
        own = _gap(at, box) + _CLEARLY
        strange = any(_gap(other, box) < own for other in near)
        found.append((dislike + beyond(box, inside) * _OUTSIDE + strange * _STRANGE, box))
    return tuple(sorted(found))


def _gap(at: Point, box: Box) -> int:
    """Return how far a point lies from a box."""
    (x, y), (left, top, right, bottom) = at, box
    return isqrt(max(left - x, 0, x - right) ** 2 + max(top - y, 0, y - bottom) ** 2)


@lru_cache(maxsize=256)
def _boxes(extents: Extents) -> tuple[tuple[int, Box], ...]:
    """Return (dislike, box) all around a disc in the origin, the most liked first."""
    reach, found = RADIUS + 8, []
    for place, (width, height) in enumerate(extents):
        for far in _FAR:
            for n in range(-_STEPS, _STEPS + 1):
                aside = 40 * far + 90 * abs(n) + _IN_ROW * place
                dx, dy = (width + reach) * n // (2 * _STEPS), (height + reach) * n // (2 * _STEPS)
                for dislike, left, top in (
                    (0, reach + far, dy - height // 2),
                    (60, -reach - width - far, dy - height // 2),
                    (200, dx - width // 2, reach + far),
                    (260, dx - width // 2, -reach - height - far),
                ):
                    found.append((aside + dislike, (left, top, left + width, top + height)))
    return tuple(sorted(found))
