"""The club's folder: who may read it, whose it is, whether the disk has room."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jinja2

from referee.config import FILE, Config
from referee.core import RefereeError, count_of
from referee.core.texts import load_toml
from referee.games import games
from referee.reader.limitedprocess import Limits
from referee.report.paper import TEMPLATE, template_fault
from referee.report.templates import bare_environment
from referee.resources import COMMON, own_verbs
from referee.system import HAS_OWNERS, LIMITS_MEMORY, LIMITS_TIME, name_of, others_may, our_id

from ..pictures import MAPS, read_board
from ..positions import ORDERS, OrderLanguages
from .finding import Finding, Findings, fault, ok, warning

SCARCE, NONE_LEFT = 500_000_000, 50_000_000  # bytes
FEW_FILES = 10_000


def folder_findings(config: Config) -> Findings:
    """Return what is to be said of the club's folder and the files in it."""
    yield from _owner(config)
    yield from _room(config)
    yield from _readers(config)
    lacking = [what for what, has in (("time", LIMITS_TIME), ("memory", LIMITS_MEMORY)) if not has]
    if lacking:
        sentence = f"this system does not limit the {' and '.join(lacking)} of the process that reads letters"
        yield Finding(
            "ok", "letters", f"{sentence}: one that is not read within {Limits().patience} seconds is given up"
        )


def _readers(config: Config) -> Findings:
    known = ((path, _status(path)) for path in _private(config))
    open_to_others = {path: rights for path, status in known if status and (rights := others_may(status))}
    for path, rights in open_to_others.items():
        mode = "700" if path.is_dir() else "600"
        can = "written" if rights & 0o022 else "read"
        # A folder that others may look into is bad enough; secrets and orders themselves are worse, and what others may exchange.
        say = warning if can == "read" and (path == config.folder or path.name == FILE) else fault
        yield say(f"{path} can be {can} by others", f"chmod {mode} {shlex.quote(str(path))}")
    if not open_to_others:
        said = "nobody else can read settings, database and letters"
        yield ok(f"{config.folder}: {said if HAS_OWNERS else 'who else can read it is not known on this system'}")


def _private(config: Config) -> Iterator[Path]:
    """Return what its owner alone should be able to read and is there: secret orders, the dice to come, passwords."""
    yield from (path for path in (config.folder, config.folder / FILE) if path.exists())
    yield from _database_files(config)
    for server in (config.imap, config.smtp):
        if server.password_file and (config.folder / server.password_file).is_file():
            yield config.folder / server.password_file
    for maildir in (config.mail_in, config.mail_out):
        if maildir.is_relative_to(config.folder):
            yield from (path for path in (maildir, maildir / "new", maildir / "cur") if path.is_dir())


def _owner(config: Config) -> Findings:
    ours, folders = our_id(), config.folder.stat().st_uid
    if ours != folders:
        name = name_of(folders)
        yield warning(
            f"{config.folder} belongs to {name}, and you are {name_of(ours)}",
            f"run every command as {name}: `sudo -u {name} referee ...`",
        )
    belongings = (*_database_files(config), *sorted(config.folder.glob("*.lock")))
    known = ((path, _status(path)) for path in (config.folder / FILE, *belongings))
    for path, owner in [(path, status.st_uid) for path, status in known if status and status.st_uid != folders][:1]:
        name = name_of(folders)
        yield fault(
            f"{path} belongs to {name_of(owner)}, the folder to {name}",
            f"chown -R {name} {shlex.quote(str(config.folder))}",
        )


def _database_files(config: Config) -> list[Path]:
    return sorted(config.database.parent.glob(f"{config.database.name}*"))


