"""Compiles the translations, ``referee/locale/de.po`` and so on, to what gettext reads, when a wheel or a checkout is installed.

``python hatch_build.py`` does so by hand; tests do it by themselves.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = Path(__file__).parent / "referee" / "locale"
NO_DAY = datetime(2020, 2, 2, tzinfo=UTC)  # as of all files in a wheel: the same texts give the same bytes


class CompileCatalogues(BuildHookInterface[Any]):
    """Lays each compiled catalogue where ``referee.locale`` looks for it, in the checkout as in the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before anything is packed. *version*: ``standard`` or ``editable``."""
        for made in compile_catalogues(Path(self.root) / "referee" / "locale"):
            build_data["artifacts"].append(f"/{made.relative_to(self.root).as_posix()}")


def compile_catalogues(folder: Path = LOCALE) -> list[Path]:
    """Compile each ``<language>.po`` that is newer than its ``.mo``, and return the ``.mo`` of all. What is not translated yet,
    or marked as fuzzy, is left out: it is said in English."""
    made = []
    for source in sorted(folder.glob("*.po")):
        target = folder / source.stem / "LC_MESSAGES" / "referee.mo"
        if not target.is_file() or target.stat().st_mtime_ns < source.stat().st_mtime_ns:
            _compile(source, target)
        made.append(target)
    return made


def _compile(source: Path, target: Path) -> None:
    with source.open("rb") as stream:
        catalogue = read_po(stream, locale=source.stem, abort_invalid=True)
    catalogue.creation_date = NO_DAY
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_suffix(f".{os.getpid()}")  # several tests may begin at once
    with draft.open("wb") as stream:
        write_mo(stream, catalogue, use_fuzzy=False)
    draft.replace(target)


if __name__ == "__main__":
    for each in compile_catalogues():
        print(each)  # noqa: T201
