"""Colours and patterns. Whatever has a colour has a shape, a letter or a pattern too: boards are printed in black and white."""

from __future__ import annotations

from msgspec import convert

from referee.core.picture.drawing import INK, SHADES, WHITE, Style, pen
from referee.core.picture.legend import Look
from referee.core.picture.shapes import PRINTED
from referee.core.texts.shipped import shipped_table

# Of players.
COLOURS: dict[str, str] = {word: SHADES[word] for word in ("blue", "red", "green", "yellow", "black", "orange")}
_TABLE = shipped_table(__package__, "palette")
LINK_PAINT: dict[str, str] = _TABLE["links"]  # and of track cards
CUBE_PAINT: dict[str, str] = _TABLE["cubes"]  # and of cities

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

PATTERNS = convert(_TABLE["patterns"], tuple[tuple[Layer, ...], ...])


def section_styles(look: Look, place: int) -> tuple[Style, ...]:
    """Return the layers of a player's section, lowest first; *place* is his seat, from 0."""
    return (
        Style(stroke=WHITE, width=EDGE, opacity=80),
        pen(INK, CASING),
        pen(look.ink, SECTION),
        *(pen(WHITE, width, dash) for width, dash in PATTERNS[place % len(PATTERNS)]),
    )
