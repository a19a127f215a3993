"""The first tables: the club, its games, letters, orders and the outbox. Frozen: what is released is never changed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database


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
    before = {row["id"]: _m004_hash(row["id"], row["setup"], _m004_end(row["chain"])) for row in db.query(told)}
    for row in list(db.query("SELECT * FROM turns_before ORDER BY game, turn")):
        told_of = (row["game"], str(row["turn"]), str(row["rules"]), row["seed"], "", row["orders"], row["events"])
        before[row["game"]] = _m004_hash(before[row["game"]], *told_of)
        db.table("turns").insert({**row, "edition": 1, "salts": "", "hash": before[row["game"]]})


def _m004_hash(*lines: str) -> str:
    # As hashes were made when this step was written: what makes them today may change, a step may not.
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _m004_end(root: str) -> str:
    """Return the published end of the chain of 1,000 seeds that begins with *root*, the seed of turn 999."""
    seed = root
    for _ in range(1000):
        seed = hashlib.sha256(seed.encode()).hexdigest()
    return seed


def m005_typed_throws(db: Database) -> None:
    """The umpire may type throws for a turn to come; what was typed is kept with the turn, what he took back beside it."""
    db.execute("ALTER TABLE turns ADD COLUMN typed TEXT NOT NULL DEFAULT ''")
    db.create_table(
        "typed_throws",
        {"id": int, "game": str, "turn": int, "name": str, "number": int, "typed_at": str},
        pk="id",
        not_null={"game", "turn", "name", "typed_at"},
        foreign_keys=[("game", "games", "id")],
        strict=True,
    )
    db.table("typed_throws").create_index(["game", "turn"])
    for name, act in {"throws_unchanged": "UPDATE", "throws_undeleted": "DELETE"}.items():
        db.execute(
            f"CREATE TRIGGER {name} BEFORE {act} ON typed_throws "
            "BEGIN SELECT RAISE(ABORT, 'a typed throw is never changed or deleted'); END"
        )
    # INSERT OR REPLACE would pass by the trigger on DELETE.
    db.execute(
        "CREATE TRIGGER throws_unreplaced BEFORE INSERT ON typed_throws "
        "WHEN EXISTS (SELECT 1 FROM typed_throws WHERE id = NEW.id) "
        "BEGIN SELECT RAISE(ABORT, 'a typed throw is never replaced'); END"
    )


def m006_arrivals(db: Database) -> None:
    """Which letters of a mail server were had, by the names it gives them, and which it would not give out."""
    db.create_table(
        "arrivals",
        {"key": str, "size": int, "attempts": int, "error": str, "taken_at": str},
        pk="key",
        not_null={"size", "attempts", "error"},
        strict=True,
    )


def m007_sending(db: Database) -> None:
    """Who sends a letter of ours at this moment, when it is tried again, and that what was written is never written anew."""
    for name in ("next_try", "lease", "tried_at", "delayed_since", "failed_at"):
        db.execute(f"ALTER TABLE outbox ADD COLUMN {name} TEXT")
    db.execute("CREATE INDEX idx_outbox_waiting ON outbox (recipient, id) WHERE state = 'waiting'")
    db.table("outbox").create_index(["tried_at"])
    of_ours = {"unchanged": "UPDATE OF id, key, recipient, message_id, raw", "undeleted": "DELETE"}
    for name, act in of_ours.items():
        db.execute(
            f"CREATE TRIGGER letters_of_ours_{name} BEFORE {act} ON outbox "
            "BEGIN SELECT RAISE(ABORT, 'a letter of ours is never changed, deleted or replaced'); END"
        )
    # INSERT OR REPLACE would pass by the trigger on DELETE.
    db.execute(
        "CREATE TRIGGER letters_of_ours_unreplaced BEFORE INSERT ON outbox "
        "WHEN EXISTS (SELECT 1 FROM outbox WHERE id = NEW.id OR key = NEW.key) "
        "BEGIN SELECT RAISE(ABORT, 'a letter of ours is never changed, deleted or replaced'); END"
    )


def m008_letters_answered(db: Database) -> None:
    """The letter of ours that a letter answers is found by its id."""
    db.execute("CREATE INDEX IF NOT EXISTS idx_outbox_message_id ON outbox (message_id)")
