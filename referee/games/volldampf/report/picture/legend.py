"""Heading above the board; below it the players, the open groups, and what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.core.picture.drawing import Line, Point, Polygon, Shape, Style, Text, Translate
from referee.core.picture.placing import fitted, size_that_fits, text_width
from referee.core.texts.wording import N_, TOLD
from referee.games.volldampf.board.board import CUBE_COLOURS, HOME_COLOURS
from referee.games.volldampf.report.picture import palette, signs
from referee.games.volldampf.report.picture.hauls import LAST_KIND, styles_of
from referee.games.volldampf.report.picture.layout import EDGE, Sheet
from referee.games.volldampf.report.picture.links import FRESH
from referee.games.volldampf.report.picture.palette import PlayerLook
from referee.games.volldampf.report.picture.places import disc
from referee.games.volldampf.report.picture.scene import Scene

HOME_CITY = {"blue": N_("blue city"), "violet": N_("violet city")}
ABROAD = {"red": N_("red city, abroad"), "yellow": N_("yellow city, abroad")}
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
LAID = N_("new section")
HAULED = (N_("delivery on trip 1"), N_("on trip 2"), N_("on an extra trip"))
GROUPS = N_("open groups")

_ROW, _HEAD, _GAP = 66, 62, 46
_CARD_ROW, _SIGN_ROW = 100, 86
_SIZE = 30
# Where the players' figures stand, and the track cards begin.
_COLUMNS = {INCOME: 1130, BONDS: 1290, CASH: 1430, SECTIONS: 1620, ACTIONS: 1850, CARDS: 2060, SCORE: 2110}
_NAMES = 620  # width of a company's and a player's name
_SIGN_COLUMNS = 4
_GROUPS, _GROUP_WIDTH = 2480, 360  # where the open groups stand, in two columns


def heading(words: str, width: int) -> Text:
    """Return the heading, smaller where it is long."""
    size = size_that_fits(words, range(70, 21, -4), width - 120, bold=True)
    return Text(at=(width // 2, 104), text=words, size=size, fill=palette.INK, bold=True)


def legend(scene: Scene, sheet: Sheet, translate: Translate) -> Iterator[Shape]:
    """Yield everything below the board."""
    y = sheet.frame[3] + _GAP
    if scene.players:
        yield from _players(scene, (EDGE + 30, y), translate)
        y += _players_height(scene)
    if scene.groups:
        yield from _groups(scene, (_GROUPS, sheet.frame[3] + _GAP), translate)
    yield Line(points=((EDGE, y), (sheet.width - EDGE, y)), style=Style(stroke=palette.BORDER, width=3))
    yield from _signs(scene, (EDGE + 60, y + _HEAD), (sheet.width - 2 * EDGE) // _SIGN_COLUMNS, translate)


def height(scene: Scene) -> int:
    """Return how much room everything below the board takes."""
    rows = max(len(scene.board.colours) - len(scene.board.colours) // 2, len(CUBE_COLOURS))
    players = _players_height(scene) if scene.players else 0
    return _GAP + players + _HEAD + _SIGN_ROW * rows


def _players_height(scene: Scene) -> int:
    table = (_CARD_ROW if any(scene.hands.values()) else _ROW) * len(scene.players)
    return _HEAD + max(table, _CARD_ROW * -(-len(scene.groups) // 2)) + 20


def _players(scene: Scene, at: Point, translate: Translate) -> Iterator[Shape]:
    """Yield a line for each player in turn order: sequence card, section, company and name, figures, track cards."""
    x, y = at
    heads = (*_figures(scene), CARDS) if any(scene.hands.values()) else tuple(_figures(scene))
    for word in heads:
        anchor = "start" if word == CARDS else "middle"
        yield Text(at=(_COLUMNS[word], y + 30), text=translate(word), size=25, fill=palette.FAINT, anchor=anchor)
    if scene.fresh:
        for style in FRESH:
            yield Line(points=((x + 75, y + 20), (x + 135, y + 20)), style=style)
        yield Text(at=(x + 175, y + 29), text=translate(LAID), size=25, fill=palette.FAINT, anchor="start")
    yield from _hauled(scene, (x + 75 + 330 * bool(scene.fresh), y), translate)
    row = _CARD_ROW if any(scene.hands.values()) else _ROW
    for place in range(len(scene.order)):
        middle = y + _HEAD + row * place + row // 2
        yield from _player(scene, (x, middle), place, translate)


def _hauled(scene: Scene, at: Point, translate: Translate) -> Iterator[Shape]:
    """Yield how the deliveries of the turn are drawn, by their trips."""
    x, y = at
    for kind in sorted({min(haul.trip, LAST_KIND) for haul in scene.hauls}):
        words = translate(HAULED[kind - 1])
        for style in styles_of(palette.FAINT, kind):
            yield Line(points=((x, y + 20), (x + 70, y + 20)), style=style)
        yield Text(at=(x + 84, y + 29), text=words, size=25, fill=palette.FAINT, anchor="start")
        x += 84 + text_width(words, 25) + 40


def _player(scene: Scene, at: Point, place: int, translate: Translate) -> Iterator[Shape]:
    (x, y), code = at, scene.order[place]
    look = scene.look(code)
    yield Text(at=(x + 20, y + 15), text=str(place + 1), size=42, fill=palette.INK, bold=True)
    for style in palette.section_styles(look, scene.seat(code)):
        yield Line(points=((x + 75, y), (x + 295, y)), style=style)
    yield from signs.tag((x + 185, y), code, palette.ink_of(look))
    yield from _names((x + 340, y), look, translate)
    for word, figures in _figures(scene).items():
        yield Text(at=(_COLUMNS[word], y + 12), text=str(figures[code]), size=34, fill=palette.INK, bold=True)
    if code in scene.winners:
        at = (_COLUMNS[SCORE] + 90, y + 12)
        yield Text(at=at, text=translate(WINNER), size=34, fill=palette.INK, bold=True, anchor="start")
    yield from _cards(scene, (_COLUMNS[CARDS], y - signs.CARD[1] // 2), scene.hands.get(code, ()))


def _names(at: Point, look: PlayerLook, translate: Translate) -> Iterator[Shape]:
    """Yield the company with its colour, and below it who leads it."""
    (x, y), colour = at, translate(look.colour)
    yield _words((x, y - 15 * bool(look.person)), f"{look.name} ({colour})" if look.name else colour, _NAMES)
    if look.person:
        person = fitted(look.person, 24, _NAMES)
        yield Text(at=(x, y + 25), text=person, size=24, fill=palette.INK, anchor="start")


def _figures(scene: Scene) -> dict[str, Mapping[str, int]]:
    """Return the players' figures by the words above them; what is hidden, or not known, is left out."""
    every = {
        INCOME: scene.income,
        BONDS: scene.bonds,
        CASH: scene.cash,
        SECTIONS: scene.sections_left,
        ACTIONS: scene.action_cards,
        SCORE: scene.scores,
    }
    return {word: figures for word, figures in every.items() if figures}


