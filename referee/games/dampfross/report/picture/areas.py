"""Areas: the tint of their plains, the borders between them, and the names of foreign ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from referee.core.hexes import Hex, Side, neighbours, parse_hex, side
from referee.core.picture.drawing import Line, Shape, Style, Text, Translate
from referee.core.picture.placing import Box, Clutter, box_at, text_width
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.crossings import edge_of
from referee.games.dampfross.report.picture.layout import middle

_NAME = 54
_ROOM = 6  # hexes


def area_tints(board: RailMap) -> dict[str, str]:
    """Return the paper colour of each area's plains: foreign ones are greyer."""
    homes = [letter for letter in board.areas if letter in board.home_areas]
    others = [letter for letter in board.areas if letter not in board.home_areas]
    tints = {letter: palette.HOME_TINTS[n % len(palette.HOME_TINTS)] for n, letter in enumerate(homes)}
    return tints | {letter: palette.FOREIGN_TINTS[n % len(palette.FOREIGN_TINTS)] for n, letter in enumerate(others)}


def borders(board: RailMap) -> Iterator[Shape]:
    """Yield the borders between areas."""
    crossings = tuple(_borders(board))
    for style in (Style(stroke=palette.WHITE, width=9), Style(stroke=palette.BORDER, width=5, dash=(15, 9))):
        for crossing in crossings:
            yield Line(points=edge_of(crossing), style=style)


def _borders(board: RailMap) -> Iterator[Side]:
    for label, letter in board.area.items():
        for other in neighbours(label):
            if other > label and other in board.area and board.area[other] != letter:
                yield side(label, other)


def named_on_map(board: RailMap) -> tuple[str, ...]:
    """Return the foreign areas with room for their name on their own ground; the others stand in the legend."""
    hexes = Counter(board.area.values())
    return tuple(letter for letter in board.areas if letter not in board.home_areas and hexes[letter] >= _ROOM)


def foreign_names(board: RailMap, translate: Translate) -> tuple[tuple[str, str], ...]:
    """Return letter and name of the foreign areas that are named on the map."""
    return tuple((letter, translate(board.areas[letter])) for letter in named_on_map(board))


def written_names(
    board: RailMap, names: tuple[tuple[str, str], ...], clutter: Clutter, sheet: tuple[int, int]
) -> Iterator[Text]:
    """Yield the *names* of foreign areas, large and pale, over their own ground and between the edges of the *sheet*."""
    for letter, title in names:
        hexes = [label for label in board.ground if board.area[label] == letter]
        _, (left, _, right, bottom), size = min(_area_box(label, title, clutter, hexes, sheet) for label in hexes)
        at = ((left + right) // 2, bottom - size // 5)
        yield Text(at=at, text=title, size=size, fill=palette.AREA_NAME, bold=True, italic=True, halo=True)


def _area_box(
    label: Hex, title: str, clutter: Clutter, hexes: list[Hex], sheet: tuple[int, int]
) -> tuple[int, Box, int]:
    """Return (cost, box, size) of an area's name around a hex: what it covers, what sticks out, how far off the middle."""
    size = min(_NAME, 26 + len(hexes))
    x, y = middle(label)
    width = text_width(title, size, bold=True)
    x = min(max(x, sheet[0] + width // 2), sheet[1] - width // 2)
    box = box_at(x, y, width, size)
    own = {parse_hex(other) for other in hexes}
    column, row = parse_hex(label)
    reach = (box[2] - box[0]) // 2 // 90 + 1
    outside = sum((column + dx, row + dy) not in own for dx in range(-reach, reach + 1) for dy in (-1, 0, 1))
    mid_x = sum(middle(other)[0] for other in hexes) // len(hexes)
    mid_y = sum(middle(other)[1] for other in hexes) // len(hexes)
    return clutter.cost(box) // 4 + outside * 20_000 + (abs(x - mid_x) + abs(y - mid_y)) * 10, box, size
