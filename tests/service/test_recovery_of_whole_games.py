"""Whole games of both kinds are restored from a backup of their first rounds, and come out as they were played."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from referee.config import read_config
from referee.service.club.club import open_club
from referee.service.demo.show import play_demo
from referee.service.tick import tick
from referee.service.turns.proposals import Invited, Proposal
from referee.service.upkeep.backup import back_up
from referee.store.database.connection import Database
from referee.store.database.database import select
from referee.store.database.rows import OutboxRow
from referee.store.files import whole
from tests.service.test_recovery import put_back

TABLES = {
    "turns": "game, turn, hash, state, deadline",
    "letters": "hash, status, reason, player, trace",
    "order_sets": "turn, player, orders, text, clean",
}


def come_out(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    with closing(sqlite3.connect(folder / "referee.db")) as beside:
        found = {name: beside.execute(f"SELECT {columns} FROM {name}").fetchall() for name, columns in TABLES.items()}  # noqa: S608
        db = Database(beside)
        ours = [whole(db, row) for row in select(db, OutboxRow, "SELECT * FROM outbox")]
    found["outbox"] = [
        (row.key, row.message_id, row.state, re.sub(rb"\nDate: .*\n", b"\n", row.raw, count=1))
        for row in ours
        if row.kind != "recovered"
    ]
    return {name: sorted(rows) for name, rows in found.items()}


SHORT = Proposal(
    kind="dampfross",
    board="ireland",
    preset="laurin",
    options=(("building_ends", "rounds:6"), ("races", 6)),
    players=(
        Invited(code="GSW", colour="red", name="Ann", address="ann@example.org"),
        Invited(code="MGW", colour="blue", name="Bob", address="bob@example.org"),
        Invited(code="BNC", colour="green", name="Cid", address="cid@example.org"),
    ),
)


@pytest.mark.testlong
@pytest.mark.parametrize(("kind", "seed"), [("dampfross", "restored"), ("volldampf", "restored")])
def test_a_whole_game_is_relived(kind: str, seed: str, tmp_path: Path) -> None:
    folder, copy = tmp_path / "club", tmp_path / "copy"

    def told(rounds: int, of: int) -> None:
        if rounds == 2 and not copy.exists():
            back_up(read_config(folder), copy)

    play_demo(folder, kind, told, seed, SHORT if kind == "dampfross" else None)
    undisturbed, sent = come_out(folder), sorted((folder / "mail" / "out" / "new").iterdir())
    put_back(copy, folder)
    with open_club(read_config(folder)) as club:
        assert len(tick(club).turns) > 4
    for name, rows in come_out(folder).items():
        assert rows == undisturbed[name], name
    now = [path for path in sorted((folder / "mail" / "out" / "new").iterdir()) if "recovered" not in path.name]
    assert now == sent
