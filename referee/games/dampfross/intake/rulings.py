"""What the umpire may change in a position of Dampfross by a ruling: ``place`` does it, but for single lines of track."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any, get_args

from msgspec.structs import replace

from referee.core.hexes import Hex, Side, format_side, side
from referee.core.record import complete
from referee.core.rulings import Change, Ruled, changed_table
from referee.core.texts.wording import N_
from referee.games.dampfross.intake.typed import TYPED_CHANGES, check_network, facts, place
from referee.games.dampfross.intake.typedfields import PositionReader
from referee.games.dampfross.position.events import Event
from referee.games.dampfross.position.state import State

# The umpire's words, and the keys of a typed-in position that they mean.
ADJUSTABLE = {
    "money": "balances",
    "track": "track",
    "home": "homes",
    "banked": "banked",
    "connected": "connected",
    "unpaid_homes": "unpaid_homes",
    "races_run": "races_run",
}


def after_ruled(event: Ruled, state: State) -> State:
    """Return the position after a ruling. Raises PositionError: a change does not fit it."""
    for change in event.changes:
        lines = change.key == "track" and change.how != "="
        state = _after_track(state, change) if lines else place(state, changed_table(facts(state), change))
    return state


ALL_CHANGES: Mapping[type, Callable[[Any, Any], Any]] = complete(get_args(Event), {**TYPED_CHANGES, Ruled: after_ruled})


def _after_track(state: State, change: Change) -> State:
    """Lay or take up hex-sides; whose track lies there already keeps its place among the owners."""
    reader = PositionReader(state)
    where = f"track.{change.name}"
    code = reader.company(where, change.name) or ""
    sides = list(_sides(reader, where, json.loads(change.value)))
    track = dict(state.track)
    for each in sides if code else ():
        owners = track.get(each, ())
        if change.how == "+" and code in owners:
            reader.clash(where, N_("hex-side {side} has track of {code}"), side=format_side(each), code=code)
        elif change.how == "-" and code not in owners:
            reader.clash(where, N_("hex-side {side} has no track of {code}"), side=format_side(each), code=code)
        elif change.how == "+" and (each in state.table.board.closed or set(each) - set(state.table.board.ground)):
            told = N_("hex-side {side} is closed, or does not join two hexes of the land")
            reader.clash(where, told, side=format_side(each))
        else:
            kept = tuple(owner for owner in owners if owner != code)
            track[each] = (*owners, code) if change.how == "+" else kept
    reader.stop_if_faulty()
    return _laid(reader, code, {each: owners for each, owners in track.items() if owners})


def _sides(reader: PositionReader, where: str, value: object) -> Iterator[Side]:
    for line in reader.lines(where, value):
        for path in reader.paths(where, line):
            yield from (side(one, other) for one, other in pairwise(path))


def _laid(reader: PositionReader, code: str, track: dict[Side, tuple[str, ...]]) -> State:
    """Return the position with that track: the company's network, and which cities somebody's network has reached."""
    state = reader.state
    jumps = [end for jump in state.jumps if jump.company == code for end in (jump.start, jump.end)]
    home = [state.home[code]] if code in state.home else []
    own = frozenset[Hex]((*home, *jumps)).union(*(each for each, owners in track.items() if code in owners))
    reached = {**state.reached, code: own}
    everywhere = frozenset[Hex]().union(*reached.values())
    cities = frozenset(filter(state.table.board.is_city, own))
    reader.state = replace(state, track=track, reached=reached, connected=(state.connected & everywhere) | cities)
    check_network(reader, code)
    reader.stop_if_faulty()
    return reader.state
