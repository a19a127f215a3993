"""The page on the dice tells the truth: its example recomputes a throw of a newsletter without the referee."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from referee.core.dice import SeededDice, next_seed, salted
from tests.posthouse import ANN, BOB, PostHouse, text_of

PAGE = (Path(__file__).parent.parent / "docs" / "dice.md").read_text("utf-8")
EXAMPLE: str
(EXAMPLE,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


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
    house.write(ANN, "STEP 1\nSALT pepper")
    house.write(BOB, "STEP 1\nSALT dill")
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
    example = filled_in(**told).replace('"race/7/2/GSW", 6', '"wind/1", 2')
    leads, throw = run(example)
    assert leads == "The seed leads to the one before: True"
    wind = int(throw.removeprefix("The throw: "))
    assert f"ANN stands on {1 + wind}" in letter


def test_without_salts_the_example_throws_from_the_seed() -> None:
    number = SeededDice("some seed").throw("race/7/2/GSW", 6)
    assert run(filled_in(seed="some seed", salts=""))[1] == f"The throw: {number}"
