"""Colours and patterns. Whatever has a colour has a shape, a letter or a pattern too: boards are printed in black and white."""

from __future__ import annotations

from referee.core.picture.drawing import INK, SHADES, WHITE, Style, pen
from referee.core.picture.legend import Look
from referee.core.picture.shapes import PRINTED

# Of players.
COLOURS: dict[str, str] = {word: SHADES[word] for word in ("blue", "red", "green", "yellow", "black", "orange")}
# Of links and track cards.
LINK_PAINT: dict[str, str] = {
    "purple": "#7a2d96",
    "green": "#2c8a3c",
    "pink": "#e3569b",
    "orange": "#e98300",
    "brown": "#75471d",
    "grey": "#6f7478",
    "red": "#c32430",
    "blue": "#1d63b0",
    "yellow": "#c9a400",
    "black": "#1d1d1b",
    "white": "#a9a69c",
    "turquoise": "#008f96",
}
# Of cities and cubes.
CUBE_PAINT: dict[str, str] = {"blue": "#2d6cd2", "violet": "#a682e0", "red": "#dc2f3a", "yellow": "#f6cf2c"}

FAINT = "#5f5746"
PAPER = "#f3ecda"
ABROAD = "#e4dcc4"
HOME = "#fdf9ec"
BORDER = "#b9a77c"
START = "#ffe08a"
SPACE = "#fbf5e4"
FIFTH = "#f0e3bd"
TENTH = "#e2cd93"
BEYOND = "#cfc8b6"
# What becomes of the ground when it is printed.
ON_PAPER: dict[str, str] = {
    **PRINTED,
    **dict.fromkeys((PAPER, ABROAD, HOME, SPACE), WHITE),
    **dict.fromkeys((FIFTH, START), "#ececec"),
    **dict.fromkeys((TENTH, BEYOND), "#d6d6d6"),
    BORDER: "#8a8a8a",
}

SECTION, CASING, EDGE = 17, 23, 29  # widths of a built section, its dark outline, and the pale edge around that

Layer = tuple[int, tuple[int, ...]]  # width and dash of white lines on a section

PATTERNS: tuple[tuple[Layer, ...], ...] = (
    (),
    ((5, ()),),
    ((17, (7, 19)),),
    ((9, (9, 13)),),
    ((17, (3, 9)),),
    ((5, (26, 10)),),
)


def section_styles(look: Look, place: int) -> tuple[Style, ...]:
    """Return the layers of a player's section, lowest first; *place* is his seat, from 0."""
    return (
        Style(stroke=WHITE, width=EDGE, opacity=80),
        pen(INK, CASING),
        pen(look.ink, SECTION),
        *(pen(WHITE, width, dash) for width, dash in PATTERNS[place % len(PATTERNS)]),
    )
