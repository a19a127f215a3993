"""Which of several sets of orders of a player counts, and which of his texts."""

from __future__ import annotations

from collections.abc import Iterable

from referee.store.database.rows import OrderSet, PressRow


def on_file(rows: Iterable[OrderSet], player: str) -> tuple[OrderSet, ...]:
    """Return a player's sets that are not withdrawn, in their order of arrival."""
    return tuple(row for row in rows if row.player == player and not row.withdrawn)


def counts_as_in(row: OrderSet | None) -> bool:
    """Return whether a set answers what its player owes."""
    return row is not None and (row.clean or row.confirmed)


def set_to_run(rows: Iterable[OrderSet], player: str) -> OrderSet | None:
    """Return the set that runs: the newest clean or confirmed one, else the newest faulty one written for this turn."""
    filed = on_file(rows, player)
    good = [row for row in filed if counts_as_in(row)]
    faulty = [row for row in filed if not row.doubtful]
    wanted = good or faulty
    return wanted[-1] if wanted else None


def set_to_confirm(rows: Iterable[OrderSet], player: str) -> OrderSet | None:
    """Return the faulty set a word of confirmation means: the newest on file, if no clean or confirmed one came after it."""
    filed = on_file(rows, player)
    return filed[-1] if filed and not counts_as_in(filed[-1]) else None


def newest_texts(rows: Iterable[PressRow]) -> tuple[PressRow, ...]:
    """Return of each player the newest of these texts of one kind, in the order in which they arrived."""
    timed = sorted(rows, key=lambda row: row.arrived)
    newest = {row.player: row for row in timed}
    return tuple(row for row in timed if newest[row.player] is row)