def _groups(scene: Scene, at: Point, translate: Translate) -> Iterator[Shape]:
    yield Text(at=(at[0], at[1] + 30), text=translate(GROUPS), size=25, fill=palette.FAINT, anchor="start")
    for n, group in enumerate(scene.groups):
        x, y = at[0] + _GROUP_WIDTH * (n % 2), at[1] + _HEAD + _CARD_ROW * (n // 2)
        yield Text(at=(x, y + 58), text=f"{n + 1}.", size=38, fill=palette.INK, anchor="start", bold=True)
        yield from _cards(scene, (x + 52, y + (_CARD_ROW - signs.CARD[1]) // 2), group)


def _cards(scene: Scene, at: Point, cards: tuple[str, ...]) -> Iterator[Shape]:
    colours = {colour.id: colour for colour in scene.board.colours}
    for n, card in enumerate(cards):
        yield from signs.card((at[0] + n * (signs.CARD[0] + 8), at[1]), colours[card])


def _signs(scene: Scene, at: Point, width: int, translate: Translate) -> Iterator[Shape]:
    """Yield two columns of link colours, one of cities, one of cubes."""
    x, y = at
    colours = scene.board.colours
    rows = len(colours) - len(colours) // 2
    for n, colour in enumerate(colours):
        middle = (x + width * (n // rows), y + _SIGN_ROW * (n % rows))
        yield from signs.symbol(middle, colour, colour.code)
        kind = translate(LINKS[colour.id])
        words = translate(TOLD).format(what=kind, told=translate(colour.region)) if colour.region else kind
        yield _words((middle[0] + 56, middle[1]), words, width - 80)
    for n, colour_id in enumerate(CUBE_COLOURS):
        middle = (x + 2 * width, y + _SIGN_ROW * n)
        yield from disc(middle, colour_id, "")
        city = HOME_CITY if colour_id in HOME_COLOURS else ABROAD
        yield _words((middle[0] + 56, middle[1]), translate(city[colour_id]), width - 80)
        yield from signs.cube((x + 3 * width, middle[1] - signs.CUBE // 2), colour_id)
        yield _words((x + 3 * width + 56, middle[1]), translate(CUBES[colour_id]), width - 80)


def _words(at: Point, words: str, width: int) -> Text:
    """Return words that fit into a width: smaller where they are long, cut where they are very long."""
    size = size_that_fits(words, (_SIZE, 27, 24, 22), width)
    return Text(at=(at[0], at[1] + 11), text=fitted(words, size, width), size=size, fill=palette.INK, anchor="start")


def frame(sheet: Sheet) -> Polygon:
    """Return the ground inside the income track."""
    return Polygon(points=signs.rectangle(sheet.inside), style=Style(fill=palette.ABROAD))
