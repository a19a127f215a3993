"""The companies' lines: side by side where they share a hex-side, each with its pattern, acronyms along it; and what the turn
before brought: new track on a bright band, the trains of the races along the track they ran on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from msgspec import field

from referee.core.hexes import Hex, Side, distance, side
from referee.core.picture.drawing import Circle, Point, Polygon, Shape, Style, Text, Translate, pen
from referee.core.picture.labels import Box, Obstacles, box_at, text_width
from referee.core.picture.legend import Look
from referee.core.picture.shades import INK, WHITE
from referee.core.picture.shapes import DASHES, Lanes, Points, band, beside, between, name_in, strokes, tag, transform
from referee.core.texts.wording import TOLD
from referee.core.values import Value
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.layout import STEP, edge_of, halfway, middle, way_over
from referee.games.dampfross.report.picture.palette import BANK, FAINT, PEAK

FRESH = band(32)
TAG = 19  # size of an acronym on a line

_BEND = 26  # how far from a centre a line that is shifted aside has reached its place
_GAP = 16  # between neighbouring lines
_TAG_EVERY = 5  # hexes
_TAG_MOST = 12_000  # what an acronym may cover
_NEAR = 30  # how far from a centre a train keeps its lane
_MARK, _MARK_MOST = 18, 40_000  # size of a train's race and place, and what they may cover

Lines = Mapping[Side, tuple[str, ...]]


class Train(Value):
    """A train's run: its name, who leads it, the hexes, its place (0: it did not come in)."""

    name: str
    company: str
    route: tuple[Hex, ...]
    place: int

    @property
    def words(self) -> str:
        """The train with its place: ``1. GSW``."""
        return f"{self.place}. {self.name}" if self.place else f"– {self.name}"


class Run(Value):
    """A race that was run: ``words`` name its number and its ends."""

    number: int
    words: str
    trains: tuple[Train, ...]


class Turn(Value):
    """What happened in it: the hex-sides that each company built, and the races."""

    laid: Mapping[str, frozenset[Side]] = field(default_factory=dict)
    runs: tuple[Run, ...] = ()


class Ride(Value):
    """A train on paper: what is said of it beside its ``line``, and how that is drawn."""

    sign: str
    line: Points
    look: Look
    styles: tuple[Style, ...]


def track(board: RailMap, lines: Lines, companies: tuple[Look, ...]) -> Iterator[Shape]:
    """Yield every company's line, white edges below all of them, and a dot where lines part."""
    bundles = _bundles(board, lines)
    drawn = [
        [_course(run, _offset(owners, look.code, companies)) for run, owners in bundles if look.code in owners]
        for look in companies
    ]
    yield from strokes((points for courses in drawn for points in courses), [palette.CASING])
    for place, look in enumerate(companies):
        yield from strokes(drawn[place], palette.line_styles(look, place))
    for label in _forks(lines):
        if not board.is_city(label):
            yield Circle(middle(label), 8, Style(fill=WHITE, stroke=INK, width=3))


def fresh(lines: Lines, companies: tuple[Look, ...], turn: Turn) -> Iterator[Shape]:
    """Yield the bands below new track."""
    courses = (
        _course(crossing, _offset(lines[crossing], look.code, companies))
        for look in companies
        for crossing in sorted(turn.laid.get(look.code, ()))
        if look.code in lines.get(crossing, ())
    )
    return strokes(courses, FRESH)


def tags(board: RailMap, lines: Lines, companies: tuple[Look, ...], obstacles: Obstacles) -> Iterator[Shape]:
    """Yield the companies' acronyms on their lines, every few hexes, where they cover least."""
    bundles = _bundles(board, lines)
    for look in companies:
        spots = [
            (obstacles.conflict(box, _TAG_MOST), label, box)
            for run, owners in bundles
            if look.code in owners
            for label, box in _spots(run, _offset(owners, look.code, companies), look.code)
        ]
        placed: list[Hex] = []
        for cost, label, box in sorted(spots):
            if cost <= _TAG_MOST and all(distance(label, other) >= _TAG_EVERY for other in placed):
                # Tags placed since may lie here.
                if not obstacles.place([(0, box)], most=_TAG_MOST):
                    continue
                placed.append(label)
                yield from tag(box, look.code, WHITE, look.ink, TAG)


