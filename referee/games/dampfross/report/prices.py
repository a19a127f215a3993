"""The price list of a game: what track, fees, cities and races cost and bring by its options and its map."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from referee.core.game import Price, Setup, price
from referee.core.hexes import neighbours
from referee.games.dampfross.board.mapfile import board_of
from referee.games.dampfross.board.railmap import CITY_BONUS, CLIMB, LEVEL, MOUNTAIN, Bridge, Ferry, RailMap
from referee.games.dampfross.costs import CONNECTION, PLAIN_STEP, SLOPE_STEPS
from referee.games.dampfross.notation import bridge_price, river_price, spending_price
from referee.games.dampfross.options import (
    NONE,
    RACE_INCOME,
    TARGETS,
    Options,
    allowed_building,
    choose_options,
    number,
    word,
)
from referee.games.dampfross.racing import PRIZES, SHARED_PRIZES, companies_of
from referee.games.dampfross.state import START_BALANCE

BUILDING, FEES, INCOME, RACES, MOVES = "building", "fees", "income", "races", "moves"


@lru_cache(maxsize=16)
def prices(setup: Setup) -> tuple[Price, ...]:
    """Return the list for a game as it was agreed. Raises OptionError, MapError."""
    options = choose_options(setup.preset, setup.options)
    board = board_of(setup.board, setup.board_name)
    companies = len(companies_of(setup.players, options.two_players))
    return (
        *_building(board, options),
        *_fees(board, options),
        *_income(board, options),
        *_races(board, options, len(setup.players), companies),
        *_moves(board),
    )


def _building(board: RailMap, options: Options) -> Iterator[Price]:
    """Points of a roll. Rule: D2.3, D2.6, R28, R29."""
    yield from ground_prices(board, options)
    if board.prices:
        yield price(BUILDING, "priced", "D2.3", *sorted(set(board.prices.values())))
    yield from _crossings(board)
    if any(board.is_foreign(label) for label in board.ground):
        yield price(BUILDING, f"foreign-{board.foreign_build}", "D2.6")
    if options.jumps:
        yield price(BUILDING, "jumps", "D7.2", 0, count=options.jumps)


def ground_prices(board: RailMap, options: Options) -> Iterator[Price]:
    """Yield the points for hills and rivers: what every hex-side costs that has no price of its own. Rule: D2.3."""
    yield price(BUILDING, "plain", "D2.3", PLAIN_STEP)
    slope, ridge = SLOPE_STEPS[options.costs]
    if MOUNTAIN in board.ground.values():
        yield price(BUILDING, "slope", "D2.3", slope)
        yield price(BUILDING, "mountain", "D2.3", ridge)
    for points in sorted(set(board.rivers.values())):
        yield price(BUILDING, river_price(board, options, points), "D2.3", points, more=True)


def _crossings(board: RailMap) -> Iterator[Price]:
    """Points for bridges, causeways and ferries, each once. Rule: D2.3, R28, R29."""
    for bridge in dict.fromkeys(board.bridges.values()):
        what = bridge_price(bridge)
        yield price(BUILDING, what, "D2.3", bridge.price, names=(bridge.name,))
    for ferry in dict.fromkeys(board.ferries.values()):
        yield price(BUILDING, "ferry", "D2.3", ferry.price, names=(ferry.name,), count=ferry.owners)


def _fees(board: RailMap, options: Options) -> Iterator[Price]:
    """Units to each rival while building. Rule: D3.2-D3.5."""
    yield price(FEES, f"connection-{options.connection_fee}", "D3.2", CONNECTION)
    yield price(FEES, "parallel", "D3.3", options.parallel_fee)
    if any(board.is_city(other) for city in board.station_at for other in neighbours(city)):
        kind = word(options.adjacent_cities)
        amount = 0 if kind == "free" else number(options.adjacent_cities)
        yield price(FEES, f"adjacent-{kind}", "D3.4", amount)
    abroad = any(board.is_foreign(label) for label in board.ground)
    yield price(FEES, "free-abroad" if abroad else "free", "D3.4", 0)
    if options.debt == "refused":
        yield price(FEES, "no-debt", "D3.6")


def _income(board: RailMap, options: Options) -> Iterator[Price]:
    """Units that a company has and gets. Rule: D1.2, D3.1."""
    yield price(INCOME, "start", "D1.2", START_BALANCE)
    yield price(INCOME, "city", "D3.1", CITY_BONUS)
    others: dict[int, dict[str, None]] = {}
    for label, place in board.paying.items():
        if place.bonus != CITY_BONUS or not board.is_city(label):
            others.setdefault(place.bonus, {})[place.name] = None
    for bonus, names in sorted(others.items(), reverse=True):
        yield price(INCOME, "other-city", "D3.1", bonus, names=tuple(names))
    yield price(INCOME, "home-pays" if options.home_bonus else "home", "D3.1")
    yield price(INCOME, "late" if options.late_bonus else "no-late", "D3.1")


def _races(board: RailMap, options: Options, players: int, companies: int) -> Iterator[Price]:
    """Units paid and won in races, and spent between them. Rule: D6.3, D6.4, D6.7, D6.9, D7.1, D9."""
    yield price(RACES, f"toll-{options.toll}", "D6.3", 1)
    crossings: tuple[Bridge | Ferry, ...] = (*board.bridges.values(), *board.ferries.values())
    for crossing in dict.fromkeys(crossings):
        if crossing.toll is None:
            continue
        yield price(RACES, "toll-crossing", "D6.3", crossing.toll, names=(crossing.name,))
    if isinstance(options.toll_cap, int):
        yield price(RACES, "cap", "D6.4", options.toll_cap)
    else:
        yield price(RACES, "no-cap", "D6.4")
    if options.toll_debt == "refused":
        yield price(RACES, "toll-no-debt", "D6.3")
    yield from _prizes(options, companies)
    yield _spending(options)
    if word(options.game_ends) == "target":
        target = number(options.game_ends) if ":" in options.game_ends else TARGETS[players]
        yield price(RACES, "target", "D9", target)


def _prizes(options: Options, companies: int) -> Iterator[Price]:
    if options.prizes != "shared":
        yield price(RACES, "prizes", "D6.7", *PRIZES)
        yield price(RACES, "prize-alone", "D6.8", *PRIZES[:1])
        return
    yield price(RACES, "prize-alone", "D6.9", *SHARED_PRIZES[1])
    for trains in range(2, companies + 1):
        yield price(RACES, "prizes-shared", "D6.9", *SHARED_PRIZES[trains], count=trains)


def _spending(options: Options) -> Price:
    """What may be built between the races. Rule: D7.1."""
    allowed = allowed_building(options)
    amounts = () if allowed.by in (NONE, RACE_INCOME) else (allowed.most,)
    return price(RACES, spending_price(options), "D7.1", *amounts)


def _moves(board: RailMap) -> Iterator[Price]:
    """Points of a throw in a race. Rule: D6.6."""
    yield price(MOVES, "hex", "D6.6", LEVEL)
    if MOUNTAIN in board.ground.values():
        yield price(MOVES, "climb", "D6.6", CLIMB)
    for ferry in dict.fromkeys(board.ferries.values()):
        yield price(MOVES, "ferry-moves", "D6.6", ferry.moves, names=(ferry.name,))
