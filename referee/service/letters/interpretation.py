"""What a letter says, and what it does to what its player has on file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from referee.core import LetterTooCostly, Texts, Value, View
from referee.core.game import Forecast
from referee.mail.letter.message import Letter, unread
from referee.mail.letter.tokens import without_tokens
from referee.orderbook import Reading
from referee.reader.hearing import MERGED
from referee.reader.understanding import Understanding
from referee.reader.wire import AT_ONCE, Filed
from referee.store import Fate, GameRow, LetterRow, OrderSet, PlayerRow, PressRow, insert, letters, orders

from ..club import Club
from ..positions import Position, format_complaints, parse_complaints
from ..post.codes import without_codes
from ..post.collect import is_too_large
from .identify import Found, Proof, identify, quotes_of

# Which of several sets of orders of a player counts, and which of their texts.


Sets = tuple[OrderSet, ...]


def on_file(rows: Iterable[OrderSet], player: str) -> Sets:
    """Return a player's sets that are not withdrawn, in their order of arrival."""
    return tuple(row for row in rows if row.player == player and not row.withdrawn)


def counts_as_in(row: OrderSet | None) -> bool:
    """Return whether a set answers what its player owes."""
    return row is not None and (row.clean or row.confirmed)


def set_to_run(rows: Iterable[OrderSet], player: str) -> OrderSet | None:
    """Return the set that runs: the newest clean or confirmed one, else the newest faulty one written for this turn."""
    filed = on_file(rows, player)
    good = [row for row in filed if counts_as_in(row)]
    faulty = [row for row in filed if not row.doubtful]
    wanted = good or faulty
    return wanted[-1] if wanted else None


def set_to_confirm(rows: Iterable[OrderSet], player: str) -> OrderSet | None:
    """Return the faulty set a word of confirmation means: the newest on file, if no clean or confirmed one came after it."""
    filed = on_file(rows, player)
    return filed[-1] if filed and not counts_as_in(filed[-1]) else None


def newest_texts(rows: Iterable[PressRow]) -> tuple[PressRow, ...]:
    """Return of each player the newest of these texts of one kind, in the order in which they arrived."""
    timed = sorted(rows, key=lambda row: row.arrived)
    newest = {row.player: row for row in timed}
    return tuple(row for row in timed if newest[row.player] is row)


IF_STANDBY = "IF STANDBY"  # these orders count only once somebody has taken over a seat


class Filing(Value):
    """What a letter that arrived then does to the file of a player for a turn: everything withdrawn, a set confirmed, a set
    added; ``sets`` is the file of everybody afterwards, ``before`` what it was.
    """

    game: str
    turn: int
    player: str
    arrived: datetime
    before: Sets
    withdraws: int
    confirms: int
    adds: OrderSet | None
    sets: Sets
    nothing_to_confirm: bool

    @property
    def runs(self) -> OrderSet | None:
        """The player's set that will run."""
        return set_to_run(self.sets, self.player)

    @property
    def confirmed(self) -> OrderSet | None:
        """The set that is confirmed, as it is afterwards."""
        return next((each for each in self.sets if self.confirms and each.id == self.confirms), None)


def base(sets: Iterable[OrderSet], player: str, arrived: datetime) -> Filed | None:
    """Return the orders on file of which a letter that arrived then may keep some."""
    known = [each for each in on_file(sets, player) if not each.doubtful and each.arrived <= arrived]
    return Filed(text=known[-1].text, complaints=parse_complaints(known[-1].complaints)) if known else None


def hear(
    club: Club, letter: Letter, found: Found, arrived: datetime, *, by_text: bool = True
) -> tuple[Letter, Found, Understanding, Sets]:
    """Return a letter as its game reads it, whose it is, what it says, and the orders on file then. *by_text*: a line ``ORDERS
    RR7`` of it may name another game than its header.
    """
    first, seats = (found.position, found.player.code), {each.game: each.code for each in found.seats}
    others = [(each, seats[each.row.id]) for each in found.running if by_text and each.row.id != first[0].row.id]
    asked = [first, *others][:AT_ONCE]
    told, named, at, read = read_in(club, letter, asked, arrived, found)
    same = ("", found.named, found.position.id if found.why is None else "")
    if by_text and named.upper() not in same:
        found = identify(club, letter, named)
    chosen = (found.position, found.player.code)
    if (chosen[0].row.id, chosen[1]) != (asked[at][0].row.id, asked[at][1]):
        told, _, _, read = read_in(club, letter, [chosen], arrived, found)
    return told, found, read, orders.sets(club, chosen[0].row.id, chosen[0].row.turn)


def read_in(
    club: Club,
    letter: Letter,
    seats: Sequence[tuple[Position, str]],
    arrived: datetime,
    found: Found | None = None,
) -> tuple[Letter, str, int, Understanding]:
    """Return what a letter means to one of these games, read as ``Reader.meant`` does; it may keep what was on file when it
    *arrived*.
    """
    letter = without_codes(club, letter)
    told = [(each.in_play, code, base(orders.sets(club, *each.row.turn_key), code, arrived)) for each, code in seats]
    return club.reader.understand(letter, told, quotes_of(club, letter, found))


