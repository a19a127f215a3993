"""The order form and its examples, read back by the order book."""

from __future__ import annotations

import pytest

from referee.games.volldampf.board import REARRANGE, SUBVENTION
from referee.games.volldampf.orderform import example_lines, form_lines
from tests.games.volldampf.desk import asked, at, meant

STAGES = ("opening", "bonds", "auction", "choice", "build", "trips")


@pytest.mark.parametrize("stage", STAGES)
def test_examples_are_orders_of_this_board(stage: str) -> None:
    state = at(stage)
    lines = example_lines(state)
    understood = meant(state, "\n".join(["ORDERS VD1 6", *lines, "END"]))
    assert understood.complaints == ()
    assert len(understood.orders) == len(lines) > 0


@pytest.mark.parametrize("what", ["bonds", "bid", "choose", "build", "move"])
def test_examples_of_single_decisions_are_orders_too(what: str) -> None:
    state = asked(what, 1 if what in ("build", "move") else 0)
    lines = example_lines(state)
    understood = meant(state, "\n".join(lines))
    assert (understood.complaints, len(understood.orders)) == ((), 1)


@pytest.mark.parametrize("stage", STAGES)
def test_a_form_sent_back_empty_orders_nothing_and_is_no_error(stage: str) -> None:
    state = at(stage, actions={"ANN": (SUBVENTION, REARRANGE), "BOB": (), "CID": (), "DOT": ()})
    understood = meant(state, "\n".join(["ORDERS VD1 6", *form_lines(state, "ANN"), "END"]))
    assert understood.orders == ()
    assert [complaint.code for complaint in understood.complaints if complaint.is_error] == []
