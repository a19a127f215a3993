"""Too many letters, letters of ours that come back, and words to a person: nobody else notices, and none is lost."""

import re
import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.mail.letter.message import Failure, Letter
from referee.reader.wire import Reader
from referee.service.letters import limits
from referee.service.post.bounces import count_failure
from referee.service.umpire.overview import standing
from referee.store import letters, outbox, transaction
from tests.doomedreader import DEADLY, kill_reader
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of, text_of

# A flood of letters: kept, not read, told to the umpire once; and everybody else's are read as ever.


EVE = "eve@example.com"
VOUCHED = "mx.club.example; dmarc=pass header.from=example.org"
LARGE = "x " * limits.SMALL


def parked(house: PostHouse) -> list[int]:
    return house.column("SELECT id FROM letters WHERE status = 'parked' ORDER BY id")


def earlier(house: PostHouse, count: int, sender: str, game: str | None = None, seconds: float = 0) -> None:
    """Let so many letters of a sender have come and been handled today."""
    with house.club.db.conn:
        for number in range(count):
            values = [
                f"{sender}{game}{number}",
                "x",
                1,
                b"",
                *[house.clock.now.strftime("%Y-%m-%dT%H:%M:%S.%fZ")] * 2,
                sender,
                game,
                seconds,
            ]
            house.club.db.execute(
                "INSERT INTO letters (hash, source, size, raw, arrived, stored_at, sender, subject, message_id, status, "
                "reason, attempts, trace, game, seconds) VALUES (?, ?, ?, ?, ?, ?, ?, '', '', 'done', '', 0, '', ?, ?)",
                values,
            )


@pytest.mark.parametrize("sender", [ANN, "eve@example.com"])
def test_letters_of_one_sender_beyond_fifty_a_day_are_kept_unread(begun: PostHouse, sender: str) -> None:
    earlier(begun, limits.FROM_SENDER - 1, sender.upper())
    for step in (1, 2, 3):
        begun.write(sender, f"STEP {step}")
    begun.send(BOB, "STEP 1")
    assert len(parked(begun)) == 2
    sets = begun.column("SELECT text FROM order_sets WHERE player = 'ANN'")
    assert sets == (["STEP 1"] if sender == ANN else [])
    assert begun.rows("SELECT text FROM order_sets WHERE player = 'BOB'")
    (told,) = begun.post(UMPIRE, "A flood of letters")
    assert f"More than 50 letters of {sender} came within 24 hours" in text_of(told).replace("\n", " ")
    rows = begun.rows("SELECT sender, reason, raw FROM letters WHERE status = 'parked'")
    assert {(row["sender"], row["reason"]) for row in rows} == {(sender, "flood: sender")}
    assert b"STEP 2" in rows[0]["raw"]


def test_of_a_flood_no_more_is_counted_than_makes_one(begun: PostHouse) -> None:
    earlier(begun, limits.IN_ALL + 10, EVE)
    since = begun.clock.now - timedelta(days=1)
    assert letters.unsure_since(begun.club.db, ANN, since)["club"][0] == limits.IN_ALL
    assert letters.unsure_since(begun.club.db, EVE, since)["sender"][0] == limits.IN_ALL


def test_after_a_day_the_senders_letters_are_read_again(begun: PostHouse) -> None:
    earlier(begun, limits.FROM_SENDER, ANN)
    begun.wait(days=1, seconds=1)
    begun.send(ANN, "STEP 1")
    assert parked(begun) == []


def test_letters_about_one_game_beyond_five_hundred_a_day_are_kept_unread(begun: PostHouse) -> None:
    earlier(begun, limits.ABOUT_GAME, "somebody@example.org", "RR1")
    begun.send(ANN, "STEP 1")
    assert len(parked(begun)) == 1
    (told,) = begun.post(UMPIRE)
    assert told["Subject"] == "[RR1] A flood of letters"


def test_a_full_game_does_not_close_another_of_the_same_player(begun: PostHouse) -> None:
    begun.game()
    earlier(begun, limits.ABOUT_GAME, "somebody@example.org", "RR1")
    begun.send(ANN, "STEP 1", subject="[RR2]")
    assert parked(begun) == []


def test_the_umpire_is_told_once_a_day_however_many_flood(begun: PostHouse) -> None:
    for sender in ("eve@example.com", "mallory@example.com"):
        earlier(begun, limits.FROM_SENDER, sender)
        begun.write(sender, "x")
        begun.write(sender, "y")
    begun.tick()
    assert len(parked(begun)) == 4
    assert len(begun.post(UMPIRE)) == 1
    begun.wait(days=1)
    earlier(begun, limits.FROM_SENDER, "trudy@example.com")
    begun.send("trudy@example.com", "z")
    assert len(begun.post(UMPIRE)) == 2


