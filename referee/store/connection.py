"""An open database, as all of the store asks it and writes to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from referee.core.errors import StoreBusy, StoreDamaged

# A database that is damaged: what is damaged in it, and how that is told from anything else that goes wrong.

_TOLD = 5  # of the faults that SQLite finds, so many
_SURE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def damage(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return what SQLite finds wrong in the file and between its tables, each with its table; nothing if it is whole."""
    try:
        found = _faults(connection, f"PRAGMA integrity_check({_TOLD})")
        loose = connection.execute("PRAGMA foreign_key_check").fetchmany(_TOLD)
    except sqlite3.DatabaseError as error:
        return tuple(_by_table(connection, [str(error)]))
    rows = [f"row {row[1]} of {row[0]} belongs to no row of {row[2]}" for row in loose]
    return (*_by_table(connection, found), *rows)


def check_whole(connection: sqlite3.Connection, error: Exception) -> None:
    """Look whether damage lies behind an *error*, whatever it says: what a damaged page holds may break any rule.

    Raises:
        StoreDamaged: the file is damaged.
    """
    found = damage(connection)
    if found or getattr(error, "sqlite_errorcode", 0) & 0xFF in _SURE:
        path = connection.execute("PRAGMA database_list").fetchone()[2]
        raise damage_report(path, *(found or (str(error),))) from error


def damage_report(path: object, *faults: str) -> StoreDamaged:
    """Return what is said of a damaged database."""
    remedy = (
        "Nothing more is done with it, lest good letters suffer. The way back: stop the referee and restore a backup "
        "(docs/setup.md, Backup and restore); no letter is lost by it"
    )
    return StoreDamaged(f"{path} is damaged: {'; '.join(faults[:2])}", remedy)


def _by_table(connection: sqlite3.Connection, found: list[str]) -> Iterator[str]:
    """Yield what is *found* wrong in the whole file under the names of the tables that it is wrong in, if it is in any."""
    if not found:
        return
    try:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    except sqlite3.DatabaseError as error:
        yield f"the list of its tables: {error}"
        return
    faults_found = [f"table {name}: {faults[0]}" for name in names if (faults := _table_faults(connection, name))]
    yield from faults_found[:_TOLD] or found


def _table_faults(connection: sqlite3.Connection, name: str) -> list[str]:
    try:
        return _faults(connection, f'PRAGMA integrity_check("{name}")')
    except sqlite3.DatabaseError as error:
        return [str(error)]


def _faults(connection: sqlite3.Connection, check: str) -> list[str]:
    faults_found = [" ".join(str(row[0]).split()) for row in connection.execute(check).fetchall()]
    return [text for text in faults_found if text != "ok"]


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
