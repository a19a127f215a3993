"""What a letter does to what is on file, and what its answer says of it."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from tests.posthouse import ANN, BOB, PostHouse, text_of

WILL_RUN = "The orders of this letter will run."
BESIDE = "so they stand beside and will not run"


def answer_to(house: PostHouse, *letters: str) -> str:
    """Return the answer to the last of some letters of Ann's, a minute apart."""
    for text in letters:
        house.clock.advance(minutes=1)
        house.send(ANN, text)
    return house.text(ANN)


def orders_played(house: PostHouse) -> str:
    """Let the deadline pass and return the orders of Ann's that were played."""
    house.later(days=8)
    (row,) = house.rows("SELECT orders FROM turns WHERE turn = 1")
    return str(row["orders"])


def step(*lengths: int) -> str:
    steps = ",".join(f'{{"kind":"Step","length":{length},"paragraph":"T1","player":"ANN"}}' for length in lengths)
    return f'{{"ANN":[{steps}]}}'


@pytest.fixture(autouse=True)
def game(house: PostHouse) -> None:
    house.game()


@pytest.mark.parametrize(
    ("letters", "words", "played"),
    [
        pytest.param(["STEP 1", "STEP 2"], WILL_RUN, step(2), id="a letter replaces the whole set"),
        pytest.param(
            ["STEP 9"], "the turn is not played early", step(1), id="a faulty set runs where there is no other"
        ),
        pytest.param(["STEP 2", "STEP 9"], BESIDE, step(2), id="a faulty set never overwrites a clean one"),
        pytest.param(["STEP 2", "STEP 9", "CONFIRM"], "The confirmed orders will run", step(1), id="unless confirmed"),
        pytest.param(
            ["STEP 2", "STEP 9\nCONFIRM"], "The confirmed orders will run", step(1), id="or confirmed at once"
        ),
        pytest.param(["STEP 9", "STEP 2", "CONFIRM"], "no set of orders waits", step(2), id="nothing to confirm"),
        pytest.param(["STEP 2", "CLEAR"], "Nothing is on file.", "{}", id="CLEAR withdraws"),
        pytest.param(["CLEAR"], "there was nothing on file to withdraw", "{}", id="CLEAR of nothing"),
        pytest.param(["STEP 2", "STEP 9", "CLEAR", "CONFIRM"], "no set of orders waits", "{}", id="CLEAR takes all"),
        pytest.param(["STEP 2", "CLEAR\nSTEP 3"], WILL_RUN, step(3), id="CLEAR and new orders"),
        pytest.param(["PASS"], "You pass", step(), id="PASS is a word"),
        pytest.param(["STEP 3", "PASS"], "You pass", step(), id="PASS replaces orders"),
        pytest.param(["ORDERS RR1 1\nEND"], "You pass", step(), id="empty orders are a word too"),
        pytest.param(["STEP 3", "PRESS: hello"], "There are no orders in this letter.", step(3), id="press alone"),
        pytest.param(["STEP 3", "Fine weather."], "These lines were not read", step(3), id="nothing to be read"),
        pytest.param(["STEP 3", "ORDERS\nSTAP 1\nEND"], "No order could be taken", step(3), id="nothing understood"),
        pytest.param(["ORDERS RR1 7\nSTEP 3\nEND"], "turn 1 is awaited", "{}", id="another turn's orders"),
        pytest.param(["ORDERS RR1 7\nEND"], "Nothing is on file.", "{}", id="another turn's empty orders are no word"),
        pytest.param(["STEP 1", "ORDERS RR1 7\nCLEAR\nEND"], "will run", step(1), id="CLEAR for another turn"),
    ],
)
def test_what_runs_is_what_the_answer_says(house: PostHouse, letters: list[str], words: str, played: str) -> None:
    assert words in " ".join(answer_to(house, *letters).split())
    assert orders_played(house) == played


def test_a_pass_counts_as_in_and_a_faulty_set_does_not(house: PostHouse) -> None:
    house.write(BOB, "STEP 1")
    assert "Your orders are in." not in answer_to(house, "STEP 9")
    assert house.rows("SELECT turn FROM games")[0]["turn"] == 1
    assert "Your orders are in." in text_of((house.write(ANN, "PASS"), house.tick(), house.post(ANN, "You pass"))[2][0])
    assert house.rows("SELECT turn FROM games")[0]["turn"] == 2


