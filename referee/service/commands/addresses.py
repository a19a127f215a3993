"""A player's address: what the umpire sees of it and does about it, and what follows when there is another one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Any

from referee.config import address_fault
from referee.core import ConfigError, beyond_ascii, from_typed, mailbox
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import Tag, is_token
from referee.orderbook import Question
from referee.store import Fate, MoveRow, PlayerRow, codes, games, move_facts_of_reader, transaction
from referee.store.codes import AFTER, BEFORE

from ..club import Club
from ..letters.identify import is_own
from ..letters.interpretation import Answers, Case, Verdict, answer, reading_for
from ..positions import Position
from ..post.codes import MOVE_WAITS, are_used, tag_of_move, tag_of_turn
from ..post.writing import (
    Occasion,
    answer_to,
    player_values,
    put_letter,
    somebody,
    tell_player,
    tell_umpire,
)
from ..umpires import log_act

# What the umpire sees and does about a player's code.


def code_of(club: Club, game_id: str, code: str, *, renewed: bool = False) -> Tag:
    """Return what a player's answers carry now; *renewed*: all codes given to the player until now are void, and a new one
    is sent.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: no codes are used, or the game is over for which one is to be renewed.
    """
    if not are_used(club):
        raise ConfigError('identity.policy is "address": players are known by their address alone, no codes are used')
    position, player = seat_of(club, game_id, code)
    row = position.row
    if renewed:
        if row.is_over:
            raise ConfigError(f"{row.id} is over: nobody needs a code for it any more")
        with transaction(club):
            codes.renew(club, row.id, player.code)
            club.log("code-renewed", player.code, *row.turn_key)
            log_act(club, row, "code", {"player": player.code})
            send_code(club, position, player)
    return tag_of_turn(club, player, row.turn)


def send_code(club: Club, position: Position, player: PlayerRow, *, moved: bool = False) -> None:
    """Send a player the code that they were given anew; *moved*: because they have another address. Inside a transaction."""
    row, number = position.row, codes.epoch(club, player.game, player.code)
    tell_player(club, position, player, "newcode", {"moved": moved}, f"newcode:{row.id}:{player.code}:{number}")


def seat_of(club: Club, game_id: str, code: str) -> tuple[Position, PlayerRow]:
    """Return a game and one of its players. Raises NotFound: there is no such game or player."""
    position = club.position(game_id)
    return position, position.player(code)


def give_address(club: Club, game_id: str, code: str, text: str) -> str:
    """Have letters to a player go to another address in all their games, and return it. The umpire wants it: nobody need
    confirm it, both addresses are told.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: no letters can be sent there, or it is another player's in one of these games.
    """
    after = from_typed(text)
    with transaction(club):
        position, player = seat_of(club, game_id, code)
        fault = address_fault(text, "ann@example.org") or fault_at(club, after, games.seats_of(club, player.address))
        if fault:
            raise ConfigError(f"player {player.code}: {fault}")
        if after.lower() == player.address.lower():
            return player.address
        key = f"given:{player.game}:{player.code}:{codes.epoch(club, player.game, player.code) + 1}"
        there, here = (Occasion(f"{key}:{side}", "address", turn=position.row.turn) for side in ("new", "old"))
        _move(club, position, player, after, there, here, by_umpire=True)
    return after


def _move(
    club: Club, position: Position, player: PlayerRow, after: str, there: Occasion, here: Occasion, *, by_umpire: bool
) -> None:
    """Give every seat that is held from a player's address another one, and new codes: whoever reads at the old one has those of
    before. Both addresses are told, the new one *there*, the old one *here*. Inside a transaction.
    """
    seats = games.seats_of(club, player.address)
    for seat in seats:
        codes.void_move(club, seat.game, seat.code)
        codes.renew(club, seat.game, seat.code)
        club.log("address-changed", seat.code, seat.game)
        if by_umpire:
            log_act(club, games.game(club, seat.game), "address", {"player": seat.code})
    codes.move_seats(club, player.address, after)
    move_facts_of_reader(club, player.address, after)
    values = {"player": player_values(player), "by_umpire": by_umpire}
    put_letter(club, position, player.but(address=after), "address", {**values, "state": "moved"}, there)
    put_letter(club, position, player.but(code=""), "address", {**values, "state": "left"}, here)
    if are_used(club):
        for seat in [each for each in seats if (each.game, each.code) != (player.game, player.code)]:
            position = club.position(seat.game)
            if not position.row.is_over:
                send_code(club, position, position.player(seat.code), moved=True)


def fault_at(club: Club, after: str, seats: Iterable[PlayerRow]) -> str:
    """Return why whoever has these seats cannot be at an address, "" if they can."""
    if is_own(club, after):
        return f"{after} is the referee's own address: a player needs another"
    for seat in seats:
        others = (each for each in games.players(club, seat.game) if each.code != seat.code)
        rival = next((each.code for each in others if mailbox(each.address) == mailbox(after)), "")
        if rival:
            return f"{after} is the address of {rival} in {seat.game}"
    return ""


# A player's new address: the player asks for it from the old one, and somebody at each of the two confirms it. Nothing
# changes before.
#
# A letter with the player's code may be a rival's to whom it was passed on: who reads at the old address must have said so.

ASKED_A_DAY = 3  # addresses that one player may have us write to

_WORD = re.compile(r"[^\s<>\"]+@[^\s<>\"]+")


def address(club: Club, case: Case, question: Question) -> Answers:
    """Write to the address that a player wants, and to the present one. Whether somebody else has it is told to nobody."""
    row, word = case.row, _WORD.search(question.value)
    written = word[0].rstrip(".,;:!?") if word else question.value
    after, player = from_typed(written), case.player
    answered = partial(answer, "address", address=written, limit=ASKED_A_DAY, days=MOVE_WAITS.days)
    if not after or is_own(club, after):
        strange = beyond_ascii(written)
        return answered("strange" if strange else "wrong", strange=strange)
    if after.lower() == player.address.lower():
        waited = codes.void_move(club, player.game, player.code)
        return answered("stays" if waited else "same")
    if codes.moves_asked(club, player.address, club.day_ago) >= ASKED_A_DAY:
        return answered("limit")
    # With a code alone anybody may have written who was given it; without codes, or if a mail server speaks, nobody else.
    sure = case.read_back or club.config.identity.policy != "token"
    move = MoveRow(
        game=player.game,
        player=player.code,
        before=player.address,
        after=after,
        letter=row.id,
        asked_at=club.now,
        agreed_before=row.id if sure else None,
    )
    move = move.but(id=codes.ask_move(club, move))
    there, key = somebody(club, player.game, after), f"move:{move.id}"
    tag, own = tag_of_move(club, player, move.id, AFTER), None if sure else tag_of_move(club, player, move.id, BEFORE)
    tell_player(club, case.position, there, "address", _values("asked", player, move), f"{key}:ask", tag=tag)
    tell_player(club, case.position, player, "address", _values("told", player, move), f"{key}:told", tag=own)
    return answered("asked", both=not sure)


def confirm_address(club: Club, case: Case, tag: Tag) -> Verdict | None:
    """Return the verdict on a letter that confirms a new address, from there or from the old one: with the second of them the
    player has it.
    """
    row, letter = case.row, case.letter
    move = codes.waiting_move(club, tag.game, tag.player)
    seat = games.seat(club, tag.game, tag.player) if move else None
    side = _side(club, tag, seat, move, letter) if seat and move else ""
    if not (seat and move and side and _says_so(club, seat, letter, side)):
        return None
    agreed = (move.agreed_before, move.agreed_after)
    own, other = agreed if side == BEFORE else agreed[::-1]
    position = club.position(seat.game)
    codes.agree_move(club, move.id, side, row.id)
    answer = answer_to(row, letter, "address", position.row.turn)
    if other is not None:
        codes.confirm_move(club, row.id, club.now, move.id)
        notice = answer.but(key=f"move:{move.id}:done", letter=None, answers=None)
        there, here = (answer, notice) if side == AFTER else (notice, answer)
        _move(club, position, seat, move.after, there, here, by_umpire=False)
        values = {"player": seat.code, "before": move.before, "after": move.after}
        tell_umpire(club, f"moved:{move.id}", "moved", values, seat.game, position.row.turn)
        return Verdict(Fate.ADDRESS, game=seat.game, player=seat.code)
    if letter.answerable and own is None:  # the side that has confirmed first is told that the other one must
        reader = seat if side == BEFORE else somebody(club, seat.game, move.after)
        put_letter(club, position, reader, "address", {**_values("half", seat, move), "side": side}, answer)
    return Verdict(Fate.ADDRESS_HALF, game=seat.game, player=seat.code)


def _values(state: str, player: PlayerRow, move: MoveRow) -> dict[str, Any]:
    return {
        "state": state,
        "player": player_values(player),
        "before": move.before,
        "after": move.after,
        "both": move.agreed_before is None,
        "days": MOVE_WAITS.days,
    }


def _side(club: Club, tag: Tag, seat: PlayerRow, move: MoveRow, letter: Letter) -> str:
    """Return the side of a move that may still be made from which a letter comes, with the tag given out there; "" if none."""
    if move.before.lower() != seat.address.lower() or move.asked_at + MOVE_WAITS <= club.now:
        return ""
    sides = {BEFORE: move.before, AFTER: move.after}
    own = (side for side, address in sides.items() if mailbox(address) == mailbox(letter.sender))
    return next((side for side in own if is_token(tag.token, tag_of_move(club, seat, move.id, side).token)), "")


def _says_so(club: Club, seat: PlayerRow, letter: Letter, side: str) -> bool:
    """Return whether a person has answered: a machine sends the code back too, but not the word. A player's word beside anything
    else means the player's orders.
    """
    said = reading_for(club, letter, games.game(club, seat.game).kind)
    alone = said.commands == ("CONFIRM",) and not (said.phrases or said.complaints or said.but(commands=()).speaks)
    return alone or (side == AFTER and "CONFIRM" in said.commands)
