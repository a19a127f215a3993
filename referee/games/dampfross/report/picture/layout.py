"""Where hexes lie on the sheet of paper. Whole numbers, y down."""

from __future__ import annotations

from functools import lru_cache

from referee.core.hexes import CORNERS, Hex, centre
from referee.core.picture.drawing import Point

UNIT_X, UNIT_Y = 30, 52  # drawing units of a lattice unit: a hex is 120 wide and 104 high, its six steps 104 long
LEFT, TOP = 150, 250  # centre of hex A1
STEP = 104


def on_paper(point: Point) -> Point:
    """Return where a point of the lattice lies."""
    return LEFT + UNIT_X * point[0], TOP + UNIT_Y * point[1]


@lru_cache(maxsize=4096)  # asked thousands of times for each board
def middle(label: Hex) -> Point:
    """Return the centre of a hex."""
    return on_paper(centre(label))


def outline(label: Hex) -> tuple[Point, ...]:
    """Return the six corners of a hex, from the upper left, clockwise."""
    x, y = centre(label)
    return tuple(on_paper((x + dx, y + dy)) for dx, dy in CORNERS)
