"""Opening the club's database, and the one way to write to it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from inspect import get_annotations
from pathlib import Path
from typing import Any, TypeVar

from referee.core.errors import ConfigError, StoreBusy
from referee.store.database import migrations
from referee.store.database.connection import PATIENCE, Database, blame
from referee.store.database.damage import damage, damage_report

ROOM = 1_000_000  # bytes: what handling a letter takes, with its answers
_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"

Row = TypeVar("Row")


def create_store(path: Path) -> Database:
    """Make the database at *path* (readable by its owner alone), or bring it up to date if it is there."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return open_store(path)


def open_store(path: Path) -> Database:
    """Open the database at *path* and apply the migrations it lacks.

    Raises:
        ConfigError: it is missing, or not ours to write.
        StoreDamaged: it is damaged, or no database at all.
        StoreBusy: somebody else holds it, or the disk is full or fails.
    """
    if os.access(path.parent, os.X_OK) and not path.is_file():
        raise ConfigError(f"{path} is missing: `referee init {path.parent}` makes it")
    if not os.access(path, os.R_OK | os.W_OK):
        told = "may not be read and written: run every command as the account that the club belongs to, or mend mode and mount"
        raise ConfigError(f"{path} {told}")
    try:
        database = Database(sqlite3.connect(path, timeout=PATIENCE))
    except sqlite3.OperationalError as error:
        raise StoreBusy(f"{path}: {error}; try again later") from error
    try:
        _prepare(database, path)
    except BaseException as error:
        faults = damage(database.conn) if type(error) is sqlite3.DatabaseError else ()
        database.close()
        if isinstance(error, sqlite3.OperationalError):
            raise StoreBusy(f"{path}: {error}; try again later") from error
        if isinstance(error, sqlite3.DatabaseError):
            raise damage_report(path, *(faults or [str(error)])) from error
        raise
    return database


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


def insert(database: Database, table: str, row: Any) -> int:
    """Write a row record (of ``rows``) and return its rowid; an ``id`` of 0 is given out by the database."""
    plain = {name: _plain(getattr(row, name)) for name in _columns(type(row))[0]}  # type: ignore[arg-type]
    if plain.get("id") == 0:
        del plain["id"]
    names = ", ".join(plain)
    marks = ", ".join(f":{name}" for name in plain)
    cursor = database.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", plain)  # noqa: S608 (our own names)
    return int(cursor.lastrowid or 0)


def select(database: Database, kind: type[Row], sql: str, *values: Any) -> tuple[Row, ...]:
    """Return the rows of a query as records of *kind*."""
    parameters = [_plain(value) for value in values]
    return tuple(_record(kind, row) for row in database.query(sql, parameters))


def scalar(database: Database, sql: str, *values: Any) -> int:
    """Return the whole number in the one row and column of a query."""
    (row,) = database.query(sql, [_plain(value) for value in values])
    (value,) = row.values()
    return int(value)


def change(database: Database, sql: str, *values: Any) -> int:
    """Run an UPDATE or DELETE and return how many rows it met."""
    return database.execute(sql, [_plain(value) for value in values]).rowcount


def _prepare(database: Database, path: Path) -> None:
    database.execute("PRAGMA journal_mode=WAL").fetchall()
    database.execute("PRAGMA foreign_keys=ON")
    database.execute("PRAGMA synchronous=FULL")
    if migrations.pending(database):
        from referee.store.database.backup import keep_older  # which hardly any start of ours needs

        keep_older(database.conn, path, migrations.applied_steps(database))
        with transaction(database):
            migrations.apply(database)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return format_time(value)
    return int(value) if isinstance(value, bool) else value


def _record(kind: type[Row], row: Mapping[str, Any]) -> Row:
    names, times, flags = _columns(kind)  # type: ignore[arg-type]
    values = {name: row[name] for name in names}
    for name in times:
        values[name] = parse_time(row[name]) if row[name] is not None else None
    for name in flags:
        values[name] = bool(row[name])
    return kind(**values)


@cache
def _columns(kind: type[Any]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the names of all columns of a record, of those that are times, and of those that are yes or no."""
    types = {name: str(told) for each in reversed(kind.__mro__) for name, told in get_annotations(each).items()}
    types = {name: types[name] for name in kind.__struct_fields__ if name not in kind.unstored}
    times = tuple(name for name, told in types.items() if told.startswith("datetime"))
    return tuple(types), times, tuple(name for name, told in types.items() if told == "bool")
