"""A copy of the database while others write to it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from referee.core.errors import ConfigError, StoreBusy
from referee.store.club import COPIED
from referee.store.database.damage import damage, damaged


def copy_store(source: Path, copy: Path) -> None:
    """Write a whole and checked copy of the database to *copy*, a new file that its owner alone can read.

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
            read.backup(written)
            # Whoever puts it back wants to know of it: letters came since.
            written.execute("INSERT OR REPLACE INTO club (name, value) VALUES (?, 'yes')", [COPIED])
            written.commit()
            # One file, which needs no other beside it wherever it is carried.
            written.execute("PRAGMA journal_mode=DELETE").fetchall()
            found = damage(written)
    except sqlite3.OperationalError as error:
        raise StoreBusy(f"{source} cannot be copied now: {error}") from error
    except sqlite3.DatabaseError as error:
        raise damaged(source, str(error)) from error
    except OSError as error:
        raise ConfigError(f"{copy} cannot be written: {error.strerror}") from error
    if found:
        raise damaged(source, *found)
