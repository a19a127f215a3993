"""Letters from the Maildir into the store: bytes first, nothing parsed, nothing moved before they are safe."""

from __future__ import annotations

import hashlib
import re

from referee.mail.maildir import Arrival
from referee.service.club import Club
from referee.store import letters
from referee.store.database import transaction
from referee.store.rows import LetterRow

LIMIT = 2_000_000  # bytes of a letter that is read whole
PART = 256_000  # bytes kept of a larger one; the original stays in the Maildir, parked

_ON_THE_WAY = re.compile(
    rb"(received|return-path|delivered-to|x-[^:]*|authentication-results|arc-[^:]*|dkim-signature|envelope-to):", re.I
)


def collect(club: Club) -> int:
    """Store every waiting letter and take it out of the inbox; return how many were new.

    Raises:
        MailDown: the inbox cannot be read.
        StoreBusy: the store cannot be written.
    """
    return sum(_fetched(club, arrival) for arrival in club.source.waiting())


def is_too_large(row: LetterRow) -> bool:
    """Return whether only the first part of a letter was kept."""
    return row.size > LIMIT


def fingerprint(raw: bytes) -> str:
    """Return the hash by which a letter delivered twice is known: without the header lines that the way here wrote."""
    head, gap, body = re.match(rb"(.*?)(\r?\n\r?\n|\Z)(.*)", raw, re.S).groups()  # type: ignore[union-attr]
    fields = re.split(rb"\r?\n(?![ \t])", head)
    kept = [field for field in fields if not _ON_THE_WAY.match(field)]
    return hashlib.sha256(b"\n".join(kept) + gap + body).hexdigest()


def _fetched(club: Club, arrival: Arrival) -> bool:
    club.step("receive:found")
    large = arrival.size > LIMIT
    try:
        raw = club.source.read(arrival.key, PART if large else LIMIT)
    except FileNotFoundError:
        return False  # another program took it out of the Maildir: it was not for us
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
        club.step("receive:storing")
    club.step("receive:stored")
    if large:
        club.source.park(arrival.key)
    else:
        club.source.done(arrival.key)
    club.step("receive:moved")
    return new
