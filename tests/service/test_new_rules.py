"""A running game after the program's rules have changed: it waits for the umpire, who has its turns played again first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from referee.core.dice import Dice
from referee.core.errors import ConfigError
from referee.core.game import Outcome
from referee.service.audit.replay import replay
from referee.service.audit.verify import verify_game
from referee.service.doctor.database import database_findings
from referee.service.umpire.rulings import move_on
from referee.store.games import acts
from tests import tinygame
from tests.posthouse import ANN, BOB, UMPIRE, PostHouse, line_of


@pytest.fixture
def house(tmp_path: Path) -> Iterator[PostHouse]:
    """A game of which a turn was played by version 1 of the rules."""
    with PostHouse(tmp_path / "club") as made:
        made.begin()
        assert order(made, 1) == ("RR1/1",)
        yield made


def order(house: PostHouse, length: int) -> tuple[str, ...]:
    """Have both order a step, and return what is played."""
    for player in (ANN, BOB):
        house.clock.advance(minutes=1)
        house.answer(house.last(player), f"STEP {length}")
    return house.tick().turns


def version_2(**changes: Any) -> Any:
    return patch.object(tinygame, "GAME", replace(tinygame.GAME, rules=2, **changes))


def faster(state: tinygame.State, orders: Mapping[str, tuple[Any, ...]], dice: Dice) -> Outcome:
    longer = {code: tuple(replace(each, length=each.length + 1) for each in own) for code, own in orders.items()}
    return tinygame.adjudicate(state, longer, dice)


def waiting(house: PostHouse) -> list[str]:
    return [each.text for each in database_findings(house.club.config, house.clock.now) if "its rules" in each.text]


def test_a_game_whose_turns_come_out_alike_is_moved_on_by_the_umpire(house: PostHouse) -> None:
    with version_2():
        assert waiting(house) == ["turns of RR1 were played by another version of its rules, and it waits"]
        assert order(house, 2) == ()
        assert house.tick().turns == ()
        (letter,) = house.post(UMPIRE, "could not be played")
        said = line_of(letter)
        assert "turn 1 of RR1 was played by version 1 of the rules of tinyrace, this program has version 2" in said
        assert "`referee game rules RR1`" in said
        assert move_on(house.club, "RR1", replay(house.club, "RR1"), "") == (1, 2)
        assert waiting(house) == []
        assert house.tick().turns == ("RR1/2",)
        assert move_on(house.club, "RR1", replay(house.club, "RR1"), "") is None
        assert [each.kind for each in acts(house.club.db, "RR1")] == ["rules"]
        assert [turn["rules"] for turn in house.rows("SELECT rules FROM turns ORDER BY turn")] == [1, 1, 2]
        assert verify_game(house.club, "RR1").faults == ()


def test_one_whose_turns_come_out_otherwise_goes_on_with_a_reason_that_all_read(house: PostHouse) -> None:
    with version_2(adjudicate=faster):
        with pytest.raises(ConfigError, match="by version 2 of the rules turn 1 comes out otherwise than it was told"):
            move_on(house.club, "RR1", replay(house.club, "RR1"), "")
        assert acts(house.club.db, "RR1") == ()
        move_on(house.club, "RR1", replay(house.club, "RR1"), "Steps were too short: they are right from now on.")
        assert order(house, 2) == ("RR1/2",)
        assert "Steps were too short: they are right from now on." in house.told(BOB, "turn 2")
        assert verify_game(house.club, "RR1").faults == ()


def test_the_command_says_what_it_did(house: PostHouse) -> None:
    done = house.command("game", "rules", "RR1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "RR1 is played by version 1 of the rules of tinyrace, that of this program: nothing to do\n"
    assert "there is no game RR9" in house.command("game", "rules", "RR9").stderr
