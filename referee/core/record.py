"""The one way in which rules change a position: an event is written down, and applied before anybody looks again."""

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


class Draft(Generic[State]):
    """A position to which events are applied one upon another: ``state`` as it is by now.

    Once something was written it is a copy, and so are the mappings that were written to, until somebody keeps it.
    """

    __slots__ = ("_fields", "_own", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self._fields: dict[str, Any] = {}
        self._own: dict[str, dict[Any, Any]] = {}

    def put(self, name: str, value: object) -> None:
        """Set a field."""
        (self._fields or self._copied())[name] = value
        self._own.pop(name, None)

    def mapping(self, name: str) -> dict[Any, Any]:
        """Return a field that is a mapping, to write to."""
        own = self._own.get(name)
        if own is None:
            fields = self._fields or self._copied()
            own = self._own[name] = fields[name] = dict(fields[name])
        return own

    def kept(self) -> State:
        """Return the position for good: what is written from now on is written to another copy."""
        if self._fields:
            self._fields, self._own = {}, {}
        return self.state

    def _copied(self) -> dict[str, Any]:
        self.state = changed(self.state)
        self._fields = self.state.__dict__
        return self._fields


class InPlace(Generic[Event, State]):
    """A change that is made in a draft, for events of which many come at once. Called with a position it returns the next."""

    def __init__(self, change: Callable[[Event, Draft[State]], None]) -> None:
        self.change = change

    def __call__(self, event: Event, state: State) -> State:
        draft = Draft(state)
        self.change(event, draft)
        return draft.state


class Record(Generic[State, Event]):
    """A turn being played: ``state`` is always the fold of ``events`` over the position it began with.

    Events are applied when somebody looks at the position, so that it is copied once for all that came meanwhile.
    """

    def __init__(self, state: State, changes: Mapping[type, Callable[[Any, State], State]]) -> None:
        """*changes*: for each kind of event what returns the position after it."""
        self.events: list[Event] = []
        self._draft = Draft(state)
        self._applied = 0
        self._changes = changes

    @property
    def state(self) -> State:
        """The position now, which no event to come will change."""
        if self._applied < len(self.events):
            self._apply()
        return self._draft.kept()

    @property
    def now(self) -> State:
        """The position now, to be looked at and not to be kept: events to come may change it."""
        if self._applied < len(self.events):
            self._apply()
        return self._draft.state

    def add(self, event: Event) -> None:
        """Write an event down."""
        self.events.append(event)

    def add_all(self, events: Iterable[Event]) -> None:
        """Write several events down, in order."""
        self.events += events

    def _apply(self) -> None:
        draft = self._draft
        for event in self.events[self._applied :]:
            change = self._changes[type(event)]
            if isinstance(change, InPlace):
                change.change(event, draft)
            else:
                self._draft = draft = Draft(change(event, draft.kept()))
        self._applied = len(self.events)

    def outcome(self) -> Outcome:
        """Return the position and how it came about."""
        return Outcome(state=self.state, events=tuple(self.events))
