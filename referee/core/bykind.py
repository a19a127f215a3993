"""Tables by kinds of events that are total: a kind without an entry is an error when its game is imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

Rest = ParamSpec("Rest")
Result = TypeVar("Result")
Event = TypeVar("Event")
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
