"""Single events as a newsletter tells them: a scene each, with what its sentence (``words.toml``, ``[scene]``) is filled in.

Names of values say how templates show them: ``colour`` and ``card`` are words, ``…s`` are lists of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict

from referee.games.volldampf.board.board import Board
from referee.games.volldampf.events import (
    ActionDrawn,
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
    GroupChosen,
    GroupsDealt,
    GroupsRearranged,
    IncomePaid,
    InterestPaid,
    LinkBuilt,
    MerchandiseTurned,
    NoCardLeft,
    OrderSettled,
    PilesRenewed,
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
}

Scene = dict[str, Any]


# What is told of an event whatever it says.
WHATS: Mapping[type, str] = {
    CardPlayed: "card-played",
    CardReturned: "card-returned",
    GroupChosen: "group-chosen",
    CubePlanned: "cube-planned",
    ExtraPlaced: "extra-placed",
    DebtPaid: "debt-paid",
    PilesRenewed: "piles-renewed",
}


def section_of(event: Event) -> str:
    """Return the section an event belongs to by itself; "" where it goes with those around it, or is not told."""
    if isinstance(event, ActionDrawn | NoCardLeft):
        return INCOME if event.why == LAST else TRIPS
    return SECTIONS.get(type(event), AROUND)


def named(event: Event, board: Board) -> Scene:
    """Return what an event says, its cities and its link by their names, its player as ``code``."""
    said = {"code": getattr(event, "player", ""), **asdict(event)}
    cities = {each: board.name(said[each]) for each in ("city", "origin", "goal") if said.get(each)}
    return said | cities | ({"link": board.link_name(said["link"])} if "link" in said else {})


def route_name(board: Board, route: tuple[str, ...]) -> str:
    """Return ``Magdeburg - Leipzig - Erfurt``."""
    return DASH.join(board.name(city) for city in route)


def scene(event: Event, state: State) -> Scene | None:
    """Return an event as everybody may hear of it, None where nothing is told or a table of its section tells it.

    *state*: the position after the turn.
    """
    board, told = state.board, named(event, state.board)
    match event:
        case TripBarred():
            what = "trip-barred" if event.city else "colour-barred"
            return {**told, "what": what, "route": route_name(board, event.route)}
        case CubeDelivered():
            # Of an event that was stored the owners come back in another order than on the way.
            owners = dict.fromkeys((*sections_of(state, event.route), *event.steps))
            return {
                **told,
                "what": "delivered-fast" if event.loks else "delivered",
                "route": route_name(board, event.route),
                "length": len(event.route) - 1,
                "ends": [board.name(each) for each in (event.route[0], event.route[-1])],
                "steps": [{"code": code, "steps": event.steps[code]} for code in owners],
            }
        case TripDeclined():
            return {**told, "what": "declined" if event.wished else "no-delivery"}
        case ActionDrawn():
            what = "card-stolen" if event.source else f"drawn-{event.why}"
            return told | ({"what": f"{what}-open"} if state.options.hands_open else {"what": what, "card": ""})
        case NoCardLeft():
            return {**told, "what": "card-waived" if event.waived else "no-card-left"}
        case _:
            return {**told, "what": WHATS[type(event)]} if type(event) in WHATS else None


def private_scene(event: Event, state: State, reader: str | None) -> Scene | None:
    """Return what of an event is for *reader* alone: a card he drew or lost, an order of his that was cut down."""
    match event:
        case ActionDrawn(player=player) if player == reader:
            what = "my-card-stolen" if event.source else "my-card"
        case ActionDrawn(source=source) if source == reader:
            what = "card-lost"
        case BondsTaken(player=player) if player == reader and event.asked > event.points:
            what = "my-bonds-cut"
        case _:
            return None
    return {**named(event, state.board), "what": what}
