"""What acts of the service work with, each made when it is first needed: an empty pass needs none of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.cache import Cache
from referee.locale import SOURCE_LANGUAGE

if TYPE_CHECKING:
    from referee.reader.reader import Reader
    from referee.report.templates import Stationery
    from referee.service.club.pictures import Pictures
    from referee.service.club.positions import Positions

CACHE = "cache"  # a folder in the club's: what is in it may be deleted at any time


class Tools:
    """The tools of one open club; *folder* is the club's. Imports stand where a tool is made: templates, the order language
    and the games' rules take longer to import than an empty pass takes.
    """

    def __init__(self, folder: Path, **made: Any) -> None:
        """*made*: tools by name that are taken as they are, and left open by ``close``."""
        self._folder = folder
        self._cache = Cache(folder / CACHE)
        self._given = frozenset(made)
        self.key = b""  # of the players' codes, once it was looked up
        self.__dict__.update(made)

    @cached_property
    def stationery(self) -> Stationery:
        """Writes letters from templates, the umpire's own first."""
        from referee.report.templates import Stationery
        from referee.resources import template_folders

        own = self._folder / "templates"
        return Stationery(lambda game: template_folders(game, own), spoken=spoken, cache=self._cache)

    @cached_property
    def positions(self) -> Positions:
        """Games as they stand, with the order languages of the club."""
        from referee.service.club.orderlanguages import ORDERS, OrderLanguages
        from referee.service.club.positions import Positions

        return Positions(OrderLanguages(self._folder / ORDERS, self._cache))

    @cached_property
    def pictures(self) -> Pictures:
        """The last boards drawn."""
        from referee.service.club.pictures import Pictures

        return Pictures(self._cache)

    @cached_property
    def reader(self) -> Reader:
        """Reads letters in a process of its own."""
        from referee.reader.reader import Reader

        return Reader()

    def having(self, **made: Any) -> Tools:
        """Return tools for the same club, those given by name among them; the reader is shared."""
        return Tools(self._folder, reader=self.reader, **made)

    def close(self) -> None:
        """End the process that reads letters, if there is one of ours."""
        if "reader" in vars(self).keys() - self._given:
            self.reader.close()


def spoken(game: str, language: str) -> Mapping[str, str]:
    """Return the words of a game's orders as a language says them, by those in which orders are kept: English ones."""
    if language.startswith(SOURCE_LANGUAGE):
        return {}
    from referee.orderbook.language.translated import spoken_words
    from referee.resources import word_texts

    return spoken_words(word_texts(game), language.partition("-")[0])
