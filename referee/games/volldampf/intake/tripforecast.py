"""What a letter's trips come to on today's board: routes, whose sections they use, cards they spend. Rule: V3.6, V4."""

from __future__ import annotations

from itertools import takewhile

from msgspec.structs import replace

from referee.core.orders import Complaint
from referee.games.volldampf.board.board import EXTRA, LOK, SABOTAGE, SUBVENTION
from referee.games.volldampf.intake.foresight import REFUSED, Foresight, Hoped, Note, where_cubes_lie
from referee.games.volldampf.intake.whynot import why_no_route
from referee.games.volldampf.phase.deliveries import route_of
from referee.games.volldampf.phase.piles import held, play_card
from referee.games.volldampf.phase.planning import goes_with
from referee.games.volldampf.phase.transport import START
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.asking import declining_pays
from referee.games.volldampf.position.events.transport import CubeDelivered
from referee.games.volldampf.position.moments import numbers_now
from referee.games.volldampf.position.names import sections_of, way_name
from referee.games.volldampf.position.notation import format_delivery
from referee.games.volldampf.position.orders import (
    BEFORE,
    DECLINED,
    Delivery,
    Extra,
    Move,
    Order,
    Plan,
    Sabotage,
    Steal,
    Subsidy,
    about,
)
from referee.games.volldampf.position.routes import best_route

SPOILT = ("warning-cube-gone", "warning-card-spent")  # what is told of what only own orders before it spoil


def foresee_trips(sight: Foresight) -> None:
    """Make trip after trip, as if nobody else did; then the extra trips."""
    moves = {order.trip: order for order in sight.of(Move)}
    for number in numbers_now(sight.state, stages.MOVE) if sight.orders else ():
        extras = _prepared(sight, stages.MOVE, number)
        made = number in moves and _trip(sight, moves[number], number, moves[number].deliveries, extras)
        if number not in moves:
            params = (("trip", number),)
            sight.complaints.append(Complaint(code="note-no-trip", paragraph="V3.6.5", params=params))
        sight.plans(stages.MOVE, number, before=False, over=not made)
    if numbers_now(sight.state, stages.SUBSIDY):
        _subsidies(sight)


def foresee_standing(sight: Foresight) -> None:
    """Tell the sabotage that stands, and orders kept from letters before. Rule: V9."""
    sabotages = sight.of(Sabotage)
    cards = held(sight.state, sight.player, SABOTAGE)
    hope = cards or sight.may_draw()
    for place, order in enumerate(sabotages):
        if place >= cards > 0:
            sight.complain("warning-card-shared", "V4.6", order, card=SABOTAGE, count=cards, orders=len(sabotages))
        elif place >= cards:
            sight.complain("warning-no-card-yet" if hope else "illegal-no-card", "V4.6", order, card=SABOTAGE)
        sight.tell(order, {"what": "stands"} if hope else REFUSED)
    for kept in sight.state.kept:
        if kept.player == sight.player and not _is_replaced(sight, kept.order):
            sight.tell(kept.order, {"what": "stands" if isinstance(kept.order, Sabotage) else "waits"})


def _is_replaced(sight: Foresight, kept: Order) -> bool:
    """Return whether a newer letter's order of that kind takes the place of a kept one."""
    if isinstance(kept, Steal):
        return any(about(order) == about(kept) for order in sight.orders)
    return any(type(order) is type(kept) for order in sight.orders)


def _prepared(sight: Foresight, what: str, trip: int) -> Hoped:
    """Play what stands before a trip, line by line; return the cubes that may come by Zusatzfracht. Rule: R35."""
    hoped: Hoped = ()
    for order in sight.orders:
        if isinstance(order, Extra) and order.trip == trip:
            hoped += _extra(sight, order)
        elif isinstance(order, Plan) and goes_with(order, BEFORE, what, trip):
            hoped += sight.plan(order, hoped=hoped)
    return hoped


def _extra(sight: Foresight, order: Extra) -> Hoped:
    """Play Zusatzfracht; return the cubes that may come by it. Rule: V4.7."""
    if not sight.may_play(order, EXTRA, "V4.7", later=order.trip >= stages.FIRST_EXTRA):
        sight.tell(order, REFUSED)
        return ()
    sight.tell(order)
    if not any(sight.state.bag.values()):
        sight.complain("warning-bag-empty", "V4.7", order)
        return ()
    sight.play(EXTRA)
    return order.cities


def _subsidies(sight: Foresight) -> None:
    """Make extra trips, as if the player were in last place; whether he will be is open. Rule: V4.4, DIFF 46, DIFF 47."""
    early, made = _is_behind(sight), set[int]()
    for order in sorted(sight.of(Subsidy), key=lambda each: each.trip):
        if _is_refused(sight, order):
            sight.tell(order, REFUSED)
            continue
        made.add(order.trip)
        extras = _prepared(sight, stages.SUBSIDY, order.trip)
        # The marker stands where it is when the extra trip begins, however far the trip itself then takes it.
        judged_early = sight.state.table.options.subvention_when == START
        last = {
            "what": "if-last" if (early if judged_early else _is_behind(sight)) else "if-not-last",
            "income": sight.record.state.income[sight.player],
        }
        done = _trip(sight, order, order.trip, order.deliveries, extras)
        if done:
            sight.play(SUBVENTION)
        sight.told[-1][1].append(last)
        sight.plans(stages.SUBSIDY, order.trip, before=False, over=not done)
    _without_trip(sight, made)


