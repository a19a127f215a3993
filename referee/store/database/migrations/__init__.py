"""The tables, as the steps in which they came about. A step that has been released is never changed; a new one goes at the end
of the last file, or into a new one here.

Nothing a player sent and nothing the referee decided is deleted but by the umpire's will (``m027``): order sets are withdrawn, an
adjudicated turn stays as it is, and its correction is a further edition beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.store.database.connection import Database
from referee.store.database.migrations import m001_to_m008, m009_to_m015, m016_files, m017_to_m023, m024_onwards

if TYPE_CHECKING:
    import sqlite_utils

_SET = "referee"
_FILES = (m001_to_m008, m009_to_m015, m016_files, m017_to_m023, m024_onwards)

STEPS: dict[str, Callable[[sqlite_utils.Database], None]] = {
    name: step for file in _FILES for name, step in vars(file).items() if re.match(r"m\d{3}_", name)
}


def applied(database: Database) -> tuple[str, ...]:
    """Return the steps that a database has gone through, those of a newer program too."""
    if not any(database.query("SELECT 1 FROM sqlite_master WHERE name = '_sqlite_migrations'")):
        return ()
    rows = database.query("SELECT name FROM _sqlite_migrations WHERE migration_set = ? ORDER BY rowid", [_SET])
    return tuple(str(row["name"]) for row in rows)


def pending(database: Database) -> tuple[str, ...]:
    """Return the steps that a database lacks."""
    done = {*applied(database)}
    return tuple(name for name in STEPS if name not in done)


def apply(database: Database, *, stop_before: str = "") -> None:
    """Take the steps that a database lacks, in a transaction; *stop_before*: but not from this one on."""
    import sqlite_utils  # here, because few commands have anything to make

    steps = sqlite_utils.Migrations(_SET)
    for step in STEPS.values():
        steps()(step)
    steps.apply(sqlite_utils.Database(database.conn, execute_plugins=False), stop_before=stop_before)
