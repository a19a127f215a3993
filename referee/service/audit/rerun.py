"""Turns played again as they were told: what does not come out as it should, and what other rules alone could prove."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import takewhile
from typing import Any

from referee.core.dice import Dice, NotedDice
from referee.core.game import Game, Outcome, Setup
from referee.core.rulings import Ruled
from referee.service.audit.export import RevealedTurn
from referee.service.club.positions import OPENING, parse_orders
from referee.service.turns.throws import dice_of, parse_typed
from referee.store.database.rows import TurnRow

_LONGEST = 120  # characters of an event or a mistake that are told


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that is not as it should be; the sentence follows the words ``turn 7:``."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something that only another version of the rules can prove; the sentence follows the words ``turn 7:``."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """A throw as it was recomputed; ``typed``: no seed made it, the umpire typed it."""

    turn: int
    name: str
    sides: int
    number: int
    typed: bool = False


@dataclass(slots=True, kw_only=True)
class Again:
    """Plays turns again, as long as each comes out as it was told: what follows a turn that differs follows from that.

    A turn of another version of the rules that differs is taken as it was told, and the next is played from there.
    """

    rules: Game
    setup: Setup
    states: Mapping[tuple[int, int], str]  # positions to be compared, encoded, by turn and edition
    state: Any = None
    played: list[tuple[int, int]] = field(default_factory=list)
    throws: list[Throw] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    after: dict[tuple[int, int], Any] = field(default_factory=dict)  # positions, by turn and edition

    def play_from(self, state: Any, turn: RevealedTurn) -> Iterator[Fault]:
        """Play a single turn from a position; yields what does not come out."""
        self.state = state
        yield from self._turn(turn)

    def play(self, turns: tuple[RevealedTurn, ...]) -> Iterator[Fault]:
        """Play these turns; yields what does not come out."""
        try:
            self.state = self.rules.lay_out(self.setup)
        except Exception as error:  # whatever a setup that was altered leads the rules to
            yield Fault(turn=OPENING, text=f"the game cannot be laid out: {_shown(error)}")
            return
        for turn in turns:
            if turn.turn != OPENING and not self.rules.awaiting(self.state):
                yield Fault(turn=turn.turn, text="it was played when the game was over")
                return
            awaited = OPENING if turn.turn == OPENING else self.rules.turn(self.state)
            if turn.turn != awaited:
                yield Fault(turn=awaited, text=f"it is missing, turn {turn.turn} stands in its place")
                return
            faults = list(self._turn(turn))
            yield from faults
            self.after[turn.turn, turn.edition] = self.state
            if self.state is None:
                if turn != turns[-1]:
                    yield from self._stopped(turn, faulty=bool(faults))
                return

    def _stopped(self, turn: RevealedTurn, *, faulty: bool) -> Iterator[Fault]:
        text = "the turns after it were not played again"
        if faulty:
            yield Fault(turn=turn.turn, text=text)
        else:
            self.notes.append(Note(turn=turn.turn, text=text))

    def _turn(self, turn: RevealedTurn) -> Iterator[Fault]:
        """Play a turn; the state is None after one that went another way."""
        before, self.state = self.state, None
        try:
            typed = parse_typed(turn.typed)
            dice = NotedDice(dice_of(turn.seed, turn.salts, turn.typed))
            outcome = outcome_of(self.rules, self.setup, before, turn, dice)
        except Exception as error:  # whatever orders that were altered lead the rules to
            yield from self._other(turn, before, f"it cannot be played: {_shown(error)}")
            return
        events = self.rules.encode(outcome.events)
        if events == turn.events or self._is_ours(turn):
            self.throws += [
                Throw(turn=turn.turn, name=name, sides=sides, number=number, typed=name in typed)
                for (name, sides), number in dice.thrown.items()
            ]
        if events != turn.events:
            difference = _difference(turn, events)
            yield from self._other(turn, before, f"its events differ from what orders and seed give: {difference}")
            return
        if self._is_ours(turn):
            yield from self._typed_faults(turn, before, {name for name, _ in dice.thrown}, set(typed))
            yield from self._state_faults(turn, before, outcome)
        self.played.append((turn.turn, len(outcome.events)))
        self.state = outcome.state

    def _is_ours(self, turn: RevealedTurn) -> bool:
        return turn.rules == self.rules.rules

    def _other(self, turn: RevealedTurn, before: Any, what: str) -> Iterator[Fault]:
        """Blame a turn for what came of it, unless other rules were in force: then what is told of it is taken and noted."""
        if self._is_ours(turn):
            because = f" (turn {self.notes[0].turn}, played by other rules, may have led there)" if self.notes else ""
            yield Fault(turn=turn.turn, text=what + because)
            return
        try:
            self.state = reduce(self.rules.apply, self.rules.decode(turn.events, self.setup), before)
            taken = "so its events were taken as they stand" + self._kept(turn)
        except Exception as error:  # events or a position that this program no longer has, or not yet
            taken = f"and what is told of it cannot be taken as it stands: {_shown(error)}"
        told = f"it was played by version {turn.rules} of the rules; by version {self.rules.rules} {what}; {taken}"
        self.notes.append(Note(turn=turn.turn, text=told))

    def _kept(self, turn: RevealedTurn) -> str:
        """Go on from the position that the club keeps, as play did, where it is another one; say so."""
        kept = self.states.get((turn.turn, turn.edition))
        if kept is None or kept == self.rules.encode(self.state):
            return ""
        self.state = None
        self.state = self.rules.decode(kept, self.setup)
        return ", and the next turn was played from the position that the club keeps, which is another one"

    def _typed_faults(self, turn: RevealedTurn, before: Any, thrown: set[str], typed: set[str]) -> Iterator[Fault]:
        """Typed throws must have been asked for; where only typed ones will do, seeds must not stand in for them."""
        if typed - thrown:
            yield Fault(
                turn=turn.turn, text=f"nothing asks for the typed throws {_shown(', '.join(sorted(typed - thrown)))}"
            )
        needed = self.rules.needs_typed(before)
        untyped = sorted(name for name in thrown - typed if name.startswith(needed))
        if untyped:
            yield Fault(
                turn=turn.turn, text=f"the throws {_shown(', '.join(untyped))} were not typed, as they should be"
            )

    def _state_faults(self, turn: RevealedTurn, before: Any, outcome: Outcome) -> Iterator[Fault]:
        kept = self.states.get((turn.turn, turn.edition))
        if kept is None:
            return
        encoded = self.rules.encode(outcome.state)
        if encoded != kept:
            yield Fault(turn=turn.turn, text="the position that the club keeps differs from what orders and seed give")
        if encoded != self.rules.encode(reduce(self.rules.apply, outcome.events, before)):
            yield Fault(turn=turn.turn, text="its events do not add up to its position")


def outcome_of(rules: Game, setup: Setup, before: Any, turn: RevealedTurn | TurnRow, dice: Dice) -> Outcome:
    """Return a turn as it comes out of its orders and rulings, from the position *before* it and with these dice."""
    if turn.turn == OPENING:
        return rules.start(before, dice)
    rulings = rulings_in(rules, turn.events, setup)
    state = reduce(rules.apply, rulings, before)
    outcome = rules.adjudicate(state, parse_orders(rules, turn.orders, setup), dice)
    return replace(outcome, events=(*rulings, *outcome.events))


def rulings_in(rules: Game, events: str, setup: Setup) -> tuple[Ruled, ...]:
    """Return the umpire's rulings with which the *events* of a turn begin: nothing but his word makes them.

    Of events that are no JSON there are none: what is wrong with those is told where they are compared.
    """
    try:
        told = json.loads(events)
    except ValueError:
        return ()
    begin = takewhile(lambda each: isinstance(each, dict) and each.get("kind") == Ruled.__name__, told)
    return tuple(rules.decode(json.dumps(each), setup) for each in begin)


def _difference(turn: RevealedTurn, events: str) -> str:
    """Return where the events told and those recomputed part."""
    try:
        told, given = json.loads(turn.events), json.loads(events)
    except ValueError:
        return "they are no JSON"
    for number, (one, other) in enumerate(zip(told, given, strict=False), 1):
        if one != other:
            one, other = _parted(one, other)
            return f"event {number} has {_shown(_plain(one))}, it should be {_shown(_plain(other))}"
    if len(told) != len(given):
        return f"there are {len(told)}, there should be {len(given)}"
    return "they are written in another way"


def _parted(one: Any, other: Any) -> tuple[Any, Any]:
    """Return of two events of a kind only that in which they differ, of any others all."""
    if not (isinstance(one, dict) and isinstance(other, dict)) or one.get("kind") != other.get("kind"):
        return one, other
    names = [name for name in sorted({*one, *other}) if name == "kind" or one.get(name) != other.get(name)]
    return tuple({name: each[name] for name in names if name in each} for each in (one, other))  # type: ignore[return-value]


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _shown(what: object) -> str:
    """Return a piece of somebody else's text, fit for a terminal."""
    text = f"{type(what).__name__}: {what}" if isinstance(what, Exception) else str(what)
    text = "".join(char if char.isprintable() else " " for char in text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2] + " …"
