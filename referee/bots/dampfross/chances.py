"""What a race is worth before its dice are thrown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from referee.games.dampfross.racing import PRIZES, SHARED_PRIZES

Finish = tuple[int, int]  # race-round and, negative, the points left over: the least is first. Rule: D6.7
DIE = range(1, 7)
RUNS = 0.7  # how probably a rival enters a race that would suit it
FURTHEST = 60  # points of movement; a longer way counts as that


@lru_cache(maxsize=FURTHEST + 1)
def finishes(moves: int) -> Mapping[Finish, float]:
    """Return how probable each finish of a train is that has so many points of movement before it."""
    found: defaultdict[Finish, float] = defaultdict(float)
    under_way, race_round = {moves: 1.0}, 0
    while under_way:
        race_round += 1
        left: defaultdict[int, float] = defaultdict(float)
        for points, chance in under_way.items():
            for throw in DIE:
                if throw >= points:
                    found[race_round, points - throw] += chance / 6
                else:
                    left[points - throw] += chance / 6
        under_way = left
    return found


@lru_cache(maxsize=1 << 14)
def loss(mine: int, theirs: int) -> tuple[tuple[float, float], ...]:
    """Return, for each finish of a train, its chance and how probably a rival's comes in before it (equal ones half)."""
    found, ahead, others = [], 0.0, sorted(finishes(min(theirs, FURTHEST)).items(), reverse=True)
    for finish, chance in sorted(finishes(min(mine, FURTHEST)).items()):
        while others and others[-1][0] < finish:
            ahead += others.pop()[1]
        equal = others[-1][1] if others and others[-1][0] == finish else 0.0
        found.append((chance, ahead + equal / 2))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def prize(mine: int, rivals: tuple[tuple[int, float], ...], shared: bool) -> float:
    """Return the prize that a train may expect, in units. *rivals*: points of movement, and how probably each runs; sorted."""
    if not rivals:
        return PRIZES[0]
    prizes: Sequence[int] = SHARED_PRIZES[len(rivals) + 1] if shared else PRIZES
    columns = [loss(mine, moves) for moves, _ in rivals]
    total = 0.0
    for place, (chance, _) in enumerate(columns[0]):
        ahead = [1.0]  # by how many are before it
        for column, (_, runs) in zip(columns, rivals, strict=True):
            lost = column[place][1] * runs
            ahead = [
                (ahead[n] if n < len(ahead) else 0.0) * (1 - lost) + (ahead[n - 1] * lost if n else 0.0)
                for n in range(len(ahead) + 1)
            ]
        total += chance * sum(part * units for part, units in zip(ahead, prizes, strict=False))
    return total
