"""Whole games with every value of every option, in every preset, at both paces, with two to six players."""

from __future__ import annotations

from itertools import product

import pytest

from referee.core.game import TOGETHER
from referee.games.volldampf import GAME
from tests.games.volldampf.recordedgames import CHOICE, FELT, PACKED, packs, recorded_game, with_pack
from tests.games.volldampf.test_whole_games import SEATS, check_game
from tests.games.volldampf.wholegame import play_game, setup_of

# Of each preset the numbers of players that are not among the recorded games (``CHOICE``, which has each one by one).
OTHERS = [
    (preset, players)
    for preset, players in product(sorted(GAME.presets), SEATS)
    if not any((preset, players) == (row[0], row[2]) for row in CHOICE)
]


@pytest.mark.parametrize(("pack", "players"), [*PACKED[:-1], pytest.param(*PACKED[-1], marks=pytest.mark.testlong)])
def test_a_recorded_game_with_a_pack_of_options_holds(pack: int, players: int) -> None:
    setup, opening, turns = recorded_game(f"pack {pack} {players}")
    check_game(setup, opening.state, turns)


@pytest.mark.testlong
@pytest.mark.parametrize(("pack", "players"), [row for row in product([0, 1, 2], SEATS) if row not in PACKED])
def test_a_whole_game_is_played_with_every_value_of_every_option(pack: int, players: int) -> None:
    setup = with_pack(pack, players)
    opening, turns = play_game(setup, f"all of pack {pack} {players}")
    check_game(setup, opening.state, turns)


def test_the_packs_hold_every_value() -> None:
    for name, values in FELT.items():
        assert {pack[name] for pack in packs()} == set(values)


@pytest.mark.testlong
@pytest.mark.parametrize(("preset", "players"), OTHERS)
def test_a_whole_game_is_played_in_every_preset_with_every_number_of_players(preset: str, players: int) -> None:
    setup = setup_of(players, preset, TOGETHER)
    opening, turns = play_game(setup, f"{preset} {players}")
    check_game(setup, opening.state, turns)
