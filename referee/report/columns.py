"""Plain text in columns and lines. Widths are columns on the reader's screen, not code points.

A no-break space holds words together while lines are folded and leaves as a plain space; rows of tables are made of them.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from functools import lru_cache

from referee.core.regex import regex

LINE_WIDTH = 76
MOST_BLANK_LINES = 2
KEPT = 2048  # lines and cells: the letters of a turn have most of theirs in common
TIE = "\u00a0"

_MARKS = "\u0300"  # the first character that is not as wide as a letter, but for some that cannot be printed

# What a line begins with before its words: the bar of press, a list mark, an order number (``1a)``). Continuations stand below
# the words, behind the same bar.
_MARK = regex(r"([ \t]*(?:\| )?)[ \t]*(?:(?:[-*•]|\d{1,2}[a-z]?[).]) )?")
# The dash of a route, held to what stands before it.
_TIED_DASH = regex(f"{TIE}-(?=[ \\n])")


@lru_cache(maxsize=KEPT)
def display_width(text: str) -> int:
    """Return how many columns *text* takes: "東京" takes four, marks that sit on a letter and invisible characters none."""
    plain = text.replace(TIE, " ")
    if plain.isascii() or (
        plain.isprintable() and max(plain) < _MARKS
    ):  # letters as those of Dún Laoghaire and München
        return len(text)
    from wcwidth import wcwidth  # here, because its tables take longer to read than most letters need

    return sum(max(0, wcwidth(char)) for char in text)


def ljust(value: object, width: int) -> str:
    """Return *value* filled up on the right with ties; too long ones stay as they are."""
    text = str(value)
    return text + TIE * (width - display_width(text))


def rjust(value: object, width: int) -> str:
    """Return *value* filled up on the left with ties; too long ones stay as they are."""
    text = str(value)
    return TIE * (width - display_width(text)) + text


def underlined(text: str, mark: str = "-") -> str:
    """Return *text* and below it a line of the same width."""
    return f"{text}\n{mark * display_width(text)}"


def columns(
    rows: Iterable[Sequence[object]],
    align: str = "",
    head: Sequence[object] = (),
    foot: Sequence[object] = (),
    gap: int = 2,
    indent: int = 0,
) -> str:
    """Return a table, one line a row, without an end of line after the last.

    *align*: ``l`` or ``r`` for each column; columns beyond its end are numbers (``r``), without it the first is ``l``.
    *head* and *foot* are rows set off by a rule. None is an empty cell; short rows are filled up.
    """
    body = [_cells(row) for row in rows]
    first, last = _cells(head), _cells(foot)
    every = [cells for cells in (first, *body, last) if cells]
    widths = [
        max(display_width(cells[column]) for cells in every if column < len(cells))
        for column in range(max(map(len, every), default=0))
    ]
    sides = (align or "l").ljust(len(widths), "r")

    def line(cells: list[str]) -> str:
        filled = cells + [""] * (len(widths) - len(cells))
        placed = [
            ljust(cell, width) if side == "l" else rjust(cell, width)
            for cell, width, side in zip(filled, widths, sides, strict=False)
        ]
        return TIE * indent + (TIE * gap).join(placed).rstrip(TIE)

    rule = TIE * indent + (TIE * gap).join("-" * width for width in widths)
    lines = [line(cells) for cells in body]
    if first:
        lines = [line(first), rule, *lines]
    if last:
        lines = [*lines, rule, line(last)]
    return "\n".join(lines)


def wrap(text: str, width: int = LINE_WIDTH, indent: int = 0, hang: int | None = None) -> str:
    """Return *text* with each of its lines folded to *width* columns and set in by *indent*.

    Continuations are set in by *hang*, without it below the first word of their line. Words are never broken. Above what hangs no
    line ends with a colon, and none begins with the dash of a route: that would make an example or an item of it
    (``report/html.py``).
    """
    text = text if hang is None else text.replace(": ", f":{TIE}")
    return "\n".join(_folded(" " * indent + line if line.strip() else "", width, hang) for line in text.split("\n"))


def tidy(text: str) -> str:
    """Return a letter's body as it is sent: folded, no spaces at line ends, no wide gaps, one end of line at the end."""
    lines = [line.replace(TIE, " ").rstrip() for line in wrap(text.replace("\t", " ")).split("\n")]
    limit = "\n" * (MOST_BLANK_LINES + 1)
    return re.sub(rf"{limit}\n+", limit, "\n".join(lines)).strip("\n") + "\n"


def _cells(row: Sequence[object]) -> list[str]:
    """Return a row's cells as they are printed; inner spaces are ties, so that no row is ever folded."""
    return ["" if cell is None else str(cell).replace(" ", TIE) for cell in row]


@lru_cache(maxsize=KEPT)
def _folded(line: str, width: int, hang: int | None) -> str:
    if display_width(line) <= width:
        return line
    mark = _MARK.match(line)
    start, bar = (mark[0], mark[1]) if mark is not None else ("", "")
    below = (bar if "|" in bar else "").ljust(display_width(start) if hang is None else hang)
    # textwrap counts code points; composed letters are one each, so the lines come out right or a little short.
    folded = textwrap.wrap(
        line[len(start) :].replace(" - ", f"{TIE}- "),
        width=width,
        initial_indent=start,
        subsequent_indent=below,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return _TIED_DASH.sub(" -", "\n".join(folded))
