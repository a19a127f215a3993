"""Runs a scenario: letters through the order book, orders through the game, what came of it against what was expected."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from typing import Any

from referee.core import (
    Complaint,
    Complaints,
    ConfigError,
    Fields,
    ScenarioError,
    SeededDice,
    Texts,
    Value,
    as_written,
    by_line,
    complaint_of,
)
from referee.core.game import ONE_BY_ONE, Game, Outcome, Setup
from referee.core.record import Ruled
from referee.orderbook import OrderLanguage, Reading, read_text
from referee.resources import order_texts

from .compare import Events, FoundState, Mismatch, differences, name_faults
from .file import Scenario, Throws

# The dice of a scenario: every throw is given by name, and what the file and the rules do not share is noted.

MOST_TOLD = 6  # missing throws that are named


class NamedDice:
    """Answers throws by name: a turn's own before the file's, then those of a seed.

    A throw nobody gave is answered all the same, so that one run tells of all that are ``missing``.
    """

    def __init__(self, where: str, file: Throws, turn: Throws, number: int) -> None:
        """*where*: how faults begin. *number*: of the turn, 0 for the opening; a seed gives each turn other throws."""
        self._where, self._own = f"{where}.throws", turn.given
        self._given, self._seed = {**file.given, **turn.given}, turn.seed or file.seed
        self._otherwise = SeededDice(f"{self._seed}/{number}")
        self.asked: dict[str, int] = {}  # sides

    def throw(self, name: str, sides: int) -> int:
        """Return the throw *name*."""
        self.asked[name] = sides
        return min(self._given.get(name) or self._otherwise.throw(name, sides), sides)

    @property
    def missing(self) -> Texts:
        """The throws that nobody gave."""
        return () if self._seed else tuple(name for name in self.asked if name not in self._given)

    def faults(self) -> list[str]:
        """Return a sentence for each throw that is more than its die has sides, for the first that are missing (what comes after
        them may depend on what they are), and for each of the turn that nothing asks for."""
        where, asked, more = self._where, self.asked, len(self.missing) - MOST_TOLD
        given = ((name, self._given.get(name, 0), sides) for name, sides in asked.items())
        return [
            *(f"{where}.{name}: {most} is given, 1 to {sides} possible" for name, most, sides in given if most > sides),
            *(f"{where}: the rules ask for {name!r}, 1 to {asked[name]}" for name in self.missing[:MOST_TOLD]),
            *([f"{where}: and for {more} more, which may be others once these are given"] if more > 0 else []),
            *(_no_question(where, name, asked) for name in self._own if name not in asked),
        ]


def _no_question(where: str, name: str, asked: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, tuple(asked), 1)
    return f"{where}: nothing asks for {name!r}" + (f" (did you mean {near[0]!r}?)" if near else "")


# The letters of a turn as the service would read them: their orders, what is wrong with them, which of them are no
# word.


class Heard(Value):
    """What became of one letter: its orders, None where it is no word and was dropped; ``lost``: errors over which lines, or
    parts of them, were left out before the rules saw them."""

    player: str
    orders: tuple[Any, ...] | None
    complaints: Complaints
    lost: Complaints


def hear(game: Game, setup: Setup, state: Any, player: str, text: str) -> Heard:
    """Return what a letter of that player's means in this position."""
    reading = read_text(text, _language(game.name).naming(game.lexicon(state)))
    asked = [each.player for each in game.awaiting(state)]
    alone = setup.pace == ONE_BY_ONE or len(asked) < len(setup.players)  # no others' orders are taken now
    if alone and asked and player not in asked and (reading.phrases or reading.commands or reading.marked):
        away = complaint_of("illegal-not-your-turn", asked=", ".join(asked))
        return Heard(player=player, orders=None, complaints=(away,), lost=(away,))
    understood = game.understand(state, player, reading.phrases)
    forecast = game.forecast(state, player, understood.orders)
    read = (*reading.complaints, *understood.complaints)
    found = by_line((*read, *forecast.complaints))
    speaks = understood.orders or _passes(reading, found)
    return Heard(
        player=player,
        orders=understood.orders if speaks else None,
        complaints=found,
        lost=tuple(each for each in found if each.is_error and each in read),
    )


def complaint_line(complaint: Complaint) -> str:
    """Return a complaint in words: ``line 2: illegal-too-long blue Ardee-Clare (links 7, most 6)``."""
    said = _say(complaint.code, complaint.text, complaint.params)
    return f"line {complaint.line}: {said}" if complaint.line else said


def _say(code: str, text: str, params: Iterable[tuple[str, Any]]) -> str:
    told = ", ".join(f"{name} {value}" for name, value in params)
    return " ".join(filter(None, (code, text, f"({told})" if told else "")))


@cache
def _language(game: str) -> OrderLanguage:
    return OrderLanguage.of(**order_texts(game))


def _passes(reading: Reading, complaints: Complaints) -> bool:
    """Return whether a letter without orders is a word all the same: PASS, or an empty block of orders."""
    quiet = reading.marked and not reading.phrases and not complaints
    return "PASS" in reading.commands or quiet