def test_the_umpire_has_a_letter_of_a_flood_read_all_the_same(begun: PostHouse) -> None:
    earlier(begun, limits.FROM_SENDER, ANN)
    begun.send(ANN, "STEP 3")
    (number,) = parked(begun)
    assert begun.command("letter", str(number), "--again").returncode == 0
    begun.tick()
    assert begun.column("SELECT text FROM order_sets") == ["STEP 3"]
    refused = begun.command("letter", str(number), "--again")
    assert refused.stderr == f"referee: no letter {number} is parked\n"
    assert refused.returncode != 0


def test_a_letter_without_a_sender_is_no_flood(begun: PostHouse) -> None:
    begun.drop(b"Subject: x\r\n\r\nSTEP 1\r\n")
    begun.tick()
    assert begun.value("SELECT reason FROM letters") == "no sender"


@pytest.mark.parametrize(
    ("sender", "seconds", "text", "reason"),
    [
        (ANN, limits.SECONDS["sender"], "STEP 1", "flood: sender, seconds"),
        (ANN, limits.SECONDS["sender"] - 1, LARGE, "too many"),
        (f"eve@{ANN.partition('@')[2]}", limits.SECONDS["domain"], LARGE, "flood: domain, seconds"),
        (f"eve@{ANN.partition('@')[2]}", limits.SECONDS["domain"], "STEP 1", ""),
        (EVE, limits.SECONDS["club"], LARGE, "flood: club, seconds"),
        (EVE, limits.SECONDS["club"], "STEP 1", ""),
        (EVE, limits.SECONDS["domain"], LARGE, "too many"),
    ],
)
def test_what_nothing_proves_takes_so_much_time_of_a_day_and_then_what_is_small_is_read(
    begun: PostHouse, sender: str, seconds: float, text: str, reason: str
) -> None:
    earlier(begun, 10, sender, seconds=seconds / 10)
    begun.send(ANN, text)
    (row,) = begun.rows("SELECT status, reason FROM letters WHERE source NOT LIKE 'x'")
    assert row["reason"] == reason if reason.startswith("flood") else row["status"] == "done", row["reason"]
    told = [line_of(each) for each in begun.post(UMPIRE, "A flood of letters")]
    assert len(told) == reason.startswith("flood")
    assert all("whatever is proved is read as ever" in each for each in told)


@pytest.mark.parametrize(("policy", "vouched"), [("token", False), ("auth-or-confirm", True)])
def test_what_is_proved_goes_first_is_not_counted_and_never_parked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, policy: str, vouched: bool
) -> None:
    settings = {"identity__policy": policy, "identity__authserv_id": "mx.club.example"}
    with PostHouse(tmp_path / "proving", **settings) as house:
        house.begin()
        kill_reader(monkeypatch, lambda content: signal.SIGXCPU if DEADLY in content else None)
        for number in range(60):  # 300 seconds, as they are counted
            house.write((ANN, BOB, EVE)[number % 3], f"STEP 1 deadly {number}")
        for step in range(1, 61):
            more = {"Authentication_Results": VOUCHED} if vouched else {"To": str(house.post(ANN)[0]["Reply-To"])}
            house.write(ANN, f"STEP {step % 3 + 1}\nPRESS: {step}", "orders", **more)
        house.tick()
        ours = [row.letter for row in house.ours("letter IS NOT NULL")]
        assert ours[0] == 61
        statuses = house.column("SELECT status FROM letters ORDER BY id")
        assert set(statuses[60:]) == {"done"}
        assert statuses[:60].count("parked") == 60
        # Of each sender's so many were read as may take their time.
        spent = house.rows("SELECT sender, sum(seconds) AS seconds FROM letters WHERE id <= 60 GROUP BY sender")
        assert max(row["seconds"] for row in spent) < limits.SECONDS["sender"] + 6


def test_what_is_proved_is_answered_before_a_flood_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with PostHouse(tmp_path / "proving", identity__policy="token") as house:
        house.begin()
        before, answers = house.post(ANN), set[int]()
        reads = Reader.read

        def noted(self: Reader, raw: bytes, *more: Any) -> Letter:
            if b"I am Eve" in raw:
                answers.add(len(house.post(ANN)) - len(before))
            return reads(self, raw, *more)

        monkeypatch.setattr(Reader, "read", noted)
        for number in range(limits.MANY):
            house.write(EVE, f"I am Eve, {number}")
        assert house.reply(before[0], "STEP 1").sent == len(house.post()) - len(before) - len(house.post(BOB))
        assert answers == {1}


