"""The folders where a game's templates lie: the first that has a file wins, for letters, their parts and their words."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, Environment, TemplateNotFound
from jinja2.loaders import split_template_path

from referee.core.errors import ConfigError

Folder = Traversable | Path
Folders = tuple[Folder, ...]


class FoldersLoader(BaseLoader):
    """Jinja2's door to the folders; ``extends``, ``include`` and ``import`` search them all again from the first."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool]]:
        """Return (text, file, up to date?); a template the umpire changes or adds is seen with the next letter.

        Raises:
            TemplateNotFound: no folder has it.
        """
        parts = split_template_path(template)
        found = first_file(self._folders, parts)
        if found is None:
            raise TemplateNotFound(template)
        text = found.read_text(encoding="utf-8")

        def is_current() -> bool:
            now = first_file(self._folders, parts)
            return now is not None and now.read_text(encoding="utf-8") == text

        return text, str(found), is_current


def first_file(folders: Folders, parts: list[str]) -> Folder | None:
    """Return the file of the first folder that has one at *parts*, None where no folder has."""
    for folder in folders:
        place: Folder = folder
        for part in parts:
            place = place.joinpath(part)
        if place.is_file():
            return place
    return None


def merged_toml(folders: Folders, name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the tables of all files called *name*; a table's entry is taken from the first folder that has it.

    Raises:
        ConfigError: a file is not TOML or has something outside a table.
    """
    merged: dict[str, dict[str, Any]] = {}
    for folder in reversed(folders):
        file = folder.joinpath(name)
        if not file.is_file():
            continue
        for section, table in _tables(file).items():
            merged.setdefault(section, {}).update(table)
    return merged


def _tables(file: Folder) -> Mapping[str, Mapping[str, Any]]:
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:  # not TOML, or not UTF-8
        raise ConfigError(f"{file}: {error}") from error
    for section, table in tables.items():
        if not isinstance(table, dict):
            raise ConfigError(f"{file}: {section!r} stands outside a [table]")
    return tables
