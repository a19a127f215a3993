"""Turns that are due: adjudicated, told and written in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from referee.core.dice import SeededDice, salted, seed_of_turn
from referee.core.game import Outcome
from referee.service.club.club import Club
from referee.service.club.positions import Position, format_orders
from referee.service.post.writing import tell_umpire
from referee.service.turns.calendar import next_deadline, parse_rhythm
from referee.service.turns.newsletters import Told, newsletters
from referee.service.turns.salts import salts_of
from referee.service.turns.throws import TriedDice, check_typed, format_typed, parse_typed
from referee.store import games, orders, outbox
from referee.store.database.database import transaction
from referee.store.database.rows import GameRow, OrderSet, OutboxRow, TurnRow
from referee.store.throws import typed_throws


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chance:
    """All that the throws of a turn follow from; ``typed`` by name."""

    seed: str
    salts: str
    typed: Mapping[str, int]


def is_due(club: Club, position: Position, began: datetime, unread: datetime | None = None) -> bool:
    """Return whether the awaited turn may be played.

    *began*: when this pass began to collect; letters that lay there by deadline and grace are then all in the store, but for
    those that are tried again, of which the first came at *unread*: no turn is played without one that was in time.
    """
    due, grace = position.row.deadline, timedelta(minutes=club.config.grace)
    if due is not None and due + grace < began:
        return unread is None or unread > due + grace
    settled = settles(club, position, began)
    return settled is not None and settled <= began and unread is None


def settles(club: Club, position: Position, began: datetime) -> datetime | None:
    """Return from when on the turn may be played before its deadline, if nothing is changed; None: not all orders are in."""
    sets = orders.sets(club.db, position.row.id, position.row.turn)
    sets = tuple(each for each in sets if each.player in position.awaited)
    if not all(orders.counts_as_in(orders.set_to_run(sets, code)) for code in position.awaited):
        return None
    last = max((each.changed_at for each in sets), default=began)
    return last + timedelta(hours=club.config.early_delay)


def adjudicate(club: Club, row: GameRow) -> bool:
    """Play the awaited turn and write it with all its newsletters; return False if somebody else did so meanwhile.

    Raises:
        Untyped: the turn asks for throws that the umpire must type first, or must mend.
    """
    position = club.positions.of(club.db, row)
    sets, chance = sets_to_run(club, position), _chance(club, position)
    outcome, turn = _played(club, position, sets, chance)
    told = _told(club, position, outcome, turn, tuple(sets))
    post = newsletters(club, told)
    club.step("adjudicate:computed")
    with transaction(club.db):
        if games.game(club.db, row.id) != row or sets_to_run(club, position) != sets:
            return False
        if _chance(club, position) != chance:
            return False
        _write(club, turn, told, post)
        _tell_unused(club, turn, chance)
        club.step("adjudicate:writing")
    club.step("adjudicate:written")
    return True


def turn_row(
    position: Position, turn: int, seed: str, outcome: Outcome, now: datetime, played: Mapping[str, tuple[Any, ...]]
) -> TurnRow:
    """Return a turn as it is stored; its hash is written by the store."""
    rules = position.rules
    return TurnRow(
        game=position.row.id,
        turn=turn,
        rules=rules.rules,
        seed=seed,
        orders=format_orders(rules, played),
        events=rules.encode(outcome.events),
        state=rules.encode(outcome.state),
        hash="",
        deadline=position.row.deadline,
        adjudicated_at=now,
    )


def sets_to_run(club: Club, position: Position) -> dict[str, OrderSet]:
    """Return of each player the set that would run now, in order of play; who has none is missing."""
    sets = orders.sets(club.db, position.row.id, position.row.turn)
    wanted = {player.code: orders.set_to_run(sets, player.code) for player in position.players}
    return {code: each for code, each in wanted.items() if each is not None and position.may_order(code)}


def decoded(position: Position, sets: Mapping[str, OrderSet]) -> dict[str, tuple[Any, ...]]:
    """Return the orders of sets as values of the game."""
    return {code: position.rules.decode(each.orders, position.setup) for code, each in sets.items()}


def _chance(club: Club, position: Position) -> _Chance:
    row = position.row
    typed = typed_throws(club.db, row.id, row.turn)
    return _Chance(seed=seed_of_turn(row.chain, row.turn), salts=salts_of(club.db, position), typed=typed)


def _played(club: Club, position: Position, sets: Mapping[str, OrderSet], chance: _Chance) -> tuple[Outcome, TurnRow]:
    """Return the awaited turn as it comes out, with its hash; nothing is written. Raises Untyped."""
    played, row = decoded(position, sets), position.row
    dice = TriedDice(given=chance.typed, otherwise=SeededDice(salted(chance.seed, chance.salts)))
    outcome = position.rules.adjudicate(position.state, played, dice)
    check_typed(position.rules, position.state, dice)
    turn = turn_row(position, row.turn, chance.seed, outcome, club.clock(), played)
    turn = replace(turn, salts=chance.salts, typed=format_typed(dice.used))
    return outcome, games.chained(turn, games.last_turn(club.db, row.id).hash)


def _told(club: Club, position: Position, outcome: Outcome, turn: TurnRow, sent: tuple[str, ...]) -> Told:
    row, rules = position.row, position.rules
    over = not rules.awaiting(outcome.state)
    return Told(
        position=position,
        turn=row.turn,
        salts=turn.salts,
        typed=turn.typed,
        hash=turn.hash,
        state=outcome.state,
        events=outcome.events,
        next_turn=row.turn if over else rules.turn(outcome.state),
        deadline=None if over else next_deadline(parse_rhythm(row.rhythm), club.clock(), row.deadline),
        press=orders.press(club.db, row.id, row.turn),
        unsigned=orders.unsigned_press(club.db, row.id, row.turn),
        missing=tuple(code for code in position.awaited if code not in sent),
    )


def _write(club: Club, turn: TurnRow, told: Told, post: tuple[OutboxRow, ...]) -> None:
    games.add_turn(club.db, turn)
    games.advance(club.db, turn.game, told.next_turn, told.deadline)
    for letter in post:
        outbox.put(club.db, replace(letter, created=turn.adjudicated_at))


def _tell_unused(club: Club, turn: TurnRow, chance: _Chance) -> None:
    """Tell the umpire which throws he typed that nothing asked for: they are not kept with the turn."""
    used = parse_typed(turn.typed)
    unused = [(name, number) for name, number in chance.typed.items() if name not in used]
    if unused:
        values = {"throws": unused}
        tell_umpire(club, f"throws-unused:{turn.game}:{turn.turn}", "throws-unused", values, turn.game, turn.turn)
