"""A built-in player of Dampfross: it sees what is mailed to everybody (``Game.view``) and writes orders as a player would.

It plays sensibly, not brilliantly: towards the towns that give most for their cost, each company after its own temper, and into
the races it can win.
"""

from __future__ import annotations

import json
from functools import lru_cache

from referee.core import Fields, Texts
from referee.games.dampfross import GAME
from referee.games.dampfross.board.mapfile import board_of
from referee.games.dampfross.notation import format_order
from referee.games.dampfross.state import DAVID, Order, State

from .. import SECOND
from .building import building_between_races, guessed_homes, home_choice, orders_of_building
from .seeing import Mind, lot_of, position_of
from .trains import entries


def answer(seen: Fields, player: str, strength: str = SECOND, board: str = "") -> Texts:
    """Return a player's order lines for the position of a newsletter.

    *seen*: ``Game.view`` as mailed; *board*: the text of its map, "" where it comes with the game.
    """
    return write_orders(position_seen(seen, board), seen, player, strength)


def position_seen(seen: Fields, board: str = "") -> State:
    """Return the position of a view; *board* as of ``answer``."""
    return _position_in(json.dumps(seen), board or GAME.board_text(seen["board"]))


@lru_cache(maxsize=2)
def _position_in(text: str, board: str) -> State:
    """Return the position of a view as JSON: the same object to all who are mailed the same, who share what they find out."""
    seen = json.loads(text)
    return position_of(seen, board_of(board, seen["board"]))


def write_orders(state: State, seen: Fields, player: str, strength: str = SECOND) -> Texts:
    """Return a player's order lines for what is awaited of them, for each company they lead."""
    lines: list[str] = []
    for company in state.companies_under(player):
        orders = orders_of(state, seen, player, company, strength)
        if orders and company != player:
            lines.append(f"FOR {company}")
        lines += [format_order(state, order) for order in orders]
    return tuple(lines) or ("PASS",)


def orders_of(state: State, seen: Fields, player: str, company: str, strength: str) -> list[Order]:
    """Return a player's orders for one of their companies."""
    asked = seen["asked"]
    if asked and asked["company"] != company:
        return []
    mind = Mind(state=state, company=company, strength=strength, lot=lot_of(seen))
    if state.phase == "build":
        rolls = range(1, len(state.rolls_of(company)) + 1)
        return orders_of_building(mind, [roll for roll in rolls if _leads(state, player, company, roll)])
    orders: list[Order] = []
    tolls = 0
    if company not in state.home and _leads(state, player, company) and company in (homes := guessed_homes(mind)):
        orders.append(home_choice(state, company, homes[company]))
    if (not asked and company != DAVID) or (asked and asked["kind"] == "declare"):
        offers = {int(race): partner for race, partner in seen.get("offers", {}).items()}
        runs, tolls = entries(mind, seen["limit"], asked["number"] if asked else 0, offers)
        orders += runs
    if company != DAVID and seen["may_build"] and (not asked or asked["kind"] == "spend"):
        orders += building_between_races(mind, seen["allowance"], tolls)
    return orders


def _leads(state: State, player: str, company: str, roll: int = 1) -> bool:
    """Return whether a player leads a company in a roll; who leads David in the first one chooses David's home. Rule: R9, R25."""
    return company != DAVID or state.david_leader(roll) == player
