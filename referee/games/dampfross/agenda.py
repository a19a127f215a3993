"""What is to do in a round: decisions to take, races to run, and how often companies build among them. Rule: D4, D5.6, D7.1."""

from __future__ import annotations

from referee.games.dampfross.draws import counts_for_building, spending_after
from referee.games.dampfross.options import AFTER_A_ROUND, allowed_building
from referee.games.dampfross.state import BUILD, RACE, Item, State, homes_of

ROLL, LAY, HOME, RACING, DECLARE, START_RACE, SPENDING, SPEND = (
    "roll",  # a roll for everybody at once
    "build",  # a company's roll
    "home",
    "race",
    "declare",  # a company's entry
    "run",
    "spending",
    "spend",  # a company's building between races
)


def agenda_of(state: State) -> list[Item]:
    """Return what is to do in a round that begins. Rule: D4.1, D4.2, D5.6, D7.1."""
    codes = state.table.codes
    homes = [Item(what=HOME, company=code) for code in codes if code not in state.home and homes_of(state, code)]
    if state.phase == BUILD:
        rolls = range(1, state.table.options.rolls_per_round + 1)
        if state.table.options.order_of_building == "simultaneous":
            return [*homes, *(Item(what=ROLL, number=roll) for roll in rolls)]
        return [
            *homes,
            *(Item(what=LAY, number=roll, company=code) for roll in rolls for code in _turn_order(state, roll)),
        ]
    agenda = []
    by = allowed_building(state.table.options).by
    for race in state.races:
        due = race.status == "open" and race.round <= state.round
        if due:
            agenda.append(Item(what=RACING, number=race.number))
        counts = due or (race.round == state.round and counts_for_building(state, race))
        if counts and spending_after(state, race.number):
            agenda.append(Item(what=SPENDING, number=race.number))
    if by in AFTER_A_ROUND:
        agenda.append(Item(what=SPENDING))
    if state.is_last_round and agenda and agenda[-1].what == SPENDING:
        del agenda[-1]
    return [*homes, *agenda]


def spendings(state: State, before: int = 0) -> int:
    """Return how often companies build among this round's races, or *before* one of them. Rule: D7.1."""
    agenda = agenda_of(state)
    race = Item(what=RACING, number=before)
    due = agenda[: agenda.index(race)] if race in agenda else agenda
    return sum(item.what == SPENDING for item in due)


def builds_after_a_race(state: State) -> bool:
    """Return whether companies build after one of this round's races, run or cancelled. Rule: D7.1, R34."""
    return any(item.what == SPENDING and item.number for item in agenda_of(state))


def allowance(state: State) -> int:
    """Return the points (or hexes) that each company may spend at a time this round, 0 where there is no building.

    Where the allowance is a race's income it is not known before: then 0, too. Rule: D7.1.
    """
    return allowed_building(state.table.options).most if state.phase == RACE and spendings(state) else 0


def may_build(state: State) -> bool:
    """Return whether building may be ordered for what is still to come of this round."""
    to_do = state.agenda or agenda_of(state)
    return state.phase == BUILD or (state.phase == RACE and any(item.what in (SPENDING, SPEND) for item in to_do))


def _turn_order(state: State, roll: int) -> tuple[str, ...]:
    """Return the companies in the order in which they build: the first moves on by one place each roll. Rule: D4.1."""
    codes = state.table.codes
    first = ((state.round - 1) * state.table.options.rolls_per_round + roll - 1) % len(codes)
    return codes[first:] + codes[:first]
