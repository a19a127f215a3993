"""Order desks for tests: the page of a position, without a club."""

from __future__ import annotations

from referee.games.dampfross import GAME
from referee.games.dampfross.position.state import State
from referee.games.volldampf import GAME as VOLLDAMPF
from referee.games.volldampf.position.state import State as VolldampfState
from referee.report.desk import desk_page
from referee.report.templates import Stationery
from referee.resources import template_folders

STATIONERY = Stationery(lambda game: template_folders(game, None))


def page_of(state: State, language: str = "en") -> str:
    """Return the desk of a position, of a club that publishes nothing."""
    players = [{"code": each.code, "name": each.name} for each in state.table.players]
    told = {"club": "Club", "game": "RR1", "turn": state.turn, "players": players, "url": "", "page": ""}
    return desk_page(STATIONERY, "dampfross", language, told, GAME.desk(state), GAME.drawing(state))


def desk_of_volldampf(state: VolldampfState) -> str:
    """Return the desk of a position of Volldampf, of a club that publishes nothing."""
    players = [{"code": each.code, "name": each.name} for each in state.table.players]
    told = {"club": "Club", "game": "VD1", "turn": state.turn, "players": players, "url": "", "page": ""}
    return desk_page(STATIONERY, "volldampf", "en", told, VOLLDAMPF.desk(state), VOLLDAMPF.drawing(state))
