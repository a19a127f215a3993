"""When the referee was last at work, and times in which it was not: facts of the club."""

from __future__ import annotations

import json
from datetime import datetime

from referee.core.values import Value
from referee.store.club import fact, write_fact
from referee.store.database.connection import Database
from referee.store.database.database import format_time, parse_time, scalar

_AWAKE, _OUTAGE, _MUTE = "awake", "outage", "post-down-since"


class Awake(Value):
    """A pass that read the inbox. The machine had then run for ``seconds`` since its start ``boot``, "" if that is unknown."""

    at: datetime
    boot: str = ""
    seconds: int = 0


class Outage(Value):
    """A time that players are given back. Deadlines that fall after ``since`` and not after ``reach`` move to ``due``.

    ``kind``: ``away`` (no pass read the inbox), ``post`` (no letter left), ``clock`` (it was set). ``logged``: the number of the
    last line of the log before. ``back``: the clock showed ``until`` before it showed ``since``.
    """

    kind: str
    since: datetime
    until: datetime
    reach: datetime
    due: datetime
    logged: int = 0
    back: bool = False


class Moved(Value):
    """A deadline that was moved; ``text`` is that of the log: from when to when."""

    game: str
    turn: int
    text: str


def awake(db: Database) -> Awake | None:
    """Return the last pass that read the inbox, None before the first one."""
    text = fact(db, _AWAKE)
    if not text:
        return None
    kept = json.loads(text)
    return Awake(at=parse_time(kept["at"]), boot=kept["boot"], seconds=kept["seconds"])


def write_awake(db: Database, row: Awake) -> None:
    """Keep that a pass read the inbox. Inside a transaction."""
    write_fact(db, _AWAKE, json.dumps({"at": format_time(row.at), "boot": row.boot, "seconds": row.seconds}))


def outage(db: Database) -> Outage | None:
    """Return the outage for which players are being given time, None if there is none."""
    text = fact(db, _OUTAGE)
    if not text:
        return None
    kept = json.loads(text)
    times = {name: parse_time(kept[name]) for name in ("since", "until", "reach", "due")}
    return Outage(kind=kept["kind"], logged=kept["logged"], back=kept.get("back", False), **times)


def begin_outage(db: Database, row: Outage) -> None:
    """Keep that players are to be given time for an outage, until ``end_outage``. Inside a transaction."""
    times = {name: format_time(getattr(row, name)) for name in ("since", "until", "reach", "due")}
    logged = scalar(db, "SELECT coalesce(max(id), 0) FROM log")
    write_fact(db, _OUTAGE, json.dumps({"kind": row.kind, "logged": logged, "back": row.back, **times}))


def end_outage(db: Database) -> None:
    """Say that all deadlines are moved and everybody is told. Inside a transaction."""
    write_fact(db, _OUTAGE, "")


def moved_since(db: Database, logged: int) -> tuple[Moved, ...]:
    """Return the deadlines moved after that line of the log, in their order."""
    sql = "SELECT game, turn, text FROM log WHERE what = 'deadline-moved' AND id > ? ORDER BY id"
    return tuple(Moved(**row) for row in db.query(sql, [logged]))


def mute_since(db: Database) -> datetime | None:
    """Return since when no letter can leave, None while they can."""
    text = fact(db, _MUTE)
    return parse_time(text) if text else None


def write_mute(db: Database, since: datetime | None) -> None:
    """Keep since when no letter can leave, None: they can. Inside a transaction."""
    write_fact(db, _MUTE, format_time(since) if since else "")
