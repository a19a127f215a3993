"""The settings of a club as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import fields

from referee.config.setting import SettingValue
from referee.core.address import typed
from referee.core.values import Value

Section = TypeVar("Section")


class Server(Value):
    """How a mail server is reached. ``host`` "": there is none; ``timeout`` in seconds; files seen from the club's folder."""

    host: str
    port: int
    security: str  # tls, starttls, none
    ca_file: str
    user: str
    password_file: str
    token_command: str
    timeout: int


class Imap(Server):
    """Where letters arrive, and the folders into which they go."""

    folder: str
    processed: str
    parked: str
    idle: bool


class Smtp(Server):
    """Through what letters leave."""

    per_minute: int


class Identity(Value):
    """How a letter is known to be a player's. After ``wrong_codes`` in 24 hours what an address sends without a right one is
    passed over for a day.
    """

    policy: str  # token, token+auth, auth-or-confirm, address
    plus: bool
    authserv_id: str
    profile: str
    dkim: bool
    wrong_codes: int


class Zine(Value):
    """What letters say of who publishes them; "" for nothing."""

    name: str
    issue: str
    umpire: str
    contact: str
    word: str
    games: bool


class Publish(Value):
    """The club's pages. ``folder``, seen from the club's, "" for none; ``url`` where it is found, with a slash at its end."""

    folder: str
    url: str
    names: str  # companies, names
    press: bool
    invite: bool


class Log(Value):
    """What is written on stderr, and how."""

    level: str  # info, warning, error
    format: str  # text, json
    metrics: str = ""  # the file that each pass writes metrics into


class Retention(Value):
    """How many days something is kept that no running game needs; 0: for good."""

    letters: int
    outbox: int
    backups: int


class Config(Value):
    """All settings of one club. Folders are absolute, addresses as letters are sent to them; ``grace`` is in minutes,
    ``notice``, ``early_delay`` and ``downtime_hold`` in hours, ``press_limit`` in characters of one text.
    """

    folder: Path
    club: str
    zone: str
    language: str
    ahead: int
    address: str
    address_name: str
    umpire: str
    umpire_newsletters: bool
    digest: str
    digest_page: bool
    redirected: bool
    mail_in: Path
    mail_out: Path
    replies_per_day: int
    replies_per_game: int
    poll: int
    imap: Imap
    smtp: Smtp
    identity: Identity
    publish: Publish
    zine: Zine
    log: Log
    unsigned_press: bool
    press_limit: int
    tell_awaited: bool
    late_from: int
    late_games: int
    format: str  # html, text
    attach: str
    prefix: str
    days: int
    every: str
    weekday: str
    hour: str
    closed: str
    notice: int
    grace: int
    early_delay: int
    late: str
    reminders: str
    outlook: int
    missing: str
    missing_from: int
    extension: int
    stop_from: int
    absence: int
    statements: int
    downtime_hold: int
    retention: Retention
    crash_at: str = ""

    @property
    def database(self) -> Path:
        """Where the club's store lies."""
        return self.folder / "referee.db"

    @property
    def sender_name(self) -> str:
        """The name of the referee with that of the club, where it does not have it."""
        return (
            self.address_name
            if self.club in self.address_name
            else f"{self.address_name}, {self.club}".removeprefix(", ")
        )


def config_of(folder: Path, values: Mapping[str, SettingValue], crash_at: str) -> Config:
    """Return the settings by their paths as one value."""
    by_path: dict[str, Any] = dict(values)
    names = {"club.name": "club", "mail.name": "address_name"}
    own = {names.get(path, path.partition(".")[2]): value for path, value in by_path.items() if _is_own(path)}
    for name in ("in", "out"):
        own[f"mail_{name}"] = folder / own.pop(name)
    for name in ("address", "umpire"):
        own[name] = typed(own[name])
    return Config(
        folder=folder,
        crash_at=crash_at,
        imap=_section(Imap, "imap", by_path),
        smtp=_section(Smtp, "smtp", by_path),
        identity=_section(Identity, "identity", by_path),
        publish=_section(Publish, "publish", by_path),
        zine=_section(Zine, "zine", by_path),
        log=_section(Log, "log", by_path),
        retention=_section(Retention, "retention", by_path),
        **own,
    )


def _is_own(path: str) -> bool:
    return path.partition(".")[0] in ("club", "mail", "players", "games", "deadlines")


def _section(kind: type[Section], name: str, by_path: Mapping[str, Any]) -> Section:
    return kind(**{field.name: by_path[f"{name}.{field.name}"] for field in fields(kind)})  # type: ignore[arg-type]
