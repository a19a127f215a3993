"""A built-in player of Dampfross: it sees what is mailed to everybody (``Game.view``) and writes orders as a player would.

It plays sensibly, not brilliantly: towards the towns that give most for their cost, each company after its own temper, and into
the races it can win.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

from referee.bots.tempers import dream_of, leaning, temper_of
from referee.core.game import Player
from referee.core.graph import cheapest_costs, cheapest_way
from referee.core.hexes import Hex, Side, side
from referee.core.orders import Complaint
from referee.games.dampfross.building import Gang, build_alone
from referee.games.dampfross.caps import cap_of
from referee.games.dampfross.costs import fees_due, points_of, step_refusal
from referee.games.dampfross.events import HomeChosen
from referee.games.dampfross.homes import all_homes, homes_of
from referee.games.dampfross.mapfile import map_of, shipped_map_text
from referee.games.dampfross.maps import RailMap
from referee.games.dampfross.movement import points_to_enter
from referee.games.dampfross.options import Options
from referee.games.dampfross.orders import Build, ChooseHome, Order, Piece, Route, Run
from referee.games.dampfross.record import Record
from referee.games.dampfross.routes import Train, train_on
from referee.games.dampfross.schedule import ends_of
from referee.games.dampfross.seats import david_leader, led_by
from referee.games.dampfross.state import BUILD, DAVID, Company, Race, State, Table
from referee.games.dampfross.telling import format_order

LEAST_TASTE = 60  # per cent
NEAR, FAR = 14, 60  # points; towns are first looked for near the network
DEAREST_FEES = 8  # units a company will pay rivals for one piece
RESERVE = 12  # units a company keeps for tolls when it builds between races
TOLL_WEIGHTS = (0, 3, 8, 20)  # what a unit of toll weighs against ten points of movement, from hurried to mean

Node = tuple[Hex, str]


def position_of(seen: Mapping[str, Any], board: RailMap) -> State:
    """Return the position that a view shows. *seen*: ``Game.view`` as mailed."""
    companies = tuple(
        Company(code=each["code"], colour=each["colour"], name=each["name"], player=each["leader"])
        for each in seen["companies"]
    )
    leaders = [company for company in companies if company.player == company.code]
    players = tuple(Player(code=each.code, colour=each.colour, name=each.name) for each in leaders)
    options = Options(**seen["options"])
    named = {station.name: station.hex for station in board.stations}
    home = {each["code"]: named[each["home"]] for each in seen["companies"] if each["home"]}
    track = {_side(text): tuple(owners) for text, owners in seen["track"]}
    reached = {
        code.code: frozenset(label for laid, owners in track.items() if code.code in owners for label in laid)
        | ({home[code.code]} if code.code in home else set())
        for code in companies
    }
    return State(
        table=Table(board=board, options=options, players=players, companies=companies, pace=seen["pace"]),
        round=seen["round"],
        phase=seen["phase"],
        rolls=tuple(seen["rolls"]),
        own_rolls={each["code"]: tuple(each["rolls"]) for each in seen["companies"] if each["rolls"]},
        home=home,
        balance={each["code"]: each["balance"] for each in seen["companies"]},
        track=track,
        reached=reached,
        connected=frozenset(city["hex"] for city in seen["cities"] if city["connected"]),
        racing_from=seen["building_rounds"] + 1 if seen["phase"] != BUILD else 0,
        races=tuple(
            Race(number=race["number"], start=race["start"]["key"], end=race["end"]["key"], round=race["round"])
            for race in seen["calendar"]
        ),
    )


def answer(seen: Mapping[str, Any], player: str) -> tuple[str, ...]:
    """Return a player's order lines for the position of a newsletter, on a map that comes with the game.

    *seen*: ``Game.view`` as mailed.
    """
    return write_orders(position_of(seen, map_of(shipped_map_text(seen["board"]), seen["board"])), seen, player)


def answer_with_orders(seen: Mapping[str, Any], player: str) -> tuple[Order, ...]:
    """Return the same as order values, for one who does not go through the order language."""
    state = position_of(seen, map_of(shipped_map_text(seen["board"]), seen["board"]))
    companies = led_by(state, player)
    return tuple(order for company in companies for order in _orders_of(state, seen, player, company))


def write_orders(state: State, seen: Mapping[str, Any], player: str) -> tuple[str, ...]:
    """Return a player's order lines for what is awaited of him, for each company he leads."""
    lines: list[str] = []
    for company in led_by(state, player):
        orders = _orders_of(state, seen, player, company)
        if orders and company != player:
            lines.append(f"FOR {company}")
        lines += [format_order(state, order) for order in orders]
    return tuple(lines) or ("PASS",)


