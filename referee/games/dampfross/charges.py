"""For what a company pays and is paid, by the names of the price list: a letter says the price behind the first mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise, starmap

from referee.core.hexes import Hex, Side, side
from referee.games.dampfross.board.railmap import CITY_BONUS, MOUNTAIN, Bridge, RailMap, climbs_on
from referee.games.dampfross.events import (
    CityConnected,
    Event,
    FeePaid,
    JumpMade,
    PrizePaid,
    TollPaid,
    TrackLaid,
    TrainEntered,
    TrainMoved,
)
from referee.games.dampfross.options import Options, allowed_building, word
from referee.games.dampfross.state import State

Charge = tuple[str, str]  # ``what`` of a Price, and which of several: one of its names or its count; "" for all

HILL_ALONE = "rostherne-3"  # of ``costs``: where one end is a mountain a river adds nothing


def river_price(board: RailMap, options: Options, points: int) -> str:
    """Return what the price list calls a river of so many points."""
    where = "-plain" if options.costs == HILL_ALONE else ""
    return ("river" if points == min(board.rivers.values()) else "wide-river") + where


def bridge_price(bridge: Bridge) -> str:
    """Return what the price list calls a bridge like this one."""
    kind = "causeway" if bridge.built else "bridge-banked" if bridge.banked else "bridge"
    return kind + ("-single" if bridge.single else "")


def spending_price(options: Options) -> str:
    """Return what the price list calls building between the races. Rule: D7.1."""
    return f"build-{allowed_building(options).by.replace(' ', '-')}"


def building_charges(state: State, events: Iterable[Event]) -> list[Charge]:
    """Return for what the events of a company's building take and bring, each once, in order."""
    board, options = state.table.board, state.table.options
    found: dict[Charge, None] = {}
    for event in events:
        if isinstance(event, TrackLaid):
            found.update(dict.fromkeys(step_charges(state, event.start, event.end)))
            if event.units:
                found[spending_price(options), ""] = None
        elif isinstance(event, JumpMade):
            found["jumps", ""] = None
        elif isinstance(event, FeePaid):
            found[_fee(options, event.why), ""] = None
        elif isinstance(event, CityConnected) and event.bonus:
            found[_city(board, event.hex)] = None
    return list(found)


def toll_charges(state: State, path: tuple[Hex, ...], owners: tuple[str, ...], own: Iterable[str]) -> list[Charge]:
    """Return for what a train on this way pays others, and whether it climbs. *owners*: of each hex-side."""
    board = state.table.board
    laid = list(starmap(side, pairwise(path)))
    rented = [here for here, owner in zip(laid, owners, strict=True) if owner not in own]
    usual = f"toll-{state.table.options.toll}", ""
    found = dict.fromkeys(_crossing_toll(board, here) or usual for here in rented)
    if climbs_on(board, path):
        found["climb", ""] = None
    return list(found)


def race_charges(state: State, events: tuple[Event, ...]) -> list[Charge]:
    """Return for what the events of one race take and bring, each once, in order."""
    trains = [event for event in events if isinstance(event, TrainEntered)]
    moved = {event.train for event in events if isinstance(event, TrainMoved)}
    paid = any(isinstance(event, TollPaid) for event in events)
    found: dict[Charge, None] = {}
    for train in trains:
        charges = toll_charges(state, train.route, train.owners, train.companies)
        found.update((each, None) for each in charges if (train.train in moved if each[0] == "climb" else paid))
    if any(isinstance(event, PrizePaid) for event in events):
        found[_prize(state.table.options, len(trains))] = None
    return list(found)


def step_charges(state: State, start: Hex, end: Hex) -> Iterator[Charge]:
    """Yield for what the points of a step are due: the ground, and a river on it. Rule: D2.3."""
    board, options, laid = state.table.board, state.table.options, side(start, end)
    if laid in board.ferries:
        yield "ferry", board.ferries[laid].name
    elif laid in board.bridges:
        yield bridge_price(board.bridges[laid]), board.bridges[laid].name
    elif laid in board.prices:
        yield "priced", ""
    else:
        mountains = (board.ground[start] == MOUNTAIN) + (board.ground[end] == MOUNTAIN)
        yield ("plain", "slope", "mountain")[mountains], ""
        if laid in board.rivers and not (mountains and options.costs == HILL_ALONE):
            yield river_price(board, options, board.rivers[laid]), ""


def _fee(options: Options, why: str) -> str:
    kinds = {"connection": options.connection_fee, "adjacent": word(options.adjacent_cities)}
    return f"{why}-{kinds[why]}" if why in kinds else why


def _city(board: RailMap, city: Hex) -> Charge:
    place = board.paying[city]
    usual = board.is_city(city) and place.bonus == CITY_BONUS
    return ("city", "") if usual else ("other-city", place.name)


def _crossing_toll(board: RailMap, laid: Side) -> Charge | None:
    crossing = board.ferries.get(laid) or board.bridges.get(laid)
    return ("toll-crossing", crossing.name) if crossing is not None and crossing.toll is not None else None


def _prize(options: Options, trains: int) -> Charge:
    if trains == 1:
        return "prize-alone", ""
    return ("prizes", "") if options.prizes != "shared" else ("prizes-shared", str(trains))
