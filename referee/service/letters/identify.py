"""Whose letter is it, and about which game?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial

from referee.core import Texts, Value, mailbox
from referee.mail.compose import without_page
from referee.mail.letter.authentication import is_authenticated, is_from_its_server, is_meant, is_signed
from referee.mail.letter.headers import HeaderFields, addresses, decoded_line, read_head
from referee.mail.letter.message import SUBJECT_LIMIT, Letter
from referee.mail.letter.tokens import Tag, tags_in, without_tokens
from referee.orderbook import announcements, fold, own_text
from referee.reader.hearing import may_quote
from referee.reader.wire import Quoted, Quotes
from referee.store import Answered, CodeRow, Fate, GameRow, HeldRow, PlayerRow, codes, games, letters, outbox

from ..club import Club
from ..positions import Position
from ..post.codes import (
    UMPIRE,
    TagWorth,
    are_used,
    code_check,
    codes_of_umpire,
    is_open,
    tags_of,
    worth_of,
)
from ..umpires import is_any_umpires

_TAG = re.compile(r"\[([A-Za-z]{1,6}[0-9]{1,6})\]")
_WORD = re.compile(r"(?<![\w-])[A-Za-z]{1,6}[0-9]{1,6}(?![\w-])")


class Found(Value):
    """The game and player a letter is from. ``why`` it cannot be taken: the game is over, or it is not known which is meant
    (``named``, if any was); then the position is one of the player's games. ``running``: those that are not over. ``seats``:
    those held from the address that it bears.
    """

    position: Position
    player: PlayerRow
    why: Fate | None = None
    named: str = ""
    running: tuple[Position, ...] = ()
    seats: tuple[PlayerRow, ...] = ()

    @property
    def choices(self) -> Texts:
        """The ids of the games that the letter may mean."""
        return tuple(each.row.id for each in self.running)


def why_ignored(club: Club, letter: Letter) -> Fate | None:
    """Return why a letter is kept without a word to anybody: from a machine, from nobody, from ourselves; None if it is read."""
    if letter.robot:
        return Fate.ROBOT
    if not letter.sender:
        return Fate.NO_SENDER
    if is_own(club, letter.sender):
        return Fate.OWN_ADDRESS
    return None if games.seats_of(club, letter.sender) else Fate.STRANGER


def reason_ignored(why: Fate, letter: Letter) -> str:
    """Return in the umpire's words why a letter is ignored."""
    return f"{why}: {letter.robot}" if why is Fate.ROBOT else why


def is_own(club: Club, address: str) -> bool:
    """Return whether letters to *address* come to us: ``referee+anything@...`` is the referee's too."""
    local, _, domain = address.lower().rpartition("@")
    own, _, own_domain = club.config.address.lower().rpartition("@")
    return domain == own_domain and own in (local, local.partition("+")[0])


def identify(club: Club, letter: Letter, game_id: str = "") -> Found:
    """Return whose letter it is: by *game_id* if given, the code in address or subject, the tag in the subject, the only running
    game. Nothing of it is proved, and its text is not looked at. The sender must hold a seat in some game.
    """
    seats = games.seats_of(club, letter.sender)
    tags = tags_of(club, letter)
    positions = [club.position(seat.game) for seat in seats]
    running = tuple(position for position in positions if not position.row.is_over)
    asked = (game_id or _find_game(letter, running, tags)).upper()
    chosen: Sequence[Position] = [position for position in positions if position.id == asked]
    if not asked and len(running) == 1:
        chosen = running
    position = (chosen or running or positions)[-1]
    why = Fate.OVER if position.row.is_over else None
    if not chosen and (asked or running):
        why = Fate.UNKNOWN_GAME if asked else Fate.WHICH_GAME
    held = [seat for seat in seats if seat.game == position.id]
    coded = {tag.player for tag in tags if tag.game == position.id}
    player = next((seat for seat in held if seat.code.upper() in coded), held[0])
    player = position.player(player.code)  # as others may know them
    return Found(position=position, player=player, why=why, named=asked, running=running, seats=seats)


def _find_game(letter: Letter, running: Sequence[Position], tags: tuple[Tag, ...]) -> str:
    """Return the game a letter names by a code, else in its subject, in brackets or as a word that names one alone of the
    player's running games; "" if it names none.
    """
    coded = [tag.game for tag in tags]
    own = [game for game in coded if any(position.id == game for position in running)]
    plain = _TAG.findall(letter.subject)
    words = {word.upper() for word in _WORD.findall(letter.subject)}
    bare = [position.id for position in running if position.id in words]
    in_subject = plain[-1:] or (bare if len(bare) == 1 else [])
    return (own or coded or in_subject or [""])[0]


