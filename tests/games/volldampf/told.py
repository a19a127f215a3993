"""A small board and a turn of each kind, put together by hand, for the tests of what is seen and told."""

from collections.abc import Mapping
from functools import reduce
from typing import Any, Literal

from msgspec.structs import replace

from referee.core.game import ONE_BY_ONE, Player
from referee.core.orders import Complaint
from referee.games.volldampf.board import Board, City, Link, LinkColour, Merchandise, Numbers
from referee.games.volldampf.events import (
    ActionDrawn,
    Asked,
    BarsLifted,
    BidMade,
    BidPaid,
    BidPassed,
    BondsTaken,
    CardPlayed,
    CardReturned,
    CityMissed,
    CubeDelivered,
    CubeDrawn,
    CubePlanned,
    DebtPaid,
    Event,
    ExtraPlaced,
    ExtraTripsBegan,
    GameEnded,
    GameStarted,
    GroupChosen,
    GroupsDealt,
    GroupsRearranged,
    IncomePaid,
    InterestPaid,
    KeptDropped,
    LinkBuilt,
    MerchandiseTurned,
    NoCardLeft,
    NothingReceived,
    OrderKept,
    OrderRefused,
    OrderSettled,
    PilesRenewed,
    RoundBegan,
    RoundEnded,
    TrackCardDiscarded,
    TripBarred,
    TripDeclined,
)
from referee.games.volldampf.options import Options
from referee.games.volldampf.state import Item, Sabotage, Stage, State, Table, Target, What
from tests.games.volldampf.tables import apply

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
    return apply(GameStarted(cash=10, order=CODES[:count], removed=("pink",)), state)


def asking(state: State, what: What, *, stage: Stage | Literal[""] = "", number: int = 0, player: str = "") -> State:
    """Return the position with that question at the head of its agenda."""
    return replace(state, agenda=(Item(what=what, stage=stage, number=number, player=player),))


def folded(state: State, events: tuple[Event, ...]) -> State:
    """Return the position after *events*."""
    return reduce(lambda before, event: apply(event, before), events, state)


def holding(state: State, **hands: str) -> State:
    """Return the position with action cards in hand: ``ANN="Sabotage, Alles neu"``."""
    held: Mapping[str, tuple[str, ...]] = {code: tuple(cards.split(", ")) for code, cards in hands.items()}
    return replace(state, actions={**state.actions, **held})


def one_by_one(state: State, what: What, player: str, number: int = 0) -> State:
    """Return the position with a single decision asked for."""
    return asking(replace(state, table=replace(state.table, pace=ONE_BY_ONE)), what, player=player, number=number)


def opening_events() -> tuple[Event, ...]:
    """Return the events of an opening of three players, a city missed for an empty bag among them."""
    return (
        GameStarted(cash=10, order=("BOB", "CAT", "ANN"), removed=("pink",)),
        CubeDrawn(city="HAM", colour="red", round=0),
        CubeDrawn(city="HAN", colour="blue", round=0),
        MerchandiseTurned(round=0, card=1, cities=("HAM", "PRA", "WIE")),
        CubeDrawn(city="HAM", colour="violet", round=0, card=1),
        CubeDrawn(city="PRA", colour="blue", round=0, card=1),
        CityMissed(city="WIE", round=0, card=1, owed=True),
        RoundBegan(round=1),
        MerchandiseTurned(round=1, card=2, cities=("KAS", "BER", "PRA")),
        CubeDrawn(city="KAS", colour="violet", round=1, card=2),
        CityMissed(city="BER", round=1, card=2, owed=False),
        GroupsDealt(
            round=1, groups=(("purple", "green", "pink"), ("purple", "purple", "green"), ("green", "pink", "pink"))
        ),
        Asked(agenda=(Item(what="letter", stage="opening"),), turn=1),
    )


def auction_events() -> tuple[Event, ...]:
    """Return bonds, Alles neu, the auction and the choice after ``opening_events``; ANN holds Alles neu."""
    return (
        BondsTaken(player="BOB", points=3, money=18, asked=5),
        BondsTaken(player="CAT", points=0, money=0, asked=0),
        BondsTaken(player="ANN", points=2, money=12, asked=2),
        CardPlayed(player="ANN", card="Alles neu"),
        GroupsRearranged(
            player="ANN", groups=(("purple", "purple", "pink"), ("purple", "green", "green"), ("green", "pink", "pink"))
        ),
        OrderKept(player="BOB", order=Sabotage(targets=(Target(colour="blue"),))),
        KeptDropped(player="CAT", order_kind="Rank"),
        NothingReceived(player="CAT", stage="opening"),
        BidMade(player="BOB", amount=1),
        BidMade(player="CAT", amount=2),
        BidPassed(player="ANN"),
        BidMade(player="BOB", amount=3),
        BidPassed(player="CAT"),
        BidPaid(player="BOB", bid=3, paid=3, share="all"),
        BidPaid(player="CAT", bid=2, paid=2, share="all"),
        BidPaid(player="ANN", bid=0, paid=0, share="half"),
        OrderSettled(order=("BOB", "CAT", "ANN")),
        refusal("ANN", "RANK", secret=True),
        refusal("CAT", "RANK pink", secret=False),
        GroupChosen(player="BOB", cards=("purple", "purple", "pink")),
        GroupChosen(player="CAT", cards=("green", "pink", "pink")),
        GroupChosen(player="ANN", cards=("purple", "green", "green")),
        Asked(agenda=(Item(what="letter", stage="build"),), turn=2),
    )


