"""Letters from a mailbox on an IMAP server, one connection, one letter at a time.

What was stored goes into a folder for it. Flags say nothing to us: a person who looks into the mailbox changes them.
"""

from __future__ import annotations

import logging
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from referee.config.values import Imap
from referee.core import ConfigError, LetterUnreadable, MailDown, Texts

from ..interfaces import Arrival, IsKnown
from .imapline import (
    BROKEN,
    Naming,
    begin_idle,
    describe,
    hang_up,
    in_utc,
    is_there,
    move,
    move_again,
    naming,
    open_line,
    wait_for_letter,
    words_of,
)
from .login import Credentials, Patience

IDLE_LONGEST = 540.0  # seconds: Gmail ends IDLE after ten minutes, and dead lines should be noticed

_SLICE = 0.5  # seconds after which a waiting thread looks whether it is to stop
_BATCH = 100  # letters whose sizes are asked for at once
_MOVES = 3  # tries to move a letter that the server does not move
_NUMBERS = re.compile(r";UIDVALIDITY=([0-9]{1,10})/;UID=([0-9]{1,10})")

T = TypeVar("T")

log = logging.getLogger(__name__)


class _Broken(Exception):
    """The line broke during the same act twice, though it could be opened again in between."""


class ImapSource:
    """The letters of one folder. Nothing is ever deleted, and nothing marked as read."""

    lasting_keys = True

    def __init__(
        self,
        settings: Imap,
        ask: Credentials,
        folder: Path,
        patience: Patience,
        clock: Callable[[], datetime],
    ) -> None:
        """*folder*: the club's; *clock*: aware times, for letters to which the server gives none."""
        self._settings = settings
        self._ask = ask
        self._folder = folder
        self._clock = clock
        self._patience = patience
        self._trouble = ""
        self._place = f"imap://{quote(settings.user)}@{settings.host}:{settings.port}/{quote(settings.folder)}"
        self._client: IMAPClient | None = None
        self._validity = 0
        self._naming = Naming(prefix="", sign="/")
        self._idles = False
        self._listed: frozenset[int] = frozenset()
        self._sizes: dict[int, int] = {}
        self._stuck: dict[str, int] = {}
        self._in_use = threading.Lock()

    def waiting(self) -> tuple[Arrival, ...]:
        """Return the letters in the folder that nobody marked as deleted, oldest first. After a failure, tries get rare."""
        with self._alone():
            try:
                found = self._on_line(self._list)
            except (_Broken, IMAPClientError) as error:
                raise self._down(words_of(error)) from error
            self._patience.forget_failures()
            return found

    def read(self, key: str, limit: int) -> bytes:
        """Return the letter, at most its first *limit* bytes; a larger one is not fetched whole."""
        with self._alone():
            try:
                return self._on_line(lambda client: self._read(client, key, limit))
            except (_Broken, IMAPClientError) as error:
                raise LetterUnreadable(f"{key} cannot be fetched: {words_of(error)}") from error

    def take_out(self, *keys: str) -> Texts:
        """Move letters into the folder for stored ones. What the server does not move, or hangs up at, stays: it is known by its
        key.
        """
        return self._put_away(keys, self._settings.processed)

    def park(self, key: str) -> Texts:
        """Move the letter into the folder for parked ones."""
        return self._put_away((key,), self._settings.parked)

    def reclaim(self, since: datetime, is_known: IsKnown) -> None:
        """Do nothing: what another program moves to another folder was taken on purpose."""

    def bring_back(self, since: datetime) -> datetime | None:
        """Move letters that arrived since then out of the folders for stored and parked ones."""
        with self._alone():
            try:
                return self._on_line(lambda client: self._bring_back(client, since))
            except (_Broken, IMAPClientError) as error:
                raise self._down(words_of(error)) from error

    def wait(self, seconds: float, stop: threading.Event) -> None:
        """Let the server tell of new letters (IDLE) where it can, for at most nine minutes; else just wait."""
        with self._alone():
            client = self._client
            if client is None:
                left = self._patience.seconds_left()
                stop.wait(min(seconds, left) if left else seconds)
            elif not self._idles:
                stop.wait(seconds)
            else:
                try:
                    self._idle(client, min(seconds, IDLE_LONGEST), stop)
                except (IMAPClientError, *BROKEN) as error:
                    raise self._down(f"the line broke while waiting: {words_of(error)}") from error

    def close(self) -> None:
        """Log out."""
        with self._alone():
            if self._client is not None:
                hang_up(self._client, polite=True)
                self._client = None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Two threads on one line would read each other's answers."""
        if not self._in_use.acquire(blocking=False):
            raise RuntimeError("an IMAP source is used by two threads at once")
        try:
            yield
        finally:
            self._in_use.release()

    def _on_line(self, act: Callable[[IMAPClient], T]) -> T:
        """Do *act*; if the line breaks, which it may have done long ago, open it anew and do *act* once more.

        Raises:
            _Broken: it broke again. (An IMAPClientError that comes out is the server's NO.)
            MailDown, LoginRefused, ConfigError: the line cannot be opened.
        """
        try:
            return act(self._line())
        except BROKEN as error:
            if isinstance(error, FileNotFoundError):
                raise
            log.info("IMAP: %s; connecting anew", words_of(error))
            self._drop()
        try:
            return act(self._line())
        except BROKEN as error:
            if isinstance(error, FileNotFoundError):
                raise
            self._drop()
            raise _Broken(words_of(error)) from error

    def _line(self) -> IMAPClient:
        if self._client is not None:
            return self._client
        if self._patience.seconds_left():
            raise MailDown(self._trouble)
        try:
            client = open_line(self._settings, self._ask, self._folder)
        except MailDown as error:
            self._patience.count_failure()
            self._trouble = str(error)
            raise
        self._client = client
        try:
            self._open_folder(client)
        except ConfigError:
            self._drop()
            raise
        except (IMAPClientError, *BROKEN) as error:
            raise self._down(words_of(error)) from error
        return client

    def _open_folder(self, client: IMAPClient) -> None:
        """Raises ConfigError: there is none of that name."""
        self._idles = self._settings.idle and client.has_capability("IDLE")
        self._naming = naming(client)
        name = self._naming.name(self._settings.folder)
        try:
            answer = client.select_folder(name)
        except BROKEN:
            raise
        except IMAPClientError as error:
            # A server in trouble may name no folder at all; INBOX is on each.
            if client.folder_exists(name) or not client.folder_exists("INBOX"):
                raise
            raise ConfigError(f"imap.folder: {self._settings.host} has no folder {self._settings.folder!r}") from error
        self._validity = int(answer[b"UIDVALIDITY"])

    def _down(self, why: str) -> MailDown:
        self._drop()
        self._patience.count_failure()
        self._trouble = f"IMAP server {self._settings.host}:{self._settings.port}: {why}"
        return MailDown(self._trouble)

    def _drop(self) -> None:
        if self._client is not None:
            hang_up(self._client)
            self._client = None

    def _list(self, client: IMAPClient) -> tuple[Arrival, ...]:
        client.noop()
        numbers = sorted(client.search(["UNDELETED"]))
        rows: dict[int, dict[bytes, Any]] = {}
        for start in range(0, len(numbers), _BATCH):
            rows |= describe(client, numbers[start : start + _BATCH])
        self._listed = frozenset(numbers)
        sizes = {number: row.get(b"RFC822.SIZE") for number, row in rows.items()}
        self._sizes = {number: size for number, size in sizes.items() if isinstance(size, int)}
        if not self._sizes.keys() >= self._listed:  # of letters that are gone meanwhile the server says nothing
            numbers = sorted(self._listed.intersection(client.search(["UNDELETED"])))
        times = {number: in_utc(rows.get(number, {}).get(b"INTERNALDATE")) or self._clock() for number in numbers}
        return tuple(
            Arrival(key=self._key(number), size=self._sizes.get(number, 0), arrived=times[number])
            for number in sorted(numbers, key=lambda number: (times[number], number))
        )

    def _key(self, number: int) -> str:
        return f"{self._place};UIDVALIDITY={self._validity}/;UID={number}"

    def _number(self, key: str) -> int | None:
        """Return the UID of a letter, None if the server has numbered all letters anew since it was listed.

        Raises:
            RuntimeError: it is no key that ``waiting`` gave.
        """
        match = _NUMBERS.fullmatch(key.removeprefix(self._place)) if key.startswith(self._place) else None
        if not match:
            raise RuntimeError(f"{key!r} names no letter of {self._place}")
        return int(match[2]) if int(match[1]) == self._validity else None

    def _read(self, client: IMAPClient, key: str, limit: int) -> bytes:
        number = self._number(key)
        if number is None:
            self._listed = frozenset()  # where letters are now, only a new listing says: nobody is to wait for it
            raise MailDown(f"IMAP server {self._settings.host}:{self._settings.port} has numbered all letters anew")
        whole = self._sizes.get(number, limit + 1) <= limit
        item, name = ("BODY.PEEK[]", b"BODY[]") if whole else (f"BODY.PEEK[]<0.{limit}>", b"BODY[]<0>")
        try:
            raw = client.fetch([number], [item]).get(number, {}).get(name)
        except BROKEN:
            raise
        except IMAPClientError:
            if is_there(client, number):
                raise
            raw = None
        if raw is None:  # a letter that was expunged meanwhile may have an answer without a body
            if is_there(client, number):
                raise LetterUnreadable(f"{key} is there, but the server does not give it out")
            raise FileNotFoundError(key)
        if number not in self._sizes and len(raw) >= limit:
            raise LetterUnreadable(f"{key} is large, and the server does not say how large")
        return bytes(raw[:limit])

    def _bring_back(self, client: IMAPClient, since: datetime) -> datetime | None:
        inbox, times = self._naming.name(self._settings.folder), []
        for folder in (self._settings.processed, self._settings.parked):
            name = self._naming.name(folder)
            if client.folder_exists(name):
                client.select_folder(name)
                times += _move_since(client, since, inbox)
        self._open_folder(client)
        return max(times, default=None)

    def _put_away(self, keys: Sequence[str], folder: str) -> Texts:
        with self._alone():
            try:
                return tuple(map(self._key, self._on_line(lambda client: self._move(client, keys, folder))))
            except _Broken as error:
                self._count_stuck(keys, words_of(error))
                return ()
            except IMAPClientError as error:
                raise self._down(words_of(error)) from error

    def _move(self, client: IMAPClient, keys: Sequence[str], folder: str) -> list[int]:
        movable = (self._number(key) for key in keys if self._stuck.get(key, 0) < _MOVES)
        numbers = [number for number in movable if number is not None]
        if not numbers:
            return []
        name = self._naming.name(folder)
        try:
            return move(client, numbers, name)
        except BROKEN:
            raise
        except IMAPClientError:
            # One of them may be in the way of the others.
            left = (self._move_again(client, number, name) for number in numbers if is_there(client, number))
            return [number for stay in left for number in stay]

    def _move_again(self, client: IMAPClient, number: int, name: str) -> list[int]:
        try:
            return move_again(client, number, name)
        except BROKEN:
            raise
        except IMAPClientError as error:
            self._count_stuck([self._key(number)], words_of(error))
            return []

    def _count_stuck(self, keys: Sequence[str], why: str) -> None:
        for key in keys:
            self._stuck[key] = self._stuck.get(key, 0) + 1
        named = ", ".join(key.rpartition("=")[2] for key in keys)
        log.warning("IMAP: letter %s stays in %s: %s", named, self._settings.folder, why)

    def _idle(self, client: IMAPClient, seconds: float, stop: threading.Event) -> None:
        client.noop()
        if not self._listed.issuperset(client.search(["UNDELETED"])):
            return  # it came between the last listing and now
        try:
            woken = begin_idle(client)
        except BROKEN:
            raise
        except IMAPClientError:
            self._idles = False  # it said it could
            stop.wait(seconds)
            return
        end = time.monotonic() + seconds
        while not woken and not stop.is_set() and (left := end - time.monotonic()) > 0:
            woken = wait_for_letter(client, min(left, _SLICE))
        if stop.is_set():
            client.socket().settimeout(1)
        client.idle_done()


def _move_since(client: IMAPClient, since: datetime, name: str) -> list[datetime]:
    """Move the letters of the folder that is open that arrived on that day or later; return when they did."""
    numbers = client.search(["UNDELETED", "SINCE", since.date()])
    times: list[datetime] = []
    for start in range(0, len(numbers), _BATCH):
        some = numbers[start : start + _BATCH]
        stamps = [in_utc(row.get(b"INTERNALDATE")) for row in describe(client, some).values()]
        times += [time for time in stamps if time]
        move(client, some, name)
    return times
