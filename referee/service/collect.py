"""Letters from where they arrive into the store: bytes first, nothing parsed, nothing moved before they are safe."""

from __future__ import annotations

import hashlib
import logging
import re
from dataclasses import dataclass
from datetime import datetime

from referee.core.errors import LetterUnreadable, LoginRefused
from referee.mail.post import Arrival
from referee.service.club import Club
from referee.service.lockout import check_lockout, forget_refusals, note_refusal
from referee.service.writing import Occasion, to_umpire
from referee.store import arrivals, letters, outbox
from referee.store.club import write_last_poll
from referee.store.database import transaction
from referee.store.rows import LetterRow, LogRow

LIMIT = 2_000_000  # bytes of a letter that is read whole
PART = 256_000  # bytes kept of a larger one; the original stays where it arrived, parked
ATTEMPTS = 3  # to fetch a letter that a server does not give out

log = logging.getLogger(__name__)

_ON_THE_WAY = re.compile(
    rb"(received|return-path|delivered-to|x-[^:]*|authentication-results|arc-[^:]*|dkim-signature|envelope-to):", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What a look into the inbox brought: how many letters were ``new``; ``unread``: when the first of those arrived that could
    not be fetched and are tried again, None if there are none.
    """

    new: int = 0
    unread: datetime | None = None


def collect(club: Club) -> Collected:
    """Store every waiting letter and take it out of the inbox.

    Raises:
        MailDown: the inbox cannot be read.
        LoginRefused: its server does not let us in, or is left alone because it did not.
        StoreBusy: the store cannot be written.
    """
    began = club.clock()
    check_lockout(club, "imap")
    try:
        fetched = [(arrival, _fetched(club, arrival)) for arrival in club.source.waiting()]
    except LoginRefused as error:
        note_refusal(club, "imap", error)
        raise
    forget_refusals(club, "imap")
    with transaction(club.db):
        write_last_poll(club.db, began)
    unread = min((arrival.arrived for arrival, new in fetched if new is None), default=None)
    return Collected(new=sum(bool(new) for _, new in fetched), unread=unread)


def is_too_large(row: LetterRow) -> bool:
    """Return whether only the first part of a letter was kept."""
    return row.size > LIMIT


def fingerprint(raw: bytes) -> str:
    """Return the hash by which a letter delivered twice is known: without the header lines that the way here wrote."""
    head, gap, body = re.match(rb"(.*?)(\r?\n\r?\n|\Z)(.*)", raw, re.S).groups()  # type: ignore[union-attr]
    fields = re.split(rb"\r?\n(?![ \t])", head)
    kept = [field for field in fields if not _ON_THE_WAY.match(field)]
    return hashlib.sha256(b"\n".join(kept) + gap + body).hexdigest()


def _fetched(club: Club, arrival: Arrival) -> bool | None:
    """Store a letter; return whether it was new, None if it cannot be had now."""
    club.step("receive:found")
    if club.source.lasting_keys and arrivals.is_taken(club.db, arrival.key, arrival.size):
        club.source.done(arrival.key)  # we stopped between storing and moving it, or its server moves nothing
        return False
    large = arrival.size > LIMIT
    try:
        raw = club.source.read(arrival.key, PART if large else LIMIT)
    except FileNotFoundError:
        return False  # another program took it away: it was not for us
    except LetterUnreadable as error:
        return _failed(club, arrival, error)
    new = _stored(club, arrival, raw)
    if large:
        club.source.park(arrival.key)
    else:
        club.source.done(arrival.key)
    club.step("receive:moved")
    return new


def _stored(club: Club, arrival: Arrival, raw: bytes) -> bool:
    row = LetterRow(
        hash=fingerprint(raw),
        source=arrival.key,
        size=arrival.size,
        raw=raw,
        arrived=arrival.arrived,
        stored_at=club.clock(),
    )
    with transaction(club.db):
        new = letters.keep(club.db, row)
        _note_taken(club, arrival)
        club.step("receive:storing")
    club.step("receive:stored")
    return new


def _note_taken(club: Club, arrival: Arrival) -> None:
    if club.source.lasting_keys:
        arrivals.take(club.db, arrival.key, arrival.size, club.clock())


def _failed(club: Club, arrival: Arrival, error: LetterUnreadable) -> bool | None:
    """Count a failure to fetch a letter; the others do not wait for it, and the umpire hears of it when it is given up.

    Return None if it is tried again.
    """
    log.warning("%s", error)
    now = club.clock()
    with transaction(club.db):
        if arrivals.fail(club.db, arrival.key, arrival.size, str(error)) < ATTEMPTS:
            return None
        mark = hashlib.sha256(arrival.key.encode()).hexdigest()
        row = LetterRow(
            hash=f"unread-{mark}",
            source=arrival.key,
            size=arrival.size,
            raw=b"",
            arrived=arrival.arrived,
            stored_at=now,
            status="parked",
            reason="could not be fetched",
            trace=str(error),
            handled_at=now,
        )
        letters.keep(club.db, row)
        number = letters.number_of(club.db, row.hash)
        _note_taken(club, arrival)
        outbox.log(club.db, LogRow(at=now, what="letter-parked", text=f"letter {number}"))
        occasion = Occasion(key=f"umpire:parked:{row.hash}", kind="parked")
        told = to_umpire(club, occasion, {"letter": number, "source": row.source})
        if told is not None:
            outbox.put(club.db, told)
    club.step("receive:stored")
    club.source.park(arrival.key)
    club.step("receive:moved")
    return False
