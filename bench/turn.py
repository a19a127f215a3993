"""Says what a complete turn costs, all newsletters queued, and what its game takes in the store: python -m bench.turn [--json]

Six built-in players play a game on Ireland through ``adjudicate`` in a club of its own. Figures are processor time, beside plain
arithmetic that is done before and after each turn: machines differ, and are slower at one moment than at the next. The first
turn, which leaves the club its templates compiled, does not count.
"""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from cProfile import Profile
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from pstats import Stats
from statistics import median
from typing import Any
from unittest.mock import patch

from bench.rows import Row, print_rows
from referee.bots import SECOND
from referee.bots.dampfross import orders_of, position_seen
from referee.config import read_config
from referee.reader.wire import Reader
from referee.service.club import Club, make_club, open_club
from referee.service.turns.adjudicate import adjudicate
from referee.service.turns.gamefile import Invited, Proposal
from referee.service.turns.newgames import new_game
from referee.service.turns.newsletters import _Telling
from referee.store import OrderSet, games, insert, outbox, transaction
from referee.store.files import IN_LZMA
from tests.games.dampfross.recordedgames import games as recorded

NAME = "usual 6 d"
BEGIN = datetime(2026, 12, 7, 12, 0, tzinfo=UTC)
YARDSTICK = 200_000  # additions, which everything stands beside


def processor_time() -> float:
    """Return the seconds of this process and of those that it waited for, which make PDFs."""
    told = os.times()
    return time.process_time() + told.children_user + told.children_system


def made_game(club: Club) -> str:
    """Make the game whose turns are played; return its id."""
    setup, _ = recorded()[NAME]
    seats = tuple(
        Invited(code=each.code, colour=each.colour, name=each.name, address=f"{each.name}@example.org")
        for each in setup.players
    )
    return new_game(club, Proposal(kind="dampfross", board="ireland", players=seats, rhythm={"days": 14}), "bench")


def file_orders(club: Club, game: str) -> None:
    """File what built-in players order for the awaited turn."""
    position = club.positions.of(club.db, games.game(club.db, game))
    seen = position.rules.view(position.state, None)
    known = position_seen(seen)
    with transaction(club.db):
        for code in position.awaited:
            insert(
                club.db,
                OrderSet(
                    game=game,
                    turn=position.row.turn,
                    player=code,
                    letter=None,
                    orders=position.rules.encode(tuple(orders_of(known, seen, code, code, SECOND))),
                    complaints="[]",
                    text="",
                    clean=True,
                    confirmed=False,
                    withdrawn=False,
                    doubtful=False,
                    arrived=BEGIN,
                    changed_at=BEGIN,
                ),
            )


def played(club: Club, profile: Profile | None) -> tuple[list[tuple[float, float]], str]:
    """Play a whole game; return the seconds of each turn, with those of plain arithmetic around it, and its id."""
    game = made_game(club)
    gc.collect()
    gc.freeze()  # a club's process does not hold the recorded games
    spent, beside = [], [arithmetic()]
    while (row := games.game(club.db, game)).status == "running":
        file_orders(club, game)
        with profile or nullcontext():
            began = processor_time()
            adjudicate(club, row)
            spent.append(processor_time() - began)
        beside.append(arithmetic())
    return list(zip(spent, (sum(each) / 2 for each in pairwise(beside)), strict=True)), game


def timed(spent: list[float], made: Callable[..., Any]) -> Callable[..., Any]:
    """Return what makes the same for newsletters, with the seconds in *spent* of what it makes in turns that count."""

    def call(telling: _Telling, *given: Any) -> Any:
        began = processor_time()
        found = made(telling, *given)
        if found and telling.news.turn > 1:
            spent.append(processor_time() - began)
        return found

    return call


def arithmetic() -> float:
    """Return the seconds that plain arithmetic takes now."""
    began, total = time.process_time(), 0
    for number in range(YARDSTICK):
        total += number * number
    return time.process_time() - began


def rows(profile: Profile | None = None) -> Iterator[Row]:
    """Measure; where a *profile* is given, fill it with all turns, which take longer for that."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "club"
        make_club(folder, {"mail.address": "referee@example.org"})
        empty = (folder / "referee.db").stat().st_size
        with open_club(read_config(folder, {}), lambda: BEGIN, reader=Reader()) as club:
            own, wall = list[float](), list[float]()
            with (
                patch.object(_Telling, "_own", timed(own, _Telling._own)),
                patch.object(_Telling, "_keepsake", timed(wall, _Telling._keepsake)),
            ):
                (_, *turns), game = played(club, profile)
            letters = sum(len(outbox.newsletters(club.db, game, turn)) for turn in range(2, len(turns) + 2))
            kept = [bytes(row["packed"]) for row in club.db.query("SELECT packed FROM files")]
            drawn = sum(
                len(each) for each in kept if not each.startswith(IN_LZMA) and zlib.decompress(each)[1:4] == b"PNG"
            )
            club.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        stored = (folder / "referee.db").stat().st_size
    count, (spent, alone) = len(turns), (sum(each) * 1000 / len(turns) for each in zip(*turns, strict=True))
    title = f"A turn of six players: {count} turns, {letters} newsletters"

    def row(work: str, milliseconds: float) -> Row:
        ratio, words = milliseconds / alone, f"{YARDSTICK:,} additions"
        return Row(table=title, work=work, figure=milliseconds, unit="ms", beside=words, ratio=ratio)

    yield row("whole", spent)
    yield row("median", median(turn / beside for turn, beside in turns) * alone)
    yield row("  without readers' own close-ups and the keepsake", spent - (sum(own) + sum(wall)) * 1000 / count)
    yield row("  own close-up of a reader", sum(own) * 1000 / len(own))
    yield row("  keepsake of a game, in its last turn", sum(wall) * 1000)
    size, pictures = (stored - empty) / 1e6, drawn / 1e6
    yield Row(
        table=title, work="store, beside an empty club's", figure=size, unit="MB", beside="that", ratio=stored / empty
    )
    yield Row(
        table=title,
        work="  of it pictures (PNG)",
        figure=pictures,
        unit="MB",
        beside="the whole",
        ratio=pictures / size,
    )


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--json", action="store_true", help="print one JSON object a row")
    arguments.add_argument("--profile", action="store_true", help="print where the time goes instead")
    asked = arguments.parse_args()
    profile = Profile() if asked.profile else None
    found = [*rows(profile)]
    if profile:
        Stats(profile).sort_stats("cumulative").print_stats(60)
    else:
        print_rows(found, as_json=asked.json)


if __name__ == "__main__":
    main()
