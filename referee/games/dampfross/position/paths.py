"""From named points to hex by hex: straight runs, or the one shortest way where there is exactly one. Rule: D2.2, R1."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from referee.core.graph import shortest_ways
from referee.core.hexes import Hex, are_neighbours, side, straight_run
from referee.core.orders import Complaint
from referee.games.dampfross.board.railmap import RailMap
from referee.games.dampfross.position.names import format_path, place_name
from referee.games.dampfross.position.state import State

MOST_WAYS = 4  # as many as a complaint lists

Joined = Callable[[Hex, Hex], bool]  # whether a path may go from one hex to its neighbour


def land_run(board: RailMap, start: Hex, end: Hex) -> tuple[Hex, ...] | Complaint:
    """Return the hexes from *start* to *end* for building: the straight run, else the only shortest way over land.

    Cost and closed sides do not choose. A straight run is given even where it leaves the land: the step is refused then.
    Rule: R1.
    """
    if side(start, end) in board.ferries:
        return start, end
    straight = straight_run(start, end)
    if straight is not None and (end not in board.ground or are_neighbours(start, end)):
        return straight
    return _run(board, start, end, lambda _, other: other in board.ground, "D2.2")


def track_run(state: State, company: str, start: Hex, end: Hex, over: str) -> tuple[Hex, ...] | Complaint:
    """Return the hexes from *start* to *end* for a train of *company*: the straight run over track, else the shortest way.

    *over*: a company's acronym keeps the run to its track; "" takes anybody's. Where own track leads another way than the
    shortest one it is not guessed which is meant. Rule: D6.2, R1.
    """
    board = state.table.board
    run = _run(board, start, end, _joined(state, over), "D6.2")
    if over or isinstance(run, Complaint) or run == straight_run(start, end):
        return run
    own = _run(board, start, end, _joined(state, company), "D6.2")
    if isinstance(own, Complaint) or own == run:
        return run
    words = f"{place_name(board, start)} - {place_name(board, end)}"
    return Complaint(
        code="invalid-two-ways",
        paragraph="R1",
        text=words,
        hint=f"{format_path(board, run)} / {format_path(board, own)}",
    )


def coming_run(
    state: State, planned: State, company: str, start: Hex, end: Hex, over: str
) -> tuple[Hex, ...] | Complaint:
    """Return the hexes of a run over track of which some may be laid before the train runs. Rule: D6.2, R1, R32.

    *planned*: the position with all that the writer himself orders to build. A straight run over it goes before a way round
    over today's track, and where no track joins the two it is the run over land: somebody else may lay it.
    """
    today = track_run(state, company, start, end, over)
    straight = straight_run(start, end)
    if today == straight is not None:
        return today
    then = track_run(planned, company, start, end, over)
    if not isinstance(then, Complaint) and (then == straight or isinstance(today, Complaint)):
        return then
    if not isinstance(today, Complaint) or today.code != "illegal-no-line":
        return today
    land = land_run(state.table.board, start, end)
    return today if isinstance(land, Complaint) and land.code == "illegal-no-way" else land


def _joined(state: State, over: str) -> Joined:
    def joined(one: Hex, other: Hex) -> bool:
        owners = state.runnable(side(one, other))
        return over in owners if over else bool(owners)

    return joined


def _run(board: RailMap, start: Hex, end: Hex, joined: Joined, paragraph: str) -> tuple[Hex, ...] | Complaint:
    straight = straight_run(start, end)
    if straight is not None and all(joined(*pair) for pair in pairwise(straight)):
        return straight

    def edges(label: Hex) -> Iterable[tuple[Hex, int]]:
        return [(other, 1) for other in board.linked(label) if joined(label, other)]

    ways = shortest_ways(start, end, edges, MOST_WAYS)
    if len(ways) == 1:
        return ways[0]
    words = f"{place_name(board, start)} - {place_name(board, end)}"
    if not ways:
        code = "illegal-no-way" if paragraph == "D2.2" else "illegal-no-line"
        return Complaint(code=code, paragraph=paragraph, text=words)
    listed = " / ".join(format_path(board, way) for way in ways)
    return Complaint(code="invalid-two-ways", paragraph="R1", text=words, hint=listed)
