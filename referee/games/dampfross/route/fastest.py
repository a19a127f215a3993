"""The best route a train may take, where a player leaves the choice to the referee. Rule: D6.2-D6.4, D6.6.

The answer is exact. A search first looks for the best walk with few demands (as a rule it breaks none). What the walk breaks, a
toll cap, the share of own track, a hex-side run over twice, is demanded in the next search. Each search allows all that is
legal, so the first walk that breaks nothing is the best route.

Without the share of own track no best walk comes to a hex twice: leaving out the loop costs no rival's account more. And
whoever may use own track does: a side over a rival in the middle of own ones costs no less. Only a bridge that costs nothing
may join two goes over a rival, so that there the choice is open.
"""

from __future__ import annotations

from itertools import pairwise

from msgspec.structs import replace

from referee.core.orders import Complaint
from referee.games.dampfross.position.orders import Route
from referee.games.dampfross.position.state import Race, State
from referee.games.dampfross.route.bounds import NEVER, Bounds, Measure
from referee.games.dampfross.route.dominance import Label
from referee.games.dampfross.route.hunt import FEW_TRIES, Hunt
from referee.games.dampfross.route.network import OWN, MayPass, Network, network_of, passes_anywhere
from referee.games.dampfross.route.search import LEVEL, Demands
from referee.games.dampfross.route.tolls import NO_CAP, cap_of

FASTEST = "fastest"
CHEAPEST = "cheapest"
UNSETTLED = "illegal-best-route-unsettled"
MOST_TRIES = 100_000  # some seconds


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
    hex-sides; ``cheapest`` is units, then points, then hex-sides; of equal ones the path first in the order of hexes, and on
    it the owners first in the order of play. *most*: units the whole route may cost. *may_pass* forbids running through a hex;
    *free*: rivals whose track costs nothing without being own. Own track goes before a rival's on the same hex-side, unless a
    bridge or ferry of the rival's is free of toll.
    Tolls keep to the cap without netting; balances are not looked at. ``over`` names each rival, "" is own track.

    Where *tries* do not settle it the route has a fault, and the player must write it: mostly where caps and own track
    leave no route at all, and hardly ever unless own track must be the greater part. No other route is ever given.
    """
    network = network_of(state, companies, race, may_pass, free)
    demands = all_demands(network, cap_of(state), most, state.table.options.own_share)
    found, tries = best_walk(network, aim, demands, Demands(cap=demands.cap), tries)
    if not tries:
        params = (("race", race.number),)
        return Route(path=(), over=(), fault=Complaint(code=UNSETTLED, paragraph="D6.2", params=params))
    if found is None:
        return None
    codes = ("", *network.rivals)
    hexes = tuple(network.hexes[place] for place in found[1])
    return Route(path=hexes, over=tuple(codes[owner] for owner in found[2]))


def why_none(
    state: State,
    companies: tuple[str, ...],
    race: Race,
    *,
    most: int | None,
    may_pass: MayPass,
    free: tuple[str, ...] = (),
) -> str:
    """Return the code of what keeps a train from every route, where ``best_route`` has found none; as there."""
    network = network_of(state, companies, race, may_pass, free)

    hunt = Hunt(Bounds(network, (_cost(network, CHEAPEST),)), _cost(network, CHEAPEST))
    for demands, code in (
        (Demands(cap=NO_CAP), "illegal-no-track-between"),
        (Demands(cap=NO_CAP, owns=True), "illegal-no-own-between"),
    ):
        found, left = hunt.best(demands, FEW_TRIES)
        if found is None and left:
            return code
    demands = all_demands(network, cap_of(state), None, state.table.options.own_share)
    if most is not None and best_walk(network, CHEAPEST, demands, Demands(cap=demands.cap), FEW_TRIES)[0] is not None:
        return "illegal-none-so-cheap" if most else "illegal-none-over-own"
    return "illegal-no-best-route"


def best_walk(
    network: Network, aim: str, demands: Demands, first: Demands, tries: int = MOST_TRIES
) -> tuple[Label | None, int]:
    """Return the best walk that keeps to all *demands*, None where there is none, and how many of *tries* are left.

    *first*: what is demanded at first. 0 tries are left where they did not settle it.
    """
    hunt, asked = Hunt(Bounds(network, (_cost(network, aim),)), _cost(network, CHEAPEST)), first
    while True:
        found, tries = hunt.best(asked, tries)
        broken = asked if found is None else _with_broken(asked, demands, network, found[1], found[2])
        if not tries or broken == asked:
            return found, tries
        asked = broken


# --- what is demanded ---


def all_demands(network: Network, cap: int, most: int | None, own_share: str) -> Demands:
    """Return all that the rules demand of a route, but that it uses no hex-side twice. Rule: D6.2, D6.4."""
    takers = frozenset(owner for line in network.lines for owner, toll in line.tolls if toll)
    return Demands(
        cap=cap,
        owns=True,
        capped=takers if cap < NO_CAP else frozenset(),
        most=most,
        shares=own_share == "greater-part",
    )


def _with_broken(
    asked: Demands, demands: Demands, network: Network, path: tuple[int, ...], owners: tuple[int, ...]
) -> Demands:
    """Return what was *asked*, and what a walk broke of the *demands*; with one cap all, as the next walk would break another."""
    tolls = network.tolls(path, owners)
    short = demands.shares and 2 * owners.count(OWN) <= len(owners)
    dear = demands.most is not None and sum(tolls.values()) > demands.most
    twice = _used_twice(network, path)
    if demands.shares:  # what own track may gain is reckoned with them: the fewer the better
        twice = twice[:1]
    if short:  # detours over own track are many: all that cuts them off is welcome
        twice += _gaining(network)
    return replace(
        asked,
        owns=asked.owns or OWN not in owners,
        capped=demands.capped if short or any(toll > demands.cap for toll in tolls.values()) else asked.capped,
        most=demands.most if short or dear else asked.most,
        shares=asked.shares or short,
        once=tuple(dict.fromkeys((*asked.once, *twice))),
    )


def _gaining(network: Network) -> tuple[int, ...]:
    """Return the lines that are own track for the greater part: a walk to and fro would gain without end."""
    return tuple(sorted({line.number for line in network.lines if 2 * line.own > len(line.owners)}))


def _used_twice(network: Network, path: tuple[int, ...]) -> tuple[int, ...]:
    """Return the first line that is used twice and the last one, if any: the fewer are watched the better.

    Mostly they are the ends of one run, near own track and near the start, and another way avoids one of them only.
    """
    used: set[tuple[int, int]] = set()
    twice: list[tuple[int, int]] = []
    for here, there in pairwise(path):
        if (here, there) in used:
            twice.append((here, there))
        used |= {(here, there), (there, here)}
    ends = (*twice[:1], *twice[-1:])
    steps = (
        [(step, line.number) for line in network.lines for step in pairwise((line.start, *line.path))] if ends else []
    )
    return tuple([number for end in ends for step, number in steps if step == end])


def _cost(network: Network, aim: str) -> Measure:
    """Return points, units and hex-sides as one number: what comes later in the aim never outweighs what comes before."""
    base = 1 << 16  # more than points, units or hex-sides of any walk that can be the best
    point, unit = {FASTEST: (LEVEL, base), CHEAPEST: (base, LEVEL)}[aim]
    units = (0, *(unit for _ in network.rivals))
    return Measure(units=units, most=NEVER, point=point, own_side=1, rival_side=1)
