"""After an outage no deadline falls before players had time to write; and nothing is played while nobody can be told.

What was noticed is kept before the first deadline is moved: whoever is stopped in the middle goes on from the same times.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from referee.config import LONGEST, Config
from referee.core import RefereeError, TemporaryTrouble
from referee.store import Database, GameRow, format_time, games, outbox, parse_time, transaction
from referee.store import club as facts
from referee.store.club import AWAKE, OUTAGE, Awake, Moved, Outage, last_poll, last_tick

from ..club import Club, Uptime
from ..duetimes import last_moment
from ..post.lockout import lockout

SILENCE = timedelta(hours=1)  # an inbox that cannot be read for so long is told to the umpire
JUMP = timedelta(minutes=5)  # a clock that is set by less does no harm
LISTED = 50  # games in the umpire's letter

_LONGEST_GRACE = timedelta(days=LONGEST)


def give_time_back(club: Club, began: datetime) -> None:
    """Look whether the referee, the post or the clock was out of order until now; if so, move deadlines and tell all.

    For a pass that has read the inbox, before it reads the letters: what came after a deadline may then be in time.
    """
    _finish(club)
    found = _find_outage(club, began)
    up = club.uptime()
    with transaction(club):
        facts.keep(club, AWAKE, Awake(at=began, boot=up.boot if up else "", seconds=up.seconds if up else 0))
        facts.mute_since.write(club, (facts.mute_since(club) or began) if is_mute(club) else None)
        if found:
            facts.begin_outage(club, found)
    if found:
        club.step("guard:noted")
        _finish(club)


def is_mute(club: Club) -> bool:
    """Return whether no letter can leave: nobody would hear how their orders were understood, or what came of a turn."""
    return outbox.pause(club) is not None or lockout(club, "smtp") is not None


def note_silence(club: Club, now: datetime, error: RefereeError) -> None:
    """Tell the umpire, once, of an inbox that cannot be read for an hour."""
    since = last_poll(club) or last_tick(club)
    if not since or now - since < SILENCE:
        return
    with transaction(club):
        from ..post.writing import tell_umpire

        tell_umpire(club, f"silence:{format_time(since)}", "silence", {"since": since, "why": str(error)})


def _find_outage(club: Club, now: datetime) -> Outage | None:
    """Return what ended now, None if nothing did. One that lasted less than ``downtime_hold`` is none, but for the clock's."""
    hold = timedelta(hours=club.config.downtime_hold)
    if not hold:
        return None
    before, mute = _awake(club), facts.mute_since(club)
    due = now + hold
    if before and now - before.at >= hold:
        return Outage(kind="away", since=min(before.at, mute or before.at), until=now, reach=due, due=due)
    if mute and not is_mute(club) and now - mute >= hold:
        return Outage(kind="post", since=mute, until=now, reach=due, due=due)
    if before and abs(_set_by(club, before, now)) > JUMP:
        # Of a deadline between the two times nobody knows whether it has fallen.
        first, last = sorted((before.at, now))
        return Outage(kind="clock", since=first, until=last, reach=last, due=due, back=now < before.at)
    return None


def _awake(club: Club) -> Awake | None:
    known = facts.awake(club)
    since = None if known else last_tick(club)  # when the first game was made
    return Awake(at=since) if since else known


def _set_by(club: Club, before: Awake, now: datetime) -> timedelta:
    """Return by how much the clock was set since then; nothing if that is not known, as after a new start."""
    up = club.uptime()
    if up and up.boot == before.boot:
        return now - before.at - timedelta(seconds=up.seconds - before.seconds)
    return min(now - before.at, timedelta())  # backwards is never time that passed


def _finish(club: Club) -> None:
    """Move the deadlines that an outage reaches, then tell the umpire."""
    outage = facts.load(club, OUTAGE, Outage)
    if not outage:
        return
    from ..post.writing import tell_umpire

    for row in games.due_between(club, outage.since - _LONGEST_GRACE, outage.reach):
        last = last_moment(club.config, row)
        if last and last > outage.since and row.deadline is not None and row.deadline < outage.due:
            _move(club, row, outage.due)
    with transaction(club):
        moved = facts.moved_since(club, outage.logged)
        when = f"{format_time(outage.since)} to {format_time(outage.until)}, deadlines moved: {len(moved)}"
        club.log(f"outage-{outage.kind}", when)
        values = {
            "kind": outage.kind,
            "since": outage.until if outage.back else outage.since,
            "until": outage.since if outage.back else outage.until,
            "moved": [_move_view(each) for each in moved[:LISTED]],
            "more": max(0, len(moved) - LISTED),
        }
        tell_umpire(club, f"outage:{format_time(outage.since)}:{format_time(outage.until)}", "outage", values)
        facts.keep(club, OUTAGE, None)
    club.step("guard:told")


