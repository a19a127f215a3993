"""What a letter is answered with, and what the umpire is told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from referee.mail.message import Letter
from referee.service.club import Club
from referee.service.collect import LIMIT
from referee.service.identify import Found
from referee.service.reading import Filing, Understanding, is_in
from referee.service.writing import Occasion, render, to_player, to_umpire
from referee.store import outbox
from referee.store.orders import counts_as_in, on_file
from referee.store.rows import LetterRow, OrderSet, OutboxRow


def acknowledgement(
    club: Club, row: LetterRow, letter: Letter, found: Found, read: Understanding, done: Filing, arrived: datetime
) -> OutboxRow:
    """Return the answer to a letter that was understood, at least in part."""
    values = acknowledgement_values(club, letter, found, read, done, arrived)
    rendered = render(club, "acknowledgement", found.position, found.player, values)
    return to_player(club, found.position, found.player, rendered, _answer(row, letter, "acknowledgement", found))


def acknowledgement_values(
    club: Club, letter: Letter, found: Found, read: Understanding, done: Filing, arrived: datetime
) -> dict[str, Any]:
    """Return what ``acknowledgement.txt.j2`` is told."""
    position, player = found.position, found.player
    runs = done.runs(player.code)
    confirmed = "nothing" if done.nothing_to_confirm else "done" if done.confirms else ""
    return {
        "turn": position.row.turn,
        "deadline": position.row.deadline,
        "grace": club.config.grace,
        "arrived": arrived,
        "forecast": read.forecast if done.adds is not None else None,
        "lines": read.forecast.lines,
        "complaints": read.complaints,
        "clean": read.is_clean,
        "unread": read.reading.unread,
        "press": read.reading.press,
        "note": read.reading.note,
        "filed": done.adds is not None,
        "passes": read.passes,
        "withdrawn": done.withdraws,
        "cleared": "CLEAR" in read.reading.commands and not read.other_turn,
        "confirmed": confirmed,
        "is_in": is_in(position, done.sets, player.code),
        "running": _running(found, runs, done),
        "faulty_beside": _faulty_beside(done, player.code, runs),
        "seen_by": _seen_by(letter, found),
        "attachments": letter.attachments,
        "problems": letter.problems,
    }


def refusal(club: Club, row: LetterRow, letter: Letter, found: Found, reason: str) -> OutboxRow:
    """Return the answer to a letter that was kept but not taken."""
    values = {
        "reason": reason,
        "turn": found.position.row.turn,
        "deadline": found.position.row.deadline,
        "grace": club.config.grace,
        "finished": found.position.row.status != "running",
        "named": found.named,
        "choices": found.choices,
        "letter_subject": letter.subject,
        "limit": LIMIT // 1_000_000,
    }
    rendered = render(club, "rejected", found.position, found.player, values)
    return to_player(club, found.position, found.player, rendered, _answer(row, letter, "rejected", found))


def told_umpire(
    club: Club, key: str, kind: str, values: Mapping[str, Any], game: str | None = None, turn: int | None = None
) -> None:
    """Put a letter to the umpire into the outbox, where one wants letters, once for each *key*. Inside a transaction."""
    occasion = Occasion(key=f"umpire:{key}", kind=kind, turn=turn)
    row = to_umpire(club, occasion, values, game)
    if row is not None:
        outbox.put(club.db, row)


def lines_of(found: Found, row: OrderSet) -> tuple[str, ...]:
    """Return a filed set in canonical form."""
    rules = found.position.rules
    orders = rules.decode(row.orders, found.position.setup)
    return rules.forecast(found.position.state, row.player, orders).lines


def _answer(row: LetterRow, letter: Letter, kind: str, found: Found) -> Occasion:
    # One key for whatever kind of answer: no letter is ever answered twice.
    return Occasion(key=f"reply:{row.hash}", kind=kind, turn=found.position.row.turn, letter=row.id, answers=letter)


def _running(found: Found, runs: OrderSet | None, done: Filing) -> dict[str, Any] | None:
    """Return what is told of the set that will run, None if nothing is on file."""
    if runs is None:
        return None
    return {
        "lines": lines_of(found, runs),
        "clean": runs.clean,
        "counts": counts_as_in(runs),
        "arrived": runs.arrived,
        "this_letter": runs is done.adds or runs.id == done.confirms != 0,
    }


def _faulty_beside(done: Filing, player: str, runs: OrderSet | None) -> bool:
    """Return whether a newer set with faults stands beside the one that runs, and waits to be confirmed."""
    filed = on_file(done.sets, player)
    return bool(filed) and filed[-1] is not runs and not counts_as_in(filed[-1])


def _seen_by(letter: Letter, found: Found) -> list[str]:
    """Return the codes of other players to whom the letter went as well."""
    recipients = {address.lower() for address in letter.recipients}
    return [
        each.code
        for each in found.position.players
        if each.code != found.player.code and each.address.lower() in recipients
    ]
