"""Looking at a club's database without changing it: does it fit this program?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from referee.core.errors import ConfigError, StoreBusy
from referee.store.database import migrations
from referee.store.database.connection import Database, is_passing
from referee.store.database.damage import damage_report

_PATIENCE = 5  # seconds to wait for a writer


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
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
            yield Database(connection)
    except sqlite3.OperationalError as error:
        raise (StoreBusy if is_passing(error) else ConfigError)(f"{path}: {error}") from error
    except sqlite3.DatabaseError as error:
        raise damage_report(path, str(error)) from error


def steps_to_come(db: Database) -> tuple[str, ...]:
    """Return the migrations that the next command applies."""
    return migrations.pending(db)


def steps_unknown(db: Database) -> tuple[str, ...]:
    """Return the migrations that this program does not know: a newer one made them."""
    return tuple(sorted({*migrations.applied_steps(db)} - {*migrations.STEPS}))


def strange_parts(db: Database) -> tuple[str, ...]:
    """Return the triggers, views and virtual tables that no step made, or made otherwise, and those that are gone."""
    with closing(sqlite3.connect(":memory:")) as empty:
        ours = Database(empty)
        migrations.apply(ours)
        return tuple(sorted({name for name, _ in _programs(db) ^ _programs(ours)}))


def _programs(db: Database) -> set[tuple[str, str]]:
    sql = "SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'view') OR sql LIKE 'CREATE VIRTUAL%'"
    return {(row["name"], row["sql"]) for row in db.query(sql)}
