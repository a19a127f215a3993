"""What a letter quotes of our own letters without a mark, known by the letters it answers."""

from __future__ import annotations

from dataclasses import replace

from referee.mail.letter.message import Letter, read_letter
from referee.orderbook import mark_returned, own_words, sent_lines
from referee.service.club.club import Club
from referee.service.post.codes import without_codes
from referee.store import games, outbox

ANSWERED = 3  # letters of ours that are compared: the last of the references
HEAD = 96 * 1024  # bytes of each: the text stands before the attachments
FEWEST_WORDS = 20  # in a letter with less no quotation hides


def with_returned_marked(club: Club, letter: Letter) -> Letter:
    """Return *letter* with ``> `` before the lines that it quotes of letters of ours without a mark, and without codes."""
    letter = without_codes(club, letter)
    if not letter.references or len(own_words(letter.text)) < FEWEST_WORDS:
        return letter
    ours = outbox.answered(club.db, letter.references[-ANSWERED:], letter.sender, HEAD)
    game = next((each.game for each in ours if each.game), None)
    if game is None:
        return letter
    position = club.positions.of(club.db, games.game(club.db, game))
    book, terms = position.book, position.rules.lexicon(position.state)
    sent = sent_lines(read_letter(each.raw).text for each in ours)

    def marked(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(mark_returned(text, sent, book, terms) for text in texts)

    (text,) = marked((letter.text,))
    return replace(letter, text=text, alternatives=marked(letter.alternatives), pieces=marked(letter.pieces))
