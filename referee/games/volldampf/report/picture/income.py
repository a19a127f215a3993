"""The income track round the board, with a locomotive for each player."""

from __future__ import annotations

from collections.abc import Iterator

from referee.core.picture.drawing import Polygon, Shape, Style, Text
from referee.core.picture.labels import Box
from referee.core.picture.shades import INK
from referee.core.picture.shapes import rectangle
from referee.games.volldampf.report.picture import palette, signs
from referee.games.volldampf.report.picture.scene import Scene, Sheet

_LEAST_ENGINE = (80, 38)  # a locomotive on which a code can be read; on a crowded space the codes alone stand
_CROWDED = 19  # size of the codes there


def track(scene: Scene, sheet: Sheet) -> Iterator[Shape]:
    """Yield the spaces and the locomotives on them; beyond the last space the numbers go on at the start (+lap)."""
    spaces = sheet.spaces()
    for number, box in enumerate(spaces):
        yield from _space(number, box, beyond=0 < scene.income_max < number)
    if 0 not in (scene.income[code] % len(spaces) for code in scene.order):
        left, top, right, bottom = spaces[0]
        yield from signs.locomotive((left + 130, top + 16, right - 70, bottom - 14), "", palette.SPACE)
    for number, box in enumerate(spaces):
        here = [code for code in scene.order if scene.income[code] % len(spaces) == number]
        yield from _engines(scene, here, box, len(spaces))


def _space(number: int, box: Box, *, beyond: bool) -> Iterator[Shape]:
    paint = (
        palette.SPACE if number % 5 else palette.FIFTH if number % 10 else palette.TENTH if number else palette.START
    )
    yield Polygon(rectangle(box), Style(fill=palette.BEYOND if beyond else paint, stroke=INK, width=3))
    left, top, _, _ = box
    if number:
        yield Text((left + 9, top + 28), str(number), 26, INK, "start", bold=number % 5 == 0)
    else:
        yield Text((left + 14, top + 40), "0", 38, INK, "start", bold=True)


def _engines(scene: Scene, codes: list[str], box: Box, spaces: int) -> Iterator[Shape]:
    left, top, right, bottom = box
    if right - left > bottom - top:
        left, top = left + 40, top - 4  # the start: its 0 stays free
    rooms = _rooms((left + 6, top + 32, right - 6, bottom - 6), len(codes))
    for code, room in zip(codes, rooms, strict=True):
        laps = scene.income[code] // spaces
        words = code if not laps else f"{code}+{laps * spaces}"
        ink = scene.look(code).ink
        if room[2] - room[0] >= _LEAST_ENGINE[0] and room[3] - room[1] >= _LEAST_ENGINE[1]:
            yield from signs.locomotive(room, words, ink)
        else:
            yield from signs.tag(signs.middle(room), words, ink, _CROWDED)


def _rooms(box: Box, count: int) -> tuple[Box, ...]:
    """Return a box for each of *count* locomotives, as large as may be."""
    left, top, right, bottom = box
    wide = right - left > 2 * (bottom - top)
    columns = (3 if count > 2 else count) if wide else (1 if count <= 2 else 2)
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
