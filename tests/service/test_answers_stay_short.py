"""The answer never grows with the letter: at most 3 kB of any letter is shown, to its player and to the umpire."""

from __future__ import annotations

import pytest

from tests.posthouse import PostHouse
from tests.service.test_amendments import begin

LETTERS = {
    "a line of 520 kB of words": "steam " * 87_000,
    "a word of 520 kB": "x" * 520_000,
    "an order of 500 kB": "1a) (Dublin) - " + "AB17 - " * 70_000,
    "an order without sense": "1b) " + "zq " * 170_000,
    "3,000 lines that ask": "\n".join(f"I would like to know {number} why" for number in range(2900)),
    "190 faulty orders": "\n".join(f"1a) (Dublin) - ZZ{number} {'y' * 150}" for number in range(190)),
    "2,000 lines below a signature": "1a) none\n-- \n" + "1b) (Dublin) - AB17 \n" * 2000,
    "press of 480 kB": "PRESS: " + "steam " * 80_000,
}


@pytest.mark.parametrize("text", LETTERS.values(), ids=LETTERS)
def test_the_answer_never_grows_with_the_letter(house: PostHouse, text: str) -> None:
    begin(house)
    before = len(house.ours())
    house.write("ann@example.org", text)
    house.tick()
    sizes = [len(row.raw) for row in house.ours()[before:]]
    assert sizes
    assert max(sizes) < 36_000
