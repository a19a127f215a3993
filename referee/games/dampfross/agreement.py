"""Whether what was agreed can be played on the board; looked at once, when a game begins."""

from __future__ import annotations

from referee.core.errors import OptionError
from referee.games.dampfross.draws import is_special, races_in_all
from referee.games.dampfross.options import number, word
from referee.games.dampfross.state import ROUNDS_OF_RACES, State, all_homes, races_a_round

KEYS = 36  # of every map; a scenario's sketch may leave out those it does not need


def check_agreement(state: State) -> None:
    """Raise OptionError where companies stay without a home, there is nothing to build for, or races go beyond the keys.

    *state*: before the opening; a running game is never refused.
    """
    fault = _homeless(state) or _nothing_to_build(state) or _too_many_races(state)
    if fault:
        raise OptionError(fault)


def _homeless(state: State) -> str:
    """With homes of their own there must be one for each company. Rule: D1.3."""
    homes, companies = len(all_homes(state)), len(state.table.codes)
    if state.table.options.homes != "distinct" or homes >= companies:
        return ""
    return (
        f"homes = distinct gives each of {companies} companies a home terminal of its own, "
        f"but map {state.table.board.title!r} has {homes} for them"
    )


def _nothing_to_build(state: State) -> str:
    """A new game's building must not be over as soon as the homes are chosen. Rule: D2.7."""
    ends = state.table.options.building_ends
    if state.table.position or word(ends) != "cities-left":
        return ""
    cities, companies = len(state.table.board.station_at), len(state.table.codes)
    left = cities - min(companies, len(all_homes(state)))
    if left > number(ends):
        return ""
    return (
        f"building_ends = {ends} ends building before it begins: besides the home terminals map "
        f"{state.table.board.title!r} has {left} cities to connect"
    )


def _too_many_races(state: State) -> str:
    """A short game has no more races than a full one may have: no key is used oftener than the rules say. Rule: D5.1, D5.6."""
    board, options = state.table.board, state.table.options
    if not isinstance(options.races, int):
        return ""
    by_sectors = ROUNDS_OF_RACES * races_a_round(board)
    most = by_sectors if options.race_schedule == "sectors" else _races_for_keys(state)
    if options.races <= most:
        return ""
    return f"races = {options.races} is more than map {board.title!r} has keys for: {most} at the most"


def _races_for_keys(state: State) -> int:
    """Return for how many races drawn with dice the keys suffice: two each, one for a special one. Rule: D5.1."""
    keys = KEYS
    for race in range(1, races_in_all(state) + 1):
        keys -= 1 if is_special(state, race) else 2
        if keys < 0:
            return race - 1
    return races_in_all(state)
