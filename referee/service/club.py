"""One open club: its settings, store, post and stationery in one value that the acts of the service take."""

from __future__ import annotations

import gc
import os
import random
import secrets
import shlex
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from referee import system
from referee.cache import Cache
from referee.config import FILE, Config, SettingValue, check_toml, read_config, sample_toml
from referee.config.values import password_of
from referee.core import N_, ConfigError, Value, Words, is_this_machine
from referee.locale import SOURCE_LANGUAGE
from referee.mail.interfaces import Source, Transport
from referee.mail.maildir import MaildirSource, MaildirTransport, make_maildir
from referee.mail.servers.login import Credentials, Patience, credentials
from referee.store import Database, GameRow, LogRow, OpenDatabase, PlayerRow, games, insert, transaction
from referee.store.club import fact, write_fact
from referee.store.storefile import create_store, open_store
from referee.system import others_may

if TYPE_CHECKING:
    from referee.reader.wire import Reader
    from referee.report.templates import Stationery

    from .pictures import Pictures
    from .positions import Position, Positions


# How long the machine runs, by a clock that nobody sets: it shows when the other one was set.

_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Uptime(Value):
    """``seconds`` since the machine was started, its sleep counted in; ``boot`` names that start."""

    boot: str
    seconds: int


UptimeClock = Callable[[], Uptime | None]


def machine_uptime() -> Uptime | None:
    """Return how long this machine runs, None where it does not say."""
    if sys.platform != "linux":
        return None
    try:
        return Uptime(boot=_BOOT.read_text("ascii").strip(), seconds=int(time.clock_gettime(time.CLOCK_BOOTTIME)))
    except (OSError, AttributeError):
        return None


# Labelled places in the work at which a test may cut the power.

PASS_STEPS = (
    "receive:found",  # a letter lies in the Maildir
    "receive:storing",  # inside the transaction that keeps its bytes
    "receive:stored",
    "receive:moved",
    "receive:begun",  # it is about to be handled
    "receive:filing",  # inside the transaction of order set, press and answer
    "receive:handled",
    "adjudicate:computed",
    "adjudicate:writing",  # inside the transaction of turn, events and newsletters
    "adjudicate:written",
    "send:leased",
    "send:ready",
    "send:sent",
    "send:marked",
    "tick:done",
)
GUARD_STEPS = (  # of a pass after an outage
    "guard:noted",
    "guard:moving",  # inside the transaction of a moved deadline and its letters
    "guard:moved",
    "guard:told",
)
RECOVERY_STEPS = (  # of a pass with a database that lost something
    "recovery:noticed",
    "recovery:brought",
    "recovery:done",
)
MISSING_STEPS = ("missing:telling",)  # inside the transaction that gives a turn more time
STEPS = (*PASS_STEPS, *GUARD_STEPS, *RECOVERY_STEPS, *MISSING_STEPS)


# What acts of the service work with, each made when it is first needed: an empty pass needs none of it.

CACHE = "cache"  # a folder in the club's: what is in it may be deleted at any time


class Tools:
    """The tools of one open club; *folder* is the club's. Imports stand where a tool is made: templates, the order language
    and the games' rules take longer to import than an empty pass takes.
    """

    def __init__(self, folder: Path, **made: Any) -> None:
        """*made*: tools by name that are taken as they are, and left open by ``close``."""
        self._folder = folder
        self._cache = Cache(folder / CACHE)
        self._given = frozenset(made)
        self.key = b""  # of the players' codes, once it was looked up
        self.__dict__.update(made)

    @cached_property
    def stationery(self) -> Stationery:
        """Writes letters from templates, the umpire's own first."""
        from referee.report.templates import Stationery
        from referee.resources import template_folders

        own = self._folder / "templates"
        alone = (self._folder / PRACTICE).exists()
        return Stationery(lambda game: template_folders(game, own), spoken=order_words, cache=self._cache, alone=alone)

    @cached_property
    def positions(self) -> Positions:
        """Games as they stand, with the order languages of the club."""
        from .positions import ORDERS, OrderLanguages, Positions

        return Positions(OrderLanguages(self._folder / ORDERS, self._cache))

    @cached_property
    def pictures(self) -> Pictures:
        """The last boards drawn."""
        from .pictures import Pictures

        return Pictures(self._cache)

    @cached_property
    def reader(self) -> Reader:
        """Reads letters in a process of its own."""
        from referee.reader.wire import Reader

        return Reader()

    def having(self, **made: Any) -> Tools:
        """Return tools for the same club, those given by name among them; the reader is shared."""
        return Tools(self._folder, reader=self.reader, **made)

    def close(self) -> None:
        """End the process that reads letters, if there is one of ours."""
        if "reader" in vars(self).keys() - self._given:
            self.reader.close()


