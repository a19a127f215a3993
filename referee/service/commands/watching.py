"""WATCH and UNWATCH, of players and of anybody else. Who wants to watch a game knows its code for observers, and has confirmed
the wish: whoever has the code can write in anybody's name, so nothing is sent on a first letter but a question.
"""

from __future__ import annotations

from functools import partial

from referee.core import is_address, mailbox
from referee.mail.letter.tokens import Tag
from referee.orderbook import UNWATCH, WATCH, Question
from referee.store import Fate, GameRow, ObserverRow, games, insert, letters, orders

from ..club import Club
from ..letters.identify import Found
from ..letters.interpretation import Answers, Case, Verdict, answer, reading_for
from ..letters.limits import room_for_answer, why_not_ask
from ..post.codes import WATCH_WAITS, game_of_code, is_given, tag_of
from ..post.observers import observer_of
from ..post.writing import answer_to, put_letter, somebody, tell_player, tell_umpire

MOST = 100  # observers of one game
ASKED_A_DAY = 10  # addresses that we write to because somebody has the code of one game


def watch(club: Club, case: Case, question: Question) -> Answers:
    """Ask a sender who wants to watch a game, and gives its code, whether they want to."""
    letter = case.letter
    game = games.known(club, game_of_code(club, letter, question.value, WATCH))
    if not game or not is_address(letter.sender):
        return _watch_answers("wrong", None)
    state = _hindrance(club, game, letter.sender) or _limit(club, game, letter.sender)
    if not state:
        tell_player(
            club,
            club.position(game),
            somebody(club, game.id, letter.sender.lower()),
            "observer",
            {"answers": [], "asks": {"game": game.id, "days": WATCH_WAITS.days}},
            f"watch:{game.id}:{case.row.hash}",
            "watch",
            letter=case.row.id,
            answers=letter,
            tag=tag_of(club, WATCH, game.id, letter.sender),
        )
    elif state == "limit":
        _tell_limit(club, game)
    return _watch_answers(state or "asked", game)


def unwatch(club: Club, case: Case, question: Question) -> Answers:
    """End what somebody watches, or one game of it; no seat is given up by that."""
    named, address = question.value.upper(), case.whose.player.address if case.whose else case.letter.sender
    meant = [each for each in orders.observed_from(club, address) if named in ("", each.game)]
    playing = dict.fromkeys(seat.game for seat in games.seats_of(club, address))
    for each in meant:
        _end(club, case, each)
    return _unwatch_answers([each.game for each in meant], [game for game in playing if named in ("", game)])


def _watch_answers(state: str, row: GameRow | None) -> Answers:
    game = {"game": row.id, "turn": row.turn, "deadline": row.deadline} if row else {"game": ""}
    return answer("watch", state, days=WATCH_WAITS.days, **game)


def _unwatch_answers(ended: list[str], playing: list[str]) -> Answers:
    return answer("unwatch", "ended" if ended else "wrong", games=ended, playing=playing)


def end_watch(club: Club, case: Case, tag: Tag) -> Verdict | None:
    """Return the verdict on a letter to the address that ends a watch, whoever sends it: mail programs do so by themselves."""
    observer = observer_of(club, tag)
    if not observer:
        return None
    _end(club, case, observer)
    if not case.is_by_person:
        return Verdict(Fate.OBSERVER, game=observer.game)
    return _answer(club, case, Fate.OBSERVER, observer.game, observer.address, _unwatch_answers([observer.game], []))


def confirm_watch(club: Club, case: Case, tag: Tag) -> Verdict | None:
    """Return the verdict on a letter that confirms a watch."""
    address = case.letter.sender
    game = games.known(club, tag.game) if is_given(club, tag, WATCH, address) else None
    # Of the address that was asked, by a person: a machine sends the code back too, but not the word.
    if not (
        game
        and letters.watches_asked(club, club.now - WATCH_WAITS, game.id, address)
        and "CONFIRM" in reading_for(club, case.letter, game.kind).commands
    ):
        return None
    state, number = _hindrance(club, game, address), case.row.id
    if not state:
        insert(club, ObserverRow(game=game.id, address=address.lower(), letter=number, since=club.now))
        club.log("observer", f"letter {number}", *game.turn_key)
    return _answer(club, case, Fate.OBSERVER, game.id, address, _watch_answers(state or "begun", game))


def watch_of_stranger(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on a stranger's WATCH with a game's code, or on UNWATCH."""
    letter, address = case.letter, case.letter.sender
    named = game_of_code(club, letter, f"{letter.subject}\n{letter.text}", WATCH)
    watched = orders.observed_from(club, address) if address else ()
    game = games.known(club, named) or (games.game(club, watched[0].game) if watched else None)
    if not game:
        return None
    told: Answers = ()
    for question in club.reader.hear(letter, club.positions.order_languages.texts(game.kind), subject=True).questions:
        if question.verb == WATCH:
            told += watch(club, case, question)
        elif question.verb == UNWATCH:
            told += unwatch(club, case, question)
    states = {each["state"] for each in told} - {"wrong"}
    if not states:
        return None
    fate = Fate.OBSERVER if states & {"asked", "ended"} else Fate.NOTHING_NEW
    # Who is asked has a letter of its own.
    told = tuple(each for each in told if each["state"] not in ("wrong", "asked", "limit"))
    refused = bool(states & {"over", "full"})
    limit = _limit(club, game, address) if refused else ""
    if limit == "limit":
        _tell_limit(club, game)
    if not told or limit:
        return Verdict(fate, game=game.id)
    return _answer(club, case, fate, game.id, address, told, "watch" if refused else "observer")


def _hindrance(club: Club, game: GameRow, address: str) -> str:
    """Return why a game cannot be watched from an address, "" if it can."""
    watching = orders.observers_of(club, game.id)
    if any(mailbox(each.address) == mailbox(address) for each in games.players(club, game.id)):
        return "plays"
    if game.is_over:
        return "over"
    if any(each.address == address.lower() for each in watching):
        return "already"
    return "full" if len(watching) >= MOST else ""


def _limit(club: Club, game: GameRow, address: str) -> str:
    asked = partial(letters.watches_asked, club, club.day_ago, game.id)
    return why_not_ask(club, address, asked=asked(address) > 0, crowded=asked("") >= ASKED_A_DAY)


def _tell_limit(club: Club, game: GameRow) -> None:
    key = f"watch:{game.id}:{club.now:%Y-%m-%d}"
    tell_umpire(club, key, "watch-limit", {"limit": ASKED_A_DAY}, *game.turn_key)


def _answer(
    club: Club, case: Case, fate: Fate, game: str, address: str, answers: Answers, kind: str = "observer"
) -> Verdict:
    """Answer somebody who plays no part in the game, within the limits for everybody, and return the verdict on the letter."""
    position, reader = club.position(game), somebody(club, game, address)
    if room_for_answer(club, case.but(whose=Found(position=position, player=reader)), fate):
        occasion = answer_to(case.row, case.letter, kind, position.row.turn)
        put_letter(club, position, reader, "observer", {"answers": [*answers], "asks": None}, occasion)
    return Verdict(fate, game=game)


def _end(club: Club, case: Case, observer: ObserverRow) -> None:
    orders.end_observer(club, observer.id, club.now, case.row.id)
    club.log("observer-left", f"letter {case.row.id}", observer.game)
