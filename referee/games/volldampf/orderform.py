"""What may be ordered now, as lines: an order form to fill in, and lines that a beginner may copy."""

from __future__ import annotations

from typing import Any

from referee.games.volldampf.board import EXTRA, PLANNING, REARRANGE, SABOTAGE, SUBVENTION
from referee.games.volldampf.orders import Bid
from referee.games.volldampf.state import (
    BID,
    BONDS,
    BUILD,
    CHOOSE,
    LETTER_AUCTION,
    LETTER_BONDS,
    LETTER_BUILD,
    LETTER_CHOICE,
    LETTER_OPENING,
    LETTER_TRIP,
    LETTER_TRIPS,
    MOVE,
    State,
)
from referee.games.volldampf.telling import format_bid

FIRST_EXTRA = 3  # the number of a first trip with Subvention


def form_lines(state: State, player: str | None) -> list[str]:
    """Return how the lines of an order form begin; what a card allows is on it for *player*, who holds the card."""
    stage, number = state.stage, state.agenda[0].number if state.agenda else 0
    cards = state.actions.get(player, ()) if player is not None else ()
    bid = "BID" if len(state.table.players) == 2 or state.table.options.auction == "live" else "LIMIT"
    rearrange = ["NEW:"] if REARRANGE in cards else []
    subsidy = ["SUBSIDY:"] if SUBVENTION in cards else []
    builds = range(1, state.table.numbers.group_size + 1)
    if state.agenda and state.agenda[0].player:
        single = {BONDS: "BONDS", BID: bid, CHOOSE: "RANK", BUILD: f"BUILD {number}:", MOVE: f"MOVE {number}:"}
        alone = [single.get(stage, f"SUBSIDY {number}:" if number > FIRST_EXTRA else "SUBSIDY:")]
        return alone + rearrange if stage == BONDS else alone
    forms = {
        LETTER_OPENING: ["BONDS", *rearrange, bid, "RANK"],
        BONDS: ["BONDS", *rearrange],
        LETTER_AUCTION: [bid, "RANK"],
        LETTER_CHOICE: ["RANK"],
        BUILD: [f"BUILD {each}:" for each in builds],
        LETTER_TRIPS: ["MOVE 1:", "MOVE 2:", *subsidy],
        LETTER_TRIP: [f"MOVE {number}:", *(subsidy if number > 1 else ())],
    }
    return forms.get(stage, [])


def example_lines(state: State) -> list[str]:
    """Return lines that could stand in the orders asked for now: with names of this board, for those who begin."""
    board, what = state.table.board, state.stage
    link, colours = board.links[0], board.colour_ids
    bid = format_bid(state, Bid(amounts=(4,)))
    rank = f"RANK {colours[0]}+{colours[-1]}, {colours[1]}, 1"
    goal = next(city for city in board.cities if city.id in (link.a, link.b))
    start = next(city for city in board.cities if city.id not in (link.a, link.b))
    builds = [f"BUILD 1: {board.link_name(link.id)} OR DISCARD {link.colour}"]
    trips = [f"MOVE 1: {goal.colour} FROM {start.name} TO {goal.name} OR DECLINE"]
    examples = {
        LETTER_OPENING: ["BONDS 3", bid, rank],
        LETTER_BONDS: ["BONDS 3"],
        LETTER_AUCTION: [bid, rank],
        BID: [bid],
        LETTER_CHOICE: [rank],
        CHOOSE: [rank],
        LETTER_BUILD: builds,
        LETTER_TRIPS: trips,
        LETTER_TRIP: trips,
        MOVE: trips,
    }
    return examples.get(what, [])


def card_lines(state: State, reader: str | None) -> list[dict[str, Any]]:
    """Return the reader's action cards, each kind once, with a line that plays it ("": a word behind another order)."""
    held = state.actions.get(reader, ()) if reader is not None else ()
    rival = next((code for code in state.table.codes if code != reader), "")
    examples = {
        SUBVENTION: "SUBSIDY: ...",
        SABOTAGE: f"SABOTAGE {rival} 1: ...",
        EXTRA: "EXTRA 1: ...",
        REARRANGE: "NEW: ... / ...",
        PLANNING: "PLAN BEFORE MOVE 1: ...",
    }
    return [
        {"card": card, "count": held.count(card), "example": examples.get(card, "")} for card in dict.fromkeys(held)
    ]
