"""What a turn is played with besides its position: the orders that are on file, and its throws."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from msgspec import field

from referee.core import (
    Amounts,
    Complaint,
    Dice,
    LetterTooCostly,
    ReaderLost,
    RefereeError,
    SeededDice,
    Texts,
    TypedDice,
    Value,
    View,
    Words,
    add_salt,
)
from referee.core.game import Game
from referee.core.texts import canonical
from referee.reader.hearing import ASKED
from referee.reader.understanding import Understanding
from referee.reader.wire import Filed
from referee.store import Database, GameRow, LaterRow, OrderSet, games, insert, letters, opengames, orders, transaction

from ..club import Club
from ..letters.identify import quotes_of
from ..letters.interpretation import filing, is_in, newest_texts, set_to_run, set_values, write_filing
from ..positions import OPENING, Position, format_complaints, parse_complaints
from ..post.codes import without_codes
from ..post.writing import tell_player

# Throws that the umpire types: a turn thrown with them, what is wrong with them, and how they are kept with the turn.

_NAME = re.compile(r"[a-z]\w*(/[\w+.-]+)+")
_LONGEST = 80  # characters of a name


class Misfit(Value):
    """A typed number that does not lie on the die."""

    name: str
    number: int
    sides: int


class Untyped(RefereeError):
    """A turn cannot be played before the umpire has typed throws, or has mended those typed."""

    exit_code = 65

    def __init__(self, untyped: tuple[tuple[str, int], ...], misfits: tuple[Misfit, ...]) -> None:
        """*untyped*: names and sides, in the order of throwing."""
        self.untyped, self.misfits = untyped, misfits
        super().__init__(" ".join((*(name for name, _ in untyped), *(each.name for each in misfits))))


class TriedDice(Value):
    """Typed throws before others, with a note of all names that were asked for and their sides, in order.

    A typed number that does not fit is passed over here, so that one run tells of all of them.
    """

    given: Amounts
    otherwise: Dice
    asked: dict[str, int] = field(default_factory=dict)

    def throw(self, name: str, sides: int) -> int:
        """Return the typed throw, or that of the other dice."""
        self.asked[name] = sides
        number = self.given.get(name, 0)
        return number if 1 <= number <= sides else self.otherwise.throw(name, sides)

    @property
    def misfits(self) -> tuple[Misfit, ...]:
        """The typed numbers that were asked for and do not fit."""
        asked = ((name, sides, self.given.get(name, 1)) for name, sides in self.asked.items())
        return tuple(
            Misfit(name=name, number=number, sides=sides) for name, sides, number in asked if not 1 <= number <= sides
        )

    def still_lacking(self, needed: Texts) -> tuple[tuple[str, int], ...]:
        """Return the throws that nobody typed though their names begin as *needed* says, with their sides."""
        lacking = (each for each in self.asked.items() if each[0] not in self.given)
        return tuple((name, sides) for name, sides in lacking if name.startswith(needed))

    @property
    def used(self) -> dict[str, int]:
        """The typed throws that were asked for."""
        return {name: number for name, number in self.given.items() if name in self.asked}

    @property
    def unused(self) -> dict[str, int]:
        """The typed throws that nothing asked for."""
        return {name: number for name, number in self.given.items() if name not in self.asked}


def check_typed(rules: Game, state: Any, dice: TriedDice) -> None:
    """Raise Untyped where a turn that was played from *state* with *dice* lacks throws, or has some that do not fit."""
    untyped = dice.still_lacking(rules.needs_typed(state))
    if untyped or dice.misfits:
        raise Untyped(untyped, dice.misfits)


def dice_of(seed: str, salts: str, typed: str) -> Dice:
    """Return the dice of an adjudicated turn. They raise ValueError for a typed number that does not fit."""
    return TypedDice(given=parse_typed(typed), otherwise=SeededDice(add_salt(seed, salts)))


def format_typed(throws: Amounts) -> str:
    """Return throws by name as JSON, "" for none: the same bytes for the same throws."""
    return canonical(dict(throws)) if throws else ""


def parse_typed(text: str) -> dict[str, int]:
    """Return the throws written by ``format_typed``, sorted by name.

    Raises:
        ValueError: it is no text of throws.
    """
    throws = json.loads(text) if text else {}
    fault = typed_fault(throws)
    if text and fault:
        raise ValueError(f"its typed throws: {fault}")
    return dict(sorted(throws.items()))


def told_throws(db: Database, position: Position, turn: int, typed: str) -> list[str]:
    """Return the umpire's throws of a turn; at the end of a game with secrets those of all turns."""
    earlier = games.turns(db, position.id) if position.rules.has_secrets else ()
    texts = [*(row.typed for row in earlier if row.turn < turn), typed]
    return [f"{name}={number}" for text in texts for name, number in parse_typed(text).items()]


