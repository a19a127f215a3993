"""Clubs as earlier releases left them: they are kept as they were, brought up to date, and play on.

``old/club-m023.tar.xz`` is a club in the middle of two games, with an undone turn, a ruling, a note and a seat that was given to
somebody else: settings, database and tally, as they lay there in a release whose last migration was m023. It is never made anew:
a new release adds one of its own (tests/year makes such clubs).
"""

from __future__ import annotations

import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.core.enclosed import whole_letter
from referee.store import files, outbox
from referee.store.database import migrations
from referee.store.database.connection import Database
from referee.store.database.database import open_store
from tests.year.machine import Machine, simulated
from tests.year.people import Person, Seat
from tests.year.world import Clock, World

OLD = Path(__file__).parent / "old"
LEFT = datetime(2026, 3, 24, 2, 0, tzinfo=UTC)
APPLIED = "SELECT name FROM _sqlite_migrations"
SEATS = {"RR1": ("dampfross", "GSW", "MGW", "BNC"), "RR2": ("volldampf", "PRE", "SAX")}


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """The club of then, of which no command was run yet."""
    if not hasattr(tarfile, "data_filter"):
        pytest.skip("Python before 3.11.4 does not unpack by a filter")
    folder = tmp_path / "club"
    with tarfile.open(OLD / "club-m023.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    clock = Clock(LEFT)
    with simulated(clock, "upgraded"):
        yield World(Machine(folder), {}, clock, timedelta(hours=8))


def rows(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return db.execute(sql).fetchall()


def test_a_database_of_before_is_kept_beside_the_one_that_is_brought_up_to_date(world: World) -> None:
    folder = world.machine.folder
    before = rows(folder / "referee.db", "SELECT * FROM turns ORDER BY game, turn, edition")
    world.machine.run("init", str(folder))
    world.machine.run("status")
    with closing(sqlite3.connect(":memory:")) as empty:
        steps = {*migrations.pending(Database(empty))}
    assert {row[0] for row in rows(folder / "referee.db", APPLIED)} == steps
    kept = folder / "referee-before-upgrade-m023.db"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert max(row[0] for row in rows(kept, APPLIED)) == "m023_news"
    for path in (kept, folder / "referee.db"):
        after = rows(path, "SELECT * FROM turns ORDER BY game, turn, edition")
        assert [row[: len(before[0])] for row in after] == before  # columns were added
    written = kept.stat().st_mtime_ns
    world.machine.run("status")
    assert kept.stat().st_mtime_ns == written
    assert sorted(path.name for path in folder.glob("referee-*")) == [kept.name]


def test_a_club_of_before_plays_on(world: World) -> None:
    """Every log holds, every turn comes out as it was, the letters on their way are taken, and both games go on."""
    machine = world.machine
    machine.run("init", str(machine.folder))
    for game in SEATS:
        machine.run("verify", game)
        machine.run("replay", game)
        write(world, game)
    world.live(LEFT + timedelta(days=14), (), lambda: None)
    assert [tuple(row) for row in world.rows("SELECT id, turn FROM games ORDER BY id")] == [("RR1", 6), ("RR2", 6)]
    came = world.rows("SELECT status, reason FROM letters WHERE arrived > '2026-03-24T02'")
    assert len(came) >= 5
    fates = {(row["status"], row["reason"]) for row in came}
    assert fates == {("done", "")}
    assert (world.doubled, world.leaks) == ([], [])
    for game in SEATS:
        machine.run("verify", game)


def write(world: World, game: str) -> None:
    """Have the players of a game answer the last newsletters that the old release sent to them."""
    kind, *codes = SEATS[game]
    with closing(open_store(world.machine.folder / "referee.db")) as db:
        for code in codes:
            row = outbox.newsletter_to(db, game, code, None)
            assert row is not None
            person = Person(name=code.title(), address=row.recipient, year="upgraded")
            person.seats[game] = Seat(game=game, code=code, kind=kind)
            full = files.with_files(db, row)
            for letter in person.reads(whole_letter(full.raw, full.files), world.clock.now, world.due):
                world.post(letter)
