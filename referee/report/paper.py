"""Letters and boards on paper, as PDF."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

from referee.core import ConfigError, Numbered, RefereeError
from referee.core.picture import Drawing
from referee.core.picture.closeup import halves, plain, trimmed

from .raster import png
from .renderer import set_pdf, svg

# A page taken apart into what stands below each other: headings, paragraphs, lists, tables, for paper to be set from.

Block = dict[str, Any]

_BLOCKS = {
    "h1": "heading",
    "h2": "heading",
    "h3": "heading",
    "h4": "heading",
    "p": "text",
    "li": "item",
    "pre": "form",
    "blockquote": "quote",
}
_BOLD, _ITALIC = ("strong", "b"), ("em", "i")
_UNSEEN = ("style", "title", "head")
CHART = "-chart."  # in the source of that picture
_EDGE = re.compile(r"border-left[^;]*(#[0-9a-f]{6})")
_SHADE = re.compile(r"(background-color|(?<!-)color):\s*(#[0-9a-f]{3,8})")


def blocks_of(page: str) -> list[Block]:
    """Return what a page of ours says, in order, each with its ``kind``: ``heading`` (``level``), ``text``, ``item``, ``quote``
    and ``form`` (lines that stay as they are) with ``runs``; ``table`` with ``rows`` of cells {runs, head, right}, the first
    row its heads; ``picture`` with the ``source`` and the words (``alt``) of an image.

    What has a class has it as ``look``; what stands in a table for looks alone that has one has that as ``frame``, with the
    table's ``number`` and its ``edge``. A run is {text} that may be ``bold`` or ``italic`` or have colours (``ink`` on
    ``ground``), or {end} of a line.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    return [block for block in reader.blocks if block["kind"] in ("table", "picture") or block["runs"]]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[Block] = []
        self._into: Block | None = None  # the block or cell that words go into
        self._open: list[tuple[str, dict[str, Any]]] = []  # tags that change how words look
        self._unseen = 0
        self._print = ""  # the class of what stands together
        self._figures = False
        self._tables: list[Block] = []  # that are open: how what stands in them is framed
        self._count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in _UNSEEN:
            self._unseen += 1
        elif tag == "div":
            self._print = given.get("class", "")
        elif tag == "img":
            self._begin({"kind": "picture", "source": given.get("src", ""), "alt": given.get("alt", "")})
        elif tag == "br":
            self._add({"end": True})
        elif tag == "table":
            self._figures = given.get("role") != "presentation"
            if self._figures:
                self._begin({"kind": "table", "rows": []})
            self._count += 1
            edge = _EDGE.search(given.get("style", ""))
            frame = {"frame": given.get("class"), "number": self._count, "edge": edge[1] if edge else ""}
            self._tables.append({} if self._figures or not frame["frame"] else frame)
        elif self._figures and tag == "tr":
            self.blocks[-1]["rows"].append([])
        elif self._figures and tag in ("td", "th"):
            self._into = {"runs": [], "head": tag == "th", "right": given.get("align") == "right"}
            self.blocks[-1]["rows"][-1].append(self._into)
        elif tag in _BLOCKS and not (tag == "p" and self._into and self._into.get("kind") == "quote"):
            said = given.get("class", self._print)
            look = {"look": said} if said else {}
            level = {"level": int(tag[1])} if tag.startswith("h") else {}
            self._into = self._begin({"kind": _BLOCKS[tag], "runs": []} | level | look)
        elif tag in (*_BOLD, *_ITALIC, "span") or "why" in given.get("class", ""):
            self._open.append((tag, _look(tag, given)))

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN:
            self._unseen -= 1
        elif tag == "table":
            self._figures = False
            self._tables.pop()
        elif tag == "div":
            self._print = ""
        elif tag in _BLOCKS or tag in ("td", "th"):
            self._into = None
        if self._open and self._open[-1][0] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._unseen or self._into is None:
            return
        if self._into.get("kind") == "form":
            for n, line in enumerate(data.split("\n")):
                if n:
                    self._add({"end": True})
                self._add({"text": line})
            return
        told = re.sub(r"[ \t\n]+", " ", data)
        runs = self._into["runs"]
        if not runs or runs[-1].get("end") or runs[-1]["text"].endswith(" "):
            told = told.lstrip(" ")
        self._add({"text": told} | {name: value for _, look in self._open for name, value in look.items()})

    def _begin(self, block: Block) -> Block:
        self.blocks.append(block | (self._tables[-1] if self._tables else {}))
        return self.blocks[-1]

    def _add(self, run: dict[str, Any]) -> None:
        if self._into is not None and (run.get("end") or run["text"]):
            self._into["runs"].append(run)


def _look(tag: str, given: dict[str, str]) -> dict[str, Any]:
    shades = dict(_SHADE.findall(given.get("style", "")))
    if "background-color" in shades:
        return {"bold": True, "ground": shades["background-color"], "ink": shades.get("color", "#000000")}
    return {"bold": True} if tag in _BOLD else {"italic": True} if tag in _ITALIC or given.get("class") == "why" else {}


# Boards and newsletters as PDF with Typst, in a process of its own: lines and letters stay such, at any size of
# paper.

A3_SIDE = 420  # millimetres
LONG_SIDE = 594  # millimetres: of A2, so that the names of hexes can be read

