"""What the referee will do if nobody writes: a copy of the club in memory lives through the days ahead, and is looked at.

The same functions act in it as in a pass, with the dice that the turns will have: of these nothing is told but that a game ends.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from msgspec.structs import replace

from referee.core.errors import ConfigError
from referee.core.picture.drawing import Drawing
from referee.core.values import Value
from referee.locale import SOURCE_LANGUAGE
from referee.report.ics import Moment, calendar
from referee.service.club.club import Club
from referee.service.club.duetimes import last_moment, rhythm_of
from referee.service.club.pictures import Pictures
from referee.service.club.tally import keep
from referee.service.club.umpires import REFEREE
from referee.service.deadlines.missing import roll_call
from referee.service.deadlines.rescheduling import day_and_time
from referee.service.post.lockout import forget_refusals
from referee.service.post.retention import old_copies
from referee.service.umpire.clockwork import go_on
from referee.store import games
from referee.store.club import AHEAD, write_fact
from referee.store.database.connection import Database
from referee.store.database.database import select, transaction
from referee.store.database.rows import ActRow, GameRow, LogRow, OutboxRow
from referee.store.outbox import end_pause

DAYS = 30
MOST = 366
_SPAN = re.compile(r"(\d{1,3}) ?([dw]?)", re.IGNORECASE)
_INSTANT = timedelta(seconds=1)  # what is due is done after its moment

# Of what happened in the copy, the setting that decides it.
_SETTINGS = {
    "reminder": "deadlines.reminders",
    "outlook": "deadlines.outlook",
    "extend": "deadlines.extension",
    "hold-over": "deadlines.missing",
    "stand-by": "deadlines.missing",
    "replace": "deadlines.missing",
    "wait": "deadlines.stop_from",
    "absence": "deadlines.absence",
    "statements": "deadlines.statements",
    "early": "deadlines.early_delay",
    "deadline": "deadlines.days",
    "played": "deadlines.grace",
    "without": "deadlines.missing",
    "over": "deadlines.statements",
    "letters": "retention.letters",
    "copies": "retention.backups",
}
_NEXT = ("early", "played", "without", "begins")
_WITH_NOBODY = ("deadline",)
_LETTERS = ("reminder", "outlook", "turn-held", "turn-failed", "not-begun")


class Foretold(Value):
    """What the referee does ``at`` a time: ``what`` is a word of ``[ahead]`` in ``words.toml``, ``who`` the players whom it
    meets, ``until`` the deadline that there is then, ``setting`` what decides it, as ``deadlines.grace = 10``; ``own``: it is the
    game's own.
    """

    at: datetime
    what: str
    game: str = ""
    turn: int = 0
    who: tuple[str, ...] = ()
    until: datetime | None = None
    setting: str = ""
    own: bool = False


def span(text: str) -> timedelta:
    """Return the time that ``30d``, ``2w`` or ``10`` (days) means. Raises ConfigError."""
    match = _SPAN.fullmatch(text.strip())
    days = int(match[1]) * (7 if match[2].lower() == "w" else 1) if match else 0
    if not 0 < days <= MOST:
        raise ConfigError(f"{text!r} is no time to look ahead: write days or weeks, as 30d or 2w, at most {MOST} days")
    return timedelta(days=days)


def foretell(club: Club, length: timedelta) -> tuple[Foretold, ...]:
    """Return what the referee will do from now on for so long if nobody writes, in the order of time."""
    now = club.clock()
    times = [now]
    # Settings under which the copy touches no file, and everything that is told is a letter.
    config = replace(club.config, digest="", crash_at="", retention=replace(club.config.retention, backups=0))
    with closing(sqlite3.connect("")) as connection:
        club.db.conn.backup(connection)
        tools = club.tools.having(pictures=_Blank(), stationery=club.stationery)
        copy = replace(club, config=config, db=Database(connection), clock=lambda: times[0], tools=tools)
        forget_refusals(copy, "smtp")  # what cannot leave now is foretold as if it could
        end_pause(copy.db)
        found = list(_live(copy, times, now + length))
    for file in old_copies(club.config, now + length):
        kept = datetime.fromtimestamp(file.stat().st_mtime, UTC) + timedelta(days=club.config.retention.backups)
        found.append(_foretold(club, "copies", max(kept, now), who=(file.name,)))
    return tuple(sorted(found, key=lambda each: each.at))


def told(club: Club, each: Foretold, language: str = SOURCE_LANGUAGE) -> str:
    """Return what is foretold as a sentence with the setting behind it: ``plays turn 3 [deadlines.grace = 10]``."""
    say = partial(club.stationery.word, "", language, "ahead")
    until = each.until and day_and_time(each.until, club.config.zone)
    values = {"turn": each.turn, "who": " ".join(each.who), "until": until, "game": each.game}
    what = each.what if each.who or each.what not in _WITH_NOBODY else f"{each.what}-all-in"
    next_due = f"; {say('next', values)}" if until and each.what in _NEXT else ""
    own = f", {say('own', values)}" if each.own else ""
    return say(what, values) + next_due + (f" [{each.setting}{own}]" if each.setting else "")


CALENDAR = "ahead.ics"


def write_calendar(club: Club, day: str) -> None:
    """Write what is foretold into the club's folder, for the umpire's own calendar; *day*: today's, which is kept."""
    language, now = club.config.language, club.clock()
    moments: list[tuple[Foretold, Moment]] = []
    for each in foretell(club, timedelta(days=club.config.ahead)):
        sentence, _, setting = told(club, each, language).partition(" [")
        number = sum(each.game == other.game and each.turn == other.turn for other, _ in moments)
        uid = f"{each.game or 'club'}-{each.turn}-{number}-ahead@{club.config.address.rpartition('@')[2]}".lower()
        summary, about = f"{each.game} {sentence}".strip(), setting.removesuffix("]")
        at = Moment(uid=uid, sequence=0, at=each.at, changed=now, summary=summary, description=about, alarm=False)
        moments.append((each, at))
    name = club.stationery.word("", language, "ahead", "calendar", {"club": club.config.club})
    keep(club.config.folder, CALENDAR, calendar((at for _, at in moments), name).decode())
    with transaction(club.db):
        write_fact(club.db, AHEAD, day)


