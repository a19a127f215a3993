"""A database that is damaged: nobody's letter is parked for it, and the sentence names the table and the way back."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import cycle
from pathlib import Path

import pytest

from referee.config import read_config
from referee.core import StoreDamaged
from referee.service.club import open_club
from referee.service.doctor.database import database_findings
from referee.service.receive import ATTEMPTS
from referee.service.tick import tick
from referee.store import copy_store
from tests.posthouse import ANN, BOB, PostHouse

ROOTS = {  # a table or index, and the table that is named
    "order_sets": "order_sets",
    "press": "press",
    "turns": "turns",
    "letters": "letters",
    "outbox": "outbox",
    "games": "games",
    "idx_letters_status": "letters",
    "idx_order_sets_game_turn_player": "order_sets",
    "idx_outbox_key": "outbox",
}


@contextmanager
def damaged(path: Path, root: str, junk: bytes) -> Iterator[None]:
    """Overwrite the first page of a table or index with what *junk* begins with, for a while."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
        (page,) = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [root]).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        before = file.read(size)
        file.seek((page - 1) * size)
        file.write(junk[:size])
        file.flush()
        yield
        file.seek((page - 1) * size)
        file.write(before)


@pytest.fixture
def waiting(race: PostHouse) -> PostHouse:
    """Both players' letters lie in the store, and nobody has read them; one has a further one in the inbox."""
    race.later(minutes=1)
    race.write(ANN, "STEP 1\nPRESS: hello")
    race.send(BOB, "STEP 1")
    race.write(ANN, "STEP 3\nPRESS: hello")
    race.write(BOB, "STEP 3")
    race.club.db.close()  # who opens the file beside SQLite takes its locks away when closing it
    return race


def findings(house: PostHouse) -> list[str]:
    return [each.text for each in database_findings(house.club.config, house.clock.now) if each.level == "fault"]


SHARE = 4  # of the pages: so many are damaged in each way
JUNK = {"zeros": bytes(65536), "noise": random.Random(14).randbytes(65536)}  # noqa: S311


@pytest.mark.parametrize(
    ("root", "junk"), [*zip(ROOTS, cycle(JUNK)), ("order_sets", "noise"), ("idx_outbox_key", "noise")]
)
def test_no_letter_is_parked_for_a_damaged_table(waiting: PostHouse, tmp_path: Path, root: str, junk: str) -> None:
    """The two kinds of junk by turns, and both for the first table and the last index."""
    table = ROOTS[root]
    path = waiting.club.config.database
    # After three passes each letter is handled in a process of its own, for which one table is enough: in test-long below
    # there are so many passes for every page.
    passes = 4 if (root, junk) == ("order_sets", "noise") else 2
    with damaged(path, root, JUNK[junk]):
        for _ in range(passes):
            with pytest.raises(StoreDamaged, match=rf"referee\.db is damaged: .*table {table}: .*restore a backup"):
                waiting.tick_again()
        assert f"table {table}: " in "".join(findings(waiting))
        with pytest.raises(StoreDamaged, match=rf"table {table}: "):
            copy_store(path, tmp_path / "copy")
    assert findings(waiting) == []
    assert waiting.tick_again().turns == ("RR1/2",)
    assert {row["status"] for row in waiting.rows("SELECT status FROM letters")} == {"done"}


def test_what_only_a_whole_check_finds_is_no_backup_and_told_by_the_doctor(waiting: PostHouse, tmp_path: Path) -> None:
    """An index that lacks a row, as after a page of it was lost: SQLite's quick check passes it."""
    with sqlite3.connect(waiting.club.config.database) as db:
        db.execute("PRAGMA writable_schema=ON")
        db.execute("UPDATE sqlite_schema SET sql = sql || ' WHERE id <> 1' WHERE name = 'idx_letters_status'")
    db.close()
    with sqlite3.connect(waiting.club.config.database) as db:
        db.execute("REINDEX idx_letters_status")
        db.execute("PRAGMA writable_schema=ON")
        sql = "UPDATE sqlite_schema SET sql = replace(sql, ' WHERE id <> 1', '') WHERE name = 'idx_letters_status'"
        db.execute(sql)
    db.close()
    with closing(sqlite3.connect(waiting.club.config.database)) as db:
        assert db.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    (told,) = findings(waiting)
    assert "is damaged: table letters: row 1 missing from index idx_letters_status" in told
    with pytest.raises(StoreDamaged, match="table letters: row 1 missing"):
        copy_store(waiting.club.config.database, tmp_path / "copy")


def test_a_damaged_database_ends_a_command_with_74(house: PostHouse, tmp_path: Path) -> None:
    house.clock.today()
    house.game()
    house.write(ANN, "STEP 3")
    house.club.db.close()
    with damaged(house.club.config.database, "order_sets", JUNK["zeros"]):
        for command in (["tick"], ["run"], ["backup", str(tmp_path / "copy")]):
            told = house.command(*command)
            assert (told.returncode, told.stdout) == (74, "")
            assert told.stderr.startswith(f"referee: {house.club.config.database} is damaged: table order_sets: ")


def test_our_own_fault_is_not_called_damage(house: PostHouse) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="NOT NULL"):
        house.club.execute("INSERT INTO club (name) VALUES ('x')")
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        list(house.club.query("SELECT * FROM nowhere"))


@pytest.mark.testlong
@pytest.mark.parametrize("part", range(2))
def test_whatever_page_is_damaged_no_letter_is_parked(waiting: PostHouse, tmp_path: Path, part: int) -> None:
    """Either the damage is found, or it lies where nothing is read."""
    junk = list(JUNK.values())[part]
    with closing(sqlite3.connect(waiting.club.config.database)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (pages,), (size,) = (db.execute(f"PRAGMA page_{what}").fetchone() for what in ("count", "size"))
    found = 0
    chance = random.Random(part)  # noqa: S311
    for page in sorted(chance.sample(range(2, pages + 1), pages // SHARE)):
        folder = tmp_path / f"page-{page}"
        shutil.copytree(waiting.folder, folder, ignore=shutil.ignore_patterns("*-wal", "*-shm"))
        with (folder / "referee.db").open("r+b") as file:
            file.seek((page - 1) * size)
            file.write(junk[:size])
        stopped = [stops(folder, waiting) for _ in range(ATTEMPTS)]
        found += any(stopped)
        with closing(sqlite3.connect(folder / "referee.db")) as db, suppress(sqlite3.DatabaseError):
            told = db.execute("SELECT id, trace FROM letters NOT INDEXED WHERE status = 'parked'").fetchall()
            assert told == [], f"page {page}"
        shutil.rmtree(folder)
    assert found > pages // SHARE // 3  # the others hold indexes and tables that a pass does not read


def stops(folder: Path, house: PostHouse) -> bool:
    """Make a pass in a folder; return whether damage ends it."""
    try:
        with open_club(read_config(folder, {}), house.clock) as club:
            tick(club)
    except StoreDamaged:
        return True
    return False
