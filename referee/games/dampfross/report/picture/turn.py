"""What a board shows of the turn before: new track on a bright band, the trains of the races along the track they ran on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from msgspec import field

from referee.core.hexes import Hex, Side, side
from referee.core.picture.drawing import Line, Point, Shape, Style, Translate
from referee.core.picture.placing import Box, Clutter, box_at, text_width
from referee.core.texts.wording import TOLD
from referee.core.values import Value
from referee.games.dampfross.report.picture import palette
from referee.games.dampfross.report.picture.layout import STEP
from referee.games.dampfross.report.picture.palette import CompanyLook
from referee.games.dampfross.report.picture.track import GAP, Lines, beside, courses_over, tag

FRESH = (Style(stroke=palette.FRESH_EDGE, width=38), Style(stroke=palette.FRESH, width=32))
_DASHES: tuple[tuple[int, ...], ...] = ((), (18, 9), (6, 7), (22, 7, 6, 7))  # a race's, in their order
_LANE, _FIRST_LANE = 9, 17  # between trains, and between a line and the first train beside it
_LANES = 4  # on each side of the track; more trains share them
_NEAR, _FAR = 30, STEP - 30  # where on the way from centre to centre a train keeps its lane
_MARK, _MARK_MOST = 18, 40_000


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

    def sign(self, train: Train, translate: Translate) -> str:
        """Return what stands beside a train's way: ``14: 1. GSW``. Trains of two races may look alike."""
        return translate(TOLD).format(what=self.number, told=train.words)


class Turn(Value):
    """What happened in it: the hex-sides that each company built, and the races."""

    laid: Mapping[str, frozenset[Side]] = field(default_factory=dict)
    runs: tuple[Run, ...] = ()


def fresh(lines: Lines, companies: tuple[CompanyLook, ...], turn: Turn) -> Iterator[Shape]:
    """Yield the bands below new track."""
    courses = [
        course
        for look in companies
        if look.code in turn.laid
        for course in courses_over(lines, companies, look.code, turn.laid[look.code])
    ]
    for style in FRESH:
        for points in courses:
            yield Line(points=points, style=style)


def routes(lines: Lines, companies: tuple[CompanyLook, ...], turn: Turn) -> Iterator[Shape]:
    """Yield a thin line for each train, beside the track it ran on, broken as its race's are."""
    lanes = _lanes(turn)
    looks = {look.code: look for look in companies}
    for number, run in enumerate(turn.runs):
        for place, train in enumerate(run.trains):
            points = tuple(_along(train.route, lines, lanes, (number, place)))
            if len(points) > 1 and train.company in looks:
                for style in train_styles(looks[train.company], number):
                    yield Line(points=points, style=style)


def train_styles(look: CompanyLook, number: int) -> tuple[Style, ...]:
    """Return how a company's train in the *number*-th race of the turn is drawn, from 0."""
    ink = palette.ink_of(look)
    return Style(stroke=palette.WHITE, width=9), Style(stroke=ink, width=5, dash=_DASHES[number % len(_DASHES)])


def marks(
    lines: Lines, companies: tuple[CompanyLook, ...], turn: Turn, clutter: Clutter, translate: Translate
) -> Iterator[Shape]:
    """Yield each train's race and place beside its way, where that covers least; where there is no room the legend tells it."""
    lanes = _lanes(turn)
    looks = {look.code: look for look in companies}
    for number, run in enumerate(turn.runs):
        for place, train in enumerate(run.trains):
            if train.company not in looks:
                continue
            sign = run.sign(train, translate)
            width = text_width(sign, _MARK, bold=True) + 10
            points = tuple(_along(train.route, lines, lanes, (number, place)))
            boxes = [box_at(x, y, width, _MARK + 6) for x, y in points[len(points) // 4 :]]
            best = min(boxes, key=clutter.cost, default=None)
            if best is not None and clutter.cost(best) <= _MARK_MOST:
                clutter.add(best, 100)
                ink = palette.ink_of(looks[train.company])
                yield from tag(best, sign, ink, palette.INK, _MARK)


def _lanes(turn: Turn) -> Mapping[Side, Mapping[tuple[int, int], int]]:
    """Return of each hex-side which trains ran over it, by race and place in it, each with its lane from 0."""
    found: dict[Side, dict[tuple[int, int], int]] = {}
    for number, run in enumerate(turn.runs):
        for place, train in enumerate(run.trains):
            for one, other in pairwise(train.route):
                trains = found.setdefault(side(one, other), {})
                trains.setdefault((number, place), len(trains))
    return found


def _along(
    route: tuple[Hex, ...], lines: Lines, lanes: Mapping[Side, Mapping[tuple[int, int], int]], train: tuple[int, int]
) -> Iterator[Point]:
    """Yield the way of a train: on each hex-side in its lane, the first on one side of the track, the next on the other."""
    for one, other in pairwise(route):
        crossing = side(one, other)
        lane = lanes[crossing][train] % (2 * _LANES)
        aside = len(lines.get(crossing, ())) * GAP // 2 + _FIRST_LANE - GAP // 2 + _LANE * (lane // 2)
        aside = aside if lane % 2 == 0 else -aside
        aside = aside if crossing == (one, other) else -aside
        yield beside(one, other, aside, _NEAR)
        yield beside(one, other, aside, _FAR)


def boxes_of(lines: Lines) -> Iterator[Box]:
    """Yield boxes that cover the lines, for places of trains that keep clear of them."""
    for one, other in lines:
        for along in (STEP // 4, STEP // 2, STEP * 3 // 4):
            x, y = beside(one, other, 0, along)
            yield box_at(x, y, 26, 26)
