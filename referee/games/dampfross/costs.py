"""What one step of building costs, in points of the roll and in fees to rivals. Rule: D2.3, D3.2-D3.5."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from referee.core import Complaint, Hex, Side, Value, complaint_of, side

from .board import MOUNTAIN, RailMap
from .names import format_path, place_name
from .options import number, word
from .routing import track_distances
from .state import Codes, State

PLAIN_STEP = 1
CONNECTION = 1  # units. Rule: D3.2
SLOPE_STEPS: Mapping[str, tuple[int, int]] = {"standard": (3, 5), "rostherne-3": (4, 6)}  # one end a mountain, both


class Fee(Value):
    """What a step owes one rival, and why: connection, parallel or adjacent. Units."""

    to: str
    amount: int
    why: str
    paragraph: str


Fees = tuple[Fee, ...]


class Step(Value):
    """A step that may be laid: ``cost`` in points, ``fees`` in units, in order of play."""

    start: Hex
    end: Hex
    cost: int
    fees: Fees


class Link(Value):
    """What the map alone says of a step: ``laid`` its hex-side, ``points`` its price, ``owners`` how many may lay it.

    ``fault``: why nobody may ever lay it; ``border``: why it may not begin or end abroad; ``causeway``: it lies from the start.
    ``free_end``: who comes to its end owes nobody a connection; ``halves``: half-hexes for which a parallel line pays;
    ``cities``: it joins two, of which ``at_home`` are not abroad. Rule: D2.2, D2.3, D2.6, D3.3-D3.5, R29.
    """

    start: Hex
    end: Hex
    laid: Side
    points: int = 0
    owners: int | None = None
    fault: Complaint | None = None
    border: Complaint | None = None
    causeway: bool = False
    free_end: bool = False
    halves: int = 0
    cities: bool = False
    at_home: int = 0


@lru_cache(maxsize=65536)
def link_of(board: RailMap, costs: str, start: Hex, end: Hex) -> Link:
    """Return what the map says of a step from a hex of the map. *costs*: the option of that name."""
    fault = _map_refusal(board, start, end)
    if fault:
        return Link(start=start, end=end, laid=(start, end), fault=fault)
    laid = side(start, end)
    return Link(
        start=start,
        end=end,
        laid=laid,
        points=points_of(board, costs, start, end),
        owners=owners_allowed(board, laid),
        border=_foreign_refusal(board, start, end),
        causeway=is_causeway(board, start, end),
        free_end=_is_free_of_fees(board, end),
        halves=sum(not _is_free_of_fees(board, label) for label in (start, end)),
        cities=board.is_city(start) and board.is_city(end),
        at_home=sum(not board.is_foreign(label) for label in (start, end)),
    )


@lru_cache(maxsize=65536)
def points_of(board: RailMap, costs: str, start: Hex, end: Hex) -> int:
    """Return the points for one hex-side or ferry. Both hexes are on the map and the side is not closed.

    Rule: D2.3.
    """
    laid = side(start, end)
    crossing = board.ferries.get(laid) or board.bridges.get(laid)
    if crossing or laid in board.prices:
        return crossing.price if crossing else board.prices[laid]
    mountains = (board.ground[start] == MOUNTAIN) + (board.ground[end] == MOUNTAIN)
    river = board.rivers.get(laid, 0)
    if not mountains:
        return PLAIN_STEP + river
    slope = SLOPE_STEPS[costs][mountains - 1]
    # The third edition prices a hill with a river as the hill.
    return slope if costs == "rostherne-3" else slope + river


def points_due(state: State, company: str, start: Hex, end: Hex) -> int:
    """Return the points a step costs a company now: its price less what the company has banked for it.

    Rule: D2.3, R28.
    """
    return _points(state, company, link_of(state.board, state.options.costs, start, end))


def may_bank(board: RailMap, start: Hex, end: Hex) -> bool:
    """Return whether points may be put aside for the step. Rule: R28."""
    bridge = board.bridges.get(side(start, end))
    return bridge is not None and bridge.banked


def is_causeway(board: RailMap, start: Hex, end: Hex) -> bool:
    """Return whether the step leads over track that lies from the start, free for everybody. Rule: R29."""
    bridge = board.bridges.get(side(start, end))
    return bridge is not None and bridge.built


def step_on(state: State, company: str, start: Hex, end: Hex, left: int, exempt: str = "") -> Step | Complaint:
    """Return the step with its price and fees, or why it may not be laid with *left* points.

    *exempt*: a company that gets no fees (the one that leads David). Whether the fees can be paid is not looked at.

    Rule: D2.2 (hexes of the map), D2.3 (closed sides), D2.4 (own network), D2.5 (not twice), D2.6 (foreign areas).
    """
    board = state.board
    if start not in state.reached[company]:
        place = place_name(board, start)
        return complaint_of("illegal-off-network", "D2.4", place, place=place)
    link = link_of(board, state.options.costs, start, end)
    cost = _points(state, company, link) if state.banked else link.points
    complaint = _refusal(state, company, link, cost, left)
    if complaint:
        return complaint
    return Step(start=start, end=end, cost=cost, fees=_fees(state, company, link, exempt))


def step_refusal(state: State, company: str, start: Hex, end: Hex, left: int) -> Complaint | None:
    """Return why a step may not be laid, were *start* on the company's network; None if it may."""
    link = link_of(state.board, state.options.costs, start, end)
    return _refusal(state, company, link, _points(state, company, link), left)


