"""The whole way by mail, in and out; and what happens while files or servers are closed."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.core import SeededDice, next_seed, seed_of_turn
from referee.service.audit.replay import replay
from referee.service.doctor.database import database_findings
from referee.service.tick import Undelivered
from referee.store import games, last_tick, outbox
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, Clubs, PostHouse, text_of
from tests.rights import plain_command
from tests.servers.mailhost import DROP, MailHost
from tests.service.test_power_cuts import CUTTERS, cut_after

# The whole way by mail: letters in, acknowledgements and newsletters out, with a game the rooms have never seen.


def test_the_opening_goes_to_everybody_with_board_and_chain(race: PostHouse) -> None:
    assert race.tick().sent == 2
    (letter,) = race.post(ANN)
    assert letter["Subject"] == "[RR1] the race opens"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert [name for part in letter.walk() if (name := part.get_filename())] == [
        "RR1-turn-0.png",
        "RR1-turn-0.svg",
        "RR1-turn-0.json",
    ]
    assert games.chain_end(race.row()) in text_of(letter)
    assert "Monday 14 December 2026, 20:00 (Europe/Dublin)" in text_of(letter)


def test_a_letter_of_orders_is_acknowledged_in_its_thread(race: PostHouse) -> None:
    race.send(ANN, "ORDERS RR1 1\nSTEP 3\nEND\nBring the big map\n", References="<a@b.example>")
    (answer,) = race.post(ANN, "Orders for turn 1 received")
    assert answer["Subject"] == "[RR1] Orders for turn 1 received"
    assert answer["In-Reply-To"] == "<1@example.org>"
    assert answer["References"].split() == ["<a@b.example>", "<1@example.org>"]
    assert answer["Auto-Submitted"] == "auto-replied"
    text = text_of(answer)
    assert "STEP 3" in text
    assert "line 4: Bring the big map" in text
    assert "The orders of this letter will run." in text
    assert "Your orders are in." in text


def test_a_game_is_played_to_its_end_and_can_be_played_again(race: PostHouse) -> None:
    turns: list[str] = []
    for turn in range(1, 9):
        race.wait(hours=1)
        race.write(ANN, f"ORDERS RR1 {turn}\nSTEP 3\nEND\nPRESS:\nOnwards {turn}\nEND PRESS\n")
        race.write(BOB, "STEP 2\n")
        turns += race.tick().turns
        if race.value("SELECT status FROM games") == "finished":
            break
    assert turns == [f"RR1/{turn}" for turn in range(1, len(turns) + 1)]
    assert race.value("SELECT status FROM games") == "finished"
    last = race.last(BOB)
    assert f"Onwards {len(turns)}" in text_of(last)
    assert "To send orders" not in text_of(last)
    compared = list(replay(race.club, "RR1"))
    assert [each.turn for each in compared] == list(range(len(turns) + 1))
    assert all(not each.differs for each in compared)


def test_every_seed_leads_to_the_one_before_and_makes_the_throws(race: PostHouse) -> None:
    race.write(ANN, "STEP 1")
    race.send(BOB, "STEP 1")
    seeds = race.column("SELECT seed FROM turns ORDER BY turn")
    assert [next_seed(seed) for seed in seeds] == [seed_of_turn("root of the chain", -1), seeds[0]]
    wind = SeededDice(seeds[1]).throw("wind/1", 2)
    assert f"ANN stands on {1 + wind}" in race.text(ANN)
    assert seeds[1] in race.text(ANN)


def test_each_turn_carries_the_hash_of_the_turn_before(race: PostHouse) -> None:
    race.club.execute("DROP TRIGGER turns_unchanged")
    race.club.execute("UPDATE turns SET events = '[]' WHERE turn = 0")
    assert race.differences() == [("events", "hash")]


def test_the_newsletter_shows_what_its_reader_may_see(begun: PostHouse) -> None:
    view = [part for part in begun.post(BOB)[0].iter_attachments() if part.get_filename() == "RR1-turn-0.json"]
    content = view[0].get_content()
    assert json.loads(content) == {"goal": 12, "places": [["ANN", 0], ["BOB", 0]]}


def test_no_letter_shows_an_address_of_a_rival_or_an_order_before_its_time(race: PostHouse) -> None:
    race.send(ANN, "STEP 3\nPRESS: hello")
    for letter in race.post(BOB):
        assert ANN not in letter.as_string()
        assert "STEP 3" not in letter.as_string()
        assert letter["Cc"] is None
    assert REFEREE in text_of(race.post(BOB)[0])


def test_a_note_reaches_the_umpire_alone(race: PostHouse) -> None:
    race.write(ANN, "STEP 3\nNOTE: I am away at Easter\n")
    assert race.send(BOB, "STEP 3\n").turns == ("RR1/1",)
    (note,) = race.post(UMPIRE)
    assert note["Subject"] == "[RR1] A note from ANN"
    assert "ANN writes, while turn 1 is awaited:" in text_of(note)
    assert str(note["Reply-To"]) == ANN  # nobody here reads what the umpire answers
    assert "Your answer to this letter goes straight to ANN" in text_of(note)
    assert "I am away at Easter" in text_of(note)
    assert not race.post(BOB, "Easter")


def test_a_missing_player_is_named_and_the_turn_is_played_after_deadline_and_grace(race: PostHouse) -> None:
    race.write(ANN, "STEP 3")
    # Monday 14, 20:10: the end of grace
    assert race.later(days=7, hours=8, minutes=10).turns == ()
    assert race.later(seconds=1).turns == ("RR1/1",)
    assert "missing: BOB" in race.told(ANN)
    assert "Monday 21 December 2026, 20:00" in race.told(ANN)


def test_two_games_of_one_club_go_their_own_ways(house: PostHouse) -> None:
    assert (house.game(), house.game()) == ("RR1", "RR2")
    house.write(ANN, "STEP 1", subject="[RR2] moving")
    assert house.send(BOB, "ORDERS RR2 1\nSTEP 1\nEND", subject="hello").turns == ("RR2/1",)


# While no letter can leave: a pass is still a pass, and what is closed is told by its own name.


@pytest.fixture
def host() -> Iterator[MailHost]:
    with MailHost() as made:
        yield made


@pytest.fixture
def down(club: Clubs, host: MailHost) -> PostHouse:
    """A club with a game whose opening has left through a mail server."""
    made = club(**host.smtp, smtp__timeout=5)
    made.begin()
    return made


def said(house: PostHouse, topic: str = "work") -> list[str]:
    findings = database_findings(house.club.config, house.clock.now)
    return [f"{each.level} {each.text}" for each in findings if each.topic == topic]


def test_a_pass_that_read_answered_and_played_has_been_made(down: PostHouse, host: MailHost) -> None:
    host.stop()
    down.wait(hours=1)
    with pytest.raises(Undelivered, match="letters wait in the outbox") as caught:
        down.send(ANN, "STEP 3")
    assert (caught.value.done.letters, caught.value.done.sent) == (1, 0)
    assert caught.value.exit_code == 75
    assert last_tick(down.club) == down.clock.now


def test_the_letters_that_left_before_are_counted(down: PostHouse, host: MailHost) -> None:
    host.to_recipient[ANN] = "421 4.3.2 closing"
    with pytest.raises(Undelivered) as caught:
        down.later(days=8)
    assert caught.value.done.turns == ("RR1/1",)
    assert caught.value.done.sent == len(down.rows("SELECT 1 FROM outbox WHERE turn = 1 AND state = 'sent'"))


def test_the_doctor_tells_the_closed_way_out_and_not_a_missing_pass(down: PostHouse, host: MailHost) -> None:
    host.stop()
    down.write(ANN, "STEP 3")
    for level in ("warning", "fault"):
        with pytest.raises(Undelivered):
            down.tick()
        assert any(line.startswith("ok 1 game runs, the last pass ended") for line in said(down))
        assert any(
            line.startswith(f"{level} no letter could leave since 2026-12-07 12:00 UTC: SMTP") for line in said(down)
        )
        down.wait(hours=2)
    host.start()
    down.tick()
    assert not any("no letter could leave" in line for line in said(down))


def test_the_command_says_what_it_did_and_what_is_closed(down: PostHouse, host: MailHost) -> None:
    """Also in its log, by the numbers of the letters."""
    host.stop()
    down.club.execute("UPDATE outbox SET tried_at = NULL")  # by a clock that is ahead of the machine's
    down.club.conn.commit()
    down.clock.today(seconds=-5)
    down.write(ANN, "STEP 3")
    told = down.command("tick", REFEREE_LOG_LEVEL="info")
    assert told.returncode == 75
    assert told.stdout == "letters handled: 1, letters sent: 0\n"
    assert "letters wait in the outbox: SMTP" in told.stderr
    assert "referee: letter number=1 status=done" in told.stderr
    assert "smtp: no letter could leave since " in down.command("status").stdout
    host.start()
    assert down.command("outbox", "retry").returncode == 0
    assert down.command("tick").returncode == 0
    assert "no letter could leave" not in down.command("status").stdout


# Many answers that leave by a mail server: in order, each once, whatever the server or a power cut does.


LETTERS = 15
SHARE = 5  # letters that may leave in a minute
CUTS = 8


@pytest.fixture(params=[True, False], ids=["together", "one by one"])
def busy(request: pytest.FixtureRequest) -> Iterator[MailHost]:
    with MailHost(together=request.param) as made:
        yield made


@pytest.fixture
def crowded(club: Clubs, busy: MailHost) -> PostHouse:
    """A club that sends through the mail server, whose openings are out; letters of Ann's and Bob's wait in its inbox."""
    made = club(smtp__timeout=5, smtp__per_minute=1000, **busy.smtp)
    made.begin()
    busy.letters.clear()
    for number in range(LETTERS):
        made.write(BOB if number % 3 else ANN, f"STEP 1\nPRESS: letter {number}\n")
    return made


def states(house: PostHouse) -> set[str]:
    return {row["state"] for row in house.rows("SELECT state FROM outbox")}


def answers(house: PostHouse, recipient: str) -> list[bytes]:
    """Return what was written to somebody after the openings, in the order of writing."""
    return [row.raw for row in house.ours("recipient = ? AND (kind != 'newsletter' OR turn > 0)", recipient)]


def all_handled_once(house: PostHouse) -> bool:
    statuses = house.column("SELECT status FROM letters")
    return statuses == ["done"] * LETTERS and len(house.rows("SELECT * FROM order_sets")) == LETTERS


def test_a_reader_who_cannot_have_answers_now_gets_them_later_in_order(crowded: PostHouse, busy: MailHost) -> None:
    busy.to_letter[BOB] = "451 4.7.1 Greylisted, try again later"
    crowded.tick()
    assert busy.to(ANN) == answers(crowded, ANN)
    assert busy.to(BOB) == []
    assert {row.recipient for row in outbox.unsent(crowded.club)} == {BOB}
    assert sum(row.attempts for row in outbox.unsent(crowded.club)) == 1
    busy.to_letter.clear()
    crowded.later(minutes=5)
    assert busy.to(BOB) == answers(crowded, BOB)
    assert all_handled_once(crowded)


def test_a_reader_who_is_refused_is_told_to_the_umpire(crowded: PostHouse, busy: MailHost) -> None:
    busy.to_recipient[BOB] = "550 5.1.1 No such user"
    crowded.tick()
    assert busy.to(ANN) == answers(crowded, ANN)
    assert sum(b"5.1.1 No such user" in raw for raw in busy.to(UMPIRE)) == 1
    assert states(crowded) == {"sent", "failed"}
    assert all_handled_once(crowded)


def test_a_server_that_cuts_the_line_keeps_no_letter_from_being_handled(crowded: PostHouse, busy: MailHost) -> None:
    """It had taken the answer; the same bytes are sent again."""
    busy.to_letter[ANN] = DROP
    with pytest.raises(Undelivered, match=r"letters wait in the outbox: .*broke off") as caught:
        crowded.tick()
    assert caught.value.done.letters == LETTERS
    assert all_handled_once(crowded)
    busy.to_letter.clear()
    crowded.later(minutes=10)
    (first, *others) = answers(crowded, ANN)
    assert busy.to(ANN) == [first, first, *others]
    assert busy.to(BOB) == answers(crowded, BOB)
    assert states(crowded) == {"sent"}


def test_a_server_that_is_away_keeps_no_letter_from_being_handled(crowded: PostHouse, busy: MailHost) -> None:
    busy.stop()
    with pytest.raises(Undelivered, match=r"letters wait in the outbox: .*refused"):
        crowded.tick()
    assert all_handled_once(crowded)
    attempts = [row.attempts for row in outbox.unsent(crowded.club)]
    assert (attempts[0], set(attempts[1:])) == (1, {0})
    busy.start()
    crowded.later(minutes=5)
    assert [busy.to(who) for who in (ANN, BOB)] == [answers(crowded, who) for who in (ANN, BOB)]


def test_no_more_leave_in_a_minute_than_the_provider_takes(crowded: PostHouse, busy: MailHost) -> None:
    config = crowded.folder / "referee.toml"
    config.write_text(config.read_text("utf-8").replace("per_minute = 1000", f"per_minute = {SHARE}"), "utf-8")
    crowded.wait(minutes=1)
    done = crowded.tick_again()
    assert (done.letters, done.sent, done.left > 0) == (LETTERS, SHARE, True)
    assert len(busy.letters) == SHARE


@pytest.mark.parametrize("step", ["send:leased", "send:ready", "send:sent", "send:marked"])
def test_a_killed_process_loses_no_answer_and_changes_none(crowded: PostHouse, busy: MailHost, step: str) -> None:
    """Some letters are not handled yet, then; an answer that had left and was not marked goes twice, with the same bytes."""
    crowded.clock.today()
    assert crowded.tick_apart(crash_at=step).returncode == -9
    handled = crowded.value("SELECT count(*) FROM letters WHERE status = 'done'")
    assert handled == LETTERS
    crowded.clock.today(minutes=6)  # the dead process's lease is over
    crowded.tick()
    (first, *others) = answers(crowded, ANN)
    assert busy.to(ANN) == [first] * (2 if step == "send:sent" else 1) + others
    assert busy.to(BOB) == answers(crowded, BOB)
    assert all_handled_once(crowded)
    assert states(crowded) == {"sent"}


@pytest.mark.testlong
@pytest.mark.parametrize("seed", range(4))
def test_cuts_at_random_moments_lose_no_answer_and_change_none(crowded: PostHouse, busy: MailHost, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    crowded.clock.today()
    for _ in range(CUTS):
        cut_after(crowded, chance.uniform(0.3, 1.2), chance.choice(CUTTERS))
    crowded.clock.today(minutes=20)  # a dead process's lease is over, and so is a pause
    crowded.tick()
    assert all_handled_once(crowded)
    assert {row["trace"] for row in crowded.rows("SELECT trace FROM letters")} == {""}
    assert states(crowded) == {"sent"}
    for who in (ANN, BOB):
        assert list(dict.fromkeys(busy.to(who))) == answers(crowded, who)


# Files and folders of the club that its account may not read or write: the post goes on, or says in a sentence why not.


@pytest.fixture
def post(tmp_path: Path) -> Iterator[PostHouse]:
    """A club with a game whose opening is out, at the machine's time."""
    with PostHouse(tmp_path / "club") as house:
        house.clock.today()
        house.begin()
        yield house
        for path in house.folder.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)


