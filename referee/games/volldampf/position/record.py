"""A turn of this game being played."""

from __future__ import annotations

from referee.core import record
from referee.games.volldampf.position.changes import apply
from referee.games.volldampf.position.events import Event
from referee.games.volldampf.position.state import State


class Record(record.Record[State, Event]):
    """``state`` is always the fold of ``events`` over the position it began with."""

    def __init__(self, state: State) -> None:
        super().__init__(state, apply)
