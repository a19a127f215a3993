"""The dice of a scenario: every throw is given by name, and what the file and the rules do not share is noted."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from referee.core.dice import SeededDice
from referee.scenario.file import Throws

MOST_TOLD = 6  # missing throws that are named


class NamedDice:
    """Answers throws by name: a turn's own before the file's, then those of a seed.

    A throw nobody gave is noted in ``missing`` and answered all the same, so that one run tells of all of them.
    """

    def __init__(self, file: Throws, turn: Throws, number: int) -> None:
        """*number*: of the turn, 0 for the opening; a seed gives each turn other throws."""
        self._given = {**file.given, **turn.given}
        seed = turn.seed or file.seed
        self._seeded = bool(seed)
        self._otherwise = SeededDice(f"{seed}/{number}")
        self.asked: dict[str, int] = {}
        self.missing: list[str] = []
        self.faults: list[str] = []

    def throw(self, name: str, sides: int) -> int:
        """Return the throw *name*."""
        self.asked[name] = sides
        number = self._given.get(name)
        if number is None:
            if not self._seeded and name not in self.missing:
                self.missing.append(name)
            return self._otherwise.throw(name, sides)
        if number > sides:
            self.faults.append(f"throws.{name}: {number} is given, 1 to {sides} possible")
            return sides
        return number


def throw_faults(file: Throws, turns: Iterable[tuple[str, Throws, NamedDice]]) -> tuple[str, ...]:
    """Return what is wrong with the throws after a run. *turns*: where each stands, its own throws, its dice."""
    faults: list[str] = []
    asked: dict[str, int] = {}
    for where, own, dice in turns:
        asked.update(dice.asked)
        faults += [f"{where}.{fault}" for fault in dict.fromkeys(dice.faults)]
        faults += _ungiven(f"{where}.throws", dice)
        faults += [_unasked(f"{where}.throws", name, dice.asked) for name in own.given if name not in dice.asked]
    faults += [_unasked("throws", name, asked) for name in file.given if name not in asked]
    return tuple(faults)


def _ungiven(where: str, dice: NamedDice) -> list[str]:
    """Return a sentence for the first throws that were asked for; what comes after them may depend on what they are."""
    faults = [f"{where}: the rules ask for {name!r}, 1 to {dice.asked[name]}" for name in dice.missing[:MOST_TOLD]]
    more = len(dice.missing) - MOST_TOLD
    return [*faults, f"{where}: and for {more} more, which may be others once these are given"] if more > 0 else faults


def _unasked(where: str, name: str, asked: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, tuple(asked), 1)
    return f"{where}: nothing asks for {name!r}" + (f" (did you mean {near[0]!r}?)" if near else "")
