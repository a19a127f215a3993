"""Orders of Volldampf for the tests of its desk: what players wrote in recorded games, and lines made at random, many faulty."""

import random
from collections.abc import Iterator
from typing import Any

from referee.games.volldampf import GAME
from referee.games.volldampf.board import CUBE_COLOURS
from referee.games.volldampf.forecast import Note
from referee.games.volldampf.notation import bid_verb, decisions_now, format_alternative, format_order
from referee.games.volldampf.report import desk
from referee.games.volldampf.routing import legal_deliveries
from referee.games.volldampf.state import State
from tests.games import lines as letters

Case = dict[str, Any]
# What may be otherwise in a position without what came before it being otherwise, too.
CHOICES: dict[str, tuple[Any, ...]] = {
    "must_stop": (True, False),
    "own_link_needed": (False, True),
    "route_needed": (False, True),
    "build_connected": (False, True),
    "lok_stack": (False, True),
    "subvention_stack": (False, True),
    "neue_planung_phases": ("3-6", "5-6", "6"),
    "two_player_tie": ("paid_and_repeat", "returned_and_repeat", "raise"),
    "steal_from": ("chosen", "random"),
    "bond_limit": (0, 3),
}


def with_options(state: State, dice: random.Random) -> State:
    """Return a position under options that are drawn."""
    chosen = {name: dice.choice(values) for name, values in CHOICES.items()}
    return state.but(table=state.table.but(options=state.table.options.but(**chosen)))


def position_for(state: State, player: str) -> dict[str, Any]:
    """Return the desk's position with the cards and marks that its reader knows of their own."""
    position = desk(state)
    position["players"][player] |= {"actions": list(state.actions.get(player, ())), "cash": state.cash.get(player, 0)}
    return position


def answer_of(state: State, player: str, lines: tuple[str, ...]) -> Case:
    """Return what the referee makes of lines: {clean: read without a complaint, lines in canonical form, faults, notes}."""
    orders, complaints = letters.understood(GAME, state, player, lines)
    told = GAME.forecast(state, player, orders)
    own = [format_order(state, order) for order in orders]
    faults = [
        {"code": it.code, "paragraph": it.paragraph, "text": it.text, "params": dict(it.params), "hint": it.hint}
        for it in told.complaints
    ]
    entries = [entry for entry in told.told["entries"] if entry["line"] in own]
    notes: list[Note] = [{name: entry[name] for name in ("line", "notes")} for entry in entries]
    return {"clean": not complaints, "lines": sorted(own), "faults": faults, "notes": notes}


def random_lines(state: State, player: str, dice: random.Random) -> tuple[str, ...]:
    """Return lines for what is asked, some of them good, many not."""
    lines: list[str] = []
    for what, number in decisions_now(state):
        if dice.random() < 0.85:
            lines += _MAKERS[what](state, player, number, dice)
    asked = {what for what, _ in decisions_now(state)}
    if asked & {"build", "move", "subsidy"} and dice.random() < 0.3:
        lines += [_sabotage(state, player, dice) for _ in range(dice.randint(1, 2))]
    moments = [
        f"{what.upper()}{f' {number}' if number else ''}" for what, number in decisions_now(state) if what != "new"
    ]
    if moments and dice.random() < 0.35:
        colour, origin, goal = dice.choice(CUBE_COLOURS), *_cities(state, dice, 2)
        if dice.random() < 0.7 and state.cubes:
            start = dice.choice([city for city in state.cubes if state.table.board.city(city).name != goal])
            colour, origin = dice.choice(state.cubes[start]), state.table.board.city(start).name
        lines.append(
            f"PLAN {dice.choice(('BEFORE', 'AFTER'))} {dice.choice(moments)}: {colour} FROM {origin} TO {goal}"
        )
    return tuple(lines)


def _cities(state: State, dice: random.Random, count: int) -> list[str]:
    return [city.name for city in dice.sample(state.table.board.cities, count)]


def _bonds(state: State, player: str, number: int, dice: random.Random) -> Iterator[str]:
    yield f"BONDS {dice.choice((0, 1, 2, 3, 5, 9, 25))}"


def _bid(state: State, player: str, number: int, dice: random.Random) -> Iterator[str]:
    amounts = [str(dice.choice((0, 1, 2, 3, 4, 6, 9, 30))) for _ in range(dice.randint(1, 3))]
    amounts = amounts if len(state.table.codes) == 2 else amounts[:1]
    yield f"{bid_verb(state)} {'PASS' if dice.random() < 0.15 else ', '.join(amounts)}"


def _rank(state: State, player: str, number: int, dice: random.Random) -> Iterator[str]:
    wishes = []
    for _ in range(dice.randint(1, 4)):
        group = dice.choice(state.groups or ((),))
        cards = list(group) if group and dice.random() < 0.6 else dice.choices(state.table.board.colour_ids, k=2)
        few = sorted(cards, key=state.table.board.colour_ids.index)[: dice.randint(1, len(cards))]
        exact = dice.choice(("", "", "ONLY "))
        wishes.append(exact + "+".join(few) if dice.random() < 0.8 else str(dice.randint(1, len(state.table.codes))))
    yield f"RANK {', '.join(wishes)}"


