"""Imports all of the referee, for the process from which commands and readers of letters are forked, and lets it know the order
languages: to build one takes longer than a letter.
"""

import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import referee
from referee.games import games
from referee.orderbook import OrderLanguage
from referee.service.positions import OrderLanguages

for _found in walk_packages(referee.__path__, "referee."):
    if not _found.name.endswith("__main__"):
        import_module(_found.name)
import_module("tests.forkedcommands")

_book = lru_cache(OrderLanguage.with_own)


def _known_book(
    verbs: Iterable[str], grammar: str, own: Sequence[tuple[str, str]], parser: bytes = b""
) -> OrderLanguage:
    return _book(tuple(verbs), grammar, tuple(own), parser)


OrderLanguage.with_own = _known_book  # type: ignore[method-assign]
sys.path.append(str(Path(__file__).parent / "tinygame" / "installed"))
games.cache_clear()
for _game in games():
    OrderLanguages(Path(__file__)).of(_game)  # nobody has words of their own in there
