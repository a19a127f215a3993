"""What a letter quotes of our own letters without a mark, known by the letters it answers or may answer."""

from __future__ import annotations

from dataclasses import replace

from referee.mail.letter.message import Letter, read_letter
from referee.orderbook import mark_returned, own_words, sent_lines
from referee.service.club.club import Club
from referee.service.post.codes import without_codes
from referee.store import games, outbox
from referee.store.outbox import Answered

ANSWERED = (
    3  # letters of ours that are compared: the last of the references, or, where it names none, the last to its sender
)
HEAD = 96 * 1024  # bytes of each: the text stands before the attachments
FEWEST_WORDS = 20  # in a letter with less no quotation hides


def with_returned_marked(club: Club, letter: Letter) -> Letter:
    """Return *letter* with ``> `` before the lines that it quotes of letters of ours without a mark, and without codes."""
    letter = without_codes(club, letter)
    texts = (letter.text, *letter.alternatives, *letter.pieces)
    if all(len(own_words(text)) < FEWEST_WORDS for text in texts):
        return letter
    answered = outbox.answered(club.db, letter.references[-ANSWERED:], HEAD) if letter.references else ()
    ours = answered or _last(club, letter.sender)
    game = next((each.game for each in ours if each.game), None)
    if game is None:
        return letter
    position = club.positions.of(club.db, games.game(club.db, game))
    book, terms = position.book, position.rules.lexicon(position.state)
    sent = sent_lines((read_letter(each.raw).text for each in ours), broken=bool(answered))

    def marked(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(mark_returned(text, sent, book, terms) for text in texts)

    (text,) = marked((letter.text,))
    return replace(letter, text=text, alternatives=marked(letter.alternatives), pieces=marked(letter.pieces))


def _last(club: Club, sender: str) -> tuple[Answered, ...]:
    """Return letters of ours that may be quoted where none is named, as by GMX, Zoho and others, or by a name that a server gave
    it: the last ones to the sender, and the last newsletters.
    """
    seats = games.seats_of(club.db, sender)
    told = (outbox.newsletter_to(club.db, seat.game, seat.code, None) for seat in seats)
    newsletters = tuple(Answered(game=row.game, raw=row.raw[:HEAD]) for row in told if row)
    return (*outbox.last_to(club.db, sender, ANSWERED, HEAD), *newsletters[-ANSWERED:])
