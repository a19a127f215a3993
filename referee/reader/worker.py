"""The process that reads strangers' letters and understands them, with limits of time and memory for each."""

from __future__ import annotations

import math
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from referee.core import shared_fields
from referee.games import game_named
from referee.mail.letter.message import Letter, read_letter
from referee.orderbook import OrderLanguage
from referee.system import limit

from . import wire
from .hearing import Hearing
from .limitedprocess import COST, FORGET, LETTER, QUERY, receive, send
from .understanding import InPlay, Understanding
from .wire import Crash, Language, Query, Said, Stand, Thing

LOST = 70  # how we end by a request: unlike Python, where it cannot even import us

_LOADING = 60  # seconds of the processor for what is ours: a board is no stranger's


class Budget:
    """What one letter has left of the time of the processor."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._until = self._told = 0.0
        self.begin()

    def begin(self) -> None:
        """Give a letter all it may have."""
        self._until = time.process_time() + self._seconds
        self._limit()

    def take_usage(self) -> float:
        """Return what was used since this was asked last, without what no letter is to blame for."""
        told, self._told = self._told, time.process_time()
        return self._told - told

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Do what no letter is to blame for."""
        began = time.process_time()
        limit("CPU", math.ceil(began) + _LOADING)
        try:
            yield
        finally:
            self._until += time.process_time() - began
            self._told += time.process_time() - began
            self._limit()

    def _limit(self) -> None:
        limit("CPU", math.ceil(self._until))


class Worker:
    """Answers what is asked about the letter in hand."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._things: dict[str, Any] = {}
        self._hearing = Hearing()

    def answer(self, request: bytes) -> bytes | None:
        """Return the answer to a request, None where none is wanted."""
        kind, content = request[:1], request[1:]
        try:
            if kind == LETTER:
                return wire.dumps(self._begin_letter(content))
            if kind == QUERY:
                return wire.dumps(self._answer(wire.loads(content)))
        except Exception:
            return wire.dumps(Crash(traceback.format_exc()))
        with self._budget.pause():
            self._keep(kind, content)
        return None

    def _begin_letter(self, raw: bytes) -> Letter:
        """Read a letter, which gets an account of its own."""
        self._budget.begin()
        self._hearing = Hearing()
        return read_letter(raw)

    def _keep(self, kind: bytes, content: bytes) -> None:
        """Keep a thing, or forget it. One that cannot be kept is a fault to whoever asks about it."""
        if kind == FORGET:
            del self._things[content.decode()]
            return
        thing: Thing = wire.loads(content)
        try:
            self._things[thing.key] = self._load(thing.value)
        except Exception:
            self._things[thing.key] = Crash(traceback.format_exc())

    def _thing(self, key: str) -> Any:
        thing = self._things[key]
        if isinstance(thing, Crash):
            raise ValueError(thing.trace)
        return thing

    def _answer(self, query: Query) -> Any:
        hearing, letter, quotes = self._hearing, query.letter, query.quotes
        if quotes:
            letter = hearing.mark_quotations(letter, quotes.ours, self._thing(quotes.stand), broken=quotes.broken)
        if isinstance(query, Said):
            return hearing.hear(letter, self._thing(query.language), subject=query.subject)
        games: list[InPlay] = [self._thing(stand) for stand, _, _ in query.seats]
        named = next(filter(None, hearing.games_named(letter, games)), "")
        at = next((at for at, game in enumerate(games) if game.id == named.upper()), 0)
        told, read = hearing.understand(letter, query.seats[at][1], games[at], query.seats[at][2])
        return told, named, at, encode_orders(read, games[at])

    def _load(self, told: Language | Stand) -> OrderLanguage | InPlay:
        if isinstance(told, Language):
            return OrderLanguage.with_own((told.common, told.verbs), told.grammar, told.own, told.parser)
        rules = game_named(told.setup.game)
        state = rules.decode(told.state, told.setup)
        language = self._thing(told.language).naming(rules.lexicon(state))
        return InPlay(**shared_fields(told, InPlay) | {"rules": rules, "state": state, "language": language})


def encode_orders(read: Understanding, game: InPlay) -> Understanding:
    """Return an understanding with its orders as one text."""
    versions = tuple(encode_orders(each, game) for each in read.versions)
    return read.but(orders=(game.rules.encode(read.orders),), versions=versions)


def main(seconds: int, memory: int) -> None:
    """Answer the requests on standard input, on standard output, until there are no more."""
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)  # meant for the referee, who finishes the letter and then lets us go
    limit("CORE", 0, for_good=True)
    limit("AS", memory)
    budget = Budget(seconds)
    worker = Worker(budget)
    budget.take_usage()  # nobody's: we have only begun
    while True:
        try:
            answer = worker.answer(receive(sys.stdin.buffer))
            if answer is not None:
                send(sys.stdout.buffer, COST.pack(budget.take_usage()) + answer)
        except EOFError:
            return
        except Exception:
            sys.exit(LOST)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
