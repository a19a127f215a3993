"""Cities, their names, the cubes that lie on them, and the ground they stand on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations
from math import isqrt

from referee.core.picture import (
    BLACK,
    INK,
    WHITE,
    Circle,
    Point,
    Points,
    Polygon,
    Shapes,
    Style,
    Text,
    ink_on,
    pen,
)
from referee.core.picture.shapes import (
    Box,
    between,
    beyond,
    box_at,
    centre_text,
    name_in,
    rectangle,
    strokes,
    text_width,
    transform,
)

from ...board import CUBE_COLOURS, HOME_COLOURS, Board, City, Codes, LinkColour
from . import COLOURS, CUBE_PAINT, LETTERS, LINK_PAINT, NAME, OUTLINES, RADIUS, Scene, Sheet

# The signs of the board: link symbols, cubes, track cards, locomotives, tags.

CUBE = 30  # side of a cube's front
CARD = (76, 92)  # width and height of a track card
SYMBOL = 37  # half the width of a link's symbol, with its edge


def middle(box: Box) -> Point:
    """Return the centre of a box."""
    return between(box[:2], box[2:])


def symbol(at: Point, colour: LinkColour, words: str, radius: int = 30, title: str = "") -> Shapes:
    """Yield the sign of a link's colour with its cost inside; the shape speaks where colours do not."""
    style = Style(WHITE, LINK_PAINT[colour.id], 6)
    if colour.symbol == "circle":
        yield Circle(at, radius, style, title)
    else:
        yield Polygon(transform(OUTLINES[colour.symbol], at, radius), style, title)
    if words:
        yield centre_text((at[0], at[1] + 4 * (colour.symbol == "triangle")), words, LETTERS)


