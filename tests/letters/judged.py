"""Recorded letters and their mutants with the verdict on each: exact, asked or wrong."""

from collections.abc import Iterator

from tests.letters.corpus import Hear, Recorded, verdict, wanted
from tests.letters.mutants import Mutant, mutants


def judged(hear: Hear, letters: list[Recorded]) -> Iterator[tuple[Recorded, str]]:
    for letter in letters:
        yield letter, verdict(hear(letter, letter.raw), wanted(letter))


def judged_mutants(hear: Hear, letters: list[Recorded], number: int) -> Iterator[tuple[Mutant, str]]:
    """Give mutants, each held against its letter as that is read, or without what is struck out."""
    meant = {letter.name: hear(letter, letter.raw).said for letter in letters}
    for mutant in mutants(letters, number):
        found = hear(mutant.of, mutant.raw)
        result = verdict(found, meant[mutant.of.name])
        if "strike" in mutant.done:
            result = verdict(found, hear(mutant.of, mutant.without).said)
        yield mutant, result
