"""Heading, rulers along the edges, and the legend below the map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice

from referee.core.hexes import CORNERS, format_column, label_to_numbered, parse_hex
from referee.core.picture.drawing import Point, Polygon, Shape, Style, Text, Translate
from referee.core.picture.labels import box_at, text_width
from referee.core.picture.legend import SIZE, Draw, Look, Row, chips, column, words_at
from referee.core.picture.shades import INK, WHITE
from referee.core.picture.shapes import centre_text, name_in, rectangle, strokes, tag, transform
from referee.core.texts.wording import N_
from referee.games.dampfross.board.railmap import MOUNTAIN, RailMap
from referee.games.dampfross.report.picture import ground, palette, track
from referee.games.dampfross.report.picture.layout import LEFT, STEP, TOP, UNIT_X, UNIT_Y, map_size
from referee.games.dampfross.report.picture.places import disc, junction_sign
from referee.games.dampfross.report.picture.track import FRESH, TAG, Turn, train_styles

SPECIAL = N_("special {number}: {title}")
LAID = N_("new track")
NUMBERED = N_("Numbered grid: {label} may also be written {numbered}.")

_ROW = 58
_RACE_WIDTH, _BALANCE = 1150, 110
_COMPANY_WIDTH, _SIGN_WIDTH = 1000, 620
_BESIDE = 100  # of a sign's width, what its words do not have

_HEX = tuple((dx * UNIT_X, dy * UNIT_Y) for dx, dy in CORNERS)
_PIECE, _OVER = ((-45, 0), (45, 0)), ((-52, 0), (52, 0))  # of a line, and of a way from hex to hex

Priced = tuple[str, tuple[str, ...]]  # words with the prices of a game, as its price list has them


def rulers(board: RailMap) -> Iterator[Text]:
    """Yield column letters above and below, row numbers left and right; below letters the numbered grid's, if any."""
    width, bottom = map_size(board)
    for number in range(board.columns):
        x = LEFT + 3 * UNIT_X * number
        for y in (TOP - 75, bottom - 10):
            first, *other = _column_names(board, number)
            yield Text((x, y), first, SIZE, INK, bold=True)
            for name in other:
                yield Text((x, y - 34 if y < TOP else y + 26), name, 19, palette.FAINT)
    for row in range(board.rows):
        y = TOP + UNIT_Y * 2 * row + UNIT_Y // 2 + 10
        for x in (46, width - 46):
            yield Text((x, y), str(row + 1), SIZE, INK, bold=True)


def _column_names(board: RailMap, number: int) -> tuple[str, ...]:
    """Return the letters of a column, and what the other grid calls it where that differs: ``AE``, ``E+36``."""
    letters = format_column(number)
    if not 0 < board.grid_letters <= number:
        return (letters,)
    block, letter = divmod(number, board.grid_letters)
    numbered = f"{format_column(letter)}+{block * board.rows}"
    return (numbered, letters) if board.numbered else (letters, numbered)


def signs(board: RailMap, translate: Translate, prices: Mapping[str, int], *, paper: bool = False) -> Iterator[Row]:
    """Yield what this map uses: areas that are not named on it, signs, ends of specials. On *paper* areas have no tints.

    *prices*: points by what the price list calls it, none before a game.
    """

    def row(when: bool, draw: Draw, words: str, *others: Priced) -> Row:
        for priced, whats in others:
            if all(what in prices for what in whats):
                return Row(translate(priced).format(*(prices[what] for what in whats)), draw, when)
        return Row(translate(words), draw, when)

    tints, used, kinds = ground.area_tints(board), {*board.area.values()}, ground.river_kinds(board)
    shown = () if paper else used - {*ground.named_on_map(board)}
    for letter, title in board.areas.items():
        yield row(letter in shown, _hexagon(tints[letter]), title)
    hilly, waters = MOUNTAIN in board.ground.values(), board.water.values()
    plain = N_("plain: {0} point"), ("plain",)
    hill = N_("mountain: {0} points, {1} from another"), ("slope", "mountain")
    yield row(hilly, _hexagon(palette.HOME_TINTS[0]), N_("plain"), plain)
    yield row(hilly, _hexagon(palette.HILL, lambda at: ground.peaks((at[0] - 34, at[1]))), N_("mountain"), hill)
    yield row("o" in waters, _hexagon(palette.LAKE, ground.waves), N_("lake"))
    yield row("~" in waters, _hexagon(palette.SEA), N_("sea"))
    narrow = N_("river: {0} points more"), ("river",)
    dry = N_("river between plains: {0} points more"), ("river-plain",)
    yield row("river" in kinds, _river("river"), N_("river: 2 points more"), narrow, dry)
    wide = N_("wide river: {0} points more"), ("wide-river",)
    broad = N_("wide river between plains: {0} more"), ("wide-river-plain",)
    yield row("wide" in kinds, _river("wide"), N_("wide river: 4 points more"), wide, broad)
    yield row("closed" in kinds, _river("closed"), N_("water without crossing"))
    yield row(len(used) > 1, _line(ground.BORDERS), N_("border"))
    yield row(True, partial(disc, keys=(15,), home=False), N_("city with its key"))
    yield row(True, partial(disc, keys=(15,), home=True), N_("home terminal"))
    yield row(bool(board.junctions), junction_sign, N_("junction"))
    yield row(bool(track.permitted_builds(board)), _line(track.PERMITTED), N_("permitted build"))
    small = any(station.minor for station in board.stations)
    yield row(small, partial(disc, keys=(15,), home=False, minor=True), N_("minor town"))
    yield row(bool(track.forbidden(board)), _line(track.FORBIDDEN), N_("closed to track"))
    yield row(bool(board.prices), _line(track.PRICED, partial(track.price, words="4")), N_("own price in points"))
    spans = bool(board.bridges.keys() - board.causeways.keys())
    yield row(spans, lambda at: track.bridge(*transform(_OVER, at)), N_("bridge, with its price in points"))
    banked = any(bridge.banked for bridge in board.bridges.values())
    yield row(banked, _eight, N_("price with +: points may be banked"))
    yield row(bool(board.causeways), _line(track.CAUSEWAY), N_("causeway: free for everybody"))
    yield row(bool(board.ferries), _line(track.FERRY, track.boat), N_("ferry, with its price in points"))


