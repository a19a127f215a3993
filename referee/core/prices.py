"""A price list: what a game costs and brings by its options and its board, as values that letters and pages tell in words."""

from __future__ import annotations

from referee.core.values import Value


class Price(Value):
    """A line of it. ``part``: the section it stands in, ``what``: for what; both are words that templates know.

    ``amounts`` are in the unit of their section: one, or several in order (the prizes of a race); none where the words say it
    all. ``more``: it comes on top of another price. ``names``: those of a bridge or of towns, as the board has them; ``count``:
    how many there are of what the words speak of.
    """

    part: str
    what: str
    amounts: tuple[int, ...] = ()
    paragraph: str
    more: bool = False
    names: tuple[str, ...] = ()
    count: int = 0
