"""Heading, rulers along the edges, and the legend below the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice

from referee.core import N_, Amounts, format_column, label_to_numbered, parse_hex
from referee.core.picture import INK, WHITE, Line, Point, Polygon, Shape, Shapes, Style, Text, Translate, pen
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
from referee.core.texts.shipped import shipped_table

from ...board import MOUNTAIN, RailMap
from . import COLOURS, LINES, OUTLINES, ground, line_styles, track
from .ground import LEFT, SIGN, STEP, TOP, UNIT_X, UNIT_Y, letters, map_size
from .places import RADIUS, RING, disc, junction_sign
from .track import TurnTrack, train_styles

SCALE = N_("{count} hexes")
SPECIAL = N_("special {number}: {title}")
LAID = N_("new track")
NUMBERED = N_("Numbered grid: {label} may also be written {numbered}.")

_CARTOUCHES = (30, 27, 24)  # widths, in sizes of its lettering
_RULER = 50  # largest size of a ruler
_COMPANY = 26  # width, in sizes of its lettering


def neat_line(board: RailMap) -> tuple[Box, Box]:
    """Return the outer and the inner edge of the frame in which column letters and row numbers stand."""
    width, bottom = map_size(board)
    return (14, TOP - 146, width - 14, bottom + 38), (86, TOP - 66, width - 86, bottom - 44)


def sheet(board: RailMap) -> Polygon:
    """Return what lies below the ground: the sea, or where there is none what lies outside."""
    inland = "~" not in board.water.values()
    return Polygon(rectangle(neat_line(board)[1]), Style(COLOURS["outside" if inland else "sea"]))


def rulers(board: RailMap) -> Shapes:
    """Yield the frame, in it column letters above and below and row numbers."""
    outer, inner = neat_line(board)
    edge = Style(COLOURS["sheet"])
    (left, top, right, bottom), (x1, y1, x2, y2) = outer, inner
    for box in ((left, top, right, y1), (left, y2, right, bottom), (left, top, x1, bottom), (x2, top, right, bottom)):
        yield Polygon(rectangle(box), edge)
    for box, width in ((outer, 8), (inner, 4)):
        corners = rectangle(box)
        yield Line((*corners, corners[0]), pen(INK, width))
    size = min(letters(board, SIGN), _RULER)
    for number in range(board.columns):
        x = LEFT + 3 * UNIT_X * number
        for y in (y1 - 14, y2 + 14 + size * 3 // 4):
            yield Text((x, y), _columns(board, number)[0], size, INK, bold=True)
    for row in range(board.rows):
        y = TOP + UNIT_Y * 2 * row + UNIT_Y // 2 + size * 3 // 8
        for x in ((left + x1) // 2, (x2 + right) // 2):
            yield Text((x, y), str(row + 1), size, INK, bold=True)


def other_grid(board: RailMap) -> Shapes:
    """Yield what the other grid calls columns, if there is one: for paper and large pictures."""
    _, (_, top, _, bottom) = neat_line(board)
    for number in range(board.columns):
        for name in _columns(board, number)[1:]:
            for y in (top - 53, bottom + 70):
                yield Text((LEFT + 3 * UNIT_X * number, y), name, 26, COLOURS["faint"])


def _columns(board: RailMap, number: int) -> list[str]:
    """Return what a column is called, and what the other grid calls it: E+36 for AE."""
    names = [format_column(number)]
    if 0 < board.grid_letters <= number:
        block, letter = divmod(number, board.grid_letters)
        names.insert(not board.numbered, f"{format_column(letter)}+{block * board.rows}")
    return names


def signs(board: RailMap, translate: Translate, prices: Amounts, *, paper: bool = False) -> Iterator[Row]:
    """Yield what this map uses: areas that are not named on it, and signs. On *paper* areas have no tints.

    *prices*: points by what the price list calls it, none before a game.
    """
    tints, used, waters = ground.area_tints(board), {*board.area.values()}, board.water.values()
    shown = () if paper else used - {*ground.areas_on_map(board)}
    for letter, title in board.areas.items():
        if letter in shown:
            yield Row(translate(title), partial(_hexagon, fill=tints[letter]))
    there = {
        **dict.fromkeys(("plain", "mountain"), MOUNTAIN in board.ground.values()),
        "lake": "o" in waters,
        "sea": "~" in waters,
        **dict.fromkeys(ground.river_kinds(board), True),
        "border": len(used) > 1,
        **dict.fromkeys(("city", "home"), True),
        "junction": board.junctions,
        "permitted": track.permitted_builds(board),
        "minor": any(station.minor for station in board.stations),
        "forbidden": track.forbidden(board),
        "priced": board.prices,
        "bridge": board.bridges.keys() - board.causeways.keys(),
        "banked": any(bridge.banked for bridge in board.bridges.values()),
        "causeway": board.causeways,
        "ferry": board.ferries,
    }
    for name, said in shipped_table(__package__, "legend").items():
        if there.get(name):
            priced = next(each for each in said if all(what in prices for what in each.split()))
            words = translate(said[priced]).format(*map(prices.__getitem__, priced.split()))
            yield Row(words, partial(_sign, name=name))


_FILLS = {"plain": "plain-1", "mountain": "hill", "lake": "lake", "sea": "sea"}
_SIGNS: Mapping[str, Draw] = {
    "mountain": lambda at: ground.peaks((at[0] - 34, at[1])),
    "lake": ground.waves,
    "city": partial(disc, keys=(15,), home=False),
    "home": partial(disc, keys=(15,), home=True),
    "junction": junction_sign,
    "minor": partial(disc, keys=(15,), home=False, minor=True),
    "priced": partial(track.price, words="4"),
    "bridge": lambda at: track.bridge(*transform(OUTLINES["step"], at)),
    "banked": lambda at: [name_in(box_at(at, 60, 26), "8+", 26, COLOURS["bank"], italic=True)],
    "ferry": track.boat,
}


def _sign(at: Point, name: str) -> Shapes:
    """Yield what stands beside a row's words: a small hex or a piece of a line, and what lies on it."""
    if name in _FILLS:
        yield from _hexagon(at, COLOURS[_FILLS[name]])
    if name in LINES:
        piece = transform(OUTLINES["piece"], at)
        yield from strokes([ground.river(*piece) if name in ground.RIVERS else piece], LINES[name])
    if name in _SIGNS:
        yield from _SIGNS[name](at)


