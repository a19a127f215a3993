"""Replays whole six-player games in-process and says how fast: python -m bench.rounds

Building rounds and racing rounds (with given routes) per second, forecasts per second, and milliseconds per board. Machines
differ and are noisy: each figure stands beside a loop of plain arithmetic that was measured in the same run.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from referee.core.dice import SeededDice
from referee.games.dampfross import GAME
from referee.games.dampfross.position.state import BUILD
from referee.report.board import svg
from tests.games.dampfross.wholegame import Turn, play_game, setup_of

SECONDS = 2.0


def per_second(work: Callable[[], int]) -> float:
    """Return how many things a second *work* does; it returns how many it did in one go."""
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < SECONDS:
        done += work()
    return done / spent


def arithmetic() -> int:
    """Do a fixed bit of work to compare with: one unit is 10,000 additions."""
    total = 0
    for number in range(10_000):
        total += number * number
    return 1 if total else 0


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


def main() -> None:
    """Print a table, a row for each map."""
    yardstick = per_second(arithmetic)
    print(f"yardstick: {yardstick:,.0f} times 10,000 additions a second")
    print(f"{'map':<20}{'building/s':>12}{'racing/s':>12}{'forecasts/s':>13}{'board ms':>10}")
    for board in GAME.boards():
        _, turns = play_game(setup_of(6, board), "bench")
        building = [turn for turn in turns if turn.before.phase == BUILD]
        racing = [turn for turn in turns if turn.before.phase != BUILD]
        final = turns[-1].outcome.state
        drawn = per_second(lambda state=final: len(svg(GAME.drawing(state))[:1]))  # type: ignore[misc]
        figures = (per_second(replayed(building)), per_second(replayed(racing)), per_second(foreseen(turns)))
        print(f"{board:<20}{figures[0]:>12,.0f}{figures[1]:>12,.0f}{figures[2]:>13,.0f}{1000 / drawn:>10.0f}")


if __name__ == "__main__":
    main()
