"""Where companies may start. Rule: D1.3."""

from __future__ import annotations

from collections.abc import Mapping

from referee.core.hexes import Hex
from referee.games.dampfross.position.state import State


def homes_of(state: State, company: str) -> tuple[Hex, ...]:
    """Return the cities *company* may choose as its home terminal now, in the map's order.

    Cities whose quota is used up by others are left out; with ``homes = distinct`` those that somebody has, with ``shared``
    no quota counts. With D8 companies are counted, not players. Rule: D1.3.
    """
    return tuple(city for city in all_homes(state) if _has_room(state, company, city))


def all_homes(state: State) -> tuple[Hex, ...]:
    """Return the cities from which this number of companies may start. Rule: D1.3."""
    homes = state.table.board.homes
    return homes.get(str(len(state.table.codes)), homes.get("any", ()))


def quota_of(state: State) -> Mapping[Hex, int]:
    """Return how many companies may start in a city; a city that is not there has room for all. Rule: D1.3."""
    option = state.table.options.homes
    if option == "distinct":
        return dict.fromkeys(all_homes(state), 1)
    return state.table.board.start_quota.get(str(len(state.table.codes)), {}) if option == "map" else {}


def _has_room(state: State, company: str, city: Hex) -> bool:
    taken = sum(home == city and code != company for code, home in state.home.items())
    quota = quota_of(state)
    return city not in quota or taken < quota[city]
