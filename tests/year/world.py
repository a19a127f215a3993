"""The world of a year: what the post carries between the club and its people, passes by cron, outages, a move, a lost disk."""

import heapq
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import compat32
from email.utils import parseaddr
from itertools import count
from pathlib import Path

from tests.secrecy import codes_in_text
from tests.year.games import CODES, COLOURS, Agreed
from tests.year.machine import Machine, simulated
from tests.year.people import REFEREE, Person, Posted, Seat

UMPIRE = "umpire@club.example"
BEGIN, END = datetime(2026, 1, 5, 9, 0, tzinfo=UTC), datetime(2026, 12, 31, 23, 0, tzinfo=UTC)


@dataclass(slots=True)
class Clock:
    """The clock of the year."""

    now: datetime = BEGIN

    def __call__(self) -> datetime:
        return self.now


@dataclass(slots=True, kw_only=True)
class Trouble:
    """A time in which something is out of order: ``cron`` makes no passes, or through ``smtp`` nothing leaves."""

    what: str
    since: datetime
    until: datetime


@dataclass(slots=True)
class World:
    """Everything there is. ``posted``: each letter that came to the referee; ``got``: Message-IDs that an address was sent."""

    machine: Machine
    people: dict[str, Person]
    clock: Clock = field(default_factory=Clock)
    every: timedelta = timedelta(hours=1)
    games: dict[str, Agreed] = field(default_factory=dict)
    posted: list[Posted] = field(default_factory=list)
    got: dict[str, Counter[str]] = field(default_factory=dict)
    umpires: list[bytes] = field(default_factory=list)  # letters to the umpire that were not read yet
    passes: int = 0
    seconds: float = 0.0  # of the processor, in passes
    longest: float = 0.0
    later: list[tuple[datetime, Callable[[datetime], Posted | None]]] = field(
        default_factory=list
    )  # what people will say
    leaks: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    _on_the_way: list[tuple[datetime, int, Posted]] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def begin(self, agreed: Sequence[Agreed], seats: Callable[[], Person]) -> None:
        """Make the games, each player from *seats*, as docs/commands.md says: from a file."""
        for one in agreed:
            chosen: list[Person] = []
            while len(chosen) < one.players:
                person = seats()
                if person not in chosen:
                    chosen.append(person)
            file = self.machine.folder / "game.toml"
            file.write_text(format_game(one, chosen), "utf-8")
            game = self.machine.run("game", "new", "--from", str(file)).split("\n")[0]
            file.unlink()
            self.games[game] = one
            for code, person in zip(CODES[one.kind], chosen, strict=False):
                person.seats[game] = Seat(game=game, code=code, kind=one.kind)
                person.hurried |= one.rhythm.get("missing") == "play"

    def post(self, letter: Posted | None) -> None:
        """Give somebody's letter to the post."""
        if letter:
            heapq.heappush(self._on_the_way, (letter.at, next(self._numbers), letter))

    def live(self, until: datetime, troubles: Sequence[Trouble], daily: Callable[[], None]) -> None:
        """Let time pass: a pass every so often but in trouble, and *daily* once a day at nine o'clock."""
        while self.clock.now < until:
            self.clock.now += self.every
            trouble = next((one for one in troubles if one.since <= self.clock.now < one.until), None)
            if trouble and trouble.what == "cron":
                continue
            self.make_pass(out=trouble is None)
            if not trouble and self.clock.now.hour == 9:
                daily()

    def make_pass(self, *, out: bool = True) -> None:
        """Have what has arrived delivered, cron make its pass, and everybody read what came of it."""
        for one in [each for each in self.later if each[0] <= self.clock.now]:
            self.later.remove(one)
            self.post(one[1](self.clock.now))
        self._deliver()
        before = time.process_time()
        with ExitStack() as stack:
            if not out:
                stack.enter_context(self.machine.mail_server_away())
            self.machine.run("tick", codes=(0,) if out else (0, 75))
        taken = time.process_time() - before
        self.passes, self.seconds, self.longest = self.passes + 1, self.seconds + taken, max(self.longest, taken)
        self._read()

    def due(self, game: str) -> datetime | None:
        """Return the deadline of a game, as its newsletter says it."""
        found = self.rows("SELECT deadline FROM games WHERE id = ? AND status = 'running'", game)
        return datetime.fromisoformat(found[0][0]) if found and found[0][0] else None

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Look into the store from beside."""
        with closing(sqlite3.connect(f"file:{self.machine.folder}/referee.db?mode=ro", uri=True)) as beside:
            beside.row_factory = sqlite3.Row
            return beside.execute(sql, values).fetchall()

    def _deliver(self) -> None:
        while self._on_the_way and self._on_the_way[0][0] <= self.clock.now:
            _, number, letter = heapq.heappop(self._on_the_way)
            path = self.machine.folder / "mail" / "in" / "new" / f"{number:06}.year"
            path.write_bytes(letter.raw)
            os.utime(path, (letter.at.timestamp(), letter.at.timestamp()))
            self.posted.append(letter)

    def _read(self) -> None:
        out = self.machine.folder / "mail" / "out"
        for path in sorted((out / "new").iterdir()):
            raw = path.read_bytes()
            path.rename(out / "cur" / f"{path.name}:2,S")
            head = message_from_bytes(raw, policy=compat32)
            address, message_id = parseaddr(str(head["To"]))[1], str(head["Message-ID"])
            known = self.got.setdefault(address, Counter())
            known[message_id] += 1
            if known[message_id] > 1:
                self.doubled.append(message_id)
            self.leaks += [f"{message_id}: {code}" for code in codes_in_text(raw)]
            if address == UMPIRE:
                self.umpires.append(raw)
            elif address in self.people:
                if message_id.startswith("<briefing."):
                    self._hand_over(self.people[address], message_id)
                for letter in self.people[address].reads(raw, self.clock.now, self.due):
                    self.post(letter)

    def _hand_over(self, newcomer: Person, message_id: str) -> None:
        """Keep whose a seat is now: the briefing is named for the game, the act, and the seat's code."""
        game, code = (part.upper() for part in message_id.split(".")[1:4:2])
        for person in self.people.values():
            if game in person.seats and person.seats[game].code == code:
                del person.seats[game]
                break
        newcomer.seats[game] = Seat(game=game, code=code, kind=self.games[game].kind)


