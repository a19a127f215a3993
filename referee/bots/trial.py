"""Tables of built-in players, and what they make of a map: games of theirs, and what a designer asks of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from statistics import mean
from typing import Any

from msgspec import field

from referee.core import Amounts, Fields, Mutable, SeededDice, Texts, Value, of_kind
from referee.core.game import Game, Outcome, Player, Setup
from referee.core.picture import Drawing, Line, Point, pen
from referee.games.dampfross.events import RaceDropped, RaceRun, TrainEntered
from referee.games.dampfross.names import place_name
from referee.games.dampfross.state import State as Dampfross
from referee.orderbook import OrderLanguage, read_text

from . import SECOND, dampfross, volldampf

# A table: whole games in memory, from view to line to order, as by mail.

Answer = Callable[[Fields, str], Texts]  # a view and a code: lines of orders


# What nobody can know who writes: building is over by that very order, or one before it; an extra trip counts for whoever is last
# when it comes, and stays in hand where no cube is left; of two who lay the groups anew in a round, the first in turn order does.
_NO_FAULTS = ("illegal-building-over", "illegal-not-last", "illegal-rearranged-already", "note-subsidy-kept")


class TableTurn(Value):
    """One turn of a table: the position before it, everybody's orders, what came of it."""

    before: Any
    orders: Mapping[str, tuple[Any, ...]]
    outcome: Outcome
    faults: Texts = ()  # codes of complaints: of lines, and of orders that came to nothing when played


def play(
    rules: Game, language: OrderLanguage, setup: Setup, seed: str, answers: Mapping[str, Answer]
) -> Iterator[TableTurn]:
    """Play a game to its end, turn by turn. *answers*: by code."""
    state = rules.start(rules.lay_out(setup), SeededDice(f"{seed}/0")).state
    while asked := [each.player for each in rules.awaiting(state)]:
        texts = {code: json.dumps(rules.view(state, code)) for code in asked}
        views = {text: json.loads(text) for text in set(texts.values())}
        orders: dict[str, tuple[Any, ...]] = {}
        faults: list[str] = []
        for code, text in texts.items():
            lines = answers[code](views[text], code)
            read = read_text("\n".join(("ORDERS", *lines, "END")), language.naming(rules.lexicon(state)))
            found = rules.understand(state, code, read.phrases)
            orders[code] = found.orders
            faults += [each.code for each in (*read.complaints, *found.complaints) if each.is_error]
        outcome = rules.adjudicate(state, orders, SeededDice(f"{seed}/{state.turn}"))
        faults += [code for code in _refusals(orders, outcome.events) if code not in _NO_FAULTS]
        yield TableTurn(before=state, orders=orders, outcome=outcome, faults=tuple(faults))
        state = outcome.state


def _refusals(orders: Mapping[str, tuple[Any, ...]], events: Iterable[Any]) -> Iterator[str]:
    """Yield why orders came to nothing: of each that was carried out in none of its alternatives what was said last."""
    told = dict.fromkeys(
        (getattr(each, "player", "") or each.company, each.complaint)
        for each in events
        if getattr(each, "complaint", None)
    )
    for (player, line), count in Counter((player, complaint.line) for player, complaint in told).items():
        order = next((each for each in orders.get(player, ()) if each.line == line), None)
        alternatives = getattr(order, "sites", None) or getattr(order, "deliveries", None) or (order,)
        if count >= len(alternatives):
            yield [complaint.code for who, complaint in told if (who, complaint.line) == (player, line)][-1]


def scores_of(state: Any, codes: Iterable[str]) -> dict[str, int]:
    """Return what each player has at the end, or would have now."""
    if hasattr(state, "earning"):
        return {code: state.earning(code) for code in codes}
    return {code: state.scores.get(code, state.income[code] - state.bonds[code]) for code in codes}


# A trial: what becomes of games on a map.

CODES = ("ANN", "BOB", "CID", "DOT", "EVA")
PLAYERS: Amounts = {"dampfross": 5, "volldampf": 4}
ANSWERS: Mapping[str, Callable[..., Texts]] = {"dampfross": dampfross.answer, "volldampf": volldampf.answer}
TRACK, TRAINS = "#d95f02", "#1f4fa3"  # colours of the picture
LEAST_GAMES = 20  # of a home or seat, before its share of wins says anything
WIDEST = 26  # of a line of it

Stretch = tuple[Point, Point]


