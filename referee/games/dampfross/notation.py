"""Builds and payments the way the hobby writes them: ``1a) (Dublin) - Y17 [-1 MGW] - Athlone [+6]``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, starmap
from types import MappingProxyType

from referee.core import Hex, Numbers, Path, Texts, View, are_neighbours, of_kind, side

from .board import CITY_BONUS, MOUNTAIN, Bridge, RailMap, climbs_on
from .changes import BANK, payments
from .events import (
    CityConnected,
    Event,
    Events,
    FeePaid,
    JumpMade,
    PieceStopped,
    PointsBanked,
    TollPaid,
    TrackLaid,
    trains_in,
)
from .names import DASH, format_path, named_points, owner_name, place_name, turns
from .options import Options, allowed_building, word
from .state import Build, ChooseHome, Codes, Condition, Order, Piece, Route, State

# For what a company pays and is paid, by the names of the price list: a letter says the price behind the first
# mention.

Charge = tuple[str, str]  # ``what`` of a Price, and which of several: one of its names or its count; "" for all

HILL_ALONE = "rostherne-3"  # of ``costs``: where one end is a mountain a river adds nothing


def river_price(board: RailMap, options: Options, points: int) -> str:
    """Return what the price list calls a river of so many points."""
    where = "-plain" if options.costs == HILL_ALONE else ""
    return ("river" if points == min(board.rivers.values()) else "wide-river") + where


def bridge_price(bridge: Bridge) -> str:
    """Return what the price list calls a bridge like this one."""
    kind = "causeway" if bridge.built else "bridge-banked" if bridge.banked else "bridge"
    return kind + ("-single" if bridge.single else "")


def spending_price(options: Options) -> str:
    """Return what the price list calls building between the races. Rule: D7.1."""
    return f"build-{allowed_building(options).by.replace(' ', '-')}"


def building_charges(state: State, events: Iterable[Event]) -> Iterator[Charge]:
    """Yield for what the events of a company's building take and bring, in order."""
    board, options = state.board, state.options
    for event in events:
        if isinstance(event, TrackLaid):
            yield from step_charges(state, event.start, event.end)
            if event.units:
                yield spending_price(options), ""
        elif isinstance(event, JumpMade):
            yield "jumps", ""
        elif isinstance(event, FeePaid):
            kinds = {"connection": options.connection_fee, "adjacent": word(options.adjacent_cities)}
            yield event.why + (f"-{kinds[event.why]}" if event.why in kinds else ""), ""
        elif isinstance(event, CityConnected) and event.bonus:
            place = board.paying[event.hex]
            usual = board.is_city(event.hex) and place.bonus == CITY_BONUS
            yield ("city", "") if usual else ("other-city", place.name)


def toll_charges(state: State, path: Path, owners: Codes, own: Iterable[str]) -> list[Charge]:
    """Return for what a train on this way pays others, and whether it climbs. *owners*: of each hex-side."""
    board = state.board
    found: dict[Charge, None] = {}
    for here, owner in zip(starmap(side, pairwise(path)), owners, strict=True):
        if owner in own:
            continue
        crossing = board.ferries.get(here) or board.bridges.get(here)
        if not crossing or crossing.toll is None:
            found[f"toll-{state.options.toll}", ""] = None
        else:
            found["toll-crossing", crossing.name] = None
    if climbs_on(board, path):
        found["climb", ""] = None
    return list(found)


def race_charges(state: State, events: Events) -> list[Charge]:
    """Return for what the events of one race take and bring, each once, in order."""
    trains = [*trains_in(events)]
    paid = any(isinstance(event, TollPaid) for event in events)
    found: dict[Charge, None] = {}
    for train, moves, _, _ in trains:
        charges = toll_charges(state, train.route, train.owners, train.companies)
        found.update((each, None) for each in charges if (moves if each[0] == "climb" else paid))
    if any(train.prizes for train in trains):
        count = str(len(trains)) if state.options.prizes == "shared" else ""
        found[("prize-alone", "") if len(trains) == 1 else ("prizes-shared" if count else "prizes", count)] = None
    return list(found)


def step_charges(state: State, start: Hex, end: Hex) -> Iterator[Charge]:
    """Yield for what the points of a step are due: the ground, and a river on it. Rule: D2.3."""
    board, options, laid = state.board, state.options, side(start, end)
    if laid in board.ferries:
        yield "ferry", board.ferries[laid].name
    elif laid in board.bridges:
        yield bridge_price(board.bridges[laid]), board.bridges[laid].name
    elif laid in board.prices:
        yield "priced", ""
    else:
        mountains = (board.ground[start] == MOUNTAIN) + (board.ground[end] == MOUNTAIN)
        yield ("plain", "slope", "mountain")[mountains], ""
        if laid in board.rivers and not (mountains and options.costs == HILL_ALONE):
            yield river_price(board, options, board.rivers[laid]), ""


