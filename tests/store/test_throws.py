"""Throws typed for a turn to come, and the hash of a turn that was thrown with some."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlite_utils

from referee.store import Database, LoggedTurn, create_store, games, hash_of_turn, transaction, type_throw, typed_throws
from tests.store.test_store import A_GAME, NOW, a_turn


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    made = create_store(tmp_path / "referee.db")
    with transaction(made):
        sqlite_utils.Database(made.conn).table("games").insert(A_GAME)
    yield made
    made.close()


def type_all(db: Database, *throws: tuple[int, str, int | None]) -> None:
    with transaction(db):
        for turn, name, number in throws:
            type_throw(db, "RR1", turn, name, number, NOW)


def test_the_newest_throw_of_a_name_and_turn_counts_and_none_takes_it_back(db: Database) -> None:
    type_all(db, (1, "b", 2), (1, "a", 5), (2, "a", 1), (1, "b", 6), (1, "c", 4), (1, "c", None))
    assert list(typed_throws(db, "RR1", 1).items()) == [("a", 5), ("b", 6)]
    assert typed_throws(db, "RR1", 2) == {"a": 1}
    assert typed_throws(db, "RR1", 3) == {}
    type_all(db, (1, "c", 3))
    assert typed_throws(db, "RR1", 1)["c"] == 3


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE typed_throws SET number = 6",
        "DELETE FROM typed_throws",
        "INSERT OR REPLACE INTO typed_throws SELECT * FROM typed_throws",
    ],
)
def test_a_typed_throw_is_never_changed_deleted_or_replaced(db: Database, sql: str) -> None:
    type_all(db, (1, "a", 5))
    with pytest.raises(sqlite3.IntegrityError, match="a typed throw is never"), transaction(db):
        db.execute(sql)
    assert typed_throws(db, "RR1", 1) == {"a": 5}


def test_the_typed_throws_of_a_turn_are_part_of_its_hash() -> None:
    hashes = {games.chain_turn(a_turn(1).but(typed=typed), "before").hash for typed in ("", '{"a":1}', '{"a":2}')}
    assert len(hashes) == 3


def test_a_turn_without_typed_throws_has_the_hash_that_newsletters_printed_before_there_were_any() -> None:
    told = {"turn": 1, "rules": 1, "seed": "s", "salts": "", "orders": "{}", "events": "[]"}
    assert hash_of_turn("before", "RR1", LoggedTurn(**told, hash="")) == (  # type: ignore[arg-type]
        "7921bc8eac22153514296f0d1a5de0c3878c0a9c925759066cd7d279e0a1f857"
    )
