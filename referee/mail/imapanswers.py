"""What an IMAP server says of letters, read without trusting it."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from imapclient import IMAPClient


def heard(client: IMAPClient, seconds: float) -> bool:
    """Return whether the server tells of a letter within *seconds*.

    Raises:
        OSError: the line is dead.
    """
    began = time.monotonic()
    told = client.idle_check(timeout=seconds)
    if not told and time.monotonic() - began < seconds / 2:
        raise OSError("the server has hung up")  # the library says so by returning nothing too early
    if any(words[0] == b"BYE" for words in told):
        raise OSError("the server says good-bye")
    return any(word in (b"EXISTS", b"RECENT") for words in told for word in words[1:2])


def described(
    client: IMAPClient, numbers: list[int], items: tuple[str, ...] = ("RFC822.SIZE", "INTERNALDATE")
) -> dict[int, dict[bytes, Any]]:
    """Return size and time of letters by UID; without what nobody can read."""
    try:
        return client.fetch(numbers, items)  # type: ignore[no-any-return]
    except (ValueError, OverflowError, TypeError, LookupError, AssertionError):
        told: dict[int, dict[bytes, Any]] = {}
        for number in numbers if len(numbers) > 1 else []:
            told |= described(client, [number], items)
        return described(client, numbers, items[:1]) if len(numbers) == 1 and len(items) > 1 else told


def in_utc(time_told: datetime | None) -> datetime | None:
    try:
        return time_told.astimezone(UTC) if time_told is not None and time_told.tzinfo else None
    except OverflowError:
        return None
