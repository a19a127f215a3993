"""What makes a line that was not read look like an order, from the tables ``[doubts]`` in files of words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from referee.core.values import Value
from referee.orderbook.language import expressions


class Doubt(Value):
    """One reason. ``line``: how the line begins; ``kinds``: words in it, wherever they stand (none: any); ``few``: more words
    that nobody knows make it prose; ``verb``: the order it is taken for; ``written``: that with the line's own label and places.
    """

    name: str
    line: re.Pattern[str]
    kinds: tuple[re.Pattern[str], ...]
    few: int
    verb: str
    written: str

    def fits(self, text: str, spoken: str, strange: int) -> bool:
        """*spoken*: the kinds of the line's words, a blank before and behind each; *strange*: how many words nobody knows."""
        if strange > self.few or not self.line.match(text):
            return False
        return not self.kinds or any(shape.search(spoken) for shape in self.kinds)


def doubts_of(tables: Mapping[str, Mapping[str, Any]], kinds: Mapping[str, str]) -> tuple[Doubt, ...]:
    """Return the reasons in their order."""
    return tuple(
        Doubt(
            name=name,
            line=expressions.own(entry.get("line", "")),
            kinds=_anywhere(entry.get("kinds", ()), kinds),
            few=entry.get("few", 1_000),
            verb=entry.get("verb", ""),
            written=entry.get("written", ""),
        )
        for name, entry in tables.items()
    )


def _anywhere(shapes: Iterable[str], kinds: Mapping[str, str]) -> tuple[re.Pattern[str], ...]:
    return expressions.of_kinds((f"(?<=_)(?:{shape})" for shape in shapes), kinds)
