"""Games as they stand: rows of the store brought back to the values of their rules."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlite_utils import Database

from referee.core.codec import Codec
from referee.core.game import Game, Setup
from referee.core.game import Player as Seat
from referee.core.orders import Complaint
from referee.games import game_named
from referee.store import games
from referee.store.rows import GameRow, PlayerRow

_VALUES = Codec(Setup, Seat, Complaint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A game in the club: its row and players, its rules, what was agreed, and the state in which orders are awaited."""

    row: GameRow
    players: tuple[PlayerRow, ...]
    rules: Game
    setup: Setup
    state: Any

    def player(self, code: str) -> PlayerRow:
        """Return the player of that code."""
        return next(player for player in self.players if player.code == code)


@dataclass(slots=True)
class Positions:
    """Remembers each game's last decoded state, because every letter needs it and decoding takes a while."""

    _known: dict[str, tuple[str, Any]] = field(default_factory=dict)

    def of(self, db: Database, row: GameRow) -> Position:
        """Return the position of a game."""
        rules = game_named(row.kind)
        setup = parse_setup(row.setup)
        last = games.last_turn(db, row.id)
        known = self._known.get(row.id)
        if known is None or known[0] != last.hash:
            known = self._known[row.id] = (last.hash, rules.decode(last.state, setup))
        return Position(row=row, players=games.players(db, row.id), rules=rules, setup=setup, state=known[1])


def format_setup(setup: Setup) -> str:
    """Return a setup as JSON."""
    return _VALUES.encode(setup)


def parse_setup(text: str) -> Setup:
    """Return the setup written by ``format_setup``."""
    setup = _VALUES.decode(text)
    assert isinstance(setup, Setup)
    return setup


def format_complaints(complaints: tuple[Complaint, ...]) -> str:
    """Return complaints as JSON."""
    return _VALUES.encode(complaints)


def format_orders(rules: Game, orders: Mapping[str, tuple[Any, ...]]) -> str:
    """Return everybody's orders as they are adjudicated, as JSON: the same bytes for the same orders."""
    plain = {code: json.loads(rules.encode(orders[code])) for code in orders}
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def parse_orders(rules: Game, text: str, setup: Setup) -> dict[str, tuple[Any, ...]]:
    """Return the orders written by ``format_orders``."""
    plain = json.loads(text)
    return {code: rules.decode(json.dumps(plain[code]), setup) for code in plain}
