"""Letters read and understood in another process, one after the other.

What the process is asked about a letter after it has read it is charged to that letter: all of it together takes at most so much
time and so many look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from referee.core.errors import ReaderFailed
from referee.core.game import Game, Setup
from referee.games import game_named
from referee.mail.letter.message import Letter
from referee.orderbook import Reading
from referee.reader import wire
from referee.reader.limitedprocess import LETTER, QUERY, THING, LimitedProcess, Limits, Things
from referee.reader.understanding import Understanding
from referee.reader.wire import (
    Fault,
    Filed,
    GameInPlay,
    Language,
    Meant,
    NamedGames,
    Query,
    Quoted,
    Said,
    Seat,
    Stand,
    Thing,
)

_AT_ONCE = 20  # games asked about in one request: fewer than the process remembers


class Reader:
    """Reads letters, and says what they mean. Each method raises LetterTooCostly, where a letter takes more time than it may,
    ReaderLost, where the process dies and nobody knows why, and ReaderFailed for a fault of ours.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._process = LimitedProcess(limits or Limits())

    @property
    def spent(self) -> float:
        """Seconds of the processor that all letters until now took."""
        return self._process.spent

    def read(self, raw: bytes) -> Letter:
        """Return the letter that *raw* holds."""
        letter: Letter = self._value(self._process.ask(LETTER + raw))
        return letter

    def games_named(self, letter: Letter, games: Sequence[GameInPlay]) -> tuple[str, ...]:
        """Return which game the letter names, as a letter to each of these, "" where it names none."""
        named: list[str] = []
        for start in range(0, len(games), _AT_ONCE):
            some = games[start : start + _AT_ONCE]
            named += self._asked(NamedGames(letter=letter, games=tuple(map(_seat, some))), some)
        return tuple(named)

    def quoted(self, letter: Letter, ours: Iterable[bytes], game: GameInPlay, *, broken: bool) -> Letter:
        """Return *letter* with ``> `` before the lines that it quotes of letters of *ours*, about *game*, without a mark.

        *broken*: pieces of our lines are ours too.
        """
        query = Quoted(letter=letter, ours=tuple(ours), game=_seat(game), broken=broken)
        told: Letter = self._asked(query, (game,))
        return told

    def meant(
        self, letter: Letter, player: str, game: GameInPlay, file: Filed | None = None
    ) -> tuple[Letter, Understanding]:
        """Return the letter, with its subject where that asks something, and what it means as *player*'s; the orders on *file*
        are those of which it may keep some.
        """
        told, read = self._asked(Meant(letter=letter, player=player, game=_seat(game), file=file), (game,))
        setup = game.stand.setup
        return told, _decode(read, game_named(setup.game), setup)

    def typed(self, text: str, player: str, game: GameInPlay) -> Understanding:
        """Return what orders mean that stand in no letter, as *player*'s."""
        self.read(b"")  # they have an account of their own
        return self.meant(Letter(text=text), player, game)[1]

    def said(self, letter: Letter, language: Language, *, subject: bool = False) -> Reading:
        """Return what the letter says to a game of which nothing is known but its language; *subject*: it may ask something."""
        query = Said(letter=letter, language=language.key, subject=subject)
        said: Reading = self._value(self._process.ask(QUERY + wire.dumps(query), (_thing(language),)))
        return said

    def close(self) -> None:
        """End the process, if there is one; the next letter begins another."""
        self._process.end()

    def _asked(self, query: Query, games: Iterable[GameInPlay]) -> Any:
        return self._value(self._process.ask(QUERY + wire.dumps(query), _things(games)))

    def _value(self, answer: bytes) -> Any:
        value = wire.loads(answer)
        if isinstance(value, Fault):
            raise ReaderFailed(f"the process that reads letters met a fault of ours:\n{value.trace}")
        return value


def _thing(value: Language | Stand) -> tuple[str, Callable[[], bytes]]:
    return value.key, lambda: THING + wire.dumps(Thing(value.key, value))


def _things(games: Iterable[GameInPlay]) -> Things:
    return [_thing(each) for game in games for each in (game.language, game.stand)]


def _seat(game: GameInPlay) -> Seat:
    """Return a game as it is spoken of: its stand and its language by their keys."""
    stand, language = game.stand.key, game.language.key
    return Seat(
        id=game.id, turn=game.turn, asked=game.asked, salt_fixed=game.salt_fixed, stand=stand, language=language
    )


def _decode(read: Understanding, rules: Game, setup: Setup) -> Understanding:
    """Return an understanding with the orders that stand in it as one text."""
    versions = tuple(_decode(each, rules, setup) for each in read.versions)
    return replace(read, orders=tuple(rules.decode(read.orders[0], setup)), versions=versions)
