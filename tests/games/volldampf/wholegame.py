"""Plays whole games in memory: lines, which built-in players write or once wrote, are read as a letter's."""

import json
from collections.abc import Mapping
from functools import cache

from referee.bots.volldampf import answer
from referee.core import Complaint, Complaints, SeededDice, Texts, Value
from referee.core.game import ONE_BY_ONE, TOGETHER, Option, Outcome, Player, Setup
from referee.games.volldampf import GAME
from referee.games.volldampf.state import Order, State
from tests.games import lines as letters
from tests.games.recorded import Lines, Writer, Written, once, read_recording
from tests.games.volldampf.wanted import VALUES

BOARD = "deutschland-1925"
CODES = ("ANN", "BOB", "CID", "DOT", "EVA", "FRI")


class Turn(Value):
    """One turn: the position, what each player's letter was understood as and blamed for, and what came of it."""

    before: State
    lines: Written
    orders: Mapping[str, tuple[Order, ...]]
    complaints: Complaints
    outcome: Outcome


def setup_of(players: int, preset: str = "post", pace: str = TOGETHER, **options: Option) -> Setup:
    """Return what is agreed for a game of that many players."""
    seats = tuple(
        Player(code=code, colour=GAME.colours[place], name=code.title()) for place, code in enumerate(CODES[:players])
    )
    return Setup(
        game="volldampf",
        board_name=BOARD,
        board=GAME.board_text(BOARD),
        preset=preset,
        options=tuple(options.items()),
        players=seats,
        pace=pace,
    )


def understood(state: State, player: str, lines: Texts) -> tuple[tuple[Order, ...], Complaints]:
    """Return the orders of a letter with these lines, and every complaint about it, those of its forecast too."""
    orders, complaints = letters.understood(GAME, state, player, lines)
    return orders, (*complaints, *GAME.forecast(state, player, orders).complaints)


def opened(setup: Setup, seed: str) -> Outcome:
    """Return the opening of a game."""
    return GAME.start(GAME.lay_out(setup), SeededDice(f"{seed}/0"))


def built_in(state: State, player: str) -> Lines:
    """Return what a built-in player writes to what it is mailed."""
    return answer(json.loads(json.dumps(GAME.view(state, player))), player)


def play_turn(state: State, seed: str, writer: Writer = built_in) -> Turn:
    """Play the turn that is asked for."""
    lines = {awaited.player: writer(state, awaited.player) for awaited in GAME.awaiting(state)}
    orders: dict[str, tuple[Order, ...]] = {}
    complaints: list[Complaint] = []
    for code, written in lines.items():
        orders[code], blamed = understood(state, code, written)
        complaints += blamed
    outcome = GAME.adjudicate(state, orders, SeededDice(f"{seed}/{state.turn}"))
    return Turn(before=state, lines=lines, orders=orders, complaints=tuple(complaints), outcome=outcome)


def play_game(setup: Setup, seed: str, writer: Writer = built_in) -> tuple[Outcome, list[Turn]]:
    """Play from the opening to the end; *writer* writes everybody's lines."""
    opening = opened(setup, seed)
    turns: list[Turn] = []
    state: State = opening.state
    while GAME.awaiting(state):
        turns.append(play_turn(state, seed, writer))
        state = turns[-1].outcome.state
    return opening, turns


# The whole games of Volldampf that are kept as recorded.

# (preset, pace, players): each value of one with each pace comes up at least once.
CHOICE = [
    ("post", TOGETHER, 3),
    ("referee", TOGETHER, 2),
    ("referee", TOGETHER, 3),
    ("referee", TOGETHER, 4),
    ("dutch", TOGETHER, 2),
    ("dutch", TOGETHER, 5),
    ("dutch", TOGETHER, 6),
    ("english", TOGETHER, 5),
    ("french", TOGETHER, 4),
    ("post", ONE_BY_ONE, 2),
    ("referee", ONE_BY_ONE, 3),
    ("dutch", ONE_BY_ONE, 4),
    ("english", ONE_BY_ONE, 6),
    ("french", ONE_BY_ONE, 5),
]
PACKED = [(0, 4), (1, 3), (2, 5), (1, 4)]  # (pack of options, players): each pack once, then one at the other pace

# Of a number a value that is felt in a game, and none.
FELT: dict[str, tuple[Option, ...]] = {**VALUES, "income_max": (12, 0), "bond_limit": (0, 2)}


def packs() -> list[dict[str, Option]]:
    """Return three sets of options in which every value of an option that lists its values comes up."""
    found: list[dict[str, Option]] = [
        {name: values[place % len(values)] for name, values in FELT.items()} for place in range(3)
    ]
    # The one is an exception to the other: what contradicts itself is not played.
    for place, passes in enumerate((True, False, False)):
        found[place] |= {"red_passes_red": passes, "must_stop": place != 1}
    return found


def with_pack(pack: int, players: int) -> Setup:
    """Return what is agreed for a game with a pack of options."""
    pace = ONE_BY_ONE if (pack + players) % 2 else TOGETHER
    return setup_of(players, "referee", pace, **packs()[pack])


@cache
def games() -> Mapping[str, Setup]:
    """Return what was agreed for each recorded game by its name, which is its seed."""
    usual = {f"{preset} {pace} {players}": setup_of(players, preset, pace) for preset, pace, players in CHOICE}
    return usual | {f"pack {pack} {players}": with_pack(pack, players) for pack, players in PACKED}


@cache
def recorded_game(name: str) -> tuple[Setup, Outcome, list[Turn]]:
    """Return a whole game as it was recorded.

    Raises:
        Stale: the built-in players no longer play it like that.
    """
    return once(name, replayed)


def replayed(name: str, every: int = 0) -> tuple[Setup, Outcome, list[Turn]]:
    """Return a whole game as it was recorded; *every*: see ``Recording.compare``. Raises Stale."""
    setup = games()[name]
    recording = read_recording("volldampf", name)
    opening, turns = play_game(setup, name, recording)
    recording.compare({turn.before.turn: turn.before for turn in turns}, built_in, every)
    return setup, opening, turns


def played_anew(name: str) -> dict[int, Written]:
    """Return the lines that the built-in players write in a game now, by turn."""
    return {turn.before.turn: turn.lines for turn in play_game(games()[name], name)[1]}


def bots_game(players: int, preset: str = "post", pace: str = TOGETHER) -> tuple[Setup, Outcome, list[Turn]]:
    """Return a whole game of the built-in players, as it was recorded."""
    return recorded_game(f"{preset} {pace} {players}")
