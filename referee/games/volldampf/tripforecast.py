"""What a letter's trips come to on today's board: routes, whose sections they use, cards they spend. Rule: V3.6, V4."""

from __future__ import annotations

from dataclasses import replace

from referee.core.orders import Complaint
from referee.games.volldampf.board import EXTRA, LOK, SABOTAGE, SUBVENTION
from referee.games.volldampf.deliveries import route_of
from referee.games.volldampf.events import CubeDelivered
from referee.games.volldampf.foresight import Foresight, Note, where_cubes_lie
from referee.games.volldampf.moments import numbers_now
from referee.games.volldampf.names import sections_of, way_name
from referee.games.volldampf.network import best_route
from referee.games.volldampf.orders import DECLINED, Delivery, Extra, Move, Order, Sabotage, Steal, Subsidy
from referee.games.volldampf.piles import held, play_card
from referee.games.volldampf.state import MOVE, SUBSIDY
from referee.games.volldampf.telling import format_delivery
from referee.games.volldampf.transport import FIRST_EXTRA, SECOND_EXTRA, is_last

AT_ONCE = "at_once"  # value of option decline_card_when


def foresee_trips(sight: Foresight) -> None:
    """Make trip after trip, as if nobody else did; then the extra trips."""
    moves = {order.trip: order for order in sight.of(Move)}
    for number in numbers_now(sight.state, MOVE) if sight.orders else ():
        sight.plans(MOVE, number, before=True)
        extras = _extras(sight, number)
        made = number in moves and _trip(sight, moves[number], number, moves[number].deliveries, extras)
        if number not in moves:
            params = (("trip", number),)
            sight.complaints.append(Complaint(code="note-no-trip", paragraph="V3.6.5", params=params))
        sight.plans(MOVE, number, before=False, over=not made)
    if numbers_now(sight.state, SUBSIDY):
        _subsidies(sight)


def foresee_standing(sight: Foresight) -> None:
    """Tell the sabotage that stands, and orders kept from letters before. Rule: V9."""
    sabotages = sight.of(Sabotage)
    cards = held(sight.state, sight.player, SABOTAGE)
    for place, order in enumerate(sabotages):
        if place >= cards:
            # A trip declined before may still bring the card.
            hope = cards or (sight.state.table.options.decline_card_when == AT_ONCE and sight.state.round > 1)
            code = "warning-no-card-yet" if hope else "illegal-no-card"
            sight.complain(code, "V4.6", order, card=SABOTAGE)
        sight.tell(order, {"what": "stands"})
    for kept in sight.state.kept:
        if kept.player == sight.player and not _is_replaced(sight, kept.order):
            sight.tell(kept.order, {"what": "stands" if isinstance(kept.order, Sabotage) else "waits"})


def _is_replaced(sight: Foresight, kept: Order) -> bool:
    """Return whether a newer letter's order of that kind takes the place of a kept one."""
    if isinstance(kept, Steal | Sabotage):
        return bool(sight.of(type(kept)))
    return any(type(order) is type(kept) for order in sight.orders)


def _extras(sight: Foresight, trip: int) -> tuple[tuple[str, str], ...]:
    """Play Zusatzfracht before a trip; return the cubes that may come by it, as (colour, city). Rule: V4.7."""
    hoped: list[tuple[str, str]] = []
    for order in sight.of(Extra):
        if order.trip != trip:
            continue
        sight.tell(order)
        if not held(sight.state, sight.player, EXTRA):
            sight.complain("illegal-no-card", "V4.7", order, card=EXTRA)
        elif not sight.holds(EXTRA):
            sight.spent(order, sight.line_of(order), "V4.7")
        elif not any(sight.state.bag.values()):
            sight.complain("warning-bag-empty", "V4.7", order)
        else:
            play_card(sight.record, sight.player, EXTRA)
            hoped += order.cities
    return tuple(hoped)


