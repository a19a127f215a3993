"""Letters that are not proved to be their player's: nothing in them is carried out, and he alone is told.

What he is told goes to the address that we know, never to the one in the letter. His word, CONFIRM in answer to that, lets the
letter count from then on. Whoever writes in his name can only make us write to him, and that a few times.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from referee.mail.letter.message import Letter
from referee.mail.letter.tokens import without_tokens
from referee.service.club.club import Club
from referee.service.letters.answers import refusal
from referee.service.letters.identify import Found
from referee.service.letters.interpretation import Understanding
from referee.service.letters.limits import IN_VAIN
from referee.service.letters.proof import SHUT_OUT, UNVOUCHED, Proof
from referee.service.post.codes import tag_of_letter
from referee.service.post.writing import Occasion, render, tell_umpire, to_player
from referee.store import games, held, letters, outbox
from referee.store.database.rows import HeldRow, LetterRow, LogRow, OutboxRow, PlayerRow
from referee.store.held import TOLD, WRONG

TOLD_A_DAY = 5  # of letters that may be a player's own, sent from another program or another address
TOLD_IN_A_ROW = 5  # without a letter that was taken: it may be a machine that answers; of ones that say nothing IN_VAIN
LINES = 60  # of orders that are read back
PARAGRAPH = 1000  # characters of press or a note that are read back

# Somebody has a code that was not his to have, or tries to guess one: of these a player is told once a day.
_SUSPECT = ("wrong", "other", "stranger")
_REASONS = {
    "missing": "no code",
    "old": "code of an earlier turn",
    "wrong": WRONG,
    "other": "another player's code",
    "stranger": "a player's code, but not his address",
    UNVOUCHED: "nobody vouches for the sender",
    SHUT_OUT: "no code after too many wrong ones",
}
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unproved:
    """A letter that was not proved: as it came, when, whose it would be, and what it would say. ``reason``: why it would not have
    been taken anyhow, a word of ``rejected.txt.j2``.
    """

    row: LetterRow
    letter: Letter
    found: Found
    proof: Proof
    arrived: datetime
    reason: str
    read: Understanding | None

    @property
    def speaks(self) -> bool:
        """Whether anything in it is meant for us."""
        return self.read is not None and not self.read.says_nothing


def set_aside(club: Club, unproved: Unproved) -> None:
    """Keep a letter that was not proved, and tell the player in whose name it came. Inside a transaction."""
    row, found, why = unproved.row, unproved.found, unproved.proof.why
    waits = not unproved.reason and why not in (SHUT_OUT, "other") and unproved.speaks and unproved.proof.curable
    game, turn, player = found.position.row.id, found.position.row.turn, found.player.code
    status = "parked" if unproved.reason == "too-large" else "held" if waits else "ignored"
    reason = told_why(unproved.proof) + (f", {unproved.reason}" if unproved.reason else "")
    letters.finish(club.db, row.id, status, club.clock(), reason, game, player)
    text = f"letter {row.id}: {reason}"
    outbox.log(club.db, LogRow(at=club.clock(), game=game, turn=turn, what="letter-not-proved", text=text))
    if waits:
        now = club.clock()
        waiting = HeldRow(letter=row.id, hash=row.hash, game=game, player=player, turn=turn, why=why, held_at=now)
        held.hold(club.db, waiting)
    if why == SHUT_OUT:
        _tell_umpire(club, found, SHUT_OUT, club.config.identity.wrong_codes)
        return
    _tell(club, unproved, waits)
    if why == UNVOUCHED and not unproved.proof.curable:
        _tell_umpire(club, found, UNVOUCHED)


def told_why(proof: Proof) -> str:
    """Return in the umpire's words why a letter is not taken."""
    return _REASONS[proof.why]


def waiting_players(club: Club, game: str, turn: int) -> tuple[str, ...]:
    """Return the codes of the players whose letters for a turn wait for their word."""
    return held.waiting(club.db, game, turn)


def _tell(club: Club, unproved: Unproved, waits: bool) -> None:
    player, why = unproved.found.player, unproved.proof.why
    if not unproved.letter.answerable or (why in _SUSPECT and outbox.has(club.db, _daily(club, player.address))):
        pass
    elif _is_told_enough(club, unproved):
        _tell_of_silence(club, unproved)
    else:
        outbox.put(club.db, _notice(club, unproved, waits))
    owner = unproved.proof.owner
    if owner is not None and why == "other":
        _tell_owner(club, unproved, owner)


