"""Letters that come back or are refused, and those that are finished and put away."""

import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.core import MailDown, NotTaken, RefereeError, Refused, TryLater, Unclear
from referee.mail.compose import Attachment, Outgoing, compose, fault_of
from referee.mail.letter.message import FAILURES, PROSE_LIMIT, Bounce, Failure, read_letter
from referee.mail.servers.login import Patience, alike
from referee.reader.limitedprocess import Limits
from referee.reader.wire import Reader
from tests.mail.boxes import ANN, PLAIN, RAW, REFEREE, Faulty, Sources, settings, transport
from tests.servers.fixtures import server_with
from tests.servers.mailhost import MailHost
from tests.tables import Tables

CASES = Tables(__file__)

# Bounces: what the mail servers of the world say of a letter that did not arrive, read alike; and nobody else's word for it.


BOUNCES = Path(__file__).parent / "bounces"
OURS = "<newsletter.rr1.1.ann.1.0123456789abcdef@club.example>"
DSN = (
    "From: mailer-daemon@mx.example\nContent-Type: multipart/report; boundary=B\n\n--B\nContent-Type: text/plain\n\nSorry.\n"
    "--B\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n{fields}\n\n"
    "--B\nContent-Type: text/rfc822-headers\n\nMessage-ID: <a@club.example>\n--B--\n"
)

SAID = CASES.frozen("SAID")


def read(text: str) -> Bounce | None:
    return read_letter(text.encode()).bounce


def test_every_sample_has_its_expectation() -> None:
    assert {file.stem for file in BOUNCES.glob("*.eml")} == set(SAID)


@pytest.mark.parametrize(("name", "said"), SAID.items(), ids=SAID)
def test_a_bounce_says_whom_it_is_about_what_failed_and_which_letter(name: str, said: tuple[str, str]) -> None:
    letter = read_letter((BOUNCES / f"{name}.eml").read_bytes())
    assert letter.robot == "bounce"
    assert not letter.answerable
    assert letter.bounce
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
    assert not read(DSN.format(fields=f"Final-Recipient: rfc822; ann@example.org\nAction: {action}\nStatus: 2.0.0"))


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
    assert told
    assert told.worst == failure


def test_of_several_failures_the_final_one_counts() -> None:
    fields = "Final-Recipient: rfc822; a@b.example\nAction: delayed\nStatus: 4.2.2\n\nAction: failed\nStatus: 5.1.1"
    told = read(DSN.format(fields=fields))
    assert told
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
    assert not read(text)


def test_prose_goes_on_behind_a_first_part_of_several() -> None:
    boxes = "Content-Type: multipart/mixed; boundary=A\n\n--A\nContent-Type: multipart/alternative; boundary=B\n\n"
    words = "--B\n\nSorry!\n--B--\n--A\n\n<ann@example.org>: 550 5.1.1 user unknown\n--A--\n"
    told = read(f"From: mailer-daemon@mx.example\n{boxes}{words}")
    assert told
    assert told.worst == Failure(recipient="ann@example.org", action="failed", status="5.1.1")


def test_a_status_in_the_letter_that_is_returned_says_nothing() -> None:
    letter = "Message-ID: <a@club.example>\nContent-Type: text/plain\n\nAction: failed\nStatus: 5.1.1\nuser unknown\n"
    text = (
        "From: mailer-daemon@mx.example\nContent-Type: multipart/mixed; boundary=B\n\n--B\n\nHere it is.\n"
        f"--B\nContent-Type: message/rfc822\n\n{letter}\n--B--\n"
    )
    assert not read(text)


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
    assert told
    assert len(told.failures) <= FAILURES


# Of whom a server's refusal speaks, by the words of many servers.


WORDINGS = tomllib.loads((Path(__file__).parents[1] / "servers" / "refusals.toml").read_text("utf-8"))["refusal"]
ROWS = [
    (row["server"], row.get("at", "recipient"), of, said.replace("{to}", ANN).replace("{from}", REFEREE))
    for row in WORDINGS
    for of in ("us", "reader", "unclear")
    for said in row.get(of, ())
]


