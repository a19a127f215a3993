"""Plain text in HTML: what macros of text templates say, escaped, as headings, paragraphs and tables."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, groupby, pairwise, takewhile, zip_longest
from operator import attrgetter

from markupsafe import Markup, escape

from referee.core import Pair, Value, Words
from referee.core.picture import shade_of

# Plain text in columns and lines. Widths are columns on the reader's screen, not code points.
#
# A no-break space holds words together while lines are folded and leaves as a plain space; rows of tables are made of
# them. At the end of a line it says that nothing goes on below.

LINE_WIDTH = 72
MOST_BLANK_LINES = 2
KEPT = 2048  # lines and cells: the letters of a turn have most of theirs in common
TIE = "\u00a0"

_COMBINING = "\u0300"  # the first character that is not as wide as a letter, but for some that cannot be printed

# What a line begins with before its words: the bar of press, a list mark, an order number (``1a)``). Continuations stand below
# the words, behind the same bar.
_MARK = re.compile(r"([ \t]*(?:\| )?)[ \t]*(?:(?:[-*•]|\d{1,2}[a-z]?[).]) )?")
# The dash of a route, held to what stands before it.
_TIED_DASH = re.compile(f"{TIE}-(?=[ \\n])")


@lru_cache(maxsize=KEPT)
def display_width(text: str) -> int:
    """Return how many columns *text* takes: "東京" takes four, marks that sit on a letter and invisible characters none."""
    plain = text.replace(TIE, " ")
    if plain.isascii() or (
        plain.isprintable() and max(plain) < _COMBINING
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


def underline(text: str, mark: str = "-") -> str:
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
    widths = [max(map(display_width, column)) for column in zip_longest(*every, fillvalue="")]
    sides = (align or "l").ljust(len(widths), "r")

    def line(cells: list[str]) -> str:
        placed = [
            (ljust if side == "l" else rjust)(cell, width)
            for cell, width, side in zip(cells, widths, sides, strict=False)
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
    return "\n".join(_fold_line(" " * indent + line if line.strip() else "", width, hang) for line in text.split("\n"))


def tidy(text: str) -> str:
    """Return a letter's body as it is sent: folded, no spaces at line ends, no wide gaps, one end of line at the end."""
    lines = [
        line.replace(TIE, " ").rstrip()
        for line in wrap(f"{text}\n".replace("\t", " ").replace(f"{TIE}\n", "\n")).split("\n")
    ]
    limit = "\n" * (MOST_BLANK_LINES + 1)
    return re.sub(rf"{limit}\n+", limit, "\n".join(lines)).strip("\n") + "\n"


def _cells(row: Sequence[object]) -> list[str]:
    """Return a row's cells as they are printed; inner spaces are ties, so that no row is ever folded."""
    return ["" if cell is None else str(cell).replace(" ", TIE) for cell in row]


@lru_cache(maxsize=KEPT)
def _fold_line(line: str, width: int, hang: int | None) -> str:
    if display_width(line) <= width:
        return line
    mark = _MARK.match(line)
    start, bar = (mark[0], mark[1]) if mark else ("", "")
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


_SEED = re.compile(r"(\w{40}|://\S+)$")  # what has a line of its own: seeds, addresses
_WIDEST = 6  # columns of a table that fit on a telephone
_DARK = 0.1791  # of luminance: below it white reads better than black (WCAG 2)
_RULE = re.compile(r"\s*-+(\s+-+)+\s*")  # below the heads of a table
_MARKS = {"- ": "item", "|": "quote"}
_INDENTED = 3  # columns: what is set in further hangs
_GAPS = re.compile(rf"[ {TIE}]{{2,}}")  # of columns in a line
_HYPHENS = re.compile(
    # Each way begins with a letter of its own: what begins with none of them is passed over at once.
    r"(?P<kept>(?:<(?:(pre|style|title)\b.*?</\2>|[^>]*>)[^< -]*)+)|(?P<tie> (?:(?=[?!:;»])|(?<=« )))"
    r"|-(?:(?P<dash>(?<=[\s>]-)(?=[\s<]))|(?<![\w-]-)(?=\d)|(?<=\d-)(?=\d+\[))",
    re.DOTALL,
)
_FORM = Markup("<pre>{}</pre>")
# What lines of a kind are written as: the whole, each, and what stands between them.
_WRITTEN = {
    "item": (Markup("<ul>{}</ul>"), Markup("<li>{}</li>"), Markup("")),
    "quote": (Markup("<blockquote>{}</blockquote>"), Markup("{}"), Markup("<br>")),
    "example": (_FORM, Markup("{}"), Markup("\n")),
}
_FIGURES = Markup('class="figures few" cellpadding="5" cellspacing="0"')

