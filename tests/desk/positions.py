"""Positions and orders for the comparison of the desk with the referee: at random on every map, steered to codes and fees."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from referee.core import Hex, Side, neighbours, side
from referee.core.game import Player, Setup
from referee.games.dampfross import GAME
from referee.games.dampfross.board import RailMap, ends_of
from referee.games.dampfross.state import (
    DAVID,
    Build,
    ChooseHome,
    Jump,
    Order,
    Piece,
    Race,
    Route,
    Run,
    State,
    all_homes,
    homes_of,
)

MAPS = ("ireland", "bavaria", "russia", "kentucky_tennessee", "switzerland", "features", "crossings")
FEATURES = Path(__file__).parents[1] / "games" / "dampfross" / "maps" / "features.toml"
CODES = (("GSW", "red"), ("MGW", "blue"), ("BNC", "green"), ("DSE", "black"))
# A bridge that points are put aside for, and a causeway: on the map of features neither is.
CHANGED = {
    'edges = "G8-G9"\npoints = 2\n': 'edges = "G8-G9"\npoints = 6\nbanked = true\n',
    "\n[cells]": '\n[[causeway]]\nname = "Long Dam"\nedges = "D4-E5 E4-E5"\n\n'
    '[[junction]]\nname = "Saddle"\nhex = "C4"\nbonus = 3\n\n[cells]',
}
CHOICES: Mapping[str, tuple[Any, ...]] = {
    "costs": ("standard", "rostherne-3"),
    "connection_fee": ("once", "each-entry"),
    "parallel_fee": (0, 1, 2),
    "adjacent_cities": ("flat:3", "half-hex:1", "free"),
    "home_bonus": (True, False),
    "late_bonus": (True, False),
    "debt": ("allowed", "refused"),
    "jumps": (0, 1, 2),
    "toll": ("hexes", "hex-sides"),
    "toll_cap": (1, 3, 10, "none"),
    "toll_debt": ("refused", "allowed"),
    "own_share": ("some", "greater-part"),
    "entries": (1, 4),
    "race_building": ("points:20", "hexes:3", "none"),
    "building_ends": ("rounds:6", "cities-left:30", "cities-left:4"),
}


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is asked of both: the orders of a player in a position."""

    state: State
    player: str
    orders: tuple[Order, ...]


@cache
def opened(name: str, players: int) -> State:
    """Return the position before a game on a map; two players lead David."""
    text = FEATURES.read_text("utf-8") if name in MAPS[-2:] else GAME.board_text(name)
    for before, after in CHANGED.items() if name == "crossings" else ():
        assert before in text
        text = text.replace(before, after)
    seats = tuple(Player(code=code, colour=colour, name=code) for code, colour in CODES[:players])
    options = (("two_players", "david"),)
    setup = Setup(game="dampfross", board_name=name, board=text, preset="postal", options=options, players=seats)
    state = GAME.lay_out(setup)
    assert isinstance(state, State)
    if name != "crossings":
        return state
    # A map whose file says so has no foreign hexes: here it has.
    return state.but(table=state.table.but(board=state.table.board.but(foreign_build="none")))


