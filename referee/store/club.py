"""The few facts that belong to the club and to no game: when the last pass ended, the mark in its Message-IDs ..."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

import msgspec

from referee.core import Texts, Value

from .database import Database, Rows, Update, column, format_time, parse_time, scalar

DIGEST = "digest"  # the day of the last one, as 2026-12-20
ZINE = "zine"  # with the name of an issue behind it
AHEAD = "ahead"  # the day on which the umpire's calendar was written last
RETENTION = "retention"  # the day on which all was given up last that is kept no longer
FACES, APPEARS, LANGUAGE, UMPIRES = "faces of", "appears", "language of", "umpires of"
PERSON = "person of"  # the same for all addresses of one person
OF_READERS = (
    FACES,
    APPEARS,
    LANGUAGE,
    PERSON,
)  # what readers have said of themselves: kept by address, goes with them, is forgotten with them


# Keeps a fact under a name.
write_fact = Update[str, str](
    "INSERT INTO club (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


# Keeps a fact no longer.
forget_fact = Update[str]("DELETE FROM club WHERE name = ?")


def fact(db: Database, name: str) -> str:
    """Return a fact, "" if it was never written."""
    return "".join(column(db, "SELECT value FROM club WHERE name = ?", name))


def facts(db: Database, names: Iterable[str]) -> dict[str, str]:
    """Return those facts of these names that were ever written."""
    found = db.query("SELECT * FROM club WHERE name IN (SELECT value FROM json_each(?))", [json.dumps([*names])])
    return {row["name"]: row["value"] for row in found}


Kept = TypeVar("Kept", bound=Value)


def keep(db: Database, name: str, value: Value | None) -> None:
    """Keep a value under a name, None: none any more. Inside a transaction."""
    write_fact(db, name, msgspec.json.encode(value).decode() if value else "")


def load(db: Database, name: str, kind: type[Kept]) -> Kept | None:
    """Return the value of a kind that is kept under a name, None if there is none."""
    text = fact(db, name)
    return msgspec.json.decode(text, type=kind) if text else None


def names_of_game(game: str) -> Texts:
    """Return the names of the facts that are about one game alone."""
    return f"{FACES} {game.lower()}", f"{UMPIRES} {game}"


def facts_named(db: Database, kind: str) -> dict[str, str]:
    """Return all facts of a kind by what stands behind it in their names."""
    found = db.query("SELECT name, value FROM club WHERE name GLOB ? ORDER BY name", [f"{kind} *"])
    return {row["name"].removeprefix(f"{kind} "): row["value"] for row in found}


def move_facts_of_reader(db: Database, before: str, after: str) -> None:
    """Have what a reader has said of themselves go with them to another address. Inside a transaction."""
    for kind in OF_READERS:
        said = fact(db, f"{kind} {before.lower()}")
        if said:
            write_fact(db, f"{kind} {after.lower()}", said)


class StoredTime:
    """Gives the time that is kept under a name, None for none."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, db: Database) -> datetime | None:
        text = fact(db, self._name)
        return parse_time(text) if text else None

    def write(self, db: Database, at: datetime | None) -> None:
        """Keep it. Inside a transaction."""
        write_fact(db, self._name, format_time(at) if at else "")


# When the last whole pass ended.
last_tick = StoredTime("last-tick")

# When the last look into the inbox began that went well: all letters that lay there then are stored.
last_poll = StoredTime("last-poll")

# Since when no letter can leave, None while they can.
mute_since = StoredTime("post-down-since")


# When the referee was last at work, and times in which it was not: facts of the club.

AWAKE, OUTAGE = "awake", "outage"


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
    return load(db, AWAKE, Awake)


def begin_outage(db: Database, row: Outage) -> None:
    """Keep that players are to be given time for an outage, until all deadlines are moved. Inside a transaction."""
    keep(db, OUTAGE, row.but(logged=scalar(db, "SELECT coalesce(max(id), 0) FROM log")))


# The deadlines moved after that line of the log, in their order.
moved_since = Rows[Moved, int](
    Moved, "SELECT game, turn, text FROM log WHERE what = 'deadline-moved' AND id > ? ORDER BY id"
)


# What the club's pages are made of, as one text: whether they would read otherwise is asked with each pass.

_GAMES = """
    SELECT (SELECT max(rowid) FROM turns) AS turns, (SELECT max(rowid) FROM acts) AS acts,
    (SELECT sum(moved + 2 * (status <> 'running') + 4 * (archived_at IS NOT NULL)) FROM games) AS moves
"""
_WAITING = """
    SELECT id, started_at, closed_at, (
        SELECT count(*) FROM signups WHERE game = open_games.id AND seated_at IS NOT NULL AND ended_at IS NULL
    ) AS seated FROM open_games ORDER BY id
"""
_NAMES = "SELECT name, value FROM club WHERE name GLOB 'appears *' ORDER BY name"
_PLAYERS = "SELECT group_concat(name, char(10)) FROM (SELECT name FROM players ORDER BY game, place)"


def state_of_pages(db: Database) -> str:
    """Return what is another text whenever a turn was played, a deadline moved, a game opened, or a name chosen."""
    return repr([list(row.values()) for sql in (_GAMES, _WAITING, _NAMES, _PLAYERS) for row in db.query(sql)])
