"""Letters with a machine's mark that may be a person's: redirected by a rule of the mail server, or without a return path."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime

from referee.mail.letter.headers import without_marks
from referee.mail.letter.message import Failure, Letter
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import own_text, prose_lines
from referee.reader.understanding import Understanding
from referee.store import budgets, games, letters, outbox
from referee.store.letters import Fate
from referee.store.rows import LetterRow

from ..club import Club
from ..post.bounces import count_failure, letter_of_ours, running_seats
from ..post.codes import NO_PLAYERS, tags_of, without_codes, worth_of
from ..post.writing import tell_umpire
from ..umpires import is_any_umpires, umpires_of
from .identify import Found, identify, owner_of_code, quotes_of, seat_of
from .interpretation import Case, Verdict

# What Exchange writes into each letter that a rule redirects (``mail.redirected``).
_REDIRECTED = re.compile(
    rb"^(?:return-path(?=:\s*<\s*>\s*$)|auto-submitted(?=:\s*auto-(?:generated|forwarded)))",
    re.IGNORECASE | re.MULTILINE,
)
_NO_PATH = re.compile(rb"^return-path(?=:\s*<\s*>\s*$)", re.IGNORECASE | re.MULTILINE)
_SPEAKERS = ("auto-submitted", "auto-reply")  # a person's letter may bear these signs
WITH_ORDERS = "with orders"


def as_sent(club: Club, raw: bytes) -> bytes:
    """Return a letter without the marks of the rule that redirects the club's mail, if there is such a rule."""
    return without_marks(raw, _REDIRECTED) if club.config.redirected else raw


def by_a_person(club: Club, row: LetterRow, letter: Letter) -> Letter:
    """Return a letter that gives orders, and is a machine's by nothing but its missing return path, as a person's."""
    if letter.robot != "bounce" or letter.bounce or not letter.sender or _orders_of(club, letter) is None:
        return letter
    plain = club.reader.read(without_marks(row.raw, _NO_PATH))
    return letter if plain.robot else plain


