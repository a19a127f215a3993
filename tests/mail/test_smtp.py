"""Letters handed to a mail server, and what its answers mean."""

from __future__ import annotations

import pytest

from referee.core.errors import Interrupted, MailDown, Refused, TryLater
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
        ("550 5.4.5 Daily user sending limit exceeded", TryLater),
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
