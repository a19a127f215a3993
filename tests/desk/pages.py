"""Order desks for tests: the page of a position of Dampfross, without a club."""

from __future__ import annotations

from referee.games.dampfross import GAME
from referee.games.dampfross.position.state import State
from referee.report.desk import desk_page
from referee.report.templates import Stationery
from referee.resources import template_folders

STATIONERY = Stationery(lambda game: template_folders(game, None))


def page_of(state: State, language: str = "en") -> str:
    """Return the desk of a position, of a club that publishes nothing."""
    players = [{"code": each.code, "name": each.name} for each in state.table.players]
    told = {"club": "Club", "game": "RR1", "turn": state.turn, "players": players, "url": "", "page": ""}
    return desk_page(STATIONERY, "dampfross", language, told, GAME.desk(state), GAME.drawing(state))
