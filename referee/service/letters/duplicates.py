"""A letter that comes a second time under other header lines, by a list or passed on by somebody, however late."""

from __future__ import annotations

from referee.mail.letter.message import Letter
from referee.service.club.club import Club
from referee.store import letters
from referee.store.database.rows import LetterRow

COPY = "copy"  # why such a letter is passed over


def passed_over(club: Club, row: LetterRow) -> bool:
    """Pass over a letter that was taken before, if mail servers alone wrote something else on top of it. Return whether it was.

    One that was not taken makes no other a copy: else who gets hold of a player's letter before us could send it with a line by
    which a machine's is known, and the player's own would be passed over. Inside a transaction.
    """
    taken = letters.taken_alike(club.db, row)
    if taken is not None:
        letters.finish(club.db, row.id, "ignored", club.clock(), COPY, taken.game, taken.player)
    return taken is not None


def is_copy(club: Club, number: int, letter: Letter) -> bool:
    """Return whether letter *number* was taken before: the same sender, Message-ID and words.

    Its orders would else stand as the newest again. The same Message-ID over other words is another letter.
    """
    if not letter.message_id:
        return False
    others = letters.taken_with_id(club.db, letter.message_id, letter.sender, number)
    return any(_words(club.reader.read(letters.letter(club.db, other).raw)) == _words(letter) for other in others)


def _words(letter: Letter) -> tuple[object, ...]:
    texts = (letter.text, *letter.alternatives, *letter.pieces, *letter.enclosed)
    return letter.attachments, *("\n".join(text.split()) for text in texts)
