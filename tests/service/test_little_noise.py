"""What nobody need be told is told to nobody; what is told says first what counts."""

from __future__ import annotations

import pytest

from tests.posthouse import ANN, UMPIRE, PostHouse
from tests.service.test_amendments import begin

ORDERS = "HOME Dublin\n1a) (Dublin) - AB17\n1b) none\n1c) none"
POLITE = (
    "here are mine for the first turn.",
    "Thank you very much!",
    "Sorry for being so late",
    "Good luck to you all",
    "Have a nice weekend",
    "Viel Glück euch allen",
    "Bonne chance à tous",
    "Veel succes allemaal",
)


def answer(house: PostHouse, text: str) -> str:
    house.clock.advance(minutes=1)
    return house.says(ANN, text)


@pytest.mark.parametrize("line", POLITE)
def test_a_polite_line_is_not_mailed_to_the_umpire(house: PostHouse, line: str) -> None:
    begin(house)
    answer(house, f"Hi Peter,\n{line}\n\n{ORDERS}\n")
    assert house.post(UMPIRE) == []


def test_of_a_faulty_second_set_the_answer_says_first_that_it_will_not_run(house: PostHouse) -> None:
    begin(house)
    assert "WILL NOT RUN" not in answer(house, ORDERS)
    told = answer(house, ORDERS.replace("1b) none", "1b) (AZ1) - AB3"))
    assert told.index("WILL NOT RUN as they stand") < told.index("HOME Dublin") < told.index("have faults")


@pytest.mark.parametrize("signature", ["Railway poet", "Name: Ann", "Join us on the net"])
def test_a_signature_is_told_to_nobody(house: PostHouse, signature: str) -> None:
    begin(house)
    assert "below your signature" not in answer(house, f"{ORDERS}\n-- \nAnn\n{signature}\n")
