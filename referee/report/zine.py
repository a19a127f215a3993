"""An issue of a zine: its page as PDF, on A5 as a booklet or on A4, and as a document for word processors."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict

from referee.core import Fields, Value, how_to_install
from referee.core.picture import Drawing

from .paper import Block
from .raster import png
from .renderer import NotInstalled, set_pdf, svg

if TYPE_CHECKING:
    from odfdo import Element

TEMPLATE = "zine.typ"
EXTRA, LIBRARIES = "zine", ("odfdo", "markdown_it")  # what is needed beside the extras of pictures
LAYOUTS = ("booklet", "a5", "a4")
_PRINTED = 1600  # pixels, of a board in a document: 250 an inch on A5

# The files of an issue in, as JSON; its pages come out, or two of them on each side of a sheet, to be folded once.
_SET = """
import json
import pathlib
import sys
import tempfile
import typst
told = json.load(sys.stdin.buffer)
given = {"sys_inputs": {"issue": told["issue"]}, "font_paths": [sys.argv[1]], "ignore_system_fonts": True}
files = {name: text.encode("utf-8") for name, text in told["files"].items()}
try:
    made = typst.compile(files, **given)
    if told["folded"]:
        (pages,) = json.loads(typst.query(files, "<pages>", field="value", **given))
        last = -(-pages // 4) * 4
        sheet = '#set page(paper: "a4", flipped: true, margin: 0pt)\\n#let half = block.with(width: 148.5mm, height: 210mm)\\n'
        for side in range(last // 2):
            two = (last - side, side + 1) if side % 2 == 0 else (side + 1, last - side)
            halves = [f'image("issue.pdf", page: {each}, height: 210mm)' if each <= pages else "" for each in two]
            sheet += f"#page(grid(columns: 2, half[#{halves[0] or 'none'}], half[#{halves[1] or 'none'}]))\\n"
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "issue.pdf").write_bytes(made)
            (pathlib.Path(folder) / "sheet.typ").write_text(sheet)
            made = typst.compile(f"{folder}/sheet.typ")
except typst.TypstError as error:
    sys.exit(f"zine.typ: {error.message}")
sys.stdout.buffer.write(made)
"""


class Issue(Value):
    """What is printed: ``blocks`` as ``paper.blocks_of`` has them, those of the ``front`` page apart; the ``pictures`` that they
    name, each with whether it has a page of its own. ``title`` is the zine's, ``head`` stands at the top of pages;
    ``editorial``: the umpire's words come before how the games stand.
    """

    title: str
    head: str
    editorial: bool
    language: str
    front: tuple[Block, ...]
    blocks: tuple[Block, ...]
    pictures: Mapping[str, tuple[Drawing, bool]]


def zine_pdf(source: str, issue: Issue, layout: str) -> bytes:
    """Return an issue as PDF, one of ``LAYOUTS``. *source*: the template, in Typst.

    Raises:
        ConfigError, RefereeError: as ``set_pdf``.
    """
    names = {each: f"picture-{number}.svg" for number, each in enumerate(issue.pictures)}
    told = {
        **asdict(issue),
        "columns": 2 if layout == "a4" else 1,
        "pictures": {
            each: {"file": names[each], "wide": drawing.width > drawing.height, "alone": alone}
            for each, (drawing, alone) in issue.pictures.items()
        },
    }
    files = {names[each]: svg(drawing) for each, (drawing, _) in issue.pictures.items()} | {"main.typ": source}
    given = json.dumps({"issue": json.dumps(told), "files": files, "folded": layout == "booklet"})
    return set_pdf(_SET, given, instead="or ask for an .odt")


def check_installed() -> None:
    """Raise NotInstalled where what reads Markdown or writes documents is missing."""
    if any(not find_spec(each) for each in LIBRARIES):
        raise NotInstalled(f"zines need the extra {EXTRA}, which is not installed: {how_to_install(EXTRA)}")


# The styles that the library's empty document has not, by the names that word processors know.
_STRONG, _EMPHASIS, _QUOTATION, _FIGURE, _FORM = (
    "Strong_20_Emphasis",
    "Emphasis",
    "Quotations",
    "Figures",
    "Preformatted_20_Text",
)
_WIDE, _HIGH = 16.0, 22.0  # centimetres, of a board at most


def zine_odt(issue: Issue) -> bytes:
    """Return an issue as OpenDocument text: headings, lists, tables and forms in the styles that word processors have for them.

    Raises:
        ConfigError, RefereeError: the pictures cannot be had.
    """
    from odfdo import Document, Frame, Header, Style

    document = Document("text")
    figures = Style("paragraph", name=_FIGURE, parent_style="Standard")
    figures.set_properties({"fo:text-align": "end", "fo:margin-right": "0.2cm"}, area="paragraph")
    for style in (
        figures,
        Style("text", name=_STRONG, display_name="Strong Emphasis", bold=True),
        Style("text", name=_EMPHASIS, italic=True),
        Style("paragraph", name=_QUOTATION, parent_style="Standard", area="text", italic=True),
    ):
        document.insert_style(style)
    for outline in document.styles.root.get_elements("//text:outline-style"):
        outline.delete()  # a zine's headings are not numbered
    if document.meta is not None:
        document.meta.title = issue.title
    document.body.clear()
    for block in (*issue.front, *issue.blocks):
        if block["kind"] == "picture":
            if block["source"] in issue.pictures:
                drawing = issue.pictures[block["source"]][0]
                scale = min(_WIDE / drawing.width, _HIGH / drawing.height)
                size = (f"{drawing.width * scale:.2f}cm", f"{drawing.height * scale:.2f}cm")
                file = document.add_file(io.BytesIO(png(drawing, _PRINTED)))
                frame = Frame.image_frame(file, size=size, anchor_type="as-char")
                frame.svg_description = block["alt"]
                document.body.append(_paragraph(()))
                document.body.children[-1].append(frame)
        elif block["kind"] == "table":
            document.body.append(_table(block["rows"]))
        elif block["kind"] == "heading":
            told = "".join(each.get("text", " ") for each in block["runs"])
            heading = Header(block["level"], told)
            heading.style = f"Heading_20_{block['level']}"  # its argument of that name does nothing
            document.body.append(heading)
        else:
            document.body.append(_words_of(block))
    made = io.BytesIO()
    document.save(made)
    return made.getvalue()


def _words_of(block: Block) -> Element:
    from odfdo import List

    styles = {"quote": _QUOTATION, "form": _FORM}
    made = _paragraph(block["runs"], styles.get(block["kind"], "Text_20_body"))
    if block["kind"] != "item":
        return made
    listed = List()
    listed.append_item(made)
    return listed


def _paragraph(runs: Iterable[Fields], style: str = "Standard") -> Element:
    from odfdo import LineBreak, Paragraph, Span

    made = Paragraph(style=style)
    for run in runs:
        if "end" in run:
            made.append(LineBreak())
        elif "bold" in run or "italic" in run:
            span = Span(style=_STRONG if "bold" in run else _EMPHASIS)
            span.append_plain_text(run["text"])
            made.append(span)
        else:
            made.append_plain_text(run["text"])
    return made


def _table(rows: list[list[dict[str, Any]]]) -> Element:
    from odfdo import Cell, Row, Table

    table = Table("Table")
    for row in rows:
        line = Row()
        for one in row:
            cell, head = Cell(), {"bold": True} if one["head"] else {}
            cell.append(_paragraph([each | head for each in one["runs"]], _FIGURE if one["right"] else "Standard"))
            line.append(cell)
        table.append(line)
    return table