def _subsidies(sight: Foresight) -> None:
    """Make extra trips; whether the player will be in last place then is open. Rule: V4.4, DIFF 46, DIFF 47."""
    for order in sorted(sight.of(Subsidy), key=lambda each: each.trip):
        if order.trip == SECOND_EXTRA and not sight.state.table.options.subvention_stack:
            sight.complain("illegal-subsidy-once", "V4.4", order, card=SUBVENTION)
        elif not held(sight.state, sight.player, SUBVENTION):
            sight.complain("illegal-no-card", "V4.4", order, card=SUBVENTION)
        elif not sight.holds(SUBVENTION):
            sight.spent(order, sight.line_of(order), "V4.4")
        sight.plans(SUBSIDY, order.trip, before=True)
        extras = _extras(sight, order.trip)
        made = _trip(sight, order, order.trip, order.deliveries, extras)
        if made and sight.holds(SUBVENTION):
            play_card(sight.record, sight.player, SUBVENTION)
        state = sight.record.state
        last = "if-last" if is_last(state, sight.player) else "if-not-last"
        sight.told[-1][1].append({"what": last, "income": state.income[sight.player]})
        sight.plans(SUBSIDY, order.trip, before=False, over=not made)
    if not sight.of(Subsidy):
        for extra in sight.of(Extra):
            if extra.trip >= FIRST_EXTRA:
                sight.complain("warning-no-subsidy", "V4.7", extra)


def _trip(
    sight: Foresight,
    order: Move | Subsidy,
    number: int,
    deliveries: tuple[Delivery, ...],
    extras: tuple[tuple[str, str], ...],
) -> bool:
    """Tell every alternative, and make the first that is legal. Return whether one was."""
    notes: list[Note] = []
    made: tuple[Delivery, tuple[str, ...]] | None = None
    declined = False
    for delivery in deliveries:
        if delivery.colour == DECLINED:
            notes.append(_told_decline(sight))
            declined = True
            break
        route = route_of(sight.record.state, sight.player, delivery)
        if isinstance(route, Complaint):
            notes.append({"what": "impossible"})
            _complain(sight, order, delivery, route, extras)
            continue
        notes.append(_told_route(sight, delivery, route))
        made = made or (delivery, route)
    if declined and len(notes) < len(deliveries):
        sight.complain("note-after-decline", "V3.6.5", order)
    sight.tell(order, *notes)
    if made is not None:
        _deliver(sight, number, *made)
    return made is not None


def _deliver(sight: Foresight, number: int, delivery: Delivery, route: tuple[str, ...]) -> None:
    for _ in range(delivery.loks):
        play_card(sight.record, sight.player, LOK)
    steps = sections_of(sight.record.state, route)
    sight.record.add(
        CubeDelivered(
            player=sight.player, trip=number, colour=delivery.colour, route=route, steps=steps, loks=delivery.loks
        )
    )


def _complain(
    sight: Foresight,
    order: Move | Subsidy,
    delivery: Delivery,
    fault: Complaint,
    extras: tuple[tuple[str, str], ...],
) -> None:
    """Complain of an alternative that is not legal; warn where own orders before it spoil it, or a drawn cube may mend it."""
    text = format_delivery(sight.board, delivery)
    start = delivery.origin
    today = route_of(sight.state, sight.player, delivery)
    if not isinstance(today, Complaint):
        sight.spent(order, text, "V3.6")
        return
    # The cube may be gone by an own trip before; what else is wrong is worth more to know.
    fault = today if fault.code == "illegal-no-cube" else fault
    code, hint = fault.code, ""
    if code == "illegal-no-cube":
        hint = where_cubes_lie(sight.record.state, delivery.colour)
        code = "warning-no-cube" if (delivery.colour, start) in extras else code
    elif code in ("illegal-not-built", "illegal-must-stop", "illegal-too-long"):
        hint = _other_route(sight, delivery)
    sight.complaints.append(replace(fault, code=code, line=order.line, text=text, hint=hint))


def _other_route(sight: Foresight, delivery: Delivery) -> str:
    """Return a route between the same cities that is legal today, in the words of an order; "" where there is none."""
    most = sight.board.max_links + delivery.loks
    found = best_route(sight.record.state, sight.player, delivery.colour, delivery.origin, delivery.goal, longest=most)
    return f"{delivery.colour} {way_name(sight.board, found)}" if found else ""


def _told_route(sight: Foresight, delivery: Delivery, route: tuple[str, ...]) -> Note:
    steps = [{"code": code, "steps": count} for code, count in sections_of(sight.record.state, route).items()]
    what = "route-fast" if delivery.loks else "route"
    return {"what": what, "route": way_name(sight.board, route), "length": len(route) - 1, "steps": steps}


def _told_decline(sight: Foresight) -> Note:
    """A trip that is declined brings a card, in round 1 only with an option. Rule: V3.6.5, DIFF 33."""
    card = sight.state.round > 1 or sight.state.table.options.round1_decline_card
    return {"what": "declined-card" if card else "declined"}
