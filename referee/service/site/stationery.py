"""Writes pages from the templates of letters: in the site's own frame, and with styles in one file instead of in each line."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from referee import __version__
from referee.report.folders import Folder
from referee.report.html import split_title
from referee.report.templates import Rendered, Stationery
from referee.resources import shipped, template_folders
from referee.service.club.club import Club, Tools, spoken

SITE = "site"
_OBSOLETE = re.compile(r' (?:cellpadding|cellspacing|border|align)="[^"]*"')  # what mail programs need


class Pages(Stationery):
    """``page`` gives the article of a letter, in plain HTML."""

    def page(self, name: str, game: str, language: str, zone: str, values: Mapping[str, Any], letter: Rendered) -> str:
        """Return ``NAME.html.j2``, or what the *letter* says as text."""
        file = f"{name}.html.j2"
        heading, said = split_title(letter.loose, letter.subject)
        file = file if self.has(file, game) else "plain.html.j2"
        return plain(self.text(file, game, language, zone, {**values, "heading": heading, "said": said}))


def plain(page: str) -> str:
    """Return HTML without the attributes that only mail programs need; numbers stay on the right by a class."""
    return _OBSOLETE.sub("", page.replace(' align="right"', ' class="n"'))


def with_pages(club: Club) -> Club:
    """Return the club with the stationery of its pages."""
    pages = Pages(lambda game: _folders(club.config.folder / "templates", game), spoken=spoken)
    tools = Tools(club.config.folder, stationery=pages, positions=club.positions, pictures=club.pictures)
    return replace(club, tools=tools)


def fingerprint(club: Club, game: str) -> str:
    """Return what is another one with each version of ours and each change of a template of a game's pages."""
    told = hashlib.sha256(__version__.encode())
    for folder in _folders(club.config.folder / "templates", game):
        if folder.is_dir():
            for file in sorted(folder.iterdir(), key=lambda each: each.name):
                if file.is_file():
                    told.update(file.name.encode() + file.read_bytes())
    return told.hexdigest()


def _folders(own: Path, game: str) -> tuple[Folder, ...]:
    return (own / SITE, shipped("templates").joinpath(SITE), *template_folders(game, own))
