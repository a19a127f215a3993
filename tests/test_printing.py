"""What commands print: lists, letters, shades."""

import json
import os
import re
import shlex
import sqlite3
import subprocess
import sys
import unicodedata
from contextlib import closing
from itertools import combinations
from pathlib import Path

import click
import pytest
from click.testing import Result
from coloraide import Color

from referee.cli import main
from referee.cli.base import EXAMPLES, leaves
from referee.cli.printing import visible
from referee.core.picture import INK, SHADES, brightness, is_bright
from referee.core.picture.legend import Look
from referee.games import games
from referee.games.dampfross.report import picture as palette
from referee.games.dampfross.report.picture import line_styles
from referee.service.tally import alone
from tests.forkedcommands import run_here, run_program
from tests.posthouse import ANN, ROOT, Clubs, PostHouse
from tests.tables import Tables

CASES = Tables(__file__)

# Whatever strangers, players, servers and files have written, no command lets it steer the umpire's terminal.


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
CALLS: dict[str, list[tuple[str, bool]]] = CASES.frozen("CALLS")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A club in a folder with a hostile name, hostile letters and hostile words of its servers in it."""
    made = tmp_path_factory.mktemp("printing") / f"club{EVIL}"
    with PostHouse(made) as house:
        house.begin()
        house.send(ANN, f"STEP 3\n{EVIL}\nNOTE: {EVIL}", subject=f"{EVIL} [RR1]", X_Note=EVIL)
        (made / "files").mkdir()
        (made / "files" / "good.json").write_text(house.export())
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
        result = run_here("--club", folder, *path.split(), *words)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert steering(result.output) == set()
    assert (SHOWN in result.output or "\\u001b" in result.output) == hostile, result.output


@pytest.mark.parametrize(("terminal", "option"), [(False, []), (True, ["--raw"])])
def test_a_letter_is_handed_out_byte_by_byte_into_a_pipe_or_if_it_is_wanted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, terminal: bool, option: list[str]
) -> None:
    monkeypatch.setattr("referee.cli.printing.is_terminal", lambda: terminal)
    result = run_here("--club", folder, "letter", "1", *option)
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


# Listings: a table for people, lines with tabs for scripts, JSON for programs; the shell completes commands.


LISTINGS = CASES.frozen("LISTINGS")


@pytest.fixture
def listed(race: PostHouse) -> PostHouse:
    """A club with something in each of its listings."""
    race.send(ANN, "x" * 2_100_000)
    race.game()
    return race


def on_terminal(house: PostHouse, monkeypatch: pytest.MonkeyPatch, *words: str, color: bool = True) -> Result:
    monkeypatch.setattr("referee.cli.printing.is_terminal", lambda: True)
    return run_here("--club", house.folder, *words, color=color)


@pytest.mark.parametrize("words", LISTINGS)
def test_a_listing_is_a_table_lines_or_json(listed: PostHouse, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, *names = LISTINGS[words]
    lines = listed.command(*words.split()).stdout.splitlines()
    assert all(line.count("\t") == len(names) - 1 for line in lines)
    assert any(shown in line for line in lines)
    rows = json.loads(listed.command(*words.split(), "--json").stdout)
    assert (len(rows), [*rows[0]][: len(names)]) == (len(lines), names)
    table = on_terminal(listed, monkeypatch, *words.split(), color=False).stdout.splitlines()
    assert len(table) == len(lines) + 1
    assert "\t" not in table[0] + table[1]
    assert (table[0].split()[0], any(shown in line for line in table)) == (names[0].replace("number", "no"), True)


def test_colours_are_for_terminals(listed: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[31mparked" in on_terminal(listed, monkeypatch, "letters").stdout
    assert "\x1b" not in listed.command("letters").stdout
    assert "\x1b" not in listed.command("doctor", "--local").stdout


def test_times_are_local_on_a_terminal_and_utc_in_a_pipe(club: Clubs, monkeypatch: pytest.MonkeyPatch) -> None:
    house = club(club__zone="America/New_York")
    house.game(rhythm={"days": 7, "zone": "UTC", "hour": "20:00"})
    assert "T20:00:00Z" in house.command("game", "list").stdout
    assert "15:00" in on_terminal(house, monkeypatch, "game", "list").stdout


def test_one_letter_the_throws_and_a_replay_are_json_too(listed: PostHouse) -> None:
    letter = json.loads(listed.command("letters", "1", "--json").stdout)
    assert (letter["number"], letter["status"]) == (1, "parked")
    assert letter["read"].startswith("letter 1 from")
    assert json.loads(listed.command("dice", "RR1", "--json").stdout)["game"] == "RR1"
    assert json.loads(listed.command("game", "watch", "RR1", "--json").stdout)["observers"] == []
    played = json.loads(listed.command("replay", "RR1", "--json").stdout)
    assert [each["differs"] for each in played["turns"]] == [[]]


def test_what_prints_a_line_each_has_json() -> None:
    lists = [
        path
        for path, command in leaves("", main)
        if "line each" in (command.help or "") and not any("--json" in option.opts for option in command.params)
    ]
    assert lists == ["map check"]  # faults of files, as compilers tell them


@CASES.rows
def test_the_shell_completes_commands_and_games(race: PostHouse, typed: str, completed: list[str]) -> None:
    words = {"_REFEREE_COMPLETE": "bash_complete", "COMP_WORDS": f"referee {typed.format(race.folder)}"}
    done = run_program(
        [str(Path(sys.executable).parent / "referee")],
        env={**os.environ, **words, "COMP_CWORD": str(len(typed.split()))},
    )
    assert done.stdout.split() == completed


def test_colours_are_left_out_where_nobody_wants_them(listed: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = on_terminal(listed, monkeypatch, "letters").stdout
    assert "parked" in shown
    assert "\x1b[" not in shown


@pytest.mark.parametrize(("path", "command"), tuple(leaves("", main)), ids=lambda value: str(value))
def test_every_command_has_an_example_in_its_help(path: str, command: click.Command) -> None:
    told = run_here(*path.split(), "--help").output
    assert "Example" in told
    assert f"referee {path}" in told or f"/club {path}" in told


@pytest.mark.parametrize("path", EXAMPLES)
def test_every_example_is_a_command_line(path: str) -> None:
    """Its words and options are the command's own; what they name need not be there."""
    for line in EXAMPLES[path]:
        words = shlex.split(line)
        words = words[2:] if words[0] == "--club" else words
        names = path.split()
        assert words[: len(names)] == names
        command: click.Command = main
        for name in names:
            assert isinstance(command, click.Group)
            command = command.commands[name]
        context = click.Context(command, info_name=path)
        _, rest, _ = command.make_parser(context).parse_args(words[len(names) :])
        assert rest == [] or isinstance(command, click.Group)