def grown(rng: Random) -> State:
    """Return a position in which companies have networks that meet, under options of all kinds."""
    state = opened(rng.choice(MAPS), rng.choice((2, 3, 4, 4)))
    chosen = {name: rng.choice(values) for name, values in CHOICES.items()}
    if rng.random() < 0.3:  # companies build among the races
        chosen |= {"race_schedule": "dice", "race_building": rng.choice(("10 per 2 races", "race-income"))}
        chosen |= {"races_per_turn": 4, "specials": "numbers"}
    table = state.table.but(options=state.table.options.but(**chosen))
    home: dict[str, Hex] = {}
    track: dict[Side, tuple[str, ...]] = {}
    reached: dict[str, frozenset[Hex]] = {}
    for code in table.codes:
        open_to = homes_of(state.but(table=table, home=home), code) or all_homes(state)
        home[code] = rng.choice(open_to)
        reached[code] = frozenset(_spread(rng, table.board, code, home[code], track) | _beside(rng, table.board))
    for laid in (*table.board.ferries, *table.board.bridges):
        if rng.random() < 0.4 and laid not in track:
            track[laid] = (rng.choice(table.codes),)
    for one, other in sorted(table.board.permitted):
        for label in (one, other):
            if rng.random() < 0.5:
                _spread(rng, table.board, rng.choice(table.codes), label, track, rng.randint(1, 8))
    connected = {label for own in reached.values() for label in own if table.board.is_city(label)}
    if rng.random() < 0.2:  # building ends with the next city, or the one behind it
        left = sum(label not in connected for label in table.board.station_at)
        ends = f"cities-left:{max(0, left - rng.randint(1, 2))}"
        table = table.but(options=table.options.but(building_ends=ends))
    phase = rng.choice(("build", "race"))
    rolls = tuple(rng.randint(1, 6) for _ in range(3))
    grounds = sorted(table.board.ground)
    jumps = tuple(
        Jump(company=one, rival=other, start=rng.choice(grounds), end=rng.choice(grounds))
        for one, other in [
            rng.sample(table.codes, 2) for _ in range(rng.randint(1, 4))
        ]  # some joined hexes have no track
    )
    banked = {
        code: {each: rng.randint(1, 2)} for code in table.codes for each in _banks(table.board) if rng.random() < 0.4
    }
    return state.but(
        table=table,
        round=rng.choice((1, 2, 3)),
        phase=phase,
        rolls=rolls if phase == "build" else (),
        home=home,
        track=track,
        reached=reached,
        connected=frozenset(connected),
        unpaid_homes=frozenset(rng.sample(sorted(connected), min(2, len(connected)))),
        balance={code: rng.choice((0, 1, 2, 3, 5, 20, 40)) for code in table.codes},
        banked=banked,
        jumps=jumps,
        races=_races(rng, table.board, connected) if phase == "race" else (),
    )


def _banks(board: RailMap) -> list[Side]:
    return [laid for laid, bridge in board.bridges.items() if bridge.banked and bridge.price > 1]


def _beside(rng: Random, board: RailMap) -> set[Hex]:
    """Return some hexes beside bridges, ferries and borders."""
    crossings = (*board.bridges, *board.ferries, *_borders(board)[: rng.randint(0, 9)], *_banks(board))
    return {rng.choice(each) for each in crossings if rng.random() < 0.5}


@cache
def _borders(board: RailMap) -> tuple[Side, ...]:
    land = board.ground
    return tuple((one, other) for one in land for other in neighbours(one) if other in land and board.is_foreign(other))


def _spread(
    rng: Random, board: RailMap, code: str, home: Hex, track: dict[Side, tuple[str, ...]], most: int = 60
) -> set[Hex]:
    """Lay a company's track at random, more gladly where others are."""
    reached = {home}
    here = home
    for _ in range(rng.randint(min(3, most), most)):
        onward = [
            label
            for label in board.steps_from(here)
            if label in board.ground and code not in track.get(side(here, label), ())
        ]
        if not onward or rng.random() < 0.1:
            here = rng.choice(sorted(reached))
            continue
        crowded = [
            label
            for label in onward
            if track.get(side(here, label))
            or board.is_city(label)
            or side(here, label) in (*board.ferries, *board.bridges)
        ]
        ahead = rng.choice(crowded if crowded and rng.random() < 0.6 else onward)
        track[side(here, ahead)] = (*track.get(side(here, ahead), ()), code)
        reached.add(ahead)
        here = ahead
    return reached


def _races(rng: Random, board: RailMap, connected: set[Hex]) -> tuple[Race, ...]:
    """Draw races, most of them between cities that somebody's track has reached."""
    keys = [*board.ends_of, *(special.number for special in board.specials)]
    near = sorted(key for city in connected for key in board.station_at[city].keys) or keys
    ends: list[tuple[int, int]] = []
    while len(ends) < 4:
        one, other = (rng.choice(near if rng.random() < 0.9 else keys) for _ in range(2))
        if not {*ends_of(board, one)} & {*ends_of(board, other)}:
            ends.append((one, other))
    return tuple(
        Race(number=number, start=one, end=other, round=1) for number, (one, other) in enumerate(ends, start=1)
    )


