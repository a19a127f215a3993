"""An umpire's own letters: a command from their address with their code is carried out, and answered with what was done.

What is answered goes to where they are known to be, never elsewhere, and carries a code for one command about the game: so one
without a code, or with one that is old or used, changes nothing, and an answer to our answer with the same words, or CONFIRM,
does it. What only looks at a game needs no code.
"""

from __future__ import annotations

import json
from datetime import timedelta

from referee.core import RefereeError, Sentence, StoreDamaged, TemporaryTrouble, Texts, View, fold, say_in
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import own_text
from referee.store import CodeRow, Fate, acts, codes, games, letters, outbox, transaction

from ..club import Club
from ..letters.doubts import REASONS
from ..letters.identify import Doubt, is_copy, own_words, prove_command
from ..letters.interpretation import Case, Verdict
from ..post.codes import (
    CLUB,
    UMPIRE_WAITS,
    choices_of,
    code_of_umpire,
    codes_in,
    codes_of_umpire,
    tag_of_code,
    tags_of,
)
from ..post.readers import language_of
from ..post.writing import Occasion, to_umpire
from ..umpires import BY_MAIL, Command, CommandFault, Umpire, own_umpires, umpire_at
from .commands import (
    CONFIRM,
    TABLE,
    as_written,
    carry_out,
    forms_of,
    game_of,
    looks,
    misspelt_command,
    no_command,
    parse_command,
    show_first,
)
from .filing import orders_at

A_DAY = 100  # answers to commands

_KIND = "command"
_END = f"\n{'-' * 40}\n"  # below it our letters tell how to answer them


def obey(club: Club, case: Case) -> Verdict | None:
    """Carry out what a letter from an umpire's address orders, and return the verdict on it; None: it is no command of theirs.
    Outside of transactions: each act has its own.
    """
    command = _command(club, case)
    if not command:
        return None
    if letters.find_alike(club, case.row) or is_copy(club, case.row.id, case.letter):
        return Verdict(fate=Fate.COPY)
    letter, game = case.letter, ""
    try:
        if command.name not in TABLE:
            raise no_command(command.name)
        meant = game_of(club, command) or ("" if looks(command) else _any_game(club, letter))
        umpire = umpire_at(club, letter.sender, meant)
        if not umpire and meant:
            names = ", ".join(each.name for each in own_umpires(club, meant))
            key = "clubs-own" if meant == CLUB else "others-game" if names else "clubs-game"
            raise CommandFault(key, game=meant, names=names)
        game = meant
        if looks(command) or not game:
            return _carry_out(club, case, command, game, umpire)
        shown, sure = show_first(_as_read(club, case), command), command.sure
        why, code = prove_command(club, letter, case.vouched, game, command.text, case.row.id, sure=sure and not shown)
        if why is None:
            return _carry_out(club, case, command, game, umpire, code)
    except RefereeError as error:
        if isinstance(error, TemporaryTrouble | StoreDamaged):
            raise
        return _refuse(club, case, command, game, error)
    if why is Doubt.SHUT_OUT:
        return Verdict(fate=Fate.SHUT_OUT, game=_game_in_play(club, game))
    answers = outbox.answers_to(club, code.used_by) if code and code.used_by else ()
    before = [club.reader.read(each.raw).text.partition(_END)[0].strip() for each in answers[:1]]
    verdict = _answer(club, case, command, game, {"before": "".join(before), "shown": shown}, refused=why)
    return verdict.but(fate=Fate.UNPROVED, reason=REASONS[why])


def _command(club: Club, case: Case) -> Command | None:
    letter = case.letter
    text, sure = own_text(letter.text) or without_tokens(letter.subject).strip(), True
    command = parse_command(text) or misspelt_command(text)
    if not command:
        first = text.partition("\n")[0].strip()  # a word alone is the command that it is meant for
        if games.seats_of(club, letter.sender) or not first.isalpha():
            return None
        name = "COMMANDS" if fold(first) in ("help", "hilfe", "aide", "hulp") else first.upper()
        return Command(line=first, name=name, words=(), reason="", sender=letter.sender)
    known = codes_of_umpire(club, tags_of(club, letter), letter.sender)
    row = TABLE.get(command.name)
    is_players = command.name != CONFIRM and (
        row is None or row.anybodys or (command.name == "ORDERS" and looks(command))
    )
    if is_players and not known and games.seats_of(club, letter.sender):
        return None
    if command.name == CONFIRM:
        command = next((parse_command(code.command) for code in known if code.command), None)
    elif command.reason:
        orders = orders_at(text.split("\n")) if command.name == "ORDERS" else 0
        text, sure = own_words(club, letter, orders)
        command = parse_command(text)
    return command.but(sender=letter.sender, sure=sure) if command else None


def _any_game(club: Club, letter: Letter) -> str:
    """Return a game whose code will do for what is about all of an umpire's: that of the code that came, if any; "" where there
    is none.
    """
    coded = (code.game for code in codes_of_umpire(club, tags_of(club, letter), letter.sender))
    every = (*coded, *(row.id for row in games.all_games(club)))
    return next((game for game in every if umpire_at(club, letter.sender, game)), "")


