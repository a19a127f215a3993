"""Laying track: everybody at once, step by step, or one company after the other, also between races. Rule: D2, D3, D4, D7."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.core import Complaint, Hex, Side, complaint_of, side

from .changes import Record
from .costs import (
    Step,
    connection_fees,
    is_causeway,
    jumped_rival,
    may_bank,
    occupancy_fault,
    owners_allowed,
    points_due,
    points_of,
    step_on,
)
from .events import (
    BuildingEnded,
    CityConnected,
    FeePaid,
    JumpMade,
    PieceStopped,
    PointsBanked,
    TrackLaid,
)
from .names import as_written, format_path
from .options import number, word
from .state import Codes, Piece, State

# A company at work on one roll: which of its pieces comes next, and what is left to spend. Rule: D4.3, D7.1, R28,
# R32.

ANY = 10**6  # points, where hexes are counted instead


@dataclass(slots=True)
class Gang:
    """A company at work on one roll: which piece and hex come next, and what is left to spend.

    ``left`` in points, or in hexes with ``by_hexes``. With ``pays`` the points are units of the account, and fees come on top
    of them (Rule: D7.1). ``exempt`` gets no fees: the company that leads David (Rule: D8.1). ``begun`` says of each piece how
    far it has come, ``goes_on`` that the company is to build once more this turn: till then no stop is told (Rule: R32).
    ``ahead`` is what comes next, from hex to hex, None once all pieces are done; ``at_jump`` that it is a jump.
    """

    company: str
    pieces: tuple[Piece, ...]
    left: int
    pays: bool = False
    by_hexes: bool = False
    exempt: str = ""
    begun: dict[int, int] = field(default_factory=dict)  # index of the piece to that of its last hex
    goes_on: bool = False
    roll: int = 1
    step: int = 0  # of all, that it is at
    piece: int = 0
    hex: int = field(init=False)
    ahead: tuple[Hex, Hex] | None = field(init=False)
    at_jump: bool = field(init=False)
    stopped: list[tuple[int, Hex, Complaint]] = field(default_factory=list)
    banked: list[tuple[int, Hex, Hex, int]] = field(default_factory=list)  # piece, start, end, points

    def __post_init__(self) -> None:
        self.hex = self.begun.get(self.piece, 0)
        self._look_ahead()

    def next_step(self, state: State) -> Step | None:
        """Return the next step that may be laid on the board as it lies, None when all pieces are done or at a jump.

        A piece that can go no further is left, with its reason, for the next one; that uses up no step. Rule: D4.3, R8.
        """
        while self.ahead is not None and not self.at_jump:
            step = self._step(state, *self.ahead)
            if isinstance(step, Step):
                return step
            self.leave_piece(None if self._banks(state, step, *self.ahead) else step)
        return None

    def go_on(self) -> None:
        """Go on to the next hex, in the next piece where this one is done."""
        self.hex += 1
        self._look_ahead()

    def leave_piece(self, complaint: Complaint | None) -> None:
        """Go on to the next piece; note where and why this one stopped, if it did."""
        self._leave(complaint)
        self._look_ahead()

    def break_off(self, complaint: Complaint) -> None:
        """Leave all pieces that are not done, for this reason."""
        while self.ahead is not None:
            self.leave_piece(complaint)

    def lay(self, step: Step) -> None:
        """Note that the step was laid."""
        self.left -= min(1, step.cost) if self.by_hexes else step.cost  # a causeway is no hex that is built. Rule: R29
        self.hex += 1
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Leave pieces that are done, and note what comes next."""
        while self.piece < len(self.pieces):
            piece, following = self.pieces[self.piece], self.hex + 1
            if following < len(piece.path):
                self.ahead = piece.path[self.hex], piece.path[following]
                self.at_jump = following in piece.jumps
                return
            self._leave(piece.fault)
        self.ahead, self.at_jump = None, False

    def _leave(self, complaint: Complaint | None) -> None:
        path = self.pieces[self.piece].path
        if complaint and not self.goes_on:
            self.stopped.append((self.piece + 1, path[self.hex] if path else "", complaint))
        self.begun[self.piece] = self.hex
        self.piece += 1
        self.hex = self.begun.get(self.piece, 0)

    def _banks(self, state: State, complaint: Complaint, start: Hex, end: Hex) -> bool:
        """Put what is left of the roll aside where it falls short of a bridge's price; return whether it was. Rule: R28."""
        if complaint.code != "illegal-over-budget" or self.pays or not self.left:
            return False
        if not may_bank(state.board, start, end):
            return False
        self.banked.append((self.piece + 1, start, end, self.left))
        self.left = 0
        return True

    def _step(self, state: State, start: Hex, end: Hex) -> Step | Complaint:
        """Return the step, or why it may not be laid."""
        if self.by_hexes and self.left < 1 and not is_causeway(state.board, start, end):
            return complaint_of("illegal-over-hexes", "D7.1", format_path(state.board, (start, end)))
        step = step_on(state, self.company, start, end, ANY if self.by_hexes else self.left, self.exempt)
        if isinstance(step, Complaint) or not (step.fees or self.pays):
            return step
        due = sum(fee.amount for fee in step.fees) + (step.cost if self.pays else 0)
        return self.unpaid(state, due, start, end) or step

    def unpaid(self, state: State, due: int, start: Hex, end: Hex) -> Complaint | None:
        """Return the complaint of a company that cannot pay: never in the building phase unless debts are refused.

        Rule: D3.6 (``debt``), D7.1 (allowance and fees together may not exceed the balance).
        """
        balance = state.balance[self.company]
        if not due or due <= balance or not (self.pays or state.options.debt == "refused"):
            return None
        words = format_path(state.board, (start, end))
        return complaint_of("illegal-unpaid", "D7.1" if self.pays else "D3.6", words, due=due, balance=balance)