def _orders_of(state: State, seen: Mapping[str, Any], player: str, company: str) -> list[Order]:
    asked = seen["asked"]
    if asked and asked["company"] != company:
        return []
    if state.phase == BUILD:
        rolls = range(1, len(state.rolls_of(company)) + 1)
        wanted = [roll for roll in rolls if company != DAVID or david_leader(state, roll) == player]
        return _orders_of_building(state, company, wanted)
    orders: list[Order] = []
    if company not in state.home and (home := _best_home(state, company)):
        orders.append(ChooseHome(cities=(home,)))
    if not asked or asked["kind"] == "declare":
        orders += _entries(state, company, seen["limit"], asked["number"] if asked else 0)
    if company != DAVID and seen["may_build"] and (not asked or asked["kind"] == "spend"):
        orders += _building_between_races(state, company, seen["allowance"] or RESERVE)
    return orders


def _side(text: str) -> Side:
    one, _, other = text.partition("-")
    return one, other


@lru_cache(maxsize=8192)
def _taste(company: str, label: Hex) -> int:
    """Return 60..140 per cent: companies differ in what they like, the same one always likes the same."""
    return LEAST_TASTE + hashlib.sha256(f"{company}/{label}".encode()).digest()[0] % 81


# --- building ---


def _orders_of_building(state: State, company: str, wanted: list[int]) -> list[Order]:
    orders: list[Order] = []
    record = Record(state)
    if company not in state.home:
        home = _best_home(state, company)
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
    guess = Record(state)
    for code in codes:
        if code not in state.home and (home := _best_home(state, code)):
            guess.add(HomeChosen(company=code, hex=home))
    networks = guess.state.reached
    claimed: set[Hex] = set()
    for code in codes[: codes.index(company)]:
        if networks.get(code) == networks.get(company) and (way := _best_way(guess.state, code, claimed)):
            claimed.add(way[-1])
    return frozenset(claimed)


def _best_home(state: State, company: str) -> Hex:
    """Return a home: companies spread over the homes in order of play; "" where none is left."""
    homes = homes_of(state, company)
    return homes[state.table.codes.index(company) % len(homes)] if homes else ""


def _spend(record: Record, company: str, roll: int, points: int, claimed: frozenset[Hex]) -> tuple[Piece, ...]:
    """Lay pieces for *points* towards the best towns that are not *claimed*, one after another, and return them."""
    pieces: list[Piece] = []
    left = points
    avoided = set(claimed)
    while left > 0:
        way = _best_way(record.state, company, avoided)
        if way is None:
            break
        path, cost = _affordable(record.state, company, way, left)
        avoided.add(way[-1])
        purse = min(DEAREST_FEES, max(0, record.state.balance[company]))
        if len(path) > 1 and _fees(record.state, company, path) <= purse:
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


def _best_way(state: State, company: str, avoided: set[Hex]) -> tuple[Hex, ...] | None:
    """Return the way from the own network to the town that gives most for its cost."""
    starts = sorted(state.reached[company])
    for within in (NEAR, FAR):
        goal = _best_goal(state, company, starts, within, avoided)
        if goal is not None:
            found = cheapest_way(starts, (goal,), _Edges(state, company))
            return found[1] if found else None
    return None


def _best_goal(state: State, company: str, starts: list[Hex], within: int, avoided: set[Hex]) -> Hex | None:
    """Return the town (or end of a special) within so many points that is worth most for its cost."""
    costs = cheapest_costs(starts, _Edges(state, company), within * 10)
    nearest = _nearest_rivals(state, company, within)
    drawn = _drawn_to(state, company)
    best: tuple[int, Hex] | None = None
    for label, gain in _goals(state, company).items():
        if label in avoided or label not in costs:
            continue
        if label in state.table.board.station_at and label not in state.connected:
            gain += 9 if costs[label] < nearest.get(label, within * 10) else 2
        worth = gain * _taste(company, label) * drawn(label) // (costs[label] + 10)
        if best is None or worth > best[0]:
            best = (worth, label)
    return best[1] if best else None


