"""More letters than anybody writes: kept, but not read, so that a flood costs nothing but its room on the disk."""

from __future__ import annotations

from datetime import timedelta

from referee.core.address import is_address
from referee.core.errors import NotFound
from referee.mail.letter.headers import read_head
from referee.mail.letter.identity import sole_mailbox
from referee.service.club.club import Club
from referee.service.letters.proof import carries_code
from referee.service.post.writing import tell_umpire
from referee.store import budgets, games, letters, outbox
from referee.store.database.database import transaction
from referee.store.database.rows import LetterRow, LogRow

FROM_SENDER = 50  # letters within a day
ABOUT_GAME = 500
AGAIN = "again"  # the reason of a letter that the umpire wants read all the same

_DAY = timedelta(days=1)


def held_back(club: Club, row: LetterRow) -> bool:
    """Park a letter unread if there were too many; return whether that was done."""
    sender = _sender_of(row.raw)
    flooded = "" if row.reason == AGAIN or not sender else _flooded(club, sender)
    if flooded and _is_proved(club, row, sender):
        flooded = ""  # who writes in a player's name without his code must not be able to shut him out
    if flooded:
        with transaction(club.db):
            letters.head(club.db, row.id, sender, "", "", row.arrived)
            letters.finish(
                club.db, row.id, "parked", club.clock(), f"flood: {flooded}", flooded.partition("game ")[2] or None
            )
            _tell(club, sender, flooded)
    return bool(flooded)


def read_again(club: Club, number: int) -> None:
    """Let a parked letter be read with the next pass, however many there were.

    Raises:
        NotFound: no such letter is parked.
    """
    with transaction(club.db):
        if not letters.again(club.db, number, AGAIN):
            raise NotFound(f"no letter {number} is parked")


def _sender_of(raw: bytes) -> str:
    """Return whom a letter names as its sender, by its header alone; "" for nobody."""
    try:
        mailbox = sole_mailbox(read_head(raw)[0].all("from"))
    except Exception:
        return ""  # the reader, who may die of it, will say what is wrong with it
    return mailbox.address if mailbox else ""


def _flooded(club: Club, sender: str) -> str:
    """Return what there are too many letters of: ``sender``, or ``game RR7`` if that is so of every game the sender plays."""
    day_ago = club.clock() - _DAY
    if budgets.letters_from(club.db, sender, day_ago) >= FROM_SENDER:
        return "sender"
    seats = games.seats_of(club.db, sender)
    running = [seat.game for seat in seats if games.game(club.db, seat.game).status == "running"]
    full = [game for game in running if budgets.letters_about(club.db, game, day_ago) >= ABOUT_GAME]
    return f"game {full[-1]}" if full and len(full) == len(running) else ""


def _is_proved(club: Club, row: LetterRow, sender: str) -> bool:
    """Return whether a letter has its sender's code, and there are not too many that have."""
    day_ago = club.clock() - _DAY
    return budgets.proved_from(club.db, sender, day_ago) < FROM_SENDER and carries_code(club, row.raw, sender)


def _tell(club: Club, sender: str, flooded: str) -> None:
    """Tell the umpire, once a day for the whole club: a flood under many names must not become one of letters to him."""
    now = club.clock()
    key = f"flood:{now:%Y-%m-%d}"
    if outbox.has(club.db, f"umpire:{key}"):
        return
    game = flooded.partition("game ")[2]
    outbox.log(club.db, LogRow(at=now, game=game or None, what="flood", text=flooded))
    values = {
        "sender": sender if is_address(sender) else "",
        "limit": ABOUT_GAME if game else FROM_SENDER,
        "flooded": game,
    }
    tell_umpire(club, key, "flood", values, game or None)
