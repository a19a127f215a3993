"""What a player's orders would do on today's board if nobody else moved."""

from __future__ import annotations

from referee.core import Complaint, Numbers, Texts, View, complaint_of, of_alternative, of_kind
from referee.core.game import Forecast

from .board import climbs_on
from .building import Gang, build
from .changes import CHANGES, Record
from .declaring import entry_limit
from .events import Events, HomeChosen, PieceStopped
from .names import as_written, end_name, owner_name, place_name
from .network import cap_of
from .notation import (
    format_condition,
    format_order,
    format_route,
    money_of,
    rolls_view,
    toll_charges,
)
from .options import allowed_building
from .round import allowance, builds_before, may_build, spendings
from .routing import Train, train_on
from .state import (
    DAVID,
    NEUTRAL,
    Build,
    ChooseHome,
    Order,
    Run,
    State,
    homes_of,
)

_FOR_WANT_OF_TRACK = (
    "illegal-no-best-route",
    "illegal-no-track-between",
    "illegal-no-own-between",
    "illegal-none-so-cheap",
    "illegal-none-over-own",
    "illegal-no-own-track",
    "illegal-no-track",
    "illegal-not-their-track",
)


def forecast(state: State, player: str, orders: tuple[Order, ...]) -> Forecast:
    """Return each order in canonical form, its cost, fees and tolls on today's board, and what is wrong with it today.

    What depends on the races to come (balances, netting) is a warning, what is wrong whatever others do an error.
    """
    record = Record(state, CHANGES)
    complaints: list[Complaint] = []
    told = []
    for company in state.companies_under(player):
        own = tuple(order for order in orders if (order.company or player) == company)
        if own:
            told.append(_company_view(record, player, company, own, complaints))
    return Forecast(
        lines=_lines(state, player, orders),
        told={"phase": state.phase, "companies": told, "several": len(state.companies_under(player)) > 1},
        complaints=tuple(complaints),
    )


def _lines(state: State, player: str, orders: tuple[Order, ...]) -> Texts:
    """Return the orders in canonical form, company by company where there are several."""
    lines: list[str] = []
    at = state.companies_under(player)[0]
    for order in sorted(orders, key=lambda each: state.companies_under(player).index(each.company or player)):
        if (order.company or player) != at:
            at = order.company or player
            lines.append(f"FOR {at}")
        lines.append(format_order(state, order))
    return tuple(lines)


def _company_view(
    record: Record, player: str, company: str, orders: tuple[Order, ...], complaints: list[Complaint]
) -> View:
    state = record.state
    began = len(record.events)
    _foresee_home(record, company, orders)
    runs = of_kind(Run, orders)
    entries = [_entry_view(state, company, run, complaints) for run in runs]
    limit = entry_limit(state)
    # An entry that is refused for another reason does not count. Rule: R3.
    runnable = [run for run, entry in zip(runs, entries, strict=True) if entry["routes"] or not run.routes]
    if len(runnable) > limit and state.is_racing:
        fallen = ", ".join(str(run.race) for run in runnable[limit:])
        line = runnable[limit].line
        complaints.append(complaint_of("warning-too-many-entries", "D5.6", line=line, text=fallen, limit=limit))
    builds = {order.roll: order for order in of_kind(Build, orders)}
    rolls = points_of_round(state, company)
    for roll, points in enumerate(rolls, start=1):
        if roll not in builds:
            continue
        leader = state.david_leader(roll) if company == DAVID else ""
        if leader in ("", player):
            _foresee_build(record, company, builds[roll], points, complaints)
        else:  # Rule: D8.1
            complaints.append(complaint_of("illegal-not-leading", "D8.1", line=builds[roll].line, leader=leader))
    events = tuple(record.events[began:])
    chosen = of_kind(ChooseHome, orders)
    return {
        "code": company,
        "home": next((place_name(state.board, event.hex) for event in of_kind(HomeChosen, events)), ""),
        "home_order": format_order(state, chosen[0]) if chosen else "",
        "home_line": chosen[0].line if chosen else 0,
        "rolls": _builds_view(state, company, events, rolls, builds) if builds else [],
        "entries": entries,
        "limit": limit,
        "balance": state.balance[company],
        "money": money_of(company, events),
    }


def _builds_view(state: State, company: str, events: Events, rolls: Numbers, builds: dict[int, Build]) -> list[View]:
    """Return the rolls, each with its ``order`` as it may be sent again: what can be read of it, laid today or not; or ""."""
    told = rolls_view(state, company, events, rolls, builds)
    for roll, each in enumerate(told, start=1):
        build = builds.get(roll)
        pieces = tuple(piece for piece in build.pieces if len(piece.path) > 1) if build else ()
        each["order"] = format_order(state, build.but(pieces=pieces)) if build else ""
        each["line"] = build.line if build else 0
    return told


def points_of_round(state: State, company: str) -> Numbers:
    """Return what a company may spend: its rolls, or its allowance after the races (points or hexes).

    Where the allowance is a race's income, all its money: no more can ever be spent. Where companies build several times in a
    turn, what they may spend in all. Rule: D2.1, D7.1, R32.
    """
    if state.is_building:
        return state.rolls_of(company)
    if not may_build(state):
        return ()
    times = 1 if state.one_by_one else spendings(state)
    return (allowance(state) * times or max(0, state.balance[company]),)


