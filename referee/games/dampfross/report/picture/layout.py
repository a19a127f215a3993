"""Where hexes and their sides lie on the sheet of paper. Whole numbers, y down."""

from __future__ import annotations

from functools import lru_cache

from referee.core.hexes import CORNERS, Hex, Side, centre, corner_points
from referee.core.picture.drawing import Point
from referee.core.picture.shapes import between
from referee.games.dampfross.board.railmap import RailMap

UNIT_X, UNIT_Y = 30, 52  # drawing units of a lattice unit: a hex is 120 wide and 104 high, its six steps 104 long
LEFT, TOP = 150, 250  # centre of hex A1
STEP = 104
SHOWN, NAME, SIGN = (
    600,
    9,
    7,
)  # pixels: how wide a letter shows a board; the least size there of a town's name and of a sign


def map_size(board: RailMap) -> Point:
    """Return the width of the paper and where the map ends, rulers included."""
    return 2 * LEFT + 3 * UNIT_X * (board.columns - 1), TOP + UNIT_Y * (2 * board.rows + 1) + 40


def letters(board: RailMap, pixels: int) -> int:
    """Return the size of lettering that is so many pixels high where the whole board is shown as wide as letters show it."""
    return max(-(-map_size(board)[0] * pixels // SHOWN), 4 * pixels)


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


def edge_of(crossing: Side) -> tuple[Point, Point]:
    """Return the two ends of a hex-side."""
    one, other = corner_points(*crossing)
    return on_paper(one), on_paper(other)


def way_over(crossing: Side) -> tuple[Point, Point]:
    """Return the centres of the two hexes of a hex-side."""
    return middle(crossing[0]), middle(crossing[1])


def halfway(crossing: Side) -> Point:
    """Return the point in the middle between these centres."""
    return between(*way_over(crossing))
