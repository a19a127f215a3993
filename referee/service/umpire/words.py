"""The umpire's own words to players, sent at once, and what he and one of them have written to each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from referee.core.errors import NotFound
from referee.core.texts.wording import N_
from referee.core.values import Value
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.club.umpires import Umpire, checked_reason, log_act, umpires_of
from referee.service.post.observers import tell_observers
from referee.service.post.readers import is_built_in
from referee.service.post.writing import Occasion, render, to_player
from referee.store import games, orders, outbox
from referee.store.database.database import transaction
from referee.store.database.rows import PlayerRow, PressRow

WORD, NOTE = "word", "note"  # kinds of what the umpire wrote to a player, and a player to him


class Word(Value):
    """What was written ``at`` a time to a player of a game, or by him."""

    at: datetime
    game: str
    player: str
    by_umpire: bool
    text: str


def write(
    club: Club, game_id: str, codes: Sequence[str], text: str, umpire: Umpire | None = None, *, observers: bool = False
) -> tuple[str, ...]:
    """Mail the umpire's words to players of a game, to all where no *codes* are named, to who watches it too if *observers*;
    return to whom. Words to all stand in the game's log, of others whom they went to. *umpire*: who signs, and has the answers.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: there are no words, or they cannot be printed.
    """
    words = checked_reason(text, needed=True)
    with transaction(club.db):
        position, readers = _readers(club, game_id, codes)
        row, to = position.row, [each.code for each in readers]
        kept = {"players": to, **({"observers": True} if observers else {})}
        act = log_act(club, row.id, row.turn, "write", kept, "" if codes else words)
        values, key = _values(club, position, words, umpire), f"word:{row.id}:{act.number}"
        for each in readers:
            occasion = Occasion(
                key=f"{key}:{each.code}", kind=WORD, turn=row.turn, coded=False, reply_to=str(values["reply_to"])
            )
            outbox.put(club.db, to_player(club, position, each, render(club, WORD, position, each, values), occasion))
            said = PressRow(
                game=row.id, turn=row.turn, player=each.code, letter=None, kind=WORD, text=words, arrived=club.clock()
            )
            orders.keep_text(club.db, said)
        if observers:
            tell_observers(club, position, WORD, values, key)
    return tuple(to)


def shown(club: Club, game_id: str, codes: Sequence[str], text: str, umpire: Umpire | None = None) -> str:
    """Return the letter that ``write`` would mail, as its first reader would have it. Raises as that."""
    words = checked_reason(text, needed=True)
    position, readers = _readers(club, game_id, codes)
    return render(club, WORD, position, readers[0], _values(club, position, words, umpire)).text


def exchanged(club: Club, code: str, game: str = "") -> Iterator[Word]:
    """Yield what the umpires and the players of a code have written to each other, of all games or of one, the first first.
    Raises NotFound: nobody has that code.
    """
    seats = [
        seat
        for row in games.all_games(club.db)
        if game in ("", row.id)
        for seat in games.players(club.db, row.id)
        if seat.code.upper() == code.upper()
    ]
    if not seats:
        raise NotFound(N_("nobody has the code {code} in a game"), code=code.upper())
    told = (each for seat in seats for each in orders.exchanged(club.db, seat.game, seat.code, (WORD, NOTE)))
    for row in sorted(told, key=lambda each: each.arrived):
        yield Word(at=row.arrived, game=row.game, player=row.player, by_umpire=row.kind == WORD, text=row.text)


def _readers(club: Club, game_id: str, codes: Sequence[str]) -> tuple[Position, list[PlayerRow]]:
    position = club.positions.of(club.db, games.game(club.db, game_id))
    named = [position.player(code) for code in codes] or [*position.players]
    people = [each for each in named if not is_built_in(each.address)]
    if not people:
        raise NotFound(N_("no person plays there: nobody was written to"))
    return position, people


def _values(club: Club, position: Position, words: str, umpire: Umpire | None) -> dict[str, object]:
    by = umpire or next(iter(umpires_of(club, position.row.id)), Umpire(address=""))
    return {"words": words, "by": by.name, "reply_to": by.address, "deadline": position.row.deadline}
