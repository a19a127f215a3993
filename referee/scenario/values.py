"""The values of a scenario file: which type they must have, and the faults found so far."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.scenario.naming import meant


class Values:
    """One file being read; each fault begins with its key, and is noted instead of being raised."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def check_names(self, where: str, written: Mapping[str, Any], known: tuple[str, ...]) -> None:
        """Blame keys that such a table does not have; *where*: what stands before them, ``turn[1].``."""
        for name in written:
            if name not in known:
                self.faults.append(f"{where}{name}: there is no such key ({meant(name, known)})")

    def check_player(self, where: str, code: str, codes: set[str]) -> None:
        """Blame a code that no player has."""
        if code not in codes:
            self.faults.append(f"{where}: there is no player {code!r} ({meant(code, tuple(sorted(codes - {''})))})")

    def text(self, where: str, value: Any, needed: bool = False) -> str:
        """Return a text, "" where it is none."""
        if isinstance(value, str) and (value.strip() or not needed):
            return value
        self.faults.append(f"{where}: missing" if value is None else f"{where}: {value!r} is read; a text expected")
        return ""

    def texts(self, where: str, value: Any) -> tuple[str, ...]:
        """Return a list of texts."""
        if isinstance(value, list) and all(isinstance(each, str) for each in value):
            return tuple(value)
        self.faults.append(f"{where}: {value!r} is read; a list of texts expected")
        return ()

    def table(self, where: str, value: Any) -> Mapping[str, Any]:
        """Return a table, empty where it is none."""
        if isinstance(value, dict):
            return value
        self.faults.append(f"{where}: {value!r} is read; a table expected")
        return {}

    def tables(self, where: str, value: Any) -> list[Mapping[str, Any]]:
        """Return a list of tables."""
        if isinstance(value, list) and all(isinstance(each, dict) for each in value):
            return value
        self.faults.append(f"{where}: a list of tables expected, headed [[{where}]] or written [{{ … }}]")
        return []

    def json(self, where: str, value: Any) -> str:
        """Return a table as the text in which a setup keeps it."""
        try:
            return json.dumps(self.table(where, value), ensure_ascii=False)
        except TypeError:
            self.faults.append(f"{where}: it holds a date or a time")
            return "{}"
