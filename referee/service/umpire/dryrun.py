"""The newsletter that would go out if the awaited turn were played now, and what the umpire may look at before it does.

Nothing is written. Unless the turn's throws were told before, or the umpire wants to know them, stand-in dice are thrown: who
leads a company himself must not see what the dice will show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from referee.core.errors import ConfigError
from referee.core.texts.wording import N_
from referee.core.values import Value
from referee.service.club.club import Club
from referee.service.club.positions import Position, parse_complaints, rulings_for
from referee.service.letters.held import waiting_players
from referee.service.letters.interpretation import on_file, set_to_run
from referee.service.post.bounces import unreachable_players
from referee.service.turns.adjudicate import newsletters_now
from referee.service.turns.preview import preview as throws_of
from referee.service.turns.throws import Untyped
from referee.service.umpire.overview import text_of
from referee.store import games, letters, orders
from referee.store.database.rows import GameRow

STAND_IN = "a dry run"  # the root of a chain of seeds that is nobody's

Point = tuple[str, Mapping[str, object]]  # what is doubtful: its sentence, and what that names


class DryRun(Value):
    """What is ``doubtful``, a sentence each with the command that helps; the newsletter as its reader would have it, "" where the
    turn cannot be played; ``real``: with the throws that it will have.
    """

    game: str
    turn: int
    doubtful: tuple[str, ...]
    newsletter: str
    real: bool


def dry_run(club: Club, game_id: str, code: str = "", *, real: bool = False) -> DryRun:
    """Return the newsletter of a player (the first one, if none is named) as it would go out now.

    Raises:
        NotFound: there is no such game or player.
        ConfigError: the game is over.
    """
    row = games.game(club.db, game_id)
    if row.status != "running":
        raise ConfigError(N_("{game} is over: `referee newsletter {game}` prints its last newsletter"), game=row.id)
    position = club.positions.of(club.db, row)
    reader = (position.player(code) if code else position.players[0]).code
    real = real or games.replaced(club.db, row.id, row.turn) is not None
    try:
        post = newsletters_now(club, row if real else replace(row, chain=STAND_IN))
    except Untyped:
        post = ()  # which throws are lacking stands among what is doubtful
    text = next((text_of(each) for each in post if each.player == reader), "")
    return DryRun(game=row.id, turn=row.turn, doubtful=tuple(_doubtful(club, position)), newsletter=text, real=real)


def _doubtful(club: Club, position: Position) -> Iterator[str]:
    stopped: tuple[Point, ...] = (("stopped", {}),) if position.row.stopped_at is not None else ()
    for key, values in (*stopped, *_orders(club, position), *_letters(club, position.row), *_rest(club, position)):
        yield _word(club, key, {"game": position.row.id, **values})


def _word(club: Club, key: str, values: Mapping[str, object]) -> str:
    return club.stationery.word("", club.config.language, "doubtful", key, values)


def _orders(club: Club, position: Position) -> Iterator[Point]:
    """Whose orders are missing, faulty, or not those of his last letter."""
    row = position.row
    sets = orders.sets(club.db, row.id, row.turn)
    for code in position.awaited:
        runs, filed = set_to_run(sets, code), on_file(sets, code)
        if runs is None:
            yield "nothing-but" if filed else "nothing", {"code": code}
            continue
        faults = [each for each in parse_complaints(runs.complaints) if each.is_error]
        if faults:
            told = club.stationery.complaint(position.rules.name, club.config.language, faults[0])
            if len(faults) > 1:
                told = _word(club, "more", {"sentence": told, "number": len(faults) - 1})
            yield "confirmed" if runs.confirmed else "faulty", {"code": code, "sentence": told}
        if filed[-1] != runs:
            yield "older-runs", {"code": code}


def _letters(club: Club, row: GameRow) -> Iterator[Point]:
    """Which letters about the game came too late, wait for a word, or could not be read since its last newsletter."""
    since = games.last_turn(club.db, row.id).adjudicated_at
    for code in waiting_players(club, row.id, row.turn):
        yield "word-waits", {"code": code}
    for letter in letters.listed(club.db):
        recent = letter.stored_at >= since
        if letter.status == "refused" and letter.reason == "late" and letter.game == row.id and recent:
            yield "late", {"code": letter.player, "letter": letter.id}
        if letter.status == "parked" and letter.game in (row.id, None) and recent:
            yield "parked" if letter.sender else "parked-nobodys", {"letter": letter.id, "sender": letter.sender}


def _rest(club: Club, position: Position) -> Iterator[Point]:
    """Who cannot be reached, which rulings change nothing, and which throws are lacking or too many."""
    row = position.row
    for lost in unreachable_players(club, row.id):
        yield "lost", {"code": lost}
    lacking = set(rulings_for(club.db, row.id, row.turn)) - set(position.rulings)
    for ruling in sorted(lacking, key=lambda each: each.paragraph):
        yield "misfit", {"ruling": ruling.paragraph}
    seen = throws_of(club, row.id)
    lacking_throws = [each.name for each in seen.throws if each.needed and each.typed is None]
    needed = " ".join(_word(club, "throw", {"name": name}) for name in lacking_throws)
    if needed:
        yield "throws-lack", {"throws": needed}
    for name, number, _ in seen.unasked:
        yield "throw-unasked", {"throw": f"{name}={number}"}
