"""Searches from both ends, and those that go on, come to the same route as one from the start does. Rules: D6.2-D6.4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from zlib import crc32

import pytest
from msgspec.structs import replace

from referee.core.dice import SeededDice
from referee.core.hexes import Hex, neighbours, side
from referee.games.dampfross.board.railmap import Bridge, RailMap
from referee.games.dampfross.position.orders import Route
from referee.games.dampfross.position.state import State
from referee.games.dampfross.route import hunt
from referee.games.dampfross.route.bounds import Bounds
from referee.games.dampfross.route.dominance import ANYWHERE, Label
from referee.games.dampfross.route.fastest import CHEAPEST, FASTEST, _cost, all_demands, best_route
from referee.games.dampfross.route.hunt import Hunt
from referee.games.dampfross.route.network import OWN, mirrored, network_of, passes_anywhere
from referee.games.dampfross.route.search import Demands, Search
from referee.games.dampfross.route.tolls import cap_of
from tests.games.dampfross.sketch import CODES, position, race, sketch
from tests.games.dampfross.test_fastest import FROM_11_TO_12, batches, random_state
from tests.games.dampfross.test_fastest_share import bridged, check, under

SHEET = tuple(f"{column}{row}" for column in "BCDEFGHI" for row in range(2, 6))


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every search helped by one from the end after its first try, in short turns."""
    monkeypatch.setattr(hunt, "FEW_TRIES", 1)
    monkeypatch.setattr(hunt, "_TURN", 3)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("batch", batches(6, 3))
def test_no_route_is_better_than_that_of_a_search_from_both_ends(batch: int) -> None:
    """Compared with every route there is: all options of tolls, joint trains, several ends, with and without MAX."""
    for seed in range(3000 + batch * 60, 3060 + batch * 60):
        state, companies = random_state(seed)
        for most in (None, 1 + seed % 7):
            check(under(state, own_share="some"), companies, most)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("batch", batches(4, 1))
def test_nor_over_bridges(batch: int) -> None:
    """Some networks have bridges that cost nothing, where no search goes from the end."""
    for seed in range(4000 + batch * 60, 4060 + batch * 60):
        state, companies = random_state(seed)
        check(bridged(under(state, toll="hexes", own_share="some"), seed), companies, None)


def wide_state(seed: int) -> State:
    """Return a position on a wider sheet: the companies' track meets in many places, and own track is out of the way."""
    dice = SeededDice(f"wide/{seed}")

    def one_of(places: tuple[Hex, ...], name: str) -> Hex:
        return places[dice.throw(name, len(places)) - 1]

    def lines(code: str, home: Hex, steps: int) -> Iterator[str]:
        reached, laid = [home], set()
        for step in range(steps):
            here = one_of(
                tuple(reached[-2:] if dice.throw(f"on/{code}/{step}", 4) > 1 else reached), f"from/{code}/{step}"
            )
            around = [each for each in neighbours(here) if each in SHEET and side(here, each) not in laid]
            if around:
                there = one_of(tuple(around), f"to/{code}/{step}")
                laid.add(side(here, there))
                reached.append(there)
                yield f"{here} {there}"

    codes = CODES[: 3 + dice.throw("companies", 3)]
    starts = tuple(each for each in SHEET if each[0] in "BC")
    start = one_of(starts, "start")
    end = one_of(tuple(each for each in starts if each != start), "end")
    homes = {
        code: one_of(SHEET, f"home/{code}") if place else one_of(("G3", "H4", "G5"), "own")
        for place, code in enumerate(codes)
    }
    track = {code: tuple(lines(code, homes[code], 25 if place else 5)) for place, code in enumerate(codes)}
    hills = [label for label in SHEET if label not in (start, end) and dice.throw(f"hill/{label}", 3) == 1]
    return position(
        sketch({start: (11,), end: (12,)}, homes=" ".join(homes.values()), mountains=" ".join(hills)),
        homes,
        track=track,
        races=(race(1, 11, 12),),
        toll=("hexes", "hex-sides")[dice.throw("toll", 2) - 1],
        toll_cap=(4, 5, 6, 7, 8)[dice.throw("cap", 5) - 1],
    )


def over_dear_bridges(state: State) -> State:
    """Return the position with bridges, none free of toll."""
    bridges = {
        laid: Bridge(name="Bridge", price=4, toll=1 + crc32("".join(laid).encode()) % 3)
        for laid in state.track
        if crc32("-".join(laid).encode()) % 5 == 0
    }
    return replace(state, table=replace(state.table, board=replace(state.table.board, bridges=bridges)))


def not_every_turn(board: RailMap, before: Hex, here: Hex, after: Hex) -> bool:
    """Forbid some turns, each in both directions."""
    return crc32(f"{here}{min(before, after)}{max(before, after)}".encode()) % 6 > 0


