"""A company at work on one roll: which of its pieces comes next, and what is left to spend. Rule: D4.3, D7.1, R28, R32."""

from __future__ import annotations

from dataclasses import field

from referee.core.hexes import Hex
from referee.core.orders import Complaint
from referee.core.values import dataclass
from referee.games.dampfross.build.costs import Step, fees_due, is_causeway, may_bank, points_due, refusal
from referee.games.dampfross.position.names import format_path
from referee.games.dampfross.position.orders import Piece
from referee.games.dampfross.position.state import State

ANY = 10**6  # points, where hexes are counted instead


@dataclass(slots=True)
class Gang:
    """A company at work on one roll: which piece and hex come next, and what is left to spend.

    ``left`` in points, or in hexes with ``by_hexes``. With ``pays`` the points are units of the account, and fees come on top
    of them (Rule: D7.1). ``exempt`` gets no fees: the company that leads David (Rule: D8.1). ``begun`` says of each piece how
    far it has come, ``goes_on`` that the company is to build once more this turn: till then no stop is told (Rule: R32).
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
    stopped: list[tuple[int, Hex, Complaint]] = field(default_factory=list)
    banked: list[tuple[int, Hex, Hex, int]] = field(default_factory=list)  # piece, start, end, points

    def __post_init__(self) -> None:
        self.hex = self.begun.get(self.piece, 0)
        self._leave_done_pieces()

    def next_step(self, state: State) -> Step | None:
        """Return the next step that may be laid on the board as it lies, None when all pieces are done or at a jump.

        A piece that can go no further is left, with its reason, for the next one; that uses up no step. Rule: D4.3, R8.
        """
        while self.piece < len(self.pieces) and not self.is_at_jump():
            path = self.pieces[self.piece].path
            step, complaint = self._step(state, path[self.hex], path[self.hex + 1])
            if step is not None:
                return step
            if self._banks(state, complaint, path[self.hex], path[self.hex + 1]):
                complaint = None
            self.leave_piece(complaint)
        return None

    def is_at_jump(self) -> bool:
        """Return whether the piece goes on with a jump."""
        return self.piece < len(self.pieces) and self.hex + 1 in self.pieces[self.piece].jumps

    def go_on(self) -> None:
        """Go on to the next hex, in the next piece where this one is done."""
        self.hex += 1
        self._leave_done_pieces()

    def leave_piece(self, complaint: Complaint | None) -> None:
        """Go on to the next piece; note where and why this one stopped, if it did."""
        self._leave(complaint)
        self._leave_done_pieces()

    def break_off(self, complaint: Complaint) -> None:
        """Leave all pieces that are not done, for this reason."""
        while self.piece < len(self.pieces):
            self.leave_piece(complaint)

    def lay(self, step: Step) -> None:
        """Note that the step was laid."""
        self.left -= min(1, step.cost) if self.by_hexes else step.cost  # a causeway is no hex that is built. Rule: R29
        self.go_on()

    def _leave_done_pieces(self) -> None:
        while self.piece < len(self.pieces) and self.hex + 1 >= len(self.pieces[self.piece].path):
            self._leave(self.pieces[self.piece].fault)

    def _leave(self, complaint: Complaint | None) -> None:
        path = self.pieces[self.piece].path
        if complaint is not None and not self.goes_on:
            self.stopped.append((self.piece + 1, path[self.hex] if path else "", complaint))
        self.begun[self.piece] = self.hex
        self.piece += 1
        self.hex = self.begun.get(self.piece, 0)

    def _banks(self, state: State, complaint: Complaint | None, start: Hex, end: Hex) -> bool:
        """Put what is left of the roll aside where it falls short of a bridge's price; return whether it was. Rule: R28."""
        if complaint is None or complaint.code != "illegal-over-budget" or self.pays or not self.left:
            return False
        if not may_bank(state.table.board, start, end):
            return False
        self.banked.append((self.piece + 1, start, end, self.left))
        self.left = 0
        return True

    def _step(self, state: State, start: Hex, end: Hex) -> tuple[Step | None, Complaint | None]:
        if self.by_hexes and self.left < 1 and not is_causeway(state.table.board, start, end):
            words = format_path(state.table.board, (start, end))
            return None, Complaint(code="illegal-over-hexes", paragraph="D7.1", text=words)
        complaint = refusal(state, self.company, start, end, ANY if self.by_hexes else self.left)
        if complaint is not None:
            return None, complaint
        cost = points_due(state, self.company, start, end)
        fees = fees_due(state, self.company, start, end, self.exempt)
        step = Step(start=start, end=end, cost=cost, fees=fees)
        due = sum(fee.amount for fee in step.fees) + (step.cost if self.pays else 0)
        complaint = self.unpaid(state, due, start, end)
        return (step, None) if complaint is None else (None, complaint)

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
