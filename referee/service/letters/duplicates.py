"""A letter that comes a second time under other header lines, by a list or passed on by somebody, however late."""

from __future__ import annotations

from referee.mail.letter.message import Letter
from referee.service.club.club import Club
from referee.store import letters


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
