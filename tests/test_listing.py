"""Listings: a table for people, lines with tabs for scripts, JSON for programs; the shell completes commands."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from referee.cli.base import EXAMPLES, leaves
from tests.posthouse import ANN, Clubs, PostHouse

LISTINGS = {
    "game list": ("RR1", "game", "kind", "status", "turn", "deadline"),
    "letters": ("parked", "number", "arrived", "status", "sender", "game", "reason"),
    "outbox": ("waiting", "number", "status", "tries", "next_try", "recipient", "game", "what", "reason"),
    "standby": ("cecil@example.com", "name", "address", "since"),
}


@pytest.fixture
def listed(house: PostHouse) -> PostHouse:
    """A club with something in each of its listings."""
    house.game()
    house.send(ANN, "x" * 2_100_000)
    house.game()
    assert house.command("standby", "Cecil <cecil@example.com>").returncode == 0
    return house


def on_terminal(house: PostHouse, monkeypatch: pytest.MonkeyPatch, *words: str, color: bool = True) -> Result:
    monkeypatch.setattr("referee.cli.printing.is_terminal", lambda: True)
    return CliRunner().invoke(main, ["--club", str(house.folder), *words], color=color)


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


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("game ex", ["plain,export"]),
        ("--club {} verify --json", ["plain,--json"]),
        ("--club {} preview r", ["plain,RR1"]),
        ("--club {} preview RR9", []),
        ("--club /nowhere preview R", []),
    ],
)
def test_the_shell_completes_commands_and_games(house: PostHouse, typed: str, completed: list[str]) -> None:
    house.game()
    words = {"_REFEREE_COMPLETE": "bash_complete", "COMP_WORDS": f"referee {typed.format(house.folder)}"}
    done = subprocess.run(
        [str(Path(sys.executable).parent / "referee")],
        env={**os.environ, **words, "COMP_CWORD": str(len(typed.split()))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == completed


def test_colours_are_left_out_where_nobody_wants_them(listed: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = on_terminal(listed, monkeypatch, "letters").stdout
    assert "parked" in shown
    assert "\x1b[" not in shown


@pytest.mark.parametrize(("path", "command"), tuple(leaves("", main)), ids=lambda value: str(value))
def test_every_command_has_an_example_in_its_help(path: str, command: click.Command) -> None:
    told = CliRunner().invoke(main, [*path.split(), "--help"]).output
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
