"""The best route is the best one: compared with every route there is, on small random networks. Rules: D6.2-D6.6, R4."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any
from zlib import crc32

import pytest

from referee.core import Dice, Hex, SeededDice, Side, neighbours, shuffle, side
from referee.games.dampfross import network
from referee.games.dampfross.board import MOUNTAIN, Bridge, Ferry, RailMap
from referee.games.dampfross.fastest import CHEAPEST, FASTEST, best_route
from referee.games.dampfross.network import cap_of
from referee.games.dampfross.routing import Train, train_on
from referee.games.dampfross.state import Route, State
from tests.games.dampfross.sketch import CODES, position, race, route, sketch

PATCH = tuple(f"{column}{row}" for column in "BCD" for row in (2, 3, 4))
FROM_11_TO_12 = race(1, 11, 12)

# What a way has cost when it comes to a hex: (whose track last, tolls by company, own hex-sides).
Sums = frozenset[tuple[str, tuple[int, ...], int]]
Ranked = tuple[int, int, int, tuple[Hex, ...]]


def random_state(seed: int) -> tuple[State, tuple[str, ...]]:
    """Return a random position with a race from 11 to 12, and the companies of a train."""
    dice = SeededDice(f"network/{seed}")
    places = shuffle(PATCH, dice, "places")
    cities: dict[str, tuple[int, ...]] = {places[0]: (11,), places[1]: (12,)}
    for place, key in ((places[2], 11), (places[3], 12)):
        if dice.throw(f"more/{key}", 4) == 1:
            cities[place] = (key,)
    hills = [label for label in PATCH if label not in cities and dice.throw(f"hill/{label}", 3) == 1]
    codes = CODES[: 1 + dice.throw("companies", 3)]
    track = {code: tuple(_random_lines(dice, code)) for code in codes}
    state = position(
        sketch(cities, mountains=" ".join(hills)),
        dict.fromkeys(codes, places[0]),
        track=track,
        races=FROM_11_TO_12,
        toll=("hexes", "hex-sides")[dice.throw("toll", 2) - 1],
        own_share=("some", "greater-part")[dice.throw("share", 2) - 1],
        toll_cap=("none", 2, 3, 4, 5, 6, 10)[dice.throw("cap", 7) - 1],
    )
    joint = len(codes) > 2 and dice.throw("joint", 4) == 1
    return state, codes[1:3] if joint else codes[:1]


def _random_lines(dice: Dice, code: str) -> Iterator[str]:
    """Give connected hex-sides, each as a chain of two."""
    reached = [PATCH[dice.throw(f"home/{code}", len(PATCH)) - 1]]
    laid = set()
    for step in range(1 + dice.throw(f"steps/{code}", 6 if code != "GSW" else 4)):
        here = reached[dice.throw(f"from/{code}/{step}", len(reached)) - 1]
        around = [label for label in neighbours(here) if label in PATCH and side(here, label) not in laid]
        if around:
            there = around[dice.throw(f"to/{code}/{step}", len(around)) - 1]
            laid.add(side(here, there))
            reached.append(there)
            yield f"{here} {there}"


def every_route(state: State, companies: tuple[str, ...], most: int | None) -> Iterator[Ranked]:
    """Give (points, fewest units, hex-sides, path) of each legal path; every way to choose owners is tried."""
    ends = state.board.ends_of
    codes = state.codes
    exits: dict[Hex, list[Hex]] = {}
    for one, other in state.track:
        exits.setdefault(one, []).append(other)
        exits.setdefault(other, []).append(one)
    greater, cap = state.options.own_share == "greater-part", cap_of(state)

    def walk(path: tuple[Hex, ...], points: int, sums: Sums) -> Iterator[Ranked]:
        length = len(path) - 1
        legal = [
            sum(tolls)
            for _, tolls, own in sums
            if (2 * own > length if greater else own) and max(tolls) <= cap and (most is None or sum(tolls) <= most)
        ]
        if path[-1] in ends[12] and legal:
            yield points, min(legal), length, path
        used = {side(*step) for step in pairwise(path)}
        for there in exits.get(path[-1], ()):
            laid = side(path[-1], there)
            if laid not in used and (length == 0 or network.may_pass(state.board, path[-2], path[-1], there)):
                further = frozenset(
                    _paid(state, companies, codes, each, owner, laid) for each in sums for owner in state.owners(laid)
                )
                yield from walk((*path, there), points + points_of(state.board, path[-1], there), further)

    for start in ends[11]:
        yield from walk((start,), 0, frozenset({("", (0,) * len(codes), 0)}))


def _paid(
    state: State,
    companies: tuple[str, ...],
    codes: tuple[str, ...],
    before: tuple[str, tuple[int, ...], int],
    owner: str,
    laid: Side,
) -> tuple[str, tuple[int, ...], int]:
    last, tolls, own = before
    if owner in companies:
        return owner, tolls, own + 1
    toll = 1 if owner == last or state.options.toll == "hex-sides" else 2
    if laid in state.board.bridges:
        toll = state.board.bridges[laid].toll or 0
    return owner, tuple(each + toll * (code == owner) for each, code in zip(tolls, codes, strict=True)), own


def points_of(board: RailMap, here: Hex, there: Hex) -> int:
    return 2 if board.ground[there] == MOUNTAIN and board.ground[here] != MOUNTAIN else 1


def ranked_by(aim: str, ranked: Ranked) -> Ranked:
    points, units, length, path = ranked
    return (points, units, length, path) if aim == FASTEST else (units, points, length, path)


def batches(count: int, *quick: int) -> list[Any]:
    """Return the numbers of batches of random networks; all but the *quick* ones are long tests."""
    return [batch if batch in quick else pytest.param(batch, marks=pytest.mark.testlong) for batch in range(count)]


@pytest.mark.parametrize("batch", batches(8, 1, 4, 5, 7))
def test_no_route_is_better(batch: int) -> None:
    """Both aims, all options of tolls and own track, joint trains, several ends, with and without MAX."""
    for seed in range(batch * 60, batch * 60 + 60):
        state, companies = random_state(seed)
        for most in (None, 1 + seed % 7):
            check(state, companies, most)


def check(state: State, companies: tuple[str, ...], most: int | None) -> None:
    """Compare both aims with every legal route."""
    routes = list(every_route(state, companies, most))
    for aim in (FASTEST, CHEAPEST):
        found = best_route(state, companies, FROM_11_TO_12, aim=aim, most=most)
        best = min((ranked_by(aim, each) for each in routes), default=None)
        assert (found and ranked_by(aim, _told(state, companies, found))) == best, (aim, most)


def _told(state: State, companies: tuple[str, ...], found: Route) -> Ranked:
    """Return what the rules say of a route that was found, which they must allow, named owners and all."""
    train = train_on(state, companies, FROM_11_TO_12, found)
    assert isinstance(train, Train)
    assert all((over == "") == (owner in companies) for over, owner in zip(found.over, train.owners, strict=True))
    assert all(toll <= cap_of(state) for toll in train.tolls.values())
    plain = train_on(state, companies, FROM_11_TO_12, found.but(over=("",) * len(found.over)))
    assert plain == train or state.board.bridges  # the owners are those that R4 chooses where the player names none
    points = sum(points_of(state.board, *step) for step in pairwise(found.path))
    return points, sum(train.tolls.values()), len(found.over), found.path


def test_the_random_networks_try_everything() -> None:
    """There are races with and without a legal route, and some that are only won by MAX or the share of own track."""
    kinds = set()
    for seed in range(600):
        state, companies = random_state(seed)
        fast = best_route(state, companies, FROM_11_TO_12, aim=FASTEST)
        cheap = best_route(state, companies, FROM_11_TO_12, aim=CHEAPEST)
        alone = under(state, own_share="some")
        free = best_route(alone, companies, FROM_11_TO_12, aim=FASTEST)
        twice = fast is not None and len(set(fast.path)) < len(fast.path)
        kinds.add((fast is not None, fast == cheap, fast == free, twice, len(companies)))
    assert {True, False} == {kind[0] for kind in kinds} == {kind[1] for kind in kinds}
    assert {True, False} == {kind[2] for kind in kinds} == {kind[3] for kind in kinds}


def best(state: State, aim: str = FASTEST, code: str = "GSW", **more: Any) -> Route | None:
    return best_route(state, (code,), FROM_11_TO_12, aim=aim, **more)


def laid(board: RailMap, track: Mapping[str, str | tuple[str, ...]], **options: Any) -> State:
    """Return a position with the race from 11 to 12 to be run."""
    return position(board, dict.fromkeys(("GSW", "MGW", *track), "A3"), track=track, races=FROM_11_TO_12, **options)


LOOP = sketch({"A3": (11,), "F3": (12,)})


def test_a_spur_of_own_track_cannot_be_run_to_and_back() -> None:
    """Rule: D6.2, no hex-side twice: own track on a dead end is no use."""
    state = laid(LOOP, {"MGW": "A3 B3 C3 D3 E3 F3", "GSW": "C3 C4"})
    assert not best(state)


def test_a_loop_over_own_track_is_run_for_its_sake() -> None:
    """Rule: D6.2: a hex may be visited twice."""
    state = laid(LOOP, {"MGW": "A3 B3 C3 D3 E3 F3", "GSW": "C3 C4 D4 D3"})
    found = best(state)
    assert found == route("A3 B3[MGW] C3[MGW] C4 D4 D3 E3[MGW] F3[MGW]")


def test_the_order_of_laying_changes_nothing() -> None:
    """One answer, always the same."""
    for seed in range(100):
        state, companies = random_state(seed)
        turned = state.but(track=dict(reversed(tuple(state.track.items()))))
        for aim in (FASTEST, CHEAPEST):
            assert best_route(state, companies, FROM_11_TO_12, aim=aim) == best_route(
                turned, companies, FROM_11_TO_12, aim=aim
            )


def test_of_equal_routes_the_first_path_is_taken() -> None:
    """Two ways round, the same points and no tolls."""
    board = sketch({"C2": (11,), "C4": (12,)})
    state = laid(board, {"GSW": ("C2 D2 D3 C4", "C2 B2 B3 C4")})
    assert best(state) == route("C2 B2 B3 C4")


def test_the_fastest_avoids_climbs_and_the_cheapest_rivals() -> None:
    """Rule: D6.6, D6.3."""
    board = sketch({"A3": (11,), "D3": (12,)}, mountains="B3")
    state = laid(board, {"GSW": ("A3 B3 C3", "C3 D3", "A3 A4"), "MGW": "A4 B4 C4 C3"})
    assert best(state, aim=CHEAPEST) == route("A3 B3 C3 D3")
    assert best(state, code="MGW", aim=CHEAPEST) == route("A3 A4[GSW] B4 C4 C3 D3[GSW]")
    assert not best(state, code="MGW", aim=CHEAPEST, most=3)


@pytest.mark.parametrize("aim", [FASTEST, CHEAPEST])
def test_there_is_none_where_nothing_joins_the_ends(aim: str) -> None:
    """No track at all, track at one end alone, no own track on the way."""
    board = sketch({"A3": (11,), "D3": (12,)})
    for track in ({}, {"GSW": ("A3 B3",)}, {"GSW": ("A3 A4",), "MGW": ("A3 B3 C3 D3",)}):
        state = laid(board, track)
        assert not best(state, aim=aim)


def test_a_hex_may_be_closed_to_trains_that_run_through(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a hex may still end the run."""
    board = sketch({"A3": (11,), "D3": (12,)})
    state = laid(board, {"GSW": ("A3 B3 C3 D3", "B3 C4 D3")})

    def may_pass(board: RailMap, before: Hex, here: Hex, after: Hex) -> bool:
        return here not in ("C3", "D3")

    assert best(state) == route("A3 B3 C3 D3")
    monkeypatch.setattr(network, "may_pass", may_pass)
    assert best(state) == route("A3 B3 C4 D3")


