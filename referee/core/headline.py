"""The line above a turn: of all that can be said of it, what happens most seldom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from referee.core.values import Value

Told = Mapping[str, Any] | None  # what a line is filled in with; None where it cannot be said


def any_of(_: Any) -> bool:
    """Return that an event is as it should be, whatever it is."""
    return True


class Turn(Value):
    """A turn: the position after it, its events, and what companies are called, by code."""

    state: Any
    events: tuple[Any, ...]
    names: Mapping[str, str]

    def of(self, kind: type | tuple[type, ...], when: Callable[[Any], Any] = any_of) -> list[Any]:
        """Return its events of a kind that are as they should be."""
        return [event for event in self.events if isinstance(event, kind) and when(event)]

    def named(self, codes: Iterable[str], **more: object) -> Told:
        """Return whom a line is about, and *more*; None for nobody."""
        names = [self.names.get(code, code) for code in dict.fromkeys(codes)]
        return {"name": names[0], "names": names, **more} if names else None

    def won(self, *, shared: bool) -> Told:
        """Return who has won the game, alone or *shared*."""
        return self.named(self.state.winners) if (len(self.state.winners) > 1) == shared else None

    def ahead(self, before: Mapping[str, int], now: Mapping[str, int], *, shared: bool) -> Told:
        """Return who has come to the head, alone or *shared* by some but not all."""
        first = [code for code in now if now[code] == max(now.values())]
        new = any(before[code] < max(before.values()) for code in first)
        return self.named(first) if new and len(first) < len(now) and (len(first) > 1) == shared else None


def rarest_first(turn: Turn, kinds: Mapping[str, Callable[[Any], Told]]) -> Iterator[dict[str, Any]]:
    """Yield all lines that could stand above a turn: each its kind (``[headline]`` in ``words.toml``), and what is told in it.
    *kinds*: the rarest first.
    """
    return ({"kind": kind, "told": told} for kind, find in kinds.items() if (told := find(turn)) is not None)
