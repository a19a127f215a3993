"""Transport and action cards: what can happen with them. The other events stand in ``events``. Rule: V3.6, V4."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.values import Value

# Phase 6: transport.


class CubePlanned(Value):
    """Neue Planung: a cube goes from one city to another. Rule: V4.9."""

    player: str
    colour: str
    origin: str
    goal: str
    paragraph: str = "V4.9"


class ExtraPlaced(Value):
    """Zusatzfracht: a cube from the bag is put on a city. Rule: V4.7."""

    player: str
    trip: int
    colour: str
    city: str
    paragraph: str = "V4.7"


class TripBarred(Value):
    """Sabotage: ``victim`` wanted to move a cube (``colour``, ``route``) and may not. ``city`` "": the colour everywhere.

    Rule: V4.6, DIFF 51.
    """

    player: str
    victim: str
    trip: int
    colour: str
    route: tuple[str, ...]
    city: str
    paragraph: str = "V4.6"


class BarsLifted(Value):
    """What was barred for ``player`` may be moved again. Rule: DIFF 52."""

    player: str
    paragraph: str = "V4.6"


class CubeDelivered(Value):
    """A cube travels along ``route`` (both ends included) and goes back into the bag; each link's owner moves on one space.

    ``steps``: spaces by owner, in the order in which they first come; ``loks`` spent. ``trip`` 3, 4: Subvention.
    Rule: V3.6, V4.3, V4.4.
    """

    player: str
    trip: int
    colour: str
    route: tuple[str, ...]
    steps: Mapping[str, int]
    loks: int = 0
    paragraph: str = "V3.6.4"


class TripDeclined(Value):
    """No delivery is made: ``wished``, or because none was possible. Rule: V3.6.5."""

    player: str
    trip: int
    wished: bool
    paragraph: str = "V3.6.5"


class ExtraTripsBegan(Value):
    """Everybody has had his second trip; ``last`` are those in last place now. Rule: V4.4, DIFF 46."""

    last: tuple[str, ...]
    paragraph: str = "V4.4"


_Transport = CubePlanned | ExtraPlaced | TripBarred | BarsLifted | CubeDelivered | TripDeclined | ExtraTripsBegan


# Action cards come to a hand and are played, in whatever phase.

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


_Cards = CardPlayed | CardReturned | PilesRenewed | ActionDrawn | NoCardLeft

TripEvent = _Transport | _Cards
