"""A whole year, from January to December, and its figures."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count, cycle
from pathlib import Path
from typing import Any

from tests.year import umpire as acts
from tests.year.games import Agreed
from tests.year.people import Person, Posted
from tests.year.umpire import Umpire, day
from tests.year.world import BEGIN, END, Trouble, World, world

TROUBLES = (
    Trouble(what="cron", since=day(4, 20), until=day(4, 24)),
    Trouble(what="smtp", since=day(9, 14), until=day(9, 16)),
)
MOVED, LOST = day(6, 17), day(10, 13)


@dataclass(frozen=True, slots=True, kw_only=True)
class Year:
    """What is asked of a year: games, addresses, and how often cron makes a pass."""

    games: Sequence[Agreed]
    people: int
    every: timedelta
    gone: int = 6  # drop-outs, of whom the last one's mailbox is gone as well
    resigned: int = 2
    away: int = 8
    standbys: int = 4
    until: datetime = END


@contextmanager
def live(
    folder: Path, year: Year, seed: str, told: Callable[[str], None] = lambda _: None
) -> Iterator[tuple[World, Umpire]]:
    """Let a year pass in *folder*; yield the world at its end with its umpire, while its clock still holds. *told* is told how
    far it is.
    """
    chance = random.Random(seed)  # noqa: S311 (of a test)
    people = [_person(number, seed) for number in range(year.people)]
    (folder / "old").mkdir()
    with world(folder / "old" / "club", seed, people, year.every) as made:
        seats = cycle(people)
        made.begin(year.games, lambda: next(seats))
        umpire = Umpire(made, [_person(1000 + number, seed) for number in range(20)])
        umpire.to_do = [
            (day(2, 2), acts.look),
            (day(2, 20), acts.replace_by_wish),
            (day(3, 2), acts.undo_and_play),
            (day(3, 16), acts.rule),
            (day(3, 27), acts.undo_by_mail),
            (day(4, 27), acts.undo_later),
            (day(5, 4), acts.rule_against_an_earlier_ruling),
            (day(5, 11), acts.hold),
            (day(5, 20), acts.accept_late),
        ]
        _fates(made, year, chance)
        made.make_pass()
        for stop, event in ((MOVED, _move), (LOST, _lose), (year.until, None)):
            for month in range(made.clock.now.month, stop.month + 1):
                made.live(min(stop, day(month, 28)), TROUBLES, umpire.morning)
                sent = sum(map(len, made.got.values()))
                told(f"{made.clock.now:%d %B}: {made.passes} passes, {len(made.posted)} letters came, {sent} went")
            made.live(stop, TROUBLES, umpire.morning)
            if event:
                event(made)
        yield made, umpire


def figures(made: World) -> dict[str, Any]:
    """Return what a year was."""
    status = Counter(row[0] for row in made.rows("SELECT status FROM games"))
    fates = Counter(f"{row[0]} {row[1]}".strip() for row in made.rows("SELECT status, reason FROM letters"))
    log = Counter(row[0] for row in made.rows("SELECT kind FROM acts"))
    return {
        "games": dict(status),
        "addresses": len(made.people),
        "turns": made.rows("SELECT count(*) FROM turns WHERE turn > 0")[0][0],
        "letters to the referee": len(made.posted),
        "meant": dict(Counter(letter.meant for letter in made.posted)),
        "became": dict(fates),
        "letters of ours": sum(sum(known.values()) for known in made.got.values()),
        "acts": dict(log),
        "passes": made.passes,
        "seconds of the processor, all passes": round(made.seconds, 1),
        "longest pass": round(made.longest, 2),
        "database in MB": round((made.machine.folder / "referee.db").stat().st_size / 1e6, 1),
    }


def _fates(made: World, year: Year, chance: random.Random) -> None:
    """Say who drops out, who resigns, who goes on holiday, and who would stand by."""
    players = [person for person in made.people.values() if person.seats]
    chosen = chance.sample(players, min(len(players), year.gone + year.resigned + year.away + year.standbys))
    numbers = count(1)
    for person in chosen[: year.gone]:
        person.gone_from = day(2, 1) + timedelta(days=25 * next(numbers))
        person.bounces = person is chosen[year.gone - 1]
    rest = chosen[year.gone :]
    for person in rest[: year.resigned]:
        made.later.append((day(3, 1) + timedelta(days=20 * next(numbers)), _resigning(person)))
    rest = rest[year.resigned :]
    for person in rest[: year.away]:
        begin = day(1, 20) + timedelta(days=12 * next(numbers) % 200)
        made.later.append((begin - timedelta(days=3), _leaving(person, begin)))
    for person in rest[year.away :]:
        made.later.append((BEGIN + timedelta(days=3), _standing_by(person)))


Says = Callable[[datetime], Posted | None]


def _resigning(person: Person) -> Says:
    def says(now: datetime) -> Posted | None:
        for seat in person.seats.values():
            person.gone_from = now + timedelta(minutes=1)
            return person.says(seat, now, "RESIGN FOR GOOD", "resigns")
        return None

    return says


def _leaving(person: Person, begin: datetime) -> Says:
    def says(now: datetime) -> Posted | None:
        end = begin + timedelta(days=12)
        person.away = (begin, end)
        for seat in person.seats.values():
            return person.says(seat, now, f"ABSENT {begin:%Y-%m-%d} to {end:%Y-%m-%d}", "asks")
        return None

    return says


def _standing_by(person: Person) -> Says:
    def says(now: datetime) -> Posted | None:
        for seat in person.seats.values():
            return person.says(seat, now, "STANDBY", "asks")
        return None

    return says


def _move(made: World) -> None:
    to = made.machine.folder.parent.parent / "new"
    to.mkdir()
    made.machine.move(to / "club")


def _lose(made: World) -> None:
    """A backup is made; a day later the database is gone, and the backup takes its place."""
    made.machine.back_up()
    made.live(made.clock.now + timedelta(days=1), (), lambda: None)
    made.machine.lose_database()


def _person(number: int, seed: str) -> Person:
    return Person(name=f"Player {number}", address=f"p{number}@player{number}.example", year=seed)
