"""The best route a train may take, where a player leaves the choice to the referee. Rule: D6.2-D6.4, D6.6.

The answer is exact. A* over labels, one for each way that may still become the best one, first looks for the best walk with
few demands (as a rule it breaks none). What the walk breaks, a toll cap, the share of own track, a hex-side run over twice, is
demanded in the next search. Each search allows all that is legal, so the first walk that breaks nothing is the best route.

What is paid by meter is one number with a field for each meter and a spare bit above each field, so that one subtraction
compares all of them: a spare bit that is set before is borrowed from where the field is too small.

Without the share of own track no best walk comes to a hex twice: leaving out the loop costs no rival's account more. And
whoever may use own track does: a side over a rival in the middle of own ones costs no less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from heapq import heapify, heappop, heappush
from itertools import combinations, pairwise
from typing import NamedTuple

from referee.core.orders import Complaint
from referee.games.dampfross.bounds import NEVER, Bounds, Tables, Weights
from referee.games.dampfross.caps import cap_of
from referee.games.dampfross.network import OWN, MayPass, Network, network_of, passes_anywhere
from referee.games.dampfross.orders import Route
from referee.games.dampfross.state import Race, State

FASTEST = "fastest"
CHEAPEST = "cheapest"
UNSETTLED = "illegal-best-route-unsettled"
MOST_TRIES = 40_000  # some seconds

# (cost at least to the end, path, owners, cost so far, whether some own track is there or not demanded, own hex-sides less
# those over rivals, paid by meter, watched lines used): the order in which labels are tried
_Label = tuple[int, tuple[int, ...], tuple[int, ...], int, int, int, int, int]


def best_route(
    state: State,
    companies: tuple[str, ...],
    race: Race,
    *,
    aim: str,
    most: int | None = None,
    may_pass: MayPass = passes_anywhere,
    free: tuple[str, ...] = (),
    tries: int = MOST_TRIES,
) -> Route | None:
    """Return the best legal route of a train in *race* on the track as it lies, None where there is none.

    *companies*: one, or the two of a joint train. *aim*: ``fastest`` is fewest movement points, then units of toll, then
    hex-sides; ``cheapest`` is units, then points, then hex-sides; of equal ones the path first in the order of labels, and on
    it the owners first in the order of play. *most*: units the whole route may cost. *may_pass* forbids running through a hex;
    *free*: rivals whose track costs nothing without being own. Own track goes before a rival's on the same hex-side.
    Tolls keep to the cap without netting; balances are not looked at. ``over`` names each rival, "" is own track.

    Where *tries* do not settle it the route has a fault, and the player must write it: rare by the usual options, mostly where
    caps and own track leave no route at all; less so where own track must be the greater part. No other route is ever given.
    """
    network = network_of(state, companies, race, may_pass, free)
    bounds, weights = Bounds(network), _weights(network, aim)
    demands = _Demands(most=most, cap=cap_of(state), greater=state.table.options.own_share == "greater-part")
    while True:
        found, tries = _Search(network, bounds, weights, demands).best(tries)
        if not tries:
            params = (("race", race.number),)
            return Route(path=(), over=(), fault=Complaint(code=UNSETTLED, paragraph="D6.2", params=params))
        if found is None:
            return None
        _, path, owners, *_ = found
        broken = _with_broken(demands, network, path, owners)
        if broken == demands:
            codes = ("", *network.rivals)
            labels = tuple(network.labels[place] for place in path)
            return Route(path=labels, over=tuple(codes[owner] for owner in owners))
        demands = broken


# --- what is demanded ---


@dataclass(frozen=True, slots=True, kw_only=True)
class _Demands:
    """What a search has to look at; the rest is checked afterwards, and demanded if it was broken."""

    most: int | None
    cap: int
    greater: bool  # own track must be the greater part
    owns: bool = False  # whether some own track is demanded
    shares: bool = False  # whether it must be the greater part
    capped: frozenset[int] = frozenset()  # rivals whose toll is; OWN stands for the sum of all tolls
    once: frozenset[int] = frozenset()  # lines that may not be used twice


def _with_broken(demands: _Demands, network: Network, path: tuple[int, ...], owners: tuple[int, ...]) -> _Demands:
    """Return *demands* with all that a walk broke. Rule: D6.2, D6.4."""
    tolls = network.tariff.tolls(path, owners)
    over = {owner for owner, toll in tolls.items() if toll > demands.cap}
    if demands.most is not None and sum(tolls.values()) > demands.most:
        over.add(OWN)
    own = owners.count(OWN)
    return replace(
        demands,
        owns=demands.owns or not own,
        shares=demands.shares or (demands.greater and 2 * own <= len(owners)),
        capped=demands.capped | over,
        once=demands.once | _used_twice(network, path),
    )


def _used_twice(network: Network, path: tuple[int, ...]) -> frozenset[int]:
    """Return the line that is the first to be used twice, if any: the fewer are watched the better."""
    used: set[tuple[int, int]] = set()
    for here, there in pairwise(path):
        if (here, there) in used:
            lines = network.lines
            return frozenset(line.number for line in lines if (here, there) in pairwise((line.start, *line.hexes)))
        used |= {(here, there), (there, here)}
    return frozenset()


# --- what is counted ---


def _weights(network: Network, aim: str) -> Weights:
    """Return points, units and hex-sides as one number: what comes later in the aim never outweighs what comes before."""
    base = 1 << 16  # more than points, units or hex-sides of any walk that can be the best
    point, unit = {FASTEST: (base * base, base), CHEAPEST: (base, base * base)}[aim]
    return Weights(point=point, units=(0, *(unit for _ in network.rivals)), own_side=1, rival_side=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Meter:
    """What is counted beside the cost, the most there may be of it, and what is still to come at least."""

    weights: Weights
    most: int
    least: Tables


def _meters(network: Network, bounds: Bounds, demands: _Demands) -> Iterator[_Meter]:
    """Give the meters: tolls of capped rivals, one by one and together, all tolls, the share of own track. Rule: D6.2, D6.4."""
    owners = range(len(network.rivals) + 1)
    rivals = sorted(demands.capped - {OWN})
    groups = [frozenset(some) for size in range(1, len(rivals) + 1) for some in combinations(rivals, size)]
    counted = [(group, len(group) * demands.cap) for group in groups if len(group) in (1, 2, len(rivals))]
    if OWN in demands.capped and demands.most is not None:
        counted.append((frozenset(owners) - {OWN}, demands.most))
    for group, most in counted:
        weights = Weights(units=tuple(int(owner in group) for owner in owners))
        yield _Meter(weights=weights, most=most, least=bounds.least(weights, demands.owns))
    if demands.shares:
        weights = Weights(units=(0,) * len(owners), rival_side=1)
        # Hex-sides over rivals must be fewer than all own ones there are.
        yield _Meter(weights=weights, most=_all_own(network) - 1, least=bounds.least(weights, demands.owns))


def _all_own(network: Network) -> int:
    return sum({line.number: line.own for line in network.lines}.values())


# --- the search ---


class _Step(NamedTuple):
    """A line as a search counts it."""

    hexes: tuple[int, ...]
    owners: tuple[int, ...]
    first: int
    last: int
    cost: int
    due: int  # by meter
    again: int  # how much less is due if a go over the first owner is under way
    rebate: int  # and how much less it costs
    own: int  # 1 if there is own track
    gain: int
    bit: int  # 0 unless the line is watched


@dataclass(slots=True)
class _Search:
    """One search with a fixed set of demands."""

    network: Network
    bounds: Bounds
    weights: Weights
    demands: _Demands
    ahead: Tables = field(init=False)
    tilted: Tables | None = field(init=False, default=None)
    all_own: int = field(init=False)
    meters: tuple[_Meter, ...] = field(init=False)
    shift: int = field(init=False)  # bits from field to field
    spare: int = field(init=False)  # all spare bits
    begin: tuple[int, ...] = field(init=False)  # by owner, what is due for beginning a go, beside its hex-sides
    steps: Mapping[int, tuple[_Step, ...]] = field(init=False)  # by knot
    left: dict[tuple[int, int, int], int] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        network, demands, weights = self.network, self.demands, self.weights
        self.ahead = self.bounds.least(weights, demands.owns)
        self.all_own = _all_own(network)
        if demands.shares:
            # A point off each own hex-side, a point on each other one.
            tilt = Weights(units=(0,) * len(weights.units), own_side=-1, rival_side=1)
            self.tilted = self.bounds.least(weights.plus(tilt, weights.point), demands.owns)
        self.meters = tuple(_meters(network, self.bounds, demands))
        self.shift = 1 + max((meter.most for meter in self.meters), default=0).bit_length()
        self.shift += max(
            (due for meter in self.meters for due in self.bounds.of_lines(meter.weights)), default=0
        ).bit_length()
        self.spare = self._packed(1 << self.shift - 1 for _ in self.meters)
        again = network.tariff.again
        self.begin = tuple(
            self._packed(again * meter.weights.units[owner] for meter in self.meters)
            for owner in range(len(weights.units))
        )
        self.steps = self._all_steps()

    def best(self, tries: int) -> tuple[_Label | None, int]:
        """Return the best walk, None where there is none, and how many of *tries* are left, 0 if they did not settle it.

        Ties go to the first path: labels are tried in that order.
        """
        network, demands = self.network, self.demands
        queue = [label for place in network.starts for label in self._begun(place)]
        heapify(queue)
        tried: dict[tuple[int, int], dict[int, list[_Label]]] = {}
        # Where a line used twice may matter, ways that came over different lines are not compared.
        free = network.tariff.is_usual and not network.barred and not demands.owns and not demands.shares
        while queue and tries:
            label = heappop(queue)
            _, path, owners, _, own, gain, _, _ = label
            if own and path[-1] in network.ends and (gain > 0 or not demands.shares):
                return label, tries
            if owners:
                others = tried.setdefault((path[-1], -1 if free else path[-2]), {})
                if self._is_idle(label, others):
                    continue
                others.setdefault(owners[-1], []).append(label)
            tries -= 1
            for further in self._further(label):
                heappush(queue, further)
        return None, tries

    def _begun(self, place: int) -> Iterator[_Label]:
        own = 0 if self.demands.owns else 1
        least = self._at_least(OWN, place, 0, own, 0, 0)
        if least < NEVER:
            yield least, (place,), (), 0, own, 0, 0, 0

    def _further(self, label: _Label) -> Iterator[_Label]:
        """Give the labels one line further on."""
        _, path, owners, cost, own, gain, paid, used = label
        here, before, last = path[-1], path[-2] if owners else -1, owners[-1] if owners else OWN
        barred = self.network.barred
        for step in self.steps[here]:
            if used & step.bit or step.hexes[0] == before or (barred and (before, here, step.hexes[0]) in barred):
                continue
            spent, due = cost + step.cost, paid + step.due
            if last == step.first != OWN:
                spent, due = spent - step.rebate, due - step.again
            # Rivals' hex-sides are fewer than all own ones: so much gained is enough, whatever comes.
            gained = min(gain + step.gain, self.all_own)
            least = self._at_least(step.last, step.hexes[-1], spent, own | step.own, gained, due)
            if least < NEVER:
                yield (
                    least,
                    path + step.hexes,
                    owners + step.owners,
                    spent,
                    own | step.own,
                    gained,
                    due,
                    used | step.bit,
                )

    def _at_least(self, owner: int, place: int, cost: int, own: int, gain: int, paid: int) -> int:
        """Return what the whole way costs at least, NEVER or more where it cannot be legal. *owner*: whose track was last."""
        rest = self.ahead[own][owner][place]
        if rest >= NEVER:
            return NEVER
        if self.meters:
            key = (own, owner, place)
            left = self.left.get(key)
            if left is None:
                left = self.left[key] = self._left(*key)
            if left < 0 or (left - paid) & self.spare != self.spare:
                return NEVER
        if self.tilted is not None:
            # What is still to be gained on own track was made cheaper.
            rest = max(rest, self.tilted[own][owner][place] + (1 - gain) * self.weights.point)
        return cost + rest

    def _left(self, own: int, owner: int, place: int) -> int:
        """Return what may be paid by meter up to a knot, with the spare bits set; -1 where nothing may."""
        left = [meter.most - meter.least[own][owner][place] for meter in self.meters]
        return self.spare + self._packed(left) if min(left) >= 0 else -1

    def _is_idle(self, label: _Label, others: Mapping[int, list[_Label]]) -> bool:
        """Return whether all that *label* may become is as well open to another one at the same knot.

        *others*: by whose track was used last.
        """
        _, path, owners, cost, own, gain, paid, used = label
        last, spare = owners[-1], self.spare
        for other_last, labels in others.items():
            # *label* may be on a go that the other would have to begin.
            go = last if last != other_last else OWN
            most_cost, most_paid = (
                cost - self.network.tariff.again * self.weights.units[go],
                (paid | spare) - self.begin[go],
            )
            for _, other_path, other_owners, other_cost, other_own, other_gain, other_paid, other_used in labels:
                if (
                    other_cost <= most_cost
                    and (most_paid - other_paid) & spare == spare
                    and other_own >= own
                    and other_gain >= gain
                    and not other_used & ~used
                    and (other_cost < most_cost or (other_path, other_owners) <= (path, owners))
                ):
                    return True
        return False

    def _packed(self, numbers: Iterable[int]) -> int:
        return sum(number << place * self.shift for place, number in enumerate(numbers))

    def _all_steps(self) -> dict[int, tuple[_Step, ...]]:
        network, shares = self.network, self.demands.shares
        costs = self.bounds.of_lines(self.weights)
        dues = [
            self._packed(due)
            for due in zip(*(self.bounds.of_lines(meter.weights) for meter in self.meters), strict=True)
        ]
        bits = {number: 1 << place for place, number in enumerate(sorted(self.demands.once))}
        steps = [
            _Step(
                hexes=line.hexes,
                owners=line.owners,
                first=line.owners[0],
                last=line.owners[-1],
                cost=costs[line.place],
                due=dues[line.place] if dues else 0,
                again=self.begin[line.owners[0]] if line.again else 0,
                rebate=line.again * self.weights.units[line.owners[0]],
                own=1 if line.own else 0,
                gain=2 * line.own - len(line.owners) if shares else 0,
                bit=bits.get(line.number, 0),
            )
            for line in network.lines
        ]
        return {knot: tuple(steps[line.place] for line in lines) for knot, lines in network.exits.items()}
