"""What a game came to, and what is said of a turn in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from referee.core import Amounts, Pair, Side, Tallies, Told, Turn, View, any_of, of_kind, places, rarest_first

from ..board import MOUNTAIN
from ..changes import payments
from ..events import (
    BuildingEnded,
    CityConnected,
    Events,
    HomeChosen,
    PrizePaid,
    RaceCarried,
    RaceDropped,
    RoundEnded,
    TrackLaid,
    TrainEntered,
    TrainMoved,
)
from ..names import place_name
from ..notation import money_of
from ..state import NEUTRAL, State
from . import race_view

# What the last newsletter tells of the whole game, from its events alone: money, who paid whom, track, races, cities,
# dice.

CITIES = 12  # are told, those that brought most

_MEAN = 3.5  # of the throws of a die


def summary(state: State, events: Events) -> View:
    """Return statistics of a game that is over; *events*: of all its turns that the referee has led.

    ``money``: of each company cities connected first, prizes, fees and tolls received and paid, what track cost it, in units;
    these and ``start`` make ``now``. ``paid``: by payer what each other had of them, the neutral railway too if ``neutral``.
    ``track``: hex-sides laid, those of them onto or off mountains, points and units spent. ``races``: trains entered, won, throws
    and their sum, and ``luck``, by how much that is more than three and a half each. ``cities``: bonuses, and the prizes of races
    that begin or end there (so each prize stands at two cities).
    """
    codes = state.codes
    money = {code: money_of(code, events) for code in codes}
    paid = {code: {to["code"]: to["amount"] for to in money[code]["paid"]} for code in codes}
    return {
        "money": [_money(state, code, money[code]) for code in codes],
        "paid": paid,
        "neutral": any(to.get(NEUTRAL) for to in paid.values()),
        "track": [_track(state, events, code) for code in codes],
        "races": [_races(events, code) for code in codes],
        "cities": _paying_cities(state, events),
    }


def _money(state: State, code: str, money: View) -> View:
    now = state.balance[code]
    received, paid = (sum(each["amount"] for each in money[way]) for way in ("received", "paid"))
    flows = {"bonus": money["bonus"], "prizes": money["prizes"], "received": received, "paid": -paid}
    return {"code": code, "start": now - money["change"], **flows, "track": -money["spent"], "now": now}


def _track(state: State, events: Events, code: str) -> View:
    laid = [each for each in of_kind(TrackLaid, events) if each.company == code]
    ground = state.board.ground
    return {
        "code": code,
        "sides": len(laid),
        "mountains": sum(MOUNTAIN in (ground.get(each.start), ground.get(each.end)) for each in laid),
        "points": sum(each.cost for each in laid),
        "units": sum(each.units for each in laid),
    }


def _races(events: Events, code: str) -> View:
    """Return what a company's trains did; a joint train is that of both."""
    throws = [each.throw for each in of_kind(TrainMoved, events) if code in each.train.split("+")]
    luck = sum(throws) - _MEAN * len(throws)
    return {
        "code": code,
        "entered": sum(isinstance(each, TrainEntered) and code in each.companies for each in events),
        "won": sum(isinstance(each, PrizePaid) and each.company == code and each.place == 1 for each in events),
        "throws": len(throws),
        "sum": sum(throws),
        "luck": f"{luck:+g}" if luck else "0",
    }


def _paying_cities(state: State, events: Events) -> list[View]:
    ends = {race.number: race_view(state, race) for race in state.races}
    prizes, bonuses = Counter[str](), Counter[str]()
    for event in events:
        if isinstance(event, CityConnected):
            bonuses[place_name(state.board, event.hex)] += event.bonus
        elif isinstance(event, PrizePaid) and event.race in ends:
            for end in ("start", "end"):
                prizes[ends[event.race][end]["name"]] += event.amount
    best = sorted({*bonuses, *prizes}, key=lambda city: (-bonuses[city] - prizes[city], city))[:CITIES]
    return [{"city": city, "bonus": bonuses[city], "prizes": prizes[city]} for city in best]


