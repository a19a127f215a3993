"""The same orders as thirty-four programs and hands send them (``programs/*.eml``): each arrives as it was meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.posthouse import ANN, UMPIRE, PostHouse
from tests.service.test_amendments import begin

LETTERS = sorted((Path(__file__).parent / "programs").glob("*.eml"))
MEANT = ("HOME Dublin", "1a) (Dublin) - AB17", "1b) none", "1c) (AB17) - AB16")


@pytest.mark.parametrize("letter", LETTERS, ids=lambda path: path.stem)
def test_a_letter_arrives_as_it_was_meant(house: PostHouse, letter: Path) -> None:
    """It is filed, clean, and nothing in it is told as not read, left to the umpire or waiting for a word."""
    begin(house)
    house.clock.advance(hours=1)
    house.drop(letter.read_bytes())
    house.tick()
    told = house.told(ANN)
    rows = house.rows("SELECT * FROM order_sets")
    assert [bool(row["clean"]) for row in rows] == [True], told
    assert all(line in told.partition("On file for turn 1")[0] for line in MEANT), told
    assert "The orders of this letter will run." in told
    assert "not read as orders" not in told
    assert house.post(UMPIRE) == []


def test_there_are_as_many_as_the_page_says() -> None:
    assert len(LETTERS) == 34