def room_finding(left: int, files: int, database: int) -> Finding:
    """Return what is to be said of a disk with *left* bytes and room for so many *files* more; *database*: the bytes of ours.

    A backup is as large as the database.
    """
    sentence = f"{left // 1_000_000} MB are left on the disk, the database has {-(-database // 1_000_000)} MB"
    if left < NONE_LEFT:
        return Finding("fault", "folder", sentence, "make room: without it no letter can be stored")
    if files < FEW_FILES:
        sentence = f"the disk has room for {files} files more (inodes), whatever their size"
        return Finding(
            "warning", "folder", sentence, "clear letters that were put away, and old backups (docs/setup.md)"
        )
    if left < max(SCARCE, 2 * database):
        remedy = "make room soon: every letter is kept, and a backup takes as much as the database (docs/setup.md)"
        return Finding("warning", "folder", sentence, remedy)
    return Finding("ok", "folder", sentence)


def _room(config: Config) -> Findings:
    folder = config.folder
    database, look = _status(config.database), getattr(os, "statvfs", None)
    disk = look and look(folder)
    files = disk.f_favail if disk and disk.f_files else FEW_FILES  # some file systems do not count them
    yield room_finding(shutil.disk_usage(folder).free, files, database.st_size if database else 0)
    if not os.access(folder, os.W_OK | os.X_OK):
        yield fault(f"{folder} cannot be written", "mount it writable, or mend owner and mode")


def _status(path: Path) -> os.stat_result | None:
    """Return whose a file is and how large; None where it went away meanwhile, as the -wal of a database does."""
    try:
        return path.stat()
    except OSError:
        return None


# Maildirs, where letters arrive or leave through files.

LYING = timedelta(hours=1)  # a letter that waits longer was not collected


def inbox_findings(config: Config, now: datetime) -> Findings:
    """Return what is to be said of the Maildir in which letters arrive."""
    broken = tuple(_maildir(config.mail_in, "mail.in"))
    yield from broken
    if broken:
        return
    with os.scandir(config.mail_in / "new") as entries:
        lying = [entry for entry in entries if not entry.name.startswith(".")]
    waiting = [Path(entry) for entry in lying if entry.is_file(follow_symlinks=False)]
    closed = sorted(path for path in waiting if path.exists() and not os.access(path, os.R_OK))
    if closed:
        sentence = count_of(len(closed), "letter that waits cannot be read", "letters that wait cannot be read")
        yield fault(f"{sentence}: {closed[0]}", "mend owner and mode, so that the club's account may read it")
    arrived = [entry.stat(follow_symlinks=False).st_mtime for entry in lying if os.path.lexists(entry)]
    sentence = f"letters arrive in the Maildir {config.mail_in}; " + count_of(len(arrived), "waits", "wait")
    if arrived and now - datetime.fromtimestamp(min(arrived), UTC) > LYING:
        yield warning(f"{sentence}, one for more than an hour", "start `referee run`, or look why cron does not")
    else:
        yield ok(sentence)


def outbox_findings(config: Config) -> Findings:
    """Return what is to be said of the Maildir into which letters leave."""
    broken = tuple(_maildir(config.mail_out, "mail.out"))
    yield from broken
    if broken:
        return
    lying = sum(1 for _ in (config.mail_out / "new").iterdir())
    sentence = f"letters leave into the Maildir {config.mail_out}; " + count_of(lying, "lies", "lie") + " in it"
    if config.imap.host:
        yield warning(sentence, "nobody sends from there: set smtp.host, as imap.host is")
    else:
        yield ok(sentence)


def _maildir(maildir: Path, setting: str) -> Findings:
    for folder in (maildir / name for name in ("tmp", "new", "cur")):
        if not folder.is_dir():
            yield fault(f"{maildir} is no Maildir: it has no folder {folder.name}", f"`referee init`, or {setting}")
        elif not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield fault(f"{folder} cannot be read and written", "mend its owner and mode")


# The umpire's own templates, words, maps and order languages in the club's folder: can they be read?

# What is read over as a whole, whole comments and strings, else what is told of.
_STYLE_MARKS = re.compile(r"""/\*.*?\*/|"[^"\n]*"|'[^'\n]*'|/\*|["'{}]""", re.DOTALL)
MEND = "mend it, or take it away: the shipped one then holds"