def _drawn_to(state: State, company: str) -> Callable[[Hex], int]:
    """Return what tells how much of its worth a town has for a company's temper, in per cent."""
    codes, board = state.table.codes, state.table.board
    temper, home = temper_of(codes, company), state.home[company]
    towns = tuple(station.hex for station in board.stations)
    homes = all_homes(state) or (home,)
    dream = dream_of(towns, homes, codes.index(company) if company in codes else 0)

    def drawn(label: Hex) -> int:
        share = leaning(temper, home, label, dream)
        for code in codes:
            if code != company and label in state.reached[code]:
                share = share * temper.crowd // 100
        return share

    return drawn


def _goals(state: State, company: str) -> dict[Hex, int]:
    """Return the towns, and the ends of specials of which none is reached yet, with what they are worth for races."""
    board, reached = state.table.board, state.reached[company]
    goals = {station.hex: 3 * len(station.keys) for station in board.stations if station.hex not in reached}
    for special in board.specials:
        if not reached.intersection(special.hexes):
            goals.update((label, 4) for label in special.hexes if label not in goals)
    return goals


def _nearest_rivals(state: State, company: str, within: int) -> dict[Hex, int]:
    """Return what it costs the rival who is nearest to each hex to get there, in tenths of a point."""
    starts = {label for code in state.table.codes if code != company for label in state.reached[code]}
    return cheapest_costs(sorted(starts), _Edges(state, ""), within * 10)


@dataclass(frozen=True, slots=True)
class _Edges:
    """What a company's next steps cost: ten for a point, and what fees weigh for its temper; "" pays none."""

    state: State
    company: str

    def __call__(self, label: Hex) -> Iterable[tuple[Hex, int]]:
        board, state = self.state.table.board, self.state
        weight = temper_of(state.table.codes, self.company).fee_weight
        for other in board.linked(label):
            if other not in board.ground or not may_lay(state, self.company, label, other):
                continue
            cost = 10 * points_of(board, state.table.options.costs, label, other)
            if not self.company:
                yield other, cost
                continue
            # A company's own taste for a hex, up to half a point, parts those who start from the same town.
            cost += (_taste(self.company, other) - LEAST_TASTE) // 16
            yield other, cost + weight * sum(fee.amount for fee in fees_due(state, self.company, label, other))


def may_lay(state: State, company: str, start: Hex, end: Hex) -> bool:
    """Return whether a company may lay a step at all, were its network there. Rule: D2.2-D2.6."""
    if not company:
        return side(start, end) not in state.table.board.closed
    return step_refusal(state, company, start, end, FAR) is None


def _affordable(state: State, company: str, way: tuple[Hex, ...], left: int) -> tuple[tuple[Hex, ...], int]:
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
    if points < 3 or company not in state.home:
        return []
    way = _best_way(state, company, set())
    if way is None:
        return []
    path, _ = _affordable(state, company, way, points)
    due = sum(points_of(state.table.board, state.table.options.costs, *step) for step in pairwise(path))
    fits = path == way and due + _fees(state, company, path) <= points
    return [Build(roll=1, pieces=(Piece(path=path),))] if fits else []


# --- races ---


def _entries(state: State, company: str, limit: int, only: int) -> list[Run]:
    """Return the entries that promise most, at most *limit* of them, in number order; *only* the race asked for, if any."""
    promising: list[tuple[int, Run]] = []
    for race in state.offered():
        if only and race.number != only:
            continue
        mine = _best_train(state, company, race)
        if mine is None:
            continue
        rivals = [
            train
            for code in state.table.codes
            if code not in (company, DAVID) and (train := _best_train(state, code, race))
        ]
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
        if board.is_foreign(label) and before and board.foreign_build != "free":
            return
        for other in board.linked(label):
            for owner in state.owners(side(label, other)):
                toll = 0 if owner == company else 1 if owner == before else 2
                yield (other, owner), 10 * points_to_enter(board, label, other) + weight * toll

    starts = [(label, "") for label in ends_of(board, race.start)]
    goals = [(label, code) for label in ends_of(board, race.end) for code in state.table.codes]
    found = cheapest_way(starts, goals, edges)
    if found is None:
        return None
    path = tuple(label for label, _ in found[1])
    over = tuple(owner for _, owner in found[1][1:])
    train = train_on(state, (company,), race, Route(path=path, over=over))
    return None if isinstance(train, Complaint) else train


def _moves(state: State, train: Train) -> int:
    """Return the points of movement of a train's route."""
    board = state.table.board
    return sum(points_to_enter(board, one, other) for one, other in pairwise(train.path))
