"""An open database, as all of the store asks it, and the one way to write to it."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from inspect import get_annotations
from pathlib import Path
from typing import Any, Generic, TypeVar, TypeVarTuple

from referee.core import StoreBusy, StoreDamaged, Texts, View

# A database that is damaged: what is damaged in it, and how that is told from anything else that goes wrong.

_TOLD = 5  # of the faults that SQLite finds, so many
_SURE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def damage(connection: sqlite3.Connection) -> Texts:
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
    """What is asked of a connection to a database: its own ``OpenDatabase``, or the club that has it. What is written outside
    of ``transaction`` is written at once.
    """

    @property
    def conn(self) -> sqlite3.Connection:
        """The connection itself."""
        raise NotImplementedError

    def execute(self, sql: str, parameters: Sequence[Any] | View = ()) -> sqlite3.Cursor:
        """Run a statement, which may write."""
        return self.conn.execute(sql, parameters)

    def query(self, sql: str, parameters: Sequence[Any] | View = ()) -> Iterator[View]:
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


class OpenDatabase(Database):
    """A connection to a database.

    sqlite-utils, which makes the tables (``storefile``), takes as long to be imported as all else that an empty pass needs.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._conn = connection
        connection.isolation_level = None  # no transaction is begun but by ``transaction``
        connection.execute("PRAGMA recursive_triggers=ON")

    @property
    def conn(self) -> sqlite3.Connection:
        """The connection itself."""
        return self._conn

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


ROOM = 1_000_000  # bytes: what handling a letter takes, with its answers
_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"

Row = TypeVar("Row")


@contextmanager
def transaction(database: Database) -> Iterator[None]:
    """All or nothing of what is written inside; the one way to write.

    ``BEGIN IMMEDIATE``, because a deferred transaction that reads first and writes later fails at once when another
    process has written in between.

    Raises:
        StoreBusy: somebody else kept the database for longer than ``PATIENCE``, or the disk is full or fails.
        StoreDamaged: it is damaged.
    """
    try:
        database.conn.execute("BEGIN IMMEDIATE")
        try:
            yield
            database.conn.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):  # what did not fit on the disk may have been rolled back already
                database.conn.rollback()
            raise
    except sqlite3.DatabaseError as error:
        blame(database, error)
        raise


@contextmanager
def redoable(database: Database) -> Iterator[None]:
    """What is written inside may be undone by a power cut, the last first (by no crash of ours): for work that is done again
    where it is not marked as done, and that the disk need not be waited for. Outside of transactions.
    """
    database.conn.execute("PRAGMA synchronous=NORMAL")
    try:
        yield
    finally:
        database.conn.execute("PRAGMA synchronous=FULL")


def settle(database: Database) -> None:
    """Wait until the disk has all that was written so far, as ``redoable`` too. Outside of transactions."""
    with transaction(database):
        database.conn.execute("UPDATE club SET value = value WHERE name = 'mark'")


@contextmanager
def lasting(database: Database) -> Iterator[None]:
    """What is written inside no power cut undoes, nor what was written before, inside of ``redoable`` too."""
    ((before,),) = database.conn.execute("PRAGMA synchronous")
    database.conn.execute("PRAGMA synchronous=FULL")
    try:
        yield
    finally:
        database.conn.execute(f"PRAGMA synchronous={before}")


def check_room(path: Path) -> None:
    """Raises StoreBusy: there is so little room beside the database at *path* that what is begun might not even be taken back."""
    disk = shutil.disk_usage(path.parent)
    if disk.total and disk.free < ROOM:
        raise StoreBusy(f"{disk.free // 1000} kB are left on the disk of {path}; nothing is lost, make room")


def format_time(time: datetime) -> str:
    """Return an aware time as UTC text that sorts as it passes."""
    return time.astimezone(UTC).strftime(_TIME)


def parse_time(text: str) -> datetime:
    """Return the aware time written by ``format_time``."""
    return datetime.fromisoformat(text)


def insert(database: Database, row: Any) -> int:
    """Write a row record (of ``rows``) and return its rowid; an ``id`` of 0 is given out. Inside a transaction."""
    plain = {name: _plain(getattr(row, name)) for name in _columns(type(row))[0]}  # type: ignore[arg-type]
    if plain.get("id") == 0:
        del plain["id"]
    names = ", ".join(plain)
    marks = ", ".join(f":{name}" for name in plain)
    cursor = database.execute(f"INSERT INTO {row.table} ({names}) VALUES ({marks})", plain)  # noqa: S608 (our own names)
    return int(cursor.lastrowid or 0)


