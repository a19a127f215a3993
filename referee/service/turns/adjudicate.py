"""Turns that are due: adjudicated, told and written in one transaction."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any

from msgspec import to_builtins

from referee.core import N_, Amounts, ConfigError, NotFound, SeededDice, Value, View, add_salt, seed_of_turn
from referee.core.game import Outcome
from referee.core.texts import canonical
from referee.games import game_named
from referee.store import (
    Database,
    GameRow,
    OrderSet,
    OutboxRow,
    TurnRow,
    games,
    orders,
    outbox,
    transaction,
    type_throw,
    typed_throws,
)
from referee.store.games import acts, booked_letters, head, sealed_letters

from ..club import Club
from ..deadlines.missing import MISSING, orders_on_file, tell_played_without
from ..deadlines.rescheduling import running
from ..duetimes import next_deadline, rhythm_of, statements_time
from ..letters.interpretation import newest_texts, set_to_run
from ..positions import Position, format_orders
from ..post.writing import tell_umpire
from ..umpires import Command, log_act
from .inputs import (
    TriedDice,
    check_typed,
    format_typed,
    is_name,
    kept_orders,
    lines_beforehand,
    parse_typed,
    refile,
    salts_of,
)
from .newsletters import newsletters
from .turnnews import TurnNews, correction_of

# The version of its rules that a running game is played by: another one comes in by the umpire's word alone.

RULES = "rules"  # the kind of the act by which the umpire moves a game on


def is_behind(db: Database, kind: str, last: TurnRow) -> bool:
    """Return whether a game's newest turn was played by another version of the rules, and the umpire has not moved it on."""
    now = game_named(kind).rules
    return last.rules != now and not any(
        act.kind == RULES and json.loads(act.parameters)["to"] == now for act in acts(db, last.game)
    )


class _Played(Value):
    """A turn as it comes out, and all that is written of it; ``sets`` and ``chance`` are what it follows from."""

    position: Position
    sets: Mapping[str, OrderSet]
    chance: _Chance
    turn: TurnRow
    news: TurnNews
    post: tuple[OutboxRow, ...]


class _Chance(Value):
    """All that the throws of a turn follow from, ``typed`` by name; and what else it covers: ``acts`` as of ``LoggedTurn``."""

    seed: str
    salts: str
    typed: Amounts
    acts: str
    booked: Mapping[str, Mapping[str, list[str]]]


def adjudicate(club: Club, row: GameRow) -> bool:
    """Play the awaited turn and write it with all its newsletters; return False if somebody else did so meanwhile.

    Raises:
        Untyped: the turn asks for throws that the umpire must type first, or must mend.
        ConfigError: another version of the rules played the turn before it.
    """
    played = _play(club, row)
    club.step("adjudicate:computed")
    with transaction(club):
        if games.game(club, row.id) != row or sets_to_run(club, played.position) != played.sets:
            return False
        if _chance(club, played.position, played.sets) != played.chance:
            return False
        tell_played_without(club, row)
        _write(club, played)
        club.step("adjudicate:writing")
    club.step("adjudicate:written")
    return True


def newsletters_now(club: Club, row: GameRow) -> tuple[OutboxRow, ...]:
    """Return the newsletters that would go out if the awaited turn were played now; nothing is written. Raises Untyped."""
    return _play(club, row).post


def play_anew(club: Club, row: GameRow, deadline: datetime | None) -> None:
    """Play the awaited turn of a game and write it with its newsletters, whatever its deadline. Inside a transaction,
    for an act of the umpire's between passes: the board is drawn meanwhile, and the umpire alone waits.

    *deadline*: of the turn after it; None: as the game's rhythm says.

    Raises:
        Untyped: as ``adjudicate``.
    """
    _write(club, _play(club, row, deadline))


