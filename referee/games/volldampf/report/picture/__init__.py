"""The layers of the drawn board, a file each: a board and what lies on it come in as a ``Scene``, shapes and lettering go out.

The map lies inside the spaces of the income track, the legend below.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import field

from referee.core import Amounts, Keeper, Value, Words
from referee.core.picture import Point, Styles, read_palette
from referee.core.picture.legend import Look
from referee.core.picture.shapes import Box
from referee.core.texts.shipped import shipped_table

from ...board import Board, Codes
from ...events import CubeDelivered
from ...state import Groups, Holdings

COLOURS, LINES, OUTLINES, ON_PAPER = read_palette(__package__)
LINK_PAINT: Words = shipped_table(__package__, "palette")["links"]
CUBE_PAINT: Words = shipped_table(__package__, "palette")["cubes"]
PATTERNS = 6  # of players' sections


def section_styles(look: Look, place: int) -> Styles:
    """Return the layers of a player's section, lowest first; *place* is their seat, from 0."""
    layers = *LINES["section"], *LINES[f"pattern-{place % PATTERNS}"]
    return tuple(each.recolour({"own": look.ink}) for each in layers)


SPACE = 107  # side of a space of the income track, in drawing units
COLUMNS = 22  # spaces along the upper and lower edge
START_SPACES = 3  # which the start takes in the lower right corner
TOP = 160  # of the frame; the heading stands above
EDGE = 23  # paper round the frame
RADIUS = 46  # of a city's disc
# Sizes of names, and of all else that is written at the least: on a page 600 pixels wide 9 and 7 of them.
NAME, LETTERS = 36, 28

_TALL = 112  # per cent: how much higher a map is drawn than it is: below it a page has room, beside it none
_SIDE, _HEAD = 100, 95  # free ground beside and above the outermost cities
_LEAST, _MOST = 900, 3000  # height of the map


class Sheet(Value):
    """A board on paper: ``frame`` is the outer edge of the income track, ``spots`` where the cities lie."""

    width: int
    frame: Box
    rows: int
    spots: dict[str, Point]

    @property
    def inside(self) -> Box:
        """The ground inside the income track."""
        left, top, right, bottom = self.frame
        return left + SPACE, top + SPACE, right - SPACE, bottom - SPACE

    def spaces(self) -> tuple[Box, ...]:
        """Return the spaces of the income track: the start in the lower right corner, then clockwise."""
        left, top, right, bottom = self.frame
        below = [(right - SPACE * (n + 1), bottom - SPACE) for n in range(START_SPACES, COLUMNS)]
        beside = [(left, bottom - SPACE * (n + 1)) for n in range(1, self.rows - 1)]
        above = [(left + SPACE * n, top) for n in range(COLUMNS)]
        back = [(right - SPACE, top + SPACE * n) for n in range(1, self.rows - 1)]
        start = (right - SPACE * START_SPACES, bottom - SPACE, right, bottom)
        return (start, *((x, y, x + SPACE, y + SPACE) for x, y in (*below, *beside, *above, *back)))


def lay_out(board: Board) -> Sheet:
    """Return the sheet for a board: the map fills the width, or the height where it is tall."""
    left, top = min(city.at[0] for city in board.cities), min(city.at[1] for city in board.cities)
    wide = max(1, max(city.at[0] for city in board.cities) - left)
    high = max(1, max(city.at[1] for city in board.cities) - top) * _TALL // 100
    ground = SPACE * (COLUMNS - 2)
    room = ground - 2 * _SIDE
    num, den = (room, wide) if high * room <= _MOST * wide else (_MOST, high)
    height = max(_LEAST, high * num // den)
    rows = -(-(height + 2 * _HEAD) // SPACE) + 2
    corner = (
        EDGE + SPACE + (ground - wide * num // den) // 2,
        TOP + SPACE + (SPACE * (rows - 2) - high * num // den) // 2,
    )
    return Sheet(
        width=SPACE * COLUMNS + 2 * EDGE,
        frame=(EDGE, TOP, EDGE + SPACE * COLUMNS, TOP + SPACE * rows),
        rows=rows,
        spots={
            city.id: (
                corner[0] + (city.at[0] - left) * num // den,
                corner[1] + (city.at[1] - top) * _TALL // 100 * num // den,
            )
            for city in board.cities
        },
    )


class Scene(Keeper):
    """A position as it is drawn. ``shown``: the heading without the map's name. ``players`` in seating order (it gives the
    pattern), ``order`` by sequence cards.

    Everything else as in ``State``; ``scores`` so far; ``figures`` of the players by what they are called, without hidden ones;
    ``income_max`` 0: the income track has no end; ``fresh``: the links built in the turn before, ``hauls`` its deliveries;
    ``alone``: whose sections alone are shown, "" for everybody's; ``wall``: for a wall, where people stand below companies.
    """

    board: Board
    heading: str
    shown: str = ""
    scores: Amounts = field(default_factory=dict)
    players: tuple[Look, ...] = ()
    order: Codes = ()
    built: Words = field(default_factory=dict)
    cubes: Holdings = field(default_factory=dict)
    income: Amounts = field(default_factory=dict)
    figures: Mapping[str, Amounts] = field(default_factory=dict)
    hands: Holdings = field(default_factory=dict)
    groups: Groups = ()
    income_max: int = 0
    winners: Codes = ()
    fresh: frozenset[str] = frozenset()
    hauls: tuple[CubeDelivered, ...] = ()
    alone: str = ""
    wall: bool = False

    @cached_property
    def sheet(self) -> Sheet:
        """Its board on paper."""
        return lay_out(self.board)

    def look(self, code: str) -> Look:
        """Return a player's look by their code."""
        return next(look for look in self.players if look.code == code)

    def seat(self, code: str) -> int:
        """Return a player's place in seating order, from 0."""
        return next(n for n, look in enumerate(self.players) if look.code == code)
