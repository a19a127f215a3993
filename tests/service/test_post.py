"""The whole way by mail: letters in, acknowledgements and newsletters out, with a game the rooms have never seen."""

from __future__ import annotations

import json

from referee.core.dice import SeededDice, next_seed, seed_of_turn
from referee.service.audit.replay import replay
from referee.store import games
from tests.posthouse import ANN, BOB, REFEREE, UMPIRE, PostHouse, text_of


def test_the_opening_goes_to_everybody_with_board_and_chain(house: PostHouse) -> None:
    house.game()
    assert house.tick().sent == 2
    (letter,) = house.post(ANN)
    assert letter["Subject"] == "[RR1] the race opens"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert [name for part in letter.walk() if (name := part.get_filename())] == [
        "RR1-turn-0.png",
        "RR1-turn-0.svg",
        "RR1-turn-0.json",
    ]
    assert games.chain_end(games.game(house.club.db, "RR1")) in text_of(letter)
    assert "Monday 14 December 2026, 20:00 (Europe/Dublin)" in text_of(letter)


def test_a_letter_of_orders_is_acknowledged_in_its_thread(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "ORDERS RR1 1\nSTEP 3\nEND\nBring the big map\n", References="<a@b.example>")
    (answer,) = house.post(ANN, "Orders for turn 1 received")
    assert answer["Subject"] == "[RR1] Orders for turn 1 received"
    assert answer["In-Reply-To"] == "<1@example.org>"
    assert answer["References"].split() == ["<a@b.example>", "<1@example.org>"]
    assert answer["Auto-Submitted"] == "auto-replied"
    text = text_of(answer)
    assert "STEP 3" in text
    assert "line 4: Bring the big map" in text
    assert "The orders of this letter will run." in text
    assert "Your orders are in." in text


def test_a_game_is_played_to_its_end_and_can_be_played_again(house: PostHouse) -> None:
    house.game()
    turns: list[str] = []
    for turn in range(1, 9):
        house.clock.advance(hours=1)
        house.write(ANN, f"ORDERS RR1 {turn}\nSTEP 3\nEND\nPRESS:\nOnwards {turn}\nEND PRESS\n")
        house.write(BOB, "STEP 2\n")
        turns += house.tick().turns
        if house.rows("SELECT status FROM games")[0]["status"] == "finished":
            break
    assert turns == [f"RR1/{turn}" for turn in range(1, len(turns) + 1)]
    assert house.rows("SELECT status FROM games")[0]["status"] == "finished"
    last = house.last(BOB)
    assert f"Onwards {len(turns)}" in text_of(last)
    assert "To send orders" not in text_of(last)
    compared = list(replay(house.club, "RR1"))
    assert [each.turn for each in compared] == list(range(len(turns) + 1))
    assert all(not each.differs for each in compared)


def test_every_seed_leads_to_the_one_before_and_makes_the_throws(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 1")
    house.send(BOB, "STEP 1")
    seeds = [row["seed"] for row in house.rows("SELECT seed FROM turns ORDER BY turn")]
    assert [next_seed(seed) for seed in seeds] == [seed_of_turn("root of the chain", -1), seeds[0]]
    wind = SeededDice(seeds[1]).throw("wind/1", 2)
    assert f"ANN stands on {1 + wind}" in house.text(ANN)
    assert seeds[1] in house.text(ANN)


def test_each_turn_carries_the_hash_of_the_turn_before(house: PostHouse) -> None:
    house.game()
    house.club.db.execute("DROP TRIGGER turns_unchanged")
    house.club.db.execute("UPDATE turns SET events = '[]' WHERE turn = 0")
    assert [each.differs for each in replay(house.club, "RR1")] == [("events", "hash")]


def test_the_newsletter_shows_what_its_reader_may_see(house: PostHouse) -> None:
    house.begin()
    view = [part for part in house.post(BOB)[0].iter_attachments() if part.get_filename() == "RR1-turn-0.json"]
    content = view[0].get_content()
    assert json.loads(content) == {"goal": 12, "places": [["ANN", 0], ["BOB", 0]]}


def test_no_letter_shows_an_address_of_a_rival_or_an_order_before_its_time(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 3\nPRESS: hello")
    for letter in house.post(BOB):
        assert ANN not in letter.as_string()
        assert "STEP 3" not in letter.as_string()
        assert letter["Cc"] is None
    assert REFEREE in text_of(house.post(BOB)[0])


def test_a_note_reaches_the_umpire_alone(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 3\nNOTE: I am away at Easter\n")
    assert house.send(BOB, "STEP 3\n").turns == ("RR1/1",)
    (note,) = house.post(UMPIRE)
    assert note["Subject"] == "[RR1] A note from ANN"
    assert "ANN writes, while turn 1 is awaited:" in text_of(note)
    assert str(note["Reply-To"]) == ANN  # nobody here reads what the umpire answers
    assert "Your answer to this letter goes straight to ANN" in text_of(note)
    assert "I am away at Easter" in text_of(note)
    assert not house.post(BOB, "Easter")


def test_a_missing_player_is_named_and_the_turn_is_played_after_deadline_and_grace(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 3")
    house.clock.advance(days=7, hours=8, minutes=10)  # Monday 14, 20:10: the end of grace
    assert house.tick().turns == ()
    assert house.later(seconds=1).turns == ("RR1/1",)
    assert "missing: BOB" in house.told(ANN)
    assert "Monday 21 December 2026, 20:00" in house.told(ANN)


def test_two_games_of_one_club_go_their_own_ways(house: PostHouse) -> None:
    assert (house.game(), house.game()) == ("RR1", "RR2")
    house.write(ANN, "STEP 1", subject="[RR2] moving")
    assert house.send(BOB, "ORDERS RR2 1\nSTEP 1\nEND", subject="hello").turns == ("RR2/1",)
