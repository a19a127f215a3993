"""Letters from where they arrive into the store: bytes first, nothing parsed, nothing moved before they are safe."""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from referee.core import LetterUnreadable, LoginRefused, MailDown
from referee.mail.interfaces import Arrival
from referee.store import Fate, LetterRow, last_poll, letters, transaction

from ..club import Club
from ..tally import write_tally
from .lockout import check_lockout, forget_refusals, loss, note_refusal

LIMIT = 2_000_000  # bytes of a letter that is read whole
PART = 256_000  # bytes kept of a larger one; the original stays where it arrived, parked
GROUP = 20  # letters stored in one transaction and moved by one command: disk and server are waited for once
ATTEMPTS = 3  # to fetch a letter that a server does not give out

log = logging.getLogger(__name__)

_ON_THE_WAY = re.compile(
    rb"(received|return-path|delivered-to|x-[^:]*|authentication-results|arc-[^:]*|dkim-signature|envelope-to):", re.I
)


def collect(club: Club) -> datetime | None:
    """Store every waiting letter and take it out of the inbox. Return when the first of those arrived that could not be fetched
    and are tried again, None if there are none.

    Raises:
        MailDown: the inbox cannot be read.
        LoginRefused: its server does not let us in, or is left alone because it did not.
        StoreBusy: the store cannot be written.
    """
    began = club.now
    check_lockout(club, "imap")
    since = last_poll(club)
    try:
        if since and not loss(club):
            club.source.reclaim(since, lambda raw: bool(letters.number_of(club, fingerprint(raw))))
        unread = [arrived for group in _groups(club.source.waiting()) for arrived in _collect_group(club, group)]
    except LoginRefused as error:
        note_refusal(club, "imap", error)
        raise
    forget_refusals(club, "imap")
    with transaction(club):
        last_poll.write(club, began)
    return min(unread, default=None)


def is_too_large(row: LetterRow) -> bool:
    """Return whether only the first part of a letter was kept."""
    return row.size > LIMIT


def fingerprint(raw: bytes) -> str:
    """Return the hash by which a letter delivered twice is known: without the header lines that the way here wrote."""
    head, gap, body = re.match(rb"(.*?)(\r?\n\r?\n|\Z)(.*)", raw, re.S).groups()  # type: ignore[union-attr]
    kept = [field for field in re.split(rb"\r?\n(?![ \t])", head) if not _ON_THE_WAY.match(field)]
    return hashlib.sha256(b"\n".join(kept) + gap + body).hexdigest()


def _groups(waiting: Sequence[Arrival]) -> Iterator[list[Arrival]]:
    """Yield the letters that are stored and moved together: few, and not much to keep in memory."""
    group: list[Arrival] = []
    for arrival in waiting:
        if group and (len(group) == GROUP or sum(each.size for each in group) + arrival.size > LIMIT):
            yield group
            group = []
        group.append(arrival)
    if group:
        yield group


def _collect_group(club: Club, group: Sequence[Arrival]) -> list[datetime]:
    """Store letters, then take them out of the inbox; return when those arrived that could not be fetched."""
    fetched: list[tuple[Arrival, bytes]] = []
    unread: list[datetime] = []
    try:
        for arrival in group:
            try:
                raw = _fetch(club, arrival)
            except LetterUnreadable as error:
                unread += [arrival.arrived] if _note_failure(club, arrival, error) else []
            else:
                fetched += [(arrival, raw)] if raw is not None else []
    finally:  # what came before the inbox was lost is stored; the next pass knows and moves it
        if fetched:
            _store(club, fetched)
    if fetched:
        _put_away(club, [arrival for arrival, _ in fetched])
    return unread


def _fetch(club: Club, arrival: Arrival) -> bytes | None:
    """Return the bytes of a letter, or as much of them as is stored; None if there is nothing to be stored.

    Raises:
        LetterUnreadable: it cannot be had.
    """
    club.step("receive:found")
    if club.source.lasting_keys and letters.is_arrival_taken(club, arrival.key, arrival.size):
        if not letters.arrival_stays(club, arrival.key):
            _put_away(club, [arrival])  # we stopped between storing and moving it
        return None
    try:
        return club.source.read(arrival.key, PART if arrival.size > LIMIT else LIMIT)
    except FileNotFoundError:
        return None  # another program took it away: it was not for us


def _store(club: Club, fetched: Sequence[tuple[Arrival, bytes]]) -> None:
    """Store letters in one transaction."""
    with transaction(club):
        for arrival, raw in fetched:
            _keep(club, arrival, raw)
        club.step("receive:storing")
    write_tally(club)
    club.step("receive:stored")


def _keep(club: Club, arrival: Arrival, raw: bytes) -> None:
    row = LetterRow(
        hash=fingerprint(raw),
        source=arrival.key,
        size=arrival.size,
        raw=raw,
        arrived=arrival.arrived,
        stored_at=club.now,
    )
    _note_taken(club, arrival)
    letters.keep(club, row)


def _put_away(club: Club, stored: Sequence[Arrival]) -> None:
    """Take stored letters out of the inbox. Those that stay in it are known when they are seen again: nothing waits for that."""
    stay: list[str] = []
    try:
        for arrival in stored:
            if arrival.size > LIMIT:
                stay += club.source.park(arrival.key)
        stay += club.source.take_out(*(arrival.key for arrival in stored if arrival.size <= LIMIT))
    except MailDown as error:
        log.warning("letters that are stored stay in the inbox: %s", error)
    if stay:
        # Keep that these are not to be copied again, and tell the umpire, once.
        from .writing import tell_umpire

        folders = {"inbox": club.config.imap.folder, "processed": club.config.imap.processed}
        with transaction(club):
            for key in stay:
                letters.let_arrival_stay(club, key)
            tell_umpire(club, f"stays:{club.config.imap.host}", "stays", folders)
    club.step("receive:moved")


def _note_taken(club: Club, arrival: Arrival) -> None:
    if club.source.lasting_keys:
        letters.take_arrival(club, arrival.key, arrival.size, club.now)


def _note_failure(club: Club, arrival: Arrival, error: LetterUnreadable) -> bool:
    """Count a failure to fetch a letter; the others do not wait for it, and the umpire hears of it when it is given up.

    Return whether it is tried again.
    """
    log.warning("%s", error)
    with transaction(club):
        if letters.fail_arrival(club, arrival.key, arrival.size, str(error)) < ATTEMPTS:
            return True
        _give_up(club, arrival, error)
    club.step("receive:stored")
    with suppress(MailDown):
        club.source.park(arrival.key)
    club.step("receive:moved")
    return False


def _give_up(club: Club, arrival: Arrival, error: LetterUnreadable) -> None:
    """Keep that a letter could not be had, and tell the umpire; once, though it may stay where it is. Inside a transaction."""
    now = club.now
    mark = hashlib.sha256(f"{arrival.key} {arrival.arrived}".encode()).hexdigest()
    row = LetterRow(
        hash=f"unread-{mark}",
        source=arrival.key,
        size=arrival.size,
        raw=b"",
        arrived=arrival.arrived,
        stored_at=now,
        status=Fate.UNFETCHED.status,
        reason=Fate.UNFETCHED,
        trace=str(error),
        handled_at=now,
    )
    _note_taken(club, arrival)
    if not letters.keep(club, row):
        return
    number = letters.number_of(club, row.hash)
    club.log("letter-parked", f"letter {number}")
    from .writing import tell_umpire

    tell_umpire(club, f"unread:{row.hash}", "unread", {"letter": number, "why": str(error)})
