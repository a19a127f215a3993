"""The layers of the drawn board, a file each; here colours and line patterns: boards are printed in black and white, too."""

from __future__ import annotations

from referee.core.picture.drawing import BLACK, INK, WHITE, Style, is_bright, pen
from referee.core.picture.legend import CARTOUCHE, Look
from referee.core.picture.shapes import PRINTED

FAINT = "#6c675c"
LABEL = "#55503f"
SHEET = "#f6efdd"
SEA = "#c3dce8"
LAKE = "#8fc1e0"
OUTSIDE = "#e2e0dc"
SHORE = "#34586d"
GRID = "#cfc9b8"
HOME_TINTS = ("#fffdf3", "#eef6e4", "#fbf0e4", "#f2eef9")
FOREIGN_TINTS = ("#dbe3ef", "#f2dedd", "#d6e9d2", "#e7daed", "#efebc8", "#c6e6df")
HILL = "#e3cda4"
PEAK = "#8c6535"
RIVER = "#2a7fc4"
BANK = "#1b5c96"
DEEP = "#0f3f63"  # of the names of waters
BORDER = "#b3261e"
HOME_RING = "#ffd84d"
WATERLINES = tuple(
    pen(colour, width)
    for width, colour in (
        (184, "#a9c9d9"),
        (180, "#cae0ea"),
        (118, "#a9c9d9"),
        (114, "#d3e6ee"),
        (62, "#a9c9d9"),
        (58, "#deedf3"),
    )
)
# What becomes of the ground when it is printed; companies keep their colours, for who has a printer for them.
PAPER: dict[str, str] = {
    **PRINTED,
    **dict.fromkeys(
        (SEA, LAKE, OUTSIDE, SHEET, CARTOUCHE, *(each.stroke for each in WATERLINES), *HOME_TINTS, *FOREIGN_TINTS),
        WHITE,
    ),
    **dict.fromkeys((RIVER, BANK, SHORE), BLACK),
    HILL: "#dedede",
    PEAK: "#6e6e6e",
    GRID: "#b4b4b4",
    BORDER: "#4a4a4a",
    HOME_RING: "#c8c8c8",
}
AREA_NAME = "#5f5a4a"
MINOR = "#dedad0"

Layer = tuple[int, tuple[int, ...], bool]  # width, dash, in the company's colour (else white)

# A hex-side is 104 units from centre to centre: every period divides it, so patterns run on from hex to hex.
PATTERNS: tuple[tuple[Layer, ...], ...] = (
    ((11, (), True),),
    ((11, (18, 8), True),),
    ((13, (), True), (5, (), False)),
    ((11, (7, 6), True),),
    ((5, (), True), (15, (5, 8), True)),
    ((11, (28, 8, 8, 8), True),),
)
CASING = pen(WHITE, 17)  # white edge below each line


def line_styles(look: Look, place: int) -> tuple[Style, ...]:
    """Return the layers of a company's line, lowest first; *place* is the company's place in the game, from 0."""
    layers, ink = PATTERNS[place % len(PATTERNS)], look.ink
    edges = [pen(INK, width + 4, dash) for width, dash, coloured in layers if coloured]
    drawn = [pen(ink if coloured else WHITE, width, dash) for width, dash, coloured in layers]
    return (*(edges if is_bright(ink) else ()), *drawn)