class MapTrial(Mutable):
    """What games on a map came to. ``figures``: of each game; ``homes``, ``seats``: whether each game was won.

    ``unseen``: how many games left a town or a hex aside, by name; ``laid``, ``ran``: how often, by stretch of the drawing.
    """

    games: int = 0
    figures: dict[str, list[float]] = field(default_factory=dict)
    homes: dict[str, list[bool]] = field(default_factory=dict)
    seats: dict[str, list[bool]] = field(default_factory=dict)
    towns: Counter[str] = field(default_factory=Counter)
    hexes: Counter[str] = field(default_factory=Counter)
    laid: Counter[Stretch] = field(default_factory=Counter)
    ran: Counter[Stretch] = field(default_factory=Counter)

    def add(self, name: str, figure: float) -> None:
        """Note a figure of one game."""
        self.figures.setdefault(name, []).append(figure)

    def means(self) -> dict[str, float]:
        """Return the figures, rounded to a tenth; the most that a seat, and a company of a home, won, in per cent."""
        found = {name: round(mean(figures), 1) for name, figures in self.figures.items()}
        for name, wins in (("most_wins_seat", self.seats), ("most_wins_home", self.homes)):
            if shares := [100 * mean(won) for won in wins.values() if len(won) >= LEAST_GAMES]:
                found[name] = round(max(shares), 1)
        for name, aside in (("towns_never", self.towns), ("hexes_never", self.hexes)):
            if aside is self.towns or aside:
                found[name] = [*aside.values()].count(self.games)
        return found


def try_board(rules: Game, language: OrderLanguage, text: str, name: str, games: int, seed: str) -> Iterator[MapTrial]:
    """Play games on a board; give what came of them so far, after each: the same object."""
    count = PLAYERS[rules.name]
    seats = tuple(Player(code, colour, code) for code, colour in zip(CODES, rules.colours[:count], strict=False))
    setup = Setup(game=rules.name, board_name=name, board=text, preset=rules.default_preset, options=(), players=seats)

    answers = dict.fromkeys(CODES, partial(ANSWERS[rules.name], strength=SECOND, board=text))
    trial = MapTrial()
    for number in range(games):
        turns = [*play(rules, language, setup, f"{seed}/{number}", answers)]
        trial.games += 1
        _count(trial, rules, turns)
        yield trial


def _count(trial: MapTrial, rules: Game, turns: list[TableTurn]) -> None:
    state = turns[-1].outcome.state
    scores = scores_of(state, state.table.codes)
    ordered = sorted(scores.values())
    for name, place in (("score_last", 0), ("score_median", len(ordered) // 2), ("score_first", -1)):
        trial.add(name, ordered[place])
    trial.add("turns", len(turns))
    best = [code for code, score in scores.items() if score == ordered[-1]]
    for code in scores:
        trial.seats.setdefault(code, []).append(code in best)
    for turn in turns:
        film = rules.film(turn.outcome.state, turn.outcome.events)
        trial.laid.update(_stretch(each["from"], each["to"]) for each in film.get("laid", ()))
        trains = [train for race in film.get("races", ()) for train in race["trains"]]
        for way in (each["way"] for each in (*trains, *film.get("trips", ()))):
            trial.ran.update(_stretch(*step) for step in pairwise(way))
    if isinstance(state, Dampfross):
        _count_dampfross(trial, turns, state, best)
    else:
        links = [state.table.board.link_by_id(link) for link in state.built]
        joined = {city for link in links for city in (link.a, link.b)}
        trial.towns.update(city.name for city in state.table.board.cities if city.id not in joined)
        trial.add("links_built", len(links))


def _count_dampfross(trial: MapTrial, turns: list[TableTurn], state: Dampfross, best: list[str]) -> None:
    board = state.table.board
    events = [event for turn in turns for event in turn.outcome.events]
    for code, home in state.home.items():
        trial.homes.setdefault(place_name(board, home), []).append(code in best)
    trial.add("rolls", sum(len(turn.before.rolls) or 1 for turn in turns if turn.before.phase == "build"))
    entered = frozenset[str]().union(*state.reached.values())
    trial.towns.update(station.name for station in board.stations if station.hex not in entered)
    trial.hexes.update(board.hex_name(label) for label in board.ground if label not in entered)
    trains = Counter(event.race for event in of_kind(TrainEntered, events) for _ in event.companies)
    dropped = len(of_kind(RaceDropped, events))
    run = max(1, dropped + len(of_kind(RaceRun, events)))
    trial.add("races_nobody", 100 * dropped / run)
    trial.add("races_all", 100 * sum(count == len(state.table.codes) for count in trains.values()) / run)
    sides = sum(len(owners) for owners in state.track.values())
    trial.add("rings", sides - sum(len(labels) - 1 for labels in state.reached.values()))


def _stretch(one: Point, other: Point) -> Stretch:
    return min(tuple(one), tuple(other)), max(tuple(one), tuple(other))  # type: ignore[return-value]


def heat(drawing: Drawing, trial: MapTrial) -> Drawing:
    """Return the picture of a board with broad lines where track lay most, and narrower ones on them where most trains ran."""
    lines = [
        Line(stretch, pen(colour, max(2, widest * count // max(counts.values()))))
        for counts, colour, widest in ((trial.laid, TRACK, WIDEST), (trial.ran, TRAINS, WIDEST // 2))
        for stretch, count in sorted(counts.items())
    ]
    return drawing.but(parts=(*drawing.parts, *lines))
