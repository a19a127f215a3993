"""What is left of a way once it has left own track for good, for the search of routes. Rule: D6.2, D6.4.

A way that must use own track has a last leg: over rivals' track alone, from own track to the end. Those that may be worth it,
some hundreds, are kept with all that each pays. So a way from the start is known to fit one of them or none, which sums of
tolls do not tell. What lies between the two costs at least what it takes to come to where the leg begins.

The rows of many legs lie side by side in one number, so that a way is compared with all of them at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from referee.games.dampfross.route.bounds import NEVER, Bounds
from referee.games.dampfross.route.dominance import Label
from referee.games.dampfross.route.network import OWN

_Leg = tuple[int, int]  # (cost, its row: what is paid of each limit, and watched lines)
_End = tuple[int, int]  # (knot, whose track is used last up to there)
# Legs, the cheapest first: (costs, what each leaves of every limit, a 1 in each row, the spare bits, the carry bits).
_Rows = tuple[list[int], int, int, int, int]


@dataclass(slots=True, kw_only=True)
class LastLegs:
    """Last legs by the knot where they begin, as labels of a search from the end."""

    cost: Bounds
    limits: Bounds
    first: int  # how many of the limits imply the others
    watched: int  # lines that may be used once
    legs: Mapping[int, Sequence[Label]]
    until: int  # what a way with any other last leg costs at least
    at: int = field(init=False)  # where the watched lines are in a row, two bits for each
    slot: int = field(init=False)  # bits from row to row, whole bytes; the last is there to carry into
    spare: int = field(init=False)  # a spare bit above each field
    full: int = field(init=False)  # all that there is of each limit, with the spare bits
    exits: list[tuple[_End, _Rows]] = field(init=False)  # where lines with own track end
    leanest: _Rows = field(init=False)  # of the legs from there those that pay the least: where none fits no other does
    at_once: dict[_End, _Rows] = field(init=False, default_factory=dict)  # legs that begin there
    # What is due before further own track, and the legs after it: (cost at least with one of them, without it, the legs).
    later: dict[_End, tuple[int, list[tuple[int, int, _Rows]]]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.at = self.limits.width * self.first
        once = sum([1 << self.at + 2 * place for place in range(self.watched)])
        self.slot = (self.at + 2 * self.watched) // 8 * 8 + 8
        self.spare = self._limited(self.limits.spare) | once << 1
        self.full = self._limited(self.limits.most) | once | once << 1
        ends = {(line.path[-1], line.owners[-1]) for line in self.cost.network.lines if line.own}
        self.exits = [(end, self._at_once(end)) for end in sorted(ends) if self.legs.get(end[0])]
        self.leanest = self._leanest()

    def least(self, label: Label) -> int:
        """Return what a way of which *label* is the beginning costs at least, NEVER where it fits no last leg."""
        _, path, owners, cost, own, _, paid, used = label
        return self.least_at((path[-1], owners[-1] if owners else OWN), cost, own, paid, used)

    def least_at(self, end: tuple[int, int], cost: int, own: int, paid: int, used: int) -> int:
        """Return the same for a way that ends there."""
        row, least = self._limited(paid) | used << self.at, self.until - cost
        if own:
            least = min(least, self._cheapest(self._at_once(end), row))
        if end not in self.later:
            self.later[end] = self._later(end)
        due, later = self.later[end]
        row += due
        if later and later[0][0] < least and self.full - row & self.spare == self.spare:
            if self._cheapest(self.leanest, row) == NEVER:
                return cost + least
            for at_least, before, legs in later:
                if at_least >= least:
                    break
                least = min(least, before + self._cheapest(legs, row))
        return cost + least

    def _limited(self, paid: int) -> int:
        return paid & (1 << self.at) - 1

    def _legs(self, end: _End) -> Iterable[_Leg]:
        """Give the legs from there, as they are after what was used before."""
        knot, last = end
        for _, _, owners, cost, _, _, paid, used in self.legs.get(knot, ()):
            if owners and owners[-1] == last:
                cost -= self.cost.begun[last]
                paid -= self.limits.begun[last]
            yield cost, self._limited(paid) | used << self.at

    def _at_once(self, end: _End) -> _Rows:
        if end not in self.at_once:
            self.at_once[end] = self._rows(sorted(self._legs(end)))
        return self.at_once[end]

    def _later(self, end: _End) -> tuple[int, list[tuple[int, int, _Rows]]]:
        knot, last = end
        due = 0 if last == OWN else self._limited(self.limits.to_own()[last][knot])
        ways = [(self.cost.to(*way_out)[last][knot], legs) for way_out, legs in self.exits]
        later = [(before + legs[0][0], before, legs) for before, legs in ways if before < NEVER]
        return due, sorted(later, key=lambda each: each[:2])

    def _leanest(self) -> _Rows:
        most, kept = self.full ^ self.spare, self._rows([])
        for leg in sorted({leg for end, _ in self.exits for leg in self._legs(end)}):
            if self._cheapest(kept, most - leg[1]) == NEVER:  # none of those pays no more anywhere
                costs, left, ones, _, _ = kept
                at = len(costs) * self.slot
                left, ones = left | self.full - leg[1] << at, ones | 1 << at
                kept = [*costs, leg[0]], left, ones, self.spare * ones, ones << self.slot - 1
        return kept

    def _rows(self, legs: Sequence[_Leg]) -> _Rows:
        size = self.slot // 8
        left = b"".join([(self.full - row).to_bytes(size, "little") for _, row in legs])
        ones = int.from_bytes((1).to_bytes(size, "little") * len(legs), "little")
        costs = [cost for cost, _ in legs]
        return costs, int.from_bytes(left, "little"), ones, self.spare * ones, ones << self.slot - 1

    def _cheapest(self, rows: _Rows, row: int) -> int:
        """Return what the first leg costs that fits beside *row*, NEVER if none does."""
        costs, left, ones, spare, carry = rows
        missing = left - row * ones & spare ^ spare
        fitting = carry - missing & carry
        return costs[(fitting & -fitting).bit_length() // self.slot - 1] if fitting else NEVER