PIECES = " ; "
NOTHING = "none"  # the order language's word
TIE = "\u00a0"  # keeps an annotation on one line; the letter prints it as a space


def roll_label(state: State, roll: int) -> str:
    """Return how a build line begins: ``1a)``, or ``7)`` where the round has a single one."""
    several = state.is_building and state.options.rolls_per_round > 1
    return f"{state.round}{chr(ord('a') + roll - 1) if several else ''})"


def format_order(state: State, order: Order) -> str:
    """Return an order in canonical form; reading it back gives the same order."""
    board = state.board
    if isinstance(order, ChooseHome):
        return "HOME " + " OR ".join(place_name(board, city) for city in order.cities)
    if isinstance(order, Build):
        pieces = PIECES.join(format_piece(board, piece) for piece in order.pieces)
        return f"{roll_label(state, order.roll)} {pieces or NOTHING}"
    partner = f" WITH {order.partner}" if order.partner else ""
    condition = f" {format_condition(order.condition)}" if order.condition else ""
    head = f"{'JOINT' if order.partner and not order.routes else 'RUN'} {order.race}{partner}{condition}"
    routes = " OR ".join(format_aim(route) or format_route(board, route) for route in order.routes)
    return f"{head}: {routes}" if routes else head


def format_condition(condition: Condition) -> str:
    """Return ``IF GSW RUNS 5`` or ``IF NOT GSW RUNS 5``."""
    return f"IF {'' if condition.runs else 'NOT '}{condition.company} RUNS {condition.race}"


def format_aim(route: Route) -> str:
    """Return ``FASTEST MAX 6`` for a route that the referee is to find, "" for a written one."""
    return route.aim.upper() + (f" MAX {route.most}" if route.most >= 0 else "")


def format_piece(board: RailMap, piece: Piece, marks: Mapping[int, str] | None = None) -> str:
    """Return a piece with its start in brackets; *marks*: annotations by index of the path."""
    marks = marks or {}
    words = []
    # A jump's two ends are always named: nothing lies between them.
    ends = {index for jump in piece.jumps for index in (jump - 1, jump)}
    for index in named_points(board, piece.path, {*marks, *ends, *piece.named}):
        name = place_name(board, piece.path[index])
        word = f"({name})" if index == 0 else f"JUMP {name}" if index in piece.jumps else name
        words.append(f"{word} {marks[index]}" if index in marks else word)
    return DASH.join(words)


def format_route(board: RailMap, route: Route) -> str:
    """Return a route; a company in square brackets says over whose track the leg before it runs, where the player did."""
    changes = {index for index in range(1, len(route.over)) if route.over[index] != route.over[index - 1]}
    words = []
    for index in named_points(board, route.path, {*changes, *route.named}):
        over = route.over[index - 1] if index else ""
        words.append(place_name(board, route.path[index]) + (f" [{owner_name(over)}]" if over else ""))
    return DASH.join(words)


def rolls_view(
    state: State,
    company: str,
    events: Events,
    points: Numbers,
    builds: Mapping[int, Build] = MappingProxyType({}),
) -> list[View]:
    """Return a company's builds, roll by roll: label, points, annotated text, cost, what was left, and where it stopped.

    ``by``: what ``points``, ``used`` and ``left`` count: a roll, or as the option for building among the races says.
    *state*: any position of the round in question; *builds*: what was ordered, by roll: points that the player
    named are told. Rolls for which nothing was ordered are there with an empty text.
    """
    board, told = state.board, []
    by = "roll" if state.is_building else allowed_building(state.options).by
    for roll, of_roll in enumerate(points, start=1):
        ordered = builds[roll].pieces if roll in builds else ()
        own = [each for each in events if (getattr(each, "company", ""), getattr(each, "roll", 0)) == (company, roll)]
        stops, banked = of_kind(PieceStopped, own), of_kind(PointsBanked, own)
        costs = [event.cost for event in of_kind(TrackLaid, own)]
        cost = sum(costs) + sum(event.points for event in banked)
        # A causeway is no hex that is built. Rule: R29
        used = sum(cost > 0 for cost in costs) if by == "hexes" else cost
        told.append(
            {
                "label": roll_label(state, roll),
                "by": by,
                "points": of_roll,
                "text": PIECES.join(_pieces_view(board, company, own, ordered)),
                "cost": cost,
                "used": used,
                "left": of_roll - used,
                "charges": [*dict.fromkeys(building_charges(state, own)), *_dear_steps(state, stops, ordered)],
                "banked": [
                    {
                        "bridge": board.bridges[side(each.start, each.end)].name,
                        "points": each.points,
                        "total": each.total,
                        "price": each.price,
                    }
                    for each in banked
                ],
                "stops": [
                    {
                        "piece": stop.piece,
                        "at": stop.at and place_name(board, stop.at),
                        "complaint": stop.complaint,
                    }
                    for stop in stops
                ],
            }
        )
    return told


