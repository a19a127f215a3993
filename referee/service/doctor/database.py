"""The club's database: is it whole, does it fit this program, what lies in it that needs the umpire?"""

from __future__ import annotations

import os
import zoneinfo
from datetime import UTC, datetime, timedelta

from referee.config import Config, zone_fault
from referee.core import RefereeError, StoreBusy, StoreDamaged, count_of, how_to_install
from referee.report.renderer import has_pdf
from referee.store import (
    Database,
    damage,
    damaged_letters,
    games,
    last_poll,
    last_tick,
    letters,
    open_for_reading,
    outbox,
    parse_time,
    pending_steps,
    steps_unknown,
    strange_parts,
)

from ..club import machine_uptime
from ..deadlines.downtime import leap
from ..letters.doubts import WITH_ORDERS
from ..post.lockout import TRIES, lockout
from ..post.readers import wished_files
from ..tally import lacks_something
from ..turns.adjudicate import is_behind
from .finding import Finding, Findings, about, fault, ok, warning

SILENCE = timedelta(hours=1)  # without a pass, while a game runs; or without a letter that could leave
START = "start `referee run`, or let cron run `referee tick`"
_LISTED = 6  # letters
WEEK, MONTH = timedelta(days=7), timedelta(days=30)
_ASTRAY = {  # of what the umpire was told
    "stays": (
        "letters stay in imap.folder ({}): the server lets nobody delete them",
        "allow it, or empty it now and then",
    ),
    "elsewhere": (
        "a letter came on {} with a code of another club: does it read this inbox, too?",
        "give each club an address or a folder of its own",
    ),
}
OVERDUE = timedelta(hours=6)  # for a letter of ours that waits


def database_findings(config: Config, now: datetime) -> Findings:
    """Return what is to be said of the database and the work that lies in it."""
    return about("database", _database(config, now))


def _database(config: Config, now: datetime) -> Findings:
    path = config.database
    if path.is_file() and not os.access(path, os.R_OK | os.W_OK):
        remedy = "run every command as the account that the club belongs to, or mend owner and mode"
        yield fault(f"{path} may not be read and written", remedy)
        return
    try:
        with open_for_reading(path) as db:
            broken = damage(db.conn)
            for text in broken:
                yield fault(f"{path} is damaged: {text}", "stop the referee and restore a backup (docs/setup.md)")
            if broken:
                return
            yield ok(f"{path} is whole, {path.stat().st_size / 1_000_000:.1f} MB")
            unknown, to_come = steps_unknown(db), pending_steps(db)
            if unknown:
                yield fault(f"{path} was made by a newer referee ({unknown[-1]})", "install that version again")
            elif to_come:
                remedy = f"back it up; the next command brings it up to date ({len(to_come)} steps)"
                yield warning(f"{path} was made by an older referee", remedy)
            else:
                yield ok("its tables are those of this program")
                yield from _contents(config, db, now)
    except StoreBusy as error:
        remedy = "nothing says that it is damaged: mend what is said of the folder, or look which process holds it"
        yield fault(str(error), remedy)
    except RefereeError as error:
        found = error.what if isinstance(error, StoreDamaged) else str(error)
        remedy = (
            f"restore a backup (docs/setup.md), or where there never was one make it: `referee init {config.folder}`"
        )
        yield fault(found, remedy)


def _contents(config: Config, db: Database, now: datetime) -> Findings:
    if strange := strange_parts(db):
        told = f"{config.database} does what no referee's does by itself ({', '.join(strange)})"
        remedy = "restore a backup that you made yourself; from somebody else take games alone (`referee import`)"
        yield fault(told, remedy)
    if lacks_something(config.folder, db):
        found = "it is older than what the referee has done: a copy was put back, or the disk lost something"
        yield warning(found, "the next pass takes what came since again, in its order (docs/setup.md)")
    for each in damaged_letters(db):
        letters = f"{', '.join(map(str, each.letters[:_LISTED]))}{' ...' * (len(each.letters) > _LISTED)}"
        if each.waiting:
            remedy = "stop the referee and restore a backup (docs/setup.md); until then only these letters wait"
            yield fault(f"{each.what}; letters that need it: {letters}", remedy)
        else:
            remedy = "nothing waits for it; with a backup (docs/setup.md) it can be sent again"
            yield warning(f"{each.what}; letters that had it: {letters}", remedy)
    yield from about("work", _work(config, db, now))
    for row in db.query("SELECT kind, max(created) AS at FROM outbox GROUP BY kind"):
        if row["kind"] in _ASTRAY and now - parse_time(row["at"]) < MONTH:  # amiss with the inbox within a month
            sentence, remedy = _ASTRAY[row["kind"]]
            yield Finding("warning", "inbox", sentence.format(row["at"][:10]), remedy)


