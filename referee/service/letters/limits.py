"""How much is answered. What a player writes is always heard; that it is answered has limits, so that two robots fall silent."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile

from referee.core import Amounts, NotFound, Numbers, Texts, Value, is_address
from referee.mail.letter.headers import head_of, read_head, sole_mailbox
from referee.mail.letter.message import Letter
from referee.orderbook import own_text
from referee.reader.understanding import Understanding
from referee.store import (
    Fate,
    LetterRow,
    fact,
    format_time,
    games,
    letters,
    outbox,
    parse_time,
    transaction,
    write_fact,
)

from ..club import Club
from ..post.codes import are_used
from ..post.writing import tell_umpire
from ..umpires import is_any_umpires
from .identify import carries_code, says_who_wrote
from .interpretation import Case, Filing, Verdict, on_file, says_if_standby

WARNED_A_DAY = 3  # times that a player is told that a letter went to others too
IN_VAIN = 3  # letters of one player in a row with nothing new in them; a slow robot never writes many in a day
ASKING = 8  # in a row of those and of ones that only ask
SHOWN = 3  # unanswered letters of a player that the umpire is shown in a turn
WORDS = 2000  # characters of such a letter, from so many that are looked at:
LOOKED_AT = 20_000

_BRING_NOTHING = frozenset(each for each in Fate if each.status == "refused") | {Fate.NOTHING_NEW, Fate.ONLY_ASKS}

_DAY = timedelta(days=1)


class Last(Value):
    """Whether an answer is the last one for now: after so many letters in a row that brought nothing new (``in_vain``), or
    because so many are given in a day to one player (``of_day``) or about the game (``of_game``); 0 where it is not. ``until``:
    when the first of that day's answers is a day old, and there is room for the next. ``asks``: it is the last to letters that
    only ask, which have a budget of their own.
    """

    in_vain: int = 0
    of_day: int = 0
    of_game: int = 0
    until: datetime | None = None
    asks: bool = False


def room_for_answer(club: Club, case: Case, fate: Fate) -> Last | None:
    """Return whether the answer to a letter of this *fate* is the last one for now, None where none is given. Where a limit is
    reached the umpire is told of that, once for each turn. Inside a transaction.

    A reader who plays no part in the game has no code: of that one the umpire hears nothing.
    """
    if not case.letter.answerable:
        return None
    reader = case.player
    run = in_vain(club, reader.address, fate)
    since = club.day_ago
    asking = fate is Fate.ONLY_ASKS
    answers_to_player, answers_about_it = letters.times_of_answers(
        club, reader.address, case.game.id, since, asking=asking
    )
    budget = {
        "player": (club.config.replies_per_day, answers_to_player),
        "game": (club.config.replies_per_game, answers_about_it),
    }
    left = {whose: most - len(times) for whose, (most, times) in budget.items()}
    spent = "in-vain" if _is_beyond(run) else next((whose for whose in left if left[whose] <= 0), None)
    if spent is not None:
        if reader.code:
            _tell_unanswered(club, case, spent)
        return None
    last = {whose: most for whose, (most, _) in budget.items() if left[whose] == 1}
    # There is room again when the first of a day's answers is a day old, the one that is written now among them.
    until = (min((*budget[whose][1], club.now)) + _DAY for whose in last)
    return Last(
        in_vain=len(run) if _is_at_end(run) else 0,
        of_day=last.get("player", 0),
        of_game=last.get("game", 0),
        asks=asking,
        until=max(until, default=None),
    )


def may_answer(club: Club, letter: Letter, fate: Fate) -> bool:
    """Return whether a letter of this *fate*, of somebody who plays no part in a game, is answered."""
    if not letter.answerable or _is_beyond(in_vain(club, letter.sender, fate)):
        return False
    return letters.answers_to(club, club.day_ago, letter.sender) < club.config.replies_per_day


def why_not_ask(club: Club, address: str, *, asked: bool, crowded: bool) -> str:
    """Return why nobody at an address is asked whether they want what was asked for with the code of a game: they were *asked*
    today, or too many were (*crowded*), or they have had all the answers that they may have (limit); "" if they may be.
    """
    spent = letters.answers_to(club, club.day_ago, address) >= club.config.replies_per_day
    return "asked" if asked else "limit" if crowded or spent else ""


def in_vain(club: Club, address: str, fate: Fate) -> Texts:
    """Return the reasons of an address's letters in a row that brought nothing new, that of the one with this *fate* first."""
    if fate.status == "done" and fate not in _BRING_NOTHING:
        return ()
    before = takewhile(_BRING_NOTHING.__contains__, letters.last_reasons(club, address, ASKING + 1))
    return (fate, *before) if fate in _BRING_NOTHING else tuple(before)


