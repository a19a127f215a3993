"""The best route a train may take, where a player leaves the choice to the referee. Rule: D6.2-D6.4, D6.6.

The answer is exact. A search first looks for the best walk with few demands (as a rule it breaks none). What the walk breaks, a
toll cap, the share of own track, a hex-side run over twice, is demanded in the next search. Each search allows all that is
legal, so the first walk that breaks nothing is the best route.

Without the share of own track no best walk comes to a hex twice: leaving out the loop costs no rival's account more. And
whoever may use own track does: a side over a rival in the middle of own ones costs no less. Only a bridge that costs nothing
may join two goes over a rival, so that there the choice is open.
"""

from __future__ import annotations

from referee.core.orders import Complaint
from referee.games.dampfross.position.orders import Route
from referee.games.dampfross.position.state import Race, State
from referee.games.dampfross.route.bounds import Bounds, Demands, Weights, bounds_of, limits_of
from referee.games.dampfross.route.network import OWN, MayPass, Network, network_of, passes_anywhere, sides_on
from referee.games.dampfross.route.search import Label, Search

FASTEST = "fastest"
CHEAPEST = "cheapest"
UNSETTLED = "illegal-best-route-unsettled"
MOST_TRIES = 100_000  # some seconds
SOME_TRIES = 4_000
FEW_TRIES = 800


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
    found, tries = _settle(network, aim, all_demands(state, most), tries)
    if not tries:
        params = (("race", race.number),)
        return Route(path=(), over=(), fault=Complaint(code=UNSETTLED, paragraph="D6.2", params=params))
    if found is None:
        return None
    codes = ("", *network.rivals)
    return Route(path=found.path, over=tuple([codes[owner] for owner in found.owners]))


def _settle(network: Network, aim: str, demands: Demands, tries: int) -> tuple[Label | None, int]:
    """Return what ``best_walk`` does. Where it takes long there may be none, which a search for the cheapest tells sooner."""
    found, left = best_walk(network, aim, demands, tries=min(tries, SOME_TRIES))
    if left:
        return found, left
    if aim == FASTEST and not demands.shares:
        found, tries = best_walk(network, CHEAPEST, demands, tries=tries)
        if found is None:
            return None, tries
    return best_walk(network, aim, demands, tries=tries)


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
    if all(edge.path[-1] not in network.ends for edge in network.edges):
        return "illegal-no-track-between"
    found, left = best_walk(network, CHEAPEST, Demands(), tries=FEW_TRIES)
    if found is None and left:
        return "illegal-no-own-between"
    if most is not None and best_walk(network, CHEAPEST, all_demands(state, None), tries=FEW_TRIES)[0] is not None:
        return "illegal-none-so-cheap" if most else "illegal-none-over-own"
    return "illegal-no-best-route"


def all_demands(state: State, most: int | None) -> Demands:
    """Return all that the rules demand of a route, but that it uses no hex-side twice. Rule: D6.2, D6.4."""
    options = state.table.options
    cap = options.toll_cap if isinstance(options.toll_cap, int) else None
    return Demands(cap=cap, most=most, shares=options.own_share == "greater-part")


def best_walk(
    network: Network, aim: str, demands: Demands, first: Demands | None = None, tries: int = MOST_TRIES
) -> tuple[Label | None, int]:
    """Return the best walk that keeps to all *demands*, None where there is none, and how many of *tries* are left.

    *first*: what is demanded at first, nothing unless given. 0 tries are left where they did not settle it.
    """
    cost, asked = _cost(network, aim), first or Demands()
    while True:
        limits = limits_of(network, asked)
        tilted = _cost(network, aim, 1) if asked.shares else cost
        found, tries = Search(network, cost, tilted, limits, asked.once).best(tries)
        broken = asked if found is None else _with_broken(asked, demands, network, found)
        if not tries or broken == asked:
            return found, tries
        asked = broken


def _with_broken(asked: Demands, demands: Demands, network: Network, found: Label) -> Demands:
    """Return what was *asked*, and what a walk broke of the *demands*."""
    tolls = network.tolls(found.path, found.owners)
    short = demands.shares and 2 * found.owners.count(OWN) <= len(found.owners)
    is_capped = short or (demands.cap is not None and any(toll > demands.cap for toll in tolls.values()))
    dear = short or (demands.most is not None and sum(tolls.values()) > demands.most)
    sides = sides_on(found.path)
    twice = [laid for place, laid in enumerate(sides) if laid in sides[:place]]
    return Demands(
        cap=demands.cap if is_capped else asked.cap,
        most=demands.most if dear else asked.most,
        shares=asked.shares or short,
        # The fewer are watched the better. Mostly these are the ends of one run, and another way avoids one of them only.
        once=tuple(dict.fromkeys((*asked.once, *twice[:1], *twice[-1:]))),
    )


def _cost(network: Network, aim: str, tilt: int = 0) -> Bounds:
    """Return points, units and hex-sides as one number: what comes later in the aim never outweighs what comes before.

    *tilt*: points that come off each own hex-side and on each other one.
    """
    base = 1 << 16  # more than points, units or hex-sides of any walk that can be the best
    point, unit = {FASTEST: (base**2, base), CHEAPEST: (base, base**2)}[aim]
    units, tilt = (0, *[unit for _ in network.rivals]), tilt * point
    weights = Weights(units=units, point=point, own_side=1 - tilt, rival_side=1 + tilt)
    return bounds_of(network, weights, base**3 << 11, 60)
