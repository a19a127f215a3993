"""Letters that are doubted: those with a machine's mark that may be a person's (redirected by a rule of the mail server, or
without a return path), and those that are not proved to be their player's; what the umpire is shown of letters.
"""

from __future__ import annotations

import hashlib
import re
from datetime import datetime

from referee.core import NumberedLines, View
from referee.mail.letter.headers import without_marks
from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import own_text, prose_lines
from referee.reader.understanding import Understanding
from referee.store import Fate, HeldRow, LetterRow, codes, games, insert, letters, outbox
from referee.store.codes import NOTICE, WRONG

from ..club import Club
from ..post.bounces import count_failure, letter_of_ours, running_seats
from ..post.codes import NO_PLAYERS, tag_of_letter, tags_of, without_codes, worth_of
from ..post.writing import tell_player, tell_umpire
from ..umpires import is_any_umpires, umpires_of
from .answers import refuse
from .identify import Doubt, Found, identify, owner_of_code, quotes_of, seat_of
from .interpretation import Case, Verdict
from .limits import IN_VAIN, Last, answers_in_vain

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
    if letter.robot != "bounce" or letter.bounce or not letter.sender or not _orders_of(club, letter):
        return letter
    plain = club.reader.read(without_marks(row.raw, _NO_PATH))
    return letter if plain.robot else plain


