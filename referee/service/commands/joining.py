"""JOIN, and what belongs to it: seats in games that wait for players, asked for by players and by anybody else; letters about it.

Who wants a seat knows the game's code, and has confirmed the wish: whoever has the code can write in anybody's name, so on a
first letter nothing happens but a question. Whoever answers that, or an invitation, speaks for their seat from then on.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Sequence
from functools import partial
from typing import Any

from referee.core import N_, View, fold, is_address
from referee.games import game_named
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import Tag, without_tokens
from referee.orderbook import JOIN, NAME, PREFER, RAILWAY, Reading, without_courtesies
from referee.orderbook.expressions import in_english
from referee.orderbook.names import latin
from referee.resources import word_texts
from referee.store import Fate, OpenGameRow, OutboxRow, SignupRow, games, letters, opengames, outbox, transaction

from ..club import Club
from ..duetimes import club_rhythm, rhythm_values
from ..letters.interpretation import Answers, Case, Verdict, answer, reading_for
from ..letters.limits import may_answer, why_not_ask
from ..letters.questions import rules_values
from ..letters.reliability import is_limited
from ..post.codes import SIGNUP, WATCH_WAITS, game_of_code, is_given, tag_of
from ..post.readers import faces_of, language_of
from ..post.writing import Occasion, answer_to, imprint_values, tell_umpire, to_newcomer
from ..umpires import own_umpires

ASKED_A_DAY = 20  # addresses that we write to because somebody has the code of one game,
BESIDE, FEW = 10, 2  # and so many more at domains of which so few were asked

_RULES = "RULES"
_HEARD = (JOIN, PREFER, NAME, RAILWAY, _RULES)
_LONGEST_NAME = 40
NAMELESS = N_("Newcomer")  # who signs up by letters that tell no name
_COLOUR = re.compile(r"[^\W\d_]+")

# What becomes of a wish to have a seat; ``signup.txt.j2`` and ``joined.txt.j2`` say it in words: asked (confirm it, please),
# invited, seated, kept (they would like another thing now), stands (nothing new), ended, already, waiting (in turn for the next
# seat), late (so often that they get no further game), started, closed, plays, limit, wrong (no code of a game), expired,
# nowhere.

_SPEAKS = ("asked", "invited", "seated", "kept", "stands", "waiting")  # what answers such a letter speaks for the seat
_joined = partial(answer, "join", days=WATCH_WAITS.days)


def join(club: Club, case: Case, said: Reading) -> Answers:
    """Do what the words JOIN, PREFER, NAME and RAILWAY of a player's letter say; nothing if it has none of them."""
    letter, wishes = case.letter, [each for each in said.questions if each.verb in (PREFER, NAME, RAILWAY)]
    asked = [each for each in said.questions if each.verb == JOIN]
    if not asked and wishes:  # colours and names are for the game that the writer has signed up for
        waiting = opengames.signups_of(club, letter.sender)
        if len(waiting) != 1:
            return _joined("nowhere", game="")
        row = opengames.open_game(club, waiting[0].game)
        opengames.rewrite(club, _with_wishes(club, row, waiting[0], said, None))
        return _joined("kept", game=row.id)
    told: Answers = ()
    for question in asked:
        game = opengames.known(club, game_of_code(club, letter, question.value, JOIN))
        if not game:
            told += _joined("wrong", game="")
            continue
        state = _hindrance(club, game, letter.sender) or _limit(club, game, letter.sender)
        if not state:
            _ask(club, case, game, said, None)
        elif state == "limit":
            _tell_limit(club, game)
        told += _joined(state or "asked", game=game.id)
    return told


def confirm_seat(club: Club, case: Case, tag: Tag) -> Verdict | None:
    """Return the verdict on a letter that answers ours about an open game."""
    address = case.letter.sender
    game = opengames.known(club, tag.game) if is_given(club, tag, SIGNUP, address) else None
    if not game:
        return None
    signup = opengames.signup_of(club, game.id, address)
    if game.started_at is None and signup:
        return _of_signup(club, case, game, signup)
    if signup and _plays(club, game, address):
        return None
    return _answer(club, case, game, signup, _hindrance(club, game, address) or "nowhere")


