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
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.commands.observers import reachable_observers
from referee.service.post.codes import address_of, tag_of_observer
from referee.service.post.writing import Occasion, player_values, render, somebody, to_player, to_somebody
from referee.service.turns.throws import parse_typed
from referee.store import games
from referee.store.database.rows import ObserverRow, OutboxRow, PlayerRow, PressRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A turn to be told: the position after it, its events, and what belongs to the post. ``turn`` 0 is the opening.

    ``hash`` is the turn's in the chain of hashes; ``salts`` are the players', ``typed`` the umpire's throws as JSON, that its
    dice were thrown with.
    """

    position: Position
    turn: int
    hash: str
    salts: str = ""
    typed: str = ""
    state: Any
    events: tuple[Any, ...]
    next_turn: int
    deadline: datetime | None
    press: tuple[PressRow, ...] = ()
    unsigned: tuple[PressRow, ...] = ()
    missing: tuple[str, ...] = ()


def newsletters(club: Club, told: Told) -> tuple[OutboxRow, ...]:
    """Return everybody's newsletter, ready for the outbox."""
    watching = reachable_observers(club, told.position.row.id) if told.turn else ()
    readers = [*told.position.players, *(somebody(club, each.game, each.address) for each in watching)]
    boards = {language: _board(club, told, language) for language in dict.fromkeys(each.language for each in readers)}
    players = [_newsletter(club, told, player, boards[player.language]) for player in told.position.players]
    return (*players, *(_for_observer(club, told, each, boards[club.config.language]) for each in watching))


def chain_values(root: str, turn: int) -> dict[str, str]:
    """Return the seed revealed with a turn, the one before it (its hash), and the published end of the chain."""
    return {
        "end": seed_of_turn(root, CHAIN_END),
        "seed": seed_of_turn(root, turn),
        "previous": seed_of_turn(root, turn - 1),
    }


def _board(club: Club, told: Told, language: str) -> bytes:
    """Return the board after the turn as SVG, with its words in a language."""
    return svg(told.position.rules.drawing(told.state, club.stationery.translate(language))).encode()


def _newsletter(club: Club, told: Told, player: PlayerRow, board: bytes) -> OutboxRow:
    position = told.position
    view = position.rules.view(told.state, player.code)
    values = _values(club, told, player, view)
    rendered = render(club, "newsletter" if told.turn else "opening", position, player, values)
    return to_player(club, position, player, rendered, _occasion(told, player.code, view, board))


def _for_observer(club: Club, told: Told, observer: ObserverRow, board: bytes) -> OutboxRow:
    """Return the newsletter of somebody who plays no part: what everybody may see, and how he gets no more of them."""
    position, address = told.position, observer.address
    reader = somebody(club, observer.game, address)
    view = position.rules.view(told.state, None)
    rendered = render(club, "newsletter", position, reader, _values(club, told, reader, view))
    tag = tag_of_observer(club, observer.game, address)
    unsubscribe = address_of(club, tag) or club.config.address
    occasion = replace(_occasion(told, f"observer-{observer.id}", view, board), unsubscribe=unsubscribe)
    return to_somebody(club, position, address, rendered, occasion)


def _occasion(told: Told, reader: str, view: Mapping[str, Any], board: bytes) -> Occasion:
    game = told.position.row.id
    name = f"{game}-turn-{told.turn}"
    seen = json.dumps(view, ensure_ascii=False, sort_keys=True, indent=1)
    return Occasion(
        key=f"newsletter:{game}:{told.turn}:{reader}:1",  # the last number is the edition
        kind="newsletter",
        turn=told.turn,
        asks=told.next_turn,
        attachments=(
            Attachment(name=f"{name}.svg", media_type="image/svg+xml", content=board),
            Attachment(name=f"{name}.json", media_type="application/json", content=seen.encode()),
        ),
    )


def _values(club: Club, told: Told, player: PlayerRow, view: Mapping[str, Any]) -> dict[str, Any]:
    position = told.position
    return {
        "turn": told.turn,
        "next_turn": told.next_turn,
        "deadline": told.deadline,
        "finished": told.deadline is None,
        "asked": list(replace(position, state=told.state).asked),
        "chain": _chain(club, told),
        "press": [
            {**player_values(position.player(each.player)), "player": each.player, "text": each.text}
            for each in told.press
        ]
        + [
            {"player": "", "code": "", "name": "", "company": "", "colour": "", "text": each.text}
            for each in told.unsigned
        ],
        "missing": list(told.missing),
        "prices": [] if told.turn else position.rules.prices(position.setup),
        "view": view,
        "story": position.rules.story(told.state, told.events, player.code or None),
    }


def _chain(club: Club, told: Told) -> dict[str, Any]:
    """Return what is told of the dice. A game with secrets tells nothing of them before it is over, and then of all turns."""
    rules = told.position.rules
    sealed = rules.has_secrets and bool(rules.awaiting(told.state))
    shown = chain_values(told.position.row.chain, told.turn)
    return {
        **(shown | {"seed": "", "previous": ""} if sealed else shown),
        "salts": told.salts,
        "typed": [] if sealed else _typed(club, told),
        "hash": told.hash,
    }


def _typed(club: Club, told: Told) -> list[str]:
    """Return the umpire's throws of this turn; at the end of a game with secrets those of all turns."""
    texts = [told.typed]
    if told.position.rules.has_secrets:
        earlier = games.turns(club.db, told.position.row.id)
        texts = [*(row.typed for row in earlier if row.turn < told.turn), told.typed]
    return [f"{name}={number}" for text in texts for name, number in parse_typed(text).items()]