def test_an_older_letter_that_comes_late_does_not_replace_a_newer_one(house: PostHouse) -> None:
    house.clock.advance(minutes=10)
    answer_to(house, "STEP 2")
    house.clock.advance(minutes=-10)
    house.write(ANN, "STEP 1")
    house.later(minutes=20)
    assert "The orders you sent before will run" in house.told(ANN)
    assert orders_played(house) == step(2)


def test_a_player_is_warned_that_others_got_the_letter_too_but_not_who_they_are(house: PostHouse) -> None:
    """An answer that named a rival, or was silent at other addresses, would tell whose address is whose."""
    told = []
    for address in (BOB, "nobody@example.com"):
        house.send(ANN, "STEP 2", Cc=f"{address}, {ANN}")
        told += [re.sub(r"booked as \w+", "", house.text(ANN)).replace("received", "")]
    assert "your letter went to another address too" in " ".join(told[0].split())
    assert told[0] == told[1]
    assert "BOB" not in told[0]


def test_of_letters_that_others_got_too_a_player_is_warned_three_times_a_day(house: PostHouse) -> None:
    warnings = []
    for number in range(5):
        house.send(ANN, f"STEP {1 + number % 3}", Cc=BOB)
        warnings.append("went to another address too" in house.told(ANN))
    assert warnings == [True, True, True, False, False]
    house.clock.advance(hours=24)
    assert "went to another address too" in house.says(ANN, "STEP 2", Cc=BOB)


def test_who_writes_to_us_and_to_himself_is_not_warned(house: PostHouse) -> None:
    assert "went to another address" not in house.says(
        ANN, "STEP 2", Cc=ANN.upper(), Delivered_To="mailbox@provider.example"
    )


def test_press_replaces_earlier_press(house: PostHouse) -> None:
    answer_to(house, "STEP 1\nPRESS: first words", "PRESS: last words")
    newsletter = house.says(BOB, "STEP 1")
    assert "last words" in newsletter
    assert "first words" not in newsletter


def test_every_set_ever_received_is_kept(house: PostHouse) -> None:
    answer_to(house, "STEP 1", "STEP 9", "CLEAR", "STEP 2")
    assert len(house.rows("SELECT * FROM order_sets")) == 3


def test_orders_that_stand_in_the_html_version_alone_are_read(house: PostHouse) -> None:
    letter = EmailMessage()
    letter["From"], letter["Subject"] = ANN, "[RR1]"
    letter.set_content("This letter is best seen as HTML.")
    letter.add_alternative("<p>STEP 2</p>", subtype="html")
    house.drop(letter.as_bytes())
    house.tick()
    assert orders_played(house) == step(2)


@pytest.mark.parametrize("text", ["STATUS", "PRESS: hello", "Dear referee,"])
def test_a_later_answer_says_what_is_wrong_with_a_faulty_set_that_runs(house: PostHouse, text: str) -> None:
    told = answer_to(house, "STEP 9", text)
    assert "'STEP 9' is no step of 1 to 3" in told
    assert "the turn is not played early" in told
    assert "answer with the one word CONFIRM" in " ".join(told.split())


def test_a_later_answer_says_what_is_wrong_with_a_faulty_set_that_stands_beside(house: PostHouse) -> None:
    told = answer_to(house, "STEP 2", "STEP 9", "STATUS")
    assert BESIDE in " ".join(told.split())
    assert told.count("'STEP 9' is no step of 1 to 3") == 1
    assert answer_to(house, "STEP 9").count("'STEP 9' is no step of 1 to 3") == 1


def test_orders_for_another_turn_are_not_called_nothing(house: PostHouse) -> None:
    answer_to(house, "STEP 1")
    assert house.send(BOB, "STEP 1").turns == ("RR1/1",)
    for told in (answer_to(house, "ORDERS RR1 1\nSTEP 2\nEND"), answer_to(house, "STATUS")):
        assert "Nothing is on file." not in told
        assert "Nothing on file will run as it stands." in told
        assert "are written for another turn, so they stand beside" in " ".join(told.split())
        assert told.count("Not in order:") == 1
