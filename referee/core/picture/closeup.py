"""What is made of a whole board: close-ups, whose names can be read on a telephone, a sheet for a wall, marks on its faults."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain, groupby, product, starmap, zip_longest
from textwrap import wrap

from .. import N_, Faults
from . import (
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
)

OWN = N_("{code} in this turn")
EXAMPLE = N_("{code}: a first order with prices")
BUSIEST = N_("Where most happened")

Group = list[Shape]  # that belong together
Label = tuple[Box, Group]

PHONE, LEAST = 343, 12  # pixels: width of a picture on a telephone, height of a name there
_KEY = 5  # a close-up is so many times as high as the key map below it
_NEAR = 68  # per cent of a close-up that a first order has
_RED = "#a9231c"
_STRIP = 60  # half of what two halves have in common
_STROKE = 30  # how far a line goes beyond its points

# How a name is moved, as far as it is still its place's.
_WAYS = sorted(product(range(-297, 298, 33), range(-240, 241, 12)), key=lambda by: by[0] ** 2 + by[1] ** 2)
_SIGN = 1000  # what it weighs to lie on the sign of a place: more than on another name
_CORNERS = 8  # of a plate, at the most: a city's disc that is as wide as its keys has more
_ALIKE = 50  # per cent of a close-up that another may show, too


def busiest(drawing: Drawing, translate: Translate = str) -> Drawing | None:
    """Return where most happened in a turn, None where nothing did."""
    box = _window(drawing.focus, "") if drawing.focus else None
    return _cut(drawing, box, translate(BUSIEST)) if box else None


def own(drawing: Drawing, code: str, translate: Translate = str) -> Drawing | None:
    """Return where a player did most, None where that is nowhere, or where most happened at all; before anything happened what
    they could order first, if the game shows such a thing.
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


def halves(drawing: Drawing) -> Iterator[Drawing]:
    """Yield the map of a board, with its rulers and without its heading, in two that have a strip in common."""
    assert drawing.focus
    edge, top, right, bottom = drawing.focus.area
    whole = 0, top - edge, right + edge, bottom + edge
    axis = whole[3] - whole[1] > whole[2]
    for end, strip in ((2, _STRIP), (0, -_STRIP)):
        box = [*whole]
        box[axis + end] = (whole[axis] + whole[axis + 2]) // 2 + strip
        left, top, right, bottom = box
        yield trimmed(drawing.but(left=left, top=top, width=right - left, height=bottom - top))


def plain(drawing: Drawing) -> Drawing:
    """Return a board without the fine lettering of its map; what its halves draw is told at its foot."""
    shown, foot = drawing.for_screen, drawing.foot
    told = trimmed(drawing.but(top=drawing.top + drawing.height - foot, height=foot)).parts
    return shown.but(height=drawing.height, parts=(*shown.parts, *told))


def map_of(drawing: Drawing) -> Drawing:
    """Return a board without what is told below its map. Its layers stay: by them a film knows what its frames have in common."""
    if not drawing.focus:
        return drawing
    edge, _, _, bottom = drawing.focus.area
    end = bottom + edge
    parts = tuple(part for part in drawing.parts if isinstance(part, Layer) or _extent(part)[1] < end)
    return drawing.but(height=end - drawing.top, foot=0, parts=parts)


def trimmed(drawing: Drawing) -> Drawing:
    """Return a drawing without what lies outside it: for paper, where a ground is not shared."""
    left, top = drawing.left, drawing.top
    box = left, top, left + drawing.width, top + drawing.height
    return drawing.but(parts=tuple(each for each in drawing.shapes if overlap(_extent(each), box)))


@lru_cache(maxsize=16)
def _window(focus: Focus, code: str) -> Box | None:
    """Return where most happened of what a player did, or of all."""
    spots = Counter(spot.at for spot in focus.spots if not code or code in spot.owners)
    if not spots:
        return None
    half, across = PHONE * focus.lettering // LEAST // 2, sorted(spots)

    def near(x: int, y: int) -> list[Point]:
        beside = across[bisect(across, (x - half + 1,)) : bisect(across, (x + half,))]
        return [at for at in beside if abs(at[1] - y) < half]

    return _around(focus, max(starmap(near, spots), key=lambda each: sum(map(spots.__getitem__, each))))


