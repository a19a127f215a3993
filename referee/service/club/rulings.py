"""The umpire's rulings and notes for a turn, out of the log of his acts: those that he has not taken back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from referee.core.errors import PositionError
from referee.core.game import Game
from referee.core.rulings import Change, Ruled
from referee.store.acts import acts_for
from referee.store.database.connection import Database
from referee.store.database.rows import ActRow

ADJUST, NOTE, WITHDRAW = "adjust", "note", "withdraw"  # kinds of acts
_CHANGE = ("key", "name", "how", "value")


def rulings_for(db: Database, game: str, turn: int) -> tuple[Ruled, ...]:
    """Return the rulings with which a turn is to be played, in their order."""
    return rulings_of(acts_for(db, game, turn, ADJUST, WITHDRAW))


def rulings_of(acts: Iterable[ActRow]) -> tuple[Ruled, ...]:
    """Return the rulings among the acts for a turn, in their order."""
    return tuple(ruling_of(act) for act in _standing(acts, ADJUST))


def standing(db: Database, game: str, turn: int, kind: str) -> tuple[ActRow, ...]:
    """Return the acts of a kind for a turn that were not taken back."""
    return _standing(acts_for(db, game, turn, kind, WITHDRAW), kind)


def _standing(acts: Iterable[ActRow], kind: str) -> tuple[ActRow, ...]:
    found = tuple(acts)
    gone = {json.loads(act.parameters)["act"] for act in found if act.kind == WITHDRAW}
    return tuple(act for act in found if act.kind == kind and act.number not in gone)


def ruling_of(act: ActRow) -> Ruled:
    """Return the ruling that an act makes."""
    changes = tuple(Change(**dict(zip(_CHANGE, each, strict=True))) for each in json.loads(act.parameters)["changes"])
    return Ruled(changes=changes, because=act.reason, paragraph=f"U{act.number}")


def parameters_of(changes: Iterable[Change]) -> dict[str, Any]:
    """Return what an act keeps of a ruling."""
    return {"changes": [[getattr(change, name) for name in _CHANGE] for change in changes]}


def ruled(rules: Game, state: Any, rulings: Iterable[Ruled]) -> tuple[Any, tuple[Ruled, ...]]:
    """Return the position after rulings, and those of them that fit: one that no longer does, because a turn before it came out
    otherwise, changes nothing.
    """
    fitting = []
    for each in rulings:
        try:
            state = rules.apply(state, each)
        except PositionError:
            continue
        fitting.append(each)
    return state, tuple(fitting)