def report_machine(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on a machine's letter that gives orders: the umpire is told of it, once a turn; None on any other."""
    found = _orders_of(club, case.letter) if case.letter.robot in _SPEAKERS else None
    if not found:
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
    if owner:
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
    return found if club.reader.understand(own, [seat], quotes_of(club, own))[-1].gives_orders else None


# What a mail server's report says of a letter of ours.


def bounce(club: Club, row: LetterRow, letter: Letter, arrived: datetime) -> None:
    """Count that a letter of ours came back, if one says so; what names none of them, as some servers return nothing of our
    letter, anybody may have written: the umpire is told of it once a turn, if it names a player, and it counts to nobody.
    """
    if not letter.bounce:
        return
    ours, failure = letter_of_ours(club, letter), letter.bounce.worst
    if ours:
        count_failure(club, ours, failure, arrived, row.id)
    elif failure.is_final and failure.recipient and (running := running_seats(club, failure.recipient)):
        seat, game = running[0], games.game(club, running[0].game)
        values = {"player": seat.code, "name": seat.name, "recipient": seat.address, "status": failure.status}
        key = f"unproved-bounce:{game.id}:{game.turn}:{seat.code}"
        tell_umpire(club, key, "unproved-bounce", {**values, "number": row.id}, *game.turn_key)


# What a letter asks or tells a person: it is shown to the umpire. Of strangers' letters a few are shown a day.

SHOWN_A_DAY = 20  # letters with prose, of all players
STRANGERS_A_DAY = 3
FILES = 10  # names of files
CHARACTERS = 2000  # of a stranger's letter


def show_prose(club: Club, case: Case) -> NumberedLines:
    """Show the umpire the lines of a letter that were not shown this turn yet, and return them. Inside a transaction."""
    lines = _prose(case)
    (game, turn), player = case.game.turn_key, case.player
    words = "\n".join(text for _, text in lines)
    key = f"prose:{game}:{turn}:{player.code}:{hashlib.sha256(words.casefold().encode()).hexdigest()[:16]}"
    if not lines or not _may_show(club, "prose", key, SHOWN_A_DAY, game):
        return ()
    values = {"player": player.code, "words": words, "more": case.read.reading.more_unread if case.read else 0}
    tell_umpire(club, key, "prose", values, game, turn, player.address)
    return lines


def show_files(club: Club, case: Case) -> None:
    """Tell the umpire of a player's letter that has files, and no words to speak of, once a turn. Inside a transaction."""
    names = case.letter.attachments[:FILES]
    if not names or case.says_something or _prose(case):
        return
    (game, turn), player = case.game.turn_key, case.player
    values = {"player": player.code, "letter": case.row.id, "names": names}
    tell_umpire(club, f"files:{game}:{turn}:{player.code}", "files", values, game, turn, player.address)


def _prose(case: Case) -> NumberedLines:
    unread = case.read.reading.unread if case.read else ()
    # Where all was read no order language need be made.
    return tuple(prose_lines(unread, case.position.order_language, case.names)) if unread else ()


def show_stranger(club: Club, letter: Letter, number: int) -> None:
    """Tell the umpire of letter *number* from an address that is no player's: the umpire may know whose. Nobody is answered."""
    _tell_foreign(club, letter, number)
    words = without_tokens(own_text(letter.text[: CHARACTERS * 4]))[:CHARACTERS]
    key = f"stranger:{letter.sender.lower()}:{club.now:%Y-%m-%d}"
    is_umpires_own = is_any_umpires(club, letter.sender)
    is_shown = letter.answerable and not letter.bounce and not is_umpires_own and words
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
            return tell_umpire(club, f"elsewhere:{club.now:%Y-%m-%d}", "elsewhere", values)
    return None


def _may_show(club: Club, kind: str, key: str, most: int, game: str | None = None) -> bool:
    """Return whether the umpire is told of one more letter of this kind, if not of this very one."""
    umpires = umpires_of(club, game)
    if not umpires or outbox.has(club, f"umpire:{key}"):
        return False
    return letters.written(club, umpires[0].address, kind, club.day_ago) < most


# Letters that are not proved to be their player's: nothing in them is carried out, and the player alone is told.
#
# That goes to the address that we know, never to the one in the letter. The player's word, CONFIRM in answer to it, lets the
# letter count from then on. Whoever writes in a player's name can only make us write to that player, and that a few times.

NOTICES_A_DAY = 5  # of letters that may be a player's own, sent from another program or another address
NOTICES_IN_A_ROW = (
    5  # without a letter that was taken: it may be a machine that answers; of ones that say nothing IN_VAIN
)
LINES = 60  # of orders that are read back

# Somebody has a code that was not theirs to have, or tries to guess one: of these a player is told once a day.
_SUSPECT = (Doubt.WRONG, Doubt.OTHER, Doubt.STRANGER)
REASONS = {  # in the umpire's words
    Doubt.MISSING: "no code",
    Doubt.OLD: "code of an earlier turn",
    Doubt.WRONG: WRONG,
    Doubt.OTHER: "another player's code",
    Doubt.STRANGER: "a player's code, but not that player's address",
    Doubt.NAMELESS: "a player's code, but no one sender",
    Doubt.UNVOUCHED: "nobody vouches for the sender",
    Doubt.SHUT_OUT: Fate.SHUT_OUT.value,
    Doubt.USED: "code that was used",
    Doubt.UNSURE: "not certain which lines are the umpire's own",
}


def hold_unproved(club: Club, case: Case) -> Verdict:
    """Return the verdict on a letter that was not proved: it waits for its player's word where that would do, and the player
    is told.
    """
    (game, turn), player, why = case.game.turn_key, case.player.code, case.proof.why
    assert why is not None
    waits = not case.why and why is not Doubt.OTHER and case.says_something and case.proof.curable
    fate = case.incomplete or (Fate.SHUT_OUT if why is Doubt.SHUT_OUT else Fate.HELD if waits else Fate.UNPROVED)
    reason = REASONS[why] + (f", {case.why}" if case.why else "")
    now, row, text = club.now, case.row, f"letter {case.row.id}: {reason}"
    club.log("letter-not-proved", text, game, turn)
    if fate is Fate.HELD:
        held = HeldRow(letter=row.id, hash=row.hash, game=game, player=player, turn=turn, why=why, held_at=now)
        insert(club, held)
    if why is Doubt.SHUT_OUT:
        _tell_umpire(club, case, Doubt.SHUT_OUT, club.config.identity.wrong_codes)
    elif case.letter.answerable:
        _tell_players(club, case, fate)
    if why is Doubt.UNVOUCHED and not case.proof.curable:
        _tell_umpire(club, case, Doubt.UNVOUCHED)
    return case.verdict(fate, reason)


def _tell_players(club: Club, case: Case, fate: Fate) -> None:
    """Tell the player in whose name a letter came of it, and whose code it has."""
    player, why, proof = case.player, case.proof.why, case.proof
    if why is Doubt.OTHER and proof.owner and not outbox.has(club, _daily(club, proof.owner.address)):
        # Tell a player of a letter with their code from another address; not which, and nothing of what it said.
        owner = proof.owner
        position = club.position(owner.game)
        values = {"why": Doubt.STRANGER, "waits": False, "curable": True, "arrived": case.arrived, "last": False}
        tell_player(club, position, owner, NOTICE, values, _daily(club, owner.address))
    if why in _SUSPECT and outbox.has(club, _daily(club, player.address)):
        return None
    if not _has_notices_enough(club, case):
        return _tell_player(club, case, fate)
    # Tell the umpire, once a turn: the player hears no more of letters in this name, and one of them may be the player's own.
    game, turn = case.game.turn_key
    key = f"unheard:{game}:{turn}:{player.code}"
    if not outbox.has(club, f"umpire:{key}"):
        club.log(
            "answers-stopped", f"letters in the name of {player.code} wait, and the player is told no more", game, turn
        )
        tell_umpire(club, key, "unheard", {"player": player.code, "letter": case.row.id}, game, turn)
    return None


def _has_notices_enough(club: Club, case: Case, more: int = 0) -> bool:
    """Return whether a player who was told of so many *more* such letters is told of no further one; what nothing proves is not
    counted to those whose header does.
    """
    address = case.player.address
    # Whom no mail server vouches for confirms every letter, where the policy wants that: it is no exception then.
    most = club.config.replies_per_day if case.proof.why is Doubt.UNVOUCHED else NOTICES_A_DAY
    in_a_row = NOTICES_IN_A_ROW if case.says_something else IN_VAIN
    today, row = codes.notices(club, address, club.day_ago, sure=case.sure)
    return today + more >= most or row + more >= in_a_row


def _tell_player(club: Club, case: Case, fate: Fate) -> None:
    """Tell the player of a letter in their name; of one that may be the player's own, as an answer to it."""
    row, waits = case.row, fate is Fate.HELD
    suspect = case.proof.why in _SUSPECT
    if case.why not in (None, Fate.TWO_VERSIONS) and not suspect:
        last = Last(in_vain=answers_in_vain(club, case.player.address, fate))
        # It is no part of what the player's own letters are answered with.
        return refuse(club, case, case.why, last, kind=NOTICE, letter=None)
    is_last = not suspect and _has_notices_enough(club, case, more=1)
    key = _daily(club, case.player.address) if suspect else f"reply:{row.hash}"
    tag = tag_of_letter(club, case.player, row.hash) if waits else None
    curable = case.proof.curable or suspect
    values = {"arrived": case.arrived, "why": case.proof.why, "curable": curable, "waits": waits, "last": is_last}
    values |= _read_back(case.read) if case.read and waits else {}
    told = None if suspect else case.letter
    return tell_player(club, case.position, case.player, NOTICE, values, key, answers=told, tag=tag)


def _read_back(read: Understanding) -> View:
    """Return the letter's own words, nothing that a game would say to them."""
    said = read.reading
    tried = [line for trial in said.trials for line in ("WHATIF", *(phrase.text for phrase in trial.phrases))]
    lines = [*(phrase.text for phrase in said.phrases), *tried]
    return {
        "lines": lines[:LINES],
        "more": max(0, len(lines) - LINES),
        "commands": [*((verb, "") for verb in said.commands), *((each.verb, each.value) for each in said.questions)],
        "press": "\n\n".join(filter(None, (said.press, said.unsigned, *(each.text for each in said.private)))),
        "note": read.reading.note,
    }


def _daily(club: Club, address: str) -> str:
    return f"suspect:{address.lower()}:{club.now:%Y-%m-%d}"


def _tell_umpire(club: Club, case: Case, kind: str, limit: int = 0) -> None:
    """Tell the umpire, once a day, of letters in a player's name that only the umpire can do something about."""
    key = f"{kind}:{case.player.address.lower()}:{club.now:%Y-%m-%d}"
    tell_umpire(club, key, kind, {"player": case.player.code, "limit": limit}, *case.game.turn_key)