# A letter that comes a second time under other header lines, by a list or passed on by somebody, however late.


def is_copy(club: Club, number: int, letter: Letter) -> bool:
    """Return whether letter *number* was taken before: the same sender, Message-ID and words.

    Its orders would else stand as the newest again. The same Message-ID over other words is another letter.
    """
    if not letter.message_id:
        return False
    others = letters.taken_with_id(club, letter.message_id, letter.sender, number)
    return any(_words(club.reader.read(letters.letter(club, other).raw)) == _words(letter) for other in others)


def _words(letter: Letter) -> tuple[object, ...]:
    texts = (letter.text, *letter.alternatives, *letter.pieces, *letter.enclosed)
    return letter.attachments, *("\n".join(text.split()) for text in texts)


# What a letter quotes of our own letters without a mark, known by the letters it answers or may answer; and what is its
# writer's own.

ANSWERED = (
    3  # letters of ours that are compared: the last of the references, or, where it names none, the last to its sender
)
LONG = 12  # characters of a line of ours by which it is known
HEAD = 96 * 1024  # bytes of each: the text stands before the attachments


def quotes_of(club: Club, letter: Letter, found: Found | None = None) -> Quoted | None:
    """Return the letters of ours that a letter may quote without a mark, None where there are none, or nothing can be quoted.

    *found*: whose it is, as it was found out in the same transaction.
    """
    if not may_quote(letter):
        return None
    seats = games.seats_of(club, letter.sender) if not found else found.seats
    ours, answered = quoted_letters(club, letter.references, letter.sender, seats)
    game = next((each.game for each in ours if each.game), None)
    if game is None:
        return None
    known = found is not None and found.position.id == game
    position = found.position if found and known else club.position(game)
    plain = tuple(without_page(each.raw) for each in ours)  # the page beside it says the same at twice the length
    return Quotes(ours=plain, stand=position.in_play.stand.key, broken=answered), position.in_play


def own_words(club: Club, letter: Letter, orders: int = 0) -> tuple[str, bool]:
    """Return the text that a letter begins with, without codes, as far as it is its writer's own; and whether that is certain.

    It is not where a line above a quotation, or one of ours, stands among the writer's: what a mail program writes above our
    words in a language that we do not know. It ends before the paragraph of that line then. Our address alone may be a part of
    the writer's words. *orders*: the line where orders begin, of which any may have stood in a letter of ours: their paragraph is
    the writer's.
    """
    text = own_text(letter.text)
    lines, clean = text.split("\n"), without_tokens(text, code_check(club)).split("\n")
    # What stands in the letters that this one may quote, but for what these quote of its writer's.
    ours, _ = quoted_letters(club, letter.references, letter.sender, ())
    said = {line for each in ours for line in club.reader.read(each.raw).text.split("\n") if line[:1] != "|"}
    announced = {*map(fold, announcements(letter.text))}
    theirs = {plain for line in said if len(plain := fold(line)) >= LONG} | announced
    end = next((at for at in range(orders, len(lines)) if not lines[at].strip()), len(lines)) if orders else 0
    below, own = range(1, len(lines)), range(orders, end)
    quoted = [at for at in below if clean[at] != lines[at] or fold(lines[at]) in (announced if at in own else theirs)]
    named = [at for at in below if club.config.address.lower() in lines[at].lower()]
    cut = min(quoted + named) if quoted else len(lines)
    above = next((at for at in range(cut - 1, 0, -1) if not lines[at].strip()), 0) if quoted else cut
    kept = next((part for at in (above, cut) if (part := clean[1:at]) and "".join(part).strip()), clean[1:])
    return "\n".join((clean[0], *kept)).strip(), not quoted + named


def quoted_letters(
    club: Club, references: Sequence[str], sender: str, seats: Iterable[PlayerRow]
) -> tuple[tuple[Answered, ...], bool]:
    """Return letters of ours that a letter of *sender*, who holds these *seats*, may quote, and whether it names them. Where none
    is named, as by GMX, Zoho and others, or by a name that a server gave it, these are the last ones to the sender, and the last
    newsletters.
    """
    if references and (answered := outbox.letters_by_id(club, references[-ANSWERED:], HEAD)):
        return answered, True
    last = (outbox.newsletter_to(club, seat.game, seat.code, None) for seat in seats)
    newsletters = tuple(Answered(game=row.game, raw=row.raw[:HEAD]) for row in last if row)
    return (*outbox.last_to(club, sender, ANSWERED, HEAD), *newsletters[-ANSWERED:]), False


