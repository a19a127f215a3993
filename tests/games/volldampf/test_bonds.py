"""Bonds, Alles neu and the choice of groups. Rule: V3.3, V3.4.4, V4.8."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.game import ONE_BY_ONE
from referee.games.volldampf import schedule
from referee.games.volldampf.board.board import REARRANGE
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import (
    BondsTaken,
    GroupChosen,
    GroupsRearranged,
    NothingReceived,
    OrderRefused,
)
from referee.games.volldampf.goods import do_choose, do_new, fits
from referee.games.volldampf.round import opening_agenda
from referee.games.volldampf.state import Item, Rank, Rearrange, State, TakeBonds, Wish
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
    assert [(event.player, event.stage) for event in of_kind(outcome, NothingReceived)] == [("ANN", schedule.BONDS)]
    assert outcome.state.agenda[0] == Item(what=schedule.BONDS, player="BOB")


def _open_groups(**holding: int) -> State:
    state = opened(5)
    actions = {code: (REARRANGE,) * holding.get(code, 0) for code in state.table.codes}
    return replace(state, groups=GROUPS, actions=actions, order=("BOB", "CID", "ANN", "DOT", "EVA"))


def _new(state: State, **orders: Rearrange) -> Record:
    record = Record(state, CHANGES)
    do_new(record, Item(what=schedule.NEW), letters(state, **orders), dice())
    return record


OTHER = (("pink", "purple"), ("green", "green"), ("green", "grey"), ("purple", "pink"), ("brown", "brown"))
THIRD = (("brown", "purple"), ("green", "green"), ("pink", "grey"), ("purple", "pink"), ("brown", "green"))


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
        do_choose(record, Item(what=schedule.CHOOSE, player=code), letter, dice())
    assert [event.cards for event in of_kind(record, GroupChosen)] == [
        ("purple", "green"),
        ("green", "green"),
        ("brown", "brown"),
        ("pink", "grey"),
        ("purple", "pink"),
    ]
    assert record.state.groups == ()
    assert record.state.hands["CID"] == ("green", "green")