def typed_fault(throws: Any) -> str:
    """Return what is wrong with a value that should be throws by name, at least one, "" if nothing."""
    if not isinstance(throws, dict) or not throws:
        return "at least one name with its number is expected"
    for name, number in throws.items():
        if not is_name(name):
            return f"{name!r} is no name of a throw"
        if type(number) is not int or number < 1:
            return f"{name}: a whole number from 1 on is expected"
    return ""


def is_name(text: str) -> bool:
    """Return whether a text is built like the name of a throw, as ``rolls/2/1``."""
    return len(text) <= _LONGEST and _NAME.fullmatch(text) is not None


# The players' words of salt, mixed into the dice: of those who signed up from the opening on, else from the second turn on.

_WORD = re.compile(r"\w+")


def salts_of(db: Database, position: Position) -> str:
    """Return the salts that the awaited turn prints, as ``GSW=pepper MGW=dill`` in order of play; "" if nobody gave any.

    A turn is thrown with those that the one before printed, the opening with its own: a word that came with the orders could be
    the umpire's, made to fit them.
    """
    last = games.last_turn(db, position.id)
    if last.salts or last.turn != OPENING:
        return last.salts
    given = newest_texts(orders.texts(db, *position.row.turn_key, "salt"))
    return join_salts((player.code for player in position.players), {each.player: each.text for each in given})


def join_salts(codes: Iterable[str], words: Words) -> str:
    """Return salts as they are thrown with; *codes* in order of play."""
    return " ".join(f"{code}={words[code]}" for code in codes if words.get(code))


def are_of(salts: str, codes: Texts) -> bool:
    """Return whether salts are words of these players, each at most once, in their order."""
    given = [each.partition("=") for each in salts.split(" ")] if salts else []
    if not all(_WORD.fullmatch(word) for _, _, word in given):
        return False
    named = [code for code, _, _ in given]
    return named == [code for code in codes if code in named]


# Orders on file for a turn whose position has become another one: read again from their letters, as if they came now.


class RunningSet(Value):
    """The set of a player that runs: as it was filed, and as it is read in the position of now; ``told`` for a letter."""

    before: OrderSet
    now: OrderSet
    told: View


def kept_orders(club: Club, position: Position) -> dict[str, RunningSet]:
    """Return what is on file for the awaited turn of *position*, by player; letters are read for it."""
    sets = orders.sets(club, *position.row.turn_key)
    found = {player.code: set_to_run(sets, player.code) for player in position.players}
    return {code: _read_anew(club, position, each) for code, each in found.items() if each}


def refile(club: Club, kept: Mapping[str, RunningSet], at: datetime) -> None:
    """File anew what is read otherwise now; what was filed before stays, withdrawn. Inside a transaction."""
    for code, each in kept.items():
        if each.now != each.before:
            orders.withdraw(club, each.before.game, each.before.turn, code, at)
            insert(club, each.now.but(id=0, changed_at=at))


def letter_read_now(
    club: Club, position: Position, number: int, player: str, rest: Filed | None = None
) -> Understanding | None:
    """Return what a stored letter of a player's says in a position; *rest*: what it may keep. None where nobody knows."""
    try:
        letter = without_codes(club, club.reader.read(letters.letter(club, number).raw))
        return club.reader.understand(letter, [(position.in_play, player, rest)], quotes_of(club, letter))[-1]
    except (LetterTooCostly, ReaderLost):
        return None


