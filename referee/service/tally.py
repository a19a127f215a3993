"""How far the database was, kept in a file beside it: by this one is known that lost something.

A copy that was put back, or a log of SQLite's that a failing disk cut short, knows nothing of what came after it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from filelock import FileLock, Timeout
from msgspec.structs import asdict

from referee import system
from referee.config import Config
from referee.core import ConfigError, TemporaryTrouble, Value
from referee.store import (
    COPIED,
    RETENTION,
    Database,
    fact,
    files,
    format_time,
    last_tick,
    letters,
    outbox,
    parse_time,
    transaction,
    write_fact,
)

from .club import Club

FILE = "tally.json"
HEARTBEAT = "heartbeat"
CPU = "cpu-seconds"

_used = [0.0]  # seconds of CPU of this process that are counted


class Tally(Value):
    """The highest numbers of ``letters`` and letters of ours (``outbox``); ``at``: when the last whole pass ended, if any did."""

    letters: int
    outbox: int
    at: datetime | None

    def knows_more_than(self, other: Tally) -> bool:
        """Return whether the other one was counted before this one."""
        later = self.at is not None and (other.at is None or self.at > other.at)
        return later or self.letters > other.letters or self.outbox > other.outbox


def count(db: Database) -> Tally:
    """Return how far the database is."""
    return Tally(letters=letters.highest(db), outbox=outbox.highest(db), at=last_tick(db))


def lacks_something(folder: Path, db: Database) -> bool:
    """Return whether the database is a copy that was put back, or older than what was done with it."""
    known = read_tally(folder)
    return bool(fact(db, COPIED)) or (known is not None and known.knows_more_than(count(db)))


def read_tally(folder: Path) -> Tally | None:
    """Return how far the database of a club's folder was when last somebody looked; None if that is not known."""
    try:
        told = json.loads((folder / FILE).read_bytes())
        return Tally(letters=told["letters"], outbox=told["outbox"], at=parse_time(told["at"]) if told["at"] else None)
    except (OSError, ValueError, KeyError, TypeError):
        return None  # a power cut may have left half of it


def write_tally(club: Club) -> None:
    """Keep how far the database is. Where that cannot be written, it is known less well."""
    tally = count(club)
    keep(club.config.folder, FILE, json.dumps({**asdict(tally), "at": format_time(tally.at) if tally.at else ""}))


def write_heartbeat(club: Club) -> None:
    """Keep when a pass ended in which all went well: a monitor that knows nothing of us looks how old this file is."""
    keep(club.config.folder, HEARTBEAT, f"{club.now:%Y-%m-%dT%H:%M:%SZ}\n")


def count_cpu(folder: Path) -> None:
    """Add what this process has used since it began, or since the last pass, to the seconds of CPU of all passes."""
    used = time.process_time()
    keep(folder, CPU, f"{cpu_seconds(folder) + used - _used[0]:.3f}\n")
    _used[0] = used


def cpu_seconds(folder: Path) -> float:
    """Return the seconds of CPU of all passes, 0 where they are not known."""
    try:
        return float((folder / CPU).read_text("utf-8"))
    except (OSError, ValueError):
        return 0.0


def keep(folder: Path, name: str, text: str) -> None:
    """Write a small file whole or not at all, as far as it can be written."""
    with suppress(OSError):
        system.write_whole(folder / name, text.encode(), lasting=False)


# One process at a time.

PASSES = "tick.lock"  # in the club's folder: who makes a pass holds it


_OURS: set[Path] = set()  # locks that this process holds


class PassRunning(TemporaryTrouble):
    """A pass is being made, so that nothing can be changed under its hands."""


@contextmanager
def between_passes(club: Club) -> Iterator[None]:
    """Hold off passes while the umpire changes a game.

    Raises:
        PassRunning: one is being made, or another act of the umpire's.
        ConfigError: as ``alone``.
    """
    lock = club.config.folder / PASSES
    if lock in _OURS:  # within a pass: the umpire's letters are carried out by it
        yield
        return
    with alone(lock) as ours:
        if not ours:
            raise PassRunning(
                "a pass of the referee is running: nothing was changed, give the command again in a moment"
            )
        yield


@contextmanager
def alone(path: Path) -> Iterator[bool]:
    """Hold the lock of a file; False if another process holds it. It ends with the process, however that ends.

    Raises:
        ConfigError: the file is another account's, or the folder cannot be written.
    """
    lock = FileLock(path, timeout=0, mode=0o600)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    except OSError as error:
        told = f"{path} cannot be opened: {error.strerror}; run every command as the account that the club belongs to"
        raise ConfigError(told) from error
    _OURS.add(path)
    try:
        yield True
    finally:
        _OURS.remove(path)
        lock.release()


# What is kept no longer: old letters that no running game needs, and copies of the database of before an upgrade.

_COPIES = "*-before-upgrade-*.db"


def give_up_old(club: Club, day: str) -> None:
    """Give up what the settings say is kept no longer; where much is old a part of it, and the next pass goes on. *day*: today's,
    which is kept when all of it is done.
    """
    kept, now = club.config.retention, club.now
    with transaction(club):
        theirs = files.drop_letters(club, now - timedelta(days=kept.letters)) if kept.letters else 0
        ours = files.drop_outbox(club, now - timedelta(days=kept.outbox)) if kept.outbox else 0
        if not theirs and not ours:
            files.drop_files(club)
            write_fact(club, RETENTION, day)
        else:
            club.log("given-up", f"{theirs} letters, {ours} letters of ours")
    for copy in old_copies(club.config, now):
        copy.unlink(missing_ok=True)


def old_copies(config: Config, now: datetime) -> tuple[Path, ...]:
    """Return the copies of the database that are kept no longer."""
    before = now - timedelta(days=config.retention.backups)
    found = config.folder.glob(_COPIES) if config.retention.backups else ()
    return tuple(each for each in found if datetime.fromtimestamp(each.stat().st_mtime, UTC) < before)
