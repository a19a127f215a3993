"""The umpire's own letters: a command from his address with his code is carried out, and answered with what was done.

What is answered goes to his address in the settings, never to the one in a letter, and carries the code for the game: so a
command without a code, or with an old one, changes nothing, and an answer to our answer with the same words does it. What only
looks at a game needs no code.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.core.errors import RefereeError, StoreDamaged, TemporaryTrouble
from referee.orderbook import own_text
from referee.service.club.acts import BY_MAIL
from referee.service.club.club import Club
from referee.service.letters.case import Case
from referee.service.letters.verdict import Verdict
from referee.service.post.codes import is_umpires, tag_of_umpire, tags_of
from referee.service.post.writing import Occasion, to_umpire
from referee.service.umpire.commands import LOOKS, Command, as_written, carry_out, game_of, parse_command
from referee.store import budgets, games, letters
from referee.store.acts import acts
from referee.store.database.rows import OutboxRow
from referee.store.fates import Fate

A_DAY = 100  # answers to commands

_KIND = "command"
_PLAYERS_WORDS = ("NOTE", "COMMANDS")  # that a player's letter may begin with


def commanded(club: Club, case: Case) -> Verdict | None:
    """Carry out what a letter of the umpire's orders, and return the verdict on it; None: it is no command of his. Outside of
    transactions: each act has its own.
    """
    command = _command(club, case)
    if command is None:
        return None
    if letters.taken_alike(club.db, case.row) is not None:
        return Verdict(fate=Fate.COPY)
    try:
        game = game_of(club, command)
    except RefereeError as error:
        return _answered(club, case, command, "", refused=as_written(str(error)))
    if command.name not in LOOKS and not _has_code(club, case, game):
        return _answered(club, case, command, game, refused="no-code")
    return _done(club, case, command, game)


def _command(club: Club, case: Case) -> Command | None:
    letter, umpire = case.letter, club.config.umpire.lower()
    if not umpire or letter.sender.lower() != umpire or letter.robot:
        return None
    command = parse_command(own_text(letter.text))
    if command is not None and command.name in _PLAYERS_WORDS and games.seats_of(club.db, letter.sender):
        return None
    return command


def _has_code(club: Club, case: Case, game: str) -> bool:
    return any(is_umpires(club, tag, games.game(club.db, game)) for tag in tags_of(club, case.letter))


def _done(club: Club, case: Case, command: Command, game: str) -> Verdict:
    """Carry a command out, once: where a power cut came between the act and its answer, the log has it already."""
    actor = f"{BY_MAIL}, letter {case.row.id}"
    if game and any(act.actor == actor for act in acts(club.db, game)):
        return _answered(club, case, command, game, done=f"It was done: `LOG {game}` tells of it.")
    try:
        return _answered(club, case, command, game, done=carry_out(replace(club, actor=actor), command))
    except RefereeError as error:
        if isinstance(error, TemporaryTrouble | StoreDamaged):
            raise
        return _answered(club, case, command, game, refused=as_written(str(error)))


def _answered(club: Club, case: Case, command: Command, game: str, *, done: str = "", refused: str = "") -> Verdict:
    answer = _answer(club, case, command, game, done, refused)
    return Verdict(fate=Fate.COMMAND_REFUSED if refused else Fate.COMMAND, game=game or None, answer=answer)


def _answer(club: Club, case: Case, command: Command, game: str, done: str, refused: str) -> OutboxRow | None:
    since = club.clock() - timedelta(days=1)
    if not case.letter.answerable or budgets.written(club.db, club.config.umpire, _KIND, since) >= A_DAY:
        return None
    occasion = Occasion(
        key=f"reply:{case.row.hash}",
        kind=_KIND,
        letter=case.row.id,
        answers=case.letter,
        tag=tag_of_umpire(club, games.game(club.db, game)) if game else None,
    )
    values = {
        "command": " ".join((command.name, *command.words)),
        "reason": command.reason,
        "done": done,
        "refused": refused,
        "coded": bool(game),
    }
    return to_umpire(club, occasion, values, game or None, "umpirecommand")
