"""A whole game as rows, to be taken from one club's database and put into another's: with its secrets, letters and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.store.database.connection import Database

Rows = Mapping[str, Sequence[Mapping[str, Any]]]

# Tables in the order in which they are written, each with its columns that name rows of another one by their number.
_TABLES: Mapping[str, Mapping[str, str]] = {
    "games": {},
    "players": {},
    "letters": {},
    "turns": {},
    "acts": {},
    "typed_throws": {},
    "order_sets": {"letter": "letters"},
    "press": {"letter": "letters"},
    "outbox": {"letter": "letters"},
    "held_letters": {"letter": "letters", "released_by": "letters"},
    "token_epochs": {},
    "address_changes": dict.fromkeys(("letter", "confirmed_by", "agreed_before", "agreed_after"), "letters"),
    "observers": {"letter": "letters", "ended_by": "letters"},
    "waits": {"letter": "letters"},
    "absences": {},
    "later_orders": {"letter": "letters"},
    "bounces": {"letter": "letters", "outbox": "outbox"},
    "files": {},
    "club": {},
}


def rows_of(db: Database, game: str) -> dict[str, list[dict[str, Any]]]:
    """Return all rows of a game by their tables: what names it, the letters that these name, the files that its letters of ours
    enclose, and the club's facts about it.
    """
    named = [table for table in _TABLES if table not in ("games", "letters", "files", "club")]
    found = {table: _all(db, f"SELECT * FROM {table} WHERE game = ?", game) for table in named}  # noqa: S608 (our own names)
    numbers = {
        row[column]
        for table, columns in _TABLES.items()
        for column, of in columns.items()
        for row in found.get(table, ())
        if of == "letters" and row[column] is not None
    }
    letters = {row["id"]: row for row in _all(db, "SELECT * FROM letters WHERE game = ?", game)}
    for number in sorted(numbers - letters.keys()):
        letters |= {row["id"]: row for row in _all(db, "SELECT * FROM letters WHERE id = ?", number)}
    files = {name.partition(":")[2] for row in found["outbox"] for name in row["enclosed"].split()}
    return {
        **found,
        "games": _all(db, "SELECT * FROM games WHERE id = ?", game),
        "letters": [letters[number] for number in sorted(letters)],
        "files": [row for name in sorted(files) for row in _all(db, "SELECT * FROM files WHERE hash = ?", name)],
        "club": _all(db, "SELECT * FROM club WHERE name GLOB ?", f"* of {game}"),
    }


def write_rows(db: Database, rows: Rows) -> None:
    """Write the rows of a game that ``rows_of`` took from another database; letters get new numbers. Inside a transaction.

    Raises:
        ValueError: they are not what this database holds: a table or column is unknown, or a row names one that is not there.
    """
    if unknown := rows.keys() - _TABLES.keys():
        raise ValueError(f"there is no table {', '.join(sorted(unknown))}")
    numbers: dict[str, dict[int, int]] = {"letters": {}, "outbox": {}}
    for table, columns in _TABLES.items():
        known = {row["name"] for row in db.query("SELECT name FROM pragma_table_info(?)", [table])}
        for row in rows.get(table, ()):
            if lacking := row.keys() - known:
                raise ValueError(f"table {table} has no column {', '.join(sorted(lacking))}")
            if table in ("files", "letters") and (there := _number_of(db, table, row["hash"])):
                numbers["letters"] |= {row["id"]: there} if table == "letters" else {}  # it came with another game
                continue
            _write(db, table, row, columns, numbers)


def _write(
    db: Database, table: str, row: Mapping[str, Any], columns: Mapping[str, str], numbers: dict[str, dict[int, int]]
) -> None:
    try:
        moved = {column: numbers[of][row[column]] for column, of in columns.items() if row[column] is not None}
    except KeyError as error:
        raise ValueError(f"a row of {table} names letter {error}, which is missing") from error
    plain = {**row, **moved}
    old = plain.pop("id", None) if table != "games" else None
    names, marks = ", ".join(plain), ", ".join("?" * len(plain))
    cursor = db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(plain.values()))  # noqa: S608 (our own names)
    if table in numbers and old is not None:
        numbers[table][old] = int(cursor.lastrowid or 0)


def _number_of(db: Database, table: str, hash_: str) -> int:
    """Return the number of the row with that hash, 0 if there is none."""
    sql = f"SELECT rowid AS number FROM {table} WHERE hash = ?"  # noqa: S608 (our own names)
    return next((int(row["number"]) for row in db.query(sql, [hash_])), 0)


def _all(db: Database, sql: str, *values: object) -> list[dict[str, Any]]:
    return list(db.query(sql, list(values)))
