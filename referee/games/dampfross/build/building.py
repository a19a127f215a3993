"""Laying track: everybody at once, step by step, or one company after the other, also between races. Rule: D2, D3, D4, D7."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from referee.core.hexes import Hex, Side, side
from referee.core.orders import Complaint, complaint_of
from referee.games.dampfross.build.costs import (
    Step,
    connection_fees,
    occupancy_fault,
    owners_allowed,
    points_due,
    points_of,
)
from referee.games.dampfross.build.gang import Gang
from referee.games.dampfross.changes import Record
from referee.games.dampfross.events import (
    BuildingEnded,
    CityConnected,
    FeePaid,
    JumpMade,
    PieceStopped,
    PointsBanked,
    TrackLaid,
)
from referee.games.dampfross.names import as_written, format_path
from referee.games.dampfross.options import number, word
from referee.games.dampfross.routing import track_distances
from referee.games.dampfross.state import RACE, Jump, Piece, State

# Jumping along a rival's track. Rule: D7.2.

LONGEST_JUMP = 3  # hex-sides from connection to connection. Rule: R8


def jumped_rival(state: State, company: str, start: Hex, end: Hex) -> str | Complaint:
    """Return the rival along whose track *company* may jump from *start* to *end*, or why it may not.

    Of several the first in order of play on whom a jump is left is taken. Rule: D7.2, R8.
    """
    words = format_path(state.table.board, (start, end))
    if not state.table.options.jumps:
        return Complaint(code="illegal-no-jumps", paragraph="D7.2", text=words)
    if start not in state.reached[company]:
        return Complaint(code="illegal-off-network", paragraph="D2.4", text=words, params=(("place", words),))
    carrying = [code for code in state.table.codes if code != company and _lies_between(state, code, start, end)]
    for rival in carrying:
        if jumps_made(state, company, rival) < state.table.options.jumps:
            return rival
    code = "illegal-jumps-used" if carrying else "illegal-jump"
    params = (("jumps", state.table.options.jumps), ("most", LONGEST_JUMP))
    return Complaint(code=code, paragraph="D7.2", text=words, params=params)


def jumps_made(state: State, company: str, rival: str) -> int:
    """Return how many jumps on *rival* count: one is given back when own track joins its two ends. Rule: D7.2."""
    return sum(
        jump.company == company and jump.rival == rival and not _is_given_back(state, jump) for jump in state.jumps
    )


def _lies_between(state: State, rival: str, start: Hex, end: Hex) -> bool:
    """Return whether at most three hex-sides of *rival*'s track lead from *start* to *end*, from abroad only where track may.

    Rule: D2.6, D7.2.
    """
    board = state.table.board
    shut = board.is_foreign(start) and board.foreign_build != "free"
    sides = [laid for laid in _track_of(state, rival) if not (shut and start in laid) or laid in board.permitted]
    return start != end and end in track_distances(board, sides, (start,), within=LONGEST_JUMP)


def _is_given_back(state: State, jump: Jump) -> bool:
    return jump.end in track_distances(state.table.board, _track_of(state, jump.company), (jump.start,))


def _track_of(state: State, company: str) -> tuple[Side, ...]:
    return tuple(laid for laid, owners in state.track.items() if company in owners)


def build_together(record: Record, roll: int, gangs: list[Gang]) -> None:
    """Play one roll for everybody: step 1 of every company on the board as it lay before, then step 2, and so on.

    *roll* from 1; *gangs* in order of play. Once building is over all that is left of the roll is told as void.
    Rule: D4.2, D2.7.
    """
    step_number = 1 + sum(sum(gang.begun.values()) for gang in gangs if gang.pays)
    while gangs and not building_is_over(record.now):
        before, steps = _next_steps(record, gangs, roll, step_number)
        for gang, step in steps:
            _lay(record, before.round, gang, step, roll, step_number)
        _pay_bonuses(record, before, steps, roll, step_number)
        gangs = [gang for gang, _ in steps]
        step_number += 1
    for gang in gangs:
        break_off(record, gang, roll, complaint_of("illegal-building-over", "D2.7"))


def break_off(record: Record, gang: Gang, roll: int, complaint: Complaint) -> None:
    """Tell of each piece that is not done that it is left, and why."""
    gang.break_off(complaint)
    _tell_stops(record, gang, roll)


def build_alone(record: Record, roll: int, gang: Gang) -> None:
    """Let one company build. Rule: D4.1, D7.1."""
    build_together(record, roll, [gang])


def cities_left(state: State) -> int:
    """Return how many cities no network has reached. Rule: D2.7."""
    return sum(label not in state.connected for label in state.table.board.station_at)


def building_is_over(state: State) -> bool:
    """Return whether the moment has come at which building ends at once. Rule: D2.7, R10."""
    ends = state.table.options.building_ends
    return state.phase != RACE and word(ends) == "cities-left" and cities_left(state) <= number(ends)


def shares_of(amount: int, poorest_first: tuple[str, ...]) -> dict[str, int]:
    """Return *amount* split equally, the remainder one by one to the poorest. Rule: D4.2, R2."""
    share, rest = divmod(amount, len(poorest_first))
    return {code: share + (index < rest) for index, code in enumerate(poorest_first)}


def _next_steps(
    record: Record, gangs: list[Gang], roll: int, step_number: int
) -> tuple[State, list[tuple[Gang, Step]]]:
    """Return the board as it lies and the step of each company that has one, all jumps made that come before it.

    A piece that stops may be followed by one that begins with a jump: neither uses up a step. Nor does a crossing that
    somebody else gets who reaches it in the same step. Rule: R8, R35.
    """
    while True:
        for gang in gangs:
            if gang.at_jump:
                _jump_on(record, gang, roll, step_number)
        # One company alone shares no bonus: nothing of what its own step changes is asked for.
        before = record.state if len(gangs) > 1 else record.now
        steps = [(gang, step) for gang in gangs if (step := gang.next_step(before)) is not None]
        turned_away = _refusals(before, steps)
        for gang, complaint in turned_away:
            gang.leave_piece(complaint)
        jumping = False
        for gang in gangs:
            jumping = jumping or gang.at_jump
            if gang.stopped or gang.banked:
                _tell_stops(record, gang, roll)
                _tell_banked(record, gang, roll)
        if not turned_away and not jumping:
            return before, steps


def _refusals(before: State, steps: list[tuple[Gang, Step]]) -> list[tuple[Gang, Complaint]]:
    """Return who reaches a ferry or bridge together with others for whom it has room: the poorest are first. Rule: R35."""
    board = before.table.board
    if not board.ferries and not board.bridges:
        return []
    by_code = {gang.company: (gang, step) for gang, step in steps if owners_allowed(board, side(step.start, step.end))}
    if len(by_code) < 2:
        return []
    owners: dict[Side, tuple[str, ...]] = {}
    found = []
    for gang, step in map(by_code.__getitem__, before.poorest_first(tuple(by_code))):
        laid = side(step.start, step.end)
        there = owners.setdefault(laid, before.owners(laid))
        complaint = occupancy_fault(board, step.start, step.end, there, "R35")
        if complaint is None:
            owners[laid] = (*there, gang.company)
        else:
            found.append((gang, complaint))
    return found


def _lay(record: Record, round_: int, gang: Gang, step: Step, roll: int, number: int) -> None:
    piece = gang.piece + 1
    gang.lay(step)
    record.add(
        TrackLaid(
            company=gang.company,
            round=round_,
            roll=roll,
            step=number,
            piece=piece,
            start=step.start,
            end=step.end,
            cost=step.cost,
            left=gang.left,
            units=step.cost if gang.pays else 0,
        )
    )
    _pay_fees(record, gang, step, roll, number)


def _pay_fees(record: Record, gang: Gang, step: Step, roll: int, number: int) -> None:
    for fee in step.fees:
        record.add(
            FeePaid(
                company=gang.company,
                to=fee.to,
                amount=fee.amount,
                why=fee.why,
                roll=roll,
                step=number,
                start=step.start,
                end=step.end,
                paragraph=fee.paragraph,
            )
        )


def _jump_on(record: Record, gang: Gang, roll: int, step_number: int) -> None:
    """Make the jumps that come next in the company's pieces; a jump uses up no step. Rule: D7.2, R8."""
    while gang.at_jump and gang.ahead is not None:
        state, (start, end) = record.state, gang.ahead
        rival = jumped_rival(state, gang.company, start, end)
        if isinstance(rival, Complaint):
            gang.leave_piece(rival)
            continue
        fees = connection_fees(state, gang.company, end, gang.exempt)
        complaint = gang.unpaid(state, sum(fee.amount for fee in fees), start, end)
        if complaint is not None:
            gang.leave_piece(complaint)
            continue
        piece = gang.piece + 1
        record.add(
            JumpMade(
                company=gang.company,
                rival=rival,
                round=state.round,
                roll=roll,
                piece=piece,
                step=step_number,
                start=start,
                end=end,
            )
        )
        _pay_fees(record, gang, Step(start=start, end=end, cost=0, fees=fees), roll, step_number)
        gang.go_on()


