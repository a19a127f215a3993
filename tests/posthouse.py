"""A whole club for tests: real folders, store and Maildirs; only the clock is ours."""

from __future__ import annotations

import atexit
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, TypeVar, cast

from referee.config import SettingValue, read_config
from referee.core import Texts
from referee.mail.compose import read_own
from referee.reader.understanding import InPlay
from referee.reader.wire import Reader
from referee.service.audit.export import format_revealed, parse_revealed, reveal
from referee.service.audit.replay import Fault, replay
from referee.service.audit.verify import Verified, verify, verify_game
from referee.service.club import Club, make_club, open_club
from referee.service.positions import Position
from referee.service.tick import Pass, tick
from referee.service.turns.gamefile import Invited, Proposal, parse_player
from referee.service.turns.newgames import new_game
from referee.service.turns.opengames import open_game
from referee.service.umpire.commands import carry_out, parse_command
from referee.store import ActRow, GameRow, OpenDatabase, OpenGameRow, OutboxRow, TurnRow, games, select
from referee.store.files import whole
from tests.forkedcommands import run_forked
from tests.secrecy import codes_in_text

ROOT = Path(__file__).parent.parent
INSTALLED = ROOT / "tests" / "tinygame" / "installed"
BEGIN = datetime(2026, 12, 7, 12, 0, tzinfo=UTC)  # a Monday
ANN, BOB = "ann@example.org", "bob@example.net"
REFEREE, UMPIRE = "referee@club.example", "umpire@club.example"
READER = Reader()  # one process reads the letters of all the houses of a run
atexit.register(READER.close)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **time: int) -> None:
        self.now += timedelta(**time)

    def today(self, **more: int) -> None:
        """Show the machine's time, or one so much later."""
        self.now = datetime.now(UTC) + timedelta(**more)


_T = TypeVar("_T")


# What clubs were that had seen nothing but how their games began: what was answered, the store, files with their modes.
_Begun = tuple[object, sqlite3.Connection, list[tuple[Path, int, bytes]]]
_BEGUN: dict[tuple[str, ...], _Begun | None] = {}  # by all that was done; None where it was done once


