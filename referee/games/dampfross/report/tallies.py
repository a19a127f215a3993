"""What a corrected newsletter compares: accounts, places, track. Nothing on a Dampfross board is secret."""

from __future__ import annotations

from referee.core.differences import Tallies
from referee.core.hexes import Side
from referee.games.dampfross.position.names import place_name
from referee.games.dampfross.position.state import State
from referee.games.dampfross.report.story import place_in


def tallies(state: State, reader: str | None) -> Tallies:
    """Return units, place and track of each company, and what else may come out otherwise, by name."""
    board, codes = state.table.board, state.table.codes

    def name(side: Side) -> str:
        return "-".join(place_name(board, label) for label in side)

    return {
        "balance": {code: state.balance.get(code, 0) for code in codes},
        "place": {code: place_in(state.balance, code) for code in codes},
        "home": {code: place_name(board, state.home[code]) for code in codes if code in state.home},
        "track": {
            code: tuple(name(side) for side, owners in sorted(state.track.items()) if code in owners) for code in codes
        },
        "banked": {code: sum(state.banked.get(code, {}).values()) for code in codes},
        "connected": {"": tuple(station.name for station in board.stations if station.hex in state.connected)},
        "run": {"": tuple(str(race.number) for race in state.races if race.status == "run")},
    }
