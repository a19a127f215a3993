"""The best walk of a train that keeps to certain demands: A* over labels, one for each way that may still become the best one.

What is paid by meter is one number with a field for each meter and a spare bit above each field, so that one subtraction
compares all of them: a spare bit that is set before is borrowed from where the field is too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

from referee.games.dampfross.route.bounds import NEVER, Bounds, Tables, Weights
from referee.games.dampfross.route.dominance import ANYWHERE, NOWHERE, Front, Label, Measure
from referee.games.dampfross.route.network import OWN, Line, Network
from referee.games.dampfross.route.ownshare import OwnShare

_DEAR = 2  # what one try counts while own track must be the greater part: it takes longer
_PRICES = (1, 2)  # hex-sides that a unit of toll is set against where own track must be the greater part


@dataclass(frozen=True, slots=True, kw_only=True)
class Demands:
    """What a search has to look at; the rest is checked afterwards, and demanded if it was broken."""

    most: int | None
    cap: int
    greater: bool  # own track must be the greater part
    owns: bool = False  # whether some own track is demanded
    shares: bool = False  # whether it must be the greater part
    capped: frozenset[int] = frozenset()  # rivals whose toll is; OWN stands for the sum of all tolls
    once: frozenset[int] = frozenset()  # lines that may not be used twice


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meter:
    """What is counted beside the cost, the most there may be of it, and what is still to come at least."""

    weights: Weights
    most: int
    least: Tables
    tolled: frozenset[int] = frozenset()  # whose tolls are counted


def _meters(network: Network, bounds: Bounds, demands: Demands) -> Iterator[_Meter]:
    """Give the meters: tolls of capped rivals, one by one and together, all tolls, the share of own track. Rule: D6.2, D6.4."""
    owners = range(len(network.rivals) + 1)
    rivals = demands.capped - {OWN}
    counted = [(frozenset({rival}), demands.cap) for rival in sorted(rivals)]
    if len(rivals) > 1:
        counted.append((rivals, len(rivals) * demands.cap))
    if OWN in demands.capped and demands.most is not None:
        counted.append((frozenset(owners) - {OWN}, demands.most))
    for group, most in counted:
        weights = Weights(units=tuple(int(owner in group) for owner in owners))
        yield _Meter(weights=weights, most=most, least=bounds.least(weights, demands.owns), tolled=group)
    if demands.shares:
        weights = Weights(units=(0,) * len(owners), rival_side=1)
        # Hex-sides over rivals must be fewer than all own ones there are.
        yield _Meter(weights=weights, most=_all_own(network) - 1, least=bounds.least(weights, demands.owns))


def _all_own(network: Network) -> int:
    return sum({line.number: line.own for line in network.lines if line.own}.values())


# A line as a search counts it: (hexes after its start, owners, the first, the last, cost, due by meter, how much less is due if
# a go over the first owner is under way, and how much less it costs, 1 if there is own track, gain, its bit or 0 if it is not
# watched, where it ends, a number for that and the last owner).
_Step = tuple[tuple[int, ...], tuple[int, ...], int, int, int, int, int, int, int, int, int, int, int]


@dataclass(slots=True)
class Search:
    """One search with a fixed set of demands."""

    network: Network
    bounds: Bounds
    weights: Weights
    demands: Demands
    ahead: Tables = field(init=False)
    tilted: Tables | None = field(init=False, default=None)
    meters: tuple[_Meter, ...] = field(init=False)
    shift: int = field(init=False)  # bits from field to field
    spare: int = field(init=False)  # all spare bits
    begin: tuple[int, ...] = field(init=False)  # by owner, what is due for beginning a go, beside its hex-sides
    steps: Mapping[int, tuple[_Step, ...]] = field(init=False)  # by knot
    # With the most tolls, and their field.
    shares: tuple[tuple[OwnShare, int, int], ...] = field(init=False, default=())
    left: dict[int, int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        network, demands, weights = self.network, self.demands, self.weights
        self.ahead = self.bounds.least(weights, demands.owns)
        self.meters = tuple(_meters(network, self.bounds, demands))
        most = max((meter.most for meter in self.meters), default=0)
        due = max((due for meter in self.meters for due in self.bounds.of_lines(meter.weights)), default=0)
        self.shift = 1 + most.bit_length() + due.bit_length()
        self.spare = self._packed(1 << self.shift - 1 for _ in self.meters)
        again = network.tariff.again
        self.begin = tuple(
            self._packed(again * meter.weights.units[owner] for meter in self.meters)
            for owner in range(len(weights.units))
        )
        self.steps = self._all_steps()
        if demands.shares:
            # A point off each own hex-side, a point on each other one.
            tilt = Weights(units=(0,) * len(weights.units), own_side=-1, rival_side=1)
            self.tilted = self.bounds.least(weights.plus(tilt, weights.point), demands.owns)
            self.shares = tuple(self._shares())

    def best(self, tries: int) -> tuple[Label | None, int]:
        """Return the best walk, None where there is none, and how many of *tries* are left, 0 if they did not settle it.

        Ties go to the first path: labels are tried in that order.
        """
        network, demands = self.network, self.demands
        queue = [label for place in network.starts for label in self._begun(place)]
        heapify(queue)
        fronts: dict[tuple[int, int], Front] = {}
        measure = self._measure()
        while queue and tries:
            label = heappop(queue)
            path, owners, own, gain = label[1], label[2], label[4], label[5]
            if own and path[-1] in network.ends and (gain > 0 or not demands.shares):
                return label, tries
            only = ANYWHERE
            if owners:
                at = (path[-1], path[-2] if network.barred else ANYWHERE)
                if at not in fronts:
                    fronts[at] = Front(measure)
                only = fronts[at].take(label)
                if only == NOWHERE:
                    continue
            tries = max(0, tries - (_DEAR if self.shares else 1))
            self._go_on(label, only, queue)
        return None, tries

    def _begun(self, place: int) -> Iterator[Label]:
        own = 0 if self.demands.owns else 1
        least = self.ahead[own][OWN][place]
        key = 2 * place | own
        if least < NEVER and (not self.meters or self._left(key) >= 0) and self._may_gain(place, 0, 0, 0):
            yield least, (place,), (), 0, own, 0, 0, 0

    def _go_on(self, label: Label, only: int, queue: list[Label]) -> None:
        """Add the labels one line further on that may become a legal way. Most of the time of a search is spent here."""
        _, path, all_owners, spent, has_own, gained, paid, used = label
        here, before, before_owner = path[-1], path[-2] if all_owners else -1, all_owners[-1] if all_owners else OWN
        barred, ahead, meters, left, spare = self.network.barred, self.ahead, self.meters, self.left, self.spare
        tilted, point, shares = self.tilted, self.weights.point, self.shares
        for hexes, owners, first, last, cost, due, again, rebate, own, gain, bit, end, key in self.steps[here]:
            if (
                hexes[0] == before
                or used & bit
                or only not in (ANYWHERE, hexes[0])
                or (barred and (before, here, hexes[0]) in barred)
            ):
                continue
            own |= has_own
            rest = ahead[own][last][end]
            if rest >= NEVER:
                continue
            cost += spent
            due += paid
            if before_owner == first != OWN:
                cost -= rebate
                due -= again
            if meters:
                key |= own
                most = left.get(key)
                if most is None:
                    most = self._left(key)
                if most < 0 or (most - due) & spare != spare:
                    continue
            gain += gained
            if tilted is not None:
                # What is still to be gained on own track was made cheaper.
                rest = max(rest, tilted[own][last][end] + (1 - gain) * point)
            if shares and not self._may_gain(end, used | bit, gain, due):
                continue
            heappush(queue, (cost + rest, path + hexes, all_owners + owners, cost, own, gain, due, used | bit))

    def _left(self, key: int) -> int:
        """Return what may be paid by meter up to a knot, with the spare bits set; -1 where nothing may."""
        owner, place = divmod(key >> 1, len(self.network.hexes))
        left = [meter.most - meter.least[key & 1][owner][place] for meter in self.meters]
        self.left[key] = self.spare + self._packed(left) if min(left) >= 0 else -1
        return self.left[key]

    def _may_gain(self, place: int, used: int, gain: int, paid: int) -> bool:
        """Return whether own track may still become the greater part, whatever meter of tolls is set against it."""
        mask = (1 << self.shift - 1) - 1
        return all(
            share.may_gain(place, used, 1 - gain - share.price * (most - (paid >> at & mask)))
            for share, most, at in self.shares
        )

    def _shares(self) -> Iterator[tuple[OwnShare, int, int]]:
        """Give the bounds of own track: alone, with all tolls of capped rivals, with all tolls."""
        watched = tuple(sorted(self.demands.once))
        yield self.bounds.own_share(watched, frozenset(), 0), 0, 0
        most = {meter.tolled: (meter.most, place) for place, meter in enumerate(self.meters) if meter.tolled}
        for tolled in dict.fromkeys((self.demands.capped - {OWN}, frozenset(range(1, len(self.begin))))):
            if tolled in most:
                units, place = most[tolled]
                for price in _PRICES:
                    yield self.bounds.own_share(watched, tolled, price), units, place * self.shift

    def _measure(self) -> Measure:
        network, demands = self.network, self.demands
        tolls = {min(meter.tolled): at for at, meter in enumerate(self.meters) if len(meter.tolled) == 1}
        places = {rival: place for place, rival in enumerate(tolls)}
        return Measure(
            spare=self.spare,
            again=network.tariff.again,
            begin_cost=tuple([network.tariff.again * units for units in self.weights.units]),
            begin_paid=self.begin,
            tolls=tuple([at * self.shift for at in tolls.values()]),
            place_of=tuple([places.get(owner, -1) for owner in range(len(self.begin))]),
            cap=demands.cap if tolls else 0,
            mask=(1 << self.shift - 1) - 1,
            back=bool(not network.usual or network.barred or demands.owns or demands.shares),
        )

    def _packed(self, numbers: Iterable[int]) -> int:
        return sum([number << place * self.shift for place, number in enumerate(numbers)])

    def _all_steps(self) -> dict[int, tuple[_Step, ...]]:
        costs = self.bounds.of_lines(self.weights)
        dues = [0] * len(costs)
        for place, meter in enumerate(self.meters):
            at = place * self.shift
            dues = [due + (more << at) for due, more in zip(dues, self.bounds.of_lines(meter.weights), strict=True)]
        bits = {number: 1 << place for place, number in enumerate(sorted(self.demands.once))}
        return {
            knot: tuple([self._step(line, costs[line.place], dues[line.place], bits) for line in lines])
            for knot, lines in self.network.exits.items()
        }

    def _step(self, line: Line, cost: int, due: int, bits: Mapping[int, int]) -> _Step:
        owners, hexes, again = line.owners, line.path, line.again
        first, last, end = owners[0], owners[-1], hexes[-1]
        return (
            hexes,
            owners,
            first,
            last,
            cost,
            due,
            self.begin[first] if again else 0,
            again * self.weights.units[first],
            1 if line.own else 0,
            2 * line.own - len(owners) if self.demands.shares else 0,
            bits.get(line.number, 0),
            end,
            2 * (last * len(self.network.hexes) + end),
        )