def reading_for(club: Club, letter: Letter, kind: str) -> Reading:
    """Return what a letter says to a game of that kind, but for what it quotes of ours."""
    letter, language = without_codes(club, letter), club.positions.order_languages.texts(kind)
    return club.reader.hear(letter, language, quotes_of(club, letter))


def filing(
    position: Position,
    player: str,
    read: Understanding,
    sets: Iterable[OrderSet],
    letter: int | None,
    arrived: datetime,
) -> Filing:
    """Return what a letter that arrived at *arrived* does to the sets on file for the awaited turn."""
    before = file = tuple(sets)
    commands = () if read.other_turn or read.out_of_turn else read.reading.commands
    withdraws = 0
    if "CLEAR" in commands:
        taken = [each for each in file if each.player == player and not each.withdrawn and each.arrived <= arrived]
        withdraws = len(taken)
        file = tuple(each.but(withdrawn=True) if each in taken else each for each in file)
    confirms = "CONFIRM" in commands
    new = meant = None
    if read.gives_orders and not read.later and not awaits_standby(position, read):
        new = OrderSet(
            game=position.id,
            turn=position.row.turn,
            player=player,
            letter=letter,
            orders=position.rules.encode(read.orders),
            complaints=format_complaints(read.complaints),
            text="\n".join(phrase.text for phrase in read.reading.phrases),
            clean=read.is_clean,
            confirmed=confirms,
            withdrawn=False,
            doubtful=read.other_turn or read.doubted,
            arrived=arrived,
            changed_at=arrived,
        )
        file = tuple(sorted((*file, new), key=lambda each: each.arrived))
    elif confirms:
        # A letter read late, after ones that came later, speaks of what was on file when it came.
        meant = set_to_confirm((each for each in file if each.arrived <= arrived), player)
        file = tuple(each.but(confirmed=True) if each == meant else each for each in file)
    return Filing(
        game=position.id,
        turn=position.row.turn,
        player=player,
        arrived=arrived,
        before=before,
        withdraws=withdraws,
        confirms=meant.id if meant else 0,
        adds=new,
        sets=file,
        nothing_to_confirm=confirms and not new and not meant,
    )


def write_filing(club: Club, filing: Filing) -> None:
    """Write what becomes of the orders on file. Inside a transaction."""
    if filing.withdraws:
        orders.withdraw(club, filing.game, filing.turn, filing.player, filing.arrived)
    if filing.confirms:
        orders.confirm(club, filing.confirms, filing.arrived)
    if filing.adds:
        insert(club, filing.adds)


def awaits_standby(position: Position, read: Understanding) -> bool:
    """Return whether a letter orders something for the case that somebody takes over a seat, which nobody has yet."""
    return read.gives_orders and says_if_standby(read) and not position.replaced


def drops_lines(position: Position, done: Filing) -> bool:
    """Return whether new orders in order take the place of a set with faults, and have nothing for some of its good lines: who
    was asked for a corrected set has perhaps sent the corrected line alone.
    """
    new, own = done.adds, [each for each in on_file(done.sets, done.player) if each is not done.adds]
    if not new or not new.clean or new.confirmed or not own or counts_as_in(own[-1]) or own[-1].doubtful:
        return False
    faulty = {each.line for each in parse_complaints(own[-1].complaints) if each.is_error}
    left_out = orders_left_out(position, own[-1], new)
    says_something = bool(position.decode(new.orders))
    return says_something and any(getattr(order, "line", 0) not in faulty for order in left_out)


def orders_left_out(position: Position, before: OrderSet, new: OrderSet) -> tuple[Any, ...]:
    """Return the orders of a set in whose place a new one has none: a letter replaces all."""
    about = {position.rules.about(order) for order in position.decode(new.orders)}
    return tuple(order for order in position.decode(before.orders) if position.rules.about(order) not in about)


def says_if_standby(read: Understanding) -> bool:
    """Return whether the orders of a letter are for that case."""
    return any(question.verb == IF_STANDBY for question in read.reading.questions)


def is_in(position: Position, sets: Iterable[OrderSet], player: str) -> bool:
    """Return whether a player owes nothing more for the awaited turn."""
    return player not in position.awaited or counts_as_in(set_to_run(sets, player))


def forecast_of(position: Position, row: OrderSet) -> Forecast:
    """Return what a filed set would do on today's board."""
    return position.rules.forecast(position.state, row.player, position.decode(row.orders))


def set_values(position: Position, row: OrderSet, known: Forecast | None = None) -> View:
    """Return what templates may know of a filed set; *known* is what it would do, if that was reckoned before."""
    return {
        "lines": (known or forecast_of(position, row)).lines,
        "clean": row.clean,
        "counts": counts_as_in(row),
        "arrived": row.arrived,
        "complaints": tuple(each for each in parse_complaints(row.complaints) if each.code != MERGED),  # of its letter
    }


