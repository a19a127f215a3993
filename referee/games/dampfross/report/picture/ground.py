"""The ground: hexes by area with their signs and names, shores, borders, rivers, and the names of areas and rivers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator
from functools import lru_cache
from itertools import cycle, pairwise
from string import ascii_uppercase, digits

from referee.core import CORNERS, STEPS, Hex, Side, Texts, centre, corner_points, hex_at, neighbours, parse_hex, side
from referee.core.picture import (
    WHITE,
    Layer,
    Line,
    Point,
    Points,
    Polygon,
    Shapes,
    Style,
    Text,
    Translate,
    pen,
)
from referee.core.picture.shapes import (
    Box,
    Obstacles,
    bend,
    beside,
    between,
    box_at,
    join_edges,
    name_in,
    round_corners,
    strokes,
    text_width,
    transform,
)

from ...board import MOUNTAIN, RailMap
from . import COLOURS, LINES, OUTLINES

# Where hexes and their sides lie on the sheet of paper. Whole numbers, y down.

UNIT_X, UNIT_Y = 30, 52  # drawing units of a lattice unit: a hex is 120 wide and 104 high, its six steps 104 long
LEFT, TOP = 150, 250  # centre of hex A1
STEP = 104
SHOWN, NAME, SIGN = (
    600,
    10,
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


def outline(label: Hex) -> Points:
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


_HEX_NAME, _AREA_NAME = 26, 54  # sizes
_ROOM = 6  # hexes
RIVERS = ("river", "wide", "closed")


def area_tints(board: RailMap) -> dict[str, str]:
    """Return the paper colour of each area's plains: foreign ones are greyer."""
    found = dict[str, str]()
    for ground, home in (("plain", True), ("abroad", False)):
        tints = cycle(paint for name, paint in COLOURS.items() if name.startswith(ground))
        found |= dict(
            zip((letter for letter in board.areas if (letter in board.home_areas) == home), tints, strict=False)
        )
    return found


def land(board: RailMap) -> Shapes:
    """Yield the ground: water along the coasts, hexes by area, lakes, mountains."""
    water = sorted(board.water.items(), key=lambda item: middle(item[0]))
    rims = coasts(board)
    if any(kind == "~" for _, kind in water):
        yield from strokes(rims, LINES["water"])
    yield from (Polygon(outline(label), LINES["outside"][0]) for label, kind in water if kind == "-")
    tints = area_tints(board)
    for clockwise, fill in ((True, tints[next(iter(board.areas))]), (False, COLOURS["sea"])):
        yield from (Polygon(rim, Style(fill)) for rim in rims if _is_clockwise(rim) == clockwise)
    lakes = [label for label, kind in water if kind == "o"]
    yield from (Polygon(outline(label), Style(COLOURS["lake"]), board.hex_name(label)) for label in lakes)
    yield from (wave for label in lakes for wave in waves(middle(label)))
    fills = {
        label: COLOURS["hill"] if kind == MOUNTAIN else tints[board.area[label]] for label, kind in board.ground.items()
    }
    for fill in (*dict.fromkeys(tints.values()), COLOURS["hill"]):
        style = Style(fill, COLOURS["grid"], 2)
        own = (label for label in fills if fills[label] == fill)
        yield from (Polygon(cell(board, label), style, board.hex_name(label)) for label in own)
    yield from (sign for label in mountains(board) for sign in peaks(middle(label)))


def mountains(board: RailMap) -> list[Hex]:
    """Return the mountain hexes."""
    return [label for label, kind in board.ground.items() if kind == MOUNTAIN]


def relief(board: RailMap, land: Layer) -> Shapes:
    """Yield the *land* for a wall: without the edges of mountain hexes, these as ranges."""
    tints, hills = area_tints(board), sorted(mountains(board), key=lambda each: middle(each)[1])
    for shape in land.shapes:
        if not (isinstance(shape, Polygon) and shape.style.fill in (COLOURS["hill"], COLOURS["peak"])):
            yield shape
    yield from (Polygon(cell(board, label), Style(tints[board.area[label]])) for label in hills)
    yield from strokes(rims(hills), LINES["foothills"])
    yield from (Polygon(cell(board, label), Style(COLOURS["hill"])) for label in hills)
    for x, y in map(middle, hills):
        for n, (dx, dy) in enumerate(OUTLINES["range"]):
            spot = x + dx + (x * 7 + y * 3 + n * 5) % 9 - 4, y + dy + (x + y * 5 + n * 7) % 9 - 4
            for flank in ("lit", "shaded"):
                yield Polygon(transform(OUTLINES[flank], spot, 75 + (x + y + n * 17) % 40), LINES[flank][0])


