"""Where the boards lie: in the umpire's ``maps`` folder, with their game, or anywhere as a file."""

from __future__ import annotations

import difflib
from pathlib import Path

from referee.core.errors import ConfigError
from referee.core.game import Game
from referee.resources import text_from_outside

MAPS = "maps"


def read_board(game: Game, name: str, club: Path) -> tuple[str, str]:
    """Return (name, text) of a board that passed the game's check; *name* may be the path of a ``.toml`` file.

    Raises:
        ConfigError: there is no such board.
        MapError: it has faults.
    """
    file = Path(name) if name.endswith(".toml") else club / MAPS / f"{name}.toml"
    if name.endswith(".toml") or (_is_plain(name) and file.is_file()):
        text = _read(file)
        game.check_board(text, str(file))
        return file.stem, text
    name = next((board for board in game.boards() if board == name.casefold()), name)
    if name not in game.boards():
        raise ConfigError(_unknown(game, name, club))
    text = game.board_text(name)
    game.check_board(text, f"{name}.toml")
    return name, text


def board_names(game: Game, club: Path) -> tuple[str, ...]:
    """Return the names of the game's own boards and of the files in the umpire's folder, whatever game these are for."""
    return tuple(sorted({*game.boards(), *(file.stem for file in (club / MAPS).glob("*.toml"))}))


def _is_plain(name: str) -> bool:
    return name not in ("", ".", "..") and "/" not in name


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