def legend(
    board: RailMap,
    companies: tuple[Look, ...],
    translate: Translate,
    prices: Mapping[str, int],
    turn: Turn,
    *,
    paper: bool = False,
) -> tuple[list[Shape], int]:
    """Return the companies with colour and pattern on the left, the signs of the map on the right, then the races; and where the
    sheet ends.

    Signs stand beside the companies, or below them where the sheet is narrow.
    """
    width, bottom = map_size(board)
    top, y, found = bottom + 40, bottom + 90, list[Shape]()
    for place, look in enumerate(companies):
        found += _company((90, y + _ROW * place), look, place, width, translate)
    beside = not companies or width - _COMPANY_WIDTH - 200 >= _SIGN_WIDTH
    left, row = (90 + _COMPANY_WIDTH * bool(companies), 0) if beside else (90, len(companies))
    for rows, wanted in _groups(board, [*signs(board, translate, prices, paper=paper)], translate):
        columns = max(1, (width - left - 110) // wanted)
        high = -(-len(rows) // columns)
        room = wanted if columns > 1 else max(_SIGN_WIDTH, width - left - 110)
        for n in range(columns):
            at = (left + room * n + 60, y + _ROW * row)
            found += column(rows[high * n : high * (n + 1)], at, _ROW, room - _BESIDE, 80)
        row += high
    y += _ROW * max(row, len(companies))
    if turn.laid:
        found += strokes([((90, y), (90 + 2 * STEP, y))], FRESH)
        found.append(words_at((330, y), translate(LAID), width - 420))
        y += _ROW
    looks = {look.code: look for look in companies}
    for number, run in enumerate(turn.runs):
        words = words_at((90, y), run.words, _RACE_WIDTH - 20)
        behind = (90 + min(_RACE_WIDTH, text_width(run.words, words.size) + 50), y)
        trains = ((train_styles(looks[train.company], number), train.words) for train in run.trains)
        found += (words, *chips(behind, trains, width - 135))
        y += _ROW
    for remark in _remarks(board, translate):
        found.append(words_at((90, y), remark, width - 180))
        y += _ROW
    frame = Polygon(rectangle((40, top, width - 40, y - 10)), Style(fill=WHITE, stroke=INK, width=3))
    return [frame, *found], y + 40


def _groups(board: RailMap, rows: Iterable[Row], translate: Translate) -> Iterator[tuple[list[Row], int]]:
    """Yield the signs in columns of one width, with that width: all, or the ends of specials apart, whose titles may be long."""
    used = [each for each in rows if each.when]
    specials = [
        Row(
            translate(SPECIAL).format(number=each.number, title=translate(each.title)),
            partial(_special, words=f"@{each.number}"),
        )
        for each in board.specials
    ]
    longest = max((text_width(each.words, SIZE) for each in specials), default=0) + _BESIDE
    if longest <= _SIGN_WIDTH:
        yield used + specials, _SIGN_WIDTH
    else:
        yield used, _SIGN_WIDTH
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


def _company(at: Point, look: Look, place: int, width: int, translate: Translate) -> Iterator[Shape]:
    (x, y), room = at, min(_COMPANY_WIDTH, width - 120)
    yield from strokes([((x, y), (x + 2 * STEP, y))], palette.line_styles(look, place))
    plate = box_at((x + STEP, y), text_width(look.code, TAG, bold=True) + 10, TAG + 5)
    yield from tag(plate, look.code, WHITE, look.ink, TAG)
    words = ", ".join(filter(None, (look.words(translate), look.person)))
    yield words_at((x + 240, y), words, room - 280 - _BALANCE * (look.balance is not None))
    if look.balance is not None:
        yield Text((x + room - 50, y + 11), str(look.balance), SIZE, INK, "end", bold=True)


def _hexagon(fill: str, *signs: Draw) -> Draw:
    """Return what draws a half-size hex."""

    def draw(at: Point) -> Iterator[Shape]:
        yield Polygon(transform(_HEX, at, 50), Style(fill=fill, stroke=palette.FAINT, width=2))
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


def _special(at: Point, words: str) -> Iterator[Shape]:
    yield centre_text(at, words, 24, palette.BORDER)


def _eight(at: Point) -> Iterator[Shape]:
    yield name_in(box_at(at, 60, 26), "8+", 26, palette.BANK, italic=True)


def _river(kind: str) -> Draw:
    """Return what draws a piece of a river."""
    return lambda at: strokes([ground.meander(*transform(_PIECE, at))], ground.RIVER_STYLES[kind])
