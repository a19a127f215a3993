"""A typed-in position on the desk: its keys, the types of their values, and the faults found so far."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from referee.core.hexes import Hex, side
from referee.core.orders import Complaint
from referee.core.texts.typedtable import TableReader, shown
from referee.core.texts.wording import N_
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.position.names import land_run, places
from referee.games.dampfross.position.state import State

# In the order in which they are read: a later one may lean on an earlier one.
FIELDS = (
    "round", "phase", "racing_from", "balances", "homes", "jumps", "track", "banked", "connected", "unpaid_homes",
    "races", "races_run", "rolls",
)  # fmt: skip

_PIECES = re.compile(r"\s*;\s*")
_STEPS = re.compile(r"\s+[-–—]+>?\s+|\s*→\s*")


class PositionReader(TableReader):
    """``state`` is the position as far as it was read; a key with a fault leaves it as it was."""

    def __init__(self, state: State) -> None:
        super().__init__(FIELDS, state.table.codes)
        self.state = state
        self._board = state.table.board

    def lines(self, where: str, value: Any, example: str = "Dublin - Y17 - X17") -> tuple[str, ...]:
        """Return a line, or a list of lines, as they were written."""
        return super().lines(where, value, example)

    def hex(self, where: str, value: Any) -> Hex | None:
        """Return the hex of a town, a junction, a label, or a key that one town alone has."""
        found = _hexes_named(self._board, str(value)) if isinstance(value, (str, int)) else ()
        if len(found) == 1:
            return found[0]
        if found:
            told = N_("{value} is the key of {count} towns; name the town")
            self.blame(where, told, value=shown(value), count=len(found))
        else:
            known = [term.name for term in places(self._board)]
            near = difflib.get_close_matches(str(value), known, 1)
            like = f"; {near[0]}?" if near else ""
            self.blame(where, N_("there is no place {value} on this map{like}"), value=shown(value), like=like)
        return None

    def city(self, where: str, value: Any) -> Hex | None:
        """Return the hex of a city."""
        found = self.hex(where, value)
        if found is not None and not self._board.is_city(found):
            self.clash(where, N_("{value} is no city"), value=shown(value))
            return None
        return found

    def cities(self, where: str, value: Any) -> frozenset[Hex]:
        """Return the hexes of a list of cities."""
        if not isinstance(value, list):
            self.blame(where, N_("{value} is read; a list of cities expected"), value=shown(value))
            return frozenset()
        return frozenset(found for each in value if (found := self.city(where, each)) is not None)

    def race_end(self, where: str, value: Any, may_lack: bool) -> int:
        """Return a key of the map or the number of a special; 0 where a cancelled race has none."""
        board = self._board
        known = {*board.ends_of, *(special.number for special in board.specials)}
        if (value in known and not isinstance(value, bool)) or (may_lack and value in (0, None)):
            return int(value or 0)
        self.blame(where, f"{shown(value)} is no key of this map and no special")
        return 0

    def paths(self, where: str, line: str) -> Iterator[tuple[Hex, ...]]:
        """Yield the pieces of a line, hex by hex: ``(Dublin) - Y17 ; (Athlone) - Q20 - P21``. Rule: D2.2, R1."""
        for piece in filter(None, _PIECES.split(line.strip())):
            named = [self.hex(where, word) for word in self._words(piece)]
            if None in named:
                continue
            if len(named) < 2:
                told = N_("{value} has one place; two or more expected, with ' - ' between them")
                self.blame(where, told, value=shown(piece))
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
        told = N_("{run}: several ways, name a hex between: {hexes}") if run.hint else N_("{run}: no way over land")
        self.blame(where, told, run=run.text, hexes=run.hint)
        return (end,)


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
