"""Whole games in which one player after the other is asked, and with every value of every option."""

from __future__ import annotations

import pytest

from referee.core.game import ONE_BY_ONE, TOGETHER, Option
from referee.games.volldampf import GAME
from tests.games.volldampf.optionvalues import VALUES
from tests.games.volldampf.test_whole_games import SEATS, check_game
from tests.games.volldampf.wholegame import play_game, setup_of

# Of a number a value that is felt in a game, and none.
FELT: dict[str, tuple[Option, ...]] = {**VALUES, "income_max": (12, 0), "bond_limit": (0, 2)}


def packs() -> list[dict[str, Option]]:
    """Return three sets of options in which every value of an option that lists its values comes up."""
    found: list[dict[str, Option]] = [
        {name: values[place % len(values)] for name, values in FELT.items()} for place in range(3)
    ]
    # The one is an exception to the other: what contradicts itself is not played.
    for place, passes in enumerate((True, False, False)):
        found[place] |= {"red_passes_red": passes, "must_stop": place != 1}
    return found


@pytest.mark.long
@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("pack", [0, 1, 2])
def test_a_whole_game_is_played_with_every_value_of_every_option(pack: int, players: int) -> None:
    pace = ONE_BY_ONE if (pack + players) % 2 else TOGETHER
    setup = setup_of(players, "referee", pace, **packs()[pack])
    opening, turns = play_game(setup, f"pack {pack} {players}")
    check_game(setup, opening.state, turns)


def test_the_packs_hold_every_value() -> None:
    for name, values in FELT.items():
        assert {pack[name] for pack in packs()} == set(values)


@pytest.mark.long
@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("preset", sorted(GAME.presets))
def test_a_whole_game_is_played_one_by_one(preset: str, players: int) -> None:
    setup = setup_of(players, preset, ONE_BY_ONE)
    opening, turns = play_game(setup, f"{preset} {players}")
    assert len(turns) > 80, "each decision is a turn"
    check_game(setup, opening.state, turns)
