"""What a built-in player builds: pieces for its rolls, and between races what it has money to spare for."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from bench.before.dampfross.seeing import dream_of, leaning, temper_of
from referee.core import Hex, cheapest_costs, cheapest_way, side
from referee.games.dampfross.board import RailMap
from referee.games.dampfross.building import Gang, build
from referee.games.dampfross.changes import CHANGES, Record
from referee.games.dampfross.costs import fees_due, points_of, step_refusal
from referee.games.dampfross.events import HomeChosen
from referee.games.dampfross.options import Options
from referee.games.dampfross.state import Build, ChooseHome, Order, Piece, State, Table, all_homes, homes_of

# What steps of building cost a built-in player, and which hexes it likes.

LEAST_TASTE = 60  # per cent
FAR = 60  # points; no step costs more

Land = Mapping[Hex, tuple[tuple[Hex, int], ...]]  # a hex to those beside it, with what the step costs


@lru_cache(maxsize=8192)
def taste(company: str, label: Hex) -> int:
    """Return 60..140 per cent: companies differ in what they like, the same one always likes the same."""
    return LEAST_TASTE + hashlib.sha256(f"{company}/{label}".encode()).digest()[0] % 81


class Steps:
    """What a company's next steps cost on one position: ten for a point, and what fees weigh for its temper.

    The rules are asked once for a hex, and not at all where nobody's track is near: only the map counts there.
    """

    def __init__(self, state: State, company: str) -> None:
        self.state, self.company = state, company
        self._weight = temper_of(state.table.codes, company).fee_weight
        self._land = _open_land(state.table.board, state.table.options)
        self._settled = frozenset().union(*state.reached.values(), *state.track)
        self._known: dict[Hex, tuple[tuple[Hex, int], ...]] = {}

    def __call__(self, label: Hex) -> tuple[tuple[Hex, int], ...]:
        if label not in self._known:
            self._known[label] = tuple(self._steps(label))
        return self._known[label]

    def _steps(self, label: Hex) -> Iterator[tuple[Hex, int]]:
        state, company = self.state, self.company
        for other, cost in self._land[label]:
            # A company's own taste for a hex, up to half a point, parts those who start from the same town.
            cost += (taste(company, other) - LEAST_TASTE) // 16
            if label not in self._settled and other not in self._settled:
                yield other, cost
            elif not step_refusal(state, company, label, other, FAR):
                yield other, cost + self._weight * sum(fee.amount for fee in fees_due(state, company, label, other))


@lru_cache(maxsize=16)
def points_alone(board: RailMap, costs: str) -> Land:
    """Return what steps cost, in tenths of a point, were there neither rivals nor a border."""

    def steps(label: Hex) -> Iterator[tuple[Hex, int]]:
        for other in board.steps_from(label):
            if other in board.ground and side(label, other) not in board.closed:
                yield other, 10 * points_of(board, costs, label, other)

    return {label: tuple(steps(label)) for label in board.ground}


@lru_cache(maxsize=16)
def _open_land(board: RailMap, options: Options) -> Land:
    """Return what steps cost that may be laid on the empty board. Rule: D2.2-D2.6."""
    empty = State(table=Table(board=board, options=options, players=()))

    def may_lay(start: Hex, end: Hex) -> bool:
        return step_refusal(empty, "", start, end, FAR) is None

    steps = points_alone(board, options.costs)
    return {label: tuple(step for step in steps[label] if may_lay(label, step[0])) for label in steps}


def affordable(state: State, company: str, way: tuple[Hex, ...], left: int) -> tuple[tuple[Hex, ...], int]:
    """Return the beginning of *way* that *left* points pay for, and its points."""
    spent, path = 0, way[:1]
    for start, end in pairwise(way):
        cost = points_of(state.table.board, state.table.options.costs, start, end)
        if spent + cost > left:
            break
        spent, path = spent + cost, (*path, end)
    return path, spent


def fees_of(state: State, company: str, path: tuple[Hex, ...]) -> int:
    """Return the units that rivals would get for laying *path* on the board as it lies."""
    return sum(fee.amount for step in pairwise(path) for fee in fees_due(state, company, *step))


# Where a built-in player builds next: the town that gives most for its cost, after the company's own temper.

NEAR = 14  # points; towns are first looked for near the network


def best_way(state: State, company: str, avoided: set[Hex]) -> tuple[Hex, ...] | None:
    """Return the way from the own network to the town that gives most for its cost."""
    starts, steps = sorted(state.reached[company]), Steps(state, company)
    for within in (NEAR, FAR):
        costs = cheapest_costs(starts, steps, within * 10)
        goal = _best_goal(state, company, costs, within, avoided)
        if goal is not None:
            found = cheapest_way(starts, (goal,), steps)
            return found[1] if found else None
    return None


def _best_goal(state: State, company: str, costs: Mapping[Hex, int], within: int, avoided: set[Hex]) -> Hex | None:
    """Return the town (or end of a special) within so many points that is worth most for its cost."""
    nearest = _nearest_rivals(state, company, within)
    drawn = _attraction(state, company)
    best: tuple[int, Hex] | None = None
    for label, gain in _goals(state, company).items():
        if label in avoided or label not in costs:
            continue
        if label in state.table.board.station_at and label not in state.connected:
            gain += 9 if costs[label] < nearest.get(label, within * 10) else 2
        worth = gain * taste(company, label) * drawn(label) // (costs[label] + 10)
        if best is None or worth > best[0]:
            best = (worth, label)
    return best[1] if best else None


def _attraction(state: State, company: str) -> Callable[[Hex], int]:
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
    land = points_alone(state.table.board, state.table.options.costs)
    return cheapest_costs(sorted(starts), land.__getitem__, within * 10)


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
    claimed = _prior_claims(state, company)
    for roll, points in enumerate(state.rolls_of(company), start=1):
        pieces = _spend(record, company, roll, points, claimed) if roll in wanted else ()
        if pieces:
            orders.append(Build(roll=roll, pieces=pieces))
    return orders


def _prior_claims(state: State, company: str) -> frozenset[Hex]:
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
            build(record, roll, Gang(company=company, pieces=(piece,), left=left))
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
