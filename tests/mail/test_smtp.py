"""Letters to an SMTP server: what is sent, by which line, and with whose certificate."""

import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pytest

from referee.config import Smtp
from referee.core import ConfigError, Interrupted, LoginRefused, MailDown, RefereeError, Refused, TryLater, Untrusted
from referee.mail.interfaces import Transport
from referee.mail.maildir import MaildirTransport, make_maildir
from referee.mail.servers.login import Login
from referee.mail.servers.smtp import LETTERS, SmtpTransport, open_line
from referee.service.doctor.servers import not_opened
from tests.mail.boxes import ANN, BOB, RAW, REFEREE, Transports, pem
from tests.servers.dovecot import free_port
from tests.servers.mailhost import DROP, PASSWORD, USER, MailHost
from tests.tables import Tables

CASES = Tables(__file__)

# Letters handed to a mail server, and what its answers mean.


def send(way: Transport, recipient: str = ANN, number: int = 1) -> None:
    way.send(f"<{number}@club.example>", RAW, recipient, REFEREE)


def test_each_reader_has_an_envelope_of_their_own(host: MailHost, smtp: Transports) -> None:
    """No letter has two recipients, and a line is used for many letters."""
    transport = smtp(host)
    for recipient in (ANN, BOB, ANN):
        send(transport, recipient)
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
def test_an_answer_about_one_reader_is_about_that_one_alone(
    host: MailHost, place: str, answer: str, told: type[TryLater | Refused], smtp: Transports
) -> None:
    getattr(host, place)[ANN] = answer
    transport = smtp(host)
    with pytest.raises(told) as caught:
        send(transport)
    send(transport, BOB, 2)
    assert str(caught.value) == answer
    assert [each.recipients for each in host.letters] == [(BOB,)]
    assert host.lines == 1


@pytest.mark.parametrize("place", ["to_recipient", "to_letter"])
def test_a_server_that_is_closing_takes_nobodys_letters(host: MailHost, place: str, smtp: Transports) -> None:
    getattr(host, place)[ANN] = "421 4.3.2 the service is closing"
    transport = smtp(host)
    with pytest.raises(MailDown, match="is closing") as caught:
        send(transport)
    assert not isinstance(caught.value, Interrupted)


@pytest.mark.parametrize("answer", ["451 4.7.0 too many letters today", "550 5.7.60 not your address", "421 4.7.0 bye"])
def test_an_answer_to_the_sender_is_about_all_letters(host: MailHost, answer: str, smtp: Transports) -> None:
    host.to_sender = answer
    transport = smtp(host)
    with pytest.raises(MailDown) as caught:
        send(transport)
    assert answer in str(caught.value)
    assert not isinstance(caught.value, Interrupted)


def test_a_server_that_wants_a_login_fails_no_letter(host: MailHost, smtp: Transports) -> None:
    """An umpire who forgot the password should not find the outbox full of failed letters."""
    host.to_recipient[ANN] = "530 5.7.0 Authentication required"
    transport = smtp(host)
    with pytest.raises(MailDown, match="wants a login"):
        send(transport)


def test_a_letter_too_large_for_the_server_is_refused_alone(host: MailHost, smtp: Transports) -> None:
    host.to_sender = "552 5.3.4 too large"
    transport = smtp(host)
    with pytest.raises(Refused):
        send(transport)
    host.to_sender = ""
    send(transport, BOB, 2)


def test_after_a_line_cut_nobody_knows_whether_the_letter_left(host: MailHost, smtp: Transports) -> None:
    host.to_letter[ANN] = DROP
    transport = smtp(host)
    with pytest.raises(Interrupted, match=r"<1@club\.example>"):
        send(transport)
    assert host.to(ANN) == [RAW]
    send(transport, BOB, 2)
    assert host.to(BOB) == [RAW]


@pytest.mark.parametrize(
    "address", [f"{ANN}>\r\nRCPT TO:<{BOB}", f"{ANN} {BOB}", f"<{ANN}>", "ann", "", "a\0@b.example"]
)
def test_what_is_no_address_ends_in_no_command(host: MailHost, address: str, smtp: Transports) -> None:
    transport = smtp(host)
    with pytest.raises(Refused, match="553"):
        send(transport, address)
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
        send(transport, "jörg@example.org")


def test_words_of_a_server_come_as_one_plain_line(host: MailHost, smtp: Transports) -> None:
    """They end in logs, on terminals and in letters to the umpire."""
    host.to_recipient[ANN] = "550-5.1.1 \x1b[31mno\r\n550 5.1.1 such\tuser é"
    transport = smtp(host)
    with pytest.raises(Refused) as caught:
        send(transport)
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
            send(transport)
        transport.send("<1@club.example>", b"b\r\n", ANN, REFEREE)
    assert script.heard[1:] == [ENVELOPE, b".\r\n", b"rset\r\n", ENVELOPE, b"b\r\n.\r\n"]