def test_a_letter_that_may_not_be_read_keeps_no_other_waiting_and_the_umpire_hears_of_it(post: PostHouse) -> None:
    closed = post.write(ANN, "STEP 1")
    post.write(BOB, "STEP 3")
    closed.chmod(0)
    first = plain_command(post.folder, "tick")
    assert (first.returncode, first.stdout) == (0, "letters handled: 1, letters sent: 1\n")
    assert f"{closed} cannot be read: Permission denied" in first.stderr
    assert "Traceback" not in first.stderr
    assert post.column("SELECT status FROM letters ORDER BY id") == ["done"]
    assert closed.exists()
    for _ in range(2):
        plain_command(post.folder, "tick")
    assert post.column("SELECT status FROM letters ORDER BY id") == ["done", "parked"]
    (told,) = post.post(UMPIRE)
    assert "could not be read in three passes" in text_of(told)
    assert "Permission denied" in text_of(told)
    (parked,) = (post.folder / "mail" / "in" / ".Parked" / "cur").iterdir()
    last = plain_command(post.folder, "tick")
    assert (last.returncode, last.stderr) == (0, "")
    parked.chmod(0o600)
    parked.rename(closed)
    assert "letters handled: 1, turns played: RR1/1" in plain_command(post.folder, "tick").stdout
    assert post.column("SELECT status FROM letters ORDER BY id") == ["done", "parked", "done"]


