"""The umpire's digest: one letter a day with how all games stand, and whatever was not urgent since the last one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from referee.service.club.club import Club
from referee.service.club.umpires import own_umpires
from referee.service.post.writing import Occasion, to_umpire
from referee.service.umpire.overview import Standing, by_urgency, standing
from referee.store import deliveryqueue, games, letters, news, outbox
from referee.store.club import DIGEST, write_fact
from referee.store.database.database import transaction
from referee.store.database.rows import LetterRow
from referee.store.held import to_decide

LISTED = 20  # held letters, the newest


def write_digest(club: Club, day: str) -> None:
    """Write the digest of a *day* (2026-12-20, by the club's clock) if there is anything to tell, and to each umpire whom a game
    has of its own one with how his games stand.
    """
    standings = by_urgency(standing(club, row.id) for row in games.running_games(club.db))
    still = to_decide(club.db)
    held = tuple(row for row in letters.listed(club.db, "held") if row.id in still)
    with transaction(club.db):
        waiting = news.unreported(club.db)
        failed = sum(row.state == "failed" for row in deliveryqueue.unsent(club.db))
        counts = {"parked": len(letters.listed(club.db, "parked")), "failed": failed}
        told = {
            **_stand(club, standings, held),
            **counts,
            "news": [{"subject": each.subject, "text": each.text} for each in waiting],
        }
        if _put(club, Occasion(key=f"umpire:digest:{day}", kind="digest"), told, club.config.umpire):
            news.mark_reported(club.db, club.clock())
        for address, own in _of_their_own(club, standings).items():
            theirs = tuple(row for row in held if row.game in {each.game for each in own})
            told = {**_stand(club, own, theirs), "parked": 0, "failed": 0, "news": []}
            _put(club, Occasion(key=f"umpire:digest:{day}:to:{address}", kind="digest"), told, address)
        write_fact(club.db, DIGEST, day)


def _of_their_own(club: Club, standings: Sequence[Standing]) -> dict[str, list[Standing]]:
    """Return how the games stand that have umpires of their own, by these' addresses."""
    found: dict[str, list[Standing]] = {}
    for each in standings:
        for umpire in own_umpires(club, each.game):
            if umpire.address.lower() != club.config.umpire.lower():
                found.setdefault(umpire.address, []).append(each)
    return found


def _stand(club: Club, standings: Sequence[Standing], held: Sequence[LetterRow]) -> dict[str, Any]:
    return {
        "games": [_values(club, each) for each in standings],
        "held": len(held),
        "letters": [_letter(each) for each in held[-LISTED:]],
    }


def _put(club: Club, occasion: Occasion, values: dict[str, Any], address: str) -> bool:
    """Put a digest that tells something into the outbox, and return whether there is one."""
    row = to_umpire(club, occasion, values, to=address) if any(values.values()) else None
    if row is not None:
        outbox.put(club.db, row)
    return row is not None


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
