"""What a way comes to by several measures at once, and what the rest of it comes to at least, for the search of routes.

All measures lie side by side in one number, a field for each with a spare bit above it: one addition adds all of them, and one
subtraction compares them, for a spare bit that is set before is borrowed from where the field is too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from referee.games.dampfross.route.network import OWN, Line, Network

NEVER = 1 << 60  # costs more than any route

Table = Sequence[Sequence[int]]  # by whose track was used last and by place, ``never`` where no knot is
_ANY = (-1, OWN)  # wherever a line with own track begins

Seed = tuple[int, int, int]  # (rest, knot, whose track a go is on there; OWN where the next begins anew)


class Measure(NamedTuple):
    """What is counted of a way, nothing of it negative, and the most there may be."""

    units: tuple[int, ...]  # by owner, none for own track
    most: int
    more: int = 0  # the most there may be grows by so much with each level
    point: int = 0
    own_side: int = 0
    rival_side: int = 0

    def of(self, line: Line) -> int:
        """Return the number for a line, if a go begins there."""
        sides = line.own * self.own_side + (len(line.owners) - line.own) * self.rival_side
        return line.points * self.point + sides + sum([self.units[owner] * toll for owner, toll in line.tolls])


@dataclass(slots=True)
class Bounds:
    """Some measures on a network.

    *levels*: the highest level that is asked about. *order*: for each knot about how far it is from the end, where that is known.
    """

    network: Network
    measures: tuple[Measure, ...]
    levels: int = 0
    order: Sequence[int] = ()
    width: int = field(init=False)
    spare: int = field(init=False)
    most: int = field(init=False)  # at level 0, with the spare bits
    more: int = field(init=False)
    never: int = field(init=False)  # in each field more than there may be
    dues: tuple[int, ...] = field(init=False)  # by line, if a go begins there
    begun: tuple[int, ...] = field(init=False)  # by owner, how much less it is while a go is under way
    anyway: Table = field(init=False)  # the least for the rest
    with_own: Table | None = field(
        init=False, default=None
    )  # while own track is still to be used, once it was asked for
    known: dict[tuple[int, int], Table] = field(init=False, default_factory=dict)  # up to where it was asked for

    def __post_init__(self) -> None:
        lines, measures, again = self.network.lines, self.measures, self.network.tariff.again
        never = [each.most + each.more * self.levels + max(each.units) + 1 for each in measures]
        owners = range(len(self.network.rivals) + 1)
        dearest = max((number for each in measures for number in (*each.units, each.point, each.rival_side)), default=0)
        dearest *= max(
            (len(line.owners) + line.points + sum(toll for _, toll in line.tolls) for line in lines), default=0
        )
        self.width = (2 * max(never, default=0) + dearest).bit_length() + 1
        self.spare = self.pack([1 << self.width - 1] * len(measures))
        self.most = self.pack([each.most for each in measures]) + self.spare
        self.more = self.pack([each.more for each in measures])
        self.never = self.pack(never)
        together = Measure(
            units=tuple(self.pack([each.units[owner] for each in measures]) for owner in owners),
            most=0,
            point=self.pack([each.point for each in measures]),
            own_side=self.pack([each.own_side for each in measures]),
            rival_side=self.pack([each.rival_side for each in measures]),
        )
        self.dues = tuple([together.of(line) for line in lines])
        self.begun = tuple([again * units for units in together.units])
        self.anyway = self._least([(0, end, OWN) for end in self.network.ends], over_own=True)

    def least(self, owns: bool) -> tuple[Table, Table]:
        """Return the least for the rest: before own track is used, and then. *owns*: whether it must be."""
        if owns and self.with_own is None:
            self.with_own = self._least(self._into_own(), over_own=False)
        return self.with_own if owns and self.with_own else self.anyway, self.anyway

    def to(self, knot: int, last: int) -> Table:
        """Return the least up to *knot*, if a line with own track leads there, the last of it over the track of *last*."""
        if (knot, last) not in self.known:
            seeds: list[Seed] = []
            for line in self.network.lines:
                if line.own and (line.path[-1], line.owners[-1]) == (knot, last):
                    due, first = self.dues[line.place], line.owners[0]
                    seeds.append((due, line.start, OWN))
                    if line.again:
                        seeds.append((due - self.begun[first], line.start, first))
            self.known[knot, last] = self._least(seeds, over_own=True)
        return self.known[knot, last]

    def to_own(self) -> Table:
        """Return the least up to where a line with own track begins."""
        if _ANY not in self.known:
            seeds = [(0, line.start, OWN) for line in self.network.lines if line.own]
            self.known[_ANY] = self._least(seeds, over_own=False)
        return self.known[_ANY]

    def pack(self, numbers: Iterable[int]) -> int:
        """Return the numbers, one for each measure, in one."""
        return sum([number << place * self.width for place, number in enumerate(numbers)])

    def _least(self, seeds: list[Seed], *, over_own: bool) -> Table:
        """Return the least from each knot up to the *seeds*. *over_own*: False leaves lines with own track out.

        The least of each measure spreads backwards from knot to knot until nothing changes, the nearest first.
        """
        spare, top, dues, begun, arrivals = self.spare, self.width - 1, self.dues, self.begun, self.network.arrivals
        never = self.never  # nothing is more in any field; asked first, as of most knots no go is known
        going = [[never] * len(self.network.hexes) for _ in begun]
        if not self.measures:
            return going
        fresh = going[OWN]
        for rest, knot, go in seeds:
            going[go][knot] = self._lesser(going[go][knot], rest)
        order = self.order or fresh
        waiting = {knot for _, knot, _ in seeds}
        queue = [(order[knot], knot) for knot in waiting]
        heapify(queue)
        while queue:
            _, here = heappop(queue)
            if here not in waiting:
                continue
            waiting.remove(here)
            rests: dict[int, int] = {}
            for knot, first, last, has_own, again, place in arrivals[here]:
                if has_own and not over_own:
                    continue
                if last not in rests:
                    known, rest = going[last][here], fresh[here]
                    rests[last] = rest if known in (rest, never) else self._lesser(known, rest)
                rest, known = dues[place] + rests[last], fresh[knot]
                no_less = (rest | spare) - known & spare
                if less := no_less ^ spare:
                    fresh[knot] = known ^ (rest ^ known) & less - (less >> top)
                if again:
                    rest -= begun[first]
                    known = going[first][knot]
                    no_less = (rest | spare) - known & spare
                    if less_going := no_less ^ spare:
                        going[first][knot] = known ^ (rest ^ known) & less_going - (less_going >> top)
                        less |= less_going
                if less:
                    waiting.add(knot)
                    heappush(queue, (order[knot], knot))
        for table in going[1:]:
            for knot in arrivals:
                known, rest = table[knot], fresh[knot]
                if known != rest:
                    table[knot] = rest if known == never else self._lesser(known, rest)
        return going

    def _lesser(self, one: int, two: int) -> int:
        """Return the smaller number of each field."""
        if one == two:
            return one
        no_less = (one | self.spare) - two & self.spare
        return one ^ (one ^ two) & no_less - (no_less >> self.width - 1)

    def _into_own(self) -> list[Seed]:
        """Return where own track may be used next, with the rest."""
        seeds: list[Seed] = []
        for line in self.network.lines:
            if line.own:
                rest, first = self.dues[line.place] + self._after(line), line.owners[0]
                seeds.append((rest, line.start, OWN))
                if line.again:
                    seeds.append((rest - self.begun[first], line.start, first))
        return seeds

    def _after(self, line: Line) -> int:
        """Return the rest after a line that is not run back at once."""
        here, last = line.path[-1], line.owners[-1]
        least = 0 if here in self.network.ends else self.never
        for further in self.network.exits[here]:
            if further.number != line.number:
                spared = self.begun[last] if further.again and further.owners[0] == last else 0
                least = self._lesser(
                    least, self.dues[further.place] - spared + self.anyway[further.owners[-1]][further.path[-1]]
                )
        return least
