"""The tables, as the steps in which they came about. A step that has been released is never changed; a new one is added.

Nothing a player sent and nothing the referee decided is ever deleted: order sets are withdrawn, an adjudicated turn stays
as it is, and its correction is a further edition beside it.
"""

from __future__ import annotations

import hashlib
import secrets

from sqlite_utils import Database, Migrations

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


@MIGRATIONS()
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


@MIGRATIONS()
def m006_arrivals(db: Database) -> None:
    """Which letters of a mail server were had, by the names it gives them, and which it would not give out."""
    db.create_table(
        "arrivals",
        {"key": str, "size": int, "attempts": int, "error": str, "taken_at": str},
        pk="key",
        not_null={"size", "attempts", "error"},
        strict=True,
    )


@MIGRATIONS()
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


@MIGRATIONS()
def m008_letters_answered(db: Database) -> None:
    """The letter of ours that a letter answers is found by its id."""
    db.execute("CREATE INDEX IF NOT EXISTS idx_outbox_message_id ON outbox (message_id)")


@MIGRATIONS()
def m009_bounces(db: Database) -> None:
    """Which letters of ours came back; and who wrote how many letters in a day is counted without reading them all."""
    db.create_table(
        "bounces",
        {
            "id": int,
            "outbox": int,
            "letter": int,
            "game": str,
            "player": str,
            **dict.fromkeys(("address", "status", "written", "at"), str),
            "final": int,
            "cleared_at": str,
        },
        pk="id",
        not_null={"outbox", "address", "status", "written", "at", "final"},
        foreign_keys=[("outbox", "outbox", "id"), ("letter", "letters", "id"), ("game", "games", "id")],
        strict=True,
    )
    db.table("bounces").create_index(["address"])
    db.execute("CREATE INDEX idx_letters_sender ON letters (lower(sender), stored_at)")
    db.table("letters").create_index(["game", "stored_at"])
    db.execute("CREATE INDEX idx_outbox_answers ON outbox (game, created) WHERE letter IS NOT NULL")
    db.execute("CREATE INDEX idx_outbox_answered ON outbox (lower(recipient), created) WHERE letter IS NOT NULL")
    # It stood in every Message-ID so far; now these are made with it, and it is a secret.
    db.execute("UPDATE club SET value = lower(hex(randomblob(16))) WHERE name = 'mark'")


@MIGRATIONS()
def m010_held_letters(db: Database) -> None:
    """The key that players' codes are made with, how often a player's were renewed, and the letters that wait for a word."""
    texts = ("hash", "game", "player", "why", "held_at")
    db.create_table(
        "held_letters",
        {"letter": int, **dict.fromkeys(texts, str), "turn": int, "released_by": int, "released_at": str},
        pk="letter",
        not_null={*texts, "turn"},
        foreign_keys=[("letter", "letters", "id"), ("game", "games", "id"), ("released_by", "letters", "id")],
        strict=True,
    )
    db.table("held_letters").create_index(["game", "player"])
    db.create_table(
        "token_epochs",
        {"game": str, "player": str, "epoch": int},
        pk=("game", "player"),
        not_null={"epoch"},
        foreign_keys=[("game", "games", "id")],
        strict=True,
    )
    db.execute("CREATE INDEX idx_outbox_about_held ON outbox (lower(recipient), created) WHERE kind = 'held'")
    db.execute("INSERT INTO club (name, value) VALUES ('token-key', ?)", [secrets.token_hex(32)])


@MIGRATIONS()
def m011_games_to_look_at(db: Database) -> None:
    """Which games a pass must look at is found without looking at all: by their deadlines, and by what was changed in them.

    ``changed``: when somebody's orders for the awaited turn were last changed, "" to be looked at in any case, NULL for a game
    that was looked at since and waits for orders.
    """
    db.execute("ALTER TABLE games ADD COLUMN changed TEXT DEFAULT ''")
    db.execute("CREATE INDEX idx_games_deadline ON games (deadline) WHERE status = 'running'")
    db.execute("CREATE INDEX idx_games_changed ON games (changed) WHERE status = 'running' AND changed IS NOT NULL")
    db.execute("CREATE INDEX idx_games_created ON games (created, id) WHERE status = 'running'")
    changed = "UPDATE games SET changed = NEW.changed_at WHERE id = NEW.game AND turn = NEW.turn"
    for name, act in {"filed": "INSERT", "refiled": "UPDATE"}.items():
        db.execute(f"CREATE TRIGGER orders_{name} AFTER {act} ON order_sets BEGIN {changed}; END")
    db.execute(
        "CREATE TRIGGER games_moved AFTER UPDATE OF turn, deadline, status ON games "
        "BEGIN UPDATE games SET changed = '' WHERE id = NEW.id; END"
    )
    db.execute("CREATE INDEX idx_letters_message_id ON letters (message_id) WHERE message_id <> ''")


@MIGRATIONS()
def m012_commands(db: Database) -> None:
    """Press for some players alone, addresses that wait to be confirmed, and who watches a game without playing."""
    db.execute("ALTER TABLE press ADD COLUMN readers TEXT NOT NULL DEFAULT ''")
    texts = ("game", "player", "before", "after", "asked_at")
    db.create_table(
        "address_changes",
        {"id": int, **dict.fromkeys(texts, str), "letter": int, "confirmed_by": int, "confirmed_at": str, "void": int},
        pk="id",
        not_null={*texts, "letter", "void"},
        foreign_keys=[
            ("game", "games", "id"),
            ("letter", "letters", "id"),
            ("confirmed_by", "letters", "id"),
        ],
        strict=True,
    )
    db.table("address_changes").create_index(["game", "player"])
    db.create_table(
        "observers",
        {"id": int, "game": str, "address": str, "letter": int, "since": str, "ended_at": str, "ended_by": int},
        pk="id",
        not_null={"game", "address", "letter", "since"},
        foreign_keys=[("game", "games", "id"), ("letter", "letters", "id"), ("ended_by", "letters", "id")],
        strict=True,
    )
    db.table("observers").create_index(["game"])
    db.table("observers").create_index(["address"])


@MIGRATIONS()
def m013_found_at_once(db: Database) -> None:
    """Who has an address, and which newsletters a player was sent, is asked for nearly each letter: among any number of them."""
    db.execute("DROP INDEX idx_players_address")
    db.execute("CREATE INDEX idx_players_address ON players (lower(address))")
    db.execute("CREATE INDEX idx_outbox_newsletters ON outbox (game, player, turn) WHERE kind = 'newsletter'")
    db.execute("CREATE INDEX idx_address_changes_before ON address_changes (lower(before), asked_at)")


@MIGRATIONS()
def m014_both_agree(db: Database) -> None:
    """A new address holds when somebody has said so from both, the old one and the new one: by these letters."""
    for side in ("before", "after"):
        db.execute(f"ALTER TABLE address_changes ADD COLUMN agreed_{side} INTEGER REFERENCES letters (id)")


@MIGRATIONS()
def m015_letters_begun(db: Database) -> None:
    """Work on a letter that a power cut ends is told from an attempt that failed."""
    db.execute("ALTER TABLE letters ADD COLUMN begun INTEGER NOT NULL DEFAULT 0")
