"""The one way in which rules change a position: an event is written down and applied at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from referee.core.game import Outcome

State = TypeVar("State")
Event = TypeVar("Event")


def changed(state: State, **values: Any) -> State:
    """Return a position with other *values* in some of its fields.

    As ``dataclasses.replace``, but without a look at each field that stays: an event changes two or three of twenty-five, and
    a turn has a hundred events. For frozen dataclasses without slots that check nothing when they are made.

    Raises:
        TypeError: there is no such field.
    """
    other = object.__new__(type(state))
    fields = other.__dict__
    fields.update(state.__dict__)
    known = len(fields)
    fields.update(values)
    if len(fields) > known:
        raise TypeError(f"a {type(state).__name__} has no field {', '.join(list(fields)[known:])}")
    return other


class Record(Generic[State, Event]):
    """A turn being played: ``state`` is always the fold of ``events`` over the position it began with."""

    def __init__(self, state: State, changes: Mapping[type, Callable[[Any, State], State]]) -> None:
        """*changes*: for each kind of event what returns the position after it."""
        self.state = state
        self.events: list[Event] = []
        self._changes = changes

    def add(self, event: Event) -> None:
        """Write an event down and apply it."""
        self.state = self._changes[type(event)](event, self.state)
        self.events.append(event)

    def add_all(self, events: Iterable[Event]) -> None:
        """Write several events down, in order."""
        for event in events:
            self.add(event)

    def outcome(self) -> Outcome:
        """Return the position and how it came about."""
        return Outcome(state=self.state, events=tuple(self.events))
