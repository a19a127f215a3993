"""Letters that change some of the orders on file, forms that come back, and how little the answers say."""

from pathlib import Path
from textwrap import indent

import pytest

from referee.service.umpire.overview import read_as
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, text_of

FILED = "HOME Dublin\n1a) none\n1b) none\n1c) (Dublin) - AB16"


@pytest.fixture
def table(house: PostHouse) -> PostHouse:
    house.ireland()
    return house


def test_the_umpire_reads_such_a_letter_as_it_would_be_filed(table: PostHouse) -> None:
    table.send(ANN, FILED)
    told = read_as(table.club, f"From: {ANN}\nSubject: [RR1]\n\n1c) none, rest as before\n".encode())
    assert told is not None
    assert told["orders"] == ["HOME Dublin", "1a) none", "1b) none", "1c) none"]
    assert table.tuples("SELECT text, clean FROM order_sets") == [(FILED, True)]


def test_a_line_that_comes_back_as_it_was_stays_as_it_is_on_file(table: PostHouse) -> None:
    """It orders nothing anew, by itself or beside a line that was filled in, and that one does not withdraw it."""
    table.send(ANN, "ORDERS RR1 1\nHOME Dublin\n1a) (Dublin) - AA18\nEND")
    table.wait(minutes=1)
    table.send(ANN, "ORDERS RR1 2\n2b) (AA18) - Z17\nEND")
    table.write(BOB, "HOME Belfast")
    assert table.send("cyd@example.org", "PASS").turns == ("RR1/1",)
    table.tick()
    newsletter = table.last(ANN, "Ireland: round 1")
    text = text_of(newsletter)
    assert text.count("2a)\n") == 1
    for form, sets in (
        (text, ["2b) (AA18) - Z17"]),
        (text.replace("2a)\n", "2a) (AA18) - AA17\n"), ["2b) (AA18) - Z17", "2b) (AA18) - Z17\n2a) (AA18) - AA17"]),
    ):
        assert table.column("SELECT text FROM order_sets WHERE turn = 2 AND player = 'GSW'") == sets[:1]
        table.wait(hours=1)
        told = table.asks(
            newsletter, f"Hi\n\nOn Monday Railway Referee wrote:\n{indent(form, '> ', lambda line: True)}"
        )
        assert table.column("SELECT text FROM order_sets WHERE turn = 2 AND player = 'GSW'") == sets
    assert "You filled in the order form where you quoted it: its lines count." in told
    assert "The orders of this letter will run. Your orders are in." in told
    assert "withdrawn" not in told


# The same orders as thirty-four programs and hands send them (``programs/*.eml``): each arrives as it was meant.


PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.eml"))
MEANT = ("HOME Dublin", "1a) (Dublin) - AB17", "1b) none", "1c) (AB17) - AB16")


@pytest.mark.parametrize("letter", PROGRAMS, ids=lambda path: path.stem)
def test_a_letter_arrives_as_it_was_meant(table: PostHouse, letter: Path) -> None:
    """It is filed, clean, and nothing in it is told as not read, left to the umpire or waiting for a word."""
    table.wait(hours=1)
    table.drop(letter.read_bytes())
    table.tick()
    told = table.told(ANN)
    rows = table.rows("SELECT * FROM order_sets")
    assert [bool(row["clean"]) for row in rows] == [True], told
    assert all(line in told.partition("On file for turn 1")[0] for line in MEANT), told
    assert "The orders of this letter will run." in told
    assert "not read as orders" not in told
    assert table.post(UMPIRE) == []


def test_there_are_as_many_as_the_page_says() -> None:
    assert len(PROGRAMS) == 34


# The answer never grows with the letter: at most 3 kB of any letter is shown, to its player and to the umpire.


LONG_LETTERS = {
    "a line of 520 kB of words": "steam " * 87_000,
    "a word of 520 kB": "x" * 520_000,
    "an order of 500 kB": "1a) (Dublin) - " + "AB17 - " * 70_000,
    "an order without sense": "1b) " + "zq " * 170_000,
    "3,000 lines that ask": "\n".join(f"I would like to know {number} why" for number in range(2900)),
    "190 faulty orders": "\n".join(f"1a) (Dublin) - ZZ{number} {'y' * 150}" for number in range(190)),
    "2,000 lines below a signature": "1a) none\n-- \n" + "1b) (Dublin) - AB17 \n" * 2000,
    "press of 480 kB": "PRESS: " + "steam " * 80_000,
}


@pytest.mark.parametrize("text", LONG_LETTERS.values(), ids=LONG_LETTERS)
def test_the_answer_never_grows_with_the_letter(table: PostHouse, text: str) -> None:
    before = len(table.ours())
    table.send("ann@example.org", text)
    sizes = [len(row.raw) for row in table.ours()[before:]]
    assert sizes
    assert max(sizes) < 36_000


def lines(count: int, line: str) -> str:
    """Return so many lines of sixty words each, by which their writer's words are known again in an answer."""
    words = " ".join(f"W{number}" for number in range(60))
    return "\n".join(line.format(number, words) for number in range(count))


@pytest.mark.parametrize("block", ["", "ORDERS RR1 1\n"])
def test_of_a_letter_that_is_long_in_every_way_three_kilobytes_are_shown(table: PostHouse, block: str) -> None:
    texts = "\n".join(f"{head}: {lines(18, '{1}')}\nEND PRESS" for head in ("PRESS", "PRESS TO MGW", "PRESS TO BNC"))
    faults = lines(30, "1b) (Dublin) - ZZ{0} {1}") + "\n\n" + lines(30, "Belfast - AC{0} is {1}")
    table.send("ann@example.org", f"{block}{faults}\n{'END' if block else ''}\n{lines(30, 'Why {1}?')}\n{texts}")
    told = table.text("ann@", containing="Your letter")
    assert sum(len(word) + 1 for word in told.split() if word.strip("'?.,").startswith("W")) < 3_500
