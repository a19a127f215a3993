"""Small boards for scenarios: a table of words instead of a board file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.core.errors import MapError


def is_sketch(text: str) -> bool:
    """Return whether a setup's board is a sketch: it is kept as JSON, a board file is TOML."""
    return text.startswith("{")


class SketchReader:
    """A scenario's ``[sketch]`` table being read; what is wrong with it goes to ``faults``."""

    def __init__(self, written: Mapping[str, Any], known: tuple[str, ...]) -> None:
        """*known*: the keys that a game's sketches may have."""
        self.written = written
        self.faults: list[str] = []
        for name in written:
            if name not in known:
                self.blame(name, f"no such key; known are {', '.join(known)}")

    def blame(self, where: str, sentence: str) -> None:
        """Note a fault of the key *where*."""
        self.faults.append(f"sketch.{where}: {sentence}")

    def stop_if_faulty(self, name: str) -> None:
        """Raise MapError, for the board of that *name*, if anything was wrong."""
        if self.faults:
            raise MapError(name, tuple((0, fault) for fault in self.faults))
