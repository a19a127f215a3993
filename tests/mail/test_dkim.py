"""DKIM signatures. The letters here were signed once; ``key.txt`` is the record that a name server would give."""

from __future__ import annotations

import sys
from pathlib import Path

import dkim
import pytest

from referee.core.errors import ConfigError
from referee.mail.letter.authentication import LARGEST, is_signed
from referee.mail.letter.headers import read_head

SIGNED = Path(__file__).parent / "signed"
ANN = "ann@mail.example.org"


class NameServer:
    """Knows one key, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    def __call__(self, name: bytes, timeout: int = 0) -> bytes:
        self.asked.append(name)
        return (SIGNED / "key.txt").read_bytes().strip()


def letter(name: str) -> bytes:
    return (SIGNED / f"{name}.eml").read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def is_good(raw: bytes, names: NameServer | None = None, sender: str = ANN) -> bool:
    return is_signed(raw, read_head(raw)[0], sender, names or NameServer())


def test_a_signature_of_the_senders_domain_or_one_above_it_counts() -> None:
    names = NameServer()
    assert is_good(letter("whole"), names)
    assert names.asked == [b"club._domainkey.example.org."]


def test_a_letter_kept_with_other_ends_of_lines_is_still_signed() -> None:
    assert is_good(letter("whole").replace(b"\r\n", b"\n"))


@pytest.mark.parametrize("change", [(b"STEP 3", b"STEP 4"), (b"Re: [RR1]", b"Re: [RR2]"), (b"Ann <", b"Bob <")])
def test_what_was_changed_on_the_way_is_not_signed(change: tuple[bytes, bytes]) -> None:
    assert not is_good(letter("whole").replace(*change))


def test_a_signature_over_the_beginning_of_a_text_does_not_count() -> None:
    """Anybody may add orders below it, and a checker that knows the tag l= takes the letter for whole."""
    raw = letter("beginning") + b"STEP 1\r\n"
    assert dkim.verify(raw, dnsfunc=NameServer())
    assert not is_good(raw)
    assert not is_good(letter("beginning"))


@pytest.mark.parametrize("name", ["stranger", "below"])
def test_a_good_signature_of_another_domain_does_not_count(name: str) -> None:
    names = NameServer()
    assert dkim.verify(letter(name), dnsfunc=NameServer())
    assert not is_good(letter(name), names)
    assert names.asked == []


def test_a_second_sender_above_the_signed_one_does_not_count() -> None:
    raw = b"From: Ann <ann@mail.example.org>\r\n" + letter("whole")
    assert not is_good(raw)


def test_a_signature_that_leaves_the_sender_out_is_not_even_looked_up() -> None:
    names = NameServer()
    assert not is_good(letter("whole").replace(b"h=from :", b"h="), names)
    assert names.asked == []


def test_what_takes_long_to_check_is_not_checked() -> None:
    names = NameServer()
    assert not is_good(letter("whole") + b"x" * LARGEST, names)
    assert not is_good(letter("whole") + b" " * 1000, names)
    assert not is_good(letter("whole") + b"\r\n" * 1000 + b"x", names)
    assert names.asked == []


def test_at_most_three_signatures_are_looked_at() -> None:
    names = NameServer()
    field, _, rest = letter("whole").partition(b"From:")
    spoilt = field.replace(b"bh=", b"bh=AAAA")
    assert is_good(spoilt * 2 + field + b"From:" + rest, names)
    assert not is_good(spoilt * 3 + field + b"From:" + rest, names)


@pytest.mark.parametrize("record", [None, b"", b"v=DKIM1; p=", b"v=DKIM1; k=rsa; p=AAAA", b"\xff\xfe"])
def test_a_name_server_that_talks_nonsense_proves_nothing(record: bytes | None) -> None:
    raw = letter("whole")
    assert not is_signed(raw, read_head(raw)[0], ANN, lambda name, timeout=0: record)


def test_without_the_program_the_umpire_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dkim", None)
    with pytest.raises(ConfigError, match=r"pip install '\.\[dkim\]'"):
        is_good(letter("whole"))
