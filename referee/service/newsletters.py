"""The newsletter of a turn: to every player his own letter, with the board and what he may see of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from referee.core.dice import CHAIN_END, seed_of_turn
from referee.mail.compose import Attachment
from referee.report.board import svg
from referee.service.club import Club
from referee.service.positions import Position
from referee.service.writing import Occasion, player_values, render, to_player
from referee.store.rows import OutboxRow, PlayerRow, PressRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A turn to be told: the position after it, its events, and what belongs to the post. ``turn`` 0 is the opening.

    ``hash`` is the turn's in the chain of hashes, ``salts`` are the players' as its dice were thrown with.
    """

    position: Position
    turn: int
    hash: str
    salts: str = ""
    state: Any
    events: tuple[Any, ...]
    next_turn: int
    deadline: datetime | None
    press: tuple[PressRow, ...] = ()
    missing: tuple[str, ...] = ()


def newsletters(club: Club, told: Told) -> tuple[OutboxRow, ...]:
    """Return everybody's newsletter, ready for the outbox."""
    board = svg(told.position.rules.drawing(told.state)).encode()
    return tuple(_newsletter(club, told, player, board) for player in told.position.players)


def chain_values(root: str, turn: int) -> dict[str, str]:
    """Return the seed revealed with a turn, the one before it (its hash), and the published end of the chain."""
    return {
        "end": seed_of_turn(root, CHAIN_END),
        "seed": seed_of_turn(root, turn),
        "previous": seed_of_turn(root, turn - 1),
    }


def _newsletter(club: Club, told: Told, player: PlayerRow, board: bytes) -> OutboxRow:
    position, game = told.position, told.position.row.id
    view = position.rules.view(told.state, player.code)
    values = _values(told, player, view)
    rendered = render(club, "newsletter" if told.turn else "opening", position, player, values)
    name = f"{game}-turn-{told.turn}"
    seen = json.dumps(view, ensure_ascii=False, sort_keys=True, indent=1)
    occasion = Occasion(
        key=f"newsletter:{game}:{told.turn}:{player.code}:1",  # the last number is the edition
        kind="newsletter",
        turn=told.turn,
        attachments=(
            Attachment(name=f"{name}.svg", media_type="image/svg+xml", content=board),
            Attachment(name=f"{name}.json", media_type="application/json", content=seen.encode()),
        ),
    )
    return to_player(club, position, player, rendered, occasion)


def _values(told: Told, player: PlayerRow, view: Mapping[str, Any]) -> dict[str, Any]:
    position = told.position
    return {
        "turn": told.turn,
        "next_turn": told.next_turn,
        "deadline": told.deadline,
        "finished": told.deadline is None,
        "asked": list(replace(position, state=told.state).asked),
        "chain": {**chain_values(position.row.chain, told.turn), "salts": told.salts, "hash": told.hash},
        "press": [
            {**player_values(position.player(each.player)), "player": each.player, "text": each.text}
            for each in told.press
        ],
        "missing": list(told.missing),
        "view": view,
        "story": position.rules.story(told.state, told.events, player.code),
    }
