"""Letters that come back, are held, ask for something; all are found at once. Frozen: what is released is never changed."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database


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


def m013_found_at_once(db: Database) -> None:
    """Who has an address, and which newsletters a player was sent, is asked for nearly each letter: among any number of them."""
    db.execute("DROP INDEX idx_players_address")
    db.execute("CREATE INDEX idx_players_address ON players (lower(address))")
    db.execute("CREATE INDEX idx_outbox_newsletters ON outbox (game, player, turn) WHERE kind = 'newsletter'")
    db.execute("CREATE INDEX idx_address_changes_before ON address_changes (lower(before), asked_at)")


def m014_both_agree(db: Database) -> None:
    """A new address holds when somebody has said so from both, the old one and the new one: by these letters."""
    for side in ("before", "after"):
        db.execute(f"ALTER TABLE address_changes ADD COLUMN agreed_{side} INTEGER REFERENCES letters (id)")


def m015_letters_begun(db: Database) -> None:
    """Work on a letter that a power cut ends is told from an attempt that failed."""
    db.execute("ALTER TABLE letters ADD COLUMN begun INTEGER NOT NULL DEFAULT 0")
