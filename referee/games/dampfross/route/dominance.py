"""Which ways of a train at one knot leave nothing to a further one, for the search of routes.

Every label, a way up to there, is compared with all the others of its knot at once: what each costs and has paid to whom lies
in one number, a row of fields beside the other rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

# (cost at least to the end, path, owners, cost so far, whether some own track is there or not demanded, own hex-sides less
# those over rivals, what is paid by measure, watched lines used): the order in which labels are tried
Label = tuple[int, tuple[int, ...], tuple[int, ...], int, int, int, int, int]

ANYWHERE = -1
NOWHERE = -2


@dataclass(slots=True, kw_only=True)
class Yardstick:
    """By what the labels of a search are compared."""

    level: int  # what comes first in the aim, in the cost of a way
    levels: int  # the most of that
    width: int  # of a field of what is paid, with a spare bit
    first: int  # how many of the fields imply the others
    begin_cost: tuple[int, ...]  # by owner, what the first hex-side of a go costs more than each further one
    begin_paid: tuple[int, ...]  # the same, by measure
    watched: int  # lines that may be used once
    back: bool  # whether running back over the line before may be the best
    back_at_first: bool  # whether it may while no own track was used
    turns: frozenset[int]  # knots from where it counts by which line a way came
    places: tuple[int, int, int] = field(
        init=False
    )  # in a row, after what is paid: watched lines, levels, missing own track
    paid: int = field(init=False)  # the bits of the first fields
    slot: int = field(init=False)  # bits from row to row; the last is there to carry into
    spare: int = field(init=False)  # a spare bit above each field
    begun: tuple[int, ...] = field(init=False)  # by owner, how much less is in a row while a go is under way
    rows: list[tuple[int, int, int]] = field(init=False)  # for so many: a 1 in each, the spare bits, the carry bits

    def __post_init__(self) -> None:
        watched = self.width * self.first
        levels = watched + 2 * self.watched
        own = levels + self.levels.bit_length() + 1
        self.places, self.slot, self.paid = (watched, levels, own), own + 3, (1 << watched) - 1
        ends = (*range(self.width, watched + 1, self.width), *range(watched + 2, levels + 1, 2), own, own + 2)
        self.spare = sum([1 << end - 1 for end in ends])
        self.rows = [(0, 0, 0)]
        self.begun = tuple(map(self._begun, self.begin_cost, self.begin_paid))

    def row(self, label: Label) -> int:
        """Return what counts of a label in one number."""
        watched, levels, own = self.places
        row = label[6] & self.paid | label[7] << watched
        return row | label[3] // self.level << levels | 1 - label[4] << own

    def _begun(self, cost: int, paid: int) -> int:
        return paid & self.paid | cost // self.level << self.places[1]


@dataclass(slots=True)
class Front:
    """The labels of one knot."""

    by: Yardstick
    labels: list[Label] = field(default_factory=list)
    rows: int = 0
    last: dict[int, int] = field(default_factory=dict)  # by whose track was used last, the carry bits of such rows

    def take(self, label: Label) -> int:
        """Return where *label*, not the first at a start, must be tried: ANYWHERE, NOWHERE, or to one hex only, as its place.

        What it can become is open to others as well, but each cannot run back over the line it came by. Where there is one
        such other, *label* is for that line alone; where there are two that came by different lines, for none. A label that
        must be tried is taken in.
        """
        row, only = self.by.row(label), ANYWHERE
        for other in self._no_worse(row, label[2][-1]):
            if self._is_as_good(other, label):
                via = other[1][-2]
                if via == label[1][-2] or only not in (ANYWHERE, via) or not self._may_run_back(other):
                    return NOWHERE
                only = via
        self._add(label, row)
        return only

    def _no_worse(self, row: int, last: int) -> Iterator[Label]:
        """Give the labels that have paid nobody more; one that used another's track last would have to begin a go."""
        spare, begun, slot = self.by.spare, self.by.begun[last], self.by.slot
        may = self._rows_up_to(row)
        if begun:
            may &= self.last.get(last, 0)
            if (row | spare) - begun & spare == spare:
                may |= self._rows_up_to(row - begun)
        while may:
            bit = may & -may
            may ^= bit
            yield self.labels[bit.bit_length() // slot - 1]

    def _rows_up_to(self, row: int) -> int:
        """Return the carry bits of all rows without a field that is greater than in *row*."""
        ones, spare, carry = self.by.rows[len(self.labels)]
        missing = (row | self.by.spare) * ones - self.rows & spare ^ spare
        return carry - missing & carry

    def add(self, label: Label) -> None:
        """Take a label in that must be tried."""
        self._add(label, self.by.row(label))

    def _add(self, label: Label, row: int) -> None:
        last, slot = label[2][-1], self.by.slot
        at = len(self.labels) * slot
        carry = 1 << at + slot - 1
        self.labels.append(label)
        self.rows |= row << at
        self.last[last] = self.last.get(last, 0) | carry
        if len(self.by.rows) == len(self.labels):
            ones, spare, carries = self.by.rows[-1]
            self.by.rows.append((ones | 1 << at, spare | self.by.spare << at, carries | carry))

    def _may_run_back(self, other: Label) -> bool:
        """Return whether a way that runs back over the line by which *other* came may be the best.

        Not while *other* has used no own track: it was where that way comes to, and could have gone on from there for less.
        """
        by = self.by
        return by.back and (by.back_at_first or other[4] == 1 or not by.turns.isdisjoint(other[1]))

    def _is_as_good(self, other: Label, label: Label) -> bool:
        _, path, owners, cost, _, gain, _, _ = label
        _, other_path, other_owners, other_cost, _, other_gain, _, _ = other
        if other_owners[-1] != owners[-1]:
            cost -= self.by.begin_cost[owners[-1]]
        return (
            other_cost <= cost
            and other_gain >= gain
            and (other_cost < cost or (other_path, other_owners) <= (path, owners))
        )
