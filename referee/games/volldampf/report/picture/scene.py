"""What is drawn: a board and everything that lies on it and beside it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import field

from referee.core.values import Value
from referee.games.volldampf.board.board import Board
from referee.games.volldampf.report.picture.hauls import Haul
from referee.games.volldampf.report.picture.palette import PlayerLook


class Scene(Value):
    """A position as it is drawn. ``players`` in seating order (it gives the pattern), ``order`` by sequence cards.

    Everything else as in ``State``; ``cash`` is empty where marks are hidden, ``action_cards`` how many each player holds;
    ``income_max`` 0: the income track has no end; ``fresh``: the links built in the turn before, ``hauls`` its deliveries;
    ``alone``: whose sections alone are shown, "" for everybody's.
    """

    board: Board
    heading: str
    players: tuple[PlayerLook, ...] = ()
    order: tuple[str, ...] = ()
    built: Mapping[str, str] = field(default_factory=dict)
    cubes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    income: Mapping[str, int] = field(default_factory=dict)
    bonds: Mapping[str, int] = field(default_factory=dict)
    cash: Mapping[str, int] = field(default_factory=dict)
    action_cards: Mapping[str, int] = field(default_factory=dict)
    sections_left: Mapping[str, int] = field(default_factory=dict)
    hands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    groups: tuple[tuple[str, ...], ...] = ()
    income_max: int = 0
    scores: Mapping[str, int] = field(default_factory=dict)
    winners: tuple[str, ...] = ()
    fresh: frozenset[str] = frozenset()
    hauls: tuple[Haul, ...] = ()
    alone: str = ""

    def look(self, code: str) -> PlayerLook:
        """Return a player's look by his code."""
        return next(look for look in self.players if look.code == code)

    def seat(self, code: str) -> int:
        """Return a player's place in seating order, from 0."""
        return next(n for n, look in enumerate(self.players) if look.code == code)