def _shore(hexes: Container[Hex], label: Hex) -> tuple[bool, ...]:
    """Return by side, N first and clockwise, whether there is none of *hexes* beyond."""
    x, y = centre(label)
    return tuple(hex_at((x + dx, y + dy)) not in hexes for dx, dy in STEPS)


@lru_cache(maxsize=8)
def coasts(board: RailMap) -> tuple[Points, ...]:
    """Return the rings around the ground, clockwise but for those around water in it."""
    return rims(board.ground)


def rims(hexes: Collection[Hex]) -> tuple[Points, ...]:
    """Return the rings around *hexes*, clockwise but for those around others among them."""
    edges = []
    for label in hexes:
        corners = outline(label)
        edges += [(corners[n], corners[(n + 1) % 6]) for n, beyond in enumerate(_shore(hexes, label)) if beyond]
    return tuple(round_corners(ring) for ring in join_edges(edges))


def _is_clockwise(ring: Points) -> bool:
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(ring)) > 0


def cell(board: RailMap, label: Hex) -> Points:
    """Return the outline of a hex of the ground, round where the coast goes round its corner."""
    corners, shore = outline(label), _shore(board.ground, label)
    found: list[Point] = []
    for n, corner in enumerate(corners):
        if shore[n] and shore[n - 1]:
            ends = between(corners[n - 1], corner), between(corner, corners[(n + 1) % 6])
            found += (*bend(ends[0], corner, ends[1]), ends[1])
        else:
            found.append(corner)
    return tuple(found)


def peaks(at: Point) -> Iterator[Polygon]:
    """Yield the sign of a mountain hex around the hex's centre."""
    yield Polygon(transform(OUTLINES["peaks"], at), Style(COLOURS["peak"]))


def waves(at: Point) -> Iterator[Line]:
    """Yield the sign of a lake hex."""
    return strokes([transform(OUTLINES["waves"], (at[0], at[1] + dy)) for dy in (-12, 14)], LINES["waves"])


def sign_boxes(board: RailMap) -> Iterator[Box]:
    """Yield boxes that cover the signs of mountains and lakes, and the rivers."""
    yield from ((x + 11, y - 15, x + 48, y + 15) for x, y in map(middle, mountains(board)))
    yield from (box_at(middle(label), 80, 80) for label, kind in board.water.items() if kind == "o")
    for crossing in _river_sides(board):
        (x1, y1), (x2, y2) = edge_of(crossing)
        yield min(x1, x2) - 5, min(y1, y2) - 5, max(x1, x2) + 5, max(y1, y2) + 5


def lines(board: RailMap) -> Shapes:
    """Yield coasts, which are hex-sides with no ground beyond, the borders between areas, and rivers."""
    yield from strokes(coasts(board), LINES["shore"])
    borders = [
        edge_of(side(label, other))
        for label, letter in board.area.items()
        for other in neighbours(label)
        if other > label and board.area.get(other, letter) != letter
    ]
    yield from strokes(join_edges(borders), (pen(WHITE, 9), *LINES["border"]))
    for kind in RIVERS:
        edges = [edge_of(each) for each in dict.fromkeys(_river_sides(board)) if river_kind(board, each) == kind]
        yield from strokes(map(round_corners, join_edges(edges)), LINES[kind])


def river(start: Point, end: Point) -> Points:
    """Return a winding line between two points, as a legend shows a river."""
    return round_corners((start, *(beside(start, end, 15 + 20 * n, 9 - 18 * (n % 2)) for n in range(4)), end))


def _river_sides(board: RailMap) -> Iterator[Side]:
    return (crossing for river in board.river_lines for crossing in river.sides)


