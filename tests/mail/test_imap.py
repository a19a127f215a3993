"""Letters in a mailbox on an IMAP server, and what it must never see us do."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from referee.core.errors import ConfigError, LetterUnreadable, MailDown
from tests.mail.imapbox import NOW, PLAIN, Faulty, Sources, settings
from tests.servers.dovecot import Dovecot
from tests.servers.fixtures import server_with


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
        made.done(arrival.key)
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
    made.done(before.key)
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
@pytest.mark.parametrize("prefix", ["INBOX.", "INBOX/", ""])
def test_folders_are_called_as_the_server_wants(mailbox: str, prefix: str, source: Sources) -> None:
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
    made.done(arrival.key)
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
        made.done(first.key)
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
        made.done(arrival.key)
    assert mailbox.letters == {}
    assert set(mailbox.heard) <= {"CAPABILITY", "LOGIN", "LIST", "SELECT", "NOOP", "SEARCH", "FETCH", "MOVE"}
