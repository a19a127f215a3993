"""A copy of the club from which it goes on."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from pathlib import Path

from click.testing import CliRunner, Result

from referee.cli import main
from tests.posthouse import ANN, BOB, PostHouse


def referee(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["--club", str(folder), *arguments])


def test_a_copy_made_while_somebody_writes_is_whole(house: PostHouse, tmp_path: Path) -> None:
    """The writer's transaction is not in it, and what was committed but still lies in the -wal file is."""
    house.game()
    house.club.db.execute("BEGIN IMMEDIATE")
    house.club.db.execute("UPDATE games SET turn = 7")
    copy = tmp_path / "copies" / "monday"
    told = referee(house.folder, "backup", str(copy))
    house.club.db.conn.rollback()
    assert (told.exit_code, told.stdout) == (0, f"{copy}: referee.toml, referee.db\n")
    with sqlite3.connect(copy / "referee.db") as db:
        assert db.execute("SELECT id, turn FROM games").fetchall() == [("RR1", 1)]
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    db.close()
    assert sorted(path.name for path in copy.parent.iterdir()) == ["monday"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in copy.iterdir()} == {0o600}
    assert stat.S_IMODE(copy.stat().st_mode) == 0o700


def test_the_umpires_own_files_are_copied_and_his_passwords_are_not(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", imap__password_file="secret") as house:  # noqa: S106 (a file)
        (house.folder / "secret").write_text("hush")
        (house.folder / "templates" / "tinyrace").mkdir(parents=True)
        (house.folder / "templates" / "tinyrace" / "words.toml").write_text("[own]\n")
        (house.folder / "maps").mkdir()
        (house.folder / "maps" / "mine.toml").write_text("goal = 7")
    told = referee(house.folder, "backup", str(tmp_path / "copy"))
    copied = sorted(str(path.relative_to(tmp_path / "copy")) for path in (tmp_path / "copy").rglob("*.*"))
    assert copied == ["maps/mine.toml", "referee.db", "referee.toml", "templates/tinyrace/words.toml"]
    assert "not copied, keep it elsewhere: what imap.password_file stands for" in told.stdout


def test_a_backup_is_never_overwritten(house: PostHouse, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    told = referee(house.folder, "backup", str(tmp_path / "copy"))
    assert told.exit_code == 78
    assert "is there already" in told.stderr
    assert list((tmp_path / "copy").iterdir()) == []


def test_a_damaged_database_is_not_taken_for_a_backup(house: PostHouse, tmp_path: Path) -> None:
    house.club.db.close()
    house.club.config.database.write_bytes(b"no database at all, but long enough" * 100)
    told = referee(house.folder, "backup", str(tmp_path / "copy"))
    assert told.exit_code == 74
    assert "is damaged: file is not a database" in told.stderr
    assert not (tmp_path / "copy").exists()


def test_a_restored_club_counts_the_letters_that_came_after_the_backup(tmp_path: Path) -> None:
    """As docs/setup.md tells: the copy goes back, and what came since is put into the inbox again; nothing counts twice."""
    with PostHouse(tmp_path / "club") as house:
        house.game()
        house.send(ANN, "STEP 3")
        assert referee(house.folder, "backup", str(tmp_path / "copy")).exit_code == 0
        house.write(BOB, "STEP 3")
        assert house.tick().turns == ("RR1/1",)
    shutil.move(house.folder, tmp_path / "broken")
    shutil.copytree(tmp_path / "copy", tmp_path / "club")
    assert CliRunner().invoke(main, ["init", str(tmp_path / "club")]).exit_code == 0
    for path in (tmp_path / "broken" / "mail" / "in" / "cur").iterdir():
        shutil.move(path, tmp_path / "club" / "mail" / "in" / "new" / path.name)
    with PostHouse(tmp_path / "club") as again:
        assert again.tick().turns == ("RR1/1",)
        assert again.column("SELECT status FROM letters ORDER BY id") == ["done", "done"]
        assert again.value("SELECT count(*) FROM order_sets") == 2
