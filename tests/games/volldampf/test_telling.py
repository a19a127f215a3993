"""Whatever may be ordered is read back from its canonical form as the same order."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from referee.games.volldampf.board.board import CUBE_COLOURS
from referee.games.volldampf.notation import format_delivery, format_order
from referee.games.volldampf.routing import legal_deliveries
from referee.games.volldampf.state import (
    DECLINED,
    Bid,
    Build,
    Delivery,
    Extra,
    Move,
    Order,
    Plan,
    Rank,
    Rearrange,
    Sabotage,
    Site,
    Steal,
    Subsidy,
    TakeBonds,
    Target,
    Wish,
)
from tests.games.volldampf.desk import at, foreseen, meant, one

QUICK = settings(max_examples=60)
STATES = {stage: at(stage, options={"lok_stack": True}) for stage in ("opening", "build", "trips")}
BOARD = STATES["build"].table.board
TRACKS = BOARD.colour_ids

colours = st.sampled_from(CUBE_COLOURS)
cities = st.sampled_from([city.id for city in BOARD.cities])
tracks = st.sampled_from(TRACKS)
few = st.integers(min_value=0, max_value=2)


def group(most: int) -> st.SearchStrategy[tuple[str, ...]]:
    """Return cards in colour order."""
    return st.lists(tracks, min_size=1, max_size=most).map(lambda cards: tuple(sorted(cards, key=TRACKS.index)))


@st.composite
def sites(draw: Any) -> Site:
    if draw(st.booleans()):
        return Site(card=draw(st.sampled_from(("", *TRACKS))))
    link, bargain = draw(st.sampled_from(BOARD.links)), draw(st.booleans())
    card = draw(st.sampled_from(("", *TRACKS)))
    return Site(link=link.id, card="" if card == link.colour and not bargain else card, bargain=bargain)


@st.composite
def deliveries(draw: Any) -> Delivery:
    """A route along links, or cities of which not each is linked to the next."""
    colour, loks = draw(colours), draw(few)
    named = draw(st.lists(cities, min_size=2, max_size=4, unique=True))
    if draw(st.booleans()):
        route = named[:1]
        while len(route) < 4 and (near := [city for city in BOARD.neighbours(route[-1]) if city not in route]):
            route.append(draw(st.sampled_from(near)))
        return Delivery(colour=colour, origin=route[0], goal=route[-1], route=tuple(route), loks=loks)
    whole = all(BOARD.link(here, there) for here, there in pairwise(named))
    via = () if whole else tuple(named[1:-1])
    return Delivery(colour=colour, origin=named[0], goal=named[-1], via=via, loks=loks)


def several(each: st.SearchStrategy[Any], most: int = 4) -> st.SearchStrategy[Any]:
    return st.lists(each, min_size=1, max_size=most).map(tuple)


wishes = st.one_of(st.builds(Wish, number=st.integers(1, 4)), st.builds(Wish, colours=group(3), exact=st.booleans()))
trips = several(st.one_of(deliveries(), st.just(Delivery(colour=DECLINED))))
targets = st.builds(Target, **dict.fromkeys(("origin", "goal", "passing"), st.one_of(st.just(""), cities))).flatmap(
    lambda target: st.sampled_from(("", *CUBE_COLOURS)).map(lambda colour: replace(target, colour=colour))
)
moves = st.builds(Plan, when=st.sampled_from(("before", "after")), what=st.just("move"), number=st.sampled_from((1, 2)),
                  colour=colours, origin=cities, goal=cities).filter(lambda plan: plan.origin != plan.goal)  # fmt: skip

ORDERS: dict[str, tuple[str, st.SearchStrategy[Order]]] = {
    "bonds": ("opening", st.builds(TakeBonds, points=st.integers(0, 84))),
    "bid": ("opening", st.lists(st.integers(0, 99), max_size=1).map(lambda figures: Bid(amounts=tuple(figures)))),
    "rank": ("opening", st.builds(Rank, wishes=several(wishes))),
    "rearrange": ("opening", st.builds(Rearrange, groups=several(group(3)))),
    "build": ("build", st.builds(Build, number=st.integers(1, 3), sites=several(sites()))),
    "sabotage": ("build", st.builds(Sabotage, victim=st.sampled_from(("", "BOB", "CID")), trip=few, targets=several(targets))),
    "steal": ("build", st.builds(Steal, players=st.sampled_from(((), ("BOB",), ("DOT", "CID"))))),
    "move": ("trips", st.builds(Move, trip=st.sampled_from((1, 2)), deliveries=trips)),
    "subsidy": ("trips", st.builds(Subsidy, trip=st.sampled_from((3, 4)), deliveries=several(deliveries()))),
    "extra": (
        "trips",
        st.lists(cities, min_size=4, max_size=4).map(
            lambda named: Extra(trip=1, cities=tuple(zip(CUBE_COLOURS, named, strict=True)))
        ),
    ),
    "plan": ("trips", moves),
}  # fmt: skip


@pytest.mark.parametrize("kind", ORDERS)
@QUICK
@given(data=st.data())
def test_a_canonical_form_is_read_back_as_the_same_order(kind: str, data: st.DataObject) -> None:
    stage, orders = ORDERS[kind]
    order = data.draw(orders)
    text = format_order(STATES[stage], order)
    assert replace(one(STATES[stage], text), line=0) == order
    assert replace(one(STATES[stage], f"ORDERS\n{text}\nEND"), line=0) == order


def test_every_legal_delivery_can_be_written_and_read() -> None:
    state = STATES["trips"]
    found = legal_deliveries(state, "ANN", 6)
    assert len(found) > 5
    for delivery in found:
        order = one(state, f"MOVE 1: {format_delivery(BOARD, delivery)}")
        assert order == Move(trip=1, deliveries=(delivery,), line=1)


@settings(max_examples=150)
@given(
    st.lists(
        st.sampled_from(
            [
                "MOVE",
                "BUILD",
                "RANK",
                "BONDS",
                "LIMIT",
                "SABOTAGE",
                "EXTRA",
                "PLAN",
                "NEW",
                "STEAL",
                "FROM",
                "TO",
                "VIA",
                "OR",
                "WITH",
                "FAST",
                "ANY",
                "1",
                "2",
                ":",
                ",",
                "-",
                "+",
                "/",
                "(",
                ")",
                "[",
                ";",
                "blue",
                "violet",
                "purple",
                "Hamburg",
                "Berlin",
                "Köln",
                "Bob",
                "ANN",
                "foo",
                "BARGAIN",
                "DISCARD",
                "DECLINE",
                "BEFORE",
                "none",
                "only",
                "END",
                "ORDERS",
                "\n",
            ]
        ),
        max_size=25,
    )
)
def test_no_jumble_of_words_is_too_much(found: list[str]) -> None:
    text = " ".join(found)
    for state in STATES.values():
        foreseen(state, text)
        for order in meant(state, text).orders:
            assert replace(one(state, format_order(state, order)), line=0) == replace(order, line=0)
