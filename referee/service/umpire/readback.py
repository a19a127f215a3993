"""What was read from a letter that came: its lines that are orders, and what its writer was answered."""

from __future__ import annotations

from collections.abc import Iterator

from referee.service.club.club import Club
from referee.service.umpire.overview import text_of
from referee.store import letters, orders, outbox
from referee.store.database.rows import LetterRow, OrderSet


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
