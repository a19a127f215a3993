"""What may be seen of a position, as plain values: the door to templates, and the file that is mailed for programs.

Nothing on a Dampfross board is secret, so every reader sees the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec.structs import asdict

from referee.core.hexes import Side, format_side
from referee.core.orders import of_kind
from referee.core.telling import Tallies
from referee.games.dampfross.board.railmap import MOUNTAIN
from referee.games.dampfross.declaring import entry_limit
from referee.games.dampfross.draws import draws_view
from referee.games.dampfross.events import CityConnected, Event, PrizePaid, TrackLaid, TrainEntered, TrainMoved
from referee.games.dampfross.names import end_name, place_name
from referee.games.dampfross.notation import money_of
from referee.games.dampfross.options import allowed_building
from referee.games.dampfross.racing import allowance, david_leader, decider, may_build
from referee.games.dampfross.state import BUILD, NEUTRAL, RACE, Race, State, homes_of, quota_of


def view(state: State, player: str | None) -> dict[str, Any]:
    """Return the position as plain JSON values."""
    board = state.board
    return {
        "board": board.name,
        "title": board.title,
        "round": state.round,
        "last_round": state.last_round,
        "building_rounds": state.building_rounds,
        "phase": state.phase,
        "turn": state.turn,
        "rolls": list(state.rolls),
        "room_in": _room_in(state),
        "first_round_ways": board.first_round_ways,
        "may_build": may_build(state),
        "pace": state.table.pace,
        "options": asdict(state.options),
        "asked": _decision_view(state),
        "allowance": allowance(state),
        "built_by": allowed_building(state.options).by,
        "limit": entry_limit(state) if state.phase == RACE else 0,
        "companies": [_company(state, code) for code in state.codes],
        "track": [[format_side(side), list(owners)] for side, owners in sorted(state.track.items())],
        "cities": [
            {
                "keys": list(station.keys),
                "name": station.name,
                "hex": station.hex,
                "place": board.hex_name(station.hex),
                "connected": station.hex in state.connected,
            }
            for station in board.stations
        ],
        "specials": [
            {
                **asdict(special),
                "places": [{"name": place_name(board, each), "hex": board.hex_name(each)} for each in special.hexes],
            }
            for special in board.specials
        ],
        "draws": draws_view(state) if state.options.race_schedule == "dice" else None,
        "races": [race_view(state, race) for race in state.offered()],
        "calendar": [race_view(state, race) for race in state.races if race.status == "open"],
        "winners": list(state.winners),
        "totals": {code: list(state.totals.get(code, ())) for code in state.codes},
    }


def _decision_view(state: State) -> dict[str, Any] | None:
    """Return the decision that is asked for when companies are asked one by one."""
    if not state.agenda:
        return None
    item = state.agenda[0]
    return {"kind": item.what, "number": item.number, "company": item.company, "player": decider(state)}


def _room_in(state: State) -> list[dict[str, Any]]:
    """Return how many companies may start in each city where that is limited. Rule: D1.3."""
    board = state.board
    return [{"city": place_name(board, city), "companies": most} for city, most in quota_of(state).items()]


def _banked_view(state: State, code: str) -> list[dict[str, Any]]:
    """Return what a company has put aside for bridges. Rule: R28."""
    bridges = state.board.bridges
    return [
        {"side": format_side(each), "bridge": bridges[each].name, "points": points, "price": bridges[each].price}
        for each, points in sorted(state.banked.get(code, {}).items())
    ]


def race_view(state: State, race: Race) -> dict[str, Any]:
    """Return a race with the names of its ends; ``carried`` if it was on offer before."""
    board = state.board
    return {
        "number": race.number,
        "round": race.round,
        "start": {"key": race.start, "name": end_name(board, race.start)},
        "end": {"key": race.end, "name": end_name(board, race.end)},
        "carried": race.round < state.round,
    }


def place_in(balance: Mapping[str, int], code: str) -> int:
    """Return a company's place by its balance; equal ones share a place. Rule: D9."""
    return 1 + sum(other > balance[code] for other in balance.values())