def fees_due(state: State, company: str, start: Hex, end: Hex) -> Fees:
    """Return what laying a step owes each rival on the board as it lies, connections first.

    Rule: D3.2 (connection, once per company, rival and hex unless ``each-entry``), D3.3 (parallel, per half-hex),
    D3.4 (cities free, adjacent cities), D3.5 (foreign hexes free), R29 (causeways free).
    """
    return _fees(state, company, link_of(state.board, state.options.costs, start, end), "")


def _refusal(state: State, company: str, link: Link, cost: int, left: int) -> Complaint | None:
    if link.fault:
        return link.fault
    owners, board = state.track.get(link.laid, ()), state.board
    if company in owners:
        return complaint_of("illegal-own-track", "D2.5", format_path(board, (link.start, link.end)))
    if link.border:
        return link.border
    if link.owners is not None and len(owners) >= link.owners:
        return occupancy_fault(board, link.start, link.end, owners)
    if board.first_round_ways:
        complaint = _one_way_out(state, company, link.start, link.end)
        if complaint:
            return complaint
    if cost <= left:
        return None
    return complaint_of("illegal-over-budget", "D4.3", format_path(board, (link.start, link.end)), cost=cost, left=left)


def _points(state: State, company: str, link: Link) -> int:
    """Return the price less what the company has banked for it. Rule: D2.3, R28."""
    return link.points - state.banked[company].get(link.laid, 0) if company in state.banked else link.points


def _fees(state: State, company: str, link: Link, exempt: str) -> Fees:
    if link.causeway:
        return ()
    fees = () if link.free_end else _connections(state, company, exempt, link.end)
    return (*fees, *_parallels(state, company, exempt, link)) if link.laid in state.track else fees


def connection_fees(state: State, company: str, end: Hex, exempt: str = "") -> Fees:
    """Return what joining the lines of a hex owes, without a step (the far end of a jump). Rule: D3.2, D7.2."""
    if _is_free_of_fees(state.board, end):
        return ()
    return tuple(fee.but(paragraph="D7.2") for fee in _connections(state, company, exempt, end))


def _map_refusal(board: RailMap, start: Hex, end: Hex) -> Complaint | None:
    """Return why nobody may ever lay the step, whatever lies on the board. Rule: D2.2, D2.3."""
    if end not in board.ground:
        place = board.hex_name(end)
        return complaint_of("illegal-no-land", "D2.2", place, place=place)
    if end not in board.steps_from(start):
        return complaint_of("illegal-not-adjacent", "D2.2", f"{board.hex_name(start)} - {board.hex_name(end)}")
    if side(start, end) in board.closed:
        return complaint_of("illegal-closed", "D2.3", format_path(board, (start, end)))
    return None


def _foreign_refusal(board: RailMap, start: Hex, end: Hex) -> Complaint | None:
    """A line ends in its first foreign hex, but for permitted builds and maps that are free. Rule: D2.6."""
    if board.foreign_build == "free" or side(start, end) in board.permitted:
        return None
    if board.is_foreign(start):
        return complaint_of("illegal-from-abroad", "D2.6", format_path(board, (start, end)))
    if board.is_foreign(end) and board.foreign_build == "none":
        return complaint_of("illegal-abroad", "D2.6", format_path(board, (start, end)))
    return None


def owners_allowed(board: RailMap, laid: Side) -> int | None:
    """Return how many companies may lay a ferry or bridge, None where any number may."""
    if laid in board.ferries:
        return board.ferries[laid].owners
    return 1 if laid in board.bridges and board.bridges[laid].single else None


