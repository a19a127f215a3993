"""What the umpire looks at: how games stand, what a letter would be understood as, newsletters, the board."""

from __future__ import annotations

import email
import email.policy
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from referee.core.errors import NotFound
from referee.core.orders import Complaint
from referee.mail.letter.message import Letter
from referee.report.board import svg
from referee.report.png import png
from referee.service.club.club import Club
from referee.service.club.positions import Position
from referee.service.commands.press import without_long_texts
from referee.service.letters.answers import acknowledgement_values
from referee.service.letters.held import told_why, waiting_players
from referee.service.letters.identify import Found, identify, why_ignored
from referee.service.letters.interpretation import Understanding, filing, understand_letter
from referee.service.letters.ownquotes import with_returned_marked
from referee.service.letters.proof import is_vouched_for, prove
from referee.service.post.bounces import unreachable_players
from referee.service.post.writing import render
from referee.store import games, orders, outbox
from referee.store.database.rows import OutboxRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a game stands. ``orders`` says of each player what is on file: in, faulty, missing, or nothing owed; ``asked`` whose
    turn it is, where one player after the other is asked; ``unreachable`` to whom letters come back; ``held`` whose letters for
    this turn wait for their player's word.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLetter:
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


def standing(club: Club, game_id: str) -> Standing:
    """Return how a game stands. Raises NotFound."""
    row = games.game(club.db, game_id)
    position = club.positions.of(club.db, row)
    return Standing(
        game=row.id,
        title=position.rules.title,
        board=position.board_title,
        status=row.status,
        turn=row.turn,
        deadline=row.deadline,
        orders=_orders_on_file(club, position),
        asked=position.asked,
        unreachable=unreachable_players(club, row.id) if row.status == "running" else (),
        held=waiting_players(club, row.id, row.turn),
    )


def read_as(club: Club, raw: bytes, game_id: str = "") -> ReadLetter:
    """Return what a letter would be understood as if it came now; nothing is stored and nobody is answered.

    Raises:
        NotFound: *game_id* is given and no game.
    """
    if game_id:
        games.game(club.db, game_id)
    letter = with_returned_marked(club, club.reader.read(raw))
    reason = why_ignored(club, letter)
    if reason:
        return ReadLetter(sender=letter.sender, subject=letter.subject, reason=reason)
    found = identify(club, letter, game_id)
    if found.reason:
        return ReadLetter(sender=letter.sender, subject=letter.subject, reason=found.reason)
    proof = prove(club, letter, found, is_vouched_for(club, raw, letter))
    return replace(_understood(club, letter, found), unproved=told_why(proof) if proof.why else "")


def newsletter(club: Club, game_id: str, turn: int | None = None, player: str = "") -> str:
    """Return the text of a newsletter, of the last turn played and for the first player unless said otherwise.

    Raises:
        NotFound: there is no such game, turn or player.
    """
    row = games.game(club.db, game_id)
    turn = games.last_turn(club.db, row.id).turn if turn is None else turn
    sent = outbox.newsletters(club.db, row.id, turn)
    wanted = [each for each in sent if not player or (each.player or "").upper() == player.upper()]
    if not wanted:
        raise NotFound(
            f"there is no newsletter of {row.id} for turn {turn}" + (f" and player {player}" if player else "")
        )
    first = wanted[0].player
    return _text([each for each in wanted if each.player == first][-1])


def board_svg(club: Club, game_id: str) -> str:
    """Return a game's board as it stands, as SVG, in the club's language. Raises NotFound."""
    position = club.positions.of(club.db, games.game(club.db, game_id))
    return svg(position.rules.drawing(position.state, club.stationery.translate(club.config.language)))


def board_png(drawn: str, width: int) -> bytes:
    """Return a drawn board as PNG, *width* pixels wide. Raises ConfigError where the extra ``png`` is missing."""
    return png(drawn, width)


def _orders_on_file(club: Club, position: Position) -> dict[str, str]:
    sets = orders.sets(club.db, position.row.id, position.row.turn)
    told = {}
    for player in position.players:
        runs = orders.set_to_run(sets, player.code)
        if orders.counts_as_in(runs):
            told[player.code] = "in"
        elif runs is not None:
            told[player.code] = "faulty"
        else:
            told[player.code] = "missing" if player.code in position.awaited else "nothing owed"
    return told


def _understood(club: Club, letter: Letter, found: Found) -> ReadLetter:
    position, player = found.position, found.player
    read = understand_letter(position, player.code, letter)
    if read.versions:
        return ReadLetter(sender=letter.sender, subject=letter.subject, reason="two-versions")
    now = club.clock()
    done = filing(position, player.code, read, orders.sets(club.db, position.row.id, position.row.turn), None, now)
    read = without_long_texts(club, read)
    values = acknowledgement_values(club, letter, found, read, done, now)
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
        "quoted": read.reading.quoted,
        "below": [list(line) for line in read.reading.below],
        "press": read.reading.press,
        "note": read.reading.note,
        "commands": list(read.reading.commands),
    }


def _complaint(complaint: Complaint) -> dict[str, Any]:
    return {**asdict(complaint), "params": dict(complaint.params)}


def _text(row: OutboxRow) -> str:
    message = email.message_from_bytes(row.raw, policy=email.policy.default)
    part = message.get_body(("plain",))
    text = str(part.get_content()) if part is not None else ""
    return text.replace("\r\n", "\n").rstrip("\n") + "\n"