# What a corrected newsletter compares: accounts, places, track. Nothing on a Dampfross board is secret.


def tallies(state: State, reader: str | None) -> Tallies:
    """Return units, place and track of each company, and what else may come out otherwise, by name."""
    board, codes = state.board, state.codes

    def name(side: Side) -> str:
        return "-".join(place_name(board, label) for label in side)

    return {
        "balance": {code: state.balance.get(code, 0) for code in codes},
        "place": places({code: state.balance[code] for code in codes}),
        "home": {code: place_name(board, state.home[code]) for code in codes if code in state.home},
        "track": {code: tuple(map(name, sorted(state.track_of(code)))) for code in codes},
        "banked": {code: sum(state.banked.get(code, {}).values()) for code in codes},
        "connected": {"": tuple(each.name for each in board.paying.values() if each.hex in state.connected)},
        "run": {"": tuple(str(race.number) for race in state.races if race.status == "run")},
    }


# What a newsletter says of its turn in one line: of all that can be said, what happens most seldom.

_LONG = (5, 8, 11)  # rounds in the lead
_MUCH = 15  # units to one rival in a turn
_MANY = 3  # prizes, cities
_SIXES = [6, 6]  # with the first throws


class _Rounds(Turn):
    """A turn with its races that were run, as the story has them, and the balances before it."""

    races: list[View]
    before: Amounts


def headlines(state: State, events: Events, races: list[View], before: Amounts) -> Iterator[View]:
    """Yield all lines that could stand above a turn, the rarest first. *races*: as the story has them; *before*: the balances
    before the turn.
    """
    names = {code: state.table.company(code).name or code for code in state.codes}
    run = [race for race in races if race["status"] == "run"]
    return rarest_first(_Rounds(state=state, events=events, names=names, races=run, before=before), KINDS, "city")


def _long_lead(turn: _Rounds) -> Told:
    """Return who has been ahead of all others for so many rounds in a row."""
    for code, mine in turn.state.totals.items():
        others = [totals for other, totals in turn.state.totals.items() if other != code]
        led = [now > max(rivals) for now, *rivals in zip(mine, *others, strict=False)]
        number = [*led[::-1], False].index(False)
        if number in _LONG and turn.of(RoundEnded):
            return turn.about([code], number=number)
    return None


def _best_round(turn: _Rounds) -> Told:
    changes = {code: [now - then for then, now in pairwise(totals)] for code, totals in turn.state.totals.items()}
    earlier = [change for each in changes.values() for change in each[:-1]]
    best = [code for code, each in changes.items() if earlier and each[-1] > max(earlier)]
    return turn.about(best) if turn.races and turn.of(RoundEnded) and len(best) == 1 else None


def _tolls(turn: _Rounds) -> Told:
    """Return the most that one company paid another, from so many units on, where no other paid as much."""
    paid = Counter[Pair]()
    for payer, payee, amount, _ in payments(turn.events):
        if payer in turn.names and payee in turn.names:
            paid[payer, payee] += amount
    most = [pair for pair in paid if _MUCH <= paid[pair] == max(paid.values())]
    return turn.about([most[0][0]], rival=turn.names[most[0][1]], number=paid[most[0]]) if len(most) == 1 else None


def _prizes(turn: _Rounds) -> Told:
    """Return who came in first, with the same partner, wherever they ran, in so many races and more."""
    trains = [train for race in turn.races for train in race["trains"]]
    won = Counter(train["train"] for train in trains if _is_first(train))
    ran = Counter(code for train in trains for code in train["companies"])
    for name, number in won.items():
        if number >= _MANY and all(ran[code] == number for code in name.split("+")):
            return {"name": _joint(turn, name.split("+")), "number": number}
    return None


def _is_first(train: View) -> bool:
    return bool(train["place"] == 1)


def _joint(turn: _Rounds, companies: Iterable[str]) -> str:
    """Return what the companies of a train are called."""
    return " + ".join(turn.names[code] for code in companies)


