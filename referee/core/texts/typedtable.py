"""Reads a typed-in table: the types of its values, and the faults found so far. Games read their positions with it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from referee.core.errors import PositionError
from referee.core.texts.wording import N_, Sentence


class TableReader:
    """Reads the values of one table; each fault begins with its key, and is noted instead of being raised."""

    def __init__(self, fields: tuple[str, ...], codes: tuple[str, ...]) -> None:
        """*fields*: the keys that the table may have; *codes*: the players, in order of play."""
        self.faults: list[str] = []
        self.clashes: list[str] = []  # those faults that are well written
        self._fields = fields
        self._codes = codes

    def blame(self, where: str, sentence: str, /, **values: object) -> None:
        """Note a fault of the key *where*: a sentence with *values*, marked by ``N_`` if a ruling can bring it about, as umpires
        rule by mail.
        """
        self.faults.append(faulty(where, sentence, **values))

    def clash(self, where: str, sentence: str, /, **values: object) -> None:
        """Note a fault of the key *where* that is well written: it cannot be so by the rules, or beside what else there is."""
        self.blame(where, sentence, **values)
        self.clashes.append(self.faults[-1])

    def stop_if_faulty(self) -> None:
        """Raise PositionError if anything was wrong."""
        if self.faults:
            raise PositionError(tuple(self.faults), tuple(self.clashes))

    def check_names(self, told: Mapping[str, Any]) -> None:
        """Blame keys that a position does not have."""
        for name in told:
            if name not in self._fields:
                self.blame(name, f"a position has no such key ({meant(name, self._fields)})")

    def read(self, told: Mapping[str, Any], readers: Mapping[str, Callable[[Any, Any], None]]) -> None:
        """Blame keys that a position does not have; read the others in the order of the fields. *readers*: (reader, value)."""
        self.check_names(told)
        for name in self._fields:
            if name in told and name in readers:
                readers[name](self, told[name])

    def company(self, where: str, value: Any) -> str | None:
        """Return the code of a player or company."""
        if value in self._codes:
            return str(value)
        known = meant(str(value), self._codes)
        self.blame(where, N_("{value} is no company of this game ({known})"), value=shown(value), known=known)
        return None

    def companies(self, where: str, value: Any) -> tuple[str, ...]:
        """Return a list of codes."""
        named = (self.company(where, each) for each in self.words(where, value))
        return tuple(code for code in named if code)

    def by_company(self, where: str, value: Any) -> tuple[tuple[str, Any], ...]:
        """Return (code, value) of a table by companies, in order of play."""
        if not isinstance(value, dict):
            told = N_("{value} is read; a table by companies expected, as {example}")
            self.blame(where, told, value=shown(value), example=f"{{ {self._codes[0]} = … }}")
            return ()
        for code in value:
            self.company(f"{where}.{code}", code)
        return tuple((code, value[code]) for code in self._codes if code in value)

    def tables(self, where: str, value: Any, names: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield (where, table) of a list of tables with these keys."""
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self.blame(where, f"a list of tables expected, each with {', '.join(names)}")
            return
        for place, table in enumerate(value, start=1):
            for name in table:
                if name not in names:
                    self.blame(f"{where}[{place}].{name}", f"no such key ({meant(name, names)})")
            yield f"{where}[{place}]", table

    def whole(self, where: str, value: Any, least: int, most: int) -> int | None:
        """Return a whole number within the limits."""
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if is_number and least <= value <= most:
            return int(value)
        note = self.clash if is_number else self.blame
        told = N_("{value} is read; a whole number from {least} to {most} expected")
        note(where, told, value=shown(value), least=least, most=most)
        return None

    def wholes(self, where: str, value: Any, least: int, most: int) -> tuple[int, ...]:
        """Return a list of whole numbers within the limits."""
        if not isinstance(value, list):
            self.blame(where, N_("{value} is read; a list of whole numbers expected"), value=shown(value))
            return ()
        numbers = (self.whole(where, each, least, most) for each in value)
        return tuple(number for number in numbers if number is not None)

    def counts(self, where: str, value: Any, kinds: tuple[str, ...], most: int) -> dict[str, int]:
        """Return how many there are of each kind, those that were named."""
        if not isinstance(value, dict):
            told = N_("{value} is read; a table of numbers expected, as {example}")
            self.blame(where, told, value=shown(value), example=f"{{ {kinds[0]} = 2 }}")
            return {}
        found = {self.one_of(f"{where}.{name}", name, kinds): (name, number) for name, number in value.items()}
        return {
            kind: self.whole(f"{where}.{name}", number, 0, most) or 0 for kind, (name, number) in found.items() if kind
        }

    def one_of(self, where: str, value: Any, known: Iterable[str]) -> str:
        """Return one of the known words, "" if it is none of them."""
        words = tuple(known)
        if value in words:
            return str(value)
        told = N_("{value} is not known ({known})")
        self.blame(where, told, value=shown(value), known=meant(str(value), words))
        return ""

    def some_of(self, where: str, value: Any, known: Iterable[str]) -> tuple[str, ...]:
        """Return a list of known words; the same may stand there several times."""
        words = tuple(known)
        return tuple(filter(None, (self.one_of(where, each, words) for each in self.words(where, value))))

    def words(self, where: str, value: Any) -> tuple[str, ...]:
        """Return a list of words."""
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            self.blame(where, N_("{value} is read; a list of words in quotes expected"), value=shown(value))
            return ()
        return tuple(value)

    def flag(self, where: str, value: Any) -> bool:
        """Return true or false."""
        if not isinstance(value, bool):
            self.blame(where, f"{shown(value)} is read; true or false expected")
        return value is True

    def lines(self, where: str, value: Any, example: str) -> tuple[str, ...]:
        """Return a line, or a list of lines, as they were written; *example* is one."""
        written = [value] if isinstance(value, str) else value
        if not isinstance(written, list) or not all(isinstance(line, str) for line in written):
            told = N_('{value} is read; lines in quotes expected, as ["{example}"]')
            self.blame(where, told, value=shown(value), example=example)
            return ()
        return tuple(written)


def faulty(where: str, sentence: str, /, **values: object) -> Sentence:
    """Return a fault of the key *where*."""
    return Sentence(N_("{where}: {fault}"), where=where, fault=Sentence(sentence, **values))


def meant(name: str, known: tuple[str, ...]) -> Sentence:
    """Return what may be meant by a word that is not known, else what is known."""
    near = difflib.get_close_matches(name, known, 1)
    if near:
        return Sentence(N_("did you mean {hint}?"), hint=near[0])
    return Sentence(N_("there is {hint}"), hint=", ".join(known))


def shown(value: Any) -> str:
    """Return a value as a fault shows it."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
