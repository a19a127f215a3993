"""The tables as ``schema.sql`` makes them, and what came later: a step that has been released is never changed, a new one goes
at the end of ``STEPS``.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from referee.core.errors import ConfigError
from referee.store.database.connection import Database

if TYPE_CHECKING:
    import sqlite_utils

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


def applied_steps(database: Database) -> tuple[str, ...]:
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


def pending(database: Database) -> tuple[str, ...]:
    """Return the steps that a database lacks."""
    done = {*applied_steps(database)}
    return tuple(name for name in STEPS if name not in done)


def apply(database: Database) -> None:
    """Take the steps that a database lacks, in a transaction."""
    import sqlite_utils  # here, because few commands have anything to make

    steps = sqlite_utils.Migrations(_SET)
    for step in STEPS.values():
        steps()(step)
    steps.apply(sqlite_utils.Database(database.conn, execute_plugins=False))
