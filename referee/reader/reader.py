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
from referee.core.values import Value
from referee.games import game_named
from referee.mail.letter.message import Letter
from referee.orderbook import Reading
from referee.reader import wire
from referee.reader.limitedprocess import LETTER, QUERY, THING, LimitedProcess, Limits
from referee.reader.understanding import Understanding
from referee.reader.wire import Fault, Filed, GameInPlay, Language, Meant, Query, Quotes, Said, Stand, Thing

AT_ONCE = 15  # games asked about in one request: fewer than the process remembers, with their languages

Seat = tuple[GameInPlay, str, Filed | None]  # a game, a player's code, the orders on file of which he may keep some


class Quotable(Value):
    """Letters of ``ours``, about a ``game``, which a letter may quote. ``broken``: pieces of our lines are ours too."""

    ours: tuple[bytes, ...]
    game: GameInPlay
    broken: bool


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

    def meant(
        self, letter: Letter, seats: Sequence[Seat], quotes: Quotable | None = None
    ) -> tuple[Letter, str, int, Understanding]:
        """Return a letter, with its subject where that asks something, the game that it names, "" for none, and what it means: in
        that one if it is among these, by its place, else in the first.
        """
        told = tuple((game.stand.key, player, file) for game, player, file in seats)
        games = [game for game, _, _ in seats]
        found, named, at, read = self._asked(Meant(letter=letter, seats=told, quotes=_quotes(quotes)), games, quotes)
        setup = games[at].stand.setup
        return found, named, at, _decode(read, game_named(setup.game), setup)

    def typed(self, text: str, player: str, game: GameInPlay) -> Understanding:
        """Return what orders mean that stand in no letter, as *player*'s."""
        self.read(b"")  # they have an account of their own
        return self.meant(Letter(text=text), [(game, player, None)])[-1]

    def said(
        self, letter: Letter, language: Language, quotes: Quotable | None = None, *, subject: bool = False
    ) -> Reading:
        """Return what the letter says to a game of which nothing is known but its language; *subject*: it may ask something."""
        query = Said(letter=letter, language=language.key, subject=subject, quotes=_quotes(quotes))
        said: Reading = self._asked(query, (), quotes, language)
        return said

    def close(self) -> None:
        """End the process, if there is one; the next letter begins another."""
        self._process.end()

    def _asked(self, query: Query, games: Iterable[GameInPlay], quotes: Quotable | None, *languages: Language) -> Any:
        spoken_of = (*games, *([quotes.game] if quotes else []))
        things = [*languages, *(each for game in spoken_of for each in (game.language, game.stand))]
        return self._value(self._process.ask(QUERY + wire.dumps(query), [_thing(each) for each in things]))

    def _value(self, answer: bytes) -> Any:
        value = wire.loads(answer)
        if isinstance(value, Fault):
            raise ReaderFailed(f"the process that reads letters met a fault of ours:\n{value.trace}")
        return value


def _thing(value: Language | Stand) -> tuple[str, Callable[[], bytes]]:
    return value.key, lambda: THING + wire.dumps(Thing(value.key, value))


def _quotes(quotes: Quotable | None) -> Quotes | None:
    return Quotes(ours=quotes.ours, stand=quotes.game.stand.key, broken=quotes.broken) if quotes else None


def _decode(read: Understanding, rules: Game, setup: Setup) -> Understanding:
    """Return an understanding with the orders that stand in it as one text."""
    versions = tuple(_decode(each, rules, setup) for each in read.versions)
    return replace(read, orders=tuple(rules.decode(read.orders[0], setup)), versions=versions)
