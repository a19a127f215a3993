"""One open club: its settings, store, post and stationery in one value that the acts of the service take."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from referee.config import FILE, Config, SettingValue, check_toml, read_config, sample_toml
from referee.core.errors import ConfigError
from referee.core.texts.wording import N_
from referee.core.values import Value
from referee.mail.interfaces import Source, Transport
from referee.mail.maildir import make_maildir
from referee.service.club.checkpoints import step
from referee.service.club.private import make_folder, take_folder
from referee.service.club.tools import Tools
from referee.service.club.transports import source_of, transport_of
from referee.service.club.uptime import UptimeClock, machine_uptime, unknown_uptime
from referee.store.club import fact, write_fact
from referee.store.database.connection import Database
from referee.store.database.database import create_store, open_store, transaction

if TYPE_CHECKING:
    from referee.reader.reader import Reader
    from referee.report.templates import Stationery
    from referee.service.club.pictures import Pictures
    from referee.service.club.positions import Positions

Clock = Callable[[], datetime]

SENDER = N_("The Referee")  # what a new club's letters are from


class Club(Value):
    """Everything an act of the service needs. ``clock`` gives aware times; nothing else may ask what time it is.

    ``uptime``: how long the machine runs, by which a clock that was set is known. ``sent``: what left under a Message-ID that
    may be used again, while what was done is done anew. ``unsure``: from when on nobody knows under which Message-IDs what left,
    None where it is known. ``actor``: who acts, as the log of acts names him.
    """

    config: Config
    db: Database
    clock: Clock
    source: Source
    transport: Transport
    tools: Tools
    uptime: UptimeClock = unknown_uptime
    sent: Callable[[str], bytes | None] = lambda _: None
    unsure: datetime | None = None
    actor: str = "umpire"

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

    def step(self, name: str) -> None:
        """Pass a labelled step (see ``checkpoints``)."""
        step(name, self.config.crash_at)


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
    source, transport = source_of(config, clock), transport_of(config)
    db = open_store(config.database)
    tools = Tools(config.folder) if reader is None else Tools(config.folder, reader=reader)
    try:
        yield Club(
            config=config,
            db=db,
            clock=clock,
            source=source,
            transport=transport,
            tools=tools,
            uptime=uptime or (machine_uptime if clock is utc_now else unknown_uptime),
        )
    finally:
        tools.close()
        source.close()
        transport.close()
        db.close()
