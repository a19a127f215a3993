"""What the referee will do if nobody writes: a copy of the club in memory lives through the days ahead, and is looked at.

The same functions act in it as in a pass, with the dice that the turns will have: of these nothing is told but that a game ends.
"""

from __future__ import annotations

import json
import re
import sqlite3
import tomllib
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from msgspec.structs import asdict

from referee.core import ConfigError, Value, Words
from referee.core.picture import Drawing
from referee.locale import SOURCE_LANGUAGE
from referee.report.ics import DueDate, calendar
from referee.store import AHEAD, GameRow, OpenDatabase, end_pause, games, select, transaction, write_fact

from ..club import Club
from ..deadlines.missing import roll_call
from ..deadlines.rescheduling import day_and_time
from ..duetimes import last_moment, rhythm_of
from ..pictures import Pictures
from ..post.lockout import forget_refusals
from ..tally import keep, old_copies
from .clockwork import go_on

DAYS = 30
MOST = 366
_SPAN = re.compile(r"(\d{1,3}) ?([dw]?)", re.IGNORECASE)
_INSTANT = timedelta(seconds=1)  # what is due is done after its moment

# Of what happened in the copy, the setting that decides it.
_SETTINGS: Words = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

# What a pass leaves in the tables: turns, acts of the referee's, letters that tell of nothing else in this list, what it gave up.
_LEFT = """
SELECT ?1 AS at, what, game, found.turn, coalesce(who, '') AS who, coalesce(deadline, statements_due) AS until FROM (
    SELECT iif(turn, 'played', 'begins') AS what, game, turn, '' AS who FROM turns WHERE adjudicated_at = ?1
    UNION ALL SELECT 'over', id, games.turn, '' FROM games JOIN turns ON game = id
        WHERE adjudicated_at = ?1 AND status != 'running'
    UNION ALL SELECT kind, game, turn, (SELECT group_concat(value, ' ') FROM json_tree(parameters)
        WHERE "key" = 'player' OR path IN ('$.missing', '$.away')) FROM acts WHERE at = ?1 AND actor = 'referee'
    UNION ALL SELECT * FROM (SELECT kind, game, turn, group_concat(player, ' ') FROM (SELECT * FROM outbox ORDER BY id)
        WHERE created = ?1 AND game IS NOT NULL AND kind IN ('reminder', 'outlook', 'turn-held', 'turn-failed', 'not-begun')
        GROUP BY game, kind ORDER BY min(id))
    UNION ALL SELECT 'letters', '', 0, text FROM log WHERE at = ?1 AND what = 'given-up'
) AS found LEFT JOIN games ON id = game
"""


class Foretold(Value):
    """What the referee does ``at`` a time: ``what`` is a word of ``[ahead]`` in ``words.toml``, ``who`` the players whom it
    meets, ``until`` the deadline that there is then, ``setting`` what decides it, as ``deadlines.grace = 10``; ``own``: it is the
    game's own.
    """

    unstored = frozenset({"setting", "own"})

    at: datetime
    what: str
    game: str = ""
    turn: int = 0
    who: str = ""
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
    now = club.now.replace(microsecond=0) + _INSTANT
    times = [now]
    # Settings under which the copy touches no file, and everything that is told is a letter.
    config = club.config.but(digest="", crash_at="", retention=club.config.retention.but(backups=0))
    with closing(sqlite3.connect("")) as connection:
        club.conn.backup(connection)
        tools = club.tools.having(pictures=_Blank(), stationery=club.stationery)
        copy = club.but(config=config, db=OpenDatabase(connection), clock=lambda: times[0], tools=tools)
        forget_refusals(copy, "smtp")  # what cannot leave now is foretold as if it could
        end_pause(copy.db)
        found = list(_live(copy, times, now + length))
    for file in old_copies(club.config, now + length):
        kept = datetime.fromtimestamp(file.stat().st_mtime, UTC) + timedelta(days=club.config.retention.backups)
        found.append(_with_setting(club, Foretold(at=max(kept, now), what="copies", who=file.name)))
    return tuple(sorted(found, key=lambda each: each.at))


