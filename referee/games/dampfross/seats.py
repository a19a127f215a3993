"""Who sits where: companies and the players who lead them, also with two players. Rule: D1.1, D8."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.game import Player
from referee.games.dampfross.orders import Order
from referee.games.dampfross.racing import lone_entrant
from referee.games.dampfross.state import DAVID, Company, State

DAVIDS_COLOUR = "brown"


def companies_of(players: tuple[Player, ...], two_players: str) -> tuple[Company, ...]:
    """Return the companies in order of play: each player's, then, with two players, David or their second ones.

    Rule: D8.1, D8.2.
    """
    first = [Company(code=each.code, colour=each.colour, name=each.company, player=each.code) for each in players]
    if len(players) > 2:
        return tuple(first)
    if two_players == "david":
        colours = {each.colour for each in players}
        colour = next(colour for colour in (DAVIDS_COLOUR, "pink", "purple") if colour not in colours)
        return (*first, Company(code=DAVID, colour=colour, name="David", player=""))
    second = [
        Company(code=each.second_code, colour=each.second_colour, name=each.second_company, player=each.code)
        for each in players
    ]
    return (*first, *second)


def led_by(state: State, player: str) -> tuple[str, ...]:
    """Return the companies for which a player may order, the first his own; David takes orders from both. Rule: D8."""
    own = tuple(company.code for company in state.table.companies if company.player == player) or (player,)
    return (*own, DAVID) if DAVID in state.table.codes else own


def david_leader(state: State, roll: int) -> str:
    """Return the player who leads David in a roll of this round: the first in order of play, then in turn. Rule: D8.1, R9."""
    rolls_before = (state.round - 1) * state.table.options.rolls_per_round + roll - 1
    return state.table.players[rolls_before % 2].code


def by_company(state: State, orders: Mapping[str, tuple[Order, ...]]) -> dict[str, tuple[Order, ...]]:
    """Return players' orders by company. David's builds come from the player who leads him in that roll. Rule: D8.1."""
    found: dict[str, list[Order]] = {}
    for player, own in orders.items():
        for order in own:
            company = order.company or player
            if company != DAVID:
                found.setdefault(company, []).append(order)
            elif _leads(state, player, order):
                # David's orders name the player who gave them: his track is free to David then. Rule: R9.
                found.setdefault(company, []).append(replace(order, company=player))
    return {code: tuple(found[code]) for code in state.table.codes if code in found}


def decider(state: State) -> str:
    """Return the player whose decision the agenda asks for, when companies are asked one by one."""
    item = state.agenda[0]
    if item.company != DAVID:
        return state.table.company(item.company).player
    if item.what == "declare":
        entrant = state.table.company(lone_entrant(state, item.number)).player
        return next(player.code for player in state.table.players if player.code != entrant)
    return david_leader(state, max(1, item.number))


def _leads(state: State, player: str, order: Order) -> bool:
    roll = getattr(order, "roll", 1)
    return hasattr(order, "race") or player == david_leader(state, roll)
