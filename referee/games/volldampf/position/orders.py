"""What a player may order: frozen values, as they are stored and adjudicated. ``line`` is the letter's line."""

from __future__ import annotations

from referee.core.values import Value

BEFORE, AFTER = "before", "after"
LAST = "last"  # why a card is drawn: for last place
DECLINED = ""  # the colour of a delivery that is none: DECLINE as an alternative


class TakeBonds(Value):
    """Take bonds: ``points`` of them, 6 marks each. Rule: V3.3.1."""

    points: int
    line: int = 0


class Bid(Value):
    """What to bid, in marks. An empty ``amounts`` passes.

    With limits it is one amount, the most that will be paid; bid by bid it is one bid; two players give a list: the first
    bid, the next if that ties, and so on, the last repeated. Rule: V3.4.1, V6.3, R3, R4.
    """

    amounts: tuple[int, ...] = ()
    line: int = 0


class Wish(Value):
    """A group that is wanted: all that hold at least these ``colours`` (``green, green`` wants two of them), or the group
    with that ``number`` (from 1) as it lies after Alles neu. ``exact``: no other card may be in it. Rule: R7."""

    colours: tuple[str, ...] = ()
    number: int = 0
    exact: bool = False


class Rank(Value):
    """Groups in order of preference; what is not named comes last, in the order in which it lies. Rule: V3.4.4."""

    wishes: tuple[Wish, ...]
    line: int = 0


class Rearrange(Value):
    """Play Alles neu: the open cards lie in these groups afterwards. Rule: V4.8, R7."""

    groups: tuple[tuple[str, ...], ...]
    line: int = 0


class Site(Value):
    """One alternative of a build: ``link`` by id, paid with track card ``card`` ("": the card of its colour).

    ``bargain``: with Günstige Gelegenheit, 5 marks and any card. An empty ``link`` discards ``card``. Rule: V3.5, V4.5.
    """

    link: str = ""
    card: str = ""
    bargain: bool = False


class Build(Value):
    """Alternatives of building round ``number`` (from 1), the first that is possible is built. Rule: V3.5.1."""

    number: int
    sites: tuple[Site, ...]
    line: int = 0


class Delivery(Value):
    """One alternative of a trip: a cube of ``colour`` from ``origin`` to ``goal``; ``route`` is every city on the way, both
    ends included, or empty: the referee finds it (DIFF 35). ``via``: cities that a route to be found passes, in this order.

    ``loks``: Schnelle Lok cards announced with it (R8). ``colour`` DECLINED: no delivery is made, whatever follows.
    """

    colour: str
    origin: str = ""
    goal: str = ""
    route: tuple[str, ...] = ()
    via: tuple[str, ...] = ()
    loks: int = 0


class Move(Value):
    """Alternatives of trip 1 or 2, the first that is legal is made. Rule: V3.6."""

    trip: int
    deliveries: tuple[Delivery, ...]
    line: int = 0


class Subsidy(Value):
    """Play Subvention for an extra trip, if in last place then. ``trip``: 3, or 4 for a second one (R11). Rule: V4.4."""

    deliveries: tuple[Delivery, ...]
    trip: int = 3
    line: int = 0


class Extra(Value):
    """Play Zusatzfracht before a trip: ``cities`` gives (colour drawn, city) for all four colours. Rule: V4.7, R13."""

    trip: int
    cities: tuple[tuple[str, str], ...]
    line: int = 0


class Plan(Value):
    """Play Neue Planung ``when`` (BEFORE, AFTER) an own decision: move a cube from ``origin`` to ``goal``.

    ``what`` and ``number`` name the decision as agenda items do: bonds, bid, choose, build 1, move 2, subsidy 3.
    Rule: V4.9, DIFF 62, R15.
    """

    when: str
    what: str
    colour: str
    origin: str
    goal: str
    number: int = 0
    line: int = 0


class Target(Value):
    """What a standing sabotage waits for; an empty field fits all. ``passing``: a city the route goes through or ends in."""

    colour: str = ""
    origin: str = ""
    goal: str = ""
    passing: str = ""


class Sabotage(Value):
    """Play Sabotage at the first match: ``victim`` ("": whoever), ``trip`` (0: any), one of ``targets``.

    Two such orders may use two cards. It stands to the end of phase 6. Rule: V4.6, V9.
    """

    targets: tuple[Target, ...]
    victim: str = ""
    trip: int = 0
    line: int = 0


class Steal(Value):
    """From whom to draw when deck and discards are empty, in order of preference; empty: from nobody. Rule: V4.2, DIFF 42.

    ``which``: the player's card of that number in the round ("2"), the one for last place (LAST), "": all others.
    """

    players: tuple[str, ...]
    which: str = ""
    line: int = 0


Order = TakeBonds | Bid | Rank | Rearrange | Build | Move | Subsidy | Extra | Plan | Sabotage | Steal


def about(order: Order) -> tuple[type[Order], str, int]:
    """Return what an order decides: a phase's choice, one trip, the moment or the rival that a card is kept for."""
    if isinstance(order, Plan):
        return Plan, f"{order.when} {order.what}", order.number
    if isinstance(order, Sabotage):
        return Sabotage, order.victim, order.trip
    if isinstance(order, Build):
        return Build, "", order.number
    if isinstance(order, Steal):
        return Steal, order.which, 0
    return type(order), "", order.trip if isinstance(order, Move | Subsidy | Extra) else 0
