"""On Windows and macOS: with what these lack taken away (``tests/othersystem``), as far as that can be pretended on Linux."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from referee import system
from referee.config import read_config
from referee.mail.maildir import MaildirSource, make_maildir
from referee.service.club import make_club
from referee.service.doctor import folder as examined
from tests.forkedcommands import run_program
from tests.servers.fakeimap import Mailbox, fake_imap

ROOT = Path(__file__).parent.parent
LACKING = {name: value for name, value in os.environ.items() if not name.startswith("REFEREE")} | {
    "PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "othersystem"), str(ROOT)]),
    "PYTHONIOENCODING": "cp1252",  # what a pipe takes on Windows
}
STRICT = (sys.executable, "-X", "warn_default_encoding")
PLAYERS = ("GSW:red:Ann <ann@example.org>", "MGW:blue:Łukasz <bill@example.org>", "BNC:green:Cate <cate@example.org>")
GAME = ["game", "new", "dampfross", "--map", "ireland", "--preset", "postal", *(f"--player={each}" for each in PLAYERS)]
OF_A_CLUB = (
    "tick", "status", "newsletter RR1", "read LETTER", "doctor --local", "board RR1 -o board.svg", "desk RR1 -o desk.html",
    "publish pages", "backup copy", "verify RR1", "game export RR1 -o log.json", "verify log.json", "players",
    "zine RR1 -o june.pdf", "metrics",
)  # fmt: skip
OF_NONE = ("map new --cols 9 --rows 9 --title Isle -o sheet.toml", "practice --no-browser")


def referee(folder: Path, *words: str, typed: str = "", environment: dict[str, str] = LACKING) -> str:
    command = [*STRICT, "-m", "referee", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, input=typed.encode(), check=False)
    told = (done.stdout + done.stderr).decode("cp1252")
    assert done.returncode == 0, f"{words}: {told}"
    assert "Traceback" not in told
    return told


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("other")
    referee(folder, "init", "club", "--name", "Łódź", "--address", "referee@example.org", "--early-delay", "0",
            "--identity", "address", "--umpire", "umpire@example.org")  # fmt: skip
    referee(folder, "--club", "club", *GAME)
    for letter in (ROOT / "docs" / "tour").glob("*.eml"):
        (folder / "club" / "mail" / "in" / "new" / letter.name).write_bytes(letter.read_bytes())
    return folder


@pytest.mark.testlong
def test_a_club_lives_where_windows_has_nothing_of_what_linux_has(club: Path) -> None:
    told = {}
    for command in OF_A_CLUB:
        words = command.replace("LETTER", str(ROOT / "docs" / "tour" / "ann.eml")).split()
        told[command] = referee(club, *(() if command == "verify log.json" else ("--club", "club")), *words)
    assert told["tick"].startswith("letters handled: 3, turns played: RR1/1")
    assert sorted(each.name for each in (club / "club/mail/in/cur").iterdir())[0] == "ann.eml;2,S"
    assert "does not limit the time and memory of the process that reads letters" in told["doctor --local"]
    assert "is not known on this system" in told["doctor --local"]
    assert "\\u0141ukasz" in told["players"]  # a letter that the terminal does not know


@pytest.mark.testlong
@pytest.mark.parametrize("command", OF_NONE)
def test_what_needs_no_club_runs_there(command: str, tmp_path: Path) -> None:
    referee(tmp_path, *command.split(), typed="quit\n")


def runs_until_told(folder: Path, environment: dict[str, str]) -> bytes:
    """Run a club until it has said of the first letter that it was handled, then say stop; return all that it said."""
    command = [STRICT[0], "-u", "-m", "referee", "--club", "club", "run"]
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        told = first + process.stdout.read()
    assert (process.returncode, b"Traceback" in told) == (0, False), told
    return told


def test_run_ends_there_when_it_is_told_to(club: Path) -> None:
    (club / "club" / "mail" / "in" / "new" / "question.eml").write_bytes(b"From: ann@example.org\n\nSTATUS\n")
    assert runs_until_told(club, LACKING).startswith(b"letters handled: ")


def test_letters_come_by_imap_there(tmp_path: Path) -> None:
    raw = b"From: ann@example.org\r\nSubject: RULES\r\n\r\nRULES\r\n"
    mailbox = Mailbox(letters={1: raw})
    folder = tmp_path / "club"
    environment = LACKING | {"REFEREE_IMAP_PASSWORD": "secret"}
    with fake_imap(mailbox) as port:
        make_club(folder, {
            "mail.address": "referee@example.org", "identity.policy": "address", "imap.host": "127.0.0.1",
            "imap.port": port, "imap.security": "none", "imap.user": "referee",
        })  # fmt: skip
        assert referee(tmp_path, "--club", "club", "tick", environment=environment).startswith("letters handled: 1")
        mailbox.letters[2] = raw + b"again\r\n"
        assert runs_until_told(tmp_path, environment).startswith(b"letters handled: 1")


def test_a_letter_that_nothing_limits_there_is_given_up_when_patience_ends() -> None:
    script = """
from referee.reader.wire import Limits, Reader
try:
    Reader(Limits(seconds=0, patience=1)).read(b"From: ann@example.org\\n\\n" + bytes([0xc3, 0xa9]) * 30_000_000)
except Exception as error:
    print(type(error).__name__, error)
"""
    done = run_program([*STRICT, "-c", script], env=LACKING, check=True)
    assert done.stdout == "LetterTooCostly reading the letter takes more than 1 seconds\n"


def test_a_disk_that_takes_no_colon_has_letters_put_away_with_another_mark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rename(old: Path, new: Path) -> None:
        if ":" in Path(new).name:
            raise OSError(errno.EINVAL, "Invalid argument", str(new))
        renamed(old, new)

    renamed = os.rename
    monkeypatch.setattr("os.rename", rename)
    make_maildir(tmp_path)
    (tmp_path / "new" / "a.eml").write_text("From: ann@example.org\n\nhello\n")
    source = MaildirSource(tmp_path)
    (letter,) = source.waiting()
    source.take_out(letter.key)
    assert [each.name for each in (tmp_path / "cur").iterdir()] == ["a.eml;2,S"]
    assert source.bring_back(letter.arrived) == letter.arrived
    assert [each.key for each in source.waiting()] == ["a.eml"]


def test_the_doctor_says_that_macos_limits_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_club(tmp_path / "club", {"mail.address": "referee@example.org"})
    monkeypatch.setattr(examined, "LIMITS_MEMORY", False)
    told = [str(each) for each in examined.folder_findings(read_config(tmp_path / "club"))]
    assert any("does not limit the memory of the process that reads letters" in each for each in told)


def test_a_limit_that_macos_refuses_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(number: int, limits: tuple[int, int]) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr("resource.setrlimit", refused)
    system.limit("AS", 512 * 1024 * 1024)
