"""The price list of a game: what track, fees, cities and races cost and bring by its options and its map."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from referee.core.game import Price, Setup
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
        yield Price(part=BUILDING, what="priced", amounts=tuple(sorted(set(board.prices.values()))), paragraph="D2.3")
    yield from _crossings(board)
    if any(board.is_foreign(label) for label in board.ground):
        yield Price(part=BUILDING, what=f"foreign-{board.foreign_build}", paragraph="D2.6")
    if options.jumps:
        yield Price(part=BUILDING, what="jumps", amounts=(0,), count=options.jumps, paragraph="D7.2")


def ground_prices(board: RailMap, options: Options) -> Iterator[Price]:
    """Yield the points for hills and rivers: what every hex-side costs that has no price of its own. Rule: D2.3."""
    yield Price(part=BUILDING, what="plain", amounts=(PLAIN_STEP,), paragraph="D2.3")
    slope, ridge = SLOPE_STEPS[options.costs]
    if MOUNTAIN in board.ground.values():
        yield Price(part=BUILDING, what="slope", amounts=(slope,), paragraph="D2.3")
        yield Price(part=BUILDING, what="mountain", amounts=(ridge,), paragraph="D2.3")
    for points in sorted(set(board.rivers.values())):
        yield Price(
            part=BUILDING, what=river_price(board, options, points), amounts=(points,), more=True, paragraph="D2.3"
        )


def _crossings(board: RailMap) -> Iterator[Price]:
    """Points for bridges, causeways and ferries, each once. Rule: D2.3, R28, R29."""
    for bridge in dict.fromkeys(board.bridges.values()):
        what = bridge_price(bridge)
        yield Price(part=BUILDING, what=what, amounts=(bridge.price,), names=(bridge.name,), paragraph="D2.3")
    for ferry in dict.fromkeys(board.ferries.values()):
        yield Price(
            part=BUILDING,
            what="ferry",
            amounts=(ferry.price,),
            names=(ferry.name,),
            count=ferry.owners,
            paragraph="D2.3",
        )


def _fees(board: RailMap, options: Options) -> Iterator[Price]:
    """Units to each rival while building. Rule: D3.2-D3.5."""
    yield Price(part=FEES, what=f"connection-{options.connection_fee}", amounts=(CONNECTION,), paragraph="D3.2")
    yield Price(part=FEES, what="parallel", amounts=(options.parallel_fee,), paragraph="D3.3")
    if any(board.is_city(other) for city in board.station_at for other in neighbours(city)):
        kind = word(options.adjacent_cities)
        amount = 0 if kind == "free" else number(options.adjacent_cities)
        yield Price(part=FEES, what=f"adjacent-{kind}", amounts=(amount,), paragraph="D3.4")
    abroad = any(board.is_foreign(label) for label in board.ground)
    yield Price(part=FEES, what="free-abroad" if abroad else "free", amounts=(0,), paragraph="D3.4")
    if options.debt == "refused":
        yield Price(part=FEES, what="no-debt", paragraph="D3.6")


def _income(board: RailMap, options: Options) -> Iterator[Price]:
    """Units that a company has and gets. Rule: D1.2, D3.1."""
    yield Price(part=INCOME, what="start", amounts=(START_BALANCE,), paragraph="D1.2")
    yield Price(part=INCOME, what="city", amounts=(CITY_BONUS,), paragraph="D3.1")
    others: dict[int, dict[str, None]] = {}
    for label, place in board.paying.items():
        if place.bonus != CITY_BONUS or not board.is_city(label):
            others.setdefault(place.bonus, {})[place.name] = None
    for bonus, names in sorted(others.items(), reverse=True):
        yield Price(part=INCOME, what="other-city", amounts=(bonus,), names=tuple(names), paragraph="D3.1")
    yield Price(part=INCOME, what="home-pays" if options.home_bonus else "home", paragraph="D3.1")
    yield Price(part=INCOME, what="late" if options.late_bonus else "no-late", paragraph="D3.1")


def _races(board: RailMap, options: Options, players: int, companies: int) -> Iterator[Price]:
    """Units paid and won in races, and spent between them. Rule: D6.3, D6.4, D6.7, D6.9, D7.1, D9."""
    yield Price(part=RACES, what=f"toll-{options.toll}", amounts=(1,), paragraph="D6.3")
    crossings: tuple[Bridge | Ferry, ...] = (*board.bridges.values(), *board.ferries.values())
    for crossing in dict.fromkeys(crossings):
        if crossing.toll is None:
            continue
        yield Price(
            part=RACES, what="toll-crossing", amounts=(crossing.toll,), names=(crossing.name,), paragraph="D6.3"
        )
    if isinstance(options.toll_cap, int):
        yield Price(part=RACES, what="cap", amounts=(options.toll_cap,), paragraph="D6.4")
    else:
        yield Price(part=RACES, what="no-cap", paragraph="D6.4")
    if options.toll_debt == "refused":
        yield Price(part=RACES, what="toll-no-debt", paragraph="D6.3")
    yield from _prizes(options, companies)
    yield _spending(options)
    if word(options.game_ends) == "target":
        target = number(options.game_ends) if ":" in options.game_ends else TARGETS[players]
        yield Price(part=RACES, what="target", amounts=(target,), paragraph="D9")


def _prizes(options: Options, companies: int) -> Iterator[Price]:
    if options.prizes != "shared":
        yield Price(part=RACES, what="prizes", amounts=PRIZES, paragraph="D6.7")
        yield Price(part=RACES, what="prize-alone", amounts=PRIZES[:1], paragraph="D6.8")
        return
    yield Price(part=RACES, what="prize-alone", amounts=SHARED_PRIZES[1], paragraph="D6.9")
    for trains in range(2, companies + 1):
        yield Price(part=RACES, what="prizes-shared", amounts=SHARED_PRIZES[trains], count=trains, paragraph="D6.9")


def _spending(options: Options) -> Price:
    """What may be built between the races. Rule: D7.1."""
    allowed = allowed_building(options)
    amounts = () if allowed.by in (NONE, RACE_INCOME) else (allowed.most,)
    return Price(part=RACES, what=spending_price(options), amounts=amounts, paragraph="D7.1")


def _moves(board: RailMap) -> Iterator[Price]:
    """Points of a throw in a race. Rule: D6.6."""
    yield Price(part=MOVES, what="hex", amounts=(LEVEL,), paragraph="D6.6")
    if MOUNTAIN in board.ground.values():
        yield Price(part=MOVES, what="climb", amounts=(CLIMB,), paragraph="D6.6")
    for ferry in dict.fromkeys(board.ferries.values()):
        yield Price(part=MOVES, what="ferry-moves", amounts=(ferry.moves,), names=(ferry.name,), paragraph="D6.6")
