"""The loop guard: what machines write is known by its header, and a person who cannot be answered still gives orders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.mail.letter.message import read_letter
from referee.mail.letter.robots import SIGNS
from tests.posthouse import ROOT


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("From: ann@example.org\nX-Referee-Game: RR7", "own letter"),
        ("From: MAILER-DAEMON@mx.example (Mail Delivery System)\nAuto-Submitted: auto-replied", "bounce"),
        ("From: postmaster@example.org", "bounce"),
        ("From: mx@example.org\nReturn-Path: < >", "bounce"),
        ("From: mx@example.org\nContent-Type: multipart/report; report-type=delivery-status; boundary=x", "bounce"),
        ("From: mx@example.org\nX-Failed-Recipients: ann@example.org", "bounce"),
        (
            "From: ann@example.org\nContent-Type: multipart/report; report-type=disposition-notification; boundary=x",
            "receipt",
        ),
        ("From: mx@example.org\nReturn-Path: <MAILER-DAEMON@mx.example>", "bounce"),
        ("From MAILER-DAEMON Mon Dec  7 12:00:00 2026\nFrom: mx@example.org", "bounce"),
        ("From ann@example.org Mon Dec  7 12:00:00 2026\nFrom: postmaster@example.org", "bounce"),
        ("From: ann@example.org\nAuto-Submitted: auto-replied (vacation)", "auto-submitted"),
        ("From: ann@example.org\nAuto-Submitted: no\nAuto-Submitted: auto-generated", "auto-submitted"),
        ("From: ann@example.org\nX-Autoreply: yes", "auto-reply"),
        ("From: ann@example.org\nPrecedence: auto_reply", "auto-reply"),
        ("From: ann@example.org\nX-Precedence: auto_reply", "auto-reply"),
        ("From: ann@example.org\nX-Autoreply-From: ann@example.org", "auto-reply"),
        ("From: Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.org>", "bounce"),
    ],
)
def test_a_machine_is_known_and_never_answered(lines: str, reason: str) -> None:
    letter = read_letter(f"{lines}\n\nPASS\n".encode())
    assert letter.robot == reason
    assert not letter.answerable


@pytest.mark.parametrize(
    "line",
    [
        "Subject: Re: out of office",
        "Auto-Submitted: no",
        "Return-Path: <ann@example.org>",
        "Precedence: first-class",
        "X-Auto-Response-Suppress: DR, OOF",
        "Subject: Automobile works: [RR1]",
        "Subject: This is an answer to your automated message",
    ],
)
def test_a_person_is_no_machine(line: str) -> None:
    letter = read_letter(f"From: ann@example.org\n{line}\n\nPASS\n".encode())
    assert letter.robot == ""
    assert letter.answerable


@pytest.mark.parametrize(
    "lines",
    [
        "From: ann@example.org\nX-Auto-Response-Suppress: DR, AutoReply",
        "From: no-reply@example.org",
        "From: donotreply+7@b.c",
        "From: ann@example.org\nPrecedence: Bulk",
        "From: ann@example.org\nList-Id: <players.example.org>",
        "From: ann@example.org\nList-Unsubscribe: <mailto:out@alias.example>",
        "From: ann@example.org\nSubject: Out of office next week: [RR1]",
        "From: ann@example.org\nSubject: =?utf-8?Q?R=C3=A9ponse_automatique?=: [RR1]",
        "From: ann@example.org\nSubject: AUTO: Ann Smith is out of the office (returning 12/14/2026)",
        "From: ann@example.org\nSubject: Note: This is an automated response",
        "From: ann@example.org\nSubject: Automated reply: [RR1]",
    ],
)
def test_orders_of_somebody_who_wants_no_answer_still_count(lines: str) -> None:
    letter = read_letter(f"{lines}\n\nPASS\n".encode())
    assert letter.robot == ""
    assert not letter.answerable


@pytest.mark.parametrize(
    "text",
    [
        "Note: This is an automated response.\n\nI am at sea.",
        "Dear writer,\n\nthis is an automated response to your message.",
        "Hello!\nThis is an auto-generated message, please do not reply.",
        "> STEP 1\nDies ist eine automatische Antwort.",
        "Ceci est une réponse automatique.",
        "This message was automatically generated.",
    ],
)
def test_a_text_that_says_that_a_machine_answers_is_not_answered_and_its_orders_count(text: str) -> None:
    letter = read_letter(f"From: ann@example.org\nContent-Type: text/plain; charset=utf-8\n\n{text}".encode())
    assert letter.robot == ""
    assert not letter.answerable


@pytest.mark.parametrize(
    "text",
    [
        "PASS\n\n> This is an automated response.",
        "This is no automated response, it is me.",
        "STEP 1\na\nb\nc\nd\nThis is an automated response.",
        "I answer because your letter says: This is an automated message.",
    ],
)
def test_who_only_speaks_of_machines_is_answered(text: str) -> None:
    assert read_letter(f"From: ann@example.org\n\n{text}".encode()).answerable


REPORT = "--r\nContent-Type: text/plain\n\nIt failed.\n--r\nContent-Type: {kind}\n\nReporting-MTA: dns; mx\n\n--r--\n"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("message/delivery-status", "bounce"),
        ("message/global-delivery-status", "bounce"),
        ("message/feedback-report", "bounce"),
        ("message/disposition-notification", "receipt"),
    ],
)
@pytest.mark.parametrize("within", ["mixed", "report"])
def test_a_report_among_other_parts_is_a_machines(kind: str, reason: str, within: str) -> None:
    """As where a list has put its footer below a report, or a server sends the report without its frame."""
    report = REPORT.format(kind=kind)
    if within == "report":
        report = f"--r\nContent-Type: multipart/report; boundary=s\n\n{report.replace('--r', '--s')}--r--\n"
    head = "From: ann@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=r\n\n"
    letter = read_letter(f"{head}{report}".encode())
    assert (letter.robot, letter.answerable) == (reason, False)


def test_what_a_report_among_other_parts_says_is_read() -> None:
    report = REPORT.format(kind="message/delivery-status").replace(
        "dns; mx\n", "dns; mx\n\nFinal-Recipient: rfc822; ann@example.org\nAction: failed\nStatus: 5.1.1\n"
    )
    head = "From: mx@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=r\n\n"
    letter = read_letter(f"{head}{report}".encode())
    assert letter.bounce is not None
    assert letter.bounce.worst.status == "5.1.1"


def test_a_person_may_enclose_a_letter_that_came_back() -> None:
    enclosed = f"MIME-Version: 1.0\nContent-Type: multipart/report; boundary=r\n\n{REPORT.format(kind='message/delivery-status')}"
    letter = read_letter(
        "From: ann@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=m\n\n"
        f"--m\n\nPASS. And what is this?\n--m\nContent-Type: message/rfc822\n\n{enclosed}--m--\n".encode()
    )
    assert (letter.robot, letter.answerable) == ("", True)


@pytest.mark.parametrize(
    "subject", ["Re: Automatic reply: [RR1]", "Autosvarta mills", "Poissac line", "My automatic reply"]
)
def test_words_that_only_look_like_a_note_of_absence_are_a_persons(subject: str) -> None:
    assert read_letter(f"From: ann@example.org\nSubject: {subject}\n\nPASS\n".encode()).answerable


@pytest.mark.parametrize(
    "file", sorted((Path(__file__).parent / "vacations").glob("*.eml")), ids=lambda file: file.stem
)
def test_a_note_of_absence_in_any_language_is_not_answered(file: Path) -> None:
    letter = read_letter(file.read_bytes())
    assert not letter.answerable
    assert letter.bounce is None
    assert letter.robot or file.stem.endswith("-stripped"), "only what no header tells may be a person's"


def test_every_sign_has_its_row_in_the_documents() -> None:
    """docs/letters.md says of each sign in which order it is looked for, and what follows for the two questions."""
    page = (ROOT / "docs" / "letters.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z -]+)` \|.*\| (yes|no) \| no \|$", page, re.MULTILINE)
    assert [(sign.reason, "no" if sign.by_machine else "yes") for sign in SIGNS] == rows


GMAIL = (
    "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=r\n\n--r\nContent-Type: text/plain; charset=utf-8\n\n"
    "👍\n\nAnn reacted via Gmail\n--r\nContent-Type: text/vnd.google.email-reaction+json\n\n"
    '{"emoji": "👍", "version": 1}\n--r\nContent-Type: text/html; charset=utf-8\n\n<div>👍</div>\n--r--\n'
)


@pytest.mark.parametrize("body", [GMAIL, "Content-Type: text/plain; charset=utf-8\n\n👍\n", "\n❤️"])
def test_a_reaction_is_no_letter(body: str) -> None:
    assert read_letter(f"From: ann@example.org\n{body}".encode()).robot == "reaction"


@pytest.mark.parametrize("text", ["👍 STEP 3", "-", "...", "|", ">", "👍 👍 fine"])
def test_words_and_marks_are_no_reaction(text: str) -> None:
    assert read_letter(f"From: ann@example.org\n\n{text}".encode()).robot == ""
