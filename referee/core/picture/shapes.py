"""Shapes that every picture needs: labels that find their place, lines in layers, boxes, words, curves."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from math import dist
from typing import TypeVar

from .. import Numbers
from . import INK, Line, Point, Points, Polygon, Shapes, Style, Text, ink_on

# Labels: how wide words are, and where they conflict least with obstacles.

Box = tuple[int, int, int, int]  # left, top, right, bottom
Candidates = Iterable[tuple[int, Box]]  # where a label may stand: penalties, the least first, with boxes
Label = TypeVar("Label", bound=Hashable)

_CELL = 60  # drawing units; with larger cells more boxes are looked at that do not matter
_LABEL = 100  # weight of a label
_PASSES = 4


@lru_cache(maxsize=4096)
def text_width(text: str, size: int, bold: bool = True, serif: bool = False) -> int:
    """Return about how wide words are, in the widest of the fonts a reader may have (DejaVu Sans; Gelasio)."""
    per_mille = sum(_letter_width(letter) for letter in text)
    return per_mille * size * (112 if bold else 100) * (98 if serif else 100) // 10_000_000


def size_that_fits(text: str, sizes: Sequence[int], width: int, bold: bool = False) -> int:
    """Return the first of *sizes* in which words fit into a width, the last where they fit in none."""
    return next((size for size in sizes if text_width(text, size, bold) <= width), sizes[-1])


def truncate(text: str, size: int, width: int) -> str:
    """Return words cut to a width, with an ellipsis where something is cut off."""
    if text_width(text, size, bold=False) <= width:
        return text
    while text and text_width(f"{text}…", size, bold=False) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def box_at(at: tuple[int, int], width: int, height: int) -> Box:
    """Return the box of a size around a centre."""
    x, y = at
    return x - width // 2, y - height // 2, x + width // 2, y + height // 2


def beyond(box: Box, edge: Box) -> int:
    """Return how far a box sticks out of another."""
    return sum(max(0, edge[n] - box[n]) + max(0, box[n + 2] - edge[n + 2]) for n in (0, 1))


def any_overlap(boxes: Iterable[Box]) -> bool:
    """Return whether one of the boxes covers a part of another."""
    return any(overlap(one, other) for one, other in combinations(boxes, 2))


class Obstacles:
    """What lies where: boxes with weights, kept by cells so that asking is cheap. What is added twice counts once."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], dict[tuple[Box, int], int]] = {}  # each with how often it was added

    def copy(self) -> Obstacles:
        """Return the same obstacles, to add more to."""
        made = Obstacles()
        made._cells = {cell: entries.copy() for cell, entries in self._cells.items()}
        return made

    def place(self, candidates: Candidates, weight: int = _LABEL, most: int = sys.maxsize) -> Box | None:
        """Return where a label conflicts least, the first of equals, and keep others off it; None: nowhere below *most*."""
        least, found = most + 1, None
        for penalty, box in candidates:
            if penalty >= least:
                break
            conflict = penalty + self.conflict(box, least - penalty)
            if conflict < least:
                least, found = conflict, box
        if found:
            self.add(found, weight=weight)
        return found

    def settle(
        self, labels: Mapping[Label, Candidates], stood: Mapping[Label, Box] | None = None, passes: int = _PASSES
    ) -> dict[Label, Box]:
        """Return where labels stand: each is placed, then all once more, knowing the others, while one moves.

        *stood*: where labels stand already; they are among the obstacles.
        """
        found = dict(stood or {})
        for _ in range(passes):
            before = dict(found)
            for label, candidates in labels.items():
                if label in found:
                    self.remove(found[label])
                if best := self.place(candidates):
                    found[label] = best
            if found == before:
                break
        return found

    def add(self, *boxes: Box, weight: int = _LABEL) -> None:
        """Note that *boxes* are taken; a heavier weight is more to be avoided."""
        for box in boxes:
            for cell in _cells(box):
                entries = self._cells.setdefault(cell, {})
                entries[box, weight] = entries.get((box, weight), 0) + 1

    def remove(self, box: Box, weight: int = _LABEL) -> None:
        """Forget what was added."""
        entry = box, weight
        for cell in _cells(box):
            entries = self._cells[cell]
            entries[entry] -= 1
            if not entries[entry]:
                del entries[entry]

    def conflict(self, box: Box, most: int = sys.maxsize) -> int:
        """Return how much of what is taken would lie under *box*: area times weight.

        Beyond *most* nobody counts on: it is only sure that it is more than that.
        """
        left, top, right, bottom = box
        found = 0
        for cell in _cells(box):
            column, row = cell
            for (other_left, other_top, other_right, other_bottom), weight in self._cells.get(cell, ()):
                # Written out: a board asks this a hundred thousand times.
                x = other_left if other_left > left else left
                width = (other_right if other_right < right else right) - x
                if width <= 0 or x // _CELL != column:
                    continue
                y = other_top if other_top > top else top
                height = (other_bottom if other_bottom < bottom else bottom) - y
                if height > 0 and y // _CELL == row:  # it lies in several cells; its upper left corner in one
                    found += width * height * weight
                    if found > most:
                        return found
        return found


