"""The sheet of paper: where hexes lie on it, how wide words are, and what is already taken. Whole numbers, y down."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.drawing import Point
from referee.core.hexes import CORNERS, Hex, centre

UNIT_X, UNIT_Y = 30, 52  # drawing units of a lattice unit: a hex is 120 wide and 104 high, its six steps 104 long
LEFT, TOP = 150, 250  # centre of hex A1
STEP = 104

Box = tuple[int, int, int, int]  # left, top, right, bottom

_CELL = 160


def on_paper(point: Point) -> Point:
    """Return where a point of the lattice lies."""
    return LEFT + UNIT_X * point[0], TOP + UNIT_Y * point[1]


def middle(label: Hex) -> Point:
    """Return the centre of a hex."""
    return on_paper(centre(label))


def outline(label: Hex) -> tuple[Point, ...]:
    """Return the six corners of a hex, from the upper left, clockwise."""
    x, y = centre(label)
    return tuple(on_paper((x + dx, y + dy)) for dx, dy in CORNERS)


def text_width(text: str, size: int, bold: bool = False) -> int:
    """Return about how wide words are, in the widest of the fonts a reader may have (DejaVu Sans)."""
    per_mille = sum(_letter_width(letter) for letter in text)
    return per_mille * size * (112 if bold else 100) // 100_000


def fitted(text: str, size: int, width: int) -> str:
    """Return words cut to a width, with an ellipsis where something is cut off."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def box_at(x: int, y: int, width: int, height: int) -> Box:
    """Return the box of a size around a centre."""
    return x - width // 2, y - height // 2, x + width // 2, y + height // 2


class Clutter:
    """What lies where: boxes with weights, kept by cells so that asking is cheap."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[Box, int]]] = {}

    def add(self, box: Box, weight: int) -> None:
        """Note that *box* is taken; a heavier weight is more to be avoided."""
        for cell in _cells(box):
            self._cells.setdefault(cell, []).append((box, weight))

    def remove(self, box: Box, weight: int) -> None:
        """Forget what was added."""
        for cell in _cells(box):
            self._cells[cell].remove((box, weight))

    def cost(self, box: Box) -> int:
        """Return how much of what is taken would lie under *box*: area times weight."""
        met = {entry for cell in _cells(box) for entry in self._cells.get(cell, ())}
        return sum(_overlap(box, other) * weight for other, weight in met)


def _cells(box: Box) -> Iterable[tuple[int, int]]:
    for column in range(box[0] // _CELL, box[2] // _CELL + 1):
        for row in range(box[1] // _CELL, box[3] // _CELL + 1):
            yield column, row


def _overlap(one: Box, other: Box) -> int:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width * height if width > 0 and height > 0 else 0


def _letter_width(letter: str) -> int:
    """Per mille of the size."""
    if letter in "iljI|!.,:;'’·":
        return 330
    if letter in "ftr()[]-/ ":
        return 400
    if letter in "mwMW@%—":
        return 960
    if letter.isupper():
        return 700
    return 630
