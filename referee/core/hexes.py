"""Hexes on flat-topped sheets, and shortest ways: columns are letters from the west (A..Z, AA..), rows numbers from the north.

Every second column (B, D, F ..) sits half a hex lower. A hex is named by its label, ``AE5``; labels are the only form that
leaves this module. In lattice units the centre of (column q, row r), both from 0, is (3q, 2r + q mod 2), y down.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Container, Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

Hex = str
Hexes = tuple[Hex, ...]
Path = Hexes  # a way, hex by hex
Side = tuple[str, str]
Point = tuple[int, int]

STEPS: tuple[Point, ...] = ((0, -2), (3, -1), (3, 1), (0, 2), (-3, 1), (-3, -1))  # N NE SE S SW NW
CORNERS: tuple[Point, ...] = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))  # from the upper left, clockwise

_LABEL = re.compile(r"([A-Z]{1,2})([1-9][0-9]{0,2})")


def parse_column(letters: str) -> int:
    """Return the column from 0: A 0, Z 25, AA 26, AF 31."""
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return column - 1


def format_column(column: int) -> str:
    """Return the letters of a column: the inverse of ``parse_column``."""
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(65 + digit) + letters
    return letters


def parse_hex(label: str) -> tuple[int, int]:
    """Return (column, row), both from 0.

    Raises:
        ValueError: *label* is not letters and a number.
    """
    match = _LABEL.fullmatch(label)
    if not match:
        raise ValueError(f"{label!r} is no hex (letters and a number, as AE5)")
    return parse_column(match[1]), int(match[2]) - 1


def format_hex(column: int, row: int) -> Hex:
    """Return the label of (column, row), both from 0."""
    return f"{format_column(column)}{row + 1}"


@lru_cache(maxsize=8192)
def centre(label: Hex) -> Point:
    """Return the centre of a hex in lattice units."""
    column, row = parse_hex(label)
    return 3 * column, 2 * row + column % 2


def hex_at(point: Point) -> Hex | None:
    """Return the hex whose centre is *point*, None where that would lie off the sheet's north or west edge."""
    column = point[0] // 3
    row = (point[1] - column % 2) // 2
    return format_hex(column, row) if column >= 0 and row >= 0 else None


@lru_cache(maxsize=8192)
def neighbours(label: Hex) -> tuple[Hex, ...]:
    """Return the labels around a hex, N first and clockwise; those off the north or west edge are left out."""
    x, y = centre(label)
    around = (hex_at((x + dx, y + dy)) for dx, dy in STEPS)
    return tuple(label for label in around if label is not None)


def are_neighbours(one: Hex, other: Hex) -> bool:
    """Return whether the two hexes share a hex-side."""
    return other in neighbours(one)


@lru_cache(maxsize=65536)
def side(one: Hex, other: Hex) -> Side:
    """Return the hex-side between two neighbours, in the one order in which it is written everywhere."""
    return (one, other) if centre(one) < centre(other) else (other, one)


def format_side(value: Side) -> str:
    """Return ``AE5-AE6``."""
    return f"{value[0]}-{value[1]}"


