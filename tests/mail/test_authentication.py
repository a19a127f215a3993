"""Whose letter it is by what servers and signatures say."""

import sys
from pathlib import Path

import dkim
import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.core import ConfigError
from referee.mail.letter.authentication import LARGEST, is_authenticated, is_signed
from referee.mail.letter.headers import read_head
from tests.tables import Tables, repeated

CASES = Tables(__file__)

# Authentication-Results: what our own mail server wrote is believed, and nothing that anybody else can write.


OURS = "mx.club.example"
ANN = "ann@example.org"
PASS = f"Authentication-Results: {OURS}; dmarc=pass header.from=example.org"
BORDER = f"Received: from out.example.org (out.example.org [192.0.2.1]) by {OURS} with ESMTPS; Mon, 7 Dec 2026"
WITHIN = f"Received: from {OURS} by store.club.example with LMTP id 1; Mon, 7 Dec 2026"
OUTSIDE = "Received: from laptop by out.example.org with ESMTPSA; Mon, 7 Dec 2026"
GMAIL = """Delivered-To: referee@gmail.example
Received: by 2002:a05:7010:c2a2:b0:3a1:2b:3c4d with SMTP id x1csp1; Mon, 7 Dec 2026 04:00:00 -0800 (PST)
X-Received: by 2002:a17:902:e84e with SMTP id y2; Mon, 7 Dec 2026 04:00:00 -0800 (PST)
ARC-Authentication-Results: i=1; mx.google.com; dkim=pass header.i=@example.org
Return-Path: <ann@example.org>
Received: from out.example.org (out.example.org. [192.0.2.1]) by mx.google.com with ESMTPS id z3; Mon, 7 Dec 2026
Received-SPF: pass (google.com: domain of ann@example.org designates 192.0.2.1 as permitted sender)
Authentication-Results: mx.google.com;
       dkim=pass header.i=@example.org header.s=a header.b=AbCd;
       spf=pass (google.com: domain of ann@example.org designates 192.0.2.1 as permitted sender) smtp.mailfrom=ann@example.org;
       dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=example.org
DKIM-Signature: v=1; a=rsa-sha256; d=example.org"""
MICROSOFT = """Received: from AB1.eurprd01.prod.outlook.com (2603::1) by CD2.eurprd01.prod.outlook.com with HTTPS; Mon, 7 Dec 2026
Received: from XY.mail.protection.outlook.com (2603::2) by AB1.outlook.office365.com; Mon, 7 Dec 2026
Authentication-Results: spf=pass (sender IP is 192.0.2.1)
 smtp.mailfrom=example.org; dkim=pass (signature was verified)
 header.d=example.org;dmarc=pass action=none
 header.from=example.org;compauth=pass reason=100"""


def believed(*lines: str, sender: str = ANN, authserv_id: str = OURS, profile: str = "") -> bool:
    raw = "\r\n".join([*lines, f"From: {sender}", "", "STEP 3"]).encode()
    return is_authenticated(read_head(raw)[0], sender, authserv_id, profile)


def written(lines: list[str]) -> list[str]:
    known = {"PASS": PASS, "BORDER": BORDER, "WITHIN": WITHIN, "OUTSIDE": OUTSIDE}
    return [repeated(line).format(**known) for line in lines]


@CASES.rows
def test_what_our_server_wrote_is_believed(lines: list[str]) -> None:
    assert believed(*written(lines))


@CASES.rows
def test_anything_else_is_not(lines: list[str]) -> None:
    assert not believed(*written(lines))


def test_the_fields_of_gmail() -> None:
    assert believed(GMAIL, authserv_id="mx.google.com")
    assert not believed(GMAIL.replace("dmarc=pass", "dmarc=fail"), authserv_id="mx.google.com")
    assert not believed(GMAIL, authserv_id="mx.google.com", sender="ann@other.example")


def test_the_fields_of_microsoft_name_no_server() -> None:
    assert believed(MICROSOFT, authserv_id="", profile="microsoft")
    assert not believed(MICROSOFT, authserv_id="")
    assert not believed(MICROSOFT.replace("dmarc=pass", "dmarc=fail"), authserv_id="", profile="microsoft")
    assert not believed(BORDER, MICROSOFT, authserv_id="", profile="microsoft")  # the mailbox is not one of theirs


def test_without_a_name_for_our_server_nothing_is_believed() -> None:
    assert not believed(PASS, BORDER, authserv_id="")


@given(st.text(alphabet='();="\\ .abdmrcpsx', max_size=300))
def test_no_field_breaks_the_reader_or_passes_in_a_comment(text: str) -> None:
    believed(f"Authentication-Results: {OURS}; {text}")


@pytest.mark.parametrize("character", list('("\\;=a )'))
def test_a_field_as_long_as_may_be_proves_nothing(character: str) -> None:
    filled = f"Authentication-Results: {OURS};{character * 16_000}"
    assert not believed(filled, MICROSOFT, profile="microsoft")
    assert not believed(filled)
    assert not believed(f"Received: from x {character * 8_000} by {' by' * 2000}", PASS)


# DKIM signatures. The letters here were signed once; ``key.txt`` is the record that a name server would give.


SIGNED = Path(__file__).parent / "signed"
SIGNER = "ann@mail.example.org"


class NameServer:
    """Knows one key, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []

    def __call__(self, name: bytes, timeout: int = 0) -> bytes:
        self.asked.append(name)
        return (SIGNED / "key.txt").read_bytes().strip()


def letter(name: str) -> bytes:
    return (SIGNED / f"{name}.eml").read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def is_good(raw: bytes, names: NameServer | None = None, sender: str = SIGNER) -> bool:
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
    assert not is_signed(raw, read_head(raw)[0], SIGNER, lambda name, timeout=0: record)


def test_without_the_program_the_umpire_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dkim", None)
    with pytest.raises(ConfigError, match=r"pip install '\.\[dkim\]'"):
        is_good(letter("whole"))