def let_in(club: Club) -> None:
    """Have those handled again who waited to be asked about a seat, as far as a day allows: one of each domain in turn, the
    first and the last that came by turns, so that nobody stands behind all of a flood.
    """
    for game in opengames.waiting(club):
        waiting = letters.parked_for(club, f"{Fate.SIGNUP_WAITS}: {game.id}")
        asked, seen = [*opengames.asked_since(club, game.id, club.day_ago)] if waiting else [], Counter[str]()
        places: list[tuple[int, int, str]] = []
        for row in waiting:
            places.append((seen[_domain(row.sender)], row.id, row.sender))
            seen[_domain(row.sender)] += 1
        queue = deque(sorted(places))
        while queue and len(asked) < ASKED_A_DAY + BESIDE:
            _, number, sender = queue.popleft() if len(queue) % 2 else queue.pop()
            if not _is_crowded(asked, sender):
                asked.append(sender.lower())
                with transaction(club):
                    letters.handle_again(club, number, "")


def _of_signup(club: Club, case: Case, game: OpenGameRow, signup: SignupRow) -> Verdict:
    """Return the verdict on a letter of somebody who was invited to a game, was asked whether they want a seat, or has one."""
    answered = partial(_answer, club, case, game)

    def change(after: SignupRow, state: str) -> Verdict:
        opengames.rewrite(club, after)
        club.log("signup", f"{after.game}: sign-up {after.id}")
        return answered(after, state, Fate.SIGNUP)

    if not game.is_open:
        return answered(signup, "closed")
    said = reading_for(club, case.letter, game.kind)
    wishing = _with_wishes(club, game, signup, said, case.row.id)
    now, stands = club.now, "stands" if signup.seated_at else signup.state
    if "CLEAR" in said.commands:
        ended = signup.but(ended_at=now)
        if signup.seated_at:
            tell_of_seat(club, game, ended, "ended")
        return change(ended, "ended")
    says_so = "CONFIRM" in said.commands or any(each.verb == JOIN for each in said.questions)
    if not signup.seated_at and says_so:
        if signup.state == "asked" and signup.asked_at + WATCH_WAITS <= now:
            return answered(signup, "expired")
        if not signup.invited and is_limited(club, signup.address):
            return answered(signup, "late")
        if not open_values(club, game)["free"] or (opengames.in_turn(club, game.id) and not signup.invited):
            return change(wishing.but(waits_since=signup.waits_since or now), "waiting")
        seated = wishing.but(seated_at=now)
        tell_of_seat(club, game, seated, "seated")
        return change(seated, "seated")
    if wishing != signup:
        return change(wishing, stands.replace("stands", "kept"))
    return answered(signup, stands)


