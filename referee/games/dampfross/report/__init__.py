"""What may be seen of a position, as plain values: the door to templates, and the file that is mailed for programs.

Nothing on a Dampfross board is secret, so every reader sees the same.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import asdict, astuple

from referee.core import Hex, View, fields_of, format_side, neighbours, side
from referee.core.picture import SHADES, Text

from ..board import MOUNTAIN, ends_of
from ..building import last_cities
from ..costs import LONGEST_JUMP, adjacent_fee, owners_allowed, points_of
from ..declaring import entry_limit
from ..draws import draws_view
from ..forecast import points_of_round
from ..names import end_name, place_name
from ..network import cap_of, tariff_of
from ..notation import roll_label
from ..options import allowed_building
from ..racing import decider
from ..round import allowance, builds_before, may_build
from ..state import DAVID, Race, State, all_homes, homes_of, quota_of
from .picture.ground import middle
from .picture.legend import rulers
from .picture.places import extent


def view(state: State, player: str | None) -> View:
    """Return the position as plain JSON values."""
    board, asked = state.board, None
    for item in state.agenda[:1]:
        asked = {"kind": item.what, "number": item.number, "company": item.company, "player": decider(state)}
    return {
        "board": board.name,
        **fields_of(board, "title", "first_round_ways"),
        **fields_of(state, "round", "last_round", "building_rounds", "phase", "turn", "rolls", "winners"),
        "room_in": [  # how many companies may start there. Rule: D1.3
            {"city": place_name(board, city), "companies": most} for city, most in quota_of(state).items()
        ],
        "may_build": may_build(state),
        "pace": state.table.pace,
        "options": asdict(state.options),
        "asked": asked,
        "allowance": allowance(state),
        "built_by": allowed_building(state.options).by,
        "limit": entry_limit(state) if state.is_racing else 0,
        "companies": [company_view(state, code) for code in state.codes],
        "track": [[format_side(side), list(owners)] for side, owners in sorted(state.track.items())],
        "cities": [
            {
                **fields_of(station, "keys", "name", "hex"),
                "place": board.hex_name(station.hex),
                "connected": station.hex in state.connected,
            }
            for station in board.stations
        ],
        "specials": [
            {
                **asdict(special),
                "places": [{"name": place_name(board, each), "hex": board.hex_name(each)} for each in special.hexes],
            }
            for special in board.specials
        ],
        "draws": draws_view(state) if state.options.race_schedule == "dice" else None,
        "races": [race_view(state, race) for race in state.offered_races()],
        "calendar": [race_view(state, race) for race in state.races if race.status == "open"],
        "totals": {code: list(state.totals.get(code, ())) for code in state.codes},
    }


def race_view(state: State, race: Race) -> View:
    """Return a race with the names of its ends; ``carried`` if it was on offer before."""
    board = state.board
    return {
        **fields_of(race, "number", "round"),
        "start": {"key": race.start, "name": end_name(board, race.start)},
        "end": {"key": race.end, "name": end_name(board, race.end)},
        "carried": race.round < state.round,
    }


def player_name(state: State, code: str) -> str:
    """Return the name of who leads a company, "" for David and for who is known by their company alone."""
    company = state.table.company(code)
    name = next((player.name for player in state.table.players if player.code == company.player), "")
    return "" if name in (company.code, company.name) else name


def company_view(state: State, code: str) -> View:
    company, board = state.table.company(code), state.board
    bridges = board.bridges
    return {
        **fields_of(company, "code", "name", "colour"),
        "player": player_name(state, code),
        "leader": company.player,
        "chooses_home": company.player or state.david_leader(1),
        "rolls": list(state.rolls_of(code)) if state.is_building else [],
        "balance": state.balance.get(code, 0),
        "home": place_name(board, state.home[code]) if code in state.home else "",
        "homes": [place_name(board, city) for city in homes_of(state, code)],
        "banked": [  # Rule: R28
            {"side": format_side(each), "bridge": bridges[each].name, "points": points, "price": bridges[each].price}
            for each, points in sorted(state.banked.get(code, {}).items())
        ],
        "length": len(state.track_of(code)),
    }


# The position as the order desk needs it: everything that can be reckoned beforehand is, so that the page decides little.
# Sides of hexes are written ``AE5-AE6``, in the order of ``core.hexes.side``.

CITY, FOREIGN, HIGH = 1, 2, 4  # bits of a hex
SHUT = -1  # the cost of a hex-side that may not be crossed


def desk(state: State) -> View:
    """Return the position for ``templates/desk/dampfross.js``, {} when the game is over."""
    return {} if state.phase == "over" else {**_board(state), **_position(state), **_turn(state), **_rules(state)}


def _board(state: State) -> View:
    """Return what never changes in a game. ``hexes``: by label [x, y, bits, cost to the neighbours on land by their label]."""
    board = state.board
    return {
        "map": board.title,
        "hexes": {
            label: [
                *middle(label),
                CITY * board.is_city(label) + FOREIGN * board.is_foreign(label) + HIGH * (kind == MOUNTAIN),
                dict(_costs(state, label)),
            ]
            for label, kind in board.ground.items()
        },
        "names": {label: name for label in board.ground if (name := place_name(board, label)) != label},
        "rulers": [[ruler.text, ruler.at] for ruler in rulers(board) if isinstance(ruler, Text) and ruler.bold],
        "discs": {station.hex: extent(station) for station in board.stations},
        "known": {name.lower(): place.hex for place in board.named for name in (*place.also, place.name)},
        "keys": {str(key): list(hexes) for key, hexes in board.ends_of.items()},
        "bonus": {label: place.bonus for label, place in board.paying.items()},
        "ferries": {format_side(laid): asdict(ferry) for laid, ferry in board.ferries.items()},
        "bridges": {format_side(laid): asdict(bridge) for laid, bridge in board.bridges.items()},
        "single": {
            format_side(laid): most
            for laid in (*board.ferries, *board.bridges)
            if (most := owners_allowed(board, laid))
        },
        "permitted": [format_side(laid) for laid in sorted(board.permitted)],
        "abroad": board.foreign_build,
        "grid": [board.grid_letters, board.rows] if board.numbered else [],
    }


def _costs(state: State, label: Hex) -> Iterator[tuple[Hex, int]]:
    """Yield the points of a step to each neighbour on land. Rule: D2.3."""
    board = state.board
    for other in neighbours(label):
        if other in board.ground:
            shut = side(label, other) in board.closed
            yield other, SHUT if shut else points_of(board, state.options.costs, label, other)


def _position(state: State) -> View:
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
        "jumped": [astuple(jump) for jump in state.jumps],
    }


def _turn(state: State) -> View:
    """Return what is asked for. ``led``: the companies each player orders for, the first their own."""
    board, codes, building = state.board, state.codes, may_build(state)
    rolls = {code: list(points_of_round(state, code)) if building else [] for code in codes}
    most = max((len(each) for each in rolls.values()), default=0)
    return {
        **fields_of(state, "round", "phase"),
        "companies": [
            {**company_view(state, code), "shade": SHADES[state.table.company(code).colour]} for code in codes
        ],
        "led": {player.code: list(state.companies_under(player.code)) for player in state.table.players},
        "rolls": {code: [] if code == DAVID and state.is_racing else own for code, own in rolls.items()},
        "labels": [roll_label(state, roll) for roll in range(1, most + 1)],
        "david": [state.david_leader(roll) for roll in range(1, most + 1)] if DAVID in codes else [],
        "homes": {code: [] if code in state.home else list(homes_of(state, code)) for code in codes},
        "cities": list(all_homes(state)),
        "races": [
            {
                "number": race.number,
                **{
                    end: [key, end_name(board, key), list(ends_of(board, key))]
                    for end, key in (("start", race.start), ("end", race.end))
                },
                "carried": race.round < state.round,
                "later": builds_before(state, race),
            }
            for race in state.offered_races()
            if race.end
        ],
        "entries": entry_limit(state) if state.is_racing else 0,
    }


def _rules(state: State) -> View:
    """Return the options as the page asks for them."""
    options, board = state.options, state.board
    by = allowed_building(options).by
    tariff = tariff_of(board, options.toll)
    return {
        "pays": state.is_racing,
        "hexwise": state.is_racing and by == "hexes",
        "income": by == "race-income",
        "options": asdict(options),
        "adjacent": [adjacent_fee(options.adjacent_cities, at_home) for at_home in range(3)],
        "longest": LONGEST_JUMP,
        "bonuses": options.late_bonus or not state.is_racing,
        "ways": board.first_round_ways if state.round == 1 and state.is_building else 0,
        "left": last_cities(state),
        "again": tariff.again,
        "tolls": {format_side(laid): toll for laid, toll in sorted(tariff.special.items())},
        "cap": cap_of(state),
    }