# Is a letter really its player's, or its umpire's? By the code it carries, by what mail servers say of its sender, as
# the policy asks.
#
# policy            the player's address in From, and
# token             the code of their game and turn
# token+auth        that code, and a mail server that vouches for the address
# auth-or-confirm   a mail server that vouches for it; else the player's word, given in answer to a letter of ours
# address           nothing
#
# An umpire's command needs the same, and under each of them a code that was used for no other.

# What the code of a letter may be, from the one that decides to the one that is passed over.
_WEIGHT = ("right", "other", "used", "wrong", "old", "missing")


class Doubt(StrEnum):
    """Why a letter is not taken for its player's; ``held.txt.j2`` knows these words."""

    MISSING = "missing"
    OLD = "old"
    WRONG = "wrong"
    OTHER = "other"
    STRANGER = "stranger"
    NAMELESS = "nameless"
    UNVOUCHED = "unauthenticated"
    SHUT_OUT = "shut-out"
    USED = "used"  # an umpire's code alone is, and the umpire's words may be
    UNSURE = "unsure"


class Proof(Value):
    """``why`` a letter is not taken, None if it is. ``held``: the held letter that
    its code was given out for. ``owner``: whose code it is, where it is another player's. ``curable``: its player's
    word, given in answer to a letter of ours, would let it count, as far as we can know.
    """

    why: Doubt | None = None
    held: HeldRow | None = None
    owner: PlayerRow | None = None
    curable: bool = True


def is_vouched_for(club: Club, raw: bytes, letter: Letter, arrived: datetime) -> bool:
    """Return whether a mail server of ours, or a signature, says who sent a letter; asked only where the policy wants it.

    A name server may be asked: never inside a transaction.

    Raises:
        ConfigError: signatures are to be checked, but the program for it is not installed.
    """
    identity = club.config.identity
    is_known = games.seats_of(club, letter.sender) or is_any_umpires(club, letter.sender)
    if identity.policy in ("token", "address") or not is_known:
        return False
    head = read_head(raw)[0]
    if says_who_wrote(club, head, letter.sender, arrived):
        return True
    return identity.dkim and _is_meant(club, head, arrived, direct=False) and is_signed(raw, head, letter.sender)


def says_who_wrote(club: Club, head: HeaderFields, sender: str, arrived: datetime) -> bool:
    """Return whether our mail server says in the header of a letter, and of one to us, that it is from *sender*."""
    told = (head, sender, club.config.identity.authserv_id, club.config.identity.profile)
    return is_authenticated(*told) and _is_meant(club, head, arrived, direct=is_from_its_server(*told))


def prove(club: Club, letter: Letter, found: Found, vouched: bool) -> Proof:
    """Return whether a letter is taken as that of the player whose address it bears."""
    if not are_used(club):
        return Proof()
    word, waiting, owner = _best(club, letter, found)
    why = _why(club.config.identity.policy, word, waiting, vouched)
    if why and word != "right" and _is_shut_out(club, letter):
        return Proof(why=Doubt.SHUT_OUT)
    # Nobody vouches for the player's word either, where nobody vouches for the letter: it comes by the same way.
    curable = vouched or club.config.identity.policy != "token+auth"
    return Proof(why=why, held=None if why else waiting, owner=owner if word == "other" else None, curable=curable)


def prove_command(
    club: Club, letter: Letter, vouched: bool, game: str, text: str, number: int, *, sure: bool
) -> tuple[Doubt | None, CodeRow | None]:
    """Return why letter *number* is not taken for its umpire's command *text* about a game, None if it is; and the code it came
    with, used or old perhaps. *sure*: all of the text is the umpire's.
    """
    tags = tags_of(club, letter)
    lacks = "wrong" if any(tag.player == UMPIRE for tag in tags) else "missing"
    told = [(_worth_for(club, code, game, text, number), code) for code in codes_of_umpire(club, tags, letter.sender)]
    word, code = min(told, key=lambda each: _WEIGHT.index(each[0]), default=(lacks, None))
    read_back = code if code and code.command.split() == text.split() else None
    policy = club.config.identity.policy.replace("address", "token")
    why = Doubt(word) if word != "right" else _why(policy, word, read_back, vouched)
    if why and word != "right" and _is_shut_out(club, letter):
        return Doubt.SHUT_OUT, code
    return why or (None if sure or read_back else Doubt.UNSURE), code


