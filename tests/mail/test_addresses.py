"""Addresses beyond ASCII (RFC 6531): one spelling, and never another man's."""

from __future__ import annotations

import pytest

from referee.mail.letter.message import read_letter


@pytest.mark.parametrize(
    ("written", "sender"),
    [
        ("ann@bücher.example", "ann@xn--bcher-kva.example"),
        ("Ann <ann@BÜCHER.example>", "ann@xn--bcher-kva.example"),
        ("ann@xn--bcher-kva.example", "ann@xn--bcher-kva.example"),
        ("ann@straße.example", "ann@xn--strae-oqa.example"),  # not strasse.example
    ],
)
def test_a_domain_of_any_script_is_known_by_its_ascii_name(written: str, sender: str) -> None:
    letter = read_letter(f"From: {written}\nTo: {written}\n\nPASS\n".encode())
    assert (letter.sender, letter.recipients) == (sender, (sender,))
    assert letter.answerable
    assert letter.problems == ()


@pytest.mark.parametrize("written", ["jörg@example.org", "аnn@example.org", "Ann <аnn@bücher.example>"])
def test_a_sender_of_another_script_is_somebody_but_nobody_we_can_write_to(written: str) -> None:
    letter = read_letter(f"From: {written}\n\nPASS\n".encode())
    assert letter.sender
    assert not letter.sender.isascii()
    assert not letter.answerable


@pytest.mark.parametrize(
    "written",
    [
        "ann@ｅxample.org",  # wide letters
        "ann@example。org",
        "ann＠example.org",
        "ann@exa\u200bmple.org",
        "ann@exa\u00admple.org",
        "\u212aate@example.org",  # the sign of Kelvin
        "a\u0301nn@example.org",  # a letter in two
        "ann@" + "ü" * 64 + ".example",
        "ann@ü_ü.example",
        "\u202egro.elpmaxe@nna",
    ],
)
def test_an_address_with_two_spellings_is_nobodys(written: str) -> None:
    letter = read_letter(f"From: {written}\n\nPASS\n".encode())
    assert letter.sender == ""
    assert "bad-from" in letter.problems