def _race(turn: _Rounds, when: Callable[[list[View]], Any], whose: Callable[[View], Any] = _is_first) -> Told:
    """Return the first race whose trains, the first one first, are as they should be, told of all *whose* trains are so."""
    for race in turn.races:
        names = [_joint(turn, train["companies"]) for train in race["trains"] if whose(train)]
        if names and when(race["trains"]):
            rival = "".join(_joint(turn, train["companies"]) for train in race["trains"][1:2])
            return {"names": names, "rival": rival, "start": race["start"]["name"], "end": race["end"]["name"]}
    return None


def _cities(turn: _Rounds, least: int = 1, *, alone: bool = True) -> Told:
    """Return who was first to reach so many cities, and which; *alone*: nobody else did in the same step."""
    found: dict[str, list[str]] = {}
    for event in turn.of(CityConnected):
        if turn.state.board.is_city(event.hex) and (event.shared == 1 or not alone):
            found.setdefault(event.company, []).append(place_name(turn.state.board, event.hex))
    for code, cities in found.items():
        if len(cities) >= least:
            return turn.about([code], cities=cities, city=cities[-1])
    return None


def _homes(turn: _Rounds) -> Told:
    homes = [place_name(turn.state.board, event.hex) for event in turn.of(HomeChosen)]
    return {"names": list(dict.fromkeys(homes))} if homes else None


def _most_track(turn: _Rounds) -> Told:
    """Return who alone has laid the most track, and how far."""
    sides = Counter(event.company for event in turn.of(TrackLaid))
    most = [code for code in sides if sides[code] == max(sides.values())]
    ends = {event.company: place_name(turn.state.board, event.end) for event in turn.of(TrackLaid)}
    return turn.about(most, end=ends[most[0]]) if len(most) == 1 else None


def _is_whisker(first: View, second: View) -> bool:
    return bool(second["place"]) and (first["round"], first["left"] - second["left"]) == (second["round"], 1)


# The rarest first, as the recorded games have them; what may stand above turn after turn beside what comes instead by turns; the
# last can always be said.
KINDS: Mapping[str, Callable[[_Rounds], Told]] = {
    "shared-win": lambda turn: turn.winner(shared=True),
    "win": lambda turn: turn.winner(shared=False),
    "debt": lambda turn: turn.about(code for code in turn.before if turn.state.balance[code] < 0 <= turn.before[code]),
    "sixes": lambda turn: _race(turn, any_of, lambda train: _is_first(train) and train["throws"][:2] == _SIXES),
    "dead-heat": lambda turn: _race(turn, lambda trains: any(map(_is_first, trains[1:]))),
    "all-cities": lambda turn: (
        _cities(turn, alone=False)
        if all(each.hex in turn.state.connected for each in turn.state.board.stations)
        else None
    ),
    "building-over": lambda turn: {} if turn.of(BuildingEnded) else None,
    "spree": lambda turn: _cities(turn, _MANY),
    "whisker": lambda turn: _race(turn, lambda trains: trains[1:] and _is_whisker(*trains[:2])),
    "first-trains": lambda turn: (
        {} if turn.races and len(turn.races) == sum(race.status == "run" for race in turn.state.races) else None
    ),
    "hat-trick": _prizes,
    "homes": _homes,
    "tolls": _tolls,
    "best-round": _best_round,
    "stranded": lambda turn: _race(turn, lambda trains: trains[1:], lambda train: train["behind"]),
    "idle": lambda turn: {} if turn.of(RoundEnded) and not turn.of(TrackLaid) and not turn.races else None,
    "led-long": _long_lead,
    "no-train": lambda turn: {} if turn.of((RaceCarried, RaceDropped)) and not turn.races else None,
    "alone": lambda turn: _race(turn, lambda trains: not trains[1:], any_of),
    "duel": lambda turn: _race(turn, lambda trains: trains[1:]),
    "city": _cities,
    "track": _most_track,
    "railhead": _most_track,
    "quiet": lambda _: {},
}