@pytest.mark.parametrize("aim", [FASTEST, CHEAPEST])
def test_a_forbidden_turn_is_avoided_by_running_back(aim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule: D2.6: from A3 no train turns to C3 in B3, but from B4, to which it is longer by A4 than by B3. Own is C3-D3."""
    track = {"GSW": ("C3 D3",), "MGW": ("A3 B3 C3", "B3 B4", "A3 A4 A5 B5 B4", "B4 C4 D4 D3")}
    state = laid(sketch({"A3": (11,), "D3": (12,)}), track)

    def may_pass(board: RailMap, before: Hex, here: Hex, after: Hex) -> bool:
        return here != "D3" and (here != "B3" or {before, after} != {"A3", "C3"})

    monkeypatch.setattr(network, "may_pass", may_pass)
    assert best(state, aim=aim) == route("A3 A4[MGW] A5[MGW] B5[MGW] B4[MGW] B3[MGW] C3[MGW] D3")


def test_what_the_tries_do_not_settle_is_left_to_the_player() -> None:
    """Rule: D6.2: a route that might not be the best is never given."""
    track = {"GSW": ("A3 B3 C3 D3 E3 F3", "C3 C4 D4 D3")}
    state = laid(LOOP, track)
    found = best(state, tries=1)
    assert found
    assert found.fault is not None
    assert found.fault.code == "illegal-best-route-unsettled"


def test_a_free_rival_is_not_own_track() -> None:
    """Rule: R9, D6.2: it costs nothing, but own track must be used as well."""
    board = sketch({"A3": (11,), "D3": (12,)})
    track = {"MGW": ("A3 B3 C3",), "BNC": ("A3 A4 B4 C3",), "GSW": ("C3 D3",)}
    state = laid(board, track, toll_cap=2)
    assert not best(state)
    found = best(state, free=("BNC",))
    assert found
    assert set(found.over) == {"BNC", ""}


TWO_WAYS = sketch({"A3": (11,), "D3": (12,)})
OVER_AND_UNDER = {"GSW": ("A3 B3",), "MGW": ("B3 C3 D3", "B3 C4 D3")}


def test_a_bridge_has_its_own_toll() -> None:
    """Rule: D6.3: it counts in the choice as the rules charge it."""
    for toll, path in ((0, "A3 B3 C3[MGW] D3[MGW]"), (9, "A3 B3 C4[MGW] D3[MGW]")):
        board = TWO_WAYS.but(bridges={side("B3", "C3"): Bridge(name="Long Bridge", price=4, toll=toll)})
        state = laid(board, OVER_AND_UNDER)
        assert best(state, aim=CHEAPEST) == route(path)


def test_a_ferry_takes_its_own_points() -> None:
    """Rule: D6.6."""
    for moves, path in ((1, "A3 B3 C3[MGW] D3[MGW]"), (3, "A3 B3 C4[MGW] D3[MGW]")):
        board = TWO_WAYS.but(ferries={side("B3", "C3"): Ferry(name="Ferry", price=4, toll=1, moves=moves)})
        state = laid(board, OVER_AND_UNDER)
        assert best(state) == route(path)


def test_the_neutral_railway_is_a_rival() -> None:
    """Rule: D2.6: unbuilt parts of a permitted build may be used for the usual toll."""
    board = TWO_WAYS.but(permitted=frozenset({side("B3", "C3"), side("C3", "D3")}))
    state = laid(board, {"GSW": "A3 B3"})
    found = best(state)
    assert found == route("A3 B3 C3[*] D3[*]")
    assert not best(state, most=2)


# The best route where own track must be the greater part, and over bridges: compared with every route. Rules: D6.2,
# D6.3.


def under(state: State, **options: str | int) -> State:
    """Return the position as it would be under other options."""
    return state.but(table=state.table.but(options=state.table.options.but(**options)))


def bridged(state: State, seed: int) -> State:
    """Return the position with some of its hex-sides on bridges, most of which cost nothing."""
    dice = SeededDice(f"bridges/{seed}")
    bridges = {
        laid: Bridge(name="Bridge", price=4, toll=(0, 0, 1, 3)[dice.throw(f"toll/{laid}", 4) - 1])
        for laid in sorted(state.track)
        if dice.throw(f"bridge/{laid}", 3) == 1
    }
    return state.but(table=state.table.but(board=state.board.but(bridges=bridges)))


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
    board = board.but(bridges={side("C3", "D3"): Bridge(name="Bridge", price=4, toll=0)})
    track = {"MGW": ("A3 B3 C3 D3 E3",), "GSW": ("C3 D3", "E3 F3")}
    state = laid(board, track)
    found = best(state, aim=CHEAPEST)
    assert found == route("A3 B3[MGW] C3[MGW] D3[MGW] E3[MGW] F3")
    train = train_on(state, ("GSW",), FROM_11_TO_12, found)
    assert isinstance(train, Train)
    assert train.tolls == {"MGW": 4}
    assert best(state, most=4) == found
    by_sides = under(state, toll="hex-sides")
    assert best(by_sides, aim=CHEAPEST) == route("A3 B3[MGW] C3[MGW] D3 E3[MGW] F3")


def test_a_spur_is_not_run_to_and_fro_for_the_greater_part() -> None:
    """Rule: D6.2: three own hex-sides lie beside the way, but no train comes back from them."""
    board = sketch({"A3": (11,), "F3": (12,)})
    track = {"MGW": ("A3 B3 C3 D3 E3",), "GSW": ("C3 C4 C5 C6", "E3 F3")}
    state = laid(board, track)
    assert not best(under(state, own_share="greater-part"))


# The best route where turns are forbidden, and on wider sheets, whenever something is demanded. Rules: D2.6,
# D6.2-D6.4.

SHEET = tuple(f"{column}{row}" for column in "BCDEFGHI" for row in range(2, 6))


@pytest.fixture
def not_every_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forbid some turns, each in both directions."""

    def may_pass(board: RailMap, before: Hex, here: Hex, after: Hex) -> bool:
        return crc32(f"{here}{min(before, after)}{max(before, after)}".encode()) % 6 > 0

    monkeypatch.setattr(network, "may_pass", may_pass)


@pytest.mark.usefixtures("not_every_turn")
@pytest.mark.parametrize("own_share", ["some", "greater-part"])
@pytest.mark.parametrize("batch", batches(6, 3))
def test_no_route_is_better_where_turns_are_forbidden(batch: int, own_share: str) -> None:
    """Compared with every route there is: all options of tolls, joint trains, several ends, with and without MAX."""
    for seed in range(3000 + batch * 60, 3060 + batch * 60):
        state, companies = random_state(seed)
        for most in (None, 1 + seed % 7):
            check(under(state, own_share=own_share), companies, most)


@pytest.mark.usefixtures("not_every_turn")
@pytest.mark.parametrize("batch", batches(4, 1))
def test_nor_over_bridges(batch: int) -> None:
    """Some networks have bridges that cost nothing, where own track need not go before a rival's."""
    for seed in range(4000 + batch * 60, 4060 + batch * 60):
        state, companies = random_state(seed)
        check(bridged(under(state, toll="hexes", own_share="some"), seed), companies, None)
