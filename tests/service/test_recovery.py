"""A database that lost something: what came since is taken again in its order, and all comes out as in the undisturbed run."""

import imaplib
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from referee.config import SettingValue, read_config
from referee.mail.compose import read_own
from referee.service import club
from referee.service.backup import back_up
from referee.service.club import open_club
from referee.service.demo.show import play_demo
from referee.service.doctor.database import database_findings
from referee.service.tick import tick
from referee.service.turns.gamefile import Proposal, parse_player
from referee.service.turns.opengames import open_game, signup_list
from referee.store import OpenDatabase, OutboxRow, fact, format_time, games, select, transaction
from referee.store.files import whole
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, text_of
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.mailhost import MailHost
from tests.service.test_tick import in_children

Tables = dict[str, list[tuple[Any, ...]]]

# A database that lost something: what came since is taken again in its order, and all comes out as in the undisturbed run.


TABLES = {  # what must come out alike: columns that do not count how often something was done
    "games": "id, status, turn, deadline",
    "turns": "*",
    "letters": "hash, size, arrived, sender, subject, message_id, status, reason, game, player, trace, raw",
    "order_sets": "game, turn, player, orders, complaints, text, arrived, changed_at, clean, confirmed, withdrawn, doubtful",
    "press": "game, turn, player, kind, text, arrived",
    "held_letters": "hash, game, player, turn, why, held_at, released_at",
    "outbox": "key, game, turn, player, kind, recipient, message_id, raw, enclosed, size, state, created",
}

Settings = dict[str, SettingValue]
Houses = Callable[[], PostHouse]


class OnServer(PostHouse):
    """A club whose letters arrive on a mail server, at the house's time."""

    def __init__(self, folder: Path, server: Dovecot, user: str) -> None:
        folder.mkdir(exist_ok=True)
        (folder / "secret").write_text(PASSWORD)
        (folder / "secret").chmod(0o600)
        self._server, self._user = server, user
        given: Settings = {"imap__host": "127.0.0.1", "imap__port": server.ports.imap, "imap__security": "none"}
        given |= {"imap__user": user, "imap__password_file": "secret", "identity__policy": "token"}
        super().__init__(folder, **given)

    def drop(self, raw: bytes) -> Path:
        self._dropped += 1
        with self._server.client(self._user) as client:
            client.append("INBOX", "", imaplib.Time2Internaldate(self.clock.now), raw)
        return Path()


@pytest.fixture(params=["Maildir", pytest.param("IMAP", marks=pytest.mark.dovecot)])
def houses(tmp_path: Path, request: pytest.FixtureRequest) -> Houses:
    """Return what opens the club, again and again, that is asked for codes."""
    if request.param == "Maildir":
        return lambda: PostHouse(tmp_path / "club", identity__policy="token")
    server, user = request.getfixturevalue("dovecot"), request.getfixturevalue("mailbox")
    return lambda: OnServer(tmp_path / "club", server, user)


def begin(house: PostHouse) -> None:
    """Begin a long game some years ago: a mail server takes no letter that is yet to come."""
    house.clock.now = datetime(2024, 3, 4, 12, 0, tzinfo=UTC)
    (house.folder / "maps").mkdir()
    (house.folder / "maps" / "line.toml").write_text("goal = 90")
    house.begin()


def newest(house: PostHouse, reader: str) -> EmailMessage:
    raw = house.ours("kind = 'newsletter' AND recipient = ?", reader)[-1].raw
    return read_own(raw)


def play(house: PostHouse, turn: int) -> None:
    """Play a turn: an odd one ends when both orders are in, an even one by its deadline."""
    house.wait(hours=20)
    house.answer(newest(house, ANN), f"STEP {turn % 3 + 1}\nPRESS: turn {turn}\nNOTE: hello")
    house.later(minutes=3)
    house.wait(hours=3)
    house.write(BOB, "STEP 3", "Re: [RR1] without a code")
    house.later(minutes=1)
    house.wait(hours=1)
    if turn % 2:
        house.answer(newest(house, BOB), "STEP 1")
    else:
        house.answer(newest(house, ANN), "STEP 1")
        house.later(minutes=1)
        house.wait(days=11)
    assert house.later(minutes=2).turns == (f"RR1/{turn}",)


