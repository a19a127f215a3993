"""A built-in player of Dampfross: it sees what is mailed to everybody (``Game.view``) and writes orders as a player would.

It plays sensibly, not brilliantly: towards the towns that give most for their cost, and into the races it can win.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from referee.core.game import Player
from referee.core.graph import cheapest_costs, cheapest_way
from referee.core.hexes import Hex, Side, neighbours, side
from referee.core.orders import Complaint
from referee.games.dampfross.building import build_alone
from referee.games.dampfross.costs import fees_due, points_of
from referee.games.dampfross.events import HomeChosen
from referee.games.dampfross.mapfile import map_of, shipped_map_text
from referee.games.dampfross.maps import MOUNTAIN, RailMap
from referee.games.dampfross.options import PRESETS, Options
from referee.games.dampfross.orders import Build, ChooseHome, Order, Piece, Route, Run
from referee.games.dampfross.record import Record
from referee.games.dampfross.routes import Train, cap_of, train_on
from referee.games.dampfross.schedule import ends_of
from referee.games.dampfross.state import BUILD, Race, State, Table
from referee.games.dampfross.telling import format_order

FAR = 60  # points; no town is worth more
FEE_WEIGHT = 12  # a unit that goes to a rival, in tenths of a point
DEAREST_FEES = 8  # units a company will pay rivals for one piece
RESERVE = 12  # units a company keeps for tolls when it builds between races
TOLL_WEIGHTS = (0, 3, 8, 20)  # what a unit of toll weighs against ten points of movement, from hurried to mean

Node = tuple[Hex, str]


def position_of(seen: Mapping[str, Any], board: RailMap, options: Options) -> State:
    """Return the position that a view shows. *seen*: ``Game.view`` as mailed."""
    players = tuple(
        Player(code=each["code"], colour=each["colour"], name=each["player"], company=each["name"])
        for each in seen["companies"]
    )
    named = {station.name: station.hex for station in board.stations}
    home = {each["code"]: named[each["home"]] for each in seen["companies"] if each["home"]}
    track = {_side(text): tuple(owners) for text, owners in seen["track"]}
    reached = {
        player.code: frozenset(label for laid, owners in track.items() if player.code in owners for label in laid)
        | ({home[player.code]} if player.code in home else set())
        for player in players
    }
    return State(
        table=Table(board=board, options=options, players=players),
        round=seen["round"],
        phase=seen["phase"],
        rolls=tuple(seen["rolls"]),
        home=home,
        balance={each["code"]: each["balance"] for each in seen["companies"]},
        track=track,
        reached=reached,
        connected=frozenset(city["hex"] for city in seen["cities"] if city["connected"]),
        races=tuple(
            Race(number=race["number"], start=race["start"]["key"], end=race["end"]["key"], round=race["round"])
            for race in seen["calendar"]
        ),
    )


def answer(seen: Mapping[str, Any], company: str) -> tuple[str, ...]:
    """Return a company's order lines for the position of a newsletter, on a map that comes with the game.

    *seen*: ``Game.view`` as mailed. Rule options are taken as those of preset ``postal``.
    """
    board = map_of(shipped_map_text(seen["board"]), seen["board"])
    return write_orders(position_of(seen, board, PRESETS["postal"]), company, seen["allowance"], seen["limit"])


def write_orders(state: State, company: str, allowance: int, limit: int) -> tuple[str, ...]:
    """Return a company's order lines for the round that is awaited.

    *allowance*: points for building after the races, 0 for none; *limit*: races that may be entered.
    """
    orders = _orders_of_building(state, company) if state.phase == BUILD else []
    if state.phase != BUILD:
        orders = [*_entries(state, company, limit), *_building_between_races(state, company, allowance)]
    return tuple(format_order(state, order) for order in orders) or ("PASS",)


def _side(text: str) -> Side:
    one, _, other = text.partition("-")
    return one, other


def _taste(company: str, label: Hex) -> int:
    """Return 60..140 per cent: companies differ in what they like, the same one always likes the same."""
    return 60 + hashlib.sha256(f"{company}/{label}".encode()).digest()[0] % 81


# --- building ---


def _orders_of_building(state: State, company: str) -> list[Order]:
    orders: list[Order] = []
    record = Record(state)
    if company not in state.home:
        home = _best_home(state, company)
        orders.append(ChooseHome(cities=(home,)))
        record.add(HomeChosen(company=company, hex=home))
    for roll, points in enumerate(state.rolls, start=1):
        pieces = _spend(record, company, roll, points, pays=False)
        if pieces:
            orders.append(Build(roll=roll, pieces=pieces))
    return orders


def _best_home(state: State, company: str) -> Hex:
    """Return a home: companies spread over the homes in order of play."""
    homes = state.table.board.homes["any"]
    return homes[state.table.codes.index(company) % len(homes)]


def _spend(record: Record, company: str, roll: int, points: int, pays: bool) -> tuple[Piece, ...]:
    """Lay pieces for *points* towards the best towns, one after another, and return them."""
    pieces: list[Piece] = []
    left = points
    avoided: set[Hex] = set()
    while left > 0:
        way = _best_way(record.state, company, avoided)
        if way is None:
            break
        path, cost = _affordable(record.state, way, left)
        avoided.add(way[-1])
        purse = min(DEAREST_FEES, max(0, record.state.balance[company]))
        if len(path) > 1 and _fees(record.state, company, path) <= purse:
            piece = Piece(path=path)
            build_alone(record, company, roll, left, (piece,), pays=pays)
            pieces.append(piece)
            left -= cost
            if path == way:
                avoided.discard(way[-1])
    return tuple(pieces)


def _best_way(state: State, company: str, avoided: set[Hex]) -> tuple[Hex, ...] | None:
    """Return the way from the own network to the town that gives most for its cost."""
    edges = _Edges(state, company)
    starts = sorted(state.reached[company])
    costs = cheapest_costs(starts, edges, FAR * 10)
    nearest = _nearest_rivals(state, company)
    best: tuple[int, Hex] | None = None
    for station in state.table.board.stations:
        label = station.hex
        if label in state.reached[company] or label in avoided or label not in costs:
            continue
        gain = 3 * len(station.keys)
        if label not in state.connected:
            gain += 9 if costs[label] < nearest.get(label, FAR * 10) else 2
        worth = gain * _taste(company, label) * 100 // (costs[label] + 10)
        if best is None or worth > best[0]:
            best = (worth, label)
    if best is None:
        return None
    found = cheapest_way(starts, (best[1],), edges)
    return found[1] if found else None


def _nearest_rivals(state: State, company: str) -> dict[Hex, int]:
    """Return what it costs the rival who is nearest to each hex to get there, in tenths of a point."""
    starts = {label for code in state.table.codes if code != company for label in state.reached[code]}
    return cheapest_costs(sorted(starts), _Edges(state, ""), FAR * 10)


@dataclass(frozen=True, slots=True)
class _Edges:
    """What a company's next steps cost: ten for a point, twelve for a unit of fees; "" pays no fees."""

    state: State
    company: str

    def __call__(self, label: Hex) -> Iterable[tuple[Hex, int]]:
        board, state = self.state.table.board, self.state
        for other in neighbours(label):
            if other not in board.ground:
                continue
            laid = side(label, other)
            if laid in board.closed or self.company in state.owners(laid):
                continue
            cost = 10 * points_of(board, state.table.options.costs, label, other)
            if not self.company:
                yield other, cost
                continue
            yield other, cost + FEE_WEIGHT * sum(fee.amount for fee in fees_due(state, self.company, label, other))


