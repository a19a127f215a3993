"""Whose letter is it, and about which game?"""

from __future__ import annotations

import re
from dataclasses import dataclass

from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import Tag, tags_in
from referee.orderbook import read_text
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.store import games
from referee.store.database.rows import PlayerRow

STRANGER = "stranger"

_TAG = re.compile(r"\[([A-Za-z]{1,6}[0-9]{1,6})\]")
_WORD = re.compile(r"(?<![\w-])[A-Za-z]{1,6}[0-9]{1,6}(?![\w-])")


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
    if is_own(club, letter.sender):
        return "our own address"
    return "" if games.seats_of(club.db, letter.sender) else STRANGER


def is_own(club: Club, address: str) -> bool:
    """Return whether letters to *address* come to us: ``referee+anything@...`` is the referee's too."""
    local, _, domain = address.lower().rpartition("@")
    own, _, own_domain = club.config.address.lower().rpartition("@")
    return domain == own_domain and own in (local, local.partition("+")[0])


def identify(club: Club, letter: Letter, game_id: str = "") -> Found:
    """Return whose letter it is: by *game_id* if given, the ``ORDERS RR7`` line, the code in address or subject, the tag in the
    subject, the only running game. Nothing of it is proved.

    The sender must hold a seat in some game.
    """
    seats = games.seats_of(club.db, letter.sender)
    tags = tags_in(letter.recipients, letter.subject, club.config.address)
    positions = [club.positions.of(club.db, games.game(club.db, seat.game)) for seat in seats]
    running = [position for position in positions if position.row.status == "running"]
    asked = game_id or _named(letter, running, tags)
    if asked:
        chosen = [position for position in positions if position.row.id == asked.upper()]
        reason = "" if chosen else "unknown-game"
    else:
        chosen = running if len(running) == 1 else []
        reason = "" if chosen else "which-game" if running else "over"
    position = (chosen or running or positions)[-1]
    if not reason and position.row.status != "running":
        reason = "over"
    held = [seat for seat in seats if seat.game == position.row.id]
    coded = {tag.player for tag in tags if tag.game == position.row.id}
    player = next((seat for seat in held if seat.code.upper() in coded), held[0])
    choices = tuple(each.row.id for each in running)
    return Found(position=position, player=player, reason=reason, named=asked.upper(), choices=choices)


def _named(letter: Letter, running: list[Position], tags: tuple[Tag, ...]) -> str:
    """Return the game a letter names: in a line of orders, else by a code, else in its subject, in brackets or as a word that
    names one alone of the player's running games; "" if it names none.
    """
    readings = (_game_in_text(letter.text, position) for position in running)
    coded = [tag.game for tag in tags]
    own = [game for game in coded if any(position.row.id == game for position in running)]
    plain = _TAG.findall(letter.subject)
    words = {word.upper() for word in _WORD.findall(letter.subject)}
    bare = [position.row.id for position in running if position.row.id in words]
    in_subject = plain[-1:] or (bare if len(bare) == 1 else [])
    return next(filter(None, readings), "") or (own or coded or in_subject or [""])[0]


def _game_in_text(text: str, position: Position) -> str:
    return read_text(text, position.book, position.rules.lexicon(position.state)).game
