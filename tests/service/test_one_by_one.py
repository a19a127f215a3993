"""Games in which one player after the other is asked: each asked decision is a turn of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.service.audit.replay import replay
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Proposal, parse_player
from referee.service.umpire.overview import standing
from tests.posthouse import ANN, BOB, PostHouse


@pytest.fixture
def asking(house: PostHouse) -> PostHouse:
    """A race in which Ann is asked first, then Bob, then Ann again."""
    house.begin(pace="one-by-one")
    return house


def filed(house: PostHouse) -> list[str]:
    return [row["player"] for row in house.rows("SELECT player FROM order_sets ORDER BY id")]


def test_a_turn_awaits_the_one_who_is_asked_and_is_told_to_all(asking: PostHouse) -> None:
    for turn, player in ((1, ANN), (2, BOB), (3, ANN)):
        assert asking.send(player, f"ORDERS RR1 {turn}\nSTEP 1\nEND").turns == (f"RR1/{turn}",)
        for reader in (ANN, BOB):
            assert str(asking.last(reader)["Subject"]) == f"[RR1] turn {turn}"
            assert "missing: Deadline" in asking.told(reader)
    assert [each.differs for each in replay(asking.club, "RR1")] == [()] * 4


def test_only_the_one_who_is_asked_reads_how_to_order(asking: PostHouse) -> None:
    assert "To send orders, answer this letter." in asking.told(ANN)
    assert "Orders for turn 1 are awaited from ANN; you are asked when it is your turn." in asking.told(BOB)
    assert "Orders for turn 2 are awaited from BOB" in asking.says(ANN, "STEP 1")
    assert "To send orders, answer this letter." in asking.told(BOB)


@pytest.mark.parametrize(
    "text", ["STEP 1", "ORDERS RR1 1\nSTEP 1\nEND", "ORDERS RR1 1\nEND", "PASS", "CLEAR", "CONFIRM"]
)
def test_orders_of_another_are_answered_with_whose_turn_it_is_and_not_filed(asking: PostHouse, text: str) -> None:
    assert asking.send(BOB, text).turns == ()
    assert filed(asking) == []
    answer = asking.told(BOB)
    assert "Not in order: - it is not your turn: ANN is asked now" in answer
    assert "Orders for turn 1 are awaited from ANN" in answer
    assert "Monday 14 December 2026, 20:00" in answer
    assert "Your orders are in." not in answer
    assert "Nothing is on file" not in answer
    assert "To send orders" not in answer


def test_what_another_writes_beside_orders_counts(asking: PostHouse) -> None:
    asking.write(BOB, "STEP 1\nPRESS: Hurry up!\nEND PRESS\n")
    assert asking.send(ANN, "STEP 1").turns == ("RR1/1",)
    assert "Hurry up!" in asking.told(ANN)
    assert filed(asking) == ["ANN"]


def test_a_letter_without_orders_needs_no_turn(asking: PostHouse) -> None:
    assert "it is not your turn" not in asking.says(BOB, "PRESS: All is well.")
    assert "All is well." in asking.told(BOB)


def test_each_decision_has_a_deadline_of_the_rhythm_and_only_its_player_can_miss_it(asking: PostHouse) -> None:
    assert asking.later(days=7, hours=8, minutes=11).turns == ("RR1/1",)
    assert "missing: ANN Deadline: Monday 21 December 2026, 20:00" in asking.told(BOB)
    assert asking.later(days=7).turns == ("RR1/2",)
    assert "missing: BOB Deadline: Monday 28 December 2026, 20:00" in asking.told(BOB)


def test_the_early_delay_counts_from_the_last_change_of_the_one_who_is_asked(tmp_path: Path) -> None:
    with PostHouse(tmp_path / "patient", deadlines__early_delay=12) as house:
        house.game(pace="one-by-one")
        assert house.send(ANN, "STEP 1").turns == ()
        house.clock.advance(hours=11)
        assert house.send(BOB, "STEP 1").turns == ()
        assert house.later(hours=1).turns == ("RR1/1",)


def test_the_status_names_the_one_who_is_asked(asking: PostHouse) -> None:
    before = standing(asking.club, "RR1")
    assert (before.asked, before.orders) == (("ANN",), {"ANN": "missing", "BOB": "nothing owed"})
    asking.send(ANN, "STEP 1")
    assert standing(asking.club, "RR1").asked == ("BOB",)
    status = asking.command("status").stdout
    assert "UTC, BOB asked\n" in status


def test_dampfross_is_played_so_by_mail(house: PostHouse) -> None:
    players = tuple(
        parse_player(f"{code}:{colour}:{code.title()} <{code.lower()}@example.org>")
        for code, colour in (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"))
    )
    options = (("order_of_building", "in-turn"),)
    proposal = Proposal(kind="dampfross", board="ireland", players=players, pace="one-by-one", options=options)
    new_game(house.club, proposal, root="root of the chain")
    for _ in range(3):
        before = standing(house.club, "RR1")
        (asked,) = before.asked
        other = next(code for code in before.orders if code != asked)
        assert house.send(f"{other.lower()}@example.org", "ORDERS RR1\nHOME Dublin\nEND").turns == ()
        assert f"it is not your turn: {asked} is asked now" in house.told(f"{other.lower()}@example.org")
        assert house.send(f"{asked.lower()}@example.org", "ORDERS RR1\nHOME Dublin\nEND").turns == (
            f"RR1/{before.turn}",
        )
    assert [each.differs for each in replay(house.club, "RR1")] == [()] * 4
