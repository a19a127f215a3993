"""The codes by which players' answers are known: given out with each letter of ours, checked on each of theirs.

A player's code holds for one game and turn, for the awaited turn and the one before it, and for those that were undone. Nothing
of it is stored: it is made with the club's key whenever it is asked for. An umpire's is good for one command, so that it is kept
which were given out and used.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote
from zoneinfo import ZoneInfo

from referee.core import Value, View, Words
from referee.mail.letter.tokens import (
    Tag,
    is_token,
    reply_address,
    squeeze,
    tags_in,
    tags_in_text,
    token_of,
    without_letters,
    without_spelt,
    without_tokens,
)
from referee.orderbook.expressions import COMMANDS
from referee.report.ics import DayWriter
from referee.report.sentences import Spoken
from referee.resources import word_texts
from referee.store import CodeRow, GameRow, HeldRow, PlayerRow, codes, fact, games, orders

from ..club import Club
from ..duetimes import rhythm_of
from ..umpires import Umpire, umpire_at
from .readers import language_of

if TYPE_CHECKING:
    from referee.mail.compose import Outgoing
    from referee.mail.letter.message import Letter


VALID = 2  # turns: the awaited one and the one before
REMEMBERED = 40  # turns whose codes are known to have been a player's once
EPOCHS_REMEMBERED = 3
MOST_GAMES = 200  # looked up for what looks like codes in one letter; of more each may be one
MOVE_WAITS = WATCH_WAITS = UMPIRE_WAITS = timedelta(days=14)  # for confirmation, or a command

_BY_TURN, _BY_LETTER, _BY_MOVE = "turn", "letter", "move"
WATCH, UNWATCH, UMPIRE = "WATCH", "UNWATCH", "UMPIRE"  # stand where a player's code stands
JOIN, SIGNUP = "JOIN", "SIGNUP"  # so do these
CLUB = "CLUB0"  # stands where a game stands: no game is called so
NO_PLAYERS = (WATCH, UNWATCH, UMPIRE, JOIN, SIGNUP)
_SEAT = re.compile(r"[A-Za-z][A-Za-z0-9]{0,7}")


class TagWorth(Value):
    """What a tag says: ``right``, ``old`` (it was the player's once) or ``wrong``; ``held``: the letter that it was given out
    for, if it was for one.
    """

    word: str
    held: HeldRow | None = None


def is_seats(code: str) -> bool:
    """Return whether a player of a game may be known by *code*."""
    return _SEAT.fullmatch(code) is not None and code.upper() not in NO_PLAYERS


def are_used(club: Club) -> bool:
    """Return whether letters carry codes at all."""
    return club.config.identity.policy != "address"


def tags_of(club: Club, letter: Letter) -> tuple[Tag, ...]:
    """Return what may be codes in the addresses that a letter came to, and in its subject."""
    return tags_in(letter.recipients, letter.subject, club.config.address)


def game_of_code(club: Club, letter: Letter, text: str, what: str) -> str:
    """Return the id of the game whose code (WATCH, JOIN) stands in *text*, the address or the subject, "" for none."""
    tags = (*tags_in_text(text, what), *tags_of(club, letter))
    return next((tag.game for tag in tags if is_given(club, tag, what)), "")


def tag_of_turn(club: Club, player: PlayerRow, turn: int) -> Tag:
    """Return what answers of a player carry while *turn* is awaited."""
    return _tag(_key(club), player, _BY_TURN, turn, codes.epoch(club, player.game, player.code))


def tag_of_letter(club: Club, player: PlayerRow, hash_: str) -> Tag:
    """Return what a player's answer carries to release the held letter of that hash."""
    return _tag(_key(club), player, _BY_LETTER, hash_, codes.epoch(club, player.game, player.code))


def tag_of_move(club: Club, player: PlayerRow, number: int, side: str) -> Tag:
    """Return what the answer from one *side* (``codes.BEFORE``, ``AFTER``) carries that confirms a player's new address."""
    return _tag(_key(club), player, _BY_MOVE, number, side)


def tag_of(club: Club, what: str, game: str, *address: str) -> Tag:
    """Return the code of a game by which anybody watches it or asks for a seat (*what*: WATCH, JOIN); with an *address* the one
    by which somebody there confirms that, watches no longer (UNWATCH) or speaks for a seat (SIGNUP).
    """
    return Tag(game=game, player=what, token=token_of(_key(club), what, game, *map(str.lower, address)))


def is_given(club: Club, tag: Tag, what: str, *address: str) -> bool:
    """Return whether a tag is the code of its game, or what somebody at an *address* was given: what ``tag_of`` returns."""
    return _is(tag, tag_of(club, what, tag.game, *address))


def code_of_umpire(club: Club, game: str, umpire: Umpire, key: str, command: str = "") -> CodeRow:
    """Return the code that our letter of that *key* gives an umpire: for the *command* alone, else for any one about the game."""
    token = token_of(_key(club), UMPIRE, game, umpire.address.lower(), key, command)
    return CodeRow(token=token, game=game, address=umpire.address, command=command, issued_at=club.now)


def tag_of_code(code: CodeRow) -> Tag:
    """Return what an answer of an umpire's carries to bring its code."""
    return Tag(game=code.game, player=UMPIRE, token=code.token)


def codes_of_umpire(club: Club, tags: Iterable[Tag], address: str) -> tuple[CodeRow, ...]:
    """Return those of the *tags* that are codes given to an umpire at an address, used and old ones too."""
    tokens = [tag.token for tag in tags if tag.player == UMPIRE]
    return codes.given(club, address, tokens) if tokens else ()


def is_open(club: Club, code: CodeRow, letter: int | None = None) -> bool:
    """Return whether a code may still be used, by that *letter* at least."""
    return code.used_by in (None, letter) and code.issued_at + UMPIRE_WAITS > club.now


def address_of(club: Club, tag: Tag) -> str:
    """Return the address that answers with a tag go to, "" where mail to it would not arrive."""
    return reply_address(club.config.address, tag) if club.config.identity.plus else ""


def code_check(club: Club) -> Callable[[Tag], bool]:
    """Return what says whether a tag may be somebody's code: those by which anybody may join or watch a game are everybody's."""
    seats: dict[str, frozenset[str]] = {}

    def is_given(tag: Tag) -> bool:
        if tag.game not in seats and len(seats) < MOST_GAMES:
            seats[tag.game] = frozenset(each.code.upper() for each in games.players(club, tag.game))
        return tag.player in seats.get(tag.game, {tag.player}) or tag.player in (UNWATCH, SIGNUP, UMPIRE)

    return is_given


def without_codes(club: Club, letter: Letter) -> Letter:
    """Return *letter* without what may be somebody's code, and without the letters of those that it came with, in its texts and
    in the names of its parts: we say much of a letter again, to its writer and to others, and a code stands in no text.
    """
    from referee.mail.letter.message import codeless  # here, because a pass in which nobody wrote needs none of it

    is_given, own = code_check(club), tuple(tags_of(club, letter))
    return codeless(letter, lambda text: without_letters(without_tokens(text, is_given), own))


def worth_of(club: Club, tag: Tag, game: GameRow, player: PlayerRow) -> TagWorth:
    """Return what a tag of this player and game is worth."""
    key, epoch = _key(club), codes.epoch(club, game.id, player.code)
    if _is_of_turn(tag, key, player, range(game.turn, max(game.turn - VALID, -1), -1), epoch):
        return TagWorth(word="right")
    undone = range(game.turn + 1, games.furthest_turn(club, game.id) + 2)  # awaited before turns were undone
    if _is_of_turn(tag, key, player, undone, epoch):
        return TagWorth(word="right")
    for waiting in codes.held_of(club, game.id, player.code, game.turn - VALID + 1):
        if _is(tag, _tag(key, player, _BY_LETTER, waiting.hash, epoch)):
            return TagWorth(word="right", held=waiting)
    if (word := _of_move(club, tag, key, player)) is not None:
        return TagWorth(word=word)
    remembered = range(game.turn, max(game.turn - REMEMBERED, -1), -1)
    epochs = range(epoch, max(epoch - EPOCHS_REMEMBERED, -1), -1)
    once = any(_is_of_turn(tag, key, player, remembered, each) for each in epochs)
    return TagWorth(word="old" if once else "wrong")


def _of_move(club: Club, tag: Tag, key: bytes, player: PlayerRow) -> str | None:
    """Return what a tag is worth that a player was given to confirm a new address by: while the player stays, one for the letter
    about it at the old address is as good as that of a turn. None if it is no such tag.
    """
    for move in codes.moves_of(club, player.game, player.code):
        if _is(tag, _tag(key, player, _BY_MOVE, move.id, codes.AFTER)):
            return "old"
        if _is(tag, _tag(key, player, _BY_MOVE, move.id, codes.BEFORE)):
            stays = move.before.lower() == player.address.lower() and move.asked_at + MOVE_WAITS > club.now
            return "right" if stays else "old"
    return None


def _is_of_turn(tag: Tag, key: bytes, player: PlayerRow, turns: range, epoch: int) -> bool:
    """Return whether a tag is a player's for one of those turns, of that epoch of the player's codes."""
    return any(_is(tag, _tag(key, player, _BY_TURN, turn, epoch)) for turn in turns)


def _is(tag: Tag, expected: Tag) -> bool:
    return (tag.game, tag.player) == (expected.game, expected.player) and is_token(tag.token, expected.token)


def _tag(key: bytes, player: PlayerRow, *words: str | int) -> Tag:
    return Tag(game=player.game, player=player.code.upper(), token=token_of(key, player.game, player.code, *words))


def _key(club: Club) -> bytes:
    """Return what makes the club's codes its own: it never changes, so that it is looked up once."""
    club.tools.key = club.tools.key or bytes.fromhex(fact(club, "token-key"))
    return club.tools.key


# The last door: no words of what leaves hold a code; a reader's own stands in the subject and the address to answer to.

_PACKED = (b"\x89PNG", b"%PDF", b"GIF8")  # how files begin in which no word can be looked for


def letter_out(club: Club, letter: Outgoing, own: Tag | None, buttons: tuple[Tag, ...] = ()) -> Outgoing:
    """Return a letter as it may leave; *own*: what its reader's answers carry; *buttons*: what links of its page
    carry, each for one command.
    """
    is_given, plain = code_check(club), _plain(club)
    paged = _plain(club, buttons) if buttons else plain
    return letter.but(
        subject=without_tokens(letter.subject, lambda tag: tag != own and is_given(tag)),
        recipient_name=without_tokens(letter.recipient_name, is_given),
        text=plain(letter.text),
        page=paged(letter.page),
        attachments=tuple(each.but(content=_file(each.content, plain)) for each in letter.attachments),
    )


def files_out(club: Club, files: dict[str, bytes]) -> dict[str, bytes]:
    """Return files for everybody as they may leave."""
    plain = _plain(club)
    return {place: _file(content, plain) for place, content in files.items()}


def _plain(club: Club, left: tuple[Tag, ...] = ()) -> Callable[[str], str]:
    """Return what takes the codes out of a text but those *left*: what looks like one, and those that were given out however they
    are spelt.
    """
    given, running = code_check(club), games.running_ids(club)
    is_given = (lambda tag: tag not in left and given(tag)) if left else given
    seats = cache(lambda game: games.players(club, game))

    def plain(text: str) -> str:
        text = without_tokens(text, is_given) if _may_hold(text) else text
        letters = _squeezed(text)
        for game in (each for each in running if each in letters):
            for player in (each for each in seats(game) if f"{game}{each.code}".upper() in letters):
                was_players = cache(partial(_was_players, club, games.game(club, game), player))
                text = without_spelt(text, game, player.code.upper(), was_players)
        return text

    return plain


def _was_players(club: Club, game: GameRow, player: PlayerRow, tag: Tag) -> bool:
    return worth_of(club, tag, game, player).word != "wrong"


@lru_cache(maxsize=64)  # the newsletters of a turn have their files in common
def _may_hold(text: str) -> bool:
    return without_tokens(text) != text


_squeezed = lru_cache(maxsize=64)(squeeze)


def _file(content: bytes, plain: Callable[[str], str]) -> bytes:
    return content if content.startswith(_PACKED) else plain(content.decode("latin-1")).encode("latin-1")


# What the umpire can do about a letter of ours: buttons in its page, each a letter with a whole command and a code for that.
# Nothing happens before that letter is sent.

_DAYS = timedelta(days=3)  # that a button gives a turn


class Button(Value):
    """``label`` on it; the ``command`` that it sends, with words to the players below it; ``href``: the letter; the ``code`` in
    that, None where the command needs none.
    """

    label: str
    command: str
    href: str
    code: CodeRow | None = None


class Choice(Value):
    """What waits for the umpire under a ``title``, "" for all that the letter says; ``nothing``: what comes of doing nothing."""

    buttons: tuple[Button, ...]
    title: str = ""
    nothing: str = ""


@cache
def command_names() -> Mapping[str, Words]:
    """Return what each language calls the commands, by their English names."""
    tables: Mapping[str, Words] = tomllib.loads(word_texts("")[0])[COMMANDS]
    return tables


def spoken_commands(language: str) -> Spoken:
    """Return the names that a language has for commands."""
    return Spoken(command_names().get(language, {}))


@cache
def _table() -> Mapping[str, View]:
    return tomllib.loads(Path(__file__).with_name("buttons.toml").read_text("utf-8"))


def choices_of(club: Club, address: str, kind: str, game: str | None, values: View, key: str) -> tuple[Choice, ...]:
    """Return what an umpire at an *address* can do in a case of a *kind*, by ``buttons.toml``: one choice, or none, without the
    buttons whose command names more than there is among the *values*. *key*: what their codes are made of; "" for none.
    """
    cases = _table()["cases"]
    asked = cases.get(f"{kind}-{values.get('how')}") or cases.get(kind, ())
    given = {"game": game or values.get("tag", CLUB), **_values_beside(club, game, values), **values}
    made = (_button(club, address, name, given, key) for name in asked)
    choice = Choice(
        buttons=tuple(filter(None, made)),
        title=_word(club, address, "case", kind, given),
        nothing=_word(club, address, "nothing", str(given.get("then", kind)), given),
    )
    return (choice,) if asked else ()


def issue(club: Club, cases: Iterable[Choice]) -> None:
    """Keep the codes of buttons. Inside a transaction."""
    for code in codes_in(cases):
        codes.issue(club, code)


def codes_in(cases: Iterable[Choice]) -> tuple[CodeRow, ...]:
    """Return the codes of buttons."""
    return tuple(each.code for found in cases for each in found.buttons if each.code)


def _values_beside(club: Club, game: str | None, values: View) -> View:
    told: View = {}
    if game and (row := games.known(club, game)):
        told = {"turn": row.turn, "last": row.turn - 1}
        for name, at, more in (
            ("later", values.get("deadline") or row.deadline, _DAYS),
            ("was", values.get("before"), timedelta()),
        ):
            if isinstance(at, datetime):
                told[name] = at.astimezone(ZoneInfo(rhythm_of(club.config, row).zone)) + more
    if len(missing := values.get("missing", ())) == 1:
        told |= {"player": missing[0]}
    if orders.standbys(club):
        told |= {"STANDBY": "STANDBY"}
    return told


def _button(club: Club, address: str, name: str, values: View, key: str) -> Button | None:
    asked = _table()["commands"][name]
    try:
        line = str(asked["line"]).format_map(values)
    except KeyError:
        return None
    line = text = spoken_commands(language_of(club, address)).sentence(line)
    if asked.get("words"):
        text = f"{line}\n\n{_word(club, address, 'button-words', name, values)}"
    game = CLUB if asked.get("club") else str(values["game"])
    umpire = umpire_at(club, address, game)
    if not umpire:
        return None
    code, to, subject = None, club.config.address, line
    if key and not asked.get("looks"):
        bound = values.get("bound")  # what is confirmed, by the code that the letter brings anyway
        code = code_of_umpire(club, game, umpire, key if bound else f"{key}:{name}", bound or text)
        tag = tag_of_code(code)
        to = address_of(club, tag) or to
        subject = f"[{tag}] {line}"
    body = text.replace("\n", "\r\n")
    href = f"mailto:{to}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"
    return Button(label=_word(club, address, "button", name, values), command=line, href=href, code=code)


def _word(club: Club, address: str, section: str, name: str, values: View) -> str:
    """Return a word for an umpire, "" where there is none of that name."""
    sentences = club.stationery.sentences("", language_of(club, address))
    if later := values.get("later"):
        values = {**values, "later": f"{DayWriter(str(later.tzinfo), sentences).day(later)}, {later:%H:%M}"}
    told = sentences.word(section, name, **values)
    return "" if told == name else told