def _hexagon(at: Point, fill: str) -> Shapes:
    yield Polygon(transform(OUTLINES["hexagon"], at), Style(fill, COLOURS["faint"], 2))


def legend(
    board: RailMap,
    companies: Looks,
    translate: Translate,
    prices: Amounts,
    turn: TurnTrack,
    *,
    paper: bool = False,
    listed: bool = False,
) -> tuple[list[Shape], list[Shape], int, int]:
    """Return the companies, unless they are *listed* elsewhere, and the signs of the map; below them the races; where those and
    these end.
    """
    width, bottom = map_size(board)
    size = letters(board, SIGN)
    row, beside = max(size * 2, 2 * RADIUS + 3 * RING), size * 4
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
        found += strokes([((90, y), (90 + 2 * STEP, y))], LINES["fresh"])
        found.append(words_at((330, y), translate(LAID), width - 420, size))
        y += row
    for remark in _remarks(board, translate):
        found.append(words_at((90, y), remark, width - 180, size))
        y += row
    end, y, looks = y - 10, y + size * bool(turn.runs), {look.code: look for look in companies}
    races, room = list[Shape](), width - 180
    for number, run in enumerate(turn.runs):
        words = words_at((90, y), run.words, room * 3 // 5, size)
        behind = (90 + min(room * 3 // 5 + 20, text_width(run.words, words.size, bold=False) + 50), y)
        trains = ((train_styles(looks[train.company], number), train.words) for train in run.trains)
        races += (words, *chips(behind, trains, room + 45, size))
        y += row

    def framed(above: int, below: int, shapes: list[Shape]) -> list[Shape]:
        return [Polygon(rectangle((14, above, width - 14, below)), Style(WHITE, INK, 3)), *shapes]

    return framed(top, end, found), races and framed(end, y - 10, races), end + 30, y + 20


def room_for_cartouche(board: RailMap, companies: int, taken: Obstacles) -> Box | None:
    """Return where title and companies have room in an empty corner of the map, None where they have none."""
    size = letters(board, SIGN)
    high = 7 * size + size * 12 // 5 * companies
    return empty_corner(neat_line(board)[1], [(wide * size, high) for wide in _CARTOUCHES], size, taken)


def scale(at: Point, translate: Translate) -> Shapes:
    """Yield a ruler five hexes long around a point."""
    x, y = at[0] - 5 * STEP // 2, at[1]
    for begin, end, fill in ((0, 1, INK), (1, 2, WHITE), (2, 5, INK)):
        box = x + begin * STEP, y, x + end * STEP, y + 20
        yield Polygon(rectangle(box), Style(fill, INK, 3))
        yield Text((box[0], y - 14), str(begin), 40, INK, serif=True)
    yield Text((x + 5 * STEP, y - 14), translate(SCALE).format(count=5), 40, INK, serif=True)


def cartouche(board: RailMap, box: Box, words: str, companies: Looks, translate: Translate) -> Shapes:
    """Yield the title of a map, what it shows in *words*, and the companies, the richest first."""
    left, top, right, _ = box
    size = letters(board, SIGN)
    yield from frame(box, size, translate(board.title), words)
    for row, (place, look) in enumerate(sorted(enumerate(companies), key=lambda each: -(each[1].balance or 0))):
        at = left + size, top + 7 * size + size * 12 // 5 * row
        yield from company(at, look, place, right - left - 2 * size, size, translate)


def _groups(board: RailMap, rows: Iterable[Row], size: int, translate: Translate) -> Iterator[tuple[list[Row], int]]:
    """Yield the signs in columns of one width, with that width: all, or the ends of specials apart, whose titles may be long."""
    used = [*rows]
    specials = [
        Row(
            translate(SPECIAL).format(number=each.number, title=translate(each.title)),
            partial(_writing, words=f"@{each.number}", size=size),
        )
        for each in board.specials
    ]
    widest = max(text_width(each.words, size, bold=False) for each in used) + 4 * size
    longest = max((text_width(each.words, size, bold=False) for each in specials), default=0) + 4 * size
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


def company(at: Point, look: Look, place: int, width: int, size: int, translate: Translate) -> Shapes:
    """Yield a company in two lines: the look of its track, name and balance; below its colour and who leads it."""
    x, y = at
    yield from strokes([((x, y), (x + 2 * STEP, y))], line_styles(look, place))
    plate = box_at((x + STEP, y), text_width(look.code, size) + 10, size + 5)
    yield from tag(plate, look.code, WHITE, look.ink, size)
    name, *others = filter(None, (look.name, translate(look.colour), look.person))
    beside, room = x + 2 * STEP + size, width - 2 * STEP - size
    yield words_at((beside, y), name, room - 4 * size * (look.balance is not None), size * 11 // 10).but(serif=True)
    yield words_at((beside, y + size * 11 // 10), ", ".join(others), room, size)
    if look.balance is not None:
        yield Text((x + width, y + size * 3 // 8), str(look.balance), size * 5 // 4, INK, "end", bold=True)


def _writing(at: Point, words: str, size: int) -> Shapes:
    yield centre_text(at, words, size, COLOURS["border"])
