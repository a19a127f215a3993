"""What a newsletter of Volldampf says of its turn in one line: of all that can be said, what happens most seldom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from referee.core.headline import Told, Turn, any_of, rarest_first
from referee.games.volldampf.position.events import (
    BidPaid,
    BondsTaken,
    CityMissed,
    Event,
    IncomePaid,
    InterestPaid,
    LinkBuilt,
)
from referee.games.volldampf.position.state import State
from referee.games.volldampf.position.tripevents import CardPlayed, CubeDelivered, TripBarred, TripDeclined

_FAR = 6  # cities on the way of a delivery
_DEAR = 8  # marks of a section
_CLOSE = 3  # marks of a bid
_HUB = 3  # sections to one city


def headlines(state: State, events: tuple[Event, ...]) -> Iterator[dict[str, Any]]:
    """Yield all lines that could stand above a turn, the rarest first. What is sealed is in none."""
    names = {player.code: player.company or player.code for player in state.table.players}
    return rarest_first(Turn(state=state, events=events, names=names), KINDS)


def _city(turn: Turn, code: str) -> str:
    name: str = turn.state.table.board.city(code).name
    return name


def _by(turn: Turn, kind: type, when: Callable[[Any], Any] = any_of) -> Told:
    """Return whose events of a kind are as they should be; None if none is."""
    return turn.named(event.player for event in turn.of(kind, when))


def _trip(turn: Turn, when: Callable[[Any], Any] = any_of) -> Told:
    """Return what is told of the first delivery that is as it should be."""
    for event in turn.of(CubeDelivered, when):
        return turn.named([event.player], start=_city(turn, event.route[0]), end=_city(turn, event.route[-1]))
    return None


def _ahead(turn: Turn, *, shared: bool) -> Told:
    now = {code: turn.state.score(code) for code in turn.state.order}
    before = Counter(now)
    for trip in turn.of(CubeDelivered):
        before.subtract(trip.steps)
    before.update({event.player: event.points for event in turn.of(BondsTaken)})
    return turn.ahead(before, now, shared=shared)


def _auction(turn: Turn, *, close: bool) -> Told:
    """Return who chooses first, where somebody has bid; *close*: by one mark."""
    bids = sorted((event.bid for event in turn.of(BidPaid)), reverse=True)
    is_close = len(bids) > 1 and bids[0] - bids[1] == 1 and bids[0] >= _CLOSE
    return _by(turn, BidPaid, lambda event: event.bid == bids[0] > 0) if is_close or not close else None


def _built(turn: Turn, least: int) -> Told:
    """Return the dearest section that was built, of at least so many marks."""
    for event in sorted(turn.of(LinkBuilt, lambda each: each.cost >= least), key=lambda each: -each.cost)[:1]:
        return turn.named([event.player], way="-".join(_city(turn, end) for end in event.link.split("-")))
    return None


def _goal(turn: Turn, kind: type, ends: Callable[[Any], Iterable[tuple[str, str]]], least: int) -> Told:
    """Return the city to which so many events of a kind lead."""
    for (city, colour), number in Counter(end for event in turn.of(kind) for end in ends(event)).most_common(1):
        return {"city": _city(turn, city), "colour": colour, "number": number} if number >= least else None
    return None


# The rarest first, as the recorded games have them; the last can always be said.
KINDS: Mapping[str, Callable[[Turn], Told]] = {
    "shared-win": lambda turn: turn.won(shared=True),
    "win": lambda turn: turn.won(shared=False),
    "default": lambda turn: _by(turn, InterestPaid, lambda event: event.back),
    "for-others": lambda turn: _trip(turn, lambda event: event.steps and event.player not in event.steps),
    "bag-empty": lambda turn: next(({"city": _city(turn, event.city)} for event in turn.of(CityMissed)), None),
    "barred": lambda turn: next(
        (turn.named([event.player], rival=turn.names[event.victim]) for event in turn.of(TripBarred)), None
    ),
    "first-track": lambda turn: _by(turn, LinkBuilt) if len(turn.of(LinkBuilt)) == len(turn.state.built) else None,
    "hub": lambda turn: _goal(turn, LinkBuilt, lambda event: [(city, "") for city in event.link.split("-")], _HUB),
    "no-delivery": lambda turn: None if turn.of(CubeDelivered) else _by(turn, TripDeclined),
    "one-goal": lambda turn: _goal(turn, CubeDelivered, lambda event: [(event.route[-1], event.colour)], 2),
    "no-bonds": lambda turn: None if _by(turn, BondsTaken, lambda event: event.points) else _by(turn, BondsTaken),
    "first-delivery": lambda turn: _trip(turn) if turn.state.round == 1 else None,
    "took-lead": lambda turn: _ahead(turn, shared=False),
    "level": lambda turn: _ahead(turn, shared=True),
    "close-bids": lambda turn: _auction(turn, close=True),
    "card": lambda turn: next((turn.named([event.player], card=event.card) for event in turn.of(CardPlayed)), None),
    "bonds": lambda turn: _by(turn, BondsTaken, lambda event: event.points),
    "dear": lambda turn: _built(turn, _DEAR),
    "all-own": lambda turn: _trip(turn, lambda event: {*event.steps} == {event.player} and len(event.route) > _HUB),
    "far": lambda turn: _trip(turn, lambda event: len(event.route) >= _FAR),
    "auction": lambda turn: _auction(turn, close=False),
    "income": lambda turn: _by(turn, IncomePaid),
    "built": lambda turn: _built(turn, 0),
    "delivery": lambda turn: _trip(turn),
    "quiet": lambda _: {},
}
