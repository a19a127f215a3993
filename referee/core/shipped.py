"""Board files that come with a game: the folder ``maps`` of its package."""

from __future__ import annotations

from importlib import resources


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
