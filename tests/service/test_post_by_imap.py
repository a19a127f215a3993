"""Letters from a mail server: each counted once, whatever the server or another program does."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.config import SettingValue
from referee.core import ConfigError, LoginRefused, MailDown
from referee.service.doctor.database import database_findings
from referee.service.post.collect import GROUP
from referee.service.post.lockout import lockout
from referee.store import last_poll
from tests.forkedcommands import run_program
from tests.mail.boxes import PLAIN
from tests.posthouse import ANN, BEGIN, BOB, UMPIRE, Clubs, PostHouse, line_of, text_of
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.fakeimap import Mailbox, fake_imap
from tests.servers.fixtures import need_dovecot, server_with
from tests.servers.gateway import gateway
from tests.service.test_recovery import OnServer

Both = tuple[Mailbox, PostHouse]

# Letters from an IMAP server: each counted once, none fetched twice, none in the way of the next.


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
    house.clock.today(minutes=1)  # behind whatever the server writes on letters meanwhile
    return house


@pytest.fixture
def post(tmp_path: Path, dovecot: Dovecot, mailbox: str) -> Iterator[PostHouse]:
    with imap_house(tmp_path / "club", dovecot.ports.imap, mailbox) as house:
        yield house


@pytest.fixture
def faulty(tmp_path: Path) -> Iterator[Both]:
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
    assert kept == post.column("SELECT raw FROM letters ORDER BY id")
    sources = post.column("SELECT source FROM letters ORDER BY id")
    assert all(source.startswith(f"imap://{mailbox}@127.0.0.1:") for source in sources)
    assert [source.rpartition("=")[2] for source in sources] == ["1", "2"]
    assert last_poll(post.club) == post.clock.now


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


def test_a_letter_stored_but_not_moved_is_not_fetched_again(faulty: Both) -> None:
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
    assert house.column("SELECT status FROM letters") == ["done"]


def test_a_letter_that_cannot_be_fetched_keeps_nobody_waiting_and_the_umpire_hears_of_it(
    faulty: Both,
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
    faulty: Both,
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


def test_letters_are_fetched_one_by_one_and_moved_together(faulty: Both) -> None:
    mailbox, house = faulty
    mailbox.letters |= {number: letter(ANN, f"STEP {number}", number) for number in range(1, GROUP + 2)}
    house.tick()
    told = [name for name in mailbox.heard if name in ("FETCH", "MOVE")]
    assert told == ["FETCH"] * (1 + GROUP) + ["MOVE", "FETCH", "MOVE"]  # the first FETCH asks for sizes and times
    assert mailbox.letters == {}
    assert len(house.rows("SELECT id FROM letters")) == GROUP + 1


def test_where_the_store_cannot_keep_them_no_letter_is_moved(faulty: Both) -> None:
    mailbox, house = faulty
    mailbox.letters |= {1: letter(ANN, "STEP 1", 1), 2: letter(ANN, "STEP 2", 2)}
    house.club.execute(
        "CREATE TRIGGER full AFTER INSERT ON letters WHEN NEW.id = 2 BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    with pytest.raises(sqlite3.IntegrityError, match="full"):
        house.tick()
    assert set(mailbox.letters) == {1, 2}
    assert house.rows("SELECT id FROM letters") == []
    house.club.execute("DROP TRIGGER full")
    house.tick_again()
    assert mailbox.letters == {}
    assert len(house.rows("SELECT id FROM letters")) == 2


def test_a_refused_login_is_tried_three_times_and_then_once_an_hour(faulty: Both) -> None:
    mailbox, house = faulty
    mailbox.refused.add("LOGIN")
    for _ in range(6):
        with pytest.raises(LoginRefused, match="does not let referee in"):
            house.tick_again()
        house.wait(minutes=5)
    assert mailbox.heard.count("LOGIN") == 3
    told = house.command("status").stdout
    assert "(refused 3 times, last at 2026-12-07T12:10:00Z; tried again not before 2026-12-07T13:10:00Z, unless" in told
    house.wait(minutes=45)
    with pytest.raises(LoginRefused):
        house.tick_again()
    assert mailbox.heard.count("LOGIN") == 4
    assert house.column("SELECT what FROM log WHERE what = 'imap-refused'") == ["imap-refused"]


def test_a_login_that_was_mended_is_tried_at_once(faulty: Both) -> None:
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
    assert not lockout(house.club, "imap")
    assert "does not let" not in house.command("status").stdout


def test_while_the_server_is_away_nothing_is_played(faulty: Both) -> None:
    mailbox, house = faulty
    house.begin()
    mailbox.refused.add("SEARCH")
    with pytest.raises(MailDown):
        house.later(days=8)
    assert house.value("SELECT turn FROM games") == 1


# What an IMAP server does wrong stops no post, and no turn is played without a letter that it did not give out.


@pytest.fixture
def troubled(tmp_path: Path) -> Iterator[Both]:
    mailbox = Mailbox()
    with fake_imap(mailbox) as port, imap_house(tmp_path / "club", port, "referee") as house:
        house.clock.now = BEGIN  # when its letters came
        house.game()
        yield mailbox, house


def turn(house: PostHouse) -> int:
    return int(house.value("SELECT turn FROM games"))


def statuses(house: PostHouse) -> list[str]:
    return house.column("SELECT status FROM letters ORDER BY id")


@pytest.mark.parametrize("anew", [False, True], ids=["one process", "a process for each pass"])
def test_a_letter_at_whose_move_the_server_hangs_up_stops_nothing(troubled: Both, anew: bool) -> None:
    mailbox, house = troubled
    make_pass = house.tick_again if anew else house.tick
    mailbox.letters |= {1: letter(ANN, "STEP 1"), 2: letter(ANN, "STEP 2", 2)}
    mailbox.snared.add(1)
    make_pass()
    assert statuses(house) == ["done", "done"]
    mailbox.letters[3] = letter(BOB, "STEP 3", 3)
    make_pass()
    assert statuses(house) == ["done", "done", "done"]
    assert last_poll(house.club) == house.clock.now
    assert set(mailbox.letters) == {1}, "the one that cannot be moved keeps none of the others"
    assert len(house.post(ANN, "received")) == 2


def test_when_the_server_is_gone_at_the_last_move_all_that_was_stored_is_handled(
    troubled: Both, caplog: pytest.LogCaptureFixture
) -> None:
    mailbox, house = troubled

    class Closing(list[str]):
        def append(self, name: str) -> None:
            super().append(name)
            if name == "MOVE":
                mailbox.refused.add("LOGIN")

    mailbox.letters |= {1: letter(ANN, "STEP 1")}
    mailbox.snared.add(1)
    mailbox.heard = Closing()
    house.tick()
    assert statuses(house) == ["done"]
    assert "letters that are stored stay in the inbox" in caplog.text


@pytest.mark.parametrize("fault", ["blank", "renumbered"])
def test_a_turn_waits_for_a_letter_that_is_there_and_was_not_given_out(troubled: Both, fault: str) -> None:
    mailbox, house = troubled
    house.tick()
    mailbox.letters |= {1: letter(ANN, "STEP 3")}
    house.wait(days=8)
    if fault == "blank":
        mailbox.blank.add(1)
        house.tick()
        assert len(house.rows("SELECT 1 FROM arrivals WHERE attempts = 1")) == 1
    else:
        polled = last_poll(house.club)

        class Renumbering(list[str]):
            def append(self, name: str) -> None:
                super().append(name)
                if name == "SELECT":  # on a new line: the old one was cut at the letter
                    mailbox.validity = 8
                    mailbox.poison.clear()

        mailbox.poison.add(1)
        mailbox.heard = Renumbering()
        with pytest.raises(MailDown):
            house.tick()
        assert last_poll(house.club) == polled
    assert turn(house) == 1
    mailbox.blank.clear()
    mailbox.heard = []
    house.tick()
    assert statuses(house) == ["done"]
    assert turn(house) == 2


def test_a_letter_that_is_never_given_out_is_given_up_after_three_passes_and_the_umpire_told(
    troubled: Both,
) -> None:
    mailbox, house = troubled
    mailbox.letters |= {1: letter(ANN, "STEP 3"), 2: letter(BOB, "STEP 3")}
    mailbox.blank.add(1)
    for _ in range(4):
        house.tick()
    assert statuses(house) == ["done", "parked"]
    (told,) = house.post(UMPIRE)
    assert "the server does not give it out" in line_of(told)
    assert mailbox.letters == {}


def test_settings_of_the_inbox_that_are_wrong_keep_no_letter_of_ours_from_leaving(
    troubled: Both,
) -> None:
    mailbox, house = troubled
    (house.folder / "secret").unlink()
    with pytest.raises(ConfigError, match="secret cannot be read"):
        house.tick()
    assert len(house.sent_files()) == 2
    assert mailbox.heard == []


# Letters that are not where they should be: copied but not gone, taken out by another program, or those of another club.


@pytest.fixture
def now(club: Clubs) -> PostHouse:
    """A club of this very time: the disk says when a file was moved."""
    house = club()
    house.clock.today()
    house.begin()
    return house


def said(house: PostHouse) -> list[str]:
    return [each.text for each in database_findings(house.club.config, house.clock.now) if each.topic == "inbox"]


def taken_out(path: Path, flags: str = ":2,") -> Path:
    """Move a letter as Dovecot does that lists the folder, or mutt when it was read."""
    return path.rename(path.parents[1] / "cur" / f"{path.name}{flags}")


@pytest.mark.dovecot
@pytest.mark.parametrize("capability", ["IMAP4rev1 UIDPLUS NAMESPACE", "IMAP4rev1"])
def test_what_nobody_may_mark_as_deleted_is_copied_once_and_told(tmp_path: Path, mailbox: str, capability: str) -> None:
    rights = "mail_plugins = acl\nplugin {\n  acl = vfile\n}"
    with server_with(capability, more=rights) as server:
        server.deliver(mailbox, PLAIN)
        allowed = server.folder / "mail" / mailbox / "Maildir" / "dovecot-acl"
        allowed.write_text("owner lrwsipk\n")  # but for t: to mark as deleted
        with OnServer(tmp_path / "club", server, mailbox) as house:
            house.game()
            for _ in range(5):
                house.tick_again()
            assert len(server.folder_letters(mailbox, "Referee.Processed")) == 1
            assert len(server.folder_letters(mailbox)) == 1
            assert statuses(house) == ["held"]
            (told,) = house.post(UMPIRE, "Letters stay in the inbox")
            assert "copied letters that were stored to Referee/Processed" in text_of(told).replace("\n", " ")
            assert said(house)[0].startswith("letters stay in imap.folder")


@pytest.mark.parametrize("flags", [":2,", ":2,S", ":2,RS"])
def test_a_letter_that_another_program_took_out_unread_is_read(now: PostHouse, flags: str) -> None:
    taken_out(now.write(ANN, "STEP 3"), flags)
    now.clock.today()
    now.tick()
    assert statuses(now) == ["done"]


def test_letters_that_were_read_are_not_read_again_whatever_they_are_called(now: PostHouse) -> None:
    first = now.write(ANN, "STEP 3")
    now.tick()
    shutil.copy(next((now.folder / "mail" / "in" / "cur").iterdir()), first.parents[1] / "cur" / "another:2,S")
    for _ in range(3):
        now.tick()
    assert statuses(now) == ["done"]
    assert sorted(path.name for path in (first.parents[1] / "cur").iterdir()) == [f"{first.name}:2,S", "another:2,S"]


def test_a_letter_with_another_clubs_code_is_told_once_a_day(tmp_path: Path) -> None:
    with (
        PostHouse(tmp_path / "ours", identity__policy="token") as ours,
        PostHouse(tmp_path / "theirs", identity__policy="token") as theirs,
    ):
        theirs.begin()
        (opening,) = theirs.post(ANN)
        for _ in range(2):
            ours.reply(opening, "STEP 3")
        assert statuses(ours) == ["ignored", "ignored"]
        (told,) = ours.post(UMPIRE, "A letter for another club?")
        assert "answers a letter about RR1, with a code that this club has never given out" in text_of(told).replace(
            "\n", " "
        )
        assert "code of another club" in said(ours)[0]
        theirs.reply(opening, "STEP 3")
        assert theirs.post(UMPIRE) == []


# A letter that a real mail client hands to a real SMTP server: swaks → gateway → Dovecot → the referee.


@pytest.mark.dovecot
def test_a_letter_sent_with_a_real_client_is_read_and_answered(tmp_path: Path, dovecot: Dovecot, mailbox: str) -> None:
    swaks = shutil.which("swaks")
    if swaks is None:
        pytest.skip("swaks is not installed")
    with imap_house(tmp_path / "club", dovecot.ports.imap, mailbox) as house, gateway(dovecot.lmtp) as port:
        house.game()
        sent = run_program(
            [
                *(swaks, "--server", f"127.0.0.1:{port}", "--helo", "client.example.org"),
                *("--auth", "PLAIN", "--auth-user", "ann", "--auth-password", PASSWORD),
                *("--from", ANN, "--to", f"{mailbox}+rr1@example.org"),
                *("--header", "Subject: my orders for RR1", "--body", "ORDERS RR1 1\nSTEP 3\nEND\n"),
            ],
            timeout=60,
        )
        assert sent.returncode == 0, sent.stdout + sent.stderr
        house.tick()
        (answer,) = house.post(ANN, "Orders for turn 1 received")
        assert "STEP 3" in answer.as_string()
        (row,) = house.rows("SELECT status, raw FROM letters")
        assert row["status"] == "done"
        assert b"Delivered-To:" in row["raw"]
