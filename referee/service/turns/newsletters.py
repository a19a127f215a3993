"""The newsletter of a turn: to every player his own letter, with the board and what he may see of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
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


class _Telling:
    """What the newsletters of a turn have in common: each thing is made once, for whom it is the same."""

    def __init__(self, club: Club, told: Told) -> None:
        self.told = told
        self._rules, self._translate = told.position.rules, club.stationery.translate
        self.board = cache(self._board)
        self.view = cache(self._view)
        self._story = cache(self._told_story)
        self.values = _common_values(club, told)

    def story(self, reader: str | None) -> Mapping[str, Any]:
        """Return the turn as it is told to a player, or to somebody who is none."""
        return self._story(None if self._rules.tells_all_alike and self.told.turn else reader)

    def seen(self, reader: str | None) -> tuple[Mapping[str, Any], bytes]:
        """Return what a reader may see of the position, and the same as JSON."""
        return self.view(None if self._rules.tells_all_alike else reader)

    def _board(self, language: str) -> bytes:
        """Return the board after the turn as SVG, with its words in a language."""
        return svg(self._rules.drawing(self.told.state, self._translate(language))).encode()

    def _view(self, reader: str | None) -> tuple[Mapping[str, Any], bytes]:
        view = self._rules.view(self.told.state, reader)
        return view, json.dumps(view, ensure_ascii=False, sort_keys=True, indent=1).encode()

    def _told_story(self, reader: str | None) -> Mapping[str, Any]:
        return self._rules.story(self.told.state, self.told.events, reader)


def newsletters(club: Club, told: Told) -> tuple[OutboxRow, ...]:
    """Return everybody's newsletter, ready for the outbox."""
    watching = reachable_observers(club, told.position.row.id) if told.turn else ()
    telling = _Telling(club, told)
    players = [_newsletter(club, telling, player) for player in told.position.players]
    return (*players, *(_for_observer(club, telling, each) for each in watching))


def chain_values(root: str, turn: int) -> dict[str, str]:
    """Return the seed revealed with a turn, the one before it (its hash), and the published end of the chain."""
    return {
        "end": seed_of_turn(root, CHAIN_END),
        "seed": seed_of_turn(root, turn),
        "previous": seed_of_turn(root, turn - 1),
    }


def _newsletter(club: Club, telling: _Telling, player: PlayerRow) -> OutboxRow:
    position, turn = telling.told.position, telling.told.turn
    view, seen = telling.seen(player.code)
    values = {**telling.values, "view": view, "story": telling.story(player.code)}
    rendered = render(club, "newsletter" if turn else "opening", position, player, values)
    return to_player(club, position, player, rendered, _occasion(telling, player, player.code, seen))


def _for_observer(club: Club, telling: _Telling, observer: ObserverRow) -> OutboxRow:
    """Return the newsletter of somebody who plays no part: what everybody may see, and how he gets no more of them."""
    position, address = telling.told.position, observer.address
    reader = somebody(club, observer.game, address)
    view, seen = telling.seen(None)
    values = {**telling.values, "view": view, "story": telling.story(None)}
    rendered = render(club, "newsletter", position, reader, values)
    tag = tag_of_observer(club, observer.game, address)
    unsubscribe = address_of(club, tag) or club.config.address
    occasion = replace(_occasion(telling, reader, f"observer-{observer.id}", seen), unsubscribe=unsubscribe)
    return to_somebody(club, position, address, rendered, occasion)


def _occasion(telling: _Telling, reader: PlayerRow, name: str, seen: bytes) -> Occasion:
    told, game = telling.told, telling.told.position.row.id
    file = f"{game}-turn-{told.turn}"
    return Occasion(
        key=f"newsletter:{game}:{told.turn}:{name}:1",  # the last number is the edition
        kind="newsletter",
        turn=told.turn,
        asks=told.next_turn,
        attachments=(
            Attachment(name=f"{file}.svg", media_type="image/svg+xml", content=telling.board(reader.language)),
            Attachment(name=f"{file}.json", media_type="application/json", content=seen),
        ),
    )


def _common_values(club: Club, told: Told) -> dict[str, Any]:
    """Return what every newsletter of the turn may tell."""
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
