"""What newsletters of every game tell alike: the line above a turn, and what differs between two positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from .values import Fields, Texts, Value, View, Words

# The line above a turn: of all that can be said of it, what happens most seldom, and of everyday things not always the same.

Told = Fields | None  # what a line is filled in with; None where it cannot be said


def any_of(_: Any) -> bool:
    """Return that an event is as it should be, whatever it is."""
    return True


class Turn(Value):
    """A turn: the position after it, its events, and what companies are called, by code."""

    state: Any
    events: tuple[Any, ...]
    names: Words

    def of(self, kind: type | tuple[type, ...], when: Callable[[Any], Any] = any_of) -> list[Any]:
        """Return its events of a kind that are as they should be."""
        return [event for event in self.events if isinstance(event, kind) and when(event)]

    def about(self, codes: Iterable[str], **more: object) -> Told:
        """Return whom a line is about, and *more*; None for nobody."""
        names = [self.names.get(code, code) for code in dict.fromkeys(codes)]
        return {"name": names[0], "names": names, **more} if names else None

    def winner(self, *, shared: bool) -> Told:
        """Return who has won the game, alone or *shared*."""
        return self.about(self.state.winners) if (len(self.state.winners) > 1) == shared else None


def rarest_first(turn: Turn, kinds: Mapping[str, Callable[[Any], Told]], everyday: str) -> Iterator[dict[str, Any]]:
    """Yield all lines that could stand above a turn: each its kind (``[headline]`` in ``words.toml``), and what is told in it.
    *kinds*: the rarest first; of those from *everyday* on, but for the last, each second one is preferred, by turns.
    """
    names, odd = [*kinds], turn.state.turn % 2
    first = names.index(everyday)
    daily = names[first:-1]
    order = (*names[:first], *daily[odd::2], *daily[1 - odd :: 2], names[-1])
    return ({"kind": kind, "told": told} for kind in order if (told := kinds[kind](turn)) is not None)


# Plain values; places, and what came before.


def fields_of(value: Value, *names: str) -> View:
    """Return some fields of a value, lists for tuples."""
    told = {name: getattr(value, name) for name in names}
    return {name: [*each] if isinstance(each, tuple) else each for name, each in told.items()}


def places(having: Fields) -> dict[str, int]:
    """Return the place of each by what they have: equal ones share a place."""
    return {code: 1 + sum(other > mine for other in having.values()) for code, mine in having.items()}


def round_before(known: Sequence[int], *, ended: bool, otherwise: int) -> int:
    """Return what somebody had after the round before, of what is *known* after each; *ended*: this turn ended a round."""
    earlier = known[:-1] if ended else known
    return earlier[-1] if earlier else otherwise


# What differs between two positions, listed by part (money, track, places) and name: a corrected newsletter tells it.

Tally = int | str | Texts
Tallies = Mapping[str, Mapping[str, Tally]]


class Difference(Value):
    """Something of the part ``part`` that is not what it was; ``name`` says whose, "" where it is nobody's.

    ``before`` and ``now`` are numbers or words, "" for none; of a list they are empty, and ``gone`` and ``added`` say what is no
    longer there and what is.
    """

    part: str
    name: str
    before: int | str = ""
    now: int | str = ""
    gone: Texts = ()
    added: Texts = ()


def differences(before: Tallies, now: Tallies) -> tuple[Difference, ...]:
    """Return what is not the same, in the order of the tallies of *now*, then of those that *before* alone has."""
    found = []
    for part in dict.fromkeys((*now, *before)):
        old, new = before.get(part, {}), now.get(part, {})
        for name in dict.fromkeys((*new, *old)):
            if old.get(name) != new.get(name):
                found.append(_difference(part, name, old.get(name), new.get(name)))
    return tuple(each for each in found if each)


def _difference(part: str, name: str, old: Tally | None, new: Tally | None) -> Difference | None:
    if isinstance(old, tuple) or isinstance(new, tuple):
        had = Counter(old if isinstance(old, tuple) else ())
        has = Counter(new if isinstance(new, tuple) else ())
        gone, added = tuple((had - has).elements()), tuple((has - had).elements())
        return Difference(part=part, name=name, gone=gone, added=added) if gone or added else None
    return Difference(part=part, name=name, before="" if old is None else old, now="" if new is None else new)
