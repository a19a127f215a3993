"""Sabotage: standing orders that bar a cube when another player is about to move it. Rule: V4.6, V9, DIFF 51-54, R9, R10."""

from __future__ import annotations

from referee.core.orders import complaint_of
from referee.games.volldampf.board.board import SABOTAGE
from referee.games.volldampf.phase.piles import held, play_card
from referee.games.volldampf.position.changes import Record
from referee.games.volldampf.position.events.course import OrderRefused
from referee.games.volldampf.position.events.transport import BarsLifted, TripBarred
from referee.games.volldampf.position.letters import kept_of, spend
from referee.games.volldampf.position.notation import format_order
from referee.games.volldampf.position.orders import Sabotage, Target
from referee.games.volldampf.position.state import State

PHASE, COLOUR = "phase", "colour"  # values of options sabotage_lasts, sabotage_scope


def bar_trip(record: Record, victim: str, trip: int, colour: str, route: tuple[str, ...]) -> bool:
    """Play the first Sabotage, in turn order after the mover, that waits for this trip; say whether there was one.

    Nobody else's card or order is spent by it. Rule: DIFF 53, DIFF 54.
    """
    for player in _after(record.state, victim):
        order = _match(record.state, player, victim, trip, colour, route)
        if order is None:
            continue
        if held(record.state, player, SABOTAGE):
            _bar(record, player, order, victim, trip, colour, route)
            return True
        _refuse(record, player, order)
    return False


def fits(order: Sabotage, victim: str, trip: int, colour: str, route: tuple[str, ...]) -> bool:
    """Return whether a standing order waits for this trip. An order without targets waits for any cube."""
    if order.victim not in ("", victim) or order.trip not in (0, trip):
        return False
    return not order.targets or any(_is_target(target, colour, route) for target in order.targets)


def lift_after_trip(record: Record, player: str) -> None:
    """Let a player move again what was barred, unless a bar lasts for the phase. Rule: DIFF 52, R9."""
    if record.state.table.options.sabotage_lasts != PHASE:
        _lift(record, player)


def lift_all(record: Record) -> None:
    """Let everybody move again what was barred: phase 6 is over."""
    for player in record.state.order:
        _lift(record, player)


def _lift(record: Record, player: str) -> None:
    if any(bar.player == player for bar in record.state.bars):
        record.add(BarsLifted(player=player))


def _after(state: State, player: str) -> tuple[str, ...]:
    """Return the other players in turn order, from the one after *player* on."""
    place = state.order.index(player)
    return state.order[place + 1 :] + state.order[:place]


def _match(state: State, player: str, victim: str, trip: int, colour: str, route: tuple[str, ...]) -> Sabotage | None:
    orders = kept_of(state, Sabotage, player)
    return next((order for order in orders if fits(order, victim, trip, colour, route)), None)


def _bar(
    record: Record, player: str, order: Sabotage, victim: str, trip: int, colour: str, route: tuple[str, ...]
) -> None:
    spend(record, player, order)
    play_card(record, player, SABOTAGE)
    city = "" if record.state.table.options.sabotage_scope == COLOUR else route[0]
    record.add(TripBarred(player=player, victim=victim, trip=trip, colour=colour, route=route, city=city))


def _refuse(record: Record, player: str, order: Sabotage) -> None:
    """Tell a player, once a turn for each order, that he holds no card for it; it stands, since he may yet draw one."""
    text = format_order(record.state, order)
    complaint = complaint_of("illegal-no-card", "V4.6", text, order.line, card=SABOTAGE)
    refusal = OrderRefused(player=player, complaint=complaint, secret=True, paragraph="V4.6")
    if refusal not in record.events:
        record.add(refusal)


def _is_target(target: Target, colour: str, route: tuple[str, ...]) -> bool:
    return (
        target.colour in ("", colour)
        and target.origin in ("", route[0])
        and target.goal in ("", route[-1])
        and (not target.passing or target.passing in route[1:])
    )
