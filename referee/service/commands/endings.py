"""A game that ends before its last turn: by the umpire, or because all people who play it agree, each by a letter."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from referee.core import Texts, Value
from referee.orderbook import Question
from referee.store import AbsenceRow, Database, GameRow, PlayerRow, StandbyRow, WaitRow, acts, games, insert, orders

from ..club import Club
from ..duetimes import rhythm_of, statements_time
from ..letters.interpretation import Answers, Case, answer
from ..positions import Position
from ..post.observers import tell_all
from ..post.readers import is_built_in
from ..post.writing import player_values, tell_player, tell_umpire
from ..umpires import REFEREE, log_act

END, REOPEN, PROPOSE, AGREE, DISAGREE = "end", "reopen", "propose", "agree", "disagree"  # kinds of acts
BY_UMPIRE, DRAW, WON, CONCEDED = "umpire", "draw", "won", "conceded"  # how a game ends early
_HOW = {"PROPOSE END": DRAW, "PROPOSE WINNER": WON, "CONCEDE": CONCEDED}
_VOTED = (AGREE, DISAGREE)
VOTES = (*_HOW, *map(str.upper, _VOTED))


class Ending(Value):
    """How a game ends, or is to end: a word of above; the code of its ``winner``, "" for none; ``by`` whose proposal it was;
    ``agreed``: who has said yes.
    """

    how: str
    winner: str = ""
    by: str = ""
    because: str = ""
    agreed: Texts = ()


def ending_of(db: Database, row: GameRow) -> Ending | None:
    """Return how a game has ended early; of one that is played what is proposed for the awaited turn and not dropped, and
    who has agreed; None if it is to end as ever.
    """
    found: Ending | None = None
    for act in acts(db, row.id):
        said = json.loads(act.parameters)
        if act.turn == row.turn and act.kind == (END if row.is_over else PROPOSE):
            found = Ending(**{"agreed": (said["by"],), **said, "because": act.reason})
        elif act.kind in (DISAGREE, REOPEN, "undo"):
            found = None
        elif act.kind == AGREE and found:
            found = found.but(agreed=(*found.agreed, said["by"]))
    return found


def people(position: Position) -> Texts:
    """Return who must agree: whoever still plays and is a person."""
    return tuple(each.code for each in position.players if not each.resigned_at and not is_built_in(each.address))


def amounts(position: Position, state: Any) -> dict[str, int]:
    """Return what places go by, for each player: of one who leads two companies the sum of both."""
    facts = position.rules.facts(state)
    told = facts.get("scores") or facts.get("balances") or {}
    sides = {seat.code: (seat.code, seat.second_code) for seat in position.setup.players}
    return {
        code: sum(int(told[side]) for side in both if side in told)
        for code, both in sides.items()
        if any(side in told for side in both)
    }


def vote(club: Club, case: Case, question: Question, told: Answers) -> Answers:
    """Do what a player's word about the end of the game says, unless its letter has voted before: it was *told* so."""
    verb, position, code = question.verb, case.position, case.player.code
    twice = any(each.get("state") in (*_VOTED, "proposed") for each in told)
    if position.row.is_over or twice:
        return _answered("over" if position.row.is_over else "twice")
    proposed, everybody = ending_of(club, position.row), people(position)
    if verb.lower() in _VOTED:
        if not proposed or code not in everybody:
            return _answered("none")
        if verb == AGREE.upper() and code in proposed.agreed:
            return _answered("already", waits=_missing_consent(position, proposed.agreed))
        _vote(club, position, case.player, verb.lower())
        return _answered(verb.lower(), waits=_missing_consent(position, (*proposed.agreed, code)))
    if proposed:
        return _answered("there", by=proposed.by)
    how, there = _HOW[verb], amounts(position, position.state)
    winner = question.value.strip().upper() if how == WON else ""
    if how == CONCEDED:  # to whoever has the most of the others
        winner = max((each for each in there if each != code), key=lambda each: there[each], default="")
    if how == WON and winner not in there:
        return _answered("nobody", value=question.value, codes=[each.code for each in position.players])
    _vote(club, position, case.player, PROPOSE, how=how, winner=winner)
    return _answered("proposed", how=how, winner=winner, waits=_missing_consent(position, (code,)))


def _vote(club: Club, position: Position, player: PlayerRow, kind: str, **proposed: str) -> None:
    """Write a player's vote into the log of the game and tell the others; where all people agree the game is over. Inside a
    transaction.
    """
    row, kept = position.row, {"by": player.code, **proposed}
    act = log_act(club, row, kind, kept, actor=REFEREE)
    now = ending_of(club, row)
    if now and not _missing_consent(position, now.agreed):
        return end(club, position, now, REFEREE)
    if kind == AGREE:
        return None
    values = {"what": kind, "who": player_values(player), **kept}
    for each in position.players:
        if each.code != player.code:
            tell_player(club, position, each, "proposal", values, f"proposal:{row.id}:{act.number}:{each.code}")
    return None


