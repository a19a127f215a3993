"""A flood of letters: kept, not read, told to the umpire once; and everybody else's are read as ever."""

from __future__ import annotations

import pytest

from referee.service.letters import flood
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, text_of


@pytest.fixture(autouse=True)
def game(house: PostHouse) -> None:
    house.game()
    house.tick()


def parked(house: PostHouse) -> list[int]:
    return [row["id"] for row in house.rows("SELECT id FROM letters WHERE status = 'parked' ORDER BY id")]


def earlier(house: PostHouse, count: int, sender: str, game: str | None = None) -> None:
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
            ]
            house.club.db.execute(
                "INSERT INTO letters (hash, source, size, raw, arrived, stored_at, sender, subject, message_id, status, "
                "reason, attempts, trace, game) VALUES (?, ?, ?, ?, ?, ?, ?, '', '', 'done', '', 0, '', ?)",
                values,
            )


@pytest.mark.parametrize("sender", [ANN, "eve@example.com"])
def test_letters_of_one_sender_beyond_fifty_a_day_are_kept_unread(house: PostHouse, sender: str) -> None:
    earlier(house, flood.FROM_SENDER - 1, sender.upper())
    for step in (1, 2, 3):
        house.write(sender, f"STEP {step}")
    house.write(BOB, "STEP 1")
    house.tick()
    assert len(parked(house)) == 2
    sets = [row["text"] for row in house.rows("SELECT text FROM order_sets WHERE player = 'ANN'")]
    assert sets == (["STEP 1"] if sender == ANN else [])
    assert house.rows("SELECT text FROM order_sets WHERE player = 'BOB'")
    (told,) = house.post(UMPIRE, "A flood of letters")
    assert f"More than 50 letters of {sender} came within 24 hours" in text_of(told).replace("\n", " ")
    rows = house.rows("SELECT sender, reason, raw FROM letters WHERE status = 'parked'")
    assert {(row["sender"], row["reason"]) for row in rows} == {(sender, "flood: sender")}
    assert b"STEP 2" in rows[0]["raw"]


def test_after_a_day_the_senders_letters_are_read_again(house: PostHouse) -> None:
    earlier(house, flood.FROM_SENDER, ANN)
    house.clock.advance(days=1, seconds=1)
    house.write(ANN, "STEP 1")
    house.tick()
    assert parked(house) == []


def test_letters_about_one_game_beyond_five_hundred_a_day_are_kept_unread(house: PostHouse) -> None:
    earlier(house, flood.ABOUT_GAME, "somebody@example.org", "RR1")
    house.write(ANN, "STEP 1")
    house.tick()
    assert len(parked(house)) == 1
    (told,) = house.post(UMPIRE)
    assert told["Subject"] == "[RR1] A flood of letters"


def test_a_full_game_does_not_close_another_of_the_same_player(house: PostHouse) -> None:
    house.game()
    earlier(house, flood.ABOUT_GAME, "somebody@example.org", "RR1")
    house.write(ANN, "STEP 1", subject="[RR2]")
    house.tick()
    assert parked(house) == []


def test_the_umpire_is_told_once_a_day_however_many_flood(house: PostHouse) -> None:
    for sender in ("eve@example.com", "mallory@example.com"):
        earlier(house, flood.FROM_SENDER, sender)
        house.write(sender, "x")
        house.write(sender, "y")
    house.tick()
    assert len(parked(house)) == 4
    assert len(house.post(UMPIRE)) == 1
    house.clock.advance(days=1)
    earlier(house, flood.FROM_SENDER, "trudy@example.com")
    house.write("trudy@example.com", "z")
    house.tick()
    assert len(house.post(UMPIRE)) == 2


def test_the_umpire_has_a_letter_of_a_flood_read_all_the_same(house: PostHouse) -> None:
    earlier(house, flood.FROM_SENDER, ANN)
    house.write(ANN, "STEP 3")
    house.tick()
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
