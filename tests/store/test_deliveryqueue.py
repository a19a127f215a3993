"""Letters of ours in the store: what was written stays as it is; leases and tries."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.store import Database, OutboxRow, create_store, outbox, transaction, wait_after
from tests.tables import Tables

CASES = Tables(__file__)

NOW = datetime(2026, 12, 7, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
A_LETTER = OutboxRow(
    key="a",
    game=None,
    turn=None,
    player=None,
    kind="parked",
    recipient="ann@example.org",
    message_id="<a@club.example>",
    raw=b"x",
    created=NOW,
)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    made = create_store(tmp_path / "referee.db")
    with transaction(made):
        for key in ("a", "b", "c"):
            recipient = "bob@example.net" if key == "c" else "ann@example.org"
            outbox.put(made, A_LETTER.but(key=key, recipient=recipient, message_id=f"<{key}@club.example>"))
    yield made
    made.close()


def take(db: Database, now: datetime, most: int = 9) -> tuple[int, ...]:
    with transaction(db):
        return outbox.take(db, now, most)


def test_what_one_process_has_leased_nobody_else_is_given_until_the_lease_is_over(db: Database) -> None:
    assert take(db, NOW, 2) == (1, 2)
    assert take(db, NOW) == (3,)
    assert take(db, NOW + 5 * MINUTE - timedelta(microseconds=1)) == ()
    assert take(db, NOW + 5 * MINUTE) == (1, 2, 3)


def test_who_has_a_readers_older_letter_has_the_newer_ones_too(db: Database) -> None:
    """Else they might overtake each other."""
    assert take(db, NOW, 1) == (1,)
    assert take(db, NOW) == (3,)


def test_a_letter_that_is_always_deferred_holds_back_its_readers_others_for_an_hour_only(db: Database) -> None:
    for minutes in (0, 5, 15, 35, 75, 135):
        with transaction(db):
            (first,) = (row for row in outbox.unsent(db) if row.id == 1)
            outbox.mark_delayed(db, first, NOW + minutes * MINUTE, "450 later")
    assert take(db, NOW + 136 * MINUTE) == (2, 3)


def test_what_is_given_back_can_be_leased_at_once_but_only_by_whom_it_was_leased(db: Database) -> None:
    take(db, NOW)
    with transaction(db):
        outbox.release(db, (1, 2), NOW + outbox.LEASE)
        outbox.release(db, (3,), NOW + 2 * outbox.LEASE)
    assert take(db, NOW) == (1, 2)


@CASES.rows
def test_tries_get_rarer(minutes: int, wait: int) -> None:
    assert wait_after(NOW, NOW + minutes * MINUTE) == wait * MINUTE


def test_a_pause_lasts_the_longer_the_longer_the_trouble_lasts(db: Database) -> None:
    ends = []
    for minutes in (0, 5, 15, 300):
        with transaction(db):
            ends.append(outbox.write_pause(db, NOW + minutes * MINUTE, "down").until)
    assert ends == [NOW + minutes * MINUTE for minutes in (5, 15, 35, 360)]
    assert outbox.current_pause(db, NOW + 359 * MINUTE) == outbox.Pause(since=NOW, until=ends[-1], why="down")
    assert not outbox.current_pause(db, NOW + 360 * MINUTE)
    assert not outbox.current_pause(db, NOW - timedelta(days=9)), "the clock was set back"
    with transaction(db):
        outbox.end_pause(db)
    assert not outbox.pause(db)


@CASES.rows
def test_a_letter_of_ours_is_never_changed_deleted_or_replaced(db: Database, sql: str) -> None:
    before = outbox.outgoing(db, 1)
    with pytest.raises(sqlite3.IntegrityError, match="a letter of ours is never"), transaction(db):
        db.execute(sql)
    assert outbox.outgoing(db, 1) == before


def test_a_letter_comes_back_as_it_was_put(db: Database) -> None:
    assert outbox.outgoing(db, 1) == A_LETTER.but(id=1)
    assert outbox.unsent(db)[0] == A_LETTER.but(id=1, raw=b"")


def steps_of_looking(db: Database) -> int:
    """Return how much work of the database it is to see what is due and what was tried in the last minute."""
    count = 0

    def one() -> int:
        nonlocal count
        count += 1
        return 0

    db.conn.set_progress_handler(one, 1)
    outbox.due(db, NOW)
    outbox.tried_since(db, NOW - MINUTE, NOW)
    db.conn.set_progress_handler(None, 0)
    return count


def test_looking_for_what_is_due_is_no_more_work_in_a_clubs_tenth_year(db: Database) -> None:
    before = steps_of_looking(db)
    with transaction(db):
        for number in range(4, 2004):
            outbox.put(db, A_LETTER.but(key=f"old{number}"))
            outbox.mark_sent(db, number, NOW - MINUTE)
    assert steps_of_looking(db) == before
