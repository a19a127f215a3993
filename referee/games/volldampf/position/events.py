"""Everything that can happen in a game, by phases; newsletters are written from these. What each does stands in ``changes``."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.orders import Complaint
from referee.core.rulings import Ruled
from referee.core.values import Value
from referee.games.volldampf.position.orders import Order
from referee.games.volldampf.position.state import Item
from referee.games.volldampf.position.tripevents import TripEvent

# What happens between the phases: the game and its rounds begin and end, orders are asked for, kept and refused.


class GameStarted(Value):
    """Money is handed out; ``order`` are the holders of sequence cards 1, 2, …; piles are as of the number of players.

    ``removed`` are the track cards taken out at random: secret unless removed_cards = shown. Rule: V2.1-V2.5.
    """

    cash: int
    order: tuple[str, ...]
    removed: tuple[str, ...] = ()
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


class NothingReceived(Value):
    """A player said nothing for what was asked. Rule: DIFF 71."""

    player: str
    stage: str
    paragraph: str = "V7"


class OrderKept(Value):
    """An order is kept in the position until its moment: a sealed bid or bonds, a standing sabotage. Secret. Rule: V9."""

    player: str
    order: Order
    paragraph: str = "V9"


class KeptDropped(Value):
    """Kept orders are spent or out of date: all of ``player``'s of that ``order_kind`` (a class name of ``orders``). Secret."""

    player: str
    order_kind: str
    paragraph: str = "V9"


class OrderRefused(Value):
    """An order could not be obeyed, or only an alternative further down. Told to its player alone where ``secret``."""

    player: str
    complaint: Complaint
    secret: bool = False
    paragraph: str = ""


class RoundEnded(Value):
    """A round is over; ``income`` after it by player. Rule: V3.7."""

    round: int
    income: Mapping[str, int]
    paragraph: str = "V3.7"


class GameEnded(Value):
    """The game is over. ``winners`` share the win when score and cash are equal. Rule: V5."""

    scores: Mapping[str, int]
    winners: tuple[str, ...]
    paragraph: str = "V5.2"


_Course = (
    GameStarted
    | PositionTaken
    | Ruled
    | RoundBegan
    | Asked
    | NothingReceived
    | OrderKept
    | KeptDropped
    | OrderRefused
    | RoundEnded
    | GameEnded
)


# Phase 1: merchandise cards and cubes.


class MerchandiseTurned(Value):
    """A merchandise card is turned up; ``round`` 0 is the setup. Rule: V2.6, V3.1.1."""

    round: int
    card: int
    cities: tuple[str, ...]
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


_Goods = MerchandiseTurned | CubeDrawn | CityMissed | DebtPaid


# Phases 2 to 4: the groups of track cards, bonds, Alles neu, the auction and the choice.


class GroupsDealt(Value):
    """The open groups of a round, each in colour order. Rule: V3.2.1."""

    round: int
    groups: tuple[tuple[str, ...], ...]
    paragraph: str = "V3.2.1"


class BondsTaken(Value):
    """``points`` may be 0; ``asked`` is what was ordered where a limit cut it down. Rule: V3.3.1, R5."""

    player: str
    points: int
    money: int
    asked: int
    paragraph: str = "V3.3.1"


class GroupsRearranged(Value):
    """Alles neu: the open cards lie in other groups. The card is spent by a ``CardPlayed`` of its own. Rule: V4.8."""

    player: str
    groups: tuple[tuple[str, ...], ...]
    paragraph: str = "V4.8"


class BidMade(Value):
    """A bid in the auction, higher than the one before (3-6 players). Rule: V3.4.1."""

    player: str
    amount: int
    paragraph: str = "V3.4.1"


class BidPassed(Value):
    """A player is out of the auction. Rule: V3.4.2."""

    player: str
    paragraph: str = "V3.4.2"


class BidsOpened(Value):
    """Two players' sealed bids: ``bids`` as they count after R3; ``tie`` whether they are equal. Rule: V6.3."""

    bids: Mapping[str, int]
    tie: bool
    paragraph: str = "V6.3"


class BidPaid(Value):
    """What a player pays to the bank for his bid; ``share``: all, half, nothing. Rule: V3.4.3, V6.3, DIFF 68."""

    player: str
    bid: int
    paid: int
    share: str
    paragraph: str = "V3.4.3"


class OrderSettled(Value):
    """The new turn order: holders of sequence cards 1, 2, … Rule: V3.4.2."""

    order: tuple[str, ...]
    paragraph: str = "V3.4.2"


class GroupChosen(Value):
    """A player takes a group. Rule: V3.4.4."""

    player: str
    cards: tuple[str, ...]
    paragraph: str = "V3.4.4"


_Auction = (
    GroupsDealt
    | BondsTaken
    | GroupsRearranged
    | BidMade
    | BidPassed
    | BidsOpened
    | BidPaid
    | OrderSettled
    | GroupChosen
)


# Phase 5: building.


class LinkBuilt(Value):
    """A section is laid, the track card discarded, ``cost`` marks paid. ``bargain``: Günstige Gelegenheit. Rule: V3.5.1."""

    player: str
    number: int  # of the building round
    link: str
    card: str
    cost: int
    bargain: bool = False
    paragraph: str = "V3.5.1"


class TrackCardDiscarded(Value):
    """A track card goes without a build. Rule: V3.5.2, DIFF 28, R6."""

    player: str
    number: int
    card: str
    paragraph: str = "V3.5.2"


_Building = LinkBuilt | TrackCardDiscarded


# Phase 7: income and interest.


class IncomePaid(Value):
    """Income: as many marks as the space's number. Rule: V3.7.1."""

    player: str
    amount: int
    paragraph: str = "V3.7.1"


class InterestPaid(Value):
    """Interest: ``due`` marks, of which ``paid``; for the rest the locomotive goes ``back`` that many spaces. Rule: V3.7.2."""

    player: str
    due: int
    paid: int
    back: int
    paragraph: str = "V3.7.2"


_Income = IncomePaid | InterestPaid

Event = _Course | _Goods | _Auction | _Building | TripEvent | _Income
