"""A turn as the newsletter tells it: from its events and the position after them, never by comparing positions.

What is for one reader alone stands under ``private``; the rest is the same for everybody, but for marks that are hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

from msgspec.structs import asdict

from referee.core import Amounts, Value, View, of_kind
from referee.core.texts.shipped import shipped_table

from ..board import BARGAIN, Board
from ..changes import payment
from ..events import (
    ActionDrawn,
    BidMade,
    BidPaid,
    BidPassed,
    BidsOpened,
    BondsTaken,
    CardPlayed,
    CityMissed,
    CubeDelivered,
    CubeDrawn,
    CubePlanned,
    Event,
    Events,
    ExtraPlaced,
    ExtraTripsBegan,
    GameStarted,
    GroupsDealt,
    GroupsRearranged,
    IncomePaid,
    InterestPaid,
    LinkBuilt,
    MerchandiseTurned,
    NoCardLeft,
    OrderRefused,
    OrderSettled,
    PositionTaken,
    RoundEnded,
    TrackCardDiscarded,
    TripBarred,
    TripDeclined,
)
from ..notation import sections_of
from ..state import State
from . import ranking, shows_cash
from .prices import card_lines, example_lines
from .summary import headlines

# Single events as a newsletter tells them: a scene each, with what its sentence (``words.toml``, ``[scene]``) is filled in.
#
# Names of values say how templates show them: ``colour`` and ``card`` are words, ``…s`` are lists of them.

# In which section of the newsletter each kind of event is told, and of which nothing but one sentence is said.
_TOLD = shipped_table(__package__, "scenes")


def section_of(event: Event) -> str:
    """Return the section an event belongs to by itself; "" where it goes with those around it, or is not told."""
    if isinstance(event, ActionDrawn | NoCardLeft):
        return "income" if event.why == "last" else "trips"
    section: str = _TOLD["section"].get(type(event).__name__, "")
    return section


def with_names(event: Event, board: Board) -> View:
    """Return what an event says, its cities, its link and its route by their names, its player as ``code``."""
    said = {"code": getattr(event, "player", ""), **asdict(event)}
    said |= {each: board.name(said[each]) for each in ("city", "origin", "goal") if said.get(each)}
    if "link" in said:
        said["link"] = board.link_name(said["link"])
    if "route" in said:
        said["route"] = " - ".join(map(board.name, said["route"]))
    return said


def scene(event: Event, state: State) -> View | None:
    """Return an event as everybody may hear of it, None where nothing is told or a table of its section tells it.

    *state*: the position after the turn.
    """
    board, told = state.board, with_names(event, state.board)
    match event:
        case TripBarred():
            return {**told, "what": "trip-barred" if event.city else "colour-barred"}
        case CubeDelivered():
            # Of an event that was stored the owners come back in another order than on the way.
            owners = dict.fromkeys((*sections_of(state, event.route), *event.steps))
            return {
                **told,
                "what": "delivered-fast" if event.loks else "delivered",
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
            what = _TOLD["scene"].get(type(event).__name__)
            return {**told, "what": what} if what else None


def private_scene(event: Event, state: State, reader: str | None) -> View | None:
    """Return what of an event is for *reader* alone: a card they drew or lost, an order of theirs that was cut down."""
    match event:
        case ActionDrawn(player) if player == reader:
            what = "my-card-stolen" if event.source else "my-card"
        case ActionDrawn(source=source) if source == reader:
            what = "card-lost"
        case BondsTaken(player) if player == reader and event.asked > event.points:
            what = "my-bonds-cut"
        case _:
            return None
    return {**with_names(event, state.board), "what": what}


Placed = tuple[Amounts, Event]  # an event, and everybody's marks after it
Purses = list[Placed]


class Told(Value):
    """A turn as it is told to *reader*."""

    state: State
    reader: str | None

    def cash(self, code: str, purse: Amounts) -> int | None:
        """Return a player's marks, None where they are hidden."""
        return purse[code] if shows_cash(self.state, code, self.reader) else None

    def rows(self, placed: Purses, *kinds: type) -> list[View]:
        """Return what events of some kinds say, each with its player's marks after it."""
        return [
            {**(row := with_names(event, self.state.board)), "cash": self.cash(row["code"], purse)}
            for purse, event in placed
            if isinstance(event, kinds)
        ]


