"""A turn as it is to be told, and what all its readers are told alike."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from msgspec import field
from msgspec.structs import replace

from referee.core.dice import CHAIN_END, seed_of_turn
from referee.core.values import Value
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.post.writing import player_values
from referee.service.turns.correction import Correction
from referee.service.turns.throws import told_throws
from referee.store import games
from referee.store.database.rows import PressRow


class TurnNews(Value):
    """A turn to be told: the position after it, its events, and what belongs to the post. ``turn`` 0 is the opening.

    ``edition`` and ``hash`` are the turn's; ``correction`` says what its edition replaces; ``salts`` are the players', ``typed``
    the umpire's throws as JSON, that its dice were thrown with; ``acts`` and ``booked`` are what it covers (``TurnRow``).
    ``seating``: of an opening, who got which seat (``seating.txt.j2``); ``statements_until``: at the end of a game, until when
    its players' last words are awaited. ``before``: the position before it, where that is not the last one in the store.
    ``decided``: by player, the lines that are on file for the next turn.
    """

    position: Position
    turn: int
    edition: int = 1
    correction: Correction | None = None
    hash: str
    salts: str = ""
    typed: str = ""
    acts: str = ""
    booked: str = ""
    state: Any
    events: tuple[Any, ...]
    next_turn: int
    deadline: datetime | None
    press: tuple[PressRow, ...] = ()
    unsigned: tuple[PressRow, ...] = ()
    missing: tuple[str, ...] = ()
    seating: tuple[Mapping[str, Any], ...] = ()
    statements_until: datetime | None = None
    before: Any = None
    decided: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def common_values(club: Club, news: TurnNews) -> dict[str, Any]:
    """Return what every newsletter of the turn may tell."""
    position = news.position
    return {
        "turn": news.turn,
        "next_turn": news.next_turn,
        "deadline": news.deadline,
        "finished": news.deadline is None,
        "asked": list(replace(position, state=news.state).asked),
        "chain": _chain(club, news),
        "press": [
            {**player_values(position.player(each.player)), "player": each.player, "text": each.text}
            for each in news.press
        ]
        + [
            {"player": "", "code": "", "name": "", "company": "", "colour": "", "text": each.text}
            for each in news.unsigned
        ],
        "missing": list(news.missing),
        "seating": list(news.seating),
        "statements_until": news.statements_until,
        "summary": _summary(club, news),
        "revealed": _revealed(club, news),
    }


def _summary(club: Club, news: TurnNews) -> Mapping[str, Any]:
    """Return statistics of all turns of a game that is over; nothing of one that goes on."""
    position = news.position
    if position.rules.awaiting(news.state):
        return {}
    earlier = [row for row in games.turns(club.db, position.row.id) if row.turn < news.turn]
    told = [event for row in earlier for event in position.rules.decode(row.events, position.setup)]
    return position.rules.summary(news.state, (*told, *news.events))


def _revealed(club: Club, news: TurnNews) -> list[dict[str, Any]]:
    """Return who the players of an anonymous game are, at its end."""
    row = news.position.row
    over = row.anonymous and news.deadline is None
    return [player_values(each) for each in games.players(club.db, row.id)] if over else []


def _chain(club: Club, news: TurnNews) -> dict[str, Any]:
    """Return what is told of the dice. A game with secrets tells nothing of them before it is over, and then of all turns."""
    rules = news.position.rules
    sealed = rules.has_secrets and bool(rules.awaiting(news.state))
    root = news.position.row.chain
    shown = {"end": seed_of_turn(root, CHAIN_END), "previous": seed_of_turn(root, news.turn - 1)}
    shown |= {"seed": seed_of_turn(root, news.turn)}  # the one before it is its hash, the end was published
    return {
        **(shown | {"seed": "", "previous": ""} if sealed else shown),
        "salts": news.salts,
        "typed": [] if sealed else told_throws(club.db, news.position, news.turn, news.typed),
        "hash": news.hash,
        "acts": news.acts.split(),
    }
