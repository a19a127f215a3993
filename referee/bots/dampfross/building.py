"""What a built-in player builds: pieces for its rolls, and between races what pays for itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache, partial
from itertools import pairwise

from referee.core import Hex, Path, Value, cheapest_costs, cheapest_tree, way_to
from referee.games.dampfross.board import CITY_BONUS, RailMap
from referee.games.dampfross.building import Gang, build
from referee.games.dampfross.changes import CHANGES, Record
from referee.games.dampfross.costs import fees_due, points_of, step_refusal
from referee.games.dampfross.events import HomeChosen
from referee.games.dampfross.options import Options, word
from referee.games.dampfross.state import Build, ChooseHome, Order, Piece, State, all_homes, homes_of, quota_of

from .. import SECOND, THIRD
from .division import Land, costs_from_towns, points_alone, shares_of
from .seeing import Mind, Same, digest, dream_of, leaning
from .worth import FAR, MOVE, Worth, goals_of

DEAREST = 60  # points; no step costs more
NEAR, WIDE = 14, 60  # points; stretches are looked for near the network first
KEY, FIRST_THERE, LATER = (
    3,
    9,
    2,
)  # what a key is worth while building, and a town that nobody has, where one is nearest or not
GAIN = 0.7  # what a unit in races to come is worth beside
PARTING = 1.5  # how far tastes part companies: the less, the more of them build beside each other, and the further apart they end
SHARE = 120  # what a town of the own share is worth where towns decide when building ends
WHIM = 5  # tenths of a point
DRAWS = 128  # of homes, of which one is taken
RING = 9  # points that a stretch between two places of the own network may cost
MOST_RINGS = 5  # that are looked at more closely
MOST_WEIGHED = 6  # goals of which it is reckoned what they bring in races, while building


class Steps:
    """What a company's next steps cost: ten for a point, and what fees weigh for its temper.

    The rules are asked once for a hex until track is laid beside it: from a hex with track whether a step may be laid, to one
    what it owes. Elsewhere only the map counts.
    """

    def __init__(self, mind: Mind) -> None:
        self.mind = mind
        self._land = _liked_land(mind.state.board, mind.state.options, mind.lot, mind.company)
        self._settled = set().union(*mind.state.reached.values(), *mind.state.track)
        self._fee_weight = mind.temper.fee_weight
        self._known: dict[Hex, tuple[tuple[Hex, int], ...]] = {}
        self.share = shares_of(Same(mind.state), mind.order).get(mind.company, ())

    def __call__(self, label: Hex) -> tuple[tuple[Hex, int], ...]:
        if label not in self._known:
            near = self._land[label]
            free = label not in self._settled and self._settled.isdisjoint(other for other, _ in near)
            self._known[label] = near if free else tuple(self._steps(label))
        return self._known[label]

    def lay(self, state: State, path: Sequence[Hex]) -> None:
        """Go on from the position in which *path* lies."""
        self.mind = self.mind.but(state=state)
        self._settled.update(path)
        for label in path:
            for changed in (label, *state.board.steps_from(label)):
                self._known.pop(changed, None)

    def _steps(self, label: Hex) -> Iterator[tuple[Hex, int]]:
        state, company = self.mind.state, self.mind.company
        for other, cost in self._land[label]:
            if label not in self._settled or not step_refusal(state, company, label, other, DEAREST):
                fees = fees_due(state, company, label, other) if other in self._settled else ()
                yield other, cost + self._fee_weight * sum(fee.amount for fee in fees)


@lru_cache(maxsize=16)
def _liked_land(board: RailMap, options: Options, lot: str, company: str) -> Land:
    """Return the costs on the empty board with a company's own liking for a hex, up to half a point: it parts those who start
    from the same town.
    """
    land = points_alone(board, options)
    liking = {label: digest(lot, company, label)[0] * WHIM // 256 for label in land}
    return {label: tuple((other, cost + liking[other]) for other, cost in steps) for label, steps in land.items()}


def price_of(state: State, path: Sequence[Hex]) -> int:
    """Return the points that a stretch costs."""
    board, costs = state.board, state.options.costs
    return sum(points_of(board, costs, *step) for step in pairwise(path))


def affordable(state: State, path: Path, left: int) -> Path:
    """Return the beginning of a stretch that *left* points pay for."""
    end = next((at for at in range(1, len(path)) if price_of(state, path[: at + 1]) > left), len(path))
    return path[:end]


def fees_of(state: State, company: str, path: Path) -> int:
    """Return the units that rivals would get for laying *path* on the board as it lies."""
    return sum(fee.amount for step in pairwise(path) for fee in fees_due(state, company, *step))


class Extension(Value):
    """Line that might be built: from the own network to a goal, or to the network again. ``price`` in tenths of a point."""

    path: Path
    price: int
    worth: float  # units


def stretches(steps: Steps, worth: Worth | None, within: int, avoided: Set[Hex] = frozenset()) -> list[Extension]:
    """Return what might be built next, with what it is worth: to each goal near by that is not *avoided*, and rings."""
    mind, state = steps.mind, steps.mind.state
    builds = state.phase == "build"
    tree = cheapest_tree(sorted(state.reached[mind.company]), steps, within * 10)
    goals, left_out = goals_of(state.board, state.options), state.reached[mind.company] | avoided
    known = {place for label in state.reached[mind.company] for place in goals.at.get(label, ())}
    found = []
    for label, places in goals.at.items():
        if label in tree and label not in left_out:
            way, price = way_to(tree, label), tree[label][0]
            gain = _bonus(steps, way, price)
            if builds:
                gain = (KEY * sum(goals.weight[place] for place in {*places} - known) + gain) * _liking(mind, label)
            found.append(Extension(path=way, price=price, worth=gain))
    if not worth:
        return found
    if builds:
        found.sort(key=_rate, reverse=True)
        return [each.but(worth=each.worth + GAIN * worth.gain(each.path)) for each in found[:MOST_WEIGHED]]
    found += [Extension(path=way, price=0, worth=0) for way in _rings(mind, worth, steps, tree)]
    return [each.but(worth=each.worth + worth.gain(each.path)) for each in found]


def _rate(stretch: Extension) -> tuple[float, Path]:
    return stretch.worth / (stretch.price + 8), stretch.path


def _liking(mind: Mind, label: Hex) -> float:
    """Return what part of its worth a goal has for a company's temper."""
    state, temper, home = mind.state, mind.temper, mind.state.home[mind.company]
    towns = tuple(station.hex for station in state.board.stations)
    last = len(mind.order) - 1 - mind.turn  # who goes first from a common home has the dream that is worth least
    dream = dream_of(towns, all_homes(state) or (home,), last)
    there = sum(label in reached for code, reached in state.reached.items() if code != mind.company)
    taste = 0.6 + mind.whim(label) / 320
    return float((taste * leaning(temper, home, label, dream) / 100 * (temper.crowd / 100) ** there) ** PARTING)


