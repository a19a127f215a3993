"""The page on the dice tells the truth: its example recomputes a throw of a newsletter without the referee."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from referee.core.dice import SeededDice, next_seed, salted
from referee.service.audit.export import format_revealed
from referee.service.audit.log import revealed
from referee.service.audit.verify import verify_game
from referee.service.turns.newgames import new_game
from referee.service.turns.preview import type_throws
from referee.service.turns.proposals import Proposal, parse_player
from referee.service.umpire.undo import undo
from tests.posthouse import ANN, BOB, PostHouse, text_of

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "dice.md").read_text("utf-8")
EXAMPLE: str
EXAMPLE, _ = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def run(example: str) -> list[str]:
    """Run an example in a Python of its own that sees no module but the standard library's."""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", example], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def filled_in(**values: str) -> str:
    """Return the example with other values for its names."""
    text = EXAMPLE
    for name, value in values.items():
        text, found = re.subn(rf'^{name} = ".*?"', f'{name} = "{value}"', text, flags=re.MULTILINE)
        assert found == 1
    return text


def test_the_example_of_the_page_is_short_and_says_what_it_should() -> None:
    told = dict(re.findall(r'^(\w+) = "(.*?)"', EXAMPLE, re.MULTILINE))
    assert len([line for line in EXAMPLE.splitlines() if line]) <= 10
    assert next_seed(told["seed"]) == told["previous"]
    number = SeededDice(salted(told["seed"], told["salts"])).throw("race/7/2/GSW", 6)
    assert run(EXAMPLE) == ["The seed leads to the one before: True", f"The throw: {number}"]


def test_the_example_recomputes_a_throw_from_a_newsletter(house: PostHouse) -> None:
    house.game()
    for more in ("\nSALT pepper", ""):
        house.write(ANN, f"STEP 1{more}")
        house.write(BOB, "STEP 1")
        house.tick()
    letter = text_of(house.post(ANN)[-1])
    told = {
        name: re.sub(r"\s+", " ", re.search(rf"{words}:\s+(.*)", letter)[1])  # type: ignore[index]
        for name, words in {
            "seed": "Seed of this turn",
            "previous": "Its SHA-256 is the seed before it",
            "salts": "The players' salts",
        }.items()
    }
    example = filled_in(**told).replace('"race/7/2/GSW", 6', '"wind/2", 2')
    leads, throw = run(example)
    assert leads == "The seed leads to the one before: True"
    assert throw == f"The throw: {verify_game(house.club, 'RR1').throws[1].number}"


def test_without_salts_the_example_throws_from_the_seed() -> None:
    number = SeededDice("some seed").throw("race/7/2/GSW", 6)
    assert run(filled_in(seed="some seed", salts=""))[1] == f"The throw: {number}"


def checked(game: Path) -> tuple[int, str]:
    """Run the checker over an export, in a Python of its own that sees no module but the standard library's."""
    words = [sys.executable, "-I", "-S", str(DOCS / "check_dice.py"), str(game)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_the_checker_without_a_file_says_what_it_is_for() -> None:
    words = [sys.executable, "-I", "-S", str(DOCS / "check_dice.py")]
    told = subprocess.run(words, capture_output=True, text=True, check=False).stderr
    assert told.startswith("Checks the dice of a game")
    assert "Traceback" not in told


def test_the_checker_works_out_a_whole_game_without_the_referee(tmp_path: Path) -> None:
    """A game with salt, typed throws and a turn that was undone; then one throw of it is altered."""
    players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "BNC:green:Cate <cate@example.org>")
    with PostHouse(tmp_path / "club") as house:
        new_game(house.club, Proposal(kind="dampfross", board="ireland", players=tuple(map(parse_player, players))))
        house.write(ANN, "SALT pepper")
        house.write(BOB, "SALT dill")
        house.tick()
        house.clock.advance(days=15)
        house.tick()
        type_throws(house.club, "RR1", {"rolls/3/1": 6}, ())
        for _ in range(2):
            house.clock.advance(days=15)
            house.tick()
        undo(house.club, "RR1", 3, "a slip", play=True)
        (tmp_path / "RR1.json").write_text(format_revealed(revealed(house.club, "RR1")), "utf-8")
    export = json.loads((tmp_path / "RR1.json").read_text("utf-8"))
    assert [bool(each["salts"]) for each in export["turns"]] == [False, True, True, True]
    assert any("typed" in each for each in export["turns"])
    code, told = checked(tmp_path / "RR1.json")
    assert (code, told) == (0, f"4 turns, 12 throws; the newest hash: {export['last']['hash']}\nAll as it should be.\n")
    for event in export["turns"][2]["events"]:
        if event["kind"] == "RollsThrown":
            event["rolls"][1] = event["rolls"][1] % 6 + 1
    (tmp_path / "RR1.json").write_text(json.dumps(export), "utf-8")
    code, told = checked(tmp_path / "RR1.json")
    assert code == 1
    assert "turn 2: its hash does not cover what stands there\nturn 2: rolls/3/2 is not" in told