def _affordable(state: State, way: tuple[Hex, ...], left: int) -> tuple[tuple[Hex, ...], int]:
    """Return the beginning of *way* that *left* points pay for, and its points."""
    spent, path = 0, way[:1]
    for start, end in pairwise(way):
        cost = points_of(state.table.board, state.table.options.costs, start, end)
        if spent + cost > left:
            break
        spent, path = spent + cost, (*path, end)
    return path, spent


def _fees(state: State, company: str, path: tuple[Hex, ...]) -> int:
    """Return the units that rivals would get for laying *path* on the board as it lies."""
    return sum(fee.amount for step in pairwise(path) for fee in fees_due(state, company, *step))


def _building_between_races(state: State, company: str, allowance: int) -> list[Order]:
    """Spend on a new town when there is money to spare."""
    points = min(allowance, state.balance[company] - RESERVE)
    if points < 3:
        return []
    way = _best_way(state, company, set())
    if way is None:
        return []
    path, cost = _affordable(state, way, points)
    return [Build(roll=1, pieces=(Piece(path=path),))] if path == way and cost <= points else []


# --- races ---


def _entries(state: State, company: str, limit: int) -> list[Run]:
    """Return the entries that promise most, best first cut at *limit*, in number order."""
    promising: list[tuple[int, Run]] = []
    for race in state.offered():
        mine = _best_train(state, company, race)
        if mine is None:
            continue
        rivals = [train for code in state.table.codes if code != company and (train := _best_train(state, code, race))]
        faster = sum(_moves(state, train) < _moves(state, mine) for train in rivals)
        equal = sum(_moves(state, train) == _moves(state, mine) for train in rivals)
        prize = {0: 20, 1: 10}.get(faster, 0) - 3 * equal
        worth = prize - sum(mine.tolls.values())
        if worth > 0:
            over = tuple("" if owner == company else owner for owner in mine.owners)
            promising.append((worth, Run(race=race.number, routes=(Route(path=mine.path, over=over),))))
    promising.sort(key=lambda entry: (-entry[0], entry[1].race))
    return sorted((run for _, run in promising[:limit]), key=lambda run: run.race)


