"""Price lists: what the options and the board of a game make of them, in the words of letters."""

import json
import tomllib
from collections.abc import Mapping
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import pytest

from referee.core import OptionError, neighbours, side
from referee.core.game import Game, Option, Player, Setup
from referee.games.dampfross import GAME as DAMPFROSS
from referee.games.dampfross.board import MOUNTAIN
from referee.games.dampfross.board.mapfile import board_of
from referee.games.dampfross.costs import points_of
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.report.sentences import Sentences
from referee.resources import template_folders
from tests.tinygame import GAME as TINY

DICE: dict[str, Option] = {"race_schedule": "dice", "specials": "numbers", "races_per_turn": 2, "race_building": "none"}
TARGET: dict[str, Option] = {**DICE, "game_ends": "target"}


def setup_of(game: Game, players: int, board: str, **options: Option) -> Setup:
    codes = ("ANN", "BOB", "CID", "DOT", "EVE", "FAY")[:players]
    pairs = game is DAMPFROSS and players == 2 and options.get("two_players") != "david"
    seats = [
        Player(
            code=code,
            colour=game.colours[n],
            name=code,
            second_code=f"{code}2" if pairs else "",
            second_colour=game.colours[n + 2] if pairs else "",
        )
        for n, code in enumerate(codes)
    ]
    text = board if board.startswith("{") else game.board_text(board)
    return Setup(
        game=game.name,
        board_name=board[:20],
        board=text,
        preset=game.default_preset,
        options=tuple(options.items()),
        players=tuple(seats),
    )


def told(game: Game, setup: Setup) -> list[str]:
    """Return the list as letters have it; what has no words fails."""
    words = Sentences(template_folders(game.name, None), NullTranslations(), strict=True)
    found = game.prices(setup)
    assert all(words.word("prices", price.part) for price in found)
    return [words.price(price) for price in found]


def test_the_list_of_a_postal_game_in_bavaria() -> None:
    assert told(DAMPFROSS, setup_of(DAMPFROSS, 4, "bavaria")) == [
        "plain to plain, cities too: 1 [D2.3]",
        "plain to mountain, or down again: 3 [D2.3]",
        "mountain to mountain: 5 [D2.3]",
        "a river on the hex-side: +2 [D2.3]",
        "a foreign area: as at home, but your line ends in the first hex [D2.6]",
        "joining or crossing a rival's track in a hex, once for each hex: 1 [D3.2]",
        "beside a rival's track, for each half-hex: 2 [D3.3]",
        "beside a rival's track from city to neighbouring city, in all: 3 [D3.4]",
        "in cities and abroad: 0 [D3.4]",
        "every account begins with: 20 [D1.2]",
        "the first track into a city: 6 [D3.1]",
        "a city where a company starts pays nobody [D3.1]",
        "cities go on paying when the races have begun [D3.1]",
        "each hex of a rival's track that you touch, to its owner: 1 (so two for a single hex-side) [D6.3]",
        "at most to one rival in a race, else the train does not run: 10 [D6.4]",
        "a train whose tolls the account cannot pay does not run [D6.3]",
        "first and second prize: 20, 10 [D6.7]",
        "a train without rivals: 20 [D6.8]",
        "after each round of races but the last, track for so many points, paid in units: 20 [D7.1]",
        "a hex: 1 [D6.6]",
        "a climb, from a hex that is no mountain onto one: 2 [D6.6]",
    ]


def test_the_list_of_a_game_of_volldampf_by_post() -> None:
    assert told(VOLLDAMPF, setup_of(VOLLDAMPF, 4, "deutschland-1925")) == [
        "everybody begins with: 10 [V2.1]",
        "for each point of bonds you get: 6 [V3.3.1]",
        "interest on each point, every round: 1 [V3.3.2]",
        "for each mark of interest that you cannot pay, spaces back: 1 [V3.7.2]",
        "each point of bonds, off your score at the end: 1 [V5.2]",
        "least opening bid, in marks: 1 [V3.4.1]",
        "sequence card\N{NO-BREAK SPACE}1 and 2: your whole bid [V3.4.3]",
        "sequence card\N{NO-BREAK SPACE}3: half your bid, rounded down [V3.4.3]",
        "sequence card\N{NO-BREAK SPACE}4: nothing [V3.4.3]",
        "a link, as printed: 3 to 10 [V3.5.1]",
        "any link with Günstige Gelegenheit: 5 [V4.5]",
        "a card without building: 0 [V3.5.2]",
        "most links: 6 [V3.6.2]",
        "most links with Schnelle Lok: 7 [V4.3]",
        "each section used, spaces on for its owner: 1 [V3.6.4]",
        "each space of your locomotive, marks every round: 1 [V3.7.1]",
        "no delivery, action cards, from round 2 on: 1 [V3.6.5]",
    ]


CASES: Mapping[str, list[dict[str, Any]]] = tomllib.loads(Path(__file__).with_name("prices.toml").read_text("utf-8"))

