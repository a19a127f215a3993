"""Curves in place of corners, as short straight lines; and edges joined to ways."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

from referee.core.picture.drawing import Point
from referee.core.picture.shapes import Points, between

Place = TypeVar("Place", bound=Hashable)

PARTS = 4  # of a bend


def bend(before: Point, at: Point, after: Point) -> Iterator[Point]:
    """Yield a curve from one point to another, drawn towards the one *at* its corner; without its end."""
    for n in range(PARTS):
        percent = 100 * n // PARTS
        yield between(between(before, at, percent), between(at, after, percent), percent)


def rounded(points: Sequence[Point]) -> Points:
    """Return a way, or a ring whose last point is its first, that touches the middles of its pieces and has no corners."""
    if points[0] == points[-1]:
        ring = (*points, points[1])
        return tuple(each for corner in zip(ring, ring[1:], ring[2:], strict=False) for each in _around(*corner))
    inner = (each for corner in zip(points, points[1:], points[2:], strict=False) for each in _around(*corner))
    return (points[0], *inner, between(points[-2], points[-1]), points[-1])


def _around(before: Point, at: Point, after: Point) -> Iterator[Point]:
    return bend(between(before, at), at, between(at, after))


def joined(edges: Iterable[tuple[Place, Place]], stops: Container[Place] = ()) -> Iterator[tuple[Place, ...]]:
    """Yield the ways that edges make, from where they end or part or come to *stops*, and the rings, which run as their first
    edge does.
    """
    around: dict[Place, dict[Place, None]] = {}
    for start, end in edges:
        around.setdefault(start, {})[end] = None
        around.setdefault(end, {})[start] = None
    ends = {place for place, others in around.items() if len(others) != 2 or place in stops}
    for start in (*(place for place in around if place in ends), *around):
        for following in [*around[start]]:
            if following in around[start]:
                yield tuple(_way(start, following, around, {*ends, start}))


def _way(
    start: Place, following: Place, around: dict[Place, dict[Place, None]], ends: Container[Place]
) -> Iterator[Place]:
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