def money_of(code: str, events: Events) -> View:
    """Return a company's payments of a turn: bonus, spent, prizes, and what went to and came from each rival (units)."""
    paid, received = Counter[str](), Counter[str]()  # by rival, or for what the bank pays and is paid
    for payer, payee, amount, why in payments(events):
        if payer == code:
            paid[payee or why] += amount
        if payee == code:
            received[payer or why] += amount
    change = received.total() - paid.total()
    return {
        "bonus": received.pop("bonus", 0),
        "prizes": received.pop("prize", 0),
        "spent": paid.pop("spent", 0),
        "received": [{"code": rival, "amount": amount} for rival, amount in received.items()],
        "paid": [{"code": rival, "amount": amount} for rival, amount in paid.items()],
        "change": change,
    }


def _dear_steps(state: State, stops: tuple[PieceStopped, ...], ordered: tuple[Piece, ...]) -> Iterator[Charge]:
    """Yield for what the points of steps would be due that the roll could not pay, where the orders are known."""
    for stop in stops:
        path = ordered[stop.piece - 1].path if ordered else ()
        if stop.complaint.code == "illegal-over-budget" and stop.at in path[:-1]:
            yield from step_charges(state, stop.at, path[path.index(stop.at) + 1])


def _pieces_view(board: RailMap, company: str, own: list[Event], ordered: tuple[Piece, ...]) -> list[str]:
    """Return each piece as far as it was laid, with its payments behind the hex where they fell due: they follow their step."""
    pieces: dict[int, list[tuple[TrackLaid | JumpMade, Counter[str]]]] = {}
    due = Counter[str]()  # units by rival, "" for the bank
    for event in own:
        if isinstance(event, TrackLaid | JumpMade):
            due = Counter()
            pieces.setdefault(event.piece, []).append((event, due))
        elif isinstance(event, FeePaid | CityConnected):
            for payer, payee, amount, _ in payments((event,)):
                due[payer if payee == company else payee] += amount
    told = []
    for number, steps in pieces.items():
        path = (steps[0][0].start, *(step.end for step, _ in steps))
        jumps = tuple(index for index, (step, _) in enumerate(steps, start=1) if isinstance(step, JumpMade))
        marks = {index: mark for index, (_, due) in enumerate(steps, start=1) if (mark := _mark(due))}
        named = tuple(index for index in ordered[number - 1].named if index < len(path)) if ordered else ()
        told.append(format_piece(board, Piece(path=path, jumps=jumps, named=named), marks))
    return told


def _mark(due: Counter[str]) -> str:
    bonus = due.pop(BANK, 0)
    return " ".join([f"[+{bonus}]"] * bool(bonus) + [f"[-{amount}{TIE}{rival}]" for rival, amount in due.items()])


# Track as lines: the fewest that walking on until it ends gives, always the same.


def track_lines(state: State, company: str) -> Texts:
    """Return the lines of a company's track from its home outward: straight on where possible, branches afterwards."""
    links: dict[Hex, set[Hex]] = {}
    for one, other in state.track_of(company):
        links.setdefault(one, set()).add(other)
        links.setdefault(other, set()).add(one)
    lines, todo = [], [state.home[company]] if state.home.get(company) in links else []
    while any(links.values()):
        start = next((label for label in todo if links[label]), None) or min(label for label in links if links[label])
        path = _walk(links, start)
        todo += path
        lines.append(path)
    ferries = state.board.ferries
    return tuple(
        # The ends of a ferry are named, too.
        format_path(
            state.board,
            path,
            {
                index + more
                for index, pair in enumerate(pairwise(path))
                if side(*pair) in ferries and not are_neighbours(*pair)
                for more in (0, 1)
            },
        )
        for path in lines
    )


def _walk(links: Mapping[Hex, set[Hex]], start: Hex) -> Path:
    """Take a way out of *links* until it ends."""
    path = [start]
    while onward := links[path[-1]]:
        here = path[-1]
        straight = [label for label in onward if len(path) > 1 and not turns((path[-2], here, label), 1)]
        following = straight[0] if straight else min(onward)
        links[here].remove(following)
        links[following].remove(here)
        path.append(following)
    return tuple(path)
