"""One pass of the referee: collect, answer, adjudicate what is due, send."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta

from referee.core import ConfigError, MachineShort, MailDown, RefereeError, TemporaryTrouble, Texts, Value
from referee.store import AHEAD, fact, format_time, last_tick, letters, opengames, outbox, transaction

from .club import Club
from .deadlines.downtime import check_clock, give_time_back, is_mute, note_silence
from .post.collect import collect
from .post.lockout import bring_back, loss, notice_loss
from .tally import PASSES, alone, count_cpu, write_heartbeat, write_tally
from .umpire.clockwork import go_on

PAUSE = timedelta(
    seconds=10
)  # a player who writes while many turns are played is not answered later than after so long


class Pass(Value):
    """What one pass did; ``elsewhere`` when another process was at it, so that this one did nothing."""

    elsewhere: bool = False
    letters: int = 0
    turns: Texts = ()  # RR7/3
    untyped: Texts = ()  # turns that wait for throws of the umpire's
    sent: int = 0
    left: int = 0  # letters that could go, but the provider takes only so many a minute
    failed: Texts = ()  # games whose turn could not be played, by a fault of ours


class Progress(Value):
    """How far a pass with many turns is: so many ``turns`` are played, so many ``games`` still to be looked at."""

    turns: int
    games: int
    letters: int
    sent: int


Watch = Callable[[Progress], None]


class Undelivered(MailDown):
    """A whole pass was made, but letters wait: the way out is closed now, or some cannot be read. ``done``: what the pass did."""

    def __init__(self, error: TemporaryTrouble, done: Pass) -> None:
        super().__init__(str(error))
        self.done = done


def tick(club: Club, watch: Watch = lambda _: None, *, believed: bool = False) -> Pass:
    """Make one pass; if another process is making one, do nothing. *watch* is told how far it is, when it takes long;
    *believed*: the umpire says that the clock is right, however it leapt.

    Raises:
        TemporaryTrouble: the clock leapt, and nothing explains that; nothing is done.
        Undelivered: no letter can leave now, or some cannot be read; all else is done.
        StoreDamaged: the store must be brought back from a backup; nothing is done.
        MailDown, StoreBusy: the inbox or the store is not there now; what was done until then is done.
        ConfigError: what the umpire must mend is in the way of them.
    """
    with alone(club.config.folder / PASSES) as ours:
        if not ours:
            return Pass(elsewhere=True)
        try:
            if not believed:
                check_clock(club, club.now)
            return _pass(club, watch)
        finally:
            # Count what the pass took, however it ended, and write the metrics, if the umpire wants them.
            count_cpu(club.config.folder)
            if club.config.log.metrics:
                from .metrics import write_metrics

                with suppress(RefereeError):  # a store that cannot be asked is told by the pass
                    write_metrics(club)


def _pass(club: Club, watch: Watch) -> Pass:
    began = club.now
    notice_loss(club)
    unread = _collect(club, began)
    anew = _recover(club, unread)
    give_time_back(club, began)
    handled, answered, short = _handle(club)
    post = _PostBetween(club, watch)
    waiting = min(filter(None, (unread, letters.first_unhandled(club))), default=None)
    played = go_on(club, began, waiting, post)
    done = Pass(
        letters=anew.letters + handled + post.letters,
        turns=anew.turns + (played.turns if played else ()),
        untyped=played.untyped if played else (),
        failed=played.failed if played else (),
    )
    write_tally(club)
    try:
        done = _send(club, done)
        if short:
            raise short
    except (MailDown, MachineShort) as error:
        _end(club, done)
        raise Undelivered(error, done.but(sent=outbox.sent_since(club, began))) from error
    _end(club, done)
    if not done.failed and not is_mute(club):
        write_heartbeat(club)
    return done.but(sent=done.sent + post.sent + answered)


# What follows is imported where there is work for it: most passes of a year find none, and importing it takes far longer than
# such a pass.


def _recover(club: Club, unread: datetime | None) -> Pass:
    if not loss(club):
        return Pass()
    from .recovery import recover

    number, turns = recover(club, unread)
    return Pass(letters=number, turns=turns)


def _handle(club: Club) -> tuple[int, int, MachineShort | None]:
    """Return how many letters were handled, how many left meanwhile, and why the others wait to be read."""
    if opengames.waiting(club):
        from .commands.joining import let_in

        let_in(club)
    if not letters.first_unhandled(club):
        return 0, 0, None
    from .receive import handle_waiting

    short: MachineShort | None = None
    sent = 0

    def answer() -> None:
        nonlocal sent
        with suppress(MailDown, ConfigError):  # it is told when the pass sends
            sent += _send(club, Pass()).sent

    number = len(letters.unhandled(club))
    try:
        handle_waiting(club, answer)
    except MachineShort as error:
        short = error
    number -= len(letters.unhandled(club)) if short else 0
    return number, sent, short


class _PostBetween:
    """The post between turns: where many are due at once, letters that come meanwhile are answered, and what is told leaves.

    Orders that come too late are judged as always: by ``deadlines.late``.
    """

    def __init__(self, club: Club, watch: Watch) -> None:
        self._club, self._watch = club, watch
        self._looked = club.now
        self.letters = self.sent = 0

    def __call__(self, turns: int, games: int) -> None:
        """Look into the inbox, if that is a while ago; so many *turns* are played, so many *games* to be looked at."""
        if games and abs(self._club.now - self._looked) >= PAUSE:
            with suppress(
                MailDown, ConfigError
            ):  # the turns go on; what is down is told at the end, or by the next pass
                collect(self._club)
                letters, sent, _ = _handle(self._club)
                self.letters += letters
                self.sent += sent + _send(self._club, Pass()).sent
            self._looked = self._club.now
            self._watch(Progress(turns=turns, games=games, letters=self.letters, sent=self.sent))


def _send(club: Club, done: Pass) -> Pass:
    if not outbox.due(club, club.now):
        club.transport.close()
        return done
    from .post.deliver import send_waiting

    delivered = send_waiting(club)
    return done.but(sent=delivered.sent, left=delivered.left)


def _publish(club: Club) -> None:
    """Write the club's pages, if it has any, and something has changed; the letters have left before."""
    if not club.config.publish.folder:
        return
    from .site.publish import publish_after_pass

    publish_after_pass(club)


