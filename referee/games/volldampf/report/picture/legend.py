"""Below the board: the players, the open groups, and what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from referee.core import N_, TOLD
from referee.core.picture import INK, Line, Point, Polygon, Shape, Shapes, Style, Styles, Text, Translate, pen
from referee.core.picture.legend import Row, chips, column, empty_corner, frame
from referee.core.picture.shapes import Box, Obstacles, rectangle, strokes, text_width, truncate
from referee.core.texts.shipped import shipped_table

from ...board import Codes
from . import COLOURS, EDGE, LETTERS, LINES, Scene, places, section_styles
from .links import LAST_KIND, haul_styles
from .places import disc

SAID = shipped_table(__package__, "legend")
CARDS, WINNER = N_("track cards"), N_("winner")
LAID, OF_OTHERS = N_("new section"), N_("sections of others")
GROUPS = N_("open groups")

_ROW, _HEAD, _GAP = 72, 62, 46
_CARD_ROW, _SIGN_ROW = 104, 100
# Where the players' figures stand, and the track cards begin.
_COLUMNS = {"income": 1015, "bonds": 1185, "cash": 1312, "sections_left": 1510, "action_count": 1780, "score": 1975}
_CARDS = 1930
_CARTOUCHES, _CARTOUCHE_ROW, _SIZE = (900, 800, 700), 52, 26  # widths; how far its rows lie apart; its letters
_PIECE = 160  # length of a player's section
_NAMES = 590  # width of a company's and a player's name
_GROUP_WIDTH = 380
_BESIDE = 62  # from the middle of a sign to its words


def legend(scene: Scene, translate: Translate) -> tuple[list[Shape], int]:
    """Return everything below the board, and where it ends."""
    y, width = scene.sheet.frame[3] + _GAP, scene.sheet.width
    found: list[Shape] = []
    trips = [
        (haul_styles(COLOURS["faint"], kind), translate(SAID["trips"][str(kind)]))
        for kind in sorted({min(haul.trip, LAST_KIND) for haul in scene.hauls})
    ]
    for told in filter(None, ([*_sections(scene, translate)], trips)):
        found += chips((EDGE + 55, y + 20), told, width - EDGE, LETTERS)
        y += _ROW
    if scene.players:
        row = _CARD_ROW if any(scene.hands.values()) else _ROW
        found += _players(scene, (EDGE + 25, y), row, translate)
        y += _HEAD + row * len(scene.players) + 20
    if scene.groups:
        found += _groups(scene, (EDGE + 55, y), translate)
        y += _HEAD + _CARD_ROW + 20
    found.append(Line(((EDGE, y), (width - EDGE, y)), pen(COLOURS["border"], 3)))
    x, columns = EDGE + 60, tuple(_rows(scene, translate))
    for rows in columns:
        found += column(rows, (x, y + _HEAD + 10), _SIGN_ROW, width - EDGE - x - _BESIDE, _BESIDE, LETTERS)
        x += _BESIDE + max((text_width(row.words, LETTERS, bold=False) for row in rows), default=0) + 70
    return found, y + _HEAD + _SIGN_ROW * max(map(len, columns))


def room_for_cartouche(scene: Scene, taken: Obstacles) -> Box | None:
    """Return where title and players have room in an empty corner inside the income track, None where they have none."""
    high = 8 * _SIZE + _CARTOUCHE_ROW * len(scene.players)
    return empty_corner(scene.sheet.inside, [(wide, high) for wide in _CARTOUCHES], _SIZE, taken)


def cartouche(scene: Scene, box: Box, translate: Translate) -> Shapes:
    """Yield the title of a board, what is shown of it, and the players, the best first."""
    yield from frame(box, _SIZE, translate(scene.board.title), scene.shown)
    left, y, right = box[0] + 40, box[1] + 7 * _SIZE + 10, box[2] - 40
    for look in sorted(scene.players, key=lambda each: -scene.scores[each.code]):
        yield from _line_of(scene, look.code, (left, y))
        at, room = left + _PIECE + 25, right - left - _PIECE - 100
        person = look.person if look.name and scene.wall else ""
        yield _words((at, y - 14 if person else y), look.name or look.person or look.code, room).but(serif=True)
        if person:
            yield _words((at, y + 16), person, room)
        yield Text((right, y + 12), str(scene.scores[look.code]), 38, INK, "end", bold=True)
        y += _CARTOUCHE_ROW


def _line_of(scene: Scene, code: str, at: Point) -> Shapes:
    """Yield a piece of a player's sections, with the player's code."""
    (x, y), look = at, scene.look(code)
    yield from strokes([((x, y), (x + _PIECE, y))], section_styles(look, scene.seat(code)))
    yield from places.tag((x + _PIECE // 2, y), code, look.ink)


def _words(at: Point, words: str, width: int) -> Text:
    """Return words, cut to a width, at the height of their middle."""
    return Text((at[0], at[1] + LETTERS * 37 // 100), truncate(words, LETTERS, width), LETTERS, INK, "start")


def _rows(scene: Scene, translate: Translate) -> Iterator[list[Row]]:
    """Yield two columns of link colours, one of cities, one of cubes."""
    links = []
    for colour in scene.board.colours:
        words = translate(SAID["links"][colour.id])
        if colour.region:
            words = translate(TOLD).format(what=words, told=translate(colour.region))
        links.append(Row(words, partial(places.symbol, colour=colour, words=colour.code)))
    half = len(links) - len(links) // 2
    yield from (links[:half], links[half:])
    yield [Row(translate(words), partial(disc, colour=colour, words="")) for colour, words in SAID["cities"].items()]
    yield [Row(translate(words), partial(places.cube_at, colour=colour)) for colour, words in SAID["cubes"].items()]


def _sections(scene: Scene, translate: Translate) -> Iterator[tuple[Styles, str]]:
    """Yield the sections on the board besides those of the players who are shown, with what they mean."""
    if scene.fresh:
        yield LINES["fresh"], translate(LAID)
    if scene.alone and {*scene.built.values()} - {scene.alone}:
        yield LINES["others"], translate(OF_OTHERS)


def _players(scene: Scene, at: Point, row: int, translate: Translate) -> Shapes:
    """Yield a line for each player in turn order: sequence card, section, company and name, figures, track cards."""
    x, y = at
    for word in scene.figures:
        yield _head((_COLUMNS[word], y), translate(SAID["figures"][word]), "middle")
    if any(scene.hands.values()):
        yield _head((_CARDS, y), translate(CARDS))
    for place, code in enumerate(scene.order):
        yield from _player(scene, (x, y + _HEAD + row * place + row // 2), place, code, translate)


def _head(at: Point, words: str, anchor: str = "start") -> Text:
    return Text((at[0], at[1] + 30), words, LETTERS, COLOURS["faint"], anchor)


def _player(scene: Scene, at: Point, place: int, code: str, translate: Translate) -> Shapes:
    (x, y), look = at, scene.look(code)
    yield Text((x + 20, y + 15), str(place + 1), 42, INK, bold=True)
    yield from _line_of(scene, code, (x + 70, y))
    yield _words((x + 280, y - 16 * bool(look.person)), look.words(translate), _NAMES)
    if look.person:
        yield _words((x + 280, y + 16), look.person, _NAMES)
    for word, figures in scene.figures.items():
        yield Text((_COLUMNS[word], y + 12), str(figures[code]), 34, INK, bold=True)
    if code in scene.winners:
        yield Text((_COLUMNS["score"] + 90, y + 12), translate(WINNER), 34, INK, "start", bold=True)
    yield from _cards(scene, (_CARDS, y - places.CARD[1] // 2), scene.hands.get(code, ()))


def _groups(scene: Scene, at: Point, translate: Translate) -> Shapes:
    yield _head(at, translate(GROUPS))
    for n, group in enumerate(scene.groups):
        x, y = at[0] + _GROUP_WIDTH * n, at[1] + _HEAD
        yield Text((x, y + 58), f"{n + 1}.", 38, INK, "start", bold=True)
        yield from _cards(scene, (x + 52, y + (_CARD_ROW - places.CARD[1]) // 2), group)


def _cards(scene: Scene, at: Point, cards: Codes) -> Shapes:
    colours = {colour.id: colour for colour in scene.board.colours}
    for n, card in enumerate(cards):
        yield from places.card((at[0] + n * (places.CARD[0] + 8), at[1]), colours[card])


# The income track round the board, with a locomotive for each player.


def track(scene: Scene) -> Shapes:
    """Yield the spaces and the locomotives on them; beyond the last space the numbers go on at the start (+lap)."""
    spaces, (left, top, right, bottom) = scene.sheet.spaces(), scene.sheet.frame
    neat = rectangle((left - 12, top - 12, right + 12, bottom + 12))
    yield Line((*neat, neat[0]), pen(INK, 6))
    for number, box in enumerate(spaces):
        yield from _space(number, box, beyond=0 < scene.income_max < number)
    for number, box in enumerate(spaces):
        here = [code for code in scene.order if scene.income[code] % len(spaces) == number]
        if not (number or here):
            left, top, right, bottom = box
            yield from places.locomotive((left + 110, top + 14, right - 60, bottom - 12), "", COLOURS["space"])
        yield from _engines(scene, here, box, len(spaces))


def _space(number: int, box: Box, *, beyond: bool) -> Shapes:
    tone = "space" if number % 5 else "fifth" if number % 10 else "tenth" if number else "start"
    yield Polygon(rectangle(box), Style(COLOURS["beyond" if beyond else tone], INK, 3))
    left, top, _, _ = box
    if number:
        yield Text((left + 9, top + 28), str(number), LETTERS, INK, "start", bold=number % 5 == 0)
    else:
        yield Text((left + 14, top + 40), "0", 38, INK, "start", bold=True)


def _engines(scene: Scene, codes: list[str], box: Box, spaces: int) -> Shapes:
    left, top, right, bottom = box
    signs = [
        (words, scene.look(code).ink)
        for code in codes
        for words in (code, f"+{scene.income[code] // spaces * spaces}")
        if words != "+0"
    ]
    if right - left > bottom - top:
        left, top = left + 40, top - 30  # its 0 stays free
    elif len(signs) > 2:
        top -= 28  # on their number: it stands between two others
    rooms = _rooms((left + 4, top + 32, right - 4, bottom - 4), len(signs))
    for (words, ink), room in zip(signs, rooms, strict=True):
        wide, written = room[2] - room[0], text_width(words, LETTERS)
        if written > wide:
            yield from places.locomotive(room, "", ink)  # the table below says whose
        elif written > wide * 80 // 100 or room[3] - room[1] < 2 * LETTERS:
            yield from places.tag(places.middle(room), words, ink)
        else:
            yield from places.locomotive(room, words, ink)


def _rooms(box: Box, count: int) -> tuple[Box, ...]:
    """Return a box for each of *count* locomotives, as large as may be."""
    left, top, right, bottom = box
    wide = right - left > 2 * (bottom - top)
    columns = min(count, 3) if wide else 1 + (count > 3)
    rows = -(-count // max(1, columns))
    return tuple(
        (
            left + (right - left) * (n % columns) // columns + 2,
            top + (bottom - top) * (n // columns) // rows + 1,
            left + (right - left) * (n % columns + 1) // columns - 2,
            top + (bottom - top) * (n // columns + 1) // rows - 3,
        )
        for n in range(count)
    )
