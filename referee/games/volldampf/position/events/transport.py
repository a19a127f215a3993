"""Phase 6: transport."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.values import Value


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


Event = CubePlanned | ExtraPlaced | TripBarred | BarsLifted | CubeDelivered | TripDeclined | ExtraTripsBegan
