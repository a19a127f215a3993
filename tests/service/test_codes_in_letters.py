"""What a mail program writes of our header into a reply holds its player's code: no letter and no row says it again."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.posthouse import ANN, UMPIRE, PostHouse
from tests.secrecy import codes_in_text


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "club", identity__policy="token", players__unsigned_press=True) as house:
        house.begin()
        yield house


def told(house: PostHouse, ours: EmailMessage) -> str:
    """Return what Ann's answer was answered with; no letter to anybody, and nothing on file, holds her code."""
    token = ours["Reply-To"].addresses[0].username.rpartition("-")[2].upper()
    assert len(token) == 8
    assert not any(codes_in_text(file.read_bytes()) for file in house.sent_files())
    kept = house.rows("SELECT text, orders || complaints FROM order_sets UNION ALL SELECT text, '' FROM press")
    assert token not in str([tuple(row) for row in kept]).upper()
    return house.told(ANN)


def gmx(ours: EmailMessage, before: str) -> str:
    """Return a reply as GMX wrote it: header lines without a mark, in an order of its own, and no frame."""
    to = str(ours["Reply-To"]).replace('"', "")
    return f"{before}\n\nGesendet: Montag\nBetreff: {ours['Subject']}\nRe an: {to}\n\nSTEP 1\n"


@pytest.mark.parametrize(
    "quoted",
    [
        "Hello!\nMy letter: {subject}\nto {address}\n\nSTEP 3\n",
        "STEP 3\n\nThis goes to {address}, I hope\n-- \nAnn\nSTEP 1 {subject}\n",
        "STEP {address}\n",
        "ORDERS RR1 1\nSTEP 3\nwritten to {subject}\nEND\n",
        "STEP 3\nNOTE: is {subject} right?\nEND NOTE\n",
        "STEP 3\nPRESS: is {subject} right?\nEND PRESS\nPRESS TO BOB: or {address}\nEND PRESS\n",
        "STEP 3\nPRESS ANONYMOUS: is {subject} right?\nEND PRESS\n",
        "STEP 3\nSALT {address}\n",
        "WHATIF\nSTEP 3\n{address}\nEND\n",
        "WATCH {bare}\n",
        "RESEND {bare}\nADDRESS {bare}\n",
        "STEP 3\nmailto:{mailto}?subject=hello\n",
        "STEP 3\nwritten to referee+{broken}@club.example\n",
        "STEP 3\nwritten to {bare} and to _{bare}_\n",
    ],
)
def test_a_code_that_a_letter_quotes_is_said_again_nowhere(house: PostHouse, quoted: str) -> None:
    ours = house.last(ANN)
    address = ours["Reply-To"].addresses[0].addr_spec
    bare = address.partition("+")[2].partition("@")[0]
    house.reply(
        ours,
        quoted.format(
            subject=ours["Subject"],
            address=address,
            bare=bare,
            mailto=address.replace("+", "%2B").replace("@", "%40"),
            broken=bare.replace("-", "-\n"),
        ),
    )
    house.later(days=8)
    assert "RR1" in told(house, ours).upper()
    assert house.post(UMPIRE) or "NOTE" not in quoted


def test_a_reply_whose_header_lines_are_not_known_as_such_is_told_them_without_the_code(house: PostHouse) -> None:
    ours = house.last(ANN)
    house.reply(ours, gmx(ours, "STEP 3\nSTEP"))
    told(house, ours)


def test_a_part_that_is_called_by_our_subject_is_named_without_the_code(house: PostHouse) -> None:
    ours = house.last(ANN)
    head = f"From: Ann <{ANN}>\r\nTo: {ours['Reply-To']}\r\nSubject: Re: {ours['Subject']}\r\nMIME-Version: 1.0\r\n"
    parts = (
        "--b\r\nContent-Type: text/plain\r\n\r\nSTEP 3\r\n"
        f'--b\r\nContent-Type: message/rfc822; name="{ours["Subject"]}.eml"\r\n\r\nSubject: x\r\n\r\nSTEP 1\r\n--b--\r\n'
    )
    house.drop(f"{head}Content-Type: multipart/mixed; boundary=b\r\n\r\n{parts}".encode())
    house.tick()
    assert "Attachments are not read: [RR1] " in told(house, ours)


def test_places_that_look_like_a_code_are_left_as_they_are(house: PostHouse) -> None:
    house.reply(house.last(ANN), "STEP 3\n\nY17-Coburg-Augsburg\n")
    assert "Y17-Coburg-Augsburg" in house.told(ANN)