def _look_ahead(club: Club, done: Pass) -> None:
    """Write the umpire's calendar, where one is wanted and something has changed or a day begins."""
    day = f"{club.now:%Y-%m-%d}"
    if not club.config.ahead or not (done.letters or done.turns or fact(club, AHEAD) < day):
        return
    from .umpire.ahead import write_calendar

    write_calendar(club, day)


def _end(club: Club, done: Pass) -> None:
    """Keep that a pass was made: letters were read and turns played, whether or not any letter could leave."""
    _publish(club)
    _look_ahead(club, done)
    with transaction(club):
        last_tick.write(club, club.now)
    write_tally(club)
    club.step("tick:done")


def _collect(club: Club, began: datetime) -> datetime | None:
    """Read the inbox; return when the first letter arrived that could not be had and is tried again.

    Raises:
        MailDown, ConfigError: it cannot be read; letters that wait in the outbox have left all the same.
    """
    try:
        bring_back(club)
        return collect(club)
    except (MailDown, ConfigError) as error:
        note_silence(club, began, error)
        if not loss(club):
            with suppress(MailDown, ConfigError):  # what is told is the first of two troubles
                _send(club, Pass())
        raise


# What a pass did, as events for the program's log: numbers and words of ours, nothing that a player wrote, no address.

Details = dict[str, str | int | None]

_NEWEST = 1000  # rows of a table in which the work of a pass is looked for
# Reasons and words of the umpire's log as we write them: a player's code, but not that player's address; flood: game RR7.
_WORDS = re.compile(r"[a-z][a-z'-]*([:,]? [a-z'-]+){0,9}( [A-Z]{1,6}[0-9]{1,6})?")


class Event(Value):
    """One thing that was done: ``name`` is ``letter``, ``turn``, ``sent``, ``unsent``, ``pass`` or a word of the umpire's log."""

    name: str
    fields: Details


def events(club: Club, done: Pass | None, began: datetime) -> Iterator[Event]:
    """Return what the pass *done*, which began at *began*, did, in the order of its parts; the pass itself last. None is one that
    was broken off: what it did until then.
    """
    yield from _rows(club, began, "letter", "letters", "handled_at", "id AS number, status, reason, game, player, size")
    for turn in done.turns if done else ():
        game, _, number = turn.partition("/")
        yield Event(name="turn", fields={"game": game, "turn": int(number)})
    yield from _rows(club, began, "", "log", "at", "what, game, turn")
    told = "id AS number, kind, game, turn, player"
    yield from _rows(club, began, "sent", "outbox", "sent_at", told)
    yield from _rows(club, began, "unsent", "outbox", "tried_at", f"{told}, state, attempts", "sent_at IS NULL")
    if done:
        counts = {"letters": done.letters, "turns": len(done.turns), "sent": done.sent, "left": done.left}
        yield Event(name="pass", fields={**counts, "failed": len(done.failed)})


def _rows(club: Club, began: datetime, name: str, table: str, time: str, told: str, only: str = "1") -> Iterator[Event]:
    sql = (
        f"SELECT {told} FROM {table} WHERE id > (SELECT coalesce(max(id), 0) - ? FROM {table}) "  # noqa: S608 (our own names)
        f"AND {time} >= ? AND {only} ORDER BY id"
    )
    for row in club.query(sql, [_NEWEST, format_time(began)]):
        fields: Details = dict(row)
        if "reason" in fields:
            fields["reason"] = _ours(str(fields["reason"]))
        yield Event(name=name or _ours(str(fields.pop("what"))), fields=fields)


def _ours(words: str) -> str:
    """Return *words* if they are such as we use ourselves, else a word that says so."""
    return words if not words or _WORDS.fullmatch(words) else "other"
