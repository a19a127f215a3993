"""Says what a machine with many clubs has to do: python -m bench.hosting [--clubs N] [--measured M] [--at-once N] [--short]

A club with ten games (six of Dampfross, four of Volldampf, five players each) is made by letters and played into its third turn;
copies of it live the Sunday hour from half past seven to half past eight, in which half of the games are due at eight. What each
pass takes is measured, as a process of its own for each, on M of the clubs; when it would be made and end, and what the day
comes to, is reckoned from that: timers spread over five minutes, first come first served on so many cores. Letters come by the
rates of ``bench.year``, a fifth of them in the half hour before a deadline, which is more than in the year.
"""

from __future__ import annotations

import argparse
import heapq
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from statistics import mean, median

from bench.tick import least
from referee.config import FILE, SettingValue, with_settings
from referee.core import Value
from referee.service.club import Club, make_club, open_club
from referee.service.demo.mailboxes import PROGRAMS, Answer, Folders
from referee.service.demo.players import CASTS, orders_of
from referee.service.demo.show import REFEREE, UNHURRIED, usual
from referee.service.tick import tick
from referee.service.turns.newgames import new_game
from referee.store.games import running_games
from tests.year.people import HABITS

GAMES = ("dampfross",) * 6 + ("volldampf",) * 4
PERIOD = 300.0  # seconds between two passes of a club
PERIODS, EIGHT = 12, 6  # passes of the hour; the one that finds the deadline
DUE = 0.5  # of the games, this Sunday: a turn takes two weeks
LAST = 0.2  # of a turn's letters, in the half hour before its deadline
MORE = {"amended": 2, "twice": 2, "broken": 2, "silent": 0, "unproved": 2, "waits": 2, "late": 1}
LETTERS = sum(often * MORE.get(habit, 1) for habit, often in HABITS.items()) / sum(HABITS.values())  # a seat and turn
WEEKS = 14  # days of a turn
LATE = HABITS["late"] / sum(HABITS.values())


class Took(Value):
    """What one pass took: seconds of CPU, megabytes at most, how many letters it found."""

    cpu: float
    memory: float
    letters: int


class Letters(Value):
    """The letters of one seat for the turn that is due: bytes as a mail program sends them."""

    game: str
    raws: tuple[bytes, ...]


class Template:
    """The club of which all others are copies."""

    def __init__(self, folder: Path, kinds: Sequence[str]) -> None:
        """Make it: games, two turns, orders for the third but of the last writers."""
        self.folder = folder
        self._now = datetime.now(UTC) - timedelta(days=2 * WEEKS + 4)
        given: dict[str, SettingValue] = {
            "deadlines.early_delay": -1,
            "deadlines.grace": 0,
        }
        config = make_club(folder, UNHURRIED | given)
        self.waiting: list[bytes] = []
        with open_club(config, lambda: self._now) as club, closing(Folders(config)) as mailboxes:
            names = {new_game(club, usual(kind).but(rhythm={"days": WEEKS})): kind for kind in kinds}
            tick(club)
            for turn in range(3):
                written = [
                    raw for game, kind in names.items() for raw in self._answers(club, mailboxes, game, kind, turn)
                ]
                if turn == 2:
                    due = [raw for raw in written if _game(raw) in list(names)[: round(len(names) * DUE)]]
                    self.waiting = random.Random(turn).sample(due, round(len(due) * LAST * LETTERS))  # noqa: S311
                for raw in written:
                    if raw not in self.waiting:
                        mailboxes.write(next(_NUMBERS), "", REFEREE, raw)
                self._now += timedelta(hours=1)
                tick(club)
                if turn < 2:
                    self._now = max(row.deadline for row in running_games(club.db) if row.deadline) + timedelta(
                        minutes=1
                    )
                    tick(club)
        self.due = tuple(list(names)[: round(len(names) * DUE)])
        for path in (folder / "mail").rglob("*"):
            if path.is_file():
                path.unlink()
        text = (folder / FILE).read_text("utf-8")
        (folder / FILE).write_text(with_settings(text, {"players.attach": ""}), "utf-8")

    def _answers(self, club: Club, mailboxes: Folders, game: str, kind: str, turn: int) -> Iterator[bytes]:
        seats = {player.address: player for player in usual(kind).players}
        for told in mailboxes.newsletters(game, turn):
            seat = seats[told.recipient]
            number = next(_NUMBERS)
            answer = Answer(
                sender=seat.address,
                sender_name=seat.name,
                recipient=told.reply_to or REFEREE,
                subject=told.subject,
                text=orders_of(CASTS[kind], told, seat.code, game, club.stationery),
                original=told.text,
                original_id=told.message_id,
                written=self._now,
                message_id=f"<{number}.{game}@example.org>",
            )
            yield PROGRAMS[number % len(PROGRAMS)](answer)


