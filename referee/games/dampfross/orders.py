"""What a company may order: frozen values, as they are stored and adjudicated."""

from __future__ import annotations

from referee.core.hexes import Hex
from referee.core.orders import Complaint
from referee.core.values import Partial, Value


class ChooseHome(Value):
    """Choose the home terminal: the first of ``cities`` that may be had. Rule: D1.3."""

    cities: tuple[Hex, ...]
    company: str = ""
    line: int = 0


class Piece(Partial):
    """A stretch of new line, hex by hex. ``jumps``: indexes of ``path`` to which the line jumps.

    ``fault`` says why the writing could not be followed beyond the last hex: the piece
    ends there. ``named``: indexes of points that the player wrote though we need not; ``writing``: how he wrote hexes that we
    name otherwise. Both are for our answers alone: the same track is the same piece. Rule: D2.4, R1."""

    uncompared = frozenset({"named", "writing"})

    path: tuple[Hex, ...]
    jumps: tuple[int, ...] = ()
    fault: Complaint | None = None
    named: tuple[int, ...] = ()
    writing: tuple[tuple[str, str], ...] = ()


class Build(Value):
    """Spend a roll (from 1; in a racing round there is one, the allowance) on pieces, laid in this order. Rule: D2.4."""

    roll: int
    pieces: tuple[Piece, ...]
    company: str = ""
    line: int = 0


class Route(Partial):
    """A train's way, hex by hex; ``over`` names whose track each hex-side is used, "" where the player did not say.
    ``fault``: the writing could not be followed, the route cannot be run. With an ``aim`` (fastest, cheapest) the referee
    finds the way when the race comes up, for at most ``most`` units (-1: any). ``named``, ``writing``: as of a piece.
    Rule: D6.2, D6.3."""

    uncompared = frozenset({"named", "writing"})

    path: tuple[Hex, ...] = ()
    over: tuple[str, ...] = ()
    fault: Complaint | None = None
    aim: str = ""
    most: int = -1
    named: tuple[int, ...] = ()
    writing: tuple[tuple[str, str], ...] = ()


class Condition(Value):
    """An entry stands only if ``company`` runs (or does not run) in ``race``, which it must have declared earlier. Rule: D6.1."""

    company: str
    runs: bool
    race: int


class Run(Value):
    """Enter a race with the first of ``routes`` that may be run; ``partner`` makes it a joint train. Rule: D6.1, D6.5."""

    race: int
    routes: tuple[Route, ...]
    partner: str = ""
    condition: Condition | None = None
    company: str = ""
    line: int = 0


# ``company`` is whose order it is, where a player leads more than one; empty for his first. ``line`` is the letter's.
Order = ChooseHome | Build | Run


def about(order: Order) -> tuple[str, type[Order], int]:
    """Return what an order decides: a company's home, one of its rolls, one of its races."""
    number = 0 if isinstance(order, ChooseHome) else order.roll if isinstance(order, Build) else order.race
    return order.company, type(order), number