def distance(one: Hex, other: Hex) -> int:
    """Return how many hex-sides lie between two hexes as the crow flies."""
    x1, y1 = centre(one)
    x2, y2 = centre(other)
    dx, dy = abs(x1 - x2) // 3, abs(y1 - y2)
    return dx + max(0, (dy - dx) // 2)


def straight_run(one: Hex, other: Hex) -> Path | None:
    """Return the hexes of the straight run from *one* to *other*, both included; None where it is not straight."""
    length = distance(one, other)
    if length == 0:
        return (one,)
    x1, y1 = centre(one)
    x2, y2 = centre(other)
    for dx, dy in STEPS:
        if (x2 - x1, y2 - y1) == (dx * length, dy * length):
            run = tuple(hex_at((x1 + dx * n, y1 + dy * n)) for n in range(length + 1))
            return None if None in run else tuple(label for label in run if label is not None)
    return None


def corner_points(one: Hex, other: Hex) -> tuple[Point, Point]:
    """Return the two ends of the hex-side between two neighbours, in lattice units.

    Raises:
        ValueError: they are not neighbours.
    """
    (x1, y1), (x2, y2) = centre(one), centre(other)
    step = (x2 - x1, y2 - y1)
    if step not in STEPS:
        raise ValueError(f"{one} and {other} are not neighbours")
    first = STEPS.index(step)
    ends = (CORNERS[first], CORNERS[(first + 1) % 6])
    return (x1 + ends[0][0], y1 + ends[0][1]), (x1 + ends[1][0], y1 + ends[1][1])


def numbered_to_label(text: str, letters: int, rows: int) -> Hex | None:
    """Return the label of a hex written on the numbered postal grid: after the last letter the lettering starts again
    at A with the numbers continued (``E41`` on a sheet of 26 letters and 36 rows is AE5). None where it is off the sheet.
    """
    match = _LABEL.fullmatch(text)
    if not match or len(match[1]) != 1 or parse_column(match[1]) >= letters:
        return None
    block, row = divmod(int(match[2]) - 1, rows)
    return format_hex(parse_column(match[1]) + block * letters, row)


def label_to_numbered(label: Hex, letters: int, rows: int) -> str:
    """Return how a hex is written on the numbered postal grid: the inverse of ``numbered_to_label``."""
    column, row = parse_hex(label)
    block, letter = divmod(column, letters)
    return f"{format_column(letter)}{row + 1 + block * rows}"


# Cheapest ways on any graph, with whole-number costs and one answer whatever the order of the input.

Node = TypeVar("Node")
Edges = Callable[[Node], Iterable[tuple[Node, int]]]


def cheapest_costs(starts: Iterable[Node], edges: Edges[Node], within: int | None = None) -> dict[Node, int]:
    """Return the cost of the cheapest way from any of *starts* to each node that can be reached.

    *edges* gives (neighbour, cost) with costs of 0 or more; nodes must have an order (ties are broken by it).
    *within*: nodes dearer than this are left out.
    """
    return {node: cost for node, (cost, _) in cheapest_tree(starts, edges, within).items()}


def cheapest_way(
    starts: Iterable[Node], goals: Iterable[Node], edges: Edges[Node]
) -> tuple[int, tuple[Node, ...]] | None:
    """Return (cost, way) of the cheapest way from any of *starts* to the nearest of *goals*; None where there is none."""
    wanted = set(goals)
    settled = cheapest_tree(starts, edges, goals=wanted)
    reached = [(settled[node][0], node) for node in wanted if node in settled]
    if not reached:
        return None
    cost, node = min(reached)
    return cost, way_to(settled, node)


def way_to(tree: Mapping[Node, tuple[int, Node | None]], node: Node) -> tuple[Node, ...]:
    """Return the way to a node of a ``cheapest_tree``."""
    way = [node]
    while (before := tree[way[-1]][1]) is not None:
        way.append(before)
    return tuple(reversed(way))


def shortest_ways(start: Node, goal: Node, edges: Edges[Node], most: int) -> tuple[tuple[Node, ...], ...]:
    """Return the ways from *start* to *goal* that share the least cost, at most *most* of them, in order of their nodes.

    All edges lead both ways and cost the same.
    """
    left = {node: cost for node, (cost, _) in cheapest_tree((goal,), edges, goals=(start,)).items()}
    ways = [(start,)] if start in left else list[tuple[Node, ...]]()
    while ways and ways[0][-1] != goal:
        onward = [
            (way, node)
            for way in ways
            for node, step in sorted(edges(way[-1]))
            if left.get(node) == left[way[-1]] - step
        ]
        ways = [(*way, node) for way, node in onward[:most]]
    return tuple(ways)


def cheapest_tree(
    starts: Iterable[Node], edges: Edges[Node], within: int | None = None, goals: Container[Node] = ()
) -> dict[Node, tuple[int, Node | None]]:
    """Return the same with the node before each, None at a start: Dijkstra's algorithm.

    It stops when the first of *goals* and all nodes of its cost are settled.
    """
    settled: dict[Node, tuple[int, Node | None]] = {}
    queue: list[tuple[int, Node, Node | None]] = [(0, start, None) for start in starts]
    heapq.heapify(queue)
    best: dict[Node, int] = {start: 0 for _, start, _ in queue}
    limit = within
    while queue:
        cost, node, before = heapq.heappop(queue)
        if node in settled:
            continue
        if limit is not None and cost > limit:
            break
        settled[node] = (cost, before)
        if node in goals:
            limit = cost
        for other, step in edges(node):
            reach = cost + step
            if reach < best.get(other, reach + 1):  # never of a settled one
                best[other] = reach
                heapq.heappush(queue, (reach, other, node))
    return settled
