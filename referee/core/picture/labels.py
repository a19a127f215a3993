"""Labels on a picture: how wide words are, and where they conflict least with obstacles. Whole numbers, y down."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TypeVar

Box = tuple[int, int, int, int]  # left, top, right, bottom
Candidates = Iterable[tuple[int, Box]]  # where a label may stand: penalties, the least first, with boxes
Label = TypeVar("Label", bound=Hashable)

_CELL = 60  # drawing units; with larger cells more boxes are looked at that do not matter
_LABEL = 100  # weight of a label
_PASSES = 4


@lru_cache(maxsize=4096)
def text_width(text: str, size: int, bold: bool = False, serif: bool = False) -> int:
    """Return about how wide words are, in the widest of the fonts a reader may have (DejaVu Sans; Gelasio)."""
    per_mille = sum(_letter_width(letter) for letter in text)
    return per_mille * size * (112 if bold else 100) * (98 if serif else 100) // 10_000_000


def size_that_fits(text: str, sizes: Sequence[int], width: int, bold: bool = False) -> int:
    """Return the first of *sizes* in which words fit into a width, the last where they fit in none."""
    return next((size for size in sizes if text_width(text, size, bold) <= width), sizes[-1])


def truncate(text: str, size: int, width: int) -> str:
    """Return words cut to a width, with an ellipsis where something is cut off."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def box_at(at: tuple[int, int], width: int, height: int) -> Box:
    """Return the box of a size around a centre."""
    x, y = at
    return x - width // 2, y - height // 2, x + width // 2, y + height // 2


def beyond(box: Box, edge: Box) -> int:
    """Return how far a box sticks out of another."""
    return sum(max(0, edge[n] - box[n]) + max(0, box[n + 2] - edge[n + 2]) for n in (0, 1))


def any_overlap(boxes: Iterable[Box]) -> bool:
    """Return whether one of the boxes covers a part of another."""
    return any(_overlap(one, other) for one, other in combinations(boxes, 2))


class Obstacles:
    """What lies where: boxes with weights, kept by cells so that asking is cheap. What is added twice counts once."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], dict[tuple[Box, int], int]] = {}  # each with how often it was added

    def copy(self) -> Obstacles:
        """Return the same obstacles, to add more to."""
        made = Obstacles()
        made._cells = {cell: entries.copy() for cell, entries in self._cells.items()}
        return made

    def place(self, candidates: Candidates, weight: int = _LABEL, most: int = sys.maxsize) -> Box | None:
        """Return where a label conflicts least, the first of equals, and keep others off it; None: nowhere below *most*."""
        least, found = most + 1, None
        for penalty, box in candidates:
            if penalty >= least:
                break
            conflict = penalty + self.conflict(box, least - penalty)
            if conflict < least:
                least, found = conflict, box
        if found:
            self.add(found, weight=weight)
        return found

    def settle(
        self, labels: Mapping[Label, Candidates], stood: Mapping[Label, Box] | None = None, passes: int = _PASSES
    ) -> dict[Label, Box]:
        """Return where labels stand: each is placed, then all once more, knowing the others, while one moves.

        *stood*: where labels stand already; they are among the obstacles.
        """
        found = dict(stood or {})
        for _ in range(passes):
            before = dict(found)
            for label, candidates in labels.items():
                if label in found:
                    self.remove(found[label])
                if best := self.place(candidates):
                    found[label] = best
            if found == before:
                break
        return found

    def add(self, *boxes: Box, weight: int = _LABEL) -> None:
        """Note that *boxes* are taken; a heavier weight is more to be avoided."""
        for box in boxes:
            for cell in _cells(box):
                entries = self._cells.setdefault(cell, {})
                entries[box, weight] = entries.get((box, weight), 0) + 1

    def remove(self, box: Box, weight: int = _LABEL) -> None:
        """Forget what was added."""
        entry = box, weight
        for cell in _cells(box):
            entries = self._cells[cell]
            entries[entry] -= 1
            if not entries[entry]:
                del entries[entry]

    def conflict(self, box: Box, most: int = sys.maxsize) -> int:
        """Return how much of what is taken would lie under *box*: area times weight.

        Beyond *most* nobody counts on: it is only sure that it is more than that.
        """
        left, top, right, bottom = box
        found = 0
        for cell in _cells(box):
            column, row = cell
            for (other_left, other_top, other_right, other_bottom), weight in self._cells.get(cell, ()):
                # Written out: a board asks this a hundred thousand times.
                x = other_left if other_left > left else left
                width = (other_right if other_right < right else right) - x
                if width <= 0 or x // _CELL != column:
                    continue
                y = other_top if other_top > top else top
                height = (other_bottom if other_bottom < bottom else bottom) - y
                if height > 0 and y // _CELL == row:  # it lies in several cells; its upper left corner in one
                    found += width * height * weight
                    if found > most:
                        return found
        return found


def _cells(box: Box) -> list[tuple[int, int]]:
    rows = range(box[1] // _CELL, box[3] // _CELL + 1)
    return [(column, row) for column in range(box[0] // _CELL, box[2] // _CELL + 1) for row in rows]


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
