"""Says how long an empty `referee tick` by cron takes with 10, 1,000 and 10,000 open games: python -m bench.tick

The games are copies of one game, written straight into the store. Each figure is the least of several runs of the command as
cron starts it; beside it stands what Python itself takes to start and to import the command, measured in the same run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.config import read_config
from referee.service.club.club import Club, make_club, open_club
from referee.service.tick import tick
from referee.service.turns.games import new_game
from referee.service.turns.proposals import Invited, Proposal
from referee.store import games
from referee.store.database.database import insert, transaction

COUNTS = (10, 1_000, 10_000)
RUNS = 7
PEOPLE = {"GSW": "red", "MGW": "green", "BNC": "blue"}


def open_game(club: Club) -> None:
    """Make the game of which the others are copies; its opening is sent."""
    seats = tuple(
        Invited(code=code, colour=colour, name=code.title(), address=f"{code.lower()}@example.org")
        for code, colour in PEOPLE.items()
    )
    proposal = Proposal(kind="dampfross", board="ireland", players=seats, rhythm={"days": 14})
    new_game(club, proposal)
    tick(club)


def copy_game(club: Club, until: int) -> None:
    """Write copies of the first game until there are so many."""
    first = games.all_games(club.db)[0]
    seats, turns = games.players(club.db, first.id), games.turns(club.db, first.id)
    with transaction(club.db):
        for number in range(len(games.all_games(club.db)) + 1, until + 1):
            name = f"RR{number}"
            late = timedelta(minutes=number)
            insert(club.db, "games", replace(first, id=name, deadline=(first.deadline or datetime.now(UTC)) + late))
            for seat in seats:
                insert(club.db, "players", replace(seat, game=name))
            for turn in turns:
                insert(club.db, "turns", replace(turn, game=name))


def seconds(*command: str) -> tuple[float, float]:
    """Return what a command takes at least, by the clock and of the processor."""
    best = (9e9, 9e9)
    for _ in range(RUNS):
        began, used = time.perf_counter(), os.times()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 (ours)
        after = os.times()
        spent = after.children_user + after.children_system - used.children_user - used.children_system
        best = (min(best[0], time.perf_counter() - began), min(best[1], spent))
    return best


def main() -> None:
    """Print the table."""
    load = os.getloadavg()[0]
    print(
        f"load {load:.1f} on {os.cpu_count()} processors; least of {RUNS} runs, seconds by the clock (of the processor)"
    )
    for words, code in (("python alone", "pass"), ("with the command imported", "import referee.cli.post")):
        wall, cpu = seconds(sys.executable, "-c", code)
        print(f"{words:>28}: {wall:.3f} ({cpu:.3f})")
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "club"
        make_club(folder, {"mail.address": "referee@example.org"})
        for count in COUNTS:
            with open_club(read_config(folder)) as club:
                if count == COUNTS[0]:
                    open_game(club)
                copy_game(club, count)
                began = time.perf_counter()
                tick(club)  # looks at each new game once
                first = time.perf_counter() - began
            wall, cpu = seconds(sys.executable, "-m", "referee", "--club", str(folder), "tick")
            print(
                f"{f'tick, {count:,} games':>28}: {wall:.3f} ({cpu:.3f}); the first pass after they were made {first:.1f}"
            )


if __name__ == "__main__":
    main()