@contextmanager
def world(folder: Path, seed: str, people: Sequence[Person], every: timedelta) -> Iterator[World]:
    """Make a club in *folder* on a machine of the first days of January, for *people*."""
    clock = Clock()
    with simulated(clock, seed):
        machine = Machine(folder)
        told = ("--name", "The Year", "--address", REFEREE, "--umpire", UMPIRE, "--zone", "Europe/Dublin")
        machine.run("init", str(folder), *told)
        settings = folder / "referee.toml"  # the players read positions
        settings.write_text(settings.read_text("utf-8").replace('attach = ""', 'attach = "svg json"'), "utf-8")
        yield World(machine, {person.address: person for person in people}, clock, every)


def format_game(agreed: Agreed, people: Sequence[Person]) -> str:
    """Return the file from which the umpire makes a game (docs/commands.md)."""
    lines = [
        f'game = "{agreed.kind}"',
        f'map = "{agreed.board}"',
        f'preset = "{agreed.preset}"',
        f'pace = "{agreed.pace}"',
    ]
    for name, table in (("options", agreed.options), ("rhythm", agreed.rhythm)):
        lines += [f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    codes, colours = CODES[agreed.kind], COLOURS[agreed.kind]
    for place, person in enumerate(people):
        lines += ["[[player]]", f'code = "{codes[place]}"', f'colour = "{colours[place]}"']
        if agreed.pairs:
            lines += [f'second_code = "{codes[place + 2]}"', f'second_colour = "{colours[place + 2]}"']
        lines += [f'name = "{person.name}"', f'address = "{person.address}"']
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value) if isinstance(value, int) else f'"{value}"'
