"""What differs between two positions, listed by part (money, track, places) and name: a corrected newsletter tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from referee.core.values import Value

Tally = int | str | tuple[str, ...]
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
    gone: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


def differences(before: Tallies, now: Tallies) -> tuple[Difference, ...]:
    """Return what is not the same, in the order of the tallies of *now*, then of those that *before* alone has."""
    found = []
    for part in dict.fromkeys((*now, *before)):
        old, new = before.get(part, {}), now.get(part, {})
        for name in dict.fromkeys((*new, *old)):
            if old.get(name) != new.get(name):
                found.append(_difference(part, name, old.get(name), new.get(name)))
    return tuple(each for each in found if each is not None)


def _difference(part: str, name: str, old: Tally | None, new: Tally | None) -> Difference | None:
    if isinstance(old, tuple) or isinstance(new, tuple):
        had = Counter(old if isinstance(old, tuple) else ())
        has = Counter(new if isinstance(new, tuple) else ())
        gone, added = tuple((had - has).elements()), tuple((has - had).elements())
        return Difference(part=part, name=name, gone=gone, added=added) if gone or added else None
    return Difference(part=part, name=name, before="" if old is None else old, now="" if new is None else new)
