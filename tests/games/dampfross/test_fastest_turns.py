"""The best route where turns are forbidden, and on wider sheets, whenever something is demanded. Rules: D2.6, D6.2-D6.4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from zlib import crc32

import pytest
from msgspec.structs import replace

from referee.core.dice import SeededDice
from referee.core.hexes import Hex, neighbours, side
from referee.games.dampfross import fastest
from referee.games.dampfross.board.railmap import Bridge, RailMap
from referee.games.dampfross.fastest import CHEAPEST, FASTEST, all_demands, best_walk
from referee.games.dampfross.network import Demands, network_of, passes_anywhere
from referee.games.dampfross.state import State
from tests.games.dampfross.sketch import CODES, position, race, sketch
from tests.games.dampfross.test_fastest import FROM_11_TO_12, batches, random_state
from tests.games.dampfross.test_fastest_share import bridged, check, under

SHEET = tuple(f"{column}{row}" for column in "BCDEFGHI" for row in range(2, 6))


def not_every_turn(board: RailMap, before: Hex, here: Hex, after: Hex) -> bool:
    """Forbid some turns, each in both directions."""
    return crc32(f"{here}{min(before, after)}{max(before, after)}".encode()) % 6 > 0


@pytest.mark.parametrize("own_share", ["some", "greater-part"])
@pytest.mark.parametrize("batch", batches(6, 3))
def test_no_route_is_better_where_turns_are_forbidden(
    batch: int, own_share: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compared with every route there is: all options of tolls, joint trains, several ends, with and without MAX."""
    monkeypatch.setattr(fastest, "SOME_TRIES", 1)  # what takes longer is asked for the cheapest first
    for seed in range(3000 + batch * 60, 3060 + batch * 60):
        state, companies = random_state(seed)
        for most in (None, 1 + seed % 7):
            check(under(state, own_share=own_share), companies, most, not_every_turn)


@pytest.mark.parametrize("batch", batches(4, 1))
def test_nor_over_bridges(batch: int) -> None:
    """Some networks have bridges that cost nothing, where own track need not go before a rival's."""
    for seed in range(4000 + batch * 60, 4060 + batch * 60):
        state, companies = random_state(seed)
        check(bridged(under(state, toll="hexes", own_share="some"), seed), companies, None, not_every_turn)


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
        sketch({start: (11,), end: (12,)}, mountains=" ".join(hills)),
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


@pytest.mark.parametrize("batch", batches(8, 5))
def test_what_is_demanded_late_or_from_the_first_leads_to_the_same_route(batch: int) -> None:
    """The same hexes over the same track, or none, by both aims, with and without forbidden turns, bridges and MAX."""
    kinds: Counter[str] = Counter()
    for seed in range(batch * 30, batch * 30 + 30):
        state = wide_state(seed)
        for turns, at in (
            (passes_anywhere, state),
            (not_every_turn, state),
            (passes_anywhere, over_dear_bridges(state)),
        ):
            network = network_of(at, ("GSW",), FROM_11_TO_12, turns)
            demands = all_demands(at, 9 + seed % 8 if seed % 3 == 0 else None)
            for aim in (FASTEST, CHEAPEST):
                late, first, freely = [
                    found and (found.path, found.owners)
                    for found, _ in [
                        best_walk(network, aim, demands),
                        best_walk(network, aim, demands, demands),
                        best_walk(network, aim, Demands()),
                    ]
                ]
                assert late == first, (seed, aim)
                kinds["none" if late is None else "as it is" if late == freely else "by demand"] += 1
    assert len(kinds) == 3, kinds