def turn_row(
    position: Position, turn: int, seed: str, outcome: Outcome, now: datetime, played: Mapping[str, tuple[Any, ...]]
) -> TurnRow:
    """Return a turn as it is stored; its hash is written by the store."""
    rules = position.rules
    return TurnRow(
        game=position.id,
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
    sets = orders.sets(club, *position.row.turn_key)
    wanted = {player.code: set_to_run(sets, player.code) for player in position.players}
    return {code: each for code, each in wanted.items() if each and position.may_order(code)}


def decode_sets(position: Position, sets: Mapping[str, OrderSet]) -> dict[str, tuple[Any, ...]]:
    """Return the orders of sets as values of the game."""
    return {code: position.decode(each.orders) for code, each in sets.items()}


def _chance(club: Club, position: Position, sets: Mapping[str, OrderSet]) -> _Chance:
    row = position.row
    runs = {each.code: sets[each.code].letter if each.code in sets else None for each in position.players}
    return _Chance(
        seed=seed_of_turn(row.chain, row.turn),
        salts=salts_of(club, position),
        typed=typed_throws(club, *row.turn_key),
        acts=head(club, row.id),
        booked=booked_letters(club, row, runs),
    )


def _play(club: Club, row: GameRow, deadline: datetime | None = None) -> _Played:
    """Return the awaited turn as it comes out, with its hash and its newsletters; nothing is written.

    Raises:
        Untyped: the umpire must type throws first, or mend some.
        ConfigError: another version of the rules played the turn before it, and the umpire has not moved the game on.

    *deadline*: of the next turn, None where the rhythm says it.
    """
    position, last = club.position(row), games.last_turn(club, row.id)
    sets = sets_to_run(club, position)
    chance = _chance(club, position, sets)
    rules, rhythm, now = position.rules, rhythm_of(club.config, row), club.now
    if is_behind(club, row.kind, last):
        raise ConfigError(
            f"turn {last.turn} of {row.id} was played by version {last.rules} of the rules of {row.kind}, this program has"
            f" version {rules.rules}: `referee game rules {row.id}` plays the turns again, and lets the game go on where they"
            " come out alike"
        )
    played = decode_sets(position, sets)
    dice = TriedDice(given=chance.typed, otherwise=SeededDice(add_salt(chance.seed, last.salts)))
    outcome = rules.adjudicate(position.state, played, dice)
    outcome = outcome.but(events=(*position.rulings, *outcome.events))
    check_typed(rules, position.state, dice)
    turn = turn_row(position, row.turn, chance.seed, outcome, now, played).but(
        edition=games.next_edition(club, *row.turn_key),
        salts=chance.salts,
        typed=format_typed(dice.used),
        acts=chance.acts,
        letters=canonical(sealed_letters(*row.turn_key, chance.booked)),
        booked=canonical(chance.booked),
    )
    turn = games.chain_turn(turn, last.hash)
    over, on_file = not rules.awaiting(outcome.state), orders_on_file(club, position)
    news = TurnNews(
        position=position,
        row=turn,
        state=outcome.state,
        events=outcome.events,
        next_turn=row.turn if over else rules.turn(outcome.state),
        deadline=None if over else deadline or next_deadline(rhythm, now),
        press=newest_texts(orders.texts(club, *row.turn_key, "press")),
        # In the order of the texts, which tells nothing of who wrote when.
        unsigned=tuple(sorted(newest_texts(orders.texts(club, *row.turn_key, "unsigned")), key=attrgetter("text"))),
        missing=tuple(code for code in position.awaited if code not in sets and on_file[code] == MISSING),
        statements_until=statements_time(rhythm, now) if over else None,
    )
    news = _with_next_turn(club, news)
    return _Played(position=position, sets=sets, chance=chance, turn=turn, news=news, post=newsletters(club, news))


def _with_next_turn(club: Club, news: TurnNews) -> TurnNews:
    """Return news with what is on file for the next turn, as it is read in its position, and what this edition corrects."""
    row = news.position.row.but(turn=news.next_turn, deadline=news.deadline)
    position = news.position.but(row=row, state=news.state, salt_fixed=True)
    kept = kept_orders(club, position) if news.deadline and news.row.edition > 1 else {}
    decided = lines_beforehand(club, position, (each.now for each in kept.values())) if news.deadline else {}
    correction = correction_of(club, news.position, news.turn, kept) if news.row.edition > 1 else None
    return news.but(decided=decided, correction=correction)


def _write(club: Club, played: _Played) -> None:
    """Write a turn that was played, with all that follows from it. Inside a transaction."""
    turn, news = played.turn, played.news
    games.add_turn(club, turn)
    games.advance(club, turn.game, news.next_turn, news.deadline)
    if news.statements_until:
        games.write(club, turn.game, statements_due=news.statements_until)
    if news.correction:
        refile(club, news.correction.kept, turn.adjudicated_at)
    for letter in played.post:
        outbox.put(club, letter.but(created=turn.adjudicated_at))
    # Tell the umpire which of the typed throws nothing asked for: they are not kept with the turn.
    used = parse_typed(turn.typed)
    unused = [(name, number) for name, number in played.chance.typed.items() if name not in used]
    if unused:
        values = {"throws": unused}
        tell_umpire(club, f"throws-unused:{turn.game}:{turn.turn}", "throws-unused", values, turn.game, turn.turn)


# The umpire's dry run of the awaited turn: which throws it would ask for; and the throws that are typed for it. Nothing of it is
# told to anybody else, and no seed of the game is used: a dry run must not tell what the dice will show.

_MOST = 999  # no die has more sides
_STAND_IN = SeededDice("a dry run")  # any dice will do, but those of the game
_OVER = "{game} is over: nothing is thrown any more"


class NamedThrow(Value):
    """A throw that the awaited turn would ask for: ``typed`` if it was, ``needed`` if nothing but a typed throw will do."""

    name: str
    sides: int
    typed: int | None
    needed: bool


class UnaskedThrow(Value):
    """A throw that was typed although nothing asks for it today; ``meant``: the name that may have been, "" for none."""

    name: str
    typed: int
    meant: str


class Preview(Value):
    """The throws of the awaited turn with the orders on file today, in the order of throwing."""

    game: str
    turn: int
    throws: tuple[NamedThrow, ...]
    unasked: tuple[UnaskedThrow, ...]

    @property
    def lacking(self) -> int:
        """How many throws must still be typed."""
        return sum(throw.needed and throw.typed is None for throw in self.throws)


def parse_throw(text: str) -> tuple[str, int]:
    """Return the throw written as ``rolls/2/1=5``.

    Raises:
        ConfigError: it is not written so.
    """
    name, _, number = (part.strip() for part in text.partition("="))
    if not is_name(name):
        raise ConfigError(
            f"throw {text!r}: write its name and a number, as rolls/2/1=5 (`referee dice GAME` lists names)"
        )
    if not (number.isascii() and number.isdigit() and len(number) < 10 and 1 <= int(number) <= _MOST):
        raise ConfigError(f"throw {text!r}: behind the = a whole number from 1 to {_MOST} is expected, as {name}=5")
    return name, int(number)


def preview(club: Club, game_id: str) -> Preview:
    """Return the throws of the awaited turn of a game.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over.
    """
    position = club.position(running(club, game_id, _OVER))
    return _preview(club, position, typed_throws(club, *position.row.turn_key))


def dice(club: Club, command: Command) -> View:
    """Tell the throws of the awaited turn of a game; keep those that are typed for it, and FORGET others; all or nothing.

    Raises:
        NotFound: there is no such game, or no throw of a name to be forgotten.
        ConfigError: the game is over; a name is typed twice; or a number does not lie on its die, as far as the throw is asked
            for today.
    """
    typed, forgotten = [*map(parse_throw, command.words[1:])], command.given.get("FORGET", "").split()
    given = dict(typed)
    if twice := next((name for at, (name, _) in enumerate(typed) if name in dict(typed[:at])), ""):
        raise ConfigError(N_("{name} is typed twice"), name=twice)
    position = club.position(running(club, command.game, _OVER))
    row = position.row
    before = typed_throws(club, *row.turn_key)
    for name in forgotten:
        if name not in before:
            there = f" (there is {', '.join(before)})" if before else ""
            raise NotFound(f"no throw {name!r} was typed for turn {row.turn} of {row.id}{there}")
        if name in given:
            raise ConfigError(f"throw {name!r} cannot be typed and forgotten at once")
    after = {**{name: number for name, number in before.items() if name not in forgotten}, **given}
    seen = _preview(club, position, dict(sorted(after.items())))
    faults = [
        f"throw {each.name}={given[each.name]}: 1 to {each.sides} possible"
        for each in seen.throws
        if each.name in given and given[each.name] > each.sides
    ]
    if faults:
        raise ConfigError("; ".join(faults))
    changes = {**dict.fromkeys(forgotten), **given}
    if changes := {name: number for name, number in changes.items() if before.get(name) != number}:
        with transaction(club):
            if games.game(club, row.id).turn != row.turn:
                raise ConfigError(f"turn {row.turn} of {row.id} was played meanwhile: nothing was typed")
            for name, number in changes.items():
                type_throw(club, *row.turn_key, name, number, club.now)
            # Not which: an export tells the log before the turn is played.
            log_act(club, row, "dice", {"throws": len(changes)})
    return {"throws": {**to_builtins(seen), "lacking": seen.lacking}}


def _preview(club: Club, position: Position, typed: Amounts) -> Preview:
    rules, dice = position.rules, TriedDice(given=typed, otherwise=_STAND_IN)
    rules.adjudicate(position.state, decode_sets(position, sets_to_run(club, position)), dice)
    needed = rules.needs_typed(position.state)
    throws = tuple(
        NamedThrow(name=name, sides=sides, typed=typed.get(name), needed=name.startswith(needed))
        for name, sides in dice.asked.items()
    )
    unasked = tuple(
        UnaskedThrow(name=name, typed=number, meant=_near(name, dice)) for name, number in dice.unused.items()
    )
    return Preview(game=position.id, turn=position.row.turn, throws=throws, unasked=unasked)


def _near(name: str, dice: TriedDice) -> str:
    return next(iter(difflib.get_close_matches(name, [each for each in dice.asked if each not in dice.given], 1)), "")
