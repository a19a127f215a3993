"""Order languages as a club speaks them: the shipped one of each game, with the umpire's own words laid over it."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from msgspec import field

from referee.cache import NOTHING_KEPT, Cache
from referee.core.errors import ConfigError
from referee.core.values import Mutable
from referee.orderbook import OrderLanguage, tables_of
from referee.reader.wire import Language, language_of
from referee.report.folders import stamp
from referee.resources import order_texts, own_verbs, text_from_outside

ORDERS = "orders"  # the folder in the club's


class OrderLanguages(Mutable, kw_only=False):
    """The order languages of one club; ``folder`` holds the umpire's own words: what he changes is heard with the next
    letter. ``cache``: where tables of parsers are kept.
    """

    folder: Path
    cache: Cache = NOTHING_KEPT
    _made: dict[str, tuple[object, Language]] = field(default_factory=dict)

    def of(self, kind: str) -> OrderLanguage:
        """Return the order language of a game. Raises ConfigError: a file of the umpire's is wrong."""
        return _made_of(self.texts(kind))

    def texts(self, kind: str) -> Language:
        """Return its texts, as they are told to the process that reads letters. Raises ConfigError as ``of``."""
        places = own_verbs(kind, self.folder)
        stamps = tuple(stamp(place) for place in places)
        known = self._made.get(kind)
        if known is None or known[0] != stamps:
            there = [place for place, found in zip(places, stamps, strict=True) if found]
            own = tuple((str(place), _text(place)) for place in there)
            language = language_of(**order_texts(kind), parser=_parser(kind, self.cache), own=own)
            if there:
                _made_of(language)  # is it one?
            known = self._made[kind] = (stamps, language)
        return known[1]


_PARSERS: dict[str, bytes] = {}


def _parser(kind: str, cache: Cache) -> bytes:
    """Return the tables of a game's parser."""
    if kind not in _PARSERS:
        _PARSERS[kind] = tables_of(order_texts(kind)["grammar"], cache, _lark())
    return _PARSERS[kind]


def _lark() -> str:
    """Return which lark there is, without loading it: where it lies, and when it was put there."""
    spec = find_spec("lark")
    origin = spec.origin if spec else None
    return f"{origin} {stamp(Path(origin))}" if origin else ""


@lru_cache(maxsize=8)
def _made_of(language: Language) -> OrderLanguage:
    verbs = (language.common, language.verbs)
    return OrderLanguage.with_own(verbs, language.grammar, language.own, language.parser)


def _text(place: Path) -> str:
    try:
        return text_from_outside(place)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{place} cannot be read: {error}") from error
