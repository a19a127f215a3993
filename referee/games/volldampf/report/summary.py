"""What the last newsletter tells of the whole game, from its events alone: trips, money, whose links were used, cities, cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from referee.core import Pair, Tallies, Told, Turn, View, any_of, of_kind, rarest_first

from ..board import ACTION_CARDS
from ..changes import payment
from ..events import (
    BidPaid,
    BondsTaken,
    CardPlayed,
    CardReturned,
    CityMissed,
    CubeDelivered,
    Events,
    IncomePaid,
    InterestPaid,
    LinkBuilt,
    TrackCardDiscarded,
    TripBarred,
    TripDeclined,
)
from ..state import State
from . import player_view, ranking

Counts = Counter[str]


def summary(state: State, events: Events) -> View:
    """Return statistics of a game that is over; *events*: of all its turns.

    ``trips``: for each player deliveries, trips declined, links travelled, spaces for themselves and for others, links built and
    cards given up. ``money``: what came in and went out, in marks; ``start`` and all of it make ``cash``. ``moved``: by who made
    deliveries, the spaces that they brought to each player. ``cities``: where cubes came to, the most spaces first. ``cards``:
    for each kind of action card how often each player played it.
    """
    codes = state.codes
    return {
        "trips": [_trips(events, code) for code in codes],
        "money": [_money(state, events, code) for code in codes],
        "moved": {code: _spaces_by(events, code) for code in codes},
        "cities": _cities(state, events),
        "cards": _cards(events),
    }


def _trips(events: Events, code: str) -> View:
    own = [event for event in events if getattr(event, "player", "") == code]
    made, moved = of_kind(CubeDelivered, own), _spaces_by(events, code)
    return {
        "code": code,
        "deliveries": len(made),
        "declined": len(of_kind(TripDeclined, own)),
        "links": sum(len(event.route) - 1 for event in made),
        "own": moved.get(code, 0),
        "others": sum(moved.values()) - moved.get(code, 0),
        "built": len(of_kind(LinkBuilt, own)),
        "discarded": len(of_kind(TrackCardDiscarded, own)),
    }


def _money(state: State, events: Events, code: str) -> View:
    flows = dict.fromkeys(("bonds", "income", "auction", "building", "interest"), 0)
    for player, marks, why in map(payment, events):
        if player == code:
            flows[why] += marks
    cash = state.cash[code]
    return {"code": code, "start": cash - sum(flows.values()), **flows, "cash": cash, "points": state.bonds[code]}


def _spaces_by(events: Events, code: str) -> dict[str, int]:
    """Return the spaces that a player's deliveries brought, by whom they moved on."""
    own = (Counter(event.steps) for event in of_kind(CubeDelivered, events) if event.player == code)
    return dict(sum(own, Counts()))


def _cities(state: State, events: Events) -> list[View]:
    """Return the cities where cubes came to, with how many, and the spaces that these trips brought."""
    cubes, spaces = Counts(), Counts()
    for event in of_kind(CubeDelivered, events):
        cubes[event.route[-1]] += 1
        spaces[event.route[-1]] += sum(event.steps.values())
    known = [city for city in state.board.cities if cubes[city.id]]
    return [
        {"city": city.name, "colour": city.colour, "cubes": cubes[city.id], "spaces": spaces[city.id]}
        for city in sorted(known, key=lambda city: -spaces[city.id])
    ]


def _cards(events: Events) -> list[View]:
    """Return how often each player played each card; one that was taken back was not played."""
    played: dict[str, Counts] = {card: Counter() for card in ACTION_CARDS}
    for event in events:
        if isinstance(event, CardPlayed | CardReturned):
            played[event.card][event.player] += 1 if isinstance(event, CardPlayed) else -1
    return [
        {"card": card, "players": {code: n for code, n in by.items() if n}}
        for card, by in played.items()
        if any(by.values())
    ]


# What a corrected newsletter compares: marks, places, track, cubes; of hands only what their reader may see.


def tallies(state: State, reader: str | None) -> Tallies:
    """Return what everybody has and what lies on the board, by name, as *reader* may see it."""
    board, codes = state.board, state.codes
    seen = [player_view(state, code, reader) for code in codes]
    money = {
        name: {each["code"]: each[name] for each in seen if each[name] is not None}
        for name in ("cash", "bonds", "income")
    }
    return {
        **money,
        "place": {one["code"]: one["place"] for one in ranking(state, reader)},
        "sequence": {code: number for number, code in enumerate(state.order, 1)},
        "track": {
            code: tuple(board.link_name(link.id) for link in board.links if state.built.get(link.id) == code)
            for code in codes
        },
        "cards": {each["code"]: each["cards"] for each in seen},
        "actions": {each["code"]: each["actions"] for each in seen if each["actions"] is not None},
        "action-count": {each["code"]: each["action_count"] for each in seen if each["actions"] is None},
        "cubes": {city.name: state.cubes.get(city.id, ()) for city in board.cities},
    }


# What a newsletter of Volldampf says of its turn in one line: of all that can be said, what happens most seldom.

_FAR = 6  # cities on the way of a delivery
_DEAR = 8  # marks of a section
_CLOSE = 6  # marks of a bid
_OWN = 3  # cities on the way of a delivery over one's own track
_HUB = 4  # sections to one city
_GOAL = 3  # cubes to one


