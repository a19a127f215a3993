"""Throws that the umpire types: a turn thrown with them, what is wrong with them, and how they are kept with the turn."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import field

from referee.core.dice import Dice, SeededDice, TypedDice, add_salt
from referee.core.errors import RefereeError
from referee.core.game import Game
from referee.core.values import Value, canonical
from referee.service.club.positions import OPENING, Position
from referee.service.letters.interpretation import newest_texts
from referee.store import games, orders
from referee.store.database.connection import Database

_NAME = re.compile(r"[a-z]\w*(/[\w+.-]+)+")
_LONGEST = 80  # characters of a name


class Misfit(Value):
    """A typed number that does not lie on the die."""

    name: str
    number: int
    sides: int


class Untyped(RefereeError):
    """A turn cannot be played before the umpire has typed throws, or has mended those that he typed."""

    exit_code = 65

    def __init__(self, untyped: tuple[tuple[str, int], ...], misfits: tuple[Misfit, ...]) -> None:
        """*untyped*: names and sides, in the order of throwing."""
        self.untyped, self.misfits = untyped, misfits
        super().__init__(" ".join((*(name for name, _ in untyped), *(each.name for each in misfits))))


class TriedDice(Value):
    """Typed throws before others, with a note of all names that were asked for and their sides, in order.

    A typed number that does not fit is passed over here, so that one run tells of all of them.
    """

    given: Mapping[str, int]
    otherwise: Dice
    asked: dict[str, int] = field(default_factory=dict)

    def throw(self, name: str, sides: int) -> int:
        """Return the typed throw, or that of the other dice."""
        self.asked[name] = sides
        number = self.given.get(name, 0)
        return number if 1 <= number <= sides else self.otherwise.throw(name, sides)

    @property
    def misfits(self) -> tuple[Misfit, ...]:
        """The typed numbers that were asked for and do not fit."""
        asked = ((name, sides, self.given.get(name, 1)) for name, sides in self.asked.items())
        return tuple(
            Misfit(name=name, number=number, sides=sides) for name, sides, number in asked if not 1 <= number <= sides
        )

    def untyped(self, needed: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
        """Return the throws that nobody typed though their names begin as *needed* says, with their sides."""
        lacking = (each for each in self.asked.items() if each[0] not in self.given)
        return tuple((name, sides) for name, sides in lacking if name.startswith(needed))

    @property
    def used(self) -> dict[str, int]:
        """The typed throws that were asked for."""
        return {name: number for name, number in self.given.items() if name in self.asked}

    @property
    def unused(self) -> dict[str, int]:
        """The typed throws that nothing asked for."""
        return {name: number for name, number in self.given.items() if name not in self.asked}


def check_typed(rules: Game, state: Any, dice: TriedDice) -> None:
    """Raise Untyped where a turn that was played from *state* with *dice* lacks throws, or has some that do not fit."""
    untyped = dice.untyped(rules.needs_typed(state))
    if untyped or dice.misfits:
        raise Untyped(untyped, dice.misfits)


def dice_of(seed: str, salts: str, typed: str) -> Dice:
    """Return the dice of an adjudicated turn. They raise ValueError for a typed number that does not fit."""
    return TypedDice(given=parse_typed(typed), otherwise=SeededDice(add_salt(seed, salts)))


def format_typed(throws: Mapping[str, int]) -> str:
    """Return throws by name as JSON, "" for none: the same bytes for the same throws."""
    return canonical(dict(throws)) if throws else ""


def parse_typed(text: str) -> dict[str, int]:
    """Return the throws written by ``format_typed``, sorted by name.

    Raises:
        ValueError: it is no text of throws.
    """
    throws = json.loads(text) if text else {}
    fault = typed_fault(throws)
    if text and fault:
        raise ValueError(f"its typed throws: {fault}")
    return dict(sorted(throws.items()))


def told_throws(db: Database, position: Position, turn: int, typed: str) -> list[str]:
    """Return the umpire's throws of a turn; at the end of a game with secrets those of all turns."""
    earlier = games.turns(db, position.row.id) if position.rules.has_secrets else ()
    texts = [*(row.typed for row in earlier if row.turn < turn), typed]
    return [f"{name}={number}" for text in texts for name, number in parse_typed(text).items()]


def typed_fault(throws: Any) -> str:
    """Return what is wrong with a value that should be throws by name, at least one, "" if nothing."""
    if not isinstance(throws, dict) or not throws:
        return "at least one name with its number is expected"
    for name, number in throws.items():
        if not is_name(name):
            return f"{name!r} is no name of a throw"
        if type(number) is not int or number < 1:
            return f"{name}: a whole number from 1 on is expected"
    return ""


def is_name(text: str) -> bool:
    """Return whether a text is built like the name of a throw, as ``rolls/2/1``."""
    return len(text) <= _LONGEST and _NAME.fullmatch(text) is not None


# The players' words of salt, mixed into the dice: of those who signed up from the opening on, else from the second
# turn on.

_WORD = re.compile(r"\w+")


def salts_of(db: Database, position: Position) -> str:
    """Return the salts that the awaited turn prints, as ``GSW=pepper MGW=dill`` in order of play; "" if nobody gave any.

    A turn is thrown with those that the one before printed, the opening with its own: a word that came with the orders could be
    the umpire's, made to fit them.
    """
    last = games.last_turn(db, position.row.id)
    if last.salts or last.turn != OPENING:
        return last.salts
    given = newest_texts(orders.texts(db, position.row.id, position.row.turn, "salt"))
    return joined((player.code for player in position.players), {each.player: each.text for each in given})


def joined(codes: Iterable[str], words: Mapping[str, str]) -> str:
    """Return salts as they are thrown with; *codes* in order of play."""
    return " ".join(f"{code}={words[code]}" for code in codes if words.get(code))


def are_of(salts: str, codes: tuple[str, ...]) -> bool:
    """Return whether salts are words of these players, each at most once, in their order."""
    given = [each.partition("=") for each in salts.split(" ")] if salts else []
    if not all(_WORD.fullmatch(word) for _, _, word in given):
        return False
    named = [code for code, _, _ in given]
    return named == [code for code in codes if code in named]
