"""What there is to order and what it costs: the price list of a game by its options and its map, and lines to copy."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from referee.core import Amounts, Hex, Texts, View, cheapest_tree, neighbours, way_to
from referee.core.game import Price, Prices, Setup, price, price_list

from ..board import CITY_BONUS, CLIMB, LEVEL, MOUNTAIN, Bridge, Ferry, RailMap
from ..board.mapfile import board_of
from ..costs import CONNECTION, PLAIN_STEP, SLOPE_STEPS, points_due, step_refusal
from ..fastest import FASTEST, FEW_TRIES, best_route
from ..notation import (
    NOTHING,
    PIECES,
    bridge_price,
    format_piece,
    format_route,
    river_price,
    roll_label,
    spending_price,
)
from ..options import TARGETS, Options, allowed_building, choose_options, number, word
from ..racing import PRIZES, SHARED_PRIZES
from ..round import may_build
from ..state import DAVID, START_BALANCE, Piece, State, all_homes, companies_of, homes_of


@lru_cache(maxsize=16)
def prices(setup: Setup) -> tuple[Price, ...]:
    """Return the list for a game as it was agreed. Raises OptionError, MapError."""
    options = choose_options(setup.preset, setup.options)
    board = board_of(setup.board, setup.board_name)
    return price_list(
        building=_building(board, options),
        fees=_fees(board, options),
        income=_income(board, options),
        races=_races(board, options, len(setup.players), len(companies_of(setup.players, options.two_players))),
        moves=_moves(board),
    )


def _building(board: RailMap, options: Options) -> Prices:
    """Points of a roll. Rule: D2.3, D2.6, R28, R29."""
    yield from ground_prices(board, options)
    if board.prices:
        yield price("priced", "D2.3", *sorted(set(board.prices.values())))
    for bridge in dict.fromkeys(board.bridges.values()):
        yield price(bridge_price(bridge), "D2.3", bridge.price, names=(bridge.name,))
    for ferry in dict.fromkeys(board.ferries.values()):
        yield price("ferry", "D2.3", ferry.price, names=(ferry.name,), count=ferry.owners)
    if any(board.is_foreign(label) for label in board.ground):
        yield price(f"foreign-{board.foreign_build}", "D2.6")
    if options.jumps:
        yield price("jumps", "D7.2", 0, count=options.jumps)


def ground_prices(board: RailMap, options: Options) -> Prices:
    """Yield the points for hills and rivers: what every hex-side costs that has no price of its own. Rule: D2.3."""
    yield price("plain", "D2.3", PLAIN_STEP)
    slope, ridge = SLOPE_STEPS[options.costs]
    if MOUNTAIN in board.ground.values():
        yield price("slope", "D2.3", slope)
        yield price("mountain", "D2.3", ridge)
    for points in sorted(set(board.rivers.values())):
        yield price(river_price(board, options, points), "D2.3", points, more=True)


def _fees(board: RailMap, options: Options) -> Prices:
    """Units to each rival while building. Rule: D3.2-D3.5."""
    yield price(f"connection-{options.connection_fee}", "D3.2", CONNECTION)
    yield price("parallel", "D3.3", options.parallel_fee)
    if any(board.is_city(other) for city in board.station_at for other in neighbours(city)):
        kind = word(options.adjacent_cities)
        yield price(f"adjacent-{kind}", "D3.4", 0 if kind == "free" else number(options.adjacent_cities))
    yield price("free-abroad" if any(board.is_foreign(label) for label in board.ground) else "free", "D3.4", 0)
    if options.debt == "refused":
        yield price("no-debt", "D3.6")


def _income(board: RailMap, options: Options) -> Prices:
    """Units that a company has and gets. Rule: D1.2, D3.1."""
    yield price("start", "D1.2", START_BALANCE)
    yield price("city", "D3.1", CITY_BONUS)
    others: dict[int, dict[str, None]] = {}
    for label, place in board.paying.items():
        if place.bonus != CITY_BONUS or not board.is_city(label):
            others.setdefault(place.bonus, {})[place.name] = None
    for bonus, names in sorted(others.items(), reverse=True):
        yield price("other-city", "D3.1", bonus, names=tuple(names))
    yield price("home-pays" if options.home_bonus else "home", "D3.1")
    yield price("late" if options.late_bonus else "no-late", "D3.1")


def _races(board: RailMap, options: Options, players: int, companies: int) -> Prices:
    """Units paid and won in races, and spent between them. Rule: D6.3, D6.4, D6.7, D6.9, D7.1, D9."""
    yield price(f"toll-{options.toll}", "D6.3", 1)
    crossings: tuple[Bridge | Ferry, ...] = (*board.bridges.values(), *board.ferries.values())
    for crossing in dict.fromkeys(crossings):
        if crossing.toll is not None:
            yield price("toll-crossing", "D6.3", crossing.toll, names=(crossing.name,))
    if isinstance(options.toll_cap, int):
        yield price("cap", "D6.4", options.toll_cap)
    else:
        yield price("no-cap", "D6.4")
    if options.toll_debt == "refused":
        yield price("toll-no-debt", "D6.3")
    yield from _prizes(options, companies)
    allowed = allowed_building(options)  # between the races. Rule: D7.1
    yield price(spending_price(options), "D7.1", *(() if allowed.by in ("none", "race-income") else (allowed.most,)))
    if word(options.game_ends) == "target":
        yield price("target", "D9", number(options.game_ends) if ":" in options.game_ends else TARGETS[players])


def _prizes(options: Options, companies: int) -> Prices:
    if options.prizes != "shared":
        yield price("prizes", "D6.7", *PRIZES)
        yield price("prize-alone", "D6.8", *PRIZES[:1])
        return
    yield price("prize-alone", "D6.9", *SHARED_PRIZES[1])
    for trains in range(2, companies + 1):
        yield price("prizes-shared", "D6.9", *SHARED_PRIZES[trains], count=trains)


def _moves(board: RailMap) -> Prices:
    """Points of a throw in a race. Rule: D6.6."""
    yield price("hex", "D6.6", LEVEL)
    if MOUNTAIN in board.ground.values():
        yield price("climb", "D6.6", CLIMB)
    for ferry in dict.fromkeys(board.ferries.values()):
        yield price("ferry-moves", "D6.6", ferry.moves, names=(ferry.name,))


# Lines as they could be ordered: what newsletters show to those who have never built, or entered a race.

_PIECES = 2
_ROLL = 6
_FAR = 2 * _ROLL  # points to a city, at the most

Piecewise = list[Amounts]  # the hexes of each piece, with the points that it costs to come there


def priced_lines(state: State, reader: str | None) -> list[View]:
    """Return a line for each roll, with the points that it costs of it, the cities that it comes to and what these pay, as the
    reader could order them. *reader*: a player; None stands for the first company.
    """
    told, rolls = [], priced_pieces(state, _company_of(state, reader))
    for roll, pieces in enumerate(rolls, start=1):
        line = PIECES.join(format_piece(state.board, Piece(path=tuple(each))) for each in pieces)
        ends = [end for each in pieces for end in [*each][1:]]
        told.append(
            {
                "line": f"{roll_label(state, roll)} {line or NOTHING}",
                "points": sum(sum(each.values()) for each in pieces),
                "cities": [state.board.station_at[end].name for end in ends if state.board.is_city(end)],
                "brings": sum(place.bonus for end in ends if (place := state.board.paying.get(end))),
            }
        )
    return told


def _company_of(state: State, reader: str | None) -> str:
    return state.companies_under(reader)[0] if reader else state.codes[0]


def priced_pieces(state: State, company: str) -> list[Piecewise]:
    """Return what a company could lay for each of its rolls: from its home, or one it may choose, towards the cities that are
    nearest; from elsewhere on its network where nothing can be built from there.
    """
    home = state.home.get(company) or (*homes_of(state, company), *all_homes(state))[0]
    starts = (home, *sorted({end for laid in state.track_of(company) for end in laid}))
    return next(filter(any, (_towards_cities(state, company, start) for start in starts)), [[]])


def race_lines(state: State, reader: str | None) -> Texts:
    """Return lines that enter a race on offer: the first one that the reader's company can run, with the route it would take.

    For a company that can run none of them there are no lines, nor where none is on offer.
    *reader*: a player; None stands for the first company.
    """
    company = _company_of(state, reader)
    for race in state.offered_races():
        route = best_route(state, (company,), race, aim=FASTEST, tries=FEW_TRIES)
        if route and route.path:
            return (f"RUN {race.number}: FASTEST", f"RUN {race.number}: {format_route(state.board, route)}")
    return ()


def help_lines(state: State, player: str) -> dict[str, str]:
    """Return by verb a line with names of this position, as HELP shows them; none for a verb that has nothing to name now, "" for
    one that is of no use to this player any more.
    """
    led = state.companies_under(player)
    found = {"BUILD": priced_lines(state, player)[0]["line"]} if may_build(state) else {}
    found |= {} if len(led) > 1 else {"FOR": ""}
    if all(company in state.home for company in led):
        found["HOME"] = ""
    if not state.is_racing or not state.offered_races():
        return {**found, "RUN": "", "JOINT": ""}
    races = race_lines(state, player) or (f"RUN {state.offered_races()[0].number}: {NOTHING}",)
    partners = (code for code in state.codes if code not in led and code != DAVID)
    joint = (f"JOINT {state.offered_races()[0].number} WITH {partner}" for partner in partners)
    return {**found, "RUN": races[-1], "JOINT": next(joint, "")}


def _towards_cities(state: State, company: str, home: Hex) -> list[Piecewise]:
    """Return the pieces of each roll; no more of them leave the home than may. Rule: D1.3."""

    def onward(start: Hex) -> list[tuple[Hex, int]]:
        # Nothing but a low roll may stop a line.
        return [
            (end, points_due(state, company, start, end))
            for end in neighbours(start)
            if not step_refusal(state, company, start, end, _ROLL)
        ]

    tree = cheapest_tree((home,), onward, _FAR)
    new = [end for end in tree if end not in {home, *state.reached.get(company, ())}]
    ways = [way_to(tree, end) for end in [end for end in new if state.board.is_city(end)] or new]
    out = [*dict.fromkeys(way[1] for way in ways)][: state.board.first_round_ways or None]
    laid, lines = {home}, list[Piecewise]()
    for left in state.rolls_of(company) or (_ROLL,):
        pieces: Piecewise = []
        for way in ways:
            piece: Amounts = {}
            for start, end in pairwise(way if way[1] in out and len(pieces) < _PIECES else ()):
                points = tree[end][0] - tree[start][0]
                if end not in laid:
                    if points > left:
                        break
                    piece = {**(piece or {start: 0}), end: points}
                    left -= points
                    laid.add(end)
            pieces += [piece] if piece else []
        lines.append(pieces)
    return lines
