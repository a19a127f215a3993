"""A built-in player of Dampfross: it sees what is mailed to everybody (``Game.view``) and writes orders as a player would.

It plays sensibly, not brilliantly: towards the towns that give most for their cost, each company after its own temper, and into
the races it can win.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from bench.before.dampfross.building import RESERVE, best_home, building_between_races, orders_of_building
from bench.before.dampfross.seeing import position_of
from bench.before.dampfross.trains import entries
from referee.games.dampfross import GAME
from referee.games.dampfross.board.mapfile import board_of
from referee.games.dampfross.notation import format_order
from referee.games.dampfross.state import DAVID, ChooseHome, Order, State


def answer(seen: Mapping[str, Any], player: str) -> tuple[str, ...]:
    """Return a player's order lines for the position of a newsletter, on a map that comes with the game.

    *seen*: ``Game.view`` as mailed.
    """
    return write_orders(_position(seen), seen, player)


def answer_with_orders(seen: Mapping[str, Any], player: str) -> tuple[Order, ...]:
    """Return the same as order values, for one who does not go through the order language."""
    state = _position(seen)
    companies = state.companies_under(player)
    return tuple(order for company in companies for order in _orders_of(state, seen, player, company))


def _position(seen: Mapping[str, Any]) -> State:
    return _position_in(json.dumps(seen))


@lru_cache(maxsize=2)
def _position_in(text: str) -> State:
    """Return the position of a view as JSON: the same object to all who are mailed the same, who share what they find out."""
    seen = json.loads(text)
    return position_of(seen, board_of(GAME.board_text(seen["board"]), seen["board"]))


def write_orders(state: State, seen: Mapping[str, Any], player: str) -> tuple[str, ...]:
    """Return a player's order lines for what is awaited of them, for each company they lead."""
    lines: list[str] = []
    for company in state.companies_under(player):
        orders = _orders_of(state, seen, player, company)
        if orders and company != player:
            lines.append(f"FOR {company}")
        lines += [format_order(state, order) for order in orders]
    return tuple(lines) or ("PASS",)


def _orders_of(state: State, seen: Mapping[str, Any], player: str, company: str) -> list[Order]:
    asked = seen["asked"]
    if asked and asked["company"] != company:
        return []
    if state.phase == "build":
        rolls = range(1, len(state.rolls_of(company)) + 1)
        wanted = [roll for roll in rolls if company != DAVID or state.david_leader(roll) == player]
        return orders_of_building(state, company, wanted)
    orders: list[Order] = []
    if company not in state.home and (home := best_home(state, company)):
        orders.append(ChooseHome(cities=(home,)))
    if not asked or asked["kind"] == "declare":
        orders += entries(state, company, seen["limit"], asked["number"] if asked else 0)
    if company != DAVID and seen["may_build"] and (not asked or asked["kind"] == "spend"):
        orders += building_between_races(state, company, seen["allowance"] or RESERVE)
    return orders