def _is_told_enough(club: Club, unproved: Unproved, more: int = 0) -> bool:
    """Return whether a player is told no more of such letters once he was told of so many *more*."""
    address, now = unproved.found.player.address, club.clock()
    # Whom no mail server vouches for confirms each of his letters, where the policy wants that: it is no exception then.
    most = club.config.replies_per_day if unproved.proof.why == UNVOUCHED else TOLD_A_DAY
    in_a_row = TOLD_IN_A_ROW if unproved.speaks else IN_VAIN
    told, row = held.told_since(club.db, address, now - _DAY), held.told_in_a_row(club.db, address)
    return told + more >= most or row + more >= in_a_row


def _tell_of_silence(club: Club, unproved: Unproved) -> None:
    """Tell the umpire, once a turn, that a player hears no more of letters in his name: one of them may be his own."""
    game, turn, player = unproved.found.position.row.id, unproved.found.position.row.turn, unproved.found.player.code
    key = f"unheard:{game}:{turn}:{player}"
    if not outbox.has(club.db, f"umpire:{key}"):
        text = f"letters in the name of {player} wait, and he is told no more"
        outbox.log(club.db, LogRow(at=club.clock(), game=game, turn=turn, what="answers-stopped", text=text))
    tell_umpire(club, key, "unheard", {"player": player, "letter": unproved.row.id}, game, turn)


def _notice(club: Club, unproved: Unproved, waits: bool) -> OutboxRow:
    """Return what the player is told of a letter in his name; of one that he may have written himself as an answer to it."""
    found, row, why = unproved.found, unproved.row, unproved.proof.why
    suspect = why in _SUSPECT
    if unproved.reason not in ("", "two-versions") and not suspect:
        answer = refusal(club, row, unproved.letter, found, unproved.reason)
        return replace(answer, kind=TOLD, letter=None)  # it is no part of what his own letters are answered with
    last = not suspect and _is_told_enough(club, unproved, more=1)
    rendered = render(club, "held", found.position, found.player, {**_values(unproved, waits), "last": last})
    occasion = Occasion(
        key=_daily(club, found.player.address) if suspect else f"reply:{row.hash}",
        kind=TOLD,
        turn=found.position.row.turn,
        answers=None if suspect else unproved.letter,
        tag=tag_of_letter(club, found.player, row.hash) if waits else None,
    )
    return to_player(club, found.position, found.player, rendered, occasion)


def _tell_owner(club: Club, unproved: Unproved, owner: PlayerRow) -> None:
    """Tell a player that another address sent a letter with his code; not which, and nothing of what it said."""
    key = _daily(club, owner.address)
    if outbox.has(club.db, key) or not unproved.letter.answerable:
        return
    position = club.positions.of(club.db, games.game(club.db, owner.game))
    values: dict[str, Any] = {
        "why": "stranger",
        "waits": False,
        "curable": True,
        "arrived": unproved.arrived,
        "last": False,
    }
    values |= {"turn": position.row.turn, "deadline": position.row.deadline}
    rendered = render(club, "held", position, owner, values)
    outbox.put(
        club.db, to_player(club, position, owner, rendered, Occasion(key=key, kind=TOLD, turn=position.row.turn))
    )


def _values(unproved: Unproved, waits: bool) -> dict[str, Any]:
    row = unproved.found.position.row
    told = {"turn": row.turn, "deadline": row.deadline, "arrived": unproved.arrived, "why": unproved.proof.why}
    told["curable"] = unproved.proof.curable or unproved.proof.why in _SUSPECT
    return {**told, "waits": waits, **(_read_back(unproved.read) if unproved.read and waits else {})}


def _read_back(read: Understanding) -> dict[str, Any]:
    """Return the letter's own words, nothing that a game would say to them."""
    said = read.reading
    tried = [line for trial in said.trials for line in ("WHATIF", *(phrase.text for phrase in trial.phrases))]
    lines = [without_tokens(line) for line in (*(phrase.text for phrase in said.phrases), *tried)]
    press = "\n\n".join(filter(None, (said.press, said.unsigned, *(each.text for each in said.private))))
    return {
        "lines": lines[:LINES],
        "more": max(0, len(lines) - LINES),
        "commands": [*read.reading.commands, *(f"{each.verb} {each.value}".strip() for each in read.reading.questions)],
        "press": without_tokens(press)[:PARAGRAPH],
        "note": without_tokens(read.reading.note)[:PARAGRAPH],
    }


def _daily(club: Club, address: str) -> str:
    return f"suspect:{address.lower()}:{club.clock():%Y-%m-%d}"


def _tell_umpire(club: Club, found: Found, kind: str, limit: int = 0) -> None:
    """Tell the umpire, once a day, of letters in a player's name that he alone can do something about."""
    key = f"{kind}:{found.player.address.lower()}:{club.clock():%Y-%m-%d}"
    values = {"player": found.player.code, "limit": limit}
    tell_umpire(club, key, kind, values, found.position.row.id, found.position.row.turn)
