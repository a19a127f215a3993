"""The labels tried at one knot, for the search of routes: whether they leave anything to a further one.

A label is idle where another one at the same knot can do all that it can, and as cheaply. There may be many labels, told apart
by what was paid to whom; so for each rival and each number of units there is a set of those that paid no more, as bits, and a
few such sets leave hardly any label to compare.
"""

from __future__ import annotations

from dataclasses import dataclass, field

# (cost at least to the end, path, owners, cost so far, whether some own track is there or not demanded, own hex-sides less
# those over rivals, paid by meter, watched lines used): the order in which labels are tried
Label = tuple[int, tuple[int, ...], tuple[int, ...], int, int, int, int, int]

ANYWHERE = -1
NOWHERE = -2


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """By what the labels of a search are compared."""

    spare: int  # the spare bits of what is paid by meter
    again: int  # units that the first hex-side of a go costs more than each further one
    begin_cost: tuple[int, ...]  # by owner, what that costs
    begin_paid: tuple[int, ...]  # the same, by meter
    tolls: tuple[int, ...]  # for each capped rival, by how many bits their toll is shifted in what is paid by meter
    place_of: tuple[int, ...]  # by owner, their place in ``tolls``, -1 where they have none
    cap: int  # units, if there is a capped rival
    mask: int  # the bits of one toll
    back: bool  # whether running back over the line before may be the best


@dataclass(slots=True)
class Front:
    """The labels of one knot. Sets of them are bits in the order of ``labels``."""

    measure: Measure
    labels: list[Label] = field(default_factory=list)
    all: int = 0
    with_own: int = 0
    by_last: list[int] = field(init=False)  # by owner whose track was used last
    up_to: list[list[int]] = field(init=False)  # by place in ``Measure.tolls`` and units

    def __post_init__(self) -> None:
        self.by_last = [0] * len(self.measure.place_of)
        self.up_to = [[0] * (self.measure.cap + 1) for _ in self.measure.tolls]

    def take(self, label: Label) -> int:
        """Return where *label*, not the first at a start, must be tried: ANYWHERE, NOWHERE, or to one hex only, as its place.

        What it can become is open to others as well, but each cannot run back over the line it came by. Where there is one
        such other, *label* is for that line alone; where there are two that came by different lines, for none. A label that
        must be tried is taken in.
        """
        measure, paid = self.measure, label[6]
        tolls = [paid >> shift & measure.mask for shift in measure.tolls]
        may, only = self._paid_no_more(label, tolls), ANYWHERE
        while may:
            bit = may & -may
            may ^= bit
            other = self.labels[bit.bit_length() - 1]
            if self._is_as_good(other, label):
                via = other[1][-2]
                if not measure.back or via == label[1][-2] or only not in (ANYWHERE, via):
                    return NOWHERE
                only = via
        self._add(label, tolls)
        return only

    def _paid_no_more(self, label: Label, tolls: list[int]) -> int:
        """Return those with own track, if *label* has it, that paid no capped rival more.

        *label* may be on a go that another one would have to begin.
        """
        last, again = label[2][-1], self.measure.again
        may = self.with_own if label[4] else self.all
        lasting = self.measure.place_of[last]
        if lasting >= 0:
            up_to, toll = self.up_to[lasting], tolls[lasting]
            may &= up_to[toll] & self.by_last[last] | (up_to[toll - again] if toll >= again else 0)
        for toll, up_to in zip(tolls, self.up_to, strict=True):
            may &= up_to[toll]
        return may

    def _add(self, label: Label, tolls: list[int]) -> None:
        bit = 1 << len(self.labels)
        self.labels.append(label)
        self.all |= bit
        if label[4]:
            self.with_own |= bit
        self.by_last[label[2][-1]] |= bit
        for least, up_to in zip(tolls, self.up_to, strict=True):
            for toll in range(least, len(up_to)):
                up_to[toll] |= bit

    def _is_as_good(self, other: Label, label: Label) -> bool:
        _, path, owners, cost, _, gain, paid, used = label
        _, other_path, other_owners, other_cost, _, other_gain, other_paid, other_used = other
        last, spare = owners[-1], self.measure.spare
        paid |= spare
        if other_owners[-1] != last:
            cost -= self.measure.begin_cost[last]
            paid -= self.measure.begin_paid[last]
        return (
            other_cost <= cost
            and (paid - other_paid) & spare == spare
            and other_gain >= gain
            and not other_used & ~used
            and (other_cost < cost or (other_path, other_owners) <= (path, owners))
        )