Place = tuple[int, str]  # the line on which something is wrong, and what


def own_file_findings(config: Config) -> Findings:
    """Return what is to be said of files that an umpire put beside the shipped ones; nothing if there are none."""
    templates, maps = config.folder / "templates", sorted((config.folder / MAPS).glob("*.toml"))
    for what, pattern, look in _KINDS:
        files = sorted(templates.rglob(pattern))
        yield from _findings(what, len(files), [_fault_in(path, look) for path in files])
    yield from _findings("map", len(maps), [_map_fault(path, config.folder) for path in maps])
    known = {COMMON, *games()}
    for folder in sorted(templates.glob("*/")):
        if folder.name not in known:
            remedy = f"nobody looks there; the folders are called {', '.join(sorted(known))}"
            yield warning(f"{folder} belongs to no game", remedy)
    yield from _order_findings(config.folder / ORDERS)


def _order_findings(orders: Path) -> Findings:
    """Return what is to be said of words for orders: each game's language is made with them."""
    there = {place for name in games() for place in own_verbs(name, orders) if place.is_file()}
    wrong = dict.fromkeys(_words_fault(name, orders) for name in games()) if there else ()
    yield from _findings("file", len(there), wrong, " words for orders")
    for place in sorted(path for path in orders.rglob("*") if path.is_file() and path not in there):
        remedy = f"nobody looks there; such words stand in {orders}/{COMMON}/verbs.toml, or in that of a game"
        yield warning(f"{place} is not looked into", remedy)


def _words_fault(game: str, orders: Path) -> str:
    try:
        OrderLanguages(orders).of(game)
    except RefereeError as error:
        return str(error)
    return ""


def _findings(what: str, files: int, faults: Iterable[str], words: str = "") -> Findings:
    wrong = [*filter(None, faults)]
    for sentence in wrong:
        yield fault(sentence, MEND)
    if files and not wrong:
        of = f"of your own{words} can"
        yield ok(count_of(files, f"{what} {of}", f"{what}s {of}") + " be read")


def _fault_in(path: Path, look: Callable[[str], Place | None]) -> str:
    try:
        found = look(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError, RefereeError) as error:
        return f"{path} cannot be read: {error}"
    return f"{path}:{found[0]}: {found[1]}" if found else ""


def _template_fault(text: str) -> Place | None:
    try:
        bare_environment().parse(text)
    except jinja2.TemplateSyntaxError as error:
        return error.lineno, str(error.message)
    return None


def style_fault(text: str) -> Place | None:
    """Return where a block, a comment or a string is not ended, or ended twice: from there on nothing has any looks."""
    opened: list[int] = []
    for mark in _STYLE_MARKS.finditer(text):
        line = text.count("\n", 0, mark.start()) + 1
        if mark[0] == "{":
            opened.append(line)
        elif mark[0] == "}" and not opened:
            return line, "} ends a block that was not begun"
        elif mark[0] == "}":
            opened.pop()
        elif mark[0] in ("/*", '"', "'"):
            return line, f"{mark[0]} is not ended"
    return (opened[-1], "{ begins a block that is not ended") if opened else None


def _toml_fault(text: str) -> None:
    load_toml(text)


_KINDS: tuple[tuple[str, str, Callable[[str], Place | None]], ...] = (
    ("template", "*.j2", _template_fault),
    ("stylesheet", "*.css", style_fault),
    ("paper template", TEMPLATE, template_fault),
    ("catalogue", "*.toml", _toml_fault),
)


def _map_fault(path: Path, folder: Path) -> str:
    """Return why no game can be played on a map; where none can, what the last that was asked says first."""
    sentence = ""
    for game in games().values():
        try:
            read_board(game, str(path), folder)
        except RefereeError as error:
            sentence = sentence or str(error).partition("\n")[0]
        else:
            return ""
    return sentence or f"{path} is a map of no game"
