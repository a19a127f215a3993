"""Building: alternatives, cards, costs, Günstige Gelegenheit, discards. Rule: V3.5, V4.5."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from referee.games.volldampf import schedule
from referee.games.volldampf.board.board import BARGAIN
from referee.games.volldampf.building import do_build
from referee.games.volldampf.changes import CHANGES, Record
from referee.games.volldampf.events import LinkBuilt, OrderRefused, TrackCardDiscarded
from referee.games.volldampf.state import Build, Item, Site
from tests.games.volldampf.tables import board, dice, letters, of_kind, opened

HAND = ("green", "pink", "grey")
LINKS = {link.id: link for link in board().links}
GREEN, PINK, PURPLE, GREY = (
    [link.id for link in board().links if link.colour == colour] for colour in ("green", "pink", "purple", "grey")
)


def _build(
    *sites: Site,
    hand: tuple[str, ...] = HAND,
    cash: int = 10,
    built: Mapping[str, str] | None = None,
    bargains: int = 0,
    number: int = 1,
    **options: Any,
) -> Record:
    """Let ANN try these alternatives in building round 1."""
    state = opened(4, **options)
    state = replace(
        state,
        hands={**state.hands, "ANN": hand},
        cash={**state.cash, "ANN": cash},
        built=built or {},
        actions={**state.actions, "ANN": (BARGAIN,) * bargains},
    )
    record = Record(state, CHANGES)
    order = Build(number=number, sites=sites, line=4)
    do_build(record, Item(what=schedule.BUILD, number=1, player="ANN"), letters(state, ANN=order), dice())
    return record


def _codes(record: Record) -> list[str]:
    assert all(event.secret and event.player == "ANN" for event in of_kind(record, OrderRefused))
    return [event.complaint.code for event in of_kind(record, OrderRefused)]


def test_the_first_alternative_that_is_possible_is_built() -> None:
    """A link that is taken, one of a colour not held, one too dear; the rest is not looked at."""
    record = _build(
        Site(link=GREEN[0]),
        Site(link=PURPLE[0]),
        Site(link=PINK[0], card="green"),
        Site(link=PINK[1]),
        Site(link=GREEN[1]),
        built={GREEN[0]: "BOB"},
        cash=LINKS[PINK[1]].cost,
    )
    assert _codes(record) == ["illegal-link-taken", "illegal-no-track-card", "illegal-card-colour"]
    assert of_kind(record, LinkBuilt)[0].link == PINK[1]
    assert record.state.cash["ANN"] == 0


@pytest.mark.parametrize(
    ("sites", "card"),
    [
        ((), "green"),
        ((Site(card="grey"),), "grey"),
        ((Site(card="orange"),), "green"),
        ((Site(link=PURPLE[0]), Site(link=GREY[0])), "grey"),
        ((Site(link=GREEN[0], card="orange"), Site(link=GREEN[0], card="pink")), "pink"),
    ],
)
def test_who_does_not_build_discards(sites: tuple[Site, ...], card: str) -> None:
    """V3.5.2, R6: the card named; of failed alternatives the first that names a card held; else in colour order."""
    record = _build(*sites, cash=0)
    assert [event.card for event in of_kind(record, TrackCardDiscarded)] == [card]
    assert len(record.state.hands["ANN"]) == 2
    assert record.state.cash["ANN"] == 0


def test_a_discard_may_be_an_alternative() -> None:
    record = _build(Site(link=GREEN[0]), Site(card="grey"), Site(link=GREEN[1]), built={GREEN[0]: "BOB"})
    assert [event.card for event in of_kind(record, TrackCardDiscarded)] == ["grey"]
    assert record.state.built == {GREEN[0]: "BOB"}


def test_an_order_for_another_building_round_does_not_count() -> None:
    record = _build(Site(link=GREEN[0]), number=2)
    assert [type(event) for event in record.events] == [TrackCardDiscarded]


def test_without_track_cards_nothing_happens() -> None:
    assert _build(Site(link=GREEN[0]), hand=()).events == []


def test_a_bargain_without_a_named_card_takes_the_links_own_colour_else_the_first() -> None:
    assert of_kind(_build(Site(link=GREY[0], bargain=True), bargains=1), LinkBuilt)[0].card == "grey"
    assert of_kind(_build(Site(link=PURPLE[0], bargain=True), bargains=1), LinkBuilt)[0].card == "green"


def test_who_has_no_section_left_cannot_build() -> None:
    """It cannot come to that in a game (digest, 8.2), but in a position typed in."""
    built = dict.fromkeys((*PURPLE, *GREY)[:12], "ANN")
    assert _codes(_build(Site(link=GREEN[0]), built=built)) == ["illegal-no-section"]


def test_the_complaint_repeats_the_alternative_in_the_order_language() -> None:
    record = _build(Site(link="C01-C02", card="orange"), Site(link="C01-C02", card="pink", bargain=True))
    texts = [event.complaint.text for event in of_kind(record, OrderRefused)]
    assert texts == ["C01-C02 WITH orange", "C01-C02 BARGAIN WITH pink"]
