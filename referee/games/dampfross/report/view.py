"""What may be seen of a position, as plain values: the door to templates, and the file that is mailed for programs.

Nothing on a Dampfross board is secret, so every reader sees the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict

from referee.core.hexes import format_side
from referee.games.dampfross.declaring import entry_limit
from referee.games.dampfross.draws import draws_view
from referee.games.dampfross.names import end_name, place_name
from referee.games.dampfross.options import allowed_building
from referee.games.dampfross.racing import allowance, david_leader, decider, may_build
from referee.games.dampfross.state import BUILD, RACE, Race, State, homes_of, quota_of


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
        "turn": state.turn,
        "rolls": list(state.rolls),
        "room_in": _room_in(state),
        "first_round_ways": board.first_round_ways,
        "may_build": may_build(state),
        "pace": state.table.pace,
        "options": asdict(state.table.options),
        "asked": _decision_view(state),
        "allowance": allowance(state),
        "built_by": allowed_building(state.table.options).by,
        "limit": entry_limit(state) if state.phase == RACE else 0,
        "companies": [_company(state, code) for code in state.table.codes],
        "track": [[format_side(side), list(owners)] for side, owners in sorted(state.track.items())],
        "cities": [
            {
                "keys": list(station.keys),
                "name": station.name,
                "hex": station.hex,
                "place": board.hex_name(station.hex),
                "connected": station.hex in state.connected,
            }
            for station in board.stations
        ],
        "specials": [
            {
                **asdict(special),
                "places": [{"name": place_name(board, each), "hex": board.hex_name(each)} for each in special.hexes],
            }
            for special in board.specials
        ],
        "draws": draws_view(state) if state.table.options.race_schedule == "dice" else None,
        "races": [race_view(state, race) for race in state.offered()],
        "calendar": [race_view(state, race) for race in state.races if race.status == "open"],
        "winners": list(state.winners),
        "totals": {code: list(state.totals.get(code, ())) for code in state.table.codes},
    }


def _decision_view(state: State) -> dict[str, Any] | None:
    """Return the decision that is asked for when companies are asked one by one."""
    if not state.agenda:
        return None
    item = state.agenda[0]
    return {"kind": item.what, "number": item.number, "company": item.company, "player": decider(state)}


def _room_in(state: State) -> list[dict[str, Any]]:
    """Return how many companies may start in each city where that is limited. Rule: D1.3."""
    board = state.table.board
    return [{"city": place_name(board, city), "companies": most} for city, most in quota_of(state).items()]


def _banked_view(state: State, code: str) -> list[dict[str, Any]]:
    """Return what a company has put aside for bridges. Rule: R28."""
    bridges = state.table.board.bridges
    return [
        {"side": format_side(each), "bridge": bridges[each].name, "points": points, "price": bridges[each].price}
        for each, points in sorted(state.banked.get(code, {}).items())
    ]


def race_view(state: State, race: Race) -> dict[str, Any]:
    """Return a race with the names of its ends; ``carried`` if it was on offer before."""
    board = state.table.board
    return {
        "number": race.number,
        "round": race.round,
        "start": {"key": race.start, "name": end_name(board, race.start)},
        "end": {"key": race.end, "name": end_name(board, race.end)},
        "carried": race.round < state.round,
    }


def place_in(balance: Mapping[str, int], code: str) -> int:
    """Return a company's place by its balance; equal ones share a place. Rule: D9."""
    return 1 + sum(other > balance[code] for other in balance.values())


def player_name(state: State, code: str) -> str:
    """Return the name of who leads a company, "" for David and for who is known by his company alone."""
    company = state.table.company(code)
    name = next((player.name for player in state.table.players if player.code == company.player), "")
    return "" if name in (company.code, company.name) else name


def _company(state: State, code: str) -> dict[str, Any]:
    company = state.table.company(code)
    board = state.table.board
    return {
        "code": code,
        "name": company.name,
        "colour": company.colour,
        "player": player_name(state, code),
        "leader": company.player,
        "chooses_home": company.player or david_leader(state, 1),
        "rolls": list(state.rolls_of(code)) if state.phase == BUILD else [],
        "balance": state.balance.get(code, 0),
        "home": place_name(board, state.home[code]) if code in state.home else "",
        "homes": [place_name(board, city) for city in homes_of(state, code)],
        "banked": _banked_view(state, code),
        "length": sum(code in owners for owners in state.track.values()),
    }
