"""What the club's pages are made of, as one text: whether they would read otherwise is asked with each pass."""

from __future__ import annotations

from referee.store.database.connection import Database

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
    rows = [list(row.values()) for sql in (_GAMES, _WAITING, _NAMES, _PLAYERS) for row in db.query(sql)]
    return repr(rows)
