"""Maildirs, where letters arrive or leave through files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.config import Config
from referee.core.texts.wording import counted
from referee.service.doctor.finding import Finding, fault, ok, warning

LYING = timedelta(hours=1)  # a letter that waits longer was not collected

_FOLDERS = ("tmp", "new", "cur")


def inbox_findings(config: Config, now: datetime) -> Iterator[Finding]:
    """Return what is to be said of the Maildir in which letters arrive."""
    broken = tuple(_maildir("inbox", config.mail_in, "mail.in"))
    yield from broken
    if broken:
        return
    with os.scandir(config.mail_in / "new") as entries:
        lying = [entry for entry in entries if not entry.name.startswith(".")]
    yield from _closed(Path(entry) for entry in lying if entry.is_file(follow_symlinks=False))
    arrived = [entry.stat(follow_symlinks=False).st_mtime for entry in lying if os.path.lexists(entry)]
    sentence = f"letters arrive in the Maildir {config.mail_in}; " + counted(len(arrived), "waits", "wait")
    if arrived and now - datetime.fromtimestamp(min(arrived), UTC) > LYING:
        yield warning(
            "inbox", f"{sentence}, one for more than an hour", "start `referee run`, or look why cron does not"
        )
    else:
        yield ok("inbox", sentence)


def outbox_findings(config: Config) -> Iterator[Finding]:
    """Return what is to be said of the Maildir into which letters leave."""
    broken = tuple(_maildir("outbox", config.mail_out, "mail.out"))
    yield from broken
    if broken:
        return
    lying = sum(1 for _ in (config.mail_out / "new").iterdir())
    sentence = f"letters leave into the Maildir {config.mail_out}; " + counted(lying, "lies", "lie") + " in it"
    if config.imap.host:
        yield warning("outbox", sentence, "nobody sends from there: set smtp.host, as imap.host is")
    else:
        yield ok("outbox", sentence)


def _closed(files: Iterator[Path]) -> Iterator[Finding]:
    closed = sorted(path for path in files if path.exists() and not os.access(path, os.R_OK))
    if closed:
        sentence = counted(len(closed), "letter that waits cannot be read", "letters that wait cannot be read")
        yield fault("inbox", f"{sentence}: {closed[0]}", "mend owner and mode, so that the club's account may read it")


def _maildir(topic: str, maildir: Path, setting: str) -> Iterator[Finding]:
    for folder in (maildir / name for name in _FOLDERS):
        if not folder.is_dir():
            yield fault(
                topic, f"{maildir} is no Maildir: it has no folder {folder.name}", f"`referee init`, or {setting}"
            )
        elif not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            yield fault(topic, f"{folder} cannot be read and written", "mend its owner and mode")
