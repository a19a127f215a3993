"""A company's track written as lines: the fewest that walking on until it ends gives, always the same."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from referee.core.hexes import Hex, are_neighbours, centre, side
from referee.games.dampfross.position.names import format_path
from referee.games.dampfross.position.state import State


def track_lines(state: State, company: str) -> tuple[str, ...]:
    """Return the lines of a company's track from its home outward: straight on where possible, branches afterwards."""
    links: dict[Hex, set[Hex]] = {}
    for (one, other), owners in state.track.items():
        if company in owners:
            links.setdefault(one, set()).add(other)
            links.setdefault(other, set()).add(one)
    lines, todo = [], [state.home[company]] if state.home.get(company) in links else []
    while any(links.values()):
        start = next((label for label in todo if links[label]), None) or min(label for label in links if links[label])
        path = _walk(links, start)
        todo += path
        lines.append(path)
    return tuple(_format_line(state, path) for path in lines)


def _walk(links: Mapping[Hex, set[Hex]], start: Hex) -> tuple[Hex, ...]:
    """Take a way out of *links* until it ends."""
    path = [start]
    while onward := links[path[-1]]:
        here = path[-1]
        straight = [label for label in onward if len(path) > 1 and _is_straight(path[-2], here, label)]
        following = straight[0] if straight else min(onward)
        links[here].remove(following)
        links[following].remove(here)
        path.append(following)
    return tuple(path)


def _is_straight(before: Hex, here: Hex, after: Hex) -> bool:
    (x1, y1), (x2, y2), (x3, y3) = map(centre, (before, here, after))
    return (x2 - x1, y2 - y1) == (x3 - x2, y3 - y2)


def _format_line(state: State, path: tuple[Hex, ...]) -> str:
    """Return a path as orders write it; the ends of a ferry are named, too."""
    ferries = state.table.board.ferries
    marked = {
        index + more
        for index, pair in enumerate(pairwise(path))
        if side(*pair) in ferries and not are_neighbours(*pair)
        for more in (0, 1)
    }
    return format_path(state.table.board, path, marked)
