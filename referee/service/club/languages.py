"""Order languages as a club speaks them: the shipped one of each game, with the umpire's own words laid over it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from referee.cache import NOTHING_KEPT, Cache
from referee.core.errors import ConfigError
from referee.orderbook import Book
from referee.report.folders import stamp
from referee.resources import order_texts, own_verbs

ORDERS = "orders"  # the folder in the club's


@dataclass(slots=True)
class Books:
    """The order languages of one club; ``folder`` holds the umpire's own words: what he changes is heard with the next
    letter. ``cache``: where tables of parsers are kept.
    """

    folder: Path
    cache: Cache = NOTHING_KEPT
    _made: dict[str, tuple[object, Book]] = field(default_factory=dict)

    def of(self, kind: str) -> Book:
        """Return the order language of a game. Raises ConfigError: a file of the umpire's is wrong."""
        places = own_verbs(kind, self.folder)
        stamps = tuple(stamp(place) for place in places)
        known = self._made.get(kind)
        if known is None or known[0] != stamps:
            there = [place for place, found in zip(places, stamps, strict=True) if found]
            book = _with_own(kind, there, self.cache) if there else _shipped(kind, self.cache)
            known = self._made[kind] = (stamps, book)
        return known[1]


_SHIPPED: dict[str, Book] = {}


def _shipped(kind: str, cache: Cache) -> Book:
    if kind not in _SHIPPED:
        _SHIPPED[kind] = _with_own(kind, [], cache)
    return _SHIPPED[kind]


def _with_own(kind: str, places: list[Path], cache: Cache) -> Book:
    texts = order_texts(kind)
    own = [(str(place), _text(place)) for place in places]
    return Book.with_own((texts["common"], texts["verbs"]), texts["grammar"], own, cache)


def _text(place: Path) -> str:
    try:
        return place.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{place} cannot be read: {error}") from error
