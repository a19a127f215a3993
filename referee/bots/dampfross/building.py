"""What a built-in player builds: pieces for its rolls, and between races what it has money to spare for."""

from __future__ import annotations

from itertools import pairwise

from referee.bots.dampfross.steps import affordable, fees_of
from referee.bots.dampfross.towns import best_way
from referee.core.hexes import Hex
from referee.games.dampfross.build.building import build_alone
from referee.games.dampfross.build.costs import points_of
from referee.games.dampfross.build.gang import Gang
from referee.games.dampfross.position.changes import CHANGES, Record
from referee.games.dampfross.position.events import HomeChosen
from referee.games.dampfross.position.homes import homes_of
from referee.games.dampfross.position.orders import Build, ChooseHome, Order, Piece
from referee.games.dampfross.position.state import State

DEAREST_FEES = 8  # units a company will pay rivals for one piece
RESERVE = 12  # units a company keeps for tolls when it builds between races


def orders_of_building(state: State, company: str, wanted: list[int]) -> list[Order]:
    """Return the orders of a building round for the *wanted* rolls; all rolls are thought of, one after the other."""
    orders: list[Order] = []
    record = Record(state, CHANGES)
    if company not in state.home:
        home = best_home(state, company)
        if not home:
            return []
        orders.append(ChooseHome(cities=(home,)))
        record.add(HomeChosen(company=company, hex=home))
    claimed = _claimed(state, company)
    for roll, points in enumerate(state.rolls_of(company), start=1):
        pieces = _spend(record, company, roll, points, claimed) if roll in wanted else ()
        if pieces:
            orders.append(Build(roll=roll, pieces=pieces))
    return orders


def _claimed(state: State, company: str) -> frozenset[Hex]:
    """Return where companies before it in the order of play go from the very same network: it leaves these towns to them."""
    codes = state.table.codes
    if company not in codes:
        return frozenset()
    guess = Record(state, CHANGES)
    for code in codes:
        if code not in state.home and (home := best_home(state, code)):
            guess.add(HomeChosen(company=code, hex=home))
    networks = guess.state.reached
    claimed: set[Hex] = set()
    for code in codes[: codes.index(company)]:
        if networks.get(code) == networks.get(company) and (way := best_way(guess.state, code, claimed)):
            claimed.add(way[-1])
    return frozenset(claimed)


def best_home(state: State, company: str) -> Hex:
    """Return a home: companies spread over the homes in order of play; "" where none is left."""
    homes = homes_of(state, company)
    return homes[state.table.codes.index(company) % len(homes)] if homes else ""


def _spend(record: Record, company: str, roll: int, points: int, claimed: frozenset[Hex]) -> tuple[Piece, ...]:
    """Lay pieces for *points* towards the best towns that are not *claimed*, one after another, and return them."""
    pieces: list[Piece] = []
    left = points
    avoided = set(claimed)
    while left > 0:
        way = best_way(record.state, company, avoided)
        if way is None:
            break
        path, cost = affordable(record.state, company, way, left)
        avoided.add(way[-1])
        purse = min(DEAREST_FEES, max(0, record.state.balance[company]))
        if len(path) > 1 and fees_of(record.state, company, path) <= purse:
            piece = Piece(path=path)
            began = record.state.track
            build_alone(record, roll, Gang(company=company, pieces=(piece,), left=left))
            if record.state.track is began:
                continue
            pieces.append(piece)
            left -= cost
            if path == way:
                avoided.discard(way[-1])
    return tuple(pieces)


def building_between_races(state: State, company: str, allowance: int) -> list[Order]:
    """Spend on a new town when there is money to spare."""
    points = min(allowance, state.balance[company] - RESERVE)
    if points < 3 or company not in state.home:
        return []
    way = best_way(state, company, set())
    if way is None:
        return []
    path, _ = affordable(state, company, way, points)
    due = sum(points_of(state.table.board, state.table.options.costs, *step) for step in pairwise(path))
    fits = path == way and due + fees_of(state, company, path) <= points
    return [Build(roll=1, pieces=(Piece(path=path),))] if fits else []
