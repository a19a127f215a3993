"""What players write to some others alone or to the umpire, and what nobody signs. Public press waits for the newsletter
(``orders.press``).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from referee.core.orders import Complaint
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import PrivatePress
from referee.orderbook.language.names import fold
from referee.service.club.club import Club
from referee.service.letters.identify import Found
from referee.service.letters.interpretation import Understanding
from referee.service.post.writing import Occasion, player_values, render, tell_umpire, to_player
from referee.store import orders, outbox
from referee.store.database.rows import LetterRow, PlayerRow, PressRow

LETTERS_A_DAY = 20  # of private press, by one player of a game
NOTES_A_DAY = 8  # that are mailed to the umpire, by one player of a game

_LONG = {
    "press": "warning-long-press",
    "unsigned": "warning-long-unsigned",
    "private": "warning-long-private",
    "note": "warning-long-note",
}
_UNMAILED = {"kind": "note", "limit": NOTES_A_DAY}
_DAY = timedelta(days=1)


def pass_on(club: Club, row: LetterRow, found: Found, read: Understanding, arrived: datetime) -> list[dict[str, Any]]:
    """Send private press to those it names and a note to the umpire, and keep what is unsigned for the newsletter; return what
    is told of that. Inside a transaction.
    """
    said = read.reading
    told = [_sent(club, row, found, each, number, arrived) for number, each in enumerate(said.private)]
    told += [_kept(club, row, found, said.unsigned, arrived)] if said.unsigned else []
    return told if not said.note or _mailed(club, row, found, said.note, arrived) else [*told, _UNMAILED]


def without_long_texts(club: Club, read: Understanding) -> Understanding:
    """Return what a letter says less those of its texts that are longer than ``press_limit``, each with a complaint instead."""
    said, most = read.reading, club.config.press_limit
    texts = {"press": said.press, "unsigned": said.unsigned, "note": said.note}
    long = {kind: _too_long(kind, text, most) for kind, text in texts.items() if len(text) > most}
    private = [each for each in said.private if len(each.text) > most]
    if not long and not private:
        return read
    kept = replace(
        said,
        press="" if "press" in long else said.press,
        unsigned="" if "unsigned" in long else said.unsigned,
        note="" if "note" in long else said.note,
        private=tuple(each for each in said.private if each not in private),
    )
    told = [*long.values(), *(_too_long("private", each.text, most, each.to) for each in private)]
    return replace(read, reading=kept, complaints=(*read.complaints, *told))


def _sent(
    club: Club, row: LetterRow, found: Found, press: PrivatePress, number: int, arrived: datetime
) -> dict[str, Any]:
    seats = [_named(found, name) for name in press.to]
    unknown = [name for name, seat in zip(press.to, seats, strict=True) if seat is None]
    readers = [seat for seat in dict.fromkeys(seats) if seat is not None and seat.code != found.player.code]
    told = {"kind": "private", "to": [each.code for each in readers], "text": without_tokens(press.text)}
    if unknown or not readers:
        others = [each.code for each in found.position.players if each.code != found.player.code]
        return {**told, "state": "unknown", "names": unknown or list(press.to), "others": others}
    game, player = found.position.row.id, found.player.code
    before = orders.private_since(club.db, game, player, club.clock() - _DAY)
    if before + len(readers) > LETTERS_A_DAY:
        return {**told, "state": "limit", "limit": LETTERS_A_DAY}
    codes = ",".join(each.code for each in readers)
    orders.keep_text(club.db, _row(row, found, "private", press.text, arrived, codes))
    for reader in readers:
        _put(club, row, found, reader, told, number)
    return {**told, "state": "sent"}


def _too_long(kind: str, text: str, most: int, to: tuple[str, ...] = ()) -> Complaint:
    params = (("length", len(text)), ("most", most), ("names", ", ".join(to)))
    return Complaint(code=_LONG[kind], params=params)


def _put(club: Club, row: LetterRow, found: Found, reader: PlayerRow, told: dict[str, Any], number: int) -> None:
    position = found.position
    values = {"writer": player_values(found.player), "to": told["to"], "text": told["text"], "turn": position.row.turn}
    key = f"press:{row.hash}:{number}:{reader.code}"
    occasion = Occasion(key=key, kind="press", turn=position.row.turn)
    outbox.put(club.db, to_player(club, position, reader, render(club, "press", position, reader, values), occasion))


def _kept(club: Club, row: LetterRow, found: Found, text: str, arrived: datetime) -> dict[str, Any]:
    allowed = club.config.unsigned_press
    if allowed:
        orders.keep_text(club.db, _row(row, found, "unsigned", text, arrived))
    return {"kind": "unsigned", "state": "kept" if allowed else "forbidden", "text": without_tokens(text)}


def _mailed(club: Club, row: LetterRow, found: Found, text: str, arrived: datetime) -> bool:
    """Keep a note; return whether it is mailed to the umpire, who else is told once a day that there are more."""
    game, turn, player, now = found.position.row.id, found.position.row.turn, found.player.code, club.clock()
    spent = orders.texts_since(club.db, game, player, "note", now - _DAY) >= NOTES_A_DAY
    note = _row(row, found, "note", text, arrived)
    orders.keep_text(club.db, note)
    if spent:
        values = {"player": player, "limit": NOTES_A_DAY}
        tell_umpire(club, f"notes:{game}:{player}:{now:%Y-%m-%d}", "notes", values, game, turn)
    else:
        values = {"player": player, "note": note.text}
        tell_umpire(club, f"note:{row.hash}", "note", values, game, turn, reply_to=found.player.address)
    return not spent


def _row(row: LetterRow, found: Found, kind: str, text: str, arrived: datetime, readers: str = "") -> PressRow:
    return PressRow(
        game=found.position.row.id,
        turn=found.position.row.turn,
        player=found.player.code,
        letter=row.id,
        kind=kind,
        text=without_tokens(text),
        arrived=arrived,
        readers=readers,
    )


def _named(found: Found, name: str) -> PlayerRow | None:
    """Return the player whom a writer means: by his code, name or company."""
    folded = fold(name)
    for spelt in ("code", "name", "company"):
        for seat in found.position.players:
            if folded and fold(getattr(seat, spelt)) == folded:
                return seat
    return None