OPENING = "opening"


class PlayedTurn(Value):
    """What happened in the opening or a turn: ``events`` as plain tables with their ``kind``."""

    where: str
    events: Events
    letters: tuple[Heard, ...] = ()


class ScenarioResult(Value):
    """What became of a scenario; no ``differences``: all is as expected. ``made_up``: throws that nobody gave."""

    scenario: Scenario
    turns: tuple[PlayedTurn, ...]
    differences: tuple[Mismatch, ...]
    made_up: Texts = ()


class BrokenOffError(ScenarioError):
    """A scenario cannot be run, or not as its file has it. Holds the ``result`` as far as it was played."""

    def __init__(self, faults: Texts, result: ScenarioResult) -> None:
        super().__init__(result.scenario.name, faults)
        self.result = result


def run_scenario(scenario: Scenario) -> ScenarioResult:
    """Return what came of a scenario.

    Raises:
        BrokenOffError: it cannot be run (a position or board with faults, options that contradict each other, throws that
            are missing or never asked for), unless that is what it expects.
    """
    wanted = scenario.expect.get("fault")
    run = _Run(scenario)
    try:
        run.play()
    except ConfigError as error:
        if wanted is None or isinstance(error, ScenarioError):
            every = dict.fromkeys((*_sentences(error), *_setup_faults(scenario.game, scenario.setup)))
            raise BrokenOffError(tuple(every), run.result()) from error
        run.differences = [] if wanted in str(error) else [run.unmet_fault(str(error))]
        return run.result()
    asked = [name for dice in run.dice for name in dice.asked]
    faults = [fault for dice in run.dice for fault in dice.faults()]
    faults += [_no_question("throws", name, asked) for name in scenario.throws.given if name not in asked]
    faults += run.faults
    if faults:
        raise BrokenOffError(tuple(faults), run.result())
    if wanted is not None:
        run.differences.append(run.unmet_fault("no fault"))
    return run.result()


