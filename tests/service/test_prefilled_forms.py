"""The form of a newsletter is filled in with what is on file for the turn already."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from referee.service.umpire.rulings import undo
from tests.posthouse import ANN, BOB, PostHouse, text_of
from tests.service.test_amendments import begin

DECIDED = "2b) (AA18) - Z17"


@pytest.fixture
def newsletter(house: PostHouse) -> EmailMessage:
    """Ann's newsletter of the first turn; her orders for the second were there before it was played."""
    begin(house)
    house.send(ANN, "ORDERS RR1 1\nHOME Dublin\n1a) (Dublin) - AA18\nEND")
    house.clock.advance(minutes=1)
    house.send(ANN, f"ORDERS RR1 2\n{DECIDED}\nEND")
    house.write(BOB, "HOME Belfast")
    assert house.send("cyd@example.org", "PASS").turns == ("RR1/1",)
    house.tick()
    return house.last(ANN, "Ireland: round 1")


def form_of(letter: EmailMessage) -> list[str]:
    text = text_of(letter)
    return text[text.index("\nORDERS RR1 2\n") :].partition("\nEND\n")[0].strip().split("\n")


def sets(house: PostHouse) -> list[str]:
    return [row["text"] for row in house.rows("SELECT text FROM order_sets WHERE turn = 2 AND player = 'GSW'")]


def answer(house: PostHouse, newsletter: EmailMessage, was: str = "", now: str = "") -> str:
    """Answer a newsletter, quoted with a line of its form written anew; return the answer to that."""
    house.clock.advance(hours=1)
    quoted = text_of(newsletter)
    assert quoted.count(was) == 1 or not was
    quoted = quoted.replace(was, now) if was else quoted
    house.reply(
        newsletter, "Hi\n\nOn Monday Railway Referee wrote:\n" + "".join(f"> {x}\n" for x in quoted.split("\n"))
    )
    return house.told(ANN)


def test_the_form_has_the_lines_that_were_sent_beforehand(house: PostHouse, newsletter: EmailMessage) -> None:
    assert form_of(newsletter) == ["ORDERS RR1 2", "2a)", DECIDED, "2c)"]
    page = newsletter.get_body(("html",))
    assert page is not None
    assert f"2a)\n{DECIDED}\n2c)" in page.get_content().replace("\r\n", "\n")
    assert form_of(house.last(BOB, "Ireland: round 1")) == ["ORDERS RR1 2", "2a)", "2b)", "2c)"]


def test_a_line_that_comes_back_as_it_was_stays_as_it_is_on_file(house: PostHouse, newsletter: EmailMessage) -> None:
    """It orders nothing anew, by itself or beside a line that was filled in, and that one does not withdraw it."""
    assert sets(house) == [DECIDED]
    answer(house, newsletter)
    assert sets(house) == [DECIDED]
    told = answer(house, newsletter, "2a)\n", "2a) (AA18) - AA17\n")
    assert sets(house) == [DECIDED, f"{DECIDED}\n2a) (AA18) - AA17"]
    assert "You filled in the order form where you quoted it: its lines count." in told
    assert "The orders of this letter will run. Your orders are in." in told
    assert "withdrawn" not in told


def test_a_corrected_newsletter_has_what_stays_on_file(house: PostHouse, newsletter: EmailMessage) -> None:
    undo(house.club, "RR1", 1, "Bob's letter came in time.", play=True)
    house.tick()
    assert form_of(house.last(ANN, "Ireland: round 1")) == ["ORDERS RR1 2", "2a)", DECIDED, "2c)"]
