"""The position as the order desk needs it: everything that can be reckoned beforehand is, so that the page decides little.

Plain JSON values that everybody may know. Sides of hexes are written ``AE5-AE6``, in the order of ``core.hexes.side``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from referee.core.game import ONE_BY_ONE
from referee.core.hexes import Hex, Side, distance, format_side, neighbours, side, straight_run
from referee.core.picture.drawing import Text
from referee.core.picture.shades import SHADES
from referee.games.dampfross.board.railmap import MOUNTAIN, RailMap, ends_of
from referee.games.dampfross.costs import (
    LONGEST_JUMP,
    adjacent_fee,
    owners_allowed,
    points_due,
    points_of,
    step_refusal,
)
from referee.games.dampfross.declaring import entry_limit
from referee.games.dampfross.fastest import FASTEST, FEW_TRIES, best_route
from referee.games.dampfross.forecast import points_of_round
from referee.games.dampfross.names import end_name, place_name
from referee.games.dampfross.network import cap_of, tariff_of
from referee.games.dampfross.notation import NOTHING, PIECES, format_piece, format_route, roll_label
from referee.games.dampfross.options import HEXES, RACE_INCOME, allowed_building, number, word
from referee.games.dampfross.racing import david_leader, led_by, may_build, spendings
from referee.games.dampfross.report.picture.layout import middle
from referee.games.dampfross.report.picture.legend import rulers
from referee.games.dampfross.report.picture.places import extent
from referee.games.dampfross.report.view import player_name
from referee.games.dampfross.state import BUILD, DAVID, OVER, RACE, Piece, State, all_homes, homes_of

CITY, FOREIGN, HIGH = 1, 2, 4  # bits of a hex
SHUT = -1  # the cost of a hex-side that may not be crossed


def desk(state: State) -> dict[str, Any]:
    """Return the position for ``templates/desk/dampfross.js``, {} when the game is over."""
    return {} if state.phase == OVER else {**_board(state), **_position(state), **_turn(state), **_rules(state)}


def _board(state: State) -> dict[str, Any]:
    """Return what never changes in a game. ``hexes``: by label [x, y, bits, cost to the neighbours on land by their label]."""
    board = state.board
    return {
        "map": board.title,
        "hexes": {label: [*middle(label), _bits(board, label), dict(_costs(state, label))] for label in board.ground},
        "names": {label: name for label in board.ground if (name := place_name(board, label)) != label},
        "rulers": [[ruler.text, ruler.at] for ruler in rulers(board) if isinstance(ruler, Text) and ruler.bold],
        "discs": {station.hex: extent(station.keys, minor=station.minor) for station in board.stations},
        "known": _other_names(board),
        "keys": {str(key): list(hexes) for key, hexes in board.ends_of.items()},
        "bonus": {label: place.bonus for label, place in board.paying.items()},
        "ferries": {
            format_side(laid): [ferry.price, ferry.moves, ferry.toll, ferry.name]
            for laid, ferry in board.ferries.items()
        },
        "bridges": {
            format_side(laid): {"name": bridge.name, "banked": bridge.banked, "built": bridge.built}
            for laid, bridge in board.bridges.items()
        },
        "single": {format_side(laid): most for laid in _crossings(board) if (most := owners_allowed(board, laid))},
        "permitted": [format_side(laid) for laid in sorted(board.permitted)],
        "abroad": board.foreign_build,
        "grid": [board.grid_letters, board.rows] if board.numbered else [],
    }


def _other_names(board: RailMap) -> dict[str, Hex]:
    """Return every other name of a place, in small letters."""
    return {name.lower(): place.hex for place in board.named for name in (*place.also, place.name)}


def _crossings(board: RailMap) -> tuple[Side, ...]:
    return (*board.ferries, *board.bridges)


def _bits(board: RailMap, label: Hex) -> int:
    high = HIGH * (board.ground[label] == MOUNTAIN)
    return CITY * board.is_city(label) + FOREIGN * board.is_foreign(label) + high


def _costs(state: State, label: Hex) -> Iterator[tuple[Hex, int]]:
    """Yield the points of a step to each neighbour on land. Rule: D2.3."""
    board = state.board
    for other in neighbours(label):
        if other in board.ground:
            shut = side(label, other) in board.closed
            yield other, SHUT if shut else points_of(board, state.options.costs, label, other)


def _position(state: State) -> dict[str, Any]:
    return {
        "track": {format_side(laid): list(owners) for laid, owners in sorted(state.track.items())},
        "reached": {code: sorted(state.reached.get(code, ())) for code in state.codes},
        "balance": {code: state.balance.get(code, 0) for code in state.codes},
        "banked": {
            code: {format_side(laid): points for laid, points in own.items()} for code, own in state.banked.items()
        },
        "home": dict(state.home),
        "connected": sorted(state.connected),
        "unpaid": sorted(state.unpaid_homes),
        "jumped": [[jump.company, jump.rival, jump.start, jump.end] for jump in state.jumps],
    }


def _turn(state: State) -> dict[str, Any]:
    """Return what is asked for. ``led``: the companies each player orders for, the first his own."""
    codes = state.codes
    building = may_build(state)
    rolls = {code: list(points_of_round(state, code)) if building else [] for code in codes}
    most = max((len(each) for each in rolls.values()), default=0)
    return {
        "round": state.round,
        "phase": state.phase,
        "companies": [
            {
                "code": code,
                "name": state.table.company(code).name,
                "player": player_name(state, code),
                "shade": SHADES[state.table.company(code).colour],
            }
            for code in codes
        ],
        "led": {player.code: list(led_by(state, player.code)) for player in state.table.players},
        "rolls": {code: [] if code == DAVID and state.phase == RACE else own for code, own in rolls.items()},
        "labels": [roll_label(state, roll) for roll in range(1, most + 1)],
        "david": [david_leader(state, roll) for roll in range(1, most + 1)] if DAVID in codes else [],
        "homes": {code: [] if code in state.home else list(homes_of(state, code)) for code in codes},
        "cities": list(all_homes(state)),
        "races": _races(state),
        "entries": entry_limit(state) if state.phase == RACE else 0,
    }


def _races(state: State) -> list[dict[str, Any]]:
    board = state.board
    return [
        {
            "number": race.number,
            "start": [race.start, end_name(board, race.start), list(ends_of(board, race.start))],
            "end": [race.end, end_name(board, race.end), list(ends_of(board, race.end))],
            "carried": race.round < state.round,
            "later": state.table.pace != ONE_BY_ONE and bool(spendings(state, race.number)),
        }
        for race in state.offered()
        if race.end
    ]


def _rules(state: State) -> dict[str, Any]:
    """Return the options as the page asks for them."""
    options, board = state.options, state.board
    by = allowed_building(options).by
    tariff = tariff_of(board, options.toll)
    return {
        "pays": state.phase == RACE,
        "hexwise": state.phase == RACE and by == HEXES,
        "income": by == RACE_INCOME,
        "refuses": options.debt == "refused",
        "homebonus": options.home_bonus,
        "once": options.connection_fee == "once",
        "parallel": options.parallel_fee,
        "adjacent": [adjacent_fee(options.adjacent_cities, at_home) for at_home in range(3)],
        "jumps": options.jumps,
        "longest": LONGEST_JUMP,
        "bonuses": options.late_bonus or state.phase != RACE,
        "ways": board.first_round_ways if state.round == 1 and state.phase == BUILD else 0,
        "left": _cities_left(state),
        "again": tariff.again,
        "tolls": {format_side(laid): toll for laid, toll in sorted(tariff.special.items())},
        "cap": cap_of(state),
        "greater": options.own_share == "greater-part",
        "indebted": options.toll_debt != "refused",
    }


def _cities_left(state: State) -> int:
    """Return with how few cities left building ends, -1 where it does not end by them. Rule: D2.7, R10."""
    ends = state.options.building_ends
    return number(ends) if state.phase != RACE and word(ends) == "cities-left" else -1


# Lines as they could be ordered: what newsletters show to those who have never built, or entered a race.

_PIECES = 2
_ROLL = 6


def example_line(state: State, reader: str | None) -> str:
    """Return a line of two pieces from the reader's home, or one he may choose, for which the first roll suffices; from elsewhere
    on his network where none can be built from there.

    One piece where no more may leave the home (D1.3).

    *reader*: a player; None stands for the first company.
    """
    return priced_line(state, reader)[0]


def priced_line(state: State, reader: str | None) -> tuple[str, int]:
    """Return such a line, and the points that it costs."""
    company = led_by(state, reader)[0] if reader else state.codes[0]
    paths = priced_paths(state, company)
    pieces = PIECES.join(format_piece(state.board, Piece(path=tuple(path))) for path in paths)
    return f"{roll_label(state, 1)} {pieces or NOTHING}", sum(sum(path.values()) for path in paths)


def priced_paths(state: State, company: str) -> list[dict[Hex, int]]:
    """Return the pieces of such a line of a company: the hexes of each, with the points that it costs to come there."""
    most = min(state.board.first_round_ways or _PIECES, _PIECES)
    ways = (_affordable(state, company, start, most) for start in _starts(state, company))
    return [
        {path[0]: 0} | {end: points_due(state, company, start, end) for start, end in pairwise(path)}
        for path in next(filter(None, ways), ())
    ]


def race_lines(state: State, reader: str | None) -> tuple[str, ...]:
    """Return lines that enter a race on offer: the first one that the reader's company can run, with the route it would take.

    For a company that can run none of them there are no lines, nor where none is on offer.
    *reader*: a player; None stands for the first company.
    """
    races = state.offered() if state.phase == RACE else ()
    company = led_by(state, reader)[0] if reader else state.codes[0]
    for race in races:
        route = best_route(state, (company,), race, aim=FASTEST, tries=FEW_TRIES)
        if route is not None and route.path:
            return (f"RUN {race.number}: FASTEST", f"RUN {race.number}: {format_route(state.board, route)}")
    return ()


def help_lines(state: State, player: str) -> dict[str, str]:
    """Return by verb a line with names of this position, as HELP shows them; none for a verb that has nothing to name now, "" for
    one that is of no use to this player any more.
    """
    led = led_by(state, player)
    found = {"BUILD": example_line(state, player)} if may_build(state) else {}
    found |= {} if len(led) > 1 else {"FOR": ""}
    if all(company in state.home for company in led):
        found["HOME"] = ""
    if state.phase != RACE or not state.offered():
        return {**found, "RUN": "", "JOINT": ""}
    races = race_lines(state, player) or (f"RUN {state.offered()[0].number}: {NOTHING}",)
    partners = (code for code in state.codes if code not in led and code != DAVID)
    joint = (f"JOINT {state.offered()[0].number} WITH {partner}" for partner in partners)
    return {**found, "RUN": races[-1], "JOINT": next(joint, "")}


def _home(state: State, company: str) -> Hex:
    if company in state.home:
        return state.home[company]
    return (*homes_of(state, company), *all_homes(state))[0]


def _starts(state: State, company: str) -> Iterator[Hex]:
    """Yield where a piece may start: the home, then the other hexes of the company's network."""
    yield _home(state, company)
    yield from sorted({end for laid, owners in state.track.items() if company in owners for end in laid})


