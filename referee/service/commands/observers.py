"""Who watches a game without playing: he knows its code for observers, has confirmed that he wants to, and is sent what everybody
may see. Whoever has the code can write in anybody's name, so nothing is sent on a first letter but a question.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from referee.core.address import is_address
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import Tag, is_token, tags_in
from referee.orderbook import UNWATCH, WATCH, Question, read_text
from referee.service.club.club import Club
from referee.service.letters.ownquotes import with_returned_marked
from referee.service.letters.questions import questions_in
from referee.service.post.bounces import is_unreachable
from referee.service.post.codes import WATCH_WAITS, tag_of_observer, tag_of_watch, tag_of_watcher
from referee.service.post.writing import Occasion, render, somebody, tell_umpire, to_somebody
from referee.store import bounces, budgets, games, letters, observers, outbox
from referee.store.database.rows import GameRow, LetterRow, LogRow, ObserverRow

MOST = 100  # observers of one game
ASKED_A_DAY = 10  # addresses that we write to because somebody has the code of one game

_DAY = timedelta(days=1)


def watch(club: Club, row: LetterRow, letter: Letter, question: Question) -> dict[str, Any]:
    """Ask the sender of a letter with the code of a game whether he wants to watch it; return what he is told. Inside a
    transaction.
    """
    game = _game_of_code(club, letter, question.value)
    if game is None or not is_address(letter.sender):
        return {"kind": "watch", "state": "wrong", "game": ""}
    state = _hindrance(club, game, letter.sender) or _limit(club, game, letter.sender)
    if not state:
        _ask(club, row, letter, game)
    return _told_of(game, state or "asked")


def confirmed(club: Club, row: LetterRow, letter: Letter) -> bool:
    """Take a letter that confirms that its sender wants to watch a game; return whether it does. Inside a transaction."""
    for tag in _tags(club, letter):
        game = games.known(club.db, tag.game) if tag.player == WATCH else None
        if game is not None and _is_confirmed(club, letter, tag, game):
            letters.finish(club.db, row.id, "done", club.clock(), "observer", game.id)
            _answer(club, row, letter, letter.sender, [_begin(club, row, letter, game)])
            return True
    return False


def unwatch(club: Club, row: LetterRow, address: str, question: Question) -> dict[str, Any]:
    """End what somebody watches, or one game of it; no seat is given up by that. Inside a transaction."""
    watching = observers.of_address(club.db, address)
    meant = [each for each in watching if question.value.upper() in ("", each.game)]
    for each in meant:
        _end(club, each, row.id)
    seats = [each.game for each in games.seats_of(club.db, address)]
    playing = [game for game in seats if question.value.upper() in ("", game)]
    return {"kind": "unwatch", "games": [each.game for each in meant], "playing": list(dict.fromkeys(playing))}


def unsubscribed(club: Club, row: LetterRow, letter: Letter, *, answer: bool) -> bool:
    """End what the address that a letter was sent to stands for, whoever sent it: mail programs do so by themselves. Return
    whether it did. Inside a transaction.
    """
    for tag in tags_in(letter.recipients, letter.subject, club.config.address):
        meant = _observer_of(club, tag)
        if meant is not None:
            _end(club, meant, row.id)
            letters.finish(club.db, row.id, "done", club.clock(), "observer", meant.game)
            if answer:
                _answer(club, row, letter, meant.address, [{"kind": "unwatch", "games": [meant.game], "playing": []}])
            return True
    return False


def heard(club: Club, row: LetterRow, letter: Letter) -> bool:
    """Take what somebody who plays nowhere may write, WATCH with a code and UNWATCH; return whether he did. Inside a
    transaction.
    """
    game = _game_of_code(club, letter, f"{letter.subject}\n{letter.text}") or _game_watched(club, letter)
    told = [] if game is None else _told(club, row, letter, game)
    if game is None or not told:
        return False
    letters.finish(club.db, row.id, "done", club.clock(), "observer", game.id)
    told = [each for each in told if each.get("state") not in ("asked", "limit")]  # the one has a letter of its own
    refused = any(each.get("state") in ("over", "full") for each in told)
    if told and not (refused and _limit(club, game, letter.sender)):
        _answer(club, row, letter, letter.sender, told, "watch" if refused else "observer")
    return True


def reachable_observers(club: Club, game: str) -> tuple[ObserverRow, ...]:
    """Return who watches a game, without those from whom letters come back."""
    watching = observers.of_game(club.db, game)
    return tuple(each for each in watching if not is_unreachable(bounces.since_heard(club.db, each.address)))


def _told(club: Club, row: LetterRow, letter: Letter, game: GameRow) -> list[dict[str, Any]]:
    told = []
    for question in questions_in(letter, club.positions.books.of(game.kind)):
        if question.verb == WATCH:
            told.append(watch(club, row, letter, question))
        elif question.verb == UNWATCH:
            told.append(unwatch(club, row, letter.sender, question))
    return [each for each in told if each.get("state") != "wrong" and (each["kind"] == "watch" or each["games"])]


def _hindrance(club: Club, game: GameRow, address: str) -> str:
    """Return why a game cannot be watched from an address: ``plays``, ``over``, ``already``, ``full``; "" if it can."""
    watching = observers.of_game(club.db, game.id)
    if any(each.address.lower() == address.lower() for each in games.players(club.db, game.id)):
        return "plays"
    if game.status != "running":
        return "over"
    if any(each.address == address.lower() for each in watching):
        return "already"
    return "full" if len(watching) >= MOST else ""


def _limit(club: Club, game: GameRow, address: str) -> str:
    """Return why nobody at an address is written to because somebody has the code of a game: ``asked``, he was today; ``limit``,
    too many were, of which the umpire is told; "" if he may be.
    """
    day_ago = club.clock() - _DAY
    if budgets.watches_asked(club.db, game.id, day_ago, address):
        return "asked"
    if budgets.watches_asked(club.db, game.id, day_ago) < ASKED_A_DAY:
        return ""
    key, values = f"watch:{game.id}:{club.clock():%Y-%m-%d}", {"limit": ASKED_A_DAY}
    tell_umpire(club, key, "watch-limit", values, game.id, game.turn)
    return "limit"


def _told_of(game: GameRow, state: str) -> dict[str, Any]:
    told = {"kind": "watch", "game": game.id, "turn": game.turn, "deadline": game.deadline, "days": WATCH_WAITS.days}
    return {**told, "state": state}


def _ask(club: Club, row: LetterRow, letter: Letter, game: GameRow) -> None:
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
    outbox.put(club.db, to_somebody(club, position, address, rendered, occasion))


def _is_confirmed(club: Club, letter: Letter, tag: Tag, game: GameRow) -> bool:
    """Return whether a person at the address that was asked has answered: a machine sends the code back too, but not the word."""
    if not is_token(tag.token, tag_of_watcher(club, game.id, letter.sender).token):
        return False
    if not budgets.watches_asked(club.db, game.id, club.clock() - WATCH_WAITS, letter.sender):
        return False
    said = read_text(with_returned_marked(club, letter).text, club.positions.books.of(game.kind), ())
    return "CONFIRM" in said.commands


def _begin(club: Club, row: LetterRow, letter: Letter, game: GameRow) -> dict[str, Any]:
    """Let the sender of a letter watch a game; return what he is told."""
    state = _hindrance(club, game, letter.sender)
    if not state:
        state = "begun"
        observers.add(
            club.db, ObserverRow(game=game.id, address=letter.sender.lower(), letter=row.id, since=club.clock())
        )
        told = LogRow(at=club.clock(), game=game.id, turn=game.turn, what="observer", text=f"letter {row.id}")
        outbox.log(club.db, told)
    return _told_of(game, state)


def _answer(
    club: Club, row: LetterRow, letter: Letter, address: str, told: list[dict[str, Any]], kind: str = "observer"
) -> None:
    spent = budgets.answers_to(club.db, address, club.clock() - _DAY) >= club.config.replies_per_day
    if spent or not letter.answerable:
        return
    about = next((each["game"] for each in told if each["kind"] == "watch"), "") or told[0]["games"][0]
    position = club.positions.of(club.db, games.game(club.db, about))
    rendered = render(club, "observer", position, somebody(club, about, address), {"answers": told, "asks": None})
    occasion = Occasion(key=f"reply:{row.hash}", kind=kind, turn=position.row.turn, letter=row.id, answers=letter)
    outbox.put(club.db, to_somebody(club, position, address, rendered, occasion))


def _end(club: Club, observer: ObserverRow, letter: int) -> None:
    observers.end(club.db, observer.id, club.clock(), letter)
    text = f"letter {letter}"
    outbox.log(club.db, LogRow(at=club.clock(), game=observer.game, what="observer-left", text=text))


def _game_of_code(club: Club, letter: Letter, text: str) -> GameRow | None:
    """Return the game whose code for observers stands in *text*, in the address or in the subject."""
    words = "".join(f"[{word.strip('[](),.;:!?')}]" for word in text.split() if f"-{WATCH}-" in word.upper())
    for tag in (*tags_in((), words, club.config.address), *_tags(club, letter)):
        game = games.known(club.db, tag.game) if tag.player == WATCH else None
        if game is not None and is_token(tag.token, tag_of_watch(club, game.id).token):
            return game
    return None


def _tags(club: Club, letter: Letter) -> tuple[Tag, ...]:
    return tags_in(letter.recipients, letter.subject, club.config.address)


def _game_watched(club: Club, letter: Letter) -> GameRow | None:
    watching = observers.of_address(club.db, letter.sender) if letter.sender else ()
    return games.game(club.db, watching[0].game) if watching else None


def _observer_of(club: Club, tag: Tag) -> ObserverRow | None:
    watching = observers.of_game(club.db, tag.game) if tag.player == UNWATCH else ()
    return next((each for each in watching if is_token(tag.token, _token(club, each))), None)


def _token(club: Club, observer: ObserverRow) -> str:
    return tag_of_observer(club, observer.game, observer.address).token


def observers_of(club: Club, game_id: str) -> tuple[str, ...]:
    """Return the addresses from which a game is watched. Raises NotFound."""
    return tuple(each.address for each in observers.of_game(club.db, games.game(club.db, game_id).id))


def watch_code(club: Club, game_id: str) -> Tag:
    """Return the code for observers of a game. Raises NotFound."""
    return tag_of_watch(club, games.game(club.db, game_id).id)
