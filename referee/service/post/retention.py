"""What the club keeps no longer: old letters that no running game needs, and copies of the database of before an upgrade."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from referee.config import Config
from referee.store import givenup
from referee.store.club import RETENTION, write_fact
from referee.store.database import transaction

from ..club import Club

_COPIES = "*-before-upgrade-*.db"


def give_up_old(club: Club, day: str) -> None:
    """Give up what the settings say is kept no longer; where much is old a part of it, and the next pass goes on. *day*: today's,
    which is kept when all of it is done.
    """
    kept, now = club.config.retention, club.clock()
    with transaction(club):
        letters = givenup.drop_letters(club, now - timedelta(days=kept.letters)) if kept.letters else 0
        ours = givenup.drop_outbox(club, now - timedelta(days=kept.outbox)) if kept.outbox else 0
        if not letters and not ours:
            givenup.drop_files(club)
            write_fact(club, RETENTION, day)
        else:
            club.log("given-up", f"{letters} letters, {ours} letters of ours")
    for copy in old_copies(club.config, now):
        copy.unlink(missing_ok=True)


def old_copies(config: Config, now: datetime) -> tuple[Path, ...]:
    """Return the copies of the database that are kept no longer."""
    before = now - timedelta(days=config.retention.backups)
    found = config.folder.glob(_COPIES) if config.retention.backups else ()
    return tuple(each for each in found if datetime.fromtimestamp(each.stat().st_mtime, UTC) < before)
