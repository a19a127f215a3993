"""Which built-in players are the stronger ones: python -m bench.bots [--game dampfross] [--table third,third,before,before]

Each table plays games on each map; seats change hands from game to game. Of each kind of player at a table: its mean rank, how
many games it wins, and in how many games its seats together stand better than the others'; margins are those of chance (95 %).
Wins of a seat or home are shares of the games that it played.
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

from msgspec import field

from bench import before
from bench.before import dampfross as dampfross_before
from bench.before import volldampf as volldampf_before
from bench.rows import Row, print_rows
from referee.bots import STRENGTHS, dampfross, volldampf
from referee.bots.trial import LEAST_GAMES, Answer, TableTurn, play, scores_of
from referee.core import Mutable
from referee.core.agreement import BUILT_IN
from referee.core.game import Player, Setup
from referee.games import game_named
from referee.games.dampfross.events import RaceRun, TrainEntered
from referee.games.dampfross.names import place_name
from referee.games.dampfross.state import State as Dampfross
from tests.games.lines import order_language

CODES = ("ANN", "BOB", "CID", "DOT", "EVA", "FRI")
SCORES = range(196, 322)  # of five players, as reports of games by mail have them
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


def entries_of(turns: list[TableTurn], players: int) -> Counter[str]:
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


class Tally(Mutable):
    """What games of one table came to. ``won``: by kind of player, ``seats`` and ``homes``: games won, and played, by name."""

    ranks: dict[str, list[float]] = field(default_factory=dict)
    better: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    seats: dict[str, list[bool]] = field(default_factory=dict)
    homes: dict[str, list[bool]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    looks: Counter[str] = field(default_factory=Counter)
    building: list[int] = field(default_factory=list)
    totals: list[list[int]] = field(default_factory=list)

    def add(self, turns: list[TableTurn], seated: Mapping[str, str]) -> None:
        """Count a game. *seated*: kinds of players by code."""
        state = turns[-1].outcome.state
        scores = scores_of(state, seated)
        self.totals.append(sorted(scores.values()))
        place = ranks_of(scores)
        best = [code for code in seated if place[code] == min(place.values())]
        own = {name: mean(place[code] for code in seated if seated[code] == name) for name in seated.values()}
        for name, rank in own.items():
            self.ranks.setdefault(name, []).append(rank)
            self.better[name] += (2 - (list(own.values()).count(rank) > 1)) * (rank == min(own.values()))
        self.won.update(seated[code] for code in best)
        for code in seated:
            self.seats.setdefault(code, []).append(code in best)
        self.faults.update(fault for turn in turns for fault in turn.faults)
        self.looks["turns"] += len(turns)
        if isinstance(state, Dampfross):
            for code, home in state.home.items():
                self.homes.setdefault(place_name(state.table.board, home), []).append(code in best)
            looks = entries_of(turns, len(seated))
            self.looks.update(looks)
            self.looks["joint games"] += bool(looks["joint"])
            self.building.append(sum(turn.before.phase == "build" for turn in turns))

    def rows(self, title: str, spans: Mapping[str, Sequence[float]]) -> Iterator[Row]:
        """Return the lines of a table. *spans*: seconds of each answer, by kind of player."""
        games, looks = len(self.totals), self.looks
        title = f"{title} ({games} games)"

        def row(work: str, figure: float, unit: str = "") -> Row:
            return Row(table=title, work=work, figure=figure, unit=unit)

        def share(work: str, count: float, of: int) -> Row:
            return row(f"{work} ± {margin(count / of, of):.0f}", 100 * count / of, "%")

        def most(work: str, results: Mapping[str, list[bool]]) -> Row:
            enough = {name: each for name, each in results.items() if len(each) >= LEAST_GAMES} or results
            name = max(enough, key=lambda name: mean(enough[name]))
            return share(f"most wins of a {work} ({name})", sum(enough[name]), len(enough[name]))

        for name, ranks in self.ranks.items():
            yield row(f"{name}: mean rank", mean(ranks))
            if len(self.ranks) > 1:
                yield share(f"{name}: stands better", self.better[name] / 2, games)
                yield share(f"{name}: wins", self.won[name], games)
            yield row(f"{name}: a turn", 1000 * mean(spans[name]), "ms")
            yield row(f"{name}: the longest", 1000 * max(spans[name]), "ms")
        yield most("seat", self.seats)
        for work, place in (("last", 0), ("median", len(self.seats) // 2), ("first", -1)):
            yield row(f"score: {work}", mean(each[place] for each in self.totals))
        if looks["run"]:
            yield most("home", self.homes)
            scores = [score for each in self.totals for score in each]
            yield share(f"scores of {SCORES[0]}-{SCORES[-1]}", sum(score in SCORES for score in scores), len(scores))
            yield share("entries used", looks["used"], looks["allowed"])
            yield share("races with one train", looks["lone"], looks["run"])
            yield share("races with three or more", looks["three"], looks["run"])
            yield share("games with joint runs", looks["joint games"], games)
            yield row("rounds of building, at most", max(self.building))
        yield row("turns", looks["turns"] / games)
        told = ", ".join(f"{code} {count}" for code, count in self.faults.most_common(4))
        yield row("orders refused" + (f" ({told})" if told else ""), self.faults.total())


def rows(game: str, board: str, table: str, games: int, seed: str, preset: str, every: int = 0) -> Iterator[Row]:
    """Play, and measure; *every* so many games give all lines so far."""
    names = [name for name in table.split(",") if name]
    rules, tally = game_named(game), Tally()
    clocks = {name: Clock(answer_of(game, name)) for name in names}
    title = f"{rules.title}, {board}, {preset}: {table.strip(',')}, seed {seed}"
    for number in range(games):
        shift = number % len(names)
        seated = dict(zip(CODES, (*names[shift:], *names[:shift]), strict=False))
        answers = {code: clocks[name] for code, name in seated.items()}
        setup = setup_of(game, board, [*seated.values()], preset)
        tally.add([*play(rules, order_language(game), setup, f"{seed}/{number}", answers)], seated)
        if number == games - 1 or (every and number % every == every - 1):
            yield from tally.rows(title, {name: clock.spans for name, clock in clocks.items()})


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=ANSWERS, default="dampfross")
    parser.add_argument("--map", action="append", help="these maps alone")
    parser.add_argument("--preset", default="", help="for the game's usual one")
    parser.add_argument("--games", type=int, default=100, help="at each table")
    parser.add_argument("--every", type=int, default=0, help="print the lines so far after so many games, too")
    parser.add_argument("--seed", default="bots")
    of = ", ".join((*STRENGTHS, BEFORE))
    parser.add_argument("--table", action="append", help=f"who plays, with commas between them: {of}")
    parser.add_argument("--json", action="store_true", help="print one JSON object a row")
    words = parser.parse_args()
    rules = game_named(words.game)
    for board in words.map or rules.boards():
        for table in words.table or TABLES:
            found = rows(
                words.game, board, table, words.games, words.seed, words.preset or rules.default_preset, words.every
            )
            print_rows(found, as_json=words.json)


if __name__ == "__main__":
    main()
