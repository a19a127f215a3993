"""Below the board: the players, the open groups, and what the signs mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from referee.core import N_, TOLD
from referee.core.picture import INK, Line, Point, Polygon, Shape, Shapes, Style, Text, Translate, pen
from referee.core.picture.legend import SIZE, Row, chips, column, empty_corner, frame, words_at
from referee.core.picture.shapes import Box, Obstacles, rectangle, strokes, truncate
from referee.core.texts.shipped import shipped_table

from ...board import Codes
from . import COLOURS, EDGE, LINES, WALL_TAG, Scene, places, section_styles
from .links import LAST_KIND, haul_styles
from .places import disc

SAID = shipped_table(__package__, "legend")
CARDS, WINNER = N_("track cards"), N_("winner")
LAID, OF_OTHERS = N_("new section"), N_("sections of others")
GROUPS = N_("open groups")

_ROW, _HEAD, _GAP = 66, 62, 46
_CARD_ROW, _SIGN_ROW = 100, 86
# Where the players' figures stand, and the track cards begin.
_COLUMNS = {"income": 1130, "bonds": 1290, "cash": 1430, "sections_left": 1620, "action_count": 1850, "score": 2110}
_CARDS = 2060
_CARTOUCHES, _CARTOUCHE_ROW = (1080, 960, 840), 66  # widths, and how far its rows lie apart
_NAMES = 620  # width of a company's and a player's name
_SIGN_COLUMNS = 4
_GROUPS, _GROUP_WIDTH = 2480, 360  # where the open groups stand, in two columns


def legend(scene: Scene, translate: Translate) -> tuple[list[Shape], int]:
    """Return everything below the board, and where it ends."""
    top = y = scene.sheet.frame[3] + _GAP
    found = [*_groups(scene, (_GROUPS, top), translate)] if scene.groups else []
    if told := tuple(_lines(scene, translate)):
        found += chips((EDGE + 105, top + 20), told, _GROUPS - 60, 25)
        y += _ROW
    if scene.players:
        row = _CARD_ROW if any(scene.hands.values()) else _ROW
        found += _players(scene, (EDGE + 30, y), row, translate)
        y += _HEAD + max(row * len(scene.players), _CARD_ROW * -(-len(scene.groups) // 2)) + 20
    found.append(Line(((EDGE, y), (scene.sheet.width - EDGE, y)), pen(COLOURS["border"], 3)))
    width = (scene.sheet.width - 2 * EDGE) // _SIGN_COLUMNS
    columns = tuple(_rows(scene, translate))
    for n, rows in enumerate(columns):
        found += column(rows, (EDGE + 60 + width * n, y + _HEAD), _SIGN_ROW, width - 80, 56)
    return found, y + _HEAD + _SIGN_ROW * max(map(len, columns))


def room_for_cartouche(scene: Scene, taken: Obstacles) -> Box | None:
    """Return where title and players have room in an empty corner inside the income track, None where they have none."""
    high = 8 * SIZE + _CARTOUCHE_ROW * len(scene.players)
    return empty_corner(scene.sheet.inside, [(wide, high) for wide in _CARTOUCHES], SIZE, taken)


def cartouche(scene: Scene, box: Box, translate: Translate) -> Shapes:
    """Yield the title of a board, what is shown of it, and the players, the best first."""
    yield from frame(box, SIZE, translate(scene.board.title), scene.shown)
    left, y, right = box[0] + 54, box[1] + 7 * SIZE + 10, box[2] - 54
    for look in sorted(scene.players, key=lambda each: -scene.scores[each.code]):
        yield from _line_of(scene, look.code, (left, y))
        at, room = left + 250, right - left - 350
        person = look.person if look.name and scene.tag == WALL_TAG else ""
        title = words_at((at, y - 10 if person else y), look.name or look.person or look.code, room, 34)
        yield title.but(serif=True)
        if person:
            yield words_at((at, y + 22), person, room, 24)
        yield Text((right, y + 12), str(scene.scores[look.code]), 38, INK, "end", bold=True)
        y += _CARTOUCHE_ROW


def _line_of(scene: Scene, code: str, at: Point) -> Shapes:
    """Yield a piece of a player's sections, with the player's code."""
    (x, y), look = at, scene.look(code)
    yield from strokes([((x, y), (x + 220, y))], section_styles(look, scene.seat(code)))
    yield from places.tag((x + 110, y), code, look.ink)


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


def _lines(scene: Scene, translate: Translate) -> Iterator[tuple[Sequence[Style], str]]:
    """Yield the lines on the board besides the sections of the players who are shown, with what they mean."""
    if scene.fresh:
        yield LINES["fresh"], translate(LAID)
    if scene.alone and {*scene.built.values()} - {scene.alone}:
        yield LINES["others"], translate(OF_OTHERS)
    for kind in sorted({min(haul.trip, LAST_KIND) for haul in scene.hauls}):
        yield haul_styles(COLOURS["faint"], kind), translate(SAID["trips"][str(kind)])


def _players(scene: Scene, at: Point, row: int, translate: Translate) -> Shapes:
    """Yield a line for each player in turn order: sequence card, section, company and name, figures, track cards."""
    x, y = at
    for word in scene.figures:
        yield Text((_COLUMNS[word], y + 30), translate(SAID["figures"][word]), 25, COLOURS["faint"])
    if any(scene.hands.values()):
        yield Text((_CARDS, y + 30), translate(CARDS), 25, COLOURS["faint"], "start")
    for place, code in enumerate(scene.order):
        yield from _player(scene, (x, y + _HEAD + row * place + row // 2), place, code, translate)


def _player(scene: Scene, at: Point, place: int, code: str, translate: Translate) -> Shapes:
    (x, y), look = at, scene.look(code)
    yield Text((x + 20, y + 15), str(place + 1), 42, INK, bold=True)
    yield from _line_of(scene, code, (x + 75, y))
    yield words_at((x + 340, y - 15 * bool(look.person)), look.words(translate), _NAMES)
    if look.person:
        yield Text((x + 340, y + 25), truncate(look.person, 24, _NAMES), 24, INK, "start")
    for word, figures in scene.figures.items():
        yield Text((_COLUMNS[word], y + 12), str(figures[code]), 34, INK, bold=True)
    if code in scene.winners:
        yield Text((_COLUMNS["score"] + 90, y + 12), translate(WINNER), 34, INK, "start", bold=True)
    yield from _cards(scene, (_CARDS, y - places.CARD[1] // 2), scene.hands.get(code, ()))


def _groups(scene: Scene, at: Point, translate: Translate) -> Shapes:
    yield Text((at[0], at[1] + 30), translate(GROUPS), 25, COLOURS["faint"], "start")
    for n, group in enumerate(scene.groups):
        x, y = at[0] + _GROUP_WIDTH * (n % 2), at[1] + _HEAD + _CARD_ROW * (n // 2)
        yield Text((x, y + 58), f"{n + 1}.", 38, INK, "start", bold=True)
        yield from _cards(scene, (x + 52, y + (_CARD_ROW - places.CARD[1]) // 2), group)


def _cards(scene: Scene, at: Point, cards: Codes) -> Shapes:
    colours = {colour.id: colour for colour in scene.board.colours}
    for n, card in enumerate(cards):
        yield from places.card((at[0] + n * (places.CARD[0] + 8), at[1]), colours[card])


# The income track round the board, with a locomotive for each player.

_LEAST_ENGINE = (80, 38)  # a locomotive on which a code can be read; on a crowded space the codes alone stand
_CROWDED = 19  # size of the codes there


def track(scene: Scene) -> Shapes:
    """Yield the spaces and the locomotives on them; beyond the last space the numbers go on at the start (+lap)."""
    spaces, (left, top, right, bottom) = scene.sheet.spaces(), scene.sheet.frame
    neat = rectangle((left - 12, top - 12, right + 12, bottom + 12))
    yield Line((*neat, neat[0]), pen(INK, 6))
    for number, box in enumerate(spaces):
        yield from _space(number, box, beyond=0 < scene.income_max < number)
    if 0 not in (scene.income[code] % len(spaces) for code in scene.order):
        left, top, right, bottom = spaces[0]
        yield from places.locomotive((left + 130, top + 16, right - 70, bottom - 14), "", COLOURS["space"])
    for number, box in enumerate(spaces):
        here = [code for code in scene.order if scene.income[code] % len(spaces) == number]
        yield from _engines(scene, here, box, len(spaces))


def _space(number: int, box: Box, *, beyond: bool) -> Shapes:
    tone = "space" if number % 5 else "fifth" if number % 10 else "tenth" if number else "start"
    yield Polygon(rectangle(box), Style(COLOURS["beyond" if beyond else tone], INK, 3))
    left, top, _, _ = box
    if number:
        yield Text((left + 9, top + 28), str(number), 26, INK, "start", bold=number % 5 == 0)
    else:
        yield Text((left + 14, top + 40), "0", 38, INK, "start", bold=True)


def _engines(scene: Scene, codes: list[str], box: Box, spaces: int) -> Shapes:
    left, top, right, bottom = box
    if right - left > bottom - top:
        left, top = left + 40, top - 4  # the start: its 0 stays free
    rooms = _rooms((left + 6, top + 32, right - 6, bottom - 6), len(codes))
    for code, room in zip(codes, rooms, strict=True):
        laps = scene.income[code] // spaces
        words, ink = f"{code}+{laps * spaces}" if laps else code, scene.look(code).ink
        if room[2] - room[0] >= _LEAST_ENGINE[0] and room[3] - room[1] >= _LEAST_ENGINE[1]:
            yield from places.locomotive(room, words, ink)
        else:
            yield from places.tag(places.middle(room), words, ink, _CROWDED)


def _rooms(box: Box, count: int) -> tuple[Box, ...]:
    """Return a box for each of *count* locomotives, as large as may be."""
    left, top, right, bottom = box
    wide = right - left > 2 * (bottom - top)
    columns = min(count, 3) if wide else 1 + (count > 2)
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
