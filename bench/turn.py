"""Says what a complete turn costs, all newsletters queued, and what its game takes in the store: python -m bench.turn [--json]

A recorded game of six on Ireland is played through ``adjudicate`` in a club of its own. Each part of a turn is told for itself,
as processor time and beside the plain rendering of one letter, which is measured in the same run: machines differ and are noisy.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import referee.mail.compose
import referee.report.png
import referee.report.svg
import referee.service.turns.adjudicate as turns
import referee.service.turns.newgames as openings
import referee.service.turns.newsletters as newsletters
from bench.rows import Row, print_rows
from referee.config import read_config
from referee.core.dice import SeededDice
from referee.core.unpacking import IN_LZMA
from referee.games.dampfross import GAME
from referee.reader.reader import Reader
from referee.report.templates import Stationery
from referee.service.club.club import Club, make_club, open_club
from referee.service.turns.newgames import new_game
from referee.service.turns.proposals import Invited, Proposal
from referee.store import games, orders, outbox
from referee.store.database.database import transaction
from referee.store.database.rows import OrderSet
from tests.games.dampfross.recordedgames import games as recorded
from tests.games.lines import understood
from tests.games.recorded import read_recording

NAME = "usual 6 d"
BEGIN = datetime(2026, 12, 7, 12, 0, tzinfo=UTC)
YARDSTICK = 200_000  # additions, which everything stands beside


def processor_time() -> float:
    """Return the seconds of this process and of those that it waited for: PNGs are rendered in one of their own."""
    told = os.times()
    return time.process_time() + told.children_user + told.children_system


class Parts:
    """Processor time of what is called, without the parts that it calls itself."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._within: list[float] = []

    def of(self, part: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """Return *work*, which counts for a part."""

        def measured(*values: Any, **named: Any) -> Any:
            self._within.append(0.0)
            began = processor_time()
            try:
                return work(*values, **named)
            finally:
                whole = processor_time() - began
                self.spent[part] = self.spent.get(part, 0.0) + whole - self._within.pop()
                if self._within:
                    self._within[-1] += whole

        return measured

    def watch(self, owner: ModuleType | type, name: str, part: str) -> None:
        """Let what an owner calls so count for a part."""
        setattr(owner, name, self.of(part, getattr(owner, name)))


def watched() -> Parts:
    """Return the parts of a turn, all of them watched."""
    parts = Parts()
    for name in ("adjudicate", "view", "story", "drawing"):
        part = {"adjudicate": "rules", "view": "views"}.get(name, name)
        object.__setattr__(GAME, name, parts.of(part, getattr(GAME, name)))
    parts.watch(referee.report.svg, "svg", "SVG text")
    parts.watch(referee.report.png, "svg", "SVG text")
    parts.watch(referee.report.png, "_pngs", "PNG")
    parts.watch(Stationery, "letter", "templates")
    parts.watch(Stationery, "page", "pages")
    parts.watch(referee.mail.compose, "composed", "compose")
    parts.watch(turns, "_write", "store")
    parts.watch(turns, "_chance", "seeds")
    parts.watch(newsletters, "_chain", "seeds")
    return parts


def made_game(club: Club) -> str:
    """Make the game whose turns are played; return its id."""
    setup, _ = recorded()[NAME]
    seats = tuple(
        Invited(code=each.code, colour=each.colour, name=each.name, address=f"{each.name}@example.org")
        for each in setup.players
    )
    return new_game(club, Proposal(kind="dampfross", board="ireland", players=seats, rhythm={"days": 14}), "bench")


def file_orders(club: Club, game: str, lines: dict[str, tuple[str, ...]]) -> None:
    """File what the players wrote for the awaited turn."""
    position = club.positions.of(club.db, games.game(club.db, game))
    with transaction(club.db):
        for code in position.awaited:
            read, _ = understood(position.rules, position.state, code, lines.get(code, ()))
            orders.file_set(
                club.db,
                OrderSet(
                    game=game,
                    turn=position.row.turn,
                    player=code,
                    letter=None,
                    orders=position.rules.encode(read),
                    complaints="[]",
                    text="\n".join(lines.get(code, ())),
                    clean=True,
                    confirmed=False,
                    withdrawn=False,
                    doubtful=False,
                    arrived=BEGIN,
                    changed_at=BEGIN,
                ),
            )


def throw_as_recorded(module: ModuleType, seed: str) -> None:
    """Let a module throw the dice of the recorded game."""
    module.__dict__["SeededDice"] = lambda _: SeededDice(seed)


def played(club: Club, parts: Parts) -> tuple[list[float], str]:
    """Play the whole game; return the seconds of each turn, and its id."""
    seed = recorded()[NAME][1]
    throw_as_recorded(openings, f"{seed}/0")
    game = made_game(club)
    kept = read_recording("dampfross", NAME).turns
    spent = []
    parts.spent.clear()
    while (row := games.game(club.db, game)).status == "running":
        throw_as_recorded(turns, f"{seed}/{row.turn}")
        file_orders(club, game, dict(kept.get(row.turn, {})))
        began = processor_time()
        turns.adjudicate(club, row)
        spent.append(processor_time() - began)
    return spent, game


def arithmetic() -> float:
    """Return the seconds that plain arithmetic takes: the least of some runs."""

    def once() -> float:
        began, total = time.process_time(), 0
        for number in range(YARDSTICK):
            total += number * number
        return time.process_time() - began

    return min(once() for _ in range(5))


def rows() -> Iterator[Row]:
    """Measure. From then on what makes a turn is watched, in all of this process."""
    parts = watched()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "club"
        make_club(folder, {"mail.address": "referee@example.org"})
        empty = (folder / "referee.db").stat().st_size
        with open_club(read_config(folder, {}), lambda: BEGIN, reader=Reader()) as club:
            spent, game = played(club, parts)
            letters = sum(len(outbox.newsletters(club.db, game, turn)) for turn in range(1, len(spent) + 1))
            kept = [bytes(row["packed"]) for row in club.db.query("SELECT packed FROM files")]
            drawn = sum(
                len(each) for each in kept if not each.startswith(IN_LZMA) and zlib.decompress(each)[1:4] == b"PNG"
            )
            club.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        stored = (folder / "referee.db").stat().st_size
    beside, count = arithmetic() * 1000, len(spent)
    title = f"A turn of six players: {count} turns, {letters} newsletters"

    def row(work: str, milliseconds: float) -> Row:
        ratio, words = milliseconds / beside, f"{YARDSTICK:,} additions"
        return Row(table=title, work=work, figure=milliseconds, unit="ms", beside=words, ratio=ratio)

    told = {part: seconds * 1000 / count for part, seconds in parts.spent.items()}
    whole = sum(spent) * 1000 / count
    yield row("whole", whole)
    yield row("median", sorted(spent)[count // 2] * 1000)
    yield row("whole without PNG and pages of HTML", whole - sum(told.get(part, 0) for part in ("PNG", "pages")))
    for part, milliseconds in sorted(
        {**told, "the rest": whole - sum(told.values())}.items(), key=lambda item: -item[1]
    ):
        yield row(f"  {part}", milliseconds)
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
    print_rows(rows(), as_json=arguments.parse_args().json)


if __name__ == "__main__":
    main()
