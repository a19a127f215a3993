"""Whole games in which one player after the other is asked, and with every value of every option."""

from __future__ import annotations

import pytest

from referee.core.game import ONE_BY_ONE, TOGETHER, Option
from referee.games.volldampf import GAME
from referee.games.volldampf.options import ALLOWED
from tests.games.volldampf.test_whole_games import SEATS, check_game
from tests.games.volldampf.wholegame import play_game, setup_of


def packs() -> list[dict[str, Option]]:
    """Return sets of options in which every value of an option that lists its values comes up."""
    found: list[dict[str, Option]] = [{"income_max": 12}, {"bond_limit": 2}, {"income_max": 0}]
    for name in ALLOWED:
        for place, value in enumerate(VALUES.get(name, (False, True, False))):
            found[place % 3][name] = value
    found[0] |= {"red_passes_red": True, "must_stop": True}
    found[1] |= {"red_passes_red": False, "must_stop": False}
    return found


VALUES: dict[str, tuple[Option, ...]] = {
    "income_max": (12, 0, 0),
    "bond_limit": (0, 2, 0),
    "start_player": ("lot", "named", "lot"),
    "removed_cards": ("hidden", "shown", "hidden"),
    "bag_empty": ("skip", "owe", "owe"),
    "bond_order": ("clockwise", "turn_order", "simultaneous"),
    "half_bid_rounding": ("down", "up", "down"),
    "half_pay": ("all_between", "second_passer_only_rest_full", "second_passer_only_rest_free"),
    "opening_min": (1, 0, 0),
    "auction": ("live", "live", "limits"),
    "decline_card_when": ("at_once", "end_of_phase", "at_once"),
    "interest_penalty": ("shortfall", "whole_interest", "shortfall"),
    "steal_from": ("chosen", "random", "random"),
    "subvention_when": ("own_trip", "start_of_extra_trips", "own_trip"),
    "sabotage_scope": ("cube", "colour", "cube"),
    "sabotage_lasts": ("phase", "phase", "trip"),
    "neue_planung_phases": ("3-6", "5-6", "6"),
    "final_floor": ("none", "zero", "none"),
    "two_player_bid": ("1-5", "any", "any"),
    "two_player_tie": ("paid_and_repeat", "returned_and_repeat", "raise"),
    "press": ("open", "none", "open"),
}


@pytest.mark.long
@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("pack", [0, 1, 2])
def test_a_whole_game_is_played_with_every_value_of_every_option(pack: int, players: int) -> None:
    pace = ONE_BY_ONE if (pack + players) % 2 else TOGETHER
    setup = setup_of(players, "referee", pace, **packs()[pack])
    opening, turns = play_game(setup, f"pack {pack} {players}")
    check_game(setup, opening.state, turns)


def test_the_packs_hold_every_value() -> None:
    for name, allowed in ALLOWED.items():
        used = {pack[name] for pack in packs()}
        assert len(used) > 1
        assert all(not allowed(value) for value in used)


@pytest.mark.long
@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("preset", sorted(GAME.presets))
def test_a_whole_game_is_played_one_by_one(preset: str, players: int) -> None:
    setup = setup_of(players, preset, ONE_BY_ONE)
    opening, turns = play_game(setup, f"{preset} {players}")
    assert len(turns) > 80, "each decision is a turn"
    check_game(setup, opening.state, turns)