def _is_refused(sight: Foresight, order: Subsidy) -> bool:
    """Return whether an extra trip cannot be ordered at all, and complain of it."""
    if order.trip == stages.SECOND_EXTRA and not sight.state.table.options.subvention_stack:
        sight.complain("illegal-subsidy-once", "V4.4", order, card=SUBVENTION)
        return True
    return not sight.may_play(order, SUBVENTION, "V4.4", later=True)


def _is_behind(sight: Foresight) -> bool:
    """Return whether the player is in last place after what has been reckoned, or was as the extra trips began."""
    state = sight.record.state
    return sight.player in (state.subsidy_for if sight.state.stage == stages.SUBSIDY else state.last_places())


def _without_trip(sight: Foresight, made: set[int]) -> None:
    """Complain of what goes with an extra trip that is not made."""
    for extra in sight.of(Extra):
        if extra.trip >= stages.FIRST_EXTRA and extra.trip not in made:
            sight.complain("illegal-no-subsidy", "V4.7", extra)
            sight.tell(extra, REFUSED)
    if not made:
        for before in (True, False):
            sight.plans(stages.SUBSIDY, stages.FIRST_EXTRA, before=before, over=True)


def _trip(
    sight: Foresight,
    order: Move | Subsidy,
    number: int,
    deliveries: tuple[Delivery, ...],
    extras: Hoped,
) -> bool:
    """Tell every alternative, and make the first that is legal. Return whether one was."""
    wishes = tuple(takewhile(lambda each: each.colour != DECLINED, deliveries))
    routes = [route_of(sight.record.state, sight.player, each) for each in wishes]
    serving = next((place for place, route in enumerate(routes) if not isinstance(route, Complaint)), None)
    notes = _told_wishes(sight, order, wishes, routes, serving, extras)
    if len(wishes) < len(deliveries):
        notes.append(_told_decline(sight))
    if len(notes) < len(deliveries):
        sight.complain("note-after-decline", "V3.6.5", order)
    sight.tell(order, *notes)
    for place, route in enumerate(routes):
        if place == serving and not isinstance(route, Complaint):
            _deliver(sight, number, wishes[place], route)
    return serving is not None


def _told_wishes(
    sight: Foresight,
    order: Move | Subsidy,
    wishes: tuple[Delivery, ...],
    routes: list[tuple[str, ...] | Complaint],
    serving: int | None,
    extras: Hoped,
) -> list[Note]:
    """Return what each wish comes to, and complain of those that cannot be made: warn, where another one serves."""
    notes: list[Note] = []
    since, declines = len(sight.complaints), len(wishes) < len(order.deliveries)
    for place, (wish, route) in enumerate(zip(wishes, routes, strict=True)):
        if not isinstance(route, Complaint):
            notes.append(_told_route(sight, wish, route))
            continue
        what = "impossible" if serving is not None and place < serving else "impossible-last"
        notes.append({"what": what, "text": format_delivery(sight.board, wish)})
        sight.beside(place, serving, format_delivery(sight.board, wishes[serving or 0]))
        _complain(sight, order, wish, route, extras)
    sight.beside(0, None, "")
    if serving is None and not declines:
        sight.ask_back(order, since, SPOILT)
    return notes


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
    extras: Hoped,
) -> None:
    """Complain of an alternative that is not legal; warn where own orders before it spoil it, or a drawn cube may mend it."""
    text = format_delivery(sight.board, delivery)
    start = delivery.origin
    today = route_of(sight.state, sight.player, delivery)
    if not isinstance(today, Complaint):
        _complain_of_spent(sight, order, delivery, fault)
        return
    # The cube may be gone by an own trip before; what else is wrong is worth more to know.
    fault = why_no_route(sight.state, sight.player, delivery, today if fault.code == "illegal-no-cube" else fault)
    code, hint = fault.code, fault.hint
    if code == "illegal-no-cube":
        hint = where_cubes_lie(sight.record.state, delivery.colour)
        code = "warning-no-cube" if (delivery.colour, start) in extras else code
    elif code == "illegal-no-card" and isinstance(order, Subsidy) and sight.may_draw():
        code = "warning-no-card-yet"
    elif code in ("illegal-not-built", "illegal-must-stop", "illegal-too-long"):
        hint = _other_route(sight, delivery)
    sight.add(replace(fault, code=code, line=order.line, text=text, hint=hint))


def _complain_of_spent(sight: Foresight, order: Move | Subsidy, delivery: Delivery, fault: Complaint) -> None:
    """Say what own orders before an alternative have used up: the cube, or the Schnelle Lok."""
    text = format_delivery(sight.board, delivery)
    if fault.code == "illegal-no-cube":
        sight.complain("warning-cube-gone", "V3.6.1", order, text=text, hint="", **dict(fault.params))
    else:
        count = held(sight.state, sight.player, LOK)
        sight.complain("warning-card-spent", "V4.3", order, text=text, card=LOK, count=count)


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
    return {"what": "declined-card" if declining_pays(sight.state) else "declined"}
