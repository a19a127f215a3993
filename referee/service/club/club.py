"""One open club: its settings, store, post and stationery in one value that the acts of the service take."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlite_utils import Database

from referee.config import FILE, Config, Value, check_toml, read_config, sample_toml
from referee.core.errors import ConfigError
from referee.mail.letter.worker import Reader
from referee.mail.maildir import make_maildir
from referee.mail.post import Source, Transport
from referee.report.stationery import Stationery
from referee.resources import template_folders
from referee.service.club.checkpoints import step
from referee.service.club.languages import ORDERS, Books
from referee.service.club.pictures import Pictures
from referee.service.club.positions import Positions
from referee.service.club.private import make_folder, take_folder
from referee.service.club.transports import source_of, transport_of
from referee.service.club.uptime import UptimeClock, machine_uptime, unknown_uptime
from referee.store.club import fact, write_fact
from referee.store.database.database import create_store, open_store, transaction

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Club:
    """Everything an act of the service needs. ``clock`` gives aware times; nothing else may ask what time it is.

    ``uptime``: how long the machine runs, by which a clock that was set is known. ``sent``: what left under a Message-ID that
    may be used again, while what was done is done anew.
    """

    config: Config
    db: Database
    clock: Clock
    stationery: Stationery
    source: Source
    transport: Transport
    positions: Positions
    pictures: Pictures = field(default_factory=Pictures)
    reader: Reader = field(default_factory=Reader)
    uptime: UptimeClock = unknown_uptime
    sent: Callable[[str], bytes | None] = lambda _: None

    def step(self, name: str) -> None:
        """Pass a labelled step (see ``steps``)."""
        step(name, self.config.crash_at)


def utc_now() -> datetime:
    """Return the time of the machine's clock."""
    return datetime.now(UTC)


def make_club(folder: Path, given: dict[str, Value]) -> Config:
    """Make a club's folder: ``referee.toml`` with *given* settings, database, Maildirs, all for their owner alone. What is there
    already stays, but an empty folder is closed to others.

    Raises:
        ConfigError: a setting is wrong, or the folder cannot be written, or can be by others.
    """
    path, settings = folder / FILE, sample_toml(given)
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
    own_reader = Reader()  # begins no process before it is given a letter
    try:
        yield Club(
            config=config,
            db=db,
            clock=clock,
            stationery=Stationery(lambda game: template_folders(game, config.folder / "templates")),
            source=source,
            transport=transport,
            positions=Positions(Books(config.folder / ORDERS)),
            reader=reader or own_reader,
            uptime=uptime or (machine_uptime if clock is utc_now else unknown_uptime),
        )
    finally:
        own_reader.close()
        source.close()
        transport.close()
        db.close()
