"""Games come to wait for their players, and to end. Frozen: what is released is never changed; more are added."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database

_KEPT = "SELECT RAISE(ABORT, '{} is never changed, deleted or replaced')"


def m024_open_games(db: Database) -> None:
    """Games that wait for players, and who has been invited to one, asked for a seat in it, or has one."""
    texts = ("proposal", "told", "kind", "chain", "opened_at")
    db.create_table(
        "open_games",
        {
            "id": str,
            **dict.fromkeys(texts, str),
            "seats": int,
            "when_full": int,
            "started_at": str,
            "closed_at": str,
        },
        pk="id",
        not_null={*texts, "seats", "when_full"},
        strict=True,
    )
    db.execute(
        "CREATE INDEX idx_open_games_full ON open_games (when_full, opened_at, id) "
        "WHERE started_at IS NULL AND closed_at IS NULL"
    )
    said = ("game", "address", "name", "zone", "language", "colours", "code", "company", "asked_at")
    db.create_table(
        "signups",
        {
            "id": int,
            **dict.fromkeys(said, str),
            "letter": int,
            "orders": int,
            "invited": int,
            "seated_at": str,
            "ended_at": str,
        },
        pk="id",
        not_null={*said, "invited"},
        foreign_keys=[("game", "open_games", "id"), ("letter", "letters", "id"), ("orders", "letters", "id")],
        strict=True,
    )
    db.table("signups").create_index(["game"])
    db.execute("CREATE INDEX idx_signups_address ON signups (lower(address))")


def m025_ends(db: Database) -> None:
    """Games that are over: until when their players' closing statements are awaited, and which are put away."""
    for name in ("statements_due", "archived_at"):
        db.execute(f"ALTER TABLE games ADD COLUMN {name} TEXT")
    db.execute("CREATE INDEX idx_games_statements ON games (statements_due) WHERE statements_due IS NOT NULL")


def m026_anonymous(db: Database) -> None:
    """Games whose players are known by their companies alone until the end."""
    db.execute("ALTER TABLE games ADD COLUMN anonymous INTEGER NOT NULL DEFAULT 0")


def m027_given_up(db: Database) -> None:
    """A letter of ours that is not to be sent any more may lose its bytes, and a file that no letter encloses may be deleted."""
    db.execute("DROP TRIGGER letters_of_ours_unchanged")
    db.execute(
        "CREATE TRIGGER letters_of_ours_unchanged BEFORE UPDATE OF id, key, recipient, message_id, raw, enclosed, size "
        "ON outbox WHEN OLD.state = 'waiting' OR NEW.id <> OLD.id OR NEW.raw <> x'' OR NEW.enclosed <> '' "
        f"BEGIN {_KEPT.format('a letter of ours')}; END"
    )
    db.execute("DROP TRIGGER files_undeleted")
    db.execute(
        "CREATE TRIGGER files_undeleted BEFORE DELETE ON files "
        "WHEN EXISTS (SELECT 1 FROM outbox WHERE enclosed <> '' AND instr(enclosed, OLD.hash)) "
        "BEGIN SELECT RAISE(ABORT, 'a file of ours is never changed, deleted or replaced'); END"
    )
    db.execute("CREATE INDEX idx_outbox_enclosed ON outbox (enclosed) WHERE enclosed <> ''")


def m028_moved_deadlines(db: Database) -> None:
    """How often a game's deadline was moved, whoever moved it: calendars follow the number that rises."""
    db.execute("ALTER TABLE games ADD COLUMN moved INTEGER NOT NULL DEFAULT 0")
    db.execute(
        "CREATE TRIGGER games_deadline_moved AFTER UPDATE OF deadline ON games WHEN NEW.deadline IS NOT OLD.deadline "
        "BEGIN UPDATE games SET moved = moved + 1 WHERE id = NEW.id; END"
    )


def m029_standby_orders(db: Database) -> None:
    """Orders that count if a stand-by takes over a seat are kept like those for a later turn."""
    db.execute("ALTER TABLE later_orders ADD COLUMN if_standby INTEGER NOT NULL DEFAULT 0")


def m030_stopped_games(db: Database) -> None:
    """A game is stopped; held is said of letters alone."""
    for name in ("at", "due"):
        db.execute(f"ALTER TABLE games RENAME COLUMN held_{name} TO stopped_{name}")


def m031_codes(db: Database) -> None:
    """Codes that umpires were given, each good for one command."""
    said = ("game", "address", "command", "issued_at")
    db.create_table(
        "codes",
        {"token": str, **dict.fromkeys(said, str), "used_by": int},
        pk="token",
        not_null={*said},
        foreign_keys=[("used_by", "letters", "id")],
        strict=True,
    )


def m032_salt_of_signups(db: Database) -> None:
    """Who signs up for a game gives his word for the dice with it."""
    db.execute("ALTER TABLE signups ADD COLUMN salt TEXT NOT NULL DEFAULT ''")


def m033_cost_of_letters(db: Database) -> None:
    """What reading a letter took, and whether its header alone proved it: both are counted of the letters of a day."""
    db.execute("ALTER TABLE letters ADD COLUMN seconds REAL NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE letters ADD COLUMN sure INTEGER NOT NULL DEFAULT 0")
    # All that is counted stands in the index: in the table it stands behind the letters' bytes.
    db.execute("CREATE INDEX idx_letters_stored ON letters (stored_at, sure, status, seconds, sender)")


def m034_covered(db: Database) -> None:
    """A turn covers the umpire's acts before it, and the letters that were received for it."""
    for name in ("acts", "letters", "booked"):
        db.execute(f"ALTER TABLE turns ADD COLUMN {name} TEXT NOT NULL DEFAULT ''")