class _Blank(Pictures):
    """Draws nothing: nobody sees the letters of the copy."""

    def pngs(self, drawings: Sequence[Drawing]) -> list[bytes]:
        return [b"" for _ in drawings]


def _live(club: Club, times: list[datetime], until: datetime) -> Iterator[Foretold]:
    """Yield what happens in a club, whose clock is the first of *times*, pass by pass to the last one that brings anything."""
    while times[0] <= until:
        before = {row.id: row for row in games.all_games(club.db)}
        late = {row.id: _missing(club, row) for row in games.running_games(club.db) if _is_over(club, row)}
        go_on(club, times[0])
        found = [*_turns(club, before, late), *_acts(club), *_letters(club), *_old(club)]
        yield from found
        then = times[0] + timedelta(seconds=club.config.poll) if found else _next(club, times[0])
        if then is None:
            return
        yield from _deadlines(club, times[0], min(then, until))
        times[0] = then


def _next(club: Club, now: datetime) -> datetime | None:
    """Return when something is due by the clock next, None if nothing ever is."""
    due = (last_moment(club.config, row) for row in games.running_games(club.db))
    times = [each + _INSTANT for each in (*due, *games.moments(club.db)) if each is not None]
    kept = club.config.retention
    if kept.letters or kept.outbox:
        times.append((now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0))
    return min((each for each in times if each > now), default=None)


def _missing(club: Club, row: GameRow) -> tuple[str, ...]:
    return roll_call(club, club.positions.of(club.db, row)).missing


def _is_over(club: Club, row: GameRow) -> bool:
    last = last_moment(club.config, row)
    return last is not None and last < club.clock()


def _deadlines(club: Club, after: datetime, until: datetime) -> Iterator[Foretold]:
    for row in games.due_between(club.db, after, until):
        yield _foretold(club, "deadline", row.deadline, row, who=_missing(club, row))


def _turns(club: Club, before: Mapping[str, GameRow], late: Mapping[str, tuple[str, ...]]) -> Iterator[Foretold]:
    """Yield games that begin, turns that are played, and games that are over with them."""
    for row in games.all_games(club.db):
        was = before.get(row.id)
        if was is None:
            yield _foretold(club, "begins", club.clock(), row, until=row.deadline)
        elif was is not None and (was.turn, was.status) != (row.turn, row.status):
            what = "early" if row.id not in late else "without" if late[row.id] else "played"
            yield _foretold(club, what, club.clock(), row, turn=was.turn, who=late.get(row.id, ()), until=row.deadline)
            if row.status != "running":
                yield _foretold(club, "over", club.clock(), row, until=row.statements_due)


def _acts(club: Club) -> Iterator[Foretold]:
    """Yield what the referee did by its settings: more time, a seat for a stand-by, statements."""
    for act in select(
        club.db, ActRow, "SELECT * FROM acts WHERE at = ? AND actor = ?", club.clock().replace(microsecond=0), REFEREE
    ):
        row, told = games.game(club.db, act.game), json.loads(act.parameters)
        who = (told["player"],) if "player" in told else (*told.get("missing", ()), *told.get("away", ()))
        yield _foretold(club, act.kind, club.clock(), row, turn=act.turn, who=who, until=row.deadline)


def _letters(club: Club) -> Iterator[Foretold]:
    """Yield the letters that go out by the clock and tell of nothing else in this list."""
    sql = "SELECT * FROM outbox WHERE created = ? AND kind = ? AND game IS NOT NULL ORDER BY game, id"
    for kind in _LETTERS:
        rows = select(club.db, OutboxRow, sql, club.clock(), kind)
        for game in dict.fromkeys(each.game for each in rows if each.game):
            told = tuple(each.player for each in rows if each.game == game and each.player)
            yield _foretold(club, kind, club.clock(), games.game(club.db, game), who=told)


def _old(club: Club) -> Iterator[Foretold]:
    for each in select(club.db, LogRow, "SELECT * FROM log WHERE at = ? AND what = 'given-up'", club.clock()):
        yield _foretold(club, "letters", club.clock(), who=(each.text,))


def _foretold(club: Club, what: str, at: datetime | None, row: GameRow | None = None, **more: Any) -> Foretold:
    path = _SETTINGS.get(what, "")
    name = path.partition(".")[2]
    own = row is not None and name in json.loads(row.rhythm)
    source = rhythm_of(club.config, row) if row is not None else club.config.retention
    values = {"game": row.id, "turn": row.turn} if row is not None else {}
    setting = f"{path} = {getattr(source, name)}" if path else ""
    return Foretold(**{"at": at or club.clock(), "what": what, "setting": setting, "own": own, **values, **more})
