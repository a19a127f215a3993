"""Bonds, Alles neu and the choice of groups. Rule: V3.3, V3.4.4, V4.8."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.game import ONE_BY_ONE
from referee.games.volldampf.board.board import REARRANGE
from referee.games.volldampf.phase.agenda import opening_agenda
from referee.games.volldampf.phase.goods import do_choose, do_new, fits
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.changes import CHANGES, Record
from referee.games.volldampf.position.events import (
    BondsTaken,
    GroupChosen,
    GroupsRearranged,
    NothingReceived,
    OrderRefused,
)
from referee.games.volldampf.position.orders import Rank, Rearrange, TakeBonds, Wish
from referee.games.volldampf.position.state import Item, State
from referee.games.volldampf.position.tripevents import CardPlayed
from tests.games.volldampf.tables import dice, letters, of_kind, opened, turn

GROUPS = (("purple", "green"), ("green", "green"), ("pink", "grey"), ("purple", "pink"), ("brown", "brown"))


def _take(points: Mapping[str, int], players: int = 4, order: tuple[str, ...] = (), **options: Any) -> list[BondsTaken]:
    state = opened(players, **options)
    state = replace(state, order=order or state.order)
    state = replace(state, agenda=_reordered(state))
    return of_kind(turn(state, **{code: TakeBonds(points=each) for code, each in points.items()}), BondsTaken)


def _reordered(state: State) -> tuple[Item, ...]:
    """Return the agenda of a round that begins with this order."""
    return tuple(opening_agenda(state)[2:])


def test_each_point_gives_six_marks_and_silence_takes_none() -> None:
    taken = _take({"ANN": 3, "CID": 0})
    assert [(event.player, event.points, event.money) for event in taken] == [
        ("ANN", 3, 18),
        ("BOB", 0, 0),
        ("CID", 0, 0),
        ("DOT", 0, 0),
    ]


@pytest.mark.parametrize(
    ("bond_order", "expected"),
    [
        ("clockwise", ["CID", "DOT", "ANN", "BOB"]),
        ("turn_order", ["CID", "ANN", "DOT", "BOB"]),
        ("simultaneous", ["CID", "DOT", "ANN", "BOB"]),
    ],
)
def test_bonds_are_taken_clockwise_from_player_one_or_in_turn_order(bond_order: str, expected: list[str]) -> None:
    """DIFF 16."""
    taken = _take({}, order=("CID", "ANN", "DOT", "BOB"), bond_order=bond_order)
    assert [event.player for event in taken] == expected


def test_a_limit_of_a_round_cuts_bonds_down() -> None:
    """DIFF 17, R5."""
    event = _take({"ANN": 9}, bond_limit=4)[0]
    assert (event.points, event.asked, event.money) == (4, 9, 24)


def test_the_bank_has_84_points() -> None:
    """DIFF 06, R5: first come, first served, clockwise."""
    taken = _take({"ANN": 50, "BOB": 50, "CID": 50}, bank_limits=True)
    assert [event.points for event in taken] == [50, 34, 0, 0]


def test_without_a_limit_a_player_takes_what_he_likes() -> None:
    assert _take({"ANN": 200})[0].points == 200


def test_two_players_bonds_are_kept_sealed_and_opened_together_one_by_one() -> None:
    """V6.2."""
    state = opened(2, ONE_BY_ONE)
    first = turn(state, ANN=TakeBonds(points=4))
    assert of_kind(first, BondsTaken) == []
    assert [(each.player, each.order) for each in first.state.kept] == [("ANN", TakeBonds(points=4))]
    second = turn(first.state, BOB=TakeBonds(points=1))
    assert [(event.player, event.points) for event in of_kind(second, BondsTaken)] == [("ANN", 4), ("BOB", 1)]
    assert second.state.kept == ()


def test_one_by_one_a_player_who_is_asked_and_silent_is_noted() -> None:
    outcome = turn(opened(3, ONE_BY_ONE))
    assert [(event.player, event.stage) for event in of_kind(outcome, NothingReceived)] == [("ANN", stages.BONDS)]
    assert outcome.state.agenda[0] == Item(what=stages.BONDS, player="BOB")


def _open_groups(**holding: int) -> State:
    state = opened(5)
    actions = {code: (REARRANGE,) * holding.get(code, 0) for code in state.table.codes}
    return replace(state, groups=GROUPS, actions=actions, order=("BOB", "CID", "ANN", "DOT", "EVA"))


def _new(state: State, **orders: Rearrange) -> Record:
    record = Record(state, CHANGES)
    do_new(record, Item(what=stages.NEW), letters(state, **orders), dice())
    return record


OTHER = (("pink", "purple"), ("green", "green"), ("green", "grey"), ("purple", "pink"), ("brown", "brown"))
THIRD = (("brown", "purple"), ("green", "green"), ("pink", "grey"), ("purple", "pink"), ("brown", "green"))


def test_alles_neu_lays_the_cards_in_other_groups_in_colour_order() -> None:
    record = _new(_open_groups(ANN=1), ANN=Rearrange(groups=OTHER))
    assert record.state.groups == (("purple", "pink"), *OTHER[1:])
    assert record.state.actions["ANN"] == ()
    assert record.state.action_discards[REARRANGE] == 1
    assert of_kind(record, CardPlayed)[0].paragraph == "V4.8"


def test_the_lower_sequence_card_plays_alles_neu_and_the_other_keeps_his() -> None:
    """V4.8: once a round."""
    record = _new(_open_groups(ANN=1, BOB=1), ANN=Rearrange(groups=OTHER), BOB=Rearrange(groups=THIRD))
    assert [event.player for event in of_kind(record, GroupsRearranged)] == ["BOB"]
    assert record.state.actions["ANN"] == (REARRANGE,)
    refused = of_kind(record, OrderRefused)[0]
    assert (refused.player, refused.complaint.code, refused.secret) == ("ANN", "illegal-rearranged-already", True)


@pytest.mark.parametrize(
    ("groups", "code"),
    [
        ((("grey", "grey"), *GROUPS[1:]), "illegal-arrangement-cards"),
        (GROUPS[1:], "illegal-arrangement-cards"),
        ((("purple", "green", "green"), ("green",), *GROUPS[2:]), "illegal-arrangement-sizes"),
    ],
)
def test_an_illegal_arrangement_is_not_played_so_the_next_players_is(
    groups: tuple[tuple[str, ...], ...], code: str
) -> None:
    """R7, DIFF 60."""
    record = _new(_open_groups(ANN=1, BOB=1), ANN=Rearrange(groups=OTHER), BOB=Rearrange(groups=groups))
    assert [event.player for event in of_kind(record, GroupsRearranged)] == ["ANN"]
    assert of_kind(record, OrderRefused)[0].complaint.code == code
    assert record.state.actions["BOB"] == (REARRANGE,)


def test_alles_neu_needs_the_card() -> None:
    record = _new(_open_groups(), ANN=Rearrange(groups=OTHER))
    assert record.state.groups == GROUPS
    refused = of_kind(record, OrderRefused)[0]
    assert (refused.complaint.code, refused.secret) == ("illegal-no-card", True)


@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        (Wish(colours=("green",)), [0, 1]),
        (Wish(colours=("green", "green")), [1]),
        (Wish(colours=("purple", "pink"), exact=True), [3]),
        (Wish(colours=("purple",), exact=True), []),
        (Wish(number=3), [2]),
        (Wish(colours=("orange",)), []),
    ],
)
def test_a_wish_names_groups_by_the_colours_they_hold_or_by_place(wish: Wish, expected: list[int]) -> None:
    """R7."""
    assert [place for place, group in enumerate(GROUPS) if fits(group, place, wish)] == expected


def test_the_best_group_left_is_taken_and_places_do_not_move_up() -> None:
    record = Record(_open_groups(), CHANGES)
    letter = letters(
        record.state,
        ANN=Rank(wishes=(Wish(colours=("green",)), Wish(number=5))),
        BOB=Rank(wishes=(Wish(colours=("green", "purple")), Wish(number=5))),
        CID=Rank(wishes=(Wish(number=1), Wish(number=2), Wish(number=4))),
    )
    for code in ("BOB", "CID", "ANN", "DOT", "EVA"):
        do_choose(record, Item(what=stages.CHOOSE, player=code), letter, dice())
    assert [event.cards for event in of_kind(record, GroupChosen)] == [
        ("purple", "green"),
        ("green", "green"),
        ("brown", "brown"),
        ("pink", "grey"),
        ("purple", "pink"),
    ]
    assert record.state.groups == ()
    assert record.state.hands["CID"] == ("green", "green")
