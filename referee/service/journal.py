"""What a pass did, as events for the program's log: numbers and words of ours, nothing that a player wrote, no address."""

from __future__ import annotations

import logging
import re
import socket
import sys
from collections.abc import Iterator
from datetime import datetime

from referee.config.values import notify_socket
from referee.core import Value
from referee.store import format_time

from .club import Club
from .tick import Pass

Details = dict[str, str | int | None]

_NEWEST = 1000  # rows of a table in which the work of a pass is looked for
# Reasons and words of the umpire's log as we write them ourselves: a player's code, but not his address; flood: game RR7.
_WORDS = re.compile(r"[a-z][a-z'-]*([:,]? [a-z'-]+){0,9}( [A-Z]{1,6}[0-9]{1,6})?")


class Event(Value):
    """One thing that was done: ``name`` is ``letter``, ``turn``, ``sent``, ``unsent``, ``pass`` or a word of the umpire's log."""

    name: str
    fields: Details


def events(club: Club, done: Pass | None, began: datetime) -> Iterator[Event]:
    """Return what the pass *done*, which began at *began*, did, in the order of its parts; the pass itself last. None is one that
    was broken off: what it did until then.
    """
    yield from _rows(club, began, "letter", "letters", "handled_at", "id AS number, status, reason, game, player, size")
    for turn in done.turns if done else ():
        game, _, number = turn.partition("/")
        yield Event(name="turn", fields={"game": game, "turn": int(number)})
    yield from _rows(club, began, "", "log", "at", "what, game, turn")
    told = "id AS number, kind, game, turn, player"
    yield from _rows(club, began, "sent", "outbox", "sent_at", told)
    yield from _rows(club, began, "unsent", "outbox", "tried_at", f"{told}, state, attempts", "sent_at IS NULL")
    if done:
        counts = {"letters": done.letters, "turns": len(done.turns), "sent": done.sent, "left": done.left}
        yield Event(name="pass", fields={**counts, "failed": len(done.failed)})


def _rows(club: Club, began: datetime, name: str, table: str, time: str, told: str, only: str = "1") -> Iterator[Event]:
    sql = (
        f"SELECT {told} FROM {table} WHERE id > (SELECT coalesce(max(id), 0) - ? FROM {table}) "  # noqa: S608 (our own names)
        f"AND {time} >= ? AND {only} ORDER BY id"
    )
    for row in club.query(sql, [_NEWEST, format_time(began)]):
        fields: Details = dict(row)
        if "reason" in fields:
            fields["reason"] = _ours(str(fields["reason"]))
        yield Event(name=name or _ours(str(fields.pop("what"))), fields=fields)


def _ours(words: str) -> str:
    """Return *words* if they are such as we use ourselves, else a word that says so."""
    return words if not words or _WORDS.fullmatch(words) else "other"


# Tells systemd how the service is (sd_notify): one datagram with a few words.

READY = "READY=1"
ALIVE = "WATCHDOG=1"
STOPPING = "STOPPING=1"

log = logging.getLogger(__name__)


def notify(words: str) -> None:
    """Tell systemd *words*, if it started us and wants to hear. That it cannot be told stops nothing."""
    path = notify_socket()
    if sys.platform == "win32" or not path:
        return
    address = "\0" + path[1:] if path.startswith("@") else path
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
            told.connect(address)
            told.send(words.encode())
    except OSError as error:
        log.warning("systemd cannot be told %s: %s", words, error)