_NUMBERS = count(1)


def _game(raw: bytes) -> str:
    """Return the game that a letter's Message-ID names."""
    return raw.partition(b"Message-ID: <")[2].partition(b"@")[0].partition(b".")[2].decode()


def _set_due(club: Path, games: Sequence[str], due: datetime) -> None:
    with closing(sqlite3.connect(club / "referee.db", isolation_level=None)) as store:
        for game in games:
            told = due.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            store.execute("UPDATE games SET deadline = ?, changed = '' WHERE id = ?", (told, game))


def pass_over(club: Path, letters: Sequence[bytes]) -> Took:
    """Drop letters into a club and make a pass as a timer does: a process that begins, works and ends."""
    for raw in letters:
        (club / "mail" / "in" / "new" / f"{next(_NUMBERS)}.bench").write_bytes(raw)
    # By another process, which is small: what a process had before it became another one counts among its memory.
    command = [sys.executable, "-SEc", _MEASURE, sys.executable, "-m", "referee", "--club", str(club), "tick"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    told = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)  # noqa: S603 (ours)
    if told.returncode:
        raise SystemExit(f"a pass of {club} ended with {told.returncode}: {told.stderr}")
    cpu, kilobytes = told.stdout.splitlines()[-1].split()
    return Took(cpu=float(cpu), memory=int(kilobytes) / 1024, letters=len(letters))


_MEASURE = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def live(template: Template, folder: Path, clubs: int, at_once: int) -> list[list[Took]]:
    """Let so many clubs live the hour, some at once, each made when its hour begins, and return what their passes took, period
    by period; interrupted, those of the clubs that were measured. Only the first is kept."""
    made = [folder / f"club{number:04}" for number in range(clubs)]
    hours = list[list[Took]]()
    pool = ThreadPoolExecutor(at_once)
    with suppress(KeyboardInterrupt):
        for number, hour in enumerate(pool.map(lambda club: _hour(template, club), made)):
            print(f"club {number + 1} of {clubs}", file=sys.stderr)
            hours.append(hour)
            if number:
                shutil.rmtree(made[number])
    pool.shutdown(cancel_futures=True)
    return [list(passes) for passes in zip(*hours, strict=True)]


def _hour(template: Template, club: Path) -> list[Took]:
    """Make a copy whose next deadlines lie an hour from now, let it live this hour, and return what each pass took."""
    chance = random.Random(club.name)  # noqa: S311
    shutil.copytree(template.folder, club)
    _set_due(club, template.due, datetime.now(UTC) + timedelta(hours=1))
    took = []
    when = [chance.randrange(EIGHT) for _ in template.waiting]
    for period in range(PERIODS):
        if period == EIGHT:
            _set_due(club, template.due, datetime.now(UTC) - timedelta(seconds=1))
        now = [raw for raw, at in zip(template.waiting, when, strict=True) if at == period]
        if period > EIGHT and chance.random() < LATE * len(template.waiting) / LAST / (PERIODS - EIGHT - 1) / 24:
            now = [chance.choice(template.waiting).replace(b"Message-ID: <", b"Message-ID: <late.")]
        took.append(pass_over(club, now))
    with closing(sqlite3.connect(club / "referee.db")) as store:
        played = store.execute("SELECT count(*) FROM turns WHERE turn = 3").fetchone()[0]
    if played != len(template.due):
        raise SystemExit(f"{club}: {played} turns were played at eight, not {len(template.due)}")
    return took


class Reckoned(Value):
    """What an hour would be: seconds that a letter waits for its answer at most, at usual times and at all, until all newsletters
    of eight have left, and how much of the hour the cores are busy."""

    usual: float
    longest: float
    newsletters: float
    busy: float


