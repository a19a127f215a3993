"""Exact or asked: a line of a player's own that looks like an order and was not read keeps his turn from being played early."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.posthouse import PostHouse
from tests.service.test_dampfross_letters import ANN, BOB, CYD, begin, builds_told, told
from tests.service.test_quoted_forms import bare, marked

# Each is a way to write two builds that nothing reads.
UNREAD = {
    "a route": "HOME Belfast\nthen AD7 to AC7 and on - with luck - to AB7 it is, I say, whatever the others do",
    "prose": "HOME Belfast\nI would like to build from Belfast to AC7, then from AC7 to AB7",
    "behind a word": "HOME Belfast\nNo, HOME Dublin",
    "behind a bar": "HOME Belfast\n| 1a) (Belfast) - AC7",
    "below much else": "HOME Belfast\n" + "Hello again\n" * 400 + "No, 1a) (Belfast) - AC7",
    "outside": "ORDERS\nHOME Belfast\nEND\n1a) (Belfast) - AC7",
}


@pytest.mark.parametrize("text", UNREAD.values(), ids=UNREAD)
def test_what_may_be_an_order_and_is_not_read_is_asked_and_its_turn_waits(house: PostHouse, text: str) -> None:
    begin(house, "ireland", players=3)
    house.write(BOB, "HOME Dublin")
    house.write(CYD, "HOME Dublin")
    assert house.send(ANN, text).turns == ()
    answer = told(house, ANN)
    _, _, below = answer.partition("Not everything in your letter was understood:")
    assert 0 < below.index("'" + text.splitlines()[-1].lstrip("| ")[:20]) < below.index("Your orders as understood")
    assert not {"These lines were not read", "Not in order"} & {*answer.split(":")}
    assert "please look" in house.last(ANN)["Subject"]
    assert house.send(ANN, "CONFIRM").turns == ("RR1/1",)


def test_where_it_is_written_otherwise_the_turn_is_played(house: PostHouse) -> None:
    begin(house, "ireland", players=3)
    house.write(BOB, "HOME Dublin")
    house.write(CYD, "HOME Dublin")
    assert house.send(
        ANN, "HOME Belfast\n\nHi Peter, 2 more rounds - and then? I loved Dublin. Run 7 was great!\n"
    ).turns == ("RR1/1",)


def test_a_letter_of_such_lines_alone_says_how_they_would_be_written(house: PostHouse) -> None:
    begin(house, "ireland", players=3)
    answer = house.says(ANN, "So 1a from AD7 to AC7 then")
    assert "Not everything in your letter was understood" in answer


def test_two_builds_under_labels_of_her_own_are_built(house: PostHouse) -> None:
    """It was played without her track in the very pass that read the letter."""
    begin(house, "ireland", players=3)
    house.write(BOB, "HOME Dublin")
    house.write(CYD, "HOME Dublin")
    assert house.send(ANN, "HOME Belfast\n1(a) (Belfast) - AC7\n1(b) (AC7) - AB7").turns == ("RR1/1",)
    assert "1a) roll 1: (Belfast) - AC7" in builds_told(house, ANN)


QUOTED = "HOME Belfast\n\n> 1a) (Belfast) - AC7\n"


def test_orders_behind_a_mark_that_are_no_letter_of_ours_are_asked_about(house: PostHouse) -> None:
    begin(house, "ireland", players=3)
    house.send(ANN, QUOTED)
    # It has no number: a line's number counts her own lines.
    assert (
        "- '1a) (Belfast) - AC7' looks like an order, but stands behind a mark, > or |, as what is quoted does"
        in told(house, ANN)
    )


@pytest.mark.parametrize("mark", ["> ", ""])
def test_lines_of_our_own_letters_are_never_asked_about(house: PostHouse, mark: str) -> None:
    begin(house, "ireland", players=3)
    house.send(ANN, "HELP")
    ours = house.text(ANN)
    assert "\n  1a) (Belfast) - AD6\n" in ours
    house.send(ANN, "HOME Belfast\n\n" + "".join(f"{mark}{line}\n" for line in ours.splitlines()))
    assert "Not everything in your letter was understood" not in told(house, ANN)


@pytest.mark.parametrize("program", [marked, bare], ids=["marked", "unmarked"])
def test_a_lines_number_counts_her_own_lines(house: PostHouse, program: Callable[[str], str]) -> None:
    begin(house, "ireland", players=3)
    ours = house.text(ANN)
    house.send(ANN, f"Hello!\n{program(ours)}\n\nHOME Belfast\nNo, HOME Dublin\n")
    assert re.search(r"line [5-9]: 'No, HOME Dublin'", told(house, ANN))


@pytest.mark.parametrize(("more", "is_warned"), [("", False), ("> RUN 1: Cork - Dublin\n", True)])
def test_our_own_examples_quoted_below_a_letter_are_not_warned_of(house: PostHouse, more: str, is_warned: bool) -> None:
    begin(house, "ireland", players=3)
    house.send(ANN, "HELP")
    ours = "".join(f"> {line}\n" for line in house.text(ANN).splitlines())
    house.send(ANN, f"HELP\n\nThe referee wrote on 3 May 2026:\n{ours}{more}")
    assert ("that is quoted (with >)" in told(house, ANN)) is is_warned
    assert "lines that are quoted" not in told(house, ANN)


def test_press_of_a_newsletter_that_comes_back_is_never_asked_about(house: PostHouse) -> None:
    begin(house, "ireland", players=3)
    for player, text in ((BOB, "HOME Dublin\nPRESS: 1a) (Dublin) - Y17\n1b) (Y17) - Y18"), (CYD, "HOME Dublin")):
        house.write(player, text)
    house.send(ANN, "HOME Belfast")
    assert house.send(BOB, "CONFIRM").turns == ("RR1/1",)
    ours = house.text(ANN)
    assert "\n| 1a) (Dublin) - Y17\n" in ours
    house.send(ANN, "1a) (Belfast) - AC7\n\n" + ours)
    assert "Not everything in your letter was understood" not in told(house, ANN)
