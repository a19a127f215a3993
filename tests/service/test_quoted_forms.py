"""The order form filled in where a mail program quotes it."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage

import pytest

from tests.posthouse import ANN, REFEREE, PostHouse, text_of

QUOTED = "You filled in the order form where you quoted it: its lines count."
WILL_RUN = "The orders of this letter will run."
Program = Callable[[str], str]


def marked(text: str) -> str:
    lines = "".join(f"> {line}".rstrip() + "\n" for line in text.split("\n"))
    return f"On Mon, 7 Dec 2026 at 13:00, Railway Referee <{REFEREE}> wrote:\n{lines}"


def outlook(text: str) -> str:
    header = f"From: Railway Referee <{REFEREE}>\nSent: Monday, 7 December 2026 13:00\nTo: Ann <{ANN}>\nSubject: [RR1] turn 1\n"
    return f"\n________________________________\n{header}\n{text}"


def old_outlook(text: str) -> str:
    header = f"From: Railway Referee [mailto:{REFEREE}]\nSent: Monday, 7 December 2026 13:00\nTo: Ann\nSubject: [RR1] turn 1\n"
    return f"\n-----Original Message-----\n{header}\n{text}"


def yahoo(text: str) -> str:
    return f"\nOn Monday, December 7, 2026, 13:00:00 GMT, Railway Referee <{REFEREE}> wrote:\n\n{text}"


def bare(text: str) -> str:
    return f"\n{text}"


def twice_marked(text: str) -> str:
    return "".join(f">> {line}\n" for line in text.split("\n"))


PROGRAMS = (marked, outlook, old_outlook, yahoo, bare, twice_marked)
every_program = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)


@pytest.fixture(autouse=True)
def newsletter(house: PostHouse) -> EmailMessage:
    house.begin()
    return house.post(ANN)[0]


def filled(newsletter: EmailMessage, *lines: str) -> str:
    """Return our letter with lines written into its form."""
    text = text_of(newsletter)
    assert text.count("ORDERS RR1 1\n") == 1
    before, form, behind = text.partition("ORDERS RR1 1\n")
    blank, end, rest = behind.partition("END\n")
    assert blank == "STEP\n"
    return before + form + "\n".join(lines) + "\n" + end + rest


def answer_to(house: PostHouse, newsletter: EmailMessage, text: str) -> str:
    house.clock.advance(minutes=1)
    house.reply(newsletter, text)
    return house.told(ANN)


def sets(house: PostHouse) -> list[tuple[str, bool, bool]]:
    """Return of each set its lines, whether it is clean, and whether it waits for a word."""
    return [
        (row["text"], bool(row["clean"]), bool(row["doubtful"]))
        for row in house.rows("SELECT text, clean, doubtful FROM order_sets")
    ]


@every_program
def test_a_form_that_is_filled_in_where_it_is_quoted_counts(
    house: PostHouse, newsletter: EmailMessage, program: Program
) -> None:
    told = answer_to(house, newsletter, "Hi, see below.\n\nAnn\n" + program(filled(newsletter, "STEP 2")))
    assert sets(house) == [("STEP 2", True, False)]
    assert WILL_RUN in told


@pytest.mark.parametrize("program", [marked, outlook, old_outlook, yahoo], ids=lambda program: program.__name__)
def test_the_answer_says_so(house: PostHouse, newsletter: EmailMessage, program: Program) -> None:
    assert QUOTED in answer_to(house, newsletter, program(filled(newsletter, "STEP 2")))


@every_program
def test_a_form_that_comes_back_blank_orders_nothing(
    house: PostHouse, newsletter: EmailMessage, program: Program
) -> None:
    told = answer_to(house, newsletter, "What a game!\n" + program(text_of(newsletter)))
    assert sets(house) == []
    assert "Not in order" not in told


@every_program
def test_orders_above_an_empty_form_count_as_ever(house: PostHouse, newsletter: EmailMessage, program: Program) -> None:
    told = answer_to(house, newsletter, "STEP 1\n\n" + program(text_of(newsletter)))
    assert sets(house) == [("STEP 1", True, False)]
    assert "quoted" not in told


@every_program
def test_orders_above_and_others_in_the_form_are_asked_back(
    house: PostHouse, newsletter: EmailMessage, program: Program
) -> None:
    told = answer_to(house, newsletter, "STEP 1\n\n" + program(filled(newsletter, "STEP 2")))
    unmarked = program is bare
    assert sets(house) == [("STEP 2" if unmarked else "STEP 1", False, False)]
    assert ("'STEP 1' looks like an order" if unmarked else "Orders stand above, and others in the form") in told
    assert "will run" in answer_to(house, newsletter, "CONFIRM")


def test_the_same_orders_above_and_in_the_form_are_one(house: PostHouse, newsletter: EmailMessage) -> None:
    answer_to(house, newsletter, "STEP 2\n\n" + marked(filled(newsletter, "STEP 2")))
    assert sets(house) == [("STEP 2", True, False)]


def test_two_forms_that_say_the_same_are_one(house: PostHouse, newsletter: EmailMessage) -> None:
    text = filled(newsletter, "STEP 2")
    answer_to(house, newsletter, marked(f"{text}\n{text}"))
    assert sets(house) == [("STEP 2", True, False)]


def test_a_form_filled_in_twice_differently_is_not_guessed(house: PostHouse, newsletter: EmailMessage) -> None:
    told = answer_to(house, newsletter, marked(filled(newsletter, "STEP 2") + filled(newsletter, "STEP 1")))
    assert sets(house) == []
    assert "two different sets between ORDERS and END" in told


def test_a_form_of_another_letter_of_his_own_is_asked_back(house: PostHouse, newsletter: EmailMessage) -> None:
    """What he sent once stands in the quotation of his own letter too, without what we wrote above it."""
    own = "Hello Peter,\n\nORDERS RR1 1\nSTEP 2\nEND\n\nAnn"
    told = answer_to(house, newsletter, "Did you get this?\n\n" + marked(own))
    assert sets(house) == [("STEP 2", False, True)]
    assert "stood in a quotation, so they stand beside and will not run" in told
    assert "STEP 2" in told
    assert "Nothing on file will run as it stands." in told
    assert "The confirmed orders will run" in answer_to(house, newsletter, "Yes, confirm please.")


def test_other_orders_in_the_quotation_are_asked_back_too(house: PostHouse, newsletter: EmailMessage) -> None:
    told = answer_to(
        house, newsletter, marked("STEP 3 is what I had in mind first\nSTEP 3\n" + filled(newsletter, "STEP 2"))
    )
    assert sets(house) == [("STEP 2", False, True)]
    assert "answer with the one word CONFIRM" in told


def test_a_form_of_another_turn_waits_for_a_word(house: PostHouse, newsletter: EmailMessage) -> None:
    text = filled(newsletter, "STEP 2").replace("ORDERS RR1 1", "ORDERS RR1 4")
    answer_to(house, newsletter, marked(text))
    assert sets(house) == [("STEP 2", False, True)]
