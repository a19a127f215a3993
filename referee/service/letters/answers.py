"""What a letter is answered with, and what the umpire is told."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from referee.core.game import Forecast
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import without_courtesies
from referee.service.club.club import Club
from referee.service.club.positions import Position, parse_complaints
from referee.service.letters.identify import Found, is_own
from referee.service.letters.interpretation import Filing, Understanding, is_in, understand_letter
from referee.service.letters.limits import answers_in_vain, may_warn
from referee.service.letters.questions import answers, only_asks
from referee.service.post.collect import LIMIT
from referee.service.post.writing import Occasion, render, to_player
from referee.store import games, orders
from referee.store.database.rows import LetterRow, OrderSet, OutboxRow
from referee.store.orders import counts_as_in, on_file, set_to_run


def acknowledgement(
    club: Club,
    row: LetterRow,
    letter: Letter,
    found: Found,
    read: Understanding,
    done: Filing,
    arrived: datetime,
    told: list[dict[str, Any]],
    released: LetterRow | None = None,
) -> OutboxRow:
    """Return the answer to a letter that was understood, at least in part, or that has *released* a held one.

    *told*: what its commands did.
    """
    values = acknowledgement_values(club, letter, found, read, done, arrived)
    values["released"] = released.arrived if released else None
    values["seen"] = values["seen"] and may_warn(club, found)
    values["in_vain"] = answers_in_vain(club, found.player)
    answered = answers(club, found, read, done.sets)
    values["answers"] = [*told, *answered.told]
    rendered = render(club, "acknowledgement", found.position, found.player, values)
    occasion = replace(_answer(row, letter, "acknowledgement", found), attachments=tuple(answered.files))
    return to_player(club, found.position, found.player, rendered, occasion)


def acknowledgement_values(
    club: Club, letter: Letter, found: Found, read: Understanding, done: Filing, arrived: datetime
) -> dict[str, Any]:
    """Return what ``acknowledgement.txt.j2`` is told."""
    position, player = found.position, found.player
    runs = done.runs(player.code)
    known = read.forecast if runs is not None and runs is done.adds else None
    confirmed = next((each for each in done.sets if done.confirms and each.id == done.confirms), None)
    told = forecast_of(position, confirmed) if confirmed else read.forecast if done.adds is not None else None
    return {
        "turn": position.row.turn,
        "deadline": position.row.deadline,
        "grace": club.config.grace,
        "finished": position.row.status != "running",
        "arrived": arrived,
        "released": None,
        "in_vain": 0,
        "answers": [],
        **_said(read, position),
        **_noticed(club, position, letter, read),
        "forecast": told,
        "filed": done.adds is not None,
        "lost": _lost(position, player.code, done),
        "withdrawn": done.withdraws,
        "confirmed": "nothing" if done.nothing_to_confirm else "done" if confirmed else "",
        "confirmed_at": confirmed.arrived if confirmed else None,
        "confirmed_complaints": parse_complaints(confirmed.complaints) if confirmed else (),
        "is_in": is_in(position, done.sets, player.code),
        "may_order": position.may_order(player.code),
        "running": {**running(position, runs, known), "this_letter": _is_this_letters(runs, done)} if runs else None,
        "beside": _beside(done, player.code, runs),
    }


def refusal(club: Club, row: LetterRow, letter: Letter, found: Found, reason: str) -> OutboxRow:
    """Return the answer to a letter that was kept but not taken."""
    is_read = reason in ("empty", "two-versions")
    read = understand_letter(found.position, found.player.code, letter) if is_read else None
    values = {
        "reason": reason,
        "turn": found.position.row.turn,
        "deadline": found.position.row.deadline,
        "grace": club.config.grace,
        "finished": found.position.row.status != "running",
        "blank": not letter.text.strip(),
        "quoted": read.reading.quoted if read else 0,
        "on_file": _on_file(club, found, reason),
        "versions": [_version(each) for each in read.versions] if read else [],
        "named": found.named,
        "choices": found.choices,
        "letter_subject": without_tokens(letter.subject),
        "limit": LIMIT // 1_000_000,
        "in_vain": answers_in_vain(club, found.player),
    }
    rendered = render(club, "rejected", found.position, found.player, values)
    # With a code the answer to it would be about one game, whatever its player then means.
    occasion = replace(_answer(row, letter, "rejected", found), coded=reason != "which-game")
    return to_player(club, found.position, found.player, rendered, occasion)


def _said(read: Understanding, position: Position) -> dict[str, Any]:
    """Return what an acknowledgement is told of a letter's words."""
    return {
        "asks": only_asks(read) or (bool(read.tried) and not read.gives_orders),
        "lines": read.forecast.lines,
        "complaints": read.complaints,
        "clean": read.is_clean,
        "passes": read.passes,
        "cleared": "CLEAR" in read.reading.commands and not read.other_turn,
        "press": read.reading.press,
        "note": read.reading.note,
        "salt": "" if position.begun else read.reading.salt,
    }


