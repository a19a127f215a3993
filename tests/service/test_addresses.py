"""Where letters to a player go: a rival who was sent a code cannot lead them away, and the umpire can set it right."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, PostHouse, line_of, text_of

NEW, THIEF = "ann@new.example", "bob@second.example"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "club", identity__policy="token") as house:
        house.begin()
        yield house


def address_of(house: PostHouse, game: str = "RR1") -> str:
    return str(house.rows("SELECT address FROM players WHERE code = 'ANN' AND game = ?", game)[0]["address"])


def asks(house: PostHouse, address: str) -> tuple[EmailMessage, EmailMessage]:
    """Have Ann ask for an address; return what she, and what that address is written."""
    house.reply(house.last(ANN), f"ADDRESS {address}")
    return house.last(ANN, "Did you ask for another address?"), house.last(address)


def test_with_a_code_that_leaked_a_rival_leads_nothing_away(house: PostHouse) -> None:
    """Bob was on a Cc of Ann's, writes in her name with her code, and confirms from his second address."""
    own, there = asks(house, THIEF)
    house.answer(there, "CONFIRM")
    house.answer(there, "CONFIRM", sender=ANN)
    house.answer(house.post(ANN)[0], "CONFIRM")  # the code that he has
    house.tick()
    assert address_of(house) == ANN
    house.reply(own, "ORDERS?")
    assert "What you have on file" in house.text(ANN)
    house.send(THIEF, "ORDERS?", subject=str(own["Subject"]).replace("RR1-", "RR1x"))
    assert not house.post(THIEF, "on file for turn")
    assert "somebody knows your code" in line_of(own)


@pytest.mark.parametrize("first", ["old", "new"])
def test_an_address_that_both_have_confirmed_holds_with_other_codes_in_all_games(house: PostHouse, first: str) -> None:
    house.begin()
    before = house.last(ANN)
    sides = asks(house, NEW)
    for message in sides if first == "old" else sides[::-1]:
        assert address_of(house) == ANN
        house.reply(message, f"CONFIRM\n\n> {text_of(message)[:200]}")
    assert [address_of(house, game) for game in ("RR1", "RR2")] == [NEW, NEW]
    (half,) = house.post(ANN if first == "old" else NEW, "Thank you.")
    assert "is answered with CONFIRM too" in line_of(half)
    assert house.post(UMPIRE, f"referee address RR2 ANN {ANN}")
    assert "confirmed from here and from there" in house.told(ANN)
    house.reply(before, "STEP 3", sender=NEW)
    assert house.rows("SELECT reason FROM letters ORDER BY id DESC LIMIT 1")[0]["reason"] == "code of an earlier turn"
    for message in (house.last(NEW, "You have a new code with it"), house.last(NEW, "A new code")):
        house.answer(message, "STEP 3")
    house.tick()
    filed = house.rows("SELECT game FROM order_sets ORDER BY game")
    assert [row["game"] for row in filed] == ["RR1", "RR2"]


def test_a_word_that_confirms_orders_too_is_no_word_about_an_address(house: PostHouse) -> None:
    own, there = asks(house, NEW)
    house.answer(there, "CONFIRM")
    house.reply(own, "STEP 2\nCONFIRM")
    assert address_of(house) == ANN
    assert [row["text"] for row in house.rows("SELECT text FROM order_sets")] == ["STEP 2"]
    house.answer(own, "CONFIRM\n\n" + text_of(own))  # quoted without a mark
    house.tick()
    assert address_of(house) == NEW


def test_who_has_confirmed_a_fresh_letter_need_not_confirm_his_old_address_again(house: PostHouse) -> None:
    house.send(ANN, f"ADDRESS {NEW}", subject="I move")
    house.reply(house.last(ANN, "Is this letter yours?"), "CONFIRM")
    house.reply(house.last(NEW), "CONFIRM")
    assert address_of(house) == NEW


def test_saying_it_twice_is_no_wrong_code(house: PostHouse) -> None:
    for message in asks(house, NEW):
        house.answer(message, "CONFIRM")
        house.answer(message, "CONFIRM")
    house.tick()
    house.reply(house.post(NEW)[0], "CONFIRM")
    reasons = [row["reason"] for row in house.rows("SELECT reason FROM letters")]
    assert "wrong code" not in reasons
    assert address_of(house) == NEW


def test_the_umpire_gives_an_address_and_takes_it_back(house: PostHouse) -> None:
    house.begin()
    old = house.last(ANN)
    asks(house, THIEF)
    assert house.command("address", "RR1", "ann").stdout == f"{ANN}\n"
    assert house.command("address", "RR1", "ANN", "ann@NEW.example").stdout == f"{NEW}\n"
    assert [address_of(house, game) for game in ("RR1", "RR2")] == [NEW, NEW]
    house.tick()
    assert "The umpire has given you this address" in line_of(house.post(NEW)[0])
    assert "as the umpire has arranged" in house.told(ANN)
    house.answer(house.last(THIEF), "CONFIRM")  # what waited is void
    house.reply(old, "STEP 1")
    assert house.rows("SELECT * FROM order_sets") == []
    assert house.command("address", "RR2", "ANN", ANN).stdout == f"{ANN}\n"
    house.tick()
    house.reply(house.last(ANN, "The umpire has given you this address"), "STEP 3")
    assert [row["game"] for row in house.rows("SELECT game FROM order_sets")] == ["RR2"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("ann", "is no mail address"),
        (BOB.upper(), f"{BOB.upper().partition('@')[0]}@example.net is the address of BOB in RR1"),
        (REFEREE, "is the referee's own address"),
    ],
)
def test_the_umpire_is_told_what_no_player_can_have(house: PostHouse, address: str, said: str) -> None:
    refused = house.command("address", "RR1", "ANN", address)
    assert (refused.returncode, refused.stdout) == (78, "")
    assert said in refused.stderr
    assert address_of(house) == ANN
    assert house.command("address", "RR1", "EVE", NEW).returncode == 65


def test_who_sent_a_rival_his_letter_is_told_that_the_rival_has_his_code(house: PostHouse) -> None:
    house.reply(house.post(ANN)[0], "STEP 3", Cc=BOB)
    assert "your letter went to another address too, and your code with it" in house.told(ANN)
