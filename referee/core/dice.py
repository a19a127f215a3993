"""Named throws: each depends on the turn's seed and its own name alone, so a rule that throws once more changes no other."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Protocol, TypeVar

from msgspec import field

from .values import Amounts, Texts, Value

T = TypeVar("T")

CHAIN_LENGTH = 1000  # turns a game may have; a postal game has 12, one asked company by company a few hundred
CHAIN_END = -1  # the seed before the opening's: published first


class Dice(Protocol):
    """Whatever answers named throws: seeds, the umpire's real dice, a scenario file."""

    def throw(self, name: str, sides: int) -> int:
        """Return 1..*sides* for the throw called *name* (``race/7/2/GSW``); the same name gives the same result."""
        ...


class SeededDice(Value, kw_only=False):
    """Throws from a turn's seed, checkable by anybody who has the seed."""

    seed: str

    def throw(self, name: str, sides: int) -> int:
        """Return 1..*sides*: the first of the numbers SHA-256("seed/name/i") that is not in the last, incomplete cycle."""
        limit = 2**64 - 2**64 % sides
        attempt = 0
        while True:
            digest = hashlib.sha256(f"{self.seed}/{name}/{attempt}".encode()).digest()
            number = int.from_bytes(digest[:8], "big")
            if number < limit:
                return number % sides + 1
            attempt += 1


class TypedDice(Value, kw_only=False):
    """Throws given by name: an umpire's real dice or a scenario. Names that were not given fall to *otherwise*."""

    given: Amounts
    otherwise: Dice

    def throw(self, name: str, sides: int) -> int:
        """Return the given throw.

        Raises:
            ValueError: the given number does not lie on a die of that many sides.
        """
        if name not in self.given:
            return self.otherwise.throw(name, sides)
        number = self.given[name]
        if not 1 <= number <= sides:
            raise ValueError(f"throw {name!r}: {number} given, 1 to {sides} possible")
        return number


class NotedDice(Value, kw_only=False):
    """Other dice, with a note of every throw by name and sides, in the order in which they were first thrown."""

    dice: Dice
    thrown: dict[tuple[str, int], int] = field(default_factory=dict)

    def throw(self, name: str, sides: int) -> int:
        """Return what the other dice give."""
        return self.thrown.setdefault((name, sides), self.dice.throw(name, sides))


def add_salt(seed: str, salts: str) -> str:
    """Return the seed that is thrown from: SHA-256("seed/salts"), or *seed* itself where nobody gave salt.

    *salts*: each player's word in order of play, as ``GSW=pepper MGW=dill``.
    """
    return hashlib.sha256(f"{seed}/{salts}".encode()).hexdigest() if salts else seed


def next_seed(seed: str) -> str:
    """Return the seed that was fixed one turn before *seed*: its SHA-256, in hexadecimal."""
    return hashlib.sha256(seed.encode()).hexdigest()


def seed_of_turn(root: str, turn: int) -> str:
    """Return the seed of *turn* (0 = the opening) of the chain that ends in *root*; turn ``CHAIN_END`` gives the published end.

    Raises:
        ValueError: the chain is used up.
    """
    if turn >= CHAIN_LENGTH:
        raise ValueError(f"turn {turn}: the chain has {CHAIN_LENGTH} seeds")
    return _chain(root)[CHAIN_LENGTH - 1 - turn]


@lru_cache(maxsize=16)
def _chain(root: str) -> Texts:
    """Return all seeds, from the root to the published end. A turn asks for many of them."""
    seeds = [root]
    while len(seeds) <= CHAIN_LENGTH:
        seeds.append(next_seed(seeds[-1]))
    return tuple(seeds)


def shuffle(items: tuple[T, ...], dice: Dice, name: str) -> tuple[T, ...]:
    """Return *items* in the order given by throws ``name/1``, ``name/2`` … (Fisher and Yates, from the front)."""
    rest = list(items)
    for index in range(len(rest) - 1):
        other = index + dice.throw(f"{name}/{index + 1}", len(rest) - index) - 1
        rest[index], rest[other] = rest[other], rest[index]
    return tuple(rest)
