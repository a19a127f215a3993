"""What is wrong with a line of a letter stands below the order that came of it, in text and on the page."""

from __future__ import annotations

import re

import pytest

from referee.mail.letter.htmltext import html_text
from tests.posthouse import ANN, PostHouse, text_of
from tests.service.test_amendments import begin

LETTERS = (
    (
        "dampfross",
        "ireland",
        "HOME Dublin\n1a) (Dublin) - AB17\n1b) (AZ1) - AB3\n1c) none",
        r"1b\) none Not in order: line 3: hex 'AZ1' is not on this map .{20,40} roll 3",
    ),
    (
        "volldampf",
        "deutschland-1925",
        "BONDS 30\nLIMIT 4\nRANK 1, 2",
        r"BONDS 30 .{0,400}(?:Beware|Please note|Not in order): line 1: .*LIMIT 4",
    ),
)


@pytest.mark.parametrize(("kind", "board", "text", "told"), LETTERS, ids=["dampfross", "volldampf"])
def test_a_complaint_stands_below_its_line(house: PostHouse, kind: str, board: str, text: str, told: str) -> None:
    begin(house, kind, board)
    house.send(ANN, text)
    answer = house.last(ANN)
    page = answer.get_body(("html",))
    assert page is not None
    for version in (text_of(answer), html_text(str(page.get_content()))):
        assert re.search(told, " ".join(re.sub("[|>]", " ", version).split())), version
    assert "nothing of this can be laid" not in text_of(answer)
