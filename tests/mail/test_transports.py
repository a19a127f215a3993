"""What every way out promises, shown on a Maildir and on a mail server; and what a server's answers mean."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from referee.config import Smtp
from referee.core.errors import (
    ConfigError,
    Interrupted,
    LoginRefused,
    MailDown,
    RefereeError,
    Refused,
    TryLater,
)
from referee.mail.login import Login
from referee.mail.maildir import MaildirTransport, make_maildir
from referee.mail.post import Transport
from referee.mail.smtp import LETTERS, SmtpTransport
from tests.servers.dovecot import certificate, free_port
from tests.servers.mailhost import DROP, PASSWORD, USER, MailHost

ANN, BOB, REFEREE = "ann@example.org", "bob@example.net", "referee@club.example"
RAW = b"To: ann@example.org\r\nSubject: x\r\n\r\n.\r\n..\r\nFrom here\r\n.\r\n=E9\r\n"


class Way(Protocol):
    """A way out with the tools of a test: make one, see what arrived, take the far end away."""

    def transport(self) -> Transport: ...
    def arrived(self) -> list[bytes]: ...
    def break_down(self) -> type[RefereeError]: ...


class MaildirWay:
    def __init__(self, path: Path) -> None:
        make_maildir(path)
        self.path = path

    def transport(self) -> Transport:
        return MaildirTransport(self.path)

    def arrived(self) -> list[bytes]:
        return [path.read_bytes() for path in (self.path / "new").iterdir()]

    def break_down(self) -> type[RefereeError]:
        (self.path / "new").rename(self.path / "away")
        return ConfigError


class SmtpWay:
    def __init__(self, host: MailHost) -> None:
        self.host = host

    def transport(self) -> Transport:
        return smtp(self.host)

    def arrived(self) -> list[bytes]:
        return [each.raw for each in self.host.letters]

    def break_down(self) -> type[RefereeError]:
        self.host.stop()
        return MailDown


@pytest.fixture
def host() -> Iterator[MailHost]:
    with MailHost() as made:
        yield made


@pytest.fixture(params=["maildir", "smtp"])
def way(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Way]:
    if request.param == "maildir":
        yield MaildirWay(tmp_path / "out")
    else:
        with MailHost() as made:
            yield SmtpWay(made)


def smtp(
    host: MailHost,
    security: str = "none",
    login: Callable[[], Login] = lambda: Login(user=USER),
    ca_file: str = "",
    timeout: int = 5,
) -> SmtpTransport:
    settings = Smtp(
        host="localhost" if ca_file else "127.0.0.1",
        port=host.port,
        security=security,
        ca_file=ca_file,
        user=USER,
        password_file="",
        token_command="",
        timeout=timeout,
        per_minute=60,
    )
    return SmtpTransport(settings, login, Path())


def pem(folder: Path) -> Path:
    """Write a certificate for localhost, with its key, that nobody trusts by himself."""
    path = folder / "host.pem"
    path.write_text("".join(certificate().values()))
    return path


def test_a_letter_arrives_byte_for_byte(way: Way) -> None:
    transport = way.transport()
    transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.close()
    assert way.arrived() == [RAW]


def test_a_way_out_can_be_used_again_after_it_was_closed(way: Way) -> None:
    transport = way.transport()
    transport.close()
    for number in range(3):
        transport.send(f"<{number}@club.example>", RAW, ANN, REFEREE)
        transport.close()
        transport.close()
    assert way.arrived() == [RAW] * 3


def test_a_letter_sent_again_is_the_same_letter(way: Way) -> None:
    """Into a Maildir it goes once; a mail server cannot know, and gets the same bytes."""
    for _ in range(2):
        transport = way.transport()
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
        transport.close()
    assert set(way.arrived()) == {RAW}
    assert len(way.arrived()) == (2 if isinstance(way, SmtpWay) else 1)


def test_a_far_end_that_is_not_there_is_told(way: Way) -> None:
    transport = way.transport()
    told = way.break_down()
    for _ in range(2):
        with pytest.raises(told):
            transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.close()


def test_each_reader_has_an_envelope_of_his_own(host: MailHost) -> None:
    """No letter has two recipients, and a line is used for many letters."""
    transport = smtp(host)
    for recipient in (ANN, BOB, ANN):
        transport.send("<1@club.example>", RAW, recipient, REFEREE)
    transport.close()
    assert [each.recipients for each in host.letters] == [(ANN,), (BOB,), (ANN,)]
    assert {each.sender for each in host.letters} == {REFEREE}
    assert host.lines == 1


def test_a_line_carries_a_hundred_letters_and_no_more(host: MailHost) -> None:
    transport = smtp(host)
    for number in range(LETTERS + 1):
        transport.send(f"<{number}@club.example>", RAW, ANN, REFEREE)
    transport.close()
    assert (len(host.letters), host.lines) == (LETTERS + 1, 2)


def test_a_line_that_the_server_ended_meanwhile_is_opened_anew(host: MailHost) -> None:
    transport = smtp(host)
    transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport._client.sock.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
    transport.send("<2@club.example>", RAW, BOB, REFEREE)
    transport.close()
    assert [each.recipients for each in host.letters] == [(ANN,), (BOB,)]


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
    host: MailHost, place: str, answer: str, told: type[TryLater | Refused]
) -> None:
    getattr(host, place)[ANN] = answer
    transport = smtp(host)
    with pytest.raises(told) as caught:
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.send("<2@club.example>", RAW, BOB, REFEREE)
    transport.close()
    assert str(caught.value) == answer
    assert [each.recipients for each in host.letters] == [(BOB,)]
    assert host.lines == 1


@pytest.mark.parametrize("place", ["to_recipient", "to_letter"])
def test_a_server_that_is_closing_takes_nobodys_letters(host: MailHost, place: str) -> None:
    getattr(host, place)[ANN] = "421 4.3.2 the service is closing"
    transport = smtp(host)
    with pytest.raises(MailDown, match="is closing") as caught:
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.close()
    assert not isinstance(caught.value, Interrupted)


@pytest.mark.parametrize("answer", ["451 4.7.0 too many letters today", "550 5.7.60 not your address", "421 4.7.0 bye"])
def test_an_answer_to_the_sender_is_about_all_letters(host: MailHost, answer: str) -> None:
    host.to_sender = answer
    transport = smtp(host)
    with pytest.raises(MailDown) as caught:
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.close()
    assert answer in str(caught.value)
    assert not isinstance(caught.value, Interrupted)


def test_a_server_that_wants_a_login_fails_no_letter(host: MailHost) -> None:
    """An umpire who forgot the password should not find his outbox full of failed letters."""
    host.to_recipient[ANN] = "530 5.7.0 Authentication required"
    transport = smtp(host)
    with pytest.raises(MailDown, match="wants a login"):
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.close()


def test_a_letter_too_large_for_the_server_is_refused_alone(host: MailHost) -> None:
    host.to_sender = "552 5.3.4 too large"
    transport = smtp(host)
    with pytest.raises(Refused):
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    host.to_sender = ""
    transport.send("<2@club.example>", RAW, BOB, REFEREE)
    transport.close()


def test_after_a_line_cut_nobody_knows_whether_the_letter_left(host: MailHost) -> None:
    host.to_letter[ANN] = DROP
    transport = smtp(host)
    with pytest.raises(Interrupted, match=r"<1@club\.example>"):
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    assert host.to(ANN) == [RAW]
    transport.send("<2@club.example>", RAW, BOB, REFEREE)
    transport.close()
    assert host.to(BOB) == [RAW]


def test_a_server_that_says_nothing_is_not_waited_for_longer_than_the_setting(host: MailHost) -> None:
    host.slow = 3.0
    transport = smtp(host, timeout=1)
    with pytest.raises(Interrupted, match="timed out"):
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.close()


@pytest.mark.parametrize("greeting", [b"421 4.7.0 too many connections\r\n", b"554 go away\r\n", b"hello?\r\n", b""])
def test_a_server_that_sends_us_away_at_the_door_is_down(greeting: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:

        def open_it() -> None:
            line, _ = door.accept()
            with line:
                line.sendall(greeting)

        porter = threading.Thread(target=open_it)
        porter.start()
        host = MailHost()
        host.port = door.getsockname()[1]
        with pytest.raises(MailDown, match="SMTP server 127"):
            smtp(host).send("<1@club.example>", RAW, ANN, REFEREE)
        porter.join()


@pytest.mark.parametrize(
    "address", [f"{ANN}>\r\nRCPT TO:<{BOB}", f"{ANN} {BOB}", f"<{ANN}>", "ann", "", "a\0@b.example"]
)
def test_what_is_no_address_ends_in_no_command(host: MailHost, address: str) -> None:
    transport = smtp(host)
    with pytest.raises(Refused, match="553"):
        transport.send("<1@club.example>", RAW, address, REFEREE)
    with pytest.raises(Refused, match="553"):
        transport.send("<1@club.example>", RAW, ANN, f"{REFEREE}>\nRCPT TO:<{BOB}")
    transport.close()
    assert host.letters == []


def test_a_letter_may_have_nobody_to_be_told_of_its_failure(host: MailHost) -> None:
    transport = smtp(host)
    transport.send("<1@club.example>", RAW, ANN, "")
    transport.close()
    assert [each.sender for each in host.letters] == [""]


def test_an_address_beyond_ascii_needs_a_server_that_takes_it(host: MailHost) -> None:
    transport = smtp(host)
    with pytest.raises(Refused, match="SMTPUTF8"):
        transport.send("<1@club.example>", RAW, "jörg@example.org", REFEREE)
    transport.close()


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_letters_leave_encrypted(tmp_path: Path, security: str) -> None:
    with MailHost(security=security, certificate=pem(tmp_path)) as host:
        transport = smtp(host, security, ca_file=str(tmp_path / "host.pem"))
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
        transport.close()
        assert host.to(ANN) == [RAW]


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_that_nobody_vouches_for_is_not_trusted(tmp_path: Path, security: str) -> None:
    with MailHost(security=security, certificate=pem(tmp_path)) as host:
        with pytest.raises(MailDown, match=r"certificate is not trusted.*smtp\.ca_file"):
            smtp(host, security).send("<1@club.example>", RAW, ANN, REFEREE)
        assert host.letters == []


def test_a_file_of_certificates_that_is_not_there_is_the_umpires_to_mend(host: MailHost, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"smtp\.ca_file"):
        smtp(host, "tls", ca_file=str(tmp_path / "nowhere.pem")).send("<1@club.example>", RAW, ANN, REFEREE)


def test_where_starttls_is_missing_nothing_is_sent(host: MailHost) -> None:
    """Somebody on the way may have taken the offer out."""
    login = Login(user=USER, password=PASSWORD)
    with pytest.raises(MailDown, match="offers no STARTTLS"):
        smtp(host, "starttls", lambda: login).send("<1@club.example>", RAW, ANN, REFEREE)
    assert (host.letters, host.logins) == ([], [])


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
def test_a_password_lets_us_in(mechanism: str) -> None:
    with MailHost(mechanisms=mechanism) as host:
        transport = smtp(host, login=lambda: Login(user=USER, password=PASSWORD))
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
        transport.close()
        assert (host.logins, host.to(ANN)) == ([mechanism], [RAW])


@pytest.mark.parametrize("mechanism", ["XOAUTH2", "OAUTHBEARER"])
def test_a_token_lets_us_in(mechanism: str) -> None:
    with MailHost(mechanisms=f"{mechanism} PLAIN", token="aToken") as host:  # noqa: S106
        transport = smtp(host, login=lambda: Login(user=USER, token="aToken"))  # noqa: S106
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
        transport.close()
        assert (host.logins, host.to(ANN)) == ([mechanism], [RAW])


def test_a_token_that_ran_out_is_asked_for_once_more() -> None:
    tokens = ["old", "new"]
    with MailHost(mechanisms="XOAUTH2", token="new") as host:  # noqa: S106
        transport = smtp(host, login=lambda: Login(user=USER, token=tokens.pop(0)))
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
        transport.close()
        assert (tokens, host.to(ANN)) == ([], [RAW])


@pytest.mark.parametrize(("mechanism", "proof"), [("PLAIN", "password"), ("LOGIN", "password"), ("XOAUTH2", "token")])
def test_a_login_that_is_refused_is_told_without_its_secret(mechanism: str, proof: str) -> None:
    with MailHost(mechanisms=mechanism, token="right") as host:  # noqa: S106
        login = Login(user=USER, **{proof: "wrongwrong"})
        with pytest.raises(LoginRefused, match="535") as caught:
            smtp(host, login=lambda: login).send("<1@club.example>", RAW, ANN, REFEREE)
        assert "wrongwrong" not in f"{caught.value} {caught.value.__cause__} {login}"


@pytest.mark.parametrize("answer", ["454 4.7.0 temporary trouble", "432 4.7.12 too many logins", "421 4.7.0 bye"])
def test_a_limit_of_logins_is_no_refusal(answer: str) -> None:
    with MailHost(mechanisms="PLAIN") as host:
        host.to_login = answer
        with pytest.raises(MailDown, match=answer) as caught:
            smtp(host, login=lambda: Login(user=USER, password=PASSWORD)).send("<1@club.example>", RAW, ANN, REFEREE)
        assert not isinstance(caught.value, LoginRefused)


def test_a_server_without_logins_is_told_no_password(host: MailHost) -> None:
    with pytest.raises(MailDown, match="takes no logins"):
        smtp(host, login=lambda: Login(user=USER, password=PASSWORD)).send("<1@club.example>", RAW, ANN, REFEREE)


def test_words_of_a_server_come_as_one_plain_line(host: MailHost) -> None:
    """They end in logs, on terminals and in letters to the umpire."""
    host.to_recipient[ANN] = "550-5.1.1 \x1b[31mno\r\n550 5.1.1 such\tuser é"
    transport = smtp(host)
    with pytest.raises(Refused) as caught:
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport.close()
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()


def test_a_port_where_nobody_listens_is_down(host: MailHost) -> None:
    host.port = free_port()
    with pytest.raises(MailDown, match=r"cannot be reached: .*refused"):
        smtp(host).send("<1@club.example>", RAW, ANN, REFEREE)
