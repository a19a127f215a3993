"""What players and strangers ask or tell a person reaches the umpire, once; orders, greetings and banners do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.posthouse import ANN, UMPIRE, PostHouse, line_of

SHOWN = "The umpire is shown them, and answers himself if they ask something"
STRANGER = "carol@elsewhere.example"


@pytest.fixture(autouse=True)
def game(house: PostHouse) -> None:
    house.begin()


def answer_to(house: PostHouse, text: str, sender: str = ANN) -> str:
    house.clock.advance(minutes=1)
    return house.says(sender, text)


def to_umpire(house: PostHouse) -> list[str]:
    return [line_of(letter) for letter in house.post(UMPIRE)]


@pytest.mark.parametrize(
    "words",
    [
        "My wife is ill.",
        "QUESTION: what does a mountain cost?",
        "May I have the rules?",
        "I shall move house next week and have no mail until Friday.",
    ],
)
@pytest.mark.parametrize("around", ["{}", "Hello Peter,\n\n{}\n\nKind regards,\nAnn Byrne", "STEP 2\n\n{}\n\nCheers"])
def test_what_is_said_to_a_person_goes_to_the_umpire(house: PostHouse, words: str, around: str) -> None:
    told = answer_to(house, around.format(words))
    assert SHOWN in told
    assert words in told
    assert "not read" not in told
    (note,) = to_umpire(house)
    assert words in note
    assert "Your answer to this letter goes straight to ANN" in note
    assert "STEP" not in note
    assert "regards" not in note
    assert house.post(UMPIRE)[0]["Reply-To"] == ANN
    assert ("STEP 2" in told) == ("STEP" in around)


@pytest.mark.parametrize(
    "text",
    [
        "STEP 2",
        "Dear Peter,\n\nSTEP 2\n\nMany thanks,\nAnn Byrne\nCork",
        "Hi Peter, here are my orders for turn 1:\n\nSTEP 2",
        "Here are the orders.\n\nSTEP 2\n\n-- \nAnn Byrne\nShe who dares, wins, they say",
        "CAUTION: This email originated from outside of the firm.\nDo not click links unless you know the sender.\n\nSTEP 2",
        "STEP 2\n\nThis e-mail and any attachments are confidential and may be\nprivileged. Delete it if it is not for you.",
        "STEP 2\nPRESS: My wife is ill.",
        "STEP 2\n\nSent from my iPhone",
    ],
)
def test_greetings_signatures_and_banners_do_not(house: PostHouse, text: str) -> None:
    told = answer_to(house, text)
    assert "STEP 2" in told
    assert SHOWN not in told
    assert "CAUTION" not in told
    assert to_umpire(house) == []


def test_the_same_words_go_to_him_once(house: PostHouse) -> None:
    assert SHOWN in answer_to(house, "STEP 2\nI play for the love of steam.")
    told = answer_to(house, "STEP 1\nI play for the love of steam.")
    assert SHOWN not in told
    assert "These lines were not read as orders: - line 2: I play for the love of steam." in told
    assert len(to_umpire(house)) == 1


def test_a_question_of_another_turn_goes_to_him_again(house: PostHouse) -> None:
    assert SHOWN in answer_to(house, "STEP 2\nWhen is the next one due?")
    house.later(days=8)
    assert SHOWN in answer_to(house, "STEP 2\nWhen is the next one due?")
    assert len(to_umpire(house)) == 2


def test_of_a_long_letter_he_is_told_that_there_is_more(house: PostHouse) -> None:
    answer_to(house, "".join(f"This is verse {number} of a poem.\n" for number in range(30)))
    assert "The letter has 10 more lines that were not read: referee letters finds it." in to_umpire(house)[0]


def test_of_one_day_he_is_shown_so_many(house: PostHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.service.letters.prose.SHOWN_A_DAY", 3)
    for number in range(5):
        told = answer_to(house, f"STEP {1 + number % 3}\nWhat about number {number}?")
        assert (SHOWN in told) == (number < 3)
        assert f"What about number {number}?" in told
    assert len(to_umpire(house)) == 3


def test_a_late_letter_with_words_reaches_him_too(house: PostHouse) -> None:
    house.clock.advance(days=8)
    house.send(ANN, "STEP 2\nSorry, I was in hospital.")
    assert "I was in hospital" in to_umpire(house)[0]


def test_a_stranger_is_shown_to_the_umpire_and_never_answered(house: PostHouse) -> None:
    house.send(STRANGER, "Dear referee,\nmay I join?\n\n> STEP 1", subject="A question")
    (note,) = to_umpire(house)
    assert f"{STRANGER} plays in no game here, and is not answered:" in note
    assert "Subject: A question" in note
    assert "may I join?" in note
    assert "STEP" not in note
    assert house.post(UMPIRE)[0]["Reply-To"] == STRANGER
    assert house.post(STRANGER) == []


def test_of_strangers_he_is_shown_three_letters_a_day_one_of_each(house: PostHouse) -> None:
    for number in (1, 1, 2, 3, 4, 5):
        house.clock.advance(minutes=1)
        house.send(f"spam{number}@elsewhere.example", f"Buy {number} now!")
    assert [note.partition(" plays")[0][-22:] for note in to_umpire(house)] == [
        f"spam{number}@elsewhere.example"[-22:] for number in (1, 2, 3)
    ]
    house.clock.advance(days=1)
    house.send("spam5@elsewhere.example", "Buy again!")
    assert len(to_umpire(house)) == 4


@pytest.mark.parametrize(
    ("sender", "headers"),
    [
        (STRANGER, {"Auto-Submitted": "auto-replied"}),
        (STRANGER, {"List-Id": "<list.example>", "Precedence": "bulk"}),
        (UMPIRE, {}),
    ],
)
def test_machines_and_the_umpire_himself_are_not_shown(house: PostHouse, sender: str, headers: dict[str, str]) -> None:
    house.send(sender, "May I join?", **{name.replace("-", "_"): value for name, value in headers.items()})
    assert to_umpire(house) == []


def test_where_there_is_no_umpire_the_answer_says_that_nobody_reads_it(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "alone", mail__umpire="") as house:
        house.begin()
        said = " ".join(answer_to(house, "What does a mountain cost?").split())
        assert "nobody reads them: this club has named no umpire" in said
        assert "HELP, RULES, MAP, STATUS" in said
        assert SHOWN not in said
