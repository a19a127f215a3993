"""The whole games of Dampfross that are kept as recorded."""

from collections.abc import Mapping
from functools import cache

from referee.core.game import ONE_BY_ONE, TOGETHER, Outcome, Setup
from tests.games.dampfross.wholegame import BuiltIn, Turn, play_game, setup_of
from tests.games.recorded import Written, once, read_recording

# (map, preset, pace, players): each pair of values comes up at least once.
CHOICE = [
    ("ireland", "laurin", TOGETHER, 2),
    ("ireland", "schmidt", ONE_BY_ONE, 3),
    ("ireland", "postal", ONE_BY_ONE, 6),
    ("bavaria", "postal", TOGETHER, 2),
    ("bavaria", "laurin", ONE_BY_ONE, 3),
    ("bavaria", "schmidt", TOGETHER, 5),
    ("russia", "postal", TOGETHER, 4),
    ("russia", "laurin", TOGETHER, 6),
    ("russia", "schmidt", ONE_BY_ONE, 2),
    ("kentucky_tennessee", "postal", TOGETHER, 3),
    ("kentucky_tennessee", "laurin", ONE_BY_ONE, 4),
    ("kentucky_tennessee", "schmidt", TOGETHER, 6),
    ("switzerland", "postal", TOGETHER, 3),
    ("france", "schmidt", TOGETHER, 5),
]
# (companies, seed) of usual games
USUAL = [(3, "a"), (4, "b"), (5, "c"), (6, "d")]


def agreed(board: str, preset: str, pace: str, players: int) -> Setup:
    """Return the setup; one by one companies build in turn, whatever the preset says."""
    options = {"order_of_building": "in-turn"} if pace == ONE_BY_ONE else {}
    return setup_of(players, board, preset, pace, **options)


def everymap_name(board: str, preset: str, pace: str, players: int) -> str:
    """Return what a game of the choice is called, which is its seed too."""
    return f"{board} {preset} {pace} {players}"


@cache
def games() -> Mapping[str, tuple[Setup, str]]:
    """Return what was agreed for each recorded game, and its seed, by name."""
    usual = {f"usual {companies} {seed}": (setup_of(companies), seed) for companies, seed in USUAL}
    return {everymap_name(*row): (agreed(*row), everymap_name(*row)) for row in CHOICE} | usual


@cache
def recorded_game(name: str) -> tuple[Setup, Outcome, list[Turn]]:
    """Return a whole game as it was recorded.

    Raises:
        Stale: the built-in players no longer play it like that.
    """
    return once(name, replayed)


def replayed(name: str, every: int = 0) -> tuple[Setup, Outcome, list[Turn]]:
    """Return a whole game as it was recorded; *every*: see ``Recording.compare``. Raises Stale."""
    setup, seed = games()[name]
    recording = read_recording("dampfross", name)
    opening, turns = play_game(setup, seed, recording)
    recording.compare({turn.before.turn: turn.before for turn in turns}, BuiltIn(), every)
    return setup, opening, turns


def played_anew(name: str) -> dict[int, Written]:
    """Return the lines that the built-in players write in a game now, by turn."""
    return {turn.before.turn: turn.lines for turn in play_game(*games()[name])[1]}


def usual_game(companies: int, seed: str) -> tuple[Setup, Outcome, list[Turn]]:
    """Return a usual postal game on Ireland as it was recorded."""
    return recorded_game(f"usual {companies} {seed}")
