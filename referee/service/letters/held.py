"""Letters that are not proved to be their player's: nothing in them is carried out, and he alone is told.

What he is told goes to the address that we know, never to the one in the letter. His word, CONFIRM in answer to that, lets the
letter count from then on. Whoever writes in his name can only make us write to him, and that a few times.
"""

from __future__ import annotations

from referee.core import Texts, View
from referee.reader.understanding import Understanding
from referee.store import codes, outbox
from referee.store.codes import NOTICE, WRONG
from referee.store.database import insert
from referee.store.letters import Fate
from referee.store.rows import HeldRow

from ..club import Club
from ..post.codes import tag_of_letter
from ..post.writing import tell_player, tell_umpire
from .answers import refuse
from .identify import Doubt, Found
from .interpretation import Case, Verdict
from .limits import IN_VAIN, Last, answers_in_vain

NOTICES_A_DAY = 5  # of letters that may be a player's own, sent from another program or another address
NOTICES_IN_A_ROW = (
    5  # without a letter that was taken: it may be a machine that answers; of ones that say nothing IN_VAIN
)
LINES = 60  # of orders that are read back

# Somebody has a code that was not his to have, or tries to guess one: of these a player is told once a day.
_SUSPECT = (Doubt.WRONG, Doubt.OTHER, Doubt.STRANGER)
_REASONS = {
    Doubt.MISSING: "no code",
    Doubt.OLD: "code of an earlier turn",
    Doubt.WRONG: WRONG,
    Doubt.OTHER: "another player's code",
    Doubt.STRANGER: "a player's code, but not his address",
    Doubt.NAMELESS: "a player's code, but no one sender",
    Doubt.UNVOUCHED: "nobody vouches for the sender",
    Doubt.SHUT_OUT: Fate.SHUT_OUT.value,
    Doubt.USED: "code that was used",
    Doubt.UNSURE: "not certain which lines are his own",
}


def unproved(club: Club, case: Case, why: Doubt) -> Verdict:
    """Return the verdict on a letter that was not proved: it waits for its player's word where that would do, and he is told."""
    found = case.found
    (game, turn), player = found.position.row.turn_key, found.player.code
    fate = _fate(case)
    reason = why_unproved(why) + (f", {case.why}" if case.why else "")
    now, row, text = club.clock(), case.row, f"letter {case.row.id}: {reason}"
    club.log("letter-not-proved", text, game, turn)
    if fate is Fate.HELD:
        held = HeldRow(letter=row.id, hash=row.hash, game=game, player=player, turn=turn, why=why, held_at=now)
        insert(club, held)
    if why is Doubt.SHUT_OUT:
        _tell_umpire(club, found, Doubt.SHUT_OUT, club.config.identity.wrong_codes)
    elif case.letter.answerable:
        _tell_players(club, case, fate)
    if why is Doubt.UNVOUCHED and not case.proof.curable:
        _tell_umpire(club, found, Doubt.UNVOUCHED)
    return case.verdict(fate, reason)


def why_unproved(why: Doubt) -> str:
    """Return in the umpire's words why a letter is not taken."""
    return _REASONS[why]


def waiting_players(club: Club, game: str, turn: int) -> Texts:
    """Return the codes of the players whose letters for a turn wait for their word."""
    return codes.waiting_held(club, game, turn)


def _fate(case: Case) -> Fate:
    if case.incomplete:
        return case.incomplete
    if case.proof.why is Doubt.SHUT_OUT:
        return Fate.SHUT_OUT
    waits = not case.why and case.proof.why is not Doubt.OTHER and case.says_something and case.proof.curable
    return Fate.HELD if waits else Fate.UNPROVED


def _tell_players(club: Club, case: Case, fate: Fate) -> None:
    """Tell the player in whose name a letter came of it, and whose code it has."""
    player, why, proof = case.found.player, case.proof.why, case.proof
    if why is Doubt.OTHER and proof.owner is not None and not outbox.has(club, _daily(club, proof.owner.address)):
        # Tell a player of a letter with his code from another address; not which, and nothing of what it said.
        owner = proof.owner
        position = club.position(owner.game)
        values = {"why": Doubt.STRANGER, "waits": False, "curable": True, "arrived": case.arrived, "last": False}
        tell_player(club, position, owner, NOTICE, values, _daily(club, owner.address))
    if why in _SUSPECT and outbox.has(club, _daily(club, player.address)):
        return
    if _has_notices_enough(club, case):
        _tell_unheard(club, case)
    else:
        _tell_player(club, case, fate)


def _has_notices_enough(club: Club, case: Case, more: int = 0) -> bool:
    """Return whether a player is told no more of such letters once he was told of so many *more*; what nothing proves is not
    counted to those whose header does.
    """
    address = case.found.player.address
    # Whom no mail server vouches for confirms each of his letters, where the policy wants that: it is no exception then.
    most = club.config.replies_per_day if case.proof.why is Doubt.UNVOUCHED else NOTICES_A_DAY
    in_a_row = NOTICES_IN_A_ROW if case.says_something else IN_VAIN
    today, row = codes.notices(club, address, club.day_ago, sure=case.sure)
    return today + more >= most or row + more >= in_a_row


def _tell_unheard(club: Club, case: Case) -> None:
    """Tell the umpire, once a turn: a player hears no more of letters in his name, and one of them may be his own."""
    (game, turn), player = case.found.position.row.turn_key, case.found.player.code
    key = f"unheard:{game}:{turn}:{player}"
    if outbox.has(club, f"umpire:{key}"):
        return
    club.log("answers-stopped", f"letters in the name of {player} wait, and he is told no more", game, turn)
    tell_umpire(club, key, "unheard", {"player": player, "letter": case.row.id}, game, turn)


def _tell_player(club: Club, case: Case, fate: Fate) -> None:
    """Tell the player of a letter in his name; of one that he may have written himself as an answer to it."""
    found, row, waits = case.found, case.row, fate is Fate.HELD
    suspect = case.proof.why in _SUSPECT
    if case.why not in (None, Fate.TWO_VERSIONS) and not suspect:
        last = Last(in_vain=answers_in_vain(club, found.player.address, fate))
        # It is no part of what his own letters are answered with.
        return refuse(club, case, case.why, last, kind=NOTICE, letter=None)
    is_last = not suspect and _has_notices_enough(club, case, more=1)
    key = _daily(club, found.player.address) if suspect else f"reply:{row.hash}"
    tag = tag_of_letter(club, found.player, row.hash) if waits else None
    told, values = None if suspect else case.letter, {**_values(case, waits), "last": is_last}
    return tell_player(club, found.position, found.player, NOTICE, values, key, answers=told, tag=tag)


def _values(case: Case, waits: bool) -> View:
    curable = case.proof.curable or case.proof.why in _SUSPECT
    values = {"arrived": case.arrived, "why": case.proof.why, "curable": curable, "waits": waits}
    return {**values, **(_read_back(case.read) if case.read and waits else {})}


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
    return f"suspect:{address.lower()}:{club.clock():%Y-%m-%d}"


def _tell_umpire(club: Club, found: Found, kind: str, limit: int = 0) -> None:
    """Tell the umpire, once a day, of letters in a player's name that he alone can do something about."""
    key = f"{kind}:{found.player.address.lower()}:{club.clock():%Y-%m-%d}"
    tell_umpire(club, key, kind, {"player": found.player.code, "limit": limit}, *found.position.row.turn_key)
