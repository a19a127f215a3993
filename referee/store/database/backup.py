"""A copy of the database while others write to it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from referee.core.errors import ConfigError, StoreBusy


def copy_store(source: Path, copy: Path) -> None:
    """Write a whole and checked copy of the database to *copy*, a new file that its owner alone can read.

    Raises:
        ConfigError: the database is missing or damaged, or the copy cannot be written.
        StoreBusy: somebody else holds it.
    """
    if not source.is_file():
        raise ConfigError(f"{source} is missing")
    try:
        os.close(os.open(copy, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(source)) as read, closing(sqlite3.connect(copy)) as written:
            read.backup(written)
            # One file, which needs no other beside it wherever it is carried.
            written.execute("PRAGMA journal_mode=DELETE").fetchall()
            told = written.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        raise StoreBusy(f"{source} cannot be copied now: {error}") from error
    except sqlite3.DatabaseError as error:
        raise ConfigError(f"{source} is damaged, or no database: {error}") from error
    except OSError as error:
        raise ConfigError(f"{copy} cannot be written: {error.strerror}") from error
    if told != "ok":
        raise ConfigError(f"{source} is damaged: {told}")
