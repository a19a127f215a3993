"""SVG to PNG with resvg, in a process of its own: a drawing that hurts the renderer hurts nothing else.

It writes with our lettering alone: the same board gives the same bytes, whatever fonts a machine has.
"""

from __future__ import annotations

import subprocess
import sys

from referee.core.errors import ConfigError, RefereeError
from referee.report import lettering

WIDEST = 4000
NARROWEST = 16
PATIENCE = 60  # seconds

# Run in the other process: SVG text in, PNG bytes out.
_RENDER = """
import sys
import resvg_py
svg = sys.stdin.buffer.read().decode("utf-8")
fonts = {"font_dirs": [sys.argv[2]], "skip_system_fonts": True}
sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=int(sys.argv[1]), **fonts)))
"""
_PROBE_FAILED = "No module named 'resvg_py'"


def png(svg_text: str, width: int) -> bytes:
    """Return the picture as PNG, *width* pixels wide (between NARROWEST and WIDEST, whatever is asked).

    Raises:
        ConfigError: the extra ``png`` is not installed.
        RefereeError: the renderer failed or took too long.
    """
    pixels = max(NARROWEST, min(width, WIDEST))
    command = [sys.executable, "-I", "-c", _RENDER, str(pixels), str(lettering.FOLDER)]
    try:
        done = subprocess.run(  # noqa: S603 - the command is ours alone; the drawing goes in by the pipe
            command, input=svg_text.encode("utf-8"), capture_output=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise RefereeError(f"The board was not drawn as PNG: the renderer took over {PATIENCE} seconds.") from error
    if done.returncode == 0 and done.stdout.startswith(b"\x89PNG"):
        return done.stdout
    said = done.stderr.decode("utf-8", "replace").strip()
    if _PROBE_FAILED in said:
        raise ConfigError(
            "pictures as PNG need the extra png, which is not installed: run `.venv/bin/pip install -e '.[png]'` in a "
            "checkout, `pip install 'railway-referee[png]'` elsewhere, or ask for an .svg"
        )
    raise RefereeError(
        f"The board was not drawn as PNG: {said.splitlines()[-1] if said else 'the renderer ended early'}."
    )
