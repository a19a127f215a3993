"""Where templates and order languages lie: in an installed wheel, in a checkout, in a game's own package, at the umpire's."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from .core import ConfigError, Texts
from .games import folder_of, games

Folder = Traversable | Path

COMMON = "common"
MOST = 2_000_000  # characters of a text from outside
_ORDER_TEXTS = {"common": (COMMON, "verbs.toml"), "verbs": ("", "verbs.toml"), "grammar": ("", "grammar.lark")}


def text_from_outside(path: Path) -> str:
    """Return the text of a file that anybody may have written.

    Raises:
        ConfigError: it is longer than any that is written by hand.
        OSError, UnicodeDecodeError: it cannot be read, or is no text.
    """
    with path.open(encoding="utf-8") as file:
        text = file.read(MOST + 1)
    if len(text) > MOST:
        raise ConfigError(f"{path} is not read: it has more than {MOST:,} characters")
    return text


@cache
def shipped_folder(name: str) -> Folder:
    """Return the folder ``templates`` or ``orders`` that came with the referee.

    Raises:
        ConfigError: the installation lacks it.
    """
    package = files("referee")
    packed = package.joinpath(f"_{name}")
    if packed.is_dir():
        return packed
    beside = Path(str(package)).parent / name
    if beside.is_dir():
        return beside
    raise ConfigError(f"{name}: neither in the installed package nor beside it; install the referee again")


def template_folders(game: str, override: Path | None) -> tuple[Folder, ...]:
    """Return where a game's templates are looked for, first wins; not all of the folders need to be there.

    The umpire's own (in *override*: a folder for the game, then ``common``), the game's own package, what was shipped.
    """
    own = (override / game, override / COMMON) if override else ()
    base = shipped_folder("templates")
    return (*own, *_in_package(game, "templates"), base.joinpath(game), base.joinpath(COMMON))


def order_texts(game: str) -> dict[str, str]:
    """Return the texts of a game's order language by ``common``, ``verbs``, ``grammar``: of its own package, or shipped.

    Raises:
        ConfigError: one is nowhere.
    """
    return {key: _order_text(folder or game, file) for key, (folder, file) in _ORDER_TEXTS.items()}


def word_texts(game: str) -> Texts:
    """Return the texts of the words for orders, those of all games first; of letters about no game ("") those alone."""
    return tuple(_order_text(folder, "verbs.toml") for folder in (COMMON, game) if folder == COMMON or _is_game(folder))


def own_verbs(game: str, own: Path) -> tuple[Path, ...]:
    """Return where an umpire may say more of a game's order language, in the order in which it is laid over; not all of the
    files need to be there.
    """
    return tuple(own / folder / "verbs.toml" for folder in (COMMON, game))


def _in_package(game: str, name: str) -> tuple[Folder, ...]:
    return (folder_of(game).joinpath(name),) if _is_game(game) else ()


def _is_game(name: str) -> bool:
    """Return whether there is such a game; for what is no name of any, other packages are not searched."""
    return name not in ("", COMMON) and name in games()


def _order_text(folder: str, file: str) -> str:
    places: tuple[Folder, ...] = (*_in_package(folder, "orders"), shipped_folder("orders").joinpath(folder))
    for place in places:
        text = place.joinpath(file)
        if text.is_file():
            return text.read_text(encoding="utf-8")
    raise ConfigError(f"orders/{folder}/{file}: missing; a game without an order language cannot be played")
