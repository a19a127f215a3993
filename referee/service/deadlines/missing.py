"""What becomes of a turn whose orders are missing at its deadline: more time, no deadline any more, or it is played without."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from referee.core import N_, ConfigError, Texts, Value, View
from referee.store import GameRow, PlayerRow, codes, format_time, games, orders, outbox, transaction

from ..club import Club
from ..duetimes import Rhythm, first_open, next_deadline, rhythm_of
from ..letters.interpretation import counts_as_in, set_to_run, set_values
from ..positions import Position
from ..post.attachments import link_for, wished_deadline
from ..post.bounces import unreachable_players
from ..post.observers import tell_all
from ..post.writing import tell_player, tell_umpire
from ..seats import STANDBY, seat_standbys, standbys_for
from ..umpires import REFEREE, Command, log_act, umpires_of

# Whose orders for the awaited turn are in.

IN, FAULTY, MISSING, NOTHING_OWED = "in", "faulty", "missing", "nothing owed"
AWAY, RESIGNED = "away", "resigned"  # who owes orders all the same, but is not missed


class RollCall(Value):
    """Of each player, by code, what is on file for the awaited turn: a word of above; ``held`` whose letters wait for their word;
    ``unreachable`` to whom letters come back.
    """

    orders: dict[str, str]
    held: Texts
    unreachable: Texts

    @property
    def missing(self) -> Texts:
        """Who owes orders and has sent none."""
        return self.of(MISSING)

    def of(self, *words: str) -> Texts:
        """Return the codes of those of whom one of these words is said."""
        return tuple(code for code, said in self.orders.items() if said in words)


def roll_call(club: Club, position: Position) -> RollCall:
    """Return whose orders for the awaited turn are in."""
    row = position.row
    return RollCall(
        orders=orders_on_file(club, position),
        held=codes.waiting_held(club, *row.turn_key),
        unreachable=() if row.is_over else unreachable_players(club, row.id),
    )


def orders_on_file(club: Club, position: Position) -> dict[str, str]:
    """Return of each player what is on file for the awaited turn."""
    sets = orders.sets(club, *position.row.turn_key)
    found = {}
    for player in position.players:
        runs = set_to_run(sets, player.code)
        if counts_as_in(runs):
            found[player.code] = IN
        elif runs:
            found[player.code] = FAULTY
        else:
            found[player.code] = (
                _why_missing(club, position, player) if player.code in position.awaited else NOTHING_OWED
            )
    return found


def away_until(club: Club, position: Position, player: PlayerRow) -> date | None:
    """Return the last day of the absence in which the deadline falls (today, where there is none); None: they are there."""
    moment = position.row.deadline or club.now
    return orders.away_until(club, player.game, player.code, moment.astimezone(ZoneInfo(player.zone)).date())


def _why_missing(club: Club, position: Position, player: PlayerRow) -> str:
    if player.resigned_at:
        return RESIGNED
    return AWAY if away_until(club, position, player) else MISSING


# What a calendar wants to become of a turn whose orders are missing at its deadline: decided here, done in ``missing``.

PLAY, EXTEND, HOLD_OVER, WAIT, ABSENCE = "play", "extend", "hold-over", "wait", "absence"


def what_becomes(club: Club, position: Position, called: RollCall) -> str:
    """Return what becomes of the awaited turn if it is due and these orders are missing: a word of above."""
    row, rhythm = position.row, rhythm_of(club.config, position.row)
    there = len(standbys_for(club, position)) if called.missing and rhythm.missing == STANDBY else 0
    return policy(rhythm, len(called.missing), row.extended, umpire=bool(umpires_of(club, row.id)), standbys=there)


def policy(rhythm: Rhythm, missing: int, extended: int, *, umpire: bool, standbys: int = 0) -> str:
    """Return what becomes of a turn with so many players *missing* at its deadline, after it was *extended* so often.

    *umpire*: there is one who could decide about a game that waits; *standbys*: so many could take a seat.
    """
    if rhythm.missing == PLAY or missing < rhythm.missing_from:
        return PLAY
    if not extended:
        return HOLD_OVER if rhythm.missing == STANDBY else rhythm.missing
    if rhythm.missing == STANDBY and standbys:
        return STANDBY
    return WAIT if umpire and 0 < rhythm.stop_from <= missing else PLAY


# Before a deadline: who has not sent any orders is reminded, and the umpire is told how the turn stands. Each once: a letter's
# key is its mark, so it is kept as durably as the letter itself.


def remind(club: Club, position: Position, now: datetime) -> datetime | None:
    """Write the reminders and the umpire's outlook whose time has come; return when the next one's comes, None if none does.
    Inside a transaction.

    Of several that a long silence has let pass only the last is written.
    """
    row = position.row
    if not row.deadline or row.deadline <= now or row.is_over:
        return None
    rhythm, began = rhythm_of(club.config, row), games.last_turn(club, row.id).adjudicated_at
    times, outlook = reminder_times(rhythm, began, row.deadline), outlook_time(rhythm, began, row.deadline)
    passed = [number for number, time in enumerate(times, 1) if time <= now]
    due_outlook = outlook is not None and outlook <= now
    if passed or due_outlook:
        called = roll_call(club, position)
        for code in called.of(MISSING, FAULTY) if passed else ():
            _remind(club, position, position.player(code), called, passed[-1])
        if due_outlook:
            values = {**umpire_values(called), "deadline": row.deadline, "then": what_becomes(club, position, called)}
            key = f"outlook:{row.id}:{row.turn}:{format_time(row.deadline)}"
            tell_umpire(club, key, "outlook", values, *row.turn_key)
    return min((time for time in (*times, outlook) if time and time > now), default=None)


def remind_now(club: Club, command: Command) -> View:
    """Remind those of whom nothing in order is on file, of them alone who are named, if any; tell whose reminders are written.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: no orders are awaited, or none of them owes any.
    """
    row, now = games.game(club, command.game), club.now
    if row.is_over or row.stopped_at:
        raise ConfigError(N_("{game} is over or stopped: nobody owes orders"), game=row.id)
    with transaction(club):
        position = club.position(row)
        called, named = roll_call(club, position), [position.player(code).code for code in command.words[1:]]
        owing = [code for code in called.of(MISSING, FAULTY) if not named or code in named]
        if not owing:
            raise ConfigError(N_("{game}: nobody who was named owes orders; nobody was reminded"), game=row.id)
        for code in owing:
            _remind(club, position, position.player(code), called, f"{now:%Y%m%dT%H%M%S}")
        log_act(club, row, "remind", {"players": owing})
    return {"game": row.id, "reminded": owing}


def reminder_times(rhythm: Rhythm, began: datetime, deadline: datetime) -> tuple[datetime, ...]:
    """Return when players are reminded in a turn that *began* then: in its second half, the last time last."""
    hours = [int(part) for part in rhythm.reminders.split(",") if part.strip()]
    times = (deadline - timedelta(hours=each) for each in sorted(set(hours), reverse=True))
    return tuple(time for time in times if time >= _half(began, deadline))


def outlook_time(rhythm: Rhythm, began: datetime, deadline: datetime) -> datetime | None:
    """Return when the umpire is told how a turn stands: not in its first half; None: never."""
    return max(deadline - timedelta(hours=rhythm.outlook), _half(began, deadline)) if rhythm.outlook else None


def _half(began: datetime, deadline: datetime) -> datetime:
    return began + (deadline - began) / 2


def _remind(club: Club, position: Position, player: PlayerRow, called: RollCall, number: int | str) -> None:
    row = position.row
    due = format_time(row.deadline) if row.deadline else ""
    key = f"reminder:{row.id}:{row.turn}:{due}:{number}:{player.code}"
    if outbox.has(club, key):
        return
    runs = set_to_run(orders.sets(club, *row.turn_key), player.code)
    values = {
        "on_file": set_values(position, runs) if runs else None,
        "waits": player.code in called.held,
        "then": what_becomes(club, position, called),
        "view": position.rules.view(position.state, player.code),
        "desk": link_for(club, position, player),
    }
    tell_player(club, position, player, "reminder", values, key, attachments=wished_deadline(club, position, player))


def umpire_values(called: RollCall) -> dict[str, list[str]]:
    """Return what the umpire's letters tell of a roll call."""
    said = {word: list(called.of(word)) for word in (FAULTY, MISSING, AWAY, RESIGNED)}
    return {**said, "arrived": list(called.of(IN)), "held": list(called.held), "unreachable": list(called.unreachable)}