def join_of_stranger(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on a stranger's JOIN with a game's code."""
    letter = case.letter
    game = opengames.known(club, game_of_code(club, letter, f"{letter.subject}\n{letter.text}", JOIN))
    if not game or not is_address(letter.sender):
        return None
    said = club.reader.hear(letter, club.positions.order_languages.texts(game.kind), subject=True)
    if not any(each.verb == JOIN for each in said.questions):
        return None
    limit = _limit(club, game, letter.sender)
    if hindrance := _hindrance(club, game, letter.sender):
        signup = opengames.signup_of(club, game.id, letter.sender)
        # No more letters than questions are written because somebody has the code, also of a game that takes nobody.
        many = hindrance != "already" and letters.signups_answered(club, club.day_ago) >= ASKED_A_DAY
        if many or limit == "limit":
            _tell_limit(club, game)
            return Verdict(Fate.NOTHING_NEW)
        return _answer(club, case, game, signup, hindrance.replace("already", "stands"))
    if limit == "limit" and _is_crowded(opengames.asked_since(club, game.id, club.day_ago), letter.sender):
        _tell_limit(club, game)
        return Verdict(Fate.SIGNUP_WAITS, reason=f"{Fate.SIGNUP_WAITS}: {game.id}")
    if limit:
        return Verdict(Fate.NOTHING_NEW)
    _ask(club, case, game, said, case.row.id)
    return Verdict(Fate.SIGNUP)


def _ask(club: Club, case: Case, game: OpenGameRow, said: Reading, orders: int | None) -> None:
    """Keep a wish to have a seat, and have its writer confirm it. *orders*: the letter, where orders in it can be meant for this
    game.
    """
    signup = _with_wishes(club, game, _newcomer(club, case, game), said, orders)
    occasion = Occasion(f"signup:{game.id}:{case.row.hash}", "signup", letter=case.row.id, answers=case.letter)
    told = _unread_lines(club, case.letter, game, said)
    asked = signup_letter(club, game, signup, "asked", occasion, coded=True, **told)
    opengames.sign_up(club, signup)
    outbox.put(club, asked)


def _unread_lines(club: Club, letter: Letter, game: OpenGameRow, said: Reading) -> View:
    """Return the lines of a letter that mean nothing to a game that waits for players, and the words that must stand alone."""
    language = club.positions.order_languages.of(game.kind)
    lines = (text for _, text in without_courtesies(said.unread, language, (letter.sender_name,)))
    others = (f"{each.verb} {each.value}".strip() for each in said.questions if each.verb not in _HEARD)
    unread = tuple(without_tokens(text) for text in (*lines, *others))
    named = [each.value.rpartition("=")[2] for each in said.questions if each.verb in (NAME, RAILWAY)]
    names = dict.fromkeys(map(_printable, (letter.sender_name, *named)))
    asked = tuple(each for each in said.complaints if each.is_asked)
    return {
        "unread": unread,
        "asked": asked,
        "claimed": tuple(each for each in names if each and _is_ours(club, game, each)),
    }


def _is_ours(club: Club, game: OpenGameRow, name: str) -> bool:
    """Return whether others would take somebody of that name for the umpire, the club or us."""
    config, prose = club.config, club.positions.order_languages.of(game.kind).prose
    named = (each.name for each in own_umpires(club, game.id))
    ours = (config.club, config.sender_name, config.address, config.umpire, *named)
    return prose.names_office(name) or fold(latin(name)) in {*map(fold, ours)} - {""}


def _newcomer(club: Club, case: Case, game: OpenGameRow) -> SignupRow:
    letter = case.letter
    known = next(iter(games.seats_of(club, letter.sender)), None)
    return SignupRow(
        game=game.id,
        address=letter.sender,
        name=known.name if known else _free(club, game, letter.sender_name) or nameless(club),
        zone=known.zone if known else club.config.zone,
        language=known.language if known else language_of(club, letter.sender),
        letter=case.row.id or None,
        asked_at=club.now,
    )


def _free(club: Club, game: OpenGameRow, name: str) -> str:
    """Return a name as it may be printed, "" for one that is not to be had."""
    name = _printable(name)
    return "" if _is_ours(club, game, name) else name


def _printable(name: str) -> str:
    return " ".join(without_tokens("".join(filter(str.isprintable, name))).split())[:_LONGEST_NAME].rstrip()


def _with_wishes(club: Club, game: OpenGameRow, signup: SignupRow, said: Reading, letter: int | None) -> SignupRow:
    """Return a sign-up with what a letter says of colours and names, and with the letter itself where it holds orders."""
    for question in said.questions:
        if question.verb == PREFER:
            there = game_named(game.kind).colours
            words = (in_english(each, word_texts("")[0]) for each in _COLOUR.findall(question.value.lower()))
            signup = signup.but(colours=",".join(dict.fromkeys(each for each in words if each in there)))
        elif question.verb == NAME:
            signup = signup.but(name=_free(club, game, question.value.removeprefix("=")) or signup.name)
        elif question.verb == RAILWAY:
            code, company, *_ = (*re.split(r"\s*[=:,]\s*", question.value, maxsplit=1), "")
            signup = signup.but(
                code=code.upper(), company="" if _is_ours(club, game, company) else without_tokens(company.strip())
            )
    signup = signup.but(salt=said.salt or signup.salt)
    holds_orders = bool(said.phrases) or any(not each.is_asked for each in said.complaints)
    return signup.but(orders=letter) if letter is not None and holds_orders else signup


def _hindrance(club: Club, game: OpenGameRow, address: str) -> str:
    """Return why nobody at an address can ask for a seat, "" if they can."""
    if game.closed_at:
        return "closed"
    if game.started_at:
        return "plays" if _plays(club, game, address) else "started"
    known = opengames.signup_of(club, game.id, address)
    if known and known.seated_at is not None:
        return "already"
    return "late" if not (known and known.invited) and is_limited(club, address) else ""


def _plays(club: Club, game: OpenGameRow, address: str) -> bool:
    return any(each.game == game.id for each in games.seats_of(club, address))


def _limit(club: Club, game: OpenGameRow, address: str) -> str:
    asked = opengames.asked_since(club, game.id, club.day_ago)
    return why_not_ask(club, address, asked=address.lower() in asked, crowded=_is_crowded(asked, address))


def _is_crowded(asked: Sequence[str], address: str) -> bool:
    """Return whether so many addresses were asked today that this one waits: one domain cannot fill a day."""
    of_domain = sum(_domain(each) == _domain(address) for each in asked)
    return len(asked) >= ASKED_A_DAY + BESIDE * (of_domain < FEW)


def _domain(address: str) -> str:
    return address.lower().rpartition("@")[2]


def _tell_limit(club: Club, game: OpenGameRow) -> None:
    values = {"tag": game.id, "limit": ASKED_A_DAY}
    tell_umpire(club, f"signup-limit:{game.id}:{club.now:%Y-%m-%d}", "signup-limit", values)


def tell_of_seat(club: Club, game: OpenGameRow, signup: SignupRow, state: str) -> None:
    """Tell the umpire of a seat: it is taken, or free again. Inside a transaction."""
    stand = open_values(club, game, signup)
    values = {"tag": game.id, "name": signup.name, "address": signup.address, "state": state, "open": stand}
    key = f"signup:{game.id}:{signup.id}:{state}"
    urgent = state == "seated" and not stand["free"] and not game.when_full
    tell_umpire(club, key, "signup-full" if urgent else "signup", values)


def _answer(
    club: Club, case: Case, game: OpenGameRow, known: SignupRow | None, state: str, fate: Fate = Fate.NOTHING_NEW
) -> Verdict:
    """Answer a letter, within the limits for everybody, and return the verdict on it."""
    if not may_answer(club, case.letter, fate):
        return Verdict(fate)
    occasion, signup = answer_to(case.row, case.letter, "signup", 0), known or _newcomer(club, case, game)
    speaks = state in _SPEAKS and signup.id
    said = reading_for(club, case.letter, game.kind)
    told = _unread_lines(club, case.letter, game, said)
    if speaks and (asked := [each.value for each in said.questions if each.verb == _RULES]):
        agreed = json.loads(game.told)
        told["rules"] = rules_values(game_named(game.kind), agreed["preset"], agreed["options"], signup.language, asked)
    outbox.put(club, signup_letter(club, game, signup, state, occasion, coded=bool(speaks), **told))
    return Verdict(fate)


# Letters about a game that waits for its players, to those who sign up for it.


def signup_letter(
    club: Club, game: OpenGameRow, signup: SignupRow, state: str, occasion: Occasion, *, coded: bool, **more: Any
) -> OutboxRow:
    """Return a letter to somebody who signs up for a game, ready for the outbox. *state*: as of ``signup.txt.j2``; *coded*: what
    answers it speaks for the seat.
    """
    if coded:
        occasion = occasion.but(tag=tag_of(club, SIGNUP, game.id, signup.address))
    since, told = signup.waits_since, json.loads(game.told)
    others = (each for each in opengames.in_turn(club, game.id) if each.id != signup.id)
    values = {
        "game": {"id": game.id, "held": False, "title": told["title"], "name": game.kind, "board_name": told["board"]},
        "reader": {
            **dict.fromkeys(("code", "company", "colour"), ""),
            "name": signup.name,
            "zone": signup.zone,
            "language": signup.language,
        },
        **imprint_values(club),
        "state": state,
        "open": open_values(club, game, signup),
        "mine": {
            "colours": signup.colours.split(",") if signup.colours else [],
            "name": "" if signup.name == nameless(club) else signup.name,
            "code": signup.code,
            "company": signup.company,
            "salt": signup.salt,
            "orders": signup.orders is not None,
        },
        "days": WATCH_WAITS.days,
        "place": 1 + len([each for each in others if not since or (each.waits_since or since) <= since]),
        "games": club.config.late_games,
        "because": "",
        **dict.fromkeys(("unread", "asked", "claimed"), ()),
        "rules": None,
        **more,
    }
    reader = (game.kind, signup.language, signup.zone, values)
    rendered = club.stationery.letter("signup", *reader)
    if faces_of(club, game.id, signup.address).format == "html":
        rendered = rendered.but(page=club.stationery.page("signup", *reader, rendered))
    return to_newcomer(club, game.id, (signup.address, signup.name), rendered, occasion)


def open_values(club: Club, game: OpenGameRow, signup: SignupRow | None = None) -> View:
    """Return how an open game stands, as it is told to everybody; the seat of *signup* is counted too."""
    told: View = json.loads(game.told)
    seated = [each for each in opengames.seated(club, game.id) if not signup or each.id != signup.id]
    if signup and signup.seated_at is not None and signup.ended_at is None:
        seated = sorted((*seated, signup), key=lambda each: (each.seated_at, each.id))
    names = [each.name for each in seated]
    # When turns are due, as it would begin now.
    proposed = json.loads(game.proposal)["rhythm"]
    said = dict(proposed["map"]) if proposed else {}
    rhythm = club_rhythm(club.config).but(**{"every": "", **said} if "days" in said else said)
    return {
        **told,
        "game": game.id,
        "seats": game.seats,
        "taken": len(names),
        "names": [] if told.get("anonymous") else names,
        "free": max(0, game.seats - len(names)),
        "lacking": max(0, told["least"] - len(names)),
        "when_full": game.when_full,
        "rhythm": rhythm_values(rhythm),
    }


def nameless(club: Club) -> str:
    """Return how somebody is called who has told no name: all read of them, so it is a word of the club's language."""
    return club.stationery.translate(club.config.language)(NAMELESS)
