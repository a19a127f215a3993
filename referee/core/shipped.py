"""What comes with a game in its package: board files in the folder ``maps``, rulings in ``RULINGS.md``."""

from __future__ import annotations

import re
from importlib import resources

_RULING = re.compile(r"^- \*\*(R\d+)\*\*", re.MULTILINE)


def shipped_names(package: str) -> tuple[str, ...]:
    """Return the names of a package's board files, in alphabetical order."""
    folder = resources.files(package) / "maps"
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def shipped_text(package: str, name: str) -> str:
    """Return the text of one of them.

    Raises:
        KeyError: there is none of that name.
    """
    if name not in shipped_names(package):
        raise KeyError(name)
    return (resources.files(package) / "maps" / f"{name}.toml").read_text(encoding="utf-8")


def shipped_rulings(package: str) -> tuple[str, ...]:
    """Return the numbers of a game's rulings: ``R1``, ``R2``, …"""
    text = (resources.files(package) / "RULINGS.md").read_text(encoding="utf-8")
    return tuple(_RULING.findall(text))
