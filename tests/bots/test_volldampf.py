"""The built-in player of Volldampf: it knows what is mailed to it, and no more."""

import json
from typing import Any

import pytest

from bench.bots import BEFORE
from referee.bots import FIRST, SECOND, THIRD
from referee.bots.volldampf import answer, choose_orders
from referee.bots.volldampf.building import LinkGains
from referee.bots.volldampf.seeing import Viewpoint, position_of
from referee.core.game import ONE_BY_ONE, TOGETHER
from referee.games.volldampf import GAME
from referee.games.volldampf.board import SUBVENTION
from referee.games.volldampf.state import DECLINED, Move, State
from tests.bots.test_strengths import figures
from tests.games.lines import unnumbered
from tests.games.volldampf.wholegame import Turn, bots_game, understood

# What a position that was rebuilt from a letter need not know: nobody decides by it.
UNKNOWN = ("form", "kept", "owed", "turned", "merchandise_left", "action_pile", "removed", "rounds")


def mailed(state: State, code: str) -> dict[str, Any]:
    """Return what a player's newsletter has attached."""
    seen: dict[str, Any] = json.loads(json.dumps(GAME.view(state, code)))
    return seen


def turns_of(pace: str) -> list[Turn]:
    return bots_game(3, "referee", pace)[2]


@pytest.mark.parametrize("pace", [TOGETHER, ONE_BY_ONE])
def test_the_position_is_rebuilt_from_what_is_mailed(pace: str) -> None:
    """Seen through the same eyes, the rebuilt position shows what the letter showed."""
    for turn in turns_of(pace):
        for code in turn.before.table.codes:
            seen = mailed(turn.before, code)
            again = mailed(position_of(seen), code)
            for player in (*seen["players"], *again["players"]):
                del player["action_count"]  # of others' hands
            assert {key: again[key] for key in again if key not in UNKNOWN} == {
                key: seen[key] for key in seen if key not in (*UNKNOWN, "declined", "subsidised")
            } | {"declined": [], "subsidised": []}


def test_the_same_letter_is_answered_alike() -> None:
    for turn in turns_of(TOGETHER):
        for code, lines in turn.lines.items():
            assert answer(mailed(turn.before, code), code) == lines


def test_lines_mean_the_orders_they_were_written_from() -> None:
    for turn in turns_of(TOGETHER):
        for code, lines in turn.lines.items():
            read, _ = understood(turn.before, code, lines)
            seen = mailed(turn.before, code)
            assert unnumbered(read) == choose_orders(position_of(seen), seen, code)


def test_who_is_not_asked_passes() -> None:
    turn = turns_of(ONE_BY_ONE)[0]
    (asked,) = turn.lines
    for code in turn.before.table.codes:
        assert (answer(mailed(turn.before, code), code) == ("PASS",)) is (code != asked)


def test_every_way_of_writing_a_delivery_is_used() -> None:
    """Routes, ends alone, a city by the way, and an end to worse ones."""
    turns = [turn for players in (3, 4) for turn in bots_game(players, "referee")[2]]
    moves = [order for turn in turns for orders in turn.orders.values() for order in orders if isinstance(order, Move)]
    ways = {(bool(each.route), bool(each.via), each.colour == DECLINED) for move in moves for each in move.deliveries}
    assert ways == {(True, False, False), (False, False, False), (False, True, False), (False, False, True)}


def test_builds_have_others_in_case_a_link_is_taken() -> None:
    turns = [turn for turn in turns_of(TOGETHER) if turn.before.stage == "build"]
    lines = [line for turn in turns for written in turn.lines.values() for line in written]
    builds = [line for line in lines if line.startswith("build".upper())]
    assert len(builds) == sum(3 * len(turn.lines) for turn in turns)
    assert sum(" OR " in line for line in builds) * 2 > len(builds)


@pytest.mark.parametrize(("cash", "bonds"), [(0, {"BONDS 2", "BONDS 3", "BONDS 4"}), (100, {"BONDS 0"})])
def test_bonds_pay_for_the_sections_of_a_round(cash: int, bonds: set[str]) -> None:
    """Whoever has money enough takes none."""
    turn = bots_game(3)[2][0]
    assert turn.before.stage == "opening"
    seen = mailed(turn.before, "ANN")
    seen["players"][0]["cash"] = cash
    assert answer(seen, "ANN")[0] in bonds


def test_in_the_last_round_a_bid_leaves_what_all_sections_of_a_group_cost() -> None:
    """Marks that are left only decide a tie, and a third link brings more than an earlier turn."""
    turn = [turn for turn in turns_of(TOGETHER) if turn.before.stage == "auction"][-1]
    assert turn.before.round == turn.before.numbers.rounds
    for code in turn.before.table.codes:
        seen = mailed(turn.before, code)
        for player in seen["players"]:
            player["cash"] = 28
        (limit,) = [line.split()[1] for line in answer(seen, code, THIRD) if line.startswith("LIMIT")]
        assert limit == "PASS" or 28 - int(limit) >= 3 * 3  # three links of the cheapest


def test_subvention_is_ordered_whenever_it_is_held() -> None:
    """Whether its player is last by then nobody knows who writes; else it stays in hand."""
    turns = [turn for turn in bots_game(3)[2] if turn.before.stage == "trips"]
    for turn in turns[1:]:
        for place, code in enumerate(turn.before.table.codes):
            seen = mailed(turn.before, code)
            seen["players"][place]["actions"] = [SUBVENTION]
            assert [line for line in answer(seen, code, THIRD) if line.startswith("SUBSIDY: ")]


def test_links_are_chosen_for_the_trips_that_they_allow() -> None:
    """Two links are worth more than each alone where a cube's way needs both, and a way that needs no link is had by all."""
    gains = {
        frozenset[str](): {("HAM", "blue"): 1.0},
        frozenset({"x"}): {},
        frozenset({"x", "y"}): {("BER", "red"): 4.0},
    }
    ways = LinkGains(gains=gains, cubes=frozenset({("BER", "red"), ("HAM", "blue")}), rounds=0)
    nothing, one, both = (ways.worth(frozenset(links)) for links in ("", "x", "xy"))
    assert 0 < nothing == one < both
    assert LinkGains(gains=gains, cubes=ways.cubes, rounds=2).worth(frozenset("x")) > one


@pytest.mark.parametrize(
    ("table", "games"),
    [(f"{FIRST},{SECOND},{THIRD}", 2), pytest.param(f"{FIRST},{THIRD}", 40, marks=pytest.mark.testlong)],
)
def test_no_order_of_theirs_comes_to_nothing(table: str, games: int) -> None:
    """A wish may fail, and then another of the same order is met: no letter leaves a card or a trip to chance."""
    found = figures("deutschland-1925", table, games, "post", "volldampf")
    assert found["orders refused"] == 0


def test_players_bid_otherwise_in_another_game() -> None:
    positions = [bots_game(3, "referee", TOGETHER)[2][0].before, bots_game(4, "referee", TOGETHER)[2][0].before]
    tastes = {tuple(Viewpoint(state.but(turn=turn), "ANN").taste(255) for turn in range(9)) for state in positions}
    assert len(tastes) == 2


@pytest.mark.testlong
@pytest.mark.parametrize(("stronger", "weaker"), [(SECOND, FIRST), (THIRD, SECOND), (THIRD, BEFORE)])
def test_each_strength_is_beaten_by_a_higher_one(stronger: str, weaker: str) -> None:
    found = figures("deutschland-1925", f"{stronger},{stronger},{weaker},{weaker}", 12, "post", "volldampf")
    assert found[f"{stronger}: mean rank"] < found[f"{weaker}: mean rank"]
