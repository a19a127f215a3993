"""The players of a year: each reads their mail, and writes on time, too late, twice, wrongly, once more, or never again.

What they do in a turn is drawn from the name of the year, the seat and the turn. Their orders are those of a built-in player.
"""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime

from referee.core import Value
from referee.mail.compose import read_own, text_in
from referee.report.templates import Stationery
from referee.resources import template_folders
from referee.service.demo.mailboxes import PROGRAMS, Answer
from referee.service.demo.players import CASTS, Newsletter, orders_of, read_newsletter

REFEREE = "referee@club.example"
STATIONERY = Stationery(lambda game: template_folders(game, None))
# What a player does in a turn, and how often of a hundred times.
HABITS = {
    "punctual": 74,
    "amended": 5,
    "twice": 4,
    "broken": 4,
    "late": 3,
    "forgetful": 3,
    "silent": 1,
    "unproved": 2,
    "asks": 2,
    "waits": 1,
    "notes": 1,
}
QUESTIONS = (
    "My train stands in the rain. What does it cost to cross a big river?",
    "Could you tell me whether the fee of last round was right?",
    "I shall move house next month; will the post find me there?",
)

_FILE = re.compile(r"([A-Z]+\d+)-turn-(\d+)\.json")


class Posted(Value):
    """A letter that somebody has written: ``meant`` says what for."""

    at: datetime
    raw: bytes
    sender: str
    message_id: str
    meant: str


@dataclass(slots=True, kw_only=True)
class Seat:
    """A seat as its player knows it: the last newsletter, and the turns for which orders were written."""

    game: str
    code: str
    kind: str
    newest: Newsletter | None = None
    forgotten: int = 0  # the turn for which its player waits to be reminded


