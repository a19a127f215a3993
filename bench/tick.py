"""Says what `referee tick` takes as cron starts it, empty and with a letter: python -m bench.tick [--json]

Empty passes with 10, 1,000 and 10,000 open games, which are copies of one game, written straight into the store; then passes
that find one letter of orders. Each figure is processor time, the least of several runs; beside it stands what Python alone takes
to start. What is imported is compiled already, as it is where the referee is installed.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from bench.rows import Row, print_rows
from referee.config import read_config
from referee.service.club import Club, make_club, open_club
from referee.service.tick import tick
from referee.service.turns.gamefile import Invited, Proposal
from referee.service.turns.newgames import new_game
from referee.store import games, insert, transaction

COUNTS = (10, 1_000, 10_000)
RUNS = 7
PEOPLE = {"GSW": "red", "MGW": "green", "BNC": "blue"}
TABLE = "A pass, as cron makes it"


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
            insert(club.db, first.but(id=name, deadline=(first.deadline or datetime.now(UTC)) + late))
            for seat in seats:
                insert(club.db, seat.but(game=name))
            for turn in turns:
                insert(club.db, turn.but(game=name))


def drop_letter(folder: Path, number: int) -> None:
    """Put a letter of orders into the inbox."""
    head = f"From: Gsw <gsw@example.org>\r\nTo: referee@example.org\r\nSubject: [RR1]\r\nMessage-ID: <{number}@bench.example>\r\n"
    text = f"ORDERS RR1 1\r\n1a) (Dublin) - Y17\r\nEND\r\nPRESS: letter {number}\r\n"
    (folder / "mail" / "in" / "new" / f"{number}.bench").write_bytes(f"{head}\r\n{text}".encode())


def least(*command: str, first: Callable[[], object] = lambda: None) -> float:
    """Return the milliseconds of the processor that a command takes at least; *first* is done before each run."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    best = 9e9
    for _ in range(RUNS):
        first()
        before = _of_children()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)  # noqa: S603 (ours)
        best = min(best, _of_children() - before)
    return best


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def rows(counts: Sequence[int] = COUNTS) -> Iterator[Row]:
    """Measure, with so many open games."""
    alone = least(sys.executable, "-c", "pass")

    def row(work: str, milliseconds: float) -> Row:
        ratio = milliseconds / max(alone, 1)
        return Row(table=TABLE, work=work, figure=milliseconds, unit="ms", beside="python alone", ratio=ratio)

    yield row("python alone", alone)
    yield row("the command imported", least(sys.executable, "-c", "import referee.cli.tick"))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "club"
        make_club(folder, {"mail.address": "referee@example.org", "identity.policy": "address"})
        command = (sys.executable, "-m", "referee", "--club", str(folder), "tick")
        for number in counts:
            with open_club(read_config(folder)) as club:
                if number == counts[0]:
                    open_game(club)
                copy_game(club, number)
                tick(club)  # looks at each new game once
            yield row(f"empty, {number:,} games", least(*command))
            if number == counts[0]:
                numbers = count(1)
                yield row("with one letter", least(*command, first=lambda: drop_letter(folder, next(numbers))))  # noqa: B023


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object a row")
    parser.add_argument("--short", action="store_true", help="leave out the passes with many games")
    asked = parser.parse_args()
    print_rows(rows(COUNTS[:1] if asked.short else COUNTS), as_json=asked.json)


if __name__ == "__main__":
    main()
