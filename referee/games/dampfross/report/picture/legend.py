"""Heading, rulers along the edges, and the legend below the map."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from referee.core.hexes import CORNERS, Hex, format_column, label_to_numbered, parse_hex
from referee.core.picture.drawing import Line, Point, Polygon, Shape, Style, Text, Translate
from referee.core.picture.placing import box_at, fitted, size_that_fits, text_width
from referee.core.texts.wording import N_
from referee.games.dampfross.board.railmap import MOUNTAIN, RailMap
from referee.games.dampfross.report.picture import crossings, palette
from referee.games.dampfross.report.picture.areas import area_tints, named_on_map
from referee.games.dampfross.report.picture.discs import disc, junction_sign
from referee.games.dampfross.report.picture.hexes import peaks, waves
from referee.games.dampfross.report.picture.layout import LEFT, TOP, UNIT_X, UNIT_Y
from referee.games.dampfross.report.picture.palette import CompanyLook
from referee.games.dampfross.report.picture.rivers import RIVER_STYLES, meander, river_kind
from referee.games.dampfross.report.picture.track import tag
from referee.games.dampfross.report.picture.turn import FRESH, Run, Turn, train_styles

Wording = Callable[[str], str]  # a sign to its words

# What the legend says; a line stands only where the map has such a thing.
WORDS = {
    "plain": N_("plain"),
    "mountain": N_("mountain"),
    "lake": N_("lake"),
    "sea": N_("sea"),
    "river": N_("river: 2 points more"),
    "wide": N_("wide river: 4 points more"),
    "closed": N_("water without crossing"),
    "border": N_("border"),
    "city": N_("city with its key"),
    "home": N_("home terminal"),
    "junction": N_("junction"),
    "permitted": N_("permitted build"),
    "minor": N_("minor town"),
    "forbidden": N_("closed to track"),
    "priced": N_("own price in points"),
    "bridge": N_("bridge, with its price in points"),
    "banked": N_("price with +: points may be banked"),
    "causeway": N_("causeway: free for everybody"),
    "ferry": N_("ferry, with its price in points"),
}
# The same with the prices of a game, as its price list has them; the first for which they are all there.
PRICED = (
    ("plain", N_("plain: {0} point"), ("plain",)),
    ("mountain", N_("mountain: {0} points, {1} from another"), ("slope", "mountain")),
    ("river", N_("river: {0} points more"), ("river",)),
    ("wide", N_("wide river: {0} points more"), ("wide-river",)),
    ("river", N_("river between plains: {0} points more"), ("river-plain",)),
    ("wide", N_("wide river between plains: {0} more"), ("wide-river-plain",)),
)
SPECIAL = N_("special {number}: {title}")
LAID = N_("new track")
NUMBERED = N_("Numbered grid: {label} may also be written {numbered}.")

# Signs that are a line.
_LINES: dict[str, tuple[Style, ...]] = {
    **RIVER_STYLES,
    "border": (Style(stroke=palette.BORDER, width=5, dash=(15, 9)),),
    "permitted": crossings.PERMITTED,
    "forbidden": crossings.FORBIDDEN,
    "priced": crossings.PRICED,
    "causeway": crossings.CAUSEWAY,
    "ferry": crossings.FERRY,
}

_ROW, _SIZE = 58, 30
_RACE_WIDTH, _BALANCE = 1150, 110
_COMPANY_WIDTH, _SIGN_WIDTH = 1000, 620
_BESIDE = 100  # of a sign's width, what its words do not have


class _Entry(NamedTuple):
    """A sign of the legend: where it begins from the left, its row from the top, how wide sign and words may be."""

    sign: str
    left: int
    row: int
    width: int


def map_size(board: RailMap) -> Point:
    """Return the width of the paper and where the map ends, rulers included."""
    return 2 * LEFT + 3 * UNIT_X * (board.columns - 1), TOP + UNIT_Y * (2 * board.rows + 1) + 40


def heading_text(words: str, width: int) -> Text:
    """Return the heading, smaller where it is long."""
    size = size_that_fits(words, range(72, 23, -4), width - 120, bold=True)
    return Text(at=(width // 2, 100), text=words, size=size, fill=palette.INK, bold=True)


def rulers(board: RailMap) -> Iterator[Text]:
    """Yield column letters above and below, row numbers left and right; below letters the numbered grid's, if any."""
    width, bottom = map_size(board)
    for column in range(board.columns):
        x = LEFT + 3 * UNIT_X * column
        for y in (TOP - 75, bottom - 10):
            first, *other = _column_names(board, column)
            yield Text(at=(x, y), text=first, size=30, fill=palette.INK, bold=True)
            for name in other:
                yield Text(at=(x, y - 34 if y < TOP else y + 26), text=name, size=19, fill=palette.FAINT)
    for row in range(board.rows):
        y = TOP + UNIT_Y * 2 * row + UNIT_Y // 2 + 10
        for x in (46, width - 46):
            yield Text(at=(x, y), text=str(row + 1), size=30, fill=palette.INK, bold=True)