def _around(focus: Focus, spots: list[Point], percent: int = 100) -> Box:
    """Return a close-up's place on a map, around the middle of some points."""
    side = PHONE * focus.lettering * percent // LEAST // 100
    left, top, right, bottom = focus.area
    x, y = (sum(along) // len(spots) - side // 2 for along in zip(*spots, strict=True))
    x, y = max(left, min(x, right - side)), max(top, min(y, bottom - side))
    return x, y, min(x + side, right), min(y + side, bottom)


def _cut(drawing: Drawing, box: Box, title: str, besides: tuple[Shape, ...] = ()) -> Drawing:
    """Return what lies in a box, upon the whole ground, and below it a key map; *besides*: what lies on all but names."""
    focus = drawing.focus
    assert focus
    left, top, right, bottom = box
    ground, key = drawing.ground, (bottom - top) // _KEY
    seen, labels, edge = list[Shape](), list[Label](), [*_hexes_on_edge(focus, box)]
    for group in _groups(drawing.parts[len(ground) : focus.parts]):
        at = _room(group) if len(group) > 1 else _extent(group[0])
        if _is_name(group[0]) or len(group) > 1:
            labels.append((at, group))
        elif overlap(at, (left - _STROKE, top - _STROKE, right + _STROKE, bottom + _STROKE)):
            seen += group
    shapes = chain.from_iterable(each.shapes for each in ground if not each.lasting)
    signs = {
        each.title.upper(): _extent(each)
        for each in (*shapes, *seen, *besides)
        if isinstance(each, Circle | Polygon) and each.title
    }
    taken, hidden, inner = Obstacles(), Obstacles(), (left + _STROKE, top, right - _STROKE, bottom)
    hidden.add(*((*at[0], *at[3]) for at in edge))
    taken.add(*signs.values(), weight=_SIGN)

    def is_seen(label: Label) -> bool:
        """Return whether a label stands here: a name whose place, or middle, is seen, a plate that no hex on the edge hides.
        Where there are no hexes signs have codes, and names that are cut are left out.
        """
        at, (first, *_) = label
        is_cut = edge and beyond(at, box)
        if isinstance(first, Text):
            is_cut = not edge and beyond(at, inner)
            at = signs.get(first.text.upper()) or box_at(first.at, 2, 2)
        return bool(overlap(at, box)) and not is_cut and not hidden.conflict(at)

    shown, paper = [*filter(is_seen, labels)], Style(drawing.background)
    below = rectangle((left - _STROKE, bottom, right + _STROKE, bottom + key))
    words = Text((left + key, bottom + key // 2), title, key // 6, INK, "start", bold=True, serif=True)
    return Drawing(
        width=right - left,
        height=bottom - top + key,
        left=left,
        top=top,
        background=drawing.background,
        parts=(
            *ground,
            *seen,
            *(Polygon(each, paper) for each in edge),
            *besides,
            # Above what is cut off:
            *(_place_labels(shown, taken, inner) if edge else chain.from_iterable(group for _, group in shown)),
            Polygon(below, paper),
            *_key_map(focus, box),
            words,
        ),
        title=title,
        description=drawing.title,
        pixels=min(max(drawing.least_width(right - left), 3 * PHONE // 2), 2 * PHONE),
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
            if 0 < overlap(hexagon, box) < 8 * side * half:
                corners = ((-side, -half), (side, -half), (2 * side, 0), (side, half), (-side, half), (-2 * side, 0))
                yield transform(corners, at)


def _groups(parts: Iterable[Shape | Layer]) -> Iterator[Group]:
    """Yield names with the plates below them, plates with their words, all other shapes alone."""
    for _, run in groupby(parts, lambda part: part if isinstance(part, Layer) else None):
        shapes = [*chain.from_iterable(part.shapes if isinstance(part, Layer) else (part,) for part in run)]
        group: Group = []
        for shape, following in zip_longest(shapes, shapes[1:]):
            group.append(shape)
            if isinstance(following, Text):
                goes_on = not following.halo and isinstance(shape, Polygon) and len(shape.points) <= _CORNERS
            else:
                goes_on = isinstance(following, Polygon) and len(following.points) <= _CORNERS and _is_name(group[0])
            if not goes_on:
                yield group
                group = []


def _is_name(shape: Shape) -> bool:
    """Return whether a shape is the name of a place, river or land, not of a hex."""
    return isinstance(shape, Text) and shape.halo and shape.anchor == "middle"


def _room(shapes: Iterable[Shape]) -> Box:
    """Return the box around shapes."""
    lefts, tops, rights, bottoms = zip(*map(_extent, shapes), strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _extent(shape: Shape) -> Box:
    if isinstance(shape, Text):
        width = text_width(shape.text, shape.size, shape.bold, shape.serif) * 9 // 8  # some are wider than reckoned
        x = shape.at[0] - width * (("start", "middle", "end").index(shape.anchor) - 1) // 2
        return box_at((x, shape.at[1] - shape.size * 36 // 100), width, shape.size + 10)
    if isinstance(shape, Circle):
        return box_at(shape.at, 2 * shape.radius, 2 * shape.radius)
    across, down = zip(*shape.points, strict=True)
    return min(across), min(down), max(across) + 1, max(down) + 1  # a straight line, too, has an area


def _place_labels(labels: Iterable[Label], taken: Obstacles, box: Box) -> Shapes:
    """Yield plates as they lie, then names, moved inside a box, clear of what is *taken* and of each other; those that must move
    furthest have the first choice.
    """
    left, top, right, bottom = box
    for at, group in sorted(labels, key=lambda each: (_is_name(each[1][0]), -beyond(each[0], box))):
        if not _is_name(group[0]):
            taken.add(at)
            yield from group
            continue
        begin, upper, end, lower = at
        near = min(max(0, left - begin), right - end), min(max(0, top - upper), bottom - lower)
        ways = ((x * x + y * y, near[0] + x, near[1] + y) for x, y in _WAYS)
        spots = (
            (far, (begin + x, upper + y, end + x, lower + y))
            for far, x, y in ways
            if left - begin <= x <= right - end and top - upper <= y <= bottom - lower
        )
        if spot := taken.place(spots):
            by = spot[0] - begin, spot[1] - upper
            for each in group:
                if isinstance(each, Text):
                    yield each.but(at=transform([each.at], by)[0])
                elif isinstance(each, Polygon):
                    yield each.but(points=transform(each.points, by))


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
_RADIUS, _RING, _ROW, _SIZE, _LETTER = 24, 62, 50, 28, 18
_MOST = 60  # sentences; the last line says how many more there are


def with_faults(drawing: Drawing, faults: Faults, spots: Spots) -> Drawing:
    """Return a drawing with its faults marked and listed below it."""
    marks = [shape for number, (_, words) in enumerate(faults, 1) for shape in _marks(str(number), spots(words))]
    told = [(f"{line}: {words}" if line else words) for line, words in faults[:_MOST]]
    rows = [
        ("" if n else str(number), line)
        for number, words in enumerate(told, 1)
        for n, line in enumerate(wrap(words, (drawing.width - 220) // _LETTER))
    ]
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


def _marks(number: str, at: Points) -> Shapes:
    yield from (Circle(each, _RING, pen(RED, 7)) for each in at)
    for x, y in at[:1]:
        yield from _number((x + _RING * 7 // 10, y - _RING * 7 // 10), number)


def _number(at: Point, number: str) -> Shapes:
    if number:
        yield Circle(at, _RADIUS, Style(RED, WHITE, 3))
        yield centre_text(at, number, 26, WHITE)
