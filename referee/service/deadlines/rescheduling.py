"""What the umpire does about the deadlines of a game: each act is told to all its players and stands in the game's log."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import to_builtins

from referee.config import SETTINGS, Config, Settings, SettingValue, days_fault, setting_fault
from referee.config.reading import Misplaced
from referee.core import N_, ConfigError, View
from referee.store import ActRow, GameRow, acts, format_time, games, transaction

from ..club import Club
from ..duetimes import NAMES, Rhythm, at_hour, next_deadline, rhythm_of, rhythm_values
from ..post.observers import tell_all
from ..umpires import Command, checked_reason, log_act

# The calendars of games: the club's settings, and what a game says itself laid over them.

_DOTTED = re.compile(r"^(\d{1,2})\.(\d{1,2})\.(\d{4})")
_HOUR = re.compile(r" (\d{1,2})(?:[:.h](\d\d))? ?(am|pm|h|uhr|uur)?$", re.I)  # 8pm, 20 Uhr, 20h30
_AHEAD = timedelta(days=36_500)  # a deadline beyond a hundred years is a slip of the pen
_ALWAYS = ("days", "every", "weekday", "hour", "zone")  # written down with each game: they stay as they were agreed
_BOOLEAN = {"yes": True, "true": True, "no": False, "false": False}
_ELSEWHERE = {"zone": "club.zone", "hints": "players.hints"}
_PLACES = {name: _ELSEWHERE.get(name, f"deadlines.{name}") for name in NAMES}
_SETTINGS = {name: next(each for each in SETTINGS if each.path == path) for name, path in _PLACES.items()}


def format_rhythm(given: Settings) -> str:
    """Return what a game says of its calendar as JSON."""
    return json.dumps(dict(given), sort_keys=True)


def count_from(due: datetime, kept: Settings, zone: str) -> dict[str, SettingValue]:
    """Return what a game keeps of its calendar whose deadlines are counted from one that is *due*."""
    return {**kept, "begins": due.astimezone(ZoneInfo(zone)).date().isoformat()}


def lay_over(before: Settings, given: Settings) -> dict[str, SettingValue]:
    """Return what is said of a calendar after more was *given*: ``days`` and ``every`` take each other's place."""
    same = {"days", "every"}
    return {name: value for name, value in before.items() if not (name in same and same & given.keys())} | dict(given)


def checked_rhythm(given: Settings, config: Config) -> dict[str, SettingValue]:
    """Return what is kept with a new game that says so much of its calendar.

    Raises:
        Misplaced: a value is wrong.
    """
    check_rhythm(given)
    said = {"every": "", **given} if "days" in given else given
    return {name: getattr(config, name) for name in _ALWAYS} | dict(said)


def check_rhythm(given: Settings) -> None:
    """Raises Misplaced: a name is no setting of a calendar, or a value is wrong."""
    for name, value in given.items():
        fault = _fault(name, value)
        if fault:
            raise Misplaced(f"rhythm: {fault}", section="rhythm", name=name)
    if given.get("every") and "days" in given:
        raise Misplaced("rhythm: days and every say the same: give one of them", section="rhythm", name="days")


