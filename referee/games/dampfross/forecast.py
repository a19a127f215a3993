"""What a player's orders would do on today's board if nobody else moved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.core.game import Forecast
from referee.core.orders import Complaint
from referee.games.dampfross.adjudicate import allowance
from referee.games.dampfross.building import build_alone
from referee.games.dampfross.entries import entry_limit
from referee.games.dampfross.events import Event, HomeChosen, PieceStopped
from referee.games.dampfross.names import end_name, place_name
from referee.games.dampfross.orders import Build, ChooseHome, Order, Run
from referee.games.dampfross.record import Record
from referee.games.dampfross.routes import Train, cap_of, train_on
from referee.games.dampfross.state import BUILD, RACE, State
from referee.games.dampfross.telling import format_order, format_route, money_of, told_rolls


def forecast(state: State, player: str, orders: tuple[Order, ...]) -> Forecast:
    """Return each order in canonical form, its cost, fees and tolls on today's board, and what is wrong with it today.

    What depends on the races to come (balances, netting) is a warning, what is wrong whatever others do an error.
    """
    record = Record(state)
    complaints: list[Complaint] = []
    for order in orders:
        if isinstance(order, ChooseHome):
            record.add(HomeChosen(company=player, hex=order.cities[0]))
    runs = [order for order in orders if isinstance(order, Run)]
    entries = [_told_entry(state, player, run, complaints) for run in runs]
    if len(runs) > (limit := entry_limit(state)) and state.phase == RACE:
        fallen = ", ".join(str(run.race) for run in runs[limit:])
        complaints.append(_warning("warning-too-many-entries", "D5.6", line=runs[limit].line, text=fallen, limit=limit))
    builds = {order.roll: order for order in orders if isinstance(order, Build)}
    rolls = _points(state)
    for roll, points in enumerate(rolls, start=1):
        if roll in builds:
            _foresee_build(record, player, builds[roll], points, complaints)
    events = tuple(record.events)
    told = {
        "phase": state.phase,
        "home": _told_home(state, events),
        "rolls": told_rolls(state, player, events, rolls) if builds else [],
        "entries": entries,
        "limit": entry_limit(state),
        "allowance": allowance(state),
        "balance": state.balance[player],
        "money": money_of(player, events),
    }
    return Forecast(
        lines=tuple(format_order(state, order) for order in orders), told=told, complaints=tuple(complaints)
    )


def _points(state: State) -> tuple[int, ...]:
    if state.phase == BUILD:
        return state.rolls
    return (allowance(state),) if allowance(state) else ()


def _told_home(state: State, events: tuple[Event, ...]) -> str:
    homes = [event.hex for event in events if isinstance(event, HomeChosen)]
    return place_name(state.table.board, homes[0]) if homes else ""


def _foresee_build(record: Record, player: str, order: Build, points: int, complaints: list[Complaint]) -> None:
    """Lay a roll's pieces alone on the board; what stops them is complained of once, on the order's line."""
    pays = record.state.phase == RACE
    faults = {replace(piece.fault, line=0) for piece in order.pieces if piece.fault is not None}
    began = len(record.events)
    build_alone(record, player, order.roll, points, order.pieces, pays=pays)
    for event in record.events[began:]:
        if isinstance(event, PieceStopped) and event.complaint not in faults:
            complaint = replace(event.complaint, line=order.line)
            if complaint.code == "illegal-unpaid" and pays:
                # The races come first and move the balances: this may be cured, or get worse.
                complaint = replace(complaint, code="warning-unpaid")
            complaints.append(complaint)


def _told_entry(state: State, player: str, run: Run, complaints: list[Complaint]) -> dict[str, Any]:
    race = state.race(run.race)
    assert race is not None
    companies = (player, run.partner) if run.partner else (player,)
    routes = []
    for route in run.routes:
        train = train_on(state, companies, race, route)
        if isinstance(train, Complaint):
            complaints.append(replace(train, line=run.line))
            continue
        _warn_of_tolls(state, player, run, train, complaints)
        routes.append(
            {
                "text": format_route(state.table.board, route),
                "length": len(route.path) - 1,
                "tolls": [{"code": rival, "amount": toll} for rival, toll in train.tolls.items()],
                "sum": sum(train.tolls.values()),
            }
        )
    if run.partner:
        complaints.append(_warning("note-needs-partner", "D6.5", line=run.line, text=run.partner))
    board = state.table.board
    return {
        "race": run.race,
        "start": {"key": race.start, "name": end_name(board, race.start)},
        "end": {"key": race.end, "name": end_name(board, race.end)},
        "partner": run.partner,
        "routes": routes,
    }


def _warn_of_tolls(state: State, player: str, run: Run, train: Train, complaints: list[Complaint]) -> None:
    """Netting may cure a toll above the cap; the races before may leave too little to pay. Rule: D6.3, D6.4."""
    cap = cap_of(state)
    for rival, toll in train.tolls.items():
        if toll > cap:
            complaints.append(_warning("warning-toll-cap", "D6.4", line=run.line, rival=rival, toll=toll, cap=cap))
    due, balance = sum(train.tolls.values()), state.balance[player]
    if due > balance and state.table.options.toll_debt == "refused":
        complaints.append(_warning("warning-toll-debt", "D6.3", line=run.line, toll=due, balance=balance))


def _warning(code: str, paragraph: str, line: int = 0, text: str = "", **params: str | int) -> Complaint:
    return Complaint(code=code, paragraph=paragraph, line=line, text=text, params=tuple(params.items()))
