"""A disk that is full or fails: nothing is parked, nothing half written, and the next try goes well."""

import errno
import resource
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

from referee.core import ConfigError, StoreBusy
from referee.service.tick import Undelivered
from referee.store import Database, create_store, fact, open_store, transaction, write_fact
from tests.posthouse import ANN, PostHouse


@contextmanager
def full(db: Database) -> Iterator[None]:
    """No page more than are used."""
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count={pages}")
    try:
        yield
    finally:
        db.execute("PRAGMA max_page_count=1000000000")


@contextmanager
def failing(size: int) -> Iterator[None]:
    """No file may grow beyond *size* bytes: the write fails with an error of the disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


class Room(NamedTuple):
    total: int
    free: int


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    made = create_store(tmp_path / "referee.db")
    yield made
    made.close()


def test_what_does_not_fit_on_the_disk_is_for_later(db: Database) -> None:
    with full(db), pytest.raises(StoreBusy, match=r"database or disk is full.*nothing is lost"), transaction(db):
        write_fact(db, "mark", "x" * 100_000)
    assert not db.conn.in_transaction
    with transaction(db):
        write_fact(db, "mark", "x" * 100_000)
    assert len(fact(db, "mark")) == 100_000


def test_a_disk_that_fails_at_the_end_of_a_transaction_is_for_later(db: Database, tmp_path: Path) -> None:
    size = (tmp_path / "referee.db-wal").stat().st_size
    with failing(size), pytest.raises(StoreBusy, match="disk I/O error"), transaction(db):
        write_fact(db, "mark", "lost")
    assert not db.conn.in_transaction
    with transaction(db):
        write_fact(db, "mark", "kept")
    assert fact(db, "mark") == "kept"


def test_our_own_faults_are_not_for_later(db: Database) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such table"), transaction(db):
        db.execute("DELETE FROM nowhere")
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        list(db.query("SELECT * FROM nowhere"))


def test_a_database_that_cannot_be_opened_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is missing"):
        open_store(tmp_path / "referee.db")
    with pytest.raises(ConfigError, match="is missing"):
        open_store(tmp_path)
    create_store(tmp_path / "referee.db").close()
    with failing(0), pytest.raises(StoreBusy, match=r"referee\.db: disk I/O error; try again later"):
        open_store(tmp_path / "referee.db")


def test_letters_wait_for_room_and_no_attempt_is_counted(race: PostHouse) -> None:
    race.write(ANN, "STEP 3\nPRESS: " + "x" * 9_000)
    race.write(ANN, "STEP 2")
    for _ in range(5):
        with full(race.club), pytest.raises(StoreBusy):
            race.tick()
    assert race.column("SELECT attempts FROM letters") in ([], [0], [0, 0])
    race.tick()
    assert race.column("SELECT status FROM letters") == ["done", "done"]


def test_letters_that_were_stored_wait_for_room_and_are_not_parked(race: PostHouse) -> None:
    race.send(ANN, "STEP 3\nPRESS: " + "x" * 9_000)
    with transaction(race.club):
        race.club.execute("UPDATE letters SET status = 'stored', attempts = 0")
        race.club.execute("DELETE FROM press")
    race.club.execute("VACUUM")
    for _ in range(4):
        with full(race.club), pytest.raises(StoreBusy):
            race.tick()
    assert race.tuples("SELECT status, attempts FROM letters") == [("stored", 0)]


@pytest.mark.parametrize("free", [0, 50_000, 900_000])
def test_nothing_is_begun_that_might_not_even_be_taken_back(
    race: PostHouse, monkeypatch: pytest.MonkeyPatch, free: int
) -> None:
    race.write(ANN, "STEP 3")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Room(total=10**9, free=free))
    with pytest.raises(StoreBusy, match=f"{free // 1000} kB are left on the disk of .*make room"):
        race.tick()
    assert race.tuples("SELECT status, attempts FROM letters") == [("stored", 0)]
    monkeypatch.undo()
    race.tick()
    assert race.column("SELECT status FROM letters") == ["done"]


def no_room(*_: object) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("by", ["little room", "write"])
def test_letters_of_ours_leave_with_the_first_pass_that_has_room(
    race: PostHouse, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """A pause is for servers that are down. Half a letter takes no room from what is to be noted."""
    if by == "write":
        monkeypatch.setattr("referee.mail.maildir.os.fsync", no_room)
    else:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Room(total=10**9, free=1_000_999))
    with pytest.raises(
        Undelivered, match=r"letters wait in the outbox: .*(No space left|1000 kB are left .*make room)"
    ):
        race.tick()
    assert race.sent_files() == list((race.folder / "mail" / "out" / "tmp").iterdir()) == []
    monkeypatch.undo()
    assert race.tick().sent == 2