def give_time(club: Club, row: GameRow) -> bool:
    """Give a turn that is due more time, if orders are missing and the game's calendar wants it; tell everybody. Return whether
    it got it.
    """
    position = club.position(row)
    called = roll_call(club, position)
    chosen, back = _choice(club, position, called)
    if not row.deadline or chosen == PLAY:
        return False
    deadline = _new_deadline(club, row, row.deadline, chosen, back)
    with transaction(club):
        if games.game(club, row.id) != row or roll_call(club, position) != called:
            return True  # somebody has written or moved it meanwhile: the next pass looks again
        games.write(club, row.id, deadline=deadline, extended=row.extended + 1)
        away = {"away": list(called.of(AWAY))} if called.of(AWAY) else {}
        values = {"missing": list(called.missing), **away, **({"after": format_time(deadline)} if deadline else {})}
        log_act(club, row, chosen, values, actor=REFEREE)
        position = position.but(row=games.game(club, row.id))
        taken = seat_standbys(club, position, called.missing) if chosen == STANDBY else ()
        _tell(club, club.position(position.row), called, row, chosen, taken)
        club.step("missing:telling")
    return True


def gets_time(club: Club, row: GameRow) -> bool:
    """Return whether a turn would get more time if it were due."""
    position = club.position(row)
    return row.deadline is not None and _choice(club, position, roll_call(club, position))[0] != PLAY