def answers_in_vain(club: Club, address: str, fate: Fate) -> int:
    """Return how many letters in a row brought nothing new if the answer to the last is the last for now; else 0."""
    run = in_vain(club, address, fate)
    return len(run) if _is_at_end(run) and not _is_beyond(run) else 0


def warns(club: Club, case: Case) -> bool:
    """Return whether a player is told, once more today, that their letters go to others, and keep it. Inside a transaction."""
    name, now = f"warned:{case.game.id}:{case.player.code}", club.now
    today = [time for time in fact(club, name).split() if parse_time(time) > club.day_ago]
    if len(today) < WARNED_A_DAY:
        write_fact(club, name, " ".join([*today, format_time(now)]))
    return len(today) < WARNED_A_DAY


def fate_of(read: Understanding, filing: Filing) -> Fate:
    """Return what becomes of a letter that was read: it is filed, unless it brings nothing new.

    Robots say the same again and again, and some texts of theirs read as press or a note; commands may be repeated.
    """
    said, adds = read.reading, filing.adds
    if read.later or (not adds and read.gives_orders and says_if_standby(read)):
        return Fate.KEPT
    if adds and adds.doubtful and read.other_turn:
        return Fate.OTHER_TURN
    if said.commands or said.salt or said.trials:
        return Fate.FILED
    own = on_file(filing.before, filing.player)
    if adds and not (own and (own[-1].text, own[-1].orders) == (adds.text, adds.orders)):
        return Fate.FILED
    return Fate.ONLY_ASKS if said.questions else Fate.NOTHING_NEW


def _is_beyond(run: Texts) -> bool:
    """Return whether the last of letters in vain, by their reasons, is one too many."""
    return len(run) > ASKING or sum(reason != Fate.ONLY_ASKS for reason in run) > IN_VAIN


def _is_at_end(run: Texts) -> bool:
    return _is_beyond((Fate.NOTHING_NEW, *run))


def _tell_unanswered(club: Club, case: Case, spent: str) -> None:
    """Tell the umpire of a limit that was reached; of letters in vain show some, for one may be a person's."""
    (game, turn), player = case.game.turn_key, case.player
    whose = "" if spent == "game" else player.code
    key = f"unanswered:{spent}:{game}:{turn}:{whose}"
    keys = (key, *(f"{key}:{number}" for number in range(2, SHOWN + 1))) if spent == "in-vain" else (key,)
    free = next((each for each in keys if not outbox.has(club, f"umpire:{each}")), None)
    if free is None:
        return
    if free == key:
        club.log("answers-stopped", f"{spent}: {whose or game} is not answered", game, turn)
    limits = {"player": club.config.replies_per_day, "game": club.config.replies_per_game}
    words = own_text(case.letter.text[:LOOKED_AT])[:WORDS] if spent == "in-vain" else ""
    values = {"why": spent, "player": player.code, "limit": limits.get(spent, 0), "words": words}
    tell_umpire(club, free, "unanswered", values, game, turn, player.address if spent == "in-vain" else "")


# Floods: what proves itself by its header is handled first and never counted; of all else only so much is read in a
# day.
#
# What is too much is kept, but not read, so that it costs nothing but its room on the disk.

FROM_SENDER, FROM_DOMAIN, IN_ALL = 50, 2000, letters.UNSURE  # letters within a day that nothing proves
ABOUT_GAME = 500
SECONDS: Amounts = {"sender": 40, "domain": 90, "club": 180}  # of the processor, that reading them may take
SMALL = 32_000  # bytes: a letter that takes next to nothing, or as much as is read of a stranger's below its header
MANY = 5  # letters that wait: of more those that are proved go first
AGAIN = "again"  # the reason of a letter that the umpire wants read all the same


