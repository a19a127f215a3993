"""The tables, as the steps in which they came about. A step that has been released is never changed; a new one is added.

Nothing a player sent and nothing the referee decided is ever deleted: order sets are withdrawn, an adjudicated turn stays
as it is, and its correction is a further edition beside it.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

from referee.core.dice import CHAIN_END, seed_of_turn
from referee.store.hashes import hash_of_agreement, hash_of_turn

MIGRATIONS = Migrations("referee")


@MIGRATIONS()
def m001_club_and_games(db: Database) -> None:
    """The club, its games, players and adjudicated turns."""
    db.create_table("club", {"name": str, "value": str}, pk="name", not_null={"value"}, strict=True)
    db.create_table(
        "games",
        {
            "id": str,
            "kind": str,
            "setup": str,
            "rules": int,
            "status": str,
            "turn": int,
            "deadline": str,
            "rhythm": str,
            "chain": str,
            "created": str,
        },
        pk="id",
        not_null={"kind", "setup", "rules", "status", "turn", "rhythm", "chain", "created"},
        strict=True,
    )
    names = ("name", "address", "colour", "company", "zone", "language")
    db.create_table(
        "players",
        {"game": str, "code": str, **dict.fromkeys(names, str), "place": int},
        pk=("game", "code"),
        not_null={*names, "place"},
        foreign_keys=[("game", "games", "id")],
        strict=True,
    )
    db.table("players").create_index(["address"])
    texts = ("seed", "orders", "events", "state", "hash", "adjudicated_at")
    db.create_table(
        "turns",
        {"game": str, "turn": int, "rules": int, **dict.fromkeys(texts, str), "deadline": str},
        pk=("game", "turn"),
        not_null={"rules", *texts},
        foreign_keys=[("game", "games", "id")],
        strict=True,
    )


@MIGRATIONS()
def m002_letters_and_orders(db: Database) -> None:
    """Every letter received, as it came; every order set and every text for others in them."""
    db.create_table(
        "letters",
        {
            "id": int,
            "hash": str,
            "source": str,
            "size": int,
            "raw": bytes,
            "arrived": str,
            "stored_at": str,
            "sender": str,
            "subject": str,
            "message_id": str,
            "status": str,
            "reason": str,
            "attempts": int,
            "trace": str,
            "game": str,
            "player": str,
            "handled_at": str,
        },
        pk="id",
        not_null={
            *("hash", "source", "size", "raw", "arrived", "stored_at", "sender"),
            *("subject", "message_id", "status", "reason", "attempts", "trace"),
        },
        foreign_keys=[("game", "games", "id")],
        strict=True,
    )
    db.table("letters").create_index(["hash"], unique=True)
    db.table("letters").create_index(["status"])
    flags = ("clean", "confirmed", "withdrawn", "held")
    texts = ("orders", "complaints", "text", "arrived", "changed_at")
    db.create_table(
        "order_sets",
        {
            "id": int,
            "game": str,
            "turn": int,
            "player": str,
            "letter": int,
            **dict.fromkeys(texts, str),
            **dict.fromkeys(flags, int),
        },
        pk="id",
        not_null={"game", "turn", "player", *texts, *flags},
        foreign_keys=[("game", "games", "id"), ("letter", "letters", "id")],
        strict=True,
    )
    db.table("order_sets").create_index(["game", "turn", "player"])
    db.create_table(
        "press",
        {"id": int, "game": str, "turn": int, "player": str, "letter": int, "kind": str, "text": str, "arrived": str},
        pk="id",
        not_null={"game", "turn", "player", "kind", "text", "arrived"},
        foreign_keys=[("game", "games", "id"), ("letter", "letters", "id")],
        strict=True,
    )
    db.table("press").create_index(["game", "turn", "player"])


@MIGRATIONS()
def m003_outbox_and_log(db: Database) -> None:
    """What is to be sent and was sent; what the umpire should know or has done."""
    texts = ("kind", "recipient", "message_id", "state", "error", "created")
    db.create_table(
        "outbox",
        {
            "id": int,
            "key": str,
            "game": str,
            "turn": int,
            "player": str,
            "letter": int,
            "raw": bytes,
            **dict.fromkeys(texts, str),
            "attempts": int,
            "sent_at": str,
        },
        pk="id",
        not_null={"key", "raw", "attempts", *texts},
        foreign_keys=[("game", "games", "id"), ("letter", "letters", "id")],
        strict=True,
    )
    db.table("outbox").create_index(["key"], unique=True)
    db.table("outbox").create_index(["state"])
    db.table("outbox").create_index(["recipient", "created"])
    db.create_table(
        "log",
        {"id": int, "at": str, "game": str, "turn": int, "what": str, "text": str, "kept": str},
        pk="id",
        not_null={"at", "what", "text", "kept"},
        foreign_keys=[("game", "games", "id")],
        strict=True,
    )


@MIGRATIONS()
def m004_turns_stay_as_they_are(db: Database) -> None:
    """Turns get an edition and the players' salts, are hashed anew from the agreement on, and can no longer be changed."""
    db.execute("ALTER TABLE turns RENAME TO turns_before")
    texts = ("seed", "salts", "orders", "events", "state", "hash", "adjudicated_at")
    db.create_table(
        "turns",
        {"game": str, "turn": int, "edition": int, "rules": int, **dict.fromkeys(texts, str), "deadline": str},
        pk=("game", "turn", "edition"),
        not_null={"rules", *texts},
        foreign_keys=[("game", "games", "id")],
        strict=True,
    )
    _copy_turns(db)
    db.execute("DROP TABLE turns_before")
    for name, act in {"turns_unchanged": "UPDATE", "turns_undeleted": "DELETE"}.items():
        db.execute(
            f"CREATE TRIGGER {name} BEFORE {act} ON turns "
            "BEGIN SELECT RAISE(ABORT, 'an adjudicated turn is never changed or deleted'); END"
        )
    # INSERT OR REPLACE would pass by the trigger on DELETE.
    db.execute(
        "CREATE TRIGGER turns_unreplaced BEFORE INSERT ON turns "
        "WHEN EXISTS (SELECT 1 FROM turns WHERE game = NEW.game AND turn = NEW.turn AND edition = NEW.edition) "
        "BEGIN SELECT RAISE(ABORT, 'an adjudicated turn is never replaced'); END"
    )


def _copy_turns(db: Database) -> None:
    told = "SELECT id, setup, chain FROM games"
    before = {
        row["id"]: hash_of_agreement(row["id"], row["setup"], seed_of_turn(row["chain"], CHAIN_END))
        for row in db.query(told)
    }
    for row in list(db.query("SELECT * FROM turns_before ORDER BY game, turn")):
        hashed = {name: row[name] for name in ("game", "turn", "rules", "seed", "orders", "events")}
        before[row["game"]] = hash_of_turn(before[row["game"]], salts="", **hashed)
        db.table("turns").insert({**row, "edition": 1, "salts": "", "hash": before[row["game"]]})