Rows = list[list[str]]


class _Line(Value):
    """``kind``: text, item, quote or example; ``indent`` in columns; its ``words`` without mark."""

    kind: str
    indent: int
    words: str


def as_text(said: object) -> Markup:
    """Return text that a template made without escaping, escaped, without ends of lines around it."""
    return escape("".join(str(said)).strip("\n"))


def as_paragraphs(said: object, begin: str = "ORDERS", end: str = "END") -> Markup:
    """Return such text as it reads: underlined lines are headings, folded lines are whole again, columns are tables, what stands
    behind marks is a list or a quotation, and order forms, from the word *begin* to *end*, stay as they are.
    """
    parts = re.split(rf"(?ms)^({begin} .*?^{end})$", "".join(str(said)).strip("\n"))
    told = [_FORM.format(part) if n % 2 else _blocks(part) for n, part in enumerate(parts) if part.strip()]
    return Markup("\n").join(told)


def split_title(text: str, subject: str) -> Pair:
    """Return the heading of a letter and what stands below it; the subject where it has none."""
    heading, _, below = text.partition("\n")
    line, _, rest = below.partition("\n")
    return (heading, rest) if line and set(line) == {"="} else (subject, text)


@lru_cache(maxsize=64)
def chip_style(colour: str) -> str:
    """Return colour and background of a code, by the word for its colour, or by its shade."""
    shade = colour if colour.startswith("#") else shade_of(colour)
    return f"background-color:{shade};color:{'#fff' if _luminance(shade) < _DARK else '#000'}"


def mark_chips(page: Markup, colours: Words) -> Markup:
    """Return a page on which codes and words for colours stand on them, but for forms and brackets behind hexes; *colours*: by
    these, as ``chip_style`` takes them.
    """

    def chip(found: re.Match[str]) -> str:
        style = found[1] and chip_style(colours[found[1]])
        return Markup('<span class="chip" style="{}">{}</span>').format(style, found[0]) if style else found[0]

    words = "|".join(map(re.escape, colours))
    return Markup(re.sub(rf"(?s)<pre.*?</pre>|<[^>]*>|(?<![\w-])({words})(?![\w\]-])", chip, page))  # noqa: S704 (ours)


def with_dashes(page: str) -> str:
    """Return a page with dashes, minus signs and blanks at signs as they are printed, but for what is copied from it: forms and
    examples.
    """
    return _HYPHENS.sub(lambda found: found["kept"] or {"tie": TIE, "dash": "–"}.get(str(found.lastgroup), "−"), page)


def _blocks(text: str) -> Markup:
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    return Markup("\n").join(_block(block.strip("\n").split("\n")) for block in blocks if block.strip())


def _block(lines: list[str]) -> Markup:
    if set(lines[0]) == {"-"}:
        return Markup("<hr>") + _flow(lines[1:])
    if len(lines) > 1 and set(lines[1]) in ({"="}, {"-"}) and len(lines[1]) == display_width(lines[0]):
        return Markup("<h2>{}</h2>{}").format(lines[0], _block(lines[2:]) if lines[2:] else "")
    rule = next((n for n, line in enumerate(lines) if n and _RULE.fullmatch(line)), 0)
    if not rule:
        return _flow(lines)
    before, (rows, after) = lines[: rule - 1], _table(lines[rule - 1], lines[rule], lines[rule + 1 :])
    return Markup("").join((_flow(before), *map(_figures, _narrow(rows)), _flow(after)))


def _flow(lines: list[str]) -> Markup:
    """Return lines as paragraphs, lists, quotations and examples."""
    told = [
        _paragraphs([*group]) if kind == "text" else _group(kind, group)
        for kind, group in groupby(_whole(lines), attrgetter("kind"))
    ]
    return Markup("").join(told)


