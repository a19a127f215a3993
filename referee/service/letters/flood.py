"""More letters than anybody writes: kept, but not read, so that a flood costs nothing but its room on the disk."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.core.address import is_address
from referee.core.errors import NotFound
from referee.mail.letter.headers import read_head
from referee.mail.letter.identity import sole_mailbox
from referee.service.club.club import Club
from referee.service.letters.proof import carries_code
from referee.service.letters.verdict import Note, Verdict
from referee.store import budgets, letters, outbox
from referee.store.database.database import transaction
from referee.store.database.rows import LetterRow, LogRow
from referee.store.fates import Fate

FROM_SENDER = 50  # letters within a day
ABOUT_GAME = 500
AGAIN = "again"  # the reason of a letter that the umpire wants read all the same

_DAY = timedelta(days=1)


def flooded(club: Club, row: LetterRow, sender: str) -> Verdict | None:
    """Return the verdict on a letter that is one of too many: it is parked unread. None if there are not too many."""
    what = None if row.reason == AGAIN or not sender else _too_many(club, sender)
    if what is None or _is_proved(club, row, sender):  # who writes in a player's name must not be able to shut him out
        return None
    game = what.partition("game ")[2] or None
    parked = Verdict(fate=Fate.FLOOD, reason=f"{Fate.FLOOD}: {what}", game=game)
    key = f"flood:{club.clock():%Y-%m-%d}"
    if outbox.has(club.db, f"umpire:{key}"):
        return parked
    log = LogRow(at=club.clock(), game=game, what="flood", text=what)
    return replace(parked, effects=(log,), notes=(_note(key, sender, game),))


def sender_of(raw: bytes) -> str:
    """Return whom a letter names as its sender, by its header alone; "" for nobody."""
    try:
        mailbox = sole_mailbox(read_head(raw)[0].all("from"))
    except Exception:
        return ""  # the reader, who may die of it, will say what is wrong with it
    return mailbox.address if mailbox else ""


def read_again(club: Club, number: int) -> None:
    """Let a parked letter be read with the next pass, however many there were.

    Raises:
        NotFound: no such letter is parked.
    """
    with transaction(club.db):
        if not letters.handle_again(club.db, number, AGAIN):
            raise NotFound(f"no letter {number} is parked")


def _too_many(club: Club, sender: str) -> str | None:
    """Return what there are too many letters of: ``sender``, or ``game RR7`` if that is so of every game the sender plays; None
    if there are not.
    """
    day_ago = club.clock() - _DAY
    if budgets.letters_from(club.db, sender, day_ago) >= FROM_SENDER:
        return "sender"
    about = budgets.letters_about_games(club.db, sender, day_ago)
    return f"game {[*about][-1]}" if about and min(about.values()) >= ABOUT_GAME else None


def _is_proved(club: Club, row: LetterRow, sender: str) -> bool:
    """Return whether a letter has its sender's code, and there are not too many that have."""
    day_ago = club.clock() - _DAY
    return budgets.proved_from(club.db, sender, day_ago) < FROM_SENDER and carries_code(club, row.raw, sender)


def _note(key: str, sender: str, game: str | None) -> Note:
    """Return what the umpire is told, once a day for the whole club: a flood under many names must not become one to him."""
    limit = ABOUT_GAME if game else FROM_SENDER
    values = {"sender": sender if is_address(sender) else "", "limit": limit, "flooded": game or ""}
    return Note(key=key, kind="flood", values=values, game=game)
