"""What is given up for good: the bytes of old letters, and all that names a person who wants to be forgotten.

Turns, throws and acts are never touched: their hashes cover them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from .club import OF_READERS
from .database import Database, Number, change, column
from .files import readable

NEVER = ("turns", "typed_throws", "acts", "games", "files")  # of these nothing is rewritten

_ABOUT_ENDED = "(game IS NULL OR game IN (SELECT id FROM games WHERE status <> 'running' AND statements_due IS NULL))"
_LAST_NEWSLETTER = "kind = 'newsletter' AND turn = (SELECT max(turn) FROM turns WHERE turns.game = outbox.game)"
_AT_ONCE = 500  # letters a pass


def drop_letters(db: Database, before: datetime) -> int:
    """Give up the bytes of letters that came before a time, wait for nobody and are about no game that is played; return how
    many. Inside a transaction.
    """
    sql = (
        "UPDATE letters SET raw = x'', trace = '' WHERE id IN (SELECT id FROM letters WHERE arrived < ? AND raw <> x'' "  # noqa: S608 (our own words)
        f"AND status NOT IN ('stored', 'parked', 'held') AND {_ABOUT_ENDED} LIMIT {_AT_ONCE})"
    )
    return change(db, sql, before)


def drop_outbox(db: Database, before: datetime) -> int:
    """Give up the bytes of letters of ours that were written before a time, are not to be sent and are about no game that is
    played; the last newsletters of a game stay. Return how many. Inside a transaction.
    """
    sql = (
        "UPDATE outbox SET raw = x'', enclosed = '', size = 0 WHERE id IN (SELECT id FROM outbox WHERE created < ? "  # noqa: S608 (our own words)
        f"AND raw <> x'' AND state <> 'waiting' AND {_ABOUT_ENDED} AND NOT ({_LAST_NEWSLETTER}) LIMIT {_AT_ONCE})"
    )
    return change(db, sql, before)


def drop_files(db: Database) -> int:
    """Delete the files that no letter of ours encloses any more; return how many. Inside a transaction."""
    enclosed = column(db, "SELECT enclosed FROM outbox WHERE enclosed <> ''")
    named = {name.partition(":")[2] for each in enclosed for name in each.split()}
    lost = [name for name in column(db, "SELECT hash FROM files") if name not in named]
    for name in lost:
        change(db, "DELETE FROM files WHERE hash = ?", name)
    return len(lost)


def is_known(db: Database, address: str) -> bool:
    """Return whether a letter came from an address or went there, or it stands on a list."""
    found = (
        "SELECT 1 FROM letters WHERE lower(sender) = ?",
        "SELECT 1 FROM outbox WHERE lower(recipient) = ?",
        "SELECT 1 FROM standbys WHERE lower(address) = ?",
        "SELECT 1 FROM observers WHERE lower(address) = ?",
        "SELECT 1 FROM signups WHERE lower(address) = ?",
    )
    return any(column(db, f"{sql} LIMIT 1", address.lower()) for sql in found)


# How many people were forgotten, and one more.
next_alias: Number[()] = Number("SELECT count(*) + 1 FROM log WHERE what = 'forgotten'")


@contextmanager
def overwriting(db: Database) -> Iterator[None]:
    """What is given up inside is overwritten on the disk, not only unlinked. Outside of transactions."""
    db.conn.execute("PRAGMA secure_delete=ON").fetchall()
    try:
        yield
    finally:
        db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        db.conn.execute("PRAGMA secure_delete=OFF").fetchall()


def forget_address(db: Database, address: str, alias: str) -> None:
    """Put an *alias* in the place of an address wherever it stands, and give up the bytes of every letter from it, to it or with
    it in its words. Of the seats at that address the code alone is left. Inside a transaction.
    """
    here = re.compile(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", re.IGNORECASE)
    change(db, "UPDATE players SET name = code WHERE lower(address) = ?", address.lower())
    for table in ("observers", "standbys"):
        change(db, f"UPDATE {table} SET ended_at = coalesce(ended_at, since) WHERE lower(address) = ?", address.lower())  # noqa: S608
    for table in ("signups", "standbys"):
        change(db, f"UPDATE {table} SET name = '-' WHERE lower(address) = ?", address.lower())  # noqa: S608 (our own names)
    for number in [row["id"] for row in db.query("SELECT id, sender FROM letters") if here.fullmatch(row["sender"])]:
        change(db, "UPDATE letters SET raw = x'', subject = '', message_id = '', trace = '' WHERE id = ?", number)
    for number in _ours_with(db, here):
        change(db, "UPDATE outbox SET raw = x'', enclosed = '', size = 0 WHERE id = ?", number)
    for kind in OF_READERS:
        change(db, "DELETE FROM club WHERE lower(name) = ?", f"{kind} {address.lower()}")
    # Put the alias into every text of every table.
    for table, name in _texts(db):
        may = "raw = x''" if table == "outbox" else "1"  # a letter of ours that is whole stays as it is
        told = db.query(f"SELECT rowid AS number, {name} AS text FROM {table} WHERE {may} AND instr({name}, '@')")  # noqa: S608 (our own names)
        for row in list(told):
            text = here.sub(alias, row["text"])
            if text != row["text"]:
                change(db, f"UPDATE {table} SET {name} = ? WHERE rowid = ?", text, row["number"])  # noqa: S608 (our own names)


def _ours_with(db: Database, here: re.Pattern[str]) -> list[int]:
    found = []
    for row in db.query("SELECT id, recipient, state, raw, enclosed FROM outbox WHERE raw <> x''"):
        words = readable(row["raw"], row["enclosed"]).decode("utf-8", "replace")
        if row["state"] != "waiting" and (here.fullmatch(row["recipient"]) or here.search(words)):
            found.append(row["id"])
    return found


def _texts(db: Database) -> Iterator[tuple[str, str]]:
    columns = (
        "SELECT tables.name AS at, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns "
        "WHERE tables.type = 'table' AND columns.type = 'TEXT'"
    )
    for row in list(db.query(columns)):
        if row["at"] not in NEVER and not row["at"].startswith("_"):
            yield row["at"], row["name"]
