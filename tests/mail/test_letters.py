"""Letters as mail programs write them: ``letters/NAME.eml`` is read as ``letters/NAME.txt``."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.mail.letter.message import Letter, read_letter

LETTERS = sorted((Path(__file__).parent / "letters").glob("*.eml"))
ANN = b"From: Ann <ann@example.org>\n"


def named(name: str) -> Letter:
    return read_letter((Path(__file__).parent / "letters" / f"{name}.eml").read_bytes())


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_the_text_of_a_letter_is_what_its_writer_saw(path: Path) -> None:
    letter = read_letter(path.read_bytes())
    assert letter.text == path.with_suffix(".txt").read_bytes().decode()


@pytest.mark.parametrize("path", LETTERS, ids=lambda path: path.stem)
def test_the_envelope_of_every_letter_is_read(path: Path) -> None:
    letter = read_letter(path.read_bytes())
    assert (letter.sender, letter.sender_name) == ("ann@example.org", "Ann Byrne")
    assert letter.recipients == ("referee@club.example",)
    assert letter.subject == "Re: [RR7] round 1"
    assert letter.message_id == "<abc.1@example.org>"
    assert letter.arrived == datetime(2026, 12, 3, 19, 42, 10, tzinfo=UTC)
    assert letter.robot == ""
    assert letter.answerable


@pytest.mark.parametrize(
    "name", ["8bit-no-charset", "utf8-called-latin1", "latin1-called-utf8", "unknown-charset", "utf16-with-nul"]
)
def test_a_guessed_character_set_is_told(name: str) -> None:
    # NUL is valid UTF-8, so text in UTF-16 is read by leaving its NULs out: nothing in ASCII was guessed.
    assert ("bad-charset" in named(name).problems) == (name != "utf16-with-nul")


def test_sound_letters_have_no_problems() -> None:
    for name in ("plain-crlf", "qp-latin1", "base64-utf8", "flowed", "html-outlook", "alternative", "signed"):
        assert named(name).problems == ()


def test_the_html_version_is_there_to_compare() -> None:
    same = "1a) (Dublin) - Y17\n1b) (Cork) - B3"
    assert named("alternative").alternatives == ()  # it says the same
    assert named("apple-mixed-in-alternative").alternatives == ("1a) (Dublin) - Y17\n\n1b) (Cork) - B3",)
    assert named("alternative-empty-plain").text == same
    assert named("alternative-empty-plain").alternatives == ()


def test_an_alternative_is_the_whole_letter_as_a_reader_of_html_sees_it() -> None:
    raw = ANN + (
        b"Content-Type: multipart/mixed; boundary=M\n\n--M\nContent-Type: multipart/alternative; boundary=A\n\n"
        b"--A\nContent-Type: text/plain\n\none\n--A\nContent-Type: text/html\n\n<p>two\n--A--\n"
        b"--M\nContent-Type: text/plain\n\nfooter\n--M--\n"
    )
    letter = read_letter(raw)
    assert letter.text == "one\nfooter"
    assert letter.alternatives == ("two\nfooter",)


def test_what_was_not_read_is_named() -> None:
    assert named("apple-mixed-in-alternative").attachments == ("Pläne.pdf",)
    assert named("forwarded").attachments == ("message/rfc822",)
    assert named("orders-in-attachment").problems == ("from-attachment",)
    assert named("signed").attachments == ()


@pytest.mark.parametrize(
    "body",
    [
        b"Content-Type: multipart/encrypted; boundary=A\n\n--A\nContent-Type: application/octet-stream\n\nx\n--A--\n",
        b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIIB",
        b"\nhello\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
    ],
)
def test_an_encrypted_letter_has_no_text_and_says_why(body: bytes) -> None:
    letter = read_letter(ANN + body)
    assert letter.text == ""
    assert letter.problems == ("encrypted",)


@pytest.mark.parametrize("raw", [ANN, ANN + b"\n", ANN + b"\n \n", ANN + b"Content-Type: image/png\n\nxx"])
def test_a_letter_without_words_is_told(raw: bytes) -> None:
    assert read_letter(raw).problems == ("no-text",)


@pytest.mark.parametrize(
    ("value", "sender", "name"),
    [
        ("ann@Example.ORG", "ann@example.org", ""),
        ('"O\'Hara, Ann (\\"GSW\\")" <Ann@example.org>', "Ann@example.org", 'O\'Hara, Ann ("GSW")'),
        ("=?iso-8859-1?q?J=F6rg?= =?utf-8?b?IE3DvGxsZXI=?= <j@example.org>", "j@example.org", "Jörg Müller"),
        ("ann@example.org <ann@example.org>", "ann@example.org", "ann@example.org"),
        ("ann@example.org (Ann (at home))", "ann@example.org", ""),
        ("=?utf-8?q?a=0ABcc=3A_evil=40x.y?= <ann@example.org>", "ann@example.org", "a Bcc: evil@x.y"),
        ("=?utf-8?q?Ann=E2=80=AE?= <ann@example.org>", "ann@example.org", "Ann"),
    ],
)
def test_one_mailbox_in_from_is_the_sender(value: str, sender: str, name: str) -> None:
    letter = read_letter(f"From: {value}\n\nPASS\n".encode())
    assert (letter.sender, letter.sender_name) == (sender, name)
    assert letter.problems == ()


@pytest.mark.parametrize(
    "lines",
    [
        "Subject: nobody",
        "From: ann@example.org\nFrom: eve@example.org",
        "From: ann@example.org\nfrom : ann@example.org",
        "From: ann@example.org, eve@example.org",
        "From: ann@example.org)<evil@x.y",
        "From: players: ann@example.org;",
        "From: undisclosed-recipients:;",
        "From: ann@example.org <evil@x.y>",
        "From: <@relay:ann@example.org>",
        'From: "ann <ann@example.org>',
        "From: ann at example.org",
        "From: =?utf-8?q?ann=40example.org?=",
        "From: <ann@example.org> <evil@x.y>",
        "From: ",
    ],
)
def test_anything_but_one_mailbox_names_nobody(lines: str) -> None:
    letter = read_letter(f"{lines}\n\nPASS\n".encode())
    assert letter.sender == ""
    assert not letter.answerable
    assert letter.problems == ("bad-from",)
    assert letter.text == "PASS\n"


def test_recipients_are_those_of_to_cc_and_delivered_to() -> None:
    raw = b'From: a@b.c\nTo: "x, y@z" <One@B.C>, two@b.c\nCc: list: three@b.c, four@b.c;\nDelivered-To: one@b.c\n\nx'
    assert read_letter(raw).recipients == ("One@b.c", "two@b.c", "three@b.c", "four@b.c", "one@b.c")


def test_a_subject_is_one_decoded_line() -> None:
    assert read_letter(b"From: a@b.c\nSubject: =?utf-8?q?a=0ABcc:_evil@x.y?=\n\nx").subject == "a Bcc: evil@x.y"
    assert (
        read_letter(b"From: a@b.c\nSubject: Z\xfcge\n und =?x?q?\xfc?= mehr\n\nx").subject == "Züge und =?x?q?ü?= mehr"
    )
    split = "=?utf-8?b?w4Q=?= =?utf-8?q?=C3?= =?utf-8?q?=B6?= - =?utf-8?q?x_y?="
    assert read_letter(f"From: a@b.c\nSubject: {split}\n\nx".encode()).subject == "Äö - x y"


def test_references_hold_what_is_answered_last() -> None:
    raw = b"From: a@b.c\nReferences: <1@b.c>\n <2@b.c> junk <no id>\nIn-Reply-To: <3@b.c>\n\nx"
    assert read_letter(raw).references == ("<1@b.c>", "<2@b.c>", "<3@b.c>")


@pytest.mark.parametrize(
    "stamp", ["yesterday", "", "Thu, 3 Dec 99999999999 19:42:10 +0000", "31 Dec 9999 23:59:59 -2359", "1 1 1 1 1 1"]
)
def test_an_unreadable_arrival_is_none_and_date_is_never_asked(stamp: str) -> None:
    raw = f"Received: by x; {stamp}\nDate: Thu, 3 Dec 2026 19:42:10 +0000\nFrom: a@b.c\n\nx".encode()
    assert read_letter(raw).arrived is None


def test_the_topmost_received_counts() -> None:
    raw = b"Received: by us; Fri, 4 Dec 2026 20:00:01 +0100\nReceived: by him; Fri, 4 Dec 2020 20:00:00 +0000\nFrom: a@b.c\n\nx"
    assert read_letter(raw).arrived == datetime(2026, 12, 4, 19, 0, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('<ol style="list-style-type: lower-alpha"><li>one<li>two</ol>', "a. one\nb. two"),
        ('<ol style="list-style-type: upper-latin"><li>one</ol>', "A. one"),
        ('<ol type="a"><li>one<li value="3">two<li>three</ol>', "a. one\nc. two\nd. three"),
        ('<ol start="4"><li>one<li value="x">two</ol>', "4. one\n5. two"),
        ("<p>STEP 3<!doctype STEP 1", "STEP 3"),
        ("<p>STEP 3<?php STEP 1", "STEP 3"),
    ],
)
def test_lists_number_their_items_and_declarations_hide_their_text_as_a_reader_sees_them(
    source: str, text: str
) -> None:
    assert read_letter(ANN + b"Content-Type: text/html\n\n" + source.encode()).text == text


@pytest.mark.parametrize(
    ("taken_for", "sent_as", "label"),
    [("latin-1", "utf-8", "utf-8"), ("cp1252", "utf-8", "x-unknown"), ("cp1252", "mac-roman", "macintosh")],
)
def test_utf_8_that_a_server_made_utf_8_of_again_is_read_as_it_was_written(
    taken_for: str, sent_as: str, label: str
) -> None:
    twice = "Le 02/12/2026 à 20:00, Zoë a écrit : 5 €".encode().decode(taken_for).encode(sent_as)
    letter = read_letter(ANN + b"Content-Type: text/plain; charset=" + label.encode() + b"\n\n" + twice)
    assert letter.text == "Le 02/12/2026 à 20:00, Zoë a écrit : 5 €"
    assert "bad-charset" in letter.problems


@pytest.mark.parametrize(
    "written", ["STRASSE Ã", "der Ruß», à", "CAFÉ\xa0: 5 €", "Grüße an Zoë", "« VOILÀ »", "RUß\xa0"]
)
def test_accents_that_could_be_bytes_stay_as_they_are(written: str) -> None:
    letter = read_letter(ANN + b"Content-Type: text/plain; charset=utf-8\n\n" + written.encode())
    assert letter.text.strip() == written.replace("\xa0", " ").replace("«", '"').replace("»", '"').strip()
