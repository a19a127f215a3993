"""Plain text in HTML: what macros of text templates say, escaped, as headings, paragraphs and tables."""

from __future__ import annotations

import re
from itertools import pairwise

from markupsafe import Markup, escape

from referee.core.picture.shades import SHADES

_FOLDED = 56  # columns: behind a longer line its paragraph goes on
_SEED = 40  # letters: what is as long has a line of its own
_WIDEST = 6  # columns of a table that fit on a telephone
_KEYS = 2  # columns that are there again where a wider table is cut into several
_INKS = ("#000000", "#ffffff")
_RULE = re.compile(r"\s*-+(\s+-+)+\s*")  # below the heads of a table
_FIGURES = Markup('class="figures" cellpadding="3" cellspacing="0" border="1"')

Rows = list[list[str]]


def as_text(said: object) -> Markup:
    """Return text that a template made without escaping, escaped, without ends of lines around it."""
    return escape("".join(str(said)).strip("\n"))


def as_paragraphs(said: object) -> Markup:
    """Return such text as it reads: underlined lines are headings, folded lines are whole again, columns are tables."""
    blocks = re.split(r"\n\s*\n", "".join(str(said)).strip("\n"))
    return Markup("\n").join(_block(block.strip("\n").split("\n")) for block in blocks if block.strip())


def chip_style(colour: str) -> str:
    """Return colour and background of a code, by the word for its colour."""
    shade = SHADES.get(colour, "#6c675c")
    return f"background-color:{shade};color:{max(_INKS, key=lambda ink: _contrast(ink, shade))}"


def _block(lines: list[str]) -> Markup:
    if len(lines) > 1 and len(lines[1]) == len(lines[0]) and set(lines[1]) in ({"="}, {"-"}):
        return Markup("<h2>{}</h2>{}").format(lines[0], _block(lines[2:]) if lines[2:] else "")
    rule = next((n for n, line in enumerate(lines) if n and _RULE.fullmatch(line)), 0)
    if not rule:
        return _paragraph(lines)
    before, (rows, after) = lines[: rule - 1], _table(lines[rule - 1], lines[rule], lines[rule + 1 :])
    return Markup("").join((_paragraph(before), *map(_figures, _narrow(rows)), _paragraph(after)))


def _paragraph(lines: list[str]) -> Markup:
    """Return lines as they were before they were folded: where some hang, those alone go on with what is above them."""
    joined: list[str] = []
    hanging = any(line.startswith("    ") for line in lines[1:])
    for before, line in zip(("", *lines), lines, strict=False):
        full = len(before) >= _FOLDED and not hanging and len(before.split()[-1]) < _SEED
        if joined and (full or line.startswith("  ")) and not line.lstrip().startswith(("- ", "| ")):
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line.strip())
    return Markup("<p>{}</p>").format(Markup("<br>").join(joined)) if joined else Markup("")


def _table(head: str, rule: str, below: list[str]) -> tuple[Rows, list[str]]:
    """Return the rows of a table, its heads first, and the lines behind it; the rule says where columns begin and end."""
    spans = [match.span() for match in re.finditer(r"-+", rule)]
    gaps = [(end, begin) for (_, end), (begin, _) in pairwise(spans)]
    rows = [[head[begin:end].strip() for begin, end in spans]]
    spans[-1] = (spans[-1][0], 10_000)
    for n, line in enumerate(below):
        if _RULE.fullmatch(line):
            continue
        if any(line[begin:end].strip() for begin, end in gaps):
            return rows, below[n:]
        rows.append([line[begin:end].strip() for begin, end in spans])
    return rows, []


def _narrow(rows: Rows) -> list[Rows]:
    """Return a table in as many as it takes for each to fit on a telephone."""
    others = len(rows[0]) - _KEYS
    if len(rows[0]) <= _WIDEST:
        return [rows]
    tables = -(-others // (_WIDEST - _KEYS))
    each = -(-others // tables)
    return [[[*row[:_KEYS], *row[begin : begin + each]] for row in rows] for begin in range(_KEYS, len(rows[0]), each)]


def _figures(rows: Rows) -> Markup:
    """Return a table; numbers stand on the right."""
    numbers = [all(_is_number(row[n]) for row in rows[1:]) for n in range(len(rows[0]))]
    sides = [Markup(' align="right"') if number else Markup("") for number in numbers]
    heads = Markup("").join(
        Markup('<th scope="col"{}>{}</th>').format(side, cell) if cell else Markup("<td{}></td>").format(side)
        for side, cell in zip(sides, rows[0], strict=True)
    )
    told = [
        Markup("").join(Markup("<td{}>{}</td>").format(side, cell) for side, cell in zip(sides, row, strict=True))
        for row in rows[1:]
    ]
    return Markup("<table {}>{}</table>").format(
        _FIGURES, Markup("").join(Markup("<tr>{}</tr>").format(row) for row in (heads, *told))
    )


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+-]?\d*\.?|\?|-", cell) is not None


def _contrast(one: str, other: str) -> float:
    """Return how well a colour reads on another one, from 1 to 21 (WCAG 2)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(shade: str) -> float:
    parts = [int(shade[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
