"""The loop guard: what machines write is known by its header, and a person who cannot be answered still gives orders."""

from __future__ import annotations

import pytest

from referee.mail.message import read_letter


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
        ("From: ann@example.org\nPrecedence: Bulk", "list"),
        ("From: ann@example.org\nList-Id: <players.example.org>", "list"),
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
    ],
)
def test_orders_of_somebody_who_wants_no_answer_still_count(lines: str) -> None:
    letter = read_letter(f"{lines}\n\nPASS\n".encode())
    assert letter.robot == ""
    assert not letter.answerable
