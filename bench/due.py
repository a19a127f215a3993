"""Says what it takes to play many turns that are due in the same minute: python -m bench.due [--json] [--games N] [--due N]

Of 10,000 open games, copies of one, 100 are due; nobody has written, and all are played in one pass, boards and letters included.
Processor time with that of the processes that draw, the most memory that the pass held, and an empty pass before and after it.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from bench.rows import Row, print_rows
from bench.tick import copy_game, least, open_game
from referee.config import SettingValue, read_config
from referee.service.club import make_club, open_club
from referee.service.tick import tick
from referee.store import change, format_time, transaction

TABLE = "Many turns at once"
SETTINGS: dict[str, SettingValue] = {
    "mail.address": "referee@example.org",
    "deadlines.missing": "play",
    "deadlines.reminders": "",
    "deadlines.outlook": 0,
    "deadlines.downtime_hold": 0,
}


def rows(games: int, due: int) -> Iterator[Row]:
    """Measure."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made) / "club"
        make_club(folder, SETTINGS)
        command = (sys.executable, "-m", "referee", "--club", str(folder), "tick")
        with open_club(read_config(folder)) as club:
            open_game(club)
            copy_game(club, games)
            tick(club)  # looks at each new game once
        before = least(*command)
        yield Row(table=TABLE, work=f"an empty pass, {games:,} games", figure=before, unit="ms")
        with open_club(read_config(folder)) as club, transaction(club.db):
            past = format_time(club.clock() - timedelta(hours=1))
            change(club.db, f"UPDATE games SET deadline = ?, changed = '' WHERE rowid <= {int(due)}", past)  # noqa: S608
        alone = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with open_club(read_config(folder)) as club:
            begun = _used()
            played = len(tick(club).turns)
            used = _used() - begun
        assert played == due, f"{played} of {due} turns were played"
        each = used / due
        yield Row(
            table=TABLE,
            work=f"{due} turns due",
            figure=used,
            unit="s",
            beside="an empty pass",
            ratio=used * 1000 / before,
        )
        yield Row(table=TABLE, work="a turn of them", figure=each * 1000, unit="ms")
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        yield Row(
            table=TABLE, work="most memory", figure=most / 1024, unit="MB", beside="before it", ratio=most / alone
        )
        yield Row(table=TABLE, work="an empty pass after it", figure=least(*command), unit="ms")


def _used() -> float:
    """Return the seconds of the processor that this process and those it began have taken."""
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object a row")
    parser.add_argument("--games", type=int, default=10_000, help="open games")
    parser.add_argument("--due", type=int, default=100, help="of them, those that are due")
    words = parser.parse_args()
    print_rows(rows(words.games, words.due), as_json=words.json)


if __name__ == "__main__":
    main()
