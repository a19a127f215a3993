"""The umpire's digest: one letter a day with how all games stand, and whatever was not urgent since the last one."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from referee.service.club.club import Club
from referee.service.post.writing import Occasion, to_umpire
from referee.service.umpire.overview import Standing, by_urgency, standing
from referee.store import deliveryqueue, games, letters, news, outbox
from referee.store.club import DIGEST, write_fact
from referee.store.database.database import transaction
from referee.store.database.rows import LetterRow

LISTED = 20  # held letters, the newest


def write_digest(club: Club, day: str) -> None:
    """Write the digest of a *day* (2026-12-20, by the club's clock) if there is anything to tell."""
    standings = by_urgency(standing(club, row.id) for row in games.running_games(club.db))
    with transaction(club.db):
        waiting = news.unreported(club.db)
        failed = sum(row.state == "failed" for row in deliveryqueue.unsent(club.db))
        counts = {word: len(letters.listed(club.db, word)) for word in ("parked", "held")} | {"failed": failed}
        if standings or waiting or any(counts.values()):
            values = {
                "games": [_values(club, each) for each in standings],
                "news": [{"subject": each.subject, "text": each.text} for each in waiting],
                **counts,
                "letters": [_letter(each) for each in letters.listed(club.db, "held")[-LISTED:]],
            }
            row = to_umpire(club, Occasion(key=f"umpire:digest:{day}", kind="digest"), values)
            if row is not None:
                outbox.put(club.db, row)
                news.mark_reported(club.db, club.clock())
        write_fact(club.db, DIGEST, day)


def _values(club: Club, each: Standing) -> dict[str, Any]:
    return {
        "game": each.game,
        "turn": each.turn,
        "due": _due(each.deadline, club.config.zone),
        "stopped": each.stopped,
        "overdue": each.overdue,
        "missing": " ".join(each.missing),
        "doubtful": " ".join(each.doubtful),
    }


def _letter(row: LetterRow) -> dict[str, Any]:
    return {"number": row.id, "player": row.player or "", "game": row.game or "", "reason": row.reason}


def _due(deadline: datetime | None, zone: str) -> str:
    return f"{deadline.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}" if deadline else ""
