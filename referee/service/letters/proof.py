"""Is a letter really its player's, or its umpire's? By the code it carries, by what mail servers say of its sender, as the
policy asks.

policy            the player's address in From, and
token             the code of his game and turn
token+auth        that code, and a mail server that vouches for his address
auth-or-confirm   a mail server that vouches for it; else his word, given in answer to a letter of ours
address           nothing

An umpire's command needs the same, and under each of them a code that was used for no other.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial

from referee.core.address import mailbox
from referee.core.values import Value
from referee.mail.letter.authentication import is_authenticated, is_from_its_server, is_meant, is_signed
from referee.mail.letter.headers import Head, addresses, decoded_line, read_head
from referee.mail.letter.message import SUBJECT_LIMIT, Letter
from referee.mail.letter.tokens import Tag, tags_in
from referee.service.club.club import Club
from referee.service.club.umpires import is_any_umpires
from referee.service.letters.identify import Found, is_own
from referee.service.post.codes import UMPIRE, Worth, are_used, codes_of_umpire, is_open, tags_of, worth_of
from referee.store import codes, games
from referee.store.database.rows import CodeRow, GameRow, HeldRow, PlayerRow

# What the code of a letter may be, from the one that decides to the one that is passed over.
_WEIGHT = ("right", "other", "used", "wrong", "old", "missing")

_DAY = timedelta(days=1)


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
    USED = "used"  # an umpire's code alone is, and his words may be
    UNSURE = "unsure"


class Proof(Value):
    """``why`` a letter is not taken, None if it is. ``held``: the held letter that
    its code was given out for. ``owner``: whose code it is, where it is another player's. ``curable``: his word, given in answer
    to a letter of ours, would let it count, as far as we can know.
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
    is_known = games.seats_of(club.db, letter.sender) or is_any_umpires(club, letter.sender)
    if identity.policy in ("token", "address") or not is_known:
        return False
    head = read_head(raw)[0]
    if says_who_wrote(club, head, letter.sender, arrived):
        return True
    return identity.dkim and _is_meant(club, head, arrived, direct=False) and is_signed(raw, head, letter.sender)


def says_who_wrote(club: Club, head: Head, sender: str, arrived: datetime) -> bool:
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
    # Nobody vouches for his word either, where nobody vouches for his letter: it comes by the same way.
    curable = vouched or club.config.identity.policy != "token+auth"
    return Proof(why=why, held=None if why else waiting, owner=owner if word == "other" else None, curable=curable)


def prove_command(
    club: Club, letter: Letter, vouched: bool, game: str, text: str, number: int, *, sure: bool
) -> tuple[Doubt | None, CodeRow | None]:
    """Return why letter *number* is not taken for its umpire's command *text* about a game, None if it is; and the code it came
    with, used or old perhaps. *sure*: all of the text is his.
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
    return codes.wrong_codes(club.db, letter.sender, club.clock() - _DAY) >= club.config.identity.wrong_codes


def owner_of_code(club: Club, letter: Letter) -> PlayerRow | None:
    """Return whose code a letter from nobody we know carries, None if nobody's."""
    for tag in tags_of(club, letter) if are_used(club) else ():
        named = seat_of(club, tag)
        if named and named[0].status == "running" and worth_of(club, tag, *named).word == "right":
            return named[1]
    return None


def carries_code(club: Club, raw: bytes, sender: str) -> bool:
    """Return whether the header of a letter, of which no more was read, bears *sender* and a right code of his: a player's or an
    umpire's.

    Raises nothing that *raw* could be to blame for.
    """
    head = read_head(raw)[0]
    recipients = addresses(head.all("to") + head.all("cc") + head.all("delivered-to"))
    tags = tags_in(recipients, decoded_line(head.first("subject"), SUBJECT_LIMIT), club.config.address)
    if any(is_open(club, code) for code in codes_of_umpire(club, tags, sender)):
        return True
    named = ((tag, seat_of(club, tag)) for tag in tags if are_used(club))
    return any(seat and _is_of(seat[1], sender) and worth_of(club, tag, *seat).word == "right" for tag, seat in named)


def _is_meant(club: Club, head: Head, arrived: datetime, *, direct: bool) -> bool:
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
    return None if vouched or (word == "right" and waiting is not None) else Doubt.UNVOUCHED


def _best(club: Club, letter: Letter, whose: Found) -> tuple[str, HeldRow | None, PlayerRow | None]:
    """Return what the codes of a letter say at best, the held letter that one was given out for, and whose that code is."""
    found: list[tuple[str, HeldRow | None, PlayerRow | None]] = [("missing", None, None)]
    game, player = whose.position.row, whose.player
    for tag in tags_of(club, letter):
        own = (tag.game.upper(), tag.player.upper()) == (game.id, player.code.upper())
        named = (game, player) if own else seat_of(club, tag)
        said = worth_of(club, tag, *named) if named else Worth(word="wrong")
        mine = named is not None and _is_of(named[1], player.address)
        # A code of a game that is over opens no other one.
        counts = named is not None and (named[0].status == "running" or named[0].id == player.game)
        word = said.word if mine and counts else "other" if said.word == "right" and not mine else said.word
        word = "old" if word == "right" and not counts else word
        found.append((word, said.held if mine else None, named[1] if named else None))
    return min(found, key=lambda each: _WEIGHT.index(each[0]))


def seat_of(club: Club, tag: Tag) -> tuple[GameRow, PlayerRow] | None:
    """Return the game and player that a tag names, None if there is none."""
    row = games.known(club.db, tag.game)
    player = games.seat(club.db, tag.game, tag.player) if row else None
    return (row, player) if row and player else None


def _is_of(player: PlayerRow, address: str) -> bool:
    return mailbox(player.address) == mailbox(address)