def with_purses(state: State, events: Events) -> Purses:
    """Return the *events* that led to *state* with everybody's marks after each, reckoned back from it."""
    purse, placed = {code: state.cash.get(code, 0) for code in state.codes}, Purses()
    for event in reversed(events):
        placed.append((dict(purse), event))
        player, marks, _ = payment(event)
        if player:
            purse[player] -= marks
    return placed[::-1]


# The phases of a round as the newsletter tells them: events in sections, with what a table of each needs.

# The auction as the newsletter tells it: bid by bid where that is short, else the last bids, and what was paid.

MOST_BIDS = 12  # that are told one by one when the referee raised them from sealed limits


def auction_view(told: Told, placed: Purses) -> View:
    """Return ``bids`` and passes in order, ``opened`` sealed bids of two players, who passed in which order, and
    ``rows``: sequence card, last bid, payment, share and marks after it. No limit is ever among them."""
    events = [event for _, event in placed]
    bids = [event for event in events if isinstance(event, BidMade | BidPassed)]
    order = next((event.order for event in of_kind(OrderSettled, events)), ())
    short = told.state.options.auction == "live" or len(bids) <= MOST_BIDS
    return {
        "bids": bids if short else [],
        "opened": of_kind(BidsOpened, events),
        "out": [event.player for event in of_kind(BidPassed, events)],
        "rows": [_row(told, card, code, placed) for card, code in enumerate(order, start=1)],
    }


def _row(told: Told, card: int, code: str, placed: Purses) -> View:
    paid = [each for each in placed if isinstance(each[1], BidPaid) and each[1].player == code]
    purse, last = (paid or placed)[-1]
    return {
        "card": card,
        "code": code,
        "bid": getattr(last, "bid", 0),
        "paid": _sum(paid, "paid"),
        "share": getattr(last, "share", "nothing"),
        "cash": told.cash(code, purse),
    }


def _sum(placed: Purses, name: str) -> int:
    return sum(getattr(event, name, 0) for _, event in placed)


OTHER = "other"  # a section of events that no phase's are around

# What is told with the act that follows, where the same player acts next.
FOREWORDS = (CardPlayed, CubePlanned)

Mark = TypeVar("Mark", str, int)


def sections_view(told: Told, events: Events) -> list[View]:
    """Return the events in sections, as the phases came; what belongs to none by itself goes with the ones around it."""
    kinds = _spread([section_of(event) for event in events], events)
    placed = zip(kinds, with_purses(told.state, events), strict=True)
    runs = [(kind, [each for _, each in run]) for kind, run in groupby(placed, key=lambda pair: pair[0])]
    sections = [_section_view(told, kind or OTHER, run) for kind, run in runs]
    return [section for section in sections if section["kind"] != OTHER or section["parts"]]


def _spread(marks: list[Mark], events: Sequence[Event]) -> list[Mark]:
    """Return the marks with the empty ones filled in: a foreword's by the same player's next act, others by what is before."""
    filled: list[Mark] = []
    for place, (mark, event) in enumerate(zip(marks, events, strict=True)):
        ahead = next((later for later in range(place, len(events)) if marks[later]), place)
        concerned = (
            getattr(events[ahead], of, "") for of in ("player", "victim")
        )  # by or against whom the next act is done
        if mark or not filled or (marks[ahead] and isinstance(event, FOREWORDS) and event.player in concerned):
            filled.append(marks[ahead])
        else:
            filled.append(filled[-1])
    return filled


def _section_view(told: Told, kind: str, placed: Purses) -> View:
    """Return a section: what its kind has by itself, and ``parts``: building rounds, trips, or the whole under number 0."""
    events = [event for _, event in placed]
    own: View = {}
    if kind == "goods":
        own = {**_goods_view(told.state.board, events), "round": _round_of(events)}
    elif kind in ("groups", "new"):
        dealt = [event for event in events if isinstance(event, GroupsDealt | GroupsRearranged)]
        own = {"groups": dealt[-1].groups, "round": _round_of(events)}
    elif kind == "bonds":
        own = {
            "rows": [
                {**row, "bonds": told.state.bonds[row["code"]], "asked": 0} for row in told.rows(placed, BondsTaken)
            ]
        }
    elif kind == "auction":
        own = auction_view(told, placed)
    elif kind == "income":
        own = {"rows": _income_view(told, placed)}
    return {"kind": kind, "parts": _parts(told, placed), **own}


def _round_of(events: list[Event]) -> int:
    """Return the round for which merchandise is turned up or groups are dealt; 0 where the setup alone does, or none."""
    return max((getattr(event, "round", 0) for event in events), default=0)


