"""The board as a coloured sheet for a wall: mountains in relief, who won, a scale; its smallest lettering has 6 pt on A3."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from referee.core.picture.drawing import Drawing, Layer, Line, Point, Polygon, Shape, Style, Text, Translate, pen
from referee.core.picture.shades import INK, WHITE
from referee.core.picture.shapes import rectangle, transform
from referee.core.texts.wording import N_
from referee.games.dampfross.board.railmap import MOUNTAIN, RailMap
from referee.games.dampfross.report.picture import ground, palette
from referee.games.dampfross.report.picture.layout import STEP, middle
from referee.games.dampfross.state import State

WON = N_("{title}: won by {names}")
SCALE = N_("{count} hexes")

A3 = 297, 420  # millimetres
_LEAST, _POINT = 6, 25.4 / 72  # points, and how many millimetres one is
_MARGIN, _BELOW = 90, 330  # units around the board, and below it
_SLOPES = ((-34, -20), (28, -24), (0, 4), (-26, 28), (32, 24))  # of a mountain
_LIGHT, _DARK = ((0, -26), (-24, 15), (6, 13), (-2, -4)), ((0, -26), (24, 15), (6, 13), (-2, -4))


def keepsake(state: State, drawn: Drawing, translate: Translate) -> Drawing:
    """Return the picture of a position as such a sheet."""
    board = state.board
    land, *others = (part for part in drawn.parts if not (isinstance(part, Layer) and part.fine))
    assert isinstance(land, Layer)
    sheet = _sheet(drawn)
    least = round(_LEAST * _POINT * max(sheet.width, sheet.height) / max(A3)) + 1
    told = drawn.title
    if state.winners:
        companies = [state.table.company(code) for code in state.codes]
        names = dict.fromkeys(
            each.name or each.code for each in companies if state.winners and each.player in state.winners
        )
        told = translate(WON).format(title=told, names=", ".join(names))
    mid, bottom = sheet.left + sheet.width // 2, drawn.top + drawn.height
    below = (
        Text((mid, bottom + 110), told, 84, INK, serif=True),
        *_scale((mid - 5 * STEP // 2, bottom + 200), translate),
    )
    parts = (Layer(shapes=tuple(_relief(board, land))), *others, *below)
    return replace(
        sheet, parts=tuple(_lettered(part, least) for part in parts), title=told, needs_fine=False, focus=None
    )


def _sheet(drawn: Drawing) -> Drawing:
    """Return the drawing with margins, in the proportions of A3."""
    wide, high = drawn.width + 2 * _MARGIN, drawn.height + _MARGIN + _BELOW
    short, long = A3 if high >= wide else A3[::-1]
    width, height = max(wide, -(-high * short // long)), max(high, -(-wide * long // short))
    left, top = drawn.left - (width - drawn.width) // 2, drawn.top - _MARGIN - (height - high) // 2
    return replace(drawn, left=left, top=top, width=width, height=height)


def _lettered(part: Shape | Layer, least: int) -> Shape | Layer:
    """Return a part of a drawing without lettering that is smaller."""
    if isinstance(part, Layer):
        return Layer(shapes=tuple(_larger(each, least) for each in part.shapes))
    return _larger(part, least)


def _larger(shape: Shape, least: int) -> Shape:
    return replace(shape, size=least) if isinstance(shape, Text) and shape.size < least else shape


def _relief(board: RailMap, land: Layer) -> Iterator[Shape]:
    """Yield the ground without its hexes' edges, the mountains as ranges."""
    tints = ground.area_tints(board)
    hills = [label for label, kind in board.ground.items() if kind == MOUNTAIN]
    for shape in land.shapes:
        if not (isinstance(shape, Polygon) and shape.style.fill in (palette.HILL, palette.PEAK)):
            yield shape
    for label in hills:
        yield Polygon(ground.cell(board, label), Style(fill=tints[board.area[label]]))
    ranges = ground.rims(hills)
    for colour, width in (("#f3e8d0", 40), ("#ecdcbb", 20)):
        yield from (Line(rim, pen(colour, width)) for rim in ranges)
    yield from (Polygon(ground.cell(board, label), Style(fill=palette.HILL)) for label in hills)
    for label in sorted(hills, key=lambda each: middle(each)[1]):
        yield from _mountain(middle(label))


def _mountain(at: Point) -> Iterator[Polygon]:
    x, y = at
    for n, (dx, dy) in enumerate(_SLOPES):
        spot, size = (
            (x + dx + (x * 7 + y * 3 + n * 5) % 9 - 4, y + dy + (x + y * 5 + n * 7) % 9 - 4),
            75 + (x + y + n * 17) % 40,
        )
        yield Polygon(transform(_LIGHT, spot, size), Style(fill="#f5ead0"))
        yield Polygon(transform(_DARK, spot, size), Style(fill="#b08d58"))


def _scale(at: Point, translate: Translate) -> Iterator[Shape]:
    """Yield a ruler five hexes long."""
    x, y = at
    for begin, end in ((0, 1), (1, 2), (2, 5)):
        fill = WHITE if begin == 1 else INK
        box = (x + begin * STEP, y, x + end * STEP, y + 20)
        yield Polygon(rectangle(box), Style(fill=fill, stroke=INK, width=3))
    for count in (0, 1, 2):
        yield Text((x + count * STEP, y - 14), str(count), 40, INK, serif=True)
    yield Text((x + 5 * STEP, y - 14), translate(SCALE).format(count=5), 40, INK, serif=True)
