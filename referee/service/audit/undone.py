"""Whether turns that were undone were played as they say, and the umpire's log undoes them and no others. Values alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from referee.core.dice import CHAIN_END, next_seed
from referee.service.audit.export import Revealed, RevealedTurn
from referee.service.audit.rerun import Again, Fault
from referee.store.database.hashes import hash_of_turn

Edition = tuple[int, int]  # turn and edition


def undone_faults(told: Revealed) -> Iterator[Fault]:
    """What the log of acts undoes must be the turns that are said to be undone; their seeds and hashes must be right."""
    rows = {edition_of(turn): turn for turn in (*told.turns, *told.undone)}
    acts = [(act.turn, _edition(act.parameters)) for act in told.acts if act.kind == "undo"]
    for turn in told.turns:
        if any(first <= turn.turn and turn.edition <= edition for first, edition in acts):
            yield Fault(turn=turn.turn, text="it is in force, but the umpire's log undoes it")
    for turn in told.undone:
        if not any(first <= turn.turn and turn.edition <= edition for first, edition in acts):
            yield _fault(turn, "nothing in the umpire's log undoes it")
        if _seed_before_all(turn) != told.end:
            yield _fault(turn, "its seed does not lead to the published end of the chain")
        before = rows_before(rows, turn)
        if before is None or hashed(told.game, turn, before.hash) != turn.hash:
            yield _fault(
                turn,
                "its hash does not fit its rules, seed, salts, typed throws, orders and events, and the turn before",
            )
        elif before.turn and turn.salts != before.salts:
            yield _fault(turn, "its salts are not those of the turn before")


def played_again(told: Revealed, again: Again, after: Mapping[Edition, Any]) -> Iterator[Fault]:
    """Play the turns that were undone by *again*, each from the position before it; *after*: positions after turns in force."""
    states = dict(after)
    rows = {edition_of(turn): turn for turn in (*told.turns, *told.undone)}
    for turn in sorted(told.undone, key=lambda each: (each.edition, each.turn)):
        before = rows_before(rows, turn)
        state = states.get(edition_of(before)) if before else None
        if state is None:
            yield _fault(turn, "it was not played again: the turn before it did not come out")
            continue
        yield from (_fault(turn, fault.text) for fault in again.play_from(state, turn))
        if again.state is not None:
            states[edition_of(turn)] = again.state


def edition_of(turn: RevealedTurn) -> Edition:
    """Return what a turn is known by among all editions."""
    return turn.turn, turn.edition


def rows_before(rows: Mapping[Edition, RevealedTurn], turn: RevealedTurn) -> RevealedTurn | None:
    """Return the turn that was the last in force when *turn* was played: editions never fall."""
    known = [each for each in rows.values() if each.turn < turn.turn and each.edition <= turn.edition]
    return max(known, key=edition_of, default=None)


def _fault(turn: RevealedTurn, text: str) -> Fault:
    return Fault(turn=turn.turn, text=f"edition {turn.edition}, which was undone: {text}")


def _edition(parameters: str) -> int:
    edition = json.loads(parameters).get("edition")
    return edition if type(edition) is int else 0


def _seed_before_all(turn: RevealedTurn) -> str:
    seed = turn.seed
    for _ in range(turn.turn - CHAIN_END):
        seed = next_seed(seed)
    return seed


def hashed(game: str, turn: RevealedTurn, before: str) -> str:
    """Return the hash that a turn has over the hash *before* it."""
    return hash_of_turn(
        before,
        game=game,
        turn=turn.turn,
        rules=turn.rules,
        seed=turn.seed,
        salts=turn.salts,
        orders=turn.orders,
        events=turn.events,
        typed=turn.typed,
        edition=turn.edition,
    )