def come_out(house: PostHouse) -> Tables:
    """Return what the club has come to: its tables, and what left."""
    found = {name: house.rows(f"SELECT {columns} FROM {name}") for name, columns in TABLES.items()}  # noqa: S608
    told = {name: sorted(map(tuple, rows), key=repr) for name, rows in found.items()}
    told["outbox"] = [row for row in told["outbox"] if not row[0].startswith("umpire:recovered")]
    told["mail/out"] = [(path.name, path.read_bytes()) for path in house.sent_files() if "recovered" not in path.name]
    return told


def put_back(copy: Path, folder: Path) -> None:
    """Restore a backup as docs/setup.md tells."""
    for path in folder.glob("referee.db*"):
        path.unlink()
    shutil.copytree(copy, folder, dirs_exist_ok=True)


def after(before: PostHouse, house: PostHouse, **time: int) -> PostHouse:
    """Let a club that was opened anew go on some time later."""
    house.clock.now, house._dropped = before.clock.now, before._dropped
    house.wait(**time)
    return house


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_a_club_restored_across_turns_comes_out_as_the_undisturbed_run(
    houses: Houses, tmp_path: Path, turns: int
) -> None:
    with houses() as house:
        begin(house)
        play(house, 1)
        house.wait(minutes=1)
        back_up(house.club.config, tmp_path / "copy")
        for turn in range(2, 2 + turns):
            play(house, turn)
        before, undisturbed = house, come_out(house)
    put_back(tmp_path / "copy", tmp_path / "club")
    with after(before, houses(), minutes=10) as house:
        done = house.tick()
        assert done.turns == tuple(f"RR1/{turn}" for turn in range(2, 2 + turns))
        assert done.sent == 1, "only the umpire hears of it"
        for name, rows in come_out(house).items():
            assert rows == undisturbed[name], name
        assert len(house.post(UMPIRE, "The database was brought back")) == 1
        assert house.later(minutes=10).letters == 0
        play(house, 2 + turns)


def test_a_copy_from_before_the_last_seat_was_taken_comes_out_as_the_undisturbed_run(tmp_path: Path) -> None:
    """Sign-ups, the beginning of a game that begins by itself, and its first turn are relived."""
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        proposal = Proposal(kind="tinyrace", board="line", rhythm={"days": 7})
        word = signup_list(house.club, open_game(house.club, proposal, 2, when_full=True).id).word
        house.tick()
        sign_up(house, ANN, word)
        back_up(house.club.config, tmp_path / "copy")
        sign_up(house, BOB, word)
        house.wait(minutes=1)
        for player in (ANN, BOB):
            house.answer(house.last(player, "the race opens"), "STEP 2")
            house.wait(minutes=1)
        assert house.tick().turns == ("RR1/1",)
        before, undisturbed = house, come_out(house) | {"signups": seated(house)}
    put_back(tmp_path / "copy", tmp_path / "club")
    with after(before, PostHouse(tmp_path / "club", identity__policy="token"), minutes=10) as house:
        done = house.tick()
        assert (done.turns, done.sent) == (("RR1/1",), 1), "only the umpire hears of it"
        assert same(house, undisturbed)
        assert seated(house) == undisturbed["signups"]


def sign_up(house: PostHouse, sender: str, word: str) -> None:
    house.wait(hours=1)
    house.send(sender, word, subject="a game")
    house.wait(hours=1)
    house.reply(house.last(sender, "Do you want a seat"), "CONFIRM")


def seated(house: PostHouse) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in house.rows("SELECT * FROM signups ORDER BY 1")]


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[PostHouse]:
    """A club of which there is a backup, two turns old."""
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        begin(house)
        play(house, 1)
        house.wait(minutes=1)
        back_up(house.club.config, tmp_path / "copy")
        play(house, 2)
        play(house, 3)
        yield house


def same(house: PostHouse, undisturbed: Tables) -> bool:
    for name, rows in come_out(house).items():
        assert rows == undisturbed[name], name
    return True


IN_WORK = ("receive:storing", "receive:moved", "receive:filing", "receive:handled")
CUTS = (*club.RECOVERY_STEPS, *IN_WORK, "adjudicate:writing", "adjudicate:written", "send:leased", "tick:done")


