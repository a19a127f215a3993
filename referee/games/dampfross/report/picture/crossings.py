"""Hex-sides with rules of their own: bridges, ferries, forbidden and priced sides, permitted builds."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.hexes import Side, corner_points
from referee.core.picture.drawing import Line, Point, Polygon, Shape, Style, Text
from referee.core.picture.placing import Box, Clutter, box_at, text_width
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.layout import STEP, middle, on_paper
from referee.games.dampfross.report.picture.palette import CompanyLook
from referee.games.dampfross.report.picture.track import Lines, tag

FORBIDDEN = (Style(stroke=palette.WHITE, width=18), Style(stroke=palette.INK, width=12, dash=(4, 4)))
PRICED = (Style(stroke=palette.WHITE, width=14), Style(stroke=palette.PEAK, width=10, dash=(14, 6)))
CAUSEWAY = (Style(stroke=palette.INK, width=24), Style(stroke=palette.WHITE, width=16))
FERRY = (Style(stroke=palette.WHITE, width=13), Style(stroke=palette.BANK, width=7, dash=(13, 9)))
PERMITTED = (Style(stroke=palette.FAINT, width=22), Style(stroke=palette.WHITE, width=17))

_NAME, _PRICE, _OWNER = 22, 24, 19
_HULL = ((-30, 2), (30, 2), (20, 16), (-20, 16))
_FUNNEL = ((-9, 2), (-9, -14), (9, -14), (9, 2))
_TAKEN = 100


def sides(board: RailMap) -> Iterator[Shape]:
    """Yield what lies below the track: forbidden and priced hex-sides, permitted builds, causeways, ferries."""
    for style in FORBIDDEN:
        for crossing in forbidden(board):
            yield Line(points=edge_of(crossing), style=style)
    for style in PRICED:
        for crossing in sorted(board.prices):
            yield Line(points=edge_of(crossing), style=style)
    for style in PERMITTED:  # Rule: D2.6
        for one, other in sorted(board.permitted - board.causeways.keys()):
            yield Line(points=(middle(one), middle(other)), style=style)
    for style in CAUSEWAY:  # Rule: R29
        for crossing in sorted(board.causeways):
            yield Line(points=dam(crossing), style=style)
    for style in FERRY:
        for one, other in sorted(board.ferries):
            yield Line(points=(middle(one), middle(other)), style=style)


def forbidden(board: RailMap) -> tuple[Side, ...]:
    """Return the closed hex-sides that are no water."""
    waters = {crossing for river in board.river_lines for crossing in river.sides}
    return tuple(sorted(board.closed - waters))


def bridge(at: Point, way: Point) -> Iterator[Shape]:
    """Yield two railings along the way over a hex-side; *way* is a step from centre to centre."""
    dx, dy = way
    for aside in (-18, 18):
        x, y = at[0] - dy * aside // STEP, at[1] + dx * aside // STEP
        ends = tuple((x + dx * n // 100, y + dy * n // 100) for n in (-20, 20))
        wings = tuple(
            (px - dy * aside // (2 * STEP) + dx * n // 100, py + dx * aside // (2 * STEP) + dy * n // 100)
            for (px, py), n in zip(ends, (-7, 7), strict=True)
        )
        course = (wings[0], *ends, wings[1])
        for style in (Style(stroke=palette.WHITE, width=10), Style(stroke=palette.INK, width=5)):
            yield Line(points=course, style=style)


def bridges(board: RailMap) -> Iterator[Shape]:
    """Yield the bridges: their railings stand on both sides of the track."""
    for crossing in sorted(board.bridges.keys() - board.causeways.keys()):
        (x1, y1), (x2, y2) = middle(crossing[0]), middle(crossing[1])
        yield from bridge(_halfway(crossing), (x2 - x1, y2 - y1))


def dam(crossing: Side) -> tuple[Point, Point]:
    """Return the two ends of a causeway on paper: it lies on the middle of the way from centre to centre."""
    (x1, y1), (x2, y2) = middle(crossing[0]), middle(crossing[1])
    dx, dy = (x2 - x1) // 5, (y2 - y1) // 5
    return (x1 + dx, y1 + dy), (x2 - dx, y2 - dy)


def boat(at: Point) -> Iterator[Polygon]:
    """Yield the sign of a ferry."""
    for shape in (_HULL, _FUNNEL):
        points = tuple((at[0] + x, at[1] + y) for x, y in shape)
        yield Polygon(points=points, style=Style(fill=palette.BANK, stroke=palette.WHITE, width=2))


def sign_boxes(board: RailMap) -> Iterator[Box]:
    """Yield what names keep clear of: bridges, boats, prices."""
    for crossing in (*board.bridges, *board.prices):
        yield box_at(*_halfway(crossing), 56, 56)
    for crossing in board.ferries:
        x, y = _halfway(crossing)
        yield x - 55, y - 18, x + 55, y + 48


def names(board: RailMap, clutter: Clutter) -> Iterator[Shape]:
    """Yield prices on priced hex-sides, and the names of bridges and ferries with their prices; + where points are banked."""
    for crossing, points in sorted(board.prices.items()):
        x, y = _halfway(crossing)
        yield Text(at=(x, y + 9), text=str(points), size=_PRICE, fill=palette.INK, bold=True, halo=True)
    spans = {
        crossing: bridge.name if bridge.built else f"{bridge.name} {bridge.price}{'+' * bridge.banked}"
        for crossing, bridge in board.bridges.items()
    }
    lines = {crossing: f"{ferry.name} {ferry.price}" for crossing, ferry in board.ferries.items()}
    for crossing, words in sorted({**spans, **lines}.items()):
        box = _free_box(_halfway(crossing), text_width(words, _NAME, bold=True), clutter)
        clutter.add(box, _TAKEN)
        at = ((box[0] + box[2]) // 2, box[3] - 5)
        yield Text(at=at, text=words, size=_NAME, fill=palette.BANK, bold=True, italic=True, halo=True)


def boats(board: RailMap, lines: Lines, companies: tuple[CompanyLook, ...]) -> Iterator[Shape]:
    """Yield the ferries' boats, below each the acronyms of the companies that own it."""
    for crossing in sorted(board.ferries):
        x, y = _halfway(crossing)
        yield from boat((x, y))
        owners = [look for look in companies if look.code in lines.get(crossing, ())]
        widths = [text_width(look.code, _OWNER, bold=True) + 12 for look in owners]
        left = x - (sum(widths) + 4 * len(widths)) // 2
        for look, width in zip(owners, widths, strict=True):
            yield from tag((left, y + 20, left + width, y + 46), look.code, palette.WHITE, palette.ink_of(look), _OWNER)
            left += width + 4


def edge_of(crossing: Side) -> tuple[Point, Point]:
    """Return the two ends of a hex-side on paper."""
    one, other = corner_points(*crossing)
    return on_paper(one), on_paper(other)


def _free_box(at: Point, width: int, clutter: Clutter) -> Box:
    """Return where a name beside a crossing covers least."""
    x, y = at
    ways = ((0, 62), (0, -36), (width // 2 + 62, 0), (-width // 2 - 62, 0), (0, 84), (0, -60))
    boxes = (box_at(x + dx, y + dy, width, _NAME) for dx, dy in ways)
    return min(boxes, key=clutter.cost)


def _halfway(crossing: Side) -> Point:
    (x1, y1), (x2, y2) = middle(crossing[0]), middle(crossing[1])
    return (x1 + x2) // 2, (y1 + y2) // 2
