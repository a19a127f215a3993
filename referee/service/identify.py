"""Whose letter is it, and about which game?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.mail.message import Letter
from referee.orderbook import read_text
from referee.service.club import Club, book_of
from referee.service.positions import Position
from referee.store import games
from referee.store.rows import PlayerRow

_TAG = re.compile(r"\[([A-Za-z]{1,6}[0-9]{1,6})\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The game and player a letter is from. ``reason`` is a word of ``rejected.txt.j2`` where the letter cannot be taken:

    ``over``, ``which-game``, ``unknown-game`` (then ``named`` is what was named); the position is one of the player's games.
    """

    position: Position
    player: PlayerRow
    reason: str = ""
    named: str = ""
    choices: tuple[str, ...] = ()


def why_ignored(club: Club, letter: Letter) -> str:
    """Return why a letter is kept without a word to anybody: from a machine, from nobody, from ourselves; "" if it is read."""
    if letter.robot:
        return f"robot: {letter.robot}"
    if not letter.sender:
        return "no sender"
    if letter.sender.lower() == club.config.address.lower():
        return "our own address"
    return "" if games.seats_of(club.db, letter.sender) else "stranger"


def identify(club: Club, letter: Letter, game_id: str = "") -> Found:
    """Return whose letter it is: by *game_id* if given, the ``ORDERS RR7`` line, the tag in the subject, the only running game.

    The sender must hold a seat in some game.
    """
    seats = games.seats_of(club.db, letter.sender)
    positions = [club.positions.of(club.db, games.game(club.db, seat.game)) for seat in seats]
    running = [position for position in positions if position.row.status == "running"]
    asked = game_id or _named(letter, running)
    if asked:
        chosen = [position for position in positions if position.row.id == asked.upper()]
        reason = "" if chosen else "unknown-game"
    else:
        chosen = running if len(running) == 1 else []
        reason = "" if chosen else "which-game" if running else "over"
    position = (chosen or running or positions)[-1]
    if not reason and position.row.status != "running":
        reason = "over"
    player = next(seat for seat in seats if seat.game == position.row.id)
    choices = tuple(each.row.id for each in running)
    return Found(position=position, player=player, reason=reason, named=asked.upper(), choices=choices)


def _named(letter: Letter, running: list[Position]) -> str:
    """Return the game a letter names: in a line of orders, else in its subject; "" if it names none."""
    readings = (_game_in_text(letter.text, position) for position in running)
    tags = _TAG.findall(letter.subject)
    return next(filter(None, readings), "") or (tags[-1] if tags else "")


def _game_in_text(text: str, position: Position) -> str:
    return read_text(text, book_of(position.rules.name), position.rules.lexicon(position.state)).game