@pytest.mark.parametrize("name", CUTS)
def test_a_power_cut_in_a_recovery_changes_nothing(copied: PostHouse, tmp_path: Path, name: str) -> None:
    undisturbed = come_out(copied)
    copied.club.db.close()
    put_back(tmp_path / "copy", copied.folder)
    with after(copied, PostHouse(copied.folder), minutes=10) as house:
        assert in_children(1, lambda: house.tick_again(crash_at=name)) == [9], "the process was not killed"
        house.later(minutes=6)
        assert same(house, undisturbed)
        assert len(house.post(UMPIRE, "The database was brought back")) == 1


def test_letters_that_a_damaged_log_of_the_database_lost_are_found_again(tmp_path: Path) -> None:
    """The power was cut, and SQLite passes over what stands in its write-ahead log from the first torn page on."""
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        begin(house)
        play(house, 1)
        house.club.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        play(house, 2)
        play(house, 3)
        undisturbed = come_out(house)
        shutil.copytree(house.folder, tmp_path / "torn", ignore=shutil.ignore_patterns("*-shm"))
    log = tmp_path / "torn" / "referee.db-wal"
    raw = bytearray(log.read_bytes())
    raw[32 + 24 + 100] ^= 1  # behind the heads of the log and of its first page
    log.write_bytes(raw)
    with after(house, PostHouse(tmp_path / "torn"), minutes=1) as torn:
        assert len(torn.rows("SELECT * FROM letters")) == 3
        assert torn.tick().turns == ("RR1/2", "RR1/3")
        assert same(torn, undisturbed)


@pytest.mark.parametrize("flags", [":2,S", ""])
def test_a_backup_in_a_new_folder_with_letters_moved_by_hand(copied: PostHouse, tmp_path: Path, flags: str) -> None:
    """The old folder's letters were moved into new/, and what was sent was brought along; nothing else is left of it."""
    undisturbed = come_out(copied)
    copied.club.db.close()
    new = tmp_path / "new"
    put_back(tmp_path / "copy", new)
    shutil.copytree(copied.folder / "mail" / "out", new / "mail" / "out")
    with after(copied, PostHouse(new), minutes=10) as house:
        for path in (copied.folder / "mail" / "in" / "cur").iterdir():
            shutil.move(path, new / "mail" / "in" / "new" / f"{path.name.removesuffix(':2,S')}{flags}")
        assert house.tick().turns == ("RR1/2", "RR1/3")
        assert same(house, undisturbed)


def test_what_is_said_otherwise_than_before_is_sent_under_a_new_id(copied: PostHouse, tmp_path: Path) -> None:
    """The umpire had moved a deadline since the backup, of which no letter tells."""
    with transaction(copied.club):
        games.write(copied.club, "RR1", deadline=copied.clock.now + timedelta(days=2))
    play(copied, 4)
    sent = {path.name: path.read_bytes() for path in copied.sent_files()}
    copied.club.db.close()
    put_back(tmp_path / "copy", copied.folder)
    with after(copied, PostHouse(copied.folder), minutes=10) as house:
        house.tick()
        now = {path.name: path.read_bytes() for path in house.sent_files()}
        assert {name: now[name] for name in sent} == sent
        told = [read_own(raw) for raw in now.values()]
        by_id = {str(each["Message-ID"]): text_of(each) for each in told}
        for row in house.ours("kind = 'acknowledgement'"):
            written = read_own(row.raw)
            assert by_id[row.message_id] == text_of(written)
        assert len(now) > len(sent) + 1


def test_where_nothing_tells_what_left_no_id_is_used_again_over_other_words(copied: PostHouse, tmp_path: Path) -> None:
    """Neither ``mail/out`` nor ``tally.json`` came along."""
    with transaction(copied.club):
        games.write(copied.club, "RR1", deadline=copied.clock.now + timedelta(days=2))
    play(copied, 4)
    left = {row.message_id: text_of(read_own(row.raw)) for row in copied.ours()}
    copied.club.db.close()
    new = tmp_path / "new"
    put_back(tmp_path / "copy", new)
    with after(copied, PostHouse(new), minutes=10) as house:
        for path in (copied.folder / "mail" / "in" / "cur").iterdir():
            shutil.copy2(path, new / "mail" / "in" / "new" / path.name)
        house.tick()
        assert house.value("SELECT max(turn) FROM turns") > 2
        told = {row.message_id: text_of(read_own(row.raw)) for row in house.ours("state = 'sent'")}
        assert {name for name, text in told.items() if left.get(name, text) != text} == set()
        assert house.tick().sent == 0


