"""Cities, their names, the cubes that lie on them, and the ground they stand on."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import isqrt

from referee.core.picture.drawing import Circle, Line, Point, Polygon, Shape, Style, Text
from referee.core.picture.placing import Box, Clutter, Within, ink_on, text_width
from referee.games.volldampf.board.board import CUBE_COLOURS, Board, City
from referee.games.volldampf.report.picture import palette, signs
from referee.games.volldampf.report.picture.layout import RADIUS, Sheet
from referee.games.volldampf.report.picture.scene import Scene

Extents = tuple[tuple[int, int], ...]  # width and height of each way to lay a name and its cubes

_NAME, _ID, _COUNT = 31, 21, 25
_LINE = _NAME + 2  # height of a name
_GAP = 13  # between cubes
_SINGLE = 6  # cubes that are shown one by one; more are counted
_TAKEN = 100  # weight of what must not be covered
_CLEAR = 14  # between a name and the income track
_OUTSIDE = 1_000_000  # weight of each unit beyond that: worse than a covered name
_STEPS = 7  # to either side, in which a name is tried along a disc
_FAR = (0, 10, 22, 36, 52, 70)  # how far off a disc it is tried
_IN_ROW = 150  # dislike of cubes that stand behind the name, not below it
_NEAR = 600  # how near another city must be for a name to be taken for its
_CLEARLY, _STRANGE = (
    40,
    20_000,
)  # how much nearer to its own city a name should stand, and the dislike of where it does not
_MARGIN = 96  # ground around a home city or link


def ground(board: Board, sheet: Sheet) -> Iterator[Shape]:
    """Yield the country: everything near a home city, or near links between home cities."""
    homes = [city.id for city in board.cities if city.is_home]
    links = [(link.a, link.b) for link in board.links if link.a in homes and link.b in homes]
    faces = _faces(links)
    for paint, margin in ((palette.BORDER, _MARGIN + 5), (palette.HOME, _MARGIN)):
        for code in homes:
            yield Circle(at=sheet.spots[code], radius=margin, style=Style(fill=paint))
        for one, other in links:
            yield Line(points=(sheet.spots[one], sheet.spots[other]), style=Style(stroke=paint, width=2 * margin))
        for face in faces:
            yield Polygon(points=tuple(sheet.spots[code] for code in face), style=Style(fill=paint))


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
    paint, home = palette.CUBE_PAINT[colour], colour in ("blue", "violet")
    rings = [(RADIUS, Style(fill=paint, stroke=palette.INK, width=5))]
    if colour in ("violet", "yellow"):
        rings.append((RADIUS - 7, Style(stroke=palette.WHITE if home else palette.INK, width=4)))
    for n, (radius, style) in enumerate(rings):
        if home:
            yield Circle(at=at, radius=radius, style=style, title="" if n else title)
        else:
            half = radius - 3
            corners = signs.rectangle((at[0] - half, at[1] - half, at[0] + half, at[1] + half))
            yield Polygon(points=corners, style=style, title="" if n else title)
    yield Text(at=(at[0], at[1] + 8), text=words, size=_ID, fill=ink_on(paint), bold=True)


def disc_boxes(sheet: Sheet) -> Iterator[Box]:
    """Yield what symbols and names must not cover."""
    for x, y in sheet.spots.values():
        yield x - RADIUS - 4, y - RADIUS - 4, x + RADIUS + 4, y + RADIUS + 4


def plates(scene: Scene, sheet: Sheet, clutter: Clutter, before: Mapping[str, Box]) -> Mapping[str, Box]:
    """Return where each city's name and cubes stand: the spot that covers least; *before*: where they stood, or nothing."""
    spots = dict(before)
    for city in scene.board.cities:
        if city.id in spots:
            clutter.remove(spots[city.id], _TAKEN)
        spots[city.id] = _best_spot(sheet.spots[city.id], extents(scene, city), clutter, sheet)
        clutter.add(spots[city.id], _TAKEN)
    return spots


def names(scene: Scene, spots: Mapping[str, Box]) -> Iterator[Shape]:
    """Yield the cities' names with their cubes below."""
    for city in scene.board.cities:
        yield from _plate(scene, city, spots[city.id])


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


def _plate(scene: Scene, city: City, box: Box) -> Iterator[Shape]:
    left, top, right, bottom = box
    cubes, words = scene.cubes.get(city.id, ()), name_of(city)
    wide = text_width(words, _NAME, bold=True)
    in_row = bool(cubes) and bottom - top < _LINE + signs.CUBE
    middle = left + wide // 2 if in_row else (left + right) // 2
    at = (middle, top + _NAME * 86 // 100)
    yield Text(at=at, text=words, size=_NAME, fill=palette.INK, bold=True, halo=True, italic=not city.is_home)
    yield from _cubes(
        (left + wide + _GAP, top + 8) if in_row else (middle - _cubes_width(cubes) // 2, top + _LINE + 9), cubes
    )


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
            at = (x, y + signs.CUBE - 4)
            yield Text(at=at, text=words, size=_COUNT, fill=palette.INK, anchor="start", bold=True, halo=True)
            x += text_width(words, _COUNT, bold=True) + 8


def _best_spot(at: Point, extents: Extents, clutter: Clutter, sheet: Sheet) -> Box:
    """Return the box beside a city where least is covered; a place near by and straight beside is liked better, one that is
    nearer to another city not at all.
    """
    wide, high = (max(sizes) + RADIUS + 8 + _FAR[-1] for sizes in zip(*extents, strict=True))
    within = clutter.within((at[0] - wide, at[1] - high, at[0] + wide, at[1] + high))
    near = tuple(other for other in sheet.spots.values() if other != at and _gap(at, (*other, *other)) < _NEAR)
    return _best_among(at, extents, within, near, sheet.inside)


@lru_cache(maxsize=2048)
def _best_among(at: Point, extents: Extents, within: Within, near: tuple[Point, ...], edge: Box) -> Box:
    """Return that box. From turn to turn most cities have the same *within* their reach, and *near* by."""
    clutter, best = Clutter.of(within), None
    for dislike, inside, aside, box in _liked(at, extents, near, edge):
        if best is not None and dislike >= best[0]:
            break
        if best is not None and inside > best[0]:
            continue
        rated = (clutter.cost(box, sys.maxsize if best is None else best[0] - aside) + aside, box)
        best = rated if best is None or rated < best else best
    return best[1] if best else (*at, *at)


@lru_cache(maxsize=128)
def _liked(at: Point, extents: Extents, near: tuple[Point, ...], edge: Box) -> tuple[tuple[int, int, int, Box], ...]:
    """Return the boxes around a city, the most liked first: dislike, with what lies outside, and with cities that are nearer."""
    (x, y), edge = at, (edge[0] + _CLEAR, edge[1] + _CLEAR, edge[2] - _CLEAR, edge[3] - _CLEAR)
    found = []
    for dislike, (left, top, right, bottom) in _boxes(extents):
        box = (x + left, y + top, x + right, y + bottom)
        outside = (
            max(0, edge[0] - box[0]) + max(0, box[2] - edge[2]) + max(0, edge[1] - box[1]) + max(0, box[3] - edge[3])
        )
        inside, own = outside * _OUTSIDE + dislike, _gap(at, box)
        strange = any(_gap(other, box) < own + _CLEARLY for other in near)
        found.append((dislike, inside, inside + strange * _STRANGE, box))
    return tuple(found)


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
