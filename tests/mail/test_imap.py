"""Letters from an IMAP server: what is fetched, how the line is kept, and what a server does wrong."""

import logging
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.core import ConfigError, LetterUnreadable, LoginRefused, MailDown
from referee.mail.servers.imap import ImapSource
from referee.mail.servers.login import Login
from tests.mail.boxes import NOW, PLAIN, Faulty, Seconds, Sources, Stop, fake_settings, settings
from tests.servers.dovecot import PASSWORD, Dovecot, token
from tests.servers.fakeimap import Mailbox, fake_imap
from tests.servers.fixtures import server_with

# Letters in a mailbox on an IMAP server, and what it must never see us do.


@pytest.mark.dovecot
def test_a_letter_that_its_owner_has_read_waits_and_one_that_we_read_stays_unread(
    dovecot: Dovecot, mailbox: str, source: Sources
) -> None:
    dovecot.deliver(mailbox, PLAIN)
    with dovecot.client(mailbox) as owner:
        owner.store("1", "+FLAGS", "\\Seen")
    dovecot.deliver(mailbox, PLAIN + b"two\r\n")
    made = source(settings(dovecot, mailbox))
    for arrival in made.waiting():
        made.read(arrival.key, 10_000)
        made.read(arrival.key, 10)
    first, second = (flags for flags, _ in dovecot.folder_letters(mailbox))
    assert b"Seen" in first
    assert b"Seen" not in second
    for arrival in made.waiting():
        made.take_out(arrival.key)
    first, second = (flags for flags, _ in dovecot.folder_letters(mailbox, "Referee.Processed"))
    assert b"Seen" in first
    assert b"Seen" not in second


@pytest.mark.dovecot
def test_a_key_names_no_letter_after_the_server_has_numbered_anew(
    dovecot: Dovecot, mailbox: str, source: Sources
) -> None:
    dovecot.deliver(mailbox, PLAIN)
    made = source(settings(dovecot, mailbox))
    (before,) = made.waiting()
    made.close()
    dovecot.lose_indexes(mailbox)
    with pytest.raises(MailDown, match="numbered all letters anew"):
        made.read(before.key, 10_000)
    made.take_out(before.key)
    (after,) = made.waiting()
    assert after.key != before.key
    assert made.read(after.key, 10_000).endswith(PLAIN)


def test_a_key_of_another_mailbox_is_our_mistake(faulty: Faulty) -> None:
    _, made, _ = faulty
    with pytest.raises(RuntimeError, match="names no letter of"):
        made.read("imap://another@127.0.0.1:1/INBOX;UIDVALIDITY=7/;UID=1", 10)


@pytest.mark.dovecot
@pytest.mark.parametrize("capability", ["IMAP4rev1 IDLE UIDPLUS NAMESPACE", "IMAP4rev1 IDLE NAMESPACE", "IMAP4rev1"])
def test_a_server_that_cannot_move_never_deletes_what_others_have_marked(
    mailbox: str, capability: str, source: Sources
) -> None:
    with server_with(capability) as server:
        server.deliver(mailbox, PLAIN + b"of the owner\r\n")
        with server.client(mailbox) as owner:
            owner.store("1", "+FLAGS", "\\Deleted")
        server.deliver(mailbox, PLAIN)
        made = source(settings(server, mailbox))
        (arrival,) = made.waiting()
        made.take_out(arrival.key)
        made.take_out(arrival.key)
        assert made.waiting() == ()
        made.close()
        left = [raw for _, raw in server.folder_letters(mailbox)]
        assert left[0].endswith(b"of the owner\r\n")
        assert len(left) == (1 if "UIDPLUS" in capability else 2)
        processed = {raw for _, raw in server.folder_letters(mailbox, "Referee.Processed")}
        assert len(processed) == 1
        assert processed.pop().endswith(PLAIN)