def end(club: Club, position: Position, ending: Ending, actor: str = "") -> None:
    """End a game as it stands, and tell everybody. Inside a transaction."""
    row, now = position.row, club.now
    kept = {"how": ending.how, "winner": ending.winner, "by": ending.by, "agreed": ending.agreed}
    act = log_act(club, row, END, kept, ending.because, actor)
    until = statements_time(rhythm_of(club.config, row), now)
    games.advance(club, *row.turn_key, None)
    games.write(club, row.id, statements_due=until)
    real = [player_values(each) for each in games.players(club, row.id)]
    values, key = (
        {
            **kept,
            "back": False,
            "because": act.reason,
            "standings": sorted(amounts(position, position.state).items(), key=lambda each: -each[1]),
            "finished": True,
            "statements_until": until,
            "revealed": real if row.anonymous else [],
        },
        f"ended:{row.id}:{act.number}",
    )
    tell_all(club, position, "ended", values, key)
    if ending.how != BY_UMPIRE:
        tell_umpire(club, key, "ended", kept, *row.turn_key)


def reopen(club: Club, position: Position, because: str, deadline: datetime) -> None:
    """Take the early end of a game back: the turn that was awaited is so again. Inside a transaction."""
    row = position.row
    act = log_act(club, row, REOPEN, {}, because)
    games.advance(club, *row.turn_key, deadline)
    position = club.position(row.id)
    tell_all(club, position, "ended", {"back": True, "because": act.reason}, f"ended:{row.id}:{act.number}")


def _missing_consent(position: Position, agreed: Texts) -> list[str]:
    return [code for code in people(position) if code not in agreed]


_answered = partial(answer, "ending")


# What players say of their seat by mail: WAIT and NO WAIT, ABSENT and PRESENT, STANDBY, RESIGN and RESIGN FOR GOOD.

LONGEST_ABSENCE = timedelta(days=100)

_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})|(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})")


OF_RUNNING = ("WAIT", "ABSENT", "RESIGN", "RESIGN FOR GOOD")  # of a game that is over nothing of it is said


def wait(club: Club, case: Case, _: Question) -> Answers:
    """Have the turn not be played before its deadline."""
    game, player = case.game, case.player.code
    if not game.deadline:
        return answer("wait", "no-deadline")
    if player not in orders.waiting(club, *game.turn_key):
        now = club.now
        insert(club, WaitRow(game=game.id, turn=game.turn, player=player, letter=case.row.id, asked_at=now))
    return answer("wait", "asked")


def resign(club: Club, position: Position, player: PlayerRow) -> None:
    """Let a player leave the seat, and tell all others and the umpire. Inside a transaction."""
    row = position.row
    orders.resign(club, row.id, player.code, club.now)
    act = log_act(club, row, "resigned", {"player": player.code}, actor=REFEREE)
    values = {"what": "resigned", "who": player_values(player)}
    tell_all(club, position, "seat", values, f"seat:{row.id}:{act.number}", player.code)
    values = {"player": player.code, "name": player.name}
    tell_umpire(club, f"resigned:{row.id}:{act.number}", "resigned", values, *row.turn_key)


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


def absent(club: Club, case: Case, question: Question) -> Answers:
    """Keep on which days a player is away."""
    row, player, days = case.game, case.player, parse_days(question.value)
    today = club.now.astimezone(ZoneInfo(player.zone)).date()
    if days is None or days[1] < days[0]:
        return answer("absent", "wrong", value=question.value)
    since, until = days
    if until < today:
        return answer("absent", "past", until=until)
    if until - max(since, today) > LONGEST_ABSENCE:
        return answer("absent", "long", days=LONGEST_ABSENCE.days)
    away = AbsenceRow(game=player.game, player=player.code, since=f"{since}", until=f"{until}", told_at=club.now)
    values = {"player": player.code, "since": since, "until": until, "back": False}
    key = f"absent:{row.id}:{player.code}:{since}:{until}:{club.now:%F}"
    tell_umpire(club, key, "absent", values, *row.turn_key)
    insert(club, away)
    return answer("absent", "kept", since=since, until=until, days=rhythm_of(club.config, row).absence)


def present(club: Club, case: Case, _: Question) -> Answers:
    """A player is back before the last of those days."""
    row, player = case.game, case.player
    if not orders.end_absences(club, player.game, player.code, club.now):
        return answer("absent", "none")
    key = f"present:{row.id}:{player.code}:{club.now:%F}"
    tell_umpire(club, key, "absent", {"player": player.code, "back": True}, *row.turn_key)
    return answer("absent", "back")


def stand_by(club: Club, case: Case, _: Question) -> Answers:
    """Put a player on the club's list of stand-bys, for games in which they do not play."""
    player = case.player
    if any(each.address.lower() == player.address.lower() for each in orders.standbys(club)):
        return answer("standby", "already")
    known = next(each for each in games.seats_of(club, player.address) if each.game == player.game)
    row = StandbyRow(
        name=known.name, address=player.address, zone=player.zone, language=player.language, since=club.now
    )
    values = {"name": known.name, "ended": False}
    tell_umpire(club, f"standby:{player.address.lower()}:{club.now:%F}", "standby", values)
    orders.add_standby(club, row)
    return answer("standby", "listed")


def resign_for_good(club: Club, case: Case, _: Question) -> Answers:
    """Let a player leave the seat, once."""
    player = case.player
    row = games.seat(club, player.game, player.code)
    if not row or row.resigned_at is not None:
        return answer("resign", "gone")
    resign(club, case.position, player)
    return answer("resign", "done")
