"""Whatever strangers, players, servers and files have written, no command lets it steer the umpire's terminal."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import unicodedata
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.cli.base import leaves
from referee.cli.printing import visible
from referee.service.audit.export import format_revealed, revealed
from referee.service.club.tally import alone
from tests.posthouse import ANN, ROOT, PostHouse

EVIL = "\x1b]0;owned\x07\x1b[31m\x9b2J\u202egnitirw\x7f"
SHOWN = "\\x1b"
FILES = {
    "letter.eml": f"From: {ANN}\nSubject: {EVIL}\n\nSTEP 3{EVIL}\n{EVIL} STEP 2\n",
    "map.toml": f'format = "dampfross-map/1"\n"{EVIL}" = 1\ntitle = "{EVIL}'.replace("\x07", "\\u0007"),
    "scenario.toml": f'game = "tinyrace"\n"{EVIL}" = 1\n',
    "game.toml": f'game = "{EVIL}"\n',
    "export.json": json.dumps({"format": EVIL}, ensure_ascii=False),
}

# What each command is called with, `{}` standing for the folder of the files above, and whether something hostile is in what it
# prints there. A command that is missing here is a failure of the test.
CALLS: dict[str, list[tuple[str, bool]]] = {
    "init": [("{}/made", True)],
    "setup": [("{}/made", False)],
    "game new": [("--from {}/game.toml", True)],
    "game list": [("", False)],
    "game watch": [("RR1", True)],
    "game open": [("nosuchgame", False)],
    "game invite": [("RR1 Eve", False)],
    "game signups": [("RR1", False)],
    "game archive": [("RR1", False)],
    "game start": [("RR1", False)],
    "game close": [("RR9 --because x", False)],
    "game end": [("RR9 --because x", False)],
    "forget": [("eve@example.net --yes", False)],
    "import": [("{}/game.toml --passphrase-file {}/game.toml", False)],
    "game faces": [("RR1", False)],
    "game rules": [("RR1", False)],
    "game umpire": [("RR1", False)],
    "game export": [("RR1", False)],
    "status": [("", True), ("--json", False)],
    "deadline": [("RR1", False), ("RR1 2001-01-01", False)],
    "hold": [("RR1", False)],
    "resume": [("RR1", False)],
    "remind": [("RR1 EVE", True)],
    "play": [("RR1 9", False)],
    "calendar": [("RR1", False)],
    "replace": [("RR1 ANN Eve", False)],
    "standby": [("Eve", False)],
    "players": [("", True)],
    "undo": [("RR1 9", False)],
    "orders": [("RR1 ANN -", False)],
    "accept": [("9", False)],
    "adjust": [("RR1", False)],
    "note": [("RR9 hello", False)],
    "write": [("RR1 BOB hello --preview", False)],
    "zine": [("RR1 -o {}/zine.pdf", True)],
    "preview": [("RR9", False)],
    "explain": [("RR1 9", False)],
    "log": [("RR1", False)],
    "dice": [("RR1", False), ("RR1 x/1=3", False)],
    "tick": [("", False)],
    "run": [("", True)],
    "read": [("{}/letter.eml", False), ("{}/letter.eml --json", False)],
    "letters": [("", True)],
    "letter": [("1", True), ("1 --trace", True), ("9", False)],
    "code": [("RR1 ANN", False)],
    "address": [("RR1 BOB", True)],
    "language": [("RR1 BOB", False)],
    "outbox": [("", True)],
    "outbox retry": [("77", False)],
    "metrics": [("", True)],
    "newsletter": [("RR1", False)],
    "render": [("RR1 {}/rendered", True)],
    "publish": [("{}/www", False)],
    "board": [("RR1", False)],
    "replay": [("RR1", False)],
    "map check": [("{}/map.toml", True), ("--game dampfross ireland", False)],
    "map draw": [("{}/map.toml -o {}/map.svg", True)],
    "map edit": [
        ("{}/map.toml --no-browser -o {}/desk.html", True),
        ("ireland --no-browser -o {}/ireland.html", True),
    ],
    "map scan": [("{}/map.toml -o {}/scan.png", True)],
    "map try": [("ireland --games 1", False)],
    "map new": [("--cols 5 --rows 5 -o {}/new.toml", True)],
    "verify": [("RR1", False), ("{}/export.json", True), ("{}/good.json --throws", False)],
    "doctor": [("--local", True), ("--local --json", True)],
    "backup": [("{}/copy", True)],
    "scenario": [("{}/scenario.toml", True)],
    "demo": [("--into {}", True)],
    "desk": [("RR1 -o {}/desk.html", True)],
    "practice": [("--into {}", True)],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A club in a folder with a hostile name, hostile letters and hostile words of its servers in it."""
    made = tmp_path_factory.mktemp("printing") / f"club{EVIL}"
    with PostHouse(made) as house:
        house.begin()
        house.send(ANN, f"STEP 3\n{EVIL}\nNOTE: {EVIL}", subject=f"{EVIL} [RR1]", X_Note=EVIL)
        (made / "files").mkdir()
        (made / "files" / "good.json").write_text(format_revealed(revealed(house.club, "RR1")))
        (made / "maps").mkdir()
        (made / "maps" / f"{EVIL}.toml").write_text(FILES["map.toml"])
    for name, text in FILES.items():
        (made / "files" / name).write_text(text)
    _plant(made / "referee.db")
    return made


