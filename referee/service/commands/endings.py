"""A game that ends before its last turn: by the umpire, or because all people who play it agree, each by a letter."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from referee.core.values import Value
from referee.orderbook import Question
from referee.service.club.club import Club
from referee.service.club.duetimes import rhythm_of, statements_time
from referee.service.club.positions import Position
from referee.service.club.umpires import REFEREE, log_act
from referee.service.letters.identify import Found
from referee.service.letters.verdict import Deed, Effect, Voted
from referee.service.post.observers import tell_observers
from referee.service.post.readers import is_built_in
from referee.service.post.writing import player_values, tell_player, tell_umpire
from referee.store import games
from referee.store.database.connection import Database
from referee.store.games import acts

END, REOPEN, PROPOSE, AGREE, DISAGREE = "end", "reopen", "propose", "agree", "disagree"  # kinds of acts
BY_UMPIRE, DRAW, WON, CONCEDED = "umpire", "draw", "won", "conceded"  # how a game ends early


class Ending(Value):
    """How a game ends, or is to end: a word of above; the code of its ``winner``, "" for none; ``by`` whose proposal it was;
    ``agreed``: who has said yes.
    """

    how: str
    winner: str = ""
    by: str = ""
    because: str = ""
    agreed: tuple[str, ...] = ()


def ending_of(db: Database, game: str) -> Ending | None:
    """Return how a game has ended early, None of one that has not, or whose end was taken back."""
    last = next((act for act in reversed(acts(db, game)) if act.kind in (END, REOPEN, "undo")), None)
    if last is None or last.kind != END:
        return None
    return Ending(**{**json.loads(last.parameters), "because": last.reason})


def proposal_of(club: Club, position: Position) -> Ending | None:
    """Return what is proposed for the awaited turn and not dropped, with who has agreed."""
    found: Ending | None = None
    for act in acts(club.db, position.row.id):
        said = json.loads(act.parameters)
        if act.kind == PROPOSE and act.turn == position.row.turn:
            found = Ending(**said, agreed=(said["by"],))
        elif act.kind in (DISAGREE, END, REOPEN, "undo"):
            found = None
        elif act.kind == AGREE and found:
            found = Ending(how=found.how, winner=found.winner, by=found.by, agreed=(*found.agreed, said["by"]))
    return found


def people(position: Position) -> tuple[str, ...]:
    """Return who must agree: whoever still plays and is a person."""
    return tuple(each.code for each in position.players if each.resigned_at is None and not is_built_in(each.address))


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


def deed(club: Club, found: Found, question: Question, before: tuple[Effect, ...]) -> Deed:
    """Return what a player's word about the end of the game does, nothing if it is none."""
    verb, position, code = question.verb, found.position, found.player.code
    if verb not in ("PROPOSE END", "PROPOSE WINNER", "CONCEDE", "AGREE", "DISAGREE"):
        return Deed()
    if position.row.status != "running" or any(isinstance(each, Voted) for each in before):
        return _answered("over" if position.row.status != "running" else "twice")
    there, everybody = proposal_of(club, position), people(position)
    if verb in ("AGREE", "DISAGREE"):
        if there is None or code not in everybody:
            return _answered("none")
        if verb == AGREE.upper() and code in there.agreed:
            return _answered("already", waits=_waited(position, there.agreed))
        vote = Voted(position=position, player=found.player, kind=verb.lower())
        return _answered(verb.lower(), vote, waits=_waited(position, (*there.agreed, code)))
    if there is not None:
        return _answered("there", by=there.by)
    how, winner = _proposed(position, verb, code, question.value)
    if how == WON and winner not in amounts(position, position.state):
        return _answered("nobody", value=question.value, codes=[each.code for each in position.players])
    vote = Voted(position=position, player=found.player, kind=PROPOSE, how=how, winner=winner)
    return _answered("proposed", vote, how=how, winner=winner, waits=_waited(position, (code,)))


def vote(club: Club, said: Voted) -> None:
    """Write a player's vote into the log of his game and tell the others; where all people agree the game is over. Inside a
    transaction.
    """
    position, row, by = said.position, said.position.row, said.player.code
    kept = {"by": by} | ({"how": said.how, "winner": said.winner} if said.kind == PROPOSE else {})
    act = log_act(club, row.id, row.turn, said.kind, kept, actor=REFEREE)
    now = proposal_of(club, position)
    if now is not None and not _waited(position, now.agreed):
        return end(club, position, now, REFEREE)
    if said.kind == AGREE:
        return None
    values = {"what": said.kind, "who": player_values(said.player), "turn": row.turn, "deadline": row.deadline, **kept}
    for each in position.players:
        if each.code != by:
            tell_player(club, position, each, "proposal", values, f"proposal:{row.id}:{act.number}:{each.code}")
    return None


def end(club: Club, position: Position, ending: Ending, actor: str = "") -> None:
    """End a game as it stands, and tell everybody. Inside a transaction."""
    row, now = position.row, club.clock()
    kept = {"how": ending.how, "winner": ending.winner, "by": ending.by, "agreed": ending.agreed}
    act = log_act(club, row.id, row.turn, END, kept, ending.because, actor)
    until = statements_time(rhythm_of(club.config, row), now)
    games.advance(club.db, row.id, row.turn, None)
    games.await_statements(club.db, row.id, until)
    real = [player_values(each) for each in games.players(club.db, row.id)]
    standings = amounts(position, position.state)
    _tell(
        club,
        position,
        f"ended:{row.id}:{act.number}",
        {
            **kept,
            "back": False,
            "because": ending.because,
            "standings": sorted(standings.items(), key=lambda each: -each[1]),
            "finished": True,
            "statements_until": until,
            "revealed": real if row.anonymous else [],
        },
    )
    if ending.how != BY_UMPIRE:
        tell_umpire(club, f"ended:{row.id}:{act.number}", "ended", kept, row.id, row.turn)


def reopen(club: Club, position: Position, because: str, deadline: datetime) -> None:
    """Take the early end of a game back: the turn that was awaited is so again. Inside a transaction."""
    row = position.row
    act = log_act(club, row.id, row.turn, REOPEN, {}, because)
    games.advance(club.db, row.id, row.turn, deadline)
    position = club.positions.of(club.db, games.game(club.db, row.id))
    _tell(club, position, f"ended:{row.id}:{act.number}", {"back": True, "because": because, "deadline": deadline})


def _tell(club: Club, position: Position, key: str, values: Mapping[str, Any]) -> None:
    told = {**values, "turn": position.row.turn}
    for each in position.players:
        tell_player(club, position, each, "ended", told, f"{key}:{each.code}")
    tell_observers(club, position, "ended", told, key)


def _proposed(position: Position, verb: str, code: str, value: str) -> tuple[str, str]:
    """Return how the game is to end, and with which winner: he to whom somebody concedes has the most of the others."""
    if verb != "CONCEDE":
        return (DRAW, "") if verb == "PROPOSE END" else (WON, value.strip().upper())
    others = {each: amount for each, amount in amounts(position, position.state).items() if each != code}
    return CONCEDED, max(others, key=lambda each: others[each], default="")


def _waited(position: Position, agreed: tuple[str, ...]) -> list[str]:
    return [code for code in people(position) if code not in agreed]


def _answered(state: str, vote: Voted | None = None, **more: object) -> Deed:
    return Deed(answers=({"kind": "ending", "state": state, **more},), effects=(vote,) if vote else ())
