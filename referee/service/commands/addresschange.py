"""A player's new address: he asks for it from the old one, and somebody at each of the two confirms it. Nothing changes before.

A letter with his code may be a rival's to whom he passed it on: who reads at the old address must have said so.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

from referee.core.address import beyond_ascii, typed
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import Tag, is_token, tags_in
from referee.orderbook import read_text
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.commands import addresses
from referee.service.letters.identify import Found, is_own
from referee.service.letters.ownquotes import with_returned_marked
from referee.service.post.codes import MOVE_WAITS, tag_of_move
from referee.service.post.writing import Occasion, player_values, render, somebody, tell_umpire, to_player, to_somebody
from referee.store import addresschanges, games, letters, outbox
from referee.store.addresschanges import AFTER, BEFORE
from referee.store.database.rows import LetterRow, MoveRow, PlayerRow

ASKED_A_DAY = 3  # addresses that one player may have us write to

_WORD = re.compile(r"[^\s<>\"]+@[^\s<>\"]+")
_DAY = timedelta(days=1)


def ask(club: Club, row: LetterRow, found: Found, value: str, *, sure: bool) -> dict[str, Any]:
    """Write to the address that a player wants, and to the one he has; return what he is told. Inside a transaction.

    *sure*: he has said so in answer to a letter about this very one. Whether somebody else has that address is told to nobody.
    """
    word = _WORD.search(value)
    written = word[0].rstrip(".,;:!?") if word else value
    after, player = typed(written), found.player
    told = {"kind": "address", "address": written, "limit": ASKED_A_DAY, "days": MOVE_WAITS.days}
    if not after or is_own(club, after):
        strange = beyond_ascii(written)
        return {**told, "state": "strange" if strange else "wrong", "strange": strange}
    if after.lower() == player.address.lower():
        return {**told, "state": "stays" if addresschanges.forget(club.db, player.game, player.code) else "same"}
    if addresschanges.asked_since(club.db, player.address, club.clock() - _DAY) >= ASKED_A_DAY:
        return {**told, "state": "limit"}
    # With a code alone anybody may have written whom he passed it on to; without codes, or if a mail server speaks, nobody else.
    sure = sure or club.config.identity.policy != "token"
    _write(club, row, found, after, sure)
    return {**told, "state": "asked", "both": not sure}


def confirmed(club: Club, row: LetterRow, letter: Letter) -> bool:
    """Take a letter that confirms a new address, from there or from the old one: with the second of them he has it. Return
    whether it does. Inside a transaction.
    """
    for tag in tags_in(letter.recipients, letter.subject, club.config.address):
        seat = _seat(club, tag)
        move = addresschanges.waiting(club.db, seat.game, seat.code) if seat else None
        side = _side(club, tag, seat, move, letter) if seat and move else ""
        if seat and move and side and _says_so(club, seat, letter, side):
            _agree(club, row, letter, seat, move, side)
            return True
    return False


def _write(club: Club, row: LetterRow, found: Found, after: str, sure: bool) -> None:
    position, player = found.position, found.player
    move = MoveRow(
        game=player.game,
        player=player.code,
        before=player.address,
        after=after,
        letter=row.id,
        asked_at=club.clock(),
        agreed_before=row.id if sure else None,
    )
    number, turn = addresschanges.ask(club.db, move), position.row.turn
    there = Occasion(key=f"move:{number}:ask", kind="address", turn=turn, tag=tag_of_move(club, player, number, AFTER))
    rendered = render(club, "address", position, somebody(club, player.game, after), _values("asked", player, move))
    outbox.put(club.db, to_somebody(club, position, after, rendered, there))
    tag = None if sure else tag_of_move(club, player, number, BEFORE)
    here = Occasion(key=f"move:{number}:told", kind="address", turn=turn, tag=tag)
    rendered = render(club, "address", position, player, _values("told", player, move))
    outbox.put(club.db, to_player(club, position, player, rendered, here))


def _values(state: str, player: PlayerRow, move: MoveRow) -> dict[str, Any]:
    return {
        "state": state,
        "player": player_values(player),
        "before": move.before,
        "after": move.after,
        "both": move.agreed_before is None,
        "days": MOVE_WAITS.days,
    }


def _seat(club: Club, tag: Tag) -> PlayerRow | None:
    seats = games.players(club.db, tag.game)
    return next((each for each in seats if each.code.upper() == tag.player), None)


def _side(club: Club, tag: Tag, seat: PlayerRow, move: MoveRow, letter: Letter) -> str:
    """Return the side of a move that may still be made from which a letter comes, with the tag given out there; "" if none."""
    if move.before.lower() != seat.address.lower() or move.asked_at + MOVE_WAITS <= club.clock():
        return ""
    sides = {BEFORE: move.before, AFTER: move.after}
    own = (side for side, address in sides.items() if address.lower() == letter.sender.lower())
    return next((side for side in own if is_token(tag.token, tag_of_move(club, seat, move.id, side).token)), "")


def _says_so(club: Club, seat: PlayerRow, letter: Letter, side: str) -> bool:
    """Return whether a person has answered: a machine sends the code back too, but not the word. A player's word beside anything
    else means orders of his.
    """
    book = club.positions.books.of(games.game(club.db, seat.game).kind)
    said = read_text(with_returned_marked(club, letter).text, book, ())
    alone = said.commands == ("CONFIRM",) and not (said.phrases or said.complaints or replace(said, commands=()).speaks)
    return alone or (side == AFTER and "CONFIRM" in said.commands)


def _agree(club: Club, row: LetterRow, letter: Letter, seat: PlayerRow, move: MoveRow, side: str) -> None:
    addresschanges.agree(club.db, move.id, side, row.id)
    first = (move.agreed_after if side == BEFORE else move.agreed_before) is None
    reason = "address confirmed by one side" if first else "address confirmed"
    letters.finish(club.db, row.id, "done", club.clock(), reason, seat.game, seat.code)
    position = club.positions.of(club.db, games.game(club.db, seat.game))
    answer = Occasion(key=f"reply:{row.hash}", kind="address", turn=position.row.turn, letter=row.id, answers=letter)
    if not first:
        _move(club, row, position, seat, move, answer, side)
    elif letter.answerable and (move.agreed_before if side == BEFORE else move.agreed_after) is None:
        _ask_other(club, position, seat, move, answer, side)


def _ask_other(club: Club, position: Position, seat: PlayerRow, move: MoveRow, answer: Occasion, side: str) -> None:
    """Tell the side that has confirmed a move first that the other one must."""
    values = {**_values("half", seat, move), "side": side}
    if side == BEFORE:
        outbox.put(club.db, to_player(club, position, seat, render(club, "address", position, seat, values), answer))
    else:
        rendered = render(club, "address", position, somebody(club, seat.game, move.after), values)
        outbox.put(club.db, to_somebody(club, position, move.after, rendered, answer))


def _move(
    club: Club, row: LetterRow, position: Position, seat: PlayerRow, move: MoveRow, answer: Occasion, side: str
) -> None:
    addresschanges.confirm(club.db, move.id, row.id, club.clock())
    notice = replace(answer, key=f"move:{move.id}:done", letter=None, answers=None)
    there, here = (answer, notice) if side == AFTER else (notice, answer)
    addresses.move(club, position, seat, move.after, there, here, by_umpire=False)
    values = {"player": seat.code, "before": move.before, "after": move.after}
    tell_umpire(club, f"moved:{move.id}", "moved", values, seat.game, position.row.turn)
