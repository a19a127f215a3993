"""Orders for a later turn are kept, and filed when that turn is awaited, on the board as it stands then."""

from __future__ import annotations

from referee.service.seats.replacing import replace_player
from tests.posthouse import ANN, BOB, PostHouse, text_of


def next_turn(house: PostHouse) -> None:
    house.write(ANN, "STEP 1")
    house.write(BOB, "STEP 1")
    assert len(house.tick().turns) == 1


def on_file(house: PostHouse, turn: int) -> list[tuple[str, str, int]]:
    rows = house.rows("SELECT * FROM order_sets WHERE turn = ? ORDER BY id", turn)
    return [(row["player"], row["text"], row["clean"]) for row in rows]


def test_orders_for_a_later_turn_are_filed_when_it_is_awaited(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "ORDERS RR1 3\nSTEP 2\nEND")
    house.tick()
    answer = " ".join(text_of(house.post(ANN)[-1]).split())
    assert "they are kept, and filed when turn 3 is" in answer
    next_turn(house)
    house.tick()
    assert on_file(house, 2) == []
    next_turn(house)
    house.tick()
    assert on_file(house, 3) == [("ANN", "STEP 2", 1)]
    (told,) = house.post(ANN, "Turn 3: your orders of before are on file")
    assert "received Monday 7 December 2026" in " ".join(text_of(told).split())
    assert "- STEP 2" in text_of(told)
    house.tick()
    assert len(house.post(ANN, "Turn 3: your orders of before")) == 1
    house.write(BOB, "STEP 1")
    assert house.tick().turns == ("RR1/3",)


def test_of_two_letters_for_that_turn_the_later_one_counts(house: PostHouse) -> None:
    house.game()
    for steps in (2, 3):
        house.write(ANN, f"ORDERS RR1 2\nSTEP {steps}\nEND")
        house.tick()
        house.clock.advance(hours=1)
    next_turn(house)
    house.write(BOB, "STEP 1")
    house.tick()
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


def test_orders_confirmed_for_the_turn_of_now_are_not_filed_again(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "ORDERS RR1 2\nSTEP 2\nEND")
    house.tick()
    house.write(ANN, "CONFIRM")
    house.write(BOB, "STEP 1")
    assert house.tick().turns == ("RR1/1",)
    house.tick()
    assert on_file(house, 2) == []


def test_a_newcomer_is_not_bound_by_what_his_predecessor_sent_beforehand(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "ORDERS RR1 2\nSTEP 2\nEND")
    house.tick()
    replace_player(house.club, "RR1", "ANN", "Cecil <cecil@example.com>", "x")
    house.write("cecil@example.com", "STEP 1")
    house.write(BOB, "STEP 1")
    assert house.tick().turns == ("RR1/1",)
    house.tick()
    assert on_file(house, 2) == []