def build(record: Record, roll: int, *gangs: Gang) -> None:
    """Play one roll: step 1 of every company on the board as it lay before, then step 2, and so on.

    *roll* from 1; *gangs* in order of play. Once building is over all that is left of the roll is told as void.
    Rule: D4.1, D4.2, D2.7, D7.1.
    """
    step_number = 1 + sum(sum(gang.begun.values()) for gang in gangs if gang.pays)
    last = last_cities(record.state)
    while gangs and (last < 0 or cities_left(record.state) > last):
        for gang in gangs:
            gang.roll, gang.step = roll, step_number
        before, steps = _next_steps(record, gangs)
        for gang, step in steps:
            _lay(record, gang, step)
        _pay_bonuses(record, before, steps)
        gangs = tuple([gang for gang, _ in steps])
        step_number += 1
    for gang in gangs:
        gang.roll = roll
        break_off(record, gang, complaint_of("illegal-building-over", "D2.7"))


def break_off(record: Record, gang: Gang, complaint: Complaint) -> None:
    """Tell of each piece that is not done that it is left, and why."""
    gang.break_off(complaint)
    _tell(record, gang)


def cities_left(state: State) -> int:
    """Return how many cities no network has reached. Rule: D2.7."""
    return len(state.board.station_at.keys() - state.connected)


def last_cities(state: State) -> int:
    """Return with how few cities left building ends, -1 where it does not end by them. Rule: D2.7, R10."""
    ends = state.options.building_ends
    return number(ends) if not state.is_racing and word(ends) == "cities-left" else -1


def building_is_over(state: State) -> bool:
    """Return whether the moment has come at which building ends at once. Rule: D2.7, R10."""
    return cities_left(state) <= last_cities(state)


def shares_of(amount: int, poorest_first: Codes) -> dict[str, int]:
    """Return *amount* split equally, the remainder one by one to the poorest. Rule: D4.2, R2."""
    share, rest = divmod(amount, len(poorest_first))
    return {code: share + (index < rest) for index, code in enumerate(poorest_first)}


def _next_steps(record: Record, gangs: tuple[Gang, ...]) -> tuple[State, list[tuple[Gang, Step]]]:
    """Return the board as it lies and the step of each company that has one, all jumps made that come before it.

    A piece that stops may be followed by one that begins with a jump: neither uses up a step. Nor does a crossing that
    somebody else gets who reaches it in the same step. Rule: R8, R35.
    """
    while True:
        for gang in gangs:
            _jump_on(record, gang)
        before = record.state
        steps = [(gang, step) for gang in gangs if (step := gang.next_step(before))]
        turned_away = _refusals(before, steps)
        for gang, complaint in turned_away:
            gang.leave_piece(complaint)
        for gang in gangs:
            _tell(record, gang)
        if not turned_away and not any(gang.at_jump for gang in gangs):
            return before, steps


def _refusals(before: State, steps: list[tuple[Gang, Step]]) -> list[tuple[Gang, Complaint]]:
    """Return who reaches a ferry or bridge together with others for whom it has room: the poorest are first. Rule: R35."""
    board = before.board
    if not board.ferries and not board.bridges:
        return []
    by_code = {gang.company: (gang, step) for gang, step in steps if owners_allowed(board, side(step.start, step.end))}
    if len(by_code) < 2:
        return []
    owners: dict[Side, Codes] = {}
    found = []
    for gang, step in map(by_code.__getitem__, before.poorest_first(tuple(by_code))):
        laid = side(step.start, step.end)
        there = owners.setdefault(laid, before.owners(laid))
        complaint = occupancy_fault(board, step.start, step.end, there, "R35")
        if not complaint:
            owners[laid] = (*there, gang.company)
        else:
            found.append((gang, complaint))
    return found


