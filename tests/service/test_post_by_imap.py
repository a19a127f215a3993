"""Letters from an IMAP server: each counted once, none fetched twice, none in the way of the next."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.config import SettingValue
from referee.core.errors import LoginRefused, MailDown
from referee.service.post.collect import GROUP
from referee.service.post.lockout import lockout
from referee.store.club import last_poll
from tests.posthouse import ANN, BEGIN, BOB, UMPIRE, PostHouse, text_of
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.fakeimap import Mailbox, fake_imap
from tests.servers.fixtures import need_dovecot


def letter(sender: str, text: str, number: int = 1) -> bytes:
    head = f"From: {sender}\r\nSubject: Re: [RR1] turn\r\nMessage-ID: <{number}.{sender}>\r\n\r\n"
    return (head + text + "\r\n").encode()


def imap_house(folder: Path, port: int, user: str, **settings: str | int) -> PostHouse:
    """Return a club whose letters arrive on a server, at the machine's time."""
    folder.mkdir()
    secret = folder / "secret"
    secret.write_text(PASSWORD)
    secret.chmod(0o600)
    given: dict[str, SettingValue] = {
        "imap__host": "127.0.0.1",
        "imap__port": port,
        "imap__security": "none",
        "imap__user": user,
    }
    given |= {"imap__password_file": "secret", **settings}
    house = PostHouse(folder, **given)
    house.clock.now = datetime.now(UTC) + timedelta(minutes=1)  # behind whatever the server writes on letters meanwhile
    return house


@pytest.fixture
def post(tmp_path: Path, dovecot: Dovecot, mailbox: str) -> Iterator[PostHouse]:
    with imap_house(tmp_path / "club", dovecot.ports.imap, mailbox) as house:
        yield house


@pytest.fixture
def faulty(tmp_path: Path) -> Iterator[tuple[Mailbox, PostHouse]]:
    mailbox = Mailbox()
    with fake_imap(mailbox) as port, imap_house(tmp_path / "club", port, "referee") as house:
        house.clock.now = BEGIN  # when its letters came
        yield mailbox, house


@pytest.mark.dovecot
def test_letters_are_stored_answered_and_put_away(post: PostHouse, dovecot: Dovecot, mailbox: str) -> None:
    post.game()
    dovecot.deliver(mailbox, letter(ANN, "STEP 3"))
    dovecot.deliver(mailbox, letter(BOB, "STEP 3"))
    assert post.tick().turns == ("RR1/1",)
    assert len(post.post(ANN, "Orders for turn 1 received")) == 1
    assert dovecot.folder_letters(mailbox) == []
    kept = [raw for _, raw in dovecot.folder_letters(mailbox, "Referee.Processed")]
    assert kept == [row["raw"] for row in post.rows("SELECT raw FROM letters ORDER BY id")]
    sources = [row["source"] for row in post.rows("SELECT source FROM letters ORDER BY id")]
    assert all(source.startswith(f"imap://{mailbox}@127.0.0.1:") for source in sources)
    assert [source.rpartition("=")[2] for source in sources] == ["1", "2"]
    assert last_poll(post.club.db) == post.clock.now


@pytest.mark.dovecot
def test_a_letter_that_comes_back_under_another_number_is_known_by_its_words(
    post: PostHouse, dovecot: Dovecot, mailbox: str
) -> None:
    post.game()
    dovecot.deliver(mailbox, letter(ANN, "STEP 3"))
    post.tick()
    owner = dovecot.client(mailbox)
    owner.select("Referee.Processed")
    owner.copy("1", "INBOX")
    owner.logout()
    post.club.source.close()
    dovecot.lose_indexes(mailbox)
    post.tick()
    assert len(post.rows("SELECT * FROM letters")) == 1
    assert len(post.post(ANN, "Orders for turn 1 received")) == 1
    assert dovecot.folder_letters(mailbox) == []


@pytest.mark.dovecot
def test_a_letter_too_large_is_parked_on_the_server(post: PostHouse, dovecot: Dovecot, mailbox: str) -> None:
    post.game()
    dovecot.deliver(mailbox, letter(ANN, "STEP 3\r\n" + "x" * 70 + "\r\n" * 1_000_000))
    post.tick()
    (row,) = post.rows("SELECT status, size, length(raw) AS kept FROM letters")
    assert (row["status"], row["kept"]) == ("parked", 256_000)
    ((_, raw),) = dovecot.folder_letters(mailbox, "Referee.Parked")
    assert len(raw) == row["size"]


@pytest.mark.dovecot
def test_where_nothing_can_be_moved_a_letter_is_fetched_once(tmp_path: Path, mailbox: str) -> None:
    need_dovecot()
    with Dovecot(capability="IMAP4rev1 NAMESPACE") as server:
        server.deliver(mailbox, letter(ANN, "STEP 3"))
        with imap_house(tmp_path / "club", server.ports.imap, mailbox) as house:
            house.begin()
            owner = server.client(mailbox)
            owner.store("1", "-FLAGS", "\\Deleted")  # somebody takes our mark away
            owner.logout()
            house.tick()
            assert len(house.rows("SELECT * FROM letters")) == 1
            assert len(server.folder_letters(mailbox)) == 1


def test_a_letter_stored_but_not_moved_is_not_fetched_again(faulty: tuple[Mailbox, PostHouse]) -> None:
    """The power was cut between the two, or the server did not move it."""
    mailbox, house = faulty
    house.game()
    mailbox.letters[5] = letter(ANN, "STEP 3")
    mailbox.refused.add("MOVE")
    house.tick()
    mailbox.refused.clear()
    mailbox.poison.add(5)
    house.tick()
    assert mailbox.letters == {}
    assert [row["status"] for row in house.rows("SELECT status FROM letters")] == ["done"]


