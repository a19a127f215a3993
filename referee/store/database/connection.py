"""An open database, as all of the store asks it and writes to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.core.errors import StoreBusy
from referee.store.database.damage import check_whole

PATIENCE = 30  # seconds to wait for another writer
_PASSING = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
)


class Database:
    """A connection to a database. What is written outside of ``transaction`` is written at once.

    sqlite-utils, which makes the tables (``migrations``), takes as long to be imported as all else that an empty pass needs.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.conn = connection
        connection.isolation_level = None  # no transaction is begun but by ``transaction``
        connection.execute("PRAGMA recursive_triggers=ON")

    def execute(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> sqlite3.Cursor:
        """Run a statement, which may write."""
        return self.conn.execute(sql, parameters)

    def query(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> Iterator[dict[str, Any]]:
        """Yield the rows of a statement that only reads, by the names of their columns.

        Raises:
            StoreBusy: the same may go well later.
            StoreDamaged: the file is damaged.
        """
        try:
            cursor = self.conn.execute(sql, parameters)
            names = [column[0] for column in cursor.description]
            for row in cursor:
                yield dict(zip(names, row, strict=True))
        except sqlite3.DatabaseError as error:
            blame(self, error)
            raise

    def close(self) -> None:
        """Close the file."""
        self.conn.close()


def is_passing(error: sqlite3.DatabaseError) -> bool:
    """Return whether the same may go well later: somebody else writes, or the disk is full, fails or cannot be written."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING


def blame(database: Database, error: sqlite3.DatabaseError) -> None:
    """Raise what an error of SQLite's means for the club, if it is not a fault of ours.

    Raises:
        StoreBusy: the same may go well later.
        StoreDamaged: the file is damaged.
    """
    if is_passing(error):
        raise StoreBusy(
            f"the club's database cannot be used now ({error}); nothing is lost, try again later"
        ) from error
    check_whole(database.conn, error)
