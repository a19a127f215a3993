"""What an IMAP server says of letters, read without trusting it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError


def begin_idle(client: IMAPClient) -> bool:
    """Let the server tell of letters as they come (IDLE); return whether it has told of one by then.

    The library's own takes whatever comes before the consent for a refusal, and does not look at what comes together with it
    before more comes.

    Raises:
        IMAPClientError: the server refuses, and waits for the next command.
        OSError: it says good-bye.
    """
    line = client._imap
    tag = client._idle_tag = line._command("IDLE")
    woken = []
    while (answer := line._get_response()) is not None:
        if line.tagged_commands[tag] is not None:
            raise IMAPClientError(f"IDLE refused: {line.tagged_commands.pop(tag)}")
        woken.append(_tells_of_a_letter(answer.split()[1:]))
    woken += [_tells_of_a_letter(answer.split()[1:]) for answer in _at_hand(client)]
    return any(woken)


def heard(client: IMAPClient, seconds: float) -> bool:
    """Return whether a server that idles tells of a letter within *seconds*.

    Raises:
        OSError: the line is dead.
    """
    began = time.monotonic()
    answer = client.idle_check(timeout=seconds)
    if not answer and time.monotonic() - began < seconds / 2:
        raise OSError("the server has hung up")  # the library says so by returning nothing too early
    return any(_tells_of_a_letter(words) for words in answer)


def _at_hand(client: IMAPClient) -> list[bytes]:
    """Return the lines that have come, without waiting for any."""
    lines: list[bytes] = []
    socket = client.socket()
    patience = socket.gettimeout()
    socket.setblocking(False)
    try:
        while True:
            lines.append(client._imap._get_line())
    except (OSError, IMAPClientAbortError) as error:
        if isinstance(error, IMAPClientAbortError) and "EOF" not in str(error):
            raise
        return lines  # there are no more; or the line is dead, which the next look at it tells
    finally:
        socket.settimeout(patience)


def _tells_of_a_letter(words: Sequence[object]) -> bool:
    """Return whether a line of a server's does. Raises OSError: it is its last."""
    if words[0] == b"BYE":
        raise OSError("the server says good-bye")
    return any(word in (b"EXISTS", b"RECENT") for word in words[1:2])


def described(
    client: IMAPClient, numbers: list[int], items: tuple[str, ...] = ("RFC822.SIZE", "INTERNALDATE")
) -> dict[int, dict[bytes, Any]]:
    """Return size and time of letters by UID; without what nobody can read."""
    try:
        return client.fetch(numbers, items)  # type: ignore[no-any-return]
    except (ValueError, OverflowError, TypeError, LookupError, AssertionError):
        rows: dict[int, dict[bytes, Any]] = {}
        for number in numbers if len(numbers) > 1 else []:
            rows |= described(client, [number], items)
        return described(client, numbers, items[:1]) if len(numbers) == 1 and len(items) > 1 else rows


def in_utc(time_told: datetime | None) -> datetime | None:
    try:
        return time_told.astimezone(UTC) if time_told is not None and time_told.tzinfo else None
    except OverflowError:
        return None