@pytest.fixture(scope="module")
def host() -> Iterator[MailHost]:
    with MailHost() as made:
        yield made


@pytest.mark.parametrize(("server", "at", "of", "said"), ROWS)
def test_a_refusal_is_about_us_or_about_its_reader(host: MailHost, server: str, at: str, of: str, said: str) -> None:
    host.to_recipient, host.to_letter = ({ANN: said}, {}) if at == "recipient" else ({}, {ANN: said})
    way = transport(host)
    with pytest.raises(RefereeError) as caught:
        way.send("<1@club.example>", RAW, ANN, REFEREE)
    way.close()
    if of == "us":
        assert isinstance(caught.value, MailDown)
    else:
        assert isinstance(caught.value, NotTaken)
        assert isinstance(caught.value, Refused | TryLater)
        assert isinstance(caught.value, Unclear) == (of == "unclear" and said.startswith("5"))


def test_two_refusals_are_alike_but_for_what_is_the_letters_own() -> None:
    first = "5.7.1 <ann@example.org>: Recipient address rejected: Access denied id=1sRIWI-00dbDH"
    assert alike(first) == alike("5.7.1 <bob@example.net>: Recipient address rejected: Access denied id=7xKK2a-00aaBB")
    assert alike(first) != alike("5.7.1 <bob@example.net>: Recipient address rejected: Go away")


# A letter of ours is read once more before it leaves.


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


# Letters that are taken out of a mailbox many at once: whatever the server can or wants, none is lost and none in the way.


@pytest.mark.dovecot
@pytest.mark.parametrize("capability", ["IMAP4rev1 MOVE NAMESPACE", "IMAP4rev1 UIDPLUS NAMESPACE", "IMAP4rev1"])
def test_letters_go_together_into_a_folder_that_is_made_for_them(
    mailbox: str, capability: str, source: Sources
) -> None:
    with server_with(capability) as server:
        for number in range(5):
            server.deliver(mailbox, PLAIN + b"%d\r\n" % number)
        made = source(settings(server, mailbox))
        first, _, third, *others = made.waiting()
        made.take_out(first.key)
        made.take_out(*(arrival.key for arrival in (first, third, *others)))
        made.take_out()
        (left,) = made.waiting()
        assert made.read(left.key, 10_000).endswith(b"1\r\n")
        made.close()
        processed = {raw[-3:-2] for _, raw in server.folder_letters(mailbox, "Referee.Processed")}
        assert processed == {b"0", b"2", b"3", b"4"}


def test_one_that_the_server_does_not_move_keeps_none_of_the_others(faulty: Faulty) -> None:
    mailbox, made, _ = faulty
    mailbox.fixed.add(2)
    keys = [arrival.key for arrival in made.waiting()]
    made.take_out(*keys)
    assert set(mailbox.letters) == {2}
    for _ in range(3):
        made.take_out(*keys)
    mailbox.heard.clear()
    made.take_out(*keys)
    assert mailbox.heard == ["MOVE"]  # the one that stays is not tried for ever
    assert set(mailbox.letters) == {2}


# A server that fails is left alone for longer and longer.


def test_waits_double_from_five_seconds_to_a_quarter_of_an_hour() -> None:
    patience = Patience(lambda: 0.0, lambda: 100.0)
    assert patience.seconds_left() == 0
    waits = []
    for _ in range(12):
        patience.count_failure()
        waits.append(patience.seconds_left())
    assert waits == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900]
    patience.forget_failures()
    assert patience.seconds_left() == 0


def test_chance_adds_up_to_a_quarter() -> None:
    patience = Patience(lambda: 0.5, lambda: 100.0)
    patience.count_failure()
    assert patience.seconds_left() == 5 * 1.125


def test_time_that_passes_counts() -> None:
    now = [0.0]
    patience = Patience(lambda: 0.0, lambda: now[0])
    patience.count_failure()
    now[0] = 4
    assert patience.seconds_left() == 1
    now[0] = 6
    assert patience.seconds_left() == 0