# The colours of players and companies: apart for readers who see no red or no green, and like the words they are chosen by.


APART = 16  # CIEDE2000; 3.6 were the nearest of the colours before these

# What people call by these words most often (the survey of xkcd.com, public domain).
WORDS = {
    "red": "#e50000",
    "blue": "#0343df",
    "green": "#15b01a",
    "black": "#000000",
    "orange": "#f97306",
    "purple": "#7e1e9c",
    "yellow": "#ffff14",
    "brown": "#653700",
    "pink": "#ff81c0",
}


def distance(one: str, other: str, sight: str = "") -> float:
    """Return how far two colours are apart to an eye, in CIEDE2000."""
    seen = [Color(shade).filter(sight, method="brettel") if sight else Color(shade) for shade in (one, other)]
    return float(seen[0].delta_e(seen[1], method="2000"))


@pytest.mark.parametrize("sight", ["", "protan", "deutan"])
def test_every_two_colours_lie_apart_to_every_eye(sight: str) -> None:
    near = {(one, other): distance(SHADES[one], SHADES[other], sight) for one, other in combinations(SHADES, 2)}
    assert min(near.values()) > APART, min(near, key=lambda pair: near[pair])


@pytest.mark.parametrize("word", SHADES)
def test_a_colour_looks_more_like_its_own_word_than_like_another(word: str) -> None:
    assert min(WORDS, key=lambda other: distance(SHADES[word], WORDS[other])) == word


def test_both_games_offer_the_same_colours() -> None:
    for name in ("dampfross", "volldampf"):
        assert set(games()[name].colours) <= set(SHADES)


def test_only_yellow_is_hardly_seen_on_white_and_has_dark_edges() -> None:
    assert [word for word, shade in SHADES.items() if is_bright(shade)] == ["yellow"]
    for place in range(palette.PATTERNS):
        yellow = line_styles(Look(code="A", name="", colour="yellow"), place)
        coloured = [style for style in yellow if style.stroke == SHADES["yellow"]]
        edges = [style for style in yellow if style.stroke == INK]
        assert [(style.width + 4, style.dash) for style in coloured] == [(style.width, style.dash) for style in edges]
        assert yellow[: len(edges)] == tuple(edges)
        red = line_styles(Look(code="A", name="", colour="red"), place)
        assert INK not in {style.stroke for style in red}


def test_brightness_is_that_of_the_eye() -> None:
    assert [brightness(shade) for shade in ("#000000", "#ffffff", "#00ff00", "#0000ff")] == [0, 255, 149, 29]
