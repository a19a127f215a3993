"""The one way in which rules change a position: an event is written down and applied at once."""

from __future__ import annotations

from collections.abc import Iterable

from referee.core.game import Outcome
from referee.games.volldampf.changes import apply
from referee.games.volldampf.events import Event
from referee.games.volldampf.state import State


class Record:
    """A turn being played: ``state`` is always the fold of ``events`` over the position it began with."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        """Write an event down and apply it."""
        self.state = apply(event, self.state)
        self.events.append(event)

    def add_all(self, events: Iterable[Event]) -> None:
        """Write several events down, in order."""
        for event in events:
            self.add(event)

    def outcome(self) -> Outcome:
        """Return the position and how it came about."""
        return Outcome(state=self.state, events=tuple(self.events))