def _read_anew(club: Club, position: Position, row: OrderSet) -> RunningSet:
    read = _read(club, position, row)
    now = row
    if read and read.gives_orders and not read.versions:
        encoded, complaints = position.rules.encode(read.orders), format_complaints(read.complaints)
        if (encoded, complaints) != (row.orders, row.complaints):
            now = row.but(orders=encoded, complaints=complaints, clean=read.is_clean)
    return RunningSet(before=row, now=now, told=set_values(position, now))


def _read(club: Club, position: Position, row: OrderSet) -> Understanding | None:
    """Return what a set says now, None where that cannot be known."""
    if row.letter is not None:
        wrong = parse_complaints(row.complaints)  # what such a letter kept stands in the set itself
        rest = Filed(text=row.text, complaints=wrong) if ASKED.isdisjoint(each.code for each in wrong) else None
        return letter_read_now(club, position, row.letter, row.player, rest)
    try:
        return club.reader.understand_typed(f"ORDERS\n{row.text}\nEND", row.player, position.in_play)
    except (LetterTooCostly, ReaderLost):
        return None


# Orders for a later turn, sent beforehand: read and filed when it is awaited, as if they came then.


def file_earlier(club: Club, row: GameRow) -> None:
    """File what was sent beforehand for the awaited turn of a game, and tell its players how it is understood now."""
    waiting = orders.kept_due(club, *row.turn_key)
    if not waiting:
        return
    position = club.position(row)
    counting = [each for each in waiting if position.replaced or not each.if_standby]
    found = [(each, letter_read_now(club, position, each.letter, each.player)) for each in counting]
    if not found:
        return
    with transaction(club):
        if games.game(club, row.id).turn != row.turn:
            return
        for each, read in found:
            _file(club, position, each, read)


def lines_beforehand(club: Club, position: Position, kept: Iterable[OrderSet]) -> dict[str, Texts]:
    """Return by player the lines that will run in a turn that is only now awaited: of sets that stay on file (*kept*), or of
    letters that were sent for it beforehand.
    """
    sets = tuple(kept)
    for row in orders.kept_due(club, *position.row.turn_key):
        if row.if_standby or not position.may_order(row.player):
            continue
        read = letter_read_now(club, position, row.letter, row.player)
        sets = filing(position, row.player, read, sets, row.letter, row.arrived).sets if read else sets
    found = {code: set_to_run(sets, code) for code in {each.player for each in sets}}
    return {code: tuple(each.text.split("\n")) for code, each in found.items() if each and each.text}


def _file(club: Club, position: Position, row: LaterRow, read: Understanding | None) -> None:
    """File a letter as it is *read* now, None: that cannot be known."""
    if read and read.gives_orders and _is_from_before_the_game(club, row):
        # HOME alone would be in, and the turn played before its player has read what was rolled.
        read = read.but(complaints=(*read.complaints, Complaint(code="invalid-before-game")))
    orders.mark_filed(club, club.now, row.letter)
    sets = orders.sets(club, row.game, row.turn)
    arrived = club.now if row.if_standby else row.arrived  # they take the place of all that came before
    done = filing(position, row.player, read, sets, row.letter, arrived) if read else None
    # The time that a turn waits after the last orders runs from now on: their player reads only now what they mean.
    added = done.adds.but(changed_at=club.now) if done and done.adds else None
    if done:
        write_filing(club, done.but(adds=added, arrived=row.arrived, confirms=0))
    player = position.player(row.player)
    values = {
        "sent": row.arrived,
        "standby": row.if_standby,
        "on_file": set_values(position, added) if added else None,
        "complaints": read.complaints if read else (),
        "forecast": read.forecast if read and added else None,
        "passes": read is not None and read.passes,
        "is_in": is_in(position, orders.sets(club, *position.row.turn_key), player.code),
        "cleared": read is not None and "CLEAR" in read.reading.commands,
    }
    tell_player(club, position, player, "later", values, f"later:{row.letter}:{position.id}:{position.row.turn}")


def _is_from_before_the_game(club: Club, row: LaterRow) -> bool:
    began = opengames.known(club, row.game)
    return began is not None and began.started_at is not None and row.arrived < began.started_at
