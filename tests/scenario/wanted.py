"""What the scenario files of a game have to show, all of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from referee.core.game import Game
from referee.core.texts.shipped import ENGLISH, Rulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A game, and the values of its options.

    ``option_values``: every value of the table of options; a pattern stands for the values of one form. A preset does not
    count: the file says the value. ``pending``: what has no scenario, each with the reason; an entry that is covered after
    all must go. ``without``: paragraphs that nothing in play depends on.
    """

    game: Game
    options: type
    option_values: Mapping[str, tuple[str, ...]]
    pending: Mapping[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()

    @property
    def book(self) -> Rulebook:
        """The rules of the game."""
        book = self.game.rulebook(ENGLISH)
        assert book
        return book

    @property
    def paragraphs(self) -> list[str]:
        """The names of the paragraphs of the rules; of chapters those that have no paragraphs in them."""
        told = self.book.paragraphs
        single = [each for each in told if not any(other.number.startswith(f"{each.number}.") for other in told)]
        return [name for each in single for name in (each.number, *each.also) if name not in self.without]

    @property
    def rulings(self) -> tuple[str, ...]:
        """The numbers of the rulings."""
        return tuple(each.number for each in self.book.rulings)
