"""Phases 2 to 4: the groups of track cards, bonds, Alles neu, the auction and the choice."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.values import Value


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


Event = (
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
