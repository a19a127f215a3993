"""The signs of the board: link symbols, cubes, track cards, locomotives, tags."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.picture.drawing import Circle, Point, Polygon, Shape, Style
from referee.core.picture.labels import Box, box_at, text_width
from referee.core.picture.shades import BLACK, INK, WHITE, ink_on
from referee.core.picture.shapes import between, centred, moved, rectangle
from referee.games.volldampf.board.board import LinkColour
from referee.games.volldampf.report.picture import palette

CUBE = 26  # side of a cube's front
CARD = (62, 84)  # width and height of a track card
BUILT = 19  # size of what stands on a built link
SYMBOL = 33  # half the width of a link's symbol, with its edge
_BODY = (
    (4, 32), (14, 32), (14, 4), (27, 4), (27, 32), (64, 32), (64, 12), (60, 12), (60, 0), (98, 0), (98, 80), (4, 80),
)  # fmt: skip

# Corners of the symbols, for a radius of 100.
_CORNERS: dict[str, tuple[Point, ...]] = {
    "octagon": ((-41, -96), (41, -96), (96, -41), (96, 41), (41, 96), (-41, 96), (-96, 41), (-96, -41)),
    "triangle": ((0, -125), (122, 88), (-122, 88)),
    "square": ((-90, -90), (90, -90), (90, 90), (-90, 90)),
    "diamond": ((0, -122), (122, 0), (0, 122), (-122, 0)),
    "star": (
        (0, -132), (43, -72), (114, -66), (86, 0), (114, 66), (43, 72),
        (0, 132), (-43, 72), (-114, 66), (-86, 0), (-114, -66), (-43, -72),
    ),
}  # fmt: skip


def middle(box: Box) -> Point:
    """Return the centre of a box."""
    return between(box[:2], box[2:])


def symbol(at: Point, colour: LinkColour, words: str, radius: int = 27, title: str = "") -> Iterator[Shape]:
    """Yield the sign of a link's colour with its cost inside; the shape speaks where colours do not."""
    style = Style(fill=WHITE, stroke=palette.LINK_PAINT[colour.id], width=6)
    if colour.symbol == "circle":
        yield Circle(at, radius, style, title)
    else:
        yield Polygon(moved(_CORNERS[colour.symbol], at, radius), style, title)
    if words:
        size = radius if len(words) < 2 else radius * 9 // 10
        yield centred((at[0], at[1] + 3 * (colour.symbol == "triangle")), words, size)


def cube(at: Point, colour: str) -> Iterator[Shape]:
    """Yield a cube of a colour with its letter; *at* is the upper left corner of its front."""
    (x, y), depth, side = at, 7, CUBE
    paint = palette.CUBE_PAINT[colour]
    front = rectangle((x, y, x + side, y + side))
    lid = ((x, y), (x + depth, y - depth), (x + side + depth, y - depth), (x + side, y))
    flank = ((x + side, y), (x + side + depth, y - depth), (x + side + depth, y + side - depth), (x + side, y + side))
    for points in (front, lid, flank):
        yield Polygon(points, Style(fill=paint, stroke=INK, width=2))
    yield Polygon(lid, Style(fill=WHITE, opacity=45))
    yield Polygon(flank, Style(fill=BLACK, opacity=30))
    yield centred((x + side // 2, y + side // 2), colour[0].upper(), 20, ink_on(paint))


def cube_at(at: Point, colour: str) -> Iterator[Shape]:
    """Yield a cube at the height of its middle."""
    return cube((at[0], at[1] - CUBE // 2), colour)


def card(at: Point, colour: LinkColour) -> Iterator[Shape]:
    """Yield a track card; *at* is its upper left corner."""
    (x, y), (width, height) = at, CARD
    yield Polygon(rectangle((x, y, x + width, y + height)), Style(fill=WHITE, stroke=INK, width=2))
    inner = rectangle((x + 6, y + 6, x + width - 6, y + height - 6))
    yield Polygon(inner, Style(fill=palette.LINK_PAINT[colour.id], opacity=22))
    yield from symbol((x + width // 2, y + height // 2), colour, colour.code, radius=20)


def tag(at: Point, words: str, fill: str, size: int = 23) -> Iterator[Shape]:
    """Yield words on a piece of a colour."""
    (left, top, right, bottom), cut = tag_box(at, words, size), 6
    corners = (
        (left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
        (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut),
    )  # fmt: skip
    yield Polygon(corners, Style(fill=WHITE, stroke=WHITE, width=9, opacity=85))
    yield Polygon(corners, Style(fill=fill, stroke=INK, width=4))
    yield centred(at, words, size, ink_on(fill))


def built(owner: str, cost: int) -> str:
    """Return what stands on a built link: whose it is, and what it cost."""
    return f"{owner} {cost}"


def tag_box(at: Point, words: str, size: int) -> Box:
    """Return the room that a tag takes."""
    return box_at(at, text_width(words, size, bold=True) + 14, size + 12)


def locomotive(box: Box, words: str, fill: str) -> Iterator[Shape]:
    """Yield a tank engine in a box, its owner's code on its side."""
    left, top, right, bottom = box
    wide, high = right - left, bottom - top

    def at(x: int, y: int) -> Point:
        return left + wide * x // 100, top + high * y // 100

    for x in (20, 46, 78):
        yield Circle(at(x, 83), max(4, high * 16 // 100), Style(fill=INK))
    yield Polygon(tuple(at(x, y) for x, y in _BODY), Style(fill=fill, stroke=INK, width=3))
    for x in (20, 46, 78):
        yield Circle(at(x, 86), max(3, high * 11 // 100), Style(fill=WHITE, stroke=INK, width=2))
    size = max(9, min(high * 44 // 100, wide * 80 // max(1, text_width(words, 100, bold=True))))
    yield centred((at(51, 0)[0], top + high * 68 // 100 - size * 37 // 100), words, size, ink_on(fill))
