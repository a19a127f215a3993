"""A turn whose orders are missing at its deadline: given more time, held over, played without, or left to the umpire."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from referee.service.club.duetimes import Rhythm
from referee.service.deadlines import rescheduling
from referee.service.deadlines.missing import policy
from referee.store import games
from referee.store.games import acts
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, text_of
from tests.service.test_tick import in_children

WEEK: dict[str, Any] = {"days": 7, "missing": "extend", "extension": 3, "stop_from": 2}


def due(house: PostHouse) -> str:
    deadline = games.game(house.club.db, "RR1").deadline
    return f"{deadline:%a %d %H:%M}" if deadline else "none"


def test_a_turn_is_extended_once_and_then_played_without_one_who_is_missing(house: PostHouse) -> None:
    house.game(rhythm=WEEK)
    house.write(ANN, "STEP 2")
    assert house.later(days=7, hours=8, minutes=11).turns == ()
    assert due(house) == "Thu 17 20:00"
    (told,) = house.post(BOB, "Turn 1: more time")
    assert "Orders came from:   ANN\nMissing:            BOB\n" in text_of(told)
    assert "From you nothing has come." in text_of(told)
    moved = "The deadline was: Monday 14 December 2026, 20:00 UTC\n"
    assert f"{moved}Deadline: Thursday 17 December 2026, 20:00 UTC" in text_of(told)
    (told,) = house.post(ANN, "Turn 1: more time")
    assert "Yours are on file and stand." in text_of(told)
    (told,) = house.post(UMPIRE, "orders are missing")
    assert "Turn 1 was not played at its deadline" in text_of(told)
    assert f"{moved}\nIn:         ANN\nMissing:    BOB\n" in text_of(told)
    assert house.tick().turns == ()
    assert house.later(days=3).turns == ("RR1/1",)
    (told,) = house.post(UMPIRE, "though orders are still missing")
    assert "Missing:    BOB\n" in text_of(told)
    assert due(house) == "Mon 21 20:00"


def test_nobody_is_refused_as_late_while_the_turn_waits_for_orders(house: PostHouse) -> None:
    """The same pass would refuse his letter and tell him that there is more time. Rule: once all are in, late is late."""
    house.game(rhythm=WEEK)
    house.write(ANN, "STEP 2")
    house.clock.advance(days=7, hours=9)
    assert house.send(BOB, "STEP 3").turns == ("RR1/1",)
    assert house.post(BOB, "not taken") == []
    house.write(BOB, "STEP 1")
    house.clock.advance(days=7)
    house.write(ANN, "STEP 1")
    assert house.send(ANN, "STEP 2").turns == ("RR1/2",)
    assert len(house.post(ANN, "not taken")) == 1


def test_orders_that_come_in_the_extension_count_and_the_turn_is_played_early(house: PostHouse) -> None:
    house.game(rhythm=WEEK)
    house.write(ANN, "STEP 2")
    house.later(days=7, hours=9)
    house.clock.advance(hours=5)
    assert house.send(BOB, "STEP 3").turns == ("RR1/1",)
    assert house.post(UMPIRE, "still missing") == []


def test_a_turn_is_held_over_to_the_next_deadline_of_the_calendar(house: PostHouse) -> None:
    house.game(rhythm={**WEEK, "missing": "hold-over", "closed": "12-20..12-22"})
    house.write(ANN, "STEP 2")
    assert house.later(days=7, hours=9).turns == ()
    assert due(house) == "Wed 23 20:00"
    (told,) = house.post(ANN, "Turn 1 is held over")
    assert "Turn 1 is held over for everybody" in text_of(told)
    assert [(act.kind, act.actor, json.loads(act.parameters)) for act in acts(house.club.db, "RR1")] == [
        ("hold-over", "referee", {"after": "2026-12-23T20:00:00.000000Z", "missing": ["BOB"]})
    ]


def test_a_game_waits_for_the_umpire_if_too_many_are_still_missing(house: PostHouse) -> None:
    house.game(rhythm=WEEK)
    house.later(days=7, hours=9)
    assert house.later(days=3).turns == ()
    assert due(house) == "none"
    (told,) = house.post(BOB, "Turn 1 waits for orders")
    assert "Orders came from:   nobody\nMissing:            ANN and BOB\n" in text_of(told)
    assert "There is no deadline: the turn is played when everybody's orders are in." in text_of(told)
    (told,) = house.post(UMPIRE, "waits for these orders, or for you")
    assert "referee play RR1 1" in text_of(told)
    assert house.later(days=40).turns == ()
    assert house.send(ANN, "STEP 2").turns == ()
    assert house.send(BOB, "STEP 2").turns == ("RR1/1",)
    assert house.later(days=7, hours=9).turns == ()  # the next turn is given more time anew
    assert games.game(house.club.db, "RR1").extended == 1


def test_the_umpire_decides_on_a_game_that_waits(house: PostHouse) -> None:
    house.game(rhythm=WEEK)
    for days in (7, 3):
        house.later(days=days, hours=9)
    rescheduling.order_play(house.club, "RR1", 1)
    assert house.tick().turns == ("RR1/1",)
    assert house.post(UMPIRE, "still missing after") != []
    assert house.post(UMPIRE, "though orders are still missing") == []


def test_orders_with_errors_are_no_missing_orders(house: PostHouse) -> None:
    house.game(rhythm=WEEK)
    house.write(ANN, "STEP 9")
    house.write(BOB, "PASS")
    assert house.later(days=7, hours=9).turns == ("RR1/1",)


def test_with_fewer_missing_than_the_game_says_the_turn_is_played(house: PostHouse) -> None:
    house.game(rhythm={**WEEK, "missing_from": 2})
    house.write(ANN, "STEP 2")
    assert house.later(days=7, hours=9).turns == ("RR1/1",)


def test_a_power_cut_gives_no_time_twice(house: PostHouse) -> None:
    house.game(rhythm=WEEK)
    house.clock.advance(days=7, hours=9)
    (ended,) = in_children(1, lambda: house.tick_again("missing:telling"))
    assert ended
    assert due(house) == "Mon 14 20:00"
    house.tick()
    assert due(house) == "Thu 17 20:00"
    assert len(house.post(BOB, "Turn 1: more time")) == 1


RHYTHM = Rhythm(days=7, weekday="", hour="20:00", zone="UTC", missing="hold-over", missing_from=2, stop_from=3)


@pytest.mark.parametrize(
    ("missing", "extended", "umpire", "chosen"),
    [
        (0, 0, True, "play"),
        (1, 0, True, "play"),
        (2, 0, True, "hold-over"),
        (2, 1, True, "play"),
        (3, 1, True, "wait"),
        (3, 1, False, "play"),
        (3, 2, True, "wait"),
    ],
)
def test_the_policy(missing: int, extended: int, umpire: bool, chosen: str) -> None:
    assert policy(RHYTHM, missing, extended, umpire=umpire) == chosen


@pytest.mark.parametrize(
    ("extended", "standbys", "chosen"),
    [(0, 2, "hold-over"), (1, 1, "stand-by"), (2, 1, "stand-by"), (1, 0, "wait"), (0, 0, "hold-over")],
)
def test_the_policy_with_stand_bys(extended: int, standbys: int, chosen: str) -> None:
    rhythm = replace(RHYTHM, missing="stand-by")
    assert policy(rhythm, 3, extended, umpire=True, standbys=standbys) == chosen
