"""The links: dashes and a symbol with the cost where nobody has built, the owner's section and code where somebody has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from referee.core.picture.drawing import Line, Point, Shape, Style, Translate
from referee.core.picture.placing import Box, Clutter, box_at
from referee.core.texts.wording import TOLD
from referee.games.volldampf.board.board import Link
from referee.games.volldampf.report.picture import palette, signs
from referee.games.volldampf.report.picture.layout import Sheet
from referee.games.volldampf.report.picture.scene import Scene

PRINTED = (Style(stroke=palette.WHITE, width=15, opacity=80), 8, (22, 12))  # edge, width and dash of a free link

OTHERS = Style(stroke=palette.FAINT, width=4)  # what others built, where one player is shown alone
FRESH = (Style(stroke=palette.FRESH_EDGE, width=46), Style(stroke=palette.FRESH, width=40))  # below what is new

_ALONG = (50, 46, 54, 42, 58, 38, 62, 34, 66)  # per cent of the way at which a symbol may stand
_SIGN, _BUILT, _LINE = 100, 90, 4  # weights: what names must not cover, what they hardly should, what they should not


def lines(scene: Scene, sheet: Sheet) -> Iterator[Shape]:
    """Yield the free links, then the sections that are built."""
    free = [link for link in scene.board.links if link.id not in scene.built]
    edge, width, dash = PRINTED
    for link in scene.board.links:
        if not _shows(scene, scene.built.get(link.id, scene.alone)):
            yield Line(points=course(sheet, link), style=OTHERS)
    for link in free:
        yield Line(points=course(sheet, link), style=edge)
    for link in free:
        style = Style(stroke=palette.LINK_PAINT[link.colour], width=width, dash=dash)
        yield Line(points=course(sheet, link), style=style)
    for style in FRESH:
        for link in scene.board.links:
            if link.id in scene.fresh:
                yield Line(points=course(sheet, link), style=style)
    for place, look in enumerate(scene.players):
        own = [link for link in scene.board.links if scene.built.get(link.id) == look.code and _shows(scene, look.code)]
        for style in palette.section_styles(look, place):
            for link in own:
                yield Line(points=course(sheet, link), style=style)


def places(scene: Scene, sheet: Sheet, clutter: Clutter, before: Mapping[str, Point]) -> Mapping[str, Point]:
    """Return where each link's symbol or code stands: near its middle, clear of cities, names and one another.

    *before*: where they stood before the names were placed; empty at first.
    """
    found = {}
    # The shortest first: they have the least choice.
    for link in sorted(scene.board.links, key=lambda link: _length(*course(sheet, link))):
        if link.id in before:
            clutter.remove(_room(scene, link, before[link.id]), _SIGN)
        spots = [_between(*course(sheet, link), percent) for percent in _ALONG]
        rated = [(clutter.cost(_room(scene, link, at)) + 300 * n, at) for n, at in enumerate(spots)]
        found[link.id] = min(rated)[1]
        clutter.add(_room(scene, link, found[link.id]), _SIGN)
    return found


def add_marks(scene: Scene, spots: Mapping[str, Point], clutter: Clutter) -> None:
    """Note where the symbols and codes stand."""
    for room in rooms(scene, spots):
        clutter.add(room, _SIGN)


def rooms(scene: Scene, spots: Mapping[str, Point]) -> tuple[Box, ...]:
    """Return what the symbols and codes take, in the order of the links."""
    return tuple(_room(scene, link, spots[link.id]) for link in scene.board.links)


def marks(scene: Scene, spots: Mapping[str, Point], translate: Translate) -> Iterator[Shape]:
    """Yield the symbols of free links with their cost, the owners' codes on built ones."""
    colours = {colour.id: colour for colour in scene.board.colours}
    for link in scene.board.links:
        at, owner = spots[link.id], scene.built.get(link.id)
        if owner is None:
            told = f"{translate(link.colour)}, {link.cost}"
            title = translate(TOLD).format(what=scene.board.link_name(link.id), told=told)
            yield from signs.symbol(at, colours[link.colour], str(link.cost), title=title)
        elif _shows(scene, owner):
            yield from signs.built(at, owner, link.cost, palette.ink_of(scene.look(owner)))


def _shows(scene: Scene, owner: str) -> bool:
    """Return whether what a player built is shown as his."""
    return scene.alone in ("", owner)


def course(sheet: Sheet, link: Link) -> tuple[Point, Point]:
    """Return the two ends of a link on paper."""
    return sheet.spots[link.a], sheet.spots[link.b]


def add_lines(scene: Scene, sheet: Sheet, clutter: Clutter) -> None:
    """Note where the links' lines run."""
    for link in scene.board.links:
        for box in _line_boxes(*course(sheet, link)):
            clutter.add(box, _BUILT if link.id in scene.built else _LINE)


@lru_cache(maxsize=1024)
def _line_boxes(start: Point, end: Point) -> tuple[Box, ...]:
    count = max(1, _length(start, end) // 30)
    return tuple(box_at(*_between(start, end, 100 * n // count), 30, 30) for n in range(count + 1))


def _room(scene: Scene, link: Link, at: Point) -> Box:
    owner = scene.built.get(link.id)
    return (
        box_at(*at, 2 * signs.SYMBOL + 4, 2 * signs.SYMBOL + 4)
        if owner is None
        else signs.built_box(at, owner, link.cost)
    )


def _length(start: Point, end: Point) -> int:
    (x, y), (far_x, far_y) = start, end
    return max(abs(far_x - x), abs(far_y - y)) + min(abs(far_x - x), abs(far_y - y)) * 2 // 5


def _between(start: Point, end: Point, percent: int) -> Point:
    return start[0] + (end[0] - start[0]) * percent // 100, start[1] + (end[1] - start[1]) * percent // 100
