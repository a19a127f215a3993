"""A line to a mail server: how it is opened, how long it is kept, and how it breaks."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest

from referee.core.errors import ConfigError, Interrupted, LoginRefused, MailDown
from referee.mail.servers.login import Login
from referee.mail.servers.smtp import LETTERS
from tests.mail.smtpbox import ANN, BOB, RAW, REFEREE, Transports, pem
from tests.servers.dovecot import free_port
from tests.servers.mailhost import PASSWORD, USER, MailHost


def test_a_line_carries_a_hundred_letters_and_no_more(host: MailHost, smtp: Transports) -> None:
    transport = smtp(host)
    for number in range(LETTERS + 1):
        transport.send(f"<{number}@club.example>", RAW, ANN, REFEREE)
    assert (len(host.letters), host.lines) == (LETTERS + 1, 2)


def test_a_line_that_the_server_ended_meanwhile_is_opened_anew(host: MailHost, smtp: Transports) -> None:
    transport = smtp(host)
    transport.send("<1@club.example>", RAW, ANN, REFEREE)
    transport._client.sock.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
    transport.send("<2@club.example>", RAW, BOB, REFEREE)
    assert [each.recipients for each in host.letters] == [(ANN,), (BOB,)]


def test_a_server_that_says_nothing_is_not_waited_for_longer_than_the_setting(host: MailHost, smtp: Transports) -> None:
    transport = smtp(host, timeout=20)
    transport.send("<1@club.example>", RAW, ANN, REFEREE)
    line = transport._client
    assert line is not None
    assert line.sock is not None
    assert line.sock.gettimeout() == 20
    line.sock.settimeout(0.5)  # the line is open: of that timeout nothing more is shown by waiting for its end
    host.slow = 60.0
    with pytest.raises(Interrupted, match="timed out"):
        transport.send("<2@club.example>", RAW, ANN, REFEREE)


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
            smtp(host).send("<1@club.example>", RAW, ANN, REFEREE)
        porter.join()


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_letters_leave_encrypted(tmp_path: Path, security: str, smtp: Transports) -> None:
    with MailHost(security=security, certificate=pem(tmp_path)) as host:
        transport = smtp(host, security, ca_file=str(tmp_path / "host.pem"))
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
        assert host.to(ANN) == [RAW]


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_that_nobody_vouches_for_is_not_trusted(tmp_path: Path, security: str, smtp: Transports) -> None:
    with MailHost(security=security, certificate=pem(tmp_path)) as host:
        with pytest.raises(MailDown, match=r"certificate is not trusted.*smtp\.ca_file"):
            smtp(host, security).send("<1@club.example>", RAW, ANN, REFEREE)
        assert host.letters == []


def test_a_file_of_certificates_that_is_not_there_is_the_umpires_to_mend(
    host: MailHost, tmp_path: Path, smtp: Transports
) -> None:
    with pytest.raises(ConfigError, match=r"smtp\.ca_file"):
        smtp(host, "tls", ca_file=str(tmp_path / "nowhere.pem")).send("<1@club.example>", RAW, ANN, REFEREE)


def test_where_starttls_is_missing_nothing_is_sent(host: MailHost, smtp: Transports) -> None:
    """Somebody on the way may have taken the offer out."""
    login = Login(user=USER, password=PASSWORD)
    with pytest.raises(MailDown, match="offers no STARTTLS"):
        smtp(host, "starttls", lambda: login).send("<1@club.example>", RAW, ANN, REFEREE)
    assert (host.letters, host.logins) == ([], [])


@pytest.mark.parametrize("mechanism", ["PLAIN", "LOGIN"])
def test_a_password_lets_us_in(mechanism: str, smtp: Transports) -> None:
    with MailHost(mechanisms=mechanism) as host:
        transport = smtp(host, login=lambda: Login(user=USER, password=PASSWORD))
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
        assert (host.logins, host.to(ANN)) == ([mechanism], [RAW])


@pytest.mark.parametrize("mechanism", ["XOAUTH2", "OAUTHBEARER"])
def test_a_token_lets_us_in(mechanism: str, smtp: Transports) -> None:
    with MailHost(mechanisms=f"{mechanism} PLAIN", token="aToken") as host:  # noqa: S106
        transport = smtp(host, login=lambda: Login(user=USER, token="aToken"))  # noqa: S106
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
        assert (host.logins, host.to(ANN)) == ([mechanism], [RAW])


def test_a_token_that_ran_out_is_asked_for_once_more(smtp: Transports) -> None:
    tokens = ["old", "new"]
    with MailHost(mechanisms="XOAUTH2", token="new") as host:  # noqa: S106
        transport = smtp(host, login=lambda: Login(user=USER, token=tokens.pop(0)))
        transport.send("<1@club.example>", RAW, ANN, REFEREE)
        assert (tokens, host.to(ANN)) == ([], [RAW])


@pytest.mark.parametrize(("mechanism", "proof"), [("PLAIN", "password"), ("LOGIN", "password"), ("XOAUTH2", "token")])
def test_a_login_that_is_refused_is_told_without_its_secret(mechanism: str, proof: str, smtp: Transports) -> None:
    with MailHost(mechanisms=mechanism, token="right") as host:  # noqa: S106
        login = Login(user=USER, **{proof: "wrongwrong"})
        with pytest.raises(LoginRefused, match="535") as caught:
            smtp(host, login=lambda: login).send("<1@club.example>", RAW, ANN, REFEREE)
        assert "wrongwrong" not in f"{caught.value} {caught.value.__cause__} {login}"


@pytest.mark.parametrize("answer", ["454 4.7.0 temporary trouble", "432 4.7.12 too many logins", "421 4.7.0 bye"])
def test_a_limit_of_logins_is_no_refusal(answer: str, smtp: Transports) -> None:
    with MailHost(mechanisms="PLAIN") as host:
        host.to_login = answer
        with pytest.raises(MailDown, match=answer) as caught:
            smtp(host, login=lambda: Login(user=USER, password=PASSWORD)).send("<1@club.example>", RAW, ANN, REFEREE)
        assert not isinstance(caught.value, LoginRefused)


def test_a_server_without_logins_is_told_no_password(host: MailHost, smtp: Transports) -> None:
    with pytest.raises(MailDown, match="takes no logins"):
        smtp(host, login=lambda: Login(user=USER, password=PASSWORD)).send("<1@club.example>", RAW, ANN, REFEREE)


def test_a_port_where_nobody_listens_is_down(host: MailHost, smtp: Transports) -> None:
    host.port = free_port()
    with pytest.raises(MailDown, match=r"cannot be reached: .*refused"):
        smtp(host).send("<1@club.example>", RAW, ANN, REFEREE)
