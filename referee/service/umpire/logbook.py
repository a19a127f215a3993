"""The log of a game as the umpire reads it: each act's parameters in the words in which they were given."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import partial
from random import Random, SystemRandom

from referee.core import N_, NotFound, Term, Texts, View
from referee.core.record import format_change
from referee.locale import SOURCE_LANGUAGE
from referee.mail.letter.givenaway import Exchange
from referee.mail.letter.message import read_letter
from referee.store import (
    ActRow,
    PlayerRow,
    PressRow,
    acts,
    games,
    insert,
    letters,
    orders,
    outbox,
    parse_time,
    transaction,
)

from ..club import Club
from ..deadlines.rescheduling import day_and_time, local_words
from ..duetimes import rhythm_of
from ..positions import ADJUST, NOTE, WITHDRAW, Position, ruling_of
from ..post.codes import without_codes
from ..post.observers import tell_observers
from ..post.readers import is_built_in
from ..post.writing import render, tell_player
from ..umpires import (
    BUILT_IN,
    BY_MAIL,
    REFEREE,
    UMPIRE,
    Command,
    CommandFault,
    Umpire,
    checked_reason,
    log_act,
    umpire_at,
    umpires_of,
)
from .colleagues import id_of
from .filing import command_word, read_for
from .overview import text_of

_TIMES = ("before", "after")  # the names of the moments that an act keeps
_ACTORS = (UMPIRE, BY_MAIL, BUILT_IN, REFEREE)
_LETTER = re.compile(r"letter (\d+)")


def log_of(club: Club, game_id: str, language: str = SOURCE_LANGUAGE) -> tuple[tuple[ActRow, str], ...]:
    """Return the acts of a game, the first one first, each with what it did (``U3: money.GSW+=5``), "" if its kind says all.
    *language*: that of what it did.

    Raises:
        NotFound: there is no such game.
    """
    row = games.game(club, game_id)
    words = {key: word for word, key in club.position(row).rules.adjustable.items()}
    sentences = club.stationery.sentences("", language)
    say, named = partial(sentences.word, "log"), partial(sentences.word, "act")
    moment = local_words if language == SOURCE_LANGUAGE else day_and_time
    zone, editions = rhythm_of(club.config, row).zone, games.editions(club, row.id)

    def describe(act: ActRow, kept: View) -> Iterator[str]:
        if act.kind == ADJUST:
            changes = (each.but(key=words.get(each.key, each.key)) for each in ruling_of(act).changes)
            yield f"U{act.number}: {' '.join(map(format_change, changes))}"
        elif act.kind == NOTE:
            yield f"U{act.number}"
        elif act.kind == WITHDRAW:
            yield f"U{kept['act']}"
        elif act.kind == "undo":
            of_turn = [each for each in editions.get(act.turn, ()) if each <= kept["edition"]]
            yield say("edition", number=len(of_turn))
            if kept["last"] != act.turn:
                yield say("with-later", last=kept["last"])
            if kept["played"]:
                yield say("played")
        else:
            for name in sorted(kept, key=lambda each: each == "after"):
                value = kept[name]
                if name in _TIMES:
                    yield say(name, moment=moment(parse_time(value), zone=zone))
                else:
                    told = map(str, value) if isinstance(value, list) else () if value is True else [str(value)]
                    yield " ".join((named(name), *told))

    return tuple((act, ", ".join(describe(act, json.loads(act.parameters)))) for act in acts(club, row.id))


def actor_words(club: Club, actor: str, language: str) -> str:
    """Return who did something in a language: ``Bea, umpire by mail, letter 214``."""
    say = partial(club.stationery.sentences("", language).word, "actor")

    def name(part: str) -> str:
        letter = _LETTER.fullmatch(part)
        if letter:
            return say("letter", number=letter[1])
        return say(part.replace(" ", "-")) if part in _ACTORS else part

    return ", ".join(map(name, actor.split(", ")))


# A letter that was misread, as it can be given to those who mend the reading.

PLAYERS = ("Ann", "Bob", "Cid", "Dot", "Eve", "Flo", "Gil", "Hal")  # those of tests/letters


def give_away(club: Club, number: int) -> bytes:
    """Return a letter with other names, addresses, codes and places, empty where its words are not kept. Raises NotFound."""
    row, others = letters.letter(club, number), dict[str, str]()
    names = [read_letter(row.raw).sender_name, row.sender]
    if row.game:
        names += [name for seat in games.players(club, row.game) for name in (seat.name, seat.address)]
        position = club.position(row.game)
        others = exchange_words(position.rules.lexicon(position.state), SystemRandom())
    return Exchange(words_of(names), others, SystemRandom()).letter(row.raw)


def words_of(names: Iterable[str | None]) -> set[str]:
    """Return the words of names, and of addresses what stands before the @."""
    return {word for name in names if name for word in re.findall(r"[^\W\d_]{2,}", name.partition("@")[0])}


def exchange_words(terms: Iterable[Term], drawn: Random) -> dict[str, str]:
    """Return another town for each, of the same length if there is one, with its hex; and other names for players."""
    told = list(terms)
    places = [each for each in told if each.kind == "PLACE" and not each.name.isupper()]
    places.sort(key=lambda each: (len(each.name), drawn.random()))
    plain = [each for each in places if each.name.isascii()]
    pairs = list(zip(places, plain[1:] + plain, strict=False))
    codes = list(dict.fromkeys(each.value for each in told if each.kind == "PLAYER"))
    players = {each.name: PLAYERS[codes.index(each.value)] for each in told if each.kind == "PLAYER"}
    return players | {old.value: new.value for old, new in pairs} | {old.name: new.name for old, new in pairs}


# The umpire's own words to players, sent at once, and what the umpire and one of them have written to each other.

WORD, TO_UMPIRE = "word", "note"  # kinds of what the umpire wrote to a player, and a player to the umpire


def correspondence(club: Club, code: str) -> tuple[PressRow, ...]:
    """Return what the umpires and the players of a code have written to each other, the first first. Raises NotFound: nobody has
    that code.
    """
    seats = (seat.code.upper() for row in games.all_games(club) for seat in games.players(club, row.id))
    if code.upper() not in seats:
        raise NotFound(N_("nobody has the code {code} in a game"), code=code.upper())
    return orders.exchanged(club, code, WORD, TO_UMPIRE)


def write(club: Club, command: Command) -> View:
    """Write to the players of a game, or of ALL, to some of them, or PREVIEW that."""
    codes, given = command.words, command.given
    if codes and command_word(codes[0]) == "ALL":
        codes, given = codes[1:], {**given, "ALL-GAMES": ""}
    elif codes and "ALL-GAMES" in given:
        raise CommandFault("all-games", words=" ".join(codes))
    elif not codes and "ALL-GAMES" not in given:
        raise CommandFault("no-readers")
    names = [row.id for row in games.running_games(club)]
    if "ALL-GAMES" not in given:
        names, codes = [command.game.upper()], codes[1:]
    observers = "OBSERVERS" in given

    words = checked_reason(command.reason, needed=True)

    def address_to(name: str) -> tuple[Position, list[PlayerRow], View]:
        position = club.position(name)
        named = [position.player(code) for code in codes] or position.players
        people = [each for each in named if not is_built_in(each.address)]
        if not people:
            raise NotFound(N_("no person plays there: nobody was written to"))
        signs = umpire_at(club, command.sender, name) or next(iter(umpires_of(club, position.id)), Umpire(address=""))
        told = {"words": words, "by": signs.name, "reply_to": signs.address}
        return position, people, told

    if "PREVIEW" in given:
        shown = ((position, readers[0], values) for position, readers, values in map(address_to, names))
        return {"drafts": [render(club, WORD, *each).text for each in shown]}
    told: dict[str, Texts] = {}
    for name in names:
        if command.sender and any(act.actor == club.actor for act in acts(club, name)):
            continue  # a power cut may have come between two of a letter
        position, readers, values = address_to(name)
        row, to = position.row, tuple(each.code for each in readers)
        kept = {"players": to, **({"observers": True} if observers else {})}
        with transaction(club):  # words to all stand in the game's log, of others whom they went to
            act = log_act(club, row, "write", kept, "" if codes else words)
            key = f"word:{row.id}:{act.number}"
            for each in readers:
                own, reply_to = f"{key}:{each.code}", values["reply_to"]
                tell_player(club, position, each, WORD, values, own, coded=False, reply_to=reply_to)
                said = PressRow(
                    game=row.id, turn=row.turn, player=each.code, letter=None, kind=WORD, text=words, arrived=club.now
                )
                insert(club, said)
            if observers:
                tell_observers(club, position, WORD, values, key)
        told[name] = to
    return {"written": told, "observers": observers}


# Letters as an umpire sees them.

LISTED = 50  # letters of a list, the newest
_STATUSES = ("STORED", "DONE", "REFUSED", "PARKED", "HELD", "IGNORED")


def show_letters(club: Club, command: Command) -> View:
    """Tell of the letters of one status, or about one game, or of all that are this umpire's to see."""
    if command.words and command_word(command.words[0]) == "WITH":
        told = correspondence(club, command.word(1, "player"))
        return {"exchanged": [each for each in told if umpire_at(club, command.sender, each.game)]}
    said = [command_word(word) or word.upper() for word in command.words if command_word(word) != "STATUS"]
    for word in said:
        if word not in _STATUSES:
            id_of(club, word)
    listed = [
        each
        for each in letters.listed(club, "")
        if umpire_at(club, command.sender, each.game or "") and {*said} <= {each.status.upper(), each.game}
    ]
    return {"letters": listed[-LISTED:], "more": len(listed[:-LISTED])}


def show_letter(club: Club, command: Command) -> View:
    number = command.number(0, "letter")
    row = letters.letter(club, number)
    if not row.raw:
        raise NotFound(N_("letter {number} is kept without its words"), number=number)
    with read_for(number):
        came = without_codes(club, club.reader.read(row.raw))
    return {"row": row, "came": came, "ours": [text_of(each) for each in outbox.answers_to(club, number)]}
