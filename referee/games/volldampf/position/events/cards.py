"""Action cards come to a hand and are played, in whatever phase."""

from __future__ import annotations

from referee.core.values import Value

DECLINED, LATE = "declined", "late"  # why a card is drawn; LATE: for declined trips, at the end of phase 6


class CardPlayed(Value):
    """An action card is played and discarded. Rule: V4.1."""

    player: str
    card: str
    paragraph: str = "V4.1"


class CardReturned(Value):
    """A Schnelle Lok announced with a trip that was barred and had no substitute comes back. Rule: DIFF 55."""

    player: str
    card: str
    paragraph: str = "V4.3"


class PilesRenewed(Value):
    """The action pile was empty: the discards are shuffled and become the pile. Rule: V4.2."""

    paragraph: str = "V4.2"


class ActionDrawn(Value):
    """An action card comes to a hand: from the pile, or from the player ``source``. ``why``: declined, last, late.

    ``card`` is secret (from everybody but ``player`` and ``source``). Rule: V3.6.5, V3.7.3, V4.2.
    """

    player: str
    card: str
    why: str
    source: str = ""
    paragraph: str = "V4.2"


class NoCardLeft(Value):
    """A player should have drawn an action card; there is none, or he waives it. Rule: DIFF 42."""

    player: str
    why: str
    waived: bool = False
    paragraph: str = "V4.2"


Event = CardPlayed | CardReturned | PilesRenewed | ActionDrawn | NoCardLeft
