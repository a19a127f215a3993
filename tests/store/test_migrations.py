"""How the tables of a club come about, and how they are brought up to date."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlite_utils

from referee.core import ConfigError, RefereeError
from referee.store import create_store, games, open_store, storefile, transaction
from tests.store.test_store import A_GAME, a_turn


def test_a_new_club_has_every_step_behind_it(tmp_path: Path) -> None:
    with closing(create_store(tmp_path / "referee.db")) as made:
        assert storefile.applied_steps(made) == tuple(storefile.STEPS)
    assert not list(tmp_path.glob("*before-upgrade*"))


def test_a_step_that_comes_later_is_taken_once_and_the_database_of_before_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "referee.db"
    with closing(create_store(path)) as before:
        sqlite_utils.Database(before.conn).table("games").insert(A_GAME)
        with transaction(before):
            games.add_turn(before, a_turn(0))
        turns = games.turns(before, "RR1")
    taken: list[str] = []

    def m002_later(db: sqlite_utils.Database) -> None:
        taken.append("later")
        db.execute("ALTER TABLE games ADD COLUMN later TEXT NOT NULL DEFAULT ''")

    monkeypatch.setitem(storefile.STEPS, "m002_later", m002_later)
    for _ in range(2):
        with closing(open_store(path)) as after:
            assert games.turns(after, "RR1") == turns
            assert not storefile.pending_steps(after)
    assert taken == ["later"]
    (kept,) = tmp_path.glob("*before-upgrade*")
    assert kept.name == "referee-before-upgrade-m001.db"
    assert kept.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(kept)) as old:
        assert "later" not in [row[1] for row in old.execute("PRAGMA table_info(games)")]


def test_a_step_that_fails_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "referee.db"
    create_store(path).close()

    def m002_broken(db: sqlite_utils.Database) -> None:
        db.execute("ALTER TABLE games ADD COLUMN later TEXT")
        raise RuntimeError("the power is cut")

    with monkeypatch.context() as patch:
        patch.setitem(storefile.STEPS, "m002_broken", m002_broken)
        with pytest.raises(RuntimeError, match="the power is cut"):
            open_store(path)
    with closing(open_store(path)) as after:
        assert storefile.applied_steps(after) == ("m001_schema",)
        assert "later" not in [row["name"] for row in after.query("PRAGMA table_info(games)")]


def test_a_club_of_before_the_first_release_is_not_read_and_told_so(tmp_path: Path) -> None:
    path = tmp_path / "referee.db"
    with closing(create_store(path)) as made, transaction(made):
        made.execute("UPDATE _sqlite_migrations SET migration_set = 'referee'")
    with pytest.raises(
        ConfigError, match=r"before 1\.0, whose clubs are not read: begin one with `referee init`"
    ) as told:
        open_store(path)
    assert isinstance(told.value, RefereeError)
