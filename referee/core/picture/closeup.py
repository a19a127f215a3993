"""What is made of a whole board: close-ups, whose names can be read on a telephone, a sheet for a wall, marks on its faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain

from .. import N_, Faults, Pair
from .drawing import (
    INK,
    WHITE,
    Circle,
    Drawing,
    Focus,
    Layer,
    Point,
    Points,
    Polygon,
    Shape,
    Shapes,
    Style,
    Text,
    Translate,
    pen,
)
from .shapes import (
    Box,
    Obstacles,
    beyond,
    box_at,
    centre_text,
    overlap,
    rectangle,
    text_width,
    transform,
    truncate,
)

OWN = N_("{code} in this turn")
EXAMPLE = N_("{code}: a first order with prices")
BUSIEST = N_("Where most happened")

PHONE, LEAST = 343, 11  # pixels: width of a picture on a telephone, height of a name there
_KEY = 5  # a close-up is so many times as high as the key map below it
_NEAR = 60  # per cent of a close-up that a first order has
_RED = "#b3261e"
_STROKE = 30  # how far a line goes beyond its points
_EDGE = 60  # where hexes are cut off
_ALIKE = 50  # per cent of a close-up that another may show, too


def busiest(drawing: Drawing, translate: Translate = str) -> Drawing | None:
    """Return where most happened in a turn, None where nothing did."""
    box = _window(drawing.focus, "") if drawing.focus else None
    return _cut(drawing, box, translate(BUSIEST)) if box else None


def own(drawing: Drawing, code: str, translate: Translate = str) -> Drawing | None:
    """Return where a player did most, None where that is nowhere, or where most happened at all; before anything happened what he
    could order first, if the game shows such a thing.
    """
    focus = drawing.focus
    if not focus:
        return None
    for example in focus.examples:
        if code in example.owners:
            words = translate(EXAMPLE).format(code=code)
            return _cut(drawing, _around(focus, [example.at], _NEAR), words, example.shapes)
    box, most = _window(focus, code), _window(focus, "")
    if box is None or most is None or overlap(box, most) * 100 > _ALIKE * overlap(box, box):
        return None
    return _cut(drawing, box, translate(OWN).format(code=code))


@lru_cache(maxsize=16)
def _window(focus: Focus, code: str) -> Box | None:
    """Return where most happened of what a player did, or of all."""
    spots = Counter(spot.at for spot in focus.spots if not code or code in spot.owners)
    if not spots:
        return None
    half = PHONE * focus.lettering // LEAST // 2

    def near(x: int, y: int) -> list[Point]:
        left, top, right, bottom = x - half, y - half, x + half, y + half
        return [at for at in spots if left < at[0] < right and top < at[1] < bottom]

    best = max((near(*at) for at in spots), key=lambda each: sum(map(spots.__getitem__, each)))
    return _around(focus, best)


def _around(focus: Focus, spots: list[Point], percent: int = 100) -> Box:
    """Return a close-up's place on a map, around the middle of some points."""
    side = PHONE * focus.lettering * percent // LEAST // 100
    left, top, right, bottom = focus.area
    x, y = (sum(along) // len(spots) - side // 2 for along in zip(*spots, strict=True))
    x, y = max(left, min(x, right - side)), max(top, min(y, bottom - side))
    return x, y, min(x + side, right), min(y + side, bottom)


def _cut(drawing: Drawing, box: Box, title: str, besides: tuple[Shape, ...] = ()) -> Drawing:
    """Return what lies in a box, upon what lasts of the ground, and below it a key map; *besides*: what lies on all that."""
    focus = drawing.focus
    assert focus
    left, top, right, bottom = box
    ground, key = drawing.ground, (bottom - top) // _KEY
    lasting = tuple(each for each in ground if each.lasting)
    lines, seen = (
        tuple(chain.from_iterable(_inside(part.shapes if isinstance(part, Layer) else (part,), box) for part in parts))
        for parts in (ground[len(lasting) :], drawing.parts[len(ground) : focus.parts])
    )
    names = [each for each in seen if isinstance(each, Text) and each.halo]
    paper = Style(drawing.background)
    below = rectangle((left - _STROKE, bottom, right + _STROKE, bottom + key))
    words = Text((left + key, bottom + key // 2), title, key // 6, INK, "start", bold=True, serif=True)
    edge = (Polygon(each, paper) for each in _hexes_on_edge(focus, box))
    return Drawing(
        width=right - left,
        height=bottom - top + key,
        left=left,
        top=top,
        background=drawing.background,
        parts=(
            *lasting,
            *lines,
            *(each for each in seen if each not in names),
            *edge,
            *_named(names, lines, (left + _STROKE, top, right - _STROKE, bottom)),  # above what is cut off
            *besides,
            Polygon(below, paper),
            *_key_map(focus, box),
            words,
        ),
        title=title,
        description=drawing.title,
        pixels=min(max(drawing.enlarged(right - left), 3 * PHONE // 2), 2 * PHONE),
        shows_fine=True,
        sheet=(drawing.left, drawing.top, drawing.width, drawing.height),
    )


def _key_map(focus: Focus, box: Box) -> Shapes:
    """Yield the ground of a board, small, below a close-up, and where that lies."""
    (left, top, right, bottom), edge = focus.area, 20
    percent = 100 * ((box[3] - box[1]) // _KEY - 2 * edge) // max(right - left, bottom - top)
    at = box[0] + edge - left * percent // 100, box[3] + edge - top * percent // 100
    yield Polygon(transform(rectangle(focus.area), at, percent), Style(WHITE, INK, 4))
    for each in focus.ground:
        yield Polygon(transform(each.points, at, percent), Style(each.style.fill))
    yield Polygon(transform(rectangle(box), at, percent), pen(_RED, 8))


def _hexes_on_edge(focus: Focus, box: Box) -> Iterator[Points]:
    """Yield the hexes that lie neither inside a box nor outside it."""
    if not focus.mesh:
        return
    (x, y, wide, high), (left, top, right, bottom) = focus.mesh, box
    side, half = wide // 3, high // 2
    for column in range((left - x) // wide - 1, (right - x) // wide + 2):
        for row in range((top - y) // high - 1, (bottom - y) // high + 2):
            at = x + wide * column, y + high * row + half * (column % 2)
            hexagon = at[0] - 2 * side, at[1] - half, at[0] + 2 * side, at[1] + half
            if beyond(hexagon, box) > 0 and overlap(hexagon, box):
                corners = ((-side, -half), (side, -half), (2 * side, 0), (side, half), (-side, half), (-2 * side, 0))
                yield transform(corners, at)


def _inside(shapes: Iterable[Shape], box: Box) -> Shapes:
    """Yield what lies in a box, or partly."""
    left, top, right, bottom = box
    for shape in shapes:
        if isinstance(shape, Text):
            (x, y), edge = shape.at, _EDGE if shape.halo else 0
            if left + edge < x < right - edge and top + edge + shape.size // 2 < y < bottom - edge:
                yield shape
        elif overlap(_extent(shape), (left - _STROKE, top - _STROKE, right + _STROKE, bottom + _STROKE)):
            yield shape


def _extent(shape: Shape) -> Box:
    """Return the box around a shape."""
    if isinstance(shape, Text):
        width = text_width(shape.text, shape.size, shape.bold, shape.serif) * 9 // 8  # some are wider than reckoned
        x = shape.at[0] - width * (("start", "middle", "end").index(shape.anchor) - 1) // 2
        return box_at((x, shape.at[1] - shape.size * 36 // 100), width, shape.size + 10)
    if isinstance(shape, Circle):
        return box_at(shape.at, 2 * shape.radius, 2 * shape.radius)
    across, down = zip(*shape.points, strict=True)
    return min(across), min(down), max(across) + 1, max(down) + 1  # a straight line, too, has an area


def _named(names: list[Text], signs: Iterable[Shape], box: Box) -> Shapes:
    """Yield names with all their letters: those that a box cuts are moved, clear of the signs of places and of the others."""
    (left, top, right, bottom), taken = box, Obstacles()
    for shape in signs:
        if isinstance(shape, Circle | Polygon) and shape.title:
            taken.add(_extent(shape))
    for words in sorted(names, key=lambda each: beyond(_extent(each), box)):
        begin, upper, end, lower = _extent(words)
        aside = max(0, left - begin) - max(0, end - right)
        ways = sorted(range(top - upper, bottom - lower), key=abs) if aside else (0,)
        spots = ((dy * dy, (begin + aside, upper + dy, end + aside, lower + dy)) for dy in ways)
        if spot := taken.place(spots, weight=10):
            yield words.but(at=(words.at[0] + aside, words.at[1] + spot[1] - upper))


# A board as a coloured sheet for a wall, in the proportions of A3; its smallest lettering has 6 pt there.

WON = N_("{title}: won by {names}")

A3 = 297, 420  # millimetres
_LEAST, _POINT = 6, 25.4 / 72  # points, and how many millimetres one is
_MARGIN, _BELOW = 90, 330  # units around the board, and below it


def keepsake(drawn: Drawing, winners: Iterable[str], translate: Translate, below: Iterable[Shape] = ()) -> Drawing:
    """Return a board as such a sheet, with the names of those who won, if any; *below*: what stands there besides, around the
    middle of the board's lower edge.
    """
    wide, high = drawn.width + 2 * _MARGIN, drawn.height + _MARGIN + _BELOW
    short, long = A3 if high >= wide else A3[::-1]
    width, height = max(wide, -(-high * short // long)), max(high, -(-wide * long // short))
    least = round(_LEAST * _POINT * max(width, height) / max(A3)) + 1
    names = ", ".join(winners)
    told = translate(WON).format(title=drawn.title, names=names) if names else drawn.title
    foot = Text((drawn.left + drawn.width // 2, drawn.top + drawn.height + 110), told, 84, INK, serif=True)

    def larger(shape: Shape) -> Shape:
        return shape.but(size=least) if isinstance(shape, Text) and shape.size < least else shape

    kept = (part for part in drawn.parts if not (isinstance(part, Layer) and part.fine))
    return drawn.but(
        left=drawn.left - (width - drawn.width) // 2,
        top=drawn.top - _MARGIN - (height - high) // 2,
        width=width,
        height=height,
        parts=tuple(
            Layer(tuple(map(larger, part.shapes))) if isinstance(part, Layer) else larger(part)
            for part in (*kept, foot, *below)
        ),
        title=told,
        needs_fine=False,
        focus=None,
    )


# The picture of an unfinished board: each fault by its number, where it lies and in words below.

Spots = Callable[[str], Points]  # a sentence to where on the sheet that lies which it names

RED = "#c8102e"
_RADIUS, _RING, _ROW, _SIZE = 24, 62, 50, 28
_MOST = 60  # sentences; the last line says how many more there are


def with_faults(drawing: Drawing, faults: Faults, spots: Spots) -> Drawing:
    """Return a drawing with its faults marked and listed below it."""
    marks = [shape for number, (_, words) in enumerate(faults, 1) for shape in _marks(str(number), spots(words))]
    told = [(f"{line}: {words}" if line else words) for line, words in faults[:_MOST]]
    rows = [row for number, words in enumerate(told, 1) for row in _rows(str(number), words, drawing.width - 220)]
    if len(faults) > _MOST:
        rows.append(("", f"… {len(faults) - _MOST}"))
    top, height = drawing.height, _ROW * len(rows) + 30
    frame = Polygon(rectangle((40, top, drawing.width - 40, top + height)), Style(WHITE, RED, 5))
    below: list[Shape] = [frame]
    for n, (number, words) in enumerate(rows, 1):
        y = top + _ROW * n - 8
        below += _number((80, y), number)
        below.append(Text((125, y + 10), words, _SIZE, INK, "start"))
    return drawing.but(height=top + height + 30, parts=(*drawing.parts, *marks, *below))


def _rows(number: str, words: str, width: int) -> Iterator[Pair]:
    """Yield words in lines of a width, the number before the first."""
    line = ""
    for word in words.split():
        longer = f"{line} {word}".strip()
        if line and text_width(longer, _SIZE, bold=False) > width:
            yield number, truncate(line, _SIZE, width)
            number, longer = "", word
        line = longer
    yield number, truncate(line, _SIZE, width)


def _marks(number: str, at: Points) -> Shapes:
    yield from (Circle(each, _RING, pen(RED, 7)) for each in at)
    for x, y in at[:1]:
        yield from _number((x + _RING * 7 // 10, y - _RING * 7 // 10), number)


def _number(at: Point, number: str) -> Shapes:
    if number:
        yield Circle(at, _RADIUS, Style(RED, WHITE, 3))
        yield centre_text(at, number, 26, WHITE)
