"""Who connects which towns, where building ends when few are left: shares that are built soonest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from functools import cache, lru_cache, partial
from itertools import permutations

from referee.core import Hex, Pair, Texts, cheapest_costs, cheapest_tree, way_to
from referee.games.dampfross.board import RailMap
from referee.games.dampfross.costs import points_of
from referee.games.dampfross.options import Options

from .seeing import Same
from .worth import FAR, open_land

UNEVEN = 6  # the power of a share's price that counts: the higher, the more does the dearest
GAIN = 0.98  # what an exchange must leave of that, so that shares do not change hands for nothing

Land = Mapping[Hex, tuple[tuple[Hex, int], ...]]  # a hex to those beside it, with what the step costs
Shares = dict[str, frozenset[Hex]]
Costs = Mapping[str, Mapping[Hex, int]]  # of each company, to each town
Between = Mapping[Hex, Mapping[Hex, int]]  # of towns to all hexes
Two = tuple[frozenset[Hex], frozenset[Hex]]


@lru_cache(maxsize=16)
def points_alone(board: RailMap, options: Options) -> Land:
    """Return what steps cost that may be laid on the empty board, in tenths of a point."""
    land = open_land(board, options)
    return {
        label: tuple((other, 10 * points_of(board, options.costs, label, other)) for other in land[label])
        for label in land
    }


@lru_cache(maxsize=4)
def costs_from_towns(board: RailMap, options: Options) -> Between:
    """Return what it costs to build from each town to each hex."""
    land = points_alone(board, options).__getitem__
    return {town: dict.fromkeys(board.ground, FAR) | cheapest_costs([town], land, FAR) for town in board.station_at}


@lru_cache(maxsize=8)
def shares_of(position: Same, order: Texts) -> Mapping[str, Texts]:
    """Return which towns each company connects so that building ends soon, where that is when few are left, in its order.

    Later shares are those of before anything was built, with what changes hands for good reasons.
    """
    state = position.state
    kind, _, few = str(state.options.building_ends).partition(":")
    if kind != "cities-left" or state.phase != "build" or not all(code in state.home for code in order):
        return {}
    board, options = state.board, state.options
    first = _at_home(board, options, tuple((code, state.home[code]) for code in order), int(few))
    land = points_alone(board, options).__getitem__
    costs = {code: cheapest_costs(sorted(state.reached[code]), land, FAR) for code in order}
    left = _left(board, costs, state.connected, int(few))
    shares = {code: first[code] & left for code in order}
    for town in sorted(left.difference(*shares.values())):
        nearest = min(order, key=lambda code: costs[code][town])
        shares[nearest] |= {town}
    between = costs_from_towns(board, options)
    return {code: _in_order(share, code, costs, between) for code, share in _exchange(shares, costs, between).items()}


def _in_order(share: Set[Hex], code: str, costs: Costs, between: Between) -> Texts:
    """Return the towns of a share, those first that would be dearest to hand over, after what lies before them."""
    before: dict[Hex, Hex | None] = dict.fromkeys(share)
    near, found = {town: costs[code][town] for town in share}, list[Hex]()
    while near:
        nearest = min(near, key=lambda town: (near[town], town))
        del near[nearest]
        for other, cost in near.items():
            if between[nearest][other] < cost:
                near[other], before[other] = between[nearest][other], nearest

    def regret(town: Hex) -> tuple[int, Hex]:
        return min((each[town] for other, each in costs.items() if other != code), default=0) - costs[code][town], town

    for last in sorted(share, key=regret, reverse=True):
        way = list[Hex]()
        town: Hex | None = last
        while town and town not in found:
            way.append(town)
            town = before[town]
        found += reversed(way)
    return tuple(found)


@lru_cache(maxsize=8)
def _at_home(board: RailMap, options: Options, homes: tuple[tuple[str, Hex], ...], few: int) -> Shares:
    """Return the shares before anything is built: the remotest go first, each to who has it done soonest beside its others."""
    land = points_alone(board, options).__getitem__
    reached = {code: {home} for code, home in homes}
    trees = {code: cheapest_tree(sorted(reached[code]), land) for code in reached}
    costs, shares = dict.fromkeys(reached, 0), dict.fromkeys(reached, frozenset[Hex]())
    far = {code: {town: cost for town, (cost, _) in tree.items()} for code, tree in trees.items()}
    left = {*_left(board, far, frozenset(dict(homes).values()), few)}
    while left:
        town = max(left, key=lambda town: (min(tree[town][0] for tree in trees.values()), town))
        code = min(costs, key=lambda code: costs[code] + trees[code][town][0])
        way = way_to(trees[code], town)
        costs[code] += trees[code][town][0]
        shares[code] |= left & {*way}
        left -= shares[code]
        reached[code].update(way)
        trees[code] = cheapest_tree(sorted(reached[code]), land)
    return _exchange(shares, far, costs_from_towns(board, options))


def _left(board: RailMap, costs: Costs, done: Set[Hex], few: int) -> frozenset[Hex]:
    """Return the towns that are still to be connected, without the *few* dearest."""
    left = set.intersection(*map(set, costs.values()), set(board.station_at)) - done
    dearest = sorted(left, key=lambda town: (min(each[town] for each in costs.values()), town), reverse=True)
    return frozenset(dearest[few:])


def _exchange(shares: Shares, costs: Costs, between: Between) -> Shares:
    """Return *shares* after all exchanges of a town, or of one for another, that make the dearest ones cheaper.

    *costs*: of a company to each town; *between*: of towns to each other.
    """

    @cache
    def price(code: str, towns: frozenset[Hex]) -> float:
        near, total = {town: costs[code][town] for town in towns}, 0
        while near:
            town = min(near, key=lambda town: (near[town], town))
            total += near.pop(town)
            for other in near:
                near[other] = min(near[other], between[town][other])
        return float(total) ** UNEVEN

    def price_of(codes: Pair, two: Two) -> float:
        return sum(map(price, codes, two))

    better = True
    while better:
        better = False
        for codes in permutations(shares, 2):
            now = shares[codes[0]], shares[codes[1]]
            then = min(_pairs(*now), key=partial(price_of, codes), default=now)
            if price_of(codes, then) < GAIN * price_of(codes, now):
                shares, better = shares | dict(zip(codes, then, strict=True)), True
    return shares


def _pairs(mine: frozenset[Hex], theirs: frozenset[Hex]) -> Iterator[Two]:
    """Yield two shares after one town of the first, or one for one, has changed hands."""
    for town in sorted(mine):
        yield mine - {town}, theirs | {town}
        for other in sorted(theirs):
            yield mine - {town} | {other}, theirs - {other} | {town}