def _best_train(state: State, company: str, race: Race) -> Train | None:
    """Return the company's train with the best of movement and tolls that may run, None where none may."""
    best: tuple[int, Train] | None = None
    for weight in TOLL_WEIGHTS:
        train = _train_by(state, company, race, weight)
        if train is None or any(toll > cap_of(state) for toll in train.tolls.values()):
            continue
        if sum(train.tolls.values()) > max(0, state.balance[company]):
            continue
        worth = 10 * _moves(state, train) + 6 * sum(train.tolls.values())
        if best is None or worth < best[0]:
            best = (worth, train)
    return best[1] if best else None


def _train_by(state: State, company: str, race: Race, weight: int) -> Train | None:
    board = state.table.board

    def edges(node: Node) -> Iterable[tuple[Node, int]]:
        label, before = node
        for other in neighbours(label):
            for owner in state.owners(side(label, other)):
                toll = 0 if owner == company else 1 if owner == before else 2
                yield (other, owner), 10 * _points(board, label, other) + weight * toll

    starts = [(label, "") for label in ends_of(board, race.start)]
    goals = [(label, code) for label in ends_of(board, race.end) for code in state.table.codes]
    found = cheapest_way(starts, goals, edges)
    if found is None:
        return None
    path = tuple(label for label, _ in found[1])
    over = tuple(owner for _, owner in found[1][1:])
    train = train_on(state, (company,), race, Route(path=path, over=over))
    return None if isinstance(train, Complaint) else train


def _points(board: RailMap, label: Hex, other: Hex) -> int:
    return 2 if board.ground[other] == MOUNTAIN and board.ground[label] != MOUNTAIN else 1


def _moves(state: State, train: Train) -> int:
    """Return the points of movement of a train's route."""
    board = state.table.board
    return sum(_points(board, one, other) for one, other in pairwise(train.path))
