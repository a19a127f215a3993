"""Bounces: what the mail servers of the world say of a letter that did not arrive, read alike; and nobody else's word for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.mail.letter.bounces import FAILURES, PROSE_LIMIT, Bounce, Failure
from referee.mail.letter.message import read_letter
from referee.reader.limitedprocess import Limits
from referee.reader.reader import Reader

BOUNCES = Path(__file__).parent / "bounces"
OURS = "<newsletter.rr1.1.ann.1.0123456789abcdef@club.example>"
DSN = (
    "From: mailer-daemon@mx.example\nContent-Type: multipart/report; boundary=B\n\n--B\nContent-Type: text/plain\n\nSorry.\n"
    "--B\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n{fields}\n\n"
    "--B\nContent-Type: text/rfc822-headers\n\nMessage-ID: <a@club.example>\n--B--\n"
)

SAID = {
    "courier-expired": ("failed", "4.4.7"),
    "domino": ("failed", "5.0.0"),
    "domino-prose": ("failed", "5.0.0"),
    "exchange-full": ("failed", "5.2.2"),
    "exim-old": ("failed", "5.0.0"),
    "exim-report": ("failed", "5.0.0"),
    "exim-warning": ("delayed", "4.7.1"),
    "gmail": ("failed", "5.1.1"),
    "gmail-delayed": ("delayed", "4.4.1"),
    "gmx": ("failed", "5.2.2"),
    "mdaemon": ("failed", "5.2.2"),
    "microsoft365": ("failed", "5.1.10"),
    "postfix": ("failed", "5.1.1"),
    "postfix-delayed": ("delayed", "4.4.1"),
    "qmail": ("failed", "5.1.1"),
    "sendmail": ("failed", "5.7.1"),
    "sendmail-old": ("failed", "5.0.0"),
    "yahoo": ("failed", "5.0.0"),
}


def read(text: str) -> Bounce | None:
    return read_letter(text.encode()).bounce


def test_every_sample_has_its_expectation() -> None:
    assert {file.stem for file in BOUNCES.glob("*.eml")} == set(SAID)


@pytest.mark.parametrize(("name", "said"), SAID.items(), ids=SAID)
def test_a_bounce_says_whom_it_is_about_what_failed_and_which_letter(name: str, said: tuple[str, str]) -> None:
    letter = read_letter((BOUNCES / f"{name}.eml").read_bytes())
    assert letter.robot == "bounce"
    assert not letter.answerable
    assert letter.bounce is not None
    assert letter.bounce.failures == (Failure(recipient="ann@example.org", action=said[0], status=said[1]),)
    assert letter.bounce.letters[0] == OURS


@pytest.mark.parametrize("name", SAID)
def test_a_bounce_cut_off_anywhere_is_read_without_trouble(name: str) -> None:
    raw = (BOUNCES / f"{name}.eml").read_bytes()
    for end in range(0, len(raw), 37):
        assert "unreadable" not in read_letter(raw[:end]).problems


def test_the_process_that_reads_letters_hands_a_bounce_over_whole() -> None:
    raw = (BOUNCES / "postfix.eml").read_bytes()
    reader = Reader()
    try:
        assert reader.read(raw) == read_letter(raw)
    finally:
        reader.close()


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded"])
def test_good_news_is_no_bounce(action: str) -> None:
    assert read(DSN.format(fields=f"Final-Recipient: rfc822; ann@example.org\nAction: {action}\nStatus: 2.0.0")) is None


@pytest.mark.parametrize(
    ("fields", "failure"),
    [
        ("Action: failed", Failure(recipient="", action="failed", status="5.0.0")),
        ("Action: delayed", Failure(recipient="", action="delayed", status="4.0.0")),
        ("Status: 5.2.1", Failure(recipient="", action="failed", status="5.2.1")),
        ("Action: FAILED\nStatus: 4.4.7 (gave up)", Failure(recipient="", action="failed", status="4.4.7")),
        ("Action: failed\nDiagnostic-Code: smtp; 550 5.7.1 no", Failure(recipient="", action="failed", status="5.7.1")),
        ("Action: failed\nFinal-Recipient: x400; <<>", Failure(recipient="", action="failed", status="5.0.0")),
    ],
)
def test_what_a_report_leaves_out_is_filled_in_with_care(fields: str, failure: Failure) -> None:
    told = read(DSN.format(fields=fields))
    assert told is not None
    assert told.worst == failure


def test_of_several_failures_the_final_one_counts() -> None:
    fields = "Final-Recipient: rfc822; a@b.example\nAction: delayed\nStatus: 4.2.2\n\nAction: failed\nStatus: 5.1.1"
    told = read(DSN.format(fields=fields))
    assert told is not None
    assert told.worst.status == "5.1.1"


@pytest.mark.parametrize(
    "text",
    [
        "From: mailer-daemon@mx.example\n\nYour letter of 5.1.2027 was seen by 10.5.1.1, call 550 1234.\n",
        "From: mailer-daemon@mx.example\n\n",
        "From: ann@example.org\nReturn-Path: <>\n\nI am away. 550 5.1.1 user unknown\n",
        "From: ann@example.org\n\n550 5.1.1 user unknown\n",
    ],
)
def test_what_is_no_report_and_no_servers_word_is_no_bounce(text: str) -> None:
    assert read(text) is None


def test_prose_goes_on_behind_a_first_part_of_several() -> None:
    boxes = "Content-Type: multipart/mixed; boundary=A\n\n--A\nContent-Type: multipart/alternative; boundary=B\n\n"
    words = "--B\n\nSorry!\n--B--\n--A\n\n<ann@example.org>: 550 5.1.1 user unknown\n--A--\n"
    told = read(f"From: mailer-daemon@mx.example\n{boxes}{words}")
    assert told is not None
    assert told.worst == Failure(recipient="ann@example.org", action="failed", status="5.1.1")


def test_a_status_in_the_letter_that_is_returned_says_nothing() -> None:
    letter = "Message-ID: <a@club.example>\nContent-Type: text/plain\n\nAction: failed\nStatus: 5.1.1\nuser unknown\n"
    text = (
        "From: mailer-daemon@mx.example\nContent-Type: multipart/mixed; boundary=B\n\n--B\n\nHere it is.\n"
        f"--B\nContent-Type: message/rfc822\n\n{letter}\n--B--\n"
    )
    assert read(text) is None


def test_a_bounce_made_to_be_slow_takes_no_more_time_than_a_letter_may() -> None:
    nasty = (
        "Message-ID:"
        + " " * PROSE_LIMIT
        + "\n"
        + "5.1." * 20_000
        + "\n"
        + "> " * 30_000
        + "\n"
        + "<" * 30_000
        + "\n" * 60_000
    )
    reader = Reader(Limits(seconds=2))
    try:
        assert reader.read(f"From: mailer-daemon@mx.example\n\n{nasty}".encode()).robot == "bounce"
        told = reader.read(DSN.format(fields="Action: failed\n\n" * 10_000).encode()).bounce
    finally:
        reader.close()
    assert told is not None
    assert len(told.failures) <= FAILURES
