"""``referee doctor``: what it finds on this machine alone, and that it says what to do."""

import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.service.doctor.folder import room_finding, style_fault
from tests.posthouse import PostHouse
from tests.tables import Tables

CASES = Tables(__file__)


Break = Callable[[Path], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A club to which nothing is to be said."""
    made = tmp_path / "club"
    arguments = ["--address", "referee@club.example", "--umpire", "umpire@club.example"]
    assert CliRunner().invoke(main, ["init", str(made), *arguments]).exit_code == 0
    return made


def doctor(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["--club", str(folder), "doctor", *arguments])


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


def fact(name: str, value: str) -> Break:
    def write(folder: Path) -> None:
        with sqlite3.connect(folder / "referee.db") as db:
            db.execute("INSERT OR REPLACE INTO club (name, value) VALUES (?, ?)", [name, value])
        db.close()

    return write


def file(name: str, text: str) -> Break:
    def write(folder: Path) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    return write


def setting(before: str, after: str) -> Break:
    def write(folder: Path) -> None:
        path = folder / "referee.toml"
        text = path.read_text()
        assert before in text
        path.write_text(text.replace(before, after, 1))

    return write


@pytest.mark.parametrize(
    ("spoil", "level", "topic", "text", "remedy"),
    [
        pytest.param(
            lambda at: at.chmod(0o755), "warning", "folder", "can be read by others", "chmod 700 ", id="folder"
        ),
        pytest.param(
            lambda at: at.chmod(0o777),
            "fault",
            "folder",
            "can be written by others",
            "chmod 700 ",
            id="anybodys-folder",
        ),
        pytest.param(
            lambda at: (at / "mail" / "in").chmod(0o755),
            "fault",
            "folder",
            "in can be read",
            "chmod 700 ",
            id="maildir",
        ),
        pytest.param(
            lambda at: (at / "referee.db").unlink(), "fault", "database", "is missing", "restore a backup", id="no-db"
        ),
        pytest.param(damaged, "fault", "database", "damaged", "restore a backup", id="damaged"),
        pytest.param(haunted, "fault", "database", "by itself (acts_unchanged, eve)", "made yourself", id="triggers"),
        pytest.param(
            file("referee.db", "no database, but long enough\n" * 200),
            "fault",
            "database",
            "is damaged: file is not a database",
            "",
            id="text",
        ),
        pytest.param(newer, "fault", "database", "a newer referee (m999_later)", "install that version", id="newer"),
        pytest.param(
            fact("last-tick", "2099-01-01T00:00:00.000000Z"),
            "fault",
            "clock",
            "still to come",
            "set the clock",
            id="clock",
        ),
        pytest.param(
            lambda at: (at / "mail" / "in" / "tmp").rmdir(), "fault", "inbox", "no Maildir", "referee init", id="inbox"
        ),
        pytest.param(
            lambda at: (at / "mail" / "out" / "cur").rmdir(),
            "fault",
            "outbox",
            "no Maildir",
            "referee init",
            id="outbox",
        ),
        pytest.param(
            file("templates/common/help.txt.j2", "Subject: x\n{% if %}"),
            "fault",
            "files",
            "help.txt.j2:2: ",
            "mend it",
            id="j2",
        ),
        pytest.param(
            file("templates/common/help.txt.j2", "Subject: x\n{{ " + "(" * 5000 + ")" * 5000 + " }}"),
            "fault",
            "files",
            "help.txt.j2 cannot be read: maximum recursion",
            "mend it",
            id="j2-deep",
        ),
        pytest.param(
            file("templates/common/words.toml", "[own\n"),
            "fault",
            "files",
            "words.toml cannot be read",
            "mend it",
            id="toml",
        ),
        pytest.param(
            file("templates/common/letter.css", "p { margin: 1px; }\nh1 { color: red;\n"),
            "fault",
            "files",
            "letter.css:2: { begins a block that is not ended",
            "mend it",
            id="css",
        ),
        pytest.param(
            file("templates/common/letter.typ", "#let a = 1\n#nope()\n"),
            "fault",
            "files",
            "letter.typ:2: unknown variable: nope",
            "mend it",
            id="typ",
        ),
        pytest.param(file("maps/mine.toml", "golf = 3"), "fault", "files", "mine.toml", "mend it", id="map"),
        pytest.param(
            file("templates/dampfros/x.txt.j2", "x"),
            "warning",
            "files",
            "belongs to no game",
            "nobody looks",
            id="no-game",
        ),
        pytest.param(
            file("orders/tinyrace/grammar.lark", ""),
            "warning",
            "files",
            "grammar.lark is not looked into",
            "verbs.toml",
            id="orders",
        ),
        pytest.param(
            file("orders/common/verbs.toml", '[verb.PAS]\naliases = ["WEITER"]\n'),
            "fault",
            "files",
            "orders/common/verbs.toml: there is no verb.PAS (did you mean verb.PASS?)",
            "mend it",
            id="no-verb",
        ),
        pytest.param(
            setting('umpire = "umpire@club.example"', 'umpire = ""'),
            "warning",
            "settings",
            "mail.umpire",
            "set it",
            id="umpire",
        ),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(
    folder: Path, spoil: Break, level: str, topic: str, text: str, remedy: str
) -> None:
    spoil(folder)
    told = doctor(folder)
    found = [line for line in lines(told, level) if line.split()[1] == topic and text in line]
    assert len(found) >= 1, told.stdout
    assert remedy in found[0].partition(text)[2]
    assert told.exit_code == (1 if level == "fault" else 0)
    assert "Traceback" not in told.output


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/* { */ p::before { content: '}'; }", None),
        ("p {}\n}", (2, "} ends a block that was not begun")),
        ("/* p {}\n", (1, "/* is not ended")),
        ("p { content: 'x }", (1, "' is not ended")),
        ("@media print {\n p {}\n", (1, "{ begins a block that is not ended")),
    ],
)
def test_a_stylesheet_that_ends_too_early_or_never_is_told_with_its_line(
    text: str, told: tuple[int, str] | None
) -> None:
    assert style_fault(text) == told


def test_a_wish_for_pdf_that_cannot_be_made_is_worth_a_warning(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setting('attach = ""', 'attach = "pdf"')(folder)
    assert lines(doctor(folder), "warning") == []
    monkeypatch.setattr("referee.report.renderer.find_spec", lambda _: None)
    (found,) = lines(doctor(folder), "warning")
    assert "newsletters as PDF are wished" in found


def test_believing_every_sender_is_worth_a_warning_where_strangers_can_write(folder: Path) -> None:
    setting('policy = "token"', 'policy = "address"')(folder)
    assert lines(doctor(folder), "warning") == []
    setting('host = ""', 'host = "mail.example.org"')(folder)
    assert "anybody can write any" in lines(doctor(folder, "--local"), "warning")[0]


def test_what_cannot_even_be_looked_at_stops_nothing(folder: Path) -> None:
    setting('in = "mail/in"', f'in = "{"x" * 300}"')(folder)
    told = doctor(folder)
    assert told.exit_code == 1
    assert [line.split()[1] for line in lines(told, "fault")] == ["folder", "inbox"]
    assert all("cannot be looked at: File name too long" in line for line in lines(told, "fault"))
    assert any(line.split()[1] == "outbox" for line in lines(told, "ok"))


def test_a_good_map_template_and_word_of_the_umpires_own_are_read(folder: Path) -> None:
    file("maps/mine.toml", "goal = 7")(folder)
    file("templates/tinyrace/newsletter.txt.j2", "Subject: mine\n\nHello")(folder)
    file("orders/tinyrace/verbs.toml", '[verb.STEP]\naliases = ["SCHRITT"]\n')(folder)
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
    file("secret", "hush\n")(folder)
    (folder / "secret").chmod(0o644)
    setting('password_file = ""', 'password_file = "secret"')(folder)
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


def test_what_lies_undone_in_a_running_club_is_told(house: PostHouse) -> None:
    """No pass for weeks, letters that nobody sent, one failed, one parked."""
    house.game()
    with sqlite3.connect(house.folder / "referee.db") as db:
        db.execute("UPDATE outbox SET created = '2026-01-01T00:00:00.000000Z'")
        db.execute("UPDATE outbox SET state = 'failed' WHERE id = 1")
    db.close()
    house.drop(b"From: x@y.z\r\n\r\nx")
    house.tick()
    with sqlite3.connect(house.folder / "referee.db") as db:
        db.execute("UPDATE letters SET status = 'parked'")
        db.execute("UPDATE outbox SET state = 'waiting' WHERE id = 2")
        db.execute("UPDATE club SET value = '2026-01-01T00:00:00.000000Z' WHERE name IN ('last-tick', 'last-poll')")
    db.close()
    told = doctor(house.folder)
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
