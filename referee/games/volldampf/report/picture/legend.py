"""Below the board: the players, the open groups, and what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from referee.core.picture.drawing import Line, Point, Shape, Style, Text, Translate, pen
from referee.core.picture.labels import fitted
from referee.core.picture.legend import Row, chips, column, words_at
from referee.core.picture.shades import INK
from referee.core.picture.shapes import strokes
from referee.core.texts.wording import N_, TOLD
from referee.games.volldampf.report.picture import palette, signs
from referee.games.volldampf.report.picture.links import FRESH, LAST_KIND, OTHERS, haul_styles
from referee.games.volldampf.report.picture.places import disc
from referee.games.volldampf.report.picture.scene import EDGE, Scene, Sheet

# Of cities and of cubes.
CITIES = {
    "blue": N_("blue city"),
    "violet": N_("violet city"),
    "red": N_("red city, abroad"),
    "yellow": N_("yellow city, abroad"),
}
CUBES = {"blue": N_("blue cube"), "violet": N_("violet cube"), "red": N_("red cube"), "yellow": N_("yellow cube")}
LINKS = {
    "purple": N_("purple link"),
    "green": N_("green link"),
    "pink": N_("pink link"),
    "orange": N_("orange link"),
    "brown": N_("brown link"),
    "grey": N_("grey link"),
    "red": N_("red link"),
    "blue": N_("blue link"),
    "yellow": N_("yellow link"),
    "black": N_("black link"),
    "white": N_("white link"),
    "turquoise": N_("turquoise link"),
}
INCOME, BONDS, CASH = N_("income"), N_("bonds"), N_("cash")
SECTIONS, ACTIONS, CARDS = N_("sections left"), N_("action cards"), N_("track cards")
SCORE, WINNER = N_("score"), N_("winner")
LAID, OF_OTHERS = N_("new section"), N_("sections of others")
HAULED = (N_("delivery on trip 1"), N_("on trip 2"), N_("on an extra trip"))
GROUPS = N_("open groups")

_ROW, _HEAD, _GAP = 66, 62, 46
_CARD_ROW, _SIGN_ROW = 100, 86
# Where the players' figures stand, and the track cards begin.
_COLUMNS = {INCOME: 1130, BONDS: 1290, CASH: 1430, SECTIONS: 1620, ACTIONS: 1850, CARDS: 2060, SCORE: 2110}
_NAMES = 620  # width of a company's and a player's name
_SIGN_COLUMNS = 4
_GROUPS, _GROUP_WIDTH = 2480, 360  # where the open groups stand, in two columns


def legend(scene: Scene, sheet: Sheet, translate: Translate) -> tuple[list[Shape], int]:
    """Return everything below the board, and where it ends."""
    top = y = sheet.frame[3] + _GAP
    found = [*_groups(scene, (_GROUPS, top), translate)] if scene.groups else []
    if told := tuple(_lines(scene, translate)):
        found += chips((EDGE + 105, top + 20), told, _GROUPS - 60, 25)
        y += _ROW
    if scene.players:
        row = _CARD_ROW if any(scene.hands.values()) else _ROW
        found += _players(scene, (EDGE + 30, y), row, translate)
        y += _HEAD + max(row * len(scene.players), _CARD_ROW * -(-len(scene.groups) // 2)) + 20
    found.append(Line(((EDGE, y), (sheet.width - EDGE, y)), pen(palette.BORDER, 3)))
    width = (sheet.width - 2 * EDGE) // _SIGN_COLUMNS
    columns = tuple(_rows(scene, translate))
    for n, rows in enumerate(columns):
        found += column(rows, (EDGE + 60 + width * n, y + _HEAD), _SIGN_ROW, width - 80, 56)
    return found, y + _HEAD + _SIGN_ROW * max(map(len, columns))


def _rows(scene: Scene, translate: Translate) -> Iterator[list[Row]]:
    """Yield two columns of link colours, one of cities, one of cubes."""
    links = []
    for colour in scene.board.colours:
        words = translate(LINKS[colour.id])
        if colour.region:
            words = translate(TOLD).format(what=words, told=translate(colour.region))
        links.append(Row(words, partial(signs.symbol, colour=colour, words=colour.code)))
    half = len(links) - len(links) // 2
    yield from (links[:half], links[half:])
    yield [Row(translate(words), partial(disc, colour=colour, words="")) for colour, words in CITIES.items()]
    yield [Row(translate(words), partial(signs.cube_at, colour=colour)) for colour, words in CUBES.items()]


def _lines(scene: Scene, translate: Translate) -> Iterator[tuple[Sequence[Style], str]]:
    """Yield the lines on the board besides the sections of the players who are shown, with what they mean."""
    if scene.fresh:
        yield FRESH, translate(LAID)
    if scene.alone and {*scene.built.values()} - {scene.alone}:
        yield (OTHERS,), translate(OF_OTHERS)
    for kind in sorted({min(haul.trip, LAST_KIND) for haul in scene.hauls}):
        yield haul_styles(palette.FAINT, kind), translate(HAULED[kind - 1])


def _players(scene: Scene, at: Point, row: int, translate: Translate) -> Iterator[Shape]:
    """Yield a line for each player in turn order: sequence card, section, company and name, figures, track cards."""
    x, y = at
    for word in scene.figures:
        yield Text((_COLUMNS[word], y + 30), translate(word), 25, palette.FAINT)
    if any(scene.hands.values()):
        yield Text((_COLUMNS[CARDS], y + 30), translate(CARDS), 25, palette.FAINT, "start")
    for place, code in enumerate(scene.order):
        yield from _player(scene, (x, y + _HEAD + row * place + row // 2), place, code, translate)


def _player(scene: Scene, at: Point, place: int, code: str, translate: Translate) -> Iterator[Shape]:
    (x, y), look = at, scene.look(code)
    yield Text((x + 20, y + 15), str(place + 1), 42, INK, bold=True)
    yield from strokes([((x + 75, y), (x + 295, y))], palette.section_styles(look, scene.seat(code)))
    yield from signs.tag((x + 185, y), code, look.ink)
    yield words_at((x + 340, y - 15 * bool(look.person)), look.words(translate), _NAMES)
    if look.person:
        yield Text((x + 340, y + 25), fitted(look.person, 24, _NAMES), 24, INK, "start")
    for word, figures in scene.figures.items():
        yield Text((_COLUMNS[word], y + 12), str(figures[code]), 34, INK, bold=True)
    if code in scene.winners:
        yield Text((_COLUMNS[SCORE] + 90, y + 12), translate(WINNER), 34, INK, "start", bold=True)
    yield from _cards(scene, (_COLUMNS[CARDS], y - signs.CARD[1] // 2), scene.hands.get(code, ()))


def _groups(scene: Scene, at: Point, translate: Translate) -> Iterator[Shape]:
    yield Text((at[0], at[1] + 30), translate(GROUPS), 25, palette.FAINT, "start")
    for n, group in enumerate(scene.groups):
        x, y = at[0] + _GROUP_WIDTH * (n % 2), at[1] + _HEAD + _CARD_ROW * (n // 2)
        yield Text((x, y + 58), f"{n + 1}.", 38, INK, "start", bold=True)
        yield from _cards(scene, (x + 52, y + (_CARD_ROW - signs.CARD[1]) // 2), group)


def _cards(scene: Scene, at: Point, cards: tuple[str, ...]) -> Iterator[Shape]:
    colours = {colour.id: colour for colour in scene.board.colours}
    for n, card in enumerate(cards):
        yield from signs.card((at[0] + n * (signs.CARD[0] + 8), at[1]), colours[card])
