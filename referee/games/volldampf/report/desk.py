"""The position as the order desk needs it, for all players the same: plain JSON values that everybody may know."""

from __future__ import annotations

from typing import Any

from referee.core.picture.drawing import Polygon
from referee.core.picture.shades import SHADES
from referee.games.volldampf.board.board import Board, Link, LinkColour
from referee.games.volldampf.phase.auction import RANGE, least_bid
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.names import CUBE, PLACE, TRACK, lexicon, player_name
from referee.games.volldampf.position.routes import by_alphabet
from referee.games.volldampf.position.schedule import bid_verb, decisions_now, declining_pays, draws_at_once
from referee.games.volldampf.position.state import State
from referee.games.volldampf.report.picture import places
from referee.games.volldampf.report.picture.palette import LINK_PAINT
from referee.games.volldampf.report.picture.scene import lay_out
from referee.games.volldampf.report.view import shows_actions, shows_cash

OPTIONS: tuple[str, ...] = (
    "must_stop",
    "red_passes_red",
    "own_link_needed",
    "route_needed",
    "build_connected",
    "lok_stack",
    "neue_planung_phases",
    "subvention_stack",
    "subvention_when",
    "bond_limit",
    "income_max",
    "two_player_tie",
    "steal_from",
)


def desk(state: State) -> dict[str, Any]:
    """Return the position for ``templates/desk/volldampf.js``, {} when the game is over."""
    if state.is_over or not state.agenda:
        return {}
    board, numbers = state.table.board, state.table.numbers
    return {
        **_board(board),
        "links": {link.id: _link(state, link) for link in board.links},
        "cubes": {city: list(cubes) for city, cubes in state.cubes.items()},
        "bag": sum(state.bag.values()),
        "groups": [list(group) for group in state.groups],
        "bars": [[bar.player, bar.colour, bar.city] for bar in state.bars],
        "round": state.round,
        "rounds": numbers.rounds,
        "asked": [[what, number] for what, number in decisions_now(state)],
        "whose": state.agenda[0].player,
        "players": {code: _player(state, code) for code in state.table.codes},
        "words": _words(state),
        "bidding": bid_verb(state),
        "least": least_bid(state),
        "range": list(RANGE[state.table.options.two_player_bid]) if len(state.table.codes) == 2 else [],
        "bank": board.bond_points - sum(state.bonds.values()) if state.table.options.bank_limits else -1,
        "pays": declining_pays(state),
        "draws": draws_at_once(state) and state.stage != stages.SUBSIDY,
        "last": list(state.subsidy_for) if state.stage == stages.SUBSIDY else [],
        "stage": state.stage,
        "sizes": numbers.group_size,
        "options": {name: getattr(state.table.options, name) for name in OPTIONS},
    }


def _board(board: Board) -> dict[str, Any]:
    """Return what never changes. ``cities``: by id [name, colour of the cubes it takes, x, y], in order of their names."""
    spots = lay_out(board).spots
    cities = (board.city(code) for code in by_alphabet(board))
    return {
        "cities": {city.id: [city.name, city.colour, *spots[city.id]] for city in cities},
        "printed": [city.id for city in board.cities],
        "colours": list(board.colour_ids),
        "signs": {colour.id: _sign(colour) for colour in board.colours},
        "most": board.max_links,
        "money": board.bond_money,
        "alike": board.action_cards,
    }


def _sign(colour: LinkColour) -> list[Any]:
    """Return what a track card shows as [letter, paint, corners of its shape within ``CARD``; of a circle none]."""
    shape = next(places.symbol((places.CARD[0] // 2, places.CARD[1] // 2), colour, "", radius=20))
    return [colour.code, LINK_PAINT[colour.id], shape.points if isinstance(shape, Polygon) else []]


def _link(state: State, link: Link) -> list[Any]:
    """Return a link as [one end, other end, colour, cost, owner]."""
    return [link.a, link.b, link.colour, link.cost, state.built.get(link.id, "")]


def _player(state: State, code: str) -> dict[str, Any]:
    seated, actions = state.table.player(code), state.actions.get(code, ())
    return {
        "name": player_name(state, code),
        "shade": SHADES[seated.colour],
        "cash": state.cash.get(code, 0) if shows_cash(state, code, None) else None,
        "income": state.income.get(code, 0),
        "bonds": state.bonds.get(code, 0),
        "left": state.sections_left(code),
        "hand": list(state.hands.get(code, ())),
        "count": len(actions),
        "actions": list(actions) if shows_actions(state, code, None) else None,
    }


def _words(state: State) -> dict[str, dict[str, str]]:
    """Return all names by kind and in small letters; of a word with two meanings the first one counts."""
    words: dict[str, dict[str, str]] = {PLACE: {}, TRACK: {}, CUBE: {}, "PLAYER": {}}
    for term in lexicon(state):
        words[term.kind].setdefault(term.name.casefold(), term.value)
    return words
