"""A mail server that does not let us in is left alone after a few tries: providers lock accounts that go on trying.

What was refused is kept in the store, so that a `referee tick` by cron stops too.
"""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.config import FILE, Config
from referee.core import LoginRefused, Value
from referee.store import Database, transaction
from referee.store.club import fact, keep, last_poll, load

from ..club import Club
from ..tally import count, lacks_something, read_tally

TRIES = 3
REST = timedelta(hours=1)

log = logging.getLogger(__name__)


class Lockout(Value):
    """Logins refused in a row, the last one ``at``; ``settings``: how the files that could mend it stood then."""

    count: int
    at: datetime
    why: str
    settings: str

    @property
    def rests_until(self) -> datetime | None:
        """Until when the server is left alone, unless the login is mended; None if it is tried with every pass."""
        return self.at + REST if self.count >= TRIES else None


def lockout(db: Database, section: str) -> Lockout | None:
    """Return how the server of *section* (``imap``, ``smtp``) refuses us, None if it does not."""
    return load(db, _name(section), Lockout)


def check_lockout(club: Club, section: str) -> None:
    """Raises LoginRefused while the server of *section* is to be left alone.

    It is tried again after an hour, or at once when ``referee.toml`` or the file with the password has changed.
    """
    refused = lockout(club, section)
    if not refused or refused.rests_until is None or refused.settings != _settings(club.config, section):
        return
    if club.now < refused.rests_until:
        raise LoginRefused(f"{refused.why} ({refused.count} times; mend the login, or the next try is within an hour)")


def note_refusal(club: Club, section: str, error: LoginRefused) -> None:
    """Keep that a login was refused; after the third time in a row the umpire is told in the log."""
    before = lockout(club, section)
    settings = _settings(club.config, section)
    count = before.count + 1 if before and before.settings == settings else 1
    with transaction(club):
        keep(club, _name(section), Lockout(count=count, at=club.now, why=str(error), settings=settings))
        if count == TRIES:
            log.error("%s; not tried again for an hour", error)
            club.log(_name(section), str(error))


def forget_refusals(club: Club, section: str) -> None:
    """Keep that the server of *section* lets us in, or that somebody started us anew to try it."""
    if fact(club, _name(section)):
        with transaction(club):
            keep(club, _name(section), None)


def _name(section: str) -> str:
    return f"{section}-refused"


def _settings(config: Config, section: str) -> str:
    server = config.smtp if section == "smtp" else config.imap
    files = [config.folder / FILE] + ([config.folder / server.password_file] if server.password_file else [])
    return " ".join(_timestamp(path) for path in files)


def _timestamp(path: Path) -> str:
    try:
        return str(path.stat().st_mtime_ns)
    except OSError:
        return "-"


# Whether the database lacks what was done already: put back from a copy, or cut short by a disk. What is to be done about it
# stands in ``recovery``.

DAY = timedelta(days=1)  # a mail server counts days by a clock and zone of its own

LOST = "lost"


class Loss(Value):
    """What the database does not know: letters that came after ``since``, and what was done ``until`` then, if that is known.

    ``ended``: when the last whole pass of that time ended, if that is known: what was written before had left.
    """

    since: datetime
    until: datetime | None = None
    ended: datetime | None = None


def loss(club: Club) -> Loss | None:
    """Return what the database was seen to lack; None if it lacks nothing, or has it again."""
    return load(club, LOST, Loss)


def notice_loss(club: Club) -> None:
    """Look, before anything is written, whether the database is older than what the referee has done with it."""
    if loss(club) or not lacks_something(club.config.folder, club):
        return
    ours, known = count(club), read_tally(club.config.folder)
    if known and not known.knows_more_than(ours) and known.at != ours.at:
        known = None  # of another time: it tells nothing
    since = last_poll(club) or datetime.fromtimestamp(0, UTC)
    ended = known.at if known else None
    with transaction(club):
        keep(club, LOST, Loss(since=since, until=ended, ended=ended))
    club.step("recovery:noticed")


def bring_back(club: Club) -> None:
    """Let the letters wait again that the database may not know; it knows those that it has. Raises as ``Source.bring_back``."""
    found = loss(club)
    if not found:
        return
    check_lockout(club, "imap")
    try:
        newest = club.source.bring_back(found.since - DAY)
    except LoginRefused as error:
        note_refusal(club, "imap", error)
        raise
    if newest and (found.until is None or newest > found.until):
        with transaction(club):
            keep(club, LOST, found.but(until=min(newest, club.now)))
    club.step("recovery:brought")
