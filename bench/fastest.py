"""How long the referee looks for a best route: ``python -m bench.fastest [--map ireland] [--set own_share=greater-part]``.

Six built-in players play three postal games on each map; then every company is asked its best route in every race on offer,
with both aims, before each racing round and before the last one. Times are of one core. The bar is a p95 of 50 ms.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Iterator
from dataclasses import replace

from referee.games.dampfross import GAME
from referee.games.dampfross.position.options import choose_options
from referee.games.dampfross.position.state import RACE, State
from referee.games.dampfross.route.fastest import CHEAPEST, FASTEST, best_route
from referee.games.dampfross.route.routes import may_pass
from tests.games.dampfross.wholegame import play_game, setup_of

COMPANIES = 6
SEEDS = ("bench", "two", "three")


def positions(board: str, seed: str, chosen: tuple[tuple[str, str], ...]) -> list[State]:
    """Return the positions before the racing rounds of a game, as they are under the options *chosen* for the search."""
    _, turns = play_game(setup_of(COMPANIES, board), seed)
    states = [turn.before for turn in turns if turn.before.phase == RACE]
    options = choose_options("postal", chosen)
    return [replace(state, table=replace(state.table, options=options)) for state in states]


def _searches(state: State, aim: str) -> Iterator[tuple[float, str]]:
    """Give the milliseconds of each search, and whether it found a route, none, or was not settled."""
    for race in state.offered():
        for code in state.table.codes:
            begin = time.process_time()
            found = best_route(state, (code,), race, aim=aim, may_pass=may_pass)
            span = (time.process_time() - begin) * 1000
            yield span, "none" if found is None else "unsettled" if found.fault else "found"


def _report(title: str, searches: list[tuple[float, str]]) -> None:
    spans = sorted(span for span, _ in searches)
    counts = {kind: sum(what == kind for _, what in searches) for kind in ("found", "none", "unsettled")}
    median, p95 = spans[len(spans) // 2], spans[len(spans) * 95 // 100]
    words = " ".join(f"{count:>4} {kind}" for kind, count in counts.items())
    print(f"{title:<44}{len(spans):>5}: {words}, median {median:.1f}, p95 {p95:.1f}, max {spans[-1]:.1f} ms")


def main() -> None:
    """Print a line for each map and aim, over all racing rounds and for the last one alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--map", action="append", choices=GAME.boards(), help="these maps alone")
    parser.add_argument("--seed", action="append", help=f"play these games alone, for {', '.join(SEEDS)}")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="ask under this option")
    words = parser.parse_args()
    chosen = tuple((name, value) for name, _, value in (text.partition("=") for text in words.set))
    for board in words.map or GAME.boards():
        games = [positions(board, seed, chosen) for seed in words.seed or SEEDS]
        gc.collect()
        gc.freeze()  # a club's process does not hold the positions of whole games
        for aim in (FASTEST, CHEAPEST):
            last = [span for states in games for span in _searches(states[-1], aim)]
            earlier = [span for states in games for state in states[:-1] for span in _searches(state, aim)]
            _report(f"{board}, {aim}, all racing rounds", earlier + last)
            _report(f"{board}, {aim}, last round", last)


if __name__ == "__main__":
    main()