def test_a_server_that_takes_a_letter_before_it_has_it_gave_no_answer(smtp: Transports) -> None:
    answers = (b"250 a\r\n250 b\r\n250 c\r\n", b"250 reset\r\n")
    with scripted(*answers) as script, pytest.raises(Interrupted, match="means nothing"):
        send(way_to(script, smtp))


def test_a_line_that_breaks_within_the_envelope_leaves_the_letter_open(smtp: Transports) -> None:
    told = r"broke off while it was given <1@club\.example>"
    with scripted(b"250 a\r\n") as script, pytest.raises(Interrupted, match=told):
        send(way_to(script, smtp))


# A line to a mail server: how it is opened, how long it is kept, and how it breaks.


def test_a_line_carries_a_hundred_letters_and_no_more(host: MailHost, smtp: Transports) -> None:
    transport = smtp(host)
    for number in range(LETTERS + 1):
        send(transport, ANN, number)
    assert (len(host.letters), host.lines) == (LETTERS + 1, 2)


def test_a_line_that_the_server_ended_meanwhile_is_opened_anew(host: MailHost, smtp: Transports) -> None:
    transport = smtp(host)
    send(transport)
    transport._client.sock.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
    send(transport, BOB, 2)
    assert [each.recipients for each in host.letters] == [(ANN,), (BOB,)]


def test_a_server_that_says_nothing_is_not_waited_for_longer_than_the_setting(host: MailHost, smtp: Transports) -> None:
    transport = smtp(host, timeout=20)
    send(transport)
    line = transport._client
    assert line
    assert line.sock is not None
    assert line.sock.gettimeout() == 20
    line.sock.settimeout(0.5)  # the line is open: of that timeout nothing more is shown by waiting for its end
    host.slow = 60.0
    with pytest.raises(Interrupted, match="timed out"):
        send(transport, ANN, 2)


@pytest.mark.parametrize("greeting", [b"421 4.7.0 too many connections\r\n", b"554 go away\r\n", b"hello?\r\n", b""])
def test_a_server_that_sends_us_away_at_the_door_is_down(greeting: bytes, smtp: Transports) -> None:
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
            send(smtp(host))
        porter.join()


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_letters_leave_encrypted(tmp_path: Path, security: str, smtp: Transports) -> None:
    with MailHost(security=security, certificate=pem(tmp_path)) as host:
        transport = smtp(host, security, ca_file=str(tmp_path / "host.pem"))
        send(transport)
        assert host.to(ANN) == [RAW]


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_that_nobody_vouches_for_is_not_trusted(tmp_path: Path, security: str, smtp: Transports) -> None:
    with MailHost(security=security, certificate=pem(tmp_path)) as host:
        with pytest.raises(MailDown, match=r"certificate is not trusted.*smtp\.ca_file"):
            send(smtp(host, security))
        assert host.letters == []


def test_a_file_of_certificates_that_is_not_there_is_the_umpires_to_mend(
    host: MailHost, tmp_path: Path, smtp: Transports
) -> None:
    with pytest.raises(ConfigError, match=r"smtp\.ca_file"):
        send(smtp(host, "tls", ca_file=str(tmp_path / "nowhere.pem")))


def test_where_starttls_is_missing_nothing_is_sent(host: MailHost, smtp: Transports) -> None:
    """Somebody on the way may have taken the offer out."""
    login = Login(user=USER, password=PASSWORD)
    with pytest.raises(MailDown, match="offers no STARTTLS"):
        send(smtp(host, "starttls", lambda: login))
    assert (host.letters, host.logins) == ([], [])


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
def test_a_password_lets_us_in(mechanism: str, smtp: Transports) -> None:
    with MailHost(mechanisms=mechanism) as host:
        transport = smtp(host, login=lambda: Login(user=USER, password=PASSWORD))
        send(transport)
        assert (host.logins, host.to(ANN)) == ([mechanism], [RAW])


@pytest.mark.parametrize("mechanism", ["XOAUTH2", "OAUTHBEARER"])
def test_a_token_lets_us_in(mechanism: str, smtp: Transports) -> None:
    with MailHost(mechanisms=f"{mechanism} PLAIN", token="aToken") as host:  # noqa: S106
        transport = smtp(host, login=lambda: Login(user=USER, token="aToken"))  # noqa: S106
        send(transport)
        assert (host.logins, host.to(ANN)) == ([mechanism], [RAW])


def test_a_token_that_ran_out_is_asked_for_once_more(smtp: Transports) -> None:
    tokens = ["old", "new"]
    with MailHost(mechanisms="XOAUTH2", token="new") as host:  # noqa: S106
        transport = smtp(host, login=lambda: Login(user=USER, token=tokens.pop(0)))
        send(transport)
        assert (tokens, host.to(ANN)) == ([], [RAW])


@CASES.rows
def test_a_login_that_is_refused_is_told_without_its_secret(mechanism: str, proof: str, smtp: Transports) -> None:
    with MailHost(mechanisms=mechanism, token="right") as host:  # noqa: S106
        login = Login(user=USER, **{proof: "wrongwrong"})
        with pytest.raises(LoginRefused, match="535") as caught:
            send(smtp(host, login=lambda: login))
        assert "wrongwrong" not in f"{caught.value} {caught.value.__cause__} {login}"


