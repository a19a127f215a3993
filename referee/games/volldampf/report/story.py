"""A turn as the newsletter tells it: from its events and the position after them, never by comparing positions.

What is for one reader alone stands under ``private``; the rest is the same for everybody, but for marks that are hidden.
"""

from __future__ import annotations

from typing import Any

from referee.games.volldampf.board.board import BARGAIN
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.events import (
    Event,
    GameEnded,
    GameStarted,
    NothingReceived,
    OrderRefused,
    PositionTaken,
    RoundEnded,
)
from referee.games.volldampf.position.state import State
from referee.games.volldampf.report.headline import headlines
from referee.games.volldampf.report.ledger import ledger
from referee.games.volldampf.report.orderform import card_lines, example_lines
from referee.games.volldampf.report.phases import sections_view
from referee.games.volldampf.report.scenes import (
    AUCTION,
    BONDS,
    BUILDS,
    CHOICE,
    GOODS,
    GROUPS,
    INCOME,
    NEW,
    TRIPS,
    private_scene,
)
from referee.games.volldampf.report.view import shows_cash

# What a turn was about, the weightiest first: the subject line names it.
WEIGHT = (TRIPS, BUILDS, AUCTION, CHOICE, NEW, BONDS, INCOME, GROUPS, GOODS)


def story(state: State, events: tuple[Event, ...], reader: str | None) -> dict[str, Any]:
    """Return what happened, section by section as the phases came; *state*: the position after *events*."""
    opening = any(isinstance(event, GameStarted | PositionTaken) for event in events)
    purses = ledger(state, events)
    sections = sections_view(state, events, purses, reader)
    ended = next((event.round for event in events if isinstance(event, RoundEnded)), 0)
    kinds = [section["kind"] for section in sections]
    return {
        "headline": None if opening else next(headlines(state, events)),
        "phase": "opening" if opening else next((kind for kind in WEIGHT if kind in kinds), _quiet(state)),
        "taken": any(isinstance(event, PositionTaken) for event in events),
        "round": 0 if opening else ended or state.round,
        "ended": bool(ended),
        "over": any(isinstance(event, GameEnded) for event in events),
        "sections": sections,
        "silent": [event.player for event in events if isinstance(event, NothingReceived)],
        "refused": _refusals(events, secret=False),
        "private": {
            "scenes": [told for event in events if (told := private_scene(event, state, reader)) is not None],
            "refused": [one for one in _refusals(events, secret=True) if one["code"] == reader],
            "cards": card_lines(state, reader),
            "any_link": reader is not None and BARGAIN in state.actions.get(reader, ()),
        },
        "ranking": ranking(state, reader, bool(ended)),
        "examples": [] if state.is_over else example_lines(state, reader),
    }


def _quiet(state: State) -> str:
    """Return what a turn was about that nothing is told of: a sealed order, or a decision not to act."""
    return "sealed" if state.stage in (BONDS, stages.BID) else "nothing"


def ranking(state: State, reader: str | None, ended: bool = False) -> list[dict[str, Any]]:
    """Return the places by score, then marks where they may be seen; equal ones share a place. Rule: V5.2, R19.

    ``change``: of the income since the round before. *ended*: with the turn a round was over.
    """
    seen = state.table.options.money_visible or state.is_over
    score = {code: state.score(code) if state.income else 0 for code in state.order}
    rank = {code: (score[code], state.cash[code] if seen else 0) for code in state.order}
    places = [
        {
            "code": code,
            "place": 1 + sum(other > rank[code] for other in rank.values()),
            "income": state.income[code],
            "change": state.income[code] - _income_before(state, code, ended),
            "bonds": state.bonds[code],
            "score": score[code],
            "cash": state.cash[code] if shows_cash(state, code, reader) else None,
        }
        for code in state.order
    ]
    return sorted(places, key=lambda one: one["place"])


def _income_before(state: State, code: str, ended: bool) -> int:
    """Return a player's income after the round before; that of now where nothing is known of it."""
    known = state.rounds.get(code, ())
    known = known[:-1] if ended else known
    return known[-1] if known else state.income[code]


def _refusals(events: tuple[Event, ...], *, secret: bool) -> list[dict[str, Any]]:
    return [
        {"code": event.player, "complaint": event.complaint}
        for event in events
        if isinstance(event, OrderRefused) and event.secret == secret
    ]