@pytest.mark.dovecot
@pytest.mark.parametrize("prefix", ["INBOX.", "INBOX/", ""])
def test_folders_are_called_as_the_server_wants(mailbox: str, prefix: str, source: Sources) -> None:
    sign = prefix[-1:] or "/"
    more = f"namespace inbox {{\n  prefix = {prefix}\n  separator = {sign}\n}}"
    with server_with(more=more) as server:
        server.deliver(mailbox, PLAIN)
        made = source(settings(server, mailbox))
        (arrival,) = made.waiting()
        made.take_out(arrival.key)
        made.close()
        assert len(server.folder_letters(mailbox, f"{prefix}Referee{sign}Processed")) == 1


@pytest.mark.dovecot
def test_letters_may_arrive_in_another_folder(dovecot: Dovecot, mailbox: str, source: Sources) -> None:
    told = settings(dovecot, mailbox, folder="Games/Räilway")
    with pytest.raises(ConfigError, match=r"imap\.folder: localhost has no folder 'Games/Räilway'"):
        source(told).waiting()
    with dovecot.client(mailbox) as owner:
        owner.create("Games.R&AOQ-ilway")
        owner.append("Games.R&AOQ-ilway", "", "", PLAIN)
    made = source(told)
    (arrival,) = made.waiting()
    assert made.read(arrival.key, 10_000) == PLAIN
    made.take_out(arrival.key)
    assert made.waiting() == ()


def test_a_letter_at_which_the_server_hangs_up_is_told_and_the_next_one_read(faulty: Faulty) -> None:
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
def test_a_time_that_nobody_can_read_stops_nothing(faulty: Faulty, date: str) -> None:
    mailbox, made, _ = faulty
    mailbox.dates[2] = date
    arrived = {arrival.key[-1]: arrival.arrived for arrival in made.waiting()}
    usual = datetime(2026, 12, 7, 12, tzinfo=UTC)
    assert arrived == {"1": usual, "2": NOW, "3": usual}


