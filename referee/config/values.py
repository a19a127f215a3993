"""The settings of a club as frozen values, one line of ``referee.toml`` as one, and what only the environment says."""

from __future__ import annotations

import os
import re
import stat
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

from referee.core import ConfigError, Value, View, Words, from_typed
from referee.system import others_may

# One line of ``referee.toml``.

SettingValue = str | int | bool
Settings = Mapping[str, SettingValue]  # by path


class Setting(Value):
    """One setting. ``path`` is ``section.name``; ``fault`` says what is wrong with a text, "" if nothing; numbers lie between
    ``least`` and ``most``. ``withdrawn``: what to write instead, where it will be gone with the next version but one.
    """

    path: str
    default: SettingValue
    comment: str
    fault: Callable[[str], str] | None = None
    least: int = 0
    most: int = 0
    withdrawn: str = ""

    @property
    def section(self) -> str:
        """The heading under which it stands."""
        return self.path.split(".")[0]

    @property
    def name(self) -> str:
        """What stands before the ``=``."""
        return self.path.split(".")[1]


class Server(Value):
    """How a mail server is reached. ``host`` "": there is none; ``user``: the club's address where none is named; ``timeout`` in
    seconds; files seen from the club's folder.
    """

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


class Calendar(Value):
    """What settings, and games, say of a calendar. Deadlines lie ``days`` days apart, or ``every`` (``3 weeks``) where that is
    not "", and fall on ``weekday`` ("" for any; several with commas) at ``hour`` (``20:00``) in ``zone``, on no day of ``closed``
    (as ``deadlines.closed`` in ``referee.toml``). A turn has ``notice`` hours at least, -1 for half the time from one deadline to
    the next. ``grace``: minutes; ``early_delay``: hours, -1 for never.
    ``reminders`` (``72, 24``) and ``outlook`` (0 for never): hours before a deadline; what follows says what becomes of a turn
    whose orders are missing, as the settings of these names do. ``statements``: days after the end of the game, 0 for none.
    ``hints``: whether players are told what a strong player would order.
    """

    days: int
    every: str = ""
    weekday: str
    hour: str
    zone: str
    closed: str = ""
    notice: int = -1
    grace: int = 10
    early_delay: int = 12
    reminders: str = ""
    outlook: int = 0
    missing: str = "play"
    missing_from: int = 1
    extension: int = 3
    stop_from: int = 0
    absence: int = 0
    statements: int = 0
    hints: bool = False


class Config(Calendar):
    """All settings of one club. Folders are absolute, addresses as letters are sent to them; ``downtime_hold`` is in hours,
    ``press_limit`` in characters of one text.
    """

    folder: Path
    club: str
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
    late: str
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


def config_of(folder: Path, values: Settings, crash_at: str) -> Config:
    """Return the settings by their paths as one value."""
    tables: dict[str, View] = defaultdict(dict)
    for path, value in values.items():
        section, _, name = path.partition(".")
        tables[section][{"club.name": "club", "mail.name": "address_name"}.get(path, name)] = value
    mail = tables["mail"]
    mail |= {name: from_typed(mail[name]) for name in ("address", "umpire")}
    mail |= {f"mail_{name}": folder / mail.pop(name) for name in ("in", "out")}
    for section in ("imap", "smtp"):
        tables[section]["user"] = tables[section]["user"] or mail["address"]
    for kind in (Imap, Smtp, Identity, Publish, Zine, Log, Retention):
        name = kind.__name__.lower()
        tables[name] = {name: kind(**tables[name])}
    return Config(
        folder=folder, crash_at=crash_at, **{name: each for own in tables.values() for name, each in own.items()}
    )


# Passwords of mail servers: from the environment, a file of the owner's alone, or systemd. Never from ``referee.toml``.

CREDENTIALS_VARIABLE = "CREDENTIALS_DIRECTORY"  # systemd: LoadCredential=imap-password:/etc/referee/imap-password

_LONGEST = 1000  # characters of a password; a longer file is another file


def password_of(server: Server, section: str, folder: Path, environment: Words | None = None) -> str:
    """Return the password for the server of *section* (``imap``, ``smtp``), "" if none is set anywhere.

    The variable holds over the file, the file over systemd's credential; each is read anew, so that a password that was
    changed holds from the next login.

    Raises:
        ConfigError: the file is missing, somebody else may read it, or what is in it is no password.
    """
    environment = os.environ if environment is None else environment
    variable = f"REFEREE_{section.upper()}_PASSWORD"
    if environment.get(variable):
        return _check(environment[variable], f"environment variable {variable}")
    if server.password_file:
        path = folder / server.password_file
        return _read(path, f"{section}.password_file: {path}", private=True)
    credential = Path(environment.get(CREDENTIALS_VARIABLE, "")) / f"{section}-password"
    if environment.get(CREDENTIALS_VARIABLE) and credential.is_file():
        # systemd alone decides who may read it, and on some file systems its mode says nothing.
        return _read(credential, f"credential {credential.name}", private=False)
    return ""


def _read(path: Path, what: str, private: bool) -> str:
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if private and not stat.S_ISREG(status.st_mode):
                raise ConfigError(f"{what} is no file")
            if private and others_may(status):
                raise ConfigError(f"{what} can be read by others: `chmod 600 {path}`")
            text = file.read(_LONGEST + 2).decode()
    except OSError as error:
        raise ConfigError(f"{what} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError:
        raise ConfigError(f"{what} is not UTF-8") from None
    return _check(text.removesuffix("\n").removesuffix("\r"), what)


def _check(text: str, what: str) -> str:
    """Return *text* if it can be a password. The sentence of an error never repeats it."""
    if not text or len(text) > _LONGEST or any(ord(character) < 32 or ord(character) == 127 for character in text):
        raise ConfigError(f"{what} holds no password (one line of 1 to {_LONGEST} characters)")
    return text


# What systemd says in the environment of a service.


def notify_socket() -> str:
    """Return where systemd wants to be told how the service is; "" if it does not. A leading @ means the abstract namespace."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    return path if path.startswith(("/", "@")) else ""


def watchdog_seconds() -> float | None:
    """Return after how many seconds without a word systemd restarts the service; None if it does not watch this process."""
    text, process = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID", "")
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) == 0 or process not in ("", str(os.getpid())):
        return None
    return int(text) / 1_000_000