def _column_names(board: RailMap, column: int) -> tuple[str, ...]:
    """Return the letters of a column, and what the other grid calls it where that differs: ``AE``, ``E+36``."""
    letters = format_column(column)
    if not 0 < board.grid_letters <= column:
        return (letters,)
    block, letter = divmod(column, board.grid_letters)
    numbered = f"{format_column(letter)}+{block * board.rows}"
    return (numbered, letters) if board.numbered else (letters, numbered)


def wording(board: RailMap, translate: Translate, prices: Mapping[str, int], *, paper: bool = False) -> Wording:
    """Return what says the words for a sign. *prices*: points by what the price list calls it, none before a game. On *paper*
    areas have no tints, so that there is nothing to say of them.
    """
    says = partial(_sign_words, board, translate, prices)
    return (lambda sign: "" if sign in board.areas else says(sign)) if paper else says


def legend_height(board: RailMap, companies: tuple[CompanyLook, ...], says: Wording, turn: Turn) -> int:
    """Return how high the legend is."""
    rows = _set_out(board, companies, says)[1]
    return _ROW * (rows + len(_remarks(board, str)) + len(turn.runs) + bool(turn.laid)) + 100


def legend(
    board: RailMap, companies: tuple[CompanyLook, ...], translate: Translate, says: Wording, turn: Turn
) -> Iterator[Shape]:
    """Yield the companies with colour and pattern on the left, the signs of the map on the right, then the races."""
    width, bottom = map_size(board)
    top, end = bottom + 40, bottom + legend_height(board, companies, says, turn) - 20
    frame = ((40, top), (width - 40, top), (width - 40, end), (40, end))
    yield Polygon(points=frame, style=Style(fill=palette.WHITE, stroke=palette.INK, width=3))
    for place, look in enumerate(companies):
        yield from _company((90, top + 50 + _ROW * place), look, place, width, translate)
    entries, rows = _set_out(board, companies, says)
    for entry in entries:
        at = (entry.left + 60, top + 50 + _ROW * entry.row)
        yield from _sign(board, at, entry.sign)
        yield _words((at[0] + 80, at[1]), says(entry.sign), entry.width - _BESIDE)
    y = top + 50 + _ROW * rows
    if turn.laid:
        for style in FRESH:
            yield Line(points=((90, y), (90 + 2 * 104, y)), style=style)
        yield _words((330, y), translate(LAID), width - 420)
        y += _ROW
    for number, run in enumerate(turn.runs):
        yield from _run((90, y), run, number, companies, width)
        y += _ROW
    for words in _remarks(board, translate):
        yield _words((90, y), words, width - 180)
        y += _ROW


