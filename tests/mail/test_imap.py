"""What goes wrong with IMAP servers, and what they must never see us do."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.core.errors import ConfigError, LetterUnreadable, LoginRefused, MailDown
from referee.mail.imap import ImapSource
from referee.mail.login import Login
from tests.mail.imapbox import NOW, Seconds, fake_settings, settings, source
from tests.servers.dovecot import PASSWORD, Dovecot, token
from tests.servers.fakeimap import Mailbox, fake_imap
from tests.servers.fixtures import need_dovecot

PLAIN = b"From: ann@example.org\r\nSubject: orders\r\n\r\nSTEP 3\r\n"


@pytest.fixture
def own() -> Iterator[Dovecot]:
    """A server that the test may kill."""
    need_dovecot()
    with Dovecot() as server:
        yield server


def server_with(capability: str = "", more: str = "", mechanisms: str = "plain") -> Dovecot:
    need_dovecot()
    return Dovecot(capability, more, mechanisms)


@pytest.fixture
def faulty() -> Iterator[tuple[Mailbox, ImapSource, Seconds]]:
    """A server that misbehaves as the test tells it, and a source for it."""
    mailbox, seconds = Mailbox(letters={1: PLAIN, 2: PLAIN + b"two\r\n", 3: PLAIN + b"three\r\n"}), Seconds()
    with fake_imap(mailbox) as port:
        made = source(fake_settings(port), seconds=seconds)
        yield mailbox, made, seconds
        made.close()


@pytest.mark.dovecot
def test_a_letter_that_its_owner_has_read_waits_and_one_that_we_read_stays_unread(
    dovecot: Dovecot, mailbox: str
) -> None:
    dovecot.deliver(mailbox, PLAIN)
    owner = dovecot.client(mailbox)
    owner.store("1", "+FLAGS", "\\Seen")
    owner.logout()
    dovecot.deliver(mailbox, PLAIN + b"two\r\n")
    made = source(settings(dovecot, mailbox))
    for arrival in made.waiting():
        made.read(arrival.key, 10_000)
        made.read(arrival.key, 10)
    first, second = (flags for flags, _ in dovecot.folder_letters(mailbox))
    assert b"Seen" in first
    assert b"Seen" not in second
    for arrival in made.waiting():
        made.done(arrival.key)
    first, second = (flags for flags, _ in dovecot.folder_letters(mailbox, "Referee.Processed"))
    assert b"Seen" in first
    assert b"Seen" not in second
    made.close()


@pytest.mark.dovecot
def test_a_key_names_no_letter_after_the_server_has_numbered_anew(dovecot: Dovecot, mailbox: str) -> None:
    dovecot.deliver(mailbox, PLAIN)
    made = source(settings(dovecot, mailbox))
    (before,) = made.waiting()
    made.close()
    dovecot.lose_indexes(mailbox)
    with pytest.raises(FileNotFoundError):
        made.read(before.key, 10_000)
    made.done(before.key)
    (after,) = made.waiting()
    assert after.key != before.key
    assert made.read(after.key, 10_000).endswith(PLAIN)
    made.close()


@pytest.mark.dovecot
def test_a_wrong_password_is_told_apart_from_a_server_that_is_down(dovecot: Dovecot, mailbox: str) -> None:
    made = source(settings(dovecot, mailbox), lambda: Login(user=mailbox, password="wrong"))  # noqa: S106
    with pytest.raises(LoginRefused, match=f"does not let {mailbox} in") as caught:
        made.waiting()
    assert "wrong" not in str(caught.value)


@pytest.mark.dovecot
@pytest.mark.parametrize("mechanisms", ["plain xoauth2", "plain oauthbearer", "plain xoauth2 oauthbearer"])
def test_a_token_logs_in_and_one_that_ran_out_does_not(mailbox: str, mechanisms: str) -> None:
    with server_with(mechanisms=mechanisms) as server:
        server.deliver(mailbox, PLAIN)
        told = settings(server, mailbox)
        good = source(told, lambda: Login(user=mailbox, token=token(mailbox)))
        assert len(good.waiting()) == 1
        good.close()
        old = token(mailbox, -60)
        with pytest.raises(LoginRefused):
            source(told, lambda: Login(user=mailbox, token=old)).waiting()
        with pytest.raises(LoginRefused):
            source(told, lambda: Login(user=mailbox, token=token("another"))).waiting()


@pytest.mark.dovecot
def test_a_token_that_ran_out_is_asked_for_once_more(dovecot: Dovecot, mailbox: str) -> None:
    tokens = [token(mailbox, -60), token(mailbox)]
    made = source(settings(dovecot, mailbox), lambda: Login(user=mailbox, token=tokens.pop(0)))
    assert made.waiting() == ()
    assert tokens == []
    made.close()


@pytest.mark.dovecot
@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_an_encrypted_line_needs_a_certificate_that_is_trusted(dovecot: Dovecot, mailbox: str, security: str) -> None:
    port = dovecot.ports.imaps if security == "tls" else dovecot.ports.imap
    told = settings(dovecot, mailbox, security=security, port=port)
    with pytest.raises(MailDown, match=r"certificate is not trusted: .*imap\.ca_file") as caught:
        source(told).waiting()
    assert not isinstance(caught.value, LoginRefused)
    made = source(replace(told, ca_file=str(dovecot.ca_file)))
    assert made.waiting() == ()
    made.close()


@pytest.mark.dovecot
def test_a_certificate_for_another_name_is_not_trusted(dovecot: Dovecot, mailbox: str) -> None:
    told = settings(dovecot, mailbox, security="tls", port=dovecot.ports.imaps, ca_file=str(dovecot.ca_file))
    with pytest.raises(MailDown, match="certificate is not trusted"):
        source(replace(told, host="127.0.0.1")).waiting()


def test_without_starttls_nothing_is_said(faulty: tuple[Mailbox, ImapSource, Seconds]) -> None:
    mailbox, made, _ = faulty
    told = replace(made._settings, security="starttls")
    with pytest.raises(MailDown, match="offers no STARTTLS: nothing is sent unencrypted"):
        source(told).waiting()
    assert not {"LOGIN", "AUTHENTICATE"} & set(mailbox.heard)


def test_a_file_of_certificates_that_is_none_is_for_the_umpire_to_mend(tmp_path: Path) -> None:
    told = replace(fake_settings(1), security="tls", ca_file=str(tmp_path / "missing.pem"))
    with pytest.raises(ConfigError, match=r"imap\.ca_file"):
        source(told).waiting()


@pytest.mark.dovecot
@pytest.mark.parametrize("capability", ["IMAP4rev1 IDLE UIDPLUS NAMESPACE", "IMAP4rev1 IDLE NAMESPACE", "IMAP4rev1"])
def test_a_server_that_cannot_move_never_deletes_what_others_have_marked(mailbox: str, capability: str) -> None:
    with server_with(capability) as server:
        server.deliver(mailbox, PLAIN + b"of the owner\r\n")
        owner = server.client(mailbox)
        owner.store("1", "+FLAGS", "\\Deleted")
        owner.logout()
        server.deliver(mailbox, PLAIN)
        made = source(settings(server, mailbox))
        (arrival,) = made.waiting()
        made.done(arrival.key)
        made.done(arrival.key)
        assert made.waiting() == ()
        made.close()
        left = [raw for _, raw in server.folder_letters(mailbox)]
        assert left[0].endswith(b"of the owner\r\n")
        assert len(left) == (1 if "UIDPLUS" in capability else 2)
        processed = {raw for _, raw in server.folder_letters(mailbox, "Referee.Processed")}
        assert len(processed) == 1
        assert processed.pop().endswith(PLAIN)


@pytest.mark.dovecot
def test_where_idle_is_missing_or_not_wanted_one_waits(mailbox: str) -> None:
    with server_with("IMAP4rev1 MOVE") as server:
        made = source(settings(server, mailbox))
        made.waiting()
        server.deliver(mailbox, PLAIN)
        made.wait(0.2, threading.Event())
        assert len(made.waiting()) == 1
        made.close()


@pytest.mark.dovecot
@pytest.mark.parametrize("prefix", ["INBOX.", "INBOX/", ""])
def test_folders_are_called_as_the_server_wants(mailbox: str, prefix: str) -> None:
    sign = prefix[-1:] or "/"
    more = f"namespace inbox {{\n  prefix = {prefix}\n  separator = {sign}\n}}"
    with server_with(more=more) as server:
        server.deliver(mailbox, PLAIN)
        made = source(settings(server, mailbox))
        (arrival,) = made.waiting()
        made.done(arrival.key)
        made.close()
        assert len(server.folder_letters(mailbox, f"{prefix}Referee{sign}Processed")) == 1


@pytest.mark.dovecot
def test_letters_may_arrive_in_another_folder(dovecot: Dovecot, mailbox: str) -> None:
    told = settings(dovecot, mailbox, folder="Games/Räilway")
    with pytest.raises(ConfigError, match=r"imap\.folder: localhost has no folder 'Games/Räilway'"):
        source(told).waiting()
    owner = dovecot.client(mailbox)
    owner.create("Games.R&AOQ-ilway")
    owner.append("Games.R&AOQ-ilway", "", "", PLAIN)
    owner.logout()
    made = source(told)
    (arrival,) = made.waiting()
    assert made.read(arrival.key, 10_000) == PLAIN
    made.done(arrival.key)
    assert made.waiting() == ()
    made.close()


@pytest.mark.dovecot
def test_a_server_that_was_restarted_is_connected_anew_at_once(own: Dovecot, mailbox: str) -> None:
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
    made.close()


@pytest.mark.dovecot
def test_a_server_that_is_away_is_tried_again_later_and_later(own: Dovecot, mailbox: str) -> None:
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
    made.close()


@pytest.mark.dovecot
def test_a_server_killed_while_we_wait_is_noticed(own: Dovecot, mailbox: str) -> None:
    """The library says nothing but an empty list, and at once: taken for "no letter", the loop would run hot."""
    made = source(settings(own, mailbox))
    made.waiting()
    stop = threading.Event()
    threading.Timer(0.5, own.kill).start()
    giving_up = threading.Timer(30, stop.set)
    giving_up.start()
    with pytest.raises(MailDown, match="the line broke while waiting"):
        made.wait(600, stop)
    assert not stop.is_set()
    giving_up.cancel()


@pytest.mark.dovecot
def test_a_silent_server_is_given_up_after_its_timeout(own: Dovecot, mailbox: str) -> None:
    seconds = Seconds()
    made = source(settings(own, mailbox, timeout=1), seconds=seconds)
    made.waiting()
    own.freeze()
    with pytest.raises(MailDown):
        made.waiting()
    own.thaw()
    seconds.now += 5
    assert made.waiting() == ()
    own.freeze()
    with pytest.raises(MailDown):
        made.wait(1, threading.Event())
    own.thaw()
    made.close()


@pytest.mark.dovecot
def test_who_waits_on_a_silent_server_can_be_stopped(own: Dovecot, mailbox: str) -> None:
    """Long before the server's timeout of twenty seconds would end it."""
    made = source(settings(own, mailbox))
    made.waiting()
    stop, ended = threading.Event(), threading.Event()

    def wait() -> None:
        with pytest.raises(MailDown):
            made.wait(600, stop)
        made.close()
        ended.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert not ended.wait(1)  # it waits
    own.freeze()
    stop.set()
    assert ended.wait(8)
    own.thaw()
    waiting.join()


