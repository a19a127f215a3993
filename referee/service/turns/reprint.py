"""A turn that was played, told anew by the templates that lie there now: the umpire looks at what his letters look like."""

from __future__ import annotations

from referee.config import language_fault
from referee.core import ConfigError, NotFound, replace
from referee.mail.compose import Attachment
from referee.store import PlayerRow, games, orders

from ..club import Club
from ..letters.interpretation import newest_texts
from ..positions import OPENING, Position, parse_orders, ruled, rulings_for
from .newsletters import all_faces, on_paper, told_again
from .turnnews import TurnNews


def reprinted(
    club: Club, game_id: str, turn: int | None = None, players: tuple[PlayerRow, ...] | None = None
) -> TurnNews:
    """Return a turn as it was played, the last one if none is named, to be told anew; a correction is told as a turn of its own.
    *players*: as its readers shall know them.

    Raises:
        NotFound: there is no such game, or it has no such turn.
        ConfigError: a file of the umpire's own is wrong.
    """
    row = games.game(club, game_id)
    played = {each.turn: each for each in games.turns(club, row.id)}
    number = max(played) if turn is None else turn
    if number not in played:
        raise NotFound(f"turn {number} of {row.id} was not played (there is {OPENING} to {max(played)})")
    this, position = played[number], club.position(row, players)
    rules, setup = position.rules, position.setup
    state = rules.decode(this.state, setup)
    before = rules.decode(played[number - 1].state, setup) if number else state
    begun, rulings = ruled(rules, before, rulings_for(club, row.id, number)) if number else (before, ())
    over = not rules.awaiting(state)
    following = played.get(number + 1)
    sent = parse_orders(rules, this.orders, setup)
    position = replace(position, state=begun, rulings=rulings, salt_fixed=number > 1, row=replace(row, turn=number))
    texts = {kind: newest_texts(orders.texts(club, row.id, number, kind)) for kind in ("press", "unsigned")}
    return TurnNews(
        position=position,
        row=this,
        state=state,
        events=rules.decode(this.events, setup),
        next_turn=number if over else rules.turn(state),
        deadline=None if over else following.deadline if following else row.deadline,
        press=texts["press"] if number else (),
        unsigned=texts["unsigned"] if number else (),
        missing=tuple(code for code in position.awaited if number and code not in sent),
        before=before,
        at=this.adjudicated_at,
    )


def sent_again(
    club: Club, position: Position, player: PlayerRow, turn: int
) -> tuple[str, tuple[Attachment, ...]] | None:
    """Return a newsletter in the language that its player has now, its text and files; None if the turn was undone meanwhile."""
    try:
        news = reprinted(club, position.row.id, turn)
    except NotFound:
        return None
    return told_again(club, news, player)


def faces_of_turn(
    club: Club, game_id: str, turn: int | None = None, code: str = "", language: str = ""
) -> dict[str, bytes]:
    """Return a newsletter with all its faces, by the names of files; the first player's, in his language, unless said otherwise.

    Raises:
        NotFound: there is no such game, turn or player.
        ConfigError: no letters are written in that language, or a file of the umpire's own is wrong.
    """
    news = reprinted(club, game_id, turn)
    player = news.position.player(code) if code else news.position.players[0]
    fault = language_fault(language) if language else ""
    if fault:
        raise ConfigError(f"--lang: {fault}")
    return all_faces(club, news, replace(player, language=language or player.language))


def paper_of_turn(club: Club, game_id: str, turn: int | None, code: str, paper: str, map_paper: str) -> bytes:
    """Return a newsletter as PDF. Raises as ``faces_of_turn``, and as ``report.paper.pdf.letter_pdf``."""
    news = reprinted(club, game_id, turn)
    return on_paper(club, news, news.position.player(code) if code else news.position.players[0], paper, map_paper)
