"""Order languages as a club speaks them: the shipped one of each game, with the umpire's own words laid over it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from referee.core.errors import ConfigError
from referee.orderbook import Book
from referee.report.folders import stamp
from referee.resources import order_texts, own_verbs

ORDERS = "orders"  # the folder in the club's


@dataclass(slots=True)
class Books:
    """The order languages of one club; ``folder`` holds the umpire's own words. What he changes is heard with the next letter."""

    folder: Path
    _made: dict[str, tuple[object, Book]] = field(default_factory=dict)

    def of(self, kind: str) -> Book:
        """Return the order language of a game. Raises ConfigError: a file of the umpire's is wrong."""
        places = own_verbs(kind, self.folder)
        stamps = tuple(stamp(place) for place in places)
        known = self._made.get(kind)
        if known is None or known[0] != stamps:
            there = [place for place, found in zip(places, stamps, strict=True) if found]
            book = _with_own(kind, there) if there else _shipped(kind)
            known = self._made[kind] = (stamps, book)
        return known[1]


@cache
def _shipped(kind: str) -> Book:
    return Book.of(**order_texts(kind))


def _with_own(kind: str, places: list[Path]) -> Book:
    texts = order_texts(kind)
    own = [(str(place), _text(place)) for place in places]
    return Book.with_own((texts["common"], texts["verbs"]), texts["grammar"], own)


def _text(place: Path) -> str:
    try:
        return place.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{place} cannot be read: {error}") from error