def cases(rng: Random, count: int, states: list[State] | None = None) -> Iterator[Case]:
    """Yield orders of players in random positions, or in those that are given."""
    for _ in range(count):
        state = rng.choice(states) if states else grown(rng)
        player = rng.choice(state.table.players).code
        orders: list[Order] = []
        for company in state.companies_under(player):
            own = "" if company == player else company
            if company not in state.home:
                open_to = homes_of(state, company)
                if not open_to or company == DAVID:
                    continue
                orders.append(ChooseHome(cities=(rng.choice(open_to),), company=own))
                state_after = state.but(reached={**state.reached, company: frozenset(open_to)})
            else:
                state_after = state
            if state.phase == "race":
                orders += _runs(rng, state, company, own)
            rolls = len(state.rolls_of(company)) if state.phase == "build" else 1 if company != DAVID else 0
            for roll in range(1, rolls + 1):
                if rng.random() < 0.6:
                    orders.append(Build(roll=roll, pieces=_pieces(rng, state_after, company), company=own))
        yield Case(state=state, player=player, orders=tuple(orders))


def _pieces(rng: Random, state: State, company: str) -> tuple[Piece, ...]:
    return tuple(_piece(rng, state, company) for _ in range(rng.randint(1, 3)))


def _piece(rng: Random, state: State, company: str) -> Piece:
    """Return a piece that goes on at random, more gladly to where something is to be paid or refused."""
    board = state.table.board
    own = sorted(state.reached[company])
    edges = [label for label in own if _is_at_the_edge(board, label)]
    kind = rng.random()
    path = [rng.choice(edges if edges and kind < 0.4 else own if own and kind < 0.94 else sorted(board.ground))]
    jumps = []
    for _ in range(rng.randint(1, 7)):
        here = path[-1]
        if here not in board.ground:
            break
        kind = rng.random()
        if kind < 0.015:
            path.append(rng.choice(sorted(board.ground)))
        elif kind < 0.12 and state.table.options.jumps >= rng.randint(0, 1):
            far = [label for owners in state.track for label in owners if label != here]
            near = [label for label in far if any(label in board.steps_from(each) for each in board.steps_from(here))]
            jumps.append(len(path))
            path.append(rng.choice(near or far or own))
        else:
            path.append(_ahead(rng, state, company, here, path[-2] if len(path) > 1 else ""))
    return Piece(path=tuple(path), jumps=tuple(jumps))


@cache
def _is_at_the_edge(board: RailMap, label: Hex) -> bool:
    """Return whether a border, another city, a ferry or a bridge is beside a hex."""
    land = [other for other in board.steps_from(label) if other in board.ground]
    here = board.is_foreign(label), board.is_city(label)
    return any(
        board.is_foreign(other) != here[0]
        or (here[1] and board.is_city(other))
        or side(label, other) in board.ferries
        or side(label, other) in board.bridges
        for other in land
    )


def _ahead(rng: Random, state: State, company: str, here: Hex, before: Hex) -> Hex:
    board = state.table.board
    onward = [label for label in board.steps_from(here) if label != before] or list(neighbours(here))
    rivals = {label for code, own in state.reached.items() if code != company for label in own}
    land = [label for label in onward if label in board.ground]
    strange = [
        label for label in onward if label in rivals or label not in board.ground or side(here, label) in board.closed
    ]
    rare = [
        label
        for label in land
        if (board.is_city(label) and board.is_city(here))
        or board.is_foreign(label)
        or side(here, label) in board.ferries
        or side(here, label) in board.bridges
    ]
    fresh = [label for label in onward if company not in state.owners(side(here, label)) and label in board.ground]
    if rare and rng.random() < 0.5:
        return rng.choice(rare)
    return rng.choice(strange if strange and rng.random() < 0.35 else fresh or onward)


