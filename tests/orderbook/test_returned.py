"""Lines of our own letters that come back without a mark: known by having been sent, and never taken from what is his."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.core.orders import Term
from referee.orderbook import OrderLanguage, Reading, mark_returned, sent_lines

OURS = """\
RR7: Dampfross, map Ireland
Turn 1: your letter, received Thu 3 Dec 2026, 20:00

Your orders as understood, on today's board:

1a) (Cork) - Bantry
  | roll 5: costs 4, 1 left
1b) (Galway) - J15 - Westport
PASS

The orders of this letter will run.
----------------------------------------
Answer this letter with your orders between these two lines:

ORDERS RR7 1
1a)
1b)
END
"""


@pytest.fixture
def marked(order_language: OrderLanguage, terms: tuple[Term, ...]) -> Callable[[str], list[str]]:
    """Give the lines of a text that are marked as returned."""

    def found(text: str) -> list[str]:
        after = mark_returned(text, sent_lines([OURS]), order_language, terms).split("\n")
        assert [line.removeprefix("> ") for line in after] == [line.removeprefix("> ") for line in text.split("\n")]
        return [line.removeprefix("> ") for line in after if line.startswith("> ")]

    return found


def test_our_letter_below_his_words_is_a_quotation_whole(marked: Callable[[str], list[str]]) -> None:
    assert marked("1a) (Dublin) - Y17\n\nReferee a dit:\n" + OURS) == OURS.rstrip("\n").split("\n")


def test_his_lines_between_ours_stay_his(marked: Callable[[str], list[str]]) -> None:
    text = OURS.replace(
        "1b) (Galway) - J15 - Westport", "1b) (Galway) - J15 - Westport\n1b) (Dublin) - Y17\nMuch better"
    )
    found = marked(text)
    assert "1b) (Galway) - J15 - Westport" in found
    assert not {"1b) (Dublin) - Y17", "Much better"} & set(found)


def test_a_form_into_which_he_wrote_is_his(marked: Callable[[str], list[str]]) -> None:
    found = marked(OURS.replace("1b)\nEND", "1b) (Dublin) - Y17\nEND"))
    assert "The orders of this letter will run." in found
    assert not {"ORDERS RR7 1", "1a)", "END"} & set(found)


@pytest.mark.parametrize(
    "text",
    [
        "1a) (Cork) - Bantry\n1b) (Galway) - J15 - Westport\nPASS\n",
        "ORDERS RR7 1\n1a) (Cork) - Bantry\n1b) (Galway) - J15 - Westport\nEND\n",
        "Hello\nThe orders of this letter will run.\nYes?\n1a) (Cork) - Bantry\n",
        "1a) (Cork) - Bantry\nThe orders of this letter will run.\n1b) (Galway) - J15 - Westport\n1a) (Dublin) - Y17\n",
    ],
    ids=["orders of ours", "the form filled in as before", "one sentence of ours", "a sentence between orders"],
)
def test_what_he_copied_to_order_it_again_is_his(text: str, marked: Callable[[str], list[str]]) -> None:
    assert not [line for line in marked(text) if line.startswith("1")]


def test_a_route_that_goes_on_as_one_of_ours_did_is_his(order_language: OrderLanguage, terms: tuple[Term, ...]) -> None:
    """It is broken at the same place, and END below it was in our form."""
    route = "M29 - L28 - Galway - J15 -\nWestport - K15 - Sligo\n"
    text = f"ORDERS RR7 1\nRUN 2: Cork - N30 -\n{route}END\n"
    assert mark_returned(text, sent_lines([f"{OURS}RUN 1: Dublin -\n{route}"]), order_language, terms) == text


def test_capitals_spaces_and_lines_broken_anew_do_not_hide_ours(marked: Callable[[str], list[str]]) -> None:
    text = (
        OURS.replace("board:", "BOARD:").replace("as understood, on", "as\n   understood,  on").replace("1a)", " 1a) ")
    )
    assert " 1a)  (Cork) - Bantry" in marked("yes\n" + text)


def test_an_old_order_in_a_bare_quotation_orders_nothing(
    order_language: OrderLanguage, terms: tuple[Term, ...], read: Callable[[str], Reading]
) -> None:
    text = mark_returned("1b) (Dublin) - Y17\n\nReferee sa:\n\n" + OURS, sent_lines([OURS]), order_language, terms)
    reading = read(text)
    assert [phrase.text for phrase in reading.phrases] == ["1b) (Dublin) - Y17"]
    assert reading.quoted == ()  # they stand outside the form, and only in a form a quotation has orders
