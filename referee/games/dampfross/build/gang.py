"""A company at work on one roll: which of its pieces comes next, and what is left to spend. Rule: D4.3, D7.1, R28, R32."""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.core.hexes import Hex
from referee.core.orders import Complaint
from referee.games.dampfross.build.costs import Step, is_causeway, may_bank, step_on
from referee.games.dampfross.names import format_path
from referee.games.dampfross.state import Piece, State

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
        if complaint is not None and not self.goes_on:
            self.stopped.append((self.piece + 1, path[self.hex] if path else "", complaint))
        self.begun[self.piece] = self.hex
        self.piece += 1
        self.hex = self.begun.get(self.piece, 0)

    def _banks(self, state: State, complaint: Complaint, start: Hex, end: Hex) -> bool:
        """Put what is left of the roll aside where it falls short of a bridge's price; return whether it was. Rule: R28."""
        if complaint.code != "illegal-over-budget" or self.pays or not self.left:
            return False
        if not may_bank(state.table.board, start, end):
            return False
        self.banked.append((self.piece + 1, start, end, self.left))
        self.left = 0
        return True

    def _step(self, state: State, start: Hex, end: Hex) -> Step | Complaint:
        """Return the step, or why it may not be laid."""
        if self.by_hexes and self.left < 1 and not is_causeway(state.table.board, start, end):
            words = format_path(state.table.board, (start, end))
            return Complaint(code="illegal-over-hexes", paragraph="D7.1", text=words)
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
        if not due or due <= balance or not (self.pays or state.table.options.debt == "refused"):
            return None
        paragraph = "D7.1" if self.pays else "D3.6"
        params = (("due", due), ("balance", balance))
        words = format_path(state.table.board, (start, end))
        return Complaint(code="illegal-unpaid", paragraph=paragraph, text=words, params=params)