@pytest.mark.parametrize("answer", ["454 4.7.0 temporary trouble", "432 4.7.12 too many logins", "421 4.7.0 bye"])
def test_a_limit_of_logins_is_no_refusal(answer: str, smtp: Transports) -> None:
    with MailHost(mechanisms="PLAIN") as host:
        host.to_login = answer
        with pytest.raises(MailDown, match=answer) as caught:
            send(smtp(host, login=lambda: Login(user=USER, password=PASSWORD)))
        assert not isinstance(caught.value, LoginRefused)


def test_a_server_without_logins_is_told_no_password(host: MailHost, smtp: Transports) -> None:
    with pytest.raises(MailDown, match="takes no logins"):
        send(smtp(host, login=lambda: Login(user=USER, password=PASSWORD)))


def test_a_port_where_nobody_listens_is_down(host: MailHost, smtp: Transports) -> None:
    host.port = free_port()
    with pytest.raises(MailDown, match=r"cannot be reached: .*refused"):
        send(smtp(host))


# What every way out promises, shown on a Maildir and on a mail server.


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
    def __init__(self, host: MailHost, smtp: Transports) -> None:
        self.host, self.smtp = host, smtp

    def transport(self) -> Transport:
        return self.smtp(self.host)

    def arrived(self) -> list[bytes]:
        return [each.raw for each in self.host.letters]

    def break_down(self) -> type[RefereeError]:
        self.host.stop()
        return MailDown


@pytest.fixture(params=["maildir", "together", "one by one"])
def way(request: pytest.FixtureRequest, tmp_path: Path, smtp: Transports) -> Iterator[Way]:
    if request.param == "maildir":
        yield MaildirWay(tmp_path / "out")
        return
    with MailHost(together=request.param == "together") as host:
        yield SmtpWay(host, smtp)


def test_a_letter_arrives_byte_for_byte(way: Way) -> None:
    transport = way.transport()
    send(transport)
    transport.close()
    assert way.arrived() == [RAW]


def test_a_way_out_can_be_used_again_after_it_was_closed(way: Way) -> None:
    transport = way.transport()
    transport.close()
    for number in range(3):
        send(transport, ANN, number)
        transport.close()
        transport.close()
    assert way.arrived() == [RAW] * 3


def test_a_letter_sent_again_is_the_same_letter(way: Way) -> None:
    """Into a Maildir it goes once; a mail server cannot know, and gets the same bytes."""
    for _ in range(2):
        transport = way.transport()
        send(transport)
        transport.close()
    assert set(way.arrived()) == {RAW}
    assert len(way.arrived()) == (2 if isinstance(way, SmtpWay) else 1)


def test_a_far_end_that_is_not_there_is_told(way: Way) -> None:
    transport = way.transport()
    told = way.break_down()
    for _ in range(2):
        with pytest.raises(told):
            send(transport)
    transport.close()


# A certificate that is refused is told with what would mend it: another name, another day, another signature.


SIGNING = """\
[ca]
default_ca = own
[own]
database = index.txt
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = names
[any]
commonName = supplied
[names]
subjectAltName = DNS:localhost
"""


def certificate(folder: Path, begins: str, ends: str) -> Path:
    """Write a certificate for localhost that holds between two days, with its key."""
    for name, text in {"ca.conf": SIGNING, "index.txt": "", "serial": "01\n"}.items():
        (folder / name).write_text(text)
    key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem"
    asking = f"req -new {key} -subj /CN=localhost -out request.pem"
    signing = "ca -selfsign -batch -notext -config ca.conf -keyfile key.pem -in request.pem -out cert.pem"
    for command in (asking, f"{signing} -startdate {begins}000000Z -enddate {ends}000000Z"):
        subprocess.run(("openssl", *command.split()), cwd=folder, capture_output=True, check=True)
    whole = folder / "host.pem"
    whole.write_text((folder / "cert.pem").read_text() + (folder / "key.pem").read_text())
    return whole


@CASES.frozen_rows
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_the_remedy_is_the_one_for_what_is_wrong(
    tmp_path: Path, days: tuple[str, str], host: str, remedy: str, security: str
) -> None:
    path = certificate(tmp_path, *days)
    with MailHost(security=security, certificate=path) as server:
        settings = Smtp(
            host=host or "localhost",
            port=server.port,
            security=security,
            ca_file=str(path) if host else "",
            user="",
            password_file="",
            token_command="",
            timeout=5,
            per_minute=60,
        )
        with pytest.raises(Untrusted, match="certificate is not trusted") as caught:
            open_line(settings, lambda: Login(user=""), tmp_path)
    told = not_opened("smtp", caught.value)
    assert remedy in told.remedy
    assert "firewall" not in told.remedy
    assert remedy not in told.text
    assert not told.text.endswith(".")  # the remedy follows behind a colon
    assert remedy in str(caught.value)
