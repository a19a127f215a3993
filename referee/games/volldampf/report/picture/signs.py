"""The signs of the board: link symbols, cubes, track cards, locomotives, tags."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.picture.drawing import Circle, Point, Polygon, Shape, Style, Text
from referee.core.picture.placing import Box, ink_on, text_width
from referee.games.volldampf.board.board import LinkColour
from referee.games.volldampf.report.picture import palette

CUBE = 26  # side of a cube's front
CARD = (62, 84)  # width and height of a track card
_BUILT = 19  # size of what stands on a built link
SYMBOL = 33  # half the width of a link's symbol, with its edge

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


def symbol(at: Point, colour: LinkColour, words: str, radius: int = 27, title: str = "") -> Iterator[Shape]:
    """Yield the sign of a link's colour with its cost inside; the shape speaks where colours do not."""
    style = Style(fill=palette.WHITE, stroke=palette.LINK_PAINT[colour.id], width=6)
    if colour.symbol == "circle":
        yield Circle(at=at, radius=radius, style=style, title=title)
    else:
        corners = tuple((at[0] + x * radius // 100, at[1] + y * radius // 100) for x, y in _CORNERS[colour.symbol])
        yield Polygon(points=corners, style=style, title=title)
    if words:
        size = radius if len(words) < 2 else radius * 9 // 10
        lower = 3 if colour.symbol == "triangle" else 0
        yield Text(at=(at[0], at[1] + size * 37 // 100 + lower), text=words, size=size, fill=palette.INK, bold=True)


def cube(at: Point, colour: str) -> Iterator[Shape]:
    """Yield a cube of a colour with its letter; *at* is the upper left corner of its front."""
    (x, y), depth, side = at, 7, CUBE
    paint = palette.CUBE_PAINT[colour]
    edge = Style(fill=paint, stroke=palette.INK, width=2)
    front = ((x, y), (x + side, y), (x + side, y + side), (x, y + side))
    lid = ((x, y), (x + depth, y - depth), (x + side + depth, y - depth), (x + side, y))
    flank = ((x + side, y), (x + side + depth, y - depth), (x + side + depth, y + side - depth), (x + side, y + side))
    for points in (front, lid, flank):
        yield Polygon(points=points, style=edge)
    yield Polygon(points=lid, style=Style(fill=palette.WHITE, opacity=45))
    yield Polygon(points=flank, style=Style(fill=palette.SHADE, opacity=30))
    letter = colour[0].upper()
    yield Text(at=(x + side // 2, y + side - 6), text=letter, size=20, fill=ink_on(paint), bold=True)


def card(at: Point, colour: LinkColour) -> Iterator[Shape]:
    """Yield a track card; *at* is its upper left corner."""
    (x, y), (width, height) = at, CARD
    yield Polygon(
        points=rectangle((x, y, x + width, y + height)), style=Style(fill=palette.WHITE, stroke=palette.INK, width=2)
    )
    inner = rectangle((x + 6, y + 6, x + width - 6, y + height - 6))
    yield Polygon(points=inner, style=Style(fill=palette.LINK_PAINT[colour.id], opacity=22))
    yield from symbol((x + width // 2, y + height // 2), colour, colour.code, radius=20)


def tag(at: Point, words: str, fill: str, size: int = 23) -> Iterator[Shape]:
    """Yield words on a piece of a colour."""
    box = tag_box(at, words, size)
    yield Polygon(points=_clipped(box), style=Style(fill=palette.WHITE, stroke=palette.WHITE, width=9, opacity=85))
    yield Polygon(points=_clipped(box), style=Style(fill=fill, stroke=palette.INK, width=4))
    at = (at[0], at[1] + size * 37 // 100)
    yield Text(at=at, text=words, size=size, fill=ink_on(fill), bold=True)


def built(at: Point, owner: str, cost: int, fill: str) -> Iterator[Shape]:
    """Yield the sign of a built link: whose it is, and what it cost."""
    return tag(at, f"{owner} {cost}", fill, _BUILT)


def built_box(at: Point, owner: str, cost: int) -> Box:
    """Return the room that such a sign takes."""
    return tag_box(at, f"{owner} {cost}", _BUILT)


def tag_box(at: Point, words: str, size: int = 23) -> Box:
    """Return the room that a tag takes."""
    width, height = text_width(words, size, bold=True) + 14, size + 12
    return at[0] - width // 2, at[1] - height // 2, at[0] + width // 2, at[1] + height // 2


def locomotive(box: Box, words: str, fill: str) -> Iterator[Shape]:
    """Yield a tank engine in a box, its owner's code on its side."""
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    edge = Style(fill=fill, stroke=palette.INK, width=3)

    def at(x: int, y: int) -> Point:
        return left + wide * x // 100, top + high * y // 100

    body = (
        (4, 32),
        (14, 32),
        (14, 4),
        (27, 4),
        (27, 32),
        (64, 32),
        (64, 12),
        (60, 12),
        (60, 0),
        (98, 0),
        (98, 80),
        (4, 80),
    )
    for x in (20, 46, 78):
        yield Circle(at=at(x, 83), radius=max(4, high * 16 // 100), style=Style(fill=palette.INK))
    yield Polygon(points=tuple(at(x, y) for x, y in body), style=edge)
    for x in (20, 46, 78):
        yield Circle(
            at=at(x, 86), radius=max(3, high * 11 // 100), style=Style(fill=palette.WHITE, stroke=palette.INK, width=2)
        )
    size = min(high * 44 // 100, wide * 80 // max(1, text_width(words, 100, bold=True)))
    yield Text(at=at(51, 68), text=words, size=max(9, size), fill=ink_on(fill), bold=True)


def rectangle(box: Box) -> tuple[Point, ...]:
    """Return the corners of a box."""
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _clipped(box: Box) -> tuple[Point, ...]:
    """Return the corners of a box, each cut off a little."""
    (left, top, right, bottom), cut = box, 6
    return (
        (left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
        (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut),
    )  # fmt: skip
