"""What the umpire says and rules: changes of a position by his own word, and paragraphs for the next newsletter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee.core.errors import ConfigError, NotFound, PositionError
from referee.core.rulings import Change, Ruled, known_change, parse_change
from referee.core.texts.wording import N_, Sentence
from referee.report import html
from referee.service.club.club import Club
from referee.service.club.lock import between_passes
from referee.service.club.positions import ADJUST, NOTE, WITHDRAW, Position, parameters_of, standing
from referee.service.club.umpires import checked_reason, log_act
from referee.service.post.writing import tell_player
from referee.service.turns.onfile import kept_orders, refile
from referee.service.turns.turnnews import position_differences
from referee.store import games
from referee.store.database.database import transaction
from referee.store.database.rows import ActRow
from referee.store.games import acts


def adjust(club: Club, game_id: str, changes: Iterable[str], because: str) -> str:
    """Change the position of a game by the umpire's word, tell all players, and return the ruling's number (``U3``).

    The awaited turn is played from the changed position, and its newsletter prints the ruling.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over, no reason was given, or a change is none or does not fit.
        PassRunning: a pass is being made.
    """
    reason = checked_reason(because, needed=True)
    with between_passes(club.config.folder), transaction(club.db):
        before = _awaiting(club, game_id)
        given, _ = _ruled(before, changes)
        act = log_act(club, before.row.id, before.row.turn, ADJUST, parameters_of(given), reason)
        _tell(club, before, act, "")
    return f"U{act.number}"


def before_and_after(club: Club, game_id: str, changes: Iterable[str]) -> str:
    """Return what would be different after a ruling, hands that are not open too, for the umpire. Raises as ``adjust``."""
    before = _awaiting(club, game_id)
    rules, (_, after) = before.rules, _ruled(before, changes)
    seen: dict[str, dict[Any, None]] = {}
    for reader in (None, *(player.code for player in before.players)):
        for each in position_differences(rules, before.state, after, reader):
            seen.setdefault(each["part"], {}).update(dict.fromkeys(each["lines"]))
    values = {"differences": [{"part": part, "lines": list(lines)} for part, lines in seen.items()]}
    told = club.stationery.text("beforeafter.txt.j2", rules.name, club.config.language, club.config.zone, values)
    return html.tidy(told).strip()


def _ruled(before: Position, changes: Iterable[str]) -> tuple[tuple[Change, ...], Any]:
    """Return the changes as typed, by the keys of the position, and the position after them. Raises ConfigError."""
    typed = tuple(parse_change(text) for text in changes)
    given = tuple(known_change(change, before.rules.adjustable) for change in typed)
    if not given:
        told = N_("say what changes: `referee adjust {game} money.CODE+=5 --because ...`")
        raise ConfigError(told, game=before.row.id)
    try:
        return given, before.rules.apply(before.state, Ruled(changes=given, because="", paragraph=""))
    except PositionError as error:
        faults = [_as_typed(fault, typed, given) for fault in error.faults]
        raise ConfigError(N_("nothing was changed: {faults}"), faults=_in_a_row(faults)) from error


def _as_typed(fault: str, typed: tuple[Change, ...], given: tuple[Change, ...]) -> str:
    """Return a fault of the position with the key that was typed: money.GSW for balances.GSW."""
    if not isinstance(fault, Sentence):
        return fault
    key, *rest = str(fault.values["where"]).split(".", 1)
    words = {known.key: change.key for change, known in zip(typed, given, strict=True)}
    return Sentence(fault.sentence, **{**fault.values, "where": ".".join((words.get(key, key), *rest))})


def _in_a_row(faults: Sequence[str]) -> Sentence:
    places = {f"fault{place}": fault for place, fault in enumerate(faults)}
    return Sentence("; ".join(f"{{{name}}}" for name in places), **places)


def withdraw(club: Club, game_id: str, number: int, because: str) -> None:
    """Take back a ruling or a note for the awaited turn, and tell all players of a ruling.

    Raises:
        NotFound: there is no such game, or no such ruling or note for the awaited turn.
        ConfigError: the game is over, or no reason was given.
        PassRunning: a pass is being made.
    """
    reason = checked_reason(because, needed=True)
    with between_passes(club.config.folder), transaction(club.db):
        before = _awaiting(club, game_id)
        game, turn = before.row.id, before.row.turn
        found = next((act for act in acts(club.db, game) if act.number == number), None)
        if found is None or found.kind not in (ADJUST, NOTE):
            told = N_("act {number} of {game} is no ruling and no note: `referee log {game}` lists what was done")
            raise NotFound(told, number=number, game=game)
        if found.turn != turn:
            told = N_("turn {turn} was played with it: rule the contrary, or `referee undo {game} {turn}` first")
            raise ConfigError(told, turn=found.turn, game=game)
        if found not in standing(club.db, game, turn, found.kind):
            raise ConfigError(N_("{act} of {game} was taken back already"), act=f"U{number}", game=game)
        act = log_act(club, game, turn, WITHDRAW, {"act": number}, reason)
        if found.kind == ADJUST:
            _tell(club, before, act, f"U{number}")


def note(club: Club, game_id: str, text: str) -> int:
    """Keep a paragraph for the next newsletter of a game; return the number of the act, by which it can be taken back.

    Raises:
        NotFound: there is no such game.
        ConfigError: it is over, or there are no words.
    """
    words = checked_reason(text)
    if not words:
        raise ConfigError(N_("there is nothing to print"))
    with transaction(club.db):
        row = _awaiting(club, game_id).row
        return log_act(club, row.id, row.turn, NOTE, {}, words).number


def _awaiting(club: Club, game_id: str) -> Position:
    row = games.game(club.db, game_id)
    if row.status != "running":
        told = N_("{game} is over: `referee undo {game} {turn}` takes its last turn back")
        raise ConfigError(told, game=row.id, turn=row.turn)
    return club.positions.of(club.db, row)


def _tell(club: Club, before: Position, act: ActRow, withdrawn: str) -> None:
    """Tell all players what is different, and read what is on file in the new position. Inside a transaction."""
    position = club.positions.of(club.db, games.game(club.db, act.game))
    kept = kept_orders(club, position)
    refile(club, kept, act.at)
    for player in position.players:
        found = position_differences(position.rules, before.state, position.state, player.code)
        on_file = kept.get(player.code)
        values: dict[str, Any] = {
            "turn": position.row.turn,
            "deadline": position.row.deadline,
            "ruling": {"number": f"U{act.number}", "because": act.reason, "differences": found},
            "withdrawn": withdrawn,
            "kept": on_file.told if on_file else None,
        }
        tell_player(club, position, player, "ruling", values, f"ruling:{act.game}:{act.number}:{player.code}")