def test_what_left_by_a_mail_server_is_not_sent_again(tmp_path: Path) -> None:
    with MailHost() as host:
        with PostHouse(tmp_path / "club", identity__policy="token", **host.smtp) as house:
            begin(house)
            play(house, 1)
            house.wait(minutes=1)
            back_up(house.club.config, tmp_path / "copy")
            play(house, 2)
            play(house, 3)
            mark = fact(house.club, "mark")
            ids = house.rows("SELECT key, message_id FROM outbox ORDER BY key")
            left = len(host.letters)
        put_back(tmp_path / "copy", tmp_path / "club")
        with after(house, PostHouse(tmp_path / "club"), minutes=10) as again:
            assert again.tick().turns == ("RR1/2", "RR1/3")
            (told,) = host.letters[left:]
            assert b"The database was brought back" in told.raw
            sql = "SELECT key, message_id FROM outbox WHERE key NOT LIKE 'umpire:recovered%' ORDER BY key"
            assert again.tuples(sql) == list(map(tuple, ids))
            play(again, 4)
            assert fact(again.club, "mark") != mark, "an id may be used again over other words"


@pytest.mark.parametrize("hours", [2, 25])
def test_a_deadline_that_fell_while_the_restored_club_was_down_is_moved(tmp_path: Path, hours: int) -> None:
    """What came in that time waits for the pass; what the referee was there for is no outage, nor is a short one."""
    with PostHouse(tmp_path / "club", identity__policy="token", deadlines__downtime_hold=24) as house:
        begin(house)
        play(house, 1)
        back_up(house.club.config, tmp_path / "copy")
        for _ in range(9):
            house.later(hours=20)
        assert house.column("SELECT turn FROM turns") == [0, 1, 2]
        ((deadline,),) = house.rows("SELECT deadline FROM games")
        house.clock.now = datetime.fromisoformat(deadline) - timedelta(hours=2)
        house.tick()
        house.wait(hours=5)
        house.answer(newest(house, ANN), "STEP 2")
    put_back(tmp_path / "copy", tmp_path / "club")
    with after(house, PostHouse(tmp_path / "club"), hours=hours) as again:
        away = hours > 24
        assert again.tick().turns == (("RR1/2",) if away else ("RR1/2", "RR1/3"))
        moved = again.column("SELECT text FROM log WHERE what = 'deadline-moved'")
        due = format_time(again.clock.now + timedelta(hours=24))
        assert [text.partition(" -> ")[2] for text in moved] == [due] * away
        assert bool(again.post(UMPIRE, "The referee was out of order")) == away
        in_time = again.rows("SELECT 1 FROM order_sets WHERE player = 'ANN' AND turn = 3")
        assert bool(in_time) == away


def test_the_doctor_says_of_a_restored_club_what_the_next_pass_does(copied: PostHouse, tmp_path: Path) -> None:
    def said() -> list[str]:
        found = database_findings(copied.club.config, copied.clock.now)
        return [each.text for each in found if each.topic == "database" and each.level == "warning"]

    assert said() == []
    copied.club.db.close()
    put_back(tmp_path / "copy", copied.folder)
    (told,) = said()
    assert "older than what the referee has done" in told
    with after(copied, PostHouse(copied.folder), minutes=10) as house:
        house.tick()
        assert said() == []


def test_what_the_umpire_does_anew_leaves_under_new_ids(tmp_path: Path) -> None:
    """Acts since the backup are not known: an undo, a ruling or a correction done again says other words."""
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        begin(house)
        play(house, 1)
        house.wait(minutes=1)
        back_up(house.club.config, tmp_path / "copy")
        house.wait(minutes=1)
        house.act("ADJUST RR1 money.ANN+=1", "the first words")
        house.act("UNDO RR1 1 PLAY", "the first words")
        house.tick()
        before = house
    put_back(tmp_path / "copy", tmp_path / "club")
    with after(before, PostHouse(tmp_path / "club", identity__policy="token"), minutes=10) as house:
        house.tick()
        house.act("ADJUST RR1 money.ANN+=2", "the second words")
        house.act("UNDO RR1 1", "the second words")
        house.later(days=15)
        files = {path.name: path.read_bytes() for path in house.sent_files()}
        ids = [read_own(raw)["Message-ID"] for raw in files.values()]
        assert len(ids) == len(set(ids)) == len(files)
        told = [text_of(read_own(raw)) for raw in files.values()]
        for words in ("the first words", "the second words"):
            # A ruling to both; the notice of the second undo; and the corrected newsletter.
            assert sum(words in text for text in told) == (4 if words == "the first words" else 6)
        assert house.value("SELECT count(*) FROM outbox WHERE state <> 'sent'") == 0


