"""What moves in a turn, for the film of a game: sections in the order in which they were laid, cubes on their ways."""

from __future__ import annotations

from typing import Any

from referee.core.picture.shades import OTHER, shade_of
from referee.games.volldampf.position.events import Event, LinkBuilt
from referee.games.volldampf.position.names import city_name
from referee.games.volldampf.position.state import State
from referee.games.volldampf.position.tripevents import CubeDelivered
from referee.games.volldampf.report.picture.palette import CUBE_PAINT
from referee.games.volldampf.report.picture.scene import Sheet, lay_out


def film(state: State, events: tuple[Event, ...]) -> dict[str, Any]:
    """Return what happened in the turn that led to *state*; see ``Game.film``. Points are those of the drawing."""
    sheet = lay_out(state.table.board)
    return {
        "laid": [_laid(state, sheet, each) for each in events if isinstance(each, LinkBuilt)],
        "trips": [_trip(state, sheet, each) for each in events if isinstance(each, CubeDelivered)],
    }


def _laid(state: State, sheet: Sheet, built: LinkBuilt) -> dict[str, Any]:
    link = state.table.board.link_by_id(built.link)
    ends = {"from": sheet.spots[link.a], "to": sheet.spots[link.b]}
    return {"code": built.player, "colour": _shade(state, built.player), **ends}


def _trip(state: State, sheet: Sheet, trip: CubeDelivered) -> dict[str, Any]:
    board = state.table.board
    return {
        "code": trip.player,
        "colour": _shade(state, trip.player),
        "cube": CUBE_PAINT.get(trip.colour, OTHER),
        "from": city_name(board, trip.route[0]),
        "to": city_name(board, trip.route[-1]),
        "way": [sheet.spots[city] for city in trip.route],
    }


def _shade(state: State, code: str) -> str:
    return shade_of(state.table.player(code).colour)