def _noticed(club: Club, position: Position, letter: Letter, read: Understanding) -> dict[str, Any]:
    """Return what an acknowledgement is told of how a letter came, and of what in it was left out."""
    return {
        "unread": tuple(without_courtesies(read.reading.unread, position.book)),
        "more_unread": read.reading.more_unread,
        "below": read.reading.below,
        "quoted": read.reading.quoted,
        "seen": _is_seen(club, letter),
        "attachments": letter.attachments,
        "problems": letter.problems,
        "enclosed": read.enclosed or "from-attachment" in letter.problems,
    }


def _version(read: Understanding) -> dict[str, Any]:
    """Return what one of the texts of a letter says, where they differ."""
    return {
        "forecast": read.forecast if read.orders else None,
        "commands": read.reading.commands,
        "complaints": read.complaints,
    }


def forecast_of(position: Position, row: OrderSet) -> Forecast:
    """Return what a filed set would do on today's board."""
    rules = position.rules
    return rules.forecast(position.state, row.player, rules.decode(row.orders, position.setup))


def _answer(row: LetterRow, letter: Letter, kind: str, found: Found) -> Occasion:
    # One key for whatever kind of answer: no letter is ever answered twice.
    return Occasion(key=f"reply:{row.hash}", kind=kind, turn=found.position.row.turn, letter=row.id, answers=letter)


def running(position: Position, row: OrderSet, known: Forecast | None = None) -> dict[str, Any]:
    """Return what is told of the set that will run; *known* is what it would do, if that was reckoned before."""
    return {
        "lines": (known or forecast_of(position, row)).lines,
        "clean": row.clean,
        "counts": counts_as_in(row),
        "arrived": row.arrived,
        "complaints": parse_complaints(row.complaints),
    }


def _is_this_letters(runs: OrderSet, done: Filing) -> bool:
    return runs is done.adds or runs.id == done.confirms != 0


def _on_file(club: Club, found: Found, reason: str) -> list[dict[str, Any]]:
    """Return of each running game that a letter may mean what its player has on file, and until when he may write."""
    games_meant = found.choices if reason in ("which-game", "unknown-game") else (found.position.row.id,)
    told = []
    for game in games_meant:
        position = club.positions.of(club.db, games.game(club.db, game))
        if position.row.status != "running":
            continue
        player = next(each for each in position.players if each.address.lower() == found.player.address.lower())
        runs = set_to_run(orders.sets(club.db, game, position.row.turn), player.code)
        told.append(
            {
                "game": game,
                "turn": position.row.turn,
                "deadline": position.row.deadline,
                "asked": list(position.asked),
                "may_order": position.may_order(player.code),
                "running": running(position, runs) if runs else None,
            }
        )
    return told


def _lost(position: Position, player: str, done: Filing) -> tuple[str, ...]:
    """Return the orders that would have run and that the new ones have no line for: a letter replaces all."""
    if done.adds is None or done.runs(player) is not done.adds:
        return ()
    before = set_to_run((each for each in done.sets if each is not done.adds), player)
    old = forecast_of(position, before).lines if before else ()
    new = {_label(line) for line in forecast_of(position, done.adds).lines}
    return tuple(line for line in old if _label(line) not in new)


def _label(line: str) -> str:
    """Return what an order is about, from its canonical form: ``1a)``, ``RUN 7``, ``HOME``."""
    return (
        " ".join(line.partition(":")[0].split()[: 2 if line[:1].isalpha() else 1]) if ":" in line else line.split()[0]
    )


def _beside(done: Filing, player: str, runs: OrderSet | None) -> dict[str, Any] | None:
    """Return what is told of the newest set if it waits to be confirmed and does not run; its complaints unless just told."""
    newest = next(reversed(on_file(done.sets, player)), None)
    if newest is None or newest is runs or counts_as_in(newest):
        return None
    complaints = () if newest is done.adds else parse_complaints(newest.complaints)
    return {"complaints": complaints, "held": newest.held, "arrived": newest.arrived}


def _is_seen(club: Club, letter: Letter) -> bool:
    """Return whether a letter went to others as well, whoever they are: an answer that tells a rival's address apart from any
    other would give it away.
    """
    return any(each.lower() != letter.sender.lower() and not is_own(club, each) for each in letter.addressed)