def parse_setting(text: str) -> tuple[str, SettingValue]:
    """Return the setting written as ``every=3 weeks``.

    Raises:
        ConfigError: it is not written so.
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name:
        raise ConfigError(f'rhythm {text!r}: write a name and a value, as "every=3 weeks"')
    kind = type(_SETTINGS[name].default) if name in _SETTINGS else str
    if kind is bool:
        return name, _BOOLEAN.get(value.lower(), value)
    return name, int(value) if kind is int and re.fullmatch(r"-?[0-9]{1,9}", value) else value


def parse_deadline(text: str, rhythm: Rhythm, now: datetime) -> datetime:
    """Return the time written as ``2026-12-20 20:00`` or ``20.12.2026 8pm``, in the game's zone unless it names its own; a date
    alone has its hour.

    Raises:
        ConfigError: it is no time, past, or more than a hundred years ahead.
    """
    day = _DOTTED.sub(lambda said: f"{said[3]}-{said[2]:0>2}-{said[1]:0>2}", text.strip())
    try:
        due = datetime.fromisoformat(written := _HOUR.sub(_on_the_clock, day))
    except ValueError:
        raise ConfigError(
            N_('deadline {given}: write it as "2026-12-20 20:00", or the date alone'), given=repr(text)
        ) from None
    if len(written) <= len("2026-12-20"):
        due = at_hour(due.date(), rhythm.hour, rhythm.zone)
    due = due if due.tzinfo else due.replace(tzinfo=ZoneInfo(rhythm.zone))
    if not now < due < now + _AHEAD:
        past = N_("deadline {given} is past")
        raise ConfigError(
            past if due <= now else N_("deadline {given} is more than a hundred years ahead"), given=repr(text)
        )
    return due


def _on_the_clock(said: re.Match[str]) -> str:
    hour, half = int(said[1]), (said[3] or "")[:1].lower()
    return f" {hour % 12 + 12 * (half == 'p') if half in ('a', 'p') else hour:02}:{said[2] or '00'}"


def _fault(name: str, value: SettingValue) -> str:
    if name not in _SETTINGS:
        near = difflib.get_close_matches(name, NAMES, 1)
        return f"unknown setting {name} (" + (f"did you mean {near[0]}?)" if near else f"known: {', '.join(NAMES)})")
    if name == "days":
        return days_fault(value)
    fault = setting_fault(_SETTINGS[name], value)
    return fault if not fault or name in ("weekday", "hour", "zone") else f"{name}: {fault}"


_A_DAY = timedelta(days=1)


def set_deadline(club: Club, command: Command) -> View:
    """Give the awaited turn of a game another deadline, a local time of the game's zone; tell that, and the one before.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over or stopped, or the time is none or past.
    """
    row = _going(club, command.game)
    due = parse_deadline(command.until, rhythm_of(club.config, row), club.now)
    if due == row.deadline:
        told = N_("turn {turn} of {game} is due then already: nobody was told anything")
        raise ConfigError(told, turn=row.turn, game=row.id)
    with _write_guard(club, row):
        games.write(club, row.id, deadline=due)
        return _tell(club, row, "deadline", _times(row.deadline, due), command.reason)


def hold(club: Club, command: Command) -> View:
    """Stop a game: no turn is played and no deadline falls before ``resume``. Raises as ``set_deadline``."""
    row = _going(club, command.game)
    with _write_guard(club, row):
        games.hold(club, row.id, club.now)
        return _tell(club, row, "hold", _times(row.deadline, None), command.reason)


def give_up(club: Club, command: Command) -> View:
    """End a game of which no turn was played; it stands with those that are over, put away. Raises as ``set_deadline``."""
    row = running(club, command.game)
    if games.last_turn(club, row.id).turn:
        raise ConfigError(
            N_("a turn of {game} was played, so it is not given up: `referee hold {game}` stops it"), game=row.id
        )
    with _write_guard(club, row):
        games.close(club, row.id, club.now)
        return _tell(club, row, "close", {}, command.reason)


def resume(club: Club, command: Command) -> View:
    """Let a stopped game go on with the deadline that is given; else with the one it had, where at least half of the time that
    was left then is left now; else with the next of its calendar that leaves as much as was left, or the calendar's minimum.
    HERE: although the whole game was exported, and may go on in another club.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is not stopped, was exported, or the time is none or past.
    """
    row, now = running(club, command.game), club.now
    if not row.stopped_at:
        if not row.deadline:
            told = N_("{game} is not stopped: turn {turn} is due when all orders are in")
            raise ConfigError(told, game=row.id, turn=row.turn)
        due_then = day_and_time(row.deadline, rhythm_of(club.config, row).zone)
        raise ConfigError(
            N_("{game} is not stopped: turn {turn} is due {when}"), game=row.id, turn=row.turn, when=due_then
        )
    if "HERE" not in command.given and (moved := whole_export(club, row.id)):
        told = N_(
            "the whole of {game} was exported ({act}), and two clubs would write to its players if it goes on in another one;"
            " if it goes on here alone: `referee resume {game} --here`"
        )
        raise ConfigError(told, game=row.id, act=f"U{moved.number}")
    rhythm = rhythm_of(club.config, row)
    given = command.until
    due = parse_deadline(given, rhythm, now) if given else _after_standstill(rhythm, row, now)
    with _write_guard(club, row):
        games.write(club, row.id, deadline=due, stopped_at=None, stopped_due=None)
        times = _times(row.stopped_due if row.stopped_due != due else None, due)
        return _tell(club, row.but(deadline=row.stopped_due), "resume", times, command.reason)


def whole_export(club: Club, game_id: str) -> ActRow | None:
    """Return the act by which a game was given to another club, None if it was not, or has come or gone on since."""
    moves = [act for act in acts(club, game_id) if act.kind in {"export", "import", "resume"}]
    return moves[-1] if moves and moves[-1].kind == "export" else None


def order_play(club: Club, game_id: str, turn: int, because: str = "") -> GameRow:
    """Have the next pass play a turn with the orders that are in then; saying so twice changes nothing.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over or stopped, or awaits another turn.
    """
    row = _going(club, game_id)
    if turn != row.turn:
        was_played = N_("{game}: turn {turn} was played; turn {awaited} is awaited: `referee play {game} {awaited}`")
        not_come = N_("{game}: turn {turn} has not come; turn {awaited} is awaited: `referee play {game} {awaited}`")
        raise ConfigError(was_played if turn < row.turn else not_come, game=row.id, turn=turn, awaited=row.turn)
    reason = checked_reason(because)
    with _write_guard(club, row):
        if row.play != turn:
            games.write(club, row.id, play=turn)
            log_act(club, row, "play", {}, reason)
    return row.but(play=turn)


def calendar(club: Club, command: Command) -> View:
    """Tell a game's calendar, and change it from the next turn on. Raises as ``set_deadline``, and ConfigError for a wrong
    setting.
    """
    given = dict(map(parse_setting, command.changes))
    if given:
        _change_rhythm(club, running(club, command.game), given, command.reason)
    row = games.game(club, command.game)
    return {"game": row.id, "calendar": to_builtins(rhythm_of(club.config, row)), "changed": bool(given)}


def _change_rhythm(club: Club, row: GameRow, given: Settings, reason: str) -> None:
    check_rhythm(given)
    said = lay_over(json.loads(row.rhythm), {"every": "", **given} if "days" in given else given)
    due = row.deadline or row.stopped_due or club.now
    if given.keys() & {"days", "every", "weekday", "zone"}:
        said = count_from(due, said, str(said.get("zone", club.config.zone)))
    with _write_guard(club, row):
        games.write(club, row.id, rhythm=format_rhythm(said))
        _tell(club, row, "calendar", given, reason)


def due_words(deadline: datetime | None, zone: str) -> str:
    """Return when a turn is due as the umpire's commands say it."""
    if not deadline:
        return "due when all orders are in"
    return f"due {local_words(deadline, zone)}"


