"""Boards and newsletters as PDF with Typst, in a process of its own: lines and letters stay such, at any size of paper."""

from __future__ import annotations

import json
import re

from referee.core.errors import ConfigError, RefereeError
from referee.core.picture.drawing import Drawing
from referee.report import lettering
from referee.report.paper.blocks import blocks_of
from referee.report.renderer import Renderer
from referee.report.svg import svg

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
PDF = Renderer(name="PDF", begin=b"%PDF", extra="pdf", libraries=("typst",), what="boards and newsletters as PDF")

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


def pdf(svg_text: str, width: int, height: int) -> bytes:
    """Return the picture as one page of PDF, its longer side LONG_SIDE; *width* and *height* are the drawing's.

    Raises:
        ConfigError, RefereeError: as ``Renderer.render``.
    """
    longer = max(width, height)
    # Rounded up, so that the picture never runs over onto a second page.
    page = tuple(-(-side * LONG_SIDE // longer) for side in (width, height))
    return PDF.render(_RENDER, svg_text, (page[0], page[1] + 1, lettering.FOLDER))


def letter_pdf(
    source: str,
    title: str,
    language: str,
    page: str,
    board: Drawing,
    chart: Drawing | None,
    paper: str = "a4",
    map_paper: str = "a4",
) -> bytes:
    """Return a newsletter as PDF/UA-1: its *page* (HTML) on *paper* (``a4``, ``letter``), the board on a page of its own
    (``a4`` to ``a2``, ``letter``). *source*: the template, in Typst.

    Raises:
        BrokenTemplate: the template is wrong.
        ConfigError, RefereeError: as ``Renderer.render``.
    """
    letter = {
        "title": title,
        "language": language,
        "paper": paper.replace("letter", "us-letter"),
        "map": map_paper.replace("letter", "us-letter"),
        "board": {"alt": f"{board.title}: {board.description}", "wide": board.width > board.height},
        "blocks": blocks_of(page),
    }
    told = {"source": source, "letter": json.dumps(letter), "board": svg(board), "chart": svg(chart) if chart else ""}
    try:
        return PDF.render(_SET, json.dumps(told), (lettering.FOLDER,))
    except RefereeError as error:
        found = re.search(rf"{TEMPLATE}:(\d+): (.*)\.$", str(error))
        if found is None:
            raise
        raise BrokenTemplate(int(found[1]), found[2]) from error


def template_fault(source: str) -> tuple[int, str] | None:
    """Return the line of what is wrong in a template, and what it is; None for nothing, and where no PDF can be made."""
    sheet = Drawing(width=20, height=10, background="#ffffff", parts=(), title="A")
    try:
        letter_pdf(source, "A", "en", _SAMPLE, sheet, sheet)
    except BrokenTemplate as broken:
        return broken.line, broken.why
    except ConfigError:
        return None
    return None
