"""A player's new address: he asks for it from the old one, and somebody at the new one confirms it. Nothing changes before."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from referee.mail.identity import canonical, is_address
from referee.mail.message import Letter
from referee.mail.tokens import Tag, is_token, tags_in
from referee.orderbook import read_text
from referee.service.answers import told_umpire
from referee.service.club import Club, book_of
from referee.service.codes import tag_of_move
from referee.service.identify import Found, is_own
from referee.service.positions import Position
from referee.service.writing import Occasion, player_values, render, somebody, to_player, to_somebody
from referee.store import games, letters, moves, outbox
from referee.store.rows import LetterRow, LogRow, MoveRow, PlayerRow

ASKED_A_DAY = 3  # addresses that one player may have us write to
WAITS = timedelta(days=14)

_WORD = re.compile(r"[^\s<>\"]+@[^\s<>\"]+")
_DAY = timedelta(days=1)


def ask(club: Club, row: LetterRow, found: Found, value: str) -> dict[str, Any]:
    """Write to the address that a player wants, and to the one he has; return what he is told. Inside a transaction.

    Whether somebody else has that address is told to nobody.
    """
    word = _WORD.search(value)
    after = canonical(word[0].rstrip(".,;:!?")) if word else ""
    told = {"kind": "address", "address": after or value, "limit": ASKED_A_DAY, "days": WAITS.days}
    player = found.player
    if not is_address(after) or is_own(club, after):
        return {**told, "state": "wrong"}
    if after.lower() == player.address.lower():
        return {**told, "state": "stays" if moves.forget(club.db, player.game, player.code) else "same"}
    if moves.asked_since(club.db, player.address, club.clock() - _DAY) >= ASKED_A_DAY:
        return {**told, "state": "limit"}
    _write(club, row, found, after)
    return {**told, "state": "asked"}


def confirmed(club: Club, row: LetterRow, letter: Letter) -> bool:
    """Give a player his new address if a letter from there confirms it; return whether it did. Inside a transaction."""
    for tag in tags_in(letter.recipients, letter.subject, club.config.address):
        seat = _seat(club, tag)
        move = moves.waiting(club.db, seat.game, seat.code) if seat else None
        if seat and move and _is_for(club, tag, seat, move, letter) and _says_so(club, seat, letter):
            _move(club, row, letter, seat, move)
            return True
    return False


def _write(club: Club, row: LetterRow, found: Found, after: str) -> None:
    position, player = found.position, found.player
    move = MoveRow(
        game=player.game,
        player=player.code,
        before=player.address,
        after=after,
        letter=row.id,
        asked_at=club.clock(),
    )
    number = moves.ask(club.db, move)
    there = Occasion(
        key=f"move:{number}:ask", kind="address", turn=position.row.turn, tag=tag_of_move(club, player, number)
    )
    reader = somebody(club, player.game, after)
    rendered = render(club, "address", position, reader, _values("asked", player, after))
    outbox.put(club.db, to_somebody(club, position, after, rendered, there))
    here = Occasion(key=f"move:{number}:told", kind="address", turn=position.row.turn)
    rendered = render(club, "address", position, player, _values("told", player, after))
    outbox.put(club.db, to_player(club, position, player, rendered, here))


def _values(state: str, player: PlayerRow, after: str) -> dict[str, Any]:
    return {
        "state": state,
        "player": player_values(player),
        "before": player.address,
        "after": after,
        "days": WAITS.days,
    }


def _seat(club: Club, tag: Tag) -> PlayerRow | None:
    seats = games.players(club.db, tag.game)
    return next((each for each in seats if each.code.upper() == tag.player), None)


def _is_for(club: Club, tag: Tag, seat: PlayerRow, move: MoveRow, letter: Letter) -> bool:
    """Return whether a tag is the one given out for a move that may still be made, and comes from the right place."""
    return (
        move.after.lower() == letter.sender.lower()
        and move.before.lower() == seat.address.lower()
        and move.asked_at + WAITS > club.clock()
        and is_token(tag.token, tag_of_move(club, seat, move.id).token)
    )


def _says_so(club: Club, seat: PlayerRow, letter: Letter) -> bool:
    """Return whether a person has answered: a machine sends the code back too, but not the word."""
    book = book_of(games.game(club.db, seat.game).kind)
    return "CONFIRM" in read_text(letter.text, book, ()).commands


def _move(club: Club, row: LetterRow, letter: Letter, seat: PlayerRow, move: MoveRow) -> None:
    now = club.clock()
    moves.confirm(club.db, move.id, row.id, now)
    moves.move(club.db, move.before, move.after)
    position = club.positions.of(club.db, games.game(club.db, seat.game))
    text = f"{seat.code}: letter {row.id}"
    outbox.log(club.db, LogRow(at=now, game=seat.game, turn=position.row.turn, what="address-changed", text=text))
    letters.finish(club.db, row.id, "done", now, "address confirmed", seat.game, seat.code)
    _tell(club, row, letter, position, position.player(seat.code), move)
    values = {"player": seat.code, "before": move.before, "after": move.after}
    told_umpire(club, f"moved:{move.id}", "moved", values, seat.game, position.row.turn)


def _tell(club: Club, row: LetterRow, letter: Letter, position: Position, player: PlayerRow, move: MoveRow) -> None:
    turn = position.row.turn
    rendered = render(club, "address", position, player, _values("moved", player, move.after))
    answer = Occasion(key=f"reply:{row.hash}", kind="address", turn=turn, letter=row.id, answers=letter)
    outbox.put(club.db, to_player(club, position, player, rendered, answer))
    rendered = render(club, "address", position, player, _values("left", player, move.after))
    there = Occasion(key=f"move:{move.id}:left", kind="address", turn=turn)
    outbox.put(club.db, to_somebody(club, position, move.before, rendered, there))
