"""Boards that players ask for, drawn while nobody waits: a picture takes longer than others should have to wait for writing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from referee.core.errors import RefereeError
from referee.core.picture.drawing import Drawing
from referee.report.png import png

WIDTH = 1600  # pixels
KEPT = 4  # several players ask for the same board

Key = tuple[str, str, str]  # the game, the hash of its last turn, the language


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A board as SVG, and as PNG; ``png`` is empty where it cannot be had: the other one will do."""

    svg: bytes
    png: bytes


class Undrawn(Exception):
    """A picture is asked for that is not drawn yet. What is being written is undone, the picture drawn, and all done again."""

    def __init__(self, key: Key, drawing: Callable[[], Drawing]) -> None:
        super().__init__(*key)
        self.key = key
        self.drawing = drawing


@dataclass(slots=True)
class Pictures:
    """The last pictures drawn for a club."""

    _drawn: dict[Key, Picture] = field(default_factory=dict)

    def of(self, key: Key, drawing: Callable[[], Drawing]) -> Picture:
        """Return the picture of a board. Raises Undrawn: it must be drawn first, by ``with_pictures``."""
        if key not in self._drawn:
            raise Undrawn(key, drawing)
        return self._drawn[key]

    def draw(self, lacking: Undrawn) -> None:
        """Draw what is lacking. Outside of transactions."""
        from referee.report.board import svg  # here, because letters are handled, and few of them ask for a board

        drawn = svg(lacking.drawing())
        self._drawn[lacking.key] = Picture(svg=drawn.encode(), png=_png(drawn))
        for old in list(self._drawn)[:-KEPT]:
            del self._drawn[old]


def with_pictures(pictures: Pictures, act: Callable[[], None]) -> None:
    """Do *act*, a transaction of its own; if it lacks a picture, draw that and do it anew."""
    while True:
        try:
            act()
        except Undrawn as lacking:
            pictures.draw(lacking)
        else:
            return


def _png(drawn: str) -> bytes:
    try:
        return png(drawn, WIDTH)
    except RefereeError:  # the extra is not there, or the renderer failed
        return b""
