"""What the umpire may change in a position of Volldampf by a ruling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from referee.core.record import complete
from referee.core.rulings import Ruled
from referee.core.rulings import after_ruled as after_changes
from referee.games.volldampf.intake.typed import TYPED_CHANGES, facts, place
from referee.games.volldampf.position.events import Event
from referee.games.volldampf.position.state import State

# The umpire's words, and the keys of a typed-in position that they mean. Bag and action pile follow from what lies elsewhere.
ADJUSTABLE = {
    "money": "balances",
    "bonds": "bonds",
    "income": "income",
    "track": "built",
    "cubes": "cubes",
    "cards": "hands",
    "track_pile": "track_pile",
    "actions": "actions",
    "action_discards": "action_discards",
    "sequence": "order",
}


def after_ruled(event: Ruled, state: State) -> State:
    """Return the position after a ruling. Raises PositionError: a change does not fit it."""
    return after_changes(event, state, facts, place)


ALL_CHANGES: Mapping[type, Callable[[Any, Any], Any]] = complete(get_args(Event), {**TYPED_CHANGES, Ruled: after_ruled})
