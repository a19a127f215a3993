"""The companies' lines: side by side where they share a hex-side, each with its pattern, acronyms along it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

from referee.core.hexes import Hex, Side, distance
from referee.core.picture.drawing import Circle, Line, Point, Polygon, Shape, Style, Text
from referee.core.picture.placing import Box, Clutter, box_at, ink_on, text_width
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.layout import STEP, middle
from referee.games.dampfross.report.picture.palette import CompanyLook

_BEND = 26  # how far from a centre a line that is shifted aside has reached its place
GAP = 16  # between neighbouring lines
_MARK_SIZE = 19
_MARK_EVERY = 5  # hexes
_MARK_MOST = 12_000  # clutter that a mark may cover

Lines = Mapping[Side, tuple[str, ...]]


def track(board: RailMap, lines: Lines, companies: tuple[CompanyLook, ...]) -> Iterator[Shape]:
    """Yield every company's line, white edges below all of them, and a dot where lines part."""
    bundles = _bundles(board, lines)
    drawn = [
        [_course(run, _offset(owners, look.code, companies)) for run, owners in bundles if look.code in owners]
        for look in companies
    ]
    casing = Style(stroke=palette.WHITE, width=palette.CASING)
    for courses in drawn:
        for points in courses:
            yield Line(points=points, style=casing)
    for place, look in enumerate(companies):
        for style in palette.line_styles(look, place):
            for points in drawn[place]:
                yield Line(points=points, style=style)
    for label in _forks(lines):
        if not board.is_city(label):
            yield Circle(at=middle(label), radius=8, style=Style(fill=palette.WHITE, stroke=palette.INK, width=3))


def courses_over(
    lines: Lines, companies: tuple[CompanyLook, ...], code: str, sides: Collection[Side]
) -> Iterator[tuple[Point, ...]]:
    """Yield a company's line over some hex-sides, one by one."""
    for crossing in sorted(sides):
        if code in lines.get(crossing, ()):
            yield _course(crossing, _offset(lines[crossing], code, companies))


def beside(one: Hex, other: Hex, aside: int, along: int) -> Point:
    """Return the point *along* the way from the centre of a hex to its neighbour's, moved aside."""
    return _beside(middle(one), middle(other), aside, along)


def marks(board: RailMap, lines: Lines, companies: tuple[CompanyLook, ...], clutter: Clutter) -> Iterator[Shape]:
    """Yield the companies' acronyms on their lines, every few hexes, where they cover least."""
    bundles = _bundles(board, lines)
    for look in companies:
        spots = [
            (clutter.cost(box, _MARK_MOST), label, box)
            for run, owners in bundles
            if look.code in owners
            for label, box in _spots(run, _offset(owners, look.code, companies), look.code)
        ]
        placed: list[Hex] = []
        for cost, label, box in sorted(spots):
            # The cost is asked again: marks placed since may lie here.
            if cost <= _MARK_MOST and all(distance(label, other) >= _MARK_EVERY for other in placed):
                if clutter.cost(box, _MARK_MOST) > _MARK_MOST:
                    continue
                placed.append(label)
                clutter.add(box, 100)
                yield from tag(box, look.code, palette.WHITE, palette.ink_of(look), _MARK_SIZE)


def _spots(run: tuple[Hex, ...], offset: int, code: str) -> Iterator[tuple[Hex, Box]]:
    """Yield where an acronym may stand on a line: in the middle of each step."""
    width = text_width(code, _MARK_SIZE, bold=True) + 10
    for one, other in pairwise(run):
        start, end = middle(one), middle(other)
        x, y = _beside(start, end, offset, STEP // 2)
        lift = 10 if start[0] == end[0] else 0  # clear of the southern hex's name
        yield one, box_at(x, y - lift, width, _MARK_SIZE + 5)


def tag(box: Box, words: str, fill: str, edge: str, size: int) -> Iterator[Shape]:
    """Yield words in a frame."""
    left, top, right, bottom = box
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    yield Polygon(points=corners, style=Style(fill=fill, stroke=edge, width=3))
    at = ((left + right) // 2, (top + bottom) // 2 + size * 36 // 100)
    yield Text(at=at, text=words, size=size, fill=ink_on(fill), bold=True)


def _bundles(board: RailMap, lines: Lines) -> tuple[tuple[tuple[Hex, ...], tuple[str, ...]], ...]:
    """Return runs of hexes with the same owners all along: there the lines stay side by side and in order."""
    around: dict[Hex, list[Side]] = {}
    for crossing in lines:
        for label in crossing:
            around.setdefault(label, []).append(crossing)

    def onward(label: Hex, came: Side) -> Side | None:
        ways = around[label]
        if board.is_city(label) or len(ways) != 2 or set(lines[ways[0]]) != set(lines[ways[1]]):
            return None
        return ways[1] if ways[0] == came else ways[0]

    def extend(run: list[Hex], crossing: Side) -> None:
        while (following := onward(run[-1], crossing)) is not None and following not in seen:
            crossing = following
            seen.add(crossing)
            run.append(crossing[1] if crossing[0] == run[-1] else crossing[0])

    seen: set[Side] = set()
    found = []
    for crossing in sorted(lines):
        if crossing in seen:
            continue
        seen.add(crossing)
        run = list(crossing)
        extend(run, crossing)
        run.reverse()
        extend(run, crossing)
        found.append((tuple(run), lines[crossing]))
    return tuple(found)


def _course(run: tuple[Hex, ...], offset: int) -> tuple[Point, ...]:
    """Return the way of a line through a run of hexes: from centre to centre, aside by *offset* in between."""
    centres = [middle(label) for label in run]
    if offset == 0:
        return tuple(centres)
    turns = (_turn(*corner, offset) for corner in zip(centres, centres[1:], centres[2:], strict=False))
    start = _beside(centres[0], centres[1], offset, _BEND)
    end = _beside(centres[-2], centres[-1], offset, STEP - _BEND)
    return centres[0], start, *turns, end, centres[-1]


def _turn(before: Point, here: Point, after: Point, offset: int) -> Point:
    """Return where a line that keeps aside of the centres changes direction."""
    (ax, ay), (bx, by) = _way(before, here), _way(here, after)
    spread = STEP * STEP + ax * bx + ay * by
    if spread <= STEP * STEP:  # a sharp turn: the lines would stand out too far
        return here
    return here[0] - offset * (ay + by) * STEP // spread, here[1] + offset * (ax + bx) * STEP // spread


def _beside(start: Point, end: Point, offset: int, along: int) -> Point:
    """Return the point *along* the way from centre to centre, moved aside by *offset*."""
    dx, dy = _way(start, end)
    return start[0] + (dx * along - dy * offset) // STEP, start[1] + (dy * along + dx * offset) // STEP


def _way(start: Point, end: Point) -> Point:
    return end[0] - start[0], end[1] - start[1]


def _offset(owners: tuple[str, ...], code: str, companies: tuple[CompanyLook, ...]) -> int:
    """Return how far aside a company's line lies, in order of the companies, symmetrical to the middle."""
    order = [look.code for look in companies if look.code in owners]
    return (2 * order.index(code) - (len(order) - 1)) * min(GAP, 84 // len(order)) // 2


def _forks(lines: Lines) -> tuple[Hex, ...]:
    """Return the hexes where track of any company leaves to three sides or more."""
    ways: dict[Hex, int] = {}
    for crossing in lines:
        for label in crossing:
            ways[label] = ways.get(label, 0) + 1
    return tuple(sorted(label for label, count in ways.items() if count > 2))
