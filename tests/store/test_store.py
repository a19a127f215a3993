"""The club's database."""

import sqlite3
import stat
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from pathlib import Path

import pytest
import sqlite_utils

from referee.core import ConfigError, NotFound, StoreDamaged
from referee.store import (
    Database,
    GameRow,
    LetterRow,
    LoggedTurn,
    OrderSet,
    TurnRow,
    create_store,
    format_time,
    games,
    hash_of_turn,
    insert,
    letters,
    open_store,
    orders,
    parse_time,
    transaction,
    type_throw,
    typed_throws,
)

NOW = datetime(2026, 12, 7, 12, 0, tzinfo=UTC)


A_GAME = {
    "id": "RR1",
    "kind": "tinyrace",
    "setup": "{}",
    "rules": 1,
    "status": "running",
    "turn": 1,
    "deadline": None,
    "rhythm": "{}",
    "chain": "x",
    "created": format_time(NOW),
}


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    made = create_store(tmp_path / "referee.db")
    with transaction(made):
        sqlite_utils.Database(made.conn).table("games").insert(A_GAME)
    yield made
    made.close()


def a_set(**changes: object) -> OrderSet:
    row = OrderSet(
        game="RR1",
        turn=1,
        player="ANN",
        letter=None,
        orders="[]",
        complaints="[]",
        text="",
        clean=True,
        confirmed=False,
        withdrawn=False,
        doubtful=False,
        arrived=NOW,
        changed_at=NOW,
    )
    return row.but(**changes)


def a_turn(turn: int, edition: int = 1, events: str = "[]") -> TurnRow:
    return TurnRow(
        game="RR1",
        turn=turn,
        edition=edition,
        rules=1,
        seed="s",
        orders="{}",
        events=events,
        state="{}",
        hash="",
        deadline=None,
        adjudicated_at=NOW,
    )


def test_the_database_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    create_store(tmp_path / "referee.db").close()
    assert stat.S_IMODE((tmp_path / "referee.db").stat().st_mode) == 0o600


def test_the_database_is_strict_and_keeps_a_write_ahead_log(db: Database) -> None:
    assert next(iter(db.query("PRAGMA journal_mode")))["journal_mode"] == "wal"
    ours = [table for table in sqlite_utils.Database(db.conn).tables if not table.name.startswith("_sqlite")]
    assert ours
    assert all(table.strict for table in ours)


def test_a_missing_or_damaged_database_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is missing"):
        open_store(tmp_path / "referee.db")
    (tmp_path / "referee.db").write_bytes(b"no database at all, but long enough for a header of a hundred bytes" * 9)
    with pytest.raises(StoreDamaged, match=r"referee\.db is damaged: .*file is not a database\."):
        open_store(tmp_path / "referee.db")


def test_a_transaction_is_all_or_nothing(db: Database) -> None:
    def half() -> None:
        with transaction(db):
            insert(db, a_set())
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        half()
    assert orders.sets(db, "RR1", 1) == ()


def test_two_writers_wait_for_each_other(tmp_path: Path, db: Database) -> None:
    """Reading first and writing later fails at once in a deferred transaction; ours begins with the lock."""

    def add_many() -> None:
        own = open_store(tmp_path / "referee.db")
        for _ in range(20):
            with transaction(own):
                row = next(iter(own.query("SELECT turn FROM games WHERE id = 'RR1'")))
                own.execute("UPDATE games SET turn = ?", [row["turn"] + 1])
        own.close()

    threads = [threading.Thread(target=add_many) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert games.game(db, "rr1").turn == 61


def test_a_time_is_stored_in_utc_and_sorts(db: Database) -> None:
    dublin_summer = datetime(2027, 6, 1, 1, 30, tzinfo=timezone(timedelta(hours=1)))
    assert format_time(dublin_summer) == "2027-06-01T00:30:00.000000Z"
    assert parse_time(format_time(dublin_summer)) == dublin_summer
    assert format_time(NOW) < format_time(NOW + timedelta(microseconds=1))


def test_a_letter_with_a_known_hash_is_not_kept_again(db: Database) -> None:
    row = LetterRow(hash="h", source="k", size=3, raw=b"abc", arrived=NOW, stored_at=NOW)
    with transaction(db):
        assert letters.keep(db, row)
        assert not letters.keep(db, row.but(source="other"))
    (number,) = letters.unhandled(db)
    assert letters.letter(db, number) == row.but(id=number)


def test_what_is_not_there_is_named(db: Database) -> None:
    with pytest.raises(NotFound, match=r"there is no game RR9 \(there is RR1\)"):
        games.game(db, "RR9")
    with pytest.raises(NotFound, match="there is no letter 4"):
        letters.letter(db, 4)


def test_ids_go_on_from_the_highest(db: Database) -> None:
    assert games.next_id(db, "RR") == "RR2"
    assert games.next_id(db, "VD") == "VD1"


def test_a_turn_is_written_once_and_chained(db: Database) -> None:
    first, second = a_turn(0), a_turn(1)
    with transaction(db):
        games.add_turn(db, first)
        games.add_turn(db, second)
    with pytest.raises(sqlite3.IntegrityError), transaction(db):
        games.add_turn(db, second)
    stored = games.turns(db, "RR1")
    assert stored[0] == games.chain_turn(first, games.agreement_hash(games.game(db, "RR1")))
    assert stored[1] == games.chain_turn(second, stored[0].hash)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE turns SET events = '[1]'",
        "UPDATE turns SET hash = '', edition = 2 WHERE turn = 1",
        "DELETE FROM turns WHERE turn = 1",
        "INSERT OR REPLACE INTO turns SELECT * FROM turns WHERE turn = 1",
    ],
)
def test_an_adjudicated_turn_is_never_changed_deleted_or_replaced(db: Database, sql: str) -> None:
    with transaction(db):
        games.add_turn(db, a_turn(0))
        games.add_turn(db, a_turn(1))
    before = games.turns(db, "RR1")
    with pytest.raises(sqlite3.IntegrityError, match="an adjudicated turn is never"), transaction(db):
        db.execute(sql)
    assert games.turns(db, "RR1") == before


def test_a_new_edition_of_a_turn_puts_the_later_ones_out_of_force_and_stands_beside_them(db: Database) -> None:
    with transaction(db):
        for turn in (0, 1, 2, 3):
            games.add_turn(db, a_turn(turn))
        games.add_turn(db, a_turn(2, edition=2, events="[2]"))
    assert [(row.turn, row.edition) for row in games.turns(db, "RR1")] == [(0, 1), (1, 1), (2, 2)]
    assert games.last_turn(db, "RR1").events == "[2]"
    with transaction(db):
        games.add_turn(db, a_turn(3, edition=2))
    stored = games.turns(db, "RR1")
    assert [(row.turn, row.edition) for row in stored] == [(0, 1), (1, 1), (2, 2), (3, 2)]
    assert all(row == games.chain_turn(row, before.hash) for before, row in pairwise(stored))
    assert sqlite_utils.Database(db.conn).table("turns").count == 6


def test_rows_come_back_as_they_went(db: Database) -> None:
    row = games.game(db, "RR1")
    assert isinstance(row, GameRow)
    assert row.created == NOW
    assert not row.deadline


# Throws typed for a turn to come, and the hash of a turn that was thrown with some.


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
