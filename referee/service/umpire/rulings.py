"""What the umpire says and rules: changes of a position by the umpire's word, and paragraphs for the next newsletter."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from referee.core import N_, ConfigError, NotFound, Numbers, PositionError, Sentence, View
from referee.core.record import Change, Ruled, known_change, parse_change
from referee.report import html
from referee.store import ActRow, GameRow, acts, games, transaction

from ..audit.replay import replay
from ..club import Club
from ..commands.endings import BY_UMPIRE, Ending, end, ending_of, reopen
from ..deadlines.rescheduling import parse_deadline, running, whole_export
from ..duetimes import next_deadline, rhythm_of
from ..positions import ADJUST, NOTE, OPENING, WITHDRAW, Position, parameters_of, standing
from ..post.observers import tell_all
from ..post.writing import tell_player
from ..turns.adjudicate import RULES, is_behind, play_anew
from ..turns.inputs import Untyped, kept_orders, refile
from ..turns.turnnews import position_differences
from ..umpires import Command, CommandFault, checked_reason, log_act, umpires_act

_RULING = re.compile(r"[Uu]?(\d{1,9})")


def adjust(club: Club, command: Command) -> View:
    """Change the position of a game by the umpire's word, and tell all players; the awaited turn is played from the changed
    position, and its newsletter prints the ruling.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over, or a change is none or does not fit.
        PassRunning: a pass is being made.
    """
    if "WITHDRAW" in command.given:
        if command.words[1:]:
            raise CommandFault("no-change")
        return {"did": "WITHDRAW", **withdraw(club, command.but(words=(command.game, command.given["WITHDRAW"])))}
    with umpires_act(club):
        before = awaiting(club, command.game)
        given, _ = _rule(before, command)
        act = log_act(club, before.row, ADJUST, parameters_of(given), command.reason)
        _tell(club, before, act, "")
    return {"game": act.game, "number": f"U{act.number}"}


def before_and_after(club: Club, command: Command) -> str:
    """Return what would be different after a ruling, hands that are not open too, for the umpire. Raises as ``adjust``."""
    before = awaiting(club, command.game)
    rules, (_, after) = before.rules, _rule(before, command)
    seen: dict[str, dict[Any, None]] = {}
    for reader in (None, *(player.code for player in before.players)):
        for each in position_differences(rules, before.state, after, reader):
            seen.setdefault(each["part"], {}).update(dict.fromkeys(each["lines"]))
    values = {"differences": [{"part": part, "lines": list(lines)} for part, lines in seen.items()]}
    told = club.stationery.text("beforeafter.txt.j2", rules.name, club.config.language, club.config.zone, values)
    return html.tidy(told).strip()


def _rule(before: Position, command: Command) -> tuple[tuple[Change, ...], Any]:
    """Return the changes as typed, by the keys of the position, and the position after them. Raises ConfigError, CommandFault."""
    typed = tuple(map(parse_change, command.changes))
    given = tuple(known_change(change, before.rules.adjustable) for change in typed)
    if not given:
        raise CommandFault("no-change")
    try:
        return given, before.rules.apply(before.state, Ruled(changes=given, because="", paragraph=""))
    except PositionError as error:
        faults = {f"fault{place}": _as_typed(fault, typed, given) for place, fault in enumerate(error.faults)}
        told = Sentence("; ".join(f"{{{name}}}" for name in faults), **faults)
        raise ConfigError(N_("nothing was changed: {faults}"), faults=told) from error


def _as_typed(fault: str, typed: tuple[Change, ...], given: tuple[Change, ...]) -> str:
    """Return a fault of the position with the key that was typed: money.GSW for balances.GSW."""
    if not isinstance(fault, Sentence):
        return fault
    key, *rest = str(fault.values["where"]).split(".", 1)
    words = {known.key: change.key for change, known in zip(typed, given, strict=True)}
    return Sentence(fault.sentence, **{**fault.values, "where": ".".join((words.get(key, key), *rest))})


def withdraw(club: Club, command: Command) -> View:
    """Take back a ruling or a note for the awaited turn, and tell all players of a ruling.

    Raises:
        NotFound: there is no such game, or no such ruling or note for the awaited turn.
        ConfigError: the game is over.
        PassRunning: a pass is being made.
    """
    match = _RULING.fullmatch(command.word(1, "ruling"))
    if not match:
        raise CommandFault("no-number-ruling", word=command.words[1])
    number = int(match[1])
    with umpires_act(club):
        before = awaiting(club, command.game)
        game, turn = before.row.turn_key
        found = next((act for act in acts(club, game) if act.number == number), None)
        if not found or found.kind not in (ADJUST, NOTE):
            told = N_("act {number} of {game} is no ruling and no note: `referee log {game}` lists what was done")
            raise NotFound(told, number=number, game=game)
        if found.turn != turn:
            told = N_("turn {turn} was played with it: rule the contrary, or `referee undo {game} {turn}` first")
            raise ConfigError(told, turn=found.turn, game=game)
        if found not in standing(club, game, turn, found.kind):
            raise ConfigError(N_("{act} of {game} was taken back already"), act=f"U{number}", game=game)
        act = log_act(club, before.row, WITHDRAW, {"act": number}, command.reason)
        if found.kind == ADJUST:
            _tell(club, before, act, f"U{number}")
    return {"number": f"U{match[1]}"}


def note(club: Club, command: Command) -> View:
    """Keep a paragraph for the next newsletter of a game.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over, or there are no words.
    """
    words = checked_reason(command.reason)
    if not words:
        raise ConfigError(N_("there is nothing to print"))
    with transaction(club):
        act = log_act(club, awaiting(club, command.game).row, NOTE, {}, words)
    return {"game": act.game, "number": f"U{act.number}"}


_OVER = N_("{game} is over: `referee undo {game} {turn}` takes its last turn back")


def awaiting(club: Club, game_id: str, over: str = _OVER) -> Position:
    """Return how a game stands that runs. Raises NotFound, ConfigError: it is *over*."""
    return club.position(running(club, game_id, over))


def _tell(club: Club, before: Position, act: ActRow, withdrawn: str) -> None:
    """Tell all players what is different, and read what is on file in the new position. Inside a transaction."""
    position = club.position(act.game)
    kept = kept_orders(club, position)
    refile(club, kept, act.at)
    for player in position.players:
        found = position_differences(position.rules, before.state, position.state, player.code)
        on_file = kept.get(player.code)
        values: View = {
            "ruling": {"number": f"U{act.number}", "because": act.reason, "differences": found},
            "withdrawn": withdrawn,
            "kept": on_file.told if on_file else None,
        }
        tell_player(club, position, player, "ruling", values, f"ruling:{act.game}:{act.number}:{player.code}")


# A turn undone: its editions stay in the log, the game stands before it again and plays it anew, at once or when it is due.


_UNTYPED = N_(
    "nothing was undone: a turn asks for throws of your own; undo it without playing it, and type them: `referee dice {dice}`"
)


def undo(club: Club, command: Command) -> View:
    """Undo a turn of one game, and LATER ones with it; all or nothing. PLAY: what was undone is played anew at once, with the
    orders and throws that are on file now. DEADLINE, a local time: of the turn that is awaited then.

    Raises:
        NotFound: there is no such game, or the turn was not played.
        ConfigError: the turn is the opening, later ones were built on it, the deadline is none, or a turn asks for throws that
            the umpire must type first.
        PassRunning: a pass is being made.
    """
    if command.words[2:]:
        raise CommandFault("no-option")
    try:
        # What left under a Message-ID before the database was brought back is asked for: none is used twice.
        return _undone(club.but(sent=club.transport.find_sent), command)
    except Untyped as lacking:
        names = " ".join(f"{name}=NUMBER" for name, _ in lacking.untyped) or str(lacking)
        raise ConfigError(_UNTYPED, dice=f"{command.game.upper()} {names}") from lacking


def _undone(club: Club, command: Command) -> View:
    turn, play = command.number(1, "turn"), "PLAY" in command.given
    with umpires_act(club):
        row = games.game(club, command.game)
        told: View = {"game": row.id, "turn": turn, "last": 0, "played": (), "awaited": turn, "over": False}
        if turn == row.turn and row.status == "finished" and ending_of(club, row):
            due = _deadline(club, row, command)
            reopen(club, club.position(row), command.reason, due)
            return {**told, "deadline": due}
        if play and row.stopped_at:
            stopped = N_(
                "{game} is stopped: let it go on first with `referee resume {game}`, or undo without playing anew"
            )
            raise ConfigError(stopped, game=row.id)
        turns = _turns_to_undo(club, row, turn, later="LATER" in command.given)
        due = _deadline(club, row, command)
        edition, last = games.highest_edition(club, row.id, turn), games.last_turn(club, row.id)
        kept = {"edition": edition, "last": turns[-1], "hash": last.hash, "played": play}
        act = log_act(club, row.but(turn=turn), "undo", kept, command.reason)
        games.advance(club, row.id, turn, due)
        if play:
            for _ in turns:  # or until the game is over now
                if not (again := games.game(club, row.id)).is_over:
                    play_anew(club, again, due)
        else:
            if row.stopped_at:
                games.hold(club, row.id, row.stopped_at)
            _tell_undone(club, row.id, act, turns)
        after = games.game(club, row.id)
    told |= {"last": turns[-1], "played": turns if play else ()}
    return {**told, "awaited": after.turn, "deadline": after.deadline, "over": after.is_over}


def end_game(club: Club, command: Command) -> View:
    """End a running game as it stands, in the umpire's words, and tell everybody; ``undo`` of the turn that was awaited takes it
    back.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over, or no turn was played.
        PassRunning: a pass is being made.
    """
    with umpires_act(club):
        row = running(club, command.game, N_("{game} is over already"))
        if not games.last_turn(club, row.id).turn:
            raise ConfigError(N_("no turn of {game} was played: `referee game close {game}` gives it up"), game=row.id)
        end(club, club.position(row), Ending(how=BY_UMPIRE, because=command.reason))
    return {"game": row.id, "turn": row.turn}


def _turns_to_undo(club: Club, row: GameRow, turn: int, *, later: bool) -> Numbers:
    """Return the turns in force from *turn* on. Raises NotFound, ConfigError."""
    played = [each.turn for each in games.turns(club, row.id)]
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


def _deadline(club: Club, row: GameRow, command: Command) -> datetime:
    """Return until when orders are awaited after an undo: as it says, as before if that is to come, else by the rhythm."""
    now, rhythm = club.now, rhythm_of(club.config, row)
    if typed := command.given.get("DEADLINE"):
        return parse_deadline(typed, rhythm, now)
    ahead = not row.is_over and row.deadline is not None and row.deadline > now
    return row.deadline if ahead and row.deadline else next_deadline(rhythm, now)


def _tell_undone(club: Club, game: str, act: ActRow, turns: Numbers) -> None:
    """Tell everybody that turns do not count, and until when orders are awaited for the first of them. Inside a transaction."""
    position = club.position(game)
    kept = {code: each.told for code, each in kept_orders(club, position).items()}
    values = {"undone": list(turns), "before": games.last_turn(club, game).turn, "because": act.reason}
    key = f"undone:{game}:{act.number}"
    tell_all(club, position, "undone", values, key, dated=True, own=lambda code: {"kept": kept.get(code)})


# A running game moved on to the rules of a newer program, once its turns were played again by them.


def move_on(club: Club, command: Command) -> View:
    """Have a game be played by the rules of this program from its awaited turn on, unless its newest turn was. The reason: why
    although its turns come out otherwise, played again; the next newsletter prints it.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over, or a turn comes out otherwise and no reason is given.
    """
    row = running(club, command.game, "{game} is over: no turn of it is played any more")
    reason, last = checked_reason(command.reason), games.last_turn(club, row.id)
    told = {"game": row.id, "moved": None, "rules": last.rules}
    if not is_behind(club, row.kind, last):
        return told
    now = club.position(row).rules.rules
    otherwise = [each.turn for each in replay(club, row.id) if each.differs]
    if otherwise and not reason:
        raise ConfigError(
            f"{row.id}: by version {now} of the rules turn {otherwise[0]} comes out otherwise than it was told; play the game to"
            " its end with the release that began it, or say with --because why it is to go on by the new rules"
        )
    with transaction(club):
        log_act(club, row, RULES, {"from": last.rules, "to": now}, reason)
        if reason:
            log_act(club, row, NOTE, {}, reason)
    return {**told, "moved": (last.rules, now)}


# Games that are over, or that another club has now, are put away: nothing of them is lost, they only leave the daily lists.


def archive(club: Club, command: Command) -> View:
    """Put a game away, or take it BACK. Doing so twice changes nothing.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is not over, and was not given to another club.
    """
    back = "BACK" in command.given
    with transaction(club):
        row = games.game(club, command.game)
        given_away = row.stopped_at is not None and whole_export(club, row.id) is not None
        if not row.is_over and not given_away:
            raise ConfigError(f"{row.id} is not over: turn {row.turn} is awaited")
        if row.is_archived == back:
            games.write(club, row.id, archived_at=None if back else club.now)
            log_act(club, row, "archive", {"back": back})
    return {"game": row.id, "back": back, "statements": row.statements_due is not None and not back}
