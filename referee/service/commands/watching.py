"""WATCH and UNWATCH, of players and of anybody else. Who wants to watch a game knows its code for observers, and has confirmed
that he wants to: whoever has the code can write in anybody's name, so nothing is sent on a first letter but a question.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum

from msgspec.structs import replace

from referee.core.address import is_address, mailbox
from referee.core.values import Value
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import Tag, is_token
from referee.orderbook import UNWATCH, WATCH, Question
from referee.service.club.club import Club
from referee.service.letters.identify import with_returned_marked
from referee.service.letters.limits import Last, answered
from referee.service.letters.verdict import Case, Deed, Note, Verdict
from referee.service.post.codes import WATCH_WAITS, game_of_code, tag_of_watch, tag_of_watcher, tags_of
from referee.service.post.observers import observer_of
from referee.service.post.writing import Occasion, answer_to, render, somebody, to_somebody
from referee.store import budgets, games, outbox, seats
from referee.store.database.rows import GameRow, LetterRow, LogRow, ObserverRow, OutboxRow
from referee.store.letters import Fate

MOST = 100  # observers of one game
ASKED_A_DAY = 10  # addresses that we write to because somebody has the code of one game

_DAY = timedelta(days=1)


class State(StrEnum):
    """What becomes of a wish to watch a game."""

    ASKED = "asked"
    BEGUN = "begun"
    ALREADY = "already"
    PLAYS = "plays"
    OVER = "over"
    FULL = "full"
    LIMIT = "limit"
    WRONG = "wrong"


class Watched(Value):
    """What is told of a wish to watch a game (None: no code of a game was given)."""

    state: State
    row: GameRow | None = None
    kind: str = "watch"
    days: int = WATCH_WAITS.days

    @property
    def game(self) -> str:
        """The game's id."""
        return self.row.id if self.row else ""

    @property
    def turn(self) -> int:
        """The awaited turn."""
        return self.row.turn if self.row else 0

    @property
    def deadline(self) -> datetime | None:
        """Until when orders for it are taken."""
        return self.row.deadline if self.row else None


class Unwatched(Value):
    """What is told of an end of watching: of which ``games``, and those that the writer plays in himself."""

    games: tuple[str, ...]
    playing: tuple[str, ...] = ()
    kind: str = "unwatch"


def watch(club: Club, row: LetterRow, letter: Letter, question: Question) -> Deed:
    """Ask a sender who wants to watch a game, and gives its code, whether he wants to."""
    game = games.known(club.db, game_of_code(club, letter, question.value, tag_of_watch))
    if game is None or not is_address(letter.sender):
        return Deed(answers=(Watched(state=State.WRONG),))
    state = _hindrance(club, game, letter.sender) or _limit(club, game, letter.sender)
    if not state:
        outbox.put(club.db, _question(club, row, letter, game))
    notes = (_limit_note(club, game),) if state is State.LIMIT else ()
    return Deed(answers=(Watched(state=state or State.ASKED, row=game),), notes=notes, done=not state)


def unwatch(club: Club, row: LetterRow, address: str, question: Question) -> Deed:
    """End what somebody watches, or one game of it; no seat is given up by that."""
    named = question.value.upper()
    meant = [each for each in seats.observed_from(club.db, address) if named in ("", each.game)]
    playing = dict.fromkeys(seat.game for seat in games.seats_of(club.db, address))
    ended = Unwatched(
        games=tuple(each.game for each in meant), playing=tuple(game for game in playing if named in ("", game))
    )
    for each in meant:
        _end(club, row, each)
    return Deed(answers=(ended,), done=bool(meant))


