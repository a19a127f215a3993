"""Replays whole six-player games in-process and says how fast: ``python -m bench.rounds [--map ireland] [--json]``

Rounds per second (building, racing with given routes, all), forecasts per second, milliseconds per board. Machines differ and
are noisy, so all that is compared is measured in turns, slice by slice, and the median counts: beside ours stand a loop of
plain arithmetic, whole games of DATC's ``diplomacy`` without an order and with random ones, if that package is installed
(``pip install diplomacy`` in an environment of its own), and the ratio of our rounds to its bare ones.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import time
from collections.abc import Callable, Iterable, Iterator
from statistics import median

from bench.rows import Row, print_rows
from referee.core.dice import SeededDice
from referee.games.dampfross import GAME
from referee.games.dampfross.position.state import BUILD
from referee.report.svg import svg
from tests.games.dampfross.recordedgames import recorded_game
from tests.games.dampfross.wholegame import Turn, play_game, setup_of

SLICES = 9
SLICE = 0.3  # seconds of CPU
PHASES = 60  # of a game of Diplomacy in which nobody orders anything

Work = Callable[[], int]  # does a bit of work and returns how many things it did


def rates(works: dict[str, Work]) -> dict[str, float]:
    """Return how many things a second of CPU each work does: the median of slices, taken in turns."""
    slices: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(SLICES):
        for name, work in works.items():
            done, began = 0, time.process_time()
            while (spent := time.process_time() - began) < SLICE:
                done += work()
            slices[name].append(done / spent)
    return {name: median(found) for name, found in slices.items()}


def arithmetic() -> int:
    """Do a fixed bit of work to compare with: one unit is 10,000 additions."""
    total = 0
    for number in range(10_000):
        total += number * number
    return 1 if total else 0


def diplomacy(*, ordered: bool) -> int:
    """Play a game of Diplomacy and return its phases."""
    from diplomacy import Game

    game, phases, chance = Game(), 0, random.Random(1)  # noqa: S311
    while not game.is_game_done and phases < PHASES:
        possible = game.get_all_possible_orders() if ordered else {}
        for power in game.powers if ordered else ():
            places = [place for place in game.get_orderable_locations(power) if possible[place]]
            game.set_orders(power, [chance.choice(possible[place]) for place in places])
        game.process()
        phases += 1
    return phases


def replayed(turns: list[Turn]) -> Work:
    """Return the work of adjudicating *turns* from their orders."""

    def work() -> int:
        for turn in turns:
            GAME.adjudicate(turn.before, turn.orders, SeededDice(f"bench/{turn.before.turn}"))
        return len(turns)

    return work


def foreseen(turns: list[Turn]) -> Work:
    """Return the work of forecasting every player's orders of *turns*."""

    def work() -> int:
        done = 0
        for turn in turns:
            for player, orders in turn.orders.items():
                GAME.forecast(turn.before, player, orders)
                done += 1
        return done

    return work


def drawn(turns: list[Turn]) -> Work:
    """Return the work of drawing the board at the end of a game."""

    def work() -> int:
        svg(GAME.drawing(turns[-1].outcome.state))
        return 1

    return work


def measured(board: str) -> dict[str, float]:
    """Return the figures of a map: things per second by name, and the ratio to Diplomacy's bare phases."""
    turns = recorded_game("usual 6 d")[2] if board == "ireland" else play_game(setup_of(6, board), "bench")[1]
    works = {
        "building": replayed([turn for turn in turns if turn.before.phase == BUILD]),
        "racing": replayed([turn for turn in turns if turn.before.phase != BUILD]),
        "rounds": replayed(turns),
        "forecasts": foreseen(turns),
        "boards": drawn(turns),
        "arithmetic": arithmetic,
    }
    if importlib.util.find_spec("diplomacy"):
        works |= {
            "diplomacy, bare": lambda: diplomacy(ordered=False),
            "diplomacy, ordered": lambda: diplomacy(ordered=True),
        }
    found = rates(works)
    for kind in ("bare", "ordered"):
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
