"""What a letter quotes of our own letters without a mark, known by the letters it answers or may answer; and what is its writer's
own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.mail.compose import without_page
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import folded, own_text, unannounced
from referee.reader.hearing import may_quote
from referee.service.club.club import Club
from referee.service.letters.identify import Found
from referee.service.post.codes import given_by, without_codes
from referee.store import games, outbox
from referee.store.database.rows import PlayerRow
from referee.store.outbox import Answered

ANSWERED = (
    3  # letters of ours that are compared: the last of the references, or, where it names none, the last to its sender
)
LONG = 12  # characters of a line of ours by which it is known
HEAD = 96 * 1024  # bytes of each: the text stands before the attachments


def with_returned_marked(club: Club, letter: Letter, found: Found | None = None) -> Letter:
    """Return *letter* without codes, with ``> `` before the lines that it quotes of letters of ours without a mark, and with
    a form that was filled in where it is quoted as its own.

    *found*: whose it is, as it was found out in the same transaction.
    """
    letter = without_codes(club, letter)
    if not may_quote(letter):
        return letter
    seats = games.seats_of(club.db, letter.sender) if found is None else found.seats
    ours, answered = answered_by(club, letter.references, letter.sender, seats)
    game = next((each.game for each in ours if each.game), None)
    if game is None:
        return letter
    known = found is not None and found.position.row.id == game
    position = found.position if found and known else club.positions.of(club.db, games.game(club.db, game))
    return club.reader.quoted(letter, raws_of(ours), position.in_play, broken=answered)


def own_words(club: Club, letter: Letter) -> tuple[str, bool]:
    """Return the text that a letter begins with, without codes, as far as it is its writer's own; and whether that is certain.

    It is not where a line above a quotation, or one of ours, stands among his: what his mail program writes above our words in a
    language that we do not know. It ends before the paragraph of that line then. Our address alone may be a part of his words.
    """
    text = own_text(letter.text)
    lines, clean = text.split("\n"), without_tokens(text, given_by(club)).split("\n")
    theirs = _said(club, letter) | {folded(line) for line in unannounced(letter.text)}
    below = range(1, len(lines))
    quoted = [at for at in below if clean[at] != lines[at] or folded(lines[at]) in theirs]
    named = [at for at in below if club.config.address.lower() in lines[at].lower()]
    cut = min(quoted + named) if quoted else len(lines)
    above = next((at for at in range(cut - 1, 0, -1) if not lines[at].strip()), 0) if quoted else cut
    kept = next((part for at in (above, cut) if (part := clean[1:at]) and "".join(part).strip()), clean[1:])
    return "\n".join((clean[0], *kept)).strip(), not quoted + named


def answered_by(
    club: Club, references: Sequence[str], sender: str, seats: Iterable[PlayerRow]
) -> tuple[tuple[Answered, ...], bool]:
    """Return letters of ours that a letter of *sender*, who holds these *seats*, may quote, and whether it names them."""
    answered = outbox.answered(club.db, references[-ANSWERED:], HEAD) if references else ()
    return answered or _last(club, sender, seats), bool(answered)


def raws_of(ours: Iterable[Answered]) -> tuple[bytes, ...]:
    """Return the texts of letters of ours, each as the part that it is: the page beside it says the same at twice the length."""
    return tuple(without_page(each.raw) for each in ours)


def _last(club: Club, sender: str, seats: Iterable[PlayerRow]) -> tuple[Answered, ...]:
    """Return letters of ours that may be quoted where none is named, as by GMX, Zoho and others, or by a name that a server gave
    it: the last ones to the sender, and the last newsletters.
    """
    last = (outbox.newsletter_to(club.db, seat.game, seat.code, None) for seat in seats)
    newsletters = tuple(Answered(game=row.game, raw=row.raw[:HEAD]) for row in last if row)
    return (*outbox.last_to(club.db, sender, ANSWERED, HEAD), *newsletters[-ANSWERED:])


def _said(club: Club, letter: Letter) -> set[str]:
    """Return what stands in the letters that this one may quote, but for what these quote of his."""
    ours, _ = answered_by(club, letter.references, letter.sender, ())
    lines = {line for each in ours for line in club.reader.read(each.raw).text.split("\n") if line[:1] != "|"}
    return {plain for line in lines if len(plain := folded(line)) >= LONG}
