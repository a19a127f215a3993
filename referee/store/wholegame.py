"""A whole game as rows, to be taken from one club's database and put into another's: with its secrets, letters and files."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from referee.core import LetterDamaged, View, Words

from . import outbox
from .club import names_of_game
from .database import Database, column, format_time, parse_time, scalar
from .files import file_of

Rows = Mapping[str, Sequence[View]]

_ID = re.compile(r"[A-Z]{1,6}[0-9]{1,6}")
_NOBODY = "nobody@example.invalid"  # in the place of the address of somebody who had a seat
_READERS = (
    ("players", "address"),
    ("observers", "address"),
    ("address_changes", "before"),
    ("address_changes", "after"),
)
TIMES = re.compile(
    r"\w*_(at|due|since)|arrived|at|created|deadline|lease|next_try|since|until|written"
)  # columns that hold them
_SMALL = 2**63  # numbers that the database can hold lie below it; what is no number does not

# Tables in the order in which they are written.
_TABLES = (
    *("games", "players", "letters", "turns", "acts", "typed_throws", "order_sets", "press", "outbox", "held_letters"),
    *("token_epochs", "address_changes", "observers", "waits", "absences", "later_orders", "bounces", "files", "club"),
)


def _references(db: Database, table: str) -> Words:
    """Return by column of a table which rows it names by their number, letters or letters of ours."""
    sql = "SELECT \"from\" AS name, \"table\" AS of FROM pragma_foreign_key_list(?) WHERE of IN ('letters', 'outbox')"
    return {row["name"]: row["of"] for row in db.query(sql, [table])}


def rows_of(db: Database, game: str) -> dict[str, list[View]]:
    """Return all rows of a game by their tables: what names it, the letters that these name, those of ours to its players and
    observers with the files that they enclose, and the club's facts about it.
    """
    named = [table for table in _TABLES if table not in ("games", "letters", "files", "club")]
    found = {table: _all(db, f"SELECT * FROM {table} WHERE game = ?", game) for table in named}  # noqa: S608 (our own names)
    readers = _readers(found)
    mailed = [(row, row["recipient"].lower() in readers) for row in found["outbox"]]
    found["outbox"] = [
        row if known else {**row, "recipient": _NOBODY} for row, known in mailed if known or row["player"]
    ]
    ours = {row["id"] for row in found["outbox"]}
    found["bounces"] = [row for row in found["bounces"] if row["outbox"] in ours]
    numbers = {
        row[column]
        for table in found
        for column, of in _references(db, table).items()
        for row in found[table]
        if of == "letters" and row[column] is not None
    }
    letters = {row["id"]: row for row in _all(db, "SELECT * FROM letters WHERE game = ?", game)}
    for number in sorted(numbers - letters.keys()):
        for row in _all(db, "SELECT * FROM letters WHERE id = ?", number):  # it is about another game, too
            letters[number] = {**row, "game": None, "player": None}
    files = {name.partition(":")[2] for row in found["outbox"] for name in row["enclosed"].split()}
    return {
        **found,
        "games": _all(db, "SELECT * FROM games WHERE id = ?", game),
        "letters": [letters[number] for number in sorted(letters)],
        "files": [row for name in sorted(files) for row in _all(db, "SELECT * FROM files WHERE hash = ?", name)],
        "club": _all(db, "SELECT * FROM club WHERE name IN (?, ?)", *names_of_game(game)),
    }


def check_rows(rows: Any, game: str) -> None:
    """See that all is what ``rows_of`` gives of that game, and nothing of it a thing of another game or of the club's.

    Raises:
        ValueError: it is not.
    """
    if not _ID.fullmatch(game):
        raise ValueError(f"{game!r} is no game's id (as RR7)")
    if not isinstance(rows, dict) or not all(isinstance(each, list) for each in rows.values()):
        raise ValueError("it has no tables")
    if unknown := rows.keys() - {*_TABLES}:
        raise ValueError(f"there is no table {', '.join(sorted(unknown))}")
    for table, listed in rows.items():
        for row in listed:
            if fault := _fault(table, row, game):
                raise ValueError(f"a row of {table}: {fault}")
    if len(rows.get("games", ())) != 1:
        raise ValueError("it must be one game")
    readers = _readers(rows) | {_NOBODY}
    for row in rows.get("outbox", ()):
        if str(row.get("recipient")).lower() not in readers:
            raise ValueError(f"a letter went to {row.get('recipient')}, who neither plays nor watches")


def _fault(table: str, row: Any, game: str) -> str:
    """Return what is wrong with a row taken by itself, "" for nothing."""
    if not isinstance(row, dict):
        return "it has no columns"
    for name, value in row.items():
        if not (
            value is None or isinstance(value, (str, bytes)) or (type(value) in (int, float) and abs(value) < _SMALL)
        ):
            return f"{name} is {type(value).__name__}"
    if table == "club":
        return "" if row.get("name") in names_of_game(game) else f"{row.get('name')} is the club's"
    owner = row.get("id" if table == "games" else "game")
    if owner != game and not (table == "files" or (table == "letters" and owner is None)):
        return f"it is of {owner}, not of {game}"
    for name, value in row.items():
        if TIMES.fullmatch(name) and value is not None and not _is_time(value, alone=table == "absences"):
            return f"{name} is {value!r}, and no time"
    if table == "games" and row.get("status") == "running" and row.get("stopped_at") is None:
        return "it runs: it must be stopped before it moves"
    if table == "letters" and row.get("status") == "stored":
        return "it is still to be handled"
    if table == "outbox" and row.get("state") not in ("sent", "failed"):
        return "it would leave from here"
    return ""


def _is_time(text: Any, *, alone: bool) -> bool:
    """Return whether a time is written as we write it; *alone*: a day may stand alone, as 2026-12-20."""
    try:
        return text == format_time(parse_time(text)) or (alone and text == date.fromisoformat(text).isoformat())
    except (ValueError, TypeError):
        return False


def _readers(rows: Rows) -> set[str]:
    """Return the addresses, in lower case, of those who play or watch."""
    return {str(row.get(column)).lower() for table, column in _READERS for row in rows.get(table, ())}


def write_rows(db: Database, rows: Rows) -> None:
    """Write the rows of a game that ``rows_of`` took from another database; letters get new numbers. Inside a transaction.

    Raises:
        ValueError: they are not what this database holds: a column is unknown, or a row names one that is not there.
    """
    numbers: dict[str, dict[int, int]] = {"letters": {}, "outbox": {}}
    for table in _TABLES:
        columns = _references(db, table)
        known = {*column(db, "SELECT name FROM pragma_table_info(?)", table)}
        for row in rows.get(table, ()):
            if lacking := row.keys() - known:
                raise ValueError(f"table {table} has no column {', '.join(sorted(lacking))}")
            if table in ("files", "letters") and (there := _number_of(db, table, row.get("hash"))):
                numbers["letters"] |= {row["id"]: there} if table == "letters" else {}  # it came with another game
                continue
            try:
                _write(db, table, row, columns, numbers)
            except sqlite3.IntegrityError as error:
                raise ValueError(f"a row of {table}: {error}") from error
    try:
        for row in rows.get("files", ()):
            file_of(db, row["hash"])
    except LetterDamaged as error:
        raise ValueError(str(error)) from error


def _write(db: Database, table: str, row: View, columns: Words, numbers: dict[str, dict[int, int]]) -> None:
    try:
        moved = {column: numbers[of][row[column]] for column, of in columns.items() if row.get(column) is not None}
    except KeyError as error:
        raise ValueError(f"a row of {table} names letter {error}, which is missing") from error
    plain = {**row, **moved}
    if table == "outbox":
        plain["key"] = _key(db, str(row.get("key")), str(row["game"]))
    old = plain.pop("id", None) if table != "games" else None
    names, marks = ", ".join(plain), ", ".join("?" * len(plain))
    cursor = db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(plain.values()))  # noqa: S608 (our own names)
    if table in numbers and old is not None:
        numbers[table][old] = int(cursor.lastrowid or 0)


def _key(db: Database, key: str, game: str) -> str:
    """Return the key of a letter of ours, another one where it would be that of a letter to be written here."""
    kind, of = [*key.split(":"), ""][:2]
    is_ours = of == game or (kind == "reply" and not outbox.has(db, key))
    return key if is_ours else f"moved:{game}:{key}"


def _number_of(db: Database, table: str, hash_: Any) -> int:
    """Return the number of the row with that hash, 0 if there is none."""
    sql = f"SELECT rowid AS number FROM {table} WHERE hash = ?"  # noqa: S608 (our own names)
    return scalar(db, sql, hash_)


def _all(db: Database, sql: str, *values: object) -> list[View]:
    return list(db.query(sql, list(values)))
