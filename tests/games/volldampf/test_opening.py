"""Setup, merchandise and track cards. Rule: V2, V3.1, V3.2."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.core.dice import NotedDice, SeededDice
from referee.games.volldampf import schedule
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import (
    CityMissed,
    CubeDelivered,
    CubeDrawn,
    GameStarted,
    GroupsDealt,
    MerchandiseTurned,
)
from referee.games.volldampf.goods import do_deal, do_goods, settle_debts
from referee.games.volldampf.round import start
from referee.games.volldampf.state import Item, State
from tests.games.volldampf.tables import (
    CITIES,
    COLOURS,
    NUMBERS,
    apply,
    cards_in_all,
    cubes_in_all,
    dice,
    laid,
    letters,
    of_kind,
    opened,
)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_setup_depends_on_the_number_of_players(players: int) -> None:
    """V2: 10 marks, sections, track cards, merchandise cards as the table says; a cube for each home city first."""
    outcome = start(laid(players), SeededDice("setup"))
    state, numbers = outcome.state, NUMBERS[players]
    dealt = players * numbers.group_size
    assert set(state.cash.values()) == {10}
    assert set(state.income.values()) == {0}
    assert all(state.sections_left(code) == numbers.sections for code in state.table.codes)
    assert sum(state.track_pile.values()) == 48 - 6 * numbers.remove_per_colour - numbers.remove_random - dealt
    assert sum(state.track_pile.values()) == dealt * (numbers.rounds - 1)  # digest, 8.1
    assert len(state.removed) == numbers.remove_random
    assert len(state.merchandise) == 18 - numbers.setup_cards - numbers.round_cards
    assert [event.city for event in of_kind(outcome, CubeDrawn)][:10] == list(CITIES[:10])
    assert [event.round for event in of_kind(outcome, MerchandiseTurned)] == [0] * numbers.setup_cards + (
        [1] * numbers.round_cards
    )
    assert set(cubes_in_all(state).values()) == {10}
    assert cards_in_all(state) == 14
    assert not any(state.actions.values())
    assert (state.turn, state.round) == (1, 1)


def test_the_start_player_is_thrown_for_and_the_others_follow_clockwise() -> None:
    assert opened(4, throws={"start": 3}).order == ("CID", "DOT", "ANN", "BOB")


def test_a_named_start_player_is_the_first_at_the_table_and_nothing_is_thrown() -> None:
    noted = NotedDice(SeededDice("named"))
    state = start(laid(4, start_player="named"), noted).state
    assert state.order[0] == "ANN"
    assert ("start", 4) not in noted.thrown


def test_removed_cards_are_drawn_from_what_the_colours_leave() -> None:
    """V2.4 with 5 players: one of each colour is out, so 42 cards lie there, then 41."""
    noted = NotedDice(dice({"removed/1": 1, "removed/2": 41}))
    outcome = start(laid(5), noted)
    assert of_kind(outcome, GameStarted)[0].removed == ("purple", "grey")
    assert ("removed/1", 42) in noted.thrown
    assert ("removed/2", 41) in noted.thrown


def test_cubes_are_laid_out_in_cube_order_for_the_throw() -> None:
    """The eleventh of 40 cubes is the first violet one."""
    outcome = start(laid(4), dice({"cube/0/C01": 11}))
    assert of_kind(outcome, CubeDrawn)[0].colour == "violet"


def test_a_second_cube_of_a_city_in_one_round_has_a_throw_of_its_own() -> None:
    noted = NotedDice(SeededDice("twice"))
    outcome = start(laid(2), noted)
    cities = [event.city for event in of_kind(outcome, CubeDrawn) if event.round == 0]
    twice = next(city for city in cities if cities.count(city) > 1)
    assert {name for name, _ in noted.thrown} >= {f"cube/0/{twice}", f"cube/0/{twice}/2"}


def test_the_same_seed_gives_the_same_opening() -> None:
    assert start(laid(5), SeededDice("a")) == start(laid(5), SeededDice("a"))
    assert start(laid(5), SeededDice("a")) != start(laid(5), SeededDice("b"))


def test_groups_are_dealt_card_by_card_and_lie_in_colour_order() -> None:
    """V3.2.1: the last card of 48 is grey, the first purple; nothing is taken twice."""
    throws = {"track/1/1/1": 48, "track/1/1/2": 1, "track/1/1/3": 9}
    groups = opened(4, throws=throws).groups
    assert groups[0] == ("purple", "green", "grey")
    assert [len(group) for group in groups] == [3, 3, 3, 3]


def test_a_pile_of_one_kind_needs_no_throw() -> None:
    state = replace(opened(2), track_pile={**dict.fromkeys(COLOURS, 0), "pink": 6}, groups=())
    noted = NotedDice(SeededDice("one"))
    record = Record(state, CHANGES)
    do_deal(record, Item(what="deal"), letters(state), noted)
    assert record.state.groups == (("pink",) * 3,) * 2
    assert noted.thrown == {}
    assert of_kind(record, GroupsDealt)[0].round == 1


def _short_of_cubes(bag_empty: str) -> tuple[Record, State]:
    """Return phase 1 of a round with one cube in the bag: the card drawn names C06, C10, C01."""
    state = replace(
        opened(4, bag_empty=bag_empty), bag={"blue": 1, "violet": 0, "red": 0, "yellow": 0}, merchandise=(1, 2)
    )
    record = Record(replace(state, turned=()), CHANGES)
    do_goods(record, Item(what=schedule.GOODS), letters(state), dice({"merchandise/1/1": 1}))
    return record, state


def test_an_empty_bag_leaves_cities_without_a_cube() -> None:
    """DIFF 12, skip: in order of the cards, in printed order; nothing is owed."""
    record, _ = _short_of_cubes("skip")
    assert [event.city for event in of_kind(record, CubeDrawn)] == ["C06"]
    assert [event.city for event in of_kind(record, CityMissed)] == ["C10", "C01", "C11", "C01", "C06"]
    assert record.state.owed == ()
    assert record.state.turned == (1, 2)
    assert record.state.merchandise == ()


def test_a_cube_that_returns_goes_to_the_oldest_claim() -> None:
    """DIFF 12, owe; R14: at once, so that the bag stays empty."""
    record, state = _short_of_cubes("owe")
    assert record.state.owed == ("C10", "C01", "C11", "C01", "C06")
    lying = {**record.state.cubes, "C02": ("red",)}
    later = Record(replace(record.state, cubes=lying), CHANGES)
    later.add(CubeDelivered(player="ANN", trip=1, colour="red", route=("C02", "C11"), steps={}))
    settle_debts(later)
    assert later.state.owed == ("C01", "C11", "C01", "C06")
    assert later.state.cubes["C10"].count("red") == record.state.cubes.get("C10", ()).count("red") + 1
    assert not any(later.state.bag.values())
    assert apply(later.events[-1], replace(later.state, owed=("C10",), bag={**state.bag, "red": 1})).owed == ()