def _work(config: Config, db: Database, now: datetime) -> Findings:
    running = len(tuple(games.running_games(db)))
    yield from _passes(db, running, now)
    yield from _outbox(db, now)
    parked = letters.listed(db, "parked")
    if parked:
        found = count_of(len(parked), "letter is parked", "letters are parked")
        yield warning(found, "look at them: `referee letters --status parked`")
    else:
        yield ok("no letter is parked")
    marked = sum(
        each.reason.endswith(WITH_ORDERS) and now - each.arrived < WEEK for each in letters.listed(db, "ignored")
    )
    if marked:
        found = (
            count_of(marked, "letter with orders was", "letters with orders were") + " taken for a machine's in a week"
        )
        yield warning(found, "look at them: `referee letters`; if a rule redirects the club's mail: mail.redirected")
    wished = any("pdf" in each.split() for each in (config.attach, *wished_files(db)))
    if wished and not has_pdf():
        remedy = f"{how_to_install('pdf')}; until then newsletters come without"
        yield warning("newsletters as PDF are wished, and what makes them is not installed", remedy)
    for row in games.running_games(db):
        if is_behind(db, row.kind, games.last_turn(db, row.id)):
            found = f"turns of {row.id} were played by another version of its rules, and it waits"
            yield fault(found, f"`referee game rules {row.id}` plays them again and lets it go on")
    for section, server in (("imap", config.imap), ("smtp", config.smtp)):
        refused = lockout(db, section)
        if server.host and refused and refused.count >= TRIES:
            yield fault(f"{refused.why} ({refused.count} times)", f"mend the login in [{section}]")


def _passes(db: Database, running: int, now: datetime) -> Findings:
    ticked, polled = last_tick(db), last_poll(db)
    found = count_of(running, "game runs", "games run")
    if not running:
        yield ok(found)
    elif not ticked:
        yield warning(f"{found}, and no pass was ever made", START)
    elif now - ticked > SILENCE:
        at = f"{ticked:%Y-%m-%d %H:%M} UTC"
        yield fault(f"{found}, and the last pass ended {at}", f"{START}; one that cannot read the inbox is none")
    elif not polled or now - polled > SILENCE:
        at = f"{polled:%Y-%m-%d %H:%M} UTC" if polled else "never"
        yield fault(f"{found}, and the inbox was last read {at}", "see what is said of the inbox below")
    else:
        yield ok(f"{found}, the last pass ended {ticked:%Y-%m-%d %H:%M:%S} UTC")


def _outbox(db: Database, now: datetime) -> Findings:
    unsent = outbox.unsent(db)
    waiting = [row for row in unsent if row.state == "waiting"]
    failed = len(unsent) - len(waiting)
    if failed:
        found = count_of(failed, "letter of ours has failed", "letters of ours have failed")
        yield warning(found, "see `referee outbox`, then `referee outbox retry NUMBER`")
    late = [row for row in waiting if now - row.created > OVERDUE]
    found = count_of(len(waiting), "letter waits", "letters wait") + " in the outbox"
    if late:
        yield warning(f"{found}, the oldest since {late[0].created:%Y-%m-%d %H:%M} UTC", "see `referee outbox`")
    else:
        yield ok(found)
    pause = outbox.pause(db)
    if pause:
        say = fault if now - pause.since > SILENCE else warning
        found = f"no letter could leave since {pause.since:%Y-%m-%d %H:%M} UTC: {pause.why}"
        yield say(found, "mend what the server says, then `referee outbox retry` tries at once")


# Time: our clock beside what the store remembers, and the time zones that deadlines are told in.

DRIFT = timedelta(minutes=5)
BUILT = datetime(2026, 11, 1, tzinfo=UTC)  # no clock that is right shows less

_LATEST = 50  # letters whose times are compared
_SET_CLOCK = "set the clock and let NTP keep it (`timedatectl set-ntp true`): deadlines are decided by it"


def clock_findings(config: Config, now: datetime) -> Findings:
    """Return what is to be said of clock and time zones."""
    if now < BUILT:
        yield fault(f"this machine says it is {now:%Y-%m-%d %H:%M} UTC", _SET_CLOCK)
    known = len(zoneinfo.available_timezones())
    if known < 100:
        yield fault(f"only {known} time zones are installed", "apt-get install tzdata, or `pip install tzdata`")
    else:
        yield ok(f"{known} time zones are installed; the club's is {config.zone}")
    try:
        with open_for_reading(config.database) as db:
            if not pending_steps(db):
                yield from _compare_clocks(config, db, now)
                rows = db.query("SELECT DISTINCT zone FROM players ORDER BY zone")
                for wrong in filter(None, (zone_fault(row["zone"]) for row in rows)):
                    yield fault(f"a player's time zone: {wrong}", "install time zones (tzdata)")
    except RefereeError:
        return  # what is wrong with the database is said elsewhere


def _compare_clocks(config: Config, db: Database, now: datetime) -> Findings:
    """Compare our clock with itself earlier, and with the server that wrote when letters arrived."""
    leapt = leap(config, db, machine_uptime(), now)
    if leapt:
        yield fault(leapt, _SET_CLOCK)
    last = max(filter(None, (last_tick(db), last_poll(db))), default=now)
    if last > now + DRIFT:
        yield fault(f"the last pass was at {last:%Y-%m-%d %H:%M} UTC, which is still to come", _SET_CLOCK)
        return
    rows = list(db.query("SELECT arrived, stored_at FROM letters ORDER BY id DESC LIMIT ?", [_LATEST]))
    ahead = max((parse_time(row["arrived"]) - parse_time(row["stored_at"]) for row in rows), default=timedelta())
    if ahead > DRIFT:
        minutes = int(ahead.total_seconds() // 60)
        yield warning(f"the mail server's clock is {minutes} minutes ahead of ours, or ours is slow", _SET_CLOCK)
    else:
        yield ok(f"it is {now:%Y-%m-%d %H:%M:%S} UTC, and no letter came from the future")
