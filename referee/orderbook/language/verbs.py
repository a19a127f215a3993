"""The verbs of an order language and what hands write for them, from their tables in files of words; what is read of their
lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.core.values import Value
from referee.orderbook.language.names import fold


class Verb(Value):
    """A word that begins an order, a text or a command, and what a player is told about it.

    ``shapes``: how its line is written, with the verb and without it, "" where it has none; ``{number}`` in them is the
    player's own. ``form``: the order form prints it alone. ``heading``: it orders nothing itself. ``along``: its line goes
    from place to place. ``foreign``: those of its names that are not English. ``final``: it cannot be taken back, so it counts
    only if its letter says nothing else, or nothing but "orders".
    """

    name: str
    kind: str
    aliases: tuple[str, ...]
    takes: str
    example: str
    help: str
    rule: str
    shapes: tuple[str, str] = ("", "")
    form: bool = False
    heading: bool = False
    along: bool = False
    foreign: frozenset[str] = frozenset()
    final: str = ""

    def shaped(self, number: str, *, bare: bool) -> str:
        """Return how a line of this verb is written, with the number its writer gave it; the example where it has no shape."""
        shape = self.shapes[bare]
        return shape.format(number=number or "…") if shape else self.example


class Hand(Value):
    """What is also written where an order should begin, and ``told``, what is read instead; ``for_each``: one order for each
    number that it names. ``alone`` is read behind it where nothing follows. ``exact``: only where nothing is wrong with what
    comes of it, for prose begins so, too. Where ``told`` is "" the rest of the line is read as if it stood alone.
    """

    line: re.Pattern[str]
    told: str
    alone: str
    for_each: bool
    exact: bool


class Head(Value):
    """How an order line begins: with *verb* ("" where it has none) up to ``end``; ``text`` is the line less its bullet."""

    verb: str
    end: int
    text: str


class Begun(Value):
    """What an ORDERS line says: the game's id in capitals ("" if none), the turn (0 if none), and what stands behind them.

    ``trial``: it is a WHATIF line, its orders are only asked about.
    """

    game: str
    turn: int
    rest: str = ""
    trial: bool = False


class TextHead(Value):
    """How a text begins: ``to`` are the readers it names, as they are written; ``rest`` stands behind its colon."""

    verb: Verb
    to: tuple[str, ...] = ()
    rest: str = ""


class Valued(Value):
    """A word for the referee behind a verb that takes one, ``SALT pepper``; ``value`` is "" for a wrong one."""

    verb: Verb
    value: str


def verb_of(name: str, entry: Mapping[str, Any]) -> Verb:
    """Return a verb as its table in a file of words has it."""
    told: dict[str, Any] = {key: entry[key] for key in ("kind", "takes", "example", "help", "rule")}
    told |= {key: bool(entry.get(key, False)) for key in ("form", "heading", "along")}
    told["final"] = entry.get("final", "")
    shapes = (entry.get("shape", ""), entry.get("shape_bare", ""))
    for shape in shapes:
        shape.format(number="")
    foreign = frozenset(names_of(entry)) - {*entry.get("aliases", ())}
    return Verb(name=name, aliases=(name, *names_of(entry)), shapes=shapes, foreign=foreign, **told)


def names_of(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the other names of a verb in its table: those of English and those of each language, all always read."""
    names = (*entry.get("aliases", ()), *(name for words in entry.get("in", {}).values() for name in words))
    return tuple(dict.fromkeys(names))


def hand_of(line: re.Pattern[str], entry: Mapping[str, Any]) -> Hand:
    """Return a hand as its table has it, its line already an expression."""
    alone, for_each, exact = entry.get("alone", ""), "(?P<each>" in entry["line"], bool(entry.get("exact", False))
    return Hand(line=line, told=entry["told"], alone=alone, for_each=for_each, exact=exact)


def courteous_names(commands: tuple[Verb, ...], courtesies: Mapping[str, list[str]]) -> dict[str, Verb]:
    """Return the commands by all their names as polite people write them."""
    # Folded apart, as that goes by letters: there are thousands of them together.
    before, after = ([fold(words) for words in ("", *courtesies[key])] for key in ("before", "after"))
    names = [(fold(alias), verb) for verb in commands for alias in verb.aliases]
    return {first + name + last: verb for name, verb in names for first in before for last in after}
