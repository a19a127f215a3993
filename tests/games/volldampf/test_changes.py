"""What each event changes: the position is the fold of the events."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.games.volldampf.board.board import LOK, SUBVENTION
from referee.games.volldampf.events import (
    BarsLifted,
    CardPlayed,
    CardReturned,
    CubeDelivered,
    CubePlanned,
    GroupChosen,
    KeptDropped,
    OrderKept,
    RoundBegan,
    TripBarred,
    TripDeclined,
)
from referee.games.volldampf.state import Bar, Bid, Steal
from tests.games.volldampf.tables import apply, opened


def test_a_delivered_cube_goes_into_the_bag_and_every_owner_moves_on() -> None:
    """V3.6.4; other cubes of the city stay."""
    state = replace(opened(4), cubes={"C01": ("blue", "red", "red")})
    event = CubeDelivered(player="ANN", trip=1, colour="red", route=("C01", "C11"), steps={"BOB": 2, "ANN": 1})
    after = apply(event, state)
    assert after.cubes == {"C01": ("blue", "red")}
    assert after.bag["red"] == state.bag["red"] + 1
    assert after.income == {"ANN": 1, "BOB": 2, "CID": 0, "DOT": 0}


def test_the_income_track_may_have_an_end() -> None:
    """DIFF 05, R20: steps beyond it are lost."""
    state = replace(opened(4, income_max=5), cubes={"C01": ("red",)})
    event = CubeDelivered(player="ANN", trip=1, colour="red", route=("C01", "C11"), steps={"ANN": 6})
    assert apply(event, state).income["ANN"] == 5


def test_a_city_left_without_cubes_is_not_listed() -> None:
    state = replace(opened(4), cubes={"C01": ("red",), "C02": ("yellow",)})
    event = CubePlanned(player="ANN", colour="red", origin="C01", goal="C02")
    assert apply(event, state).cubes == {"C02": ("red", "yellow")}


def test_a_group_chosen_leaves_its_place_empty() -> None:
    state = replace(opened(2), groups=(("green",), ("pink",)))
    after = apply(GroupChosen(player="ANN", cards=("green",)), state)
    assert after.groups == ((), ("pink",))
    assert apply(GroupChosen(player="BOB", cards=("pink",)), after).groups == ()


def test_a_card_that_comes_back_leaves_the_discards() -> None:
    """DIFF 55."""
    state = replace(opened(2), actions={"ANN": (LOK, SUBVENTION), "BOB": ()})
    played = apply(CardPlayed(player="ANN", card=LOK), state)
    assert (played.actions["ANN"], played.action_discards[LOK]) == ((SUBVENTION,), 1)
    back = apply(CardReturned(player="ANN", card=LOK), played)
    assert (back.actions["ANN"], back.action_discards[LOK]) == ((LOK, SUBVENTION), 0)


def test_who_plays_subvention_is_noted_until_the_next_round() -> None:
    state = replace(opened(2), actions={"ANN": (SUBVENTION,), "BOB": ()})
    played = apply(CardPlayed(player="ANN", card=SUBVENTION), state)
    assert played.subsidised == ("ANN",)
    assert apply(RoundBegan(round=2), played).subsidised == ()


def test_a_bar_is_lifted_for_its_player_alone() -> None:
    state = replace(opened(2), bars=(Bar(player="BOB", colour="red"),))
    barred = TripBarred(player="BOB", victim="ANN", trip=1, colour="blue", route=("C01", "C02"), city="C01")
    both = apply(barred, state)
    assert both.bars == (Bar(player="BOB", colour="red"), Bar(player="ANN", colour="blue", city="C01"))
    assert apply(BarsLifted(player="BOB"), both).bars == (Bar(player="ANN", colour="blue", city="C01"),)


def test_kept_orders_are_dropped_by_player_and_kind() -> None:
    state = opened(2)
    for player, order in (("ANN", Bid(amounts=(1,))), ("ANN", Steal(players=())), ("BOB", Bid(amounts=(2,)))):
        state = apply(OrderKept(player=player, order=order), state)
    left = apply(KeptDropped(player="ANN", order_kind="Bid"), state).kept
    assert [(each.player, type(each.order)) for each in left] == [("ANN", Steal), ("BOB", Bid)]


@pytest.mark.parametrize(
    ("when", "round_number", "trip", "first", "waiting"),
    [
        ("end_of_phase", 2, 1, False, ("ANN",)),
        ("end_of_phase", 2, 3, False, ()),
        ("end_of_phase", 1, 1, False, ()),
        ("end_of_phase", 1, 1, True, ("ANN",)),
        ("at_once", 2, 1, False, ()),
    ],
)
def test_who_declines_waits_for_a_card_only_where_it_comes_at_the_end(
    when: str, round_number: int, trip: int, first: bool, waiting: tuple[str, ...]
) -> None:
    """DIFF 33, DIFF 34; never for an extra trip (DIFF 56)."""
    state = replace(opened(2, decline_card_when=when, round1_decline_card=first), round=round_number)
    assert apply(TripDeclined(player="ANN", trip=trip, wished=True), state).declined == waiting
