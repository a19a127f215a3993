"""Setup, merchandise and track cards. Rule: V2, V3.1, V3.2."""

from __future__ import annotations

from msgspec.structs import replace

from referee.core.dice import NotedDice, SeededDice
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import (
    CubeDrawn,
    GameStarted,
    GroupsDealt,
)
from referee.games.volldampf.goods import do_deal
from referee.games.volldampf.round import start
from referee.games.volldampf.state import Item
from tests.games.volldampf.tables import (
    COLOURS,
    dice,
    laid,
    letters,
    of_kind,
    opened,
)


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
