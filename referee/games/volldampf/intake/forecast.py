"""What a player's orders would do on today's board if nobody else moved. Nothing of anybody else's hand or orders is read."""

from __future__ import annotations

from referee.core.game import Forecast
from referee.core.orders import Complaint
from referee.games.volldampf.board.board import REARRANGE
from referee.games.volldampf.intake.buildforecast import foresee_builds
from referee.games.volldampf.intake.foresight import REFUSED, Foresight, Note
from referee.games.volldampf.intake.tripforecast import foresee_standing, foresee_trips
from referee.games.volldampf.phase.auction import least_bid
from referee.games.volldampf.phase.groups import arrangement_fault, fits
from referee.games.volldampf.phase.piles import play_card
from referee.games.volldampf.phase.sealedbids import RAISE, RANGE
from referee.games.volldampf.position import stages
from referee.games.volldampf.position.moments import asked_now
from referee.games.volldampf.position.notation import format_order, format_wish
from referee.games.volldampf.position.orders import LAST, Bid, Order, Rank, Rearrange, Steal, TakeBonds, Wish
from referee.games.volldampf.position.state import State

HEAVY = 20  # points of bonds whose interest hardly any income bears


def forecast(state: State, player: str, orders: tuple[Order, ...]) -> Forecast:
    """Return each order in canonical form with what it comes to today, and what is wrong with it today.

    What others may still change is a warning, what is wrong whatever they do an error. ``lines`` leave out the orders that
    do nothing as things stand. ``told``: ``entries``, a list of {line, at (the line of the letter), notes} in the order of the
    round; a note is {what, …}, a sentence of ``words.toml``, ``[forecast]``.
    """
    sight = Foresight(state, player, orders)
    for foresee in (_bonds, _arrangement, _bid, _ranking, foresee_builds, foresee_trips, foresee_standing, _steal):
        foresee(sight)
    refused = [order for order, notes in sight.told if REFUSED in notes]
    lines = tuple(format_order(state, order) for order in orders if order not in refused)
    entries = [{"line": sight.line_of(order), "at": order.line, "notes": notes} for order, notes in sight.told]
    return Forecast(lines=lines, told={"entries": entries}, complaints=tuple(sight.complaints))


def _bonds(sight: Foresight) -> None:
    """Take the bonds: marks now, interest every round. Rule: V3.3, R5."""
    sight.plans(stages.BONDS, 0, before=True)
    for order in sight.of(TakeBonds):
        state, board, options = sight.state, sight.board, sight.state.table.options
        limits = [options.bond_limit] if options.bond_limit else []
        limits += [board.bond_points - sum(state.bonds.values())] if options.bank_limits else []
        points = max(0, min([order.points, *limits]))
        if points < order.points:
            sight.complain("warning-bonds-cut", "V3.3.1", order, asked=order.points, points=points)
        sight.cash += points * board.bond_money
        bonds = state.bonds[sight.player] + points
        _weigh(sight, order, bonds)
        note = {"what": "bonds", "money": points * board.bond_money, "cash": sight.cash, "bonds": bonds}
        sight.tell(order, note)
    sight.plans(stages.BONDS, 0, before=False)


def _weigh(sight: Foresight, order: TakeBonds, bonds: int) -> None:
    """Warn of interest that is more than anybody earns, or than income and cash bear to the end of the game. Rule: V3.3.2."""
    state = sight.state
    rounds = state.table.numbers.rounds - state.round + 1
    short = bonds - state.income[sight.player]
    if order.points and (bonds > HEAVY or short * rounds > sight.cash):
        income = state.income[sight.player]
        sight.complain("warning-bonds-heavy", "V3.3.2", order, bonds=bonds, income=income, rounds=rounds)


def _arrangement(sight: Foresight) -> None:
    """Lay the groups anew, if they can lie so. Rule: V4.8."""
    for order in sight.of(Rearrange):
        fault = arrangement_fault(sight.groups, order.groups)
        if fault and sight.holds(REARRANGE):
            sight.complain(fault, "V4.8", order, card=REARRANGE)
        if not sight.may_play(order, REARRANGE, "V4.8", text="NEW") or fault:
            sight.tell(order, REFUSED)
            continue
        sight.groups = order.groups
        play_card(sight.record, sight.player, REARRANGE)
        groups = enumerate(order.groups, start=1)
        sight.tell(order, *({"what": "group-after", "number": number, "colours": group} for number, group in groups))