def _pay_bonuses(record: Record, before: State, steps: list[tuple[Gang, Step]], roll: int, number: int) -> None:
    """Pay the first companies of each place that pays and that nobody had connected before this step. Rule: D3.1, D4.2, D7.1."""
    paying = before.table.board.paying
    cities = [step.end for _, step in steps if step.end in paying]
    for city in sorted(set(cities)) if cities else ():
        comers = tuple(gang.company for gang, step in steps if step.end == city and _earns(before, gang.company, city))
        if not comers:
            continue
        shares = shares_of(_bonus_of(before, city), before.poorest_first(comers))
        for company, share in shares.items():
            record.add(
                CityConnected(
                    company=company,
                    hex=city,
                    bonus=share,
                    shared=len(comers),
                    roll=roll,
                    step=number,
                    paragraph="D4.2" if len(comers) > 1 else "D3.1",
                )
            )


def _earns(before: State, company: str, city: Hex) -> bool:
    """Return whether a line into *city* may be paid: it is the first there, or the first at another's home. Rule: D3.1, R19."""
    return city not in before.connected or (city in before.unpaid_homes and before.home.get(company) != city)


def _bonus_of(before: State, city: Hex) -> int:
    paid = before.table.options.late_bonus or before.phase != RACE
    return before.table.board.paying[city].bonus if paid else 0


