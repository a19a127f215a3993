"""Whose letter is it, and about which game?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from referee.core.values import Value
from referee.mail.compose import without_page
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import Tag, without_tokens
from referee.orderbook import fold, own_text, unannounced
from referee.reader.hearing import may_quote
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.post.codes import given_by, tags_of, without_codes
from referee.store import games, letters, outbox
from referee.store.database.rows import PlayerRow
from referee.store.letters import Fate
from referee.store.outbox import Answered

_TAG = re.compile(r"\[([A-Za-z]{1,6}[0-9]{1,6})\]")
_WORD = re.compile(r"(?<![\w-])[A-Za-z]{1,6}[0-9]{1,6}(?![\w-])")


class Found(Value):
    """The game and player a letter is from. ``why`` it cannot be taken: the game is over, or it is not known which is meant
    (``named``, if any was); then the position is one of the player's games. ``running``: his games that are not over. ``seats``:
    those held from the address that it bears.
    """

    position: Position
    player: PlayerRow
    why: Fate | None = None
    named: str = ""
    running: tuple[Position, ...] = ()
    seats: tuple[PlayerRow, ...] = ()

    @property
    def choices(self) -> tuple[str, ...]:
        """The ids of the games that he may mean."""
        return tuple(each.row.id for each in self.running)


def why_ignored(club: Club, letter: Letter) -> Fate | None:
    """Return why a letter is kept without a word to anybody: from a machine, from nobody, from ourselves; None if it is read."""
    if letter.robot:
        return Fate.ROBOT
    if not letter.sender:
        return Fate.NO_SENDER
    if is_own(club, letter.sender):
        return Fate.OWN_ADDRESS
    return None if games.seats_of(club.db, letter.sender) else Fate.STRANGER


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
    seats = games.seats_of(club.db, letter.sender)
    tags = tags_of(club, letter)
    positions = [club.positions.of(club.db, games.game(club.db, seat.game)) for seat in seats]
    running = tuple(position for position in positions if position.row.status == "running")
    asked = (game_id or _named(letter, running, tags)).upper()
    chosen: Sequence[Position] = [position for position in positions if position.row.id == asked]
    if not asked and len(running) == 1:
        chosen = running
    position = (chosen or running or positions)[-1]
    why = None if position.row.status == "running" else Fate.OVER
    if not chosen and (asked or running):
        why = Fate.UNKNOWN_GAME if asked else Fate.WHICH_GAME
    held = [seat for seat in seats if seat.game == position.row.id]
    coded = {tag.player for tag in tags if tag.game == position.row.id}
    player = next((seat for seat in held if seat.code.upper() in coded), held[0])
    player = position.player(player.code)  # as others may know him
    return Found(position=position, player=player, why=why, named=asked, running=running, seats=seats)


def identify_by_text(club: Club, letter: Letter, found: Found) -> Found:
    """Return whose letter it is, where a line ``ORDERS RR7`` names another game than its header."""
    if not letter.text.strip():
        return found
    named = club.reader.games_named(letter, [position.in_play for position in found.running])
    game_id = next(filter(None, named), "")
    same = ("", found.named, found.position.row.id if found.why is None else "")
    return found if game_id.upper() in same else identify(club, letter, game_id)


def _named(letter: Letter, running: Sequence[Position], tags: tuple[Tag, ...]) -> str:
    """Return the game a letter names by a code, else in its subject, in brackets or as a word that names one alone of the
    player's running games; "" if it names none.
    """
    coded = [tag.game for tag in tags]
    own = [game for game in coded if any(position.row.id == game for position in running)]
    plain = _TAG.findall(letter.subject)
    words = {word.upper() for word in _WORD.findall(letter.subject)}
    bare = [position.row.id for position in running if position.row.id in words]
    in_subject = plain[-1:] or (bare if len(bare) == 1 else [])
    return (own or coded or in_subject or [""])[0]


# A letter that comes a second time under other header lines, by a list or passed on by somebody, however late.


def is_copy(club: Club, number: int, letter: Letter) -> bool:
    """Return whether letter *number* was taken before: the same sender, Message-ID and words.

    Its orders would else stand as the newest again. The same Message-ID over other words is another letter.
    """
    if not letter.message_id:
        return False
    others = letters.taken_with_id(club.db, letter.message_id, letter.sender, number)
    return any(_words(club.reader.read(letters.letter(club.db, other).raw)) == _words(letter) for other in others)


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


def with_returned_marked(club: Club, letter: Letter, found: Found | None = None) -> Letter:
    """Return *letter* without codes, with ``> `` before the lines that it quotes of letters of ours without a mark, and with
    a form that was filled in where it is quoted as its own.

    *found*: whose it is, as it was found out in the same transaction.
    """
    letter = without_codes(club, letter)
    if not may_quote(letter):
        return letter
    seats = games.seats_of(club.db, letter.sender) if found is None else found.seats
    ours, answered = answered_by(club, letter.references, letter.sender, seats)
    game = next((each.game for each in ours if each.game), None)
    if game is None:
        return letter
    known = found is not None and found.position.row.id == game
    position = found.position if found and known else club.positions.of(club.db, games.game(club.db, game))
    return club.reader.quoted(letter, raws_of(ours), position.in_play, broken=answered)


def own_words(club: Club, letter: Letter) -> tuple[str, bool]:
    """Return the text that a letter begins with, without codes, as far as it is its writer's own; and whether that is certain.

    It is not where a line above a quotation, or one of ours, stands among his: what his mail program writes above our words in a
    language that we do not know. It ends before the paragraph of that line then. Our address alone may be a part of his words.
    """
    text = own_text(letter.text)
    lines, clean = text.split("\n"), without_tokens(text, given_by(club)).split("\n")
    theirs = _said(club, letter) | {fold(line) for line in unannounced(letter.text)}
    below = range(1, len(lines))
    quoted = [at for at in below if clean[at] != lines[at] or fold(lines[at]) in theirs]
    named = [at for at in below if club.config.address.lower() in lines[at].lower()]
    cut = min(quoted + named) if quoted else len(lines)
    above = next((at for at in range(cut - 1, 0, -1) if not lines[at].strip()), 0) if quoted else cut
    kept = next((part for at in (above, cut) if (part := clean[1:at]) and "".join(part).strip()), clean[1:])
    return "\n".join((clean[0], *kept)).strip(), not quoted + named


def answered_by(
    club: Club, references: Sequence[str], sender: str, seats: Iterable[PlayerRow]
) -> tuple[tuple[Answered, ...], bool]:
    """Return letters of ours that a letter of *sender*, who holds these *seats*, may quote, and whether it names them."""
    answered = outbox.answered(club.db, references[-ANSWERED:], HEAD) if references else ()
    return answered or _last(club, sender, seats), bool(answered)


def raws_of(ours: Iterable[Answered]) -> tuple[bytes, ...]:
    """Return the texts of letters of ours, each as the part that it is: the page beside it says the same at twice the length."""
    return tuple(without_page(each.raw) for each in ours)


def _last(club: Club, sender: str, seats: Iterable[PlayerRow]) -> tuple[Answered, ...]:
    """Return letters of ours that may be quoted where none is named, as by GMX, Zoho and others, or by a name that a server gave
    it: the last ones to the sender, and the last newsletters.
    """
    last = (outbox.newsletter_to(club.db, seat.game, seat.code, None) for seat in seats)
    newsletters = tuple(Answered(game=row.game, raw=row.raw[:HEAD]) for row in last if row)
    return (*outbox.last_to(club.db, sender, ANSWERED, HEAD), *newsletters[-ANSWERED:])


def _said(club: Club, letter: Letter) -> set[str]:
    """Return what stands in the letters that this one may quote, but for what these quote of his."""
    ours, _ = answered_by(club, letter.references, letter.sender, ())
    lines = {line for each in ours for line in club.reader.read(each.raw).text.split("\n") if line[:1] != "|"}
    return {plain for line in lines if len(plain := fold(line)) >= LONG}
