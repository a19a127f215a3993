"""Each order counts once: letters that come twice, by two ways, or long after they were overtaken."""

from __future__ import annotations

from datetime import timedelta
from email.utils import format_datetime

from tests.posthouse import ANN, BOB, PostHouse

ID = "<same@example.org>"


def running(house: PostHouse) -> list[str]:
    sql = "SELECT text FROM order_sets WHERE withdrawn = 0 ORDER BY arrived, id"
    return [row["text"] for row in house.rows(sql)]


def became(house: PostHouse) -> list[tuple[str, str]]:
    return [(row["status"], row["reason"]) for row in house.rows("SELECT status, reason FROM letters ORDER BY id")]


def test_a_letter_passed_on_long_after_it_was_overtaken_never_brings_its_orders_back(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 1", Message_ID=ID)
    house.clock.advance(hours=1)
    house.send(ANN, "STEP 3")
    house.clock.advance(hours=1)
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
    house.clock.advance(minutes=1)
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
    house.clock.advance(hours=2)
    house.send(ANN, "STEP 3")
    early = format_datetime(house.clock.now - timedelta(hours=1))
    house.drop(f"Received: from a by b; {early}\r\nFrom: {ANN}\r\nSubject: [RR1]\r\n\r\nSTEP 1\r\n".encode())
    house.tick()
    assert running(house) == ["STEP 1", "STEP 3"]
    assert "STEP 3" in house.told(ANN)


def test_a_withdrawal_that_came_earlier_takes_nothing_back_that_came_after_it(house: PostHouse) -> None:
    house.game()
    house.send(ANN, "STEP 1")
    house.clock.advance(hours=2)
    house.send(ANN, "STEP 3")
    early = format_datetime(house.clock.now - timedelta(hours=1))
    house.drop(f"Received: from a by b; {early}\r\nFrom: {ANN}\r\nSubject: [RR1]\r\n\r\nCLEAR\r\n".encode())
    house.tick()
    assert running(house) == ["STEP 3"]