def _plant(file: Path) -> None:
    """Put hostile words where the store keeps what others have said."""
    refused = {"count": 3, "at": "2026-12-07T12:00:00.000000Z", "why": EVIL, "settings": "-"}
    pause = {"since": "2026-12-07T12:00:00.000000Z", "until": "2026-12-07T12:00:00.000000Z", "why": EVIL}
    with closing(sqlite3.connect(file, isolation_level=None)) as store:
        store.execute("UPDATE letters SET sender = ?, reason = ?, trace = ?", (f"{EVIL}@x.example", EVIL, EVIL))
        store.execute("UPDATE outbox SET state = 'failed', error = ? WHERE id = 1", (f"550 {EVIL}\n{EVIL}",))
        store.execute("UPDATE players SET name = ?, company = ? WHERE code = 'BOB'", (EVIL, EVIL))
        store.execute("UPDATE players SET address = ? WHERE code = 'BOB'", (f"{EVIL}@x.example",))
        values = ("RR1", f"{EVIL}@x.example", 1, "2026-12-07T12:00:00.000000Z")
        store.execute("INSERT INTO observers (game, address, letter, since) VALUES (?, ?, ?, ?)", values)
        for name, fact in {"imap-refused": refused, "smtp-pause": pause}.items():
            store.execute("INSERT OR REPLACE INTO club VALUES (?, ?)", (name, json.dumps(fact)))


def steering(text: str) -> set[str]:
    """Return what in a text a terminal obeys or hides."""
    return {letter for letter in text if unicodedata.category(letter) in ("Cc", "Cf", "Cs") and letter not in "\n\t"}


def test_every_command_is_looked_at() -> None:
    assert {path for path, _ in leaves("", main)} == set(CALLS)


@pytest.mark.parametrize(
    ("path", "arguments", "hostile"),
    [(path, arguments, hostile) for path, calls in CALLS.items() for arguments, hostile in calls],
)
def test_no_command_prints_what_steers_a_terminal(
    folder: Path, monkeypatch: pytest.MonkeyPatch, path: str, arguments: str, hostile: bool
) -> None:
    monkeypatch.setattr("referee.cli.printing.is_terminal", lambda: True)
    words = [word.replace("{}", str(folder / "files")) for word in arguments.split()]
    with alone(folder / "run.lock"):  # so that `referee run` says why it ends
        result = CliRunner().invoke(main, ["--club", str(folder), *path.split(), *words])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert steering(result.output) == set()
    assert (SHOWN in result.output or "\\u001b" in result.output) == hostile, result.output


@pytest.mark.parametrize(("terminal", "option"), [(False, []), (True, ["--raw"])])
def test_a_letter_is_handed_out_byte_by_byte_into_a_pipe_or_if_it_is_wanted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool, option: list[str]
) -> None:
    monkeypatch.setattr("referee.cli.printing.is_terminal", lambda: terminal)
    result = CliRunner().invoke(main, ["--club", str(folder), "letter", "1", *option])
    with closing(sqlite3.connect(folder / "referee.db")) as store:
        assert [result.stdout_bytes] == list(*store.execute("SELECT raw FROM letters"))
    assert EVIL.encode() in result.stdout_bytes


@pytest.mark.skipif(not Path("/dev/ptmx").exists(), reason="there is no terminal device")
def test_a_letter_shown_on_a_terminal_steers_it_nowhere(folder: Path) -> None:
    screen, terminal = os.openpty()
    command = [sys.executable, "-m", "referee", "--club", str(folder), "letter", "1"]
    subprocess.run(command, cwd=ROOT, stdout=terminal, check=True, timeout=60)
    os.close(terminal)
    shown = os.read(screen, 10_000).decode().replace("\r\n", "\n")
    os.close(screen)
    assert steering(shown) == set()
    assert "\nSTEP 3\n\\x1b]0;owned\\x07\\x1b[31m\\u009b2J\\u202egnitirw\\u007f\nNOTE: " in shown


def test_what_people_write_is_printed_as_it_is() -> None:
    text = "Zoë\t– “Ärger” 中文 👍🏽 a\u00a0b\n"
    assert visible(text) == text
    assert visible(text, "") == text.replace("\t", "\\x09").replace("\n", "\\x0a")


def test_json_with_hostile_words_stays_json() -> None:
    told = {"text": EVIL + "\U000e0001\ud800"}
    assert json.loads(visible(json.dumps(told, ensure_ascii=False))) == told


def test_no_command_prints_otherwise() -> None:
    for path in (ROOT / "referee" / "cli").glob("*.py"):
        assert path.name == "printing.py" or not re.search(r"\bclick\.s?echo|\bprint\(", path.read_text()), path
