"""Heading, rulers along the edges, and the legend below the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

from msgspec.structs import replace

from referee.core.hexes import CORNERS, format_column, label_to_numbered, parse_hex
from referee.core.picture.drawing import INK, WHITE, Line, Point, Polygon, Shape, Style, Text, Translate, pen
from referee.core.picture.legend import Draw, Look, Looks, Row, chips, column, empty_corner, frame, words_at
from referee.core.picture.shapes import (
    Box,
    Obstacles,
    box_at,
    centre_text,
    name_in,
    rectangle,
    strokes,
    tag,
    text_width,
    transform,
)
from referee.core.texts.wording import N_
from referee.core.values import Amounts

from ...board import MOUNTAIN, RailMap
from ...report import picture
from ...report.picture import ground, track
from .ground import LEFT, SIGN, STEP, TOP, UNIT_X, UNIT_Y, letters, map_size
from .places import disc, junction_sign
from .track import FRESH, Turn, train_styles

SCALE = N_("{count} hexes")
SPECIAL = N_("special {number}: {title}")
LAID = N_("new track")
NUMBERED = N_("Numbered grid: {label} may also be written {numbered}.")

_CARTOUCHES = (30, 27, 24)  # widths, in sizes of its lettering
_RULER = 46  # largest size of a ruler
_COMPANY = 26  # width, in sizes of its lettering

_HEX = tuple((dx * UNIT_X, dy * UNIT_Y) for dx, dy in CORNERS)
_PIECE, _OVER = ((-45, 0), (45, 0)), ((-52, 0), (52, 0))  # of a line, and of a way from hex to hex

Priced = tuple[str, str]  # words with the prices of a game, and what its price list calls these


def neat_line(board: RailMap) -> tuple[Box, Box]:
    """Return the outer and the inner edge of the frame in which column letters and row numbers stand."""
    width, bottom = map_size(board)
    return (14, TOP - 146, width - 14, bottom + 38), (86, TOP - 66, width - 86, bottom - 44)


def sheet(board: RailMap) -> Polygon:
    """Return what lies below the ground: the sea, or where there is none what lies outside."""
    inland = "~" not in board.water.values()
    return Polygon(rectangle(neat_line(board)[1]), Style(fill=picture.OUTSIDE if inland else picture.SEA))


def rulers(board: RailMap) -> Iterator[Shape]:
    """Yield the frame, in it column letters above and below and row numbers; beside letters the numbered grid's, if any."""
    outer, inner = neat_line(board)
    edge = Style(fill=picture.SHEET)
    (left, top, right, bottom), (x1, y1, x2, y2) = outer, inner
    for box in ((left, top, right, y1), (left, y2, right, bottom), (left, top, x1, bottom), (x2, top, right, bottom)):
        yield Polygon(rectangle(box), edge)
    for box, width in ((outer, 8), (inner, 4)):
        corners = rectangle(box)
        yield Line((*corners, corners[0]), pen(INK, width))
    size = min(letters(board, SIGN), _RULER)
    for number in range(board.columns):
        x = LEFT + 3 * UNIT_X * number
        names = [format_column(number)]
        if 0 < board.grid_letters <= number:  # what the other grid calls it: E+36 for AE
            block, letter = divmod(number, board.grid_letters)
            names.insert(not board.numbered, f"{format_column(letter)}+{block * board.rows}")
        for y in (y1 - 14, y2 + 14 + size * 3 // 4):
            yield Text((x, y), names[0], size, INK, bold=True)
            for name in names[1:]:
                yield Text((x, y1 - 60 if y < y1 else y2 + 70), name, 19, picture.FAINT)
    for row in range(board.rows):
        y = TOP + UNIT_Y * 2 * row + UNIT_Y // 2 + size * 3 // 8
        for x in ((left + x1) // 2, (x2 + right) // 2):
            yield Text((x, y), str(row + 1), size, INK, bold=True)


def signs(board: RailMap, translate: Translate, prices: Amounts, *, paper: bool = False) -> Iterator[Row]:
    """Yield what this map uses: areas that are not named on it, signs, ends of specials. On *paper* areas have no tints.

    *prices*: points by what the price list calls it, none before a game.
    """

    def row(when: object, draw: Draw, words: str, *others: Priced) -> Row:
        for priced, whats in others:
            if all(what in prices for what in whats.split()):
                return Row(translate(priced).format(*map(prices.__getitem__, whats.split())), draw, bool(when))
        return Row(translate(words), draw, bool(when))

    tints, used, kinds = ground.area_tints(board), {*board.area.values()}, ground.river_kinds(board)
    shown = () if paper else used - {*ground.named_on_map(board)}
    for letter, title in board.areas.items():
        yield row(letter in shown, _hexagon(tints[letter]), title)
    hilly, waters = MOUNTAIN in board.ground.values(), board.water.values()
    plain = N_("plain: {0} point"), "plain"
    hill = N_("mountain: {0} points, {1} from another"), "slope mountain"
    yield row(hilly, _hexagon(picture.HOME_TINTS[0]), N_("plain"), plain)
    yield row(hilly, _hexagon(picture.HILL, lambda at: ground.peaks((at[0] - 34, at[1]))), N_("mountain"), hill)
    yield row("o" in waters, _hexagon(picture.LAKE, ground.waves), N_("lake"))
    yield row("~" in waters, _hexagon(picture.SEA), N_("sea"))
    narrow = N_("river: {0} points more"), "river"
    dry = N_("river between plains: {0} points more"), "river-plain"
    yield row("river" in kinds, _river("river"), N_("river: 2 points more"), narrow, dry)
    wide = N_("wide river: {0} points more"), "wide-river"
    broad = N_("wide river between plains: {0} more"), "wide-river-plain"
    yield row("wide" in kinds, _river("wide"), N_("wide river: 4 points more"), wide, broad)
    yield row("closed" in kinds, _river("closed"), N_("water without crossing"))
    yield row(len(used) > 1, _line(ground.BORDERS), N_("border"))
    yield row(True, partial(disc, keys=(15,), home=False), N_("city with its key"))
    yield row(True, partial(disc, keys=(15,), home=True), N_("home terminal"))
    yield row(board.junctions, junction_sign, N_("junction"))
    yield row(track.permitted_builds(board), _line(track.PERMITTED), N_("permitted build"))
    small = any(station.minor for station in board.stations)
    yield row(small, partial(disc, keys=(15,), home=False, minor=True), N_("minor town"))
    yield row(track.forbidden(board), _line(track.FORBIDDEN), N_("closed to track"))
    yield row(board.prices, _line(track.PRICED, partial(track.price, words="4")), N_("own price in points"))
    yield row(
        board.bridges.keys() - board.causeways.keys(),
        lambda at: track.bridge(*transform(_OVER, at)),
        N_("bridge, with its price in points"),
    )
    yield row(
        any(bridge.banked for bridge in board.bridges.values()),
        lambda at: [name_in(box_at(at, 60, 26), "8+", 26, picture.BANK, italic=True)],
        N_("price with +: points may be banked"),
    )
    yield row(board.causeways, _line(track.CAUSEWAY), N_("causeway: free for everybody"))
    yield row(board.ferries, _line(track.FERRY, track.boat), N_("ferry, with its price in points"))


def legend(
    board: RailMap,
    companies: Looks,
    translate: Translate,
    prices: Amounts,
    turn: Turn,
    *,
    paper: bool = False,
    listed: bool = False,
) -> tuple[list[Shape], int]:
    """Return the companies, unless they are *listed* elsewhere, the signs of the map, the races; and where the sheet ends."""
    width, bottom = map_size(board)
    size = letters(board, SIGN)
    row, beside = size * 2, size * 4
    top, y, found = bottom + 70, bottom + 70 + size * 5 // 3, list[Shape]()
    if not listed:
        columns = max(1, (width - 180) // (_COMPANY * size))
        high, room = -(-len(companies) // columns), (width - 180) // columns
        for place, look in enumerate(companies):
            at = 90 + room * (place // high), y + size * 3 * (place % high)
            found += company(at, look, place, room - 60, size, translate)
        y += size * 3 * high
    for rows, wanted in _groups(board, [*signs(board, translate, prices, paper=paper)], size, translate):
        columns = max(1, (width - 200) // wanted)
        high = -(-len(rows) // columns)
        room = (width - 200) // columns
        for n in range(columns):
            found += column(rows[high * n : high * (n + 1)], (150 + room * n, y), row, room - beside, 80, size)
        y += row * high
    if turn.laid:
        found += strokes([((90, y), (90 + 2 * STEP, y))], FRESH)
        found.append(words_at((330, y), translate(LAID), width - 420, size))
        y += row
    looks = {look.code: look for look in companies}
    wide = [
        text_width(run.words, size) + sum(text_width(each.words, size, bold=True) + 160 for each in run.trains) + 100
        for run in turn.runs
    ]
    columns = 1 + (len(wide) > 2 and max(wide) <= (width - 180) // 2)
    high, room = -(-len(turn.runs) // columns), (width - 180) // columns
    for number, run in enumerate(turn.runs):
        left, here = 90 + room * (number // high), y + row * (number % high)
        words = words_at((left, here), run.words, room * 3 // 5, size)
        behind = (left + min(room * 3 // 5 + 20, text_width(run.words, words.size) + 50), here)
        trains = ((train_styles(looks[train.company], number), train.words) for train in run.trains)
        found += (words, *chips(behind, trains, left + room - 45, size))
    y += row * high
    for remark in _remarks(board, translate):
        found.append(words_at((90, y), remark, width - 180, size))
        y += row
    return [Polygon(rectangle((14, top, width - 14, y - 10)), Style(fill=WHITE, stroke=INK, width=3)), *found], y + 20


def room_for_cartouche(board: RailMap, companies: int, taken: Obstacles) -> Box | None:
    """Return where title and companies have room in an empty corner of the map, None where they have none."""
    size = letters(board, SIGN)
    high = 7 * size + size * 12 // 5 * companies
    return empty_corner(neat_line(board)[1], [(wide * size, high) for wide in _CARTOUCHES], size, taken)


def scale(at: Point, translate: Translate) -> Iterator[Shape]:
    """Yield a ruler five hexes long around a point."""
    x, y = at[0] - 5 * STEP // 2, at[1]
    for begin, end, fill in ((0, 1, INK), (1, 2, WHITE), (2, 5, INK)):
        box = x + begin * STEP, y, x + end * STEP, y + 20
        yield Polygon(rectangle(box), Style(fill=fill, stroke=INK, width=3))
        yield Text((box[0], y - 14), str(begin), 40, INK, serif=True)
    yield Text((x + 5 * STEP, y - 14), translate(SCALE).format(count=5), 40, INK, serif=True)


def cartouche(board: RailMap, box: Box, words: str, companies: Looks, translate: Translate) -> Iterator[Shape]:
    """Yield the title of a map, what it shows in *words*, and the companies, the richest first."""
    left, top, right, _ = box
    size = letters(board, SIGN)
    yield from frame(box, size, translate(board.title), words)
    for row, (place, look) in enumerate(sorted(enumerate(companies), key=lambda each: -(each[1].balance or 0))):
        at = left + size, top + 7 * size + size // 2 + size * 12 // 5 * row
        yield from company(at, look, place, right - left - 2 * size, size, translate)


def _groups(board: RailMap, rows: Iterable[Row], size: int, translate: Translate) -> Iterator[tuple[list[Row], int]]:
    """Yield the signs in columns of one width, with that width: all, or the ends of specials apart, whose titles may be long."""
    used = [each for each in rows if each.when]
    specials = [
        Row(
            translate(SPECIAL).format(number=each.number, title=translate(each.title)),
            partial(_writing, words=f"@{each.number}"),
        )
        for each in board.specials
    ]
    widest = max(text_width(each.words, size) for each in used) + 4 * size
    longest = max((text_width(each.words, size) for each in specials), default=0) + 4 * size
    if longest <= widest:
        yield used + specials, widest
    else:
        yield used, widest
        yield specials, longest


def _remarks(board: RailMap, translate: Translate) -> Iterator[str]:
    """Yield the sentences below: how hexes may be written otherwise, a city if there is one; what asterisks mean."""
    every = (*(station.hex for station in board.stations), *board.ground)
    far = (label for label in every if board.grid_letters and parse_hex(label)[0] >= board.grid_letters)
    for example in islice(far, 1):
        numbered = label_to_numbered(example, board.grid_letters, board.rows)
        yield translate(NUMBERED).format(label=example, numbered=numbered)
    for each in board.specials:
        if each.note and "*" in each.title:
            yield f"* {translate(each.note)}"


def company(at: Point, look: Look, place: int, width: int, size: int, translate: Translate) -> Iterator[Shape]:
    """Yield a company in two lines: the look of its track, name and balance; below its colour and who leads it."""
    x, y = at
    yield from strokes([((x, y), (x + 2 * STEP, y))], picture.line_styles(look, place))
    plate = box_at((x + STEP, y), text_width(look.code, size, bold=True) + 10, size + 5)
    yield from tag(plate, look.code, WHITE, look.ink, size)
    name, *others = filter(None, (look.name, translate(look.colour), look.person))
    beside, room = x + 2 * STEP + size, width - 2 * STEP - size
    yield replace(
        words_at((beside, y), name, room - 4 * size * (look.balance is not None), size * 11 // 10), serif=True
    )
    yield words_at((beside, y + size * 11 // 10), ", ".join(others), room, size * 9 // 10)
    if look.balance is not None:
        yield Text((x + width, y + size * 3 // 8), str(look.balance), size * 5 // 4, INK, "end", bold=True)


def _hexagon(fill: str, *signs: Draw) -> Draw:
    """Return what draws a half-size hex."""

    def draw(at: Point) -> Iterator[Shape]:
        yield Polygon(transform(_HEX, at, 50), Style(fill=fill, stroke=picture.FAINT, width=2))
        for sign in signs:
            yield from sign(at)

    return draw


def _line(styles: Iterable[Style], *signs: Draw) -> Draw:
    """Return what draws a piece of a line."""

    def draw(at: Point) -> Iterator[Shape]:
        yield from strokes([transform(_PIECE, at)], styles)
        for sign in signs:
            yield from sign(at)

    return draw


def _writing(at: Point, words: str) -> Iterator[Shape]:
    yield centre_text(at, words, 24, picture.BORDER)


def _river(kind: str) -> Draw:
    """Return what draws a piece of a river."""
    return lambda at: strokes([ground.river(*transform(_PIECE, at))], ground.RIVER_STYLES[kind])
