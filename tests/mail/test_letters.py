"""What is read of a letter: its texts, whether a machine wrote it, whether it was given away."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path

import pytest

from referee.core import Terms
from referee.mail.letter.givenaway import Exchange
from referee.mail.letter.headers import decode_words
from referee.mail.letter.message import Letter, read_letter
from referee.mail.letter.robots import MACHINES, UNANSWERED
from referee.service.umpire.logbook import exchange_words, words_of
from tests.letters.corpus import SEATS as GAMES
from tests.letters.corpus import Hear, Recorded, hearing, recorded
from tests.letters.mutants import seeded
from tests.posthouse import ROOT, PostHouse, begun_games
from tests.tables import Tables

CASES = Tables(__file__)

# Letters as mail programs write them: ``letters/NAME.eml`` is read as ``letters/NAME.txt``.


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


@CASES.rows
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


@CASES.rows
def test_one_mailbox_in_from_is_the_sender(value: str, sender: str, name: str) -> None:
    letter = read_letter(f"From: {value}\n\nPASS\n".encode())
    assert (letter.sender, letter.sender_name) == (sender, name)
    assert letter.problems == ()


@CASES.rows
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


@CASES.rows
def test_an_unreadable_arrival_is_none_and_date_is_never_asked(stamp: str) -> None:
    raw = f"Received: by x; {stamp}\nDate: Thu, 3 Dec 2026 19:42:10 +0000\nFrom: a@b.c\n\nx".encode()
    assert not read_letter(raw).arrived


def test_the_topmost_received_counts() -> None:
    raw = b"Received: by us; Fri, 4 Dec 2026 20:00:01 +0100\nReceived: by him; Fri, 4 Dec 2020 20:00:00 +0000\nFrom: a@b.c\n\nx"
    assert read_letter(raw).arrived == datetime(2026, 12, 4, 19, 0, 1, tzinfo=UTC)


@CASES.rows
def test_lists_number_their_items_and_declarations_hide_their_text_as_a_reader_sees_them(
    source: str, text: str
) -> None:
    assert read_letter(ANN + b"Content-Type: text/html\n\n" + source.encode()).text == text


@CASES.rows
def test_utf_8_that_a_server_made_utf_8_of_again_is_read_as_it_was_written(
    taken_for: str, sent_as: str, label: str
) -> None:
    twice = "Le 02/12/2026 à 20:00, Zoë a écrit : 5 €".encode().decode(taken_for).encode(sent_as)
    letter = read_letter(ANN + b"Content-Type: text/plain; charset=" + label.encode() + b"\n\n" + twice)
    assert letter.text == "Le 02/12/2026 à 20:00, Zoë a écrit : 5 €"
    assert "bad-charset" in letter.problems


@CASES.rows
def test_accents_that_could_be_bytes_stay_as_they_are(written: str) -> None:
    letter = read_letter(ANN + b"Content-Type: text/plain; charset=utf-8\n\n" + written.encode())
    assert letter.text.strip() == written.replace("\xa0", " ").replace("«", '"').replace("»", '"').strip()


# The loop guard: what machines write is known by its header, and a person who cannot be answered still gives orders.


@CASES.rows
def test_a_machine_is_known_and_never_answered(lines: str, reason: str) -> None:
    letter = read_letter(f"{lines}\n\nPASS\n".encode())
    assert letter.robot == reason
    assert not letter.answerable


@CASES.rows
def test_a_person_is_no_machine(line: str) -> None:
    letter = read_letter(f"From: ann@example.org\n{line}\n\nPASS\n".encode())
    assert letter.robot == ""
    assert letter.answerable


@CASES.rows
def test_orders_of_somebody_who_wants_no_answer_still_count(lines: str) -> None:
    letter = read_letter(f"{lines}\n\nPASS\n".encode())
    assert letter.robot == ""
    assert not letter.answerable


@CASES.rows
def test_a_text_that_says_that_a_machine_answers_is_not_answered_and_its_orders_count(text: str) -> None:
    letter = read_letter(f"From: ann@example.org\nContent-Type: text/plain; charset=utf-8\n\n{text}".encode())
    assert letter.robot == ""
    assert not letter.answerable


@CASES.rows
def test_who_only_speaks_of_machines_is_answered(text: str) -> None:
    assert read_letter(f"From: ann@example.org\n\n{text}".encode()).answerable


REPORT = "--r\nContent-Type: text/plain\n\nIt failed.\n--r\nContent-Type: {kind}\n\nReporting-MTA: dns; mx\n\n--r--\n"


@CASES.rows
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
    assert letter.bounce
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
    assert not letter.bounce
    assert letter.robot or file.stem.endswith("-stripped"), "only what no header tells may be a person's"


def test_every_sign_has_its_row_in_the_documents() -> None:
    """docs/letters.md says of each sign in which order it is looked for, and what follows for the two questions."""
    page = (ROOT / "docs" / "letters.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z -]+)` \|.*\| (yes|no) \| no \|$", page, re.MULTILINE)
    assert [*((reason, "no") for reason in MACHINES), *((reason, "yes") for reason in UNANSWERED)] == rows


GMAIL = (
    "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=r\n\n--r\nContent-Type: text/plain; charset=utf-8\n\n"
    "👍\n\nAnn reacted via Gmail\n--r\nContent-Type: text/vnd.google.email-reaction+json\n\n"
    '{"emoji": "👍", "version": 1}\n--r\nContent-Type: text/html; charset=utf-8\n\n<div>👍</div>\n--r--\n'
)


@pytest.mark.parametrize("body", [GMAIL, "Content-Type: text/plain; charset=utf-8\n\n👍\n", "\n❤️"])
def test_a_reaction_is_no_letter(body: str) -> None:
    assert read_letter(f"From: ann@example.org\n{body}".encode()).robot == "reaction"


@CASES.rows
def test_words_and_marks_are_no_reaction(text: str) -> None:
    assert read_letter(f"From: ann@example.org\n\n{text}".encode()).robot == ""


# What ``referee letter NUMBER --anonymise`` prints: nobody's, and read as what it was made of.


TermsOf = Mapping[str, Terms]
PLAYERS = ("Ann", "Bob", "Cid", "Dot")
LETTER = """Return-Path: <rene.smith@smith.uk>
Received: from mx.smith.uk (mx.smith.uk [198.51.100.7]) by mail.club.uk; Wed, 2 Dec 2026 20:00:00 +0000
DKIM-Signature: v=1; d=smith.uk; b=Zm9vYmFyMTIzNDU2Nzg5MA
From: =?utf-8?Q?Ren=C3=A9_Smith?= <rene.smith@smith.uk>
To: referee+rr1-gsw-k7q2m9xv@club.uk
Subject: Re: [RR1-GSW-K7Q2M9XV] turn 1
Message-ID: <abc123@mail.smith.uk>
User-Agent: Mutt/2.2.12
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="=_b"

