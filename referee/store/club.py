"""The few facts that belong to the club and to no game: when the last pass ended, the mark in its Message-IDs ..."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from referee.store.database.connection import Database
from referee.store.database.database import format_time, parse_time

COPIED = "copied"  # a fact of the copies that ``copy_store`` makes
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
)  # what somebody has said of himself: kept by his address, goes with him, is forgotten with him


def write_fact(db: Database, name: str, value: str) -> None:
    """Keep a fact. Inside a transaction."""
    db.execute(
        "INSERT INTO club (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        [name, value],
    )


def forget_fact(db: Database, name: str) -> None:
    """Keep a fact no longer. Inside a transaction."""
    db.execute("DELETE FROM club WHERE name = ?", [name])


def fact(db: Database, name: str) -> str:
    """Return a fact, "" if it was never written."""
    return "".join(row["value"] for row in db.query("SELECT value FROM club WHERE name = ?", [name]))


def facts(db: Database, names: Iterable[str]) -> dict[str, str]:
    """Return those facts of these names that were ever written."""
    asked = list(names)
    marks = ", ".join("?" * len(asked))
    return {row["name"]: row["value"] for row in db.query(f"SELECT * FROM club WHERE name IN ({marks})", asked)}  # noqa: S608


def names_of_game(game: str) -> tuple[str, ...]:
    """Return the names of the facts that are about one game alone."""
    return f"{FACES} {game.lower()}", f"{UMPIRES} {game}"


def facts_of(db: Database, kind: str) -> list[str]:
    """Return all facts of a kind, whosoever they are."""
    return list(facts_named(db, kind).values())


def facts_named(db: Database, kind: str) -> dict[str, str]:
    """Return all facts of a kind by what stands behind it in their names."""
    found = db.query("SELECT name, value FROM club WHERE name GLOB ? ORDER BY name", [f"{kind} *"])
    return {row["name"].removeprefix(f"{kind} "): row["value"] for row in found}


def move_facts_of_reader(db: Database, before: str, after: str) -> None:
    """Have what a reader has said of himself go with him to another address. Inside a transaction."""
    for kind in OF_READERS:
        said = fact(db, f"{kind} {before.lower()}")
        if said:
            write_fact(db, f"{kind} {after.lower()}", said)


def last_tick(db: Database) -> datetime | None:
    """Return when the last whole pass ended."""
    text = fact(db, "last-tick")
    return parse_time(text) if text else None


def write_last_tick(db: Database, now: datetime) -> None:
    """Keep when a whole pass ended. Inside a transaction."""
    write_fact(db, "last-tick", format_time(now))


def last_poll(db: Database) -> datetime | None:
    """Return when the last look into the inbox began that went well: all letters that lay there then are stored."""
    text = fact(db, "last-poll")
    return parse_time(text) if text else None


def write_last_poll(db: Database, began: datetime) -> None:
    """Keep when a look into the inbox began that went well. Inside a transaction."""
    write_fact(db, "last-poll", format_time(began))
