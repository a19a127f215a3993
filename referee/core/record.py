"""The one way in which a position changes: an event is written down and applied before anybody looks again; umpires rule so."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from .dice import Dice, SeededDice
from .game import Changes, Outcome
from .texts.positiontable import FAULT, suggest
from .values import N_, ConfigError, Fields, PositionError, Sentence, Value, Words

State = TypeVar("State", bound=Value)
Event = TypeVar("Event")


NO_DICE = SeededDice("")  # where nothing that is thrown is told


class Record(Generic[State, Event]):
    """A turn being played: ``state`` is always the fold of ``events`` over the position it began with."""

    def __init__(self, state: State, changes: Changes, dice: Dice = NO_DICE) -> None:
        """*changes*: for each kind of event what returns the position after it; *dice*: what is thrown in the turn."""
        self._changes, self.dice = changes, dice
        self.begin_anew(state, ())

    def begin_anew(self, state: State, events: Iterable[Event]) -> None:
        """Begin with another position, and with what has happened since."""
        self.state = state
        self.events: list[Event] = []
        self.add_all(events)

    def add(self, event: Event) -> None:
        """Write an event down."""
        self.state = self._changes[type(event)](event, self.state)
        self.events.append(event)

    def add_all(self, events: Iterable[Event]) -> None:
        """Write several events down, in order."""
        for event in events:
            self.add(event)

    def outcome(self) -> Outcome:
        """Return the position and how it came about."""
        return Outcome(state=self.state, events=tuple(self.events))


# The umpire's rulings: what changes in a position by the umpire's word, as an event of every game.
#
# A change names a key of the position as people type it (``Game.facts``, ``Game.place``), and what becomes of it:
# ``balances.GSW+=5``, ``track.MGW-="Dublin - Y17"``. Changes are told as more or less, so that they still fit where a
# turn before
# them is played anew.

_CHANGE = re.compile(r"(?P<key>\w+)(?:\.(?P<name>.+?))?\s*(?P<how>\+=|-=|=)(?P<value>.*)", re.S)


class Change(Value):
    """What is done to a key of the position, or to its entry ``name``: ``how`` is ``=``, ``+`` or ``-``; ``value`` is JSON."""

    key: str
    name: str
    how: str
    value: str


class Ruled(Value):
    """The umpire has ruled: ``because`` are the umpire's words. ``paragraph`` is ``U`` and the number of the act in the log."""

    changes: tuple[Change, ...]
    because: str
    paragraph: str


def parse_change(text: str) -> Change:
    """Return the change written as ``money.GSW+=5`` or ``cubes.Hamburg-=blue``: a value of TOML, or a bare word.

    Raises:
        ConfigError: it is not written so.
    """
    match = _CHANGE.fullmatch(text.strip())
    if not match or not match["value"].strip():
        told = N_('{text} is no change: write it as money.GSW+=5, or track.GSW-="Dublin - Y17"')
        raise ConfigError(told, text=repr(text))
    if match["how"] == "=" and match["value"].lstrip().startswith("+"):
        told = N_("{text} would set it to {value}: write {given} to give that, or {set} to set it")
        where, value = text[: match.start("how")].strip(), match["value"].strip(" +")
        raise ConfigError(told, text=text, value=value, given=f"{where}+={value}", set=f"{where}={value}")
    try:
        value = tomllib.loads(f"value = {match['value']}")["value"]
        value_text = json.dumps(value, ensure_ascii=False)
    except (tomllib.TOMLDecodeError, TypeError):
        value_text = json.dumps(match["value"].strip(), ensure_ascii=False)
    return Change(key=match["key"], name=match["name"] or "", how=match["how"][0], value=value_text)


def known_change(change: Change, adjustable: Words) -> Change:
    """Return a change by the key of the position that its word means in a game (``Game.adjustable``). Raises ConfigError."""
    key = adjustable.get(change.key, change.key)
    if key not in adjustable.values():
        if not adjustable:
            raise ConfigError(N_("nothing can be changed by a ruling in this game"))
        told = N_("{key} cannot be changed by a ruling (there is {known})")
        raise ConfigError(told, key=change.key, known=", ".join(adjustable))
    return change.but(key=key)


def format_change(change: Change) -> str:
    """Return a change as it is typed."""
    where = f"{change.key}.{change.name}" if change.name else change.key
    return f"{where}{change.how if change.how == '=' else change.how + '='}{change.value}"


def after_ruled(
    event: Ruled,
    state: State,
    facts: Callable[[State], Fields],
    place: Callable[[State, Fields], State],
) -> State:
    """Return the position after a ruling, for games whose *facts* and *place* do all of it.

    Raises:
        PositionError: a change does not fit the position.
    """
    for change in event.changes:
        state = place(state, changed_table(facts(state), change))
    return state


def changed_table(facts: Fields, change: Change) -> Fields:
    """Return the part of the table *facts* that a change touches, as it is after it. Raises PositionError."""
    where, value = f"{change.key}.{change.name}".strip("."), json.loads(change.value)
    if change.key not in facts:
        raise _unfit(where, N_("a position has no such key ({known})"), known=suggest(change.key, tuple(facts)))
    known = facts[change.key]
    if not change.name:
        return {change.key: _after(where, known, change.how, value)}
    if not isinstance(known, Mapping):
        raise _unfit(where, N_("{key} has no entries by name"), key=change.key)
    name = next((each for each in known if each.casefold() == change.name.casefold()), change.name)
    if change.how != "=" and name not in known:
        raise _unfit(where, N_("there is no such entry ({known})"), known=suggest(change.name, tuple(known)))
    return {change.key: {name: _after(where, known.get(name), change.how, value)}}


def _unfit(where: str, sentence: str, /, **values: object) -> PositionError:
    return PositionError((Sentence(FAULT, where=where, fault=Sentence(sentence, **values)),))


def _after(where: str, old: Any, how: str, value: Any) -> Any:
    if how == "=":
        return value
    if isinstance(old, int) and not isinstance(old, bool):
        if type(value) is not int:
            raise _unfit(where, N_("{value} is read; a whole number expected"), value=repr(value))
        return old + value if how == "+" else old - value
    if not isinstance(old, list):
        raise _unfit(where, N_("it can only be set with ="))
    given = value if isinstance(value, list) else [value]
    if how == "+":
        return [*old, *given]
    rest = list(old)
    for each in given:
        if each not in rest:
            there = suggest(str(each), tuple(map(str, rest))) if rest else Sentence(N_("it is empty"))
            raise _unfit(where, N_("{value} is not there ({there})"), value=repr(each), there=there)
        rest.remove(each)
    return rest
