"""The answer never grows with the letter: at most 3 kB of any letter is shown, to its player and to the umpire."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.posthouse import PostHouse, text_of
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
    house.send("ann@example.org", text)
    sizes = [len(row.raw) for row in house.ours()[before:]]
    assert sizes
    assert max(sizes) < 36_000


def lines(tag: str, count: int, line: str) -> str:
    """Return so many lines of sixty words each, by which their writer's words are known again in an answer."""
    words = " ".join(f"{tag}{number}" for number in range(60))
    return "\n".join(line.format(number, words) for number in range(count))


@pytest.mark.parametrize("block", ["", "ORDERS RR1 1\n"])
def test_of_a_letter_that_is_long_in_every_way_three_kilobytes_are_shown(house: PostHouse, block: str) -> None:
    begin(house)
    texts = "\n".join(
        f"{head}: {lines('W', 18, '{1}')}\nEND PRESS" for head in ("PRESS", "PRESS TO MGW", "PRESS TO BNC")
    )
    faults = lines("W", 30, "1b) (Dublin) - ZZ{0} {1}") + "\n\n" + lines("W", 30, "Belfast - AC{0} is {1}")
    house.send("ann@example.org", f"{block}{faults}\n{'END' if block else ''}\n{lines('W', 30, 'Why {1}?')}\n{texts}")
    told = house.text("ann@", containing="Your letter")
    assert sum(len(word) + 1 for word in told.split() if word.strip("'?.,").startswith("W")) < 3_500


LONG = " ".join(f"word{number}" for number in range(900))


@pytest.mark.parametrize(
    ("text", "whole"),
    [(f"PRESS: {LONG}", 3), (f"NOTE: {LONG}", 0), (f"PRESS TO MGW: {LONG}", 1)],
)
def test_of_long_press_and_notes_the_beginning_is_shown_and_all_is_printed(
    house: PostHouse, text: str, whole: int
) -> None:
    begin(house)
    before = len(house.ours())
    for player in ("bob@example.net", "cyd@example.org", "ann@example.org"):
        house.write(player, f"PASS\n\n{text if 'ann' in player else ''}")
    house.tick()
    sent = [text_of(each) for each in house.post()[before:] if "@club" not in str(each["To"])]
    assert sum("word899" in each for each in sent) == whole
    answer = house.told("ann@", containing="Your letter")
    assert "beginning alone; all of it is kept" in answer
    assert "word400" not in answer


def test_nor_does_the_question_whether_a_letter_is_ones_own(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", **{"identity.policy": "token"}) as house:
        begin(house)
        house.send("ann@example.org", f"HOME Dublin\n\nPRESS: {LONG}\nEND PRESS\n\nNOTE: {LONG}")
        asked = house.told(containing="Is this letter yours?")
    assert asked.count("beginning alone") == 2
    assert "word400" not in asked
