"""A database that lost something, put back from a copy or cut short by a disk: what came since is taken again in its order.

Turns are played between the letters as they were due, so that all comes out as it did; and what was sent is not sent again.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from email.parser import BytesHeaderParser
from email.utils import parsedate_to_datetime
from itertools import groupby

from referee.core import LetterTooCostly, LetterUnreadable, ReaderLost, Texts
from referee.store import COPIED, GameRow, format_time, games, letters, outbox, transaction
from referee.store import club as facts
from referee.store.club import AWAKE, Awake, keep, write_fact

from .club import Club
from .deadlines.missing import gets_time, key_of_notice
from .duetimes import last_moment
from .letters.interpretation import arrival_of
from .post.lockout import LOST, loss
from .post.writing import message_id, tell_umpire
from .receive import ATTEMPTS, handle_letters
from .turns.due import play_due, settles
from .turns.newsletters import key_of_newsletter
from .turns.opengames import start_full
from .turns.turnnews import tell_statements

UNSURE = timedelta(hours=1)  # before the last sign of life: what was written then may not have left

_SECOND = timedelta(seconds=1)


def recover(club: Club, unread: datetime | None) -> tuple[int, Texts]:
    """Handle what the database lacks in the order in which it came; what came after the loss is left to the pass. Return how many
    letters were handled anew, and the turns (RR7/3) that were played anew.

    *unread*: when the first letter arrived that could not be fetched and is tried again.

    Raises:
        LetterUnreadable: there is one; all others wait for it.
        StoreBusy, StoreDamaged, ConfigError: as ``handle_waiting``.
    """
    found = loss(club)
    if not found:
        return 0, ()
    if unread:
        raise LetterUnreadable(
            "letters that the database lacks cannot all be fetched: they are tried again, the others wait"
        )
    arrived = sorted((_arrival(club, number), number) for number in letters.unhandled(club))
    until = found.until or max((time for time, _ in arrived), default=found.since)
    waiting = [each for each in arrived if each[0] <= until]
    with transaction(club):
        letters.date_back(club, until)
    # What a server was given by then is not sent again; of what a Maildir has no more nobody knows whether it left, and how.
    left = (found.ended or until - UNSURE) if club.config.smtp.host else found.since
    club = club.but(sent=club.transport.find_sent, unsure=left)
    turns = tuple(_relive(club, waiting, until))
    tell_statements(_as_of(club, until))
    with transaction(club):
        awake = facts.awake(club)
        if not awake or awake.at < until:
            keep(club, AWAKE, Awake(at=until))
        facts.mute_since.write(club, None)
        unsure = outbox.regard_as_sent(club, left) if club.config.smtp.host else 0
        for row in outbox.unsent(club):
            if row.state == "waiting" and club.transport.find_sent(row.message_id) is not None:
                outbox.mark_sent(club, row.id, row.created)
        # What left meanwhile is not known to the last letter, and what the umpire did is not known at all: no Message-ID is to be
        # used again over other words.
        write_fact(club, "mark", secrets.token_hex(16))
        keep(club, LOST, None)
        write_fact(club, COPIED, "")
        text = f"{format_time(found.since)} to {format_time(until)}: letters {len(waiting)}, turns {' '.join(turns) or 'none'}"
        club.log("recovered", text)
        values = {"since": found.since, "until": until, "letters": len(waiting), "turns": turns, "left": unsure}
        tell_umpire(club, f"recovered:{format_time(club.now)}", "recovered", values)
    club.step("recovery:done")
    return len(waiting), turns


def _relive(club: Club, waiting: Sequence[tuple[datetime, int]], until: datetime) -> Iterator[str]:
    """Handle letters, given with their arrival, and play the turns that were due between them; yields these."""
    now = datetime.fromtimestamp(0, UTC)
    timed = []
    for arrived, number in waiting:
        now = max(now, arrived, _departure(club, f"reply:{letters.letter(club, number).hash}") or arrived)
        timed.append((now, number))
    tried: set[tuple[str, int, datetime | None]] = set()
    for time, group in groupby(timed, lambda each: each[0]):
        yield from _play_due(club, time - timedelta.resolution, tried)
        _handle(_as_of(club, time), [number for _, number in group])
        start_full(_as_of(club, time))
        yield from _play_due(club, time, tried)
    yield from _play_due(club, until, tried, seen=True)


def _handle(club: Club, numbers: Sequence[int]) -> None:
    for _ in range(ATTEMPTS):
        handle_letters(club, [number for number in numbers if letters.letter(club, number).status == "stored"])


def _play_due(
    club: Club, until: datetime, tried: set[tuple[str, int, datetime | None]], *, seen: bool = False
) -> Iterator[str]:
    """Play the turns that were due until then, each at its time and once; *seen*: and those that were seen to be played later."""
    while True:
        running = [row for row in games.running_games(club) if (*row.turn_key, row.deadline) not in tried]
        due = [(time, row) for row in running if (time := _time_of(club, row, until, seen))]
        if not due:
            return
        time, row = min(due, key=lambda each: each[0])
        tried.add((*row.turn_key, row.deadline))  # a turn that was given more time is tried again
        yield from play_due(_as_of(club, time), time, None, (row,)).turns


def _time_of(club: Club, row: GameRow, until: datetime, seen: bool) -> datetime | None:
    """Return when a game's awaited turn was played, or given more time: not before it was due, and by the date of the letters
    that tell it where that is seen.
    """
    last = last_moment(club.config, row)
    times = [time for time in (last and last + _SECOND, settles(club, club.position(row), until)) if time]
    if not times:
        return None
    edition, reader = games.next_edition(club, *row.turn_key), games.players(club, row.id)[0].code
    more_time = last is not None and min(times) > last and gets_time(club, row)
    key = f"{key_of_notice(row)}:{reader}" if more_time else key_of_newsletter(*row.turn_key, reader, edition)
    left = _departure(club, key)
    time = max(min(times), left or min(times))
    return time if time <= until or (seen and left) else None


def _departure(club: Club, key: str) -> datetime | None:
    """Return when the letter of ours of that key was written, if it is seen to have left."""
    raw = club.transport.find_sent(message_id(club, key))
    return parsedate_to_datetime(BytesHeaderParser().parsebytes(raw)["Date"]).astimezone(UTC) if raw else None


def _arrival(club: Club, number: int) -> datetime:
    row = letters.letter(club, number)
    try:
        return arrival_of(row, club.reader.read(row.raw))
    except (LetterTooCostly, ReaderLost):
        return row.arrived


def _as_of(club: Club, time: datetime) -> Club:
    """Return the club as it was then."""
    return club.but(clock=lambda: time)
