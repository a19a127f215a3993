"""Two texts in one letter that order different things: never guessed between."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.mail.letter.message import Letter
from referee.orderbook import Readings
from referee.reader.understanding import understand_letter
from referee.store import games
from tests.posthouse import ANN, PostHouse
from tests.service.test_amendments import begin
from tests.understood import in_play

HEAD = f"From: Ann <{ANN}>\r\nSubject: Re: [RR1] turn\r\nMIME-Version: 1.0\r\n"
PLAIN, HTML = "text/plain", "text/html"


@pytest.fixture(autouse=True)
def game(house: PostHouse) -> None:
    house.begin()


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


REFUSED: tuple[str, str, list[str]] = ("refused", "two-versions", [])


def test_plain_text_and_html_that_differ_are_both_shown_and_neither_is_filed(house: PostHouse) -> None:
    letter(house, "alternative", part(PLAIN, "STEP 1"), part(HTML, "<p>STEP 3</p>"))
    assert outcome(house) == REFUSED
    told = house.told(ANN)
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
    house.send(ANN, "ORDERS RR1 1\nSTEP 1\nEND\n\nORDERS RR1 1\nSTEP 2\nEND\n")
    assert outcome(house)[2] == []
    assert "two different sets between ORDERS and END" in house.told(ANN)


def test_text_parts_that_say_the_same_twice_say_it_once(house: PostHouse) -> None:
    letter(house, "mixed", part(PLAIN, "STEP 1"), part(PLAIN, "STEP 1"), part(PLAIN, "PRESS: hello"))
    assert outcome(house) == ("done", "", ["STEP 1"])
    assert "hello" in house.told(ANN)


def test_a_text_part_that_orders_nothing_goes_with_the_other(house: PostHouse) -> None:
    letter(house, "mixed", part(PLAIN, "ORDERS RR1 1\r\nSTEP 1"), part(PLAIN, "END\r\n\r\nA list's footer"))
    assert outcome(house) == ("done", "", ["STEP 1"])


def test_an_attached_text_is_read_where_the_letter_orders_nothing(house: PostHouse) -> None:
    attached = 'Content-Disposition: attachment; filename="orders.txt"\r\n'
    letter(house, "mixed", part(PLAIN, "My orders are attached."), part(PLAIN, "STEP 3", attached))
    assert outcome(house) == ("done", "", ["STEP 3"])
    assert "read from the attached file" in house.told(ANN)


def test_an_attached_text_is_not_read_beside_orders_in_the_letter(house: PostHouse) -> None:
    attached = 'Content-Disposition: attachment; filename="orders.txt"\r\n'
    letter(house, "mixed", part(PLAIN, "STEP 1"), part(PLAIN, "STEP 3", attached))
    assert outcome(house) == ("done", "", ["STEP 1"])
    assert "Attachments are not read: orders.txt" in house.told(ANN)


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
    assert "RR1: on file for turn 1" in house.told(ANN)
    assert house.told(ANN).count("STEP 2") == 1


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


SET_IN = (
    "<blockquote>",
    '<blockquote dir="ltr">',
    '<blockquote style="margin-left:40px">',
    '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">',
    '<blockquote class="webkit-indent-blockquote" style="margin: 0 0 0 40px; border: none; padding: 0px;">',
    '<blockquote style="margin-right:0px" dir="ltr">',
    '<blockquote class="" style="margin:0 0 0 40px;border:none;padding:0px" dir="ltr">',
    '<blockquote id="x" style="margin: 0px 0px 0px 40px; border: medium none; padding: 0px;">',
    "<blockquote><blockquote>",
    '<div style="margin-left:40px">',
    '<p style="padding-left: 30px;">',
)
CITED = (
    ("", '<blockquote type="cite">'),
    ("", '<blockquote cite="mid:1@club.example">'),
    ("", '<blockquote class="gmail_quote">'),
    ("", '<blockquote style="border-left: 3px solid #ccc; margin: 0">'),
    ("On 7 Dec 2026, at 12:00, Bob wrote:", "<blockquote>"),
    ('07.12.2026, 12:00, "Bob" &lt;bob@example.net&gt;:', "<blockquote>"),
)


@pytest.mark.parametrize("frame", SET_IN)
def test_orders_that_are_set_in_are_no_quotation(house: PostHouse, frame: str) -> None:
    letter(
        house,
        "mixed",
        part(HTML, f"<div>My orders for turn 1:</div>{frame}STEP 3</blockquote></blockquote><div>Ann</div>"),
    )
    assert outcome(house) == ("done", "", ["STEP 3"])


@pytest.mark.parametrize(("above", "frame"), CITED)
def test_what_is_cited_is_a_quotation(house: PostHouse, above: str, frame: str) -> None:
    letter(house, "mixed", part(HTML, f"<div>STEP 3</div><div>{above}</div>{frame}STEP 1</blockquote>"))
    assert outcome(house) == ("done", "", ["STEP 3"])


@pytest.mark.parametrize(
    "other",
    [
        "<p>I send my orders as text.</p>",
        "<p>HELP</p>",
        "<p>ORDERS RR1 1</p><p>END</p>",
        '<blockquote type="cite">STEP 3',
    ],
)
def test_a_version_without_orders_has_no_veto(house: PostHouse, other: str) -> None:
    letter(house, "alternative", part(PLAIN, "ORDERS RR1 1\r\nSTEP 3\r\nEND"), part(HTML, other))
    assert outcome(house)[2] == ["STEP 3"]


NAMED = 'Content-Disposition: {}; filename="mail.html"\r\n'


@pytest.mark.parametrize("disposition", ["inline", "attachment"])
@pytest.mark.parametrize("within", ["mixed", "alternative"])
def test_a_page_with_a_file_name_is_read(house: PostHouse, disposition: str, within: str) -> None:
    letter(house, within, part(PLAIN, ""), part(HTML, "<p>STEP 3</p>", NAMED.format(disposition)))
    assert outcome(house) == ("done", "", ["STEP 3"])


PHOTO = "--b\r\nContent-Type: image/heic; name=IMG_1.HEIC\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n"


def test_a_photo_between_lines_of_orders_makes_no_second_version(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "other") as house:
        begin(house)
        letter(
            house,
            "mixed",
            part(PLAIN, "HOME Dublin\r\n1a) (Dublin) - AB17"),
            PHOTO,
            part(PLAIN, "1b) none\r\n1c) none"),
        )
        assert outcome(house) == ("done", "", ["HOME Dublin\n1a) (Dublin) - AB17\n1b) none\n1c) none"])


def test_a_text_that_is_sent_as_octets_is_read(house: PostHouse) -> None:
    file = part("application/octet-stream; name=orders.txt", "STEP 3", "Content-Disposition: attachment\r\n")
    letter(house, "mixed", part(PLAIN, "My orders are attached."), file)
    assert outcome(house) == ("done", "", ["STEP 3"])
