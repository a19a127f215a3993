"""Lines of orders as a letter with them is understood, for the games that are played in memory."""

from functools import cache
from typing import Any

from referee.core import Complaints
from referee.core.game import Game
from referee.orderbook import OrderLanguage, read_text
from referee.resources import order_texts


@cache
def order_language(game: str) -> OrderLanguage:
    """Return the order language of a game as shipped."""
    return OrderLanguage.of(**order_texts(game))


def understood(game: Game, state: Any, player: str, lines: tuple[str, ...]) -> tuple[tuple[Any, ...], Complaints]:
    """Return the orders of a letter with these lines, and every complaint about it."""
    reading = read_text("\n".join(("ORDERS", *lines, "END")), order_language(game.name).naming(game.lexicon(state)))
    found = game.understand(state, player, reading.phrases)
    return found.orders, (*reading.complaints, *found.complaints)


def unnumbered(orders: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return *orders* without the lines they stood on."""
    return tuple(order.but(line=0) for order in orders)
