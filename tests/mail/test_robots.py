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
        ("From: ann@example.org\nAuto-Submitted: auto-replied (vacation)", "auto-submitted"),
        ("From: ann@example.org\nAuto-Submitted: no\nAuto-Submitted: auto-generated", "auto-submitted"),
        ("From: ann@example.org\nX-Autoreply: yes", "auto-reply"),
        ("From: ann@example.org\nPrecedence: auto_reply", "auto-reply"),
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
    ],
)
def test_orders_of_somebody_who_wants_no_answer_still_count(lines: str) -> None:
    letter = read_letter(f"{lines}\n\nPASS\n".encode())
    assert letter.robot == ""
    assert not letter.answerable


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
    """docs/post.md says of each sign in which order it is looked for, and what follows for the two questions."""
    page = (ROOT / "docs" / "post.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z -]+)` \|.*\| (yes|no) \| no \|$", page, re.MULTILINE)
    assert [(sign.reason, "no" if sign.by_machine else "yes") for sign in SIGNS] == rows
