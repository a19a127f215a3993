"""A turn undone: its editions stay in the log, the game stands before it again and plays it anew, at once or when it is due."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from referee.core.errors import ConfigError, NotFound
from referee.core.texts.wording import N_
from referee.core.values import Value
from referee.service.club.club import Club
from referee.service.club.duetimes import next_deadline, rhythm_of
from referee.service.club.lock import between_passes
from referee.service.club.positions import OPENING
from referee.service.club.umpires import checked_reason, log_act
from referee.service.commands.endings import BY_UMPIRE, Ending, end, ending_of, reopen
from referee.service.deadlines.rhythms import parse_deadline
from referee.service.post.calendar import wished_deadline
from referee.service.post.observers import tell_observers
from referee.service.post.writing import tell_player
from referee.service.turns.adjudicate import play_anew
from referee.service.turns.onfile import Kept, kept_orders
from referee.store import games
from referee.store.database.database import transaction
from referee.store.database.rows import ActRow, GameRow


class Undone(Value):
    """The turns of a game that were undone, those of them that were ``played`` anew, and what is awaited now until when: a
    stopped game has no deadline, nor one that is ``over``.
    """

    game: str
    turns: tuple[int, ...]
    played: tuple[int, ...]
    awaited: int
    deadline: datetime | None
    over: bool


def undo(
    club: Club,
    game_id: str,
    turn: int,
    because: str,
    *,
    later: bool = False,
    play: bool = False,
    deadline: str = "",
) -> Undone:
    """Undo a turn of one game, and *later* ones with it; all or nothing.

    *play*: play what was undone anew at once, with the orders and throws that are on file now. *deadline*, a local time: of the
    turn that is awaited then.

    Raises:
        NotFound: there is no such game, or the turn was not played.
        ConfigError: no reason was given, the turn is the opening, later ones were built on it, or the deadline is none.
        PassRunning: a pass is being made.
        Untyped: a turn asks for throws that the umpire must type first.
    """
    reason = checked_reason(because, needed=True)
    # What left under a Message-ID before the database was brought back is asked for: none is used twice.
    club = replace(club, sent=club.transport.sent)
    with between_passes(club.config.folder), transaction(club.db):
        row = games.game(club.db, game_id)
        if turn == row.turn and row.status == "finished" and ending_of(club.db, row.id):
            due = (
                parse_deadline(deadline, rhythm_of(club.config, row), club.clock())
                if deadline
                else _deadline(club, row)
            )
            reopen(club, club.positions.of(club.db, row), reason, due)
            return Undone(game=row.id, turns=(), played=(), awaited=turn, deadline=due, over=False)
        if play and row.stopped_at is not None:
            told = N_(
                "{game} is stopped: let it go on first with `referee resume {game}`, or undo without playing anew"
            )
            raise ConfigError(told, game=row.id)
        turns = _turns_to_undo(club, row, turn, later=later)
        due = parse_deadline(deadline, rhythm_of(club.config, row), club.clock()) if deadline else _deadline(club, row)
        edition, told = games.highest_edition(club.db, row.id, turn), games.last_turn(club.db, row.id).hash
        kept = {"edition": edition, "last": turns[-1], "hash": told}
        act = log_act(club, row.id, turn, "undo", {**kept, "played": play}, reason)
        games.advance(club.db, row.id, turn, due)
        if play:
            _play(club, row.id, len(turns), due)
        else:
            if row.stopped_at is not None:
                games.hold(club.db, row.id, row.stopped_at)
            _tell(club, row.id, act, turns)
        after = games.game(club.db, row.id)
    return Undone(
        game=row.id,
        turns=turns,
        played=turns if play else (),
        awaited=after.turn,
        deadline=after.deadline,
        over=after.status != "running",
    )


def end_game(club: Club, game_id: str, because: str) -> GameRow:
    """End a running game as it stands, in the umpire's words, tell everybody, and return it; ``undo`` of the turn that was
    awaited takes it back.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over, no turn was played, or there are no words.
        PassRunning: a pass is being made.
    """
    reason = checked_reason(because, needed=True)
    with between_passes(club.config.folder), transaction(club.db):
        row = games.game(club.db, game_id)
        if row.status != "running":
            raise ConfigError(N_("{game} is over already"), game=row.id)
        if not games.last_turn(club.db, row.id).turn:
            raise ConfigError(N_("no turn of {game} was played: `referee game close {game}` gives it up"), game=row.id)
        end(club, club.positions.of(club.db, row), Ending(how=BY_UMPIRE, because=reason))
    return games.game(club.db, row.id)


def _turns_to_undo(club: Club, row: GameRow, turn: int, *, later: bool) -> tuple[int, ...]:
    """Return the turns in force from *turn* on. Raises NotFound, ConfigError."""
    played = [each.turn for each in games.turns(club.db, row.id)]
    if turn == OPENING:
        told = N_("the opening of {game} cannot be undone: `referee game new` makes another game")
        raise ConfigError(told, game=row.id)
    if turn not in played:
        if not played[-1]:
            raise NotFound(N_("turn {turn} of {game} was not played (none was yet)"), turn=turn, game=row.id)
        told = N_("turn {turn} of {game} was not played (the last is turn {last}: `referee undo {game} {last}`)")
        raise NotFound(told, turn=turn, game=row.id, last=played[-1])
    after = tuple(each for each in played if each > turn)
    if after and not later:
        one = N_(
            "turn {last} of {game} was built on turn {turn}: `referee undo {game} {turn} --later` undoes both,"
            " `referee undo {game} {last}` the last alone"
        )
        several = N_(
            "turns {first} to {last} of {game} were built on turn {turn}: `referee undo {game} {turn} --later` undoes them"
            " with it, `referee undo {game} {last}` the last alone"
        )
        told = several if len(after) > 1 else one
        raise ConfigError(told, first=after[0], last=after[-1], game=row.id, turn=turn)
    return (turn, *after)


def _deadline(club: Club, row: GameRow) -> datetime:
    """Return until when orders are awaited after an undo: as before where that is still to come, else by the game's rhythm."""
    now = club.clock()
    ahead = row.status == "running" and row.deadline is not None and row.deadline > now
    return row.deadline if ahead and row.deadline else next_deadline(rhythm_of(club.config, row), now)


def _play(club: Club, game: str, count: int, deadline: datetime) -> None:
    """Play so many turns anew, or until the game is over now. Inside a transaction."""
    for _ in range(count):
        row = games.game(club.db, game)
        if row.status == "running":
            play_anew(club, row, deadline)


def _tell(club: Club, game: str, act: ActRow, turns: tuple[int, ...]) -> None:
    """Tell everybody that turns do not count, and until when orders are awaited for the first of them. Inside a transaction."""
    position = club.positions.of(club.db, games.game(club.db, game))
    kept, key = kept_orders(club, position), f"undone:{game}:{act.number}"
    values = {
        "turn": position.row.turn,
        "undone": list(turns),
        "before": games.last_turn(club.db, game).turn,
        "because": act.reason,
        "deadline": position.row.deadline,
    }
    for player in position.players:
        own = {**values, "kept": _told(kept.get(player.code))}
        beside = wished_deadline(club, position, player)
        tell_player(club, position, player, "undone", own, f"{key}:{player.code}", attachments=beside)
    tell_observers(club, position, "undone", {**values, "kept": None}, key)


def _told(kept: Kept | None) -> object:
    return None if kept is None else kept.told
