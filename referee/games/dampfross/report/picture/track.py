"""The companies' lines: side by side where they share a hex-side, each with its pattern, acronyms along it; and what the turn
before brought: new track on a bright band, the trains of the races along the track they ran on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, groupby, pairwise
from operator import itemgetter

from msgspec import field

from referee.core import TOLD, Amounts, Hex, Path, Side, Value, distance, side
from referee.core.picture import (
    INK,
    WHITE,
    Circle,
    Line,
    Point,
    Points,
    Polygon,
    Shapes,
    Style,
    Styles,
    Text,
    Translate,
    is_bright,
    pen,
)
from referee.core.picture.legend import Look, Looks
from referee.core.picture.shapes import (
    DASHES,
    Box,
    Obstacles,
    bend,
    beside,
    between,
    box_at,
    centre_text,
    join_edges,
    name_in,
    rectangle,
    round_corners,
    strokes,
    tag,
    text_width,
    transform,
)
from referee.core.picture.shapes import LaneOffsets as ShapeLanes

from ...board import RailMap
from ...state import Codes
from . import COLOURS, LINES, OUTLINES, line_styles
from .ground import STEP, edge_of, halfway, middle, way_over

# Where the companies' lines lie: curves through the hexes, side by side in one order where several take the same hex-sides.

Lines = Mapping[Side, Codes]
Course = Sequence[tuple[Side, Points]]  # a line from end to end, piece by piece

GAP = 16  # between neighbouring lines
_WIDEST = 84  # of a corridor
_BEND = 26  # how far from its end a line that is shifted aside has reached its place


class Lanes:
    """The lanes of a position. ``forks``: the hexes where track of any company leaves to three sides or more."""

    def __init__(self, board: RailMap, lines: Lines, order: Sequence[str]) -> None:
        """*order*: the codes of the companies, as they lie side by side."""
        self._board, self._lines = board, lines
        self._owners = {crossing: [each for each in order if each in owners] for crossing, owners in lines.items()}
        self._around: dict[Hex, list[Side]] = {}
        for crossing in sorted(lines):
            for label in crossing:
                self._around.setdefault(label, []).append(crossing)
        self.forks = sorted(label for label, sides in self._around.items() if len(sides) > 2)
        self._ahead = self._directions()
        self.courses = cache(lambda code: tuple(self._courses(code)))  # of a company: its lines, from end to end

    def _directions(self) -> Mapping[Side, Hex]:
        """Return to which end each hex-side is followed: one way all along a corridor, so that its lines do not change sides."""
        ahead: dict[Side, Hex] = {}
        for first in sorted(self._lines, key=lambda crossing: -len(self._lines[crossing])):
            pending = [] if first in ahead else [first]
            ahead.setdefault(first, first[1])
            while pending:
                crossing = pending.pop()
                for label in (label for label in crossing if not self._board.is_city(label)):
                    for other in self._around[label]:
                        if other not in ahead and len({*self._lines[crossing]} & {*self._lines[other]}) > 1:
                            far = other[0] if other[1] == label else other[1]
                            ahead[other] = far if ahead[crossing] == label else label
                            pending.append(other)
        return ahead

    def aside(self, code: str, here: Hex, there: Hex) -> int:
        """Return how far a company's line lies to the right of the way from hex to hex, symmetrical to the middle."""
        crossing = side(here, there)
        owners = self._owners[crossing]
        shift = (2 * owners.index(code) - len(owners) + 1) * min(GAP, _WIDEST // len(owners)) // 2
        return shift if self._ahead[crossing] == there else -shift

    def _courses(self, code: str) -> Iterator[Course]:
        """Yield the lines of a company, each from a city, a fork or an end to the next."""
        own = sorted(crossing for crossing, owners in self._lines.items() if code in owners)
        for way in join_edges(own, self._board.station_at):
            bends = [self._through(code, *hexes) for hexes in zip(way, way[1:], way[2:], strict=False)]
            if way[0] == way[-1]:
                last, first = self._through(code, way[-2], way[0], way[1])
            else:
                first, last = self._end(code, way[0], way[1]), self._end(code, way[-1], way[-2])[::-1]
            begins, ends = [first, *(each for _, each in bends)], [*(each for each, _ in bends), last]
            steps = zip(pairwise(way), begins, ends, strict=True)
            yield [(side(*step), (*begin, *end[1:])) for step, begin, end in steps]

    def meeting(self, code: str, label: Hex) -> Point:
        """Return where a company's lines meet in a hex: aside of its centre where they lie aside of it."""
        centre = middle(label)
        if self._board.is_city(label):
            return centre
        others = [end for each in self._around[label] if code in self._lines[each] for end in each if end != label]
        spots = [beside(centre, middle(other), 0, self.aside(code, label, other)) for other in others]
        return sum(x for x, _ in spots) // len(spots), sum(y for _, y in spots) // len(spots)

    def _end(self, code: str, here: Hex, there: Hex) -> Points:
        """Return how a line comes from its end to the middle of a hex-side."""
        ends, aside = (middle(here), middle(there)), self.aside(code, here, there)
        return self.meeting(code, here), beside(*ends, _BEND, aside), beside(*ends, STEP // 2, aside)

    def _through(self, code: str, before: Hex, here: Hex, after: Hex) -> tuple[Points, Points]:
        """Return the two halves of a line's bend in a hex, from the middle of a hex-side to that of another."""
        start, at, end = middle(before), middle(here), middle(after)
        came, goes = self.aside(code, before, here), self.aside(code, here, after)
        entry, leave = beside(start, at, STEP // 2, came), beside(at, end, STEP // 2, goes)
        corner = between(beside(start, at, STEP, came), beside(at, end, 0, goes))
        if here in self.forks:  # right through its middle, where others join
            flat = between(entry, leave)
            corner = 2 * corner[0] - flat[0], 2 * corner[1] - flat[1]
        course = (*bend(entry, corner, leave), leave)
        half = len(course) // 2
        return course[: half + 1], course[half:]


_TAG_EVERY = 7  # hexes
_TAG_MOST = 30_000  # what an acronym may cover
RIDES = 3  # trains whose ways a whole board shows: more can be told apart in a close-up alone
_NEAR = 30  # how far from a centre a train keeps its lane
_MARK, _MARK_MOST = 26, 40_000  # size of a train's race and place, and what they may cover


class TrainWay(Value):
    """A train's run: its name, who leads it, the hexes, its place (0: it did not come in)."""

    name: str
    company: str
    route: Path
    place: int

    @property
    def words(self) -> str:
        """The train with its place: ``1. GSW``."""
        return f"{self.place}. {self.name}" if self.place else f"– {self.name}"


class LineRun(Value):
    """A race that was run: ``words`` name its number and its ends."""

    number: int
    words: str
    trains: tuple[TrainWay, ...]


class TurnTrack(Value):
    """What happened in it: the hex-sides that each company built, and the races."""

    laid: Mapping[str, frozenset[Side]] = field(default_factory=dict)
    runs: tuple[LineRun, ...] = ()


class Ride(Value):
    """A train on paper: what is said of it beside its ``line``, and how that is drawn."""

    sign: str
    line: Points
    look: Look
    styles: Styles


def track(lanes: Lanes, companies: Looks, board: RailMap) -> Shapes:
    """Yield every company's line, white edges below all of them, and a dot where lines part."""
    drawn = {
        look.code: [_whole(piece for _, piece in course) for course in lanes.courses(look.code)] for look in companies
    }
    yield from strokes(chain.from_iterable(drawn.values()), LINES["casing"])
    for place, look in enumerate(companies):
        yield from strokes(drawn[look.code], line_styles(look, place))
    for label in lanes.forks:
        if not board.is_city(label):
            yield Circle(middle(label), 8, Style(WHITE, INK, 3))


def _whole(pieces: Iterable[Points]) -> Points:
    """Return pieces, of which each begins where another ended, as one line."""
    first, *others = pieces
    return (*first, *(point for piece in others for point in piece[1:]))


def fresh(lanes: Lanes, companies: Looks, turn: TurnTrack) -> Shapes:
    """Yield the bands below new track."""
    pieces = [
        (look, _whole(piece for _, piece in steps))
        for look in companies
        for course in lanes.courses(look.code)
        for is_new, steps in groupby(
            ((crossing in turn.laid.get(look.code, ()), piece) for crossing, piece in course), itemgetter(0)
        )
        if is_new
    ]
    below = {look.code: LINES["fresh-bright" if is_bright(look.ink) else "fresh"] for look in companies}
    return (Line(piece, below[look.code][n]) for n in (0, 1) for look, piece in pieces)


def tags(lanes: Lanes, lines: Lines, companies: Looks, obstacles: Obstacles, size: int) -> Shapes:
    """Yield the companies' acronyms on their lines, every few hexes, where they cover least."""
    for look in companies:
        spots, wide = list[tuple[int, Hex, Box]](), text_width(look.code, size) + 10
        for crossing in (crossing for crossing, owners in lines.items() if look.code in owners):
            start, end = way_over(crossing)
            x, y = beside(start, end, STEP // 2, lanes.aside(look.code, *crossing))
            lift = 10 if start[0] == end[0] else 0  # clear of the southern hex's name
            box = box_at((x, y - lift), wide, size + 5)
            spots.append((obstacles.conflict(box, _TAG_MOST), crossing[0], box))
        placed: list[Hex] = []
        for cost, label, box in sorted(spots):
            near = any(distance(label, other) < _TAG_EVERY for other in placed)
            # Tags placed since may lie here.
            if cost <= _TAG_MOST and not near and obstacles.place([(0, box)], most=_TAG_MOST):
                placed.append(label)
                yield from tag(box, look.code, WHITE, look.ink, size)


def row_width(looks: Iterable[Look], size: int) -> int:
    """Return how wide a row of tags is."""
    return sum(text_width(look.code, size) + 18 for look in looks)


def row_of_tags(looks: Iterable[Look], size: int, at: Point, *, filled: bool = False) -> Shapes:
    """Yield companies' acronyms in a row from a point to the right, in their colours or *filled* with them."""
    x, y = at
    for look in looks:
        right = x + row_width((look,), size)
        colours = (look.ink, INK) if filled else (WHITE, look.ink)
        yield from tag((x, y, right - 6, y + size + 6), look.code, *colours, size)
        x = right


def rides(lines: Lines, companies: Looks, turn: TurnTrack, translate: Translate) -> tuple[Ride, ...]:
    """Return the trains on paper, each in its lane beside the track it ran on, broken as its race's are."""
    beside_track, looks = ShapeLanes(17 - GAP // 2, 9, 4, _NEAR), {look.code: look for look in companies}

    def wide(here: Hex, there: Hex) -> int:
        return len(lines.get(side(here, there), ())) * GAP // 2

    return tuple(
        Ride(
            sign=translate(TOLD).format(what=run.number, told=train.words),  # trains of two races may look alike
            line=round_corners(beside_track.line(train.route, middle, wide)),
            look=looks[train.company],
            styles=train_styles(looks[train.company], number),
        )
        for number, run in enumerate(turn.runs)
        for train in run.trains
        if train.company in looks and len(train.route) > 1
    )


def train_styles(look: Look, number: int) -> Styles:
    """Return how a company's train in the *number*-th race of the turn is drawn, from 0."""
    return pen(WHITE, 9), pen(look.ink, 5, DASHES[number % len(DASHES)])


def places_won(rides: Iterable[Ride], obstacles: Obstacles) -> Shapes:
    """Yield each train's race and place beside its way; where there is no room the legend tells it."""
    for ride in rides:
        width = text_width(ride.sign, _MARK) + 10
        boxes = (box_at(at, width, _MARK + 6) for at in ride.line[len(ride.line) // 4 :])
        if best := obstacles.place(((0, box) for box in boxes), most=_MARK_MOST):
            yield from tag(best, ride.sign, ride.look.ink, INK, _MARK)


def line_boxes(lines: Lines) -> Iterator[Box]:
    """Yield boxes that cover the lines, for places of trains that keep clear of them."""
    for ends in map(way_over, lines):
        yield from (box_at(beside(*ends, along, 0), 26, 26) for along in (STEP // 4, STEP // 2, STEP * 3 // 4))


# Hex-sides with rules of their own: bridges, ferries, forbidden and priced sides, permitted builds.

_NAME, _PRICE, _OWNER = 26, 26, 26


def sides(board: RailMap) -> Shapes:
    """Yield what lies below the track: forbidden and priced hex-sides, permitted builds, causeways, ferries."""
    yield from strokes(map(edge_of, forbidden(board)), LINES["forbidden"])
    yield from strokes(map(edge_of, sorted(board.prices)), LINES["priced"])
    yield from strokes(map(way_over, permitted_builds(board)), LINES["permitted"])  # Rule: D2.6
    dams = ((between(*ends, 20), between(*ends, 80)) for ends in map(way_over, sorted(board.causeways)))
    yield from strokes(dams, LINES["causeway"])  # Rule: R29
    yield from strokes(map(way_over, sorted(board.ferries)), LINES["ferry"])


def forbidden(board: RailMap) -> list[Side]:
    """Return the closed hex-sides that are no water."""
    return sorted(board.closed - {crossing for river in board.river_lines for crossing in river.sides})


def permitted_builds(board: RailMap) -> list[Side]:
    """Return the permitted builds that are no causeways."""
    return sorted(board.permitted - board.causeways.keys())


def bridge(start: Point, end: Point) -> Shapes:
    """Yield two railings along the way over a hex-side, from centre to centre."""
    for mirror in (-1, 1):
        railing = tuple(beside(start, end, along, aside * mirror) for along, aside in OUTLINES["railing"])
        yield from strokes([railing], LINES["railing"])


def bridges(board: RailMap) -> Shapes:
    """Yield the bridges: their railings stand on both sides of the track."""
    for crossing in sorted(board.bridges.keys() - board.causeways.keys()):
        yield from bridge(*way_over(crossing))


def boat(at: Point) -> Iterator[Polygon]:
    """Yield the sign of a ferry."""
    return (Polygon(transform(OUTLINES[part], at), LINES["boat"][0]) for part in ("hull", "funnel"))


def sign_boxes(board: RailMap) -> Iterator[Box]:
    """Yield what names keep clear of: bridges, boats, prices."""
    yield from (box_at(halfway(crossing), 56, 56) for crossing in (*board.bridges, *board.prices))
    yield from (box_at((x, y + 15), 110, 66) for x, y in map(halfway, board.ferries))


def price(at: Point, words: str) -> Iterator[Text]:
    """Yield the price of a hex-side."""
    yield Text((at[0], at[1] + 9), words, _PRICE, INK, bold=True, halo=True)


def priced_steps(ways: list[tuple[str, Amounts]], obstacles: Obstacles) -> Shapes:
    """Yield what each hex-side of some orders costs, in a disc, and beside one of them which roll lays it."""
    for _, piece in ways:
        for start, end in pairwise(piece):
            at = between(middle(start), middle(end))
            obstacles.add(box_at(at, 52, 52))
            yield Circle(at, 26, Style(WHITE, INK, 4), str(piece[end]))
            yield centre_text(at, str(piece[end]), 34)
    for roll, piece in ways:
        sides = [*pairwise(map(middle, piece))][::-1]
        spots = (beside(*each, STEP // 2, aside) for each in sides for aside in (80, -80))
        if box := obstacles.place((order, box_at(at, 66, 46)) for order, at in enumerate(spots)):
            yield Polygon(rectangle(box), Style(INK), roll)
            yield centre_text(between(box[:2], box[2:]), roll, 34, WHITE)


def names(board: RailMap, obstacles: Obstacles) -> Shapes:
    """Yield prices on priced hex-sides, and the names of bridges and ferries with their prices; + where points are banked."""
    for crossing, points in sorted(board.prices.items()):
        yield from price(halfway(crossing), str(points))
    spans = {
        crossing: each.name if each.built else f"{each.name} {each.price}{'+' * each.banked}"
        for crossing, each in board.bridges.items()
    }
    lines = {crossing: f"{ferry.name} {ferry.price}" for crossing, ferry in board.ferries.items()}
    for crossing, words in sorted({**spans, **lines}.items()):
        (x, y), width = halfway(crossing), text_width(words, _NAME)
        ways = ((0, 62), (0, -36), (width // 2 + 62, 0), (-width // 2 - 62, 0), (0, 84), (0, -60))
        if box := obstacles.place((0, box_at((x + dx, y + dy), width, _NAME)) for dx, dy in ways):
            yield name_in(box, words, _NAME, COLOURS["bank"], italic=True)


def boats(board: RailMap, lines: Lines, companies: Looks) -> Shapes:
    """Yield the ferries' boats, below each the acronyms of the companies that own it."""
    for crossing in sorted(board.ferries):
        x, y = halfway(crossing)
        yield from boat((x, y))
        owners = [look for look in companies if look.code in lines.get(crossing, ())]
        yield from row_of_tags(owners, _OWNER, (x - row_width(owners, _OWNER) // 2, y + 20))
