"""Stores of new clubs: made once and copied, for the steps to the tables of today take longer than most tests."""

from __future__ import annotations

import os
import secrets
import tempfile
from functools import cache
from pathlib import Path

from referee.store.database.connection import Database
from referee.store.database.database import create_store, open_store, transaction


def copied_store(path: Path) -> Database:
    """Return a store as ``create_store`` does, with a key of its own."""
    if path.exists():
        return create_store(path)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(_new_store())
    made = open_store(path)
    with transaction(made):
        made.execute("UPDATE club SET value = ? WHERE name = 'token-key'", [secrets.token_hex(32)])
    return made


@cache
def _new_store() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "referee.db")
        create_store(path).close()
        return path.read_bytes()
