"""What the scenario files of a game have to show, all of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.core.game import Game
from referee.core.texts.shipped import shipped_rulings


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A game, the paragraphs of its rules, and the values of its options.

    ``option_values``: every value of the table of options; a pattern stands for the values of one form. A preset does not
    count: the file says the value. ``pending``: what has no scenario, each with the reason; an entry that is covered after
    all must go.
    """

    game: Game
    options: type
    paragraphs: tuple[str, ...]
    option_values: Mapping[str, tuple[str, ...]]
    pending: Mapping[str, str] = field(default_factory=dict)

    @property
    def rulings(self) -> tuple[str, ...]:
        """The numbers of the rulings."""
        return shipped_rulings(f"referee.games.{self.game.name}")