def _cells(box: Box) -> list[tuple[int, int]]:
    rows = range(box[1] // _CELL, box[3] // _CELL + 1)
    return [(column, row) for column in range(box[0] // _CELL, box[2] // _CELL + 1) for row in rows]


def overlap(one: Box, other: Box) -> int:
    """Return the area that two boxes have in common."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0


def _letter_width(letter: str) -> int:
    """Per mille of the size."""
    if letter in "iljI|!.,:;'’·":
        return 330
    if letter in "ftr()[]-/ ":
        return 400
    if letter in "mwMW@%—":
        return 960
    if letter.isupper():
        return 700
    return 630


# Lines in layers, boxes, words in their place; and the points between two others.

Place = TypeVar("Place")

DASHES: tuple[Numbers, ...] = ((), (18, 9), (6, 7), (22, 7, 6, 7), (3, 6), (40, 10))


def strokes(courses: Iterable[Points], styles: Iterable[Style]) -> Iterator[Line]:
    """Yield lines through points in every style, those of the first style lowest."""
    every = tuple(courses)
    return (Line(points, style) for style in styles for points in every)


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


class LaneOffsets:
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


def tag(box: Box, words: str, fill: str, edge: str, size: int) -> Shapes:
    """Yield words in a frame."""
    yield Polygon(rectangle(box), Style(fill, edge, 3))
    yield centre_text(between(box[:2], box[2:]), words, size, ink_on(fill))


# Curves in place of corners, as short straight lines; and edges joined to ways.

Knot = TypeVar("Knot", bound=Hashable)

_PARTS = 4  # of a bend
_FLAT = 16  # how far one is off that has half as many: nobody sees more, and each takes time
_WEIGHTS = tuple(
    ((_PARTS - n) ** 2, 2 * n * (_PARTS - n), n**2) for n in range(_PARTS)
)  # of its three points where one begins


def bend(before: Point, at: Point, after: Point) -> Iterator[Point]:
    """Yield a curve from one point to another, drawn towards the one *at* its corner; without its end."""
    (x, y), (corner_x, corner_y), (end_x, end_y) = before, at, after
    is_flat = abs(x + end_x - 2 * corner_x) + abs(y + end_y - 2 * corner_y) < _FLAT
    for begin, corner, end in _WEIGHTS[:: 1 + is_flat]:  # written out: a board asks this thousands of times
        yield (
            (begin * x + corner * corner_x + end * end_x) // _PARTS**2,
            (begin * y + corner * corner_y + end * end_y) // _PARTS**2,
        )


def round_corners(points: Sequence[Point]) -> Points:
    """Return a way, or a ring whose last point is its first, that touches the middles of its pieces and has no corners."""
    if points[0] == points[-1]:
        ring = (*points, points[1])
        return tuple(each for corner in zip(ring, ring[1:], ring[2:], strict=False) for each in _around(*corner))
    inner = (each for corner in zip(points, points[1:], points[2:], strict=False) for each in _around(*corner))
    return (points[0], *inner, between(points[-2], points[-1]), points[-1])


def _around(before: Point, at: Point, after: Point) -> Iterator[Point]:
    return bend(between(before, at), at, between(at, after))


def join_edges(edges: Iterable[tuple[Knot, Knot]], stops: Container[Knot] = ()) -> Iterator[tuple[Knot, ...]]:
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
