"""A flood of letters: kept, not read, told to the umpire once; and everybody else's are read as ever."""

from __future__ import annotations

import signal
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from referee.mail.letter.message import Letter
from referee.reader.reader import Reader
from referee.service.letters import limits
from referee.store import budgets
from tests.doomedreader import DEADLY, kill_reader
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of, text_of

EVE = "eve@example.com"
VOUCHED = "mx.club.example; dmarc=pass header.from=example.org"
LARGE = "x " * limits.SMALL


@pytest.fixture(autouse=True)
def game(house: PostHouse) -> None:
    house.begin()


def parked(house: PostHouse) -> list[int]:
    return [row["id"] for row in house.rows("SELECT id FROM letters WHERE status = 'parked' ORDER BY id")]


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
def test_letters_of_one_sender_beyond_fifty_a_day_are_kept_unread(house: PostHouse, sender: str) -> None:
    earlier(house, limits.FROM_SENDER - 1, sender.upper())
    for step in (1, 2, 3):
        house.write(sender, f"STEP {step}")
    house.send(BOB, "STEP 1")
    assert len(parked(house)) == 2
    sets = [row["text"] for row in house.rows("SELECT text FROM order_sets WHERE player = 'ANN'")]
    assert sets == (["STEP 1"] if sender == ANN else [])
    assert house.rows("SELECT text FROM order_sets WHERE player = 'BOB'")
    (told,) = house.post(UMPIRE, "A flood of letters")
    assert f"More than 50 letters of {sender} came within 24 hours" in text_of(told).replace("\n", " ")
    rows = house.rows("SELECT sender, reason, raw FROM letters WHERE status = 'parked'")
    assert {(row["sender"], row["reason"]) for row in rows} == {(sender, "flood: sender")}
    assert b"STEP 2" in rows[0]["raw"]


def test_of_a_flood_no_more_is_counted_than_makes_one(house: PostHouse) -> None:
    earlier(house, limits.IN_ALL + 10, EVE)
    since = house.clock.now - timedelta(days=1)
    assert budgets.unsure_since(house.club.db, ANN, since)["club"][0] == limits.IN_ALL
    assert budgets.unsure_since(house.club.db, EVE, since)["sender"][0] == limits.IN_ALL


def test_after_a_day_the_senders_letters_are_read_again(house: PostHouse) -> None:
    earlier(house, limits.FROM_SENDER, ANN)
    house.clock.advance(days=1, seconds=1)
    house.send(ANN, "STEP 1")
    assert parked(house) == []


def test_letters_about_one_game_beyond_five_hundred_a_day_are_kept_unread(house: PostHouse) -> None:
    earlier(house, limits.ABOUT_GAME, "somebody@example.org", "RR1")
    house.send(ANN, "STEP 1")
    assert len(parked(house)) == 1
    (told,) = house.post(UMPIRE)
    assert told["Subject"] == "[RR1] A flood of letters"


def test_a_full_game_does_not_close_another_of_the_same_player(house: PostHouse) -> None:
    house.game()
    earlier(house, limits.ABOUT_GAME, "somebody@example.org", "RR1")
    house.send(ANN, "STEP 1", subject="[RR2]")
    assert parked(house) == []


def test_the_umpire_is_told_once_a_day_however_many_flood(house: PostHouse) -> None:
    for sender in ("eve@example.com", "mallory@example.com"):
        earlier(house, limits.FROM_SENDER, sender)
        house.write(sender, "x")
        house.write(sender, "y")
    house.tick()
    assert len(parked(house)) == 4
    assert len(house.post(UMPIRE)) == 1
    house.clock.advance(days=1)
    earlier(house, limits.FROM_SENDER, "trudy@example.com")
    house.send("trudy@example.com", "z")
    assert len(house.post(UMPIRE)) == 2


def test_the_umpire_has_a_letter_of_a_flood_read_all_the_same(house: PostHouse) -> None:
    earlier(house, limits.FROM_SENDER, ANN)
    house.send(ANN, "STEP 3")
    (number,) = parked(house)
    assert house.command("letter", str(number), "--again").returncode == 0
    house.tick()
    assert [row["text"] for row in house.rows("SELECT text FROM order_sets")] == ["STEP 3"]
    refused = house.command("letter", str(number), "--again")
    assert refused.stderr == f"referee: no letter {number} is parked\n"
    assert refused.returncode != 0


def test_a_letter_without_a_sender_is_no_flood(house: PostHouse) -> None:
    house.drop(b"Subject: x\r\n\r\nSTEP 1\r\n")
    house.tick()
    assert house.rows("SELECT reason FROM letters")[0]["reason"] == "no sender"


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
    house: PostHouse, sender: str, seconds: float, text: str, reason: str
) -> None:
    earlier(house, 10, sender, seconds=seconds / 10)
    house.send(ANN, text)
    (row,) = house.rows("SELECT status, reason FROM letters WHERE source NOT LIKE 'x'")
    assert row["reason"] == reason if reason.startswith("flood") else row["status"] == "done", row["reason"]
    told = [line_of(each) for each in house.post(UMPIRE, "A flood of letters")]
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
        statuses = [row["status"] for row in house.rows("SELECT status FROM letters ORDER BY id")]
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
        house.reply(house.last(UMPIRE), "HOLD RR1\nI am ill.")
        assert parked(house)
        assert house.rows("SELECT stopped_at FROM games")[0]["stopped_at"]
        assert house.rows("SELECT status, reason FROM letters WHERE id = 62")[0]["status"] == "done"


def test_one_letter_of_each_goes_before_the_second_of_anybody(house: PostHouse) -> None:
    for number in range(10):
        house.write(ANN, f"STEP {number % 3 + 1}\nPRESS: {number}")
    house.send(BOB, "STEP 2")
    assert [row.letter for row in house.ours("letter IS NOT NULL")][:3] == [1, 11, 2]
    (last,) = house.rows("SELECT text FROM order_sets WHERE player = 'ANN' ORDER BY arrived DESC, id DESC LIMIT 1")
    assert last["text"] == "STEP 1"  # of one sender's the last that came counts, as ever


def test_of_a_strangers_large_letter_its_beginning_alone_is_read(
    house: PostHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    reads = Reader.read

    def noted(self: Reader, raw: bytes, *more: Any) -> Letter:
        read.append(len(raw))
        return reads(self, raw, *more)

    monkeypatch.setattr(Reader, "read", noted)
    house.write(EVE, "Hello,\nmay I play?\n" + "<" * 900_000, Content_Type="text/html")
    house.send(ANN, "STEP 1\n-- \n" + "<" * 900_000)
    assert read[0] < limits.SMALL + 500
    assert read[1] > 900_000
    assert house.rows("SELECT text FROM order_sets")
