"""A small board and a turn of each kind, put together by hand, for the tests of what is seen and told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from referee.core.game import ONE_BY_ONE, Player
from referee.core.orders import Complaint
from referee.games.volldampf import events as told
from referee.games.volldampf.board import Board, City, Link, LinkColour, Merchandise, Numbers
from referee.games.volldampf.changes import apply
from referee.games.volldampf.options import Options
from referee.games.volldampf.orders import Sabotage, Target
from referee.games.volldampf.state import Item, State, Table

CODES = ("ANN", "BOB", "CAT", "DAN")
COLOURS = ("blue", "red", "green", "yellow")

BOARD = Board(
    id="trial",
    title="Trial",
    cities=(
        City(id="HAM", name="Hamburg", colour="blue"),
        City(id="HAN", name="Hannover", colour="violet"),
        City(id="KAS", name="Kassel", colour="blue"),
        City(id="BER", name="Berlin", colour="violet"),
        City(id="PRA", name="Prag", colour="red", country="CZ"),
        City(id="WIE", name="Wien", colour="yellow", country="AT"),
    ),
    colours=(
        LinkColour(id="purple", symbol="circle", code="C"),
        LinkColour(id="green", symbol="octagon", code="O"),
        LinkColour(id="pink", symbol="triangle", code="T"),
    ),
    links=(
        Link(a="HAM", b="HAN", colour="purple", cost=5),
        Link(a="HAN", b="KAS", colour="purple", cost=4),
        Link(a="HAM", b="BER", colour="green", cost=6),
        Link(a="HAN", b="BER", colour="green", cost=6),
        Link(a="BER", b="PRA", colour="pink", cost=8),
        Link(a="PRA", b="WIE", colour="pink", cost=8),
    ),
    merchandise=(
        Merchandise(number=1, cities=("HAM", "PRA", "WIE")),
        Merchandise(number=2, cities=("KAS", "BER", "PRA")),
    ),
    numbers={
        count: Numbers(
            sections=12,
            group_size=3,
            rounds=4,
            setup_cards=1,
            round_cards=1,
            remove_per_colour=0,
            remove_random=1,
        )
        for count in range(2, 7)
    },
)


def opened(count: int = 3, *, pace: str = "together", **options: Any) -> State:
    """Return the position after ``GameStarted``."""
    players = tuple(
        Player(code=code, colour=colour, name=code.title(), company=f"{code} Railway")
        for code, colour in zip(CODES[:count], COLOURS, strict=False)
    )
    state = State(table=Table(board=BOARD, options=Options(**options), players=players, pace=pace))
    return apply(told.GameStarted(cash=10, order=CODES[:count], removed=("pink",)), state)


def asking(state: State, what: str, *, stage: str = "", number: int = 0, player: str = "") -> State:
    """Return the position with that question at the head of its agenda."""
    return replace(state, agenda=(Item(what=what, stage=stage, number=number, player=player),))


def folded(state: State, events: tuple[told.Event, ...]) -> State:
    """Return the position after *events*."""
    return reduce(lambda before, event: apply(event, before), events, state)


def holding(state: State, **hands: str) -> State:
    """Return the position with action cards in hand: ``ANN="Sabotage, Alles neu"``."""
    held: Mapping[str, tuple[str, ...]] = {code: tuple(cards.split(", ")) for code, cards in hands.items()}
    return replace(state, actions={**state.actions, **held})


def one_by_one(state: State, what: str, player: str, number: int = 0) -> State:
    """Return the position with a single decision asked for."""
    return asking(replace(state, table=replace(state.table, pace=ONE_BY_ONE)), what, player=player, number=number)


def opening_events() -> tuple[told.Event, ...]:
    """Return the events of an opening of three players, a city missed for an empty bag among them."""
    return (
        told.GameStarted(cash=10, order=("BOB", "CAT", "ANN"), removed=("pink",)),
        told.CubeDrawn(city="HAM", colour="red", round=0),
        told.CubeDrawn(city="HAN", colour="blue", round=0),
        told.MerchandiseTurned(round=0, card=1, cities=("HAM", "PRA", "WIE")),
        told.CubeDrawn(city="HAM", colour="violet", round=0, card=1),
        told.CubeDrawn(city="PRA", colour="blue", round=0, card=1),
        told.CityMissed(city="WIE", round=0, card=1, owed=True),
        told.RoundBegan(round=1),
        told.MerchandiseTurned(round=1, card=2, cities=("KAS", "BER", "PRA")),
        told.CubeDrawn(city="KAS", colour="violet", round=1, card=2),
        told.CityMissed(city="BER", round=1, card=2, owed=False),
        told.GroupsDealt(
            round=1, groups=(("purple", "green", "pink"), ("purple", "purple", "green"), ("green", "pink", "pink"))
        ),
        told.Asked(agenda=(Item(what="letter", stage="opening"),), turn=1),
    )


def auction_events() -> tuple[told.Event, ...]:
    """Return bonds, Alles neu, the auction and the choice after ``opening_events``; ANN holds Alles neu."""
    return (
        told.BondsTaken(player="BOB", points=3, money=18, asked=5),
        told.BondsTaken(player="CAT", points=0, money=0, asked=0),
        told.BondsTaken(player="ANN", points=2, money=12, asked=2),
        told.CardPlayed(player="ANN", card="Alles neu"),
        told.GroupsRearranged(
            player="ANN", groups=(("purple", "purple", "pink"), ("purple", "green", "green"), ("green", "pink", "pink"))
        ),
        told.OrderKept(player="BOB", order=Sabotage(targets=(Target(colour="blue"),))),
        told.KeptDropped(player="CAT", order_kind="Rank"),
        told.NothingReceived(player="CAT", stage="opening"),
        told.BidMade(player="BOB", amount=1),
        told.BidMade(player="CAT", amount=2),
        told.BidPassed(player="ANN"),
        told.BidMade(player="BOB", amount=3),
        told.BidPassed(player="CAT"),
        told.BidPaid(player="BOB", bid=3, paid=3, share="all"),
        told.BidPaid(player="CAT", bid=2, paid=2, share="all"),
        told.BidPaid(player="ANN", bid=0, paid=0, share="half"),
        told.OrderSettled(order=("BOB", "CAT", "ANN")),
        refusal("ANN", "RANK", secret=True),
        refusal("CAT", "RANK pink", secret=False),
        told.GroupChosen(player="BOB", cards=("purple", "purple", "pink")),
        told.GroupChosen(player="CAT", cards=("green", "pink", "pink")),
        told.GroupChosen(player="ANN", cards=("purple", "green", "green")),
        told.Asked(agenda=(Item(what="letter", stage="build"),), turn=2),
    )


def building_events() -> tuple[told.Event, ...]:
    """Return three building rounds after ``auction_events``; BOB holds Neue Planung, CAT Günstige Gelegenheit."""
    return (
        told.CardPlayed(player="BOB", card="Neue Planung"),
        told.CubePlanned(player="BOB", colour="red", origin="HAM", goal="KAS"),
        told.LinkBuilt(player="BOB", number=1, link="HAM-HAN", card="purple", cost=5),
        told.CardPlayed(player="CAT", card="Günstige Gelegenheit"),
        told.LinkBuilt(player="CAT", number=1, link="BER-PRA", card="green", cost=5, bargain=True),
        told.TrackCardDiscarded(player="ANN", number=1, card="green"),
        told.LinkBuilt(player="BOB", number=2, link="HAN-KAS", card="purple", cost=4),
        told.TrackCardDiscarded(player="CAT", number=2, card="pink"),
        told.LinkBuilt(player="ANN", number=2, link="BER-HAM", card="green", cost=6),
        told.TrackCardDiscarded(player="BOB", number=3, card="pink"),
        told.TrackCardDiscarded(player="CAT", number=3, card="pink"),
        told.TrackCardDiscarded(player="ANN", number=3, card="purple"),
        told.Asked(agenda=(Item(what="letter", stage="trips"),), turn=3),
    )


def transport_events() -> tuple[told.Event, ...]:
    """Return phases 6 and 7 and the end after ``building_events``.

    BOB holds Alles neu and Sabotage, CAT Schnelle Lok twice and Zusatzfracht.
    """
    return (
        told.CardPlayed(player="CAT", card="Zusatzfracht"),
        told.ExtraPlaced(player="CAT", trip=1, colour="yellow", city="BER"),
        told.CardPlayed(player="CAT", card="Schnelle Lok"),
        told.CardPlayed(player="BOB", card="Sabotage"),
        told.TripBarred(player="BOB", victim="CAT", trip=1, colour="blue", route=("PRA", "BER", "HAM"), city="PRA"),
        told.CardReturned(player="CAT", card="Schnelle Lok"),
        told.BarsLifted(player="CAT"),
        told.TripDeclined(player="CAT", trip=1, wished=False),
        told.ActionDrawn(player="CAT", card="Sabotage", why="declined"),
        told.CubeDelivered(player="BOB", trip=1, colour="blue", route=("HAN", "HAM"), steps={"BOB": 1}),
        told.DebtPaid(city="WIE", colour="blue"),
        told.TripDeclined(player="ANN", trip=1, wished=True),
        told.PilesRenewed(),
        told.ActionDrawn(player="ANN", card="Alles neu", why="declined", source="BOB"),
        told.CardPlayed(player="CAT", card="Schnelle Lok"),
        told.CubeDelivered(
            player="CAT", trip=2, colour="blue", route=("PRA", "BER", "HAM"), steps={"CAT": 1, "ANN": 1}, loks=1
        ),
        told.TripDeclined(player="BOB", trip=2, wished=False),
        told.TripDeclined(player="ANN", trip=2, wished=True),
        told.NoCardLeft(player="ANN", why="declined", waived=True),
        told.ExtraTripsBegan(last=("ANN", "BOB")),
        told.IncomePaid(player="BOB", amount=1),
        told.InterestPaid(player="BOB", due=3, paid=3, back=0),
        told.IncomePaid(player="CAT", amount=1),
        told.InterestPaid(player="CAT", due=0, paid=0, back=0),
        told.IncomePaid(player="ANN", amount=1),
        told.InterestPaid(player="ANN", due=2, paid=1, back=1),
        told.ActionDrawn(player="ANN", card="Subvention", why="last"),
        told.RoundEnded(round=1, income={"ANN": 0, "BOB": 1, "CAT": 1}),
        told.GameEnded(scores={"ANN": -2, "BOB": -2, "CAT": 1}, winners=("CAT",)),
    )


def refusal(player: str, text: str, *, secret: bool) -> told.OrderRefused:
    """Return a refusal whose words are *text*."""
    complaint = Complaint(code="illegal-no-track-card", text=text, paragraph="V3.5.1", params=(("colour", "grey"),))
    return told.OrderRefused(player=player, complaint=complaint, secret=secret)


Turn = tuple[State, tuple[told.Event, ...]]


def turns(**options: Any) -> dict[str, Turn]:
    """Return the four turns above with the position after each, by what they are about."""
    bare = State(table=opened(**options).table)
    first = folded(bare, opening_events())
    second = folded(holding(first, ANN="Alles neu"), auction_events())
    third = folded(holding(second, BOB="Neue Planung", CAT="Günstige Gelegenheit"), building_events())
    held = holding(third, BOB="Sabotage, Alles neu", CAT="Schnelle Lok, Schnelle Lok, Zusatzfracht")
    return {
        "opening": (first, opening_events()),
        "auction": (second, auction_events()),
        "builds": (third, building_events()),
        "trips": (folded(held, transport_events()), transport_events()),
    }