def routes(state: State, seed: int) -> Iterator[Route | None]:
    """Give the best routes by both aims, with and without forbidden turns and bridges, and MAX."""
    for aim in (FASTEST, CHEAPEST):
        most = 9 + seed % 8 if seed % 3 == 0 else None
        for may_pass in (passes_anywhere, not_every_turn):
            yield best_route(state, ("GSW",), FROM_11_TO_12, aim=aim, most=most, may_pass=may_pass)
        yield best_route(over_dear_bridges(state), ("GSW",), FROM_11_TO_12, aim=aim, most=most)


def prefixes(search: Search, best: Label) -> Iterator[Label]:
    """Give the label of each way, from knot to knot, that is the beginning of the best."""
    _, path, owners = best[:3]
    label = next(each for each in search.queue if each[1] == path[:1])
    while label[1] != path:
        further: list[Label] = []
        search._go_on(label, ANYWHERE, further)
        label = next(each for each in further if each[1] == path[: len(each[1])] and each[2] == owners[: len(each[2])])
        yield label


@pytest.mark.parametrize("first", [0, *(pytest.param(seed, marks=pytest.mark.testlong) for seed in (30, 60, 90))])
@pytest.mark.parametrize("aim", [FASTEST, pytest.param(CHEAPEST, marks=pytest.mark.testlong)])
def test_no_last_leg_promises_too_much(aim: str, first: int) -> None:
    """However few legs are known, the best walk is never taken for dearer than it is, from wherever it is looked at."""
    mixed = 0
    for seed in range(first, first + 30):
        state = wide_state(seed)
        network = network_of(state, ("GSW",), FROM_11_TO_12, (passes_anywhere, not_every_turn)[seed % 2])
        demands = all_demands(network, cap_of(state), None, "some")
        chase = Hunt(Bounds(network, (_cost(network, aim),)), _cost(network, CHEAPEST))
        best, _ = chase._search(chase.cost, demands).best(10**6)
        if best is None or not demands.capped:
            continue
        search = chase._search(chase.cost, demands)
        from_end = chase._search(Bounds(mirrored(network), chase.cost.measures), demands, up_to_own=True)
        for tries in (1, 20, 10**6):
            from_end.best(tries)
            legs = chase._last_legs(search, from_end)
            assert all(legs.least(label) <= best[3] for label in prefixes(search, best)), (seed, tries)
        mixed += any(0 < line.own < len(line.owners) and line.owners[-1] != OWN for line in network.lines)
    assert mixed > 0


def _afresh(self: Hunt, asked: Demands, tries: int) -> tuple[Label | None, int]:
    """Search from the start alone, each time anew."""
    return self._search(self.cost, asked).best(tries)


@pytest.mark.testlong
@pytest.mark.parametrize("batch", batches(8, 5))
def test_both_ends_find_what_one_finds(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hexes over the same track, or none, whether searches are helped early, late or never."""
    for seed in range(batch * 30, batch * 30 + 30):
        state = wide_state(seed)
        with monkeypatch.context() as patch:
            patch.setattr(Hunt, "best", _afresh)
            alone = list(routes(state, seed))
        assert list(routes(state, seed)) == alone, seed
        for few, turn in ((1, 2), (25, 9)):
            with monkeypatch.context() as patch:
                patch.setattr(hunt, "FEW_TRIES", few)
                patch.setattr(hunt, "_TURN", turn)
                assert list(routes(state, seed)) == alone, (seed, few)


@pytest.mark.testlong
@pytest.mark.usefixtures("at_once")
def test_the_wide_networks_try_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches from both ends find routes and prove that there are none, go on with more lines watched, and wait for legs."""
    kinds: Counter[str] = Counter()

    def watch(self: Search, once: tuple[int, ...]) -> None:
        kinds["end" if self.up_to_own else "start"] += 1
        _watch(self, once)

    def by_turns(self: Hunt, search: Search, from_end: Search, tries: int) -> tuple[Label | None, int]:
        found, left = _by_turns(self, search, from_end, tries)
        kinds["none" if found is None else "found"] += 1
        kinds["many watched"] += len(search.demands.once) > 2
        kinds["mixed lines"] += any(0 < line.own < len(line.owners) for line in search.network.lines)
        kinds["forbidden turns"] += bool(search.network.barred)
        kinds["several pay"] += len(search.demands.capped) > 2
        return found, left

    _watch, _by_turns = Search.watch, Hunt._by_turns
    monkeypatch.setattr(Search, "watch", watch)
    monkeypatch.setattr(Hunt, "_by_turns", by_turns)
    for seed in range(60):
        list(routes(wide_state(seed), seed))
    assert all(kinds[kind] >= 5 for kind in ("start", "end", "none", "found", "mixed lines", "forbidden turns")), kinds
    assert all(kinds[kind] >= 5 for kind in ("many watched", "several pay")), kinds
