"""What a corrected newsletter says before all else: which one it replaces, why, and what is different in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from referee.core.differences import differences
from referee.core.game import Game
from referee.core.rulings import Ruled
from referee.core.values import Value
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.turns.onfile import Kept
from referee.store import games
from referee.store.acts import acts
from referee.store.database.rows import ActRow, TurnRow


class Correction(Value):
    """The edition of a turn, its ``number``-th, that ``replaces`` another one. ``undo`` is the act that put that out of force,
    ``before`` the position that it told; ``kept``: what is on file for the next turn, by player.
    """

    number: int
    undo: ActRow
    replaces: TurnRow
    before: Any
    kept: Mapping[str, Kept]

    @property
    def is_second(self) -> bool:
        """Whether what is replaced was a correction itself."""
        return self.number > 2


def correction_of(club: Club, position: Position, turn: int, kept: Mapping[str, Kept]) -> Correction | None:
    """Return what the edition of a turn that is written next corrects, None if it is the first."""
    replaced = games.replaced(club.db, position.row.id, turn)
    if replaced is None:
        return None
    before = position.rules.decode(replaced.state, position.setup)
    number = len(games.editions(club.db, position.row.id)[turn]) + 1
    return Correction(number=number, undo=undo_of(club, replaced), replaces=replaced, before=before, kept=kept)


def undo_of(club: Club, row: TurnRow) -> ActRow:
    """Return the act that put a turn out of force."""
    undone = (act for act in acts(club.db, row.game) if act.kind == "undo" and act.turn <= row.turn)
    return next(act for act in undone if json.loads(act.parameters)["edition"] >= row.edition)


def correction_values(position: Position, correction: Correction, state: Any, reader: str | None) -> dict[str, Any]:
    """Return what ``correction.txt.j2`` is told, but for the letter that is replaced; *state*: the position told now."""
    kept = correction.kept.get(reader or "")
    return {
        "undone": correction.undo.turn,
        "because": correction.undo.reason,
        "again": correction.is_second,
        "differences": position_differences(position.rules, correction.before, state, reader),
        "kept": kept.told if kept else None,
    }


def ruling_values(rules: Game, state: Any, rulings: Iterable[Ruled], reader: str | None) -> list[dict[str, Any]]:
    """Return rulings that are made from *state* on, one after the other, as letters tell them to a reader."""
    told = []
    for each in rulings:
        after = rules.apply(state, each)
        found = position_differences(rules, state, after, reader)
        told.append({"number": each.paragraph, "because": each.because, "differences": found})
        state = after
    return told


def position_differences(rules: Game, before: Any, now: Any, reader: str | None) -> list[dict[str, Any]]:
    """Return what differs between two positions for a reader, as ``post.differences`` tells it."""
    found = differences(rules.tallies(before, reader), rules.tallies(now, reader))
    parts = dict.fromkeys(each.part for each in found)
    return [{"part": part, "lines": [each for each in found if each.part == part]} for part in parts]
