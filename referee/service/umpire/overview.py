"""What the umpire looks at: how games stand, what a letter would be understood as, newsletters, the board."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from msgspec.structs import asdict, replace

from referee.core.errors import NotFound
from referee.core.orders import Complaint
from referee.core.picture.drawing import Drawing, Print
from referee.core.values import Value
from referee.mail.compose import read_own, text_in
from referee.reader.understanding import Understanding
from referee.service.club import Club
from referee.service.deadlines.missing import FAULTY, MISSING, RESIGNED, roll_call
from referee.service.duetimes import last_moment
from referee.service.letters.answers import acknowledgement_values
from referee.service.letters.held import why_unproved
from referee.service.letters.identify import identify, prove, reason_ignored
from referee.service.letters.interpretation import Case
from referee.service.post.writing import render
from referee.service.stations import heard, opened, pass_on, understood, vouched_for, whose, with_filing
from referee.store import games, outbox
from referee.store.letters import Fate
from referee.store.rows import LetterRow, OutboxRow

_NEVER = datetime.max.replace(tzinfo=UTC)


class Standing(Value):
    """How a game stands. ``orders`` says of each player what is on file: in, faulty, missing, or nothing owed; ``asked`` whose
    turn it is, where one player after the other is asked; ``unreachable`` to whom letters come back; ``held`` whose letters for
    this turn wait for their player's word. ``stopped``: the umpire has, for now; ``extended``: how often the turn was given more
    time; ``undone``: it was played before and does not count; ``overdue``: its deadline and grace are over.
    """

    game: str
    title: str
    board: str
    status: str
    turn: int
    deadline: datetime | None
    orders: dict[str, str]
    asked: tuple[str, ...]
    unreachable: tuple[str, ...]
    held: tuple[str, ...]
    stopped: bool = False
    extended: int = 0
    undone: bool = False
    overdue: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        """Who owes orders and has sent none."""
        return tuple(code for code, said in self.orders.items() if said == MISSING)

    @property
    def doubtful(self) -> tuple[str, ...]:
        """Who has errors in his orders or a letter that waits, or has left, or whom letters do not reach."""
        said = (code for code, word in self.orders.items() if word in (FAULTY, RESIGNED))
        return tuple(dict.fromkeys((*said, *self.held, *self.unreachable)))


class ReadLetter(Value):
    """What a letter would be understood as. ``reason`` says why it would not be taken; then the rest is empty.

    ``unproved``: why it would wait for its player's word first, "" if it would not.
    """

    sender: str
    subject: str
    reason: str
    game: str = ""
    player: str = ""
    turn: int = 0
    unproved: str = ""
    told: dict[str, Any] | None = None
    reply: str = ""


def by_urgency(standings: Iterable[Standing]) -> list[Standing]:
    """Return the games that run as they need the umpire: overdue and waiting ones first, then by deadline, stopped ones last."""

    def urgency(each: Standing) -> tuple[bool, datetime, str]:
        waits = each.overdue or (each.deadline is None and not each.stopped)
        return not waits, each.deadline or _NEVER, each.game

    return sorted((each for each in standings if each.status == "running"), key=urgency)


def standing(club: Club, game_id: str) -> Standing:
    """Return how a game stands. Raises NotFound."""
    row = games.game(club.db, game_id)
    position = club.position(row)
    called, last = roll_call(club, position), last_moment(club.config, row)
    return Standing(
        game=row.id,
        title=position.rules.title,
        board=position.board_title,
        status=row.status,
        turn=row.turn,
        deadline=row.deadline,
        orders=called.orders,
        asked=position.asked,
        unreachable=called.unreachable,
        held=called.held,
        stopped=row.stopped_at is not None,
        extended=row.extended,
        undone=games.replaced(club.db, *row.turn_key) is not None,
        overdue=last is not None and last < club.clock(),
    )


def read_as(club: Club, raw: bytes, game_id: str = "") -> ReadLetter:
    """Return what a letter would be understood as if it came now; nothing is stored and nobody is answered.

    Raises:
        NotFound: *game_id* is given and no game.
    """
    if game_id:
        games.game(club.db, game_id)
    now = club.clock()
    row = LetterRow(hash="", source="", size=len(raw), raw=raw, arrived=now, stored_at=now)
    case, _ = pass_on(club, Case(row=row, arrived=now), (opened, vouched_for))
    sender, subject = case.letter.sender, case.letter.subject
    if case.ignored is not None:
        return ReadLetter(sender=sender, subject=subject, reason=reason_ignored(case.ignored, case.letter))
    case, _ = pass_on(club, _as_named(club, replace(case, arrived=now), game_id), (whose, heard, understood))
    if case.why not in (None, Fate.EMPTY, Fate.LATE):
        return ReadLetter(sender=sender, subject=subject, reason=case.why or "")
    unproved = why_unproved(case.proof.why) if case.proof.why else ""
    return replace(_understood(club, case), unproved=unproved)


def _as_named(club: Club, case: Case, game_id: str) -> Case:
    """Return a letter as one to that game, whatever it names itself."""
    if not game_id:
        return case
    found = identify(club, case.letter, game_id)
    return replace(case, whose=found, proved=prove(club, case.letter, found, case.vouched), named=True)


def newsletter(club: Club, game_id: str, turn: int | None = None, player: str = "", edition: int | None = None) -> str:
    """Return the text of a newsletter, of the last turn played and for the first player unless said otherwise, in its newest
    *edition*; those of a turn count from 1.

    Raises:
        NotFound: there is no such game, turn, player or edition.
    """
    row = games.game(club.db, game_id)
    turn = games.last_turn(club.db, row.id).turn if turn is None else turn
    sent = outbox.newsletters(club.db, row.id, turn)
    editions = sorted({int(each.key.rpartition(":")[2]) for each in sent})
    if edition is not None and sent:
        if edition > len(editions):
            known = ", ".join(str(number) for number, _ in enumerate(editions, start=1))
            raise NotFound(f"there is no edition {edition} of turn {turn} of {row.id} (there is {known})")
        sent = tuple(each for each in sent if each.key.endswith(f":{editions[edition - 1]}"))
    wanted = [each for each in sent if not player or (each.player or "").upper() == player.upper()]
    if not wanted:
        raise NotFound(
            f"there is no newsletter of {row.id} for turn {turn}" + (f" and player {player}" if player else "")
        )
    first = wanted[0].player
    return text_of([each for each in wanted if each.player == first][-1])


def board_drawing(club: Club, game_id: str, alone: str = "", paper: bool = False, *, keepsake: bool = False) -> Drawing:
    """Return a game's board as it stands, with its last turn, in the club's language; *alone*, *paper*, *keepsake*: see
    ``Print``.

    Raises:
        NotFound: there is no such game, or nobody with the code *alone* in it.
    """
    position = club.position(game_id)
    codes = [code for seat in position.setup.players for code in (seat.code, seat.second_code) if code]
    if alone and alone.upper() not in codes:
        raise NotFound(f"nobody has the code {alone!r} in {position.row.id}: there is {', '.join(codes)}")
    last = games.last_turn(club.db, position.row.id)
    events = () if keepsake else position.rules.decode(last.events, position.setup)
    show = Print(events=events, alone=alone.upper(), paper=paper, keepsake=keepsake)
    return position.rules.drawing(position.state, club.stationery.translate(club.config.language), show)


def _understood(club: Club, case: Case) -> ReadLetter:
    case, done = with_filing(club, case, None)
    position, player, letter, read = case.found.position, case.found.player, case.letter, case.read
    assert read is not None
    values = acknowledgement_values(club, letter, case.found, read, done)
    return ReadLetter(
        sender=letter.sender,
        subject=letter.subject,
        reason="",
        game=position.row.id,
        player=player.code,
        turn=position.row.turn,
        told=_plain(read),
        reply=render(club, "acknowledgement", position, player, values).text,
    )


def _plain(read: Understanding) -> dict[str, Any]:
    """Return an understanding as plain values, for ``--json``."""
    return {
        "orders": list(read.forecast.lines),
        "clean": read.is_clean,
        "complaints": [_complaint(complaint) for complaint in read.complaints],
        "unread": [list(line) for line in read.reading.unread],
        "more_unread": read.reading.more_unread,
        "quoted": len(read.reading.quoted),
        "below": [list(line) for line in read.reading.below],
        "press": read.reading.press,
        "note": read.reading.note,
        "commands": list(read.reading.commands),
    }


def _complaint(complaint: Complaint) -> dict[str, Any]:
    return {**asdict(complaint), "params": dict(complaint.params)}


def text_of(row: OutboxRow) -> str:
    """Return the plain text of a letter of ours. Raises NotFound: its words were given up."""
    if not row.raw:
        raise NotFound(
            f"letter {row.id} of the outbox is kept without its words: `[retention]`, or its reader is forgotten"
        )
    return text_in(read_own(row.raw)).rstrip("\n") + "\n"
