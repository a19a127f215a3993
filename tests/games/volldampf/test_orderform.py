"""The order form and its examples, read back by the order book."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from referee.games.volldampf.board.board import REARRANGE, SUBVENTION
from referee.games.volldampf.report.orderform import example_lines, form_lines, help_lines
from referee.games.volldampf.state import Build, Steal
from tests.games.volldampf.desk import asked, at, foreseen, meant, one

STAGES = ("opening", "bonds", "auction", "choice", "build", "trips")


@pytest.mark.parametrize("stage", STAGES)
def test_examples_are_orders_of_this_board(stage: str) -> None:
    state = at(stage)
    lines = example_lines(state)
    understood = meant(state, "\n".join(["ORDERS VD1 6", *lines, "END"]))
    assert understood.complaints == ()
    assert len(understood.orders) == len(lines) > 0


@pytest.mark.parametrize("what", ["bonds", "bid", "choose", "build", "move", "steal"])
def test_examples_of_single_decisions_are_orders_too(what: str) -> None:
    state = asked(what, 1 if what in ("build", "move") else 0)
    lines = example_lines(state)
    understood = meant(state, "\n".join(lines))
    assert (understood.complaints, len(understood.orders)) == ((), 1)


def test_examples_are_of_the_position_and_the_readers_cards() -> None:
    """From Magdeburg to Berlin goes over Ann's Magdeburg-Leipzig; Hamburg-Hannover, which comes first, is all Bob's."""
    assert example_lines(at("trips"), "ANN") == ["MOVE 1: violet FROM Magdeburg TO Berlin OR DECLINE"]
    hands = {"ANN": ("pink", "grey"), "BOB": ("green",), "CID": (), "DOT": ()}
    for player, colours in (("ANN", ("pink", "grey")), ("BOB", ("green",))):
        state = at("build", hands=hands)
        (line,) = example_lines(state, player)
        build = one(state, line, player)
        assert isinstance(build, Build)
        link = state.board.link_by_id(build.sites[0].link)
        assert link.colour in colours
        assert line.endswith(f"DISCARD {link.colour}")
    (ranked,) = example_lines(at("choice", groups=(("grey", "grey"), (), ("brown", "pink"))), "ANN")
    assert ranked == "RANK grey+grey, brown, 3"


def test_where_no_delivery_can_be_made_the_example_names_a_cube_that_lies_on_the_board() -> None:
    assert example_lines(at("trips", built={}, cubes={"PRA": ("red",)}), "ANN") == [
        "MOVE 1: red FROM Prag TO Kopenhagen OR DECLINE"
    ]
    assert example_lines(at("trips", cubes={}), "ANN") == ["MOVE 1: DECLINE"]


def test_where_routes_must_be_named_the_example_names_one() -> None:
    state = at("trips", options={"route_needed": True})
    assert example_lines(state, "ANN") == ["MOVE 1: violet Magdeburg-Leipzig-Berlin OR DECLINE"]


def test_who_has_no_card_for_a_free_link_gets_an_example_without() -> None:
    state = at("build", hands={"ANN": ("purple",)})
    state = replace(state, built={link.id: "BOB" for link in state.board.links if link.colour == "purple"})
    assert example_lines(state, "ANN") == ["BUILD 1: DISCARD purple"]


@pytest.mark.parametrize(("cards", "stack", "asked"), [(0, True, 0), (1, True, 1), (2, True, 2), (2, False, 1)])
def test_the_form_has_a_line_for_each_extra_trip_that_may_be_made(cards: int, stack: bool, asked: int) -> None:
    """Rule: DIFF 47, R11."""
    hands = {"ANN": (SUBVENTION,) * cards, "BOB": (SUBVENTION, SUBVENTION)}
    lines = form_lines(at("trips", actions=hands, options={"subvention_stack": stack}), "ANN")
    assert lines == ["MOVE 1:", "MOVE 2:", "SUBSIDY:", "SUBSIDY 4:"][: 2 + asked]


@pytest.mark.parametrize("stage", STAGES)
def test_a_form_sent_back_empty_orders_nothing_and_is_no_error(stage: str) -> None:
    state = at(stage, actions={"ANN": (SUBVENTION, REARRANGE), "BOB": (), "CID": (), "DOT": ()})
    understood = meant(state, "\n".join(["ORDERS VD1 6", *form_lines(state, "ANN"), "END"]))
    assert understood.orders == ()
    assert [complaint.code for complaint in understood.complaints if complaint.is_error] == []


def test_the_form_of_who_is_asked_for_a_hand_is_read_empty_and_filled_in() -> None:
    state = asked("steal")
    (line,) = form_lines(state, "ANN")
    assert [complaint.code for complaint in meant(state, line).complaints if complaint.is_error] == []
    assert one(state, f"{line} Bob") == Steal(players=("BOB",), line=1)


def test_lines_of_help_name_what_lies_on_the_board() -> None:
    """Each is read as it stands, where it is asked for; the groups, cards and cubes are those of the position."""
    told = help_lines(at("trips"), "ANN")
    for stage, verbs in (
        ("opening", "RANK NEW"),
        ("build", "BUILD DISCARD"),
        ("trips", "MOVE SUBSIDY EXTRA PLAN SABOTAGE STEAL"),
    ):
        for verb in verbs.split():
            understood = meant(at(stage), told[verb])
            assert (understood.complaints, len(understood.orders)) == ((), 1), told[verb]
    assert told["RANK"] == "RANK green+grey, purple, ONLY pink+pink+orange, 4"
    assert (
        told["MOVE"]
        == "MOVE 1: violet FROM Magdeburg VIA Leipzig TO Berlin OR violet Magdeburg-Leipzig-Erfurt OR DECLINE"
    )
    assert told["SABOTAGE"].startswith("SABOTAGE Bob 2: violet FROM Hamburg")
    assert help_lines(at("trips"), "BOB")["SABOTAGE"].startswith("SABOTAGE Ann")
    assert foreseen(at("opening"), f"BONDS 0\nLIMIT 3\n{told['RANK']}").complaints == ()


def test_lines_of_help_where_nothing_is_built_or_open() -> None:
    told = help_lines(at("trips", built={}, cubes={"PRA": ("red",), "MAG": ("violet",)}, groups=()), "ANN")
    assert "RANK" not in told
    closed = help_lines(at("build", groups=((), (), (), ())), "ANN")
    for line in (told["NEW"], closed["NEW"]):
        assert line == "NEW: orange+brown+grey / purple+green+pink / orange+brown+grey / purple+green+pink"
    assert told["MOVE"].startswith("MOVE 1: violet FROM Magdeburg VIA ")
    routed = help_lines(at("trips", options={"route_needed": True}), "ANN")
    assert meant(at("trips", options={"route_needed": True}), routed["MOVE"]).complaints == ()
