"""A line to an IMAP server: how it is opened, what is waited for on it, and how it breaks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from referee.core.errors import ConfigError, LoginRefused, MailDown
from referee.mail.servers.imap import ImapSource
from referee.mail.servers.login import Login
from tests.mail.imapbox import PLAIN, Faulty, Seconds, Sources, fake_settings, settings
from tests.mail.waits import Stop
from tests.servers.dovecot import PASSWORD, Dovecot, token
from tests.servers.fixtures import server_with


@pytest.fixture
def own() -> Iterator[Dovecot]:
    """A server that the test may kill."""
    with server_with() as server:
        yield server


@pytest.mark.dovecot
def test_a_wrong_password_is_told_apart_from_a_server_that_is_down(
    dovecot: Dovecot, mailbox: str, source: Sources
) -> None:
    made = source(settings(dovecot, mailbox), lambda: Login(user=mailbox, password="wrong"))  # noqa: S106
    with pytest.raises(LoginRefused, match=f"does not let {mailbox} in") as caught:
        made.waiting()
    assert "wrong" not in str(caught.value)


@pytest.mark.dovecot
@pytest.mark.parametrize("mechanisms", ["plain xoauth2", "plain oauthbearer", "plain xoauth2 oauthbearer"])
def test_a_token_logs_in_and_one_that_ran_out_does_not(mailbox: str, mechanisms: str, source: Sources) -> None:
    with server_with(mechanisms=mechanisms) as server:
        server.deliver(mailbox, PLAIN)
        told = settings(server, mailbox)
        good = source(told, lambda: Login(user=mailbox, token=token(mailbox)))
        assert len(good.waiting()) == 1
        old = token(mailbox, -60)
        with pytest.raises(LoginRefused):
            source(told, lambda: Login(user=mailbox, token=old)).waiting()
        with pytest.raises(LoginRefused):
            source(told, lambda: Login(user=mailbox, token=token("another"))).waiting()


@pytest.mark.dovecot
def test_a_token_that_ran_out_is_asked_for_once_more(dovecot: Dovecot, mailbox: str, source: Sources) -> None:
    tokens = [token(mailbox, -60), token(mailbox)]
    made = source(settings(dovecot, mailbox), lambda: Login(user=mailbox, token=tokens.pop(0)))
    assert made.waiting() == ()
    assert tokens == []


@pytest.mark.dovecot
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_an_encrypted_line_needs_a_certificate_that_is_trusted(
    dovecot: Dovecot, mailbox: str, security: str, source: Sources
) -> None:
    port = dovecot.ports.imaps if security == "tls" else dovecot.ports.imap
    told = settings(dovecot, mailbox, security=security, port=port)
    with pytest.raises(MailDown, match=r"certificate is not trusted: .*imap\.ca_file") as caught:
        source(told).waiting()
    assert not isinstance(caught.value, LoginRefused)
    made = source(replace(told, ca_file=str(dovecot.ca_file)))
    assert made.waiting() == ()


@pytest.mark.dovecot
def test_a_certificate_for_another_name_is_not_trusted(dovecot: Dovecot, mailbox: str, source: Sources) -> None:
    told = settings(dovecot, mailbox, security="tls", port=dovecot.ports.imaps, ca_file=str(dovecot.ca_file))
    with pytest.raises(MailDown, match="certificate is not trusted"):
        source(replace(told, host="127.0.0.1")).waiting()


def test_without_starttls_nothing_is_said(faulty: Faulty, source: Sources) -> None:
    mailbox, made, _ = faulty
    told = replace(made._settings, security="starttls")
    with pytest.raises(MailDown, match="offers no STARTTLS: nothing is sent unencrypted"):
        source(told).waiting()
    assert not {"LOGIN", "AUTHENTICATE"} & set(mailbox.heard)


def test_a_file_of_certificates_that_is_none_is_for_the_umpire_to_mend(tmp_path: Path, source: Sources) -> None:
    told = replace(fake_settings(1), security="tls", ca_file=str(tmp_path / "missing.pem"))
    with pytest.raises(ConfigError, match=r"imap\.ca_file"):
        source(told).waiting()


@pytest.mark.dovecot
def test_no_log_shows_a_password_a_token_or_a_letter(
    dovecot: Dovecot, mailbox: str, caplog: pytest.LogCaptureFixture, source: Sources
) -> None:
    caplog.set_level(logging.DEBUG)
    dovecot.deliver(mailbox, PLAIN)
    good = token(mailbox)
    for login in (Login(user=mailbox, password=PASSWORD), Login(user=mailbox, token=good)):
        made = source(settings(dovecot, mailbox), lambda login=login: login)
        (arrival,) = made.waiting()
        made.read(arrival.key, 1000)
        made.close()
        assert PASSWORD not in repr(login)
        assert good not in repr(login)
    for secret in (PASSWORD, good, "STEP 3"):
        assert secret not in caplog.text


def test_a_server_where_nobody_listens_is_down(source: Sources) -> None:
    with pytest.raises(MailDown, match=r"IMAP server 127\.0\.0\.1:1 cannot be reached: .*refused"):
        source(fake_settings(1)).waiting()


@pytest.mark.dovecot
def test_a_server_that_was_restarted_is_connected_anew_at_once(own: Dovecot, mailbox: str, source: Sources) -> None:
    made = source(settings(own, mailbox))
    made.waiting()
    own.deliver(mailbox, PLAIN)
    own.kill()
    own.start()
    (arrival,) = made.waiting()
    own.kill()
    own.start()
    assert made.read(arrival.key, 10_000).endswith(PLAIN)
    own.kill()
    own.start()
    made.done(arrival.key)
    assert made.waiting() == ()


@pytest.mark.dovecot
def test_a_server_that_is_away_is_tried_again_later_and_later(own: Dovecot, mailbox: str, source: Sources) -> None:
    seconds = Seconds()
    made = source(settings(own, mailbox), seconds=seconds)
    made.waiting()
    own.kill()
    for wait in (5, 10, 20):
        with pytest.raises(MailDown, match="cannot be reached"):
            made.waiting()
        seconds.now += wait - 1
        with pytest.raises(MailDown):
            made.waiting()  # it is not even tried
        seconds.now += 1
    own.start()
    assert made.waiting() == ()


@pytest.mark.dovecot
def test_a_server_killed_while_we_wait_is_noticed(own: Dovecot, mailbox: str, source: Sources) -> None:
    """The library says nothing but an empty list, and at once: taken for "no letter", the loop would run hot."""
    made = source(settings(own, mailbox))
    made.waiting()
    stop = Stop(own.kill)
    with pytest.raises(MailDown, match="the line broke while waiting"):
        made.wait(600, stop)
    assert not stop.gave_up


GOOD_BYE = b"* BYE shutting down\r\n"


@pytest.mark.parametrize("idling", [GOOD_BYE, b"+ idling\r\n" + GOOD_BYE, b"+ idling\r\n"])
def test_a_server_that_says_good_bye_is_left(faulty: Faulty, idling: bytes) -> None:
    mailbox, made, _ = faulty
    mailbox.idling, mailbox.later = idling, GOOD_BYE
    made.waiting()
    stop = Stop(mailbox.told.set)
    with pytest.raises(MailDown, match="good-bye"):
        made.wait(600, stop)
    assert not stop.gave_up


@pytest.mark.parametrize("other", [b"", b"* OK still here\r\n", b"* 3 EXPUNGE\r\n* OK still here\r\n"])
@pytest.mark.parametrize("when", ["before", "with", "after"])
def test_a_letter_that_comes_in_the_moment_of_beginning_to_wait_ends_the_wait_and_the_line_stays(
    faulty: Faulty, other: bytes, when: str
) -> None:
    """The server tells of it before its consent (Dovecot does), in one piece with it or later."""
    mailbox, made, _ = faulty
    told = other + b"* 4 EXISTS\r\n" + other
    mailbox.idling = {"before": told + b"+ idling\r\n", "with": b"+ idling\r\n" + told}.get(when, mailbox.idling)
    mailbox.later = told if when == "after" else b""
    made.waiting()
    for _ in range(2):
        stop = Stop(mailbox.told.set)
        made.wait(600, stop)
        assert not stop.gave_up
        mailbox.told.clear()
        made.waiting()
    assert mailbox.heard.count("IDLE") == 2
    assert mailbox.lines == 1


def test_a_server_that_says_what_nobody_expects_when_we_have_waited_is_connected_anew(faulty: Faulty) -> None:
    mailbox, made, seconds = faulty
    mailbox.idling += b"* 4 EXISTS\r\n"
    mailbox.idled = b"+ still idling\r\n"
    made.waiting()
    with pytest.raises(MailDown, match="the line broke while waiting"):
        made.wait(600, Stop())
    seconds.now += 5
    assert len(made.waiting()) == 3


@pytest.mark.dovecot
def test_a_silent_server_is_given_up_after_its_timeout(
    own: Dovecot, mailbox: str, source: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = Seconds()
    made = source(settings(own, mailbox), seconds=seconds)
    made.waiting()
    own.freeze()
    hurry(made)
    with monkeypatch.context() as soon:
        soon.setattr("referee.mail.servers.imapline.CONNECT", 0.1)  # a new line is tried, too
        with pytest.raises(MailDown):
            made.waiting()
    own.thaw()
    seconds.now += 5
    assert made.waiting() == ()
    own.freeze()
    hurry(made)
    with pytest.raises(MailDown):
        made.wait(1, threading.Event())
    own.thaw()


def hurry(made: ImapSource) -> None:
    """Let the line that is open be given up soon: from a server that was frozen nothing comes, however long one waits."""
    assert made._client is not None
    assert made._client.socket().gettimeout() == made._settings.timeout
    made._client.socket().settimeout(0.1)


@pytest.mark.dovecot
def test_who_waits_on_a_silent_server_can_be_stopped(own: Dovecot, mailbox: str, source: Sources) -> None:
    """Long before the server's timeout of twenty seconds would end it."""
    made = source(settings(own, mailbox))
    made.waiting()

    def freeze() -> None:
        own.freeze()
        stop.set()

    stop = Stop(freeze)
    began = time.monotonic()
    with pytest.raises(MailDown):
        made.wait(600, stop)
    made.close()
    assert time.monotonic() - began < 15
    own.thaw()


@pytest.mark.dovecot
def test_where_idle_is_missing_or_not_wanted_one_waits(mailbox: str, source: Sources) -> None:
    with server_with("IMAP4rev1 MOVE") as server:
        made = source(settings(server, mailbox))
        made.waiting()
        server.deliver(mailbox, PLAIN)
        made.wait(0.01, threading.Event())
        assert len(made.waiting()) == 1


def test_a_server_that_refuses_idle_is_polled(faulty: Faulty) -> None:
    mailbox, made, _ = faulty
    mailbox.refused.add("IDLE")
    made.waiting()
    for _ in range(3):
        made.wait(0.01, threading.Event())
    assert mailbox.heard.count("IDLE") == 1
    assert mailbox.lines == 1


def test_two_threads_cannot_share_a_line(faulty: Faulty) -> None:
    _, made, _ = faulty
    made.waiting()

    def list_meanwhile() -> None:
        with pytest.raises(RuntimeError, match="two threads"):
            made.waiting()
        stop.set()

    stop = Stop(list_meanwhile)
    made.wait(600, stop)
    assert stop.taken > 0
