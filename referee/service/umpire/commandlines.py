"""How the umpire's commands are written: a line with the command, in any language, and below it his words to the players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from referee.core.errors import RefereeError
from referee.core.values import Value
from referee.orderbook.language.names import fold
from referee.service.club.club import Club
from referee.service.post.buttons import command_names
from referee.service.umpire.overview import text_of
from referee.store import letters, orders, outbox
from referee.store.database.rows import LetterRow, OrderSet

Told = dict[str, Any]  # what was done, for the template


class CommandFault(RefereeError):
    """A command that is not written as it should be. ``key`` and ``values``: which sentence says so, and what it names."""

    def __init__(self, key: str, /, **values: object) -> None:
        super().__init__(" ".join((key, *map(str, values.values()))))
        self.key, self.values = key, values


class Command(Value):
    """What the first ``line`` of a letter of the umpire's orders: the English ``name`` in capitals, the ``words`` behind it, and
    his ``reason`` below. ``sender``: his address; ``sure``: nobody else's lines are among these.
    """

    line: str
    name: str
    words: tuple[str, ...]
    reason: str
    sender: str = ""
    sure: bool = True

    @property
    def text(self) -> str:
        """The whole command, as a letter has it."""
        return f"{self.line}\n{self.reason}".strip()

    def word(self, place: int, what: str) -> str:
        """Return a word behind the name; *what*: game, letter, turn, player, ruling, language. Raises CommandFault: none."""
        if len(self.words) <= place:
            raise CommandFault(f"missing-{what}")
        return self.words[place]

    def number(self, place: int, what: str) -> int:
        """Return a number behind the name. Raises CommandFault: it is missing, or none."""
        word = self.word(place, what)
        if not (word.isascii() and word.isdigit() and len(word) < 10):
            raise CommandFault(f"no-number-{what}", word=word)
        return int(word)


CONFIRM = "CONFIRM"  # what we have read back, in answer to that


@cache
def _known() -> Mapping[str, str]:
    """Return the commands and the words behind them, by their names in all languages as they are compared."""
    called = {said: name for table in command_names().values() for name, said in table.items()}
    own = {name: name for table in command_names().values() for name in table}
    return {fold(said): name for said, name in {**own, **called}.items()}


def command_word(word: str) -> str:
    """Return the English name of a command, or of a word behind one; "" of any other word."""
    return _known().get(fold(word), "")


# What was read from a letter that came: its lines that are orders, and what its writer was answered.


def read_back(club: Club, number: int) -> str:
    """Return what became of a letter, the lines that were read as orders, and our answer to it as it was sent.

    Raises:
        NotFound: there is no letter of that number.
    """
    row = letters.letter(club.db, number)
    parts = [_fate(row), *(_lines(each) for each in orders.of_letter(club.db, number))]
    return "\n\n".join((*parts, *_answers(club, row)))


def _fate(row: LetterRow) -> str:
    """Return what became of it: ``letter 3 from ann@example.org: done, RR1 GSW``."""
    whose = f", {row.game} {row.player or ''}".rstrip() if row.game else ""
    reason = f" ({row.reason})" if row.reason else ""
    return f"letter {row.id} from {row.sender or 'nobody'}: {row.status}{reason}{whose}"


def _lines(read: OrderSet) -> str:
    marks = [word for word, is_so in (("confirmed", read.confirmed), ("withdrawn", read.withdrawn)) if is_so]
    how = ", ".join(["in order" if read.clean else "with faults", *marks])
    return f"read as orders for turn {read.turn}, {how}:\n{read.text or 'nothing'}"


def _answers(club: Club, row: LetterRow) -> Iterator[str]:
    answers = outbox.answers_to(club.db, row.id)
    if not answers:
        yield "it was not answered"
    for answer in answers:
        yield f"answered:\n{text_of(answer)}".removesuffix("\n")