def _run(at: Point, run: Run, number: int, companies: tuple[CompanyLook, ...], width: int) -> Iterator[Shape]:
    """Yield a race in words: its trains by places, each with a piece of its line."""
    x, y = at
    looks = {look.code: look for look in companies}
    words = _words(at, run.words, _RACE_WIDTH - 20)
    yield words
    x += min(_RACE_WIDTH, text_width(run.words, words.size) + 50)
    for train in run.trains:
        if x + text_width(train.words, _SIZE, bold=True) + 170 > width - 60:
            yield _words((x, y), "…", 60)
            break
        for style in train_styles(looks[train.company], number):
            yield Line(points=((x, y), (x + 80, y)), style=style)
        said = replace(_words((x + 95, y), train.words, 600), bold=True)
        yield said
        x += 95 + text_width(train.words, said.size, bold=True) + 45


def _remarks(board: RailMap, translate: Translate) -> tuple[str, ...]:
    """Return the sentences below: how hexes may be written otherwise, what asterisks mean."""
    notes = tuple(f"* {translate(each.note)}" for each in board.specials if each.note and "*" in each.title)
    if example := _numbered(board):
        numbered = label_to_numbered(example, board.grid_letters, board.rows)
        return (translate(NUMBERED).format(label=example, numbered=numbered), *notes)
    return notes


def _numbered(board: RailMap) -> Hex:
    """Return a hex that is written otherwise on the numbered grid, a city if there is one; "" where none is."""
    if not board.grid_letters:
        return ""
    every = (*(station.hex for station in board.stations), *board.ground)
    return next((label for label in every if parse_hex(label)[0] >= board.grid_letters), "")