def player_name(state: State, code: str) -> str:
    """Return the name of who leads a company, "" for David and for who is known by his company alone."""
    company = state.table.company(code)
    name = next((player.name for player in state.table.players if player.code == company.player), "")
    return "" if name in (company.code, company.name) else name


def _company(state: State, code: str) -> dict[str, Any]:
    company = state.table.company(code)
    board = state.board
    return {
        "code": code,
        "name": company.name,
        "colour": company.colour,
        "player": player_name(state, code),
        "leader": company.player,
        "chooses_home": company.player or david_leader(state, 1),
        "rolls": list(state.rolls_of(code)) if state.phase == BUILD else [],
        "balance": state.balance.get(code, 0),
        "home": place_name(board, state.home[code]) if code in state.home else "",
        "homes": [place_name(board, city) for city in homes_of(state, code)],
        "banked": _banked_view(state, code),
        "length": sum(code in owners for owners in state.track.values()),
    }


# What the last newsletter tells of the whole game, from its events alone: money, who paid whom, track, races, cities,
# dice.

CITIES = 12  # are told, those that brought most

_MEAN = 7  # of two throws of a die


def summary(state: State, events: tuple[Event, ...]) -> dict[str, Any]:
    """Return statistics of a game that is over; *events*: of all its turns that the referee has led.

    ``money``: of each company cities connected first, prizes, fees and tolls received and paid, what track cost it, in units;
    these and ``start`` make ``now``. ``paid``: by payer what each other had of him, the neutral railway too if ``neutral``.
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
        "cities": _cities(state, events),
    }


def _money(state: State, code: str, money: dict[str, Any]) -> dict[str, Any]:
    now = state.balance[code]
    received, paid = (sum(each["amount"] for each in money[way]) for way in ("received", "paid"))
    flows = {"bonus": money["bonus"], "prizes": money["prizes"], "received": received, "paid": -paid}
    return {"code": code, "start": now - money["change"], **flows, "track": -money["spent"], "now": now}


def _track(state: State, events: tuple[Event, ...], code: str) -> dict[str, Any]:
    laid = [each for each in of_kind(TrackLaid, events) if each.company == code]
    ground = state.board.ground
    return {
        "code": code,
        "sides": len(laid),
        "mountains": sum(MOUNTAIN in (ground.get(each.start), ground.get(each.end)) for each in laid),
        "points": sum(each.cost for each in laid),
        "units": sum(each.units for each in laid),
    }


def _races(events: tuple[Event, ...], code: str) -> dict[str, Any]:
    """Return what a company's trains did; a joint train is that of both."""
    throws = [each.throw for each in of_kind(TrainMoved, events) if code in each.train.split("+")]
    return {
        "code": code,
        "entered": sum(isinstance(each, TrainEntered) and code in each.companies for each in events),
        "won": sum(isinstance(each, PrizePaid) and each.company == code and each.place == 1 for each in events),
        "throws": len(throws),
        "sum": sum(throws),
        "luck": _halves(2 * sum(throws) - _MEAN * len(throws)),
    }


def _halves(number: int) -> str:
    """Return so many halves as ``+3.5``, ``-2`` or ``0``."""
    sign = "+" if number > 0 else "-" if number < 0 else ""
    return f"{sign}{abs(number) // 2}{'.5' if number % 2 else ''}"


def _cities(state: State, events: tuple[Event, ...]) -> list[dict[str, Any]]:
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
        "place": {code: place_in(state.balance, code) for code in codes},
        "home": {code: place_name(board, state.home[code]) for code in codes if code in state.home},
        "track": {
            code: tuple(name(side) for side, owners in sorted(state.track.items()) if code in owners) for code in codes
        },
        "banked": {code: sum(state.banked.get(code, {}).values()) for code in codes},
        "connected": {"": tuple(each.name for each in board.paying.values() if each.hex in state.connected)},
        "run": {"": tuple(str(race.number) for race in state.races if race.status == "run")},
    }
