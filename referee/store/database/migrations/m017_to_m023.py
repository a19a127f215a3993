"""The umpire's desk: acts, the clock, seats, stand-bys. Frozen: what is released is never changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite_utils import Database


def m017_acts(db: Database) -> None:
    """What the umpire does with a game stands in a log of its own, hashed as turns are, and is never changed."""
    texts = ("at", "actor", "kind", "parameters", "reason", "hash")
    db.create_table(
        "acts",
        {"game": str, "number": int, "turn": int, **dict.fromkeys(texts, str)},
        pk=("game", "number"),
        not_null={"turn", *texts},
        foreign_keys=[("game", "games", "id")],
        strict=True,
    )
    for name, act in {"unchanged": "UPDATE", "undeleted": "DELETE"}.items():
        db.execute(
            f"CREATE TRIGGER acts_{name} BEFORE {act} ON acts "
            "BEGIN SELECT RAISE(ABORT, 'an act of the umpire is never changed or deleted'); END"
        )
    # INSERT OR REPLACE would pass by the trigger on DELETE.
    db.execute(
        "CREATE TRIGGER acts_unreplaced BEFORE INSERT ON acts "
        "WHEN EXISTS (SELECT 1 FROM acts WHERE game = NEW.game AND number = NEW.number) "
        "BEGIN SELECT RAISE(ABORT, 'an act of the umpire is never replaced'); END"
    )


def m018_clock(db: Database) -> None:
    """Games that the umpire stops or has played at once, and awaited turns that were given more time."""
    for name in ("held_at", "held_due"):
        db.execute(f"ALTER TABLE games ADD COLUMN {name} TEXT")
    db.execute("ALTER TABLE games ADD COLUMN play INTEGER")
    db.execute("ALTER TABLE games ADD COLUMN extended INTEGER NOT NULL DEFAULT 0")
    db.execute("DROP TRIGGER games_moved")
    db.execute(
        "CREATE TRIGGER games_moved AFTER UPDATE OF turn, deadline, status, rhythm, held_at, play ON games "
        "BEGIN UPDATE games SET changed = '' WHERE id = NEW.id; END"
    )
    # However a game comes to await another turn: what was said of the one before is over.
    db.execute(
        "CREATE TRIGGER games_awaiting AFTER UPDATE OF turn ON games WHEN NEW.turn <> OLD.turn "
        "BEGIN UPDATE games SET play = NULL, extended = 0 WHERE id = NEW.id; END"
    )
    db.execute("UPDATE games SET changed = ''")


def m019_seats(db: Database) -> None:
    """Players who want a turn to wait for its deadline, who are away for a while, or have left their seat."""
    db.create_table(
        "waits",
        {"id": int, "game": str, "turn": int, "player": str, "letter": int, "asked_at": str, "ended_at": str},
        pk="id",
        not_null={"game", "turn", "player", "letter", "asked_at"},
        foreign_keys=[("game", "games", "id"), ("letter", "letters", "id")],
        strict=True,
    )
    db.table("waits").create_index(["game", "turn"])
    db.create_table(
        "absences",
        {"id": int, "game": str, "player": str, "since": str, "until": str, "told_at": str, "ended_at": str},
        pk="id",
        not_null={"game", "player", "since", "until", "told_at"},
        foreign_keys=[("game", "games", "id")],
        strict=True,
    )
    db.table("absences").create_index(["game", "player"])
    db.execute("ALTER TABLE players ADD COLUMN resigned_at TEXT")


def m020_doubtful(db: Database) -> None:
    """A set that runs only if its player confirms it is called doubtful: held are letters."""
    db.execute("ALTER TABLE order_sets RENAME COLUMN held TO doubtful")


def m021_standbys(db: Database) -> None:
    """Who would take the seat of a player who vanishes."""
    texts = ("name", "address", "zone", "language", "since")
    db.create_table(
        "standbys",
        {"id": int, **dict.fromkeys(texts, str), "ended_at": str},
        pk="id",
        not_null=set(texts),
        strict=True,
    )
    db.table("standbys").create_index(["address"])


def m022_later(db: Database) -> None:
    """Letters with orders for a turn that has not come: they are filed when it is awaited."""
    db.create_table(
        "later_orders",
        {"letter": int, "game": str, "player": str, "turn": int, "arrived": str, "filed_at": str},
        pk="letter",
        not_null={"game", "player", "turn", "arrived"},
        foreign_keys=[("letter", "letters", "id"), ("game", "games", "id")],
        strict=True,
    )
    db.table("later_orders").create_index(["game", "turn"])


def m023_news(db: Database) -> None:
    """What the umpire is told in his digest, where he wants one."""
    texts = ("key", "at", "subject", "text")
    db.create_table(
        "news", {"id": int, **dict.fromkeys(texts, str), "told_at": str}, pk="id", not_null=set(texts), strict=True
    )
    db.table("news").create_index(["key"], unique=True)
    db.execute("CREATE INDEX idx_news_untold ON news (id) WHERE told_at IS NULL")
