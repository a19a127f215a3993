"""What the rest of a train's way costs at least, for the search of routes: exact as long as nothing forbids the cheapest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from referee.games.dampfross.route.network import OWN, Line, Network
from referee.games.dampfross.route.ownshare import OwnShare

NEVER = 1 << 80  # costs more than any route

Table = tuple[Sequence[int], ...]  # by whose track was used last and by place, NEVER where no knot is
Tables = tuple[Table, Table]  # while own track is still to be used, and then


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What is counted of a way, as one number."""

    units: tuple[int, ...]  # by owner, none for own track
    point: int = 0
    own_side: int = 0
    rival_side: int = 0

    def plus(self, other: Weights, times: int) -> Weights:
        """Return weights that count what these count and *times* what *other* counts."""
        return Weights(
            units=tuple(one + times * two for one, two in zip(self.units, other.units, strict=True)),
            point=self.point + times * other.point,
            own_side=self.own_side + times * other.own_side,
            rival_side=self.rival_side + times * other.rival_side,
        )

    def of(self, network: Network) -> tuple[int, ...]:
        """Return the number for each line, if a go begins there."""
        point, own_side, rival_side, units = self.point, self.own_side, self.rival_side, self.units
        return tuple(
            [
                line.points * point
                + line.own * own_side
                + (len(line.owners) - line.own) * rival_side
                + sum([units[owner] * toll for owner, toll in line.tolls])
                for line in network.lines
            ]
        )


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the rest of a way comes to at least, from each knot. What was reckoned once is kept."""

    network: Network
    _lines: dict[Weights, tuple[int, ...]] = field(default_factory=dict)
    _tables: dict[tuple[Weights, bool], Table] = field(default_factory=dict)
    _shares: dict[tuple[tuple[int, ...], frozenset[int], int], OwnShare] = field(default_factory=dict)

    def of_lines(self, weights: Weights) -> tuple[int, ...]:
        """Return the number for each line, if a go begins there."""
        if weights not in self._lines:
            self._lines[weights] = weights.of(self.network)
        return self._lines[weights]

    def least(self, weights: Weights, with_own: bool) -> Tables:
        """Return the least number for the rest of a way; no line's may be negative.

        *with_own*: the first table is for ways that must still use own track; else both are the same.
        """
        least = self._table(weights, with_own=False)
        return (self._table(weights, with_own=True), least) if with_own else (least, least)

    def own_share(self, watched: tuple[int, ...], tolled: frozenset[int], price: int) -> OwnShare:
        """Return what own track may still be gained; *watched*: numbers of lines, in the order of their bits."""
        key = (watched, tolled, price)
        if key not in self._shares:
            self._shares[key] = OwnShare(self.network, watched, tolled, price)
        return self._shares[key]

    def _table(self, weights: Weights, with_own: bool) -> Table:
        table = self._tables.get((weights, with_own))
        if table is None:
            seeds = self._into_own(weights) if with_own else [(0, place, OWN) for place in sorted(self.network.ends)]
            table = _least(self.network, weights, self.of_lines(weights), seeds, own=not with_own)
            self._tables[weights, with_own] = table
        return table

    def _into_own(self, weights: Weights) -> list[tuple[int, int, int]]:
        """Return where own track may be used next, with the number for the rest."""
        costs = self.of_lines(weights)
        seeds: list[tuple[int, int, int]] = []
        for line in self.network.lines:
            if line.own and (rest := self._ahead(weights, line)) < NEVER:
                cost, first = costs[line.place] + rest, line.owners[0]
                seeds += [(cost, line.start, OWN), (cost - line.again * weights.units[first], line.start, first)]
        return seeds

    def _ahead(self, weights: Weights, line: Line) -> int:
        """Return the number for the rest after a line that is not run back at once."""
        costs, least = self.of_lines(weights), self._table(weights, with_own=False)
        here, last = line.path[-1], line.owners[-1]
        rests = [0] if here in self.network.ends else [NEVER]
        for further in self.network.exits[here]:
            if further.number != line.number:
                spared = further.again * weights.units[last] if further.owners[0] == last else 0
                rests.append(costs[further.place] - spared + least[further.owners[-1]][further.path[-1]])
        return min(rests)


def _least(
    network: Network, weights: Weights, costs: tuple[int, ...], seeds: list[tuple[int, int, int]], own: bool
) -> Table:
    """Dijkstra backwards from *seeds*: (cost, knot, whose track a go is on there; OWN where the next begins anew).

    *own*: False leaves lines with own track out.
    """
    table = [[NEVER] * len(network.hexes) for _ in weights.units]
    units = weights.units
    fresh = table[OWN]
    queue: list[tuple[int, int, int]] = []
    for cost, knot, go in seeds:
        if cost < table[go][knot]:
            table[go][knot] = cost
            heappush(queue, (cost, knot, go))
    while queue:
        cost, here, go = heappop(queue)
        if cost > table[go][here] or (go != OWN and cost >= fresh[here]):
            continue
        for knot, first, last, has_own, again, place in network.arrivals[here]:
            if (go != OWN and last != go) or (has_own and not own):
                continue
            begun = cost + costs[place]
            if begun < fresh[knot]:
                fresh[knot] = begun
                heappush(queue, (begun, knot, OWN))
            if again and (under_way := begun - again * units[first]) < table[first][knot]:
                table[first][knot] = under_way
                heappush(queue, (under_way, knot, first))
    return (fresh, *(list(map(min, going, fresh)) for going in table[1:]))