def of_a_flood(club: Club, case: Case) -> Verdict | None:
    """Return the verdict on a letter that is one of too many: it is parked unread. None if there are not too many."""
    row, sender = case.row, case.sender
    what = None if row.reason == AGAIN or case.sure else _too_many(club, row, sender)
    if what is None:
        return None
    game = what.partition("game ")[2] or None
    parked = Verdict(Fate.FLOOD, reason=f"{Fate.FLOOD}: {what}", game=game)
    key = f"flood:{club.now:%Y-%m-%d}"
    if outbox.has(club, f"umpire:{key}"):
        return parked
    return parked.but(then=partial(_tell_flood, club, key, what, sender, game))


def in_fair_order(club: Club) -> tuple[Numbers, Numbers]:
    """Return the numbers of the letters still to be handled: of many those that are proved, and the others, one of each sender
    after the other, so that nobody's stands behind all of another's. One sender's keep their order of arrival.
    """
    numbers, seen = letters.unhandled(club), Counter[str]()
    if len(numbers) <= MANY:
        return (), numbers
    places: dict[int, tuple[bool, int]] = {}
    for number in numbers:
        row = letters.letter(club, number)
        sender = sender_of(row.raw)
        sure = are_used(club) and is_sure(club, row, sender)
        places[number] = (not sure, 0 if sure else seen[sender])
        seen[sender] += not sure
    ordered, proved = tuple(sorted(numbers, key=places.__getitem__)), sum(not place[0] for place in places.values())
    return ordered[:proved], ordered[proved:]


def is_sure(club: Club, row: LetterRow, sender: str) -> bool:
    """Return whether the header of a letter, of which no more was read, proves that it is a player's or umpire's: by their code,
    or by what our mail server wrote into it.
    """
    if not sender or not _is_known(club, sender):
        return False
    head = read_head(row.raw)[0]
    return carries_code(club, row.raw, sender) or says_who_wrote(club, head, sender, row.arrived)


def readable(club: Club, row: LetterRow) -> bytes:
    """Return what is read of a letter: of a stranger's large one its header and the beginning of what stands below, which
    has the writer's words, or what a mail server reports.
    """
    if len(row.raw) <= SMALL or _is_known(club, sender_of(row.raw)):
        return row.raw
    return row.raw[: len(head_of(row.raw)) + SMALL]


def sender_of(raw: bytes) -> str:
    """Return whom a letter names as its sender, by its header alone; "" for nobody."""
    try:
        mailbox = sole_mailbox(read_head(raw)[0].all("from"))
    except Exception:
        return ""  # the reader, who may die of it, will say what is wrong with it
    return mailbox.address if mailbox else ""


def read_again(club: Club, number: int) -> None:
    """Let a parked letter be read with the next pass, however many there were.

    Raises:
        NotFound: no such letter is parked.
    """
    with transaction(club):
        if not letters.handle_again(club, number, AGAIN):
            raise NotFound(f"no letter {number} is parked")


def _is_known(club: Club, sender: str) -> bool:
    return bool(games.seats_of(club, sender)) or is_any_umpires(club, sender)


def _too_many(club: Club, row: LetterRow, sender: str) -> str | None:
    """Return what there are too many letters of: ``sender``, ``domain``, ``club``, with ``, seconds`` behind it where they took
    too long, or ``game RR7`` if that is so of every game the sender plays; None if there are not.
    """
    unsure = letters.unsure_since(club, sender, club.day_ago)
    most = {"sender": FROM_SENDER, "domain": FROM_DOMAIN, "club": IN_ALL}
    for of, (number, seconds) in unsure.items() if sender else [("club", unsure["club"])]:
        # Where senders are believed all that they write is counted: a club of many games is no flood.
        if number >= most[of] and (of == "sender" or are_used(club)):
            return of
        if seconds >= SECONDS[of] and (of == "sender" or row.size > SMALL):
            return f"{of}, seconds"
    about = letters.letters_about_games(club, sender, club.day_ago)
    return f"game {[*about][-1]}" if about and min(about.values()) >= ABOUT_GAME else None


def _tell_flood(club: Club, key: str, what: str, sender: str, game: str | None) -> None:
    """Tell the umpire, once a day for the whole club: a flood under many names must not become one to the umpire."""
    club.log("flood", what, game)
    limit = ABOUT_GAME if game else FROM_SENDER
    known = sender if is_address(sender) else ""
    whose = {"sender": known, "domain": known.rpartition("@")[2]}.get(what.partition(",")[0], club.config.club)
    values = {"sender": known, "limit": limit, "flooded": game or "", "of": what, "whose": whose}
    tell_umpire(club, key, "flood", values, game)
