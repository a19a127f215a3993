"""The version of its rules that a running game is played by: another one comes in by the umpire's word alone."""

from __future__ import annotations

import json

from referee.core.errors import ConfigError
from referee.games import game_named
from referee.store.acts import acts
from referee.store.database.connection import Database
from referee.store.database.rows import TurnRow

RULES = "rules"  # the kind of the act by which the umpire moves a game on


def check_rules(db: Database, kind: str, last: TurnRow) -> None:
    """Look whether the turn after *last* may be played by the rules of this program.

    Raises:
        ConfigError: it was played by another version, and the umpire has not moved the game on.
    """
    now = game_named(kind).rules
    if is_behind(db, kind, last):
        raise ConfigError(
            f"turn {last.turn} of {last.game} was played by version {last.rules} of the rules of {kind}, this program has version"
            f" {now}: `referee game rules {last.game}` plays the turns again, and lets the game go on where they come out alike"
        )


def is_behind(db: Database, kind: str, last: TurnRow) -> bool:
    """Return whether a game's newest turn was played by another version of the rules, and the umpire has not moved it on."""
    now = game_named(kind).rules
    return last.rules != now and not any(
        act.kind == RULES and json.loads(act.parameters)["to"] == now for act in acts(db, last.game)
    )
