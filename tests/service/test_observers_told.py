"""Who watches a game is told what its players are told about deadlines and turns that do not count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.service.deadlines.rescheduling import hold, resume, set_deadline
from referee.service.post.observers import watch_code
from referee.service.seats import replace_player
from referee.service.umpire.rulings import undo
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of, text_of

EVE = "eve@example.com"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    with PostHouse(tmp_path / "club", identity__policy="token", deadlines__downtime_hold=24) as made:
        made.begin(rhythm={"days": 7, "missing": "hold-over"})
        made.send(EVE, f"WATCH {watch_code(made.club, 'RR1')}")
        made.reply(made.post(EVE)[0], "CONFIRM")
        yield made


def played(house: PostHouse) -> None:
    for player in (ANN, BOB):
        house.answer(house.last(player), "STEP 1")
    house.tick()
    undo(house.club, "RR1", 1, "My mistake.")


def held_over(house: PostHouse) -> None:
    for _ in range(9):
        house.later(hours=21)


def stopped(house: PostHouse) -> None:
    hold(house.club, "RR1", "Holidays.")
    resume(house.club, "RR1")


def out_of_order(house: PostHouse) -> None:
    house.later(days=7)


def resigned(house: PostHouse) -> None:
    house.answer(house.last(BOB), "RESIGN FOR GOOD")


def replaced(house: PostHouse) -> None:
    replace_player(house.club, "RR1", "BOB", "Cecil <cecil@example.com>", "Bob has no time.")


ACTS: dict[str, tuple[Callable[[PostHouse], object], str]] = {
    "deadline": (lambda house: set_deadline(house.club, "RR1", "2026-12-30 20:00", "Exams."), "a new deadline"),
    "stopped": (stopped, "The game goes on, where it was stopped."),
    "held over": (held_over, "is held over for everybody"),
    "postponed": (out_of_order, "the deadline was moved."),
    "resigned": (resigned, "Bob has resigned and plays BOB no longer"),
    "replaced": (replaced, "Cecil plays BOB from now on, in the place of Bob"),
    "undone": (played, "The umpire has undone turn 1"),
}


@pytest.mark.parametrize("act", ACTS)
def test_observers_are_told_what_players_are(house: PostHouse, act: str) -> None:
    does, words = ACTS[act]
    does(house)
    house.tick()
    (told,) = [each for each in house.post(EVE) if words in line_of(each)]
    assert any(each["Subject"].endswith(str(told["Subject"])[6:]) for each in house.post(ANN))
    assert "Your" not in text_of(told)
    assert "ORDERS" not in text_of(told)
    house.send(
        EVE,
        "",
        subject="unsubscribe",
        To=str(told["List-Unsubscribe"]).strip("<>").removeprefix("mailto:").partition("?")[0],
    )
    assert not house.rows("SELECT * FROM observers WHERE ended_at IS NULL")


def test_the_umpire_is_sent_each_newsletter_with_what_everybody_may_see(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "club", mail__umpire_newsletters=True) as house:
        house.game()
        house.write(ANN, "STEP 1")
        house.send(BOB, "STEP 1")
        opening, letter = house.post(UMPIRE)
        assert opening["Subject"] == "[RR1] the race opens"
        assert "Hello" not in text_of(opening)
        assert letter["Subject"] == "[RR1] turn 1"
        assert "ANN stands on" in text_of(letter)
        assert "To send orders" not in text_of(letter)