@pytest.mark.parametrize("seconds", [1, 4000])
def test_a_turn_that_was_given_more_time_is_given_it_again(tmp_path: Path, seconds: int) -> None:
    """The pass that gave it may have come later than it is relived: then its letters are the same but for their date."""
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.clock.now = datetime(2024, 3, 4, 12, 0, tzinfo=UTC)
        house.begin(rhythm={"days": 7, "missing": "extend", "extension": 3})
        back_up(house.club.config, tmp_path / "copy")
        house.wait(hours=1)
        house.reply(newest(house, ANN), "STEP 2")
        assert house.later(days=7, hours=7, minutes=10, seconds=seconds).turns == ()
        house.wait(days=1)
        assert house.reply(newest(house, BOB), "STEP 1").turns == ("RR1/1",)
        sent, tables = len(house.post()), come_out(house)
    put_back(tmp_path / "copy", tmp_path / "club")
    with after(house, PostHouse(tmp_path / "club"), minutes=10) as again:
        assert again.tick().turns == ("RR1/1",)
        assert come_out(again)["games"] == tables["games"]
        assert come_out(again)["turns"] == tables["turns"]
        assert len(again.post(BOB, "Turn 1: more time")) == 1
        assert len(again.post()) == sent + 1, "only the umpire hears of it"


# Whole games of both kinds are restored from a backup of their first rounds, and come out as they were played.


WHOLE_TABLES = {
    "turns": "game, turn, hash, state, deadline",
    "letters": "hash, status, reason, player, trace",
    "order_sets": "turn, player, orders, text, clean",
}


def all_tables(folder: Path) -> Tables:
    with closing(sqlite3.connect(folder / "referee.db")) as beside:
        found = {
            name: beside.execute(f"SELECT {columns} FROM {name}").fetchall()  # noqa: S608
            for name, columns in WHOLE_TABLES.items()
        }
        db = OpenDatabase(beside)
        ours = [whole(db, row) for row in select(db, OutboxRow, "SELECT * FROM outbox")]
    found["outbox"] = [
        (row.key, row.message_id, row.state, re.sub(rb"\nDate: .*\n", b"\n", row.raw, count=1))
        for row in ours
        if row.kind != "recovered"
    ]
    return {name: sorted(rows) for name, rows in found.items()}


SHORT = Proposal(
    kind="dampfross",
    board="ireland",
    preset="laurin",
    options=(("building_ends", "rounds:6"), ("races", 6)),
    players=(
        parse_player("GSW:red:Ann <ann@example.org>"),
        parse_player("MGW:blue:Bob <bob@example.org>"),
        parse_player("BNC:green:Cid <cid@example.org>"),
    ),
)


@pytest.mark.testlong
@pytest.mark.parametrize(("kind", "seed"), [("dampfross", "restored"), ("volldampf", "restored")])
def test_a_whole_game_is_relived(kind: str, seed: str, tmp_path: Path) -> None:
    folder, copy = tmp_path / "club", tmp_path / "copy"

    def told(rounds: int, of: int) -> None:
        if rounds == 2 and not copy.exists():
            back_up(read_config(folder), copy)

    play_demo(folder, kind, told, seed, SHORT if kind == "dampfross" else None)
    undisturbed, sent = all_tables(folder), sorted((folder / "mail" / "out" / "new").iterdir())
    put_back(copy, folder)
    with open_club(read_config(folder)) as club:
        assert len(tick(club).turns) > 4
    for name, rows in all_tables(folder).items():
        assert rows == undisturbed[name], name
    now = [path for path in sorted((folder / "mail" / "out" / "new").iterdir()) if "recovered" not in path.name]
    assert now == sent
