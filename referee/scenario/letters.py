"""The letters of a turn as the service would read them: their orders, what is wrong with them, which of them are no word."""

from __future__ import annotations

from functools import cache
from typing import Any

from referee.core.game import ONE_BY_ONE, Game, Setup
from referee.core.orders import Complaint
from referee.core.values import Value
from referee.orderbook import OrderLanguage, Reading, read_text
from referee.resources import order_texts


class Heard(Value):
    """What became of one letter: its orders, None where it is no word and was dropped; ``lost``: errors over which lines, or
    parts of them, were left out before the rules saw them."""

    player: str
    orders: tuple[Any, ...] | None
    complaints: tuple[Complaint, ...]
    lost: tuple[Complaint, ...]


def heard(game: Game, setup: Setup, state: Any, player: str, text: str) -> Heard:
    """Return what a letter of that player's means in this position."""
    reading = read_text(text, _language(game.name), game.lexicon(state))
    asked = _asked(game, setup, state)
    if asked and player not in asked and (reading.phrases or reading.commands or reading.marked):
        away = Complaint(code="illegal-not-your-turn", params=(("asked", ", ".join(asked)),))
        return Heard(player=player, orders=None, complaints=(away,), lost=(away,))
    understood = game.understand(state, player, reading.phrases)
    forecast = game.forecast(state, player, understood.orders)
    read = (*reading.complaints, *understood.complaints)
    found = sorted(dict.fromkeys((*read, *forecast.complaints)), key=lambda complaint: complaint.line)
    speaks = understood.orders or _passes(reading, found)
    return Heard(
        player=player,
        orders=understood.orders if speaks else None,
        complaints=tuple(found),
        lost=tuple(each for each in found if each.is_error and each in read),
    )


def complaint_line(complaint: Complaint) -> str:
    """Return a complaint in words: ``line 2: illegal-too-long blue Ardee-Clare (links 7, most 6)``."""
    params = ", ".join(f"{name} {value}" for name, value in complaint.params)
    said = " ".join(filter(None, (complaint.code, complaint.text, f"({params})" if params else "")))
    return f"line {complaint.line}: {said}" if complaint.line else said


@cache
def _language(game: str) -> OrderLanguage:
    return OrderLanguage.of(**order_texts(game))


def _asked(game: Game, setup: Setup, state: Any) -> tuple[str, ...]:
    """Return whose orders alone are taken now; () where everybody's are."""
    awaited = tuple(each.player for each in game.awaiting(state))
    return awaited if setup.pace == ONE_BY_ONE or len(awaited) < len(setup.players) else ()


def _passes(reading: Reading, complaints: list[Complaint]) -> bool:
    """Return whether a letter without orders is a word all the same: PASS, or an empty block of orders."""
    quiet = reading.marked and not reading.phrases and not complaints
    return "PASS" in reading.commands or quiet