def _runs(rng: Random, state: State, company: str, own: str) -> list[Order]:
    runs: list[Order] = []
    for race in state.races:
        if rng.random() < 0.5:
            routes = tuple(filter(None, (_route(rng, state, company, race) for _ in range(rng.randint(1, 2)))))
            rivals = [code for code in state.table.codes if code != company]
            partner = rng.choice(rivals) if rng.random() < 0.2 else ""
            if routes or partner:
                runs.append(Run(race=race.number, routes=routes, partner=partner, company=own))
    return runs


def _route(rng: Random, state: State, company: str, race: Race) -> Route | None:
    """Return a walk over track from the start of a race, one that ends where it should if it can be found."""
    board = state.table.board
    joined: dict[Hex, list[Hex]] = {}
    for one, other in (*state.track, *sorted(board.permitted)):
        if other in board.steps_from(one):
            joined.setdefault(one, []).append(other)
            joined.setdefault(other, []).append(one)
    starts = [label for label in ends_of(board, race.start) if label in joined]
    if not starts or rng.random() < 0.05:
        starts = [rng.choice(sorted(joined))]
    path = _way(rng, joined, rng.choice(starts), set(ends_of(board, race.end)))
    if len(path) > 2 and rng.random() < 0.05:  # to and fro
        at = rng.randrange(1, len(path))
        path = (*path[: at + 1], path[at - 1], *path[at:])
    elif len(path) > 2 and rng.random() < 0.1:  # a way round, where nobody's track may lie
        at = rng.randrange(1, len(path) - 1)
        beside = [
            each
            for each in board.steps_from(path[at - 1])
            if each != path[at] and each in board.steps_from(path[at + 1])
        ]
        path = (*path[:at], rng.choice(beside or [path[at]]), *path[at + 1 :])
    if len(path) < 2 or any(label not in board.ground for label in path):
        return None
    over = tuple(rng.choice(state.table.codes) if rng.random() < 0.03 else "" for _ in path[1:])
    if rng.random() < 0.3:
        over = tuple(rng.choice(state.runnable(side(*pair)) or ("",)) for pair in pairwise(path))
    return Route(path=path, over=over)


def _way(rng: Random, joined: Mapping[Hex, list[Hex]], start: Hex, goals: set[Hex]) -> tuple[Hex, ...]:
    before: dict[Hex, Hex] = {start: ""}
    edge = [start]
    while edge:
        here = edge.pop(rng.randrange(len(edge)))
        if here in goals and here != start:
            way = [here]
            while before[way[-1]]:
                way.append(before[way[-1]])
            return tuple(reversed(way))
        for label in joined[here]:
            if label not in before:
                before[label] = here
                edge.append(label)
    way = [start]
    for _ in range(rng.randint(1, 9)):
        way.append(rng.choice(joined[way[-1]]))
    return tuple(way)


def bridge_paid_for_thrice() -> Case:
    """Return three rolls for a bridge that none of the first two pays alone. Rule: R28."""
    state = opened("crossings", 3)
    codes = state.table.codes
    state = state.but(
        round=2,
        rolls=(2, 3, 4),
        home=dict.fromkeys(codes, "G8"),
        reached={code: frozenset({"G8"}) for code in codes},
        balance=dict.fromkeys(codes, 20),
    )
    piece = Piece(path=("G8", "G9"))
    orders = tuple(Build(roll=roll, pieces=(piece,)) for roll in (1, 2, 3))
    return Case(state=state, player=codes[0], orders=orders)


def neutral_beyond_the_cap() -> Case:
    """Return a race over the neutral railway where each railway gets two points at the most. Rule: R24."""
    state = opened("features", 3)
    codes = state.table.codes
    options = state.table.options.but(toll_cap=2)
    state = state.but(
        table=state.table.but(options=options),
        phase="race",
        round=2,
        home=dict.fromkeys(codes, "J9"),
        track={side("K8", "J9"): (codes[0],)},
        reached=dict.fromkeys(codes, frozenset({"J9", "K8"})),
        connected=frozenset({"J9", "K8"}),
        balance=dict.fromkeys(codes, 20),
        races=(Race(number=1, start=56, end=64, round=1),),
    )
    route = Route(path=("I6", "J6", "K7", "K8", "J9"), over=("", "", "", ""))
    return Case(state=state, player=codes[0], orders=(Run(race=1, routes=(route,)),))