def test_a_letter_that_the_server_moves_nowhere_stays_and_is_not_tried_for_ever(
    faulty: Faulty, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox, made, _ = faulty
    mailbox.refused.add("MOVE")
    first = made.waiting()[0]
    for _ in range(5):
        made.take_out(first.key)
    assert mailbox.heard.count("MOVE") == 6  # each time once more after looking for the folder
    assert "letter 1 stays in INBOX: move failed: not today" in caplog.text
    assert len(made.waiting()) == 3


def test_a_server_that_does_not_want_to_search_is_down(faulty: Faulty) -> None:
    mailbox, made, seconds = faulty
    mailbox.refused.add("SEARCH")
    with pytest.raises(MailDown, match="not today"):
        made.waiting()
    mailbox.refused.clear()
    seconds.now += 5
    assert len(made.waiting()) == 3


def test_nothing_is_asked_for_that_a_hostile_letter_can_break(faulty: Faulty) -> None:
    mailbox, made, _ = faulty
    for arrival in made.waiting():
        made.read(arrival.key, 10_000)
        made.take_out(arrival.key)
    assert mailbox.letters == {}
    assert set(mailbox.heard) <= {"CAPABILITY", "LOGIN", "LIST", "SELECT", "NOOP", "SEARCH", "FETCH", "MOVE"}


# A line to an IMAP server: how it is opened, what is waited for on it, and how it breaks.


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
    made = source(told.but(ca_file=str(dovecot.ca_file)))
    assert made.waiting() == ()


@pytest.mark.dovecot
def test_a_certificate_for_another_name_is_not_trusted(dovecot: Dovecot, mailbox: str, source: Sources) -> None:
    told = settings(dovecot, mailbox, security="tls", port=dovecot.ports.imaps, ca_file=str(dovecot.ca_file))
    with pytest.raises(MailDown, match="certificate is not trusted"):
        source(told.but(host="127.0.0.1")).waiting()


def test_without_starttls_nothing_is_said(faulty: Faulty, source: Sources) -> None:
    mailbox, made, _ = faulty
    told = made._settings.but(security="starttls")
    with pytest.raises(MailDown, match="offers no STARTTLS: nothing is sent unencrypted"):
        source(told).waiting()
    assert not {"LOGIN", "AUTHENTICATE"} & set(mailbox.heard)


def test_a_file_of_certificates_that_is_none_is_for_the_umpire_to_mend(tmp_path: Path, source: Sources) -> None:
    told = fake_settings(1).but(security="tls", ca_file=str(tmp_path / "missing.pem"))
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
    made.take_out(arrival.key)
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


# What an IMAP server does wrong at a single letter: it is never taken for a letter that is not there, nor stops the others.


def test_a_letter_that_is_there_but_not_given_out_is_unreadable_and_one_that_is_gone_is_gone(faulty: Faulty) -> None:
    mailbox, made, _ = faulty
    mailbox.blank |= {1, 2}
    first, second, _ = made.waiting()
    with pytest.raises(LetterUnreadable, match="does not give it out"):
        made.read(first.key, 10_000)
    mailbox.letters.pop(2)
    with pytest.raises(FileNotFoundError):
        made.read(second.key, 10_000)


def test_letters_numbered_anew_since_they_were_listed_are_not_taken_for_gone(faulty: Faulty) -> None:
    mailbox, made, _ = faulty
    first = made.waiting()[0]
    made.close()
    mailbox.validity = 8
    with pytest.raises(MailDown, match="numbered all letters anew"):
        made.read(first.key, 10_000)
    made.wait(60, threading.Event())  # at once: they may have come for long
    assert [arrival.key.partition("UIDVALIDITY=")[2] for arrival in made.waiting()] == [
        "8/;UID=1",
        "8/;UID=2",
        "8/;UID=3",
    ]


def test_a_letter_whose_size_is_not_told_is_read_all_the_same(faulty: Faulty) -> None:
    mailbox, made, _ = faulty
    mailbox.unsized.add(2)
    arrivals = made.waiting()
    assert [arrival.key[-1] for arrival in arrivals] == ["1", "2", "3"]
    assert made.read(arrivals[1].key, 10_000) == mailbox.letters[2]
    with pytest.raises(LetterUnreadable, match="does not say how large"):
        made.read(arrivals[1].key, len(mailbox.letters[2]))


def test_a_letter_that_went_while_letters_were_listed_does_not_wait(faulty: Faulty) -> None:
    mailbox, made, _ = faulty

    class Stolen(list[str]):
        def append(self, name: str) -> None:
            super().append(name)
            if name == "FETCH":
                mailbox.letters.pop(2, None)

    mailbox.heard = Stolen()
    assert [arrival.key[-1] for arrival in made.waiting()] == ["1", "3"]


def test_a_letter_at_whose_move_the_server_hangs_up_stays_and_the_others_are_moved(
    faulty: Faulty, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox, made, _ = faulty
    mailbox.snared.add(2)
    for arrival in made.waiting():
        made.take_out(arrival.key)
    assert set(mailbox.letters) == {2}
    assert "letter 2 stays in INBOX" in caplog.text
    (left,) = made.waiting()
    for _ in range(5):
        made.take_out(left.key)
    assert mailbox.heard.count("MOVE") == 2 + 2 * 3  # each time once more on a new line, and not for ever


@pytest.mark.parametrize("folder", ["INBOX", "Games"])
@pytest.mark.parametrize("folders", [(), ("INBOX", "Games")])
def test_a_server_that_opens_no_folder_and_does_not_say_that_there_is_none_is_down(
    source: Sources, folder: str, folders: tuple[str, ...]
) -> None:
    with fake_imap(Mailbox(refused={"SELECT"}, folders=folders)) as port:
        made = source(fake_settings(port).but(folder=folder))
        with pytest.raises(MailDown, match="not today"):
            made.waiting()
        made.close()


def test_a_folder_that_is_missing_beside_the_inbox_is_for_the_umpire_to_mend(source: Sources) -> None:
    with fake_imap(Mailbox(refused={"SELECT"}, folders=("INBOX",))) as port:
        made = source(fake_settings(port).but(folder="Games"))
        with pytest.raises(ConfigError, match="has no folder 'Games'"):
            made.waiting()
        made.close()
