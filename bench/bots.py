"""Which built-in players are the stronger ones: python -m bench.bots [--game dampfross] [--table third,third,before,before]

Each table plays games on each map; seats change hands from game to game. Of each kind of player at a table: its mean rank, how
many games it wins, and in how many games its seats together stand better than the others'; margins are those of chance (95 %).
``before`` is the players of summer 2026, who lie in bench/before. Times are of a player's turn, in processor time.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import sqrt
from statistics import mean
from typing import Any

from bench import before
from bench.before import dampfross as dampfross_before
from bench.before import volldampf as volldampf_before
from bench.rows import Row, print_rows
from referee.bots import STRENGTHS, dampfross, volldampf
from referee.bots.table import Answer, Turn, play, scores_of
from referee.core.agreement import BUILT_IN
from referee.core.game import Player, Setup
from referee.games import game_named
from referee.games.dampfross.events import RaceRun, TrainEntered
from tests.games.lines import order_language

CODES = ("ANN", "BOB", "CID", "DOT", "EVA", "FRI")
BEFORE = before.__name__.rpartition(".")[2]
ANSWERS: Mapping[str, tuple[Callable[..., tuple[str, ...]], Answer]] = {
    "dampfross": (dampfross.answer, dampfross_before.answer),
    "volldampf": (volldampf.answer, volldampf_before.answer),
}
TABLES = ("third,third,before,before", "second,second,first,first", "third,third,second,second", "third," * 4 + "third")


class Clock:
    """Answers as a player does, and keeps how long each answer took (seconds)."""

    def __init__(self, answer: Answer) -> None:
        self._answer, self.spans = answer, list[float]()

    def __call__(self, seen: Mapping[str, Any], code: str) -> tuple[str, ...]:
        """Answer."""
        began = time.process_time()
        lines = self._answer(seen, code)
        self.spans.append(time.process_time() - began)
        return lines


def answer_of(game: str, name: str) -> Answer:
    """Return who plays by that name."""
    now, then = ANSWERS[game]
    return then if name == BEFORE else partial(now, strength=name)


def setup_of(game: str, board: str, names: Sequence[str], preset: str) -> Setup:
    """Return what is agreed for a game of such players."""
    rules = game_named(game)
    seats = tuple(
        Player(code=code, colour=colour, name=f"{BUILT_IN} {code}" if name in STRENGTHS else code.title())
        for code, colour, name in zip(CODES, rules.colours, names, strict=False)
    )
    text = rules.board_text(board)
    return Setup(game=game, board_name=board, board=text, preset=preset, options=(), players=seats)


def margin(share: float, count: int) -> float:
    """Return the margin of chance of a share of *count* games, in per cent points: 95 of 100 times it is no further off."""
    return 196 * sqrt(max(share * (1 - share), 0.25 / count) / count)


def ranks_of(scores: Mapping[str, int]) -> dict[str, float]:
    """Return the rank of each, equals sharing the mean of theirs."""
    return {
        code: sum(other > own for other in scores.values()) + (sum(other == own for other in scores.values()) + 1) / 2
        for code, own in scores.items()
    }


def entries_of(turns: list[Turn], players: int) -> Counter[str]:
    """Return how a game of Dampfross looks: races run, by how many trains, those of two companies, entries used and allowed."""
    found: Counter[str] = Counter()
    for turn in turns:
        trains = [each for each in turn.outcome.events if isinstance(each, TrainEntered)]
        by_race = Counter(each.race for each in trains)
        found["run"] += sum(isinstance(each, RaceRun) for each in turn.outcome.events)
        found["lone"] += sum(count == 1 for count in by_race.values())
        found["three"] += sum(count > 2 for count in by_race.values())
        found["joint"] += sum(len(each.companies) > 1 for each in trains)
        found["used"] += sum(len(each.companies) for each in trains)
        found["allowed"] += players * 4 * (turn.before.phase == "race")
    return found


def rows(game: str, board: str, table: str, games: int, seed: str, preset: str) -> Iterator[Row]:
    """Play, and measure."""
    names = [name for name in table.split(",") if name]
    rules = game_named(game)
    ranks: dict[str, list[float]] = {name: [] for name in names}
    better: Counter[str] = Counter()
    won: Counter[str] = Counter()
    seats: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    looks: Counter[str] = Counter()
    totals: list[list[int]] = []
    clocks = {name: Clock(answer_of(game, name)) for name in names}
    for number in range(games):
        shift = number % len(names)
        seated = dict(zip(CODES, (*names[shift:], *names[:shift]), strict=False))
        answers = {code: clocks[name] for code, name in seated.items()}
        setup = setup_of(game, board, [*seated.values()], preset)
        turns = [*play(rules, order_language(game), setup, f"{seed}/{number}", answers)]
        state = turns[-1].outcome.state
        scores = scores_of(state, seated)
        totals.append(sorted(scores.values()))
        place = ranks_of(scores)
        own = {name: mean(place[code] for code in seated if seated[code] == name) for name in ranks}
        for name, rank in own.items():
            ranks[name].append(rank)
            better[name] += 2 * (rank == min(own.values())) - (list(own.values()).count(rank) > 1)
        best = [code for code in seated if place[code] == min(place.values())]
        won.update(seated[code] for code in best)
        seats.update(best)
        faults.update(fault for turn in turns for fault in turn.faults)
        looks.update(entries_of(turns, len(names)) if game == "dampfross" else {})
        looks["turns"] += len(turns)
        looks["joint games"] += game == "dampfross" and bool(entries_of(turns, len(names))["joint"])
    title = f"{rules.title}, {board}, {preset}: {table.strip(',')} ({games} games, seed {seed}/0..{games - 1})"

    def share(work: str, count: float, of: int) -> Row:
        off = f"± {margin(count / of, of):.0f}"
        return Row(table=title, work=f"{work} {off}", figure=100 * count / of, unit="%")

    for name, list_of in ranks.items():
        yield Row(table=title, work=f"{name}: mean rank", figure=mean(list_of), unit="")
        if len(ranks) > 1:
            yield share(f"{name}: stands better", better[name] / 2, games)
            yield share(f"{name}: wins", won[name], games)
        spans = clocks[name].spans
        yield Row(table=title, work=f"{name}: a turn", figure=1000 * mean(spans), unit="ms")
        yield Row(table=title, work=f"{name}: the longest", figure=1000 * max(spans), unit="ms")
    yield share(f"most wins of a seat ({seats.most_common(1)[0][0]})", seats.most_common(1)[0][1], games)
    for work, place_of in (("last", 0), ("median", len(names) // 2), ("first", -1)):
        yield Row(table=title, work=f"score: {work}", figure=mean(each[place_of] for each in totals), unit="")
    if looks["run"]:
        yield share("entries used", looks["used"], looks["allowed"])
        yield share("races with one train", looks["lone"], looks["run"])
        yield share("races with three or more", looks["three"], looks["run"])
        yield share("games with joint runs", looks["joint games"], games)
    yield Row(table=title, work="turns", figure=looks["turns"] / games, unit="")
    told = ", ".join(f"{code} {count}" for code, count in faults.most_common(4))
    yield Row(table=title, work="orders refused" + (f" ({told})" if told else ""), figure=faults.total(), unit="")


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=ANSWERS, default="dampfross")
    parser.add_argument("--map", action="append", help="these maps alone")
    parser.add_argument("--preset", default="", help="for the game's usual one")
    parser.add_argument("--games", type=int, default=100, help="at each table")
    parser.add_argument("--seed", default="bots")
    of = ", ".join((*STRENGTHS, BEFORE))
    parser.add_argument("--table", action="append", help=f"who plays, with commas between them: {of}")
    parser.add_argument("--json", action="store_true", help="print one JSON object a row")
    words = parser.parse_args()
    rules = game_named(words.game)
    for board in words.map or rules.boards():
        for table in words.table or TABLES:
            found = rows(words.game, board, table, words.games, words.seed, words.preset or rules.default_preset)
            print_rows(found, as_json=words.json)


if __name__ == "__main__":
    main()
