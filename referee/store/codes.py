"""Codes that umpires were given, each good for one command, and the letters that used them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from referee.store.database.connection import Database
from referee.store.database.database import change, insert, select
from referee.store.database.rows import CodeRow


def issue(db: Database, row: CodeRow) -> None:
    """Keep a code, unless it was given out before. Inside a transaction."""
    if not given(db, row.address, (row.token,)):
        insert(db, "codes", replace(row, address=row.address.lower()))


def given(db: Database, address: str, tokens: Sequence[str]) -> tuple[CodeRow, ...]:
    """Return those of some tokens that an address was given, the newest first."""
    if not tokens:
        return ()
    names = ", ".join("?" * len(tokens))
    sql = f"SELECT * FROM codes WHERE token IN ({names}) AND address = ? ORDER BY issued_at DESC"  # noqa: S608 (our own marks)
    return select(db, CodeRow, sql, *tokens, address.lower())


def use(db: Database, token: str, letter: int | None) -> None:
    """Keep which letter has used a code; None: that came to nothing. Inside a transaction."""
    change(db, "UPDATE codes SET used_by = ? WHERE token = ?", letter, token)
