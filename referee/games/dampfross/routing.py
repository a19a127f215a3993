"""Which routes a train may take, over whose track, for which tolls. Rule: D6.2, D6.3."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from referee.core import Amounts, Complaint, Hex, Hexes, Numbers, Path, Side, Value, cheapest_costs, complaint_of

from .board import RailMap, ends_of
from .fastest import best_route, why_none
from .names import end_name, owner_name, place_name, side_name
from .network import cap_of, may_pass, sides_on, tariff_of
from .state import NEUTRAL, Codes, Race, Route, State


class Train(Value):
    """A train that may run: ``owners`` says whose track each hex-side of ``path`` is used, ``tolls`` what each rival gets.

    ``companies`` is one company, or the two of a joint train, whose networks are both free to it. Rule: D6.5.
    """

    companies: Codes
    path: Path
    owners: Codes
    tolls: Amounts

    @property
    def code(self) -> str:
        """``GSW``, or ``GSW+MGW`` for a joint train."""
        return "+".join(self.companies)

    def hexes_over(self, owner: str) -> Hexes:
        """Return the hexes of its route over that owner's track, as they are run through: n + 1 for n hex-sides in one go."""
        hexes: list[Hex] = []
        goes_on = False
        for at, here in enumerate(self.owners):
            if here == owner:
                hexes += self.path[at + goes_on : at + 2]
            goes_on = here == owner
        return tuple(hexes)


def train_on(state: State, companies: Codes, race: Race, route: Route, free: Codes = ()) -> Train | Complaint:
    """Return the train that runs *route* in *race*, or why it may not; tolls are reckoned, not judged.

    *free*: rivals whose track costs nothing without being own (that of the player who runs David, Rule: R9). A route that the
    referee is to find is found here. Rule: D5.5 (ends), D6.2 (existing track, own track, no side twice), D6.3 (whose track).
    """
    if route.aim:
        most = route.most if route.most >= 0 else None
        found = best_route(state, companies, race, aim=route.aim, most=most, free=free)
        if not found:
            code = why_none(state, companies, race, most=most, free=free)
            start, end = (end_name(state.board, key) for key in (race.start, race.end))
            return complaint_of(code, "D6.2", race=race.number, most=most or 0, start=start, end=end)
        route = found
    if route.fault:
        return route.fault
    board, track = state.board, state.track
    way = _way_on(board, route.path)
    lines = [track.get(here) or state.runnable(here) for here in way.sides]
    for here, number, code in (
        (route.path[0], race.start, "illegal-wrong-start"),
        (route.path[-1], race.end, "illegal-wrong-end"),
    ):
        if here not in ends_of(board, number):
            place = place_name(board, here)
            return complaint_of(code, "D5.5", text=place, place=place, key=number, race=race.number)
    choices = zip(lines, route.over, strict=True)
    usable = [own if len(own) == 1 and not over else _usable(state, companies, own, over) for own, over in choices]
    if way.has_twice or way.abroad or not all(usable):
        return _wrong_way(board, route, way, lines)
    owners = _cheapest_owners(state, companies, way.sides, usable, free)
    own = sum(map(owners.count, companies))
    enough = 2 * own > len(owners) if state.options.own_share == "greater-part" else own > 0
    if not enough:
        return complaint_of("illegal-no-own-track", "D6.2", own=own, sides=len(owners))
    due = tariff_of(board, state.options.toll).tolls(way.sides, owners, (*companies, *free))
    tolls = {code: due[code] for code in (*state.codes, NEUTRAL) if due.get(code)}  # in order of play
    return Train(companies=companies, path=route.path, owners=owners, tolls=tolls)


