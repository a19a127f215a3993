"""The file of the club's database: made, opened, brought up to date, copied, and looked at without changing it."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from referee.core import ConfigError, Pair, StoreBusy, Texts, Watch

from .database import PATIENCE, Database, OpenDatabase, damage, damage_report, is_passing, transaction

if TYPE_CHECKING:
    import sqlite_utils


# The tables as ``schema.sql`` makes them, and what came later: a step that has been released is never changed, a new one goes
# at the end of ``STEPS``.

_SET = "club"
_SCHEMA = Path(__file__).with_name("schema.sql")


def m001_schema(db: sqlite_utils.Database) -> None:
    """All tables, and the key that players' codes are made with."""
    statement = ""
    for line in _SCHEMA.read_text("utf-8").splitlines(keepends=True):  # a script would end the transaction
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""
    db.execute("INSERT INTO club (name, value) VALUES ('token-key', ?)", [secrets.token_hex(32)])


STEPS: dict[str, Callable[[sqlite_utils.Database], None]] = {step.__name__: step for step in (m001_schema,)}


def applied_steps(database: Database) -> Texts:
    """Return the steps that a database has gone through, those of a newer program too.

    Raises:
        ConfigError: it was made by a program before 1.0.
    """
    if not any(database.query("SELECT 1 FROM sqlite_master WHERE name = '_sqlite_migrations'")):
        return ()
    rows = tuple(database.query("SELECT migration_set, name FROM _sqlite_migrations ORDER BY rowid"))
    if rows and all(row["migration_set"] != _SET for row in rows):
        raise ConfigError(
            "this club was made by a referee before 1.0, whose clubs are not read: begin one with `referee init`"
        )
    return tuple(str(row["name"]) for row in rows if row["migration_set"] == _SET)


def pending_steps(database: Database) -> Texts:
    """Return the steps that a database lacks."""
    done = {*applied_steps(database)}
    return tuple(name for name in STEPS if name not in done)


def migrate(database: Database) -> None:
    """Take the steps that a database lacks, in a transaction."""
    import sqlite_utils  # here, because few commands have anything to make

    steps = sqlite_utils.Migrations(_SET)
    for step in STEPS.values():
        steps()(step)
    steps.apply(sqlite_utils.Database(database.conn, execute_plugins=False))


COPIED = "copied"  # a fact of the copies that ``copy_store`` makes


def create_store(path: Path) -> OpenDatabase:
    """Make the database at *path* (readable by its owner alone), or bring it up to date if it is there."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return open_store(path)


def open_store(path: Path) -> OpenDatabase:
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
        database = OpenDatabase(sqlite3.connect(path, timeout=PATIENCE))
    except sqlite3.OperationalError as error:
        raise StoreBusy(f"{path}: {error}; try again later") from error
    try:
        database.execute("PRAGMA journal_mode=WAL").fetchall()
        database.execute("PRAGMA foreign_keys=ON")
        database.execute("PRAGMA synchronous=FULL")
        if pending_steps(database):
            keep_older(database.conn, path, applied_steps(database))
            with transaction(database):
                migrate(database)
    except BaseException as error:
        faults = damage(database.conn) if type(error) is sqlite3.DatabaseError else ()
        database.close()
        if isinstance(error, sqlite3.OperationalError):
            raise StoreBusy(f"{path}: {error}; try again later") from error
        if isinstance(error, sqlite3.DatabaseError):
            raise damage_report(path, *(faults or [str(error)])) from error
        raise
    return database


# Copies of the database: while others write to it, and as it was before an upgrade.

_PAGES = 4096  # copied at a time where somebody watches


def copy_store(source: Path, copy: Path, watch: Watch | None = None) -> None:
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
            if not watch:
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


# Looking at a club's database without changing it: does it fit this program?


@contextmanager
def open_for_reading(path: Path) -> Iterator[Database]:
    """Open the database at *path* for reading alone; no migration is applied.

    Raises:
        ConfigError: it is missing.
        StoreDamaged: it is damaged, or no database at all.
        StoreBusy: somebody else holds it, it may not be read, or the disk does not let it be opened.
    """
    if not path.is_file():
        raise ConfigError(f"{path} is missing")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            yield OpenDatabase(connection)
    except sqlite3.OperationalError as error:
        raise (StoreBusy if is_passing(error) else ConfigError)(f"{path}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise damage_report(path, str(error)) from error


def steps_unknown(db: Database) -> Texts:
    """Return the migrations that this program does not know: a newer one made them."""
    return tuple(sorted({*applied_steps(db)} - {*STEPS}))


def strange_parts(db: Database) -> Texts:
    """Return the triggers, views and virtual tables that no step made, or made otherwise, and those that are gone."""
    with closing(sqlite3.connect(":memory:")) as empty:
        ours = OpenDatabase(empty)
        migrate(ours)
        return tuple(sorted({name for name, _ in _programs(db) ^ _programs(ours)}))


def _programs(db: Database) -> set[Pair]:
    sql = "SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%'"
    return {(row["name"], row["sql"]) for row in db.query(sql)}
