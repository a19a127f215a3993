"""What every way in promises, shown on a Maildir and on an IMAP server."""

import imaplib
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

import pytest

from referee.mail.interfaces import Source
from referee.mail.maildir import PARKED, MaildirSource, MaildirTransport, make_maildir
from tests.mail import boxes
from tests.mail.boxes import PLAIN, Stop
from tests.servers.dovecot import Dovecot

HOSTILE = (
    b"From: =?utf-8?q?a=0ABcc:_evil@x.y?= <ann@example.org>\r\nDate: Mon, 7 Dec 99999999999 12:00:00 +99999999\r\n"
    b"To: undisclosed: (((((\r\nMessage-ID: <<<[\r\nContent-Type: multipart/mixed; boundary=\r\n"
    b'Content-Type: multipart/alternative; boundary="\xff\xfe"\r\n\r\n--\xff\xfe\r\n.\r\n..\r\nFrom ann\r\n\x80\xff\r\n'
)


class Box(Protocol):
    """A letter box with the tools of a test: deliver into it, and look where its letters lie."""

    source: Source

    def deliver(self, raw: bytes) -> None: ...
    def deliver_late(self, raw: bytes, arrived: datetime) -> None: ...
    def steal(self) -> None: ...
    def places(self) -> dict[str, list[bytes]]: ...


class MaildirBox:
    def __init__(self, path: Path) -> None:
        make_maildir(path)
        self.path = path
        self.source: Source = MaildirSource(path)
        self._count = 0

    def deliver(self, raw: bytes) -> None:
        self._count += 1
        MaildirTransport(self.path).send(f"<{self._count}@club.example>", raw)

    def deliver_late(self, raw: bytes, arrived: datetime) -> None:
        path = self.path / "new" / "late"
        path.write_bytes(raw)
        os.utime(path, (int(arrived.timestamp()),) * 2)

    def steal(self) -> None:
        for path in (self.path / "new").iterdir():
            path.unlink()

    def places(self) -> dict[str, list[bytes]]:
        folders = {"waiting": self.path / "new", "done": self.path / "cur", "parked": self.path / PARKED / "cur"}
        return {name: [path.read_bytes() for path in sorted(folder.glob("*"))] for name, folder in folders.items()}


class ImapBox:
    def __init__(self, server: Dovecot, user: str) -> None:
        self.server, self.user = server, user
        self.source: Source = boxes.source(boxes.settings(server, user))

    def deliver(self, raw: bytes) -> None:
        self.server.deliver(self.user, raw)

    def deliver_late(self, raw: bytes, arrived: datetime) -> None:
        with self.server.client(self.user) as owner:
            owner.append("INBOX", "", imaplib.Time2Internaldate(arrived), raw)

    def steal(self) -> None:
        with self.server.client(self.user) as owner:
            owner.store("1:*", "+FLAGS", "\\Deleted")
            owner.expunge()

    def places(self) -> dict[str, list[bytes]]:
        folders = {"waiting": "INBOX", "done": "Referee.Processed", "parked": "Referee.Parked"}
        return {
            name: [raw for _, raw in self.server.folder_letters(self.user, folder)] for name, folder in folders.items()
        }


@pytest.fixture(params=["maildir", pytest.param("imap", marks=pytest.mark.dovecot)])
def box(request: pytest.FixtureRequest, tmp_path: Path, mailbox: str) -> Iterator[Box]:
    by_imap = request.param == "imap"
    made: Box = ImapBox(request.getfixturevalue("dovecot"), mailbox) if by_imap else MaildirBox(tmp_path / "in")
    yield made
    made.source.close()


def test_nothing_waits_in_an_empty_box(box: Box) -> None:
    assert box.source.waiting() == ()


def test_letters_wait_the_oldest_first_with_size_and_time(box: Box) -> None:
    begun = datetime.now(UTC) - timedelta(seconds=2)
    box.deliver(PLAIN + b"second\r\n")
    box.deliver_late(PLAIN, begun - timedelta(hours=1))
    first, second = box.source.waiting()
    assert box.source.read(first.key, 10_000).endswith(PLAIN)
    assert len(box.source.read(second.key, 10_000)) == second.size
    assert first.arrived == (begun - timedelta(hours=1)).replace(microsecond=0)
    assert begun < second.arrived < datetime.now(UTC) + timedelta(seconds=2)
    assert first.arrived.tzinfo is UTC


