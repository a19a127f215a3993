"""What may be seen of a position, as plain values: the door to templates, and the file that is mailed for programs.

Nothing on a Dampfross board is secret, so every reader sees the same.
"""

from __future__ import annotations

from typing import Any

from referee.core.hexes import format_side
from referee.games.dampfross.adjudicate import allowance
from referee.games.dampfross.entries import entry_limit
from referee.games.dampfross.homes import homes_of
from referee.games.dampfross.names import end_name, place_name
from referee.games.dampfross.state import RACE, Race, State


def view(state: State, player: str | None) -> dict[str, Any]:
    """Return the position as plain JSON values."""
    board = state.table.board
    return {
        "board": board.name,
        "title": board.title,
        "round": state.round,
        "last_round": state.last_round,
        "building_rounds": state.building_rounds,
        "phase": state.phase,
        "rolls": list(state.rolls),
        "allowance": allowance(state),
        "limit": entry_limit(state) if state.phase == RACE else 0,
        "companies": [_company(state, code) for code in state.table.codes],
        "track": [[format_side(side), list(owners)] for side, owners in sorted(state.track.items())],
        "cities": [
            {
                "keys": list(station.keys),
                "name": station.name,
                "hex": station.hex,
                "connected": station.hex in state.connected,
            }
            for station in board.stations
        ],
        "races": [told_race(state, race) for race in state.offered()],
        "calendar": [told_race(state, race) for race in state.races if race.status == "open"],
        "winners": list(state.winners),
        "totals": {code: list(state.totals.get(code, ())) for code in state.table.codes},
    }


def told_race(state: State, race: Race) -> dict[str, Any]:
    """Return a race with the names of its ends; ``carried`` if it was on offer before."""
    board = state.table.board
    return {
        "number": race.number,
        "round": race.round,
        "start": {"key": race.start, "name": end_name(board, race.start)},
        "end": {"key": race.end, "name": end_name(board, race.end)},
        "carried": race.round < state.round,
    }


def _company(state: State, code: str) -> dict[str, Any]:
    player = next(player for player in state.table.players if player.code == code)
    board = state.table.board
    return {
        "code": code,
        "name": player.company,
        "colour": player.colour,
        "player": player.name,
        "balance": state.balance.get(code, 0),
        "home": place_name(board, state.home[code]) if code in state.home else "",
        "homes": [place_name(board, city) for city in homes_of(state, code)],
        "length": sum(code in owners for owners in state.track.values()),
    }
