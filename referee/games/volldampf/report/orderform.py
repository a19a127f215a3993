"""What may be ordered now, as lines: an order form to fill in, and lines that a beginner may copy."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from referee.games.volldampf.board.board import EXTRA, PLANNING, REARRANGE, SABOTAGE, SUBVENTION
from referee.games.volldampf.phase.auction import least_bid
from referee.games.volldampf.phase.building import site_fault
from referee.games.volldampf.phase.deliveries import legal_deliveries, owners_on
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.moments import bid_verb
from referee.games.volldampf.position.names import LISTED, group_name
from referee.games.volldampf.position.notation import DECLINE, OR, format_bid, format_delivery
from referee.games.volldampf.position.orders import Bid, Delivery, Site
from referee.games.volldampf.position.state import State
from referee.games.volldampf.report.helplines import help_lines

# The verb that plays a card; the others are words behind a build or a delivery.
PLAYED_BY = {SUBVENTION: "SUBSIDY", SABOTAGE: "SABOTAGE", EXTRA: "EXTRA", REARRANGE: "NEW", PLANNING: "PLAN"}


def form_lines(state: State, player: str | None) -> list[str]:
    """Return how the lines of an order form begin; what a card allows is on it for *player*, who holds the card."""
    stage, number = state.stage, state.agenda[0].number if state.agenda else 0
    cards = state.actions.get(player, ()) if player is not None else ()
    bid = bid_verb(state)
    rearrange = ["NEW:"] if REARRANGE in cards else []
    subsidy = _subsidies(state, cards.count(SUBVENTION))
    builds = range(1, state.table.numbers.group_size + 1)
    if state.agenda and state.agenda[0].player:
        single = {
            stages.BONDS: "BONDS",
            stages.BID: bid,
            stages.CHOOSE: "RANK",
            stages.BUILD: f"BUILD {number}:",
            stages.MOVE: f"MOVE {number}:",
            stages.STEAL: "STEAL",
        }
        alone = [single.get(stage, f"SUBSIDY {number}:" if number > stages.FIRST_EXTRA else "SUBSIDY:")]
        return alone + rearrange if stage == stages.BONDS else alone
    forms = {
        stages.LETTER_OPENING: ["BONDS", *rearrange, bid, "RANK"],
        stages.BONDS: ["BONDS", *rearrange],
        stages.LETTER_AUCTION: [bid, "RANK"],
        stages.LETTER_CHOICE: ["RANK"],
        stages.BUILD: [f"BUILD {each}:" for each in builds],
        stages.LETTER_TRIPS: ["MOVE 1:", "MOVE 2:", *subsidy],
        stages.LETTER_TRIP: [f"MOVE {number}:", *(subsidy if number > 1 else ())],
    }
    return forms.get(stage, [])


def _subsidies(state: State, cards: int) -> list[str]:
    """Return the lines for extra trips: one, or two where both cards may be played. Rule: DIFF 47."""
    second = f"SUBSIDY {stages.SECOND_EXTRA}:"
    return ["SUBSIDY:", second][: cards if state.table.options.subvention_stack else min(cards, 1)]


def example_lines(state: State, reader: str | None = None) -> list[str]:
    """Return lines that could stand in *reader*'s orders for what is asked now: of this position, for those who begin.

    They are possible where anything is, but no advice: the first of their kind as the board file has them.
    """
    what = state.stage
    bid = format_bid(state, Bid(amounts=_bid_example(state)))
    player = reader if reader in state.table.codes else state.table.codes[0]
    if what in (stages.LETTER_BUILD, stages.BUILD):
        return [_build_example(state, player)]
    if what in (stages.LETTER_TRIPS, stages.LETTER_TRIP, stages.MOVE):
        return [_move_example(state, player)]
    if what == stages.STEAL:
        return [help_lines(state, player)["STEAL"]]
    examples = {
        stages.LETTER_OPENING: ["BONDS 3", bid, _rank_example(state)],
        stages.LETTER_BONDS: ["BONDS 3"],
        stages.LETTER_AUCTION: [bid, _rank_example(state)],
        stages.BID: [bid],
        stages.LETTER_CHOICE: [_rank_example(state)],
        stages.CHOOSE: [_rank_example(state)],
    }
    return examples.get(what, [])


def _bid_example(state: State) -> tuple[int, ...]:
    """Return what may be bid: two players' list, the least that counts bid by bid, or a limit."""
    if len(state.table.codes) == 2:
        return (3, 2, 1)
    return (least_bid(state),) if state.stage == stages.BID and state.bids else (4,)


def _rank_example(state: State) -> str:
    """Return a wish of each kind: two cards of the first open group, a colour that others have, the last one's number."""
    groups = {number: group for number, group in enumerate(state.groups, start=1) if group}
    if not groups:
        return f"RANK {state.table.board.colour_ids[0]}"
    first = next(iter(groups.values()))
    pair = tuple(dict.fromkeys((first[0], first[-1])))
    others = [colour for group in groups.values() for colour in group if colour not in pair]
    return "RANK " + LISTED.join((group_name(pair), *others[:1], str(max(groups))))


def _build_example(state: State, player: str) -> str:
    """Return a build with a card in hand, the first that can be paid for, or else to be given up for it."""
    hand, board = state.hands.get(player) or state.table.board.colour_ids, state.table.board
    free = [link for link in board.links if link.id not in state.built and link.colour in hand]
    able = [link for link in free if player in state.hands and not site_fault(state, player, Site(link=link.id))]
    link = next(iter((*able, *free)), None)
    sites = [f"DISCARD {hand[0]}"] if link is None else [board.link_name(link.id), f"DISCARD {link.colour}"]
    return f"BUILD {state.agenda[0].number or 1}: {OR.join(sites)}"


def _move_example(state: State, player: str) -> str:
    """Return a delivery that can be made, rather over sections of one's own, or else one of a cube that lies on the board."""
    board = state.table.board
    made = legal_deliveries(state, player, board.max_links)
    able = sorted(made, key=lambda each: player not in owners_on(state, each.route))
    if not state.table.options.route_needed:
        able = [replace(each, route=()) for each in able]
    wished = (
        Delivery(colour=colour, origin=city.id, goal=goal.id)
        for city in board.cities
        for colour in state.cubes.get(city.id, ())
        for goal in board.cities
        if goal.colour == colour and goal is not city
    )
    told = [format_delivery(board, each) for each in (*able, *wished)[:1]]
    return f"MOVE {state.agenda[0].number or 1}: {OR.join((*told, DECLINE))}"


def card_lines(state: State, reader: str | None) -> list[dict[str, Any]]:
    """Return the reader's action cards, each kind once, with a line that could play it today."""
    held = state.actions.get(reader, ()) if reader is not None else ()
    lines = help_lines(state, reader) if held and reader is not None else {}
    return [
        {"card": card, "count": held.count(card), "example": lines.get(PLAYED_BY.get(card, ""), "...")}
        for card in dict.fromkeys(held)
    ]
