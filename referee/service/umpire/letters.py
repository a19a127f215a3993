"""An umpire's own letters: a command from his address with his code is carried out, and answered with what was done.

What is answered goes to where he is known to be, never elsewhere, and carries his code for the game: so a
command without a code, or with an old one, changes nothing, and an answer to our answer with the same words does it. What only
looks at a game needs no code.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from referee.core.errors import RefereeError, StoreDamaged, TemporaryTrouble
from referee.core.texts.wording import Sentence, said
from referee.orderbook import own_text
from referee.service.club.acts import BY_MAIL
from referee.service.club.club import Club
from referee.service.club.umpires import Umpire, own_umpires, umpire_at
from referee.service.letters.case import Case
from referee.service.letters.verdict import Verdict
from referee.service.post.codes import is_umpires, tag_of_umpire, tags_of
from referee.service.post.languages import language_of
from referee.service.post.writing import Occasion, to_umpire
from referee.service.umpire.commands import (
    FORMS,
    LOOKS,
    UNCODED,
    Command,
    CommandFault,
    Told,
    as_written,
    carry_out,
    forms_of,
    game_of,
    misspelt_command,
    no_command,
    parse_command,
)
from referee.store import budgets, games, letters
from referee.store.acts import acts
from referee.store.database.rows import OutboxRow
from referee.store.fates import Fate

A_DAY = 100  # answers to commands

_KIND = "command"
_PLAYERS_WORDS = ("NOTE", "COMMANDS", "LANGUAGE")  # that a player's letter may begin with


def commanded(club: Club, case: Case) -> Verdict | None:
    """Carry out what a letter from an umpire's address orders, and return the verdict on it; None: it is no command of his.
    Outside of transactions: each act has its own.
    """
    command = _command(club, case)
    if command is None:
        return None
    if letters.taken_alike(club.db, case.row) is not None:
        return Verdict(fate=Fate.COPY)
    if command.name not in FORMS:
        return _refused(club, case, command, "", no_command(command.name))
    try:
        game = game_of(club, command)
    except RefereeError as error:
        return _refused(club, case, command, "", error)
    umpire = umpire_at(club, case.letter.sender, game)
    if umpire is None and game:
        return _refused(club, case, command, "", _others(club, game))
    if command.name not in UNCODED and not (umpire and _has_code(club, case, game, umpire)):
        return _answered(club, case, command, game, refused="no-code")
    return _done(club, case, command, game, umpire)


def _others(club: Club, game: str) -> CommandFault:
    names = ", ".join(each.name for each in own_umpires(club, game))
    return CommandFault("others-game", game=game, names=names) if names else CommandFault("clubs-game", game=game)


def _command(club: Club, case: Case) -> Command | None:
    letter = case.letter
    text = own_text(letter.text)
    command = parse_command(text) or misspelt_command(text)
    is_players = command is not None and (command.name in _PLAYERS_WORDS or command.name not in FORMS)
    if is_players and games.seats_of(club.db, letter.sender):
        return None
    return replace(command, sender=letter.sender) if command else None


def _has_code(club: Club, case: Case, game: str, umpire: Umpire) -> bool:
    return any(is_umpires(club, tag, game, umpire) for tag in tags_of(club, case.letter))


def _done(club: Club, case: Case, command: Command, game: str, umpire: Umpire | None) -> Verdict:
    """Carry a command out, once: where a power cut came between the act and its answer, the log has it already."""
    name = f"{umpire.name}, " if umpire and umpire.name else ""
    actor = f"{name}{BY_MAIL}, letter {case.row.id}"
    if game and any(act.actor == actor for act in acts(club.db, game)):
        return _answered(club, case, command, game, {"did": "again", "game": game})
    acting = _as_read(club, case) if command.name in LOOKS else replace(club, actor=actor)
    try:
        return _answered(club, case, command, game, carry_out(acting, command))
    except RefereeError as error:
        if isinstance(error, TemporaryTrouble | StoreDamaged):
            raise
        return _refused(club, case, command, game, error)


def _as_read(club: Club, case: Case) -> Club:
    """Return a club as the umpire who writes reads it: in his language. What he changes is everybody's, and is none of this."""
    return replace(club, config=replace(club.config, language=language_of(club, case.letter.sender)))


def _refused(club: Club, case: Case, command: Command, game: str, error: RefereeError) -> Verdict:
    """Answer why a command is not carried out, and how it is written, if that is the fault."""
    language = language_of(club, case.letter.sender)
    if not isinstance(error, CommandFault):
        told = str(said(Sentence(error.sentence, **error.values), club.stationery.translate(language)))
        return _answered(club, case, command, game, refused=as_written(told, language))
    refused = club.stationery.word("", language, "command", error.key, error.values)
    is_known = error.key not in ("others-game", "clubs-game", "no-reason")
    forms = forms_of(command.name, language) if is_known else ()
    return _answered(club, case, command, game, refused=refused, forms=forms)


def _answered(
    club: Club,
    case: Case,
    command: Command,
    game: str,
    done: Told | None = None,
    *,
    refused: str = "",
    forms: tuple[str, ...] = (),
) -> Verdict:
    told = {"did": "", **(done or {}), "refused": refused, "forms": forms}
    answer = _answer(club, case, command, game, told)
    return Verdict(fate=Fate.COMMAND_REFUSED if refused else Fate.COMMAND, game=_begun(club, game), answer=answer)


def _begun(club: Club, game: str) -> str | None:
    """Return the id of a game that is played, None of one that waits for players."""
    return game if games.known(club.db, game) else None


def _answer(club: Club, case: Case, command: Command, game: str, told: Told) -> OutboxRow | None:
    since = club.clock() - timedelta(days=1)
    if not case.letter.answerable or budgets.written(club.db, case.letter.sender, _KIND, since) >= A_DAY:
        return None
    umpire = umpire_at(club, case.letter.sender, game)
    occasion = Occasion(
        key=f"reply:{case.row.hash}",
        kind=_KIND,
        letter=case.row.id,
        answers=case.letter,
        tag=tag_of_umpire(club, game, umpire) if game and umpire else None,
    )
    values = {
        **told,
        "command": command.line,
        "reason": command.reason,
        "coded": bool(game),
        "tag": game or club.config.club,
    }
    to = umpire.address if umpire else case.letter.sender  # where an umpire is known to be
    return to_umpire(club, occasion, values, _begun(club, game), "umpirecommand", to)
