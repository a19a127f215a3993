"""The auction of three to six players: bids, sequence cards, payments. Rule: V3.4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from referee.core.game import ONE_BY_ONE, TOGETHER
from referee.games.volldampf import schedule
from referee.games.volldampf.auction import do_auction
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import BidMade, BidPaid, BidPassed, NothingReceived, OrderRefused
from referee.games.volldampf.state import Bid, Item, Rank, State, TakeBonds, Wish
from tests.games.volldampf.tables import CODES, dice, letters, of_kind, opened, turn

Limits = Mapping[str, int | None]


def _held(limits: Limits, order: tuple[str, ...] = (), cash: Mapping[str, int] | None = None, **options: Any) -> Record:
    """Hold an auction by limits; None passes, who is not named is silent. Everybody has 30 marks."""
    players = options.pop("players", 4)
    state = opened(players, **options)
    state = replace(
        state, order=order or CODES[:players], cash={**dict.fromkeys(CODES[:players], 30), **(cash or {})}, agenda=()
    )
    orders = {code: Bid(amounts=() if each is None else (each,)) for code, each in limits.items()}
    record = Record(state, CHANGES)
    do_auction(record, Item(what=schedule.AUCTION), letters(state, **orders), dice())
    return record


def _bids(record: Record) -> list[tuple[str, int | None]]:
    return [
        (event.player, event.amount if isinstance(event, BidMade) else None)
        for event in record.events
        if isinstance(event, BidMade | BidPassed)
    ]


def _paid(record: Record) -> dict[str, tuple[int, int]]:
    return {event.player: (event.bid, event.paid) for event in of_kind(record, BidPaid)}


def test_who_is_left_last_without_a_bid_gets_card_one_whatever_his_limit() -> None:
    record = _held({"DOT": 9})
    assert record.state.order[0] == "DOT"
    assert _paid(record)["DOT"] == (0, 0)


def test_a_limit_above_the_cash_that_never_came_to_its_end_is_not_spoken_of() -> None:
    """BOB's limit is above his 6 marks too, but he has the best bid at 4; DOT could have bid on without more money."""
    record = _held({"ANN": 3, "BOB": 50, "DOT": 3}, cash={"BOB": 6})
    assert record.state.order[0] == "BOB"
    assert _paid(record)["BOB"] == (4, 4)
    assert of_kind(record, OrderRefused) == []


def test_a_limit_that_was_beaten_as_a_whole_is_no_matter_of_cash() -> None:
    """ANN has 3 of her 4 marks; the least bid was 5 already when she passed."""
    record = _held({"ANN": 4, "BOB": 9, "CID": 9, "DOT": 9}, cash={"ANN": 3})
    assert of_kind(record, OrderRefused) == []


def test_nobody_pays_more_than_he_has() -> None:
    record = _held(dict.fromkeys(CODES[:4], 99), cash={"ANN": 2, "BOB": 0, "CID": 7, "DOT": 7})
    assert min(record.state.cash.values()) >= 0


def test_an_opening_of_nothing_is_beaten_by_one_mark() -> None:
    record = _held({"ANN": 0, "BOB": 1}, opening_min=0)
    assert _bids(record)[:2] == [("ANN", 0), ("BOB", 1)]
    assert record.state.order[0] == "BOB"


# Bid by bid


def _live(pace: str = TOGETHER) -> State:
    """Return a live auction at its first bid; everybody took one bond."""
    state = opened(3, pace, auction="live")
    while state.agenda[0].what != schedule.BID:
        asked = [state.agenda[0].player] if state.agenda[0].player else CODES[:3]
        state = turn(state, **{code: TakeBonds(points=1) for code in asked}).state
    return state


@pytest.mark.parametrize("pace", [TOGETHER, ONE_BY_ONE])
def test_a_live_auction_asks_for_one_bid_after_the_other(pace: str) -> None:
    """V9: each is a turn of its own; then the choice is asked for."""
    state = _live(pace)
    begun = state.turn
    for player, amount in (("ANN", 2), ("BOB", 5), ("CID", None), ("ANN", 6), ("BOB", None)):
        assert state.agenda[0] == Item(what=schedule.BID, player=player)
        outcome = turn(state, **{player: Bid(amounts=() if amount is None else (amount,))})
        state = outcome.state
    assert state.turn == begun + 5
    assert state.order == ("ANN", "BOB", "CID")
    assert state.cash == {"ANN": 10, "BOB": 11, "CID": 16}
    letter = Item(what=schedule.LETTER, stage=schedule.LETTER_CHOICE)
    assert state.agenda[0] == (letter if pace == TOGETHER else Item(what=schedule.CHOOSE, player="ANN"))


def test_a_live_bid_that_is_too_low_or_missing_is_a_pass() -> None:
    state = turn(_live(), ANN=Bid(amounts=(3,))).state
    low = turn(state, BOB=Bid(amounts=(3,)))
    refused = of_kind(low, OrderRefused)[0].complaint
    assert (refused.code, dict(refused.params)) == ("illegal-bid-low", {"least": 4, "bid": 3})
    assert [event.player for event in of_kind(low, BidPassed)] == ["BOB"]
    silent = turn(low.state)
    assert [event.player for event in of_kind(silent, NothingReceived)] == ["CID"]
    assert silent.state.order == ("ANN", "CID", "BOB")


def test_a_live_bid_is_not_kept_for_the_next_time() -> None:
    state = turn(_live(ONE_BY_ONE), ANN=Bid(amounts=(3,))).state
    assert state.kept == ()


def test_a_ranking_sent_with_a_live_bid_counts_unless_a_new_one_comes() -> None:
    state = _live()
    groups = state.groups
    state = turn(state, ANN=(Bid(amounts=(1,)), Rank(wishes=(Wish(number=3),)))).state
    state = turn(turn(state).state).state
    assert state.agenda[0] == Item(what=schedule.LETTER, stage=schedule.LETTER_CHOICE)
    outcome = turn(state, BOB=Rank(wishes=(Wish(number=2),)), CID=Rank(wishes=(Wish(number=2),)))
    assert outcome.state.hands == {"ANN": groups[2], "CID": groups[1], "BOB": groups[0]}
    assert outcome.state.agenda[0] == Item(what=schedule.LETTER, stage=schedule.LETTER_BUILD)
    assert outcome.state.kept == ()
