"""Orders of a built-in player that wait for their moment: sabotage of the leader, whom to rob."""

from __future__ import annotations

from referee.bots.volldampf.seeing import Seat
from referee.games.volldampf.board.board import SABOTAGE
from referee.games.volldampf.phase.deliveries import legal_deliveries, owners_on
from referee.games.volldampf.position.orders import Sabotage, Steal, Target

MOST_TARGETS = 2
WORTH_BARRING = 3  # spaces that a trip brings the leader


def write_sabotage(seat: Seat) -> list[Sabotage]:
    """Wait for the leader's best trips; what waits already stands."""
    if not seat.has(SABOTAGE) or any(line.startswith("SABOTAGE") for line in seat.kept):
        return []
    leader = seat.leader()
    trips = sorted(
        (
            (owners_on(seat.state, trip.route).count(leader), trip)
            for trip in legal_deliveries(seat.state, leader, seat.state.table.board.max_links)
        ),
        key=lambda pair: -pair[0],
    )
    cubes = dict.fromkeys((trip.colour, trip.origin) for gain, trip in trips if gain >= WORTH_BARRING)
    targets = tuple(Target(colour=colour, origin=origin) for colour, origin in list(cubes)[:MOST_TARGETS])
    return [Sabotage(targets=targets, victim=leader)] if targets else []


def write_steal(seat: Seat) -> list[Steal]:
    """Name the leader as the one to rob where the action cards may all be in hands soon."""
    return [Steal(players=(seat.leader(),))] if seat.cards_out < len(seat.state.table.codes) else []