@dataclass(slots=True, kw_only=True)
class Person:
    """One address. ``gone_from``: nobody reads there any more; ``away``: a holiday that was announced; a machine answers."""

    name: str
    address: str
    year: str  # its name
    seats: dict[str, Seat] = field(default_factory=dict)
    gone_from: datetime | None = None
    bounces: bool = False  # then the mailbox is gone, too
    away: tuple[datetime, datetime] | None = None
    hurried: bool = False  # late more often than others
    written: int = 0
    waiting: dict[str, str] = field(default_factory=dict)  # what is written once a letter was answered

    def is_gone(self, now: datetime) -> bool:
        """Return whether the player has dropped out."""
        return self.gone_from is not None and now >= self.gone_from

    def is_away(self, now: datetime) -> bool:
        """Return whether the player is on holiday."""
        return self.away is not None and self.away[0] <= now < self.away[1]

    def reads(self, raw: bytes, now: datetime, due: Callable[[str], datetime | None]) -> Iterator[Posted]:
        """Read a letter of the referee's, and yield what its reader will write to it. *due*: the deadline of a game."""
        if self.is_gone(now):
            if self.bounces:
                yield self._bounce(raw, now)
            return
        letter = read_own(raw)
        if self.is_away(now):
            yield self._machine(letter, now)
        sort = str(letter["Message-ID"])[1:].partition(".")[0]
        answered = self.waiting.pop(str(letter["In-Reply-To"] or ""), "")
        if answered == "confirm" and "Is this letter yours?" in str(letter["Subject"]):
            yield self._answer(_plain(letter), now + timedelta(hours=2), "CONFIRM", "confirms")
        game = str(letter["X-Referee-Game"] or "")
        told = self._newsletter(letter, raw)
        if told:
            yield from self._plans(told, game, now, due(game))
        elif sort == "reminder" and game in self.seats:
            yield from self._reminded(self.seats[game], now)

    def says(self, seat: Seat, at: datetime, words: str, meant: str) -> Posted | None:
        """Return an answer to the last newsletter of a game with some words."""
        return self._answer(seat.newest, at, words, meant) if seat.newest else None

    def _newsletter(self, letter: EmailMessage, raw: bytes) -> Newsletter | None:
        """Return what a newsletter, a corrected one or a briefing tells, with the letter that is answered."""
        for part in letter.iter_attachments():
            found = _FILE.fullmatch(part.get_filename() or "")
            if found:
                return read_newsletter(raw, found[1], int(found[2]))
        return None

    def _plans(self, told: Newsletter, game: str, now: datetime, due: datetime | None) -> Iterator[Posted]:
        seat = self.seats.get(game)
        if not seat:
            return
        seat.newest = told
        asked = told.seen.get("asked")
        if told.finished or not due or (asked and asked["player"] != seat.code):
            return
        turn, chance = told.turn + 1, random.Random(f"{self.year}/{game}/{seat.code}/{told.turn}/{told.message_id}")  # noqa: S311
        often = HABITS | ({"late": 15} if self.hurried else {})
        habit = chance.choices(list(often), list(often.values()))[0]
        room = max((due - now).total_seconds(), 3600.0)
        when = now + timedelta(seconds=room * chance.uniform(0.05, 0.8))
        if self.away and self.away[0] <= when < self.away[1]:
            when = self.away[1] + timedelta(hours=chance.randrange(1, 20))
            habit = habit if when < due else "back"  # whatever the player has in mind comes too late
        if self.is_gone(when):
            return
        if habit == "late":
            when = due + timedelta(hours=chance.randrange(2, 30))
        if habit == "forgetful":
            seat.forgotten = turn
            return
        if habit == "silent":
            return
        yield from self._habits(habit, seat, told, when, chance)

    def _habits(
        self, habit: str, seat: Seat, told: Newsletter, when: datetime, chance: random.Random
    ) -> Iterator[Posted]:
        text = orders_of(CASTS[seat.kind], told, seat.code, seat.game, STATIONERY)
        soon = when - timedelta(hours=1)
        if habit == "amended":
            turn = told.turn + 1
            yield self._answer(told, soon, f"ORDERS {seat.game} {turn}\nPASS\nEND\n\nPRESS: More follows.", "orders")
        elif habit == "broken":
            yield self._answer(told, soon, CASTS[seat.kind].mistype(text), "slip")
        elif habit == "asks":
            text = f"{chance.choice(QUESTIONS)}\n\n{text}"
        elif habit == "waits":
            yield self._answer(told, soon, "WAIT", "asks")
        elif habit == "notes":
            text = f"{text}\n\nNOTE: I enjoy this very much.\nEND NOTE\n"
        if habit == "unproved":
            letter = self._answer(_coldly(told), when, text, "unproved")
            self.waiting[letter.message_id] = "confirm"
            yield letter
            return
        letter = self._answer(told, when, text, "late" if habit in ("late", "back") else "orders")
        yield letter
        if habit == "twice":
            by_another_way = f"Received: by relay.example; {format_datetime(when)}\r\n".encode() + letter.raw
            yield letter.but(raw=by_another_way, at=when + timedelta(minutes=90), meant="copy")

    def _reminded(self, seat: Seat, now: datetime) -> Iterator[Posted]:
        told = seat.newest
        if told and seat.forgotten == told.turn + 1:
            seat.forgotten = 0
            words = orders_of(CASTS[seat.kind], told, seat.code, seat.game, STATIONERY)
            yield self._answer(told, now + timedelta(hours=3), words, "orders")

    def _answer(self, letter: Newsletter, at: datetime, text: str, meant: str) -> Posted:
        self.written += 1
        message_id = f"<{self.written}.{self.address}>"
        answer = Answer(
            sender=self.address,
            sender_name=self.name,
            recipient=letter.reply_to or REFEREE,
            subject=letter.subject,
            text=text,
            original=letter.text,
            original_id=letter.message_id,
            written=at,
            message_id=message_id,
        )
        program = PROGRAMS[(self.written + sum(map(ord, self.name))) % len(PROGRAMS)]
        return Posted(at=at, raw=program(answer), sender=self.address, message_id=message_id, meant=meant)

    def _machine(self, letter: EmailMessage, now: datetime) -> Posted:
        made = self._answer(_plain(letter), now + timedelta(minutes=1), "I am on holiday. PASS", "robot")
        return made.but(raw=b"Auto-Submitted: auto-replied\r\n" + made.raw)

    def _bounce(self, raw: bytes, now: datetime) -> Posted:
        """Return the report of a mail server that the mailbox is not there."""
        self.written += 1
        message_id = f"<bounce.{self.written}.{self.address}>"
        head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].replace(b"\n", b"\r\n").decode("utf-8", "replace")
        text = (
            f"Return-Path: <>\r\nFrom: Mail Delivery <mailer-daemon@mail.example>\r\nTo: {REFEREE}\r\nSubject: Undelivered\r\n"
            f"Message-ID: {message_id}\r\nMIME-Version: 1.0\r\nAuto-Submitted: auto-replied\r\n"
            'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
            "--b\r\nContent-Type: text/plain\r\n\r\nNo such mailbox.\r\n"
            "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mail.example\r\n\r\n"
            f"Final-Recipient: rfc822; {self.address}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
            f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\n{head}\r\n\r\n--b--\r\n"
        )
        return Posted(
            at=now, raw=text.encode(), sender="mailer-daemon@mail.example", message_id=message_id, meant="bounce"
        )


def _coldly(told: Newsletter) -> Newsletter:
    """Return what a new letter goes to that answers nothing: no code stands in it."""
    return told.but(reply_to="", subject=f"Orders for {told.turn + 1}", text="", message_id="<none@nowhere.example>")


def _plain(letter: EmailMessage) -> Newsletter:
    """Return any letter of the referee's as one that may be answered."""
    reply_to = letter["Reply-To"]
    return Newsletter(
        recipient=letter["To"].addresses[0].addr_spec,
        reply_to=reply_to.addresses[0].addr_spec if reply_to else "",
        subject=str(letter["Subject"]),
        message_id=str(letter["Message-ID"]),
        text=text_in(letter),
        seen={},
        page="",
        files=(),
        turn=0,
    )
