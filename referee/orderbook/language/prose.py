"""What prose says of what stands beside it: that it is not meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from referee.orderbook.language import expressions
from referee.orderbook.language.names import fold, latin

_LONGEST = 300  # characters of a line that are looked at


class Prose:
    """The words for that, from the table ``courtesies``."""

    def __init__(self, words: Mapping[str, Sequence[str]]) -> None:
        self._revoking, self._supposing, self._negating, self._banners = (
            expressions.of_words(words.get(key, ())) for key in ("revoking", "supposing", "negating", "banners")
        )

        self._offices = tuple(map(fold, words.get("offices", ())))

    def names_office(self, name: str) -> bool:
        """Return whether somebody of that name would be taken for the umpire, or for us."""
        return any(office in fold(latin(name)) for office in self._offices)

    def takes_back(self, line: str) -> bool:
        """Return whether what stands below a line is not ordered: ``If MGW starts in Dublin:``"""
        line = line[:_LONGEST].strip(" *[](<>#_-")
        supposed = self._supposing.match(line)
        whole = supposed is not None and (line.endswith(":") or not any(map(str.isalnum, line[supposed.end() :])))
        return whole or self._revoking.search(line) is not None

    def is_banner(self, line: str) -> bool:
        """Return whether a line begins what a firm or a program writes into each letter: ``CAUTION: External sender``."""
        return self._banners.match(line[:_LONGEST].lstrip(" *[<!#_-")) is not None

    def negates(self, line: str) -> bool:
        """Return whether a line has a word like ``not`` in it."""
        return self._negating.search(line[:_LONGEST]) is not None
