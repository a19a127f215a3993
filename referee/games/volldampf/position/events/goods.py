"""Phase 1: merchandise cards and cubes."""

from __future__ import annotations

from referee.core.values import Value


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


Event = MerchandiseTurned | CubeDrawn | CityMissed | DebtPaid
