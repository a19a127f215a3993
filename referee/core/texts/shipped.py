"""What comes with a game in its package: board files in ``maps``, an empty one in ``editor``, its rules in ``rules``, rulings in
``RULINGS.md``, and in ``rulings`` in other languages.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

from referee.core.errors import ConfigError
from referee.core.texts.rulebook import Rulebook, parse_rulebook

_ENGLISH = "en"


def shipped_names(package: str) -> tuple[str, ...]:
    """Return the names of a package's board files, in alphabetical order."""
    folder = resources.files(package) / "maps"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def shipped_text(package: str, name: str) -> str:
    """Return the text of one of them.

    Raises:
        ConfigError: there is none of that name.
    """
    if name not in shipped_names(package):
        raise ConfigError(f"there is no board {name!r}; shipped with the game: {', '.join(shipped_names(package))}")
    return (resources.files(package) / "maps" / f"{name}.toml").read_text(encoding="utf-8")


def shipped_sheet(package: str) -> str:
    """Return the empty board file ``empty.toml`` of a game, with braces round what is filled in."""
    return (resources.files(package) / "empty.toml").read_text(encoding="utf-8")


def shipped_rulings(package: str) -> tuple[str, ...]:
    """Return the numbers of a game's rulings: ``R1``, ``R2``, …"""
    return tuple(ruling.number for ruling in shipped_rulebook(package, _ENGLISH).rulings)


@lru_cache(maxsize=16)
def shipped_rulebook(package: str, language: str) -> Rulebook:
    """Return a game's rules in a language; ``de_AT`` is served by ``de``, and all by English where there are none in it."""
    folder = resources.files(package)
    wanted = (language, re.split(r"[-_]", language)[0], _ENGLISH)
    texts = [folder / "rules" / f"{name}.md" for name in wanted]
    rulings = [*(folder / "rulings" / f"{name}.md" for name in wanted[:2]), folder / "RULINGS.md"]
    text, decided = (next(file for file in files if file.is_file()) for files in (texts, rulings))
    return parse_rulebook(text.read_text(encoding="utf-8"), decided.read_text(encoding="utf-8"))
