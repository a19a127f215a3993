"""What a corrected newsletter compares: marks, places, track, cubes; of hands only what their reader may see."""

from __future__ import annotations

from referee.core.differences import Tallies
from referee.games.volldampf.position.state import State
from referee.games.volldampf.report.story import ranking
from referee.games.volldampf.report.view import shows_actions, shows_cash


def tallies(state: State, reader: str | None) -> Tallies:
    """Return what everybody has and what lies on the board, by name, as *reader* may see it."""
    board, codes = state.table.board, state.table.codes
    return {
        "cash": {code: state.cash.get(code, 0) for code in codes if shows_cash(state, code, reader)},
        "bonds": {code: state.bonds.get(code, 0) for code in codes},
        "income": {code: state.income.get(code, 0) for code in codes},
        "place": {one["code"]: one["place"] for one in ranking(state, reader)},
        "sequence": {code: number for number, code in enumerate(state.order, 1)},
        "track": {
            code: tuple(board.link_name(link.id) for link in board.links if state.built.get(link.id) == code)
            for code in codes
        },
        "cards": {code: state.hands.get(code, ()) for code in codes},
        "actions": {code: state.actions.get(code, ()) for code in codes if shows_actions(state, code, reader)},
        "action-count": {
            code: len(state.actions.get(code, ())) for code in codes if not shows_actions(state, code, reader)
        },
        "cubes": {city.name: state.cubes.get(city.id, ()) for city in board.cities},
    }