def order_words(game: str, language: str) -> Words:
    """Return the words of a game's orders as a language says them, by those in which orders are kept: English ones."""
    if language.startswith(SOURCE_LANGUAGE):
        return {}
    from referee.orderbook.expressions import spoken_words
    from referee.resources import word_texts

    return spoken_words(word_texts(game), language.partition("-")[0])


# Which way letters come and go: a mail server where one is set, else a Maildir.


def source_of(config: Config, clock: Callable[[], datetime]) -> Source:
    """Return where letters arrive; nothing is connected yet.

    Raises:
        ConfigError: the settings do not go together.
    """
    if not config.imap.host:
        return MaildirSource(config.mail_in)
    from referee.mail.servers.imap import ImapSource  # here: who has no such server does not wait for it at each tick

    # Chance decides only when a server that failed is tried again: many clubs should not come back in the same second.
    patience = Patience(random.SystemRandom().random)
    return ImapSource(config.imap, login_of(config, "imap"), config.folder, patience, clock)


def transport_of(config: Config) -> Transport:
    """Return how letters leave; nothing is connected yet. Raises ConfigError as ``source_of``."""
    if not config.smtp.host:
        return MaildirTransport(config.mail_out)
    from referee.mail.servers.smtp import SmtpTransport

    return SmtpTransport(config.smtp, login_of(config, "smtp"), config.folder)


def login_of(config: Config, section: str, password: str = "") -> Credentials:
    """Return what gives the login for the server of *section* (``imap``, ``smtp``), asked anew each time; *password*: in the
    place of what the settings say.

    Raises:
        ConfigError: a password would go over a network unencrypted.
    """
    server = config.smtp if section == "smtp" else config.imap
    if server.security == "none" and not is_this_machine(server.host):
        told = f'{section}.security: "none" is for a server on this machine alone, {section}.host is {server.host!r}'
        raise ConfigError(told)
    return credentials(
        server.user, lambda: password or password_of(server, section, config.folder), server.token_command
    )


# Folders for what is secret, whatever the umask of the process.


def make_folder(path: Path) -> None:
    """Make a folder, with those above it that are missing, that its owner alone can look into; what is there stays as it is.

    Raises:
        OSError: it cannot be made.
    """
    for each in reversed([path, *path.parents]):
        if not each.is_dir():
            each.mkdir(mode=0o700, exist_ok=True)


def take_folder(path: Path) -> None:
    """Make a folder as ``make_folder`` does, or close an empty one to everybody but its owner.

    Raises:
        ConfigError: there is something in it already, and others may write there: what we keep they could exchange.
        OSError: it cannot be made.
    """
    make_folder(path)
    status = path.stat()
    if others_may(status) and not any(path.iterdir()):
        path.chmod(stat.S_IMODE(status.st_mode) & ~0o077)
    elif others_may(status, 0o022):
        remedy = f"`chmod go-w {shlex.quote(str(path))}`, or name a folder that is not there yet"
        raise ConfigError(f"{path}: others may write into this folder, and it is not empty: {remedy}")


Clock = Callable[[], datetime]

SENDER = N_("The Referee")  # what a new club's letters are from

# Lies in the folder of a club that is somebody's practice: no letter goes out, no deadline presses.
PRACTICE = ".practice"