--=_b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

HOME Dub=
lin
Ren=C3=A9 S=
mith, for DUBLIN, www.smith.uk and rr1-gsw-K7Q2M9XV
--=_b
Content-Type: text/html
Content-Transfer-Encoding: base64

PHA+UmVuZSBTbWl0aDwvcD4=
--=_b
Content-Type: image/jpeg; name="smith.jpg"
Content-Transfer-Encoding: base64

c21pdGg=
--=_b--
"""


@pytest.fixture(scope="module")
def hear() -> Iterator[Hear]:
    with hearing() as hears:
        yield hears


@pytest.fixture(scope="module")
def terms(tmp_path_factory: pytest.TempPathFactory) -> TermsOf:
    with PostHouse(tmp_path_factory.mktemp("places") / "club") as house:
        games = begun_games(house, GAMES)
        return {kind: position.rules.lexicon(position.state) for kind, position in games.items()}


def masked(said: object) -> str:
    return re.sub(r"\\?\?[^\s()]+|\b[A-Z]{1,3}\d*\b", "*", str(said))


def kept(raw: bytes) -> tuple[list[str], list[bytes]]:
    """Return what a mail program wrote: the order of fields, boundaries, encodings, and itself."""
    return message_from_bytes(raw).keys(), re.findall(rb"(?m)^(?:--\S+|(?:Content-T\S+|User-Agent|X-Mailer):.*)", raw)


def decoded(raw: bytes) -> str:
    texts = [part.get_payload(decode=True) for part in message_from_bytes(raw).walk() if not part.is_multipart()]
    subject_and_sender = "".join(decode_words(str(value)) for value in message_from_bytes(raw).values())
    return " ".join(
        [subject_and_sender, *(text.decode("latin-1") for text in texts if isinstance(text, bytes))]
    ).lower()


@pytest.mark.parametrize("letter", recorded(), ids=lambda each: each.name)
def test_a_letter_given_away_is_read_as_before_and_names_nobody(hear: Hear, terms: TermsOf, letter: Recorded) -> None:
    drawn, game, told = seeded(), str(letter.expected.get("language", "dampfross")), read_letter(letter.raw)
    others = exchange_words(terms[game], drawn)
    names = words_of((*PLAYERS, told.sender, told.sender_name))
    exchange = Exchange(names, others, drawn)
    given, ours = exchange.letter(letter.raw), tuple(map(exchange.letter, letter.ours))
    before, after = hear(letter, letter.raw), hear(replace(letter, ours=ours), given)
    assert (masked(after.said), after.asked) == (masked(before.said), before.asked)
    assert kept(given) == kept(letter.raw)
    strange = {name.lower() for name in names} - {name.lower() for name in others}
    assert not strange & set(re.findall(r"[^\W_]+", decoded(given)))
    address = re.compile(r"[\w.]+@[\w-]+\.[\w.-]+\w|<[^<>\s]+@[^<>\s]+>")
    assert not set(address.findall(decoded(letter.raw))) & set(address.findall(decoded(given)))


def test_an_umpire_gives_a_misread_letter_away(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club") as house:
        begun_games(
            house, GAMES | {"dampfross": ("GSW:red:Ren\u00e9 Smith <rene.smith@smith.uk>", *GAMES["dampfross"][1:])}
        )
        house.drop(LETTER.encode())
        house.tick()
        done = house.command("letter", "1", "--anonymise")
    given = done.stdout
    assert "look it over" in done.stderr
    for word in ("smith", "ren\u00e9", "k7q2m9xv", "club.uk", "198.51", "zm9v", "abc123", "dublin"):
        assert word not in decoded(given.encode())
    assert given.startswith("Return-Path: <")
    assert re.search(r"To: \w+\+rr1-gsw-[a-hj-np-z2-9]{8}@\w+\.test\n", given)
    assert "\n--=_b\nContent-Type: image/jpeg" in given