def _worth_for(club: Club, code: CodeRow, game: str, text: str, number: int) -> str:
    if code.used_by not in (None, number):
        return "used"
    lines = [each.partition("\n")[0].casefold().split() for each in (code.command or text, text)]
    if code.game != game or lines[0] != lines[1]:
        return "other"
    return "right" if is_open(club, code, number) else "old"


def _is_shut_out(club: Club, letter: Letter) -> bool:
    """Return whether too many wrong codes came in its sender's name."""
    return codes.wrong_codes(club, letter.sender, club.day_ago) >= club.config.identity.wrong_codes


def owner_of_code(club: Club, letter: Letter) -> PlayerRow | None:
    """Return whose code a letter from nobody we know carries, None if nobody's."""
    for tag in tags_of(club, letter) if are_used(club) else ():
        named = seat_of(club, tag)
        if named and not named[0].is_over and worth_of(club, tag, *named).word == "right":
            return named[1]
    return None


def carries_code(club: Club, raw: bytes, sender: str) -> bool:
    """Return whether the header of a letter, of which no more was read, bears *sender* and a right code of theirs: a player's or
    an umpire's.

    Raises nothing that *raw* could be to blame for.
    """
    head = read_head(raw)[0]
    recipients = addresses(head.all("to") + head.all("cc") + head.all("delivered-to"))
    tags = tags_in(recipients, decoded_line(head.first("subject"), SUBJECT_LIMIT), club.config.address)
    if any(is_open(club, code) for code in codes_of_umpire(club, tags, sender)):
        return True
    named = ((tag, seat_of(club, tag)) for tag in tags if are_used(club))
    return any(seat and _is_of(seat[1], sender) and worth_of(club, tag, *seat).word == "right" for tag, seat in named)


def _is_meant(club: Club, head: HeaderFields, arrived: datetime, *, direct: bool) -> bool:
    """Return whether a letter was meant for us; a code beside the vouching says so, too."""
    is_alone = club.config.identity.policy != "token+auth"
    return not is_alone or is_meant(head, partial(is_own, club), arrived, direct=direct)


def _why(policy: str, word: str, waiting: HeldRow | CodeRow | None, vouched: bool) -> Doubt | None:
    if policy == "token":
        return None if word == "right" else Doubt(word)
    if policy == "token+auth":
        return Doubt(word) if word != "right" else None if vouched else Doubt.UNVOUCHED
    if word in ("wrong", "other"):
        return Doubt(word)
    return None if vouched or (word == "right" and waiting) else Doubt.UNVOUCHED


def _best(club: Club, letter: Letter, whose: Found) -> tuple[str, HeldRow | None, PlayerRow | None]:
    """Return what the codes of a letter say at best, the held letter that one was given out for, and whose that code is."""
    found: list[tuple[str, HeldRow | None, PlayerRow | None]] = [("missing", None, None)]
    game, player = whose.position.row, whose.player
    for tag in tags_of(club, letter):
        own = (tag.game.upper(), tag.player.upper()) == (game.id, player.code.upper())
        named = (game, player) if own else seat_of(club, tag)
        said = worth_of(club, tag, *named) if named else TagWorth(word="wrong")
        mine = named is not None and _is_of(named[1], player.address)
        # A code of a game that is over opens no other one.
        counts = named is not None and (not named[0].is_over or named[0].id == player.game)
        word = said.word if mine and counts else "other" if said.word == "right" and not mine else said.word
        word = "old" if word == "right" and not counts else word
        found.append((word, said.held if mine else None, named[1] if named else None))
    return min(found, key=lambda each: _WEIGHT.index(each[0]))


def seat_of(club: Club, tag: Tag) -> tuple[GameRow, PlayerRow] | None:
    """Return the game and player that a tag names, None if there is none."""
    row = games.known(club, tag.game)
    player = games.seat(club, tag.game, tag.player) if row else None
    return (row, player) if row and player else None


def _is_of(player: PlayerRow, address: str) -> bool:
    return mailbox(player.address) == mailbox(address)