def test_a_letter_that_may_neither_be_read_nor_moved_is_told_of_once(post: PostHouse) -> None:
    post.write(ANN, "STEP 1").chmod(0)
    (post.folder / "mail" / "in" / "new").chmod(0o500)
    for _ in range(5):
        assert plain_command(post.folder, "tick").returncode == 0
    assert post.column("SELECT status FROM letters ORDER BY id") == ["parked"]
    assert len(post.post(UMPIRE)) == 1
    assert len(post.rows("SELECT 1 FROM log WHERE what = 'letter-parked'")) == 1


def test_letters_that_cannot_be_moved_are_answered_once_and_moved_when_they_can(post: PostHouse) -> None:
    done = post.folder / "mail" / "in" / "cur"
    waiting = post.write(ANN, "STEP 3")
    done.chmod(0o500)
    for _ in range(2):
        told = plain_command(post.folder, "tick")
        assert (told.returncode, told.stderr) == (0, f"referee: {waiting} stays where it is: Permission denied\n")
    assert post.column("SELECT status FROM letters ORDER BY id") == ["done"]
    assert len(post.post(ANN, "Orders for turn 1 received")) == 1
    done.chmod(0o700)
    assert plain_command(post.folder, "tick").stderr == ""
    assert [path.name for path in done.iterdir()] == [f"{waiting.name}:2,S"]


