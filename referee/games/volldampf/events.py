"""Everything that can happen in a game, by phases; newsletters are written from these. What each does stands in ``changes``."""

from __future__ import annotations

from typing import Literal

from referee.core import Amounts, Complaint, Value
from referee.core.record import Ruled

from .board import Codes
from .state import Groups, Item, Order


class Act(Value, kw_only=False):
    """What concerns one ``player`` more than others: what they do, have or suffer."""

    player: str


# What happens between the phases: the game and its rounds begin and end, orders are asked for, kept and refused.


class GameStarted(Value):
    """Money is handed out; ``order`` are the holders of sequence cards 1, 2, …; piles are as of the number of players.

    ``removed`` are the track cards taken out at random: secret unless removed_cards = shown. Rule: V2.1-V2.5.
    """

    cash: int
    order: Codes
    removed: Codes = ()
    paragraph: str = "V2"


class PositionTaken(Value):
    """A running game comes to the referee: ``told`` is its position as typed, in JSON. Applied in ``position``."""

    told: str
    paragraph: str = ""


class RoundBegan(Value):
    """A round begins; round 1 follows the setup. Rule: V3."""

    round: int
    paragraph: str = "V3"


class Asked(Value):
    """What is still to do; the first item is what is asked for now. ``turn``: its number."""

    agenda: tuple[Item, ...]
    turn: int
    paragraph: str = ""


class NothingReceived(Act):
    """A player said nothing for what was asked. Rule: DIFF 71."""

    stage: str
    paragraph: str = "V7"


class OrderKept(Act):
    """An order is kept in the position until its moment: a sealed bid or bonds, a standing sabotage. Secret. Rule: V9."""

    order: Order
    paragraph: str = "V9"


class KeptDropped(Act):
    """Kept orders are spent or out of date: all of ``player``'s of that ``order_kind`` (a class name of ``orders``). Secret."""

    order_kind: str
    paragraph: str = "V9"


class OrderRefused(Act):
    """An order could not be obeyed, or only an alternative further down. Told to its player alone where ``secret``."""

    complaint: Complaint
    secret: bool = False
    paragraph: str = ""


class RoundEnded(Value):
    """A round is over; ``income`` after it by player. Rule: V3.7."""

    round: int
    income: Amounts
    paragraph: str = "V3.7"


class GameEnded(Value):
    """The game is over. ``winners`` share the win when score and cash are equal. Rule: V5."""

    scores: Amounts
    winners: Codes
    paragraph: str = "V5.2"


# Phase 1: merchandise cards and cubes.


class MerchandiseTurned(Value):
    """A merchandise card is turned up; ``round`` 0 is the setup. Rule: V2.6, V3.1.1."""

    round: int
    card: int
    cities: Codes
    paragraph: str = "V3.1.1"


class CubeDrawn(Value):
    """A cube comes from the bag to a city; ``card`` is the merchandise card that names it, 0 for the cubes of V2.6."""

    city: str
    colour: str
    round: int
    card: int = 0
    paragraph: str = "V3.1.1"


class CityMissed(Value):
    """A city's turn came with the bag empty; ``owed``: it gets the next cube that returns. Rule: DIFF 12, R14."""

    city: str
    round: int
    card: int
    owed: bool
    paragraph: str = "V3.1.1"


class DebtPaid(Value):
    """A cube that returned goes on to the city with the oldest claim. Rule: DIFF 12, R14."""

    city: str
    colour: str
    paragraph: str = "V3.1.1"


# Phases 2 to 4: the groups of track cards, bonds, Alles neu, the auction and the choice.


class GroupsDealt(Value):
    """The open groups of a round, each in colour order. Rule: V3.2.1."""

    round: int
    groups: Groups
    paragraph: str = "V3.2.1"


class BondsTaken(Act):
    """``points`` may be 0; ``asked`` is what was ordered where a limit cut it down. Rule: V3.3.1, R5."""

    points: int
    money: int
    asked: int
    paragraph: str = "V3.3.1"


class GroupsRearranged(Act):
    """Alles neu: the open cards lie in other groups. The card is spent by a ``CardPlayed`` of its own. Rule: V4.8."""

    groups: Groups
    paragraph: str = "V4.8"


class BidMade(Act):
    """A bid in the auction, higher than the one before (3-6 players). Rule: V3.4.1."""

    amount: int
    paragraph: str = "V3.4.1"


class BidPassed(Act):
    """A player is out of the auction. Rule: V3.4.2."""

    paragraph: str = "V3.4.2"


class BidsOpened(Value):
    """Two players' sealed bids: ``bids`` as they count after R3; ``tie`` whether they are equal. Rule: V6.3."""

    bids: Amounts
    tie: bool
    paragraph: str = "V6.3"


class BidPaid(Act):
    """What a player pays to the bank for their bid; ``share``: all, half, nothing. Rule: V3.4.3, V6.3, DIFF 68."""

    bid: int
    paid: int
    share: str
    paragraph: str = "V3.4.3"


