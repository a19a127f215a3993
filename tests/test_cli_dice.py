"""The command ``referee dice``: what is asked for, what was typed, and nothing of what the seeds will show."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from tests.posthouse import ANN, BOB, PostHouse

PLAYERS = ("--player", f"ANN:red:Ann <{ANN}>", "--player", f"BOB:blue:Bob <{BOB}>")
Run = Callable[..., Result]


@pytest.fixture
def run(house: PostHouse) -> Run:
    return lambda *arguments: CliRunner().invoke(main, ["--club", str(house.folder), *arguments])


def new_game(run: Run, *options: str) -> None:
    chosen = [part for option in ("two_players=david", *options) for part in ("--option", option)]
    if "roll=typed" in options:
        chosen += [part for roll in (1, 2, 3) for part in ("--throw", f"rolls/1/{roll}={roll + 4}")]
    assert run("game", "new", "dampfross", "--map", "ireland", *PLAYERS, *chosen).exit_code == 0


def test_a_turn_s_throws_are_listed_and_typed_by_name(run: Run) -> None:
    new_game(run, "roll=typed")
    assert run("dice", "RR1").stdout == (
        "RR1, turn 1: 3 throws are to be typed before it is played.\n"
        "rolls/2/1\t1-9\tto be typed\nrolls/2/2\t1-9\tto be typed\nrolls/2/3\t1-9\tto be typed\n"
    )
    told = run("dice", "rr1", "rolls/2/1=7", "rolls/2/3=4")
    assert told.stdout == (
        "RR1, turn 1: 1 throw is to be typed before it is played.\n"
        "rolls/2/1\t1-9\t7\nrolls/2/2\t1-9\tto be typed\nrolls/2/3\t1-9\t4\n"
    )
    assert run("dice", "RR1").stdout == told.stdout
    run("dice", "RR1", "rolls/2/2=1", "rols/3/1=2", "--forget", "rolls/2/1")
    assert run("dice", "RR1").stdout.splitlines()[1:] == [
        "rolls/2/1\t1-9\tto be typed",
        "rolls/2/2\t1-9\t1",
        "rolls/2/3\t1-9\t4",
        "rols/3/1\t\t2, but with today's orders nothing asks for it (did you mean rolls/2/1?)",
    ]
    run("dice", "RR1", "rolls/2/1=6")
    assert run("dice", "RR1").stdout.startswith("RR1, turn 1: no throw needs to be typed any more.\n")


def test_of_what_seeds_make_the_names_are_listed_and_not_the_numbers(run: Run) -> None:
    new_game(run)
    assert run("dice", "RR1").stdout == (
        "RR1, turn 1: no throw needs to be typed.\nrolls/2/1\t1-6\tseed\nrolls/2/2\t1-6\tseed\nrolls/2/3\t1-6\tseed\n"
    )


def test_a_long_list_of_seeded_throws_is_cut(run: Run) -> None:
    """The draw of all races asks for hundreds of throws."""
    new_game(run, "building_ends=rounds:1")
    lines = run("dice", "RR1").stdout.splitlines()
    assert len(lines) < 30
    assert [line.split("\t")[0] for line in lines if "more by the seed" in line] == ["schedule/1/...", "schedule/2/..."]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("RR9",), 65, "there is no game RR9"),
        (("RR1", "--forget", "rolls/2/1"), 65, "no throw 'rolls/2/1' was typed for turn 1 of RR1"),
        (("RR1", "rolls/2/1=10"), 78, "throw rolls/2/1=10: 1 to 9 possible"),
        (("RR1", "5"), 78, "throw '5': write its name and a number, as rolls/2/1=5"),
        (("RR1", "rolls/2/1=1", "rolls/2/1=2"), 2, "rolls/2/1 is typed twice"),
        (("RR1", "rolls/2/1"), 78, "a whole number from 1 to 999 is expected"),
    ],
)
def test_what_cannot_be_typed_is_one_sentence(run: Run, arguments: tuple[str, ...], code: int, words: str) -> None:
    new_game(run, "roll=typed")
    told = run("dice", *arguments)
    assert (told.exit_code, told.stdout) == (code, "")
    assert words in told.stderr


def test_a_pass_names_the_turns_that_wait_and_verify_the_throws_that_were_typed(
    run: Run, house: PostHouse, tmp_path: Path
) -> None:
    new_game(run, "roll=typed")
    for sender in (ANN, BOB):
        os.utime(house.write(sender, "ORDERS RR1 1\nPASS\nEND"))  # commands go by the machine's clock
    told = run("tick")
    assert told.exit_code == 0
    assert "turn RR1/1 waits for throws that you type: see `referee dice RR1`\n" in told.stdout
    run("dice", "RR1", "rolls/2/1=7", "rolls/2/2=3", "rolls/2/3=3")
    assert "turns played: RR1/1" in run("tick").stdout
    listed = run("verify", "RR1", "--throws")
    assert listed.exit_code == 0
    assert "turn 1\trolls/2/1\td9\t7\ttyped\n" in listed.stdout
    assert "turn 0\trolls/1/1\td9\t5\ttyped\n" in listed.stdout
    assert "\nTyped: 6 throws of the umpire's own dice, which no seed can prove; by turn: 0, 1.\n" in listed.stdout
    file = tmp_path / "game.json"
    run("game", "export", "RR1", "-o", str(file))
    assert run("verify", str(file)).stdout == run("verify", "RR1").stdout
