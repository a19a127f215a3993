"""A turn as it is to be told, and what all its readers are told alike."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from msgspec import field

from referee.core import CHAIN_END, Texts, Value, View, differences, seed_of_turn
from referee.core.game import Game
from referee.core.record import Ruled
from referee.store import ActRow, GameRow, PressRow, TurnRow, acts, games, orders, transaction

from ..club import Club
from ..commands.commands import STATEMENT
from ..letters.interpretation import newest_texts
from ..positions import Position
from ..post.observers import tell_all
from ..post.writing import player_values
from ..umpires import REFEREE, log_act
from .inputs import RunningSet, told_throws

# What a corrected newsletter says before all else: which one it replaces, why, and what is different in it.


class Correction(Value):
    """The edition of a turn, its ``number``-th, that ``replaces`` another one. ``undo`` is the act that put that out of force,
    ``before`` the position that it told; ``kept``: what is on file for the next turn, by player.
    """

    number: int
    undo: ActRow
    replaces: TurnRow
    before: Any
    kept: Mapping[str, RunningSet]

    @property
    def is_second(self) -> bool:
        """Whether what is replaced was a correction itself."""
        return self.number > 2


def correction_of(club: Club, position: Position, turn: int, kept: Mapping[str, RunningSet]) -> Correction | None:
    """Return what the edition of a turn that is written next corrects, None if it is the first."""
    replaced = games.replaced(club, position.id, turn)
    if not replaced:
        return None
    before = position.decode(replaced.state)
    number = len(games.editions(club, position.id)[turn]) + 1
    return Correction(number=number, undo=undo_of(club, replaced), replaces=replaced, before=before, kept=kept)


def undo_of(club: Club, row: TurnRow) -> ActRow:
    """Return the act that put a turn out of force."""
    undone = (act for act in acts(club, row.game) if act.kind == "undo" and act.turn <= row.turn)
    return next(act for act in undone if json.loads(act.parameters)["edition"] >= row.edition)


def correction_values(position: Position, correction: Correction, state: Any, reader: str | None) -> View:
    """Return what ``correction.txt.j2`` is told, but for the letter that is replaced; *state*: the position told now."""
    kept = correction.kept.get(reader or "")
    return {
        "undone": correction.undo.turn,
        "because": correction.undo.reason,
        "again": correction.is_second,
        "differences": position_differences(position.rules, correction.before, state, reader),
        "kept": kept.told if kept else None,
    }


def ruling_values(rules: Game, state: Any, rulings: Iterable[Ruled], reader: str | None) -> list[View]:
    """Return rulings that are made from *state* on, one after the other, as letters tell them to a reader."""
    told = []
    for each in rulings:
        after = rules.apply(state, each)
        found = position_differences(rules, state, after, reader)
        told.append({"number": each.paragraph, "because": each.because, "differences": found})
        state = after
    return told


def position_differences(rules: Game, before: Any, now: Any, reader: str | None) -> list[View]:
    """Return what differs between two positions for a reader, part by part."""
    found = differences(rules.tallies(before, reader), rules.tallies(now, reader))
    parts = dict.fromkeys(each.part for each in found)
    return [{"part": part, "lines": [each for each in found if each.part == part]} for part in parts]


class TurnNews(Value):
    """A turn to be told: its ``row``, the position after it, its events, and what belongs to the post. ``correction`` says what
    its edition replaces.

    ``seating``: of an opening, who got which seat (``seating.txt.j2``); ``statements_until``: at the end of a game, until when
    its players' last words are awaited. ``before``: the position before it, where that is not the last one in the store.
    ``at``: when it was told first, None for now. ``decided``: by player, the lines that are on file for the next turn.
    """

    position: Position
    row: TurnRow
    correction: Correction | None = None
    state: Any
    events: tuple[Any, ...]
    next_turn: int
    deadline: datetime | None
    press: tuple[PressRow, ...] = ()
    unsigned: tuple[PressRow, ...] = ()
    missing: Texts = ()
    seating: tuple[View, ...] = ()
    statements_until: datetime | None = None
    before: Any = None
    at: datetime | None = None
    decided: Mapping[str, Texts] = field(default_factory=dict)

    @property
    def turn(self) -> int:
        """The number of the turn, 0 for the opening."""
        return self.row.turn


def common_values(club: Club, news: TurnNews) -> View:
    """Return what every newsletter of the turn may tell."""
    position, row = news.position, news.position.row
    revealed = row.anonymous and news.deadline is None
    return {
        "turn": news.turn,
        "today": news.at or club.now,
        "next_turn": news.next_turn,
        "deadline": news.deadline,
        "finished": news.deadline is None,
        "asked": list(position.but(state=news.state).asked),
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
        # Who the players of an anonymous game are, at its end.
        "revealed": [player_values(each) for each in games.players(club, row.id)] if revealed else [],
    }


def _summary(club: Club, news: TurnNews) -> Mapping[str, object]:
    """Return statistics of all turns of a game that is over; nothing of one that goes on."""
    position = news.position
    if position.rules.awaiting(news.state):
        return {}
    earlier = [row for row in games.turns(club, position.id) if row.turn < news.turn]
    told = [event for row in earlier for event in position.decode(row.events)]
    return position.rules.summary(news.state, (*told, *news.events))


def _chain(club: Club, news: TurnNews) -> View:
    """Return what is told of the dice. A game with secrets tells nothing of them before it is over, and then of all turns."""
    rules = news.position.rules
    sealed = rules.has_secrets and bool(rules.awaiting(news.state))
    root = news.position.row.chain
    shown = {"end": seed_of_turn(root, CHAIN_END), "previous": seed_of_turn(root, news.turn - 1)}
    shown |= {"seed": seed_of_turn(root, news.turn)}  # the one before it is its hash, the end was published
    return {
        **(shown | {"seed": "", "previous": ""} if sealed else shown),
        "salts": news.row.salts,
        "typed": [] if sealed else told_throws(club, news.position, news.turn, news.row.typed),
        "hash": news.row.hash,
        "acts": news.row.acts.split(),
    }


# Players' last words about a game that is over: taken until their own deadline, and then told to all.


def tell_statements(club: Club) -> Texts:
    """Mail the closing statements that are due to all players and observers; where nobody has written any nothing is sent. Return
    the ids of the games whose time for them is over.
    """
    due = games.with_statements_due(club, club.now)
    for row in due:
        with transaction(club):
            _tell(club, row)
    return tuple(row.id for row in due)


def _tell(club: Club, row: GameRow) -> None:
    games.write(club, row.id, statements_due=None)
    said = {each.player: each.text for each in newest_texts(orders.texts(club, *row.turn_key, STATEMENT))}
    if not said:
        return
    position = club.position(row.id)
    told = [{**player_values(each), "text": said[each.code]} for each in position.players if each.code in said]
    values, key = {"statements": told}, f"statements:{row.id}:{row.turn}"
    edition = games.highest_edition(club, *row.turn_key)
    key = key if edition == 1 else f"{key}:{edition}"
    tell_all(club, position, "statements", values, key)
    log_act(club, row, "statements", {"number": len(told)}, actor=REFEREE)