# Run in the other process: SVG text in, PDF bytes out. Without a date the same board is the same page.
_RENDER = """
import sys
import typst
page = (
    '#set document(date: none)\\n'
    '#set page(width: {}mm, height: {}mm, margin: 0pt)\\n'
    '#image(bytes(sys.inputs.svg), format: "svg", width: 100%)\\n'
)
svg = sys.stdin.buffer.read().decode("utf-8")
fonts = {"font_paths": [sys.argv[3]], "ignore_system_fonts": True}
source = page.format(int(sys.argv[1]), int(sys.argv[2])).encode("utf-8")
sys.stdout.buffer.write(typst.compile(source, sys_inputs={"svg": svg}, **fonts))
"""

# The template and its values in, as JSON; without a date the same letter is the same file. UA-1: readable aloud.
_SET = """
import json
import re
import sys
import typst
TEMPLATE = "letter.typ"
told = json.load(sys.stdin.buffer)
fonts = {"font_paths": [sys.argv[1]], "ignore_system_fonts": True}
source = told.pop("source").encode("utf-8")
try:
    sys.stdout.buffer.write(typst.compile(source, sys_inputs=told, pdf_standards=["ua-1"], **fonts))
except typst.TypstError as error:
    place = re.search(r"(?:typ|<bytes>):(\\d+):", error.diagnostic)
    sys.exit(f"{TEMPLATE}:{place[1] if place else 1}: {error.message}")
"""
TEMPLATE = "letter.typ"
_SAMPLE = """<h1>A</h1><h2>b</h2><h3>c</h3><p>d <b>e</b> <i>f</i><br>h</p>
<p><span style="background-color:#000000;color:#ffffff">g</span></p>
<ul><li>i</li></ul><blockquote>j</blockquote><pre>k</pre><table><tr><th>l</th><td align="right">1</td></tr></table>
<img src="cid:x-chart.png@y" alt="m">"""


class BrokenTemplate(RefereeError):
    """A letter cannot be set by its template: ``why``, at its ``line``."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"{TEMPLATE}:{line}: {why}")
        self.line, self.why = line, why


def pdf(svg_text: str, width: int, height: int, long_side: int = LONG_SIDE) -> bytes:
    """Return the picture as one page of PDF, its longer side in millimetres; *width* and *height* are the drawing's.

    Raises:
        ConfigError, RefereeError: as ``set_pdf``.
    """
    # Rounded up, so that the picture never runs over onto a second page.
    wide, high = (-(-side * long_side // max(width, height)) for side in (width, height))
    return set_pdf(_RENDER, svg_text, wide, high + 1)


def letter_pdf(
    source: str,
    title: str,
    language: str,
    page: str,
    board: Drawing,
    pictures: Mapping[str, Drawing | None],
    paper: str = "a4",
    map_paper: str = "a4",
) -> bytes:
    """Return a newsletter as PDF/UA-1: its *page* (HTML) on *paper* (``a4``, ``letter``), the board on a page of its own
    (``a4`` to ``a2``, ``letter``). *source*: the template, in Typst; *pictures*: those of the page, by a part of their source.

    Raises:
        BrokenTemplate: the template is wrong.
        ConfigError, RefereeError: as ``set_pdf``.
    """
    letter = {
        "title": title,
        "language": language,
        "paper": paper.replace("letter", "us-letter"),
        "map": map_paper.replace("letter", "us-letter"),
        "board": f"{board.title}: {board.description}",
        "sheets": [
            {"drawn": svg(each), "wide": each.width, "high": each.height}
            for each in (board, *((plain(board), *halves(board)) if board.least else ()))
        ],
        "fine": board.least,
        "pictures": {part: svg(trimmed(each)) for part, each in pictures.items() if each},
        "blocks": blocks_of(page),
    }
    try:
        return set_pdf(_SET, json.dumps({"source": source, "letter": json.dumps(letter)}))
    except RefereeError as error:
        found = re.search(rf"{TEMPLATE}:(\d+): (.*)\.$", str(error))
        if not found:
            raise
        raise BrokenTemplate(int(found[1]), found[2]) from error


def template_fault(source: str) -> Numbered | None:
    """Return the line of what is wrong in a template, and what it is; None for nothing, and where no PDF can be made."""
    sheet = Drawing(width=20, height=10, background="#ffffff", parts=(), title="A")
    try:
        letter_pdf(source, "A", "en", _SAMPLE, sheet, {CHART: sheet})
    except BrokenTemplate as broken:
        return broken.line, broken.why
    except ConfigError:
        return None
    return None


# A board as a file, of the kind that its name's end says.

PICTURES = (".svg", ".png", ".pdf")


def check_ending(suffix: str) -> None:
    """Raise ConfigError where no board can be written as a file with this ending."""
    if suffix not in PICTURES:
        read = f"{suffix} was asked for" if suffix else "a file without ending was asked for"
        raise ConfigError(f"a board is drawn as {', '.join(PICTURES)}; {read}")


def board_file(drawing: Drawing, suffix: str, width: int, long_side: int = LONG_SIDE) -> bytes:
    """Return a board as a file: PNG, *width* pixels wide, PDF, whose longer side has so many millimetres, or SVG.

    Raises:
        ConfigError: another ending, or an extra that draws this kind is missing.
    """
    check_ending(suffix)
    if suffix == ".png":
        return png(drawing, width)
    drawn = svg(drawing)
    if suffix == ".pdf":
        return pdf(drawn, drawing.width, drawing.height, long_side)
    return drawn.encode()
