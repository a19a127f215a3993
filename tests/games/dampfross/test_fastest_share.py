"""The best route where own track must be the greater part, and over bridges: compared with every route. Rules: D6.2, D6.3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import pytest
from msgspec.structs import replace

from referee.core.dice import SeededDice
from referee.core.hexes import Side, side
from referee.games.dampfross.board.railmap import Bridge
from referee.games.dampfross.fastest import CHEAPEST, FASTEST, OwnShare, best_route
from referee.games.dampfross.network import Demands, MayPass, Network, limits_of, network_of, passes_anywhere
from referee.games.dampfross.routing import Train, train_on
from referee.games.dampfross.state import Route, State
from tests.games.dampfross.sketch import position, race, route, sketch
from tests.games.dampfross.test_fastest import (
    FROM_11_TO_12,
    Ranked,
    batches,
    every_route,
    points_of,
    random_state,
    ranked_by,
)


def under(state: State, **options: str | int) -> State:
    """Return the position as it would be under other options."""
    return replace(state, table=replace(state.table, options=replace(state.table.options, **options)))


def bridged(state: State, seed: int) -> State:
    """Return the position with some of its hex-sides on bridges, most of which cost nothing."""
    dice = SeededDice(f"bridges/{seed}")
    bridges = {
        laid: Bridge(name="Bridge", price=4, toll=(0, 0, 1, 3)[dice.throw(f"toll/{laid}", 4) - 1])
        for laid in sorted(state.track)
        if dice.throw(f"bridge/{laid}", 3) == 1
    }
    return replace(state, table=replace(state.table, board=replace(state.table.board, bridges=bridges)))


def check(state: State, companies: tuple[str, ...], most: int | None, may_pass: MayPass = passes_anywhere) -> None:
    """Compare both aims with every legal route."""
    routes = list(every_route(state, companies, most, may_pass))
    for aim in (FASTEST, CHEAPEST):
        found = best_route(state, companies, FROM_11_TO_12, aim=aim, most=most, may_pass=may_pass)
        best = min((ranked_by(aim, each) for each in routes), default=None)
        assert (found is None) == (best is None), (aim, most)
        if found is not None:
            assert ranked_by(aim, _reckoned(state, companies, found)) == best, (aim, most)


def _reckoned(state: State, companies: tuple[str, ...], found: Route) -> Ranked:
    """Return what the rules say of a route, which they must allow."""
    train = train_on(state, companies, FROM_11_TO_12, found)
    assert isinstance(train, Train)
    points = sum(points_of(state.table.board, *step) for step in pairwise(found.path))
    return points, sum(train.tolls.values()), len(found.over), found.path


@pytest.mark.parametrize("batch", batches(6, 3, 5))
def test_no_route_with_the_greater_part_own_is_better(batch: int) -> None:
    """All options of tolls, joint trains, several ends, with and without MAX."""
    for seed in range(1000 + batch * 60, 1060 + batch * 60):
        state, companies = random_state(seed)
        for most in (None, 1 + seed % 7):
            check(under(state, own_share="greater-part"), companies, most)


@pytest.mark.parametrize("batch", batches(5, 0, 2))
def test_no_route_over_bridges_is_better(batch: int) -> None:
    """The same with bridges that have a toll of their own, or none; the train chooses whose track it uses."""
    for seed in range(2000 + batch * 60, 2060 + batch * 60):
        state, companies = random_state(seed)
        for most in (None, 1 + seed % 7):
            check(bridged(under(state, toll="hexes"), seed), companies, most)


def test_a_free_bridge_beside_own_track_joins_two_goes() -> None:
    """Rule: D6.3: a run of 3 hex-sides in one go is 2 + 0 + 1, over own track in its middle it would be 2 and 2."""
    board = sketch({"A3": (11,), "F3": (12,)})
    board = replace(board, bridges={side("C3", "D3"): Bridge(name="Bridge", price=4, toll=0)})
    track = {"MGW": ("A3 B3 C3 D3 E3",), "GSW": ("C3 D3", "E3 F3")}
    state = position(board, {"GSW": "F3", "MGW": "A3"}, track=track, races=(race(1, 11, 12),))
    found = best_route(state, ("GSW",), FROM_11_TO_12, aim=CHEAPEST)
    assert found == route("A3 B3[MGW] C3[MGW] D3[MGW] E3[MGW] F3")
    train = train_on(state, ("GSW",), FROM_11_TO_12, found)
    assert isinstance(train, Train)
    assert train.tolls == {"MGW": 4}
    assert best_route(state, ("GSW",), FROM_11_TO_12, aim=FASTEST, most=4) == found
    by_sides = under(state, toll="hex-sides")
    assert best_route(by_sides, ("GSW",), FROM_11_TO_12, aim=CHEAPEST) == route("A3 B3[MGW] C3[MGW] D3 E3[MGW] F3")


def test_a_spur_is_not_run_to_and_fro_for_the_greater_part() -> None:
    """Rule: D6.2: three own hex-sides lie beside the way, but no train comes back from them."""
    board = sketch({"A3": (11,), "F3": (12,)})
    track = {"MGW": ("A3 B3 C3 D3 E3",), "GSW": ("C3 C4 C5 C6", "E3 F3")}
    state = position(board, {"GSW": "F3", "MGW": "A3"}, track=track, races=(race(1, 11, 12),))
    assert best_route(under(state, own_share="greater-part"), ("GSW",), FROM_11_TO_12, aim=FASTEST) is None


def gains_of_ways(
    network: Network, follow: Iterable[int], gain: int = 0, used: frozenset[Side] = frozenset()
) -> Iterator[int]:
    """Give own hex-sides less others for each way over one of these edges to an end that uses no hex-side twice."""
    for place in follow:
        edge = network.edges[place]
        if used.isdisjoint(edge.sides) and len(set(edge.sides)) == len(edge.sides):
            further = gain + 2 * edge.own - len(edge.owners)
            if edge.path[-1] in network.ends:
                yield further
            yield from gains_of_ways(network, network.onward[place], further, used.union(edge.sides))


@pytest.mark.parametrize("batch", range(3))
def test_what_own_track_may_still_gain_is_never_too_low(batch: int) -> None:
    """Every way there is gains at most the bound, which stays below all own track where it leads nowhere."""
    tight = False
    for seed in range(batch * 100, batch * 100 + 100):
        state, companies = random_state(seed)
        network = network_of(under(state, own_share="some", toll_cap="none"), companies, FROM_11_TO_12)
        own = limits_of(network, Demands(shares=True)).own
        share = OwnShare(network, {laid: 1 << 2 * place for place, laid in enumerate(own)})
        for start in {edge.path[0] for edge in network.edges[: network.starts]}:
            begin = [place for place in range(network.starts) if network.edges[place].path[0] == start]
            assert all(gain <= share.gain(start, 0) for gain in gains_of_ways(network, begin)), seed
            tight |= share.gain(start, 0) < len(own)
    assert tight