def test_an_inbox_that_may_not_be_looked_into_is_an_inbox_that_is_down(post: PostHouse) -> None:
    inbox = post.folder / "mail" / "in" / "new"
    for mode in (0, 0o400):
        inbox.chmod(0o700)
        letter = post.write(ANN, "STEP 3")
        inbox.chmod(mode)
        told = plain_command(post.folder, "tick")
        assert told.returncode == 75
        assert told.stderr.startswith(f"referee: {inbox if mode == 0 else letter.parent}")
        assert told.stderr.endswith("Permission denied\n")
        assert told.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["tick", "run"])
def test_a_lock_of_another_account_is_a_sentence(post: PostHouse, command: str) -> None:
    lock = post.folder / f"{command}.lock"
    lock.touch()
    lock.chmod(0)
    told = plain_command(post.folder, command)
    assert told.returncode == 78
    assert told.stderr == (
        f"referee: {lock} cannot be opened: Permission denied; run every command as the account that the club belongs to\n"
    )


@pytest.mark.parametrize("command", ["tick", "status"])
def test_a_database_of_another_account_is_a_sentence(post: PostHouse, command: str) -> None:
    (post.folder / "referee.db").chmod(0o200)
    told = plain_command(post.folder, command)
    assert told.returncode == 78
    assert told.stderr == (
        f"referee: {post.folder}/referee.db may not be read and written: run every command as the account "
        "that the club belongs to, or mend mode and mount\n"
    )