def heard(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on what need not come from a player: a letter to the address that ends a watch, whoever sends it, for
    mail programs do so by themselves; one that confirms a watch; a stranger's WATCH with a code, and his UNWATCH. None if it is
    no such letter.
    """
    human = case.ignored in (None, Fate.STRANGER)
    for tag in tags_of(club, case.letter):
        observer = observer_of(club, tag)
        if observer is not None:
            return _left(club, case, observer, human=human)
        game = games.known(club.db, tag.game) if human and tag.player == WATCH else None
        if game is not None and _is_confirmed(club, case.letter, tag, game):
            return _begun(club, case, game)
    return _of_stranger(club, case) if case.ignored is Fate.STRANGER else None


def _left(club: Club, case: Case, observer: ObserverRow, *, human: bool) -> Verdict:
    """Return the verdict on a letter to the address by which *observer* ends his watch; only a human is told."""
    _end(club, case.row, observer)
    verdict = Verdict(fate=Fate.OBSERVER, game=observer.game)
    ended = Unwatched(games=(observer.game,))
    return _answered(club, case, verdict, observer.address, (ended,)) if human else verdict


def _begun(club: Club, case: Case, game: GameRow) -> Verdict:
    address, now = case.letter.sender, club.clock()
    state = _hindrance(club, game, address)
    if not state:
        row = ObserverRow(game=game.id, address=address.lower(), letter=case.row.id, since=now)
        seats.add_observer(club.db, row)
        log = LogRow(at=now, game=game.id, turn=game.turn, what="observer", text=f"letter {case.row.id}")
        outbox.log(club.db, log)
    verdict = Verdict(fate=Fate.OBSERVER, game=game.id)
    return _answered(club, case, verdict, address, (Watched(state=state or State.BEGUN, row=game),))


def _of_stranger(club: Club, case: Case) -> Verdict | None:
    letter, address = case.letter, case.letter.sender
    named = game_of_code(club, letter, f"{letter.subject}\n{letter.text}", tag_of_watch)
    game = games.known(club.db, named) or _game_watched(club, letter)
    if game is None:
        return None
    deed = _deed(club, case, game)
    answers = [each for each in deed.answers if isinstance(each, Watched | Unwatched) and _counts(each)]
    if not answers:
        return None
    verdict = Verdict(fate=Fate.OBSERVER if deed.done else Fate.NOTHING_NEW, game=game.id, notes=deed.notes)
    # The one has a letter of its own.
    answers = [each for each in answers if not (isinstance(each, Watched) and each.state in (State.ASKED, State.LIMIT))]
    refused = any(isinstance(each, Watched) and each.state in (State.OVER, State.FULL) for each in answers)
    limit = _limit(club, game, address) if refused else None
    if limit is State.LIMIT:
        verdict = replace(verdict, notes=(*verdict.notes, _limit_note(club, game)))
    kind = "watch" if refused else "observer"
    return verdict if limit or not answers else _answered(club, case, verdict, address, tuple(answers), kind)


def _deed(club: Club, case: Case, game: GameRow) -> Deed:
    deed, language = Deed(), club.positions.order_languages.texts(game.kind)
    for question in club.reader.said(case.letter, language, subject=True).questions:
        if question.verb == WATCH:
            deed += watch(club, case.row, case.letter, question)
        elif question.verb == UNWATCH:
            deed += unwatch(club, case.row, case.letter.sender, question)
    return deed


def _counts(answer: Watched | Unwatched) -> bool:
    """Return whether a stranger is told of it."""
    return answer.state is not State.WRONG if isinstance(answer, Watched) else bool(answer.games)


def _hindrance(club: Club, game: GameRow, address: str) -> State | None:
    """Return why a game cannot be watched from an address, None if it can."""
    watching = seats.observers_of(club.db, game.id)
    if any(mailbox(each.address) == mailbox(address) for each in games.players(club.db, game.id)):
        return State.PLAYS
    if game.status != "running":
        return State.OVER
    if any(each.address == address.lower() for each in watching):
        return State.ALREADY
    return State.FULL if len(watching) >= MOST else None


def _limit(club: Club, game: GameRow, address: str) -> State | None:
    """Return why nobody at an address is written to because somebody has the code of a game: he was asked today, or too many
    were, or he has had all the answers that he may have; None if he may be.
    """
    day_ago = club.clock() - _DAY
    if budgets.watches_asked(club.db, game.id, day_ago, address):
        return State.ASKED
    spent = budgets.answers_to(club.db, address, day_ago) >= club.config.replies_per_day
    many = budgets.watches_asked(club.db, game.id, day_ago) >= ASKED_A_DAY
    return State.LIMIT if many or spent else None


def _limit_note(club: Club, game: GameRow) -> Note:
    key = f"watch:{game.id}:{club.clock():%Y-%m-%d}"
    return Note(key=key, kind="watch-limit", values={"limit": ASKED_A_DAY}, game=game.id, turn=game.turn)


def _question(club: Club, row: LetterRow, letter: Letter, game: GameRow) -> OutboxRow:
    position, address = club.positions.of(club.db, game), letter.sender.lower()
    asks = {"game": game.id, "days": WATCH_WAITS.days}
    rendered = render(club, "observer", position, somebody(club, game.id, address), {"answers": [], "asks": asks})
    occasion = Occasion(
        key=f"watch:{game.id}:{row.hash}",
        kind="watch",
        turn=game.turn,
        letter=row.id,
        answers=letter,
        tag=tag_of_watcher(club, game.id, address),
    )
    return to_somebody(club, position, address, rendered, occasion)


def _is_confirmed(club: Club, letter: Letter, tag: Tag, game: GameRow) -> bool:
    """Return whether a person at the address that was asked has answered: a machine sends the code back too, but not the word."""
    if not is_token(tag.token, tag_of_watcher(club, game.id, letter.sender).token):
        return False
    if not budgets.watches_asked(club.db, game.id, club.clock() - WATCH_WAITS, letter.sender):
        return False
    said = club.reader.said(with_returned_marked(club, letter), club.positions.order_languages.texts(game.kind))
    return "CONFIRM" in said.commands


def _answered(
    club: Club,
    case: Case,
    verdict: Verdict,
    address: str,
    answers: tuple[Watched | Unwatched, ...],
    kind: str = "observer",
) -> Verdict:
    """Return a verdict with what is answered to somebody who plays no part in the game, within the limits for everybody."""
    assert verdict.game is not None
    position = club.positions.of(club.db, games.game(club.db, verdict.game))
    reader = somebody(club, verdict.game, address)

    def answer(_: Last) -> OutboxRow:
        rendered = render(club, "observer", position, reader, {"answers": answers, "asks": None})
        occasion = answer_to(case.row, case.letter, kind, position.row.turn)
        return to_somebody(club, position, address, rendered, occasion)

    return answered(club, case.letter, verdict, position, reader, answer)


def _end(club: Club, row: LetterRow, observer: ObserverRow) -> None:
    seats.end_observer(club.db, observer.id, club.clock(), row.id)
    log = LogRow(at=club.clock(), game=observer.game, what="observer-left", text=f"letter {row.id}")
    outbox.log(club.db, log)


def _game_watched(club: Club, letter: Letter) -> GameRow | None:
    watching = seats.observed_from(club.db, letter.sender) if letter.sender else ()
    return games.game(club.db, watching[0].game) if watching else None
