"""Writes the club's pages: when the umpire says so, and at the end of each pass after which something would read otherwise."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from referee import __version__
from referee.config import FILE
from referee.core.errors import ConfigError, RefereeError
from referee.service.club.club import Club
from referee.service.club.lock import alone
from referee.service.post.door import files_out
from referee.service.post.writing import tell_umpire
from referee.service.site.folder import Files, Part, Written, write_parts
from referee.store.club import fact, write_fact
from referee.store.database.database import format_time, transaction
from referee.store.pages import state_of_pages

LOCK = "publish.lock"
DONE, TROUBLE = "published", "publish-trouble"
Watch = Callable[[tuple[Part, ...]], Iterator[Part]]

log = logging.getLogger(__name__)


def publish(club: Club, folder: Path, *, anew: bool = True, watch: Watch = iter) -> Written:
    """Write the club's pages into a folder; files in it that are not ours stay. *watch* is given their parts, and hands them on.

    Raises:
        ConfigError: it cannot be written, holds something and is not ours, or another process writes the pages just now.
    """
    from referee.service.site.parts import parts_of

    with alone(club.config.folder / LOCK) as ours:
        if not ours:
            raise ConfigError("another process writes the club's pages just now; give the command again in a moment")
        parts = tuple(replace(each, make=partial(_clean, club, each)) for each in parts_of(club))
        return write_parts(folder, watch(parts), anew=anew)


def _clean(club: Club, part: Part) -> Files:
    return files_out(club, part.make())


def publish_after_pass(club: Club) -> None:
    """Write the pages into ``publish.folder`` if something has changed since they were written. What is in the way is told to the
    umpire once, in a letter and by `referee status`, and tried again with each pass: a pass never fails by it.
    """
    state = _state(club)
    if fact(club.db, DONE) == state:
        return
    try:
        publish(club, club.config.folder / club.config.publish.folder, anew=False)
    except RefereeError as error:
        _note(club, str(error))
    except Exception as error:  # a fault of ours: the games go on
        log.exception("the club's pages could not be written")
        _note(club, f"a fault of the referee's own: {type(error).__name__}: {error}")
    else:
        with transaction(club.db):
            write_fact(club.db, DONE, state)
            write_fact(club.db, TROUBLE, "")


def trouble(club: Club) -> tuple[str, str]:
    """Return since when the pages cannot be written and why, two empty texts if they can."""
    told = fact(club.db, TROUBLE)
    since, why = json.loads(told) if told else ("", "")
    return (since, why) if club.config.publish.folder else ("", "")


def _note(club: Club, why: str) -> None:
    since, before = trouble(club)
    if why == before:
        return
    since = since or format_time(club.clock())
    with transaction(club.db):
        write_fact(club.db, TROUBLE, json.dumps((since, why), ensure_ascii=False))
        tell_umpire(club, f"unpublished:{since}", "unpublished", {"why": why})


def _state(club: Club) -> str:
    settings = (club.config.folder / FILE).stat().st_mtime_ns
    return hashlib.sha256(f"{__version__} {settings} {state_of_pages(club.db)}".encode()).hexdigest()
