"""How much is answered. What a player writes is always heard; that he is told so has limits, so that two robots fall silent."""

from __future__ import annotations

from datetime import timedelta

from referee.mail.letter.message import Letter
from referee.orderbook import own_text
from referee.service.club.club import Club
from referee.service.letters.identify import Found
from referee.service.letters.interpretation import Filing, Understanding
from referee.service.post.writing import tell_umpire
from referee.store import budgets, outbox
from referee.store.club import fact, write_fact
from referee.store.database.database import format_time, parse_time
from referee.store.database.rows import LogRow, OrderSet, PlayerRow

WARNED_A_DAY = 3  # times that a player is told that his letter went to others too
IN_VAIN = 3  # letters of one player in a row with nothing new in them; a slow robot never writes many in a day
ASKING = 8  # in a row of those and of ones that only ask
SHOWN = 3  # unanswered letters of a player that the umpire is shown in a turn
WORDS = 2000  # characters of such a letter

NOTHING_NEW, ONLY_ASKS = "nothing new in it", "it only asks"  # reasons of letters that were read

_DAY = timedelta(days=1)


def may_answer(club: Club, letter: Letter, found: Found) -> bool:
    """Return whether a letter, of which it is written already what became of it, may be answered.

    The umpire is told of each limit that was reached, once for each turn. Inside a transaction.
    """
    if not letter.answerable:
        return False
    spent = _spent(club, found)
    if spent:
        _tell(club, letter, found, spent)
    return not spent


def answers_in_vain(club: Club, player: PlayerRow) -> int:
    """Return how many letters in a row brought nothing new if the answer to the last one, of which it is written what became of
    it, is the last for now; else 0.
    """
    run = _in_vain(club, player)
    return len(run) if _is_at_end(run) and not _is_beyond(run) else 0


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

    *before*: the sets of its turn that were on file. Robots say the same again and again, and some texts of theirs read as press
    or a note; commands may be repeated.
    """
    said, adds = read.reading, done.adds
    if said.commands or said.salt or said.trials:
        return ""
    own = [each for each in before if adds is not None and each.player == adds.player]
    is_new = adds is not None and not (own and (own[-1].text, own[-1].orders) == (adds.text, adds.orders))
    return "" if is_new else ONLY_ASKS if said.questions else NOTHING_NEW


def _spent(club: Club, found: Found) -> str:
    """Return which budget is spent: ``in-vain``, ``player``, ``game``; "" if none."""
    address, day_ago = found.player.address, club.clock() - _DAY
    if _is_beyond(_in_vain(club, found.player)):
        return "in-vain"
    if budgets.answers_to(club.db, address, day_ago) >= club.config.replies_per_day:
        return "player"
    answered = budgets.answers_about(club.db, found.position.row.id, day_ago)
    return "game" if answered >= club.config.replies_per_game else ""


def _in_vain(club: Club, player: PlayerRow) -> tuple[str, ...]:
    return budgets.in_vain(club.db, player.address, ASKING + 1)


def _is_beyond(run: tuple[str, ...]) -> bool:
    """Return whether the last of letters in vain, by their reasons, is one too many."""
    return len(run) > ASKING or sum(reason != ONLY_ASKS for reason in run) > IN_VAIN


def _is_at_end(run: tuple[str, ...]) -> bool:
    return _is_beyond((NOTHING_NEW, *run))


def _tell(club: Club, letter: Letter, found: Found, spent: str) -> None:
    """Tell the umpire once a turn of a limit that was reached; of letters in vain he is shown some, for one may be a person's."""
    game, turn, player = found.position.row.id, found.position.row.turn, found.player
    limits = {"player": club.config.replies_per_day, "game": club.config.replies_per_game}
    whose = "" if spent == "game" else player.code
    key = f"unanswered:{spent}:{game}:{turn}:{whose}"
    if not outbox.has(club.db, f"umpire:{key}"):
        text = f"{spent}: {whose or game} is not answered"
        outbox.log(club.db, LogRow(at=club.clock(), game=game, turn=turn, what="answers-stopped", text=text))
    values = {"why": spent, "player": player.code, "limit": limits.get(spent, 0), "words": ""}
    if spent != "in-vain":
        tell_umpire(club, key, "unanswered", values, game, turn)
        return
    keys = (key, *(f"{key}:{number}" for number in range(2, SHOWN + 1)))
    free = next((each for each in keys if not outbox.has(club.db, f"umpire:{each}")), None)
    if free is not None:
        values["words"] = own_text(letter.text)[:WORDS]
        tell_umpire(club, free, "unanswered", values, game, turn, reply_to=player.address)