# What becomes of a letter, and what is known of it on its way past the stations.

Answers = tuple[View, ...]  # values for ``answers.txt.j2``: what the writer of a letter is told of its commands


def answer(kind: str, state: str, **more: object) -> Answers:
    """Return the answer to one command: what has become of it, and what is said of that."""
    return ({"kind": kind, "state": state, **more},)


class Verdict(Value, kw_only=False):
    """What becomes of a letter. ``reason``: as the umpire reads it, where it says more than the fate; ``then``: what is written
    with it, where it was judged before the transaction.
    """

    fate: Fate
    reason: str = ""
    game: str | None = None
    player: str | None = None
    then: Callable[[], object] | None = None


# A letter on its way past the stations (``service/stations.py``), with what they have found out about it.


class Case(Value):
    """``row``: the letter as it came; ``arrived``: when our server had it. ``spent``: what the reader had used before.

    ``sender``: whom its header names; ``sure``: that proves it is theirs. ``opened``: as it is read, ``came``: the same before
    what it quotes of ours was marked; None before it is opened. ``ignored``: why it is no player's. ``vouched``: a mail
    server says that it is its sender's. ``whose``, ``proved``: whose it is, None before that is asked; ``named``: the
    umpire has said to which game. ``why``: why it cannot be taken. ``read``: what it says. ``sets``: the orders of its turn
    that were on file then. ``costly``: why its header alone was read, "" if all was. ``incomplete``: why a part of it is
    not there to be read, None if all is. ``read_back``: it was read to its player, who has confirmed it.
    """

    row: LetterRow
    arrived: datetime
    spent: float = 0
    sender: str = ""
    sure: bool = False
    opened: Letter | None = None
    came: Letter | None = None
    ignored: Fate | None = None
    vouched: bool = False
    whose: Found | None = None
    proved: Proof | None = None
    why: Fate | None = None
    read: Understanding | None = None
    named: bool = False
    sets: Sets = ()
    costly: str = ""
    incomplete: Fate | None = None
    read_back: bool = False

    @property
    def letter(self) -> Letter:
        """The letter; it must have been opened."""
        assert self.opened
        return self.opened

    @property
    def is_by_person(self) -> bool:
        """Whether somebody wrote it, known to us or not, and no machine."""
        return self.ignored in (None, Fate.STRANGER)

    @property
    def found(self) -> Found:
        """The game and player that it is from, as far as we know; it must have been asked."""
        assert self.whose
        return self.whose

    @property
    def position(self) -> Position:
        """Its game, as far as we know."""
        return self.found.position

    @property
    def game(self) -> GameRow:
        """The row of its game."""
        return self.found.position.row

    @property
    def player(self) -> PlayerRow:
        """Its player, as far as we know."""
        return self.found.player

    @property
    def proof(self) -> Proof:
        """Whether it is its player's; that must have been asked."""
        assert self.proved
        return self.proved

    @property
    def names(self) -> Texts:
        """What its writer and the writer's company are called: lines of that alone say nothing more."""
        player = self.player
        return (player.name, self.letter.sender_name, player.code, player.company)

    @property
    def says_something(self) -> bool:
        """Whether anything in it is meant for us."""
        return self.read is not None and not self.read.says_nothing

    def verdict(self, fate: Fate, reason: str = "") -> Verdict:
        """Return a verdict on what the letter's player wrote to the game."""
        return Verdict(fate, reason=reason, game=self.game.id, player=self.player.code)


def write_verdict(club: Club, case: Case, verdict: Verdict) -> None:
    """Write what became of a letter. Inside the transaction in which it was judged."""
    if verdict.then:
        verdict.then()
    reason = verdict.reason or verdict.fate
    row, status, now = case.row, verdict.fate.status, club.now
    kept: View = {"seconds": round(club.reader.spent - case.spent, 2), "sure": case.sure}
    letter = case.opened or (Letter(sender=case.sender, text="") if case.sender else None)
    if letter:  # its header was looked at
        kept |= {"sender": letter.sender, "subject": without_tokens(letter.subject), "message_id": letter.message_id}
        kept |= {"arrived": case.arrived}
    letters.finish(club, row.id, status, now, reason, verdict.game, verdict.player, **kept)


def too_costly(case: Case, letter: Letter, error: LetterTooCostly) -> Case:
    """Return a case by the header alone: to read more of the letter takes more than a letter may."""
    head, why = unread(letter), Fate.TOO_LARGE if is_too_large(case.row) else Fate.TOO_COSTLY
    return case.but(opened=head, came=head, costly=str(error), incomplete=why)


def arrival_of(row: LetterRow, letter: Letter) -> datetime:
    """Return when our server had the letter: by the topmost ``Received``, unless that lies after the file came to be."""
    return min(letter.arrived, row.arrived) if letter.arrived else row.arrived
