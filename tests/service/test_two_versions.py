"""Two texts in one letter that order different things: never guessed between."""

from __future__ import annotations

import pytest

from referee.mail.letter.message import Letter
from referee.orderbook import Readings
from referee.reader.understanding import understand_letter
from referee.store import games
from tests.posthouse import ANN, PostHouse, text_of
from tests.understood import in_play

HEAD = f"From: Ann <{ANN}>\r\nSubject: Re: [RR1] turn\r\nMIME-Version: 1.0\r\n"
PLAIN, HTML = "text/plain", "text/html"


@pytest.fixture(autouse=True)
def game(house: PostHouse) -> None:
    house.game()
    house.tick()


def part(kind: str, text: str, more: str = "") -> str:
    return f"--b\r\nContent-Type: {kind}; charset=utf-8\r\n{more}\r\n{text}\r\n"


def letter(house: PostHouse, multipart: str, *parts: str) -> None:
    body = "".join(parts) + "--b--\r\n"
    raw = f"{HEAD}Content-Type: multipart/{multipart}; boundary=b\r\n\r\n{body}".encode()
    house.drop(raw)
    house.tick()


def outcome(house: PostHouse) -> tuple[str, str, list[str]]:
    """Return what became of the last letter, and the orders on file."""
    (row,) = house.rows("SELECT status, reason FROM letters ORDER BY id DESC LIMIT 1")
    sets = house.rows("SELECT text FROM order_sets ORDER BY id")
    return row["status"], row["reason"], [each["text"] for each in sets]


def answer(house: PostHouse) -> str:
    return " ".join(text_of(house.post(ANN)[-1]).split())


REFUSED: tuple[str, str, list[str]] = ("refused", "two-versions", [])


def test_plain_text_and_html_that_differ_are_both_shown_and_neither_is_filed(house: PostHouse) -> None:
    letter(house, "alternative", part(PLAIN, "STEP 1"), part(HTML, "<p>STEP 3</p>"))
    assert outcome(house) == REFUSED
    told = answer(house)
    assert "nothing of it was taken" in told
    assert told.index("What one text says") < told.index("- STEP 1") < told.index("What another text says")
    assert "- STEP 3" in told
    assert "Nothing is on file" in told


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("STEP 1", "<p>PASS</p>"),
        ("PASS", "<p>CLEAR</p>"),
        ("STEP 1", "STEP 1<br>CLEAR"),
        ("STEP 1 or so", "<p>STEP 1</p><p>STEP 2</p>"),
        ("ORDERS RR1 1\r\nSTEP 1\r\nEND", "ORDERS RR1 2<br>STEP 1<br>END"),
        ("STEP 1\r\nSALT pepper", "STEP 1<br>SALT garlic"),
    ],
)
def test_whatever_they_order_differently_is_not_guessed(house: PostHouse, first: str, second: str) -> None:
    letter(house, "alternative", part(PLAIN, first), part(HTML, second))
    assert outcome(house) == REFUSED


def test_the_order_of_the_parts_does_not_matter(house: PostHouse) -> None:
    letter(house, "alternative", part(HTML, "<p>STEP 3</p>"), part(PLAIN, "STEP 1"))
    assert outcome(house) == REFUSED


def test_of_three_versions_none_is_overlooked(house: PostHouse) -> None:
    same = part(PLAIN, "STEP 1")
    letter(house, "alternative", same, part(PLAIN, "STEP 2"), part(HTML, "STEP 1"))
    assert outcome(house) == REFUSED


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("STEP 1\r\nSee you!", "<p>STEP&nbsp;1</p><p>See <b>you</b>!</p>"),
        ("step  1", "<ul><li>STEP 1</li></ul>"),
        ("STEP 1\r\n\r\nSent with love", "<p>STEP 1</p><img alt='STEP 2'>"),
        ("STEP 1\r\n> STEP 2", "<p>STEP 1</p><blockquote>STEP 2</blockquote>"),
        (
            "STEP 1\r\n\r\n> STEP 2",
            "<p>STEP 1</p><p style='color:blue'>STEP 2</p>",
        ),  # the plain text knows what is quoted
        ("STEP 1", "<p>STEP 1</p><p style='display:none'>STEP 2</p>"),
    ],
)
def test_versions_that_order_the_same_are_one_letter(house: PostHouse, first: str, second: str) -> None:
    letter(house, "alternative", part(PLAIN, first), part(HTML, second))
    assert outcome(house)[:2] == ("done", "")
    assert len(outcome(house)[2]) == 1


