"""Boards as pictures, drawn while nobody waits: a picture takes longer than others should have to wait for writing.

A turn's are drawn before its newsletters are written; a player who asks for the board later is sent the same.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection
from functools import cached_property
from pathlib import Path

from msgspec import field

from referee.cache import NOTHING_KEPT, Cache
from referee.core import ConfigError, Keeper, Mutable, Pair, RefereeError, Texts
from referee.core.game import Game
from referee.core.picture import Drawing
from referee.mail.compose import Attachment, Attachments
from referee.resources import text_from_outside

from .positions import Position

KEPT = 12  # pictures of some boards, for which several players ask, and of what is shown beside them

Key = Texts  # by ``board_key``


def board_key(position: Position, mark: str, language: str) -> Key:
    """Return what is another one with each board. *mark* is of the turn and of what is shown of it; for whose eyes a board is
    drawn is told by the names under which its *position* knows the players: the legend names them.
    """
    return (position.id, mark, language, *(seat.name for seat in position.setup.players))


def legible_name(name: str) -> str:
    """Return what the file of a board is called that has its fine lettering."""
    return f"{name}-hexes.png"


class Picture(Keeper):
    """A board, and as PNG, which is empty where it cannot be had: SVG will do. ``legible``: one with its fine lettering, empty
    where nobody must read that.
    """

    drawing: Drawing
    png: bytes
    legible: bytes = b""

    @cached_property
    def svg(self) -> bytes:
        """The board as SVG, which few readers want."""
        from referee.report.renderer import svg  # here, because letters are handled, and few of them ask for a board

        return svg(self.drawing).encode()

    def files(self, name: str, kinds: Collection[str]) -> Attachments:
        """Return the board as files of the *kinds* png (which a mail program shows below the text) and svg.

        *name* is theirs without ending. Where no PNG can be made SVG takes its place.
        """
        made = []
        if "png" in kinds and self.png:
            made.append(Attachment(name=f"{name}.png", media_type="image/png", content=self.png, shown=True))
        if "png" in kinds and self.legible:
            made.append(Attachment(name=legible_name(name), media_type="image/png", content=self.legible))
        if "svg" in kinds or ("png" in kinds and not self.png):
            made.append(Attachment(name=f"{name}.svg", media_type="image/svg+xml", content=self.svg))
        return tuple(made)


class Pictures(Mutable, kw_only=False):
    """The last pictures drawn for a club; *cache* keeps the grounds of boards for later passes."""

    cache: Cache = NOTHING_KEPT
    _kept: dict[Key, Picture] = field(default_factory=dict)

    def of(self, key: Key, drawing: Callable[[], Drawing]) -> Picture:
        """Return a picture, drawn now if it is none of the last."""
        if key not in self._kept:
            self._kept[key] = self.draw(drawing())
            for old in list(self._kept)[:-KEPT]:
                del self._kept[old]
        return self._kept[key]

    def draw(self, drawing: Drawing) -> Picture:
        """Return a drawing as the picture that letters show."""
        large = drawing.legible
        return Picture(drawing=drawing, png=self.png(drawing), legible=self.png(large) if large else b"")

    def png(self, drawing: Drawing) -> bytes:
        """Return a drawing as PNG; nothing where that cannot be had, or the renderer fails at it."""
        from referee.report.raster import letter_png

        try:
            return letter_png(drawing, self.cache)
        except RefereeError:
            return b""


# Where the boards lie: in the umpire's ``maps`` folder, with their game, or anywhere as a file.

MAPS = "maps"


def read_board(game: Game, name: str, club: Path) -> Pair:
    """Return (name, text) of a board that passed the game's check; *name* may be the path of a ``.toml`` file.

    Raises:
        ConfigError: there is no such board.
        MapError: it has faults.
    """
    file = Path(name) if name.endswith(".toml") else club / MAPS / f"{name}.toml"
    if name.endswith(".toml") or (name not in ("", ".", "..") and "/" not in name and file.is_file()):
        text = _read(file)
        game.check_board(text, str(file))
        return file.stem, text
    name = next((board for board in game.boards() if board == name.casefold()), name)
    if name not in game.boards():
        raise ConfigError(_unknown(game, name, club))
    text = game.board_text(name)
    game.check_board(text, f"{name}.toml")
    return name, text


def board_names(game: Game, club: Path) -> Texts:
    """Return the names of the game's own boards and of the files in the umpire's folder, whatever game these are for."""
    return tuple(sorted({*game.boards(), *(file.stem for file in (club / MAPS).glob("*.toml"))}))


def _unknown(game: Game, name: str, club: Path) -> str:
    known = board_names(game, club)
    near = difflib.get_close_matches(name, known, 1)
    meant = f"did you mean {near[0]}?" if near else f"there is {', '.join(known) or 'none'}"
    return f"{game.title} has no map {name!r} ({meant})"


def _read(file: Path) -> str:
    try:
        return text_from_outside(file)
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file} is not UTF-8: {error}") from error