def test_the_doctor_sees_letters_and_folders_that_are_closed_without_asking_any_server(post: PostHouse) -> None:
    letter = post.write(ANN, "STEP 3")
    letter.chmod(0)
    (post.folder / "mail" / "in" / "cur").chmod(0o500)
    told = plain_command(post.folder, "doctor", "--local")
    assert told.returncode == 1
    assert f"{post.folder}/mail/in/cur cannot be read and written: mend its owner and mode" in told.stdout
    (post.folder / "mail" / "in" / "cur").chmod(0o700)
    told = plain_command(post.folder, "doctor", "--local")
    assert f"1 letter that waits cannot be read: {letter}: mend owner and mode" in told.stdout


@pytest.mark.parametrize(("path", "mode"), [("", 0o500), ("referee.db", 0o400), ("referee.db", 0)])
def test_the_doctor_takes_no_closed_folder_for_a_damaged_database(post: PostHouse, path: str, mode: int) -> None:
    post.club.db.close()  # the files that SQLite keeps beside an open database are gone
    (post.folder / path).chmod(mode)
    told = plain_command(post.folder, "doctor", "--local")
    (post.folder / path).chmod(0o700)
    assert told.returncode == 1
    assert "Traceback" not in told.stderr
    assert "backup" not in told.stdout
    assert "fault    " in told.stdout