def _spots(run: tuple[Hex, ...], offset: int, code: str) -> Iterator[tuple[Hex, Box]]:
    """Yield where an acronym may stand on a line: in the middle of each step."""
    width = text_width(code, TAG, bold=True) + 10
    for one, other in pairwise(run):
        start, end = middle(one), middle(other)
        x, y = beside(start, end, STEP // 2, offset)
        lift = 10 if start[0] == end[0] else 0  # clear of the southern hex's name
        yield one, box_at((x, y - lift), width, TAG + 5)


def row_width(looks: Iterable[Look], size: int) -> int:
    """Return how wide a row of tags is."""
    return sum(text_width(look.code, size, bold=True) + 18 for look in looks)


def row_of_tags(looks: Iterable[Look], size: int, at: Point, *, filled: bool = False) -> Iterator[Shape]:
    """Yield companies' acronyms in a row from a point to the right, in their colours or *filled* with them."""
    x, y = at
    for look in looks:
        right = x + row_width((look,), size)
        colours = (look.ink, INK) if filled else (WHITE, look.ink)
        yield from tag((x, y, right - 6, y + size + 6), look.code, *colours, size)
        x = right


def rides(lines: Lines, companies: tuple[Look, ...], turn: Turn, translate: Translate) -> tuple[Ride, ...]:
    """Return the trains on paper, each in its lane beside the track it ran on, broken as its race's are."""
    lanes, looks = Lanes(17 - _GAP // 2, 9, 4, _NEAR), {look.code: look for look in companies}

    def wide(here: Hex, there: Hex) -> int:
        return len(lines.get(side(here, there), ())) * _GAP // 2

    return tuple(
        Ride(
            sign=translate(TOLD).format(what=run.number, told=train.words),  # trains of two races may look alike
            line=lanes.line(train.route, middle, wide),
            look=looks[train.company],
            styles=train_styles(looks[train.company], number),
        )
        for number, run in enumerate(turn.runs)
        for train in run.trains
        if train.company in looks and len(train.route) > 1
    )


def train_styles(look: Look, number: int) -> tuple[Style, ...]:
    """Return how a company's train in the *number*-th race of the turn is drawn, from 0."""
    return pen(WHITE, 9), pen(look.ink, 5, DASHES[number % len(DASHES)])


def routes(rides: Iterable[Ride]) -> Iterator[Shape]:
    """Yield a thin line for each train."""
    return (line for ride in rides for line in strokes([ride.line], ride.styles))


def places_won(rides: Iterable[Ride], obstacles: Obstacles) -> Iterator[Shape]:
    """Yield each train's race and place beside its way; where there is no room the legend tells it."""
    for ride in rides:
        width = text_width(ride.sign, _MARK, bold=True) + 10
        boxes = (box_at(at, width, _MARK + 6) for at in ride.line[len(ride.line) // 4 :])
        if best := obstacles.place(((0, box) for box in boxes), most=_MARK_MOST):
            yield from tag(best, ride.sign, ride.look.ink, INK, _MARK)


def line_boxes(lines: Lines) -> Iterator[Box]:
    """Yield boxes that cover the lines, for places of trains that keep clear of them."""
    for ends in map(way_over, lines):
        yield from (box_at(beside(*ends, along, 0), 26, 26) for along in (STEP // 4, STEP // 2, STEP * 3 // 4))


def _bundles(board: RailMap, lines: Lines) -> tuple[tuple[tuple[Hex, ...], tuple[str, ...]], ...]:
    """Return runs of hexes with the same owners all along: there the lines stay side by side and in order."""
    around: dict[Hex, list[Side]] = {}
    for crossing in lines:
        for label in crossing:
            around.setdefault(label, []).append(crossing)

    def onward(label: Hex, came: Side) -> Side | None:
        ways = around[label]
        if board.is_city(label) or len(ways) != 2 or set(lines[ways[0]]) != set(lines[ways[1]]):
            return None
        return ways[1] if ways[0] == came else ways[0]

    def extend(run: list[Hex], crossing: Side) -> None:
        while (following := onward(run[-1], crossing)) is not None and following not in seen:
            crossing = following
            seen.add(crossing)
            run.append(crossing[1] if crossing[0] == run[-1] else crossing[0])

    seen: set[Side] = set()
    found = []
    for crossing in sorted(lines):
        if crossing in seen:
            continue
        seen.add(crossing)
        run = list(crossing)
        extend(run, crossing)
        run.reverse()
        extend(run, crossing)
        found.append((tuple(run), lines[crossing]))
    return tuple(found)


def _course(run: tuple[Hex, ...], offset: int) -> tuple[Point, ...]:
    """Return the way of a line through a run of hexes: from centre to centre, aside by *offset* in between."""
    centres = [middle(label) for label in run]
    if offset == 0:
        return tuple(centres)
    turns = (_turn(*corner, offset) for corner in zip(centres, centres[1:], centres[2:], strict=False))
    start = beside(centres[0], centres[1], _BEND, offset)
    end = beside(centres[-2], centres[-1], STEP - _BEND, offset)
    return centres[0], start, *turns, end, centres[-1]


def _turn(before: Point, here: Point, after: Point, offset: int) -> Point:
    """Return where a line that keeps aside of the centres changes direction."""
    (ax, ay), (bx, by) = ((end[0] - start[0], end[1] - start[1]) for start, end in ((before, here), (here, after)))
    spread = STEP * STEP + ax * bx + ay * by
    if spread <= STEP * STEP:  # a sharp turn: the lines would stand out too far
        return here
    return here[0] - offset * (ay + by) * STEP // spread, here[1] + offset * (ax + bx) * STEP // spread


def _offset(owners: tuple[str, ...], code: str, companies: tuple[Look, ...]) -> int:
    """Return how far aside a company's line lies, in order of the companies, symmetrical to the middle."""
    order = [look.code for look in companies if look.code in owners]
    return (2 * order.index(code) - (len(order) - 1)) * min(_GAP, 84 // len(order)) // 2


def _forks(lines: Lines) -> list[Hex]:
    """Return the hexes where track of any company leaves to three sides or more."""
    ways = Counter(label for crossing in lines for label in crossing)
    return sorted(label for label, count in ways.items() if count > 2)


# Hex-sides with rules of their own: bridges, ferries, forbidden and priced sides, permitted builds.

FORBIDDEN = (pen(WHITE, 18), pen(INK, 12, (4, 4)))
PRICED = (pen(WHITE, 14), pen(PEAK, 10, (14, 6)))
CAUSEWAY = (pen(INK, 24), pen(WHITE, 16))
FERRY = (pen(WHITE, 13), pen(BANK, 7, (13, 9)))
PERMITTED = (pen(FAINT, 22), pen(WHITE, 17))

_NAME, _PRICE, _OWNER = 22, 24, 19
_HULL = ((-30, 2), (30, 2), (20, 16), (-20, 16))
_FUNNEL = ((-9, 2), (-9, -14), (9, -14), (9, 2))
_RAILING = ((24, 27), (31, 18), (73, 18), (80, 27))  # along the way over a hex-side, and aside of it


def sides(board: RailMap) -> Iterator[Shape]:
    """Yield what lies below the track: forbidden and priced hex-sides, permitted builds, causeways, ferries."""
    yield from strokes(map(edge_of, forbidden(board)), FORBIDDEN)
    yield from strokes(map(edge_of, sorted(board.prices)), PRICED)
    yield from strokes(map(way_over, permitted_builds(board)), PERMITTED)  # Rule: D2.6
    dams = ((between(*ends, 20), between(*ends, 80)) for ends in map(way_over, sorted(board.causeways)))
    yield from strokes(dams, CAUSEWAY)  # Rule: R29
    yield from strokes(map(way_over, sorted(board.ferries)), FERRY)


def forbidden(board: RailMap) -> list[Side]:
    """Return the closed hex-sides that are no water."""
    return sorted(board.closed - {crossing for river in board.river_lines for crossing in river.sides})


def permitted_builds(board: RailMap) -> list[Side]:
    """Return the permitted builds that are no causeways."""
    return sorted(board.permitted - board.causeways.keys())


def bridge(start: Point, end: Point) -> Iterator[Shape]:
    """Yield two railings along the way over a hex-side, from centre to centre."""
    for mirror in (-1, 1):
        railing = tuple(beside(start, end, along, aside * mirror) for along, aside in _RAILING)
        yield from strokes([railing], (pen(WHITE, 10), pen(INK, 5)))


def bridges(board: RailMap) -> Iterator[Shape]:
    """Yield the bridges: their railings stand on both sides of the track."""
    for crossing in sorted(board.bridges.keys() - board.causeways.keys()):
        yield from bridge(*way_over(crossing))


def boat(at: Point) -> Iterator[Polygon]:
    """Yield the sign of a ferry."""
    return (Polygon(transform(each, at), Style(fill=BANK, stroke=WHITE, width=2)) for each in (_HULL, _FUNNEL))


def sign_boxes(board: RailMap) -> Iterator[Box]:
    """Yield what names keep clear of: bridges, boats, prices."""
    yield from (box_at(halfway(crossing), 56, 56) for crossing in (*board.bridges, *board.prices))
    yield from (box_at((x, y + 15), 110, 66) for x, y in map(halfway, board.ferries))


def price(at: Point, words: str) -> Iterator[Text]:
    """Yield the price of a hex-side."""
    yield Text((at[0], at[1] + 9), words, _PRICE, INK, bold=True, halo=True)


def names(board: RailMap, obstacles: Obstacles) -> Iterator[Shape]:
    """Yield prices on priced hex-sides, and the names of bridges and ferries with their prices; + where points are banked."""
    for crossing, points in sorted(board.prices.items()):
        yield from price(halfway(crossing), str(points))
    spans = {
        crossing: each.name if each.built else f"{each.name} {each.price}{'+' * each.banked}"
        for crossing, each in board.bridges.items()
    }
    lines = {crossing: f"{ferry.name} {ferry.price}" for crossing, ferry in board.ferries.items()}
    for crossing, words in sorted({**spans, **lines}.items()):
        (x, y), width = halfway(crossing), text_width(words, _NAME, bold=True)
        ways = ((0, 62), (0, -36), (width // 2 + 62, 0), (-width // 2 - 62, 0), (0, 84), (0, -60))
        if box := obstacles.place((0, box_at((x + dx, y + dy), width, _NAME)) for dx, dy in ways):
            yield name_in(box, words, _NAME, BANK, italic=True)


def boats(board: RailMap, lines: Lines, companies: tuple[Look, ...]) -> Iterator[Shape]:
    """Yield the ferries' boats, below each the acronyms of the companies that own it."""
    for crossing in sorted(board.ferries):
        x, y = halfway(crossing)
        yield from boat((x, y))
        owners = [look for look in companies if look.code in lines.get(crossing, ())]
        yield from row_of_tags(owners, _OWNER, (x - row_width(owners, _OWNER) // 2, y + 20))