def _group(kind: str, lines: Iterable[_Line]) -> Markup:
    whole, each, between = _WRITTEN[kind]
    return whole.format(between.join(each.format(line.words) for line in lines))


def _whole(lines: list[str]) -> list[_Line]:
    """Return lines as they were before they were folded: the first word of the next one had no room. Where some hang, those alone
    go on with what is above them; what goes on with an item hangs.
    """
    read = list(accumulate(pairwise(("", *lines)), _read, initial=_Line(kind="", indent=0, words="")))[1:]
    before_items = takewhile(lambda line: line.kind != "item", read[1:])
    hanging = any(line.kind == "text" and line.indent > _INDENTED for line in before_items)
    made: list[_Line] = []
    for above, text, line in zip(("", *lines), lines, read, strict=False):
        hangs = hanging or (made and made[-1].kind == "item")
        of_text = line.kind == "text" and bool(line.indent or not hangs)
        goes_on = of_text or (line.kind in ("quote", "example") and line.kind == (made[-1].kind if made else ""))
        if made and goes_on and _is_full(above, text, line.words):
            made[-1] = made[-1].but(words=f"{made[-1].words} {line.words}")
        else:
            made.append(line)
    return made


def _read(before: _Line, lines: Pair) -> _Line:
    """Return the second of two lines by its mark; what is set in below a colon is an example. *before*: the first one."""
    above, text = lines
    bare, indent = text.strip(), _indent(text)
    mark = next((mark for mark in _MARKS if bare.startswith(mark)), "")
    # What an item goes on with may stand below a colon, in its first line or in one that is set in as far.
    begins = above.endswith(":") and before.kind != "item" and indent > before.indent
    is_example = indent > _INDENTED and (before.kind == "example" or begins)
    kind = _MARKS[mark] if mark else "example" if is_example else "text"
    words = bare.removeprefix(mark).strip()
    return _Line(kind=kind, indent=indent, words=words if is_example else _GAPS.sub(" ", words))


def _is_full(above: str, text: str, words: str) -> bool:
    """Return whether the first of the words had no room in the line above, which is not one that stands alone. Where a colon is
    tied to what it tells of, what goes on hangs (``columns.wrap``): a name before one that does not hang begins its own line.
    """
    first, _, rest = words.partition(" ")
    begins = f":{TIE}" in first and not _indent(text)
    first += " -" if rest.startswith("- ") or rest == "-" else ""  # a dash never begins a line
    room = display_width(f"{above} {first}") <= LINE_WIDTH
    return not (room or begins or above.endswith(TIE)) and _indent(text) >= _indent(above) and not _SEED.search(above)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _paragraphs(lines: Sequence[_Line]) -> Markup:
    """Return lines as a paragraph; one below which others are set in begins another one, as their heading."""
    made: list[list[Markup]] = [[]]
    for line, below in zip(lines, (*lines[1:], lines[-1]), strict=True):
        heads = line.indent <= _INDENTED < below.indent and not below.words.startswith("*")  # a note has no head
        if heads and made[-1]:
            made.append([])
        made[-1].append(Markup("<strong>{}</strong>").format(line.words) if heads else escape(line.words))
    return Markup("").join(Markup("<p>{}</p>").format(Markup("<br>").join(each)) for each in made)


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
    sides = [
        Markup(' align="right"') if all(_is_number(row[n]) for row in rows[1:]) else Markup("")
        for n in range(len(rows[0]))
    ]
    head, each = Markup('<th scope="col"{}>{}</th>'), Markup("<td{}>{}</td>")
    heads = [
        head.format(side or Markup(' align="left"'), cell) if cell else each.format(side, cell)
        for side, cell in zip(sides, rows[0], strict=True)
    ]
    told = [map(each.format, sides, row) for row in rows[1:]]
    return Markup("<table {}>{}</table>").format(
        _FIGURES, Markup("").join(Markup("<tr>{}</tr>").format(Markup("").join(row)) for row in (heads, *told))
    )


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+-]?\d*([.,]\d+)?\.?|\?|-", cell) is not None


def _luminance(shade: str) -> float:
    parts = (part / 255 for part in bytes.fromhex(shade[1:]))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
