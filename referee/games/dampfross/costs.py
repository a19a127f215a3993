"""What one step of building costs, in points of the roll and in fees to rivals. Rule: D2.3, D3.2-D3.5."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.core.hexes import Hex, are_neighbours, side
from referee.core.orders import Complaint
from referee.games.dampfross.maps import MOUNTAIN, RailMap
from referee.games.dampfross.names import format_path, place_name
from referee.games.dampfross.options import number, word
from referee.games.dampfross.state import State

PLAIN_STEP = 1
SLOPE_STEPS: Mapping[str, tuple[int, int]] = {"standard": (3, 5), "rostherne-3": (4, 6)}  # one end a mountain, both


@dataclass(frozen=True, slots=True, kw_only=True)
class Fee:
    """What a step owes one rival, and why: connection, parallel or adjacent. Units."""

    to: str
    amount: int
    why: str
    paragraph: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step that may be laid: ``cost`` in points, ``fees`` in units, in order of play."""

    start: Hex
    end: Hex
    cost: int
    fees: tuple[Fee, ...]


def points_of(board: RailMap, costs: str, start: Hex, end: Hex) -> int:
    """Return the points for one hex-side. Both hexes are on the map and the side is not closed.

    Rule: D2.3.
    """
    mountains = (board.ground[start] == MOUNTAIN) + (board.ground[end] == MOUNTAIN)
    river = board.rivers.get(side(start, end), 0)
    if not mountains:
        return PLAIN_STEP + river
    slope = SLOPE_STEPS[costs][mountains - 1]
    # The third edition prices a hill with a river as the hill.
    return slope if costs == "rostherne-3" else slope + river


def fees_due(state: State, company: str, start: Hex, end: Hex) -> tuple[Fee, ...]:
    """Return what laying a step owes each rival on the board as it lies, connections first.

    Rule: D3.2 (connection, once per company, rival and hex unless ``each-entry``), D3.3 (parallel, per half-hex),
    D3.4 (cities free, adjacent cities), D3.5 (foreign hexes free).
    """
    rivals = tuple(code for code in state.table.codes if code != company)
    return tuple(_connections(state, company, rivals, end)) + tuple(_parallels(state, rivals, start, end))


def refusal(state: State, company: str, start: Hex, end: Hex, left: int) -> Complaint | None:
    """Return why a step may not be laid with *left* points, None if it may. Fees are not looked at.

    Rule: D2.2 (hexes of the map), D2.3 (closed sides), D2.4 (own network), D2.5 (not twice), D2.6 (foreign areas).
    """
    board = state.table.board
    if start not in state.reached[company]:
        return _illegal("illegal-off-network", "D2.4", place_name(board, start), place=place_name(board, start))
    if end not in board.ground:
        return _illegal("illegal-no-land", "D2.2", end, place=end)
    if not are_neighbours(start, end):
        return _illegal("illegal-not-adjacent", "D2.2", f"{start} - {end}")
    laid, words = side(start, end), format_path(board, (start, end))
    if laid in board.closed:
        return _illegal("illegal-closed", "D2.3", words)
    if company in state.owners(laid):
        return _illegal("illegal-own-track", "D2.5", words)
    if board.is_foreign(start) and board.foreign_build != "free" and laid not in board.permitted:
        return _illegal("illegal-from-abroad", "D2.6", words)
    cost = points_of(board, state.table.options.costs, start, end)
    if cost > left:
        return _illegal("illegal-over-budget", "D4.3", words, cost=cost, left=left)
    return None


def _illegal(code: str, paragraph: str, text: str, **params: str | int) -> Complaint:
    return Complaint(code=code, paragraph=paragraph, text=text, params=tuple(params.items()))


def _is_free_of_fees(board: RailMap, label: Hex) -> bool:
    """City and foreign hexes owe nobody. Rule: D3.4, D3.5."""
    return board.is_city(label) or board.is_foreign(label)


def _connections(state: State, company: str, rivals: tuple[str, ...], end: Hex) -> list[Fee]:
    if _is_free_of_fees(state.table.board, end):
        return []
    if end in state.reached[company] and state.table.options.connection_fee == "once":
        return []
    return [
        Fee(to=rival, amount=1, why="connection", paragraph="D3.2") for rival in rivals if end in state.reached[rival]
    ]


def _parallels(state: State, rivals: tuple[str, ...], start: Hex, end: Hex) -> list[Fee]:
    owners = state.owners(side(start, end))
    if not owners:
        return []
    beside = [rival for rival in rivals if rival in owners]
    board, options = state.table.board, state.table.options
    if board.is_city(start) and board.is_city(end):
        amount = _adjacent_fee(options.adjacent_cities)
        return [Fee(to=rival, amount=amount, why="adjacent", paragraph="D3.4") for rival in beside if amount]
    halves = sum(not _is_free_of_fees(board, label) for label in (start, end))
    amount = halves * options.parallel_fee
    return [Fee(to=rival, amount=amount, why="parallel", paragraph="D3.3") for rival in beside if amount]


def _adjacent_fee(option: str) -> int:
    """Return the fee for a parallel line between neighbouring cities: ``flat:3`` 3, ``half-hex:1`` 2, ``free`` 0."""
    amounts = {"flat": 1, "half-hex": 2, "free": 0}
    times = amounts[word(option)]
    return times * number(option) if times else 0