def reported(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on a machine's letter that gives orders: the umpire is told of it, once a turn; None on any other."""
    found = _orders_of(club, case.letter) if case.letter.robot in _SPEAKERS else None
    if found is None:
        return None
    (game, turn), player = found.position.row.turn_key, found.player.code
    sign = case.letter.robot
    number = letters.times_of(club, game, f"{Fate.ROBOT}: %{WITH_ORDERS}") + 1
    values = {"player": player, "letter": case.row.id, "sign": sign, "number": number}
    tell_umpire(club, f"machine:{game}:{turn}", "machine", values, game, turn)
    return Verdict(Fate.ROBOT, reason=f"{Fate.ROBOT}: {sign}, {WITH_ORDERS}", game=game, player=player)


def _orders_of(club: Club, letter: Letter) -> Found | None:
    """Return whose letter it is, where it gives orders for a running game in words of its own."""
    owner = owner_of_code(club, letter)
    if owner is not None:
        position = club.position(owner.game)
        found = Found(position=position, player=position.player(owner.code))
    elif letter.sender and games.seats_of(club, letter.sender):
        found = identify(club, letter)
    else:
        return None
    if found.why is not None:
        return None
    own = without_codes(club, letter)
    seat = (found.position.in_play, found.player.code, None)
    return found if club.reader.meant(own, [seat], quotes_of(club, own))[-1].gives_orders else None


# What a mail server's report says of a letter of ours.


def bounce(club: Club, row: LetterRow, letter: Letter, arrived: datetime) -> None:
    """Count that a letter of ours came back, if one says so; what names none of them is told to the umpire, if it names a player,
    and counts to nobody.
    """
    if letter.bounce is None:
        return
    ours, failure = letter_of_ours(club, letter), letter.bounce.worst
    if ours is not None:
        count_failure(club, ours, failure, arrived, row.id)
    elif failure.is_final and failure.recipient:
        _tell_unproved(club, failure, row.id)


def _tell_unproved(club: Club, failure: Failure, number: int) -> None:
    """Tell the umpire, once a turn, of a bounce that anybody may have written: some servers return nothing of our letter."""
    running = running_seats(club, failure.recipient)
    if not running:
        return
    seat, game = running[0], games.game(club, running[0].game)
    values = {"player": seat.code, "name": seat.name, "recipient": seat.address, "status": failure.status}
    key = f"unproved-bounce:{game.id}:{game.turn}:{seat.code}"
    tell_umpire(club, key, "unproved-bounce", {**values, "number": number}, *game.turn_key)


# What a letter asks or tells a person: it is shown to the umpire. Of strangers he is shown a few letters a day.

SHOWN_A_DAY = 20  # letters with prose, of all players
STRANGERS_A_DAY = 3
FILES = 10  # names of files
CHARACTERS = 2000  # of a stranger's letter

Lines = tuple[tuple[int, str], ...]


def names_of(found: Found, letter: Letter) -> tuple[str, ...]:
    """Return what the writer of a letter calls himself, and what his company is called: lines of it say nothing more."""
    return (found.player.name, letter.sender_name, found.player.code, found.player.company)


def show_prose(club: Club, found: Found, letter: Letter, read: Understanding) -> Lines:
    """Show the umpire the lines of a letter that he was not shown this turn, and return them. Inside a transaction."""
    if not read.reading.unread:  # then no order language need be made
        return ()
    lines = tuple(prose_lines(read.reading.unread, found.position.order_language, names_of(found, letter)))
    (game, turn), player = found.position.row.turn_key, found.player
    words = "\n".join(text for _, text in lines)
    key = f"prose:{game}:{turn}:{player.code}:{hashlib.sha256(words.casefold().encode()).hexdigest()[:16]}"
    if not lines or not _may_show(club, "prose", key, SHOWN_A_DAY, game):
        return ()
    values = {"player": player.code, "words": words, "more": read.reading.more_unread}
    tell_umpire(club, key, "prose", values, game, turn, player.address)
    return lines


def show_files(club: Club, case: Case) -> None:
    """Tell the umpire of a player's letter that has files, and no words to speak of, once a turn. Inside a transaction."""
    found, letter, read = case.found, case.letter, case.read
    if not letter.attachments or (read and (not read.says_nothing or _speaks(found, letter, read))):
        return
    (game, turn), player = found.position.row.turn_key, found.player
    values = {"player": player.code, "letter": case.row.id, "names": letter.attachments[:FILES]}
    tell_umpire(club, f"files:{game}:{turn}:{player.code}", "files", values, game, turn, player.address)


def _speaks(found: Found, letter: Letter, read: Understanding) -> bool:
    language = found.position.order_language
    return any(prose_lines(read.reading.unread, language, names_of(found, letter))) if read.reading.unread else False


def show_stranger(club: Club, letter: Letter, number: int) -> None:
    """Tell the umpire of letter *number* from an address that is no player's: he may know who it is. Nobody is answered."""
    _tell_foreign(club, letter, number)
    words = without_tokens(own_text(letter.text[: CHARACTERS * 4]))[:CHARACTERS]
    key = f"stranger:{letter.sender.lower()}:{club.clock():%Y-%m-%d}"
    is_his_own = is_any_umpires(club, letter.sender)
    is_shown = letter.answerable and not letter.bounce and not is_his_own and words
    if is_shown and _may_show(club, "stranger", key, STRANGERS_A_DAY):
        values = {"player": letter.sender, "letter_subject": letter.subject, "words": words}
        tell_umpire(club, key, "stranger", values, reply_to=letter.sender)


def _tell_foreign(club: Club, letter: Letter, number: int) -> None:
    """Tell the umpire, once a day, of a stranger's letter with a player's code that was never given out: it may be that of
    another club, which reads the same mailbox.
    """
    for tag in tags_of(club, letter):
        seat = seat_of(club, tag)
        if (seat is None and tag.player not in NO_PLAYERS) or (seat and worth_of(club, tag, *seat).word == "wrong"):
            values = {"player": letter.sender, "game_id": tag.game, "letter": number}
            return tell_umpire(club, f"elsewhere:{club.clock():%Y-%m-%d}", "elsewhere", values)
    return None


def _may_show(club: Club, kind: str, key: str, most: int, game: str | None = None) -> bool:
    """Return whether the umpire is told of one more letter of this kind, which he was not told of yet."""
    umpires = umpires_of(club, game)
    if not umpires or outbox.has(club, f"umpire:{key}"):
        return False
    return budgets.written(club, umpires[0].address, kind, club.day_ago) < most
