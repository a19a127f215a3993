"""How much more own track than rivals' the rest of a train's way can still be, for the search of routes. Rule: D6.2.

A way uses each line once at most. Where it and all the own lines that are still free differ, the lines join knots in pairs:
those at which an odd number of free own lines meet, the train's own place and its end counted once more. So the rest of a way
gains no more than all free own lines do, less the cheapest way to join these knots in pairs: own track left out costs what it
would have gained, a rival's used costs its hex-sides. What is joined need not be one way, so that the bound may be too high,
never too low.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import heappop, heappush

from referee.games.dampfross.route.network import Line, Network

_APART = 1 << 40  # no lines join these knots
_FEW = 6  # so many knots are joined in every way there is
_TRIES = 10  # how many sets of more knots are looked at for one answer: more take longer than what they spare


@dataclass(slots=True)
class OwnShare:
    """The bound for one network. *tolled*: rivals of whose tolls each unit counts like *price* hex-sides.

    Knots and free own lines are sets of bits; those of lines are in the order of ``watched``, with one between them.
    """

    network: Network
    watched: tuple[int, ...]  # numbers of lines, all with a gain among them
    tolled: frozenset[int] = frozenset()
    price: int = 0
    bits: dict[int, int] = field(init=False)  # by knot
    gains: dict[int, int] = field(init=False)  # by number, if the line is used
    joins: dict[int, int] = field(init=False)  # by number, both knots as bits, none for a line from a knot to itself
    near: dict[int, list[tuple[int, int]]] = field(init=False, default_factory=dict)  # by knot, (how far, knot)
    far: dict[int, dict[int, int]] = field(init=False, default_factory=dict)  # the same by both knots
    tries: int = field(init=False, default=0)
    free: dict[int, tuple[int, int]] = field(init=False, default_factory=dict)  # by lines used, (odd knots, gain)
    exact: dict[int, int] = field(
        init=False, default_factory=dict
    )  # by odd knots, a few, what joining them in pairs costs
    enough: dict[int, int] = field(
        init=False, default_factory=dict
    )  # by odd knots, for what they may be joined in pairs
    least: dict[int, tuple[int, int]] = field(
        init=False, default_factory=dict
    )  # what that costs at least, whom to join first

    def __post_init__(self) -> None:
        self.bits = {knot: 1 << place for place, knot in enumerate(self.network.exits)}
        self.gains, self.joins = {}, {}
        for line in self.network.lines:
            self.gains[line.number] = max(self._gain(line), self.gains.get(line.number, -_APART))
            self.joins[line.number] = self.bits[line.start] ^ self.bits[line.path[-1]]

    def may_gain(self, place: int, used: int, gain: int) -> bool:
        """Return whether the rest of a way from *place* may gain as much. *used*: the bits of the lines used before."""
        if used not in self.free:
            self.free[used] = self._all_free(used)
        odd, most = self.free[used]
        self.tries = _TRIES
        odd ^= self.bits[place]
        return any(self._joined(odd ^ self.bits[end], most - gain) for end in self.network.ends)

    def _gain(self, line: Line) -> int:
        """Return own hex-sides less others and tolls, if a go over the first owner's track is under way."""
        tolls = sum(toll for owner, toll in line.tolls if owner in self.tolled)
        spared = line.again if line.owners[0] in self.tolled else 0
        return 2 * line.own - len(line.owners) - self.price * (tolls - spared)

    def _all_free(self, used: int) -> tuple[int, int]:
        odd = total = 0
        for place, number in enumerate(self.watched):
            if not used >> 2 * place & 1 and self.gains[number] > 0:
                odd ^= self.joins[number]
                total += self.gains[number]
        return odd, total

    def _joined(self, odd: int, most: int) -> bool:
        """Return whether these knots may be joined in pairs for *most*; where the tries do not settle it, they may."""
        if odd.bit_count() <= _FEW:
            return self._cheapest(odd) <= most
        if most >= self.enough.get(odd, _APART):
            return True
        if odd not in self.least:
            if not self.tries:
                return True
            self.tries -= 1
            self.least[odd] = self._at_least(odd)
        least, first = self.least[odd]
        if least > most:
            return False
        rest = odd ^ first
        for far, other in self._near(first):
            if far > most:
                break
            if other & rest and self._joined(rest ^ other, most - far):
                self.enough[odd] = most
                return True
        self.least[odd] = most + 1, first
        return False

    def _cheapest(self, odd: int) -> int:
        """Return what joining a few knots in pairs costs."""
        if not odd:
            return 0
        if odd not in self.exact:
            first = odd & -odd
            rest = odd ^ first
            self.exact[odd] = min(
                [far + self._cheapest(rest ^ other) for far, other in self._near(first) if other & rest],
                default=_APART,
            )
        return self.exact[odd]

    def _at_least(self, odd: int) -> tuple[int, int]:
        """Return what joining these knots costs at least, and the knot that is farthest from the others.

        Each knot has a share in halves, and no two have more between them than the way from one to the other: the sum of all
        shares is the bound. The share begins as half the way to the nearest and grows where there is room, the farthest first.
        """
        shares: dict[int, int] = {}
        rest = odd
        while rest:
            knot = rest & -rest
            rest ^= knot
            shares[knot] = next((far for far, other in self._near(knot) if other & odd), _APART)
        knots = sorted(shares, key=shares.__getitem__, reverse=True)
        if shares[knots[0]] >= _APART:
            return _APART, knots[0]
        for knot in knots:
            far = self.far[knot]
            shares[knot] = min([2 * far.get(other, _APART) - share for other, share in shares.items() if other != knot])
        return (sum(shares.values()) + 1) // 2, knots[0]

    def _near(self, bit: int) -> list[tuple[int, int]]:
        """Return how far each other knot is from the one with this bit, the nearest first."""
        if bit not in self.near:
            knot = next(knot for knot, own in self.bits.items() if own == bit)
            self.far[bit] = {self.bits[other]: far for other, far in self._distances(knot)}
            self.near[bit] = sorted((far, other) for other, far in self.far[bit].items() if other != bit)
        return self.near[bit]

    def _distances(self, knot: int) -> Iterable[tuple[int, int]]:
        found, queue = {knot: 0}, [(0, knot)]
        while queue:
            far, here = heappop(queue)
            if far > found[here]:
                continue
            for line in self.network.exits[here]:
                there, further = line.path[-1], far + abs(self.gains[line.number])
                if further < found.get(there, _APART):
                    found[there] = further
                    heappush(queue, (further, there))
        return found.items()