def key_of_notice(row: GameRow) -> str:
    """Return how the key of each letter begins that the awaited turn of a game gets more time at its deadline."""
    return f"held-over:{row.id}:{row.turn}:{format_time(row.deadline) if row.deadline else ''}"


def tell_played_without(club: Club, row: GameRow) -> None:
    """Tell the umpire that a turn is played without orders that its calendar has waited for. Inside a transaction."""
    rhythm = rhythm_of(club.config, row)
    if rhythm.missing == PLAY or not row.deadline or row.play == row.turn:
        return
    called = roll_call(club, club.position(row))
    if called.missing:
        values = {**umpire_values(called), "how": PLAY, "deadline": row.deadline, "before": None, "taken": []}
        tell_umpire(club, f"missing:{row.id}:{row.turn}:played", "missing", values, *row.turn_key)


def _choice(club: Club, position: Position, called: RollCall) -> tuple[str, date | None]:
    """Return what becomes of a turn with these orders at its deadline; and after which day, if it waits for players' return."""
    if position.row.play == position.row.turn:
        return PLAY, None
    back = _return_waited_for(club, position, called, rhythm_of(club.config, position.row))
    return (ABSENCE, back) if back else (what_becomes(club, position, called), None)


def _return_waited_for(club: Club, position: Position, called: RollCall, rhythm: Rhythm) -> date | None:
    """Return the last day on which players are away whose return the turn waits for, None if there is none."""
    row = position.row
    if not row.deadline or row.extended or not rhythm.absence:
        return None
    latest = row.deadline.date() + timedelta(days=rhythm.absence)
    days = (away_until(club, position, position.player(code)) for code in called.of(AWAY))
    return max((day for day in days if day and day < latest), default=None)


def _new_deadline(club: Club, row: GameRow, before: datetime, chosen: str, back: date | None) -> datetime | None:
    rhythm, now = rhythm_of(club.config, row), club.now
    if chosen == WAIT:
        return None
    if chosen in (HOLD_OVER, STANDBY):
        return next_deadline(rhythm, now)
    if back:
        return first_open(rhythm, back + timedelta(days=1), now, weekday=False)
    day = before.astimezone(ZoneInfo(rhythm.zone)).date() + timedelta(days=rhythm.extension)
    return first_open(rhythm, day, now, weekday=False)


def _tell(club: Club, position: Position, called: RollCall, before: GameRow, chosen: str, taken: Texts) -> None:
    """Write to all players and to the umpire; *before*: the game when its turn was due; *taken*: seats of stand-bys, who have a
    briefing. Inside a transaction.
    """
    row = position.row
    told = {**umpire_values(called), "how": chosen, "before": before.deadline, "taken": list(taken)}
    standby = rhythm_of(club.config, row).missing == STANDBY
    values = {**told, "standby": standby, "arrived": list(called.of(IN, FAULTY))}
    key = key_of_notice(before)
    tell_all(club, position, "heldover", values, key, *taken, kind="held-over", dated=True)
    then = chosen if chosen == WAIT else what_becomes(club, position, called)
    values = {**told, "then": then, "deadline": row.deadline}
    tell_umpire(club, f"{key}:umpire", "missing", values, *row.turn_key)
