"""How long the referee looks for a best route: ``python -m bench.fastest [--map ireland] [--set own_share=greater-part]``.

Six built-in players play postal games on each map; then every company is asked its best route in every race on offer, with
both aims, before each racing round and before the last one; and before that once more with every rival's cap looked at from
the first, the hardest there is. Beside it stands Dijkstra's algorithm for points of movement on the same network, and the
ratio of the sums. Times are of one core, of the network too. The bar is 40 ms for p95 and 1 s for the longest, nothing unsettled.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bench.rows import Row, print_rows
from referee.core import cheapest_way
from referee.games.dampfross import GAME
from referee.games.dampfross.fastest import CHEAPEST, FASTEST, all_demands, best_route, best_walk
from referee.games.dampfross.network import Network, network_of
from referee.games.dampfross.options import choose_options
from referee.games.dampfross.state import Race, State
from tests.games.dampfross.wholegame import play_game, setup_of

COMPANIES = 6
SEEDS = ("bench", "two", "three")


@dataclass(frozen=True, slots=True)
class Asked:
    """One search: milliseconds, those of Dijkstra's beside it, and whether it found a route, none, or was not settled."""

    span: float
    plain: float
    found: str


def positions(board: str, seed: str, chosen: tuple[tuple[str, str], ...]) -> list[State]:
    """Return the positions before the racing rounds of a game, as they are under the options *chosen* for the search."""
    _, turns = play_game(setup_of(COMPANIES, board), seed)
    states = [turn.before for turn in turns if turn.before.phase == "race"]
    options = choose_options("postal", chosen)
    return [state.but(table=state.table.but(options=options)) for state in states]


def _searches(state: State, aim: str, search: Callable[[State, str, Race, str], str]) -> Iterator[Asked]:
    """Ask every company for every race on offer."""
    for race in state.offered_races():
        for code in state.table.codes:
            span, found = _timed(lambda code=code, race=race: search(state, code, race, aim))  # type: ignore[misc]
            network = network_of(state, (code,), race)
            plain, _ = _timed(lambda network=network: _dijkstra(network))  # type: ignore[misc]
            yield Asked(span, plain, found)


def _timed(work: Callable[[], str]) -> tuple[float, str]:
    begin = time.process_time()
    found = work()
    return (time.process_time() - begin) * 1000, found


def _as_asked(state: State, code: str, race: Race, aim: str) -> str:
    found = best_route(state, (code,), race, aim=aim)
    return "none" if not found else "unsettled" if found.fault else "found"


def _all_capped(state: State, code: str, race: Race, aim: str) -> str:
    network = network_of(state, (code,), race)
    demands = all_demands(state, None)
    found, tries = best_walk(network, aim, demands)
    return "unsettled" if not tries else "none" if found is None else "found"


def _dijkstra(network: Network) -> str:
    edges = network.edges
    way = cheapest_way(
        edges[0].onward,
        [place for place, edge in enumerate(edges) if network.ends.intersection(edge.path[-1:])],
        lambda place: [(follow, edges[follow].points) for follow in edges[place].onward],
    )
    return "none" if way is None else "found"


def _rows_of(title: str, searches: list[Asked]) -> Iterator[Row]:
    spans = sorted(each.span for each in searches)
    plain = sum(each.plain for each in searches) / len(searches)
    words = f"Dijkstra's {plain:.2f} ms"

    def row(work: str, figure: float) -> Row:
        return Row(table=title, work=work, figure=figure, unit="ms", beside=words, ratio=figure / plain)

    yield row("mean", sum(spans) / len(spans))
    for part in (50, 95, 99):
        yield row(f"p{part}", spans[len(spans) * part // 100])
    yield row("the longest", spans[-1])
    for kind in ("found", "none", "unsettled"):
        of_all = sum(each.found == kind for each in searches)
        yield Row(table=title, work=kind, figure=of_all, unit="searches", beside="all", ratio=of_all / len(searches))


def _rows_of_map(board: str, games: list[list[State]]) -> Iterator[Row]:
    for aim in (FASTEST, CHEAPEST):
        last = [each for states in games for each in _searches(states[-1], aim, _as_asked)]
        earlier = [each for states in games for state in states[:-1] for each in _searches(state, aim, _as_asked)]
        yield from _rows_of(f"{board}, {aim}, all racing rounds", earlier + last)
        yield from _rows_of(f"{board}, {aim}, last round", last)
        capped = [each for states in games for each in _searches(states[-1], aim, _all_capped)]
        yield from _rows_of(f"{board}, {aim}, last round, all capped", capped)


def rows(
    boards: Iterable[str], seeds: Iterable[str] = SEEDS, chosen: tuple[tuple[str, str], ...] = ()
) -> Iterator[Row]:
    """Measure, with *chosen* options by name."""
    for board in boards:
        games = [positions(board, seed, chosen) for seed in seeds]
        gc.collect()
        gc.freeze()  # a club's process does not hold the positions of whole games
        yield from _rows_of_map(board, games)


def main() -> None:
    """Print a row for each map and aim, over all racing rounds and for the last one, there with all rivals capped, too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--map", action="append", choices=GAME.boards(), help="these maps alone")
    parser.add_argument("--seed", action="append", help=f"play these games alone, for {', '.join(SEEDS)}")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="ask under this option")
    parser.add_argument("--json", action="store_true", help="print one JSON object a row")
    words = parser.parse_args()
    chosen = tuple((name, value) for name, _, value in (text.partition("=") for text in words.set))
    print_rows(rows(words.map or GAME.boards(), words.seed or SEEDS, chosen), as_json=words.json)


if __name__ == "__main__":
    main()
