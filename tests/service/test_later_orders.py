"""Orders for a later turn, letters that come twice or late, and which of several sets counts."""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime

import pytest
from msgspec.structs import replace

from referee.service.letters.interpretation import newest_texts, set_to_confirm, set_to_run
from referee.service.seats import replace_player
from referee.store.database.rows import OrderSet, PressRow
from tests.posthouse import ANN, BOB, PostHouse, line_of, text_of
from tests.service.test_dampfross_letters import PLAYERS, begin
from tests.store.test_store import NOW, a_set

# Orders for a later turn are kept, and filed when that turn is awaited, on the board as it stands then.


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
    house.wait(hours=1)
    assert "Orders of yours are kept in case a stand-by takes over" in house.says(ANN, "STEP 1\nORDERS?")
    replace_player(house.club, "RR1", "BOB", "Cecil <cecil@example.org>", "Bob has vanished.")
    house.tick()
    assert [text for _, text, _ in on_file(house, 1)] == ["STEP 1", "STEP 3"]
    told = house.told(ANN, "Turn 1: your orders of before are on file")
    assert "Somebody else has taken over a company. You sent orders for that case" in told
    assert house.later(days=8).turns == ("RR1/1",)
    assert "3" in house.value("SELECT orders FROM turns WHERE turn = 1")


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
        house.wait(hours=1)
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
    assert "Orders for turn 2 are kept" in answer["Subject"]
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
        house.wait(hours=1)
    next_turn(house)
    house.tick()
    assert house.send(BOB, "STEP 1").turns == ()
    assert "Turn 2: your orders of before are withdrawn" in house.last(ANN)["Subject"]


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


# Each order counts once: letters that come twice, by two ways, or long after they were overtaken.


ID = "<same@example.org>"


def running(house: PostHouse) -> list[str]:
    sql = "SELECT text FROM order_sets WHERE withdrawn = 0 ORDER BY arrived, id"
    return [row["text"] for row in house.rows(sql)]


def became(house: PostHouse) -> list[tuple[str, str]]:
    return house.tuples("SELECT status, reason FROM letters ORDER BY id")