def _set_out(board: RailMap, companies: tuple[CompanyLook, ...], says: Wording) -> tuple[tuple[_Entry, ...], int]:
    """Return where the signs stand, and how many rows the legend has.

    They stand beside the companies, or below them where the sheet is narrow. Titles of specials may be long: where one does
    not fit they have wider columns, below the other signs.
    """
    width, _ = map_size(board)
    beside = not companies or width - _COMPANY_WIDTH - 200 >= _SIGN_WIDTH
    left, row = (90 + _COMPANY_WIDTH * bool(companies), 0) if beside else (90, len(companies))
    entries: list[_Entry] = []
    for signs, wanted in _groups(board, says):
        columns = max(1, (width - left - 110) // wanted)
        rows = -(-len(signs) // columns)
        each = wanted if columns > 1 else max(_SIGN_WIDTH, width - left - 110)
        for n, sign in enumerate(signs):
            column, below = divmod(n, rows)
            entries.append(_Entry(sign, left + each * column, row + below, each))
        row += rows
    return tuple(entries), max(row, len(companies) if beside else 0)


def _groups(board: RailMap, says: Wording) -> tuple[tuple[tuple[str, ...], int], ...]:
    """Return the signs that stand in columns of one width, with that width: all, or the specials for themselves."""
    signs = tuple(filter(says, _signs(board)))
    specials = tuple(sign for sign in signs if sign.startswith("@"))
    longest = max((text_width(says(sign), _SIZE) for sign in specials), default=0) + _BESIDE
    if longest <= _SIGN_WIDTH:
        return ((signs, _SIGN_WIDTH),)
    return ((signs[: -len(specials)], _SIGN_WIDTH), (specials, longest))


def _signs(board: RailMap) -> tuple[str, ...]:
    """Return what this map uses: letters of areas that are not named on the map, then signs, then ends of specials."""
    used_areas = set(board.area.values())
    kinds = {river_kind(board, crossing) for river in board.river_lines for crossing in river.sides}
    used = {
        "plain": MOUNTAIN in board.ground.values(),
        "mountain": MOUNTAIN in board.ground.values(),
        "lake": "o" in board.water.values(),
        "sea": "~" in board.water.values(),
        "river": "river" in kinds,
        "wide": "wide" in kinds,
        "closed": "closed" in kinds,
        "border": len(used_areas) > 1,
        "city": True,
        "home": True,
        "junction": bool(board.junctions),
        "permitted": bool(board.permitted - board.causeways.keys()),
        "minor": any(station.minor for station in board.stations),
        "forbidden": bool(crossings.forbidden(board)),
        "priced": bool(board.prices),
        "bridge": bool(board.bridges.keys() - board.causeways.keys()),
        "banked": any(bridge.banked for bridge in board.bridges.values()),
        "causeway": bool(board.causeways),
        "ferry": bool(board.ferries),
    }
    unnamed = (letter for letter in board.areas if letter in used_areas and letter not in named_on_map(board))
    specials = (f"@{special.number}" for special in board.specials)
    return (*unnamed, *(sign for sign in WORDS if used[sign]), *specials)


def _sign_words(board: RailMap, translate: Translate, prices: Mapping[str, int], sign: str) -> str:
    if sign in board.areas:
        return translate(board.areas[sign])
    for priced, words, whats in PRICED:
        if priced == sign and all(what in prices for what in whats):
            return translate(words).format(*(prices[what] for what in whats))
    if sign in WORDS:
        return translate(WORDS[sign])
    titles = {f"@{special.number}": special.title for special in board.specials}
    return translate(SPECIAL).format(number=sign.removeprefix("@"), title=translate(titles[sign]))


def _company(at: Point, look: CompanyLook, place: int, width: int, translate: Translate) -> Iterator[Shape]:
    x, y = at
    for style in palette.line_styles(look, place):
        yield Line(points=((x, y), (x + 2 * 104, y)), style=style)
    tag_width = text_width(look.code, 19, bold=True) + 10
    yield from tag(box_at(x + 104, y, tag_width, 24), look.code, palette.WHITE, palette.ink_of(look), 19)
    colour = translate(look.colour)
    words = f"{look.name} ({colour})" if look.name else colour
    room = min(_COMPANY_WIDTH, width - 120)
    has = _BALANCE if look.balance is not None else 0
    yield _words((x + 240, y), f"{words}, {look.player}" if look.player else words, room - 280 - has)
    if look.balance is not None:
        at = (x + room - 50, y + 11)
        yield Text(at=at, text=str(look.balance), size=_SIZE, fill=palette.INK, bold=True, anchor="end")


def _sign(board: RailMap, at: Point, sign: str) -> Iterator[Shape]:
    """Yield a small picture about 60 units wide."""
    x, y = at
    if sign in _LINES:
        ends = ((x - 45, y), (x + 45, y))
        for style in _LINES[sign]:
            yield Line(points=meander(*ends) if sign in RIVER_STYLES else ends, style=style)
        if sign == "priced":
            yield Text(at=(x, y + 9), text="4", size=24, fill=palette.INK, bold=True, halo=True)
        elif sign == "ferry":
            yield from crossings.boat(at)
    elif sign == "bridge":
        yield from crossings.bridge(at, (104, 0))
    elif sign == "banked":
        yield Text(at=(x, y + 9), text="8+", size=26, fill=palette.BANK, bold=True, italic=True)
    elif sign in ("city", "home", "minor"):
        yield from disc(at, (15,), home=sign == "home", minor=sign == "minor")
    elif sign == "junction":
        yield junction_sign(at)
    elif sign.startswith("@"):
        yield Text(at=(x, y + 8), text=sign, size=24, fill=palette.BORDER, bold=True)
    else:
        yield from _ground(board, at, sign)


def _ground(board: RailMap, at: Point, sign: str) -> Iterator[Shape]:
    """Yield a half-size hex."""
    x, y = at
    fills = {"plain": palette.HOME_TINTS[0], "mountain": palette.HILL, "lake": palette.LAKE, "sea": palette.SEA}
    corners = tuple((x + dx * UNIT_X // 2, y + dy * UNIT_Y // 2) for dx, dy in CORNERS)
    fill = (fills | area_tints(board))[sign]
    yield Polygon(points=corners, style=Style(fill=fill, stroke=palette.FAINT, width=2))
    if sign == "mountain":
        yield peaks((x - 34, y))
    elif sign == "lake":
        yield from waves(at)


def _words(at: Point, words: str, width: int) -> Text:
    """Return words that fit into a width: smaller where they are long, cut where they are very long."""
    size = size_that_fits(words, (_SIZE, 26, 23, 20), width)
    return Text(at=(at[0], at[1] + 11), text=fitted(words, size, width), size=size, fill=palette.INK, anchor="start")
