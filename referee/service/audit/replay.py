"""Turns played again from their orders and seeds: what came of each, what should have, and what other rules alone could prove."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import takewhile
from typing import Any

from msgspec import field

from referee.core import Mutable, NotedDice, Texts, Value
from referee.core.game import Game, Outcome, Setup
from referee.core.record import Ruled
from referee.games import game_named
from referee.store import LoggedTurn, games

from ..club import Club
from ..positions import OPENING, parse_orders, parse_setup
from ..turns.inputs import dice_of, parse_typed
from .export import Edition, GameLog, edition_of, whole_log

_LONGEST = 120  # characters of an event or a mistake that are told


Watch = Callable[[Sequence[LoggedTurn]], Iterable[LoggedTurn]]  # shows how far one is with turns, on their way


class Fault(Value, kw_only=False):
    """Something that is not as it should be; the sentence follows the words ``turn 7:``."""

    turn: int
    text: str


Faults = Iterator[Fault]


class Note(Fault):
    """Something that only another version of the rules can prove."""


class Throw(Value):
    """A throw as it was recomputed; ``typed``: no seed made it, the umpire typed it."""

    turn: int
    name: str
    sides: int
    number: int
    typed: bool = False


class Compared(Value):
    """What came of one turn: ``differs`` names what was not the same (``events``, ``state``, ``fold``, ``seed``, ``hash``).

    ``edition`` counts those of the turn from 1. ``rules`` is the version the turn was played with; another version than today's
    may differ by right.
    """

    turn: int
    edition: int
    rules: int
    events: int
    size: int
    differs: Texts


class Replayer(Mutable):
    """Plays turns again, as long as each comes out as it was told: what follows a turn that differs follows from that.

    A turn of another version of the rules that differs is taken as it was told, and the next is played from there.
    """

    log: GameLog
    rules: Game
    setup: Setup
    states: Mapping[Edition, str]  # positions to be compared, encoded, by turn and edition
    state: Any = None
    played: list[tuple[int, int]] = field(default_factory=list)  # turns that came out, with the number of their events
    throws: list[Throw] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    after: dict[Edition, Any] = field(default_factory=dict)  # positions, by turn and edition

    def play_from(self, state: Any, turn: LoggedTurn) -> Faults:
        """Play a single turn from a position; yields what does not come out."""
        self.state = state
        yield from self._turn(turn)

    def play(self, turns: Sequence[LoggedTurn], watch: Watch = iter) -> Faults:
        """Play these turns; yields what does not come out."""
        try:
            self.state = self.rules.lay_out(self.setup)
        except Exception as error:  # whatever a setup that was altered leads the rules to
            yield Fault(OPENING, f"the game cannot be laid out: {printable(error)}")
            return
        for turn in watch(turns):
            if turn.turn != OPENING and not self.rules.awaiting(self.state):
                yield Fault(turn.turn, "it was played when the game was over")
                return
            awaited = OPENING if turn.turn == OPENING else self.rules.turn(self.state)
            if turn.turn != awaited:
                yield Fault(awaited, f"it is missing, turn {turn.turn} stands in its place")
                return
            faults = list(self._turn(turn))
            yield from faults
            self.after[edition_of(turn)] = self.state
            if self.state is None:
                if turn != turns[-1]:
                    text = "the turns after it were not played again"
                    if faults:
                        yield Fault(turn.turn, text)
                    else:
                        self.notes.append(Note(turn.turn, text))
                return

    def _turn(self, turn: LoggedTurn) -> Faults:
        """Play a turn; the state is None after one that went another way."""
        before, self.state = self.state, None
        try:
            typed = parse_typed(turn.typed)
            outcome, thrown = replay_turn(self.log, self.rules, self.setup, before, turn)
        except Exception as error:  # whatever orders that were altered lead the rules to
            yield from self._other(turn, before, f"it cannot be played: {printable(error)}")
            return
        events = self.rules.encode(outcome.events)
        if events == turn.events or self._is_ours(turn):
            self.throws += [
                Throw(turn=turn.turn, name=name, sides=sides, number=number, typed=name in typed)
                for (name, sides), number in thrown.items()
            ]
        if events != turn.events:
            difference = _difference(turn, events)
            yield from self._other(turn, before, f"its events differ from what orders and seed give: {difference}")
            return
        if self._is_ours(turn):
            yield from self._typed_faults(turn, before, {name for name, _ in thrown}, set(typed))
            yield from self._state_faults(turn, before, outcome)
        self.played.append((turn.turn, len(outcome.events)))
        self.state = outcome.state

    def _is_ours(self, turn: LoggedTurn) -> bool:
        return turn.rules == self.rules.rules

    def _other(self, turn: LoggedTurn, before: Any, what: str) -> Faults:
        """Blame a turn for what came of it, unless other rules were in force: then what is told of it is taken and noted."""
        if self._is_ours(turn):
            because = f" (turn {self.notes[0].turn}, played by other rules, may have led there)" if self.notes else ""
            yield Fault(turn.turn, what + because)
            return
        try:
            self.state = reduce(self.rules.apply, self.rules.decode(turn.events, self.setup), before)
            taken = "so its events were taken as they stand" + self._take_stored(turn)
        except Exception as error:  # events or a position that this program no longer has, or not yet
            taken = f"and what is told of it cannot be taken as it stands: {printable(error)}"
        told = f"it was played by version {turn.rules} of the rules; by version {self.rules.rules} {what}; {taken}"
        self.notes.append(Note(turn.turn, told))

    def _take_stored(self, turn: LoggedTurn) -> str:
        """Go on from the position that the club keeps, as play did, where it is another one; say so."""
        kept = self.states.get(edition_of(turn))
        if kept is None or kept == self.rules.encode(self.state):
            return ""
        self.state = None
        self.state = self.rules.decode(kept, self.setup)
        return ", and the next turn was played from the position that the club keeps, which is another one"

    def _typed_faults(self, turn: LoggedTurn, before: Any, thrown: set[str], typed: set[str]) -> Faults:
        """Typed throws must have been asked for; where only typed ones will do, seeds must not stand in for them."""
        if typed - thrown:
            yield Fault(turn.turn, f"nothing asks for the typed throws {printable(', '.join(sorted(typed - thrown)))}")
        needed = self.rules.needs_typed(before)
        untyped = sorted(name for name in thrown - typed if name.startswith(needed))
        if untyped:
            yield Fault(turn.turn, f"the throws {printable(', '.join(untyped))} were not typed, as they should be")

    def _state_faults(self, turn: LoggedTurn, before: Any, outcome: Outcome) -> Faults:
        kept = self.states.get(edition_of(turn))
        if kept is None:
            return
        encoded = self.rules.encode(outcome.state)
        if encoded != kept:
            yield Fault(turn.turn, "the position that the club keeps differs from what orders and seed give")
        if encoded != self.rules.encode(reduce(self.rules.apply, outcome.events, before)):
            yield Fault(turn.turn, "its events do not add up to its position")


def replay(club: Club, game_id: str) -> Iterator[Compared]:
    """Play every stored turn of a game again, from the opening on, in the order in which they were played: undone ones too.

    Raises:
        NotFound: there is no such game.
    """
    log = whole_log(club, game_id)
    setup, states = parse_setup(log.setup), kept_states(club, log.game)
    rules = game_named(setup.game)
    editions = games.editions(club, log.game)
    after: dict[Edition, Any] = {}
    for turn in log.played:
        earlier = log.before(turn)
        before, hashed = (after[edition_of(earlier)], earlier.hash) if earlier else (rules.lay_out(setup), log.agreed)
        outcome, _ = replay_turn(log, rules, setup, before, turn)
        after[edition_of(turn)] = outcome.state
        events, kept = rules.encode(outcome.events), states[edition_of(turn)]
        same = {
            "events": events == turn.events,
            "state": rules.encode(outcome.state) == kept,
            "fold": rules.encode(reduce(rules.apply, outcome.events, before)) == kept,
            "seed": log.is_seed(turn),
            "hash": log.hash_over(turn, hashed) == turn.hash,
        }
        yield Compared(
            turn=turn.turn,
            edition=editions[turn.turn].index(turn.edition) + 1,
            rules=turn.rules,
            events=len(outcome.events),
            size=len(events.encode()),
            differs=tuple(name for name, equal in same.items() if not equal),
        )


def kept_states(club: Club, game_id: str) -> dict[Edition, str]:
    """Return the positions that the club keeps of a game, encoded."""
    rows = (*games.turns(club, game_id), *games.superseded(club, game_id))
    return {edition_of(row): row.state for row in rows}


def replay_turn(
    log: GameLog, rules: Game, setup: Setup, before: Any, turn: LoggedTurn
) -> tuple[Outcome, Mapping[tuple[str, int], int]]:
    """Return a turn as it comes out of its orders, rulings and seed, from the position *before* it; and what was thrown, by name
    and sides.
    """
    dice = NotedDice(dice_of(turn.seed, log.salts_of(turn), turn.typed))
    if turn.turn == OPENING:
        return rules.start(before, dice), dice.thrown
    rulings = rulings_in(rules, turn.events, setup)
    state = reduce(rules.apply, rulings, before)
    outcome = rules.adjudicate(state, parse_orders(rules, turn.orders, setup), dice)
    return outcome.but(events=(*rulings, *outcome.events)), dice.thrown


def rulings_in(rules: Game, events: str, setup: Setup) -> tuple[Ruled, ...]:
    """Return the umpire's rulings with which the *events* of a turn begin: nothing but the umpire's word makes them.

    Of events that are no JSON there are none: what is wrong with those is told where they are compared.
    """
    try:
        told = json.loads(events)
    except ValueError:
        return ()
    begin = takewhile(lambda each: isinstance(each, dict) and each.get("kind") == Ruled.__name__, told)
    return tuple(rules.decode(json.dumps(each), setup) for each in begin)


def _difference(turn: LoggedTurn, events: str) -> str:
    """Return where the events told and those recomputed part."""
    try:
        told, given = json.loads(turn.events), json.loads(events)
    except ValueError:
        return "they are no JSON"
    for number, (one, other) in enumerate(zip(told, given, strict=False), 1):
        if one != other:
            one, other = _differing_parts(one, other)
            return f"event {number} has {printable(_plain(one))}, it should be {printable(_plain(other))}"
    if len(told) != len(given):
        return f"there are {len(told)}, there should be {len(given)}"
    return "they are written in another way"


def _differing_parts(one: Any, other: Any) -> tuple[Any, Any]:
    """Return of two events of a kind only that in which they differ, of any others all."""
    if not (isinstance(one, dict) and isinstance(other, dict)) or one.get("kind") != other.get("kind"):
        return one, other
    names = [name for name in sorted({*one, *other}) if name == "kind" or one.get(name) != other.get(name)]
    return tuple({name: each[name] for name in names if name in each} for each in (one, other))  # type: ignore[return-value]


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def printable(what: object) -> str:
    """Return a piece of somebody else's text, fit for a terminal."""
    text = f"{type(what).__name__}: {what}" if isinstance(what, Exception) else str(what)
    text = "".join(char if char.isprintable() else " " for char in text)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 2] + " …"
