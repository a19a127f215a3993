"""Where an order is cut into pieces changes nothing of what is laid, jumped and paid. Rule: D4.2, R8."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, combinations, pairwise
from typing import Any

from msgspec.structs import replace

from referee.core.game import Outcome
from referee.games.dampfross.board.railmap import Bridge
from referee.games.dampfross.events import CityConnected, Event, FeePaid, JumpMade, PointsBanked, TrackLaid
from referee.games.dampfross.state import Build, Piece, State
from tests.games.dampfross.sketch import build, play, position, race, sketch

# RED's line lies along row 3; BLU and GRN meet beyond it, in the same steps.
CITIES = {"A3": (11,), "C1": (12,), "D6": (13,), "G5": (14,), "A1": (15,), "A2": (16,)}
BOARD = replace(sketch(CITIES), bridges={("G5", "G6"): Bridge(name="Britannia", price=9, banked=True)})
HOMES = {"RED": "A3", "BLU": "C1", "GRN": "D6"}
TRACK = {"RED": ("A3 B3 C3 D3 E3 F3 G3 H3",)}
# BLU builds down to RED's line, jumps twice along it, and banks what is left for a bridge.
BLU = Piece(path=("C1", "C2", "C3", "E3", "E4", "E5", "F5", "G5", "G6"), jumps=(3,))
AGAIN = Piece(path=("C2", "D2", "D3", "F3", "F4", "G4"), jumps=(3,))
GRN = {"GRN": (build(1, "D6 D5 E5 E4 F4 G4"), build(2, "E5 F5 G5"))}
TOLD = (TrackLaid, JumpMade, FeePaid, CityConnected, PointsBanked)


def cut(whole: Piece, places: tuple[int, ...]) -> tuple[Piece, ...]:
    """Return a piece cut at these indexes of its path."""
    return tuple(
        Piece(
            path=whole.path[start : end + 1],
            jumps=tuple(jump - start for jump in whole.jumps if start < jump <= end),
        )
        for start, end in pairwise((0, *places, len(whole.path) - 1))
    )


def every_cut(whole: Piece) -> list[tuple[Piece, ...]]:
    """Return all ways to cut a piece."""
    inside = range(1, len(whole.path) - 1)
    places = chain.from_iterable(combinations(inside, count) for count in range(len(inside) + 1))
    return [cut(whole, each) for each in places]


def happened(outcome: Outcome) -> list[Event]:
    """Return what was laid, jumped, paid and banked, without the numbers of pieces."""
    events = [event for event in outcome.events if isinstance(event, TOLD)]
    return [event if isinstance(event, FeePaid | CityConnected) else replace(event, piece=1) for event in events]


def played(state: State, orders: Mapping[str, tuple[Build, ...]]) -> tuple[list[Event], State]:
    outcome = play(state, orders)
    return happened(outcome), outcome.state


def test_a_roll_cut_into_pieces_is_the_same_roll() -> None:
    """Rule: D4.2, D4.3, R8: also where the next piece begins with a jump."""
    state = position(BOARD, HOMES, track=TRACK, jumps=2, rolls=(8, 6, 6))
    whole = played(state, {"BLU": (build_of(1, BLU), build_of(2, AGAIN)), **GRN})
    assert [len([event for event in whole[0] if isinstance(event, kind)]) for kind in TOLD] == [17, 2, 12, 1, 1]
    for first in every_cut(BLU):
        for second in every_cut(AGAIN) if first == (BLU,) else [(AGAIN,)]:
            cuts = {"BLU": (build_of(1, *first), build_of(2, *second)), **GRN}
            assert played(state, cuts) == whole, (first, second)


def test_a_building_between_races_cut_into_pieces_is_the_same_building() -> None:
    """Rule: D7.1, R32: what the first building does not pay for is gone on with at the next, in whatever piece it lies."""
    races = tuple(race(number, 11, 12) for number in (1, 2, 3, 4))
    options: dict[str, Any] = {
        "race_schedule": "dice",
        "specials": "numbers",
        "races_per_turn": 4,
        "race_building": "4 per 2 races",
    }
    state = position(BOARD, HOMES, track=TRACK, races=races, jumps=1, **options)
    whole = played(state, {"BLU": (build_of(1, BLU),)})
    assert [event.left for event in whole[0] if isinstance(event, TrackLaid)] == [3, 2, 1, 0, 3, 2]
    for first in every_cut(BLU):
        assert played(state, {"BLU": (build_of(1, *first),)}) == whole, first


def build_of(roll: int, *pieces: Piece) -> Build:
    """Return the order for a roll with these pieces."""
    return Build(roll=roll, pieces=pieces)
