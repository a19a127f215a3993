"""How much is answered. What a player writes is always heard; that he is told so has limits, so that two robots fall silent."""

from __future__ import annotations

from datetime import timedelta

from referee.mail.letter.message import Letter
from referee.service.club.club import Club
from referee.service.letters.identify import Found
from referee.service.letters.interpretation import Filing, Understanding
from referee.service.post.writing import tell_umpire
from referee.store import budgets, outbox
from referee.store.club import fact, write_fact
from referee.store.database.database import format_time, parse_time
from referee.store.database.rows import LogRow, OrderSet

WARNED_A_DAY = 3  # times that a player is told that his letter went to others too
IN_VAIN = 8  # letters of one player in a row with nothing new in them; a slow robot never writes many in a day

_DAY = timedelta(days=1)


def may_answer(club: Club, letter: Letter, found: Found) -> bool:
    """Return whether a letter, of which it is written already what became of it, may be answered.

    The umpire is told of each limit that was reached, once for each turn. Inside a transaction.
    """
    if not letter.answerable:
        return False
    spent = _spent(club, found)
    if spent:
        _tell(club, found, spent)
    return not spent


def may_warn(club: Club, found: Found) -> bool:
    """Return whether a player may be warned once more that his letter went to others, and count it. Inside a transaction."""
    name, now = f"warned:{found.position.row.id}:{found.player.code}", club.clock()
    today = [time for time in fact(club.db, name).split() if parse_time(time) > now - _DAY]
    may = len(today) < WARNED_A_DAY
    if may:
        write_fact(club.db, name, " ".join([*today, format_time(now)]))
    return may


def what_it_lacks(read: Understanding, done: Filing, before: tuple[OrderSet, ...]) -> str:
    """Return as the reason of a letter that was read that it brings nothing new, "" if it does.

    *before*: the sets of its turn that were on file. Robots say the same again and again; commands may be repeated.
    """
    said, adds = read.reading, done.adds
    if said.commands or said.press or said.note or said.salt or said.trials or said.private or said.unsigned:
        return ""
    own = [each for each in before if adds is not None and each.player == adds.player]
    is_new = adds is not None and not (own and (own[-1].text, own[-1].orders) == (adds.text, adds.orders))
    return "" if is_new else "nothing new in it"


def _spent(club: Club, found: Found) -> str:
    """Return which budget is spent: ``in-vain``, ``player``, ``game``; "" if none."""
    address, day_ago = found.player.address, club.clock() - _DAY
    if budgets.in_vain(club.db, address, IN_VAIN + 1) > IN_VAIN:
        return "in-vain"
    if budgets.answers_to(club.db, address, day_ago) >= club.config.replies_per_day:
        return "player"
    answered = budgets.answers_about(club.db, found.position.row.id, day_ago)
    return "game" if answered >= club.config.replies_per_game else ""


def _tell(club: Club, found: Found, spent: str) -> None:
    game, turn, player = found.position.row.id, found.position.row.turn, found.player.code
    limits = {"in-vain": IN_VAIN, "player": club.config.replies_per_day, "game": club.config.replies_per_game}
    whose = "" if spent == "game" else player
    key = f"unanswered:{spent}:{game}:{turn}:{whose}"
    if not outbox.has(club.db, f"umpire:{key}"):
        text = f"{spent}: {whose or game} is not answered"
        outbox.log(club.db, LogRow(at=club.clock(), game=game, turn=turn, what="answers-stopped", text=text))
    values = {"why": spent, "player": player, "limit": limits[spent]}
    tell_umpire(club, key, "unanswered", values, game, turn)