def _rings(mind: Mind, worth: Worth, steps: Steps, tree: Mapping[Hex, tuple[int, Hex | None]]) -> list[Path]:
    """Return stretches that join two places of the network that are far from each other by the track that lies."""
    roots: dict[Hex, Hex] = {}
    for label, (_, before) in tree.items():  # in order of cost: who comes before is known
        roots[label] = label if before is None else roots[before]
    cheapest: dict[tuple[Hex, Hex], tuple[int, Hex, Hex]] = {}
    for one, (cost, _) in tree.items():
        if cost > RING * 5:
            break
        for other, step in steps(one):
            if other in tree and roots[one] < roots[other] and (price := cost + step + tree[other][0]) <= RING * 10:
                key = roots[one], roots[other]
                if price < cheapest.get(key, (FAR, one, other))[0]:
                    cheapest[key] = (price, one, other)
    rated = sorted(((-worth.detour(*key) // price, price, one, other) for key, (price, one, other) in cheapest.items()))
    return [
        (*way_to(tree, one), *reversed(way_to(tree, other)))
        for rate, _, one, other in rated[:MOST_RINGS]
        # Two points of movement for one of building; from abroad no line goes on, so that the second way may not end there.
        if rate < -MOVE // 5 and tree[other][1] in (None, *dict(steps(other)))
    ]


def _bonus(steps: Steps, way: Path, price: int) -> float:
    """Return the units for connecting towns first, as far as one may hope for them. Rule: D2.7, D3.1."""
    mind, total = steps.mind, 0.0
    state = mind.state
    board, options = state.board, state.options
    if state.phase != "build" and not options.late_bonus:
        return 0
    first = next((town for town in steps.share if town not in state.reached[mind.company]), None)
    for label in way[1:]:
        if label in board.paying and label not in state.connected:
            costs = {
                code: _land_of(board, options, labels).get(label, FAR)
                for code, labels in state.reached.items()
                if labels
            }
            own = costs.pop(mind.company, FAR)
            nearest = own <= min(costs.values(), default=FAR)
            total += (FIRST_THERE if nearest else LATER) * board.paying[label].bonus / CITY_BONUS
            total += SHARE * (1 + price / 60) * ((label in steps.share) + 3 * (label == first))
    return total


@lru_cache(maxsize=16)
def _land_of(board: RailMap, options: Options, reached: frozenset[Hex]) -> Mapping[Hex, int]:
    """Return what it costs to get to hexes near a network, in tenths of a point."""
    within = 10 * (WIDE if word(options.building_ends) == "cities-left" else NEAR)
    return cheapest_costs(sorted(reached), points_alone(board, options).__getitem__, within)


def best_stretch(steps: Steps, worth: Worth | None, avoided: set[Hex], near: int = NEAR) -> Extension | None:
    """Return the stretch that gives most for its price and leads to none of some hexes; *near* points are looked for first."""
    for within in (near, WIDE)[bool(steps.share) :]:
        found = [each for each in stretches(steps, worth, within, avoided) if each.worth > 0]
        if found:
            return max(found, key=_rate)
    return None


DEAREST_FEES = 8  # units a company will pay rivals for one piece


def orders_of_building(mind: Mind, wanted: list[int]) -> list[Order]:
    """Return the orders of a building round for the *wanted* rolls; all rolls are thought of, one after the other."""
    state, company = mind.state, mind.company
    orders: list[Order] = []
    if company not in state.home:
        homes = guessed_homes(mind)
        if company not in homes:
            return []
        if 1 in wanted:  # who leads David first chooses David's home
            orders.append(home_choice(mind.state, company, homes[company]))
        record = Record(state, CHANGES)
        for code, home in homes.items():
            record.add(HomeChosen(company=code, hex=home))
        mind = mind.but(state=record.state)
    record = Record(mind.state, CHANGES)
    steps, worth, avoided = Steps(mind), Worth(mind) if mind.strength == THIRD else None, _prior_claims(mind)
    for roll, points in enumerate(state.rolls_of(company), start=1):
        pieces = _spend(steps, record, worth, roll, points, set(avoided)) if roll in wanted else ()
        if pieces:
            orders.append(Build(roll=roll, pieces=pieces))
    return orders


def _spend(
    steps: Steps, record: Record, worth: Worth | None, roll: int, points: int, avoided: set[Hex]
) -> tuple[Piece, ...]:
    """Lay pieces for *points*, the best first, and return them."""
    pieces: list[Piece] = []
    company, left, state = steps.mind.company, points, steps.mind.state
    # In the last round of building a stretch is one that its rolls still pay for.
    last, later = state.options.building_ends == f"rounds:{state.round}", sum(state.rolls_of(company)[roll:])
    while left > 0 and (stretch := best_stretch(steps, worth, avoided, min(NEAR, left + later) if last else NEAR)):
        state = steps.mind.state
        path = affordable(state, stretch.path, left)
        avoided.add(stretch.path[-1])
        if len(path) < 2 or fees_of(state, company, path) > min(DEAREST_FEES, max(0, state.balance[company])):
            continue
        piece = Piece(path=path)
        build(record, roll, Gang(company, (piece,), left))
        if record.state.track is state.track:
            continue
        pieces.append(piece)
        steps.lay(record.state, path)
        if worth:
            worth.lay(path)
        left -= price_of(state, path)
        if path == stretch.path:
            avoided.discard(path[-1])
    return tuple(pieces)


def _prior_claims(mind: Mind) -> set[Hex]:
    """Return where companies that the game drew before it go from the very same network: it leaves these goals to them."""
    state, claimed = mind.state, set[Hex]()
    for code in mind.order:
        if code == mind.company:
            return claimed
        same = state.reached.get(code) == state.reached[mind.company]
        if same and (stretch := best_stretch(Steps(mind.but(company=code)), None, claimed)):
            claimed.add(stretch.path[-1])
    return claimed


def guessed_homes(mind: Mind) -> dict[str, Hex]:
    """Return where everybody starts: who has no home gets that of the draw, of many, which shares out the keys most evenly."""
    return min((_drawn_homes(mind, draw) for draw in range(DRAWS)), key=partial(_unevenness, mind.state))


def home_choice(state: State, company: str, home: Hex) -> ChooseHome:
    """Return the order for a home; where others may be there first, the other ones follow, from the nearest on."""
    costs = costs_from_towns(state.board, state.options)[home]
    open_to = homes_of(state, company) if home in quota_of(state) else (home,)
    return ChooseHome(cities=tuple(sorted(open_to, key=costs.__getitem__)[: len(state.codes)]))


def _drawn_homes(mind: Mind, draw: int) -> dict[str, Hex]:
    homes = {**mind.state.home}
    for code, number in zip(mind.order, digest(mind.lot, str(draw)), strict=False):
        free = homes_of(mind.state.but(home=homes), code)
        if free and code not in homes:
            homes[code] = free[number % len(free)]
    return homes


def _unevenness(state: State, homes: Mapping[str, Hex]) -> tuple[int, float]:
    """Return how many start together, then how unevenly keys and specials fall to who is nearest; who are as near share."""
    goals, costs = goals_of(state.board, state.options), costs_from_towns(state.board, state.options)
    shares = dict.fromkeys(homes, 0.0)
    for hexes, weight in zip(goals.hexes, goals.weight, strict=True):
        near = {code: min(map(costs[home].__getitem__, hexes)) for code, home in homes.items()}
        least = min(near.values())
        nearest = [code for code, cost in near.items() if cost == least]
        for code in nearest:
            shares[code] += weight / len(nearest)
    return sum(map([*homes.values()].count, homes.values())), sum(share**2 for share in shares.values())


RESERVE = 20  # units a company keeps for tolls when it builds between races
LEAST_PROFIT = {SECOND: 3.0, THIRD: 1.0}  # what a stretch must bring for each unit


def building_between_races(mind: Mind, allowance: int, tolls: int) -> list[Order]:
    """Return what pays for itself in the races that are still to come, beside the *tolls* of those that are entered now."""
    state, company = mind.state, mind.company
    left = min(allowance, state.balance[company] - max(RESERVE, tolls + DEAREST_FEES))
    if left < 1 or company not in state.home or mind.strength not in LEAST_PROFIT:
        return []
    record, steps, worth, pieces = Record(state, CHANGES), Steps(mind), Worth(mind), list[Piece]()
    while left > 0:
        state = steps.mind.state
        found = [
            (each.worth / due, due, each.path)
            for each in stretches(steps, worth, left)
            if (due := price_of(state, each.path) + fees_of(state, company, each.path)) <= left
        ]
        profit, due, path = max(found, default=(0.0, 0, ()))
        if profit <= LEAST_PROFIT[mind.strength]:
            break
        piece = Piece(path=path)
        build(record, 1, Gang(company, (piece,), left, pays=True))
        if record.state.track is state.track:
            break
        pieces.append(piece)
        steps.lay(record.state, path)
        worth.lay(path)
        left -= due
    return [Build(roll=1, pieces=tuple(pieces))] if pieces else []
