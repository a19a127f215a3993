"""What may be seen of a position, as plain values: the door to templates, and the file that is mailed for programs.

Hands of action cards, kept orders and the track cards taken out stay behind it; so do marks where they are hidden.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from referee.games.volldampf.board.board import ACTION_CARDS, CUBE_COLOURS, Link
from referee.games.volldampf.position.notation import format_order
from referee.games.volldampf.position.state import State
from referee.games.volldampf.report.orderform import form_lines


def view(state: State, player: str | None) -> dict[str, Any]:
    """Return the position as plain JSON values, as *player* may see it; None: as everybody may."""
    board, numbers = state.table.board, state.table.numbers
    return {
        "game": "volldampf",
        "title": board.title,
        "board": board.id,
        "round": state.round,
        "last_round": numbers.rounds,
        "turn": state.turn,
        "phase": state.stage,
        "stage": state.stage,
        "number": state.agenda[0].number if state.agenda else 0,
        "pace": state.table.pace,
        "options": asdict(state.table.options),
        "asked": _decision_view(state),
        "form": form_lines(state, player),
        "order": list(state.order),
        "players": [_player(state, code, player) for code in state.table.codes],
        "groups": [list(group) for group in state.groups],
        "links": [_link(state, link) for link in board.links],
        "colours": [{"id": colour.id, "symbol": colour.symbol, "code": colour.code} for colour in board.colours],
        "cities": [
            {
                "id": city.id,
                "name": city.name,
                "colour": city.colour,
                "home": city.is_home,
                "cubes": list(state.cubes.get(city.id, ())),
                "aliases": list(city.aliases),
            }
            for city in board.cities
        ],
        "bag": {colour: state.bag.get(colour, 0) for colour in CUBE_COLOURS},
        "owed": list(state.owed),
        "merchandise_left": len(state.merchandise),
        "turned": list(state.turned),
        "action_pile": sum(state.action_pile.values()),
        "action_discards": {card: state.action_discards.get(card, 0) for card in ACTION_CARDS},
        "removed": list(state.removed) if shows_removed(state) else None,
        "kept": [format_order(state, kept.order) for kept in state.kept if kept.player == player],
        "bids": {code: state.bids[code] for code in state.table.codes if code in state.bids},
        "passed": list(state.passed),
        "declined": list(state.declined),
        "bars": [{"player": bar.player, "colour": bar.colour, "city": bar.city} for bar in state.bars],
        "subsidised": list(state.subsidised),
        "rearranged": state.rearranged,
        "rounds": {code: list(state.rounds.get(code, ())) for code in state.table.codes},
        "winners": list(state.winners),
        "scores": {code: state.scores[code] for code in state.table.codes if code in state.scores},
        "numbers": {"sections": numbers.sections, "group_size": numbers.group_size, "rounds": numbers.rounds},
        "max_links": board.max_links,
        "start_money": board.start_money,
        "bond_money": board.bond_money,
    }


def shows_cash(state: State, code: str, reader: str | None) -> bool:
    """Return whether *reader* may see how many marks a player has. Rule: DIFF 08."""
    return state.table.options.money_visible or state.is_over or code == reader


def shows_actions(state: State, code: str, reader: str | None) -> bool:
    """Return whether *reader* may see a player's action cards. Rule: DIFF 40."""
    return state.table.options.hands_open or state.is_over or code == reader


def shows_removed(state: State) -> bool:
    """Return whether the track cards taken out at random may be seen. Rule: DIFF 09."""
    return state.table.options.removed_cards == "shown" or state.is_over


def _decision_view(state: State) -> dict[str, Any]:
    """Return the decision of a single player that is asked for; empty where everybody's letter is, or nothing."""
    if not state.agenda or not state.agenda[0].player:
        return {}
    item = state.agenda[0]
    return {"player": item.player, "what": item.what, "number": item.number}


def _link(state: State, link: Link) -> dict[str, Any]:
    return {
        "id": link.id,
        "name": state.table.board.link_name(link.id),
        "a": link.a,
        "b": link.b,
        "colour": link.colour,
        "cost": link.cost,
        "owner": state.built.get(link.id, ""),
    }


def _player(state: State, code: str, reader: str | None) -> dict[str, Any]:
    seated = state.table.player(code)
    actions = state.actions.get(code, ())
    return {
        "code": code,
        "name": seated.name,
        "company": seated.company,
        "colour": seated.colour,
        "seat": state.table.codes.index(code) + 1,
        "cash": state.cash.get(code, 0) if shows_cash(state, code, reader) else None,
        "bonds": state.bonds.get(code, 0),
        "income": state.income.get(code, 0),
        "score": state.score(code) if state.income else 0,
        "sections_left": state.sections_left(code),
        "cards": list(state.hands.get(code, ())),
        "action_count": len(actions),
        "actions": list(actions) if shows_actions(state, code, reader) else None,
    }