def reckon(took: Sequence[Sequence[Took]], clubs: int, cores: int) -> Reckoned:
    """Return what the hour of so many clubs would be: passes begin as timers have it and wait for a free core; a club whose pass
    is still at work when its timer comes leaves it out. A letter may have come just after a pass had looked."""
    free = [0.0] * cores
    began, ended = dict[int, float](), dict[int, float]()
    waits: list[tuple[int, float]] = []
    busy = last = 0.0
    for period in range(PERIODS):
        for club in range(clubs):
            at = period * PERIOD + club * PERIOD / clubs
            if ended.get(club, 0.0) > at:
                continue
            cpu = took[period][club % len(took[period])].cpu
            begin = max(at, heapq.heappop(free))
            heapq.heappush(free, begin + cpu)
            waits.append((period, begin + cpu - began.get(club, at - PERIOD)))
            began[club], ended[club] = begin, begin + cpu
            busy += cpu
            if period == EIGHT:
                last = max(last, begin + cpu - EIGHT * PERIOD)
    before = [wait for period, wait in waits if period < EIGHT]
    return Reckoned(
        usual=max(before),
        longest=max(wait for _, wait in waits),
        newsletters=last,
        busy=busy / (PERIODS * PERIOD * cores),
    )


def figures(took: Sequence[Sequence[Took]], clubs: int, cores: int, made: Path) -> Iterator[tuple[str, str, str]]:
    """Yield what is known: what it is, the figure, and whether it was measured or reckoned."""
    measured = f"measured, {len(took[0])} clubs"
    flat = [each for period, passes in enumerate(took) if period != EIGHT for each in passes]
    empty = median(each.cpu for each in flat if not each.letters)
    lettered = [each for each in flat if each.letters]
    letter = (sum(each.cpu for each in lettered) - empty * len(lettered)) / max(
        1, sum(each.letters for each in lettered)
    )
    turns = len(GAMES) * DUE
    eight = [each.cpu for each in took[EIGHT]]
    yield "an empty pass (median)", f"{empty * 1000:.0f} ms of CPU", measured
    yield "a letter, answered", f"{letter * 1000:.0f} ms of CPU", measured
    yield f"the pass at eight, {turns:.0f} turns with their newsletters", f"{mean(eight):.1f} s of CPU", measured
    yield (
        "memory of a pass, at most",
        f"{max(each.memory for each in flat):.0f} MB; at eight {max(each.memory for each in took[EIGHT]):.0f} MB",
        measured,
    )
    size = (made / "referee.db").stat().st_size / 1e6
    yield "database of a club after three turns of ten games", f"{size:.1f} MB", measured
    alone = least(sys.executable, "-c", "pass")
    yield "Python alone, to compare machines by", f"{alone:.0f} ms of CPU", "measured"
    for machines in (1, 2):
        hour = reckon(took, clubs // machines, cores)
        where = f"{machines} machine{'s' * (machines > 1)} of {cores} cores"
        yield f"the hour, {where}: cores busy", f"{hour.busy:.0%}", "reckoned"
        yield f"the hour, {where}: longest wait for an answer before eight", _time(hour.usual), "reckoned"
        yield f"the hour, {where}: longest wait for an answer", _time(hour.longest), "reckoned"
        yield f"the hour, {where}: last newsletter after eight", _time(hour.newsletters), "reckoned"
    day = clubs * (24 * 3600 / PERIOD * empty + len(GAMES) * 5 * LETTERS / WEEKS * letter + mean(eight))
    yield "the day, that Sunday", f"{day / 3600:.1f} h of CPU, {day / 864 / cores:.0f} % of {cores} cores", "reckoned"
    yield (
        "memory, as many passes at once as cores",
        f"{cores * max(each.memory for each in took[EIGHT]):.0f} MB",
        "reckoned",
    )
    yield f"disk of {clubs:,} clubs", f"{clubs * size / 1000:.1f} GB", "reckoned"


def _time(seconds: float) -> str:
    return f"{seconds / 60:.0f} min {seconds % 60:02.0f} s"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clubs", type=int, default=1000, help="how many clubs are reckoned with")
    parser.add_argument("--measured", type=int, default=1000, help="how many of them are made and measured")
    parser.add_argument("--cores", type=int, default=2, help="of the machine that is reckoned")
    parser.add_argument("--at-once", type=int, default=1, help="how many clubs are measured side by side")
    parser.add_argument("--short", action="store_true", help="one club with two games, as `make test-long` runs it")
    asked = parser.parse_args()
    number = 1 if asked.short else asked.measured
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a program begun in the background does not have
    with tempfile.TemporaryDirectory(prefix="hosting") as made:
        template = Template(Path(made) / "template", GAMES[5:7] if asked.short else GAMES)
        took = live(template, Path(made), number, asked.at_once)
        rows = list(figures(took, asked.clubs, asked.cores, Path(made) / "club0000"))
    print(f"{asked.clubs:,} clubs with {len(GAMES)} games each; {LETTERS:.2f} letters a seat and turn\n")
    print("| what | figure | how |\n| --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
