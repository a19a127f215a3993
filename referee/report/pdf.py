"""SVG to PDF with Typst, in a process of its own: lines and letters stay lines and letters, at any size of paper."""

from __future__ import annotations

import subprocess
import sys

from referee.core.errors import ConfigError, RefereeError, how_to_install
from referee.report import lettering

PATIENCE = 60  # seconds
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
_PROBE_FAILED = "No module named 'typst'"


def pdf(svg_text: str, width: int, height: int) -> bytes:
    """Return the picture as one page of PDF, its longer side LONG_SIDE; *width* and *height* are the drawing's.

    Raises:
        ConfigError: the extra ``pdf`` is not installed.
        RefereeError: the renderer failed or took too long.
    """
    longer = max(width, height)
    # Rounded up, so that the picture never runs over onto a second page.
    page = tuple(-(-side * LONG_SIDE // longer) for side in (width, height))
    command = [sys.executable, "-I", "-c", _RENDER, str(page[0]), str(page[1] + 1), str(lettering.FOLDER)]
    try:
        done = subprocess.run(  # noqa: S603 - the command is ours alone; the drawing goes in by the pipe
            command, input=svg_text.encode("utf-8"), capture_output=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise RefereeError(f"The board was not drawn as PDF: the renderer took over {PATIENCE} seconds.") from error
    if done.returncode == 0 and done.stdout.startswith(b"%PDF"):
        return done.stdout
    said = done.stderr.decode("utf-8", "replace").strip()
    if _PROBE_FAILED in said:
        raise ConfigError(
            f"boards as PDF need the extra pdf, which is not installed: {how_to_install('pdf')}, or ask for an .svg"
        )
    raise RefereeError(
        f"The board was not drawn as PDF: {said.splitlines()[-1] if said else 'the renderer ended early'}."
    )