def select(database: Database, kind: type[Row], sql: str, *values: Any) -> tuple[Row, ...]:
    """Return the rows of a query as records of *kind*."""
    return tuple(_record(kind, row) for row in database.query(sql, [_plain(value) for value in values]))


def first(database: Database, kind: type[Row], sql: str, *values: Any) -> Row | None:
    """Return the first row of a query as a record of *kind*, None for none."""
    return next(iter(select(database, kind, sql, *values)), None)


def column(database: Database, sql: str, *values: Any) -> tuple[Any, ...]:
    """Return the first column of a query, of all its rows."""
    return tuple(next(iter(row.values())) for row in database.query(sql, [_plain(value) for value in values]))


def scalar(database: Database, sql: str, *values: Any) -> int:
    """Return the whole number in the first row and column of a query, 0 for none."""
    return int(next(iter(column(database, sql, *values)), None) or 0)


def change(database: Database, sql: str, *values: Any) -> int:
    """Run an UPDATE or DELETE and return how many rows it met."""
    return database.execute(sql, [_plain(value) for value in values]).rowcount


# Statements that are asked again and again: each is called with a database, and with what stands for its question marks, in
# their order or by their numbers; a list comes as JSON.

Given = TypeVarTuple("Given")
Cell = TypeVar("Cell")


class _Statement:
    def __init__(self, sql: str) -> None:
        self._sql = sql


class _Query(Generic[Row]):
    def __init__(self, kind: type[Row], sql: str) -> None:
        self._kind, self._sql = kind, sql


class Rows(_Query[Row], Generic[Row, *Given]):
    """Gives the rows of a query as records of a *kind*."""

    def __call__(self, database: Database, *given: *Given) -> tuple[Row, ...]:
        return select(database, self._kind, self._sql, *given)


class One(_Query[Row], Generic[Row, *Given]):
    """Gives the first row of a query as a record of a *kind*, None for none."""

    def __call__(self, database: Database, *given: *Given) -> Row | None:
        return first(database, self._kind, self._sql, *given)


class Column(_Statement, Generic[Cell, *Given]):
    """Gives the first column of a query."""

    def __call__(self, database: Database, *given: *Given) -> tuple[Cell, ...]:
        return column(database, self._sql, *given)


class Number(_Statement, Generic[*Given]):
    """Gives the whole number in the first row and column of a query, 0 for none."""

    def __call__(self, database: Database, *given: *Given) -> int:
        return scalar(database, self._sql, *given)


class Update(_Statement, Generic[*Given]):
    """Runs an UPDATE or DELETE and gives how many rows it met. Inside a transaction."""

    def __call__(self, database: Database, *given: *Given) -> int:
        return change(database, self._sql, *given)


def update(database: Database, table: str, key: object, columns: Mapping[str, object]) -> None:
    """Write columns of the row of a table whose ``id`` is *key*."""
    names = ", ".join(f"{name} = ?" for name in columns)
    change(database, f"UPDATE {table} SET {names} WHERE id = ?", *columns.values(), key)  # noqa: S608 (our own names)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return format_time(value)
    if isinstance(value, list | tuple):
        return json.dumps(value)
    return int(value) if isinstance(value, bool) else value


def all_but_raw(kind: Any) -> str:
    """Return the beginning of a query for records of letters without their bytes, which are many."""
    names = ["x'' AS raw" if name == "raw" else name for name in _columns(kind)[0]]
    return f"SELECT {', '.join(names)} FROM {kind.table}"  # noqa: S608 (our own names)


def _record(kind: type[Row], row: View) -> Row:
    names, times, flags = _columns(kind)  # type: ignore[arg-type]
    values = {name: row[name] for name in names}
    for name in times:
        values[name] = parse_time(row[name]) if row[name] is not None else None
    for name in flags:
        values[name] = bool(row[name])
    return kind(**values)


@cache
def _columns(kind: type[Any]) -> tuple[Texts, Texts, Texts]:
    """Return the names of all columns of a record, of those that are times, and of those that are yes or no."""
    types = {name: str(told) for each in reversed(kind.__mro__) for name, told in get_annotations(each).items()}
    types = {name: types[name] for name in kind.__struct_fields__ if name not in kind.unstored}
    times = tuple(name for name, told in types.items() if told.startswith("datetime"))
    return tuple(types), times, tuple(name for name, told in types.items() if told == "bool")
