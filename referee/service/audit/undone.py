"""Whether turns that were undone were played as they say, and the umpire's log undoes them and no others. Values alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from referee.service.audit.log import Edition, GameLog, edition_of
from referee.service.audit.replay import Fault, Replayer
from referee.store.database.hashes import LoggedTurn


def undone_faults(log: GameLog) -> Iterator[Fault]:
    """What the log of acts undoes must be the turns that are said to be undone; their seeds and hashes must be right."""
    undoing = [act for act in log.acts if act.kind == "undo"]
    acts, there = [(act.turn, _edition(act.parameters)) for act in undoing], {each.hash for each in log.undone}
    for act in undoing:
        if (
            json.loads(act.parameters).get("hash") not in there
        ):  # it covers all that was undone: each hash goes over the one before
            yield Fault(
                turn=act.turn, text=f"what act {act.number} of the umpire's log undid is missing or another one"
            )
    for turn in log.turns:
        if any(first <= turn.turn and turn.edition <= edition for first, edition in acts):
            yield Fault(turn=turn.turn, text="it is in force, but the umpire's log undoes it")
    for turn in log.undone:
        if not any(first <= turn.turn and turn.edition <= edition for first, edition in acts):
            yield _fault(log, turn, "nothing in the umpire's log undoes it")
        if not log.is_seed(turn):
            yield _fault(log, turn, "its seed does not lead to the published end of the chain")
        before = log.before(turn)
        if before is None or log.hashed(turn, before.hash) != turn.hash:
            yield _fault(
                log,
                turn,
                "its hash does not fit its rules, seed, salts, typed throws, orders and events, and the turn before",
            )
        elif turn.salts != log.salts:
            yield _fault(log, turn, "its salts are not those of the turn before")


def played_again(log: GameLog, replayer: Replayer, after: Mapping[Edition, Any]) -> Iterator[Fault]:
    """Play the turns that were undone again, each from the position before it; *after*: positions after turns in force."""
    states = dict(after)
    for turn in sorted(log.undone, key=lambda each: (each.edition, each.turn)):
        before = log.before(turn)
        state = states.get(edition_of(before)) if before else None
        if state is None:
            yield _fault(log, turn, "it was not played again: the turn before it did not come out")
            continue
        yield from (_fault(log, turn, fault.text) for fault in replayer.play_from(state, turn))
        if replayer.state is not None:
            states[edition_of(turn)] = replayer.state


def _fault(log: GameLog, turn: LoggedTurn, text: str) -> Fault:
    count = sum(each.turn == turn.turn and each.edition <= turn.edition for each in log.played)
    return Fault(turn=turn.turn, text=f"edition {count}, which was undone: {text}")


def _edition(parameters: str) -> int:
    edition = json.loads(parameters).get("edition")
    return edition if type(edition) is int else 0