def test_a_version_without_orders_does_not_stand_against_one_with(house: PostHouse) -> None:
    letter(house, "alternative", part(PLAIN, "Please use a program that shows HTML."), part(HTML, "<p>STEP 3</p>"))
    assert outcome(house) == ("done", "", ["STEP 3"])


def test_two_text_parts_that_differ_are_not_guessed_between(house: PostHouse) -> None:
    letter(house, "mixed", part(PLAIN, "STEP 1"), part(PLAIN, "STEP 2"))
    assert outcome(house) == REFUSED


def test_two_blocks_in_one_text_are_not_guessed_between(house: PostHouse) -> None:
    house.write(ANN, "ORDERS RR1 1\nSTEP 1\nEND\n\nORDERS RR1 1\nSTEP 2\nEND\n")
    house.tick()
    assert outcome(house)[2] == []
    assert "two different sets between ORDERS and END" in answer(house)


def test_text_parts_that_say_the_same_twice_say_it_once(house: PostHouse) -> None:
    letter(house, "mixed", part(PLAIN, "STEP 1"), part(PLAIN, "STEP 1"), part(PLAIN, "PRESS: hello"))
    assert outcome(house) == ("done", "", ["STEP 1"])
    assert "hello" in answer(house)


def test_a_text_part_that_orders_nothing_goes_with_the_other(house: PostHouse) -> None:
    letter(house, "mixed", part(PLAIN, "ORDERS RR1 1\r\nSTEP 1"), part(PLAIN, "END\r\n\r\nA list's footer"))
    assert outcome(house) == ("done", "", ["STEP 1"])


def test_an_attached_text_is_read_where_the_letter_orders_nothing(house: PostHouse) -> None:
    attached = 'Content-Disposition: attachment; filename="orders.txt"\r\n'
    letter(house, "mixed", part(PLAIN, "My orders are attached."), part(PLAIN, "STEP 3", attached))
    assert outcome(house) == ("done", "", ["STEP 3"])
    assert "read from the attached file" in answer(house)


def test_an_attached_text_is_not_read_beside_orders_in_the_letter(house: PostHouse) -> None:
    attached = 'Content-Disposition: attachment; filename="orders.txt"\r\n'
    letter(house, "mixed", part(PLAIN, "STEP 1"), part(PLAIN, "STEP 3", attached))
    assert outcome(house) == ("done", "", ["STEP 1"])
    assert "Attachments are not read: orders.txt" in answer(house)


@pytest.mark.parametrize("body", ["", "Here they are."])
def test_two_attached_texts_that_differ_are_not_guessed_between(house: PostHouse, body: str) -> None:
    first = part(PLAIN, "STEP 1", 'Content-Disposition: attachment; filename="a.txt"\r\n')
    second = part(PLAIN, "STEP 2", 'Content-Disposition: attachment; filename="b.txt"\r\n')
    letter(house, "mixed", part(PLAIN, body), first, second)
    assert outcome(house) == REFUSED


def test_what_was_on_file_stays_and_is_told(house: PostHouse) -> None:
    house.write(ANN, "STEP 2")
    letter(house, "alternative", part(PLAIN, "STEP 1"), part(HTML, "<p>STEP 3</p>"))
    assert outcome(house) == ("refused", "two-versions", ["STEP 2"])
    assert "RR1: on file for turn 1" in answer(house)
    assert answer(house).count("STEP 2") == 1


def test_whoever_files_such_a_letter_files_nothing(house: PostHouse) -> None:
    row = games.game(house.club.db, "RR1")
    letter = Letter(text="STEP 1\nCLEAR\nPRESS: hello", alternatives=("STEP 3\nCONFIRM",))
    read = understand_letter(in_play(house.club.positions.of(house.club.db, row)), "ANN", letter, Readings())
    assert [each.gives_orders for each in read.versions] == [True, True]
    assert not read.gives_orders
    assert not read.is_clean
    assert (read.orders, read.reading.commands, read.reading.press) == ((), (), "")


def test_the_umpire_is_shown_the_same(house: PostHouse) -> None:
    both = part(PLAIN, "STEP 1") + part(HTML, "<p>STEP 3</p>")
    path = house.folder / "letter.eml"
    raw = f"{HEAD}Content-Type: multipart/alternative; boundary=b\r\n\r\n{both}--b--\r\n".encode()
    path.write_bytes(raw)
    assert "two-versions" in house.command("read", str(path)).stdout
