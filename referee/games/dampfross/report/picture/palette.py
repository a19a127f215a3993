"""Colours and line patterns. Every company is told apart by its pattern too: boards are printed in black and white."""

from __future__ import annotations

from dataclasses import dataclass

from referee.core.picture.drawing import Style

# Shades that stay apart for the colour-blind, and dark enough on paper.
COLOURS: dict[str, str] = {
    "red": "#d0202e",
    "blue": "#0b5cb5",
    "green": "#00916b",
    "black": "#1a1a1a",
    "orange": "#ee7700",
    "purple": "#7d2e9a",
    "yellow": "#d9b000",
    "brown": "#74451c",
    "pink": "#e0609f",
}
WHITE = "#ffffff"
INK = "#1d1d1b"
FAINT = "#6c675c"
LABEL = "#55503f"
SEA = "#cfe4f1"
LAKE = "#8fc1e0"
OUTSIDE = "#e2e0dc"
SHORE = "#3f6f91"
GRID = "#cfc9b8"
HOME_TINTS = ("#fffdf3", "#eef6e4", "#fbf0e4", "#f2eef9")
FOREIGN_TINTS = ("#dbe3ef", "#f2dedd", "#d6e9d2", "#e7daed", "#efebc8", "#c6e6df")
HILL = "#e3cda4"
PEAK = "#8c6535"
RIVER = "#2a7fc4"
BANK = "#1b5c96"
BORDER = "#b3261e"
AREA_NAME = "#8d8674"
HOME_RING = "#ffd84d"
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
CASING = 17  # white edge below each line


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyLook:
    """A company on the board: acronym, full name, and a colour word, one of COLOURS."""

    code: str
    name: str
    colour: str


def ink_of(look: CompanyLook) -> str:
    """Return the shade of a company; black for a colour word we do not know."""
    return COLOURS.get(look.colour, INK)


def line_styles(look: CompanyLook, place: int) -> tuple[Style, ...]:
    """Return the layers of a company's line, lowest first; *place* is the company's place in the game, from 0."""
    layers = PATTERNS[place % len(PATTERNS)]
    return tuple(
        Style(stroke=ink_of(look) if coloured else WHITE, width=width, dash=dash) for width, dash, coloured in layers
    )
