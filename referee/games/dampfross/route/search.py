"""The best walk of a train that keeps to certain demands: label-setting search, the label that promises most first.

What a label promises is what its walk costs at least to the end. That is reckoned without any demand, and again with each
set of capped rivals: what they take more than their caps together is set against points of movement (Lagrange's multipliers),
so that a way that would pay them too much promises less. A set that takes more than its caps whatever comes ends the label.
Where last legs are known (``LastLegs``), it promises no less than the cheapest that fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import combinations, pairwise

from msgspec.structs import replace

from referee.core.values import Value
from referee.games.dampfross.route.bounds import NEVER, Bounds, Measure, Table
from referee.games.dampfross.route.dominance import ANYWHERE, NOWHERE, Front, Label, Yardstick
from referee.games.dampfross.route.lastlegs import LastLegs
from referee.games.dampfross.route.network import OWN, Line, Network
from referee.games.dampfross.route.ownshare import OwnShare

LEVEL = 1 << 32  # what comes first in the aim, in the cost of a way; more than all that comes after
_DEAR = 2  # what one try counts while own track must be the greater part: it takes longer
_PRICES = (1, 2)  # hex-sides that a unit of toll is set against where own track must be the greater part


class Demands(Value):
    """What a search has to look at; the rest is checked afterwards, and demanded if it was broken."""

    cap: int
    owns: bool = False  # whether some own track is demanded
    capped: frozenset[int] = frozenset()  # rivals whose toll is
    most: int | None = None  # units of all tolls
    shares: bool = False  # whether own track must be the greater part
    once: tuple[int, ...] = ()  # lines that may not be used twice, as they came to light


def limits_of(cost: Bounds, demands: Demands) -> tuple[Bounds, int]:
    """Return the bounds of what is limited by *demands*, whichever lines are watched; how many of the first imply the others."""
    network, (measure,) = cost.network, cost.measures
    levels = sum([measure.of(line) // LEVEL for line in network.lines])
    limited, first = _measures(network, measure, demands)
    return Bounds(network, limited, levels, cost.anyway[OWN]), first


def _measures(network: Network, cost: Measure, demands: Demands) -> tuple[tuple[Measure, ...], int]:
    """Return what is counted beside the cost, and how many of the first imply the others. Rule: D6.2, D6.4."""
    owners, rivals = range(len(network.rivals) + 1), sorted(demands.capped)
    sums = [(frozenset(some), size * demands.cap) for size in owners[1:] for some in combinations(rivals, size)]
    if demands.most is not None:
        sums.insert(0, (frozenset(owners), demands.most))
    paid = [Measure(units=tuple(int(owner in some) for owner in owners), most=most) for some, most in sums]
    first = len(sums) and len(rivals) + (demands.most is not None)
    if demands.shares:  # hex-sides over rivals must be fewer than all own ones there are
        own = sum({line.number: line.own for line in network.lines if line.own}.values())
        paid.insert(0, Measure(units=(0,) * len(owners), rival_side=1, most=own - 1))
        first += 1
    if cost.point < LEVEL:  # what is to be cheapest needs no price on tolls
        return tuple(paid), first
    priced = [
        Measure(units=tuple(int(owner in some) for owner in owners), most=most, more=1, point=1) for some, most in sums
    ]
    return (*paid, *priced), first


# A line as a search counts it: (hexes after its start, owners, the first, the last, where it ends, cost, what is due, how much
# less is due if a go over the first owner is under way, and how much less it costs, 1 if there is own track, gain, its bit or 0
# if it is not watched).
_Step = tuple[tuple[int, ...], tuple[int, ...], int, int, int, int, int, int, int, int, int, int]


def _watched(labels: Iterable[Label], lines: Sequence[tuple[int, int, int]]) -> Iterator[Label]:
    """Give the labels that use none of these lines twice, with their bits. *lines*: (bit, two hexes next to each other on it)."""
    for label in labels:
        path, used = label[1], label[7]
        for bit, one, other in lines:
            if one in path and other in path:
                times = sum([step in ((one, other), (other, one)) for step in pairwise(path)])
                if times > 1:
                    break
                used |= bit * times
        else:
            yield label if used == label[7] else (*label[:7], used)


@dataclass(slots=True)
class Search:
    """One search with a fixed set of demands. *cost* has the bounds of what a way costs, and nothing else.

    *limits* and *first* are those of ``limits_of``. *up_to_own*: whether ways end where own track begins.
    """

    cost: Bounds
    demands: Demands
    limits: Bounds
    first: int
    up_to_own: bool = False
    network: Network = field(init=False)
    legs: LastLegs | None = field(init=False, default=None)
    ahead: tuple[Table, Table] = field(init=False)  # what the rest costs at least
    due_ahead: tuple[Table, Table] = field(init=False)  # the same by measure
    resources: int = field(init=False)  # the spare bits of what there may not be more of at any level
    tilted: Bounds | None = field(init=False, default=None)
    # What own track may still gain, with the most tolls, and where they are in what is due.
    shares: tuple[tuple[OwnShare, int, int], ...] = field(init=False, default=())
    by: Yardstick = field(init=False)
    steps: dict[int, tuple[_Step, ...]] = field(init=False)  # by knot
    queue: list[Label] = field(init=False)
    fronts: dict[tuple[int, int], Front] = field(init=False, default_factory=dict)
    passed: list[Label] = field(init=False, default_factory=list)  # others left nothing to them, or one hex only

    def __post_init__(self) -> None:
        (cost,), demands, limits = self.cost.measures, self.demands, self.limits
        self.network = network = self.cost.network
        self.ahead, self.due_ahead = self.cost.least(demands.owns), limits.least(demands.owns)
        self.resources = limits.pack([0 if each.more else 1 << limits.width - 1 for each in limits.measures])
        self._measure()
        if demands.shares:  # a point off each own hex-side, a point on each other one
            tilt = cost._replace(own_side=cost.own_side - cost.point, rival_side=cost.rival_side + cost.point)
            self.tilted = Bounds(network, (tilt,))
            self.shares = tuple(self._shares())
        self.queue = [label for place in network.starts for label in self._begun(place)]
        heapify(self.queue)

    def _measure(self) -> None:
        """Make what depends on the lines that are watched."""
        demands, network, limits = self.demands, self.network, self.limits
        self.by = Yardstick(
            level=LEVEL,
            levels=limits.levels,
            width=limits.width,
            first=self.first,
            begin_cost=self.cost.begun,
            begin_paid=limits.begun,
            watched=len(demands.once),
            back=bool(not network.usual or network.barred or demands.owns or demands.shares),
            back_at_first=not network.usual or demands.shares,
            turns=frozenset(here for _, here, _ in network.barred),
        )
        bits = {number: 1 << 2 * place for place, number in enumerate(demands.once)}
        self.steps = {
            knot: tuple(
                [self._step(line, bits.get(line.number, 0)) for line in lines if not (self.up_to_own and line.own)]
            )
            for knot, lines in network.exits.items()
        }

    def watch(self, once: tuple[int, ...]) -> None:
        """Go on with further lines that may be used *once*.

        What left nothing to a way may use one of them where that way does not: what was passed over is looked at again.
        """
        network, fronts, passed = self.network, self.fronts, set(map(id, self.passed))
        steps = {line.number: (line.start, line.path[0]) for line in network.lines}
        known = len(self.demands.once)
        new = [
            (1 << 2 * place, *steps[number]) for place, number in enumerate(once) if place >= known and number in steps
        ]
        self.demands, self.legs = replace(self.demands, once=once), None
        self._measure()
        self.queue = list(_watched([*self.queue, *self.passed], new))
        heapify(self.queue)
        self.passed, self.fronts = [], {}
        for at, front in fronts.items():
            self.fronts[at] = Front(self.by)
            for label in _watched([label for label in front.labels if id(label) not in passed], new):
                self.fronts[at].add(label)

    def best(self, tries: int, until: int = NEVER) -> tuple[Label | None, int]:
        """Return the best walk, None where there is none, and how many of *tries* are left, 0 if they did not settle it.

        Ties go to the first path: labels are tried in that order. Asked once more, it goes on where it stopped. *until*: the
        cost from which on no way is tried.
        """
        network, queue, fronts, shares = self.network, self.queue, self.fronts, self.demands.shares
        turns = self.by.turns
        while queue and tries and queue[0][0] < until:
            label = heappop(queue)
            path, owners, own, gain = label[1], label[2], label[4], label[5]
            if own and path[-1] in network.ends and (gain > 0 or not shares):
                return label, tries
            only = ANYWHERE
            if owners:
                at = (path[-1], path[-2] if path[-1] in turns else ANYWHERE)
                if at not in fronts:
                    fronts[at] = Front(self.by)
                only = fronts[at].take(label)
                if only != ANYWHERE and not shares:
                    self.passed.append(label)
                if only == NOWHERE:
                    continue
            tries = max(0, tries - (_DEAR if self.shares else 1))
            self._go_on(label, only, queue)
        return None, tries

    def least(self) -> int:
        """Return what a way that was not tried yet costs at least, NEVER if there is none."""
        return self.queue[0][0] if self.queue else NEVER

    def ways(self) -> dict[int, list[Label]]:
        """Return the ways that were tried, by the knot where they end, and one without a line from each start."""
        ways: dict[int, list[Label]] = {place: [(0, (place,), (), 0, 0, 0, 0, 0)] for place in self.network.starts}
        for (knot, _), front in self.fronts.items():
            ways.setdefault(knot, []).extend(front.labels)
        return ways

    def know(self, legs: LastLegs) -> None:
        """Look at the last *legs* from now on."""
        self.legs = legs
        known = [
            label if label[0] >= legs.until else (max(label[0], legs.least(label)), *label[1:]) for label in self.queue
        ]
        self.queue = [label for label in known if label[0] < NEVER]
        heapify(self.queue)

    def _begun(self, place: int) -> Iterator[Label]:
        own = 0 if self.demands.owns else 1
        least = self._promised(0, self.ahead[own][OWN][place], self.due_ahead[own][OWN][place])
        if least < NEVER and self._may_gain(place, 0, 0, 0):
            yield least, (place,), (), 0, own, 0, 0, 0

    def _shares(self) -> Iterator[tuple[OwnShare, int, int]]:
        """Give the bounds of own track: alone, and with all tolls that are limited."""
        watched = self.demands.once
        yield OwnShare(self.network, watched), 0, 0
        for place, measure in enumerate(self.limits.measures):
            tolled = frozenset(owner for owner, units in enumerate(measure.units) if units) - {OWN}
            if not measure.more and tolled and tolled >= self.demands.capped:
                for price in _PRICES:
                    yield OwnShare(self.network, watched, tolled, price), measure.most, place * self.limits.width

    def _may_gain(self, place: int, used: int, gain: int, paid: int) -> bool:
        """Return whether own track may become the greater part. *used*: the bits of the lines used before."""
        mask = (1 << self.limits.width) - 1
        return all(
            share.may_gain(place, used, 1 - gain - share.price * (most - (paid >> at & mask)))
            for share, most, at in self.shares
        )

    def _promised(self, cost: int, least: int, due: int) -> int:
        """Return what a way costs at least. *due*: what is paid and still to be paid by measure."""
        if least >= NEVER:
            return NEVER
        spare, resources, more = self.limits.spare, self.resources, self.limits.more
        level = least // LEVEL
        left = self.limits.most + level * more - due
        within = left & spare
        if within == spare:
            return least
        if within & resources != resources:
            return NEVER
        while within != spare:
            level += 1
            if level > self.limits.levels:
                return NEVER
            left += more
            within = left & spare
        return level * LEVEL + cost % LEVEL

    def _go_on(self, label: Label, only: int, queue: list[Label]) -> None:
        """Add the labels one line further on that may become a legal way. Most of the time of a search is spent here."""
        _, path, all_owners, spent, has_own, gained, paid, used = label
        here, before, before_owner = path[-1], path[-2] if all_owners else -1, all_owners[-1] if all_owners else OWN
        barred, ahead, due_ahead, tilted = self.network.barred, self.ahead, self.due_ahead, self.tilted
        legs = self.legs
        for hexes, owners, first, last, end, cost, due, again, rebate, own, gain, bit in self.steps[here]:
            if (
                hexes[0] == before
                or used & bit
                or only not in (ANYWHERE, hexes[0])
                or (barred and (before, here, hexes[0]) in barred)
            ):
                continue
            own |= has_own
            cost += spent
            due += paid
            gain += gained
            if before_owner == first != OWN:
                cost -= rebate
                due -= again
            rest = ahead[own][last][end]
            if tilted is not None:  # what is still to be gained on own track was made cheaper
                rest = max(rest, tilted.least(True)[own][last][end] + (1 - gain) * tilted.measures[0].point)
            least = self._promised(cost, cost + rest, due + due_ahead[own][last][end])
            if legs is not None and least < NEVER:
                least = max(least, legs.least_at((end, last), cost, own, due, used | bit))
            if least < NEVER and (not self.shares or self._may_gain(end, used | bit, gain, due)):
                heappush(queue, (least, path + hexes, all_owners + owners, cost, own, gain, due, used | bit))

    def _step(self, line: Line, bit: int) -> _Step:
        owners, first = line.owners, line.owners[0]
        return (
            line.path,
            owners,
            first,
            owners[-1],
            line.path[-1],
            self.cost.dues[line.place],
            self.limits.dues[line.place],
            self.limits.begun[first] if line.again else 0,
            self.cost.begun[first] if line.again else 0,
            1 if line.own else 0,
            2 * line.own - len(owners) if self.demands.shares else 0,
            bit,
        )
