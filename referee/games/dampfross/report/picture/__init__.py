"""The layers of the drawn board, a file each; here what they are painted with: boards are printed in black and white, too."""

from __future__ import annotations

from referee.core.picture import INK, Styles, is_bright, read_palette
from referee.core.picture.legend import Look

COLOURS, LINES, OUTLINES, PAPER = read_palette(__package__)
PATTERNS = 6  # of companies' lines


def line_styles(look: Look, place: int) -> Styles:
    """Return the layers of a company's line, lowest first; *place* is the company's place in the game, from 0."""
    drawn = [each.recolour({"own": look.ink}) for each in LINES[f"pattern-{place % PATTERNS}"]]
    edges = (each.but(stroke=INK, width=each.width + 4) for each in drawn if each.stroke == look.ink)
    return (*(edges if is_bright(look.ink) else ()), *drawn)
