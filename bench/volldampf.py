"""Plays and replays whole games of Volldampf in-process and says how fast: python -m bench.volldampf

Games and rounds replayed from their orders, forecasts and boards drawn per second, and what it takes to find the best route
for a delivery that names its ends alone. The bar for the last is 5 ms at p95. Machines differ and are noisy: the
figures stand beside a loop of plain arithmetic that was measured in the same run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from bench.rounds import arithmetic, rates, timed
from referee.core import Complaint, SeededDice
from referee.games.volldampf import GAME
from referee.games.volldampf.board import CUBE_COLOURS
from referee.games.volldampf.routing import route_of
from referee.games.volldampf.state import Delivery, State
from referee.report.renderer import svg
from tests.games.volldampf.wholegame import Turn, play_game, setup_of

PLAYERS = 4
SEEDS = ("bench a", "bench b", "bench c")
LETTERS = 3  # of a round in preset post
BAR = 5.0  # milliseconds


def per_second(act: Callable[[], int]) -> float:
    """Return how many things a second *act* does, which returns how many it did."""
    return rates({"": timed(act)})[""]


def replayed(turns: list[Turn]) -> int:
    """Adjudicate *turns* from their orders; return how many rounds that were."""
    for turn in turns:
        GAME.adjudicate(turn.before, turn.orders, SeededDice(f"bench/{turn.before.turn}"))
    return int(turns[-1].outcome.state.round)


def foreseen(turns: list[Turn]) -> int:
    """Forecast every player's orders of *turns*; return how many forecasts that were."""
    letters = [(turn.before, code, orders) for turn in turns for code, orders in turn.orders.items()]
    for state, code, orders in letters:
        GAME.forecast(state, code, orders)
    return len(letters)


def searched(state: State, loks: int) -> list[tuple[float, bool]]:
    """Return the milliseconds of looking for the best route of every cube to every city that takes it, and if there is one."""
    spans = []
    board = state.table.board
    for code in state.table.codes:
        for origin, colours in state.cubes.items():
            for colour in dict.fromkeys(colours):
                for goal in (city.id for city in board.cities if city.colour == colour and city.id != origin):
                    delivery = Delivery(colour=colour, origin=origin, goal=goal, loks=loks)
                    begin = time.process_time()
                    found = route_of(state, code, delivery, in_force=loks)
                    spans.append(((time.process_time() - begin) * 1000, not isinstance(found, Complaint)))
    return spans


def crowded(state: State) -> State:
    """Return a position worse than any: a section on every link, a cube of each colour in every city."""
    codes, board = state.table.codes, state.table.board
    built = {link.id: codes[place % len(codes)] for place, link in enumerate(board.links)}
    return state.but(built=built, cubes={city.id: CUBE_COLOURS for city in board.cities})


def report_searches(title: str, searches: list[tuple[float, bool]]) -> None:
    """Print a line about searches."""
    spans = sorted(span for span, _ in searches)
    found = sum(each for _, each in searches)
    median, p95 = spans[len(spans) // 2], spans[len(spans) * 95 // 100]
    figures = f"p50 {median:.2f}, p95 {p95:.2f}, max {spans[-1]:.2f} ms ({p95 / BAR:.2f} of the bar)"
    print(f"{title:<40}{len(spans):>6}, {found} with a route: {figures}")


def main(games_played: str = "3") -> None:
    """Print what was measured, of so many games."""
    seeds = SEEDS[: int(games_played)]
    yardstick = per_second(arithmetic)
    print(f"yardstick: {yardstick:,.0f} times 10,000 additions a second")
    begin = time.process_time()
    games = [play_game(setup_of(PLAYERS), seed)[1] for seed in seeds]
    played = (time.process_time() - begin) / len(games)
    print(f"whole games with {PLAYERS} built-in players who read, think and write: {1 / played:.2f}/s")
    rounds = per_second(lambda: sum(map(replayed, games)))
    print(f"replayed from their orders: {rounds:,.1f} rounds/s, {rounds / len(games[0]) * LETTERS:,.1f} games/s")
    print(f"forecasts: {per_second(lambda: sum(map(foreseen, games))):,.0f}/s")
    # The position before the last trips: the most sections, and cubes still about.
    ends = [turns[-1].before for turns in games]
    report_searches("MOVE with its ends alone", [each for state in ends for each in searched(state, 0)])
    report_searches("the same FAST", [each for state in ends for each in searched(state, 1)])
    report_searches("on a board built full, FAST", searched(crowded(ends[0]), 1))
    print(f"board as SVG: {1000 / per_second(lambda: len(svg(GAME.drawing(ends[0]))[:1])):,.0f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:2])