@pytest.mark.parametrize("raw", [PLAIN, HOSTILE, b"no header at all", b"A: b\r\n\r\n" + b"x" * 3_000_000], ids=len)
def test_a_letter_is_read_byte_by_byte_and_waits_on(box: Box, raw: bytes) -> None:
    box.deliver(raw)
    (arrival,) = box.source.waiting()
    assert box.source.read(arrival.key, 4_000_000).rstrip(b"\r\n").endswith(raw.rstrip(b"\r\n"))
    assert box.source.waiting() == (arrival,)


def test_of_a_large_letter_the_beginning_is_read(box: Box) -> None:
    box.deliver(b"A: b\r\n\r\n" + b"0123456789\r\n" * 250_000)
    (arrival,) = box.source.waiting()
    part = box.source.read(arrival.key, 256_000)
    assert len(part) == 256_000
    assert box.source.read(arrival.key, 5_000_000).startswith(part)


def test_done_takes_a_letter_out_and_may_be_said_twice(box: Box) -> None:
    box.deliver(PLAIN)
    (arrival,) = box.source.waiting()
    (raw,) = box.places()["waiting"]
    box.source.take_out(arrival.key)
    box.source.take_out(arrival.key)
    assert box.source.waiting() == ()
    assert box.places() == {"waiting": [], "done": [raw], "parked": []}


def test_a_parked_letter_is_kept_aside(box: Box) -> None:
    box.deliver(PLAIN)
    (arrival,) = box.source.waiting()
    (raw,) = box.places()["waiting"]
    box.source.park(arrival.key)
    box.source.park(arrival.key)
    assert box.source.waiting() == ()
    assert box.places() == {"waiting": [], "done": [], "parked": [raw]}


def test_only_the_letter_that_is_meant_is_moved(box: Box) -> None:
    for number in range(5):
        box.deliver(PLAIN + b"%d\r\n" % number)
    letters = {box.source.read(each.key, 10_000)[-3:-2]: each.key for each in box.source.waiting()}
    box.source.take_out(letters[b"3"])
    box.source.park(letters[b"1"])
    places = {name: sorted(raw[-3:-2] for raw in found) for name, found in box.places().items()}
    assert places == {"waiting": [b"0", b"2", b"4"], "done": [b"3"], "parked": [b"1"]}


def test_a_letter_taken_away_meanwhile_is_told_and_stops_nothing(box: Box) -> None:
    box.deliver(PLAIN)
    box.deliver(PLAIN + b"second\r\n")
    first, second = box.source.waiting()
    box.steal()
    with pytest.raises(FileNotFoundError):
        box.source.read(first.key, 10_000)
    box.source.take_out(first.key)
    box.source.park(second.key)
    assert box.source.waiting() == ()
    assert box.places()["done"] == []


def test_a_box_that_was_closed_opens_again(box: Box) -> None:
    box.deliver(PLAIN)
    (arrival,) = box.source.waiting()
    box.source.close()
    box.source.close()
    assert box.source.read(arrival.key, 10_000).endswith(PLAIN)


def test_who_waits_is_woken_by_a_letter(box: Box) -> None:
    box.source.waiting()
    stop = Stop(lambda: box.deliver(PLAIN))
    box.source.wait(600, stop)
    assert stop.taken > 0
    assert not stop.gave_up
    assert len(box.source.waiting()) == 1


def test_who_waits_is_told_of_a_letter_that_came_just_before(box: Box) -> None:
    box.source.waiting()
    box.deliver(PLAIN)
    stop = Stop()
    box.source.wait(600, stop)
    assert not stop.gave_up


def test_a_letter_that_was_listed_wakes_nobody(box: Box) -> None:
    """Else a letter that cannot be moved would keep the loop running hot."""
    box.deliver(PLAIN)
    box.source.waiting()
    stop = Stop(looks=5)
    box.source.wait(600, stop)
    assert stop.gave_up


def test_waiting_ends_when_the_time_is_over(box: Box) -> None:
    box.source.waiting()
    stop = Stop()
    box.source.wait(0.1, stop)
    assert not stop.gave_up


def test_waiting_ends_when_somebody_says_stop(box: Box) -> None:
    box.source.waiting()
    stop = Stop(lambda: stop.set())
    box.source.wait(600, stop)
    assert not stop.gave_up
    assert box.source.waiting() == ()