def test_a_letter_that_cannot_be_fetched_keeps_nobody_waiting_and_the_umpire_hears_of_it(
    faulty: tuple[Mailbox, PostHouse],
) -> None:
    mailbox, house = faulty
    house.game()
    mailbox.letters |= {1: letter("eve@example.org", "poison"), 2: letter(ANN, "STEP 3")}
    mailbox.poison.add(1)
    house.tick()
    assert len(house.post(ANN, "Orders for turn 1 received")) == 1
    assert house.post(UMPIRE) == []
    for _ in range(3):
        house.tick()
    assert mailbox.letters == {}
    (row,) = house.rows("SELECT * FROM letters WHERE status = 'parked'")
    assert row["reason"] == "could not be fetched"
    (told,) = house.post(UMPIRE)
    assert str(row["id"]) in text_of(told)
    assert "poison" not in text_of(told)


def test_what_was_fetched_before_the_server_shut_us_out_is_stored_and_moved_later(
    faulty: tuple[Mailbox, PostHouse],
) -> None:
    mailbox, house = faulty

    class ShutOut(list[str]):
        def append(self, name: str) -> None:
            super().append(name)
            if name == "FETCH":
                mailbox.refused.add("LOGIN")

    house.game()
    mailbox.letters |= {1: letter(ANN, "STEP 3"), 2: letter(BOB, "STEP 3"), 3: letter(BOB, "STEP 2", 2)}
    mailbox.poison.add(3)
    mailbox.heard = ShutOut()
    with pytest.raises(LoginRefused):
        house.tick()
    assert [row["source"][-1] for row in house.rows("SELECT source FROM letters ORDER BY id")] == ["1", "2"]
    assert set(mailbox.letters) == {1, 2, 3}
    mailbox.heard = []
    mailbox.refused.clear()
    mailbox.poison = {1, 2}
    house.tick_again()
    assert mailbox.letters == {}
    assert len(house.rows("SELECT id FROM letters")) == 3


def test_letters_are_fetched_one_by_one_and_moved_together(faulty: tuple[Mailbox, PostHouse]) -> None:
    mailbox, house = faulty
    mailbox.letters |= {number: letter(ANN, f"STEP {number}", number) for number in range(1, GROUP + 2)}
    house.tick()
    told = [name for name in mailbox.heard if name in ("FETCH", "MOVE")]
    assert told == ["FETCH"] * (1 + GROUP) + ["MOVE", "FETCH", "MOVE"]  # the first FETCH asks for sizes and times
    assert mailbox.letters == {}
    assert len(house.rows("SELECT id FROM letters")) == GROUP + 1


def test_where_the_store_cannot_keep_them_no_letter_is_moved(faulty: tuple[Mailbox, PostHouse]) -> None:
    mailbox, house = faulty
    mailbox.letters |= {1: letter(ANN, "STEP 1", 1), 2: letter(ANN, "STEP 2", 2)}
    house.club.db.execute(
        "CREATE TRIGGER full AFTER INSERT ON letters WHEN NEW.id = 2 BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    with pytest.raises(sqlite3.IntegrityError, match="full"):
        house.tick()
    assert set(mailbox.letters) == {1, 2}
    assert house.rows("SELECT id FROM letters") == []
    house.club.db.execute("DROP TRIGGER full")
    house.tick_again()
    assert mailbox.letters == {}
    assert len(house.rows("SELECT id FROM letters")) == 2


def test_a_refused_login_is_tried_three_times_and_then_once_an_hour(faulty: tuple[Mailbox, PostHouse]) -> None:
    mailbox, house = faulty
    mailbox.refused.add("LOGIN")
    for _ in range(6):
        with pytest.raises(LoginRefused, match="does not let referee in"):
            house.tick_again()
        house.clock.advance(minutes=5)
    assert mailbox.heard.count("LOGIN") == 3
    told = house.command("status").stdout
    assert "(refused 3 times, last at 2026-12-07T12:10:00Z; tried again not before 2026-12-07T13:10:00Z, unless" in told
    house.clock.advance(minutes=45)
    with pytest.raises(LoginRefused):
        house.tick_again()
    assert mailbox.heard.count("LOGIN") == 4
    assert [row["what"] for row in house.rows("SELECT what FROM log WHERE what = 'imap-refused'")] == ["imap-refused"]


def test_a_login_that_was_mended_is_tried_at_once(faulty: tuple[Mailbox, PostHouse]) -> None:
    mailbox, house = faulty
    mailbox.refused.add("LOGIN")
    for _ in range(4):
        with pytest.raises(LoginRefused):
            house.tick_again()
    told = house.command("status")
    assert "does not let referee in" in told.stdout
    mailbox.refused.clear()
    with pytest.raises(LoginRefused):
        house.tick_again()
    os.utime(house.folder / "secret", (1, 1))
    house.tick_again()
    assert lockout(house.club.db, "imap") is None
    assert "does not let" not in house.command("status").stdout


def test_while_the_server_is_away_nothing_is_played(faulty: tuple[Mailbox, PostHouse]) -> None:
    mailbox, house = faulty
    house.begin()
    mailbox.refused.add("SEARCH")
    house.clock.advance(days=8)
    with pytest.raises(MailDown):
        house.tick()
    assert house.rows("SELECT turn FROM games")[0]["turn"] == 1
