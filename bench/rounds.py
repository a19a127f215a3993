"""Replays whole six-player games in-process and says how fast: ``python -m bench.rounds [--map ireland] [--json]``

Rounds per second (building, racing with given routes, all), forecasts per second, milliseconds per board. Machines differ and
are noisy, so all that is compared is measured in turns, slice by slice, and the median counts: beside ours stand a loop of
plain arithmetic and whole games of DATC's ``diplomacy``, if that package is installed (``pip install diplomacy`` in an
environment of its own): phases adjudicated with random orders, the orders given beforehand as ours are (*bare*), the same with
reading and checking the orders (*ordered*), and phases for which nobody orders anything, in which nothing happens (*empty*).
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from statistics import median

from bench.rows import Row, print_rows
from referee.core import SeededDice
from referee.games.dampfross import GAME
from referee.report.renderer import svg
from tests.games.dampfross.recordedgames import recorded_game
from tests.games.dampfross.wholegame import Turn, play_game, setup_of

SLICES = 9
SLICE = 0.3  # seconds of CPU
RIVALS = ("bare", "ordered", "empty")
PHASES = 60  # of a game of Diplomacy: with random orders it goes on for ever

Work = Callable[
    [], tuple[int, float]
]  # does a bit of work; returns how many things it did, and in how many seconds of CPU


def rates(works: dict[str, Work]) -> dict[str, float]:
    """Return how many things a second of CPU each work does: the median of slices, taken in turns."""
    slices: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(SLICES):
        for name, work in works.items():
            done, spent = 0, 0.0
            while spent < SLICE:
                more, took = work()
                done, spent = done + more, spent + took
            slices[name].append(done / spent)
    return {name: median(found) for name, found in slices.items()}


def timed(act: Callable[[], int]) -> Work:
    """Return the work of doing *act*, which returns how many things it did."""

    def work() -> tuple[int, float]:
        began = time.process_time()
        done = act()
        return done, time.process_time() - began

    return work


def arithmetic() -> int:
    """Do a fixed bit of work to compare with: one unit is 10,000 additions."""
    total = 0
    for number in range(10_000):
        total += number * number
    return 1 if total else 0


def diplomacy(kind: str) -> tuple[int, float]:
    """Play a game of Diplomacy; return its phases, and what counts of the time. *kind*: bare, ordered or empty."""
    from diplomacy import Game

    game, phases, spent, chance = Game(), 0, 0.0, random.Random(1)  # noqa: S311
    while not game.is_game_done and phases < PHASES:
        possible = game.get_all_possible_orders() if kind != "empty" else {}
        orders = {
            power: [chance.choice(possible[place]) for place in game.get_orderable_locations(power) if possible[place]]
            for power in (game.powers if possible else ())
        }
        began = time.process_time()
        for power, chosen in orders.items():
            game.set_orders(power, chosen)
        given = time.process_time()
        game.process()
        spent += time.process_time() - (given if kind == "bare" else began)
        phases += 1
    return phases, spent


def replayed(turns: list[Turn]) -> Callable[[], int]:
    """Return the work of adjudicating *turns* from their orders."""

    def work() -> int:
        for turn in turns:
            GAME.adjudicate(turn.before, turn.orders, SeededDice(f"bench/{turn.before.turn}"))
        return len(turns)

    return work


def foreseen(turns: list[Turn]) -> Callable[[], int]:
    """Return the work of forecasting every player's orders of *turns*."""

    def work() -> int:
        done = 0
        for turn in turns:
            for player, orders in turn.orders.items():
                GAME.forecast(turn.before, player, orders)
                done += 1
        return done

    return work


def drawn(turns: list[Turn]) -> Callable[[], int]:
    """Return the work of drawing the board at the end of a game."""

    def work() -> int:
        svg(GAME.drawing(turns[-1].outcome.state))
        return 1

    return work


def measured(board: str) -> dict[str, float]:
    """Return the figures of a map: things per second by name, and the ratio to Diplomacy's bare phases."""
    turns = recorded_game("usual 6 d")[2] if board == "ireland" else play_game(setup_of(6, board), "bench")[1]
    acts = {
        "building": replayed([turn for turn in turns if turn.before.phase == "build"]),
        "racing": replayed([turn for turn in turns if turn.before.phase != "build"]),
        "rounds": replayed(turns),
        "forecasts": foreseen(turns),
        "boards": drawn(turns),
        "arithmetic": arithmetic,
    }
    works = {name: timed(act) for name, act in acts.items()}
    if importlib.util.find_spec("diplomacy"):
        works |= {f"diplomacy, {kind}": partial(diplomacy, kind) for kind in RIVALS}
    found = rates(works)
    for kind in RIVALS:
        if f"diplomacy, {kind}" in found:
            found[f"rounds to {kind}"] = found["rounds"] / found[f"diplomacy, {kind}"]
    return found


def rows(boards: Iterable[str]) -> Iterator[Row]:
    """Measure."""
    for board in boards:
        found = measured(board)
        rival = "diplomacy, bare" if "diplomacy, bare" in found else "arithmetic"
        for name, rate in found.items():
            if not name.startswith("rounds to"):
                ratio = rate / found[rival]
                yield Row(
                    table=f"In-process, {board}", work=name, figure=rate, unit="a second", beside=rival, ratio=ratio
                )


def main() -> None:
    """Print the figures of each map."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--map", choices=GAME.boards(), action="append", help="all of them by default")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    print_rows(rows(chosen.map or GAME.boards()), as_json=chosen.json)


if __name__ == "__main__":
    main()
