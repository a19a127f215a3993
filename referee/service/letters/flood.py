"""Floods: what proves itself by its header is handled first and never counted; of all else only so much is read in a day.

What is too much is kept, but not read, so that it costs nothing but its room on the disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import timedelta

from msgspec.structs import replace

from referee.core.address import is_address
from referee.core.errors import NotFound
from referee.mail.letter.headers import head_of, read_head
from referee.mail.letter.identity import sole_mailbox
from referee.service.club.club import Club
from referee.service.club.umpires import is_any_umpires
from referee.service.letters.case import Case
from referee.service.letters.proof import carries_code, says_who_wrote
from referee.service.letters.verdict import Note, Verdict
from referee.service.post.codes import are_used
from referee.store import budgets, games, letters, outbox
from referee.store.database.database import transaction
from referee.store.database.rows import LetterRow, LogRow
from referee.store.fates import Fate

FROM_SENDER, FROM_DOMAIN, IN_ALL = 50, 2000, budgets.UNSURE  # letters within a day that nothing proves
ABOUT_GAME = 500
SECONDS: Mapping[str, int] = {"sender": 40, "domain": 90, "club": 180}  # of the processor, that reading them may take
SMALL = 32_000  # bytes: a letter that takes next to nothing, or as much as is read of a stranger's below its header
MANY = 5  # letters that wait: of more those that are proved go first
AGAIN = "again"  # the reason of a letter that the umpire wants read all the same

_DAY = timedelta(days=1)


def flooded(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on a letter that is one of too many: it is parked unread. None if there are not too many."""
    row, sender = case.row, case.sender
    what = None if row.reason == AGAIN or case.sure else _too_many(club, row, sender)
    if what is None:
        return None
    game = what.partition("game ")[2] or None
    parked = Verdict(fate=Fate.FLOOD, reason=f"{Fate.FLOOD}: {what}", game=game)
    key = f"flood:{club.clock():%Y-%m-%d}"
    if outbox.has(club.db, f"umpire:{key}"):
        return parked
    log = LogRow(at=club.clock(), game=game, what="flood", text=what)
    return replace(parked, effects=(log,), notes=(_note(club, key, what, sender, game),))


def in_fair_order(club: Club) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the letters still to be handled: of many those that are proved, and the others, one of each sender
    after the other, so that nobody's stands behind all of another's. One sender's keep their order of arrival.
    """
    numbers, seen = letters.unhandled(club.db), Counter[str]()
    if len(numbers) <= MANY:
        return (), numbers
    places: dict[int, tuple[bool, int]] = {}
    for number in numbers:
        row = letters.letter(club.db, number)
        sender = sender_of(row.raw)
        sure = are_used(club) and is_sure(club, row, sender)
        places[number] = (not sure, 0 if sure else seen[sender])
        seen[sender] += not sure
    ordered, proved = tuple(sorted(numbers, key=places.__getitem__)), sum(not place[0] for place in places.values())
    return ordered[:proved], ordered[proved:]


def is_sure(club: Club, row: LetterRow, sender: str) -> bool:
    """Return whether the header of a letter, of which no more was read, proves that it is a player's or umpire's: by his code,
    or by what our mail server wrote into it.
    """
    if not sender or not _is_known(club, sender):
        return False
    head = read_head(row.raw)[0]
    return carries_code(club, row.raw, sender) or says_who_wrote(club, head, sender, row.arrived)


def readable(club: Club, row: LetterRow) -> bytes:
    """Return what is read of a letter: of a stranger's large one its header and the beginning of what stands below, which
    has his words, or what a mail server reports.
    """
    if len(row.raw) <= SMALL or _is_known(club, sender_of(row.raw)):
        return row.raw
    return row.raw[: len(head_of(row.raw)) + SMALL]


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


def _is_known(club: Club, sender: str) -> bool:
    return bool(games.seats_of(club.db, sender)) or is_any_umpires(club, sender)


def _too_many(club: Club, row: LetterRow, sender: str) -> str | None:
    """Return what there are too many letters of: ``sender``, ``domain``, ``club``, with ``, seconds`` behind it where they took
    too long, or ``game RR7`` if that is so of every game the sender plays; None if there are not.
    """
    day_ago = club.clock() - _DAY
    unsure = budgets.unsure_since(club.db, sender, day_ago)
    most = {"sender": FROM_SENDER, "domain": FROM_DOMAIN, "club": IN_ALL}
    for of, (number, seconds) in unsure.items() if sender else [("club", unsure["club"])]:
        # Where senders are believed all that they write is counted: a club of many games is no flood.
        if number >= most[of] and (of == "sender" or are_used(club)):
            return of
        if seconds >= SECONDS[of] and (of == "sender" or row.size > SMALL):
            return f"{of}, seconds"
    about = budgets.letters_about_games(club.db, sender, day_ago)
    return f"game {[*about][-1]}" if about and min(about.values()) >= ABOUT_GAME else None


def _note(club: Club, key: str, what: str, sender: str, game: str | None) -> Note:
    """Return what the umpire is told, once a day for the whole club: a flood under many names must not become one to him."""
    limit = ABOUT_GAME if game else FROM_SENDER
    known = sender if is_address(sender) else ""
    whose = {"sender": known, "domain": known.rpartition("@")[2]}.get(what.partition(",")[0], club.config.club)
    values = {"sender": known, "limit": limit, "flooded": game or "", "of": what, "whose": whose}
    return Note(key=key, kind="flood", values=values, game=game)
