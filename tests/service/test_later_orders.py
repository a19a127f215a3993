"""Orders for a later turn, letters that come twice or late, and which of several sets counts."""

from datetime import timedelta
from email.utils import format_datetime

import pytest

from referee.service.letters.interpretation import newest_texts, set_to_confirm, set_to_run
from referee.store import OrderSet, PressRow
from tests.posthouse import ANN, PostHouse, text_of
from tests.service.test_dampfross_letters import PLAYERS, begin
from tests.store.test_store import NOW, a_set

# Orders for a later turn are kept, and filed when that turn is awaited, on the board as it stands then.


def test_half_a_set_names_the_rolls_for_which_nothing_is_ordered(house: PostHouse) -> None:
    begin(house, "ireland")
    house.write(PLAYERS[0].address, "ORDERS RR1 2\n2b) (Dublin) - Z18\nEND")
    for number, player in enumerate(PLAYERS[:3]):
        house.write(player.address, ("HOME Dublin", "HOME Dublin", "HOME Belfast")[number])
    assert house.tick().turns == ("RR1/1",)
    house.tick()
    (told,) = house.post(PLAYERS[0].address, "Turn 2: your orders of before are on file")
    assert "\n  | 2a) nothing is ordered\n" in text_of(told)


# Each order counts once: letters that come twice, by two ways, or long after they were overtaken.


ID = "<same@example.org>"


def running(house: PostHouse) -> list[str]:
    sql = "SELECT text FROM order_sets WHERE withdrawn = 0 ORDER BY arrived, id"
    return [row["text"] for row in house.rows(sql)]


def became(house: PostHouse) -> list[tuple[str, str]]:
    return house.tuples("SELECT status, reason FROM letters ORDER BY id")


def test_a_letter_passed_on_long_after_it_was_overtaken_never_brings_its_orders_back(race: PostHouse) -> None:
    race.send(ANN, "STEP 1", Message_ID=ID)
    race.wait(hours=1)
    race.send(ANN, "STEP 3")
    race.wait(hours=1)
    head = "Sender: list@example.com\r\nErrors-To: owner@example.com\r\nReceived: by somebody; "
    head += format_datetime(race.clock.now)
    raw = f"From: {ANN}\r\nTo: list@example.com\r\nSubject: [RR1] turn\r\nMessage-ID: {ID}\r\n{head}\r\n\r\nSTEP 1\r\n"
    race.drop(raw.encode())
    race.tick()
    assert became(race) == [("done", ""), ("done", ""), ("ignored", "copy")]
    assert running(race) == ["STEP 1", "STEP 3"]
    assert len(race.post(ANN, "Orders for turn 1 received")) == 2


def test_letters_without_message_id_are_each_a_letter_of_their_own(race: PostHouse) -> None:
    for subject in ("[RR1] a", "[RR1] b"):
        race.drop(f"From: {ANN}\r\nSubject: {subject}\r\n\r\nSTEP 2\r\n".encode())
    race.tick()
    assert [status for status, _ in became(race)] == ["done", "done"]


# Which of several sets of a player counts, and which of their texts.


CLEAN, FAULTY = a_set(id=1), a_set(id=2, clean=False)


@pytest.mark.parametrize(
    ("filed", "runs"),
    [
        ([], None),
        ([CLEAN], 1),
        ([FAULTY], 2),
        ([FAULTY, FAULTY.but(id=3)], 3),
        ([CLEAN, FAULTY], 1),
        ([FAULTY, CLEAN], 1),
        ([CLEAN, FAULTY.but(confirmed=True)], 2),
        ([CLEAN, FAULTY.but(confirmed=True), CLEAN.but(id=3)], 3),
        ([CLEAN.but(withdrawn=True), FAULTY], 2),
        ([FAULTY.but(doubtful=True)], None),
        ([FAULTY.but(doubtful=True, confirmed=True)], 2),
        ([CLEAN.but(player="BOB")], None),
    ],
)
def test_the_newest_clean_or_confirmed_set_runs_else_the_newest_faulty(filed: list[OrderSet], runs: int | None) -> None:
    found = set_to_run(filed, "ANN")
    assert (found.id if found else None) == runs


def test_a_clean_set_after_a_faulty_one_leaves_nothing_to_confirm() -> None:
    assert set_to_confirm([CLEAN, FAULTY], "ANN") == FAULTY
    assert not set_to_confirm([FAULTY, CLEAN], "ANN")
    assert not set_to_confirm([FAULTY.but(withdrawn=True)], "ANN")


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