def cube(at: Point, colour: str) -> Shapes:
    """Yield a cube of a colour with its letter; *at* is the upper left corner of its front."""
    paint = CUBE_PAINT[colour]
    for side in ("front", "lid", "flank"):
        yield Polygon(transform(OUTLINES[side], at), Style(paint, INK, 2))
    yield Polygon(transform(OUTLINES["lid"], at), Style(WHITE, opacity=45))
    yield Polygon(transform(OUTLINES["flank"], at), Style(BLACK, opacity=30))
    yield centre_text((at[0] + CUBE // 2, at[1] + CUBE // 2), colour[0].upper(), LETTERS, ink_on(paint))


def cube_at(at: Point, colour: str) -> Shapes:
    """Yield a cube at the height of its middle."""
    return cube((at[0], at[1] - CUBE // 2), colour)


def card(at: Point, colour: LinkColour) -> Shapes:
    """Yield a track card; *at* is its upper left corner."""
    (x, y), (width, height) = at, CARD
    yield Polygon(rectangle((x, y, x + width, y + height)), Style(WHITE, INK, 2))
    inner = rectangle((x + 6, y + 6, x + width - 6, y + height - 6))
    yield Polygon(inner, Style(LINK_PAINT[colour.id], opacity=22))
    yield from symbol((x + width // 2, y + height // 2), colour, colour.code, radius=26)


def tag(at: Point, words: str, fill: str) -> Shapes:
    """Yield words on a piece of a colour."""
    (left, top, right, bottom), cut = tag_box(at, words), 6
    corners = (
        (left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
        (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut),
    )  # fmt: skip
    yield Polygon(corners, Style(WHITE, WHITE, 9, opacity=85))
    yield Polygon(corners, Style(fill, INK, 4))
    yield centre_text(at, words, LETTERS, ink_on(fill))


def link_title(owner: str, cost: int) -> str:
    """Return what stands on a built link: whose it is, and what it cost."""
    return f"{owner} {cost}"


def tag_box(at: Point, words: str) -> Box:
    """Return the room that a tag takes."""
    return box_at(at, text_width(words, LETTERS) + 14, LETTERS + 6)


def locomotive(box: Box, words: str, fill: str) -> Shapes:
    """Yield a tank engine in a box, its owner's code on its side."""
    left, top, right, bottom = box
    wide, high = right - left, bottom - top

    def at(x: int, y: int) -> Point:
        return left + wide * x // 100, top + high * y // 100

    for x in (20, 46, 78):
        yield Circle(at(x, 83), max(4, high * 16 // 100), Style(INK))
    yield Polygon(tuple(at(x, y) for x, y in OUTLINES["locomotive"]), Style(fill, INK, 3))
    for x in (20, 46, 78):
        yield Circle(at(x, 86), max(3, high * 11 // 100), Style(WHITE, INK, 2))
    yield centre_text(at(51, 54), words, LETTERS, ink_on(fill))


Extents = tuple[tuple[int, int], ...]  # width and height of each way to lay a name and its cubes

_NAME = 34  # of names, which are in serif, what is reckoned with
_LINE = _NAME + 2  # height of a name
_GAP = 11  # between cubes
_SINGLE = 6  # cubes that are shown one by one; more are counted
_CLEAR = 14  # between a name and the income track
_OUTSIDE = 1_000_000  # weight of each unit beyond that: worse than a covered name
_STEPS = 9  # to either side, in which a name is tried along a disc
_FAR = (0, 10, 22, 36, 52, 70, 90)  # how far off a disc it is tried
_IN_ROW = 150  # dislike of cubes that stand behind the name, not below it
_NEAR = 600  # how near another city must be for a name to be taken for its
_CLEARLY = 40  # how much nearer to its own city a name should stand
_STRANGE = 20_000  # the dislike of where it does not
_MARGIN = 96  # ground around a home city or link


def ground(board: Board, sheet: Sheet) -> Shapes:
    """Yield the country: everything near a home city, or near links between home cities."""
    homes = [city.id for city in board.cities if city.is_home]
    links = [(link.a, link.b) for link in board.links if link.a in homes and link.b in homes]
    faces = _faces({one: {*board.neighbours(one)}.intersection(homes) for one in homes})
    for paint, margin in ((COLOURS["border"], _MARGIN + 5), (COLOURS["home"], _MARGIN)):
        for code in homes:
            yield Circle(sheet.spots[code], margin, Style(paint))
        yield from strokes(((sheet.spots[one], sheet.spots[other]) for one, other in links), [pen(paint, 2 * margin)])
        for face in faces:
            yield Polygon(tuple(sheet.spots[code] for code in face), Style(paint))


def _faces(around: Mapping[str, set[str]]) -> tuple[Codes, ...]:
    """Return the rings of three and of four home cities, by their neighbours: what lies inside is ground, too."""
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


def discs(board: Board, sheet: Sheet) -> Shapes:
    """Yield the cities: discs at home, squares abroad; violet and yellow ones have a second ring."""
    for city in board.cities:
        yield from disc(sheet.spots[city.id], city.colour, city.id, title=city.name)


def disc(at: Point, colour: str, words: str, title: str = "") -> Shapes:
    """Yield a city of a colour."""
    paint, home = CUBE_PAINT[colour], colour in HOME_COLOURS
    rings = [(RADIUS, Style(paint, INK, 5))]
    if colour in ("violet", "yellow"):
        rings.append((RADIUS - 7, pen(WHITE if home else INK, 4)))
    for n, (radius, style) in enumerate(rings):
        told = "" if n else title
        side = 2 * radius - 6
        yield Circle(at, radius, style, told) if home else Polygon(rectangle(box_at(at, side, side)), style, told)
    yield centre_text(at, words, LETTERS, ink_on(paint))


def disc_boxes(sheet: Sheet) -> Iterator[Box]:
    """Yield what symbols and names must not cover."""
    return (box_at(at, 2 * RADIUS, 2 * RADIUS) for at in sheet.spots.values())


def candidates(scene: Scene) -> dict[str, tuple[tuple[int, Box], ...]]:
    """Return where each city's name and cubes may stand."""
    found, sheet = {}, scene.sheet
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
    name, lying = text_width(name_of(city), _NAME), _cubes_width(cubes)
    if not cubes:
        return ((name, _LINE),)
    return (max(name, lying), _LINE + CUBE + 14), (name + _GAP + lying, _LINE + 2)


def _cubes_width(cubes: Codes) -> int:
    if len(cubes) <= _SINGLE:
        return len(cubes) * (CUBE + _GAP)
    counts = Counter(cubes)
    return sum(CUBE + 12 + text_width(f"×{count}", LETTERS) + 8 for count in counts.values())


def names(scene: Scene, spots: Mapping[str, Box]) -> Shapes:
    """Yield the cities' names with their cubes below, or behind them."""
    for city in scene.board.cities:
        left, top, right, bottom = spots[city.id]
        cubes, words = scene.cubes.get(city.id, ()), name_of(city)
        wide = text_width(words, _NAME)
        in_row = bool(cubes) and bottom - top < _LINE + CUBE
        end = left + wide if in_row else right
        named = name_in((left, top, end, bottom), words, NAME, bold=city.is_home, italic=not city.is_home)
        yield named.but(serif=True)
        below = ((left + right) // 2 - _cubes_width(cubes) // 2, top + _LINE + 9)
        yield from _cubes((end + _GAP, top + 8) if in_row else below, cubes)


def _cubes(at: Point, cubes: Codes) -> Shapes:
    """Yield cubes in a row, one by one or counted by colours; *at*: the upper left corner of the first one's front."""
    x, y = at
    if len(cubes) <= _SINGLE:
        for n, colour in enumerate(cubes):
            yield from cube((x + n * (CUBE + _GAP), y), colour)
        return
    for colour in CUBE_COLOURS:
        if count := cubes.count(colour):
            words = f"×{count}"
            yield from cube((x, y), colour)
            x += CUBE + 12
            yield Text((x, y + CUBE - 4), words, LETTERS, INK, "start", bold=True, halo=True)
            x += text_width(words, LETTERS) + 8


@lru_cache(maxsize=256)
def _around(at: Point, extents: Extents, near: Points, edge: Box) -> tuple[tuple[int, Box], ...]:
    """Return boxes around a city: near by and straight beside is liked better, nearer to another city not at all."""
    (x, y), (left, top, right, bottom) = at, edge
    inside = left + _CLEAR, top + _CLEAR, right - _CLEAR, bottom - _CLEAR
    found = []
    for dislike, spread in _boxes(extents):
        box = (x + spread[0], y + spread[1], x + spread[2], y + spread[3])
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
