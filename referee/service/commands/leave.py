"""What a player says of his seat by mail: WAIT and NO WAIT, ABSENT and PRESENT, STANDBY, RESIGN and RESIGN FOR GOOD."""

from __future__ import annotations

import re
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from referee.orderbook import Question
from referee.service.club.club import Club
from referee.service.club.duetimes import rhythm_of
from referee.service.club.positions import Position
from referee.service.club.umpires import REFEREE, log_act
from referee.service.letters.identify import Found
from referee.service.letters.verdict import AbsencesEnded, Deed, Effect, Note, Resigned, StandbyEnded, WaitEnded
from referee.service.post.observers import tell_observers
from referee.service.post.writing import player_values, tell_player, tell_umpire
from referee.store import games, seats
from referee.store.database.rows import AbsenceRow, LetterRow, PlayerRow, StandbyRow, WaitRow

LONGEST_ABSENCE = timedelta(days=100)

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})|(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")


def deed(club: Club, row: LetterRow, found: Found, question: Question, before: tuple[Effect, ...]) -> Deed:
    """Return what one of these words does, nothing if it is none of them. *before*: what the letter has brought about so far."""
    running = found.position.row.status == "running"
    match question.verb:
        case "WAIT":
            return _wait(club, row, found, before)
        case "NO WAIT":
            return _no_wait(club, found, before)
        case "ABSENT":
            return _absent(club, found, question.value) if running else _answered("absent", "over")
        case "PRESENT":
            return _present(club, found, before)
        case "STANDBY":
            return _stand_by(club, found, before)
        case "NO STANDBY":
            return _stand_by_no_longer(club, found, before)
        case "RESIGN":
            return _answered("resign", "asked" if running else "over")
        case "RESIGN FOR GOOD":
            return _resign(found, before) if running else _answered("resign", "over")
    return Deed()


def resign(club: Club, position: Position, player: PlayerRow) -> None:
    """Let a player leave his seat, and tell all others and the umpire. Inside a transaction."""
    row = position.row
    seats.resign(club.db, row.id, player.code, club.clock())
    act = log_act(club, row.id, row.turn, "resigned", {"player": player.code}, actor=REFEREE)
    values = {"what": "resigned", "who": player_values(player), "turn": row.turn, "deadline": row.deadline}
    tell_observers(club, position, "seat", values, f"seat:{row.id}:{act.number}")
    for other in position.players:
        if other.code != player.code:
            tell_player(club, position, other, "seat", values, f"seat:{row.id}:{act.number}:{other.code}")
    values = {"player": player.code, "name": player.name}
    tell_umpire(club, f"resigned:{row.id}:{act.number}", "resigned", values, row.id, row.turn)


def parse_days(text: str) -> tuple[date, date] | None:
    """Return the first and the last day of ``2026-12-20 to 2027-01-06``, ``20.12.2026 - 6.1.2027`` or ``2026-12-20``; None: there
    are no such days.
    """
    numbers = [[int(part) for part in found.groups() if part] for found in _DAY.finditer(text)]
    try:
        days = [date(*(each if each[0] > 31 else each[::-1])) for each in numbers]
    except ValueError:
        return None
    return (days[0], days[-1]) if len(days) in (1, 2) else None


def _answered(kind: str, state: str, *effects: Effect, note: Note | None = None, **more: object) -> Deed:
    return Deed(answers=({"kind": kind, "state": state, **more},), effects=effects, notes=(note,) if note else ())


def _wait(club: Club, row: LetterRow, found: Found, before: tuple[Effect, ...]) -> Deed:
    game = found.position.row
    if game.status != "running":
        return _answered("wait", "over")
    if game.deadline is None:
        return _answered("wait", "no-deadline")
    if _waits(club, found, before):
        return _answered("wait", "asked")
    wait = WaitRow(game=game.id, turn=game.turn, player=found.player.code, letter=row.id, asked_at=club.clock())
    return _answered("wait", "asked", wait)


def _no_wait(club: Club, found: Found, before: tuple[Effect, ...]) -> Deed:
    if not _waits(club, found, before):
        return _answered("wait", "none")
    game = found.position.row
    return _answered("wait", "ended", WaitEnded(game=game.id, turn=game.turn, player=found.player.code))


def _waits(club: Club, found: Found, before: tuple[Effect, ...]) -> bool:
    """Return whether a player wants the turn to wait."""
    said = [each for each in before if isinstance(each, WaitRow | WaitEnded)]
    if said:
        return isinstance(said[-1], WaitRow)
    return found.player.code in seats.waiting(club.db, found.position.row.id, found.position.row.turn)


def _absent(club: Club, found: Found, value: str) -> Deed:
    player, days = found.player, parse_days(value)
    today = club.clock().astimezone(ZoneInfo(player.zone)).date()
    if days is None or days[1] < days[0]:
        return _answered("absent", "wrong", value=value)
    since, until = days
    if until < today:
        return _answered("absent", "past", until=until)
    if until - max(since, today) > LONGEST_ABSENCE:
        return _answered("absent", "long", days=LONGEST_ABSENCE.days)
    away = AbsenceRow(game=player.game, player=player.code, since=f"{since}", until=f"{until}", told_at=club.clock())
    row = found.position.row
    values = {"player": player.code, "since": since, "until": until, "back": False}
    key = f"absent:{row.id}:{player.code}:{since}:{until}:{club.clock():%F}"
    note = Note(key=key, kind="absent", values=values, game=row.id, turn=row.turn)
    days_more = rhythm_of(club.config, row).absence
    return _answered("absent", "kept", away, note=note, since=since, until=until, days=days_more)


def _present(club: Club, found: Found, before: tuple[Effect, ...]) -> Deed:
    row, player = found.position.row, found.player
    just_said = any(isinstance(each, AbsenceRow) for each in before)
    if not just_said and not seats.absences(club.db, player.game, player.code):
        return _answered("absent", "none")
    key = f"present:{row.id}:{player.code}:{club.clock():%F}"
    note = Note(key=key, kind="absent", values={"player": player.code, "back": True}, game=row.id, turn=row.turn)
    return _answered("absent", "back", AbsencesEnded(game=player.game, player=player.code), note=note)


def _stand_by(club: Club, found: Found, before: tuple[Effect, ...]) -> Deed:
    """Put a player on the club's list of stand-bys, for games in which he does not play."""
    player = found.player
    if _stands_by(club, player.address, before):
        return _answered("standby", "already")
    known = next(each for each in games.seats_of(club.db, player.address) if each.game == player.game)
    row = StandbyRow(
        name=known.name, address=player.address, zone=player.zone, language=player.language, since=club.clock()
    )
    values = {"name": known.name, "ended": False}
    note = Note(key=f"standby:{player.address.lower()}:{club.clock():%F}", kind="standby", values=values)
    return _answered("standby", "listed", row, note=note)


def _stand_by_no_longer(club: Club, found: Found, before: tuple[Effect, ...]) -> Deed:
    address = found.player.address
    if not _stands_by(club, address, before):
        return _answered("standby", "none")
    return _answered("standby", "ended", StandbyEnded(address=address))


def _stands_by(club: Club, address: str, before: tuple[Effect, ...]) -> bool:
    said = [each for each in before if isinstance(each, StandbyRow | StandbyEnded)]
    if said:
        return isinstance(said[-1], StandbyRow)
    return any(each.address.lower() == address.lower() for each in seats.standbys(club.db))


def _resign(found: Found, before: tuple[Effect, ...]) -> Deed:
    if found.player.resigned_at is not None or any(isinstance(each, Resigned) for each in before):
        return _answered("resign", "gone")
    return _answered("resign", "done", Resigned(position=found.position, player=found.player))