def _carry_out(
    club: Club, case: Case, command: Command, game: str, umpire: Umpire | None, code: CodeRow | None = None
) -> Verdict:
    """Carry a command out, once: where a power cut came between the act and its answer, the log has it already. Its *code* is
    used before that, and is good again only where nothing was done.
    """
    name = f"{umpire.name}, " if umpire and umpire.name else ""
    actor = f"{name}{BY_MAIL}, letter {case.row.id}"
    if game and (done := _is_logged(club, game, actor)):
        return _answer(club, case, command, done, {"did": "again", "game": done})
    acting = _as_read(club, case) if looks(command) else club.but(actor=actor)
    _use(club, code, case.row.id)
    try:
        told = carry_out(acting, command)
        if seen := told.get("seen"):
            language = language_of(club, case.letter.sender)
            told = {**told, "seen": {**seen, "doubtful": [as_written(each, language) for each in seen["doubtful"]]}}
        about = str(told["game"]) if game == CLUB and "game" in told else game  # a game that was opened
        return _answer(club, case, command, about, told)
    except RefereeError as error:
        if not isinstance(error, TemporaryTrouble | StoreDamaged):
            _use(club, code, None)
        raise


def _is_logged(club: Club, game: str, actor: str) -> str:
    """Return the game of an act of an *actor* that the log has: that *game*, or one that was opened; "" for none."""
    if game == CLUB:
        opened = outbox.logged(club, "game-opened")
        return next((row.text for row in opened if json.loads(row.kept).get("actor") == actor), "")
    return game if any(act.actor == actor for act in acts(club, game)) else ""


def _use(club: Club, code: CodeRow | None, letter: int | None) -> None:
    if code:
        with transaction(club):
            codes.use(club, code.token, letter)


def _as_read(club: Club, case: Case) -> Club:
    """Return a club as the umpire who writes reads it: in their language. What a command changes is everybody's, and is none of
    this.
    """
    return club.but(config=club.config.but(language=language_of(club, case.letter.sender)))


def _refuse(club: Club, case: Case, command: Command, game: str, error: RefereeError) -> Verdict:
    """Answer why a command is not carried out, and how it is written, if that is the fault."""
    language = language_of(club, case.letter.sender)
    if not isinstance(error, CommandFault):
        told = str(say_in(Sentence(error.sentence, **error.values), club.stationery.translate(language)))
        return _answer(club, case, command, game, refused=as_written(told, language))
    refused = club.word("command", error.key, language, **error.values)
    is_known = error.key not in ("others-game", "clubs-game", "clubs-own", "no-reason")
    forms = forms_of(command.name, language) if is_known else ()
    return _answer(club, case, command, game, refused=refused, forms=forms)


def _answer(
    club: Club,
    case: Case,
    command: Command,
    game: str,
    done: View | None = None,
    *,
    refused: str = "",
    forms: Texts = (),
) -> Verdict:
    umpire, key = umpire_at(club, case.letter.sender, game), f"reply:{case.row.hash}"
    bound = command.text if refused in [*Doubt] else ""
    code = code_of_umpire(club, game, umpire, key, bound) if game and umpire else None
    told, row = done or {}, (done or {}).get("row")
    about = {"letter": row.id, "how": row.status} if row else {}
    kind, about = "confirm" if bound else f"back-{told.get('did')}", {**told, **about, "game": game, "bound": bound}
    cases = choices_of(club, umpire.address, kind, game, about, key) if umpire and game else ()
    since, begun = club.now - timedelta(days=1), _game_in_play(club, game)
    fate, answer = Fate.COMMAND_REFUSED if refused else Fate.COMMAND, None
    if case.letter.answerable and letters.written(club, case.letter.sender, _KIND, since) < A_DAY:
        tag = tag_of_code(code) if code else None
        occasion = Occasion(key=key, kind=_KIND, letter=case.row.id, answers=case.letter, tag=tag, cases=cases)
        values = {
            "did": "",
            **told,
            "refused": refused,
            "forms": forms,
            "command": command.line,
            "reason": command.reason,
            "days": UMPIRE_WAITS.days if code else 0,
            "curable": case.vouched or club.config.identity.policy != "token+auth",
            "tag": club.config.club if game in ("", CLUB) else game,
        }
        to = code.address if code else case.letter.sender  # where an umpire is known to be
        answer = to_umpire(club, occasion, values, begun, "umpirecommand", to)

    def write() -> None:
        for each in (code, *codes_in(cases)) if code and answer else ():
            codes.issue(club, each)
        if answer:
            outbox.put(club, answer)

    return Verdict(fate=fate, game=begun, then=write)


def _game_in_play(club: Club, game: str) -> str | None:
    """Return the id of a game that is played, None of one that waits for players."""
    return game if games.known(club, game) else None