def _lay(record: Record, gang: Gang, step: Step) -> None:
    piece = gang.piece + 1
    gang.lay(step)
    record.add(
        TrackLaid(
            company=gang.company,
            round=record.state.round,
            roll=gang.roll,
            step=gang.step,
            piece=piece,
            start=step.start,
            end=step.end,
            cost=step.cost,
            left=gang.left,
            units=step.cost if gang.pays else 0,
        )
    )
    _pay_fees(record, gang, step)


def _pay_fees(record: Record, gang: Gang, step: Step) -> None:
    for fee in step.fees:
        record.add(
            FeePaid(
                company=gang.company,
                to=fee.to,
                amount=fee.amount,
                why=fee.why,
                roll=gang.roll,
                step=gang.step,
                start=step.start,
                end=step.end,
                paragraph=fee.paragraph,
            )
        )


def _jump_on(record: Record, gang: Gang) -> None:
    """Make the jumps that come next in the company's pieces; a jump uses up no step. Rule: D7.2, R8."""
    while gang.at_jump and gang.ahead is not None:
        state, (start, end) = record.state, gang.ahead
        rival = jumped_rival(state, gang.company, start, end)
        if isinstance(rival, Complaint):
            gang.leave_piece(rival)
            continue
        fees = connection_fees(state, gang.company, end, gang.exempt)
        complaint = gang.unpaid(state, sum(fee.amount for fee in fees), start, end)
        if complaint:
            gang.leave_piece(complaint)
            continue
        record.add(
            JumpMade(
                company=gang.company,
                rival=rival,
                round=state.round,
                roll=gang.roll,
                piece=gang.piece + 1,
                step=gang.step,
                start=start,
                end=end,
            )
        )
        _pay_fees(record, gang, Step(start=start, end=end, cost=0, fees=fees))
        gang.go_on()


def _pay_bonuses(record: Record, before: State, steps: list[tuple[Gang, Step]]) -> None:
    """Pay the first companies of each place that pays and that nobody had connected before this step. Rule: D3.1, D4.2, D7.1."""
    paying = before.board.paying
    cities = {step.end for _, step in steps if step.end in paying}
    for city in sorted(cities):
        is_known = city in before.connected
        # The first there are paid, or the first at another's home. Rule: D3.1, R19.
        comers = {
            gang.company: gang
            for gang, step in steps
            if step.end == city
            and not (is_known and (city not in before.unpaid_homes or before.home.get(gang.company) == city))
        }
        paid = before.options.late_bonus or not before.is_racing
        shares = shares_of(paying[city].bonus if paid else 0, before.poorest_first(tuple(comers))) if comers else {}
        for company, share in shares.items():
            record.add(
                CityConnected(
                    company=company,
                    hex=city,
                    bonus=share,
                    shared=len(comers),
                    roll=comers[company].roll,
                    step=comers[company].step,
                    paragraph="D4.2" if len(comers) > 1 else "D3.1",
                )
            )


def _tell(record: Record, gang: Gang) -> None:
    """Tell where the company's pieces stopped, and what it put aside."""
    for piece, at, complaint in gang.stopped:
        record.add(
            PieceStopped(
                company=gang.company,
                round=record.state.round,
                roll=gang.roll,
                piece=piece,
                at=at,
                complaint=as_written(complaint.but(line=0), gang.pieces[piece - 1].writing),
                paragraph=complaint.paragraph,
            )
        )
    for piece, start, end, points in gang.banked:
        state = record.state
        price = points_of(state.board, state.options.costs, start, end)
        record.add(
            PointsBanked(
                company=gang.company,
                round=state.round,
                roll=gang.roll,
                piece=piece,
                start=start,
                end=end,
                points=points,
                total=price - points_due(state, gang.company, start, end) + points,
                price=price,
            )
        )
    gang.stopped.clear()
    gang.banked.clear()


def end_building(record: Record) -> None:
    """Write down that building is over: so few cities are left, or nobody builds any more. Rule: D2.7, R20."""
    paragraph = "D2.7" if building_is_over(record.state) else "R20"
    record.add(BuildingEnded(round=record.state.round, cities_left=cities_left(record.state), paragraph=paragraph))
