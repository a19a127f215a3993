"""Shapes that every picture needs: lines in layers, boxes, words in their place, curves; and the points between two others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from math import dist
from typing import TypeVar

from referee.core.picture.drawing import Line, Point, Polygon, Shape, Style, Text, pen
from referee.core.picture.labels import Box
from referee.core.picture.shades import INK, ink_on

Points = tuple[Point, ...]
Place = TypeVar("Place")

DASHES: tuple[tuple[int, ...], ...] = ((), (18, 9), (6, 7), (22, 7, 6, 7), (3, 6), (40, 10))
FRESH, FRESH_EDGE = "#ffc61a", "#7a5200"  # below what is new
# What becomes of colours when a board is printed.
PRINTED = {FRESH: "#bdbdbd", FRESH_EDGE: "#3c3c3c"}


def strokes(courses: Iterable[Points], styles: Iterable[Style]) -> Iterator[Line]:
    """Yield lines through points in every style, those of the first style lowest."""
    every = tuple(courses)
    return (Line(points, style) for style in styles for points in every)


def band(width: int) -> tuple[Style, Style]:
    """Return the band below what is new."""
    return pen(FRESH_EDGE, width + 6), pen(FRESH, width)


def rectangle(box: Box) -> Points:
    """Return the corners of a box."""
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)


def transform(points: Iterable[Point], at: Point, size: int = 100) -> Points:
    """Return points around the origin as they lie around *at*, *size* per cent as large."""
    return tuple((at[0] + x * size // 100, at[1] + y * size // 100) for x, y in points)


def between(start: Point, end: Point, percent: int = 50) -> Point:
    """Return the point so far on the way."""
    return start[0] + (end[0] - start[0]) * percent // 100, start[1] + (end[1] - start[1]) * percent // 100


def beside(start: Point, end: Point, along: int, aside: int) -> Point:
    """Return the point so many units *along* the way, moved *aside* to its right."""
    (x, y), dx, dy, length = start, end[0] - start[0], end[1] - start[1], max(1, round(dist(start, end)))
    return x + (dx * along - dy * aside) // length, y + (dy * along + dx * aside) // length


class Lanes:
    """Lines beside ways for what runs over them: on every way the next lane, on one side and the other by turns."""

    def __init__(self, first: int, lane: int, most: int, near: int) -> None:
        """*first*: between a way and the lane beside it; *lane*: between lanes, *most* on a side; *near*: from its ends."""
        self._first, self._lane, self._most, self._near = first, lane, most, near
        self._used: Counter[tuple[Point, Point]] = Counter()

    def line(
        self, route: Sequence[Place], at: Callable[[Place], Point], wide: Callable[[Place, Place], int] = lambda *_: 0
    ) -> Points:
        """Return the line over a *route*; *wide*: half of what a way takes itself."""
        found = []
        for here, there in pairwise(route):
            ends = at(here), at(there)
            way = min(ends), max(ends)
            lane = self._used[way]
            self._used[way] += 1
            aside = self._first + wide(here, there) + self._lane * (lane // 2 % self._most)
            # Sides are those of the way, whichever way it is travelled.
            aside = aside if (lane % 2 == 0) == (ends == way) else -aside
            found += [beside(*ends, self._near, aside), beside(*ends[::-1], self._near, -aside)]
        return tuple(found)


def centre_text(at: Point, words: str, size: int, fill: str = INK) -> Text:
    """Return bold words around a point."""
    return Text((at[0], at[1] + size * 37 // 100), words, size, fill, bold=True)


def name_in(box: Box, words: str, size: int, fill: str = INK, *, bold: bool = True, italic: bool = False) -> Text:
    """Return a name in the upper part of its box, with a pale border."""
    at = (box[0] + box[2]) // 2, box[1] + size * 86 // 100
    return Text(at, words, size, fill, bold=bold, italic=italic, halo=True)


def tag(box: Box, words: str, fill: str, edge: str, size: int) -> Iterator[Shape]:
    """Yield words in a frame."""
    yield Polygon(rectangle(box), Style(fill=fill, stroke=edge, width=3))
    yield centre_text(between(box[:2], box[2:]), words, size, ink_on(fill))


# Curves in place of corners, as short straight lines; and edges joined to ways.

Knot = TypeVar("Knot", bound=Hashable)

PARTS = 4  # of a bend
_WEIGHTS = tuple(
    ((PARTS - n) ** 2, 2 * n * (PARTS - n), n**2) for n in range(PARTS)
)  # of its three points where one begins


def bend(before: Point, at: Point, after: Point) -> Iterator[Point]:
    """Yield a curve from one point to another, drawn towards the one *at* its corner; without its end."""
    (x, y), (corner_x, corner_y), (end_x, end_y) = before, at, after
    for begin, corner, end in _WEIGHTS:  # written out: a board asks this thousands of times
        yield (
            (begin * x + corner * corner_x + end * end_x) // PARTS**2,
            (begin * y + corner * corner_y + end * end_y) // PARTS**2,
        )


def rounded(points: Sequence[Point]) -> Points:
    """Return a way, or a ring whose last point is its first, that touches the middles of its pieces and has no corners."""
    if points[0] == points[-1]:
        ring = (*points, points[1])
        return tuple(each for corner in zip(ring, ring[1:], ring[2:], strict=False) for each in _around(*corner))
    inner = (each for corner in zip(points, points[1:], points[2:], strict=False) for each in _around(*corner))
    return (points[0], *inner, between(points[-2], points[-1]), points[-1])


def _around(before: Point, at: Point, after: Point) -> Iterator[Point]:
    return bend(between(before, at), at, between(at, after))


def joined(edges: Iterable[tuple[Knot, Knot]], stops: Container[Knot] = ()) -> Iterator[tuple[Knot, ...]]:
    """Yield the ways that edges make, from where they end or part or come to *stops*, and the rings, which run as their first
    edge does.
    """
    around: dict[Knot, dict[Knot, None]] = {}
    for start, end in edges:
        around.setdefault(start, {})[end] = None
        around.setdefault(end, {})[start] = None
    ends = {place for place, others in around.items() if len(others) != 2 or place in stops}
    for start in (*(place for place in around if place in ends), *around):
        for following in [*around[start]]:
            if following in around[start]:
                yield tuple(_way(start, following, around, {*ends, start}))


def _way(start: Knot, following: Knot, around: dict[Knot, dict[Knot, None]], ends: Container[Knot]) -> Iterator[Knot]:
    """Yield the places of a way, and take it away."""
    yield start
    here = start
    while True:
        del around[here][following], around[following][here]
        here = following
        yield here
        if here in ends:
            return
        (following,) = around[here]
