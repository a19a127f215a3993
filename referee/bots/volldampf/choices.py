"""What a built-in player may deliver now, and how good it finds that."""

from __future__ import annotations

from msgspec.structs import replace

from referee.bots.volldampf.seeing import Seat
from referee.core.values import Value
from referee.games.volldampf.board.board import LOK
from referee.games.volldampf.phase.deliveries import legal_deliveries, owners_on
from referee.games.volldampf.position.names import gaps
from referee.games.volldampf.position.orders import Delivery

OWN, OTHERS, LEADER = 10, 3, 2  # what a space is worth: to the player, to a rival, to the leader on top
LOK_COST = 6  # what a Schnelle Lok must bring
ROUTE, ENDS, VIA = range(3)  # how a delivery is written


class Choice(Value):
    """A delivery that is possible. ``gain``: own spaces; ``certain``: its cube lies there already."""

    delivery: Delivery
    gain: int
    rating: int
    certain: bool = True

    def written(self, seat: Seat) -> Delivery:
        """Return the delivery as this player writes it: with its route, with its ends alone, or by way of a city."""
        route = self.delivery.route
        form = (seat.taste(255) + len(route) + self.gain) % 3
        if form == ROUTE or seat.state.table.options.route_needed:
            return self.delivery
        between = [city for city in route[1:-1] if gaps(seat.state.table.board, (route[0], city, route[-1]))]
        # Cities that printed links join one to the next would be read as the route.
        via = tuple(between[:1]) if form == VIA else ()
        return replace(self.delivery, route=(), via=via)


def best_choices(seat: Seat) -> list[Choice]:
    """Return what may be delivered now, the best first."""
    state, longest = seat.state, seat.state.table.board.max_links
    deliveries = legal_deliveries(state, seat.code, longest)
    if seat.has(LOK):
        further = legal_deliveries(state, seat.code, longest + 1)
        deliveries += tuple(replace(each, loks=1) for each in further if len(each.route) > longest + 1)
    return sorted((choice_of(seat, each) for each in deliveries), key=lambda choice: -choice.rating)


def choice_of(seat: Seat, delivery: Delivery, *, certain: bool = True) -> Choice:
    """Return what a delivery is worth: own spaces, less what it gives to others."""
    owners = owners_on(seat.state, delivery.route)
    gain = owners.count(seat.code)
    rivals = OTHERS * (len(owners) - gain) + LEADER * owners.count(seat.leader())
    return Choice(delivery=delivery, gain=gain, rating=OWN * gain - rivals - LOK_COST * delivery.loks, certain=certain)
