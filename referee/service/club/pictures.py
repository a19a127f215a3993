"""Boards as pictures, drawn while nobody waits: a picture takes longer than others should have to wait for writing.

A turn's are drawn before its newsletters are written; a player who asks for the board later is sent the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property

from referee.cache import NOTHING_KEPT, Cache
from referee.core.errors import RefereeError
from referee.core.picture.drawing import Drawing
from referee.mail.compose import Attachment

KEPT = 4  # several players ask for the same board

Key = tuple[str, str, str]  # the game, the hash of its last turn, the language


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A board, and as PNG, which is empty where it cannot be had: SVG will do."""

    drawing: Drawing
    png: bytes

    @cached_property
    def svg(self) -> bytes:
        """The board as SVG, which few readers want."""
        from referee.report.svg import svg  # here, because letters are handled, and few of them ask for a board

        return svg(self.drawing).encode()

    def files(self, name: str, kinds: Collection[str]) -> tuple[Attachment, ...]:
        """Return the board as files of the *kinds* png (which a mail program shows below the text) and svg.

        *name* is theirs without ending. Where no PNG can be made SVG takes its place.
        """
        made = []
        if "png" in kinds and self.png:
            made.append(Attachment(name=f"{name}.png", media_type="image/png", content=self.png, shown=True))
        if "svg" in kinds or ("png" in kinds and not self.png):
            made.append(Attachment(name=f"{name}.svg", media_type="image/svg+xml", content=self.svg))
        return tuple(made)


class Undrawn(Exception):
    """A picture is asked for that is not drawn yet. What is being written is undone, the picture drawn, and all done again."""

    def __init__(self, key: Key, drawing: Callable[[], Drawing]) -> None:
        super().__init__(*key)
        self.key = key
        self.drawing = drawing


@dataclass(slots=True)
class Pictures:
    """The last pictures drawn for a club; *cache* keeps PNGs for later passes: one takes half a second."""

    cache: Cache = NOTHING_KEPT
    _drawn: dict[Key, Picture] = field(default_factory=dict)

    def of(self, key: Key, drawing: Callable[[], Drawing]) -> Picture:
        """Return the picture of a board. Raises Undrawn: it must be drawn first, by ``with_pictures``."""
        if key not in self._drawn:
            raise Undrawn(key, drawing)
        return self._drawn[key]

    def drawn(self, key: Key, drawing: Callable[[], Drawing]) -> Picture:
        """Return the picture of a board, drawn now if it is not yet. Outside of transactions."""
        if key not in self._drawn:
            self.draw(Undrawn(key, drawing))
        return self._drawn[key]

    def draw(self, lacking: Undrawn) -> None:
        """Draw what is lacking. Outside of transactions."""
        drawing = lacking.drawing()
        self._drawn[lacking.key] = Picture(drawing=drawing, png=self.png(drawing))
        for old in list(self._drawn)[:-KEPT]:
            del self._drawn[old]

    def png(self, drawing: Drawing) -> bytes:
        """Return a drawing as the PNG that letters show, nothing where it cannot be had."""
        from referee.report.png import letter_png
        from referee.report.svg import svg

        text = svg(drawing.for_screen)
        key = f"png of {hashlib.sha256(text.encode()).hexdigest()}"
        if kept := self.cache.read(key):
            return kept
        try:
            made = letter_png(drawing, text)
        except RefereeError:  # the extra is not there, or the renderer failed
            return b""
        self.cache.write(key, made)
        return made


def with_pictures(pictures: Pictures, act: Callable[[], None]) -> None:
    """Do *act*, a transaction of its own; if it lacks a picture, draw that and do it anew."""
    while True:
        try:
            act()
        except Undrawn as lacking:
            pictures.draw(lacking)
        else:
            return
