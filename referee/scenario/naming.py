"""The names that a scenario may write, and what somebody who wrote another one may have meant."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable
from functools import cache

from referee.resources import template_folders

MOST_LISTED, FIRST = 40, 8  # names; where there are more, the first of them


def meant(name: str, known: Iterable[str]) -> str:
    """Return ``did you mean …?``, or what names there are where none comes near."""
    names = tuple(known)
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return f"did you mean {near[0]}?"
    if len(names) <= MOST_LISTED:
        return f"there is {', '.join(names)}"
    return f"there is {', '.join(names[:FIRST])} and {len(names) - FIRST} more"


def is_paragraph(name: str, known: Iterable[str]) -> bool:
    """Return whether the rules have a paragraph of that number, or several below it: ``V3.7`` over ``V3.7.1``."""
    return any(each == name or (name[-1:].isdigit() and each.startswith((f"{name}.", f"{name} "))) for each in known)


@cache
def complaint_codes(game: str) -> tuple[str, ...]:
    """Return the codes of all complaints that a game, or the reading of letters, may make."""
    files = [folder.joinpath("complaints.toml") for folder in template_folders(game, None)]
    return tuple(sorted({code for file in files if file.is_file() for code in tomllib.loads(file.read_text("utf-8"))}))