def _bid(sight: Foresight) -> None:
    """Compare a bid with the cash there will be after the own bonds. Rule: V3.4.1, V6.3, DIFF 24, DIFF 67."""
    sight.plans(stages.BID, 0, before=True)
    for order in sight.of(Bid):
        most = max(order.amounts, default=0)
        if most > sight.cash:
            sight.complain("warning-bid-over-cash", "V3.4.1", order, bid=most, cash=sight.cash)
        _check_bid(sight, order)
        sight.tell(order, {"what": "purse", "cash": sight.cash} if order.amounts else {"what": "pass"})
    sight.plans(stages.BID, 0, before=False)


def _check_bid(sight: Foresight, order: Bid) -> None:
    state = sight.state
    if len(state.table.codes) == 2:
        least, most = RANGE[state.table.options.two_player_bid]
        outside = [amount for amount in order.amounts if amount < least or (most and amount > most)]
        if outside:
            sight.complain("warning-bid-range", "V6.3", order, bid=outside[0], least=least, most=most)
        if not order.amounts:
            sight.complain("warning-no-pass", "V6.3", order)
        if state.table.options.two_player_tie == RAISE:
            _check_raises(sight, order)
    elif order.amounts and order.amounts[0] < least_bid(state):
        code = "illegal-bid-low" if state.stage == stages.BID else "warning-bid-low"
        sight.complain(code, "V3.4.1", order, bid=order.amounts[0], least=least_bid(state))


def _check_raises(sight: Foresight, order: Bid) -> None:
    """Say what the figures of a list count for that are not above the one before. Rule: R2."""
    counts = 0
    for place, bid in enumerate(order.amounts):
        if place and bid <= counts:
            sight.complain("note-bid-raised", "V6.3", order, bid=bid, tie=counts, counts=counts + 1)
        counts = max(bid, counts + 1) if place else bid


def _ranking(sight: Foresight) -> None:
    """Say which of today's groups each wish names, the best first; others may lie them anew. Rule: V3.4.4, R7."""
    sight.plans(stages.CHOOSE, 0, before=True)
    for order in sight.of(Rank):
        sight.tell(order, *_groups_wished(sight, order))
    sight.plans(stages.CHOOSE, 0, before=False)
    _remind(sight)


def _groups_wished(sight: Foresight, order: Rank) -> list[Note]:
    fitting = [(wish, _places_of(sight, wish)) for wish in order.wishes]
    first = next((place for place, (_, places) in enumerate(fitting) if places), None)
    open_groups = " / ".join("+".join(group) for group in sight.groups if group)
    if first is None:
        sight.complain("illegal-no-group", "V3.4.4", order, hint=open_groups)
        return [{"what": "no-group-today"}]
    # Somebody's Alles neu may still make a group that is wished for in vain today.
    for place, (wish, places) in enumerate(fitting):
        text, instead = format_wish(wish), format_wish(fitting[first][0])
        if not places and place < first:
            sight.complain("warning-no-group-yet", "V3.4.4", order, text=text, hint=open_groups, instead=instead)
        elif not places:
            sight.complain("warning-no-group", "V3.4.4", order, text=text, hint=open_groups)
    numbers = dict.fromkeys(number for _, places in fitting for number in places)
    return [{"what": "group-today", "number": number + 1, "colours": sight.groups[number]} for number in numbers]


def _places_of(sight: Foresight, wish: Wish) -> tuple[int, ...]:
    """Return which of today's groups fulfil a wish, by their places."""
    return tuple(place for place, group in enumerate(sight.groups) if group and fits(group, place, wish))


def _remind(sight: Foresight) -> None:
    """Say what of this letter was left out and will go by default. Rule: DIFF 71."""
    asked = [what for what, _ in asked_now(sight.state)] if sight.orders else []
    if stages.BONDS in asked and not sight.of(TakeBonds):
        sight.complaints.append(Complaint(code="note-no-bonds", paragraph="V7"))
    if stages.BID in asked and not sight.of(Bid):
        two = len(sight.state.table.codes) == 2
        code, paragraph = ("note-no-bid-of-two", "V6.3") if two else ("note-no-bid", "V7")
        sight.complaints.append(Complaint(code=code, paragraph=paragraph))
    # Where a bid alone is asked for, the choice comes later.
    if stages.CHOOSE in asked and sight.state.stage != stages.BID and not sight.of(Rank):
        sight.complaints.append(Complaint(code="note-no-rank", paragraph="V7"))


def _steal(sight: Foresight) -> None:
    for order in sight.of(Steal):
        what = "waits-last" if order.which == LAST else "waits-card" if order.which else "waits"
        sight.tell(order, {"what": what, "number": order.which})
