"""What every way in and every way out offers: letters wait at a source, letters of ours leave by a transport."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Protocol

from referee.core import Texts, Value


class Arrival(Value):
    """A letter that waits: ``key`` names it to its source, ``size`` is in bytes, ``arrived`` in UTC."""

    key: str
    size: int
    arrived: datetime


IsKnown = Callable[[bytes], bool]


class Source(Protocol):
    """Where letters arrive. One thread uses it; nothing is ever deleted.

    ``lasting_keys``: a key never names another letter, so who has had it need not fetch it again.
    """

    lasting_keys: bool

    def waiting(self) -> tuple[Arrival, ...]:
        """Return the letters that wait, oldest first.

        Raises:
            MailDown: the source cannot be reached now.
            LoginRefused: it does not let us in.
            ConfigError: there is no such folder.
        """
        ...

    def read(self, key: str, limit: int) -> bytes:
        """Return the letter, at most its first *limit* bytes; the source is not changed by it.

        Raises:
            FileNotFoundError: it has been taken away since it was listed.
            LetterUnreadable: it cannot be had, though the source can be reached.
            MailDown: the source cannot be reached now.
        """
        ...

    def take_out(self, *keys: str) -> Texts:
        """Take letters out of those that wait. A letter that is gone was taken out before: nothing happens to it. Return those of
        which a copy was laid aside, but which nobody may take out: they are not to be tried again.

        Raises:
            MailDown: the source cannot be reached now.
        """
        ...

    def park(self, key: str) -> Texts:
        """Take the letter out and lay it aside for the umpire. Gone, errors, and what is returned: as with ``done``."""
        ...

    def reclaim(self, since: datetime, is_known: IsKnown) -> None:
        """Let letters wait again that another program has taken out since then, and that are not known.

        Raises:
            MailDown: one of them cannot be moved back.
        """
        ...

    def bring_back(self, since: datetime) -> datetime | None:
        """Let letters wait again that were taken out since then; some from before it do no harm. Return when the last of them
        arrived, None if there were none.

        Raises:
            MailDown: the source cannot be reached now.
            ConfigError: as ``waiting``.
        """
        ...

    def wait(self, seconds: float, stop: threading.Event) -> None:
        """Return when a letter may have come or *stop* is set, at the latest after *seconds*.

        Raises:
            MailDown: the connection was lost meanwhile.
        """
        ...

    def close(self) -> None:
        """Let go of the source; a later use opens it anew."""
        ...


class Transport(Protocol):
    """How our letters leave. One thread uses it."""

    def send(self, message_id: str, raw: bytes, recipient: str, envelope_sender: str) -> None:
        """Send these very bytes to one recipient.

        Raises:
            MailDown: nobody can be sent anything now; whether this letter left may be unknown.
            TryLater: this recipient cannot have it now.
            Refused: this recipient cannot have it.
            ConfigError: there is no such way out.
        """
        ...

    def find_sent(self, message_id: str) -> bytes | None:
        """Return what was sent under an id; None if nothing was, or nobody knows."""
        ...

    def close(self) -> None:
        """Let go of the way out; a later use opens it anew."""
        ...