def _affordable(state: State, company: str, home: Hex, most: int) -> tuple[tuple[Hex, ...], ...]:
    """Return up to *most* ways from a hex, no two over one side of it, whose points together are no more than the first roll."""
    left = next(iter(state.rolls_of(company)), _ROLL)
    chosen: dict[Hex, tuple[Hex, ...]] = {}  # by the first hex after home
    for path in (*_stretches(state, company, home), *((home, first) for first in neighbours(home))):
        if len(chosen) < most and path[1] not in chosen and _may_be_built(state, company, path):
            points = sum(points_due(state, company, start, end) for start, end in pairwise(path))
            if points <= left:
                chosen[path[1]] = path
                left -= points
    return tuple(chosen.values())


def _stretches(state: State, company: str, home: Hex) -> Iterator[tuple[Hex, ...]]:
    """Yield straight ways of two hex-sides from *home*, at most one to each side of it."""
    for first in neighbours(home):
        for end in neighbours(first):
            path = (home, first, end)
            if distance(home, end) == 2 and straight_run(home, end) == path:
                yield path


def _may_be_built(state: State, company: str, path: tuple[Hex, ...]) -> bool:
    """Return whether nothing but a low roll may stop the line."""
    return all(step_refusal(state, company, start, end, _ROLL) is None for start, end in pairwise(path))