def _foresee_home(record: Record, company: str, orders: tuple[Order, ...]) -> None:
    """Open the home that was chosen; for David, whose home the other player chooses, that where a piece starts.

    Rule: D1.3, R25.
    """
    starts = [piece.path[0] for order in of_kind(Build, orders) for piece in order.pieces if piece.path]
    chosen = [city for order in of_kind(ChooseHome, orders) for city in order.cities]
    wanted = chosen or (starts[:1] if company == DAVID and company not in record.state.home else [])
    open_to = [city for city in wanted if city in homes_of(record.state, company)]
    if open_to:
        record.add(HomeChosen(company=company, hex=open_to[0]))


def _foresee_build(record: Record, company: str, order: Build, points: int, complaints: list[Complaint]) -> None:
    """Lay a roll's pieces alone on the board; what stops them is complained of once, on the order's line."""
    state = record.state
    pays = state.is_racing
    faults = {piece.fault.but(line=0, hint="") for piece in order.pieces if piece.fault}
    began = len(record.events)
    build(
        record,
        order.roll,
        Gang(
            company,
            order.pieces,
            points,
            pays=pays,
            by_hexes=pays and allowed_building(state.options).by == "hexes",
            exempt=state.david_leader(order.roll) if company == DAVID else "",
        ),
    )
    for event in record.events[began:]:
        if isinstance(event, PieceStopped) and event.complaint.but(hint="") not in faults:
            complaint = event.complaint.but(line=order.line)
            if complaint.code in ("illegal-unpaid", "illegal-over-budget") and pays:
                # The races come first and move the balances: this may be cured, or get worse.
                cured = complaint.code == "illegal-unpaid" or allowed_building(state.options).by == "race-income"
                complaint = complaint.but(code="warning-unpaid-later") if cured else complaint
            if complaint.code == "illegal-building-over":  # by this very order: a fact, and no mistake
                complaint = complaint.but(code="warning-building-over")
            if complaint not in complaints:
                complaints.append(complaint)


def _entry_view(state: State, player: str, run: Run, complaints: list[Complaint]) -> View:
    race = state.race(run.race)
    companies = tuple(code for code in state.codes if code in (player, run.partner))
    free = tuple(p.code for p in state.table.players if player == DAVID and p.code == run.company)
    routes: list[View] = []
    neutral = False
    for route in run.routes:
        train = train_on(state, companies, race, route, free)
        if isinstance(train, Complaint):
            # Track laid before the race comes up may cure it. Rule: D7.1.
            if train.code in _FOR_WANT_OF_TRACK and builds_before(state, race):
                train = train.but(code="warning-no-route-yet", params=(("race", race.number),))
            fault = as_written(train.but(line=run.line), route.writing)
            complaints.append(of_alternative(fault) if routes else fault)
            continue
        neutral = neutral or NEUTRAL in train.owners
        _warn_of_tolls(state, player, run, train, complaints)
        if route.aim:  # one that the referee found names every rival whose track it uses
            over = tuple("" if owner in companies else owner for owner in train.owners)
            route = route.but(path=train.path, over=over)
        routes.append(
            {
                "text": format_route(state.board, route),
                "aim": route.aim,
                "length": len(train.path) - 1,
                "climbs": climbs_on(state.board, train.path),
                "charges": toll_charges(state, train.path, train.owners, (*companies, *free)),
                "tolls": [{"code": owner_name(rival), "amount": toll} for rival, toll in train.tolls.items()],
                "sum": sum(train.tolls.values()),
            }
        )
    if run.partner:
        complaints.append(complaint_of("note-needs-partner", "D6.5", line=run.line, text=run.partner))
    board = state.board
    return {
        "race": run.race,
        "line": run.line,
        "order": format_order(state, run),
        "start": {"key": race.start, "name": end_name(board, race.start)},
        "end": {"key": race.end, "name": end_name(board, race.end)},
        "partner": run.partner,
        "condition": format_condition(run.condition) if run.condition else "",
        "routes": routes,
        "neutral": neutral,
    }


def _warn_of_tolls(state: State, player: str, run: Run, train: Train, complaints: list[Complaint]) -> None:
    """Netting may cure a toll above the cap; the races before may leave too little to pay. Rule: D6.3, D6.4."""
    cap = cap_of(state)
    for rival, toll in train.tolls.items():
        if toll > cap:
            # Nothing is set off against the neutral railway. Rule: R24.
            code = "illegal-toll-cap" if rival == NEUTRAL else "warning-toll-cap"
            name = owner_name(rival)
            complaints.append(complaint_of(code, "D6.4", line=run.line, rival=name, toll=toll, net=toll, cap=cap))
    # Each partner of a joint train finds half, the poorer the smaller one. Rule: D6.5, R18.
    due, balance = sum(train.tolls.values()) // len(train.companies), max(0, state.balance[player])
    if due > balance and state.options.toll_debt == "refused":
        complaints.append(complaint_of("warning-toll-debt", "D6.3", line=run.line, toll=due, balance=balance))
