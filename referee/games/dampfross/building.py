"""Laying track: everybody at once, step by step, or one company's spending between races. Rule: D2, D3, D4, D7.1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from referee.core.hexes import Hex
from referee.core.orders import Complaint
from referee.games.dampfross.costs import Step, fees_due, points_of, refusal
from referee.games.dampfross.events import CityConnected, FeePaid, PieceStopped, TrackLaid
from referee.games.dampfross.names import format_path
from referee.games.dampfross.orders import Piece
from referee.games.dampfross.record import Record
from referee.games.dampfross.state import State

CITY_BONUS = 6  # Rule: D3.1


@dataclass(slots=True)
class Gang:
    """A company at work on one roll: which piece and hex come next, and what is left to spend.

    ``left`` in points. With ``pays`` the points are units of the account, and fees come on top of them. Rule: D7.1.
    """

    company: str
    pieces: tuple[Piece, ...]
    left: int
    pays: bool = False
    piece: int = 0
    hex: int = 0
    stopped: list[tuple[int, Hex, Complaint]] = field(default_factory=list)

    def next_step(self, state: State) -> Step | None:
        """Return the next step that may be laid on the board as it lies, None when all pieces are done.

        A piece that can go no further is left, with its reason, for the next one; that uses up no step. Rule: D4.3, R8.
        """
        while self.piece < len(self.pieces):
            piece = self.pieces[self.piece]
            complaint = piece.fault
            if self.hex + 1 < len(piece.path):
                step, complaint = self._step(state, piece.path[self.hex], piece.path[self.hex + 1])
                if step is not None:
                    return step
            if complaint is not None:
                self.stopped.append((self.piece + 1, piece.path[self.hex] if piece.path else "", complaint))
            self.piece, self.hex = self.piece + 1, 0
        return None

    def lay(self, step: Step) -> None:
        """Note that the step was laid."""
        self.left -= step.cost
        self.hex += 1

    def _step(self, state: State, start: Hex, end: Hex) -> tuple[Step | None, Complaint | None]:
        complaint = refusal(state, self.company, start, end, self.left)
        if complaint is not None:
            return None, complaint
        cost = points_of(state.table.board, state.table.options.costs, start, end)
        step = Step(start=start, end=end, cost=cost, fees=fees_due(state, self.company, start, end))
        return (step, None) if (complaint := self._unpaid(state, step)) is None else (None, complaint)

    def _unpaid(self, state: State, step: Step) -> Complaint | None:
        """Return the complaint of a company that cannot pay: never in the building phase unless debts are refused.

        Rule: D3.6 (``debt``), D7.1 (allowance and fees together may not exceed the balance).
        """
        due = sum(fee.amount for fee in step.fees) + (step.cost if self.pays else 0)
        balance = state.balance[self.company]
        refused = self.pays or (state.table.options.debt == "refused" and any(step.fees))
        if not refused or due <= balance:
            return None
        params = (("due", due), ("balance", balance))
        return Complaint(
            code="illegal-unpaid",
            paragraph="D7.1" if self.pays else "D3.6",
            text=format_path(state.table.board, (step.start, step.end)),
            params=params,
        )


def build_together(record: Record, roll: int, points: int, pieces: Mapping[str, tuple[Piece, ...]]) -> None:
    """Play one roll for everybody: step 1 of every company on the board as it lay before, then step 2, and so on.

    *roll* from 1; *pieces* by company. Rule: D4.2.
    """
    gangs = [
        Gang(company=code, pieces=pieces[code], left=points) for code in record.state.table.codes if code in pieces
    ]
    step_number = 1
    while gangs:
        before = record.state
        steps = [(gang, step) for gang in gangs if (step := gang.next_step(before)) is not None]
        for gang in gangs:
            _tell_stops(record, gang, roll)
        for gang, step in steps:
            _lay(record, gang, step, roll, step_number)
        _pay_bonuses(record, before, steps, roll, step_number)
        gangs = [gang for gang, _ in steps]
        step_number += 1


def build_alone(record: Record, company: str, roll: int, points: int, pieces: tuple[Piece, ...], pays: bool) -> None:
    """Let one company spend *points*, from its account if *pays*. Rule: D4.1, D7.1."""
    gang = Gang(company=company, pieces=pieces, left=points, pays=pays)
    step_number = 1
    while (step := gang.next_step(record.state)) is not None:
        before = record.state
        _lay(record, gang, step, roll, step_number)
        _pay_bonuses(record, before, [(gang, step)], roll, step_number)
        step_number += 1
    _tell_stops(record, gang, roll)


def shares_of(amount: int, poorest_first: tuple[str, ...]) -> dict[str, int]:
    """Return *amount* split equally, the remainder one by one to the poorest. Rule: D4.2, R2."""
    share, rest = divmod(amount, len(poorest_first))
    return {code: share + (index < rest) for index, code in enumerate(poorest_first)}


def _lay(record: Record, gang: Gang, step: Step, roll: int, number: int) -> None:
    gang.lay(step)
    record.add(
        TrackLaid(
            company=gang.company,
            round=record.state.round,
            roll=roll,
            step=number,
            piece=gang.piece + 1,
            start=step.start,
            end=step.end,
            cost=step.cost,
            left=gang.left,
            units=step.cost if gang.pays else 0,
        )
    )
    record.add_all(
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
        for fee in step.fees
    )


def _pay_bonuses(record: Record, before: State, steps: list[tuple[Gang, Step]], roll: int, number: int) -> None:
    """Pay the first companies of each city that nobody had connected before this step. Rule: D3.1, D4.2, D7.1."""
    board, options = before.table.board, before.table.options
    racing = before.phase == "race"
    bonus = CITY_BONUS if options.late_bonus or not racing else 0
    reached = sorted({step.end for _, step in steps if board.is_city(step.end) and step.end not in before.connected})
    for city in reached:
        comers = before.poorest_first(tuple(gang.company for gang, step in steps if step.end == city))
        for company, share in shares_of(bonus, comers).items():
            record.add(
                CityConnected(company=company, hex=city, bonus=share, shared=len(comers), roll=roll, step=number)
            )


def _tell_stops(record: Record, gang: Gang, roll: int) -> None:
    for piece, at, complaint in gang.stopped:
        record.add(
            PieceStopped(
                company=gang.company,
                round=record.state.round,
                roll=roll,
                piece=piece,
                at=at,
                complaint=replace(complaint, line=0),
                paragraph=complaint.paragraph,
            )
        )
    gang.stopped.clear()
