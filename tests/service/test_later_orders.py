"""Orders for a later turn are kept, and filed when that turn is awaited, on the board as it stands then."""

from __future__ import annotations

import pytest

from referee.service.seats import replace_player
from tests.posthouse import ANN, BOB, PostHouse, line_of, text_of
from tests.service.test_dampfross_letters import PLAYERS, begin


def next_turn(house: PostHouse) -> None:
    house.write(ANN, "STEP 1")
    house.write(BOB, "STEP 1")
    assert len(house.tick().turns) == 1


def on_file(house: PostHouse, turn: int) -> list[tuple[str, str, int]]:
    rows = house.rows("SELECT * FROM order_sets WHERE turn = ? ORDER BY id", turn)
    return [(row["player"], row["text"], row["clean"]) for row in rows]


def test_orders_for_a_later_turn_are_filed_when_it_is_awaited(house: PostHouse) -> None:
    house.game()
    answer = house.says(ANN, "ORDERS RR1 3\nSTEP 2\nEND")
    assert "You write for turn 3, and turn 1 is awaited. Your orders are kept" in answer
    next_turn(house)
    house.tick()
    assert on_file(house, 2) == []
    next_turn(house)
    house.tick()
    assert on_file(house, 3) == [("ANN", "STEP 2", 1)]
    (told,) = house.post(ANN, "Turn 3: your orders of before are on file")
    assert "received Monday 7 December 2026" in line_of(told)
    assert "- STEP 2" in text_of(told)
    house.tick()
    assert len(house.post(ANN, "Turn 3: your orders of before")) == 1
    assert house.send(BOB, "STEP 1").turns == ("RR1/3",)


def test_orders_for_the_case_of_a_stand_by_count_once_there_is_one(house: PostHouse) -> None:
    """They take the place of the others, even of those that came later; without a stand-by they never count."""
    house.game(rhythm={"days": 7, "early_delay": -1})
    house.send(ANN, "IF STANDBY\nORDERS RR1 1\nSTEP 3\nEND")
    answer = house.last(ANN)
    assert answer["Subject"] == "[RR1] Orders for turn 1 are kept"
    assert "kept in case a stand-by takes over a company before turn 1 is played" in line_of(answer)
    assert "STEP 3" in text_of(answer)
    assert on_file(house, 1) == []
    house.clock.advance(hours=1)
    assert "Orders of yours are kept in case a stand-by takes over" in house.says(ANN, "STEP 1\nORDERS?")
    replace_player(house.club, "RR1", "BOB", "Cecil <cecil@example.org>", "Bob has vanished.")
    house.tick()
    assert [text for _, text, _ in on_file(house, 1)] == ["STEP 1", "STEP 3"]
    told = house.told(ANN, "Turn 1: your orders of before are on file")
    assert "Somebody else has taken over a company. You sent orders for that case" in told
    assert house.later(days=8).turns == ("RR1/1",)
    assert "3" in house.rows("SELECT orders FROM turns WHERE turn = 1")[0]["orders"]


