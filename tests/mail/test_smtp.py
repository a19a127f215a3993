"""Letters handed to a mail server, and what its answers mean."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from referee.core.errors import Interrupted, MailDown, Refused, TryLater
from referee.mail.servers.smtp import SmtpTransport
from tests.mail.smtpbox import ANN, BOB, RAW, REFEREE, Transports
from tests.servers.mailhost import DROP, MailHost


def test_each_reader_has_an_envelope_of_his_own(host: MailHost, smtp: Transports) -> None:
    """No letter has two recipients, and a line is used for many letters."""
    transport = smtp(host)
    for recipient in (ANN, BOB, ANN):
        transport.send("<1@club.example>", RAW, recipient, REFEREE)
    assert [each.recipients for each in host.letters] == [(ANN,), (BOB,), (ANN,)]
    assert {each.sender for each in host.letters} == {REFEREE}
    assert host.lines == 1


@pytest.mark.parametrize("place", ["to_recipient", "to_letter"])
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("451 4.7.1 Greylisted, try again later", TryLater),
        ("452 4.2.2 mailbox full", TryLater),
        ("550 5.1.1 No such user", Refused),
        ("554 5.7.1 this is spam", Refused),
        ("552 5.2.2 over quota", TryLater),
    ],
)
def test_an_answer_about_one_reader_is_about_him_alone(
    host: MailHost, place: str, answer: str, told: type[TryLater | Refused], smtp: Transports
) -> None:
    getattr(host, place)[ANN] = answer
    transport = smtp(host)
    with pytest.raises(told) as caught:
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.send("<2@club.example>", RAW, BOB, REFEREE)
    assert str(caught.value) == answer
    assert [each.recipients for each in host.letters] == [(BOB,)]
    assert host.lines == 1


@pytest.mark.parametrize("place", ["to_recipient", "to_letter"])
def test_a_server_that_is_closing_takes_nobodys_letters(host: MailHost, place: str, smtp: Transports) -> None:
    getattr(host, place)[ANN] = "421 4.3.2 the service is closing"
    transport = smtp(host)
    with pytest.raises(MailDown, match="is closing") as caught:
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    assert not isinstance(caught.value, Interrupted)


@pytest.mark.parametrize("answer", ["451 4.7.0 too many letters today", "550 5.7.60 not your address", "421 4.7.0 bye"])
def test_an_answer_to_the_sender_is_about_all_letters(host: MailHost, answer: str, smtp: Transports) -> None:
    host.to_sender = answer
    transport = smtp(host)
    with pytest.raises(MailDown) as caught:
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    assert answer in str(caught.value)
    assert not isinstance(caught.value, Interrupted)


def test_a_server_that_wants_a_login_fails_no_letter(host: MailHost, smtp: Transports) -> None:
    """An umpire who forgot the password should not find his outbox full of failed letters."""
    host.to_recipient[ANN] = "530 5.7.0 Authentication required"
    transport = smtp(host)
    with pytest.raises(MailDown, match="wants a login"):
        transport.send("<1@club.example>", RAW, ANN, REFEREE)


def test_a_letter_too_large_for_the_server_is_refused_alone(host: MailHost, smtp: Transports) -> None:
    host.to_sender = "552 5.3.4 too large"
    transport = smtp(host)
    with pytest.raises(Refused):
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    host.to_sender = ""
    transport.send("<2@club.example>", RAW, BOB, REFEREE)


def test_after_a_line_cut_nobody_knows_whether_the_letter_left(host: MailHost, smtp: Transports) -> None:
    host.to_letter[ANN] = DROP
    transport = smtp(host)
    with pytest.raises(Interrupted, match=r"<1@club\.example>"):
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    assert host.to(ANN) == [RAW]
    transport.send("<2@club.example>", RAW, BOB, REFEREE)
    assert host.to(BOB) == [RAW]


@pytest.mark.parametrize(
    "address", [f"{ANN}>\r\nRCPT TO:<{BOB}", f"{ANN} {BOB}", f"<{ANN}>", "ann", "", "a\0@b.example"]
)
def test_what_is_no_address_ends_in_no_command(host: MailHost, address: str, smtp: Transports) -> None:
    transport = smtp(host)
    with pytest.raises(Refused, match="553"):
        transport.send("<1@club.example>", RAW, address, REFEREE)
    with pytest.raises(Refused, match="553"):
        transport.send("<1@club.example>", RAW, ANN, f"{REFEREE}>\nRCPT TO:<{BOB}")
    assert host.letters == []


def test_a_letter_may_have_nobody_to_be_told_of_its_failure(host: MailHost, smtp: Transports) -> None:
    transport = smtp(host)
    transport.send("<1@club.example>", RAW, ANN, "")
    assert [each.sender for each in host.letters] == [""]


def test_an_address_beyond_ascii_needs_a_server_that_takes_it(host: MailHost, smtp: Transports) -> None:
    transport = smtp(host)
    with pytest.raises(Refused, match="SMTPUTF8"):
        transport.send("<1@club.example>", RAW, "jörg@example.org", REFEREE)


def test_words_of_a_server_come_as_one_plain_line(host: MailHost, smtp: Transports) -> None:
    """They end in logs, on terminals and in letters to the umpire."""
    host.to_recipient[ANN] = "550-5.1.1 \x1b[31mno\r\n550 5.1.1 such\tuser é"
    transport = smtp(host)
    with pytest.raises(Refused) as caught:
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()


@dataclass
class Script:
    """A server that answers to each piece that it is given what stands there, and keeps the pieces."""

    answers: tuple[bytes, ...]
    port: int = 0
    heard: list[bytes] = field(default_factory=list)

    def serve(self, door: socket.socket) -> None:
        line, _ = door.accept()
        with line:
            line.sendall(b"220 mx\r\n")
            for answer in (b"250-mx\r\n250 PIPELINING\r\n", *self.answers):
                self.heard.append(line.recv(65536))
                line.sendall(answer)


@contextmanager
def scripted(*answers: bytes) -> Iterator[Script]:
    script = Script(answers)
    with socket.create_server(("127.0.0.1", 0)) as door:
        script.port = door.getsockname()[1]
        server = threading.Thread(target=script.serve, args=[door])
        server.start()
        yield script
        server.join()


def way_to(script: Script, smtp: Transports) -> SmtpTransport:
    host = MailHost()
    host.port = script.port
    return smtp(host)


ENVELOPE = f"mail FROM:<{REFEREE}>\r\nrcpt TO:<{ANN}>\r\ndata\r\n".encode()


def test_the_envelope_is_given_together_where_the_server_takes_that(smtp: Transports) -> None:
    """One is waited for twice a letter: before and after its text."""
    with scripted(b"250 a\r\n250 b\r\n354 c\r\n", b"250 taken\r\n") as script:
        way_to(script, smtp).send("<1@club.example>", b"a\r\n.b", ANN, REFEREE)
    assert script.heard[1:] == [ENVELOPE, b"a\r\n..b\r\n.\r\n"]


@pytest.mark.parametrize(("envelope", "told"), [(b"250 a\r\n550 b\r\n", Refused), (b"552 a\r\n503 b\r\n", Refused)])
def test_a_server_that_wants_a_letter_to_nobody_gets_an_empty_one(
    envelope: bytes, told: type[Refused], smtp: Transports
) -> None:
    """It refused the sender or the reader and asks for the text all the same (RFC 2920, 3.1). The line serves the next letter."""
    answers = (envelope + b"354 c\r\n", b"554 nobody\r\n", b"250 reset\r\n")
    with scripted(*answers, b"250 a\r\n250 b\r\n354 c\r\n", b"250 taken\r\n") as script:
        transport = way_to(script, smtp)
        with pytest.raises(told):
            transport.send("<1@club.example>", RAW, ANN, REFEREE)
        transport.send("<1@club.example>", b"b\r\n", ANN, REFEREE)
    assert script.heard[1:] == [ENVELOPE, b".\r\n", b"rset\r\n", ENVELOPE, b"b\r\n.\r\n"]


def test_a_server_that_takes_a_letter_before_it_has_it_gave_no_answer(smtp: Transports) -> None:
    answers = (b"250 a\r\n250 b\r\n250 c\r\n", b"250 reset\r\n")
    with scripted(*answers) as script, pytest.raises(Interrupted, match="means nothing"):
        way_to(script, smtp).send("<1@club.example>", RAW, ANN, REFEREE)


def test_a_line_that_breaks_within_the_envelope_leaves_the_letter_open(smtp: Transports) -> None:
    told = r"broke off while it was given <1@club\.example>"
    with scripted(b"250 a\r\n") as script, pytest.raises(Interrupted, match=told):
        way_to(script, smtp).send("<1@club.example>", RAW, ANN, REFEREE)
