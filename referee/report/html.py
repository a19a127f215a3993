"""Plain text in HTML: what macros of text templates say, escaped, as headings, paragraphs and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, groupby, pairwise, takewhile
from operator import attrgetter

from markupsafe import Markup, escape
from msgspec.structs import replace

from referee.core.picture.shades import shade_of
from referee.core.regex import regex
from referee.core.values import Value
from referee.report.columns import LINE_WIDTH, TIE, display_width

_SEED = 40  # letters: what is as long has a line of its own
_WIDEST = 6  # columns of a table that fit on a telephone
_INKS = ("#000000", "#ffffff")
_RULE = regex(r"\s*-+(\s+-+)+\s*")  # below the heads of a table
_FORM = regex(r"^(ORDERS .*?^END)$", re.MULTILINE | re.DOTALL)
_MARKS = {"- ": "item", "|": "quote"}
_INDENTED = 3  # columns: what is set in further hangs
_FIGURES = Markup('class="figures" cellpadding="3" cellspacing="0" border="1"')

Rows = list[list[str]]


class _Line(Value):
    """``kind``: text, item, quote or example; ``indent`` in columns; its ``words`` without mark."""

    kind: str
    indent: int
    words: str


def as_text(said: object) -> Markup:
    """Return text that a template made without escaping, escaped, without ends of lines around it."""
    return escape("".join(str(said)).strip("\n"))


def as_paragraphs(said: object) -> Markup:
    """Return such text as it reads: underlined lines are headings, folded lines are whole again, columns are tables, what stands
    behind marks is a list or a quotation, and order forms stay as they are.
    """
    parts = _FORM.split("".join(str(said)).strip("\n"))
    told = [_form(part) if n % 2 else _blocks(part) for n, part in enumerate(parts) if part.strip()]
    return Markup("\n").join(told)


def titled(text: str, subject: str) -> tuple[str, str]:
    """Return the heading of a letter and what stands below it; the subject where it has none."""
    heading, _, below = text.partition("\n")
    line, _, rest = below.partition("\n")
    return (heading, rest) if line and set(line) == {"="} else (subject, text)


def chip_style(colour: str) -> str:
    """Return colour and background of a code, by the word for its colour."""
    shade = shade_of(colour)
    return f"background-color:{shade};color:{max(_INKS, key=lambda ink: _contrast(ink, shade))}"


def _blocks(text: str) -> Markup:
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    return Markup("\n").join(_block(block.strip("\n").split("\n")) for block in blocks if block.strip())


def _block(lines: list[str]) -> Markup:
    if set(lines[0]) == {"-"}:
        return Markup("<hr>") + _told(lines[1:])
    if len(lines) > 1 and set(lines[1]) in ({"="}, {"-"}) and len(lines[1]) == display_width(lines[0]):
        return Markup("<h2>{}</h2>{}").format(lines[0], _block(lines[2:]) if lines[2:] else "")
    rule = next((n for n, line in enumerate(lines) if n and _RULE.fullmatch(line)), 0)
    if not rule:
        return _told(lines)
    before, (rows, after) = lines[: rule - 1], _table(lines[rule - 1], lines[rule], lines[rule + 1 :])
    return Markup("").join((_told(before), *map(_figures, _narrow(rows)), _told(after)))


def _told(lines: list[str]) -> Markup:
    """Return lines as paragraphs, lists, quotations and examples."""
    return Markup("").join(_WRITTEN[kind](list(group)) for kind, group in groupby(_whole(lines), attrgetter("kind")))


def _whole(lines: list[str]) -> list[_Line]:
    """Return lines as they were before they were folded: the first word of the next one had no room. Where some hang, those alone
    go on with what is above them.
    """
    read = list(accumulate(pairwise(("", *lines)), _read, initial=_Line(kind="", indent=0, words="")))[1:]
    before_items = takewhile(lambda line: line.kind != "item", read[1:])
    hanging = any(line.kind == "text" and line.indent > _INDENTED for line in before_items)
    made: list[_Line] = []
    for above, text, line in zip(("", *lines), lines, read, strict=False):
        of_text = line.kind == "text" and bool(line.indent or not hanging)
        goes_on = of_text or (line.kind in ("quote", "example") and line.kind == (made[-1].kind if made else ""))
        if made and goes_on and _is_full(above, text, line.words):
            made[-1] = replace(made[-1], words=f"{made[-1].words} {line.words}")
        else:
            made.append(line)
    return made


def _read(before: _Line, lines: tuple[str, str]) -> _Line:
    """Return the second of two lines by its mark; what is set in below a colon is an example. *before*: the first one."""
    above, text = lines
    bare, indent = text.strip(), _indent(text)
    mark = next((mark for mark in _MARKS if bare.startswith(mark)), "")
    is_example = indent > _INDENTED and (before.kind == "example" or above.endswith(":"))
    kind = _MARKS[mark] if mark else "example" if is_example else "text"
    return _Line(kind=kind, indent=indent, words=bare.removeprefix(mark).strip())


def _is_full(above: str, text: str, words: str) -> bool:
    """Return whether the first of the words had no room in the line above, which is not one that stands alone. Where a colon is
    tied to what it tells of, what goes on hangs (``columns.wrap``): a name before one that does not hang begins its own line.
    """
    first, _, rest = words.partition(" ")
    begins = f":{TIE}" in first and not _indent(text)
    first += " -" if rest.startswith("- ") or rest == "-" else ""  # a dash never begins a line
    room = display_width(f"{above} {first}") <= LINE_WIDTH
    return not (room or begins) and _indent(text) >= _indent(above) and len(above.split()[-1]) < _SEED


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _paragraphs(lines: Sequence[_Line]) -> Markup:
    """Return lines as a paragraph; one below which others are set in begins another one, as their heading."""
    made: list[list[Markup]] = [[]]
    for line, below in zip(lines, (*lines[1:], lines[-1]), strict=True):
        heads = line.indent <= _INDENTED < below.indent
        if heads and made[-1]:
            made.append([])
        made[-1].append(Markup("<strong>{}</strong>").format(line.words) if heads else escape(line.words))
    return Markup("").join(Markup("<p>{}</p>").format(Markup("<br>").join(each)) for each in made)


def _items(lines: Sequence[_Line]) -> Markup:
    return Markup("<ul>{}</ul>").format(Markup("").join(Markup("<li>{}</li>").format(line.words) for line in lines))


def _quotation(lines: Sequence[_Line]) -> Markup:
    return Markup("<blockquote>{}</blockquote>").format(Markup("<br>").join(line.words for line in lines))


def _form(text: str) -> Markup:
    return Markup("<pre>{}</pre>").format(text)


def _example(lines: Sequence[_Line]) -> Markup:
    return _form("\n".join(line.words for line in lines))


_WRITTEN = {"text": _paragraphs, "item": _items, "quote": _quotation, "example": _example}


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
    """Return a table in as many as it takes for each to fit on a telephone; whose a row is stands in all of them."""
    columns = len(rows[0])
    if columns <= _WIDEST:
        return [rows]
    keys = next((n + 1 for n in range(columns) if not all(_is_number(row[n]) for row in rows[1:])), 1)
    tables = -(-(columns - keys) // (_WIDEST - keys))
    each = -(-(columns - keys) // tables)
    return [[[*row[:keys], *row[begin : begin + each]] for row in rows] for begin in range(keys, columns, each)]


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
    return re.fullmatch(r"[+-]?\d*([.,]\d+)?\.?|\?|-", cell) is not None


def _contrast(one: str, other: str) -> float:
    """Return how well a colour reads on another one, from 1 to 21 (WCAG 2)."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(shade: str) -> float:
    parts = [int(shade[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