@pytest.mark.dovecot
def test_no_log_shows_a_password_a_token_or_a_letter(
    dovecot: Dovecot, mailbox: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    dovecot.deliver(mailbox, PLAIN)
    good = token(mailbox)
    for login in (Login(user=mailbox, password=PASSWORD), Login(user=mailbox, token=good)):
        made = source(settings(dovecot, mailbox), lambda login=login: login)  # type: ignore[misc]
        (arrival,) = made.waiting()
        made.read(arrival.key, 1000)
        made.close()
        assert PASSWORD not in repr(login)
        assert good not in repr(login)
    for secret in (PASSWORD, good, "STEP 3"):
        assert secret not in caplog.text


def _list_for_ever(made: ImapSource) -> None:
    while True:
        made.waiting()


def test_two_threads_cannot_share_a_line(faulty: tuple[Mailbox, ImapSource, Seconds]) -> None:
    _, made, _ = faulty
    made.waiting()
    stop, begun = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        made.wait(60, stop)

    waiting = threading.Thread(target=wait)
    waiting.start()
    begun.wait()
    try:
        with pytest.raises(RuntimeError, match="two threads"):
            _list_for_ever(made)  # until the other one has begun to wait
    finally:
        stop.set()
        waiting.join()


def test_a_letter_at_which_the_server_hangs_up_is_told_and_the_next_one_read(
    faulty: tuple[Mailbox, ImapSource, Seconds],
) -> None:
    mailbox, made, _ = faulty
    mailbox.poison.add(1)
    first, second, third = made.waiting()
    with pytest.raises(LetterUnreadable):
        made.read(first.key, 10_000)
    assert made.read(second.key, 10_000).endswith(b"two\r\n")
    assert made.read(third.key, 10_000).endswith(b"three\r\n")


@pytest.mark.parametrize(
    "date", ['"99-Nov-0000 99:99:99 +9999"', "NIL", '"31-Dec-9999 23:59:59 -1200"', '"x"', "{3}\r\nabc"]
)
def test_a_time_that_nobody_can_read_stops_nothing(faulty: tuple[Mailbox, ImapSource, Seconds], date: str) -> None:
    mailbox, made, _ = faulty
    mailbox.dates[2] = date
    arrived = {arrival.key[-1]: arrival.arrived for arrival in made.waiting()}
    usual = datetime(2026, 12, 7, 12, tzinfo=UTC)
    assert arrived == {"1": usual, "2": NOW, "3": usual}


def test_a_server_that_says_good_bye_is_left(faulty: tuple[Mailbox, ImapSource, Seconds]) -> None:
    mailbox, made, _ = faulty
    mailbox.good_bye = True
    made.waiting()
    with pytest.raises(MailDown, match="good-bye"):
        made.wait(60, threading.Event())


def test_a_server_that_refuses_idle_is_polled(faulty: tuple[Mailbox, ImapSource, Seconds]) -> None:
    mailbox, made, _ = faulty
    mailbox.refused.add("IDLE")
    made.waiting()
    for _ in range(3):
        made.wait(0.05, threading.Event())
    assert mailbox.heard.count("IDLE") == 1
    assert mailbox.lines == 1


def test_a_letter_that_the_server_moves_nowhere_stays_and_is_not_tried_for_ever(
    faulty: tuple[Mailbox, ImapSource, Seconds], caplog: pytest.LogCaptureFixture
) -> None:
    mailbox, made, _ = faulty
    mailbox.refused.add("MOVE")
    first = made.waiting()[0]
    for _ in range(5):
        made.done(first.key)
    assert mailbox.heard.count("MOVE") == 6  # each time once more after looking for the folder
    assert "letter 1 stays in INBOX: move failed: not today" in caplog.text
    assert len(made.waiting()) == 3


def test_a_server_that_does_not_want_to_search_is_down(faulty: tuple[Mailbox, ImapSource, Seconds]) -> None:
    mailbox, made, seconds = faulty
    mailbox.refused.add("SEARCH")
    with pytest.raises(MailDown, match="not today"):
        made.waiting()
    mailbox.refused.clear()
    seconds.now += 5
    assert len(made.waiting()) == 3


def test_a_server_where_nobody_listens_is_down() -> None:
    with pytest.raises(MailDown, match=r"IMAP server 127\.0\.0\.1:1 cannot be reached: .*refused"):
        source(fake_settings(1)).waiting()


def test_a_key_of_another_mailbox_is_our_mistake(faulty: tuple[Mailbox, ImapSource, Seconds]) -> None:
    _, made, _ = faulty
    with pytest.raises(RuntimeError, match="names no letter of"):
        made.read("imap://another@127.0.0.1:1/INBOX;UIDVALIDITY=7/;UID=1", 10)


def test_nothing_is_asked_for_that_a_hostile_letter_can_break(faulty: tuple[Mailbox, ImapSource, Seconds]) -> None:
    mailbox, made, _ = faulty
    for arrival in made.waiting():
        made.read(arrival.key, 10_000)
        made.done(arrival.key)
    assert mailbox.letters == {}
    assert set(mailbox.heard) <= {"CAPABILITY", "LOGIN", "LIST", "SELECT", "NOOP", "SEARCH", "FETCH", "MOVE"}