def _goods_view(board: Board, events: list[Event]) -> View:
    """Return the cubes that home cities get before the first card is turned, and those that each merchandise card brought,
    without ``colour`` where the bag was empty. Rule: V2.6.
    """
    drawn = [event for event in events if isinstance(event, CubeDrawn | CityMissed)]
    cubes = {
        card: [with_names(each, board) for each in drawn if each.card == card] for card in {each.card for each in drawn}
    }
    return {
        "setup": cubes.get(0, []),
        "cards": [
            {"card": each.card, "round": each.round, "cubes": cubes.get(each.card, [])}
            for each in of_kind(MerchandiseTurned, events)
        ],
    }


def _income_view(told: Told, placed: Purses) -> list[View]:
    """Return a row for each player: marks before, income, interest, marks now, spaces gone back and the space now."""
    rows = []
    for code in told.state.order:
        own = [each for each in placed if isinstance(each[1], IncomePaid | InterestPaid) and each[1].player == code]
        if own:
            now, earned, interest = told.cash(code, own[-1][0]), _sum(own, "amount"), _sum(own, "paid")
            rows.append(
                {
                    "code": code,
                    "before": now - earned + interest if now is not None else None,
                    "income": earned,
                    "due": _sum(own, "due"),
                    "interest": interest,
                    "back": _sum(own, "back"),
                    "now": now,
                    "space": told.state.income[code],
                }
            )
    return rows


def _parts(told: Told, placed: Purses) -> list[View]:
    """Return the section by building rounds or trips: ``rows`` of builds, ``last`` before extra trips, ``scenes``."""
    parts: list[View] = []
    events = [event for _, event in placed]
    numbers = _spread([_number(event) for event in events], events)
    for number, group in groupby(zip(numbers, placed, strict=True), key=lambda pair: pair[0]):
        own = [each for _, each in group]
        last = [event.last for _, event in own if isinstance(event, ExtraTripsBegan)]
        parts.append(
            {
                "number": number,
                "last": list(last[0]) if last else [],
                "rows": told.rows(own, LinkBuilt, TrackCardDiscarded),
                "scenes": [one for _, event in own if (one := scene(event, told.state))],
            }
        )
    return [part for part in parts if part["rows"] or part["scenes"] or part["last"]]


def _number(event: Event) -> int:
    """Return the building round or trip an event belongs to by itself; an extra trip is 3, what has none is 0."""
    match event:
        case LinkBuilt() | TrackCardDiscarded():
            return event.number
        case CubeDelivered() | TripDeclined() | TripBarred() | ExtraPlaced():
            return min(event.trip, 3)
        case ExtraTripsBegan():
            return 3
        case _:
            return 0


# What a turn was about, the weightiest first: the subject line names it.
WEIGHT = ("trips", "builds", "auction", "choice", "new", "bonds", "income", "groups", "goods")


def story(state: State, events: Events, reader: str | None) -> View:
    """Return what happened, section by section as the phases came; *state*: the position after *events*."""
    taken = bool(of_kind(PositionTaken, events))
    opening = taken or bool(of_kind(GameStarted, events))
    sections = sections_view(Told(state=state, reader=reader), events)
    ended = next((event.round for event in of_kind(RoundEnded, events)), 0)
    kinds = [section["kind"] for section in sections]
    # Of a turn that nothing is told of: a sealed order, or a decision not to act.
    untold = "sealed" if state.stage in ("bonds", "bid") else "nothing"
    return {
        "headline": None if opening else next(headlines(state, events)),
        "phase": "opening" if opening else next((kind for kind in WEIGHT if kind in kinds), untold),
        "taken": taken,
        "round": 0 if opening else ended or state.round,
        "sections": sections,
        "refused": _refusals(events, secret=False),
        "private": {
            "scenes": [told for event in events if (told := private_scene(event, state, reader))],
            "refused": [one for one in _refusals(events, secret=True) if one.player == reader],
            "cards": card_lines(state, reader),
            "any_link": reader is not None and BARGAIN in state.actions.get(reader, ()),
        },
        "ranking": ranking(state, reader, bool(ended)),
        "examples": [] if state.is_over else example_lines(state, reader),
    }


def _refusals(events: Events, *, secret: bool) -> list[OrderRefused]:
    return [event for event in of_kind(OrderRefused, events) if event.secret == secret]
