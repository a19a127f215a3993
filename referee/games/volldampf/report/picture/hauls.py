"""The deliveries of the turn before: a thin line of the mover's colour beside the links, with an arrow where the cube ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import isqrt

from referee.core.picture.drawing import Line, Point, Polygon, Shape, Style
from referee.core.picture.placing import Box, Clutter
from referee.core.values import Value
from referee.games.volldampf.report.picture import palette, signs
from referee.games.volldampf.report.picture.layout import RADIUS, Sheet
from referee.games.volldampf.report.picture.palette import PlayerLook

LAST_KIND = 3  # trips are drawn in as many ways: the first, the second, extra trips
_DASHES: tuple[tuple[int, ...], ...] = ((), (20, 10), (6, 8))  # of the first trips, the second ones, extra trips
_FIRST_LANE, _LANE, _LANES = 22, 10, 3  # between a link's middle and the line beside it; between lines; on each side
_NEAR = RADIUS + 8  # how far from a city's middle a line keeps its lane
_ARROW = 13
_SIGN, _MOST = 27, 240_000  # size of a sign's words; what it may cover at most

_OFF = (6, 24, 42, 64)  # how far off its line it is tried

Way = tuple[Point, ...]


class Haul(Value):
    """A delivery: who moved a cube of which colour on which trip (from 1), over which cities, both ends included."""

    player: str
    trip: int
    colour: str
    route: tuple[str, ...]

    @property
    def words(self) -> str:
        """The trip and who made it: ``1 ANN``."""
        return f"{self.trip} {self.player}"


def ways(hauls: tuple[Haul, ...], sheet: Sheet) -> tuple[Way, ...]:
    """Return the line of each delivery on paper: on every link a lane of its own, on one side and the other by turns."""
    lanes: dict[tuple[str, str], int] = {}
    return tuple(tuple(_along(haul, sheet, lanes)) for haul in hauls)


def lines(hauls: tuple[Haul, ...], drawn: tuple[Way, ...], looks: Mapping[str, PlayerLook]) -> Iterator[Shape]:
    """Yield the lines with their arrows."""
    for haul, way in zip(hauls, drawn, strict=True):
        for style in styles(looks[haul.player], haul.trip):
            yield Line(points=way, style=style)
        ink = palette.ink_of(looks[haul.player])
        yield Polygon(points=_arrow(*way[-2:]), style=Style(fill=ink, stroke=palette.INK, width=2))


def styles(look: PlayerLook, trip: int) -> tuple[Style, ...]:
    """Return how a player's delivery on that trip is drawn, lowest first."""
    return styles_of(palette.ink_of(look), trip)


def styles_of(ink: str, trip: int) -> tuple[Style, ...]:
    """Return how a delivery on that trip is drawn in a colour, lowest first; dark edges, for pale colours."""
    dash = _DASHES[min(trip, len(_DASHES)) - 1]
    return (
        Style(stroke=palette.WHITE, width=12),
        Style(stroke=palette.INK, width=8, dash=dash),
        Style(stroke=ink, width=5, dash=dash),
    )


def marks(
    hauls: tuple[Haul, ...], drawn: tuple[Way, ...], looks: Mapping[str, PlayerLook], clutter: Clutter
) -> Iterator[Shape]:
    """Yield trip, mover and cube of each delivery beside its line, where that covers least; nothing where all is taken."""
    for haul, way in zip(hauls, drawn, strict=True):
        found = min(_spots(haul, way), key=lambda spot: clutter.cost(_room(spot, haul)), default=None)
        if found is None or clutter.cost(_room(found, haul)) > _MOST:
            continue
        left, top, right, bottom = _room(found, haul)
        clutter.add((left, top, right, bottom), 100)
        at = ((left + right - signs.CUBE - 14) // 2, (top + bottom) // 2)
        yield from signs.tag(at, haul.words, palette.ink_of(looks[haul.player]), _SIGN)
        yield from signs.cube((right - signs.CUBE - 9, (top + bottom - signs.CUBE) // 2 + 3), haul.colour)


def _along(haul: Haul, sheet: Sheet, lanes: dict[tuple[str, str], int]) -> Iterator[Point]:
    for here, there in pairwise(haul.route):
        link = (min(here, there), max(here, there))
        lane = lanes.get(link, 0)
        lanes[link] = lane + 1
        aside = _FIRST_LANE + _LANE * (lane // 2 % _LANES)
        # Sides are those of the link, whichever way it is travelled.
        aside = aside if (lane % 2 == 0) == (here < there) else -aside
        yield _beside(sheet.spots[here], sheet.spots[there], aside)
        yield _beside(sheet.spots[there], sheet.spots[here], -aside)


def _beside(start: Point, end: Point, aside: int) -> Point:
    """Return the point near *start*, on the way to *end*, that lies so far to the right of it."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max(1, isqrt(dx * dx + dy * dy))
    return (start[0] + (dx * _NEAR - dy * aside) // length, start[1] + (dy * _NEAR + dx * aside) // length)


def _arrow(start: Point, end: Point) -> Way:
    """Return the head of an arrow at the end of a line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max(1, isqrt(dx * dx + dy * dy))
    along, across = (dx * _ARROW // length, dy * _ARROW // length), (-dy * _ARROW // length, dx * _ARROW // length)
    back = (end[0] - along[0], end[1] - along[1])
    return (
        (end[0] + along[0], end[1] + along[1]),
        (back[0] + across[0], back[1] + across[1]),
        (back[0] - across[0], back[1] - across[1]),
    )


def _spots(haul: Haul, way: Way) -> Iterator[Point]:
    """Yield where a sign may stand: along every link of the way, beside the line and a little off it."""
    width, height = _size(haul)
    for start, end in zip(way[::2], way[1::2], strict=True):
        for percent in (30, 50, 70, 20, 80):
            x, y = (start[0] + (end[0] - start[0]) * percent // 100, start[1] + (end[1] - start[1]) * percent // 100)
            yield x, y
            for off in _OFF:
                yield from ((x + width // 2 + off, y), (x - width // 2 - off, y))
                yield from ((x, y + height // 2 + off), (x, y - height // 2 - off))


def _size(haul: Haul) -> tuple[int, int]:
    left, top, right, bottom = signs.tag_box((0, 0), haul.words, _SIGN)
    return right - left + signs.CUBE + 18, max(bottom - top, signs.CUBE + 14)


def _room(at: Point, haul: Haul) -> Box:
    width, height = _size(haul)
    return at[0] - width // 2, at[1] - height // 2, at[0] + width // 2, at[1] + height // 2
