"""What a letter asks or tells a person: it is shown to the umpire. Of strangers he is shown a few letters a day."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import own_text, prose_lines
from referee.reader.understanding import Understanding
from referee.service.club.club import Club
from referee.service.club.umpires import is_any_umpires, umpires_of
from referee.service.letters.identify import Found
from referee.service.letters.proof import seat_of
from referee.service.letters.verdict import Case, Note
from referee.service.post.codes import NO_PLAYERS, tags_of, worth_of
from referee.store import budgets, outbox

SHOWN_A_DAY = 20  # letters with prose, of all players
STRANGERS_A_DAY = 3
FILES = 10  # names of files
CHARACTERS = 2000  # of a stranger's letter

Lines = tuple[tuple[int, str], ...]

_DAY = timedelta(days=1)


def names_of(found: Found, letter: Letter) -> tuple[str, ...]:
    """Return what the writer of a letter calls himself, and what his company is called: lines of it say nothing more."""
    return (found.player.name, letter.sender_name, found.player.code, found.player.company)


def prose_shown(club: Club, found: Found, letter: Letter, read: Understanding) -> tuple[Lines, tuple[Note, ...]]:
    """Return the lines of a letter that are shown to the umpire, and his note: nothing where he was shown the same this turn."""
    if not read.reading.unread:  # then no order language need be made
        return (), ()
    lines = tuple(prose_lines(read.reading.unread, found.position.order_language, names_of(found, letter)))
    game, turn, player = found.position.row.id, found.position.row.turn, found.player
    words = "\n".join(text for _, text in lines)
    key = f"prose:{game}:{turn}:{player.code}:{hashlib.sha256(words.casefold().encode()).hexdigest()[:16]}"
    if not lines or not _may_show(club, "prose", key, SHOWN_A_DAY, game):
        return (), ()
    values = {"player": player.code, "words": words, "more": read.reading.more_unread}
    return lines, (Note(key=key, kind="prose", values=values, game=game, turn=turn, reply_to=player.address),)


def files_shown(club: Club, case: Case) -> tuple[Note, ...]:
    """Return the umpire's note of a player's letter that has files, and no words to speak of; one a turn."""
    found, letter, read = case.found, case.letter, case.read
    if not letter.attachments or (read and (not read.says_nothing or _speaks(found, letter, read))):
        return ()
    game, turn, player = found.position.row.id, found.position.row.turn, found.player
    values = {"player": player.code, "letter": case.row.id, "names": letter.attachments[:FILES]}
    key = f"files:{game}:{turn}:{player.code}"
    return (Note(key=key, kind="files", values=values, game=game, turn=turn, reply_to=player.address),)


def _speaks(found: Found, letter: Letter, read: Understanding) -> bool:
    language = found.position.order_language
    return any(prose_lines(read.reading.unread, language, names_of(found, letter))) if read.reading.unread else False


def stranger_shown(club: Club, letter: Letter, number: int) -> tuple[Note, ...]:
    """Return the umpire's notes of letter *number* from an address that is no player's: he may know who it is. Nobody is
    answered.
    """
    foreign = _foreign(club, letter, number)
    words = without_tokens(own_text(letter.text[: CHARACTERS * 4]))[:CHARACTERS]
    key = f"stranger:{letter.sender.lower()}:{club.clock():%Y-%m-%d}"
    is_his_own = is_any_umpires(club, letter.sender)
    if (
        not letter.answerable
        or letter.bounce
        or is_his_own
        or not words
        or not _may_show(club, "stranger", key, STRANGERS_A_DAY)
    ):
        return foreign
    values = {"player": letter.sender, "letter_subject": letter.subject, "words": words}
    return (*foreign, Note(key=key, kind="stranger", values=values, reply_to=letter.sender))


def _foreign(club: Club, letter: Letter, number: int) -> tuple[Note, ...]:
    """Return the umpire's note, once a day, of a stranger's letter with a player's code that was never given out: it may be
    another club's, which reads the same mailbox.
    """
    for tag in tags_of(club, letter):
        seat = seat_of(club, tag)
        if (seat is None and tag.player not in NO_PLAYERS) or (seat and worth_of(club, tag, *seat).word == "wrong"):
            values = {"player": letter.sender, "game_id": tag.game, "letter": number}
            return (Note(key=f"elsewhere:{club.clock():%Y-%m-%d}", kind="elsewhere", values=values),)
    return ()


def _may_show(club: Club, kind: str, key: str, most: int, game: str | None = None) -> bool:
    """Return whether the umpire is told of one more letter of this kind, which he was not told of yet."""
    umpires = umpires_of(club, game)
    if not umpires or outbox.has(club.db, f"umpire:{key}"):
        return False
    return budgets.written(club.db, umpires[0].address, kind, club.clock() - _DAY) < most