class _Run:
    """A scenario being played; ``differences`` and ``faults`` grow with each turn."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.game = scenario.game
        self.turns: list[PlayedTurn] = []
        self.dice: list[NamedDice] = []
        self.differences: list[Mismatch] = []
        self.faults: list[str] = []

    def result(self) -> ScenarioResult:
        """Return what has come of it so far."""
        return ScenarioResult(
            scenario=self.scenario,
            turns=tuple(self.turns),
            differences=tuple(self.differences),
            made_up=tuple(name for dice in self.dice for name in dice.missing),
        )

    def unmet_fault(self, found: str) -> Mismatch:
        """Return the difference between the fault that must come and what came."""
        where, table = next((where, table) for where, table in self.scenario.expects if "fault" in table)
        return Mismatch(f"{where}.fault", table["fault"], found)

    def play(self) -> None:
        """Play the opening and all turns, comparing each. Raises ConfigError."""
        scenario = self.scenario
        state = self.game.lay_out(scenario.setup)
        outcome = self.game.start(state, self._dice(OPENING, Throws(), 0))
        self._note(OPENING, outcome)
        every: dict[str, Complaints] = {}
        for number, turn in enumerate(scenario.turns, start=1):
            where = f"turn[{number}]"
            if not self.game.awaiting(outcome.state):
                raise ScenarioError(scenario.name, (f"{where}: the game is over before this turn",))
            ruled = Ruled(changes=turn.rulings, because="", paragraph=f"U{number}")
            rulings = (ruled,) if turn.rulings else ()
            state = reduce(self.game.apply, rulings, outcome.state)
            letters = tuple(
                hear(self.game, scenario.setup, state, player, text) for player, text in turn.orders.items()
            )
            orders = {each.player: each.orders for each in letters if each.orders is not None}
            outcome = self.game.adjudicate(state, orders, self._dice(where, turn.throws, number))
            outcome = outcome.but(events=(*rulings, *outcome.events))
            self._note(where, outcome, letters)
            complaints = {each.player: each.complaints for each in letters}
            for player, found in complaints.items():
                every[player] = (*every.get(player, ()), *found)
            self._compare(f"{where}.expect", turn.expect, outcome.state, self.turns[-1].events, complaints)
            self._compare_lost(f"{where}.expect", turn.expect, letters)
        events = tuple(event for told in self.turns for event in told.events)
        for where, expect in scenario.expects:
            self._compare(where, expect, outcome.state, events, every)

    def _dice(self, where: str, throws: Throws, number: int) -> NamedDice:
        self.dice.append(NamedDice(where, self.scenario.throws, throws, number))
        return self.dice[-1]

    def _note(self, where: str, outcome: Outcome, letters: tuple[Heard, ...] = ()) -> None:
        events = tuple(json.loads(self.game.encode(event)) for event in outcome.events)
        self.turns.append(PlayedTurn(where=where, events=events, letters=letters))

    def _compare(
        self,
        where: str,
        expect: Fields,
        state: Any,
        events: Events,
        complaints: Mapping[str, Complaints],
    ) -> None:
        codes = {player: tuple(each.code for each in found) for player, found in complaints.items()}
        found = FoundState(game=self.game, state=state, events=events, complaints=codes)
        self.faults += name_faults(where, expect, found)
        self.differences += differences(where, expect, found)

    def _compare_lost(self, where: str, expect: Fields, letters: tuple[Heard, ...]) -> None:
        """What was left out of a letter is a difference unless the file speaks of that player's complaints: a slip of its
        writer."""
        spoken = {*expect.get("complaints", {}), *self.scenario.expect.get("complaints", {})}
        for letter in letters:
            if letter.lost and letter.player not in spoken:
                lost = list(map(complaint_line, letter.lost))
                self.differences.append(Mismatch(f"{where}.complaints.{letter.player}", [], lost))


def _setup_faults(game: Game, setup: Setup) -> Texts:
    """Return the faults of board, preset and options: each is tried beside good ones, since a game names the first alone."""
    plain = setup.but(preset=game.default_preset, options=())
    beside = plain
    for board in game.boards()[:1]:
        beside = plain.but(board_name=board, board=game.board_text(board))
    faults = [*_faults_of(game, plain), *_faults_of(game, beside.but(preset=setup.preset))]
    for option in setup.options:
        # What it says of other options is for a run without faults.
        faults += [each for each in _faults_of(game, beside.but(options=(option,))) if each.startswith("option ")]
    return tuple(faults)


def _faults_of(game: Game, setup: Setup) -> Texts:
    try:
        game.lay_out(setup)
    except ConfigError as error:
        return _sentences(error)
    return ()


def _sentences(error: ConfigError) -> Texts:
    return error.faults if isinstance(error, ScenarioError) else tuple(str(error).split("\n"))


# A result as lines for people: differences, and every event with its paragraph.

WIDTH = 110
MOST_TABLES = 3  # of a list of tables, such as all that is still to do in a round


def verdict_lines(result: ScenarioResult) -> Iterator[str]:
    """Yield one line for a scenario that came out as expected, else its differences key by key."""
    paragraphs = " ".join(result.scenario.paragraphs)
    variant = f" ({result.scenario.variant})" if result.scenario.variant else ""
    title = f"{result.scenario.file}: {result.scenario.title}{variant}" + (f" [{paragraphs}]" if paragraphs else "")
    if not result.differences:
        yield f"{title}: as expected"
        return
    count = len(result.differences)
    yield f"{title}: {count} difference{'s' * (count > 1)}"
    for each in result.differences:
        yield f"  {each.where}"
        yield from _show("    expected ", each.expected)
        yield from _show("    found    ", each.found)


def event_lines(result: ScenarioResult) -> Iterator[str]:
    """Yield what the letters come to and every event in words, turn by turn: its kind, its fields, its paragraph in brackets."""
    if result.made_up:
        yield f"  Not given, and made up for this run: {', '.join(result.made_up)}"
    for turn in result.turns:
        yield f"  {turn.where}"
        for letter in turn.letters:
            yield from _letter_lines(letter)
        for event in turn.events:
            yield f"    {event_line(event)}"


def _letter_lines(letter: Heard) -> Iterator[str]:
    """Yield what is to say of a letter: that it was dropped, and what is wrong with it."""
    if letter.orders is None:
        yield f"    Letter of {letter.player}: dropped, there is nothing in it that can be ordered now"
    elif letter.complaints:
        yield f"    Letter of {letter.player}"
    yield from (f"      {complaint_line(each)}" for each in letter.complaints)


def event_line(event: Fields) -> str:
    """Return an event in words: ``Fee paid: company MGW, to GSW, amount 1 … [D3.2]``."""
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", event["kind"]).capitalize()
    fields = ", ".join(
        f"{name} {_word(value)}" for name, value in event.items() if name not in ("kind", "paragraph") and value != ""
    )
    paragraph = f" [{event['paragraph']}]" if event.get("paragraph") else ""
    return f"{kind}{': ' if fields else ''}{fields}{paragraph}"


def _word(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and "code" in value:
        return _say(value["code"], value.get("text", ""), value.get("params", []))
    if isinstance(value, dict):
        fields = (f"{name} {_word(each)}" for name, each in value.items() if name != "kind" and each != "")
        return "(" + ", ".join(fields) + ")"
    if isinstance(value, list):
        first = value
        if len(value) > MOST_TABLES and all(isinstance(each, dict) for each in value):
            first = [*value[:MOST_TABLES], f"and {len(value) - MOST_TABLES} more"]
        return "[" + ", ".join(map(_word, first)) + "]"
    return as_written(value)


def _show(head: str, value: Any) -> Iterator[str]:
    """Yield a value behind its heading; a list that is too long for a line is written item by item."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(head) + len(text) <= WIDTH or not isinstance(value, list):
        yield head + text
        return
    for place, item in enumerate(value):
        yield (head if not place else " " * len(head)) + json.dumps(item, ensure_ascii=False)