def tell(club: Club, each: Foretold, language: str = SOURCE_LANGUAGE) -> str:
    """Return what is foretold as a sentence with the setting behind it: ``plays turn 3 [deadlines.grace = 10]``."""
    say = partial(club.stationery.sentences("", language).word, "ahead")
    until = each.until and day_and_time(each.until, club.config.zone)
    values = asdict(each) | {"until": until}
    next_due = f"; {say('next', **values)}" if until and each.what in ("early", "played", "without", "begins") else ""
    own = f", {say('own', **values)}" if each.own else ""
    return say(each.what, **values) + next_due + (f" [{each.setting}{own}]" if each.setting else "")


CALENDAR = "ahead.ics"


def write_calendar(club: Club, day: str) -> None:
    """Write what is foretold into the club's folder, for the umpire's own calendar; *day*: today's, which is kept."""
    language, now = club.config.language, club.now
    moments: list[DueDate] = []
    for each in foretell(club, timedelta(days=club.config.ahead)):
        sentence, _, setting = tell(club, each, language).partition(" [")
        uid = f"{each.at:%Y%m%dT%H%M%S}-{each.game}-{each.turn}-{each.what}-{each.who}@{club.config.club}"
        summary, about = f"{each.game} {sentence}".strip(), setting.removesuffix("]")
        moments.append(
            DueDate(uid=uid, sequence=0, at=each.at, changed=now, summary=summary, description=about, alarm=False)
        )
    name = club.word("ahead", "calendar", club=club.config.club)
    keep(club.config.folder, CALENDAR, calendar(moments, name).decode())
    with transaction(club):
        write_fact(club, AHEAD, day)


class _Blank(Pictures):
    """Draws nothing: nobody sees the letters of the copy."""

    def png(self, drawing: Drawing) -> bytes:
        return b""


def _live(club: Club, times: list[datetime], until: datetime) -> Iterator[Foretold]:
    """Yield what happens in a club, whose clock is the first of *times*, pass by pass."""
    while (now := times[0]) <= until:
        over = ((row, last_moment(club.config, row)) for row in games.running_games(club))
        late = {row.id: _missing(club, row) for row, last in over if last and last < now}
        go_on(club, now)
        left = select(club, Foretold, _LEFT, now)
        for each in left:
            if each.what == "played":
                who = late.get(each.game)
                each = each.but(what="early" if who is None else "without" if who else "played", who=who or "")
            yield _with_setting(club, each)
        times[0] = now + timedelta(seconds=club.config.poll) if left else _next(club, now)
        for row in games.due_between(club, now, min(times[0], until)):
            if row.deadline:
                what = "deadline" if (who := _missing(club, row)) else "deadline-all-in"
                yield _with_setting(club, Foretold(at=row.deadline, what=what, game=row.id, turn=row.turn, who=who))


def _next(club: Club, now: datetime) -> datetime:
    """Return when something is due by the clock next, or a day begins, on which what is old is given up."""
    day = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0)
    due = (last_moment(club.config, row) for row in games.running_games(club))
    times = (each + _INSTANT for each in (*due, *games.moments(club), day) if each)
    return min(each for each in times if each > now)


def _missing(club: Club, row: GameRow) -> str:
    return " ".join(roll_call(club, club.position(row)).missing)


def _with_setting(club: Club, each: Foretold) -> Foretold:
    """Return what is foretold with the setting that decides it."""
    path, row = _SETTINGS.get(each.what, ""), games.known(club, each.game)
    if not path:
        return each
    name = path.partition(".")[2]
    value = getattr(rhythm_of(club.config, row) if row else club.config.retention, name)
    return each.but(setting=f"{path} = {value}", own=row is not None and name in json.loads(row.rhythm))
