"""How plain text says that something in it was struck out, ``~~1a) none~~``, or cannot be seen, ``~~~1a) none~~~``."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from operator import itemgetter

from referee.core.regex import regex

STRUCK, HIDDEN = "~~", "~~~"

_MARKED = regex(r"(?<!~)(~{2,3})(?=[^\s~])([^~\n]*[^\s~])\1(?!~)")


def told(pieces: Iterable[tuple[str, str]]) -> str:
    """Return the text of pieces, each a mark, or "", and what it marks; no mark goes over the end of a line."""
    grouped = ((mark, "".join(text for _, text in of)) for mark, of in groupby(pieces, itemgetter(0)))
    return "".join(
        "\n".join(_marked(line, mark) for line in text.split("\n")) if mark else text for mark, text in grouped
    )


def _marked(line: str, mark: str) -> str:
    """Return *line* between marks, the blanks around it outside of them."""
    bare = line.strip()
    inner = bare.replace("~", " ").strip()
    return line.replace(bare, f"{mark}{inner}{mark}", 1) if inner else ""


def without_marked(line: str) -> str:
    """Return what is left of a line to be seen and to count."""
    return _MARKED.sub("", line) if STRUCK in line else line


def marked_in(line: str) -> tuple[str, str]:
    """Return the first mark in a line, and all that stands between marks there; "" where there are none."""
    found = _MARKED.findall(line)
    return (found[0][0] if found else ""), " ".join(text for _, text in found)


def marked_alike(text: str, version: str) -> str:
    """Return *text* with the marks of another *version* of it, line by line, which its mail program lost."""
    lines = version.split("\n") if STRUCK in version else []
    known = {_bare(line): line for line in lines if marked_in(line)[0]}
    for line in lines:
        if not marked_in(line)[0]:
            known.pop(_bare(line), None)
    return "\n".join(known.get(_bare(line), line) for line in text.split("\n")) if known else text


def _bare(line: str) -> str:
    return "".join(filter(str.isalnum, line)).casefold()