def building_events() -> tuple[Event, ...]:
    """Return three building rounds after ``auction_events``; BOB holds Neue Planung, CAT Günstige Gelegenheit."""
    return (
        CardPlayed(player="BOB", card="Neue Planung"),
        CubePlanned(player="BOB", colour="red", origin="HAM", goal="KAS"),
        LinkBuilt(player="BOB", number=1, link="HAM-HAN", card="purple", cost=5),
        CardPlayed(player="CAT", card="Günstige Gelegenheit"),
        LinkBuilt(player="CAT", number=1, link="BER-PRA", card="green", cost=5, bargain=True),
        TrackCardDiscarded(player="ANN", number=1, card="green"),
        LinkBuilt(player="BOB", number=2, link="HAN-KAS", card="purple", cost=4),
        TrackCardDiscarded(player="CAT", number=2, card="pink"),
        LinkBuilt(player="ANN", number=2, link="BER-HAM", card="green", cost=6),
        TrackCardDiscarded(player="BOB", number=3, card="pink"),
        TrackCardDiscarded(player="CAT", number=3, card="pink"),
        TrackCardDiscarded(player="ANN", number=3, card="purple"),
        Asked(agenda=(Item(what="letter", stage="trips"),), turn=3),
    )


def transport_events() -> tuple[Event, ...]:
    """Return phases 6 and 7 and the end after ``building_events``.

    BOB holds Alles neu and Sabotage, CAT Schnelle Lok twice and Zusatzfracht.
    """
    return (
        CardPlayed(player="CAT", card="Zusatzfracht"),
        ExtraPlaced(player="CAT", trip=1, colour="yellow", city="BER"),
        CardPlayed(player="CAT", card="Schnelle Lok"),
        CardPlayed(player="BOB", card="Sabotage"),
        TripBarred(player="BOB", victim="CAT", trip=1, colour="blue", route=("PRA", "BER", "HAM"), city="PRA"),
        CardReturned(player="CAT", card="Schnelle Lok"),
        BarsLifted(player="CAT"),
        TripDeclined(player="CAT", trip=1, wished=False),
        ActionDrawn(player="CAT", card="Sabotage", why="declined"),
        CubeDelivered(player="BOB", trip=1, colour="blue", route=("HAN", "HAM"), steps={"BOB": 1}),
        DebtPaid(city="WIE", colour="blue"),
        TripDeclined(player="ANN", trip=1, wished=True),
        PilesRenewed(),
        ActionDrawn(player="ANN", card="Alles neu", why="declined", source="BOB"),
        CardPlayed(player="CAT", card="Schnelle Lok"),
        CubeDelivered(
            player="CAT", trip=2, colour="blue", route=("PRA", "BER", "HAM"), steps={"CAT": 1, "ANN": 1}, loks=1
        ),
        TripDeclined(player="BOB", trip=2, wished=False),
        TripDeclined(player="ANN", trip=2, wished=True),
        NoCardLeft(player="ANN", why="declined", waived=True),
        ExtraTripsBegan(last=("ANN", "BOB")),
        IncomePaid(player="BOB", amount=1),
        InterestPaid(player="BOB", due=3, paid=3, back=0),
        IncomePaid(player="CAT", amount=1),
        InterestPaid(player="CAT", due=0, paid=0, back=0),
        IncomePaid(player="ANN", amount=1),
        InterestPaid(player="ANN", due=2, paid=1, back=1),
        ActionDrawn(player="ANN", card="Subvention", why="last"),
        RoundEnded(round=1, income={"ANN": 0, "BOB": 1, "CAT": 1}),
        GameEnded(scores={"ANN": -2, "BOB": -2, "CAT": 1}, winners=("CAT",)),
    )


def refusal(player: str, text: str, *, secret: bool) -> OrderRefused:
    """Return a refusal whose words are *text*."""
    complaint = Complaint(code="illegal-no-track-card", text=text, paragraph="V3.5.1", params=(("colour", "grey"),))
    return OrderRefused(player=player, complaint=complaint, secret=secret)


Turn = tuple[State, tuple[Event, ...]]


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
