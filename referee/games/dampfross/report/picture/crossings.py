"""Hex-sides with rules of their own: bridges, ferries, forbidden and priced sides, permitted builds."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.hexes import Side
from referee.core.picture.drawing import Point, Polygon, Shape, Style, Text, pen
from referee.core.picture.labels import Box, Obstacles, box_at, text_width
from referee.core.picture.legend import Look
from referee.core.picture.shades import INK, WHITE
from referee.core.picture.shapes import beside, between, moved, name_in, strokes
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.report.picture.layout import edge_of, halfway, way_over
from referee.games.dampfross.report.picture.palette import BANK, FAINT, PEAK
from referee.games.dampfross.report.picture.track import Lines, row_of_tags, row_width

FORBIDDEN = (pen(WHITE, 18), pen(INK, 12, (4, 4)))
PRICED = (pen(WHITE, 14), pen(PEAK, 10, (14, 6)))
CAUSEWAY = (pen(INK, 24), pen(WHITE, 16))
FERRY = (pen(WHITE, 13), pen(BANK, 7, (13, 9)))
PERMITTED = (pen(FAINT, 22), pen(WHITE, 17))

_NAME, _PRICE, _OWNER = 22, 24, 19
_HULL = ((-30, 2), (30, 2), (20, 16), (-20, 16))
_FUNNEL = ((-9, 2), (-9, -14), (9, -14), (9, 2))
_RAILING = ((24, 27), (31, 18), (73, 18), (80, 27))  # along the way over a hex-side, and aside of it


def sides(board: RailMap) -> Iterator[Shape]:
    """Yield what lies below the track: forbidden and priced hex-sides, permitted builds, causeways, ferries."""
    yield from strokes(map(edge_of, forbidden(board)), FORBIDDEN)
    yield from strokes(map(edge_of, sorted(board.prices)), PRICED)
    yield from strokes(map(way_over, permitted(board)), PERMITTED)  # Rule: D2.6
    dams = ((between(*ends, 20), between(*ends, 80)) for ends in map(way_over, sorted(board.causeways)))
    yield from strokes(dams, CAUSEWAY)  # Rule: R29
    yield from strokes(map(way_over, sorted(board.ferries)), FERRY)


def forbidden(board: RailMap) -> list[Side]:
    """Return the closed hex-sides that are no water."""
    return sorted(board.closed - {crossing for river in board.river_lines for crossing in river.sides})


def permitted(board: RailMap) -> list[Side]:
    """Return the permitted builds that are no causeways."""
    return sorted(board.permitted - board.causeways.keys())


def bridge(start: Point, end: Point) -> Iterator[Shape]:
    """Yield two railings along the way over a hex-side, from centre to centre."""
    for mirror in (-1, 1):
        railing = tuple(beside(start, end, along, aside * mirror) for along, aside in _RAILING)
        yield from strokes([railing], (pen(WHITE, 10), pen(INK, 5)))


def bridges(board: RailMap) -> Iterator[Shape]:
    """Yield the bridges: their railings stand on both sides of the track."""
    for crossing in sorted(board.bridges.keys() - board.causeways.keys()):
        yield from bridge(*way_over(crossing))


def boat(at: Point) -> Iterator[Polygon]:
    """Yield the sign of a ferry."""
    return (Polygon(moved(each, at), Style(fill=BANK, stroke=WHITE, width=2)) for each in (_HULL, _FUNNEL))


def sign_boxes(board: RailMap) -> Iterator[Box]:
    """Yield what names keep clear of: bridges, boats, prices."""
    yield from (box_at(halfway(crossing), 56, 56) for crossing in (*board.bridges, *board.prices))
    yield from (box_at((x, y + 15), 110, 66) for x, y in map(halfway, board.ferries))


def price(at: Point, words: str) -> Iterator[Text]:
    """Yield the price of a hex-side."""
    yield Text((at[0], at[1] + 9), words, _PRICE, INK, bold=True, halo=True)


def names(board: RailMap, obstacles: Obstacles) -> Iterator[Shape]:
    """Yield prices on priced hex-sides, and the names of bridges and ferries with their prices; + where points are banked."""
    for crossing, points in sorted(board.prices.items()):
        yield from price(halfway(crossing), str(points))
    spans = {
        crossing: each.name if each.built else f"{each.name} {each.price}{'+' * each.banked}"
        for crossing, each in board.bridges.items()
    }
    lines = {crossing: f"{ferry.name} {ferry.price}" for crossing, ferry in board.ferries.items()}
    for crossing, words in sorted({**spans, **lines}.items()):
        (x, y), width = halfway(crossing), text_width(words, _NAME, bold=True)
        ways = ((0, 62), (0, -36), (width // 2 + 62, 0), (-width // 2 - 62, 0), (0, 84), (0, -60))
        if box := obstacles.place((0, box_at((x + dx, y + dy), width, _NAME)) for dx, dy in ways):
            yield name_in(box, words, _NAME, BANK, italic=True)


def boats(board: RailMap, lines: Lines, companies: tuple[Look, ...]) -> Iterator[Shape]:
    """Yield the ferries' boats, below each the acronyms of the companies that own it."""
    for crossing in sorted(board.ferries):
        x, y = halfway(crossing)
        yield from boat((x, y))
        owners = [look for look in companies if look.code in lines.get(crossing, ())]
        yield from row_of_tags(owners, _OWNER, (x - row_width(owners, _OWNER) // 2, y + 20))
