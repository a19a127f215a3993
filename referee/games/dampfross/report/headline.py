"""What a newsletter of Dampfross says of its turn in one line: of all that can be said, what happens most seldom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from referee.core.telling import Told, Turn, any_of, rarest_first
from referee.games.dampfross.events import (
    BuildingEnded,
    CityConnected,
    Event,
    HomeChosen,
    RaceCarried,
    RaceDropped,
    RoundEnded,
    TrackLaid,
    payments,
)
from referee.games.dampfross.names import place_name
from referee.games.dampfross.state import State

_LONG = (5, 8, 11)  # rounds in the lead
_MUCH = 15  # units to one rival in a turn
_MANY = 3  # prizes, cities
_SIXES = [6, 6]  # with the first throws


class _Rounds(Turn):
    """A turn with its races that were run, as the story has them, and the balances before it."""

    races: list[dict[str, Any]]
    before: Mapping[str, int]


def headlines(
    state: State, events: tuple[Event, ...], races: list[dict[str, Any]], before: Mapping[str, int]
) -> Iterator[dict[str, Any]]:
    """Yield all lines that could stand above a turn, the rarest first. *races*: as the story has them; *before*: the balances
    before the turn.
    """
    names = {code: state.table.company(code).name or code for code in state.codes}
    run = [race for race in races if race["status"] == "run" and race["trains"]]
    return rarest_first(_Rounds(state=state, events=events, names=names, races=run, before=before), KINDS)


def _ahead(turn: _Rounds, *, shared: bool) -> Told:
    return turn.ahead(turn.before, turn.state.balance, shared=shared)


def _led_long(turn: _Rounds) -> Told:
    """Return who has been ahead of all others for so many rounds in a row."""
    for code, mine in turn.state.totals.items():
        others = [totals for other, totals in turn.state.totals.items() if other != code]
        led = [now > max(rivals) for now, *rivals in zip(mine, *others, strict=False)]
        number = [*led[::-1], False].index(False)
        if number in _LONG and turn.of(RoundEnded):
            return turn.named([code], number=number)
    return None


def _best_round(turn: _Rounds) -> Told:
    changes = {code: [now - then for then, now in pairwise(totals)] for code, totals in turn.state.totals.items()}
    earlier = [change for each in changes.values() for change in each[:-1]]
    best = [code for code, each in changes.items() if earlier and each[-1] > max(earlier)]
    return turn.named(best[:1]) if turn.races and turn.of(RoundEnded) and len(best) == 1 else None


def _tolls(turn: _Rounds) -> Told:
    """Return the most that one company paid another, from so many units on."""
    paid = Counter[tuple[str, str]]()
    for payer, payee, amount, _ in payments(turn.events):
        if payer in turn.names and payee in turn.names:
            paid[payer, payee] += amount
    for (code, rival), number in paid.most_common(1):
        return turn.named([code], rival=turn.names[rival], number=number) if number >= _MUCH else None
    return None


def _prizes(turn: _Rounds) -> Told:
    won = Counter(train["train"] for race in turn.races for train in race["trains"] if train["place"] == 1)
    for code, number in won.most_common(1):
        return turn.named(code.split("+"), number=number) if number >= _MANY else None
    return None


def _race(turn: _Rounds, when: Callable[[list[dict[str, Any]]], Any], whose: int = 0) -> Told:
    """Return the first race whose trains, the first one first, are as they should be, told of the *whose*-th."""
    for race in turn.races:
        if when(race["trains"]):
            rivals = [turn.names[code] for train in race["trains"][1:2] for code in train["companies"]]
            ends = {"start": race["start"]["name"], "end": race["end"]["name"]}
            return turn.named(race["trains"][whose]["companies"], rival=" + ".join(rivals), **ends)
    return None


def _cities(turn: _Rounds, least: int, when: Callable[[State], bool] = any_of) -> Told:
    """Return who was among the first to reach so many cities, and which."""
    found: dict[str, list[str]] = {}
    for event in turn.of(CityConnected):
        if not turn.state.board.is_city(event.hex):
            continue
        found.setdefault(event.company, []).append(place_name(turn.state.board, event.hex))
    for code, cities in found.items():
        if len(cities) >= least and when(turn.state):
            return turn.named([code], cities=cities, city=cities[-1])
    return None


def _homes(turn: _Rounds) -> Told:
    homes = [place_name(turn.state.board, event.hex) for event in turn.of(HomeChosen)]
    return {"names": list(dict.fromkeys(homes))} if homes else None


def _is_whisker(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return bool(second["place"]) and (first["round"], first["left"] - second["left"]) == (second["round"], 1)


# The rarest first, as the recorded games have them; the last can always be said.
KINDS: Mapping[str, Callable[[_Rounds], Told]] = {
    "shared-win": lambda turn: turn.won(shared=True),
    "win": lambda turn: turn.won(shared=False),
    "debt": lambda turn: turn.named(code for code in turn.before if turn.state.balance[code] < 0 <= turn.before[code]),
    "sixes": lambda turn: _race(turn, lambda trains: trains[0]["throws"][:2] == _SIXES),
    "stranded": lambda turn: _race(turn, lambda trains: trains[1:] and trains[-1]["behind"], -1),
    "building-over": lambda turn: {} if turn.of(BuildingEnded) else None,
    "dead-heat": lambda turn: _race(turn, lambda trains: trains[1:] and trains[1]["place"] == 1),
    "spree": lambda turn: _cities(turn, _MANY),
    "whisker": lambda turn: _race(turn, lambda trains: trains[1:] and _is_whisker(*trains[:2])),
    "all-cities": lambda turn: _cities(
        turn, 1, lambda state: all(s.hex in state.connected for s in state.board.stations)
    ),
    "first-trains": lambda turn: (
        {} if turn.races and len(turn.races) == sum(race.status == "run" for race in turn.state.races) else None
    ),
    "hat-trick": _prizes,
    "homes": _homes,
    "tolls": _tolls,
    "best-round": _best_round,
    "level": lambda turn: _ahead(turn, shared=True),
    "idle": lambda turn: {} if turn.of(RoundEnded) and not turn.of(TrackLaid) and not turn.races else None,
    "led-long": _led_long,
    "took-lead": lambda turn: _ahead(turn, shared=False),
    "no-train": lambda turn: {} if turn.of((RaceCarried, RaceDropped)) and not turn.races else None,
    "alone": lambda turn: _race(turn, lambda trains: not trains[1:]),
    "duel": lambda turn: _race(turn, lambda trains: trains[1:] and trains[0]["place"]),
    "city": lambda turn: _cities(turn, 1),
    "track": lambda turn: turn.named(
        code for code, _ in Counter(event.company for event in turn.of(TrackLaid)).most_common(1)
    ),
    "quiet": lambda _: {},
}
