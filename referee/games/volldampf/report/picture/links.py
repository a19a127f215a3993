"""The links: dashes and a symbol with the cost where nobody has built, the owner's section and code where somebody has.

Beside them run the deliveries of the turn before, with an arrow where the cube ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from referee.core import TOLD
from referee.core.picture import INK, WHITE, Point, Points, Polygon, Shapes, Style, Styles, Translate, pen
from referee.core.picture.shapes import DASHES, Box, LaneOffsets, Obstacles, beside, between, box_at, strokes

from ...board import Link
from ...events import CubeDelivered
from . import LINES, LINK_PAINT, RADIUS, Scene, places, section_styles

LAST_KIND = 3  # trips are drawn in as many ways: the first, the second, extra trips

_ALONG = (50, 46, 54, 42, 58, 38, 62, 34, 66)  # per cent of the way at which a symbol may stand
_BUILT, _LINE = 130, 4  # weights: what names hardly should cover, what they should not
_ARROW = 13
_MOST = 240_000  # what the words beside a delivery may cover
_OFF = (6, 24, 42, 64, 90, 120)  # how far off its line they are tried


def lines(scene: Scene) -> Shapes:
    """Yield the free links, then the sections that are built."""
    every, built = scene.board.links, scene.built
    others = (link for link in every if not _shows(scene, built.get(link.id, scene.alone)))
    yield from strokes((course(scene, link) for link in others), LINES["others"])
    free = [link for link in every if link.id not in built]
    edge, inner = LINES["free"]
    yield from strokes((course(scene, link) for link in free), [edge])
    for link in free:
        yield from strokes([course(scene, link)], [inner.recolour({"own": LINK_PAINT[link.colour]})])
    yield from strokes((course(scene, link) for link in every if link.id in scene.fresh), LINES["fresh"])
    for place, look in enumerate(scene.players):
        own = (link for link in every if built.get(link.id) == look.code and _shows(scene, look.code))
        yield from strokes((course(scene, link) for link in own), section_styles(look, place))


def candidates(scene: Scene) -> dict[str, list[tuple[int, Box]]]:
    """Return where each link's symbol or code may stand: near its middle. The shortest come first: they have the least choice."""
    every = sorted(scene.board.links, key=lambda link: _length(*course(scene, link)))
    return {
        link.id: [(300 * n, _room(scene, link, between(*course(scene, link), at))) for n, at in enumerate(_ALONG)]
        for link in every
    }


def rooms(scene: Scene, symbols: Mapping[str, Box]) -> dict[str, Box]:
    """Return what the symbols and codes of a position take that stand where *symbols* do."""
    return {link.id: _room(scene, link, places.middle(symbols[link.id])) for link in scene.board.links}


def marks(scene: Scene, symbols: Mapping[str, Box], translate: Translate) -> Shapes:
    """Yield the symbols of free links with their cost, the owners' codes on built ones."""
    colours = {colour.id: colour for colour in scene.board.colours}
    for link in scene.board.links:
        box, owner = symbols[link.id], scene.built.get(link.id)
        if owner is None:
            told = f"{translate(link.colour)}, {link.cost}"
            title = translate(TOLD).format(what=scene.board.link_name(link.id), told=told)
            yield from places.symbol(places.middle(box), colours[link.colour], str(link.cost), title=title)
        elif _shows(scene, owner):
            yield from places.tag(places.middle(box), places.link_title(owner, link.cost), scene.look(owner).ink)


def _shows(scene: Scene, owner: str) -> bool:
    """Return whether what a player built is shown as theirs."""
    return scene.alone in ("", owner)


def course(scene: Scene, link: Link) -> tuple[Point, Point]:
    """Return the two ends of a link on paper."""
    return scene.sheet.spots[link.a], scene.sheet.spots[link.b]


def add_lines(scene: Scene, obstacles: Obstacles) -> None:
    """Note where the links' lines run."""
    for link in scene.board.links:
        obstacles.add(*_line_boxes(*course(scene, link)), weight=_BUILT if link.id in scene.built else _LINE)


@lru_cache(maxsize=1024)
def _line_boxes(start: Point, end: Point) -> tuple[Box, ...]:
    count = max(1, _length(start, end) // 30)
    return tuple(box_at(between(start, end, 100 * n // count), 30, 30) for n in range(count + 1))


def _room(scene: Scene, link: Link, at: Point) -> Box:
    if (owner := scene.built.get(link.id)) is None:
        return box_at(at, 2 * places.SYMBOL + 4, 2 * places.SYMBOL + 4)
    return places.tag_box(at, places.link_title(owner, link.cost))


def _length(start: Point, end: Point) -> int:
    (x, y), (far_x, far_y) = start, end
    return max(abs(far_x - x), abs(far_y - y)) + min(abs(far_x - x), abs(far_y - y)) * 2 // 5


def ways(scene: Scene) -> tuple[Points, ...]:
    """Return the line of each delivery on paper: on every link a lane of its own."""
    lanes = LaneOffsets(22, 10, 3, RADIUS + 8)
    return tuple(lanes.line(haul.route, scene.sheet.spots.__getitem__) for haul in scene.hauls)


def haul_lines(scene: Scene, drawn: tuple[Points, ...]) -> Shapes:
    """Yield the lines of deliveries with their arrows."""
    for haul, way in zip(scene.hauls, drawn, strict=True):
        ink = scene.look(haul.player).ink
        yield from strokes([way], haul_styles(ink, haul.trip))
        tip, *wings = (beside(way[-1], way[-2], *each) for each in ((-_ARROW, 0), (_ARROW, _ARROW), (_ARROW, -_ARROW)))
        yield Polygon((tip, *wings), Style(ink, INK, 2))


def haul_styles(ink: str, trip: int) -> Styles:
    """Return how a delivery on that trip is drawn in a colour, lowest first; dark edges, for pale colours."""
    dash = DASHES[min(trip, LAST_KIND) - 1]
    return pen(WHITE, 12), pen(INK, 8, dash), pen(ink, 5, dash)


def haul_marks(scene: Scene, drawn: tuple[Points, ...], obstacles: Obstacles) -> Shapes:
    """Yield trip, mover and cube of each delivery beside its line; nothing where all is taken."""
    for haul, way in zip(scene.hauls, drawn, strict=True):
        if box := obstacles.place(((0, box) for box in _haul_boxes(haul, way)), most=_MOST):
            x, y = places.middle(box)
            yield from places.tag((x - places.CUBE // 2 - 7, y), _words_of(haul), scene.look(haul.player).ink)
            yield from places.cube((box[2] - places.CUBE - 9, y - places.CUBE // 2 + 3), haul.colour)


def _words_of(haul: CubeDelivered) -> str:
    """Return the trip and who made it: ``1 ANN``."""
    return f"{haul.trip} {haul.player}"


def _haul_boxes(haul: CubeDelivered, way: Points) -> Iterator[Box]:
    """Yield where such a sign may stand: along every link of the way, beside the line and a little off it."""
    left, top, right, bottom = places.tag_box((0, 0), _words_of(haul))
    width, height = right - left + places.CUBE + 18, max(bottom - top, places.CUBE + 14)
    for start, end in zip(way[::2], way[1::2], strict=True):
        for percent in (30, 50, 70, 20, 80):
            x, y = between(start, end, percent)
            yield box_at((x, y), width, height)
            for off in _OFF:
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    yield box_at((x + dx * (width // 2 + off), y + dy * (height // 2 + off)), width, height)
