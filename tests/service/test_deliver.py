"""Letters of ours on their way to a mail server: in order, each by one process, again when it fails."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from referee.core import MailDown, NotFound
from referee.service.doctor.database import database_findings
from referee.service.post.bounces import unreachable_players
from referee.service.post.deliver import BATCH, Sendings, retry, send_waiting, why_paused
from referee.service.post.writing import Occasion, to_umpire
from referee.service.tally import HEARTBEAT
from referee.service.tick import Undelivered
from referee.service.umpire.colleagues import name_umpire
from referee.store import outbox, transaction
from tests.posthouse import ANN, BOB, ROOT, UMPIRE, Clubs, PostHouse
from tests.servers.mailhost import DROP, MailHost

# Letters of ours on their way to a mail server: in order, each by one process, again when it failed, and given up at last.


GREYLISTED = "451 4.7.1 Greylisted, try again later"
UNKNOWN = "550 5.1.1 No such user"
BEA = "bea@example.org"


@pytest.fixture
def host() -> Iterator[MailHost]:
    with MailHost() as made:
        yield made


@pytest.fixture
def house(club: Clubs, host: MailHost) -> PostHouse:
    """A club that sends through the mail server; two openings wait in its outbox."""
    made = club(**host.smtp, smtp__timeout=5)
    made.game()
    return made


BEA = "bea@example.org"


def states(house: PostHouse) -> dict[str, str]:
    return {row["recipient"]: row["state"] for row in house.rows("SELECT recipient, state FROM outbox ORDER BY id")}


def put_letters(house: PostHouse, count: int, since: int = 0) -> list[bytes]:
    """Write letters to the umpire into the outbox, numbered from *since*; return their bytes."""
    made = []
    with transaction(house.club):
        for number in range(since, since + count):
            row = to_umpire(
                house.club, Occasion(key=f"umpire:test:{number}", kind="parked"), {"letter": 1, "source": ""}
            )
            assert row
            outbox.put(house.club, row)
            made.append(row.raw)
    return made


def test_what_waits_goes_out_once_with_the_bytes_that_were_written(house: PostHouse, host: MailHost) -> None:
    assert send_waiting(house.club) == Sendings(sent=2, left=0)
    assert send_waiting(house.club) == Sendings()
    written = [row.raw for row in house.ours()]
    assert [each.raw for each in host.letters] == written
    assert [each.recipients for each in host.letters] == [(ANN,), (BOB,)]
    assert host.lines == 1


def test_one_reader_who_cannot_have_it_now_delays_nobody_else(house: PostHouse, host: MailHost) -> None:
    host.to_recipient[ANN] = GREYLISTED
    assert send_waiting(house.club).sent == 1
    assert states(house) == {ANN: "waiting", BOB: "sent"}
    (row,) = outbox.unsent(house.club)
    assert (row.error, row.attempts, row.lease) == (GREYLISTED, 1, None)
    host.to_recipient.clear()
    assert send_waiting(house.club).sent == 0
    house.wait(minutes=5)
    assert send_waiting(house.club).sent == 1
    assert states(house) == {ANN: "sent", BOB: "sent"}


def test_a_letter_is_tried_less_and_less_often_and_given_up_after_five_days(house: PostHouse, host: MailHost) -> None:
    """5, 10, 20 and 40 minutes, then every hour; the umpire is told once."""
    host.to_letter[ANN] = GREYLISTED
    tries: list[datetime] = []
    begin = house.clock.now
    while states(house)[ANN] == "waiting":
        tries.append(house.clock.now)
        send_waiting(house.club)
        (row,) = (row for row in outbox.unsent(house.club) if row.recipient == ANN)
        assert row.attempts == len(tries)
        if row.next_try:
            house.clock.now = row.next_try - timedelta(seconds=1)
            assert send_waiting(house.club).sent == 0
            house.wait(seconds=1)
    waits = [int((after - first) / timedelta(minutes=1)) for first, after in pairwise(tries)]
    assert waits[:6] == [5, 10, 20, 40, 60, 60]
    assert set(waits[4:]) == {60}
    assert timedelta(days=5) <= tries[-1] - begin < timedelta(days=5, hours=1)
    assert states(house)[ANN] == "failed"
    assert host.to(ANN) == []
    send_waiting(house.club)
    (told,) = (raw for raw in host.to(UMPIRE) if b"given up" in raw)
    assert b"given up after 5 days" in told
    assert ANN.encode() in told


def test_what_a_server_never_takes_has_failed_at_once_and_the_umpire_is_told_once(
    house: PostHouse, host: MailHost
) -> None:
    host.to_recipient[ANN] = UNKNOWN
    assert send_waiting(house.club).sent == 2  # to Bob, and to the umpire
    assert states(house) == {ANN: "failed", BOB: "sent", UMPIRE: "sent"}
    house.wait(days=1)
    assert send_waiting(house.club) == Sendings()
    (told,) = host.to(UMPIRE)
    assert b"550 5.1.1 No such user" in told
    assert b"referee outbox retry 1" in told


def test_a_player_whose_letters_are_refused_twice_is_reported_as_unreachable(house: PostHouse, host: MailHost) -> None:
    """A refusal at the door counts as a bounce does."""
    host.to_recipient[ANN] = UNKNOWN
    send_waiting(house.club)
    house.write(BOB, "STEP 1")
    house.later(days=8)
    assert unreachable_players(house.club, "RR1") == ("ANN",)
    assert house.column("SELECT status FROM bounces") == ["5.1.1", "5.1.1"]
    assert sum(b"cannot be reached" in raw for raw in host.to(UMPIRE)) == 1


def test_a_letter_to_the_umpire_that_fails_makes_no_other(house: PostHouse, host: MailHost) -> None:
    host.to_recipient[ANN] = host.to_recipient[UMPIRE] = UNKNOWN
    for _ in range(3):
        send_waiting(house.club)
    assert len(house.rows("SELECT * FROM log WHERE what = 'letter-failed'")) == 2
    assert states(house) == {ANN: "failed", BOB: "sent", UMPIRE: "failed"}


def test_that_nothing_reaches_a_games_own_umpire_is_told_the_clubs(house: PostHouse, host: MailHost) -> None:
    host.to_recipient[BEA] = UNKNOWN
    name_umpire(house.club, "RR1", f"Bea <{BEA}>")
    for _ in range(2):
        send_waiting(house.club)
    assert any(BEA.encode() in raw and b"550 5.1.1 No such user" in raw for raw in host.to(UMPIRE))


def test_a_reader_gets_letters_in_the_order_of_writing(house: PostHouse, host: MailHost) -> None:
    """The second does not overtake the first that was delayed, except when that is delayed for more than an hour."""
    host.to_recipient[UMPIRE] = GREYLISTED
    first, second = put_letters(house, 2)
    send_waiting(house.club)
    assert [row.attempts for row in outbox.unsent(house.club)] == [1, 0]
    host.to_recipient.clear()
    house.wait(minutes=5)
    send_waiting(house.club)
    assert host.to(UMPIRE) == [first, second]


def test_what_is_written_while_a_letter_is_delayed_waits_behind_it(house: PostHouse, host: MailHost) -> None:
    host.to_recipient[UMPIRE] = GREYLISTED
    first = put_letters(house, 1)
    send_waiting(house.club)
    host.to_recipient.clear()
    second = put_letters(house, 1, since=1)
    assert send_waiting(house.club) == Sendings()
    house.wait(minutes=5)
    assert send_waiting(house.club).sent == 2
    assert host.to(UMPIRE) == first + second


def test_a_letter_that_is_never_taken_does_not_hold_up_its_readers_others_for_ever(
    house: PostHouse, host: MailHost
) -> None:
    send_waiting(house.club)
    host.to_recipient[UMPIRE] = GREYLISTED
    put_letters(house, 1)
    for _ in range(30):
        send_waiting(house.club)
        house.wait(minutes=5)
    host.to_recipient.clear()
    with transaction(house.club):
        row = to_umpire(house.club, Occasion(key="umpire:later", kind="parked"), {"letter": 2, "source": ""})
        assert row
        outbox.put(house.club, row)
    send_waiting(house.club)
    assert row.raw in host.to(UMPIRE)


def test_a_server_that_is_down_is_left_alone_for_a_while_and_no_letter_is_given_up(
    house: PostHouse, host: MailHost
) -> None:
    host.stop()
    with pytest.raises(MailDown, match=r"letters wait in the outbox: .*refused"):
        send_waiting(house.club)
    attempts = [row.attempts for row in outbox.unsent(house.club)]
    assert attempts == [1, 0]
    host.start()
    with pytest.raises(MailDown, match=r"next try at 12:05 UTC"):
        send_waiting(house.club)
    assert host.lines == 0
    assert "next try at 12:05 UTC" in why_paused(house.club)
    house.wait(minutes=5)
    assert send_waiting(house.club).sent == 2
    assert why_paused(house.club) == ""


def test_after_weeks_without_a_server_every_letter_still_goes_out(house: PostHouse, host: MailHost) -> None:
    host.stop()
    for _ in range(30):
        with pytest.raises(MailDown):
            send_waiting(house.club)
        house.wait(days=1)
    host.start()
    assert send_waiting(house.club).sent == 2


def test_an_empty_outbox_asks_no_server(house: PostHouse, host: MailHost) -> None:
    send_waiting(house.club)
    host.stop()
    assert send_waiting(house.club) == Sendings()


def test_a_limit_of_the_server_pauses_the_whole_queue(house: PostHouse, host: MailHost) -> None:
    host.to_sender = "451 4.7.0 too many letters today"
    with pytest.raises(MailDown, match="too many letters"):
        send_waiting(house.club)
    assert [row.attempts for row in outbox.unsent(house.club)] == [1, 0]
    assert [row.state for row in outbox.unsent(house.club)] == ["waiting", "waiting"]


def test_a_letter_that_cuts_the_line_is_sent_again_unchanged_and_the_others_go_before_it(
    house: PostHouse, host: MailHost
) -> None:
    """The server may have taken it: at least once, always the same bytes. A server that dies of it keeps nobody waiting."""
    host.to_letter[ANN] = DROP
    with pytest.raises(MailDown, match="broke off"):
        send_waiting(house.club)
    assert send_waiting(house.club).sent == 1
    assert states(house) == {ANN: "waiting", BOB: "sent"}
    house.wait(minutes=5)
    with pytest.raises(MailDown, match="broke off"):
        send_waiting(house.club)
    host.to_letter.clear()
    house.wait(minutes=10)
    assert send_waiting(house.club).sent == 1
    assert len(host.to(ANN)) == 3
    assert len(set(host.to(ANN))) == 1


def test_a_login_that_is_refused_is_not_tried_on_and_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_SMTP_PASSWORD", "wrong")
    with (
        MailHost(mechanisms="PLAIN") as host,
        PostHouse(tmp_path / "club", **host.smtp) as house,
    ):
        house.game()
        for _ in range(10):
            with pytest.raises(MailDown, match="535"):
                send_waiting(house.club)
            house.wait(minutes=1)
        assert len(host.logins) == 3
        assert [row.state for row in outbox.unsent(house.club)] == ["waiting", "waiting"]


def test_no_more_leave_in_a_minute_than_the_provider_takes(tmp_path: Path, host: MailHost) -> None:
    """Nobody sleeps meanwhile: the next pass goes on."""
    with PostHouse(tmp_path / "slow", **host.smtp, smtp__per_minute=4) as house:
        put_letters(house, 10)
        assert send_waiting(house.club) == Sendings(sent=4, left=6)
        house.wait(seconds=59)
        assert send_waiting(house.club) == Sendings(sent=0, left=6)
        house.wait(seconds=1)
        assert send_waiting(house.club) == Sendings(sent=4, left=2)
        house.wait(minutes=1)
        assert send_waiting(house.club) == Sendings(sent=2, left=0)


def test_a_letter_whose_head_is_not_as_it_must_be_never_leaves(house: PostHouse, host: MailHost) -> None:
    """Compose makes none; this is the second lock, just before the mail server."""
    house.club.execute("DROP TRIGGER letters_of_ours_unchanged")
    with transaction(house.club):
        house.club.execute(
            "UPDATE outbox SET raw = ?, enclosed = '' WHERE id = 1", [b"Bcc: eve@example.com\r\n" + house.ours()[0].raw]
        )
    send_waiting(house.club)
    assert states(house)[ANN] == "failed"
    assert "bcc" in outbox.unsent(house.club)[0].error
    assert [each.recipients for each in host.letters] == [(BOB,), (UMPIRE,)]


@pytest.mark.parametrize(
    ("step", "copies"), [("send:leased", 1), ("send:ready", 1), ("send:sent", 2), ("send:marked", 1)]
)
def test_a_killed_process_loses_no_letter_and_changes_none(
    house: PostHouse, host: MailHost, step: str, copies: int
) -> None:
    """Only a letter that had left but was not marked goes twice, with the same bytes."""
    house.clock.today()
    assert house.tick_apart(crash_at=step).returncode == -9
    house.clock.today(minutes=1)
    assert send_waiting(house.club) == Sendings(), "the dead process's lease holds"
    house.wait(minutes=5)
    send_waiting(house.club)
    written = {row.recipient: row.raw for row in house.ours()}
    assert host.to(ANN) == [written[ANN]] * copies
    assert host.to(BOB) == [written[BOB]]
    assert states(house) == {ANN: "sent", BOB: "sent"}


def test_the_mark_of_a_letter_is_on_the_disk_before_the_next_begins(
    house: PostHouse, host: MailHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut doubles one letter at most. SQLite waits for the disk at the end of a transaction that is FULL (2)."""
    mark = outbox.mark_sent
    waits: list[int] = []

    def marked(*told: Any) -> None:
        mark(*told)
        waits.extend(each for (each,) in house.club.execute("PRAGMA synchronous"))

    monkeypatch.setattr(outbox, "mark_sent", marked)
    put_letters(house, 3)
    assert send_waiting(house.club).sent == 5
    house.send(ANN, "HELP")
    assert waits == [2] * 6


