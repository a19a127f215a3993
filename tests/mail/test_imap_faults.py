"""What an IMAP server does wrong at a single letter: it is never taken for a letter that is not there, nor stops the others."""

from __future__ import annotations

import threading

import pytest
from msgspec.structs import replace

from referee.core.errors import ConfigError, LetterUnreadable, MailDown
from tests.mail.imapbox import Faulty, Sources, fake_settings
from tests.servers.fakeimap import Mailbox, fake_imap


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
        made.done(arrival.key)
    assert set(mailbox.letters) == {2}
    assert "letter 2 stays in INBOX" in caplog.text
    (left,) = made.waiting()
    for _ in range(5):
        made.done(left.key)
    assert mailbox.heard.count("MOVE") == 2 + 2 * 3  # each time once more on a new line, and not for ever


@pytest.mark.parametrize("folder", ["INBOX", "Games"])
@pytest.mark.parametrize("folders", [(), ("INBOX", "Games")])
def test_a_server_that_opens_no_folder_and_does_not_say_that_there_is_none_is_down(
    source: Sources, folder: str, folders: tuple[str, ...]
) -> None:
    with fake_imap(Mailbox(refused={"SELECT"}, folders=folders)) as port:
        made = source(replace(fake_settings(port), folder=folder))
        with pytest.raises(MailDown, match="not today"):
            made.waiting()
        made.close()


def test_a_folder_that_is_missing_beside_the_inbox_is_for_the_umpire_to_mend(source: Sources) -> None:
    with fake_imap(Mailbox(refused={"SELECT"}, folders=("INBOX",))) as port:
        made = source(replace(fake_settings(port), folder="Games"))
        with pytest.raises(ConfigError, match="has no folder 'Games'"):
            made.waiting()
        made.close()
