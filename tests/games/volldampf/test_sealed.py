"""Two players' sealed bids. Rule: V6.3, DIFF 67-69, R2, R3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.game import ONE_BY_ONE
from referee.games.volldampf import schedule
from referee.games.volldampf.auction import do_auction
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import BidPaid, BidsOpened, OrderSettled
from referee.games.volldampf.state import Bid, Item
from tests.games.volldampf.tables import dice, letters, of_kind, opened, turn

RAISE, RETURNED = "raise", "returned_and_repeat"


def _open(
    ann: tuple[int, ...] | None,
    bob: tuple[int, ...] | None,
    cash: Mapping[str, int] | None = None,
    **options: Any,
) -> Record:
    """Open two lists; None is silence. Both have 30 marks, BOB holds card 1."""
    state = replace(opened(2, **options), order=("BOB", "ANN"), cash={"ANN": 30, "BOB": 30, **(cash or {})})
    orders = {code: Bid(amounts=each) for code, each in (("ANN", ann), ("BOB", bob)) if each is not None}
    record = Record(state, CHANGES)
    do_auction(record, Item(what=schedule.AUCTION), letters(state, **orders), dice())
    return record


def _bids(record: Record) -> list[tuple[int, int]]:
    return [(event.bids["ANN"], event.bids["BOB"]) for event in of_kind(record, BidsOpened)]


def _result(record: Record) -> tuple[tuple[str, ...], int, int]:
    """Return the order and what ANN and BOB have paid."""
    return record.state.order, 30 - record.state.cash["ANN"], 30 - record.state.cash["BOB"]


def test_the_higher_bid_is_first_and_both_pay_all() -> None:
    assert _result(_open((3,), (2,))) == (("ANN", "BOB"), 3, 2)
    assert _result(_open((1,), (4,))) == (("BOB", "ANN"), 1, 4)


@pytest.mark.parametrize(
    ("tie", "result"),
    [
        ("paid_and_repeat", (("ANN", "BOB"), 7, 6)),
        (RETURNED, (("ANN", "BOB"), 4, 3)),
        (RAISE, (("ANN", "BOB"), 5, 4)),
    ],
)
def test_equal_bids_are_repeated_from_the_lists(tie: str, result: tuple[tuple[str, ...], int, int]) -> None:
    """DIFF 68: 3 and 3; then 4 and 3. With ``raise`` 3 counts as 4, so that the third pair decides: 5 and 4."""
    first = _open((3, 4, 5), (3, 3, 3), two_player_tie=tie)
    if tie == RAISE:
        assert _bids(first) == [(3, 3), (4, 4), (5, 5)]
        assert _result(_open((3, 5), (3, 3), two_player_tie=tie)) == result
    else:
        assert _bids(first) == [(3, 3), (4, 3)]
        assert _result(first) == result


def test_tied_money_is_noted_while_the_auction_runs() -> None:
    record = _open((3, 4), (3, 3))
    staked: list[Mapping[str, int]] = []
    again = Record(replace(record.state, order=("BOB", "ANN"), cash={"ANN": 30, "BOB": 30}), CHANGES)
    for event in record.events:
        again.add(event)
        staked.append(again.state.staked)
    assert {"ANN": 3, "BOB": 3} in staked
    assert record.state.staked == {}
    assert record.state.ties == 0


@pytest.mark.parametrize(("tie", "each_pays"), [("paid_and_repeat", 15), (RETURNED, 0)])
def test_after_five_ties_the_order_stays(tie: str, each_pays: int) -> None:
    """DIFF 69: the last figure of a list is repeated."""
    record = _open((3,), (3,), two_player_tie=tie)
    assert _bids(record) == [(3, 3)] * 5
    assert _result(record) == (("BOB", "ANN"), each_pays, each_pays)


def test_five_ties_with_raises_are_paid_once() -> None:
    """R2: the raise replaces the tied stake."""
    record = _open((1,), (1,), two_player_tie=RAISE, two_player_bid="any")
    assert _bids(record) == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    assert _result(record) == (("BOB", "ANN"), 5, 5)


def test_a_tie_at_the_highest_bid_ends_a_raise() -> None:
    """R2."""
    record = _open((5,), (5,), two_player_tie=RAISE)
    assert _bids(record) == [(5, 5)]
    assert _result(record) == (("BOB", "ANN"), 5, 5)
    poor = _open((9,), (9,), cash={"ANN": 7, "BOB": 7}, two_player_tie=RAISE, two_player_bid="any")
    assert _bids(poor) == [(7, 7)]
    assert poor.state.cash == {"ANN": 0, "BOB": 0}


def test_who_cannot_raise_stays_at_his_cash() -> None:
    record = _open((3,), (3,), cash={"ANN": 3}, two_player_tie=RAISE)
    assert _bids(record) == [(3, 3), (3, 4)]
    assert record.state.order == ("BOB", "ANN")
    assert record.state.cash == {"ANN": 0, "BOB": 26}


@pytest.mark.parametrize(("kind", "bids"), [("1-5", (5, 1)), ("any", (9, 0))])
def test_figures_are_cut_into_the_range(kind: str, bids: tuple[int, int]) -> None:
    """DIFF 67, R3."""
    assert _bids(_open((9,), (0,), two_player_bid=kind)) == [bids]


def test_bids_are_cut_down_to_the_cash_and_to_what_ties_left_of_it() -> None:
    """DIFF 69: 3 of ANN's 4 marks are gone after the tie."""
    assert _bids(_open((3, 5), (3, 2), cash={"ANN": 4})) == [(3, 3), (1, 2)]
    assert _bids(_open((3,), (2,), cash={"ANN": 0})) == [(0, 2)]


def test_if_both_have_nothing_left_the_order_stays() -> None:
    """DIFF 69."""
    record = _open((2, 3), (2, 4), cash={"ANN": 2, "BOB": 2})
    assert _bids(record) == [(2, 2)]
    assert record.state.order == ("BOB", "ANN")
    assert record.state.cash == {"ANN": 0, "BOB": 0}


def test_a_silent_player_bids_and_pays_nothing() -> None:
    """R3."""
    record = _open((2,), None)
    assert _bids(record) == [(2, 0)]
    assert _result(record) == (("ANN", "BOB"), 2, 0)
    assert [(event.player, event.paid) for event in of_kind(record, BidPaid)] == [("ANN", 2), ("BOB", 0)]


@pytest.mark.parametrize("pass_", [None, ()])
def test_if_both_are_silent_the_order_stays_and_nothing_is_paid(pass_: tuple[int, ...] | None) -> None:
    """R3; there is no pass, so it is silence."""
    record = _open(pass_, None)
    assert [type(event) for event in record.events] == [OrderSettled]
    assert _result(record) == (("BOB", "ANN"), 0, 0)


def test_one_by_one_the_first_bid_stays_sealed_until_the_second_is_in() -> None:
    state = opened(2, ONE_BY_ONE)
    state = turn(turn(state).state).state
    assert state.agenda[0] == Item(what=schedule.BID, player="ANN")
    first = turn(state, ANN=Bid(amounts=(3,)))
    assert of_kind(first, BidsOpened) == []
    second = turn(first.state, BOB=Bid(amounts=(2,)))
    assert _bids_of(second.state.order, of_kind(second, BidsOpened)) == ("ANN", {"ANN": 3, "BOB": 2})
    assert second.state.kept == ()


def _bids_of(order: tuple[str, ...], opened_: list[BidsOpened]) -> tuple[str, Mapping[str, int]]:
    return order[0], opened_[0].bids
