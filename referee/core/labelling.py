"""A sheet of paper: how wide words are, and what is already taken. Whole numbers, y down."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

Box = tuple[int, int, int, int]  # left, top, right, bottom

_CELL = 60  # drawing units; with larger cells more boxes are looked at that do not matter


def text_width(text: str, size: int, bold: bool = False) -> int:
    """Return about how wide words are, in the widest of the fonts a reader may have (DejaVu Sans)."""
    per_mille = sum(_letter_width(letter) for letter in text)
    return per_mille * size * (112 if bold else 100) // 100_000


def fitted(text: str, size: int, width: int, bold: bool = False) -> str:
    """Return words cut to a width, with an ellipsis where something is cut off."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(f"{text}…", size, bold) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def box_at(x: int, y: int, width: int, height: int) -> Box:
    """Return the box of a size around a centre."""
    return x - width // 2, y - height // 2, x + width // 2, y + height // 2


def ink_on(shade: str) -> str:
    """Return black or white, whichever reads better on a shade ``#rrggbb``."""
    red, green, blue = (int(shade[n : n + 2], 16) for n in (1, 3, 5))
    return "#1d1d1b" if 299 * red + 587 * green + 114 * blue > 150_000 else "#ffffff"


def any_overlap(boxes: Iterable[Box]) -> bool:
    """Return whether one of the boxes covers a part of another."""
    return any(_overlap(one, other) for one, other in combinations(boxes, 2))


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

    def cost(self, box: Box, most: int | None = None) -> int:
        """Return how much of what is taken would lie under *box*: area times weight.

        Beyond *most* nobody counts on: it is only sure that the cost is more than that.
        """
        found = 0
        for other, weight in {entry for cell in _cells(box) for entry in self._cells.get(cell, ())}:
            found += _overlap(box, other) * weight
            if most is not None and found > most:
                break
        return found


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
