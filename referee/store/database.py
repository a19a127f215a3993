"""Opening the club's database, and the one way to write to it."""

from __future__ import annotations

import dataclasses
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from sqlite_utils import Database

from referee.core.errors import ConfigError, StoreBusy
from referee.store.migrations import MIGRATIONS

PATIENCE = 30  # seconds to wait for another writer
_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"

Row = TypeVar("Row")


def create_store(path: Path) -> Database:
    """Make the database at *path* (readable by its owner alone), or bring it up to date if it is there."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return open_store(path)


def open_store(path: Path) -> Database:
    """Open the database at *path* and apply the migrations it lacks.

    Raises:
        ConfigError: it is missing or no database.
        StoreBusy: somebody else holds it.
    """
    if not path.is_file():
        raise ConfigError(f"{path} is missing: `referee init {path.parent}` makes it")
    database = Database(sqlite3.connect(path, timeout=PATIENCE))
    try:
        database.execute("PRAGMA journal_mode=WAL").fetchall()
        database.execute("PRAGMA foreign_keys=ON")
        database.execute("PRAGMA synchronous=FULL")
        if MIGRATIONS.pending(database):
            with transaction(database):
                MIGRATIONS.apply(database)
    except sqlite3.OperationalError as error:
        database.close()
        raise StoreBusy(f"{path}: {error}; try again later") from error
    except sqlite3.DatabaseError as error:
        database.close()
        raise ConfigError(f"{path} is no database of ours: {error}") from error
    return database


@contextmanager
def transaction(database: Database) -> Iterator[None]:
    """All or nothing of what is written inside; the one way to write.

    ``BEGIN IMMEDIATE``, because a deferred transaction that reads first and writes later fails at once when another
    process has written in between.

    Raises:
        StoreBusy: somebody else kept the database for longer than ``PATIENCE``.
    """
    try:
        database.conn.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        raise StoreBusy(f"the club's database is busy ({error}); try again later") from error
    try:
        yield
    except BaseException:
        database.conn.rollback()
        raise
    database.conn.execute("COMMIT")


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
    """Wait until the disk has all that was written so far, as ``redoable`` too."""
    with transaction(database):
        database.conn.execute("UPDATE club SET value = value WHERE name = 'mark'")


def format_time(time: datetime) -> str:
    """Return an aware time as UTC text that sorts as it passes."""
    return time.astimezone(UTC).strftime(_TIME)


def parse_time(text: str) -> datetime:
    """Return the aware time written by ``format_time``."""
    return datetime.fromisoformat(text)


def insert(database: Database, table: str, row: Any) -> int:
    """Write a row record (of ``rows``) and return its rowid; an ``id`` of 0 is given out by the database."""
    plain = {field.name: _plain(getattr(row, field.name)) for field in dataclasses.fields(row)}
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


def change(database: Database, sql: str, *values: Any) -> int:
    """Run an UPDATE or DELETE and return how many rows it met."""
    return database.execute(sql, [_plain(value) for value in values]).rowcount


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return format_time(value)
    return int(value) if isinstance(value, bool) else value


def _record(kind: type[Row], row: Mapping[str, Any]) -> Row:
    return kind(**{name: _typed(annotation, row[name]) for name, annotation in _columns(kind)})  # type: ignore[arg-type]


@cache
def _columns(kind: type[Any]) -> tuple[tuple[str, str], ...]:
    return tuple((field.name, str(field.type)) for field in dataclasses.fields(kind))


def _typed(annotation: str, value: Any) -> Any:
    if value is not None and annotation.startswith("datetime"):
        return parse_time(value)
    return bool(value) if annotation == "bool" else value
