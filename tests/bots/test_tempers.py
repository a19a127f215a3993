"""The built-in leaders of Dampfross are not of one mind: their companies go to different parts of the map."""

import json
from itertools import combinations, product
from typing import Any

import msgspec
import pytest

from referee.bots import SECOND
from referee.bots.dampfross import write_orders
from referee.bots.dampfross.building import guessed_homes
from referee.bots.dampfross.division import points_alone, shares_of
from referee.bots.dampfross.seeing import LEAST, TEMPERS, Mind, Same, dream_of, leaning
from referee.bots.dampfross.trains import pacts_of
from referee.core import SeededDice, cheapest_tree, distance, way_to
from referee.core.agreement import BUILT_IN
from referee.games.dampfross import GAME
from referee.games.dampfross.board.mapfile import board_of
from referee.games.dampfross.state import State
from tests.games.dampfross.wholegame import CODES, play_game, setup_of

IRELAND = board_of(GAME.board_text("ireland"), "ireland")
TOWNS = tuple(station.hex for station in IRELAND.stations)
HOMES = IRELAND.homes["any"]


def test_tempers_and_homes_are_drawn_by_the_game_not_by_the_seat() -> None:
    """Of five companies no two are alike; in ten games every seat starts in either home."""
    state: State = GAME.lay_out(setup_of(5))
    drawn = [Mind(state=state, company="", strength=SECOND, lot=str(lot)) for lot in range(10)]
    for mind in drawn:
        assert {msgspec.structs.replace(mind, company=code).temper for code in CODES[:5]} == set(TEMPERS)
    homes = {(code, home) for mind in drawn for code, home in guessed_homes(mind).items()}
    assert homes == set(product(CODES[:5], HOMES))


def test_everybody_dreams_of_another_town_far_from_home() -> None:
    dreams = [dream_of(TOWNS, HOMES, place) for place in range(6)]
    assert all(distance(one, other) >= 8 for one, other in combinations(dreams, 2))
    assert all(distance(home, dream) >= 8 for home in HOMES for dream in dreams)


def test_a_town_on_the_way_to_the_dream_is_worth_more_than_one_behind() -> None:
    home, dream = "AB18", "AB28"
    on_the_way, aside, behind = (leaning(TEMPERS[0], home, town, dream) for town in ("AB22", "X18", "AB14"))
    assert on_the_way > aside > behind >= LEAST
    assert leaning(TEMPERS[0], home, home, dream) == 100


def test_no_two_companies_open_alike_though_they_share_their_homes() -> None:
    setup = setup_of(5)
    state: State = GAME.start(GAME.lay_out(setup), SeededDice("tempers/0")).state
    seen: dict[str, Any] = json.loads(json.dumps(GAME.view(state, None)))
    opened = {code: write_orders(state, seen, code) for code in CODES[:5]}
    assert len({lines[0] for lines in opened.values()}) == 2, "homes"
    assert len(set(opened.values())) == 5


def test_who_may_find_a_home_taken_names_others_too() -> None:
    """Two of four companies have room in each home of Kentucky & Tennessee; in Ireland there is room for all."""
    for board, others in (("kentucky_tennessee", 1), ("ireland", 0)):
        state: State = GAME.start(GAME.lay_out(setup_of(4, board)), SeededDice("tempers/0")).state
        seen: dict[str, Any] = json.loads(json.dumps(GAME.view(state, None)))
        homes = [write_orders(state, seen, code)[0] for code in CODES[:4]]
        assert [home.count(" OR ") for home in homes] == [others] * 4
        assert len({home.partition(" OR ")[0] for home in homes}) == 2


@pytest.mark.parametrize("phase", ["build", "race"])
def test_who_leads_david_first_alone_names_davids_home(phase: str) -> None:
    state: State = GAME.start(GAME.lay_out(setup_of(2, preset="laurin")), SeededDice("tempers/0")).state
    home = dict.fromkeys(CODES[:2], HOMES[0]) if phase == "race" else {}
    state = state.but(phase=phase, home=home)
    seen: dict[str, Any] = json.loads(json.dumps(GAME.view(state, None)))
    named = {code: "HOME" in " ".join(write_orders(state, seen, code)).partition("DAVID")[2] for code in CODES[:2]}
    assert named == {CODES[0]: True, CODES[1]: False}


@pytest.mark.parametrize("companies", [3, pytest.param(4, marks=pytest.mark.testlong)])
def test_companies_do_not_follow_each_other(companies: int) -> None:
    """When the races of three games begin, less than one side in eight was laid twice; of one temper they laid one in four to
    six twice.
    """
    owners: list[tuple[str, ...]] = []
    for seed in ("tempers", "a", "b"):
        _, turns = play_game(setup_of(companies), seed)
        owners += next(turn.before.track for turn in turns if turn.before.phase != "build").values()
    assert 8 * sum(len(each) > 1 for each in owners) < len(owners)


def test_five_share_out_the_towns_of_russia_so_that_none_builds_much_more() -> None:
    """Built in their order, from Moskwa, the dearest of five shares costs 46 points: 13 throws."""
    state: State = GAME.lay_out(setup_of(5, "russia", preset="schmidt"))
    (home,) = state.board.homes["any"]
    begun = frozenset({home})
    state = state.but(home=dict.fromkeys(state.codes, home), reached=dict.fromkeys(state.codes, begun), connected=begun)
    shares, land = shares_of(Same(state), state.codes), points_alone(state.board, state.options).__getitem__
    assert sorted(town for share in shares.values() for town in share) == sorted({*state.board.station_at} - {home})
    for share in shares.values():
        built, cost = {home}, 0
        for town in share:
            tree = cheapest_tree(sorted(built), land)
            built.update(way_to(tree, town))
            cost += tree[town][0]
        assert cost <= 460


def test_people_are_asked_for_joint_runs_after_built_in_players() -> None:
    """Of four in a game's races two are people; these are asked for what two built-in players leave."""
    _, turns = play_game(setup_of(4, "ireland"), "tempers")
    kinds = []
    for state in (turn.before for turn in turns if turn.before.phase == "race"):
        names = (f"{BUILT_IN} A", f"{BUILT_IN} B", "Cyd", "Dan")
        players = tuple(each.but(name=name) for each, name in zip(state.table.players, names, strict=True))
        made = pacts_of(Same(state.but(table=state.table.but(players=players))), 4)
        kinds.append([sum(code in CODES[:2] for code in train.companies) for _, train in made])
    assert all(each == sorted(each, reverse=True) for each in kinds)
    assert {kind for each in kinds for kind in each} == {1, 2}