class OrderSettled(Value):
    """The new turn order: holders of sequence cards 1, 2, … Rule: V3.4.2."""

    order: Codes
    paragraph: str = "V3.4.2"


class GroupChosen(Act):
    """A player takes a group. Rule: V3.4.4."""

    cards: Codes
    paragraph: str = "V3.4.4"


# Phase 5: building.


class LinkBuilt(Act):
    """A section is laid, the track card discarded, ``cost`` marks paid. ``bargain``: Günstige Gelegenheit. Rule: V3.5.1."""

    number: int  # of the building round
    link: str
    card: str
    cost: int
    bargain: bool = False
    paragraph: str = "V3.5.1"


class TrackCardDiscarded(Act):
    """A track card goes without a build. Rule: V3.5.2, DIFF 28, R6."""

    number: int
    card: str
    paragraph: str = "V3.5.2"


# Phase 6: transport.


class CubePlanned(Act):
    """Neue Planung: a cube goes from one city to another. Rule: V4.9."""

    colour: str
    origin: str
    goal: str
    paragraph: str = "V4.9"


class ExtraPlaced(Act):
    """Zusatzfracht: a cube from the bag is put on a city. Rule: V4.7."""

    trip: int
    colour: str
    city: str
    paragraph: str = "V4.7"


class TripBarred(Act):
    """Sabotage: ``victim`` wanted to move a cube (``colour``, ``route``) and may not. ``city`` "": the colour everywhere.

    Rule: V4.6, DIFF 51.
    """

    victim: str
    trip: int
    colour: str
    route: Codes
    city: str
    paragraph: str = "V4.6"


class BarsLifted(Act):
    """What was barred for ``player`` may be moved again. Rule: DIFF 52."""

    paragraph: str = "V4.6"


class CubeDelivered(Act):
    """A cube travels along ``route`` (both ends included) and goes back into the bag; each link's owner moves on one space.

    ``steps``: spaces by owner, in the order in which they first come; ``loks`` spent. ``trip`` 3, 4: Subvention.
    Rule: V3.6, V4.3, V4.4.
    """

    trip: int
    colour: str
    route: Codes
    steps: Amounts
    loks: int = 0
    paragraph: str = "V3.6.4"


class TripDeclined(Act):
    """No delivery is made: ``wished``, or because none was possible. Rule: V3.6.5."""

    trip: int
    wished: bool
    paragraph: str = "V3.6.5"


class ExtraTripsBegan(Value):
    """Everybody has had their second trip; ``last`` are those in last place now. Rule: V4.4, DIFF 46."""

    last: Codes
    paragraph: str = "V4.4"


# Phase 7: income and interest.


class IncomePaid(Act):
    """Income: as many marks as the space's number. Rule: V3.7.1."""

    amount: int
    paragraph: str = "V3.7.1"


class InterestPaid(Act):
    """Interest: ``due`` marks, of which ``paid``; for the rest the locomotive goes ``back`` that many spaces. Rule: V3.7.2."""

    due: int
    paid: int
    back: int
    paragraph: str = "V3.7.2"


# Action cards come to a hand and are played, in whatever phase.

# Why a card is drawn; late: for declined trips, at the end of phase 6; last: for last place.
Why = Literal["declined", "late", "last"]


class CardPlayed(Act):
    """An action card is played and discarded. Rule: V4.1."""

    card: str
    paragraph: str = "V4.1"


class CardReturned(Act):
    """A Schnelle Lok announced with a trip that was barred and had no substitute comes back. Rule: DIFF 55."""

    card: str
    paragraph: str = "V4.3"


class PilesRenewed(Value):
    """The action pile was empty: the discards are shuffled and become the pile. Rule: V4.2."""

    paragraph: str = "V4.2"


class ActionDrawn(Act):
    """An action card comes to a hand: from the pile, or from the player ``source``. ``why``: declined, last, late.

    ``card`` is secret (from everybody but ``player`` and ``source``). Rule: V3.6.5, V3.7.3, V4.2.
    """

    card: str
    why: Why
    source: str = ""
    paragraph: str = "V4.2"


class NoCardLeft(Act):
    """A player should have drawn an action card; there is none, or they waive it. Rule: DIFF 42."""

    why: Why
    waived: bool = False
    paragraph: str = "V4.2"


Event = (
    GameStarted | PositionTaken | Ruled | RoundBegan | Asked | NothingReceived | OrderKept | KeptDropped | OrderRefused
    | RoundEnded | GameEnded | MerchandiseTurned | CubeDrawn | CityMissed | DebtPaid | GroupsDealt | BondsTaken
    | GroupsRearranged | BidMade | BidPassed | BidsOpened | BidPaid | OrderSettled | GroupChosen | LinkBuilt
    | TrackCardDiscarded | CubePlanned | ExtraPlaced | TripBarred | BarsLifted | CubeDelivered | TripDeclined
    | ExtraTripsBegan | IncomePaid | InterestPaid | CardPlayed | CardReturned | PilesRenewed | ActionDrawn | NoCardLeft
)  # fmt: skip
Events = tuple[Event, ...]