def _new(state: State, player: str, number: int, dice: random.Random) -> Iterator[str]:
    cards = [card for group in state.groups for card in group]
    if not cards or not all(state.groups) or dice.random() < 0.5:
        return
    dice.shuffle(cards)
    if dice.random() < 0.2:
        cards[0] = dice.choice(state.table.board.colour_ids)
    sizes = [len(group) for group in state.groups]
    if dice.random() < 0.2:
        sizes[0], sizes[-1] = sizes[0] - 1, sizes[-1] + 1
    groups = []
    for size in filter(None, sizes):
        groups.append("+".join(sorted(cards[:size], key=state.table.board.colour_ids.index)))
        cards = cards[size:]
    yield f"NEW: {' / '.join(groups)}"


def _build(state: State, player: str, number: int, dice: random.Random) -> Iterator[str]:
    board, hand = state.table.board, state.hands.get(player, ())
    sites = []
    for _ in range(dice.randint(1, 4)):
        link = dice.choice(board.links)
        if dice.random() < 0.7 and hand:
            link = dice.choice([it for it in board.links if it.colour in hand])
        text = board.link_name(link.id)
        if dice.random() < 0.25:
            text += " BARGAIN" + (f" WITH {dice.choice(board.colour_ids)}" if dice.random() < 0.5 else "")
        elif dice.random() < 0.15:
            text += f" WITH {dice.choice(board.colour_ids)}"
        if dice.random() < 0.15:
            text = dice.choice(("none", f"DISCARD {dice.choice(board.colour_ids)}"))
        sites.append(text)
    yield f"BUILD {number}: {' OR '.join(sites)}"


def _delivery(state: State, player: str, dice: random.Random) -> str:
    board, legal = state.table.board, legal_deliveries(state, player, state.table.board.max_links)
    fast = dice.choice(("", "", "", " FAST", " FAST FAST"))
    kind = dice.random()
    if kind < 0.45 and legal:
        found = dice.choice(legal)
        if dice.random() < 0.5:
            return format_alternative(board, found) + fast
        start, goal = board.city(found.origin).name, board.city(found.goal).name
        return f"{found.colour} FROM {start} TO {goal}{fast}"
    start = dice.choice([*state.cubes] or [board.cities[0].id])
    colour = dice.choice(state.cubes.get(start, CUBE_COLOURS) if dice.random() < 0.8 else CUBE_COLOURS)
    ends = [city for city in board.cities if city.id != start and (city.colour == colour or dice.random() < 0.1)]
    goal_city = dice.choice(ends)
    if kind < 0.75:
        via = [city.name for city in dice.sample(board.cities, 3) if city.id not in (start, goal_city.id)]
        between = f" VIA {', '.join(via[: dice.randint(1, 2)])}" if dice.random() < 0.3 else ""
        return f"{colour} FROM {board.city(start).name}{between} TO {goal_city.name}{fast}"
    way = [start]
    for _ in range(dice.randint(1, 8)):
        onward = [city for city in board.neighbours(way[-1]) if city not in way]
        built = [city for city in onward if (link := board.link(way[-1], city)) and link.id in state.built]
        if not onward:
            break
        way.append(dice.choice(built if built and dice.random() < 0.9 else onward))
        if board.city(way[-1]).colour == colour and dice.random() < 0.6:
            break
    return f"{colour} {'-'.join(board.city(city).name for city in way)}{fast}"


def _trips(state: State, player: str, dice: random.Random) -> str:
    wishes = [_delivery(state, player, dice) for _ in range(dice.randint(1, 3))]
    return " OR ".join(wishes)


def _move(state: State, player: str, number: int, dice: random.Random) -> Iterator[str]:
    decline = dice.choice(("", "", " OR DECLINE", " OR DECLINE OR " + _delivery(state, player, dice)))
    if dice.random() < 0.3:
        yield from _extra(state, number, dice)
    yield f"MOVE {number}: {_trips(state, player, dice)}{decline}"


def _extra(state: State, number: int, dice: random.Random) -> Iterator[str]:
    cities = _cities(state, dice, 4)
    each = ", ".join(f"{colour} {city}" for colour, city in zip(CUBE_COLOURS, cities, strict=True))
    yield f"EXTRA {number}: {dice.choice((cities[0], each))}"


def _subsidy(state: State, player: str, number: int, dice: random.Random) -> Iterator[str]:
    if dice.random() < 0.3:
        yield from _extra(state, 3, dice)
    if dice.random() < 0.7:
        yield f"SUBSIDY: {_trips(state, player, dice)}"
    if dice.random() < 0.3:
        yield f"SUBSIDY 4: {_trips(state, player, dice)}"


def _sabotage(state: State, player: str, dice: random.Random) -> str:
    rival = dice.choice([each for each in state.table.players if each.code != player])
    city = dice.choice(state.table.board.cities).name
    target = dice.choice(("ANY", f"red FROM {city}", f"VIA {city}", f"blue FROM {city} TO {city}"))
    return f"SABOTAGE {rival.name}{dice.choice(('', ' 1', ' 2'))}: {target}"


_MAKERS = {
    "bonds": _bonds,
    "bid": _bid,
    "choose": _rank,
    "new": _new,
    "build": _build,
    "move": _move,
    "subsidy": _subsidy,
}