class PostHouse:
    """A club's folder with the tools of a test: write letters into it, make a pass, read what came out."""

    def __init__(self, folder: Path, reader: Reader = READER, /, **settings: SettingValue) -> None:
        self._folder, self._reader = folder, reader
        self.clock = Clock()
        given: dict[str, SettingValue] = {"mail.address": REFEREE, "mail.umpire": UMPIRE}
        given |= {"deadlines.early_delay": 0, "deadlines.downtime_hold": 0}  # the clock leaps
        given |= {
            "players.attach": "svg json"
        }  # tests look at boards and positions; tests/service/test_faces.py has none
        # Who waits for a chasing letter or for more time says so.
        given |= {"deadlines.reminders": "", "deadlines.outlook": 0, "deadlines.missing": "play"}
        given |= {"mail.umpire_newsletters": False}
        given |= {
            "identity.policy": "address"
        }  # letters are written by hand here; tests/service/test_identity.py has others
        given |= {name.replace("__", "."): value for name, value in settings.items()}
        make_club(folder, given)
        self._opened = open_club(read_config(folder, {}), self.clock, reader=reader)
        self._club: Club = self._opened.__enter__()
        # All that was done, as long as it was done here alone and a club to which the same was done may be copied.
        self.so_far: tuple[str, ...] = ()
        self._given = repr(given)
        self._dropped = 0
        self._letters: dict[Path, EmailMessage] = {}  # that were sent, by their files
        self._commanded = False

    def __enter__(self) -> PostHouse:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.__exit__(kind, error, trace)
        if (
            self._commanded and error is None
        ):  # what is written in this process is looked at when it is (tests/conftest.py)
            assert not [codes for row in self.ours() if (codes := codes_in_text(row.raw))]

    @property
    def folder(self) -> Path:
        self.so_far = ()
        return self._folder

    @property
    def club(self) -> Club:
        self.so_far = ()
        return self._club

    @club.setter
    def club(self, club: Club) -> None:
        self.so_far, self._club = (), club

    def copied(self) -> PostHouse:
        """Have what others of the same settings came to by the same beginnings, from here on until something else is done."""
        self.so_far = (self._given,)
        return self

    def _once(self, done: Callable[[], _T], *how: object) -> _T:
        """Return what is done and make the club so; the third to whom the same is done gets a copy of the second."""
        if not self.so_far:
            return done()
        self.so_far = so_far = (*self.so_far, f"{self.clock.now} {how}")
        if begun := _BEGUN.get(so_far):
            answer, store, files = begun
            store.backup(self._club.conn)
            self._club.tools.key = b""
            for name, mode, content in files:
                (path := self._folder / name).parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                path.chmod(mode)
            return cast("_T", answer)
        self.so_far = ()
        answer = done()
        self.so_far = so_far
        if so_far in _BEGUN:
            paths = [
                path for path in self._folder.rglob("*") if path.is_file() and not path.name.startswith("referee.")
            ]
            files = [(path.relative_to(self._folder), path.stat().st_mode, path.read_bytes()) for path in paths]
            self._club.conn.backup(store := sqlite3.connect(":memory:"))
            _BEGUN[so_far] = answer, store, files
        _BEGUN.setdefault(so_far, None)
        return answer

    def game(self, **more: Any) -> str:
        """Make a tiny race between Ann (ANN) and Bob (BOB) with deadlines a week apart at 20:00; return its id."""
        players = (
            Invited(code="ANN", colour="red", name="Ann", address=ANN, company="Ann's Line", zone="Europe/Dublin"),
            Invited(code="BOB", colour="blue", name="Bob", address=BOB, company="Bob & Co"),
        )
        proposal = Proposal(kind="tinyrace", board="line", players=players, **{"rhythm": {"days": 7}} | more)
        return self._once(lambda: new_game(self._club, proposal, root="root of the chain"), proposal)

    def begin(self, **more: Any) -> str:
        """Make a game as ``game`` does and send its opening; return its id."""
        made = self.game(**more)
        self.tick()
        return made

    def new(self, kind: str, board: str, *players: str | Invited, root: str = "", **more: Any) -> str:
        """Make a game between *players*, who may be written as on the command line, a position as a table; return its id."""
        if not isinstance(position := more.pop("position", ""), str):
            position = json.dumps(position)
        seats = tuple(parse_player(each) if isinstance(each, str) else each for each in players)
        proposal = Proposal(kind=kind, board=board, players=seats, position=position, **more)
        return self._once(lambda: new_game(self._club, proposal, root=root), proposal, root)

    def open(self, seats: int = 0, **more: Any) -> OpenGameRow:
        """Let a tiny race with deadlines a week apart wait for players."""
        proposal = Proposal(kind="tinyrace", board="line", **{"rhythm": {"days": 7}} | more)
        return open_game(self.club, proposal, seats)

    def ireland(self, **more: Any) -> None:
        """Begin a game of Dampfross between Ann (GSW), Bob (MGW) and Cyd (BNC)."""
        players = (f"GSW:red:Ann <{ANN}>", f"MGW:blue:Bob <{BOB}>", "BNC:green:Cyd <cyd@example.org>")
        self.new("dampfross", "ireland", *players, **{"root": "root of the chain"} | more)
        self.tick()

    def write(self, sender: str, text: str, subject: str = "Re: [RR1] turn", **headers: str) -> Path:
        """Drop a letter into the inbox, arrived now by the house's clock."""
        self._dropped += 1
        told = {
            "From": f"Somebody <{sender}>",
            "To": REFEREE,
            "Subject": subject,
            "Message-ID": f"<{self._dropped}@{sender.partition('@')[2]}>",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        raw = "".join(f"{name}: {value}\r\n" for name, value in told.items()) + "\r\n" + text.replace("\n", "\r\n")
        return self.drop(raw.encode())

    def answer(self, message: EmailMessage | str, text: str, sender: str = "", **headers: str) -> Path:
        """Answer one of our letters, the newest to an address, as a mail program does: to its Reply-To, in its thread."""
        message = self.last(message) if isinstance(message, str) else message
        return self.write(
            sender or message["To"].addresses[0].addr_spec,
            text,
            f"Re: {message['Subject']}",
            **{
                "To": str(message["Reply-To"] or message["From"]),
                "In_Reply_To": str(message["Message-ID"]),
                "References": str(message["Message-ID"]),
                **headers,
            },
        )

    def send(self, sender: str, text: str, subject: str = "Re: [RR1] turn", **headers: str) -> Pass:
        """Write a letter and make a pass."""
        self.write(sender, text, subject, **headers)
        return self.tick()

    def reply(self, message: EmailMessage | str, text: str, sender: str = "", **headers: str) -> Pass:
        """Answer one of our letters and make a pass."""
        self.answer(message, text, sender, **headers)
        return self.tick()

    def says(self, sender: str, text: str, subject: str = "Re: [RR1] turn", **headers: str) -> str:
        """Write a letter, make a pass, and return what the sender is told, in one line."""
        self.send(sender, text, subject, **headers)
        return self.told(sender)

    def asks(self, message: EmailMessage | str, text: str, sender: str = "", **headers: str) -> str:
        """Answer one of our letters, make a pass, and return what the writer is told, in one line."""
        message = self.last(message) if isinstance(message, str) else message
        self.reply(message, text, sender, **headers)
        return self.told(sender or message["To"].addresses[0].addr_spec)

    def wait(self, **time: int) -> None:
        """Let time go by without a pass."""
        self.clock.advance(**time)

    def later(self, **time: int) -> Pass:
        """Let time go by and make a pass."""
        self.clock.advance(**time)
        return self.tick()

    def drop(self, raw: bytes) -> Path:
        """Put bytes into the inbox, arrived now by the house's clock."""
        self._dropped += 1
        path = self.folder / "mail" / "in" / "new" / f"{self._dropped:04}.test"
        path.write_bytes(raw)
        os.utime(path, (self.clock.now.timestamp(), self.clock.now.timestamp()))
        return path

    def tick(self) -> Pass:
        return self._once(lambda: tick(self._club), "tick")

    def tick_again(self, crash_at: str = "") -> Pass:
        """Make a pass with a store opened anew, as another process must; *crash_at* is the step to be killed at."""
        with open_club(
            read_config(self.folder, {"REFEREE_CRASH_AT": crash_at}), self.clock, reader=self._reader
        ) as club:
            return tick(club)

    def tick_apart(self, crash_at: str = "") -> subprocess.CompletedProcess[str]:
        """Make a pass as the command in a process of its own, which reads the machine's clock."""
        return self.command("tick", REFEREE_CRASH_AT=crash_at)

    def command(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run ``referee`` with *arguments* on this club."""
        self._commanded = True
        return run_forked(("--club", str(self.folder), *arguments), environment() | more)

    def act(self, command: str, reason: str = "") -> dict[str, Any]:
        """Carry out a command of the umpire's, as a letter has it; return what was done."""
        asked = parse_command(f"{command}\n{reason}")
        assert asked
        return carry_out(self.club, asked)

    def begun(self, *arguments: str, **more: str) -> subprocess.Popen[str]:
        """Begin ``referee`` with *arguments* on this club, in a process of its own."""
        self._commanded = True
        return subprocess.Popen(
            [sys.executable, "-m", "referee", "--club", str(self.folder), *arguments],
            cwd=ROOT,
            env=environment() | more,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def post(self, recipient: str = "", containing: str = "") -> list[EmailMessage]:
        """Return the letters sent, in order of writing, to one recipient, with some words in subject or text."""
        rows = self.rows("SELECT message_id FROM outbox ORDER BY id")
        by_id = {str(message["Message-ID"]): message for message in map(self._sent, self.sent_files())}
        letters = [by_id[row["message_id"]] for row in rows if row["message_id"] in by_id]
        found = [each for each in letters if recipient in str(each["To"])]
        return [each for each in found if containing in f"{each['Subject']}{text_of(each)}{line_of(each)}"]

    def last(self, recipient: str = "", containing: str = "") -> EmailMessage:
        return self.post(recipient, containing)[-1]

    def text(self, recipient: str = "", containing: str = "") -> str:
        """Return the text of the newest letter to one recipient, line by line."""
        return text_of(self.last(recipient, containing))

    def told(self, recipient: str = "", containing: str = "") -> str:
        """Return the text of the newest letter to one recipient in one line."""
        return line_of(self.last(recipient, containing))

    def ours(self, which: str = "1", *values: object) -> list[OutboxRow]:
        """Return letters of ours as they were written, in that order."""
        with closing(sqlite3.connect(self.folder / "referee.db")) as beside:
            db = OpenDatabase(beside)
            rows = select(db, OutboxRow, f"SELECT * FROM outbox WHERE {which} ORDER BY id", *values)  # noqa: S608
            return [whole(db, row) for row in rows]

    def _sent(self, path: Path) -> EmailMessage:
        if path not in self._letters:
            self._letters[path] = read_own(path.read_bytes())
        return self._letters[path]

    def sent_files(self) -> list[Path]:
        return sorted((self.folder / "mail" / "out" / "new").iterdir())

    def rows(self, sql: str, *values: object) -> list[sqlite3.Row]:
        """Query the store from beside."""
        connection = sqlite3.connect(self.folder / "referee.db")
        connection.row_factory = sqlite3.Row
        try:
            return connection.execute(sql, values).fetchall()
        finally:
            connection.close()

    def tuples(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Query the store from beside for rows to compare."""
        return [tuple(row) for row in self.rows(sql, *values)]

    def column(self, sql: str, *values: object) -> list[Any]:
        """Query the store from beside for the first column of each row."""
        return [row[0] for row in self.rows(sql, *values)]

    def value(self, sql: str, *values: object) -> Any:
        """Query the store from beside for the first column of the first row."""
        return self.rows(sql, *values)[0][0]

    def row(self, game: str = "RR1") -> GameRow:
        return games.game(self.club, game)

    def turns(self, game: str = "RR1") -> tuple[TurnRow, ...]:
        return games.turns(self.club, game)

    def last_turn(self, game: str = "RR1") -> TurnRow:
        return games.last_turn(self.club, game)

    def position(self, game: str = "RR1") -> Position:
        return self.club.positions.of(self.club, self.row(game))

    def acts(self, game: str = "RR1") -> tuple[ActRow, ...]:
        return games.acts(self.club, game)

    def did(self, game: str = "RR1") -> list[str]:
        """Return the kinds of the umpire's acts."""
        return [act.kind for act in self.acts(game)]

    def export(self, game: str = "RR1") -> str:
        """Return what is revealed of a game, as its export."""
        return format_revealed(reveal(self.club, game))

    def differences(self, game: str = "RR1") -> list[Texts]:
        """Play the turns of a game again, and return for each what is not the same."""
        return [each.differs for each in replay(self.club, game)]

    def faults(self, game: str = "RR1") -> tuple[Fault, ...]:
        """Return what is wrong with a game's log."""
        return verify_game(self.club, game).faults


Clubs = Callable[..., PostHouse]  # opens a club with settings; it is closed when the test is over


def environment() -> dict[str, str]:
    """Return ours, with what a command needs to find the referee and the tiny game."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT), str(INSTALLED)))}


def text_of(message: EmailMessage, kind: Literal["plain", "html"] = "plain") -> str:
    """Return the plain text of a letter, or its page."""
    part = message.get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part is not None else ""


def line_of(message: EmailMessage) -> str:
    """Return the plain text of a letter in one line."""
    return " ".join(text_of(message).split())


def verdict_on(export: str | Mapping[str, Any]) -> Verified:
    """Return what the check of an export finds; one that was altered may be its JSON as a value."""
    return verify(parse_revealed((export if isinstance(export, str) else json.dumps(export)).encode()))


def assert_in_order(house: PostHouse, game: str = "RR1") -> None:
    """A game's log proves itself: in the club, outside of it, and played again."""
    assert house.faults(game) == ()
    assert verdict_on(house.export(game)).faults == ()
    assert not any(house.differences(game))


def in_play(position: Position) -> InPlay:
    """Return a game of a club as the process that reads letters sees it, in ours."""
    return InPlay(
        id=position.row.id,
        turn=position.row.turn,
        asked=position.asked,
        salt_fixed=position.salt_fixed,
        rules=position.rules,
        state=position.state,
        language=position.order_language.naming(position.rules.lexicon(position.state)),
    )


ByKind = Mapping[str, Position]  # of game
BOARDS = {"dampfross": "ireland", "volldampf": "deutschland-1925"}


def begun_games(house: PostHouse, seats: Mapping[str, Sequence[str]]) -> ByKind:
    """Begin a game of each kind with these players, and return their positions by the games' names."""
    return {kind: house.position(house.new(kind, board, *seats[kind])) for kind, board in BOARDS.items()}
