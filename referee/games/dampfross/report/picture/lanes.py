"""Where the companies' lines lie: curves through the hexes, side by side in one order where several take the same hex-sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from referee.core.hexes import Hex, Side, side
from referee.core.picture.drawing import Point
from referee.core.picture.shapes import PARTS, Points, bend, beside, between, joined
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.report.picture.layout import STEP, middle
from referee.games.dampfross.state import Codes

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
        for way in joined(own, self._board.station_at):
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
        others = [end for each in self._around[label] if code in self._lines[each] for end in each if end != label]
        spots = [beside(centre, middle(other), 0, self.aside(code, label, other)) for other in others]
        if self._board.is_city(label):
            return centre
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
        return course[: PARTS // 2 + 1], course[PARTS // 2 :]