def _cheapest_owners(
    state: State,
    companies: Codes,
    sides: tuple[Side, ...],
    lines: list[Codes],
    free: Codes,
) -> Codes:
    """Return whose track each side is used: the cheapest for the whole route.

    A choice within the toll cap goes before a cheaper one above it; of equally cheap ones the owner earlier in the order of
    play is taken, side by side from the start. *lines*: each side's owners that may be used; none is without. Rule: D6.3, R4.
    """
    if max(map(len, lines), default=1) == 1:
        return tuple([owners[0] for owners in lines])
    codes, cap = (*state.codes, NEUTRAL), cap_of(state)
    tariff = tariff_of(state.board, state.options.toll)
    # What a way so far has cost each rival, and over whose track it came: only the best list of owners of each is kept.
    ways: dict[tuple[str, Numbers], Numbers] = {("", (0,) * len(codes)): ()}
    for here, owners in zip(sides, lines, strict=True):
        further: dict[tuple[str, Numbers], Numbers] = {}
        for (before, tolls), chosen in ways.items():
            for owner in owners:
                place = codes.index(owner)
                step = 0 if owner in companies or owner in free else tariff.toll(here, owner == before)
                paid = (*tolls[:place], tolls[place] + step, *tolls[place + 1 :])
                way = (*chosen, place)
                if (known := further.get((owner, paid))) is None or way < known:
                    further[owner, paid] = way
        ways = further
    best = min((sum(max(0, toll - cap) for toll in tolls), sum(tolls), chosen) for (_, tolls), chosen in ways.items())
    return tuple(codes[place] for place in best[2])


class _Way(NamedTuple):
    """What the map alone says of a route: its hex-sides, whether one comes twice, the first hex abroad that bars it."""

    sides: tuple[Side, ...]
    has_twice: bool
    abroad: Hex  # "" for none


@lru_cache(maxsize=1024)
def _way_on(board: RailMap, path: Path) -> _Way:
    sides = sides_on(path)
    passed = zip(path, path[1:], path[2:], strict=False)
    # Where there is no land, there is no track either: that is said first.
    abroad = next((way[1] for way in passed if way[1] in board.ground and not may_pass(board, *way)), "")
    return _Way(sides, len(set(sides)) < len(sides), abroad)


def _usable(state: State, companies: Codes, owners: Codes, over: str) -> Codes:
    """Return whose track of *owners* may be used: that of whom the player named, else own, else in order of play."""
    for code in (over,) if over else companies:
        if code in owners:
            return (code,)
    return () if over else tuple([code for code in (*state.codes, NEUTRAL) if code in owners])


def _wrong_way(board: RailMap, route: Route, way: _Way, lines: list[Codes]) -> Complaint:
    """Return why a route may not be run; *lines*: over whose track each of its hex-sides may be."""
    for at, (here, over, owners) in enumerate(zip(way.sides, route.over, lines, strict=True)):
        if owners and (not over or over in owners) and not (way.has_twice and here in way.sides[:at]):
            continue
        words = side_name(board, here)
        if not owners:
            return complaint_of("illegal-no-track", "D6.2", text=words, side=words)
        if over and over not in owners:
            return complaint_of("illegal-not-their-track", "D6.3", text=words, side=words, company=owner_name(over))
        return complaint_of("illegal-side-twice", "D6.2", text=words, side=words)
    place = place_name(board, way.abroad)
    return complaint_of("illegal-through-abroad", "D2.6", text=place, place=place)


# How far track joins two hexes for a train, which leaves a foreign hex only along a permitted build. Rule: D2.6.

_Arrival = tuple[Hex, Hex]  # a hex, and the one before it; "" where a train starts


def track_distances(
    board: RailMap, sides: Iterable[Side], starts: Iterable[Hex], within: int | None = None
) -> dict[Hex, int]:
    """Return the hex-sides from the nearest of *starts* to every hex that track over *sides* joins with it.

    A start is there where track touches it. *within*: hexes farther than this are left out. Rule: D2.6, D5.4, D7.2.
    """
    next_to: dict[Hex, list[Hex]] = {}
    for one, other in sides:
        next_to.setdefault(one, []).append(other)
        next_to.setdefault(other, []).append(one)

    def onward(arrival: _Arrival) -> Iterable[tuple[_Arrival, int]]:
        here, before = arrival
        return [((after, here), 1) for after in next_to[here] if not before or may_pass(board, before, here, after)]

    costs = cheapest_costs([(label, "") for label in starts if label in next_to], onward, within)
    nearest: dict[Hex, int] = {}
    for (label, _), cost in costs.items():
        nearest[label] = min(cost, nearest.get(label, cost))
    return nearest