def test_orders_for_the_case_of_a_stand_by_never_count_without_one(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 1")
    house.write(ANN, "If a stand-by plays:\nORDERS RR1 1\nSTEP 3\nEND")
    assert house.send(BOB, "STEP 1").turns == ("RR1/1",)
    assert "in case a stand-by" not in house.says(ANN, "STEP 2\nORDERS?")
    assert [text for _, text, _ in on_file(house, 1)] == ["STEP 1", "STEP 1"]


def test_of_two_letters_for_that_turn_the_later_one_counts(house: PostHouse) -> None:
    house.game()
    for steps in (2, 3):
        house.send(ANN, f"ORDERS RR1 2\nSTEP {steps}\nEND")
        house.clock.advance(hours=1)
    next_turn(house)
    house.send(BOB, "STEP 1")
    house.tick()
    (row,) = house.rows("SELECT orders FROM turns WHERE turn = 2")
    assert "3" in row["orders"]
    assert "2" not in row["orders"]


def test_orders_that_are_none_on_the_board_of_then_are_told(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "ORDERS RR1 2\nSTEP 9\nEND")
    next_turn(house)
    house.tick()
    (told,) = house.post(ANN, "Turn 2: your orders of before")
    assert "is no step of 1 to 3" in text_of(told)


def test_nothing_changes_for_the_turn_of_now(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 1")
    house.send(ANN, "ORDERS RR1 2\nSTEP 2\nEND")
    answer = house.last(ANN)
    told = line_of(answer)
    assert "Orders for turn 2 are kept" in str(answer["Subject"])
    assert "No order could be taken" not in told
    assert "Not in order" not in told
    assert "if these orders were meant for turn 1, send them again below a line ORDERS RR1 1" in told
    assert "- STEP 1" in told
    assert "no set of orders waits to be confirmed" in house.says(ANN, "CONFIRM")
    assert [text for _, text, _ in on_file(house, 1)] == ["STEP 1"]


def test_what_today_would_say_of_them_is_not_told(house: PostHouse) -> None:
    house.game()
    assert "is no step of 1 to 3" not in house.says(ANN, "ORDERS RR1 2\nSTEP 9\nEND")
    assert "'STEPP'" in house.says(ANN, "ORDERS RR1 2\nSTEPP 9\nEND")


def test_letters_for_later_turns_are_never_in_vain(house: PostHouse) -> None:
    house.game()
    for turn in range(2, 8):
        house.send(ANN, f"ORDERS RR1 {turn}\nSTEP 2\nEND")
    assert len(house.post(ANN, "are kept")) == 6
    assert {row["reason"] for row in house.rows("SELECT reason FROM letters")} == {"kept for a later turn"}
    assert "(kept for a later turn)" in house.command("letters", "1").stdout


def test_orders_that_are_kept_are_told_of(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "ORDERS RR1 3\nSTEP 2\nEND")
    told = house.says(ANN, "ORDERS?")
    assert "For turn 3 orders of yours are kept, received Monday 7 December 2026" in told


@pytest.mark.parametrize("quiet", ["PASS\n", ""])
def test_passing_beforehand_passes_then(house: PostHouse, quiet: str) -> None:
    house.game()
    house.send(ANN, f"ORDERS RR1 2\n{quiet}END")
    assert on_file(house, 1) == []
    next_turn(house)
    house.tick()
    (told,) = house.post(ANN, "Turn 2: your orders of before are on file")
    assert "You pass" in text_of(told)
    assert house.send(BOB, "STEP 1").turns == ("RR1/2",)


def test_clear_takes_back_what_was_kept(house: PostHouse) -> None:
    house.game()
    for words in ("STEP 2", "CLEAR"):
        house.send(ANN, f"ORDERS RR1 2\n{words}\nEND")
        house.clock.advance(hours=1)
    next_turn(house)
    house.tick()
    assert house.send(BOB, "STEP 1").turns == ()
    assert "Turn 2: your orders of before are withdrawn" in str(house.last(ANN)["Subject"])


def test_who_sent_beforehand_has_the_usual_time_to_read_what_it_means(house: PostHouse) -> None:
    house.game(rhythm={"days": 7, "early_delay": 12})
    for player in (ANN, BOB):
        house.write(player, "ORDERS RR1 2\nSTEP 2\nEND")
        house.write(player, "STEP 1")
    house.tick()
    assert house.later(hours=13).turns == ("RR1/1",)
    house.tick()
    assert len(house.post(BOB, "Turn 2: your orders of before")) == 1
    assert house.later(hours=11).turns == ()
    assert house.later(hours=2).turns == ("RR1/2",)


def test_half_a_set_names_the_rolls_for_which_nothing_is_ordered(house: PostHouse) -> None:
    begin(house, "ireland")
    house.write(PLAYERS[0].address, "ORDERS RR1 2\n2b) (Dublin) - Z18\nEND")
    for number, player in enumerate(PLAYERS[:3]):
        house.write(player.address, ("HOME Dublin", "HOME Dublin", "HOME Belfast")[number])
    assert house.tick().turns == ("RR1/1",)
    house.tick()
    (told,) = house.post(PLAYERS[0].address, "Turn 2: your orders of before are on file")
    assert "\n  | 2a) nothing is ordered\n" in text_of(told)


def test_a_newcomer_is_not_bound_by_what_his_predecessor_sent_beforehand(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "ORDERS RR1 2\nSTEP 2\nEND")
    replace_player(house.club, "RR1", "ANN", "Cecil <cecil@example.com>", "x")
    house.write("cecil@example.com", "STEP 1")
    assert house.send(BOB, "STEP 1").turns == ("RR1/1",)
    house.tick()
    assert on_file(house, 2) == []
