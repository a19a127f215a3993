"""Where a built-in player builds next: the town that gives most for its cost, after the company's own temper."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.bots.dampfross.steps import FAR, Steps, points_alone, taste
from referee.bots.dampfross.tempers import dream_of, leaning, temper_of
from referee.core.graph import cheapest_costs, cheapest_way
from referee.core.hexes import Hex
from referee.games.dampfross.position.homes import all_homes
from referee.games.dampfross.position.state import State

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
    drawn = _drawn_to(state, company)
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


def _drawn_to(state: State, company: str) -> Callable[[Hex], int]:
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
