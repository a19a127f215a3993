"""Single events as a newsletter tells them: a scene each, with what its sentence (``words.toml``, ``[scene]``) is filled in.

Names of values say how templates show them: ``colour`` and ``card`` are words, ``…s`` are lists of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.core.record import Ruled
from referee.games.volldampf.board.board import Board
from referee.games.volldampf.events import (
    ActionDrawn,
    Asked,
    BarsLifted,
    BidMade,
    BidPaid,
    BidPassed,
    BidsOpened,
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
    PositionTaken,
    RoundBegan,
    RoundEnded,
    TrackCardDiscarded,
    TripBarred,
    TripDeclined,
)
from referee.games.volldampf.notation import sections_of
from referee.games.volldampf.state import LAST, State

DASH = " - "

# The sections of a newsletter in the order of the phases. Rule: V3
GOODS, GROUPS, BONDS, NEW, AUCTION, CHOICE, BUILDS, TRIPS, INCOME = (
    "goods",
    "groups",
    "bonds",
    "new",
    "auction",
    "choice",
    "builds",
    "trips",
    "income",
)
AROUND = ""  # with the events around it, or not told at all
SECTIONS: Mapping[type, str] = {
    MerchandiseTurned: GOODS,
    CubeDrawn: GOODS,
    CityMissed: GOODS,
    GroupsDealt: GROUPS,
    BondsTaken: BONDS,
    GroupsRearranged: NEW,
    BidMade: AUCTION,
    BidPassed: AUCTION,
    BidsOpened: AUCTION,
    BidPaid: AUCTION,
    OrderSettled: AUCTION,
    GroupChosen: CHOICE,
    LinkBuilt: BUILDS,
    TrackCardDiscarded: BUILDS,
    ExtraPlaced: TRIPS,
    CubeDelivered: TRIPS,
    TripBarred: TRIPS,
    TripDeclined: TRIPS,
    ExtraTripsBegan: TRIPS,
    IncomePaid: INCOME,
    InterestPaid: INCOME,
    **dict.fromkeys((ActionDrawn, NoCardLeft, CardPlayed, CardReturned, CubePlanned, DebtPaid, PilesRenewed), AROUND),
    **dict.fromkeys((GameStarted, PositionTaken, Ruled, RoundBegan, RoundEnded, GameEnded), AROUND),
    **dict.fromkeys((Asked, NothingReceived, OrderKept, KeptDropped, OrderRefused, BarsLifted), AROUND),
}

Scene = dict[str, Any]


def section_of(event: Event) -> str:
    """Return the section an event belongs to by itself; "" where it goes with those around it, or is not told."""
    if isinstance(event, ActionDrawn | NoCardLeft):
        return INCOME if event.why == LAST else TRIPS
    return SECTIONS[type(event)]


def route_name(board: Board, route: tuple[str, ...]) -> str:
    """Return ``Magdeburg - Leipzig - Erfurt``."""
    return DASH.join(board.name(city) for city in route)


def scene(event: Event, state: State, reader: str | None) -> Scene | None:
    """Return an event as *reader* may hear of it, None where nothing is told or a table of its section tells it.

    *state*: the position after the turn.
    """
    board = state.board
    match event:
        case CardPlayed() | CardReturned():
            what = "card-played" if isinstance(event, CardPlayed) else "card-returned"
            return {"what": what, "code": event.player, "card": event.card}
        case GroupChosen():
            return {"what": "group-chosen", "code": event.player, "colours": list(event.cards)}
        case CubePlanned():
            names = {"origin": board.name(event.origin), "goal": board.name(event.goal)}
            return {"what": "cube-planned", "code": event.player, "colour": event.colour, **names}
        case ExtraPlaced():
            city = board.name(event.city)
            return {"what": "extra-placed", "code": event.player, "colour": event.colour, "city": city}
        case DebtPaid():
            return {"what": "debt-paid", "colour": event.colour, "city": board.name(event.city)}
        case TripBarred():
            return {
                "what": "trip-barred" if event.city else "colour-barred",
                "code": event.player,
                "victim": event.victim,
                "colour": event.colour,
                "route": route_name(board, event.route),
                "city": board.name(event.city) if event.city else "",
            }
        case CubeDelivered():
            # Of an event that was stored the owners come back in another order than on the way.
            owners = dict.fromkeys((*sections_of(state, event.route), *event.steps))
            return {
                "what": "delivered-fast" if event.loks else "delivered",
                "code": event.player,
                "colour": event.colour,
                "route": route_name(board, event.route),
                "length": len(event.route) - 1,
                "ends": [board.name(each) for each in (event.route[0], event.route[-1])],
                "steps": [{"code": code, "steps": event.steps[code]} for code in owners],
            }
        case TripDeclined():
            return {"what": "declined" if event.wished else "no-delivery", "code": event.player}
        case PilesRenewed():
            return {"what": "piles-renewed"}
        case ActionDrawn():
            what = "card-stolen" if event.source else f"drawn-{event.why}"
            card = {"what": f"{what}-open", "card": event.card} if state.options.hands_open else {"what": what}
            return {"code": event.player, "source": event.source, **card}
        case NoCardLeft():
            return {"what": "card-waived" if event.waived else "no-card-left", "code": event.player}
        case _:
            return None


def private_scene(event: Event, state: State, reader: str | None) -> Scene | None:
    """Return what of an event is for *reader* alone: a card he drew or lost, an order of his that was cut down."""
    match event:
        case ActionDrawn() if reader in (event.player, event.source) and reader is not None:
            if event.player != reader:
                return {"what": "card-lost", "code": event.player, "card": event.card}
            what = "my-card-stolen" if event.source else "my-card"
            return {"what": what, "card": event.card, "source": event.source}
        case BondsTaken() if event.player == reader and event.asked > event.points:
            return {"what": "my-bonds-cut", "asked": event.asked, "points": event.points}
        case _:
            return None
