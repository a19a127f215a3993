"""Phase 7: income, interest and the card for last place. Rules: V3.7.1-V3.7.3, DIFF 36-39, R17."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from referee.games.volldampf import schedule
from referee.games.volldampf.auction import draw_for_last, pay
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import ActionDrawn, IncomePaid, InterestPaid
from referee.games.volldampf.state import Item, State
from tests.games.volldampf.roads import CODES, dice, letters, of_kind, scene


def paid(income: Mapping[str, int], **details: Any) -> Record:
    """Return phase 7 of a round that ends with these income spaces; everybody else stands on 20."""
    state = scene({"blue": "Aachen"}, {}, income={**dict.fromkeys(CODES, 20), **income}, **details)
    return _paid(state)


def _paid(state: State) -> Record:
    record = Record(state, CHANGES)
    for item in pay(record, Item(what=schedule.INCOME), letters(state), dice()):
        draw_for_last(record, item, letters(state), dice())
    return record


def ann(cash: int, bonds: int, space: int, **options: Any) -> Record:
    """Return phase 7 for ANN with that much cash and that many bonds."""
    everybody = dict.fromkeys(CODES, 0)
    return paid({"ANN": space}, cash={**everybody, "ANN": cash}, bonds={**everybody, "ANN": bonds}, options=options)


def test_income_comes_before_interest() -> None:
    """Rule: V3.7.1: 3 marks in hand and 5 of income pay 6 of interest."""
    record = ann(3, 6, 5)
    assert record.state.cash["ANN"] == 2
    assert record.state.income["ANN"] == 5


@pytest.mark.parametrize(
    ("penalty", "cash", "bonds", "space", "back"),
    [
        ("shortfall", 1, 6, 4, 1),  # the seeds' own example
        ("shortfall", 0, 9, 3, 3),  # 6 missing: back to the start, the rest is forgiven. DIFF 37
        ("shortfall", 2, 6, 4, 0),
        ("whole_interest", 1, 6, 4, 4),  # always back to the start. R17
        ("whole_interest", 2, 6, 4, 0),
    ],
)
def test_interest_not_covered_moves_the_locomotive_back(
    penalty: str, cash: int, bonds: int, space: int, back: int
) -> None:
    """Rule: V3.7.2, DIFF 36."""
    record = ann(cash, bonds, space, interest_penalty=penalty)
    missing = max(0, bonds - cash - space)
    expected = InterestPaid(player="ANN", due=bonds, paid=bonds - missing, back=back)
    assert of_kind(record, InterestPaid) == [expected]
    assert record.state.income["ANN"] == space - back
    assert record.state.cash["ANN"] == cash + space - bonds + missing


def test_players_are_paid_in_turn_order() -> None:
    """Rule: V3.7.1. Who has no bonds pays nothing."""
    order = ("CID", "ANN", "DOT", "BOB")
    record = paid({}, order=order)
    assert [event.player for event in of_kind(record, IncomePaid)] == list(order)
    assert not of_kind(record, InterestPaid)


def test_all_who_tie_for_last_draw_a_card_in_turn_order() -> None:
    """Rule: V3.7.3, DIFF 38."""
    record = paid({"ANN": 3, "DOT": 3}, order=("DOT", "CID", "BOB", "ANN"))
    assert [(event.player, event.why) for event in of_kind(record, ActionDrawn)] == [("DOT", "last"), ("ANN", "last")]


def test_last_place_is_judged_after_interest_and_without_bonds() -> None:
    """Rule: DIFF 39: ANN falls from 5 to 3 behind BOB's 4; CID's bonds do not count."""
    bonds = {"ANN": 7, "BOB": 0, "CID": 19, "DOT": 0}
    record = paid({"ANN": 5, "BOB": 4}, cash=dict.fromkeys(CODES, 0), bonds=bonds)
    assert record.state.income["ANN"] == 3
    assert [event.player for event in of_kind(record, ActionDrawn)] == ["ANN"]


@pytest.mark.parametrize(("number", "cards"), [(1, 1), (3, 1), (4, 0)])
def test_no_card_is_drawn_after_the_last_round(number: int, cards: int) -> None:
    """Rule: DIFF 39, R23; in round 1 there is one, whatever declining brings (DIFF 33)."""
    assert len(of_kind(paid({"ANN": 0}, round=number), ActionDrawn)) == cards


def test_everybody_is_last_when_nobody_has_moved() -> None:
    """Rule: V3.7.3."""
    state = scene({"blue": "Aachen"}, {}, round=1)
    assert len(of_kind(_paid(replace(state, income=dict.fromkeys(CODES, 0))), ActionDrawn)) == 4