def headlines(state: State, events: Events) -> Iterator[View]:
    """Yield all lines that could stand above a turn, the rarest first. What is sealed is in none."""
    names = {player.code: player.company or player.code for player in state.table.players}
    return rarest_first(Turn(state=state, events=events, names=names), KINDS, "all-own")


def _city(turn: Turn, code: str) -> str:
    name: str = turn.state.board.name(code)
    return name


def _by(turn: Turn, kind: type, when: Callable[[Any], Any] = any_of) -> Told:
    """Return whose events of a kind are as they should be; None if none is."""
    return turn.about(event.player for event in turn.of(kind, when))


def _trip(turn: Turn, when: Callable[[Any], Any] = any_of) -> Told:
    """Return what is told of the first delivery that is as it should be."""
    for event in turn.of(CubeDelivered, when):
        return turn.about([event.player], start=_city(turn, event.route[0]), end=_city(turn, event.route[-1]))
    return None


def _by_cash(turn: Turn) -> Told:
    """Return who has won the game with a score that others have as well."""
    score, winners = turn.state.score, turn.state.winners
    is_tie = len(winners) == 1 and [*map(score, turn.state.order)].count(score(winners[0])) > 1
    return turn.about(winners) if is_tie else None


def _bonds(turn: Turn, *, all_do: bool, take: bool = True) -> Told:
    told = _by(turn, BondsTaken, lambda event: bool(event.points) == take)
    return told if told and (len(told["names"]) == len(turn.names)) == all_do else None


def _payday(turn: Turn) -> Told:
    marks = sum(event.amount for event in turn.of(IncomePaid))
    return {"number": marks} if marks and not turn.of(CubeDelivered) else None


def _auction(turn: Turn, *, close: bool) -> Told:
    """Return who chooses first, where somebody has bid; *close*: by one mark, where the referee does not bid just that more."""
    bids = sorted((event.bid for event in turn.of(BidPaid)), reverse=True)
    limited = turn.state.options.auction == "limits" and len(bids) > 2
    is_close = not limited and len(bids) > 1 and bids[0] - bids[1] == 1 and bids[0] >= _CLOSE
    return _by(turn, BidPaid, lambda event: event.bid == bids[0] > 0) if is_close or not close else None


def _dearest_section(turn: Turn, least: int = 0) -> Told:
    """Return the dearest section that was built, of at least so many marks."""
    event = max(turn.of(LinkBuilt), key=lambda each: each.cost, default=None)
    if not event or event.cost < least:
        return None
    return turn.about([event.player], way=turn.state.board.link_name(event.link))


def _goal(turn: Turn, kind: type, ends: Callable[[Any], Iterable[Pair]], least: int) -> Told:
    """Return the city to which so many events of a kind lead."""
    for (city, colour), number in Counter(end for event in turn.of(kind) for end in ends(event)).most_common(1):
        return {"city": _city(turn, city), "colour": colour, "number": number} if number >= least else None
    return None


# The rarest first, as the recorded games have them; what may stand above turn after turn beside what comes instead by turns; the
# last can always be said.
KINDS: Mapping[str, Callable[[Turn], Told]] = {
    "shared-win": lambda turn: turn.winner(shared=True),
    "win-by-cash": _by_cash,
    "win": lambda turn: turn.winner(shared=False),
    "default": lambda turn: _by(turn, InterestPaid, lambda event: event.back),
    "for-others": lambda turn: _trip(turn, lambda event: event.steps and event.player not in event.steps),
    "bag-empty": lambda turn: next(({"city": _city(turn, event.city)} for event in turn.of(CityMissed)), None),
    "one-goal": lambda turn: _goal(turn, CubeDelivered, lambda event: [(event.route[-1], event.colour)], _GOAL),
    "barred": lambda turn: next(
        (turn.about([event.player], rival=turn.names[event.victim]) for event in turn.of(TripBarred)), None
    ),
    "hub": lambda turn: _goal(turn, LinkBuilt, lambda event: [(city, "") for city in event.link.split("-")], _HUB),
    "first-track": lambda turn: _by(turn, LinkBuilt) if len(turn.of(LinkBuilt)) == len(turn.state.built) else None,
    "no-delivery": lambda turn: None if turn.of(CubeDelivered) else _by(turn, TripDeclined),
    "no-bonds": partial(_bonds, all_do=True, take=False),
    # Nobody has had spaces of an earlier one.
    "first-delivery": lambda turn: (
        _trip(turn)
        if sum(sum(event.steps.values()) for event in turn.of(CubeDelivered)) >= sum(turn.state.income.values())
        else None
    ),
    "close-bids": partial(_auction, close=True),
    "card": lambda turn: next((turn.about([event.player], card=event.card) for event in turn.of(CardPlayed)), None),
    "bonds": partial(_bonds, all_do=False),
    "dear": partial(_dearest_section, least=_DEAR),
    "all-own": lambda turn: _trip(turn, lambda event: {*event.steps} == {event.player} and len(event.route) > _OWN),
    "delivery": _trip,
    "far": lambda turn: _trip(turn, lambda event: len(event.route) >= _FAR),
    "auction": partial(_auction, close=False),
    "built": _dearest_section,
    "line": _dearest_section,
    "all-bonds": partial(_bonds, all_do=True),
    "income": _payday,
    "quiet": lambda _: {},
}
