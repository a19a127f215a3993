"""Single events as a newsletter tells them: a scene each, with what its sentence (``words.toml``, ``[scene]``) is filled in.

Names of values say how templates show them: ``colour`` and ``card`` are words, ``…s`` are lists of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from referee.core.record import ByKind, Ruled, complete
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
complete(get_args(Event), SECTIONS)

Scene = dict[str, Any]


def section_of(event: Event) -> str:
    """Return the section an event belongs to by itself; "" where it goes with those around it, or is not told."""
    if isinstance(event, ActionDrawn | NoCardLeft):
        return INCOME if event.why == LAST else TRIPS
    return SECTIONS[type(event)]


def route_name(board: Board, route: tuple[str, ...]) -> str:
    """Return ``Magdeburg - Leipzig - Erfurt``."""
    return DASH.join(board.city(city).name for city in route)


SCENES = ByKind[[State, str | None], Scene | None]()


def scene(event: Event, state: State, reader: str | None) -> Scene | None:
    """Return an event as *reader* may hear of it, None where nothing is told or a table tells it.

    *state*: the position after the turn.
    """
    return SCENES[type(event)](event, state, reader)


def without_scene(event: Event, state: State, reader: str | None) -> None:
    """Tell nothing: a table of the section does, or the event is no reader's business."""


_WITHOUT_SCENE = (
    MerchandiseTurned, CubeDrawn, CityMissed, GroupsDealt, BondsTaken, GroupsRearranged, BidMade, BidPassed,
    BidsOpened, BidPaid, OrderSettled, LinkBuilt, TrackCardDiscarded, ExtraTripsBegan, IncomePaid, InterestPaid,
    GameStarted, PositionTaken, Ruled, RoundBegan, RoundEnded, GameEnded, Asked, NothingReceived, OrderKept, KeptDropped,
    OrderRefused, BarsLifted,
)  # fmt: skip
SCENES.update(dict.fromkeys(_WITHOUT_SCENE, without_scene))


@SCENES.of(CardPlayed)
def scene_of_card_played(event: CardPlayed, state: State, reader: str | None) -> Scene:
    return {"what": "card-played", "code": event.player, "card": event.card}


@SCENES.of(CardReturned)
def scene_of_card_returned(event: CardReturned, state: State, reader: str | None) -> Scene:
    return {"what": "card-returned", "code": event.player, "card": event.card}


@SCENES.of(GroupChosen)
def scene_of_group_chosen(event: GroupChosen, state: State, reader: str | None) -> Scene:
    return {"what": "group-chosen", "code": event.player, "colours": list(event.cards)}


@SCENES.of(CubePlanned)
def scene_of_cube_planned(event: CubePlanned, state: State, reader: str | None) -> Scene:
    board = state.table.board
    names = {"origin": board.city(event.origin).name, "goal": board.city(event.goal).name}
    return {"what": "cube-planned", "code": event.player, "colour": event.colour, **names}


@SCENES.of(ExtraPlaced)
def scene_of_extra_placed(event: ExtraPlaced, state: State, reader: str | None) -> Scene:
    city = state.table.board.city(event.city).name
    return {"what": "extra-placed", "code": event.player, "colour": event.colour, "city": city}


@SCENES.of(DebtPaid)
def scene_of_debt_paid(event: DebtPaid, state: State, reader: str | None) -> Scene:
    return {"what": "debt-paid", "colour": event.colour, "city": state.table.board.city(event.city).name}


@SCENES.of(TripBarred)
def scene_of_trip_barred(event: TripBarred, state: State, reader: str | None) -> Scene:
    board = state.table.board
    return {
        "what": "trip-barred" if event.city else "colour-barred",
        "code": event.player,
        "victim": event.victim,
        "colour": event.colour,
        "route": route_name(board, event.route),
        "city": board.city(event.city).name if event.city else "",
    }


@SCENES.of(CubeDelivered)
def scene_of_cube_delivered(event: CubeDelivered, state: State, reader: str | None) -> Scene:
    # Of an event that was stored the owners come back in another order than on the way.
    owners = dict.fromkeys((*sections_of(state, event.route), *event.steps))
    return {
        "what": "delivered-fast" if event.loks else "delivered",
        "code": event.player,
        "colour": event.colour,
        "route": route_name(state.table.board, event.route),
        "length": len(event.route) - 1,
        "ends": [state.table.board.city(each).name for each in (event.route[0], event.route[-1])],
        "steps": [{"code": code, "steps": event.steps[code]} for code in owners],
    }


@SCENES.of(TripDeclined)
def scene_of_trip_declined(event: TripDeclined, state: State, reader: str | None) -> Scene:
    return {"what": "declined" if event.wished else "no-delivery", "code": event.player}


@SCENES.of(PilesRenewed)
def scene_of_piles_renewed(event: PilesRenewed, state: State, reader: str | None) -> Scene:
    return {"what": "piles-renewed"}


@SCENES.of(ActionDrawn)
def scene_of_action_drawn(event: ActionDrawn, state: State, reader: str | None) -> Scene:
    what = "card-stolen" if event.source else f"drawn-{event.why}"
    values = {"what": what, "code": event.player, "source": event.source}
    if not state.table.options.hands_open:
        return values
    return {**values, "what": f"{what}-open", "card": event.card}


@SCENES.of(NoCardLeft)
def scene_of_no_card_left(event: NoCardLeft, state: State, reader: str | None) -> Scene:
    return {"what": "card-waived" if event.waived else "no-card-left", "code": event.player}


complete(get_args(Event), SCENES)


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