def local_words(moment: datetime, zone: str) -> str:
    """Return a time as all commands say it to people: ``Fri 2026-12-04 20:00 Europe/Dublin``."""
    return f"{moment.astimezone(ZoneInfo(zone)):%a} {day_and_time(moment, zone)}"


def day_and_time(moment: datetime, zone: str) -> str:
    """Return the same without the English name of its day."""
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone}"


def _after_standstill(rhythm: Rhythm, row: GameRow, now: datetime) -> datetime:
    """Return the deadline of a game that goes on: nobody loses the time that the game stood still."""
    if not row.stopped_due or row.stopped_at is None:
        return next_deadline(rhythm, now)
    left = row.stopped_due - row.stopped_at
    if row.stopped_due > now and row.stopped_due - now >= left / 2:
        return row.stopped_due
    return next_deadline(rhythm, now, min(rhythm.minimum, max(left, _A_DAY)))


def _tell(club: Club, before: GameRow, kind: str, kept: Mapping[str, object], reason: str) -> View:
    """Log an act and tell all players of it; return how the game stands then, and the deadline *before*. Inside a transaction."""
    act = log_act(club, before, kind, kept, reason)
    row = games.game(club, before.id)
    position = club.position(row)
    values = {
        "act": act.kind,
        "before": before.deadline,
        "because": act.reason,
        "rhythm": rhythm_values(rhythm_of(club.config, row)),
    }
    tell_all(club, position, "deadline", values, f"deadline:{row.id}:{act.number}", dated=True)
    moved = before.deadline if before.deadline != row.deadline else None
    return {"game": row.id, "turn": row.turn, "deadline": row.deadline, "before": moved}


_OVER = N_("{game} is over: it has no deadlines any more")


def running(club: Club, game_id: str, over: str = _OVER) -> GameRow:
    """Return a game that runs. Raises NotFound, ConfigError: it is *over*."""
    row = games.game(club, game_id)
    if row.is_over:
        raise ConfigError(over, game=row.id, turn=row.turn)
    return row


def _going(club: Club, game_id: str) -> GameRow:
    row = running(club, game_id)
    if row.stopped_at:
        raise ConfigError(N_("{game} is stopped: first let it go on with `referee resume {game}`"), game=row.id)
    return row


@contextmanager
def _write_guard(club: Club, row: GameRow) -> Iterator[None]:
    """Write about a game in a transaction, as it was looked at. Raises ConfigError: somebody has changed it meanwhile."""
    with transaction(club):
        if games.game(club, row.id) != row:
            told = N_("{game} was changed meanwhile, nothing was done: see `referee status {game}`")
            raise ConfigError(told, game=row.id)
        yield


def _times(before: datetime | None, after: datetime | None) -> dict[str, str]:
    return {name: format_time(time) for name, time in (("before", before), ("after", after)) if time}
