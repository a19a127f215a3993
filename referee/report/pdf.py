"""SVG to PDF with Typst, in a process of its own: lines and letters stay lines and letters, at any size of paper."""

from __future__ import annotations

from referee.report import lettering
from referee.report.renderer import Renderer

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
_PDF = Renderer(name="PDF", begin=b"%PDF", extra="pdf", libraries=("typst",), what="boards as PDF")


def pdf(svg_text: str, width: int, height: int) -> bytes:
    """Return the picture as one page of PDF, its longer side LONG_SIDE; *width* and *height* are the drawing's.

    Raises:
        ConfigError, RefereeError: as ``Renderer.render``.
    """
    longer = max(width, height)
    # Rounded up, so that the picture never runs over onto a second page.
    page = tuple(-(-side * LONG_SIDE // longer) for side in (width, height))
    return _PDF.render(_RENDER, svg_text, (page[0], page[1] + 1, lettering.FOLDER))
