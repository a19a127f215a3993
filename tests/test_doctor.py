"""``referee doctor``: what it finds on this machine alone, and that it says what to do."""

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from referee.service.doctor.folder import room_finding, style_fault
from tests.forkedcommands import run_here
from tests.posthouse import PostHouse
from tests.tables import Tables, repeated

CASES = Tables(__file__)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A club to which nothing is to be said."""
    made = tmp_path / "club"
    arguments = ["--address", "referee@club.example", "--umpire", "umpire@club.example"]
    assert run_here("init", made, *arguments).exit_code == 0
    return made


def doctor(folder: Path, *arguments: str) -> Result:
    return run_here("--club", folder, "doctor", *arguments)


def lines(result: Result, level: str) -> list[str]:
    return [line for line in result.stdout.splitlines() if line.startswith(level)]


def test_a_club_in_order_gives_only_ok_and_0(folder: Path) -> None:
    told = doctor(folder)
    assert told.exit_code == 0
    assert told.stderr == ""
    assert told.stdout.splitlines() == lines(told, "ok")
    topics = {line.split()[1] for line in told.stdout.splitlines()}
    assert topics == {"settings", "folder", "database", "work", "clock", "inbox", "outbox", "dns"}


def test_json_says_the_same(folder: Path) -> None:
    (folder / "referee.db").chmod(0o644)
    told = json.loads(doctor(folder, "--json").stdout)
    assert all(set(each) == {"level", "topic", "text", "remedy"} for each in told)
    (wrong,) = [each for each in told if each["level"] == "fault"]
    assert wrong["remedy"] == f"chmod 600 {folder / 'referee.db'}"


def test_settings_that_cannot_be_read_end_with_78_and_nothing_else_is_looked_at(folder: Path) -> None:
    (folder / "referee.toml").write_text("[mail]\nadress = 'a@b.c'\n")
    told = doctor(folder)
    assert told.exit_code == 78
    assert len(told.stdout.splitlines()) == 1
    assert "referee.toml:2: unknown setting adress (did you mean address?)" in told.stdout
    assert doctor(folder / "nowhere", "--json").exit_code == 78


def test_the_doctor_changes_nothing(folder: Path) -> None:
    """Neither a byte nor a time of any file, not even where the database lacks migrations."""
    with sqlite3.connect(folder / "referee.db") as db:
        db.execute("DELETE FROM _sqlite_migrations WHERE id = (SELECT max(id) FROM _sqlite_migrations)")
    db.close()
    before = snapshot(folder)
    told = doctor(folder)
    assert "was made by an older referee: back it up; the next command brings it up to date (1 steps)" in told.stdout
    assert snapshot(folder) == before


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Files by name; those that SQLite keeps beside a database while it is open are no content of ours."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix not in (".db-wal", ".db-shm")]
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def damaged(folder: Path) -> None:
    path = folder / "referee.db"
    raw = bytearray(path.read_bytes())
    for at in range(4096, len(raw), 4096):
        raw[at : at + 64] = b"\xff" * 64
    path.write_bytes(raw)


def newer(folder: Path) -> None:
    with sqlite3.connect(folder / "referee.db") as db:
        told = "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('club', 'm999_later', '')"
        db.execute(told)
    db.close()


def haunted(folder: Path) -> None:
    with sqlite3.connect(folder / "referee.db") as db:
        db.execute(
            "CREATE TRIGGER eve AFTER INSERT ON letters BEGIN UPDATE players SET address = 'eve@evil.example'; END"
        )
        db.execute("DROP TRIGGER acts_unchanged")
    db.close()


def fact(folder: Path, name: str, value: str) -> None:
    with sqlite3.connect(folder / "referee.db") as db:
        db.execute("INSERT OR REPLACE INTO club (name, value) VALUES (?, ?)", [name, value])
    db.close()


def file(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(repeated(text))


def setting(folder: Path, before: str, after: str) -> None:
    path = folder / "referee.toml"
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after, 1))


def mode(folder: Path, name: str, rights: str) -> None:
    (folder / name).chmod(int(rights, 8))


def remove(folder: Path, name: str) -> None:
    path = folder / name
    path.rmdir() if path.is_dir() else path.unlink()


SPOILT: dict[str, Callable[..., None]] = {
    each.__name__: each for each in (damaged, newer, haunted, fact, file, setting, mode, remove)
}


@CASES.rows
def test_what_is_wrong_is_said_with_what_to_do(
    folder: Path, spoil: list[str], level: str, topic: str, text: str, remedy: str
) -> None:
    does, *given = spoil
    SPOILT[does](folder, *given)
    told = doctor(folder)
    found = [line for line in lines(told, level) if line.split()[1] == topic and text in line]
    assert len(found) >= 1, told.stdout
    assert remedy in found[0].partition(text)[2]
    assert told.exit_code == (1 if level == "fault" else 0)
    assert "Traceback" not in told.output


@CASES.rows
def test_a_stylesheet_that_ends_too_early_or_never_is_told_with_its_line(text: str, told: list[object]) -> None:
    assert [*(style_fault(text) or ())] == told


def test_a_wish_for_pdf_that_cannot_be_made_is_worth_a_warning(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setting(folder, 'attach = ""', 'attach = "pdf"')
    assert lines(doctor(folder), "warning") == []
    monkeypatch.setattr("referee.report.renderer.find_spec", lambda _: None)
    (found,) = lines(doctor(folder), "warning")
    assert "newsletters as PDF are wished" in found


def test_believing_every_sender_is_worth_a_warning_where_strangers_can_write(folder: Path) -> None:
    setting(folder, 'policy = "token"', 'policy = "address"')
    assert lines(doctor(folder), "warning") == []
    setting(folder, 'host = ""', 'host = "mail.example.org"')
    assert "anybody can write any" in lines(doctor(folder, "--local"), "warning")[0]


def test_what_cannot_even_be_looked_at_stops_nothing(folder: Path) -> None:
    setting(folder, 'in = "mail/in"', f'in = "{"x" * 300}"')
    told = doctor(folder)
    assert told.exit_code == 1
    assert [line.split()[1] for line in lines(told, "fault")] == ["folder", "inbox"]
    assert all("cannot be looked at: File name too long" in line for line in lines(told, "fault"))
    assert any(line.split()[1] == "outbox" for line in lines(told, "ok"))


def test_a_good_map_template_and_word_of_the_umpires_own_are_read(folder: Path) -> None:
    file(folder, "maps/mine.toml", "goal = 7")
    file(folder, "templates/tinyrace/newsletter.txt.j2", "Subject: mine\n\nHello")
    file(folder, "orders/tinyrace/verbs.toml", '[verb.STEP]\naliases = ["SCHRITT"]\n')
    told = doctor(folder)
    assert told.exit_code == 0
    assert [line.split(maxsplit=2)[2] for line in lines(told, "ok") if line.split()[1] == "files"] == [
        "1 template of your own can be read",
        "1 map of your own can be read",
        "1 file of your own words for orders can be read",
    ]


@CASES.rows
def test_a_disk_that_fills_is_told_while_there_is_room_for_one_more_backup(
    left: int, files: int, database: int, told: str
) -> None:
    assert str(room_finding(left, files, database)).startswith(told)


def test_a_password_that_others_can_read_is_a_fault(folder: Path) -> None:
    file(folder, "secret", "hush\n")
    (folder / "secret").chmod(0o644)
    setting(folder, 'password_file = ""', 'password_file = "secret"')
    told = doctor(folder, "--local")
    assert told.exit_code == 1
    assert f"{folder}/secret can be read by others: chmod 600 {folder}/secret" in told.stdout
    assert "hush" not in told.output


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_files_of_somebody_else_are_found(folder: Path) -> None:
    os.chown(folder / "referee.db", 12345, 12345)
    told = doctor(folder)
    assert told.exit_code == 1
    assert "referee.db belongs to user 12345, the folder to root: chown -R root " in told.stdout


def test_what_lies_undone_in_a_running_club_is_told(race: PostHouse) -> None:
    """No pass for weeks, letters that nobody sent, one failed, one parked."""
    with sqlite3.connect(race.folder / "referee.db") as db:
        db.execute("UPDATE outbox SET created = '2026-01-01T00:00:00.000000Z'")
        db.execute("UPDATE outbox SET state = 'failed' WHERE id = 1")
    db.close()
    race.drop(b"From: x@y.z\r\n\r\nx")
    race.tick()
    with sqlite3.connect(race.folder / "referee.db") as db:
        db.execute("UPDATE letters SET status = 'parked'")
        db.execute("UPDATE outbox SET state = 'waiting' WHERE id = 2")
        db.execute("UPDATE club SET value = '2026-01-01T00:00:00.000000Z' WHERE name IN ('last-tick', 'last-poll')")
    db.close()
    told = doctor(race.folder)
    assert told.exit_code == 1
    assert "1 game runs, and the last pass ended 2026-01-01 00:00 UTC: start `referee run`" in told.stdout
    assert "1 letter waits in the outbox, the oldest since 2026-01-01 00:00 UTC: see `referee outbox`" in told.stdout
    assert "1 letter of ours has failed: see `referee outbox`" in told.stdout
    assert "1 letter is parked: look at them" in told.stdout


def test_a_test_letter_goes_where_it_is_asked_to_and_nowhere_else(folder: Path) -> None:
    assert doctor(folder).exit_code == 0
    assert list((folder / "mail" / "out" / "new").iterdir()) == []
    told = doctor(folder, "--send", "umpire@club.example")
    assert told.exit_code == 0
    (sent,) = (folder / "mail" / "out" / "new").iterdir()
    raw = sent.read_bytes()
    assert b"To: umpire@club.example" in raw
    assert b"Auto-Submitted: auto-generated" in raw
    assert doctor(folder, "--send", "x\nBcc: eve@example.org").exit_code == 78
    assert doctor(folder, "--local", "--send", "umpire@club.example").exit_code == 78
