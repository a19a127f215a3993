"""The best route a train may take, where a player leaves the choice to the referee. Rule: D6.2-D6.4, D6.6.

The answer is exact. A search first looks for the best walk with few demands (as a rule it breaks none). What the walk breaks, a
toll cap, the share of own track, a hex-side run over twice, is demanded in the next search. Each search allows all that is
legal, so the first walk that breaks nothing is the best route.

Without the share of own track no best walk comes to a hex twice: leaving out the loop costs no rival's account more. And
whoever may use own track does: a side over a rival in the middle of own ones costs no less. Only a bridge that costs nothing
may join two goes over a rival, so that there the choice is open.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from referee.core.orders import Complaint
from referee.games.dampfross.position.orders import Route
from referee.games.dampfross.position.state import Race, State
from referee.games.dampfross.route.bounds import Bounds, Weights
from referee.games.dampfross.route.network import OWN, MayPass, Network, network_of, passes_anywhere
from referee.games.dampfross.route.search import Demands, Search
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
    bounds, weights = Bounds(network), _weights(network, aim)
    demands = Demands(most=most, cap=cap_of(state), greater=state.table.options.own_share == "greater-part")
    while True:
        found, tries = Search(network, bounds, weights, demands).best(tries)
        if not tries:
            params = (("race", race.number),)
            return Route(path=(), over=(), fault=Complaint(code=UNSETTLED, paragraph="D6.2", params=params))
        if found is None:
            return None
        _, path, owners, *_ = found
        broken = _with_broken(demands, network, path, owners)
        if broken == demands:
            codes = ("", *network.rivals)
            hexes = tuple(network.hexes[place] for place in path)
            return Route(path=hexes, over=tuple(codes[owner] for owner in owners))
        demands = broken


# --- what is demanded ---


def _with_broken(demands: Demands, network: Network, path: tuple[int, ...], owners: tuple[int, ...]) -> Demands:
    """Return *demands* with all that a walk broke. Rule: D6.2, D6.4."""
    tolls = network.tolls(path, owners)
    over = {owner for owner, toll in tolls.items() if toll > demands.cap}
    if demands.most is not None and sum(tolls.values()) > demands.most:
        over.add(OWN)
    own = owners.count(OWN)
    shares = demands.shares or (demands.greater and 2 * own <= len(owners))
    if shares:  # detours over own track are many: all that cuts them off is welcome
        over |= set(range(1, len(network.rivals) + 1)) if demands.cap < NO_CAP else set()
        over |= {OWN} if demands.most is not None else set()
    return replace(
        demands,
        owns=demands.owns or not own,
        shares=shares,
        capped=demands.capped | over,
        once=demands.once | _used_twice(network, path) | (_gaining(network) if shares else frozenset()),
    )


def _gaining(network: Network) -> frozenset[int]:
    """Return the lines that are own track for the greater part: a walk to and fro would gain without end."""
    return frozenset(line.number for line in network.lines if 2 * line.own > len(line.owners))


def _used_twice(network: Network, path: tuple[int, ...]) -> frozenset[int]:
    """Return the line that is the first to be used twice, if any: the fewer are watched the better."""
    used: set[tuple[int, int]] = set()
    for here, there in pairwise(path):
        if (here, there) in used:
            lines = network.lines
            return frozenset(line.number for line in lines if (here, there) in pairwise((line.start, *line.path)))
        used |= {(here, there), (there, here)}
    return frozenset()


def _weights(network: Network, aim: str) -> Weights:
    """Return points, units and hex-sides as one number: what comes later in the aim never outweighs what comes before."""
    base = 1 << 16  # more than points, units or hex-sides of any walk that can be the best
    point, unit = {FASTEST: (base * base, base), CHEAPEST: (base, base * base)}[aim]
    return Weights(point=point, units=(0, *(unit for _ in network.rivals)), own_side=1, rival_side=1)
