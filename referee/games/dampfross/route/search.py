"""A resource-constrained shortest path: label setting, the label that promises most first (A*). Rule: D6.2-D6.4.

A label is a way up to the end of an edge. It promises what it has cost and the rest costs at least; one that would break a
limit whatever comes is dropped. So is one that is dominated: others at its hex have cost and paid no more, and can go on in
each way in which it can.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

from referee.core.hexes import Hex, Side
from referee.games.dampfross.route.bounds import Bounds, Limits
from referee.games.dampfross.route.network import OWN, Network
from referee.games.dampfross.route.ownshare import OwnShare

_START = -2  # the node of a way without an edge
_DEAR = 4  # what one try counts while own track must be the greater part: it takes longer


class Label(NamedTuple):
    """A way, in the order in which ways are tried: of two that promise the same the first path."""

    least: int  # what it costs to the end at least
    path: tuple[Hex, ...]
    owners: tuple[int, ...]
    cost: int
    node: int
    paid: int  # all that is limited
    used: int  # bits of the hex-sides that may be used once


class Step(NamedTuple):
    """An edge after a node."""

    node: int
    path: tuple[Hex, ...]  # what it adds to that of a way
    owners: tuple[int, ...]
    cost: int
    least: int  # what the rest costs
    tilted: int  # the same, if a point came off each own hex-side and on each other one
    paid: int
    room: int  # what may have been paid before
    gain: int  # own hex-sides less others
    bits: int


class Search:
    """A search with fixed limits. *tilted*: as ``Step`` has it; *once*: hex-sides that may not be used twice."""

    def __init__(self, network: Network, cost: Bounds, tilted: Bounds, limits: Limits, once: tuple[Side, ...]) -> None:
        self.network, self.cost, self.tilted, self.limits = network, cost, tilted, limits
        bits = {laid: 1 << 2 * place for place, laid in enumerate(dict.fromkeys((*limits.own, *once)))}
        self.bits = [sum({bits.get(laid, 0) for laid in edge.sides}) for edge in network.edges]
        self.share = OwnShare(network, {laid: bits[laid] for laid in limits.own}) if limits.own else None
        self.steps: dict[int, dict[int, Step]] = {}
        self.fronts: dict[Hex, list[tuple[int, Label, dict[int, Step]]]] = {}
        # A row has all that a label is compared by but its cost: what is paid, the lack of own track, the lines used.
        width, first = limits.width, limits.first
        self.at = first * width, (first + 1) * width, (first + 2) * width
        self.spare = sum([1 << place * width - 1 for place in range(1, first + 3)])
        self.spare |= sum(bits.values()) << self.at[2] + 1
        self.first = (1 << first * width) - 1

    def best(self, tries: int) -> tuple[Label | None, int]:
        """Return the best way, None where there is none, and how many of *tries* are left, 0 if they did not settle it."""
        queue: list[Label] = []
        begin = Label(0, (), (), 0, _START, 0, 0)
        self._extend(begin, self._steps(begin), queue)
        while queue and tries:
            label = heappop(queue)
            if label.node % 2 and label.path[-1] in self.network.ends and (self.share is None or _gain(label) > 0):
                return label, tries
            tries -= 1 if self.share is None else min(tries, _DEAR)
            if self.share is None or self.share.gain(label.path[-1], label.used) + _gain(label) > 0:
                self._extend(label, self._undominated(label), queue)
        return None, tries

    def _extend(self, label: Label, steps: dict[int, Step], queue: list[Label]) -> None:
        _, path, owners, cost, _, paid, used = label
        share, spare = self.share, self.limits.spare
        for step in steps.values():
            node, hexes, whose, due, least, tilted, pays, room, gain, bits = step
            if used & bits or (room - paid) & spare != spare:
                continue
            if share is not None:  # what is still to be gained on own track was made cheaper
                least = max(least, tilted + (1 - gain - _gain(label)) * self.cost.point)
            due += cost
            heappush(queue, Label(due + least, path + hexes, owners + whose, due, node, paid + pays, used | bits))

    def _undominated(self, label: Label) -> dict[int, Step]:
        """Return the steps after a label that others do not spare it; where there are some it is kept for comparison."""
        _, path, owners, cost, node, paid, used = label
        at_own, at_gain, at_used = self.at
        row = paid & self.first | 1 - node % 2 << at_own | used << at_used
        if self.share is not None:
            row |= len(self.share.bits) - _gain(label) << at_gain
        steps, front, spare, last = self._steps(label), self.fronts.setdefault(path[-1], []), self.spare, owners[-1]
        # Who comes over another's track may have to begin a go where this one is under way.
        room, cost_room = (row | spare) - (self.limits.bounds.begun[last] & self.first), cost - self.cost.begun[last]
        left = steps
        for other_row, other, other_steps in front:
            if other.owners[-1] == last:
                fits, most = ((row | spare) - other_row) & spare == spare, cost
            else:
                fits, most = (room - other_row) & spare == spare, cost_room
            if fits and (other.cost, other.path, other.owners) <= (most, path, owners):
                left = {place: step for place, step in left.items() if place not in other_steps}
                if not left:
                    return left
        front.append((row, label, steps))
        return left

    def _steps(self, label: Label) -> dict[int, Step]:
        """Return by edge the steps after a label from which there may be a way to the end."""
        node = label.node
        if node not in self.steps:
            last = label.owners[-1] if label.owners else OWN
            onward = range(self.network.starts) if node == _START else self.network.onward[node // 2]
            self.steps[node] = {
                place: self._step(place, node % 2, last, node == _START)
                for place in onward
                if 2 * place + (node % 2 or self.network.edges[place].own > 0) in self.cost.least
            }
        return self.steps[node]

    def _step(self, place: int, own: int, last: int, first: bool) -> Step:
        edge, cost, limits = self.network.edges[place], self.cost, self.limits.bounds
        is_going, node = edge.owners[0] == last, 2 * place + (1 if own or edge.own else 0)
        paid = (limits.going if is_going else limits.dues)[place]
        return Step(
            node=node,
            path=edge.path if first else edge.path[1:],
            owners=edge.owners,
            cost=(cost.going if is_going else cost.dues)[place],
            least=cost.least[node],
            tilted=self.tilted.least[node],
            paid=paid,
            room=self.limits.most - paid - limits.least[node],
            gain=2 * edge.own - len(edge.owners),
            bits=self.bits[place],
        )


def _gain(label: Label) -> int:
    """Return own hex-sides less others."""
    return 2 * label.owners.count(OWN) - len(label.owners)
