"""The folders where a game's templates lie: the first that has a file wins, for letters, their parts and their words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, Environment, Template, TemplateNotFound, TemplateSyntaxError
from jinja2.loaders import split_template_path

from referee.core import ConfigError, Fields, Numbers
from referee.core.texts import load_toml

Folder = Traversable | Path
Folders = tuple[Folder, ...]

FILES = 32  # whose tables are kept: each game has a few, for readers of all languages


class FoldersLoader(BaseLoader):
    """Jinja2's door to the folders; ``extends``, ``include`` and ``import`` search them all again from the first."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._seen: set[str] = set()  # templates that are as they were read, for the letter that is written
        self._there: tuple[bool, ...] = ()  # which folders there are, for that letter: mostly the last one alone

    def begin_letter(self) -> None:
        """Look at each template's files again, once for all places where the next letter asks for it."""
        self._seen.clear()
        self._there = ()

    def load(self, environment: Environment, name: str, *given: Any, **named: Any) -> Template:
        """Raises TemplateSyntaxError also for what Jinja2 has no error for: no text, or one that nests too deep."""
        try:
            return super().load(environment, name, *given, **named)
        except (RecursionError, ValueError) as error:
            raise TemplateSyntaxError(str(error), 1, name) from error

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool]]:
        """Return (text, file, up to date?); a template the umpire changes or adds is seen with the next letter.

        Raises:
            TemplateNotFound: no folder has it.
        """
        parts = split_template_path(template)
        places = tuple(folder.joinpath(*parts) for folder in self._folders)
        before = self._stamps(places)
        found = next((place for place in places if place.is_file()), None)
        if found is None:
            raise TemplateNotFound(template)

        def up_to_date() -> bool:
            if template not in self._seen and self._stamps(places) != before:
                return False
            self._seen.add(template)
            return True

        return found.read_text(encoding="utf-8"), str(found), up_to_date

    def _stamps(self, places: tuple[Folder, ...]) -> list[Numbers]:
        self._there = self._there or tuple(folder.is_dir() for folder in self._folders)
        return [stamp(place) if there else () for place, there in zip(places, self._there, strict=True)]


def stamp(place: Folder) -> Numbers:
    """Return what is different as soon as somebody writes a file, or makes or removes it; nothing for one in an archive."""
    try:
        told = place.stat() if isinstance(place, Path) else None
    except OSError:
        told = None
    return (told.st_ino, told.st_size, told.st_mtime_ns, told.st_ctime_ns) if told else ()


def merged_toml(folders: Folders, name: str) -> Mapping[str, Fields]:
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


def _tables(file: Folder) -> Mapping[str, Fields]:
    try:
        tables = _read(file.read_text(encoding="utf-8"))
    except ValueError as error:  # not TOML, or not UTF-8
        raise ConfigError(f"{file}: {error}") from error
    for section, table in tables.items():
        if not isinstance(table, dict):
            raise ConfigError(f"{file}: {section!r} stands outside a [table]")
    return tables


@lru_cache(maxsize=FILES)
def _read(text: str) -> Fields:
    """Return the tables of a text: to be looked at, for they are those of all who read the same."""
    return load_toml(text)
