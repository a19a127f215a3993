"""The one way in which rules change a position: an event is written down, and applied before anybody looks again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from msgspec.structs import force_setattr

from referee.core.game import Outcome
from referee.core.values import Value

State = TypeVar("State", bound=Value)
Event = TypeVar("Event")


class Draft(Generic[State]):
    """A position to which events are applied one upon another: ``state`` as it is by now.

    Once something was written it is a copy, and so are the mappings that were written to, until somebody keeps it.
    """

    __slots__ = ("_is_own", "_own", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self._is_own = False
        self._own: dict[str, dict[Any, Any]] = {}

    def put(self, name: str, value: object) -> None:
        """Set a field."""
        if not self._is_own:
            self.state, self._is_own = copy(self.state), True
        force_setattr(self.state, name, value)
        self._own.pop(name, None)

    def mapping(self, name: str) -> dict[Any, Any]:
        """Return a field that is a mapping, to write to."""
        if name not in self._own:
            own = dict(getattr(self.state, name))
            self.put(name, own)
            self._own[name] = own
        return self._own[name]

    def kept(self) -> State:
        """Return the position for good: what is written from now on is written to another copy."""
        self._is_own, self._own = False, {}
        return self.state


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


# Tables by kinds of events that are total: a kind without an entry is an error when its game is imported.

Rest = ParamSpec("Rest")
Result = TypeVar("Result")
Entry = TypeVar("Entry")


class ByKind(dict[type, Callable[..., Result]], Generic[Rest, Result]):
    """What is done with an event, by its class; *Rest* are the arguments after the event."""

    def of(
        self, kind: type[Event]
    ) -> Callable[[Callable[Concatenate[Event, Rest], Result]], Callable[Concatenate[Event, Rest], Result]]:
        """Return a decorator that enters a function for one kind of event."""

        def enter(function: Callable[Concatenate[Event, Rest], Result]) -> Callable[Concatenate[Event, Rest], Result]:
            assert kind not in self, f"{kind.__name__} has an entry already"
            self[kind] = function
            return function

        return enter


def complete(kinds: Iterable[Any], table: Mapping[type, Entry], but: Iterable[type] = ()) -> Mapping[type, Entry]:
    """Return *table* in the order of the *kinds*: it has an entry for each of them and for nothing else.

    *but*: kinds that are entered by a room further up, which knows what they need.

    Raises:
        TypeError: it has not; all such kinds are named.
    """
    wanted = [kind for kind in kinds if kind not in but]
    faults = [f"{kind.__name__} has no entry" for kind in wanted if kind not in table]
    faults += [f"{kind.__name__} is no kind of event" for kind in table if kind not in wanted]
    if faults:
        raise TypeError("; ".join(sorted(faults)))
    return {kind: table[kind] for kind in wanted}