def river_kind(board: RailMap, crossing: Side) -> str:
    """Return ``river``, ``wide`` or ``closed``."""
    if crossing in board.closed or crossing not in board.rivers:  # closed but for a bridge
        return "closed"
    return "wide" if board.rivers[crossing] > 2 else "river"


def river_kinds(board: RailMap) -> set[str]:
    """Return the kinds that a map has."""
    return {river_kind(board, crossing) for crossing in _river_sides(board)}


def hex_names(board: RailMap, hexes: Iterable[Hex]) -> Iterator[Text]:
    """Yield the names of *hexes*: all letters, left of the track that leaves to the north, then all numbers, right of it.

    Neighbours of one look share a group of the SVG: it has half the size so.
    """
    named = [(middle(label), board.hex_name(label)) for label in hexes]
    for (x, y), name in named:
        yield Text((x - 5, y - 31), name.rstrip(digits), _HEX_NAME, COLOURS["label"], "end", halo=True)
    for (x, y), name in named:
        yield Text((x + 5, y - 31), name.lstrip(ascii_uppercase), _HEX_NAME, COLOURS["label"], "start", halo=True)


def hex_name_boxes(board: RailMap) -> Iterator[Box]:
    """Yield where these names stand."""
    return (box_at((x, y - 38), 76, 20) for x, y in map(middle, board.ground))


def river_names(board: RailMap, obstacles: Obstacles) -> Iterator[Text]:
    """Yield each river's name once, near the middle of its course."""
    size = letters(board, SIGN)
    for river in board.river_lines:
        width = text_width(river.name, size, bold=False, serif=True)
        ways = ((0, -size), (0, size), (width // 2 + 16, 0), (-width // 2 - 16, 0))
        left, right = 100 + width // 2, map_size(board)[0] - 100 - width // 2
        candidates = [
            (abs(2 * n - len(river.sides)) * 300, box_at((min(max(x + dx, left), right), y + dy), width, size))
            for n, (x, y) in enumerate(between(*edge_of(crossing)) for crossing in river.sides)
            for dx, dy in ways
        ]
        if box := obstacles.place(sorted(candidates), weight=60):
            yield name_in(box, river.name, size, COLOURS["deep"], bold=False, italic=True).but(serif=True)


def areas_on_map(board: RailMap) -> Texts:
    """Return the foreign areas with room for their name on their own ground; the others stand in the legend."""
    hexes = Counter(board.area.values())
    return tuple(letter for letter in board.areas if letter not in board.home_areas and hexes[letter] >= _ROOM)


def area_names(board: RailMap, translate: Translate, obstacles: Obstacles, sheet: tuple[int, int]) -> Iterator[Text]:
    """Yield the names of foreign areas, large and pale, over their own ground and between the edges of the *sheet*."""
    for letter in areas_on_map(board):
        title, hexes = translate(board.areas[letter]), [each for each in board.ground if board.area[each] == letter]
        size = max(letters(board, SIGN), min(_AREA_NAME, 26 + len(hexes)))
        if box := obstacles.place(sorted(_area_boxes(hexes, text_width(title, size), size, sheet))):
            yield name_in(box, title, size, COLOURS["area-name"], italic=True)


def _area_boxes(hexes: list[Hex], width: int, size: int, sheet: tuple[int, int]) -> Iterator[tuple[int, Box]]:
    """Yield boxes around hexes; penalties for what sticks out, and how far off the middle they are."""
    own, centres = {parse_hex(label) for label in hexes}, [middle(label) for label in hexes]
    mid_x, mid_y = (sum(along) // len(hexes) for along in zip(*centres, strict=True))
    reach = width // 2 // 90 + 1
    for label, (x, y) in zip(hexes, centres, strict=True):
        column, row = parse_hex(label)
        outside = sum((column + dx, row + dy) not in own for dx in range(-reach, reach + 1) for dy in (-1, 0, 1))
        at = min(max(x, sheet[0] + width // 2), sheet[1] - width // 2), y - size // 16  # off the names of hexes
        yield outside * 80_000 + (abs(at[0] - mid_x) + abs(y - mid_y)) * 40, box_at(at, width, size)
