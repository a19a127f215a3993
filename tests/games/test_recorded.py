"""Recorded games: each is what the built-in players play now, and one that is not is found out."""

import pytest

from tests.games.dampfross import recordedgames as dampfross
from tests.games.recorded import FOLDER, Recording, Stale, path_of, read_recording
from tests.games.volldampf import wholegame as volldampf
from tests.games.volldampf.wholegame import built_in, play_game
from tests.record import games

NAME = "dutch together 2"  # the shortest
EVERY = games()


@pytest.mark.testlong
@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_the_built_in_players_write_in_some_turns_what_is_recorded(kind: str, name: str) -> None:
    {"dampfross": dampfross, "volldampf": volldampf}[kind].replayed(name, every=25)


def test_every_game_is_recorded_and_no_other() -> None:
    assert {path_of(kind, name) for kind, name in EVERY} == set(FOLDER.glob("*/*.txt"))


def replayed(recording: Recording) -> None:
    """Play a game again as it is recorded, and ask the built-in players in two of its turns."""
    _, turns = play_game(volldampf.games()[NAME], NAME, recording)
    recording.compare({turn.before.turn: turn.before for turn in turns}, built_in)


def altered(turn: int, player: str, *lines: str) -> Recording:
    """Return the recording with other lines."""
    kept = read_recording("volldampf", NAME)
    return kept.but(turns={**kept.turns, turn: {**kept.turns.get(turn, {}), player: lines}}, used=set())


def test_a_game_that_is_as_recorded_is_not_stale() -> None:
    replayed(read_recording("volldampf", NAME))


def test_what_built_in_players_would_write_otherwise_is_stale() -> None:
    kept = read_recording("volldampf", NAME)
    last = max(kept.turns)
    with pytest.raises(Stale, match=rf"{NAME} is stale \(turn {last}, BOB: .*`make record`"):
        replayed(altered(last, "BOB", "MOVE 1: none"))


def test_lines_that_are_missing_or_left_over_are_stale() -> None:
    kept = read_recording("volldampf", NAME)
    first, *others = kept.turns
    with pytest.raises(Stale, match=f"no lines of ANN in turn {first}"):
        replayed(Recording(name=NAME, turns={turn: kept.turns[turn] for turn in others}))
    with pytest.raises(Stale, match=r"left over: \[\(99, 'ANN'\)\]"):
        replayed(altered(99, "ANN", "PASS"))