def test_two_processes_at_once_send_each_letter_once(house: PostHouse, host: MailHost) -> None:
    """Even without the lock that keeps passes apart; one reader's letters still arrive in order."""
    letters = put_letters(house, 3)
    for number in range(2 * BATCH):
        with transaction(house.club):
            house.club.execute(
                "INSERT INTO outbox (key, kind, recipient, message_id, raw, state, attempts, error, created) "
                "SELECT 'copy' || ?, kind, ?, message_id, CAST(replace(CAST(raw AS TEXT), recipient, ?) AS BLOB), "
                "'waiting', 0, '', created FROM outbox WHERE recipient = ? LIMIT 1",
                [number, f"x{number}@example.org", f"x{number}@example.org", UMPIRE],
            )
    host.slow = 0.02
    act = (
        "from pathlib import Path; from referee.config import read_config; from referee.service.club import open_club\n"
        "from referee.service.post.deliver import send_waiting\n"
        f"with open_club(read_config(Path({str(house.folder)!r}))) as club:\n"
        "    print('ready', flush=True); input(); print(send_waiting(club).sent)\n"
    )
    pipe = subprocess.PIPE
    processes = [
        subprocess.Popen([sys.executable, "-c", act], cwd=ROOT, stdin=pipe, stdout=pipe, text=True) for _ in range(2)
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    counts = [int(process.communicate(timeout=60)[0]) for process in processes]
    assert sum(counts) == 2 * BATCH + 5
    assert all(counts), "one of them did all the work, so nothing was shown"
    assert len(host.letters) == len({each.recipients for each in host.letters}) + 2 == 2 * BATCH + 5
    assert host.to(UMPIRE) == letters


def test_a_clock_that_is_set_back_holds_nothing_up(house: PostHouse, host: MailHost) -> None:
    host.to_recipient[ANN] = GREYLISTED
    house.wait(days=400)
    send_waiting(house.club)
    host.to_recipient.clear()
    house.wait(days=-400)
    assert send_waiting(house.club).sent == 1


def test_the_umpire_can_have_a_letter_sent_again(house: PostHouse, host: MailHost) -> None:
    host.to_recipient[ANN] = UNKNOWN
    send_waiting(house.club)
    host.to_recipient.clear()
    assert retry(house.club) == 0, "only what waits"
    with pytest.raises(NotFound, match="no letter 9 waits"):
        retry(house.club, (1, 9))
    assert states(house)[ANN] == "failed"
    assert retry(house.club, (1,)) == 1
    assert send_waiting(house.club).sent == 1
    assert len(host.to(ANN)) == 1
    with pytest.raises(NotFound, match="no letter 1 waits"):
        retry(house.club, (1,))


def test_the_umpire_can_have_all_that_failed_sent_again(house: PostHouse, host: MailHost) -> None:
    host.to_recipient |= {ANN: UNKNOWN, BOB: UNKNOWN}
    send_waiting(house.club)
    host.to_recipient.clear()
    assert retry(house.club, failed=True) == 2
    assert send_waiting(house.club).sent == 2


def test_the_umpire_can_have_the_server_tried_at_once(house: PostHouse, host: MailHost) -> None:
    host.stop()
    with pytest.raises(MailDown):
        send_waiting(house.club)
    host.start()
    assert retry(house.club) == 2
    assert send_waiting(house.club).sent == 2


def test_the_command_shows_what_waits_and_why(house: PostHouse, host: MailHost) -> None:
    host.to_recipient |= {ANN: UNKNOWN, BOB: GREYLISTED}
    send_waiting(house.club)
    done = house.command("outbox")
    assert [line.split("\t")[:3] for line in done.stdout.splitlines()] == [["1", "failed", "1"], ["2", "waiting", "1"]]
    assert done.stdout.splitlines()[0].endswith(f"{ANN}\tRR1\tnewsletter\t{UNKNOWN}")
    assert "2026-12-07T12:05:00Z" in done.stdout.splitlines()[1]
    again = house.command("outbox", "retry", "1", "2")
    assert (again.returncode, again.stdout) == (0, "2 letters are sent with the next pass\n")
    wrong = house.command("outbox", "retry", "9")
    assert (wrong.returncode, wrong.stderr) == (65, "referee: no letter 9 waits in the outbox or has failed\n")


def damage_board(house: PostHouse) -> None:
    """Damage the packed board in the letters that wait, as a failing disk does."""
    house.club.execute("DROP TRIGGER files_unchanged")
    with transaction(house.club):
        house.club.execute("UPDATE files SET packed = x'0011' WHERE size = (SELECT min(size) FROM files)")


def test_letters_whose_board_is_damaged_wait_and_the_others_leave(house: PostHouse, host: MailHost) -> None:
    raw = [row.raw for row in house.ours()]
    kept = house.rows("SELECT hash, packed FROM files")
    damage_board(house)
    (row,) = put_letters(house, 1)
    assert send_waiting(house.club).sent == 1
    assert [each.raw for each in host.letters] == [row]
    waiting = outbox.unsent(house.club)
    assert [(each.state, "is damaged" in each.error) for each in waiting] == [("waiting", True)] * 2
    house.wait(days=9)
    send_waiting(house.club)
    assert [each.state for each in outbox.unsent(house.club)] == ["waiting"] * 2, "it is never given up"
    with transaction(house.club):  # a backup was put back
        for file in kept:
            house.club.execute("UPDATE files SET packed = ? WHERE hash = ?", [file["packed"], file["hash"]])
    house.wait(hours=2)
    assert send_waiting(house.club).sent == 2
    assert [each.raw for each in host.letters[1:]] == raw


def test_the_doctor_and_verify_tell_of_a_damaged_board(house: PostHouse, host: MailHost) -> None:
    assert house.faults() == ()
    damage_board(house)
    (fault,) = house.faults()
    assert fault.turn == 0
    assert "which is enclosed in letters of the outbox, is damaged" in fault.text
    assert fault.text.endswith("(letters 1, 2)")
    found = [each for each in database_findings(house.club.config, house.clock()) if "enclosed" in each.text]
    assert [(each.level, "restore a backup" in each.remedy) for each in found] == [("fault", True)]
    outbox.regard_as_sent(house.club, house.clock())
    house.club.conn.commit()
    found = [each for each in database_findings(house.club.config, house.clock()) if "enclosed" in each.text]
    assert [each.level for each in found] == ["warning"]


# A server that refuses us keeps all letters and turns waiting; a reader who is refused keeps nobody.


OF_US = [
    ("recipient", "554 5.7.1 <ann@example.org>: Relay access denied"),
    ("recipient", "550 SMTP authentication required"),
    ("recipient", "503 You must authenticate first (#5.5.1)"),
    ("letter", "554 5.2.252 SendAsDenied; not allowed to send as referee@club.example"),
    ("letter", "550 5.4.5 Daily user sending quota exceeded. o65sm25351206pga.71 - gsmtp"),
    ("recipient", "550 go away"),  # in the same words to both
    ("letter", "554 Transaction failed"),
]


@pytest.mark.parametrize(("at", "said"), OF_US)
def test_who_refuses_us_keeps_all_letters_and_turns_waiting(
    house: PostHouse, host: MailHost, at: str, said: str
) -> None:
    refusals = host.to_recipient if at == "recipient" else host.to_letter
    refusals[""] = said
    for _ in range(16):
        with pytest.raises(Undelivered) as caught:
            house.tick()
        house.wait(hours=12)
    assert caught.value.exit_code == 75
    assert set(states(house).values()) == {"waiting"}, "none has failed, and no note says so"
    assert house.column("SELECT turn FROM games") == [1], "nobody has its opening"
    assert unreachable_players(house.club, "RR1") == ()
    assert not (house.folder / HEARTBEAT).exists()
    words = said.split(maxsplit=1)[1][-20:]
    assert words in house.command("status").stdout
    found = list(database_findings(house.club.config, house.clock.now))
    assert any(each.level == "fault" and "no letter could leave" in each.text and words in each.text for each in found)
    refusals.clear()
    house.tick()
    house.tick()
    assert (house.folder / HEARTBEAT).exists()
    house.later(hours=2)
    assert [len(host.to(who)) for who in (ANN, BOB)] == [2, 2], "openings and newsletters"
    assert b"RR1" in host.to(ANN)[0]


def test_a_refusal_in_unclear_words_is_the_readers_own_once_another_letter_has_left(
    house: PostHouse, host: MailHost
) -> None:
    host.to_recipient[ANN] = "550 Requested action not taken: mailbox unavailable"
    assert send_waiting(house.club).sent == 1
    assert states(house) == {ANN: "waiting", BOB: "sent"}
    house.wait(minutes=5)
    assert send_waiting(house.club).sent == 1
    assert states(house) == {ANN: "failed", BOB: "sent", UMPIRE: "sent"}
    assert b"mailbox unavailable" in host.to(UMPIRE)[0]


def test_who_alone_is_refused_in_words_that_speak_of_us_keeps_nobody_waiting_for_long(
    house: PostHouse, host: MailHost
) -> None:
    host.to_recipient[ANN] = "550 relay not permitted"
    with pytest.raises(MailDown, match="refuses us: 550 relay not permitted"):
        send_waiting(house.club)
    house.wait(minutes=5)
    assert send_waiting(house.club).sent == 1
    assert states(house) == {ANN: "waiting", BOB: "sent"}


def test_two_readers_refused_in_their_own_words_keep_nobody_waiting(house: PostHouse, host: MailHost) -> None:
    host.to_recipient |= {ANN: "550 5.1.1 No such user", BOB: "550 5.1.1 No such user"}
    send_waiting(house.club)
    assert states(house) == {ANN: "failed", BOB: "failed", UMPIRE: "sent"}