def test_after_a_flood_in_his_name_the_umpires_command_with_its_code_is_carried_out(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "proving", identity__policy="token") as house:
        house.game()
        house.send(UMPIRE, "HOLD RR1\nI am ill.", "a command")
        for number in range(60):
            house.write(UMPIRE, f"HOLD RR1\n{number}", "a command")
        house.reply(UMPIRE, "HOLD RR1\nI am ill.")
        assert parked(house)
        assert house.value("SELECT stopped_at FROM games")
        assert house.rows("SELECT status, reason FROM letters WHERE id = 62")[0]["status"] == "done"


def test_one_letter_of_each_goes_before_the_second_of_anybody(begun: PostHouse) -> None:
    for number in range(10):
        begun.write(ANN, f"STEP {number % 3 + 1}\nPRESS: {number}")
    begun.send(BOB, "STEP 2")
    assert [row.letter for row in begun.ours("letter IS NOT NULL")][:3] == [1, 11, 2]
    (last,) = begun.rows("SELECT text FROM order_sets WHERE player = 'ANN' ORDER BY arrived DESC, id DESC LIMIT 1")
    assert last["text"] == "STEP 1"  # of one sender's the last that came counts, as ever


def test_of_a_strangers_large_letter_its_beginning_alone_is_read(
    begun: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    reads = Reader.read

    def noted(self: Reader, raw: bytes, *more: Any) -> Letter:
        read.append(len(raw))
        return reads(self, raw, *more)

    monkeypatch.setattr(Reader, "read", noted)
    begun.write(EVE, "Hello,\nmay I play?\n" + "<" * 900_000, Content_Type="text/html")
    begun.send(ANN, "STEP 1\n-- \n" + "<" * 900_000)
    assert read[0] < limits.SMALL + 500
    assert read[1] > 900_000
    assert begun.rows("SELECT text FROM order_sets")


# Letters of ours that come back: counted to their reader, told to the umpire once, ended by the reader's next letter.


SAMPLES = Path(__file__).parent.parent / "mail" / "bounces"
THEIRS = b"<newsletter.rr1.1.ann.1.0123456789abcdef@club.example>"


def test_a_bounce_is_believed_only_with_an_id_that_its_forger_cannot_know(begun: PostHouse) -> None:
    """Bob knows his own letter's id, and how Ann's would begin."""
    ann, bob = begun.column("SELECT message_id FROM outbox ORDER BY id")
    forged = bob.replace("bob", "ann")
    assert forged != ann
    assert re.fullmatch(r"<newsletter\.rr1\.0\.ann\.1\.[0-9a-f]{16}@club\.example>", ann)
    for message_id in (forged, THEIRS.decode(), "<newsletter.rr1.0.ann.1@club.example>"):
        for sample in ("postfix", "gmail", "qmail"):
            begun.drop((SAMPLES / f"{sample}.eml").read_bytes().replace(THEIRS, message_id.encode()))
            begun.tick()
    assert begun.rows("SELECT * FROM bounces") == []
    assert {row["reason"] for row in begun.rows("SELECT reason FROM letters")} == {"robot: bounce"}


def test_a_bounce_that_names_no_letter_of_ours_counts_for_nothing_but_the_umpire_hears_of_it(begun: PostHouse) -> None:
    """Some servers return nothing of our letter; and anybody could write so."""
    short = (SAMPLES / "qmail.eml").read_bytes().partition(b"--- Below")[0]
    for text in (short, short + b"again\n", short.replace(ANN.encode(), b"eve@example.com")):
        begun.drop(text)
    begun.tick()
    (told,) = begun.post(UMPIRE)
    assert told["Subject"] == "[RR1] Perhaps ANN cannot be reached"
    assert "referee letter 1" in text_of(told)
    assert begun.rows("SELECT * FROM bounces") == []
    assert standing(begun.club, "RR1").unreachable == ()


def test_what_our_own_server_refuses_counts_in_the_same_way(begun: PostHouse) -> None:
    begun.later(days=8)
    for message_id in begun.column("SELECT message_id FROM outbox WHERE recipient = ?", ANN):
        ours = outbox.letter_of_ours(begun.club.db, message_id)
        assert ours
        with transaction(begun.club.db):
            failure = Failure(recipient=ANN, action="failed", status="5.0.0")
            count_failure(begun.club, ours, failure, begun.clock.now)
    begun.tick()
    (told,) = begun.post(UMPIRE, "cannot be reached")
    assert "referee letter" not in text_of(told)
    assert standing(begun.club, "RR1").unreachable == ("ANN",)


# What players and strangers ask or tell a person reaches the umpire, once; orders, greetings and banners do not.


def test_of_one_day_he_is_shown_so_many(begun: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.letters.doubts.SHOWN_A_DAY", 3)
    for number in range(5):
        told = begun.says(ANN, f"STEP {1 + number % 3}\nWhat about number {number}?")
        assert ("The umpire is shown them, and answers himself if they ask something" in told) == (number < 3)
        assert f"What about number {number}?" in told
    assert len(begun.post(UMPIRE)) == 3
