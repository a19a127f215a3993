"""A letter of ours is read once more before it leaves."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from referee.mail.compose import Attachment, Outgoing, compose, fault_of

ANN, ID = "ann@example.org", "<rr1.1@club.example>"


def letter(subject: str = "Turn 1", name: str = "Ann", text: str = "Hello") -> bytes:
    return compose(
        Outgoing(
            sender="referee@club.example",
            sender_name="The Referee",
            recipient=ANN,
            recipient_name=name,
            subject=subject,
            text=text,
            date=datetime(2026, 12, 7, tzinfo=UTC),
            message_id=ID,
            auto="auto-generated",
            attachments=(Attachment(name="board.svg", media_type="image/svg+xml", content=b"<svg/>" * 1000),),
        )
    )


@pytest.mark.parametrize(
    "hostile",
    ["x\r\nBcc: eve@example.com", "x\nTo: eve@example.com", "=?utf-8?q?a=0ABcc:_e@x.y?=", "ä" * 500, "a\0b", "<e@x.y>"],
)
def test_whatever_players_write_the_letter_may_leave(hostile: str) -> None:
    assert fault_of(letter(subject=hostile, name=hostile, text=hostile), ID, ANN) == ""


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (b"Bcc: eve@example.com\r\n%b", "bcc"),
        (b"Cc: eve@example.com\r\n%b", "cc"),
        (b"To: eve@example.com\r\n%b", "to"),
        (b"From: eve@example.com\r\n%b", "from"),
        (b"Resent-To: eve@example.com\r\n%b", "resent-to"),
        (b"Message-ID: <other@x.y>\r\n%b", "message-id"),
        (b"\r\n%b", "from, to"),
        (b"X: a\nBcc: eve@example.com\r\n%b", "CR LF"),
        (b"X: a\rBcc: eve@example.com\r\n%b", "CR LF"),
        (b"%b\r\n.\n", "CR LF"),
        (b"%b\0\r\n", "CR LF"),
        (b"%b" + b"x" * 999, "too long"),
    ],
)
def test_a_letter_that_is_not_as_it_was_meant_does_not_leave(wrong: bytes, words: str) -> None:
    assert words in fault_of(wrong % letter(), ID, ANN)


def test_a_letter_goes_to_the_reader_it_is_written_to_and_under_its_own_id() -> None:
    assert fault_of(letter(), ID, "bob@example.net") == "it is written to somebody else"
    assert fault_of(letter(), "<other@club.example>", ANN) == "its Message-ID is another letter's"