def test_a_letter_passed_on_long_after_it_was_overtaken_never_brings_its_orders_back(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 1", Message_ID=ID)
    house.wait(hours=1)
    house.send(ANN, "STEP 3")
    house.wait(hours=1)
    head = "Sender: list@example.com\r\nErrors-To: owner@example.com\r\nReceived: by somebody; "
    head += format_datetime(house.clock.now)
    raw = f"From: {ANN}\r\nTo: list@example.com\r\nSubject: [RR1] turn\r\nMessage-ID: {ID}\r\n{head}\r\n\r\nSTEP 1\r\n"
    house.drop(raw.encode())
    house.tick()
    assert became(house) == [("done", ""), ("done", ""), ("ignored", "copy")]
    assert running(house) == ["STEP 1", "STEP 3"]
    assert len(house.post(ANN, "Orders for turn 1 received")) == 2


def test_a_letter_resent_in_the_next_turn_is_not_taken_for_new_orders(house: PostHouse) -> None:
    house.game()
    house.write(ANN, "STEP 1", Message_ID=ID)
    assert house.send(BOB, "STEP 1").turns == ("RR1/1",)
    house.send(ANN, "STEP 1", Message_ID=ID, Resent_From=ANN)
    assert became(house)[-1] == ("ignored", "copy")
    assert len(house.rows("SELECT * FROM order_sets WHERE turn = 2")) == 0


def test_the_same_letter_by_several_ways_counts_once(house: PostHouse) -> None:
    """Be it that mail servers wrote something else on the way, or a list."""
    house.game()
    house.write(ANN, "STEP 1", Message_ID=ID)
    house.write(ANN, "STEP 1", Message_ID=ID, Delivered_To="referee@club.example", X_Spam="no")
    house.send(ANN, "STEP 1", Message_ID=ID, Errors_To="owner@example.com")
    assert became(house) == [("done", ""), ("ignored", "copy"), ("ignored", "copy")]
    assert running(house) == ["STEP 1"]
    assert len(house.post(ANN, "received")) == 1


def test_the_same_message_id_over_other_words_is_another_letter(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 1", Message_ID=ID)
    house.wait(minutes=1)
    house.send(ANN, "STEP 2", Message_ID=ID)
    assert became(house) == [("done", ""), ("done", "")]
    assert running(house)[-1] == "STEP 2"
    assert len(house.post(ANN, "received")) == 2


def test_a_rival_who_uses_a_players_message_id_takes_nothing_from_him(house: PostHouse) -> None:
    house.game()
    house.write(BOB, "STEP 2", Message_ID=ID)
    house.send(ANN, "STEP 2", Message_ID=ID)
    assert became(house) == [("done", ""), ("done", "")]


def test_letters_without_message_id_are_each_a_letter_of_their_own(house: PostHouse) -> None:
    house.game()
    for subject in ("[RR1] a", "[RR1] b"):
        house.drop(f"From: {ANN}\r\nSubject: {subject}\r\n\r\nSTEP 2\r\n".encode())
    house.tick()
    assert [status for status, _ in became(house)] == ["done", "done"]


def test_orders_that_came_earlier_but_are_read_later_stay_behind(house: PostHouse) -> None:
    """Time on our server decides, not the pass that reads a letter: held up there, it comes in with a later pass."""
    house.game()
    house.wait(hours=2)
    house.send(ANN, "STEP 3")
    early = format_datetime(house.clock.now - timedelta(hours=1))
    house.drop(f"Received: from a by b; {early}\r\nFrom: {ANN}\r\nSubject: [RR1]\r\n\r\nSTEP 1\r\n".encode())
    house.tick()
    assert running(house) == ["STEP 1", "STEP 3"]
    assert "STEP 3" in house.told(ANN)


def test_a_withdrawal_that_came_earlier_takes_nothing_back_that_came_after_it(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 1")
    house.wait(hours=2)
    house.send(ANN, "STEP 3")
    early = format_datetime(house.clock.now - timedelta(hours=1))
    house.drop(f"Received: from a by b; {early}\r\nFrom: {ANN}\r\nSubject: [RR1]\r\n\r\nCLEAR\r\n".encode())
    house.tick()
    assert running(house) == ["STEP 3"]


# Which of several sets of a player counts, and which of his texts.


CLEAN, FAULTY = a_set(id=1), a_set(id=2, clean=False)


@pytest.mark.parametrize(
    ("filed", "runs"),
    [
        ([], None),
        ([CLEAN], 1),
        ([FAULTY], 2),
        ([FAULTY, replace(FAULTY, id=3)], 3),
        ([CLEAN, FAULTY], 1),
        ([FAULTY, CLEAN], 1),
        ([CLEAN, replace(FAULTY, confirmed=True)], 2),
        ([CLEAN, replace(FAULTY, confirmed=True), replace(CLEAN, id=3)], 3),
        ([replace(CLEAN, withdrawn=True), FAULTY], 2),
        ([replace(FAULTY, doubtful=True)], None),
        ([replace(FAULTY, doubtful=True, confirmed=True)], 2),
        ([replace(CLEAN, player="BOB")], None),
    ],
)
def test_the_newest_clean_or_confirmed_set_runs_else_the_newest_faulty(filed: list[OrderSet], runs: int | None) -> None:
    found = set_to_run(filed, "ANN")
    assert (found.id if found else None) == runs


def test_a_clean_set_after_a_faulty_one_leaves_nothing_to_confirm() -> None:
    assert set_to_confirm([CLEAN, FAULTY], "ANN") == FAULTY
    assert set_to_confirm([FAULTY, CLEAN], "ANN") is None
    assert set_to_confirm([replace(FAULTY, withdrawn=True)], "ANN") is None


def test_of_each_player_the_newest_press_is_printed() -> None:
    texts = [("ANN", "old"), ("BOB", "hello"), ("ANN", "new")]
    told = {"game": "RR1", "turn": 1, "letter": None, "kind": "press"}
    rows = [
        PressRow(player=player, text=text, arrived=NOW + timedelta(minutes=minute), **told)  # type: ignore[arg-type]
        for minute, (player, text) in enumerate(texts)
    ]
    assert (
        [row.text for row in newest_texts(rows)] == [row.text for row in newest_texts(rows[::-1])] == ["hello", "new"]
    )