class Club(Value, Database, gc=True):
    """Everything an act of the service needs; what is asked of its database is asked of it. ``clock`` gives aware times; nothing
    else may ask what time it is.

    ``uptime``: how long the machine runs, by which a clock that was set is known. ``sent``: what left under a Message-ID that
    may be used again, while what was done is done anew. ``unsure``: from when on nobody knows under which Message-IDs what left,
    None where it is known. ``actor``: who acts, as the log of acts names them.
    """

    config: Config
    db: OpenDatabase
    clock: Clock
    source: Source
    transport: Transport
    tools: Tools
    uptime: UptimeClock = lambda: None
    sent: Callable[[str], bytes | None] = lambda _: None
    unsure: datetime | None = None
    actor: str = "umpire"

    @property
    def conn(self) -> Connection:
        """That of the database."""
        return self.db.conn

    @property
    def stationery(self) -> Stationery:
        """Writes letters from templates."""
        return self.tools.stationery

    @property
    def positions(self) -> Positions:
        """Games as they stand."""
        return self.tools.positions

    @property
    def pictures(self) -> Pictures:
        """The last boards drawn."""
        return self.tools.pictures

    @property
    def reader(self) -> Reader:
        """Reads letters in a process of its own."""
        return self.tools.reader

    @property
    def now(self) -> datetime:
        """The time by the club's clock."""
        return self.clock()

    @property
    def day_ago(self) -> datetime:
        """This time yesterday: limits are of so many within a day."""
        return self.now - timedelta(days=1)

    def position(self, game: GameRow | str, players: tuple[PlayerRow, ...] | None = None) -> Position:
        """Return how a game stands, by its row or id; *players* as of ``Positions.of``. Raises NotFound."""
        return self.positions.of(self, games.game(self, game) if isinstance(game, str) else game, players)

    def log(self, what: str, text: str, game: str | None = None, turn: int | None = None, kept: str = "{}") -> None:
        """Write into the umpire's log (``LogRow``). Inside a transaction."""
        insert(self, LogRow(at=self.now, game=game, turn=turn, what=what, text=text, kept=kept))

    def word(self, table: str, key: str, language: str = "", /, **values: object) -> str:
        """Return a sentence of ours in a language, the club's unless another is named."""
        return self.stationery.sentences("", language or self.config.language).word(table, key, **values)

    def step(self, name: str) -> None:
        """Pass a labelled place, one of ``STEPS``: where ``Config.crash_at`` names it the process is killed at once.

        Raises:
            ValueError: no test would try it.
        """
        if name not in STEPS:
            raise ValueError(f"step {name!r} is not listed")
        if name == self.config.crash_at:
            os.kill(os.getpid(), system.KILL)


def utc_now() -> datetime:
    """Return the time of the machine's clock."""
    return datetime.now(UTC)


def make_club(folder: Path, given: dict[str, SettingValue]) -> Config:
    """Make a club's folder: ``referee.toml`` with *given* settings and a sender's name in the club's language, database and
    Maildirs, all for their owner alone. What is there already stays, but an empty folder is closed to others.

    Raises:
        ConfigError: a setting is wrong, or the folder cannot be written, or can be by others.
    """
    from referee import locale  # no pass that writes nothing needs it

    sender = locale.translations(str(given.get("club.language", ""))).gettext(SENDER)
    path, settings = folder / FILE, sample_toml({"mail.name": sender, **given})
    check_toml(path, settings)
    try:
        take_folder(folder)
        if not path.exists():
            path.touch(mode=0o600)
            path.write_text(settings, "utf-8")
        config = read_config(folder)
        for place in (config.mail_in, config.mail_out):
            make_folder(place.parent)
            make_maildir(place)
    except OSError as error:
        raise ConfigError(f"{folder}: the club's folder cannot be made: {error}") from error
    db = create_store(config.database)
    with transaction(db):
        if not fact(db, "mark"):
            write_fact(db, "mark", secrets.token_hex(16))
    db.close()
    return config


@contextmanager
def open_club(
    config: Config, clock: Clock = utc_now, uptime: UptimeClock | None = None, reader: Reader | None = None
) -> Iterator[Club]:
    """Open a club for a while. With another clock than the machine's, *uptime* says how long that one's machine runs.

    *reader*: the process that reads letters, where the caller has one; it is left open.

    Raises:
        ConfigError, StoreBusy: as ``open_store``.
    """
    gc.set_threshold(10_000)  # new objects: to look for lost ones after each 700 takes a twentieth of a turn
    source, transport = source_of(config, clock), transport_of(config)
    db = open_store(config.database)
    tools = Tools(config.folder) if not reader else Tools(config.folder, reader=reader)
    try:
        yield Club(
            config=config,
            db=db,
            clock=clock,
            source=source,
            transport=transport,
            tools=tools,
            uptime=uptime or (machine_uptime if clock is utc_now else lambda: None),
        )
    finally:
        tools.close()
        source.close()
        transport.close()
        db.close()