def _tell_stops(record: Record, gang: Gang, roll: int) -> None:
    for piece, at, complaint in gang.stopped:
        record.add(
            PieceStopped(
                company=gang.company,
                round=record.state.round,
                roll=roll,
                piece=piece,
                at=at,
                complaint=as_written(replace(complaint, line=0), gang.pieces[piece - 1].writing),
                paragraph=complaint.paragraph,
            )
        )
    gang.stopped.clear()


def _tell_banked(record: Record, gang: Gang, roll: int) -> None:
    for piece, start, end, points in gang.banked:
        state = record.state
        price = points_of(state.table.board, state.table.options.costs, start, end)
        record.add(
            PointsBanked(
                company=gang.company,
                round=state.round,
                roll=roll,
                piece=piece,
                start=start,
                end=end,
                points=points,
                total=price - points_due(state, gang.company, start, end) + points,
                price=price,
            )
        )
    gang.banked.clear()


def end_building(record: Record) -> None:
    """Write down that building is over: so few cities are left, or nobody builds any more. Rule: D2.7, R20."""
    paragraph = "D2.7" if building_is_over(record.state) else "R20"
    record.add(BuildingEnded(round=record.state.round, cities_left=cities_left(record.state), paragraph=paragraph))


def gangs_of(state: State, pieces: Mapping[str, tuple[Piece, ...]], points: Mapping[str, int]) -> list[Gang]:
    """Return the companies that have pieces to lay, in order of play, each with its *points*."""
    return [
        Gang(company=code, pieces=pieces[code], left=points[code]) for code in state.table.codes if pieces.get(code)
    ]