def occupancy_fault(board: RailMap, start: Hex, end: Hex, owners: Codes, paragraph: str = "D2.3") -> Complaint | None:
    """Return why a crossing that *owners* have may not be laid, None where it has room for one more."""
    limit = owners_allowed(board, side(start, end))
    if limit is None or len(owners) < limit:
        return None
    return complaint_of("illegal-taken", paragraph, format_path(board, (start, end)), owners=" ".join(owners))


def _one_way_out(state: State, company: str, start: Hex, end: Hex) -> Complaint | None:
    """In the first round a company leaves its home by so many hex-sides only, where the map says so. Rule: D1.3."""
    board = state.board
    ways, home = board.first_round_ways, state.home.get(company)
    if state.round > 1 or not state.is_building or home not in (start, end):
        return None
    if sum(home in laid for laid in state.track_of(company)) < ways:
        return None
    return complaint_of("illegal-one-way", "D1.3", format_path(board, (start, end)), ways=ways)


def _is_free_of_fees(board: RailMap, label: Hex) -> bool:
    """City and foreign hexes owe nobody. Rule: D3.4, D3.5."""
    return board.is_city(label) or board.is_foreign(label)


def _connections(state: State, company: str, exempt: str, end: Hex) -> Fees:
    """Return what coming to a hex owes that is not free of fees."""
    reached = state.reached
    if end in reached[company] and state.options.connection_fee == "once":
        return ()
    there = [rival for rival in state.codes if end in reached[rival] and rival != company and rival != exempt]
    if not there:
        return ()
    if state.jumps:  # who came by one alone holds no track there. Rule: D7.2
        holders = {owner for other in state.board.steps_from(end) for owner in state.owners(side(end, other))}
        there = [rival for rival in there if rival in holders]
    return tuple([Fee(to=rival, amount=CONNECTION, why="connection", paragraph="D3.2") for rival in there])


def _parallels(state: State, company: str, exempt: str, link: Link) -> Fees:
    """Return what a line beside others owes, also between neighbouring cities. Rule: D3.3, D3.4."""
    options, owners = state.options, state.track[link.laid]
    if link.cities:
        amount, why, paragraph = adjacent_fee(options.adjacent_cities, link.at_home), "adjacent", "D3.4"
    else:
        amount, why, paragraph = link.halves * options.parallel_fee, "parallel", "D3.3"
    if not amount:
        return ()
    beside = [rival for rival in state.codes if rival in owners and rival not in (company, exempt)]
    return tuple([Fee(to=rival, amount=amount, why=why, paragraph=paragraph) for rival in beside])


def adjacent_fee(option: str, at_home: int) -> int:
    """Return the fee for a parallel line between neighbouring cities: ``flat:3`` 3, ``half-hex:1`` 2, ``free`` 0.

    *at_home*: how many of the two are not abroad; there nothing is due. Rule: D3.4, D3.5, R31.
    """
    times = {"flat": min(1, at_home), "half-hex": at_home, "free": 0}[word(option)]
    return times * number(option) if times else 0


# Jumping along a rival's track. Rule: D7.2.

LONGEST_JUMP = 3  # hex-sides from connection to connection. Rule: R8


def jumped_rival(state: State, company: str, start: Hex, end: Hex) -> str | Complaint:
    """Return the rival along whose track *company* may jump from *start* to *end*, or why it may not.

    Of several the first in order of play on whom a jump is left is taken. Rule: D7.2, R8.
    """
    words = format_path(state.board, (start, end))
    if not state.options.jumps:
        return complaint_of("illegal-no-jumps", "D7.2", words)
    if start not in state.reached[company]:
        return complaint_of("illegal-off-network", "D2.4", words, place=words)
    carrying = [code for code in state.codes if code != company and _lies_between(state, code, start, end)]
    # A jump is given back when own track joins its two ends. Rule: D7.2.
    own = state.track_of(company)
    made = [
        jump.rival
        for jump in state.jumps
        if jump.company == company and jump.end not in track_distances(state.board, own, (jump.start,))
    ]
    for rival in carrying:
        if made.count(rival) < state.options.jumps:
            return rival
    code = "illegal-jumps-used" if carrying else "illegal-jump"
    return complaint_of(code, "D7.2", words, jumps=state.options.jumps, most=LONGEST_JUMP)


def _lies_between(state: State, rival: str, start: Hex, end: Hex) -> bool:
    """Return whether at most three hex-sides of *rival*'s track lead from *start* to *end*, from abroad only where track may.

    Rule: D2.6, D7.2.
    """
    board = state.board
    shut = board.is_foreign(start) and board.foreign_build != "free"
    sides = [laid for laid in state.track_of(rival) if not (shut and start in laid) or laid in board.permitted]
    return start != end and end in track_distances(board, sides, (start,), within=LONGEST_JUMP)