def _move(club: Club, row: GameRow, deadline: datetime) -> None:
    position = club.position(row).but(row=row.but(deadline=deadline))
    from ..post.observers import tell_all

    values = {"before": row.deadline}
    key = f"postponed:{row.id}:{row.turn}:{format_time(deadline)}"
    with transaction(club):
        games.write(club, row.id, deadline=deadline)
        times = " -> ".join(format_time(each) for each in (row.deadline, deadline) if each)
        club.log("deadline-moved", times, *row.turn_key)
        tell_all(club, position, "postponed", values, key)
        club.step("guard:moving")
    club.step("guard:moved")


def _move_view(moved: Moved) -> dict[str, Any]:
    before, deadline = map(parse_time, moved.text.split(" -> "))
    return {"game": moved.game, "turn": moved.turn, "before": before, "deadline": deadline}


# A clock that leaps: where nothing explains it nothing is done, so that no time of it stands anywhere when it is right again.

LEAP = timedelta(days=1)
AWAY = timedelta(days=90)  # a machine that was off for longer is asked about

_HEAD, _LOOKED_AT = 16_000, 20  # bytes, letters
_DATE = re.compile(rb"^date:([^\r\n]{1,100})", re.MULTILINE | re.IGNORECASE)


def check_clock(club: Club, now: datetime) -> None:
    """Ask the umpire, once, about a leap that neither uptime nor a letter that waits explains.

    Raises:
        TemporaryTrouble: nothing is to be done until the clock is right, or the umpire says that it is.
    """
    told = leap(club.config, club, club.uptime(), now)
    if not told or _is_explained(club, now):
        return
    from ..post.deliver import send_waiting
    from ..post.writing import tell_umpire

    before = facts.awake(club)
    assert before
    sane = club.but(clock=lambda: _expected_time(before, club.uptime())[0])
    with transaction(club):
        tell_umpire(sane, f"leap:{format_time(before.at)}", "leap", {"since": before.at, "until": now})
    with suppress(RefereeError):
        send_waiting(sane)
    raise TemporaryTrouble(told)


def leap(config: Config, db: Database, up: Uptime | None, now: datetime) -> str:
    """Return what is to be said of a clock that leapt since the last pass, "" if it did not."""
    before = facts.awake(db) if config.downtime_hold else None
    if not before:
        return ""
    expected, most = _expected_time(before, up)
    if -LEAP <= now - expected <= most:
        return ""
    times = f"it is {now:%Y-%m-%d %H:%M} UTC, and was {before.at:%Y-%m-%d %H:%M} UTC at the last pass"
    return (
        f"this machine says that {times}, which nothing explains: nothing is read, played or told until its clock is "
        "right again; if it is right, say `referee tick --clock-is-right`"
    )


def _expected_time(before: facts.Awake, up: Uptime | None) -> tuple[datetime, timedelta]:
    """Return what time it is by how long the machine runs, at least, and by how much it may be later."""
    if up and up.boot == before.boot:
        return before.at + timedelta(seconds=up.seconds - before.seconds), LEAP
    return before.at, AWAY


def _is_explained(club: Club, now: datetime) -> bool:
    """Return whether a letter that waits was written in these days, by the clock of its writer."""
    from email.utils import parsedate_to_datetime  # no pass of a sane clock needs it

    with suppress(RefereeError):
        for arrival in club.source.waiting()[-_LOOKED_AT:]:
            with suppress(RefereeError, OSError, ValueError, TypeError, LookupError, OverflowError):
                date = _DATE.search(club.source.read(arrival.key, _HEAD))
                if date and abs(parsedate_to_datetime(date[1].decode()).astimezone(UTC) - now) <= LEAP:
                    return True
    return False
