"""Copies of the database: while others write to it, and as it was before an upgrade."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from referee.core.errors import ConfigError, StoreBusy
from referee.store.club import COPIED
from referee.store.database.damage import damage, damage_report

_PAGES = 4096  # copied at a time where somebody watches


def copy_store(source: Path, copy: Path, watch: Callable[[int, int], None] | None = None) -> None:
    """Write a whole and checked copy of the database to *copy*, a new file that its owner alone can read. *watch* is told how
    many pages remain, and of how many.

    Raises:
        ConfigError: the database is missing, or the copy cannot be written.
        StoreDamaged: it is damaged, or no database at all.
        StoreBusy: somebody else holds it.
    """
    if not source.is_file():
        raise ConfigError(f"{source} is missing")
    try:
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(copy)) as written:
            if watch is None:
                read.backup(written)
            else:
                read.backup(written, pages=_PAGES, progress=lambda _, remaining, whole: watch(remaining, whole))
            # Whoever puts it back wants to know of it: letters came since.
            written.execute("INSERT OR REPLACE INTO club (name, value) VALUES (?, 'yes')", [COPIED])
            written.commit()
            # One file, which needs no other beside it wherever it is carried.
            written.execute("PRAGMA journal_mode=DELETE").fetchall()
            found = damage(written)
    except sqlite3.OperationalError as error:
        raise StoreBusy(f"{source} cannot be copied now: {error}") from error
    except sqlite3.DatabaseError as error:
        raise damage_report(source, str(error)) from error
    except OSError as error:
        raise ConfigError(f"{copy} cannot be written: {error.strerror}") from error
    if found:
        raise damage_report(source, *found)


def keep_older(connection: sqlite3.Connection, path: Path, applied: Sequence[str]) -> None:
    """Keep a database of an earlier release as it is, beside it, before it is brought up to date: there is no other way back.
    *applied*: the names of the steps that it has behind it; a new database has none, and is not kept.

    Raises:
        StoreBusy: the copy cannot be written; nothing is brought up to date without it.
    """
    if not applied:
        return
    copy = path.with_name(f"{path.stem}-before-upgrade-{applied[-1].partition('_')[0]}.db")
    part = copy.with_suffix(f".{os.getpid()}")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))
        connection.execute("VACUUM INTO ?", [str(part)])
        part.replace(copy)
    except OSError as error:
        raise StoreBusy(
            f"{copy} cannot be written, without which no database is brought up to date: {error.strerror}"
        ) from error
    finally:
        part.unlink(missing_ok=True)