# What these say is no price.
WITHOUT_PRICE = {
    "dampfross": {
        "order_of_building", "rolls_per_round", "roll", "roll_per", "building_ends", "homes", "race_schedule", "races",
        "specials", "shortest_race", "redraw", "entries", "races_per_turn", "own_share", "race_build_order", "two_players",
        "grid",
    },
    "volldampf": {
        "start_player", "money_visible", "removed_cards", "bag_empty", "bond_order", "auction", "build_connected",
        "must_stop", "red_passes_red", "own_link_needed", "decline_card_when", "route_needed", "hands_open", "steal_from",
        "subvention_when", "subvention_stack", "sabotage_scope", "sabotage_lasts", "neue_planung_phases", "final_floor",
        "press",
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("game", "board", "case"),
    [
        *((DAMPFROSS, "bavaria", case) for case in CASES["dampfross"]),
        *((VOLLDAMPF, "deutschland-1925", case) for case in CASES["volldampf"]),
    ],
    ids=lambda each: str(each["set"]) if isinstance(each, dict) else "",
)
def test_an_option_changes_its_price(game: Game, board: str, case: dict[str, Any]) -> None:
    beside = case.get("beside", {})
    before, after = (
        told(game, setup_of(game, case.get("players", 4), board, **options))
        for options in (beside, beside | case["set"])
    )
    assert [line for line in before if line not in after] == case["gone"]
    assert [line for line in after if line not in before] == case["come"]


def test_every_option_is_a_price_that_is_tested_or_none() -> None:
    tested = {game: {name for case in cases for name in case["set"]} for game, cases in CASES.items()}
    for game in (DAMPFROSS, VOLLDAMPF):
        options = set(game.presets[game.default_preset])
        assert options == tested[game.name] | WITHOUT_PRICE[game.name]
        assert tested[game.name] & WITHOUT_PRICE[game.name] == set()


def test_with_two_players_the_target_is_a_players_and_there_are_four_trains() -> None:
    lines = told(DAMPFROSS, setup_of(DAMPFROSS, 2, "ireland", **TARGET, prizes="shared"))
    assert "the game is over when a player has: 250 [D9]" in lines
    assert lines.count("prizes with 4 trains: 13, 8, 5, 4 [D6.9]") == 1
    assert not any("5 trains" in line for line in lines)


def test_a_map_adds_what_it_has_and_leaves_out_what_it_has_not() -> None:
    sketch = {
        "cells": "11 12 . . . 13\n . . . 14 . .",
        "names": {"A1": "Aber"},
        "home_terminals": {"any": ["Aber"]},
        "bonus": {"F1": 3, "D2": 0},
        "river": [{"name": "Tay", "edges": "D1-D2", "wide": "C1-C2"}],
        "priced": [{"points": 9, "edges": "E1-E2"}],
        "bridge": [{"name": "Tay", "edges": "B1-C1", "points": 8, "toll": 2, "single": True}],
        "causeway": [{"name": "Causeway", "edges": "E2-F2"}],
        "ferry": [{"name": "Holyhead", "ends": "A2-C2", "points": 6, "toll": 4, "owners": 2, "moves": 3}],
    }
    lines = told(DAMPFROSS, setup_of(DAMPFROSS, 3, json.dumps(sketch)))
    assert "mountain to mountain: 5 [D2.3]" not in lines
    for line in [
        "a river on the hex-side: +2 [D2.3]",
        "a wide river: +4 [D2.3]",
        "hex-sides with a price of their own, in full: 9, as the map shows [D2.3]",
        "the bridge Tay, for one company alone, in full: 8 [D2.3]",
        "the causeway Causeway: 0, and no fees [D2.3]",
        "the ferry Holyhead, for 2 at the most: 6 [D2.3]",
        "instead of that, Tay: 2 [D6.3]",
        "instead of that, Holyhead: 4 [D6.3]",
        "the ferry Holyhead: 3 [D6.6]",
    ]:
        assert line in lines


@pytest.mark.parametrize("costs", ["standard", "rostherne-3"])
@pytest.mark.parametrize("name", DAMPFROSS.boards())
def test_every_hex_side_of_every_map_costs_what_the_list_says(name: str, costs: str) -> None:
    setup = setup_of(DAMPFROSS, 3, name, costs=costs)
    price = {each.what: each.amounts[0] for each in DAMPFROSS.prices(setup) if each.part == "building" and each.amounts}
    board = board_of(setup.board, name)
    seen = 0
    for start in board.ground:
        for end in neighbours(start):
            crossing = side(start, end)
            if end not in board.ground or crossing in {*board.closed, *board.bridges, *board.prices}:
                continue
            hills = sum(board.ground[label] == MOUNTAIN for label in (start, end))
            river = {0: "", 2: "river", 4: "wide-river"}[board.rivers.get(crossing, 0)]
            alone = f"{river}-plain"
            more = price.get(river, price.get(alone, 0) if not hills else 0) if river else 0
            assert points_of(board, costs, start, end) == price[("plain", "slope", "mountain")[hills]] + more
            seen += 1
    assert seen > 500


def test_a_game_without_prices_has_an_empty_list() -> None:
    assert TINY.prices(setup_of(VOLLDAMPF, 2, "deutschland-1925")) == ()


@pytest.mark.parametrize(("game", "board"), [(DAMPFROSS, "ireland"), (VOLLDAMPF, "deutschland-1925")])
def test_a_pace_that_there_is_not_names_those_there_are(game: Game, board: str) -> None:
    with pytest.raises(OptionError, match="pace 'slow' is not one of together, one-by-one"):
        game.lay_out(setup_of(game, 3, board).but(pace="slow"))
