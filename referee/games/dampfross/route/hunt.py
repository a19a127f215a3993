"""How searches on one network help each other. Rule: D6.2-D6.4.

Where a search takes long, a second one goes from the end to own track and no further. The last legs that it finds tell the first
one which ways come to nothing. They take turns, for each goes from what costs least to what costs more, and the first needs no
legs that are dearer than its ways.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from referee.games.dampfross.route.bounds import Bounds, Measure
from referee.games.dampfross.route.dominance import Label
from referee.games.dampfross.route.lastlegs import LastLegs
from referee.games.dampfross.route.network import mirrored
from referee.games.dampfross.route.search import Demands, Search, limits_of

FEW_TRIES = 800
_TURN = 400  # tries of the first turn, which doubles with each


@dataclass(slots=True)
class Hunt:
    """All searches for the best walk on a network.

    *cost* has the bounds of what a way costs; *cheapest* is what it costs where tolls come first.
    """

    cost: Bounds
    cheapest: Measure
    search: Search | None = field(init=False, default=None)  # the last one
    from_end: Search | None = field(init=False, default=None)  # its last legs
    back: Bounds | None = field(init=False, default=None)  # the bounds of *cost* from the end to the start
    limits: dict[tuple[object, ...], tuple[Bounds, int]] = field(init=False, default_factory=dict)  # by what is limited

    def best(self, asked: Demands, tries: int) -> tuple[Label | None, int]:
        """Return what ``Search.best`` does. Where only more lines are watched than before it goes on where it stopped."""
        search = self.search
        if search is None or asked.shares or replace(search.demands, once=asked.once) != asked:
            self.search, self.from_end = self._search(self.cost, asked), None
            return self._first_tries(self.search, tries)
        search.watch(asked.once)
        if self.from_end is None:
            return self._first_tries(search, tries)
        self.from_end.watch(asked.once)
        return self._by_turns(search, self.from_end, tries)

    def _search(self, cost: Bounds, asked: Demands, up_to_own: bool = False) -> Search:
        limited = (up_to_own, asked.cap, asked.capped, asked.most, asked.shares)
        if limited not in self.limits:
            self.limits[limited] = limits_of(cost, asked)
        return Search(cost, asked, *self.limits[limited], up_to_own)

    def _first_tries(self, search: Search, tries: int) -> tuple[Label | None, int]:
        few, asked = min(tries, FEW_TRIES), search.demands
        found, left = search.best(few)
        tries += left - few
        if left or not tries:
            return found, tries
        if not asked.capped or asked.shares:
            return search.best(tries)
        if not asked.owns or not self.cost.network.usual:
            return self._with_cheapest(search, tries)
        if self.back is None:
            self.back = Bounds(mirrored(self.cost.network), self.cost.measures)
        self.from_end = self._search(self.back, asked, up_to_own=True)
        return self._by_turns(search, self.from_end, tries)

    def _with_cheapest(self, search: Search, tries: int) -> tuple[Label | None, int]:
        """Go on with a search. There may be no way, which the cheapest would tell sooner."""
        if self.cost.measures != (self.cheapest,):
            cheapest = Bounds(self.cost.network, (self.cheapest,))
            found, tries = Search(cheapest, search.demands, *limits_of(cheapest, search.demands)).best(tries)
            if found is None:
                return None, tries
        return search.best(tries)

    def _by_turns(self, search: Search, from_end: Search, tries: int) -> tuple[Label | None, int]:
        """Go on with a search, which waits for last legs where dearer ones may fit its ways; but not for long."""
        turn = _TURN
        while tries:
            waits = from_end.least() <= search.least()
            few = min(turn, tries)
            if waits:
                tries += from_end.best(few)[1] - few
                turn *= 2
            search.know(self._last_legs(search, from_end))
            until = from_end.least()
            if until > search.least():
                found, tries = search.best(tries, until)
            elif waits:
                few = min(few, tries)
                found, left = search.best(few)
                tries += left - few
            else:
                continue
            if found is not None or not search.queue:
                return found, tries
        return None, 0

    def _last_legs(self, search: Search, from_end: Search) -> LastLegs:
        return LastLegs(
            cost=self.cost,
            limits=search.limits,
            first=search.first,
            watched=len(search.demands.once),
            legs=from_end.ways(),
            until=from_end.least(),
        )
