"""A typed-in position on the desk: its keys, the types of their values, and the faults found so far."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from referee.core.hexes import Hex, side
from referee.core.orders import Complaint
from referee.games.dampfross.lexicon import places
from referee.games.dampfross.maps import RailMap
from referee.games.dampfross.paths import land_run
from referee.games.dampfross.state import State

# In the order in which they are read: a later one may lean on an earlier one.
FIELDS = (
    "round", "phase", "racing_from", "balances", "homes", "jumps", "track", "connected", "unpaid_homes", "races",
    "races_run", "rolls",
)  # fmt: skip

_PIECES = re.compile(r"\s*;\s*")
_STEPS = re.compile(r"\s+[-–—]+>?\s+|\s*→\s*")


class Desk:
    """``state`` is the position as far as it was read; a key with a fault leaves it as it was."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.faults: list[str] = []
        self._board = state.table.board

    def blame(self, where: str, sentence: str) -> None:
        """Note a fault of the key *where*."""
        self.faults.append(f"{where}: {sentence}")

    def check_names(self, told: Mapping[str, Any]) -> None:
        """Blame keys that a position does not have."""
        for name in told:
            if name not in FIELDS:
                self.blame(name, f"a position has no such key ({_meant(name, FIELDS)})")

    def company(self, where: str, value: Any) -> str | None:
        """Return a company's acronym."""
        codes = self.state.table.codes
        if value in codes:
            return str(value)
        self.blame(where, f"{_shown(value)} is no company of this game ({_meant(str(value), codes)})")
        return None

    def by_company(self, where: str, value: Any) -> tuple[tuple[str, Any], ...]:
        """Return (company, value) of a table by companies, in order of play."""
        if not isinstance(value, dict):
            self.blame(where, f"{_shown(value)} is read; a table by companies expected, as {{ {self._first()} = … }}")
            return ()
        for code in value:
            self.company(f"{where}.{code}", code)
        return tuple((code, value[code]) for code in self.state.table.codes if code in value)

    def tables(self, where: str, value: Any, names: tuple[str, ...]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield (where, table) of a list of tables with these keys."""
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            self.blame(where, f"a list of tables expected, each with {', '.join(names)}")
            return
        for place, table in enumerate(value, start=1):
            for name in table:
                if name not in names:
                    self.blame(f"{where}[{place}].{name}", f"no such key ({_meant(name, names)})")
            yield f"{where}[{place}]", table

    def whole(self, where: str, value: Any, least: int, most: int) -> int | None:
        """Return a whole number within the limits."""
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self.blame(where, f"{_shown(value)} is read; a whole number from {least} to {most} expected")
        return None

    def wholes(self, where: str, value: Any, least: int, most: int) -> tuple[int, ...]:
        """Return a list of whole numbers within the limits."""
        if not isinstance(value, list):
            self.blame(where, f"{_shown(value)} is read; a list of whole numbers expected")
            return ()
        numbers = (self.whole(where, each, least, most) for each in value)
        return tuple(number for number in numbers if number is not None)

    def lines(self, where: str, value: Any) -> tuple[str, ...]:
        """Return a line, or a list of lines, as they were written."""
        written = [value] if isinstance(value, str) else value
        if not isinstance(written, list) or not all(isinstance(line, str) for line in written):
            self.blame(where, f'{_shown(value)} is read; lines in quotes expected, as ["Dublin - Y17 - X17"]')
            return ()
        return tuple(written)

    def hex(self, where: str, value: Any) -> Hex | None:
        """Return the hex of a town, a junction, a label, or a key that one town alone has."""
        found = _hexes_named(self._board, str(value)) if isinstance(value, (str, int)) else ()
        if len(found) == 1:
            return found[0]
        if found:
            self.blame(where, f"{_shown(value)} is the key of {len(found)} towns; name the town")
        else:
            known = [term.name for term in places(self._board)]
            near = difflib.get_close_matches(str(value), known, 1)
            self.blame(where, f"there is no place {_shown(value)} on this map{f'; {near[0]}?' if near else ''}")
        return None

    def city(self, where: str, value: Any) -> Hex | None:
        """Return the hex of a city."""
        found = self.hex(where, value)
        if found is not None and not self._board.is_city(found):
            self.blame(where, f"{_shown(value)} is no city")
            return None
        return found

    def cities(self, where: str, value: Any) -> frozenset[Hex]:
        """Return the hexes of a list of cities."""
        if not isinstance(value, list):
            self.blame(where, f"{_shown(value)} is read; a list of cities expected")
            return frozenset()
        return frozenset(found for each in value if (found := self.city(where, each)) is not None)

    def race_end(self, where: str, value: Any, may_lack: bool) -> int:
        """Return a key of the map or the number of a special; 0 where a cancelled race has none."""
        board = self._board
        known = {*board.ends_of, *(special.number for special in board.specials)}
        if (value in known and not isinstance(value, bool)) or (may_lack and value in (0, None)):
            return int(value or 0)
        self.blame(where, f"{_shown(value)} is no key of this map and no special")
        return 0

    def paths(self, where: str, line: str) -> Iterator[tuple[Hex, ...]]:
        """Yield the pieces of a line, hex by hex: ``(Dublin) - Y17 ; (Athlone) - Q20 - P21``. Rule: D2.2, R1."""
        for piece in filter(None, _PIECES.split(line.strip())):
            named = [self.hex(where, word) for word in self._words(piece)]
            if None in named:
                continue
            if len(named) < 2:
                self.blame(where, f"{_shown(piece)} has one place; two or more expected, with ' - ' between them")
            path = named[:1]
            for label in named[1:]:
                path += self._run(where, str(path[-1]), str(label))
            yield tuple(str(label) for label in path)

    def _words(self, piece: str) -> list[str]:
        """Return the places of a piece; ``A3-B3`` is two of them unless it is a name."""
        words = [word.strip(" ()") for word in _STEPS.split(piece)]
        return [
            part for word in words for part in ((word,) if _hexes_named(self._board, word) else word.split("-")) if part
        ]

    def _run(self, where: str, start: Hex, end: Hex) -> tuple[Hex, ...]:
        if side(start, end) in self._board.ferries:
            return (end,)
        run = land_run(self._board, start, end)
        if not isinstance(run, Complaint):
            return run[1:]
        says = f"several ways, name a hex between: {run.hint}" if run.hint else "no way over land"
        self.blame(where, f"{run.text}: {says}")
        return (end,)

    def _first(self) -> str:
        return self.state.table.codes[0]


def _hexes_named(board: RailMap, name: str) -> tuple[Hex, ...]:
    if name.isdigit():
        return board.ends_of.get(int(name), ())
    found = _by_name(board).get(_folded(name))
    return (found,) if found else ()


@lru_cache(maxsize=16)
def _by_name(board: RailMap) -> dict[str, Hex]:
    return {_folded(term.name): term.value for term in reversed(places(board))}


def _folded(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in plain if letter.isalnum())


def _meant(name: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"there is {', '.join(known)}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
